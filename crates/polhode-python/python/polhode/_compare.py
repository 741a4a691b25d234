"""Which method, which step?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import number, real
from ._body import Body
from ._errors import InvalidInput
from ._free import FreeMotion
from ._methods import MethodLike, Scheme, Tableau, _method
from .torques import TorqueLike, _parts


def _larger(momentum: float | None, attitude: float | None) -> float | None:
    return None if momentum is None or attitude is None else max(momentum, attitude)


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
        return _larger(self.momentum_error, self.attitude_error)


class SolvedTrial(NamedTuple):
    """A way to solve with a tolerance: its largest errors and what it cost. After a failure, why."""

    method: str
    #: None of the closed form, which has none.
    tolerance: float | None
    steps: int | None = None
    #: Relative, and in radians.
    momentum_error: float | None = None
    attitude_error: float | None = None
    torque_evaluations: int | None = None
    iterations: int | None = None
    #: Wall time of the solution.
    seconds: float | None = None
    failure: str | None = None

    @property
    def error(self) -> float | None:
        """The larger one of the two errors."""
        return _larger(self.momentum_error, self.attitude_error)


@dataclass(frozen=True)
class Comparison:
    """Methods and steps, measured."""

    trials: tuple[Trial, ...]
    #: For each method the longest step that reaches the wanted error.
    tuned: tuple[Trial, ...]
    #: The order that the errors of a method show over three steps at least; None where they show none, of which
    #: ``no_order`` has the reason.
    orders: dict[str, float | None]
    #: The estimated error of the reference.
    reference_error: float
    #: Why a method shows no order: too few steps, errors as large as the motion, errors that are rounding, or errors
    #: that do not fall with one power of the step. Without the methods that show one.
    no_order: dict[str, str] = field(default_factory=dict)
    #: Those that solve to a tolerance, with every tolerance.
    solutions: tuple[SolvedTrial, ...] = ()

    def best_at_steps(self) -> tuple[Trial, ...]:
        """For each step the trial with the least error; without steps that no method got through."""
        best: dict[float | None, Trial] = {}
        for trial in self.trials:
            least = best.get(trial.step)
            if trial.error is not None and (least is None or least.error is None or trial.error < least.error):
                best[trial.step] = trial
        return tuple(best.values())

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
    tolerances: ArrayLike | None = None,
) -> Comparison:
    """Measures errors and costs of methods on a problem, against a converged (or exact) reference.

    Parameters
    ----------
    body, torque, until, t0
        As for `simulate`.
    methods : sequence of str, Scheme or Tableau, or None
        None for a handful worth comparing on this problem, and the solver. ``"extrapolation"``, ``"dop853"`` and
        ``"closed-form"`` solve to ``tolerances``; they are in ``solutions``, the others in ``trials``.
    steps : array_like
        Each is tried with every method of fixed steps.
    wanted : float, optional
        An error, for which the longest step of each method is searched.
    tolerances : array_like, optional
        Each is tried with every method that solves to one; 1e-4, 1e-6, 1e-8, 1e-10 and 1e-12 unless they are given.

    Examples
    --------
    >>> body = Body([1, 5, 6], momentum=[1, 2, 3])
    >>> found = compare(body, {"kind": "heavy-top"}, ["strang+exact", "rkn4-6+exact"], [0.1, 0.05, 0.025], 2, wanted=1e-6)
    >>> [f"{order:.0f}" for order in found.orders.values()]
    ['2', '4']
    >>> found.cheapest().method
    'rkn4-6+exact'
    >>> compare(body, {"kind": "heavy-top"}, ["dmv"], [0.1], 2).no_order
    {'dmv': 'fewer than three different steps came to the end'}
    >>> solved = compare(body, {"kind": "heavy-top"}, ["extrapolation"], [0.1], 2, tolerances=[1e-6]).solutions
    >>> [(trial.method, trial.error < 1e-5) for trial in solved]
    [('extrapolation', True)]
    """
    if isinstance(body, FreeMotion):
        body = body.body
    if not isinstance(body, Body):
        raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
    named, solvers = (None, []) if methods is None else _named(methods)
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
        solvers,
        None if tolerances is None else np.atleast_1d(real("tolerances", tolerances)).ravel().tolist(),
    )
    tried_methods: list[str] = found["methods"]

    def trial(record: dict[str, Any]) -> Trial:
        return Trial(**{**record, "method": tried_methods[record["method"]]})

    return Comparison(
        tuple(trial(record) for record in found["trials"]),
        tuple(trial(record) for record in found["tuned"]),
        dict(zip(tried_methods, found["orders"], strict=True)),
        found["reference_error"],
        {method: why for method, why in zip(tried_methods, found["no_order"], strict=True) if why is not None},
        tuple(SolvedTrial(**record) for record in found["solutions"]),
    )


#: Those that choose their steps.
_SOLVERS = frozenset(record["id"] for record in _polhode.solvers())


def _named(methods: Sequence[MethodLike]) -> tuple[list[tuple[str, _polhode.Method]], list[str]]:
    """Methods of fixed steps by their names, and those that solve to a tolerance."""
    if isinstance(methods, (str, Scheme, Tableau)) or not isinstance(methods, Iterable):
        raise TypeError(f"methods: must be a list of methods, not {type(methods).__name__}")
    named: dict[str, MethodLike] = {}
    found: list[tuple[str, _polhode.Method]] = []
    solvers: list[str] = []
    for method in methods:
        if isinstance(method, str) and method.strip() in _SOLVERS:
            if method.strip() not in solvers:
                solvers.append(method.strip())
            continue
        core = _method("methods", method)
        name = str(method).strip()
        # Results go by name.
        if named.setdefault(name, method) != method:
            raise InvalidInput("methods", f"methods: two different ones are called {name!r}; give one another id")
        found.append((name, core))
    if not found and not solvers:
        raise InvalidInput("methods", "methods: at least one, or None for a handful worth comparing")
    return found, solvers
