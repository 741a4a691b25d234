"""The numbers of a torque by which derivatives are taken, given as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _polhode
from ._errors import InvalidInput
from .torques import Part, TorqueLike, _parts, kinds


@dataclass(frozen=True)
class _Slot:
    """Where an array belongs: which part of the torque, its key, which of all numbers, and its shape."""

    part: int
    key: str
    numbers: slice
    shape: tuple[int, ...]
    #: Of one component of a vector: which, and the vector as it is.
    component: tuple[int, tuple[float, ...]] | None = None


#: The ends of the names of a vector's components.
_COMPONENTS = (".x", ".y", ".z")


def _vector_of(name: str) -> str | None:
    """The name of the vector that a parameter is a component of; None of others, as of a formula's constant x."""
    vector, end = name[:-2], name[-2:]
    return vector if end in _COMPONENTS and "." in vector else None


class Parameters:
    """The numbers of a torque that are given as arrays: where they belong."""

    def __init__(self, torque: TorqueLike, given: Mapping[str, Any]) -> None:
        self._given = _parts(torque)
        self._known = _polhode.torque_parameters(self._given)
        #: Their places among the parameters of the torque.
        self.places: list[int] = []
        self.slots: list[_Slot] = []
        for name, value in given.items():
            self._add(name, np.shape(value))
        self._try([value for _, value in self._known])

    def _add(self, name: str, given: tuple[int, ...]) -> None:
        names = [one for one, _ in self._known]
        vector = [place for place, one in enumerate(names) if _vector_of(one) == name]
        places = [names.index(name)] if name in names else vector
        label, _, key = str(name).partition(".")
        if not places or not key:
            groups = sorted({_vector_of(one) or one for one in names})
            text = f"the torque has no {name!r}; it has {', '.join(groups) or 'no parameters'}"
            raise InvalidInput("parameters", f"parameters: {text}")
        if set(places) & set(self.places):
            raise InvalidInput("parameters", f"parameters: {name!r} is given twice, as a vector and by component")
        shape = () if name in names else (len(places),)
        if given not in ((), shape):
            text = f"parameters[{name!r}]: must have shape {shape}, not {given}"
            raise InvalidInput("parameters", text)
        component, whole = None, _vector_of(name)
        if name in names and whole is not None:
            now = tuple(value for one, value in self._known if _vector_of(one) == whole)
            key, component = key[:-2], (_COMPONENTS.index(name[-2:]), now)
        numbers = slice(len(self.places), len(self.places) + len(places))
        self.slots.append(_Slot(self._part(label), key, numbers, shape, component))
        self.places += places

    def _part(self, label: str) -> int:
        """Which part of the torque a label like ``heavy-top#2`` is."""
        kind, _, which = label.partition("#")
        parts = enumerate(self._given)
        of_kind = [place for place, part in parts if isinstance(part, tuple) and part[0] == kind]
        return of_kind[int(which or 1) - 1]

    def _try(self, values: list[float]) -> None:
        """Fails if a number that is set is not the one the torque then has: a derivative by it would be another."""
        wanted = [1.25 * values[place] + 0.125 for place in self.places]
        for slot in self.slots:
            try:
                changed = _polhode.torque_parameters(self.parts(wanted))
                found = [changed[place][1] for place in self.places[slot.numbers]]
            except InvalidInput:
                found = []
            if found != wanted[slot.numbers]:
                text = f"{slot.key!r} cannot be given as an array: the torque scales it, or makes it of other numbers"
                raise InvalidInput("parameters", f"parameters: {text}")

    def parts(self, values: Any) -> list[Part]:
        """The torque with these numbers, for the compiled part."""
        parts = list(self._given)
        #: Those that are set by component.
        vectors: dict[tuple[int, str], list[float]] = {}
        for slot in self.slots:
            numbers = tuple(float(x) for x in values[slot.numbers])
            kind, keys = parts[slot.part]  # type: ignore[misc]
            changed: dict[str, Any] = dict(keys)
            if slot.component is not None:
                place, now = slot.component
                vector = vectors.setdefault((slot.part, slot.key), list(now))
                vector[place] = numbers[0]
                changed[slot.key] = tuple(vector)
            elif any(one.name == slot.key for known in kinds() if known.kind == kind for one in known.keys):
                changed[slot.key] = numbers if slot.shape else numbers[0]
            else:
                # A constant of a formula.
                changed["constants"] = {**changed.get("constants", {}), slot.key: numbers[0]}
            parts[slot.part] = (kind, list(changed.items()))
        return parts
