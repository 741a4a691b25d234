"""Methods: the table of those there are, and one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Union

from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import count, flag, real
from ._errors import InvalidInput


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
    """What is known of a method, a scheme, a rotor, a preset or a solver."""

    #: A scheme and a rotor make a method, ``scheme+rotor``; a rotor alone is one for free bodies.
    kind: Literal["scheme", "rotor", "method", "preset", "solver"]
    id: str
    title: str
    #: The order for the default parameters; None if exact.
    order: int | None
    #: What it keeps of a free body's motion; None for a scheme, where it depends on the rotor.
    keeps: frozenset[str] | None
    #: The most general torque: "none", "attitude" or "momentum".
    accepts: Literal["none", "attitude", "momentum"]
    #: Whether `ensemble` advances several bodies at once by it, in SIMD lanes; of a scheme, whether it does
    #: with a rotor that has lanes.
    in_lanes: bool
    #: What its runs have derivatives by: "none", "start" for the start and the parameters of the torque, "inertia" for
    #: these and the inertia; of a scheme, what they have with an exact rotor.
    derivatives: Literal["none", "start", "inertia"]
    parameters: tuple[Parameter, ...]
    cites: tuple[Citation, ...]


def methods() -> list[MethodInfo]:
    """Every scheme, rotor, other method and preset.

    >>> [info.id for info in methods() if info.kind == "rotor" and info.order is None][:2]
    ['exact', 'frb-matrix']
    """
    return _infos(_polhode.methods())


def solvers() -> list[MethodInfo]:
    """The ways in which `solve` reaches its tolerance, for its ``method``; without it the torque chooses.

    >>> [info.id for info in solvers()]
    ['extrapolation', 'dop853', 'closed-form']
    """
    return _infos(_polhode.solvers())


def _infos(records: list[dict[str, Any]]) -> list[MethodInfo]:
    return [
        MethodInfo(
            kind=record["kind"],
            id=record["id"],
            title=record["title"],
            order=record["order"],
            keeps=None if record["keeps"] is None else frozenset(record["keeps"]),
            accepts=record["accepts"],
            in_lanes=record["in_lanes"],
            derivatives=record["derivatives"],
            parameters=tuple(Parameter(*parameter) for parameter in record["parameters"]),
            cites=tuple(Citation(*cite) for cite in record["cites"]),
        )
        for record in records
    ]


@dataclass(frozen=True)
class Scheme:
    """A splitting method of one's own coefficients, for wherever the name of a method goes.

    Parameters
    ----------
    id : str
        Its name, a word without ``+``, ``:``, ``=`` and spaces.
    order : int
        Its order, which is believed; `compare` measures it.
    stages : sequence of tuples
        The stages of a step in the order in which they are applied: ``("drift", a)`` is free motion over
        that part of the step, ``("kick", b)`` the impulse of the torque, and ``("gradient", b, c)`` that of
        the potential ``b V - c h**2 W`` with ``W = torque . I^-1 torque``, for models that do not depend on
        the momentum. The drifts add up to 1, and so do the kicks.
    rotor : str
        The flow of the free body for its drifts.
    attitude_only : bool
        True if its order conditions hold only for torques that do not depend on the momentum: others are
        then refused.
    compensated : bool
        True to carry the digits that adding a kick to the momentum drops.

    Raises
    ------
    InvalidInput
        If a coefficient is not finite, drifts or kicks do not add up to 1, or a name is not allowed.

    Examples
    --------
    >>> import polhode
    >>> leapfrog = Scheme("leapfrog", 2, [("drift", 0.5), ("kick", 1), ("drift", 0.5)])
    >>> body = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
    >>> polhode.simulate(body, {"kind": "heavy-top"}, leapfrog, step=0.1, until=1).method
    'leapfrog+exact'
    """

    id: str
    order: int
    stages: tuple[tuple[Any, ...], ...]
    rotor: str = "exact"
    attitude_only: bool = False
    compensated: bool = False

    def __init__(
        self,
        id: str,
        order: int,
        stages: Sequence[Sequence[Any]],
        rotor: str = "exact",
        attitude_only: bool = False,
        compensated: bool = False,
    ) -> None:
        if isinstance(stages, str) or not isinstance(stages, Sequence):
            raise TypeError(f"stages: must be a list of tuples, not {type(stages).__name__}")
        object.__setattr__(self, "id", _text("id", id))
        object.__setattr__(self, "order", _order(order))
        object.__setattr__(self, "stages", tuple(_stage(n, stage) for n, stage in enumerate(stages)))
        object.__setattr__(self, "rotor", _text("rotor", rotor))
        object.__setattr__(self, "attitude_only", flag("attitude_only", attitude_only))
        object.__setattr__(self, "compensated", flag("compensated", compensated))
        self._core()

    def _core(self) -> _polhode.Method:
        stages = [(word, *numbers) if len(numbers) == 2 else (word, *numbers, 0.0) for word, *numbers in self.stages]
        parts = (self.id, self.order, stages, self.attitude_only, self.rotor, self.compensated)
        return _polhode.Method.splitting(*parts)

    def __str__(self) -> str:
        return f"{self.id}{':compensated' if self.compensated else ''}+{self.rotor}"


@dataclass(frozen=True)
class Tableau:
    """A Munthe-Kaas Runge-Kutta method of one's own tableau, for wherever the name of a method goes.

    Parameters
    ----------
    a : array_like, shape (s, s)
        The stages, explicit or implicit, s from 1 to 7; each row sums to its node.
    b, c : array_like, shape (s,)
        The weights, which sum to 1, and the nodes.
    order : int
        Its order, which is believed; `compare` measures it.
    id : str
        Its name.

    Raises
    ------
    InvalidInput
        If sizes do not fit, a coefficient is not finite, or a sum is not what it must be.

    Examples
    --------
    >>> import polhode
    >>> heun = Tableau([[0, 0], [1, 0]], [0.5, 0.5], [0, 1], order=2, id="heun")
    >>> body = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
    >>> f"{polhode.compare(body, None, [heun], [0.1, 0.05, 0.025], 2.0).orders['heun']:.0f}"
    '2'
    """

    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]
    c: tuple[float, ...]
    order: int
    id: str = "tableau"

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike, *, order: int, id: str = "tableau") -> None:
        rows = real("a", a)
        if rows.ndim != 2:
            raise InvalidInput("a", f"a: must have a row for every stage, not the shape {rows.shape}")
        object.__setattr__(self, "a", tuple(tuple(row) for row in rows.tolist()))
        for name, value in (("b", b), ("c", c)):
            row = real(name, value)
            if row.ndim != 1:
                raise InvalidInput(name, f"{name}: must be a number for every stage in a row, not of shape {row.shape}")
            object.__setattr__(self, name, tuple(row.tolist()))
        object.__setattr__(self, "order", _order(order))
        object.__setattr__(self, "id", _text("id", id))
        self._core()

    def _core(self) -> _polhode.Method:
        return _polhode.Method.tableau(self.id, self.order, [list(row) for row in self.a], list(self.b), list(self.c))

    def __str__(self) -> str:
        return self.id


#: What goes where a method is asked for: the name of one, as ``"rkn6-14+exact"``, or one's own.
MethodLike = Union[str, Scheme, Tableau]


def _method(argument: str, given: Any) -> _polhode.Method:
    """The method, for the compiled part."""
    if isinstance(given, str):
        return _polhode.Method.parse(argument, given)
    if isinstance(given, (Scheme, Tableau)):
        return given._core()
    raise TypeError(
        f"{argument}: must be a str, a polhode.Scheme or a polhode.Tableau, not {type(given).__name__}"
    )


def _order(order: Any) -> int:
    number = count("order", order)
    if number > 1000:
        raise InvalidInput("order", f"order = {number}: no method has it")
    return number


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: must be a str, not {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(name, f"{name} = {value!r}: must not be empty")
    return value


_NUMBERS = {"drift": 1, "kick": 1, "gradient": 2}


def _stage(n: int, stage: Any) -> tuple[Any, ...]:
    if isinstance(stage, str) or not isinstance(stage, Sequence) or not len(stage):
        raise TypeError(f"stages[{n}]: must be a tuple like ('drift', 0.5), not {stage!r}")
    word, *numbers = stage
    if word not in _NUMBERS:
        raise InvalidInput("stages", f"stages[{n}] = {stage!r}: must begin with 'drift', 'kick' or 'gradient'")
    if len(numbers) != _NUMBERS[word]:
        raise InvalidInput("stages", f"stages[{n}] = {stage!r}: {word!r} takes {_NUMBERS[word]} number(s)")
    found = [real("stages", x) for x in numbers]
    if any(x.ndim for x in found):
        raise InvalidInput("stages", f"stages[{n}] = {stage!r}: must be numbers, not arrays")
    return (word, *map(float, found))
