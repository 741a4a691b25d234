"""The table of methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from . import _polhode


class Parameter(NamedTuple):
    """A parameter of a method: ``dmv:order=10:compensated``."""

    name: str
    doc: str
    allowed: str


class Citation(NamedTuple):
    """A place in the literature."""

    key: str
    at: str
    bibtex: str


@dataclass(frozen=True)
class MethodInfo:
    """What is known of a method, a scheme, a rotor or a preset."""

    #: A scheme and a rotor make a method, ``scheme+rotor``; a rotor alone is one for free bodies.
    kind: Literal["scheme", "rotor", "method", "preset"]
    id: str
    title: str
    #: The order for the default parameters; None if exact.
    order: int | None
    #: What it keeps of a free body's motion; None for a scheme, where it depends on the rotor.
    keeps: frozenset[str] | None
    #: The most general torque: "none", "attitude" or "momentum".
    accepts: Literal["none", "attitude", "momentum"]
    parameters: tuple[Parameter, ...]
    cites: tuple[Citation, ...]


def methods() -> list[MethodInfo]:
    """Every scheme, rotor, other method and preset.

    >>> [info.id for info in methods() if info.kind == "rotor" and info.order is None][:2]
    ['exact', 'frb-matrix']
    """
    return [
        MethodInfo(
            kind=record["kind"],
            id=record["id"],
            title=record["title"],
            order=record["order"],
            keeps=None if record["keeps"] is None else frozenset(record["keeps"]),
            accepts=record["accepts"],
            parameters=tuple(Parameter(*parameter) for parameter in record["parameters"]),
            cites=tuple(Citation(*cite) for cite in record["cites"]),
        )
        for record in _polhode.methods()
    ]
