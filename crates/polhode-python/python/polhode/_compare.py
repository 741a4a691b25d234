"""Which method, which step?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import number, real
from ._body import Body
from ._errors import InvalidInput
from ._free import FreeMotion
from ._methods import MethodLike, Scheme, Tableau, _method
from .torques import TorqueLike, _parts


class Trial(NamedTuple):
    """A method with a step: its largest errors and what it cost. After a failure, why."""

    method: str
    step: float | None
    steps: int | None = None
    #: Relative, and in radians.
    momentum_error: float | None = None
    attitude_error: float | None = None
    torque_evaluations: int | None = None
    iterations: int | None = None
    #: Wall time of the run.
    seconds: float | None = None
    failure: str | None = None

    @property
    def error(self) -> float | None:
        """The larger one of the two errors."""
        if self.momentum_error is None or self.attitude_error is None:
            return None
        return max(self.momentum_error, self.attitude_error)


@dataclass(frozen=True)
class Comparison:
    """Methods and steps, measured."""

    trials: tuple[Trial, ...]
    #: For each method the longest step that reaches the wanted error.
    tuned: tuple[Trial, ...]
    #: The order that the errors of a method show, where they show one.
    orders: dict[str, float | None]
    #: The estimated error of the reference.
    reference_error: float

    def cheapest(self) -> Trial | None:
        """The trial that reaches the wanted error in the least time."""
        reached = [trial for trial in self.tuned if trial.seconds is not None]
        return min(reached, key=lambda trial: trial.seconds or 0.0, default=None)


def compare(
    body: Body | FreeMotion,
    torque: TorqueLike,
    methods: Sequence[MethodLike] | None,
    steps: ArrayLike,
    until: ArrayLike,
    *,
    wanted: ArrayLike | None = None,
    t0: ArrayLike = 0.0,
) -> Comparison:
    """Measures errors and costs of methods on a problem, against a converged (or exact) reference.

    Parameters
    ----------
    body, torque, until, t0
        As for `simulate`.
    methods : sequence of str, Scheme or Tableau, or None
        None for a handful worth comparing on this problem.
    steps : array_like
        Each is tried with every method.
    wanted : float, optional
        An error, for which the longest step of each method is searched.

    Examples
    --------
    >>> body = Body([1, 5, 6], momentum=[1, 2, 3])
    >>> found = compare(body, {"kind": "heavy-top"}, ["strang+exact", "rkn4-6+exact"], [0.1, 0.05, 0.025], 2, wanted=1e-6)
    >>> [f"{order:.0f}" for order in found.orders.values()]
    ['2', '4']
    >>> found.cheapest().method
    'rkn4-6+exact'
    """
    if isinstance(body, FreeMotion):
        body = body.body
    if not isinstance(body, Body):
        raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
    named = None if methods is None else _named(methods)
    tried = real("steps", steps)
    if tried.ndim != 1 or not tried.size:
        raise InvalidInput("steps", f"steps: must be a row of steps, not of shape {tried.shape}")
    found = _polhode.compare(
        body._core,
        _parts(torque),
        named,
        tried.tolist(),
        number("until", until),
        None if wanted is None else number("wanted", wanted),
        number("t0", t0),
    )
    tried_methods: list[str] = found["methods"]

    def trial(record: dict[str, Any]) -> Trial:
        return Trial(**{**record, "method": tried_methods[record["method"]]})

    return Comparison(
        tuple(trial(record) for record in found["trials"]),
        tuple(trial(record) for record in found["tuned"]),
        dict(zip(tried_methods, found["orders"], strict=True)),
        found["reference_error"],
    )


def _named(methods: Sequence[MethodLike]) -> list[tuple[str, _polhode.Method]]:
    if isinstance(methods, (str, Scheme, Tableau)) or not isinstance(methods, Iterable):
        raise TypeError(f"methods: must be a list of methods, not {type(methods).__name__}")
    named: dict[str, MethodLike] = {}
    found = []
    for method in methods:
        core = _method("methods", method)
        name = str(method).strip()
        # Results go by name.
        if named.setdefault(name, method) != method:
            raise InvalidInput("methods", f"methods: two different ones are called {name!r}; give one another id")
        found.append((name, core))
    if not found:
        raise InvalidInput("methods", "methods: at least one, or None for a handful worth comparing")
    return found
