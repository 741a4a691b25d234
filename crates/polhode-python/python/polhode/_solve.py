"""Solutions to a given accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, flag, number, ordered_times, real
from ._body import Body
from ._errors import InvalidInput
from ._events import Event, EventFunction, event_list, event_part
from ._free import FreeMotion
from ._given_times import read_atol, read_first_step, read_span
from ._states import States
from ._tangent import EventTangent, Tangent, holding_omega, holds_omega, of_run, parameter_names
from .torques import TorqueLike, _parts


class Statistics(NamedTuple):
    """What a solution took."""

    #: Steps that met their tolerance.
    steps: int
    #: Steps that did not, and were done again, shorter.
    rejected: int
    #: Evaluations of the torque.
    evaluations: int


class ErrorEstimate(NamedTuple):
    """The estimated error at the end of a solution; no less than what rounding makes of the end, and then a bound."""

    #: Relative to the length of the momentum at the end.
    momentum: float
    #: In radians.
    attitude: float


class DenseOutput:
    """A solution at any time of its span: call it with one time or many.

    The state at a time does not depend on which others are asked for.
    """

    __slots__ = ("_core", "_tangents", "t_max", "t_min")

    def __init__(self, core: _polhode.Solution, span: tuple[float, float]) -> None:
        self._core = core
        self._tangents: Callable[[Doubles], Tangent] | None = None
        #: The ends of the span.
        self.t_min, self.t_max = sorted(span)

    def __call__(self, t: ArrayLike) -> States:
        """The states at these times; their shape is kept.

        Raises
        ------
        InvalidInput
            If a time is outside the span.
        """
        # A copy: what the caller does to his times later is no business of the states.
        times = np.array(real("t", t))
        shape = times.shape
        momentum, omega, attitude = np.empty((*shape, 3)), np.empty((*shape, 3)), np.empty((*shape, 4))
        self._core.at(times.ravel(), momentum.ravel(), omega.ravel(), attitude.ravel())
        return States(times, momentum, omega, attitude)

    def tangent(self, t: ArrayLike) -> Tangent:
        """The states at these times with their derivatives; their shape is kept.

        For solutions with ``tangent=True``.

        >>> body = Body([1, 5, 6], omega=[10, 10, 10])
        >>> found = solve(body, {"kind": "heavy-top"}, 10, dense_output=True, tangent=True)
        >>> found.sol.tangent(7.5).state_transition.shape
        (6, 6)

        Raises
        ------
        InvalidInput
            If a time is outside the span.
        TypeError
            If the solution was not asked for derivatives.
        """
        if self._tangents is None:
            raise TypeError("tangent: the solution has no derivatives; solve(..., dense_output=True, tangent=True) has")
        return self._tangents(np.array(real("t", t)))

    def __repr__(self) -> str:
        return f"<DenseOutput from {self.t_min} to {self.t_max}>"


@dataclass(frozen=True, repr=False, eq=False)
class Solution(States):
    """A solved problem: states at times, and how it was solved.

    It is the states at ``t``: ``momentum``, ``omega``, ``attitude`` and what else `States` have.
    """

    #: The solution at any time of the span, with its derivatives if they were asked for; None unless ``dense_output``
    #: was.
    sol: DenseOutput | None
    #: Of each event's function the times at which it passed through zero, and the states then; None without
    #: events.
    t_events: list[Doubles] | None
    y_events: list[States] | None
    #: Evaluations of the torque by steps and trials; of the extrapolation, not those for states within steps.
    nfev: int
    #: 0 if the end was reached, 1 if an event ended the run. What fails is raised.
    status: int
    message: str
    #: How it was solved: the id of one of `solvers`.
    method: str
    statistics: Statistics
    #: The estimated error at the end, if it was asked for.
    error_estimate: ErrorEstimate | None = None
    #: The derivatives of the states, if ``tangent=True`` asked for them.
    tangent: Tangent | None = None
    #: Of each event's function how its events move; None without events or without ``tangent``.
    event_tangents: list[EventTangent] | None = None

    def _taken(self, index: Any) -> dict[str, Any]:
        return {**super()._taken(index), "tangent": None if self.tangent is None else self.tangent[index]}

    @property
    def success(self) -> bool:
        """True: a solution that cannot be found is an exception."""
        return self.status >= 0

    @property
    def energy(self) -> Doubles:
        """Kinetic plus potential energy; kinetic alone where the torque has no potential."""
        return self.observe("energy")

    @property
    def states(self) -> States:
        """The states alone."""
        alone = States(self.t, self.momentum, self.omega, self.attitude)
        return alone if self._run is None else alone._of(*self._run)


def solve(
    body: Body | FreeMotion,
    torque: TorqueLike,
    until: ArrayLike | None = None,
    tolerance: ArrayLike | None = None,
    *,
    t_span: ArrayLike | None = None,
    t_eval: ArrayLike | None = None,
    dense_output: bool = False,
    events: EventFunction | Event | Sequence[EventFunction | Event] | None = None,
    rtol: ArrayLike | None = None,
    atol: ArrayLike = 0.0,
    max_step: ArrayLike = np.inf,
    first_step: ArrayLike | None = None,
    stops: ArrayLike = (),
    method: str | None = None,
    estimate_error: bool = False,
    t0: ArrayLike | None = None,
    tangent: bool = False,
) -> Solution:
    """Solves the motion of a body to a given accuracy.

    Words that SciPy's ``solve_ivp`` has too mean the same here.

    Parameters
    ----------
    body : Body or FreeMotion
        The body and the state it starts from.
    torque : see `polhode.torques`; None for a free body
        A model, a callable ``f(t, momentum, attitude) -> (3,)`` in the body frame, a compiled function (see
        `torques.Function`), or a list.
    until : float
        The end, before or after the start; it is met exactly. Or give ``t_span``. With a terminal event it may be
        late: the run is followed over growing spans until the event comes.
    tolerance : float, 1e-10 unless it is given
        The error wanted at the end: of the momentum relative to its length, of the attitude in radians.
        From 1e-14 to 0.1.
    t_span : pair of floats
        Start and end, instead of ``t0`` and ``until``.
    t_eval : array_like, shape (n,)
        Keep the states at these times, and only these, in the order in which they are passed. The states there
        are the same as without. By default those at the ends of steps are kept.
    dense_output : bool
        Keep the whole solution, as ``sol``: ``sol(t)``, and ``sol.tangent(t)`` with ``tangent=True``.
    events : callable or `Event`, or a list of them; ``event(t, state) -> float``
        Their zeros are looked for; ``state`` is `States` at one time. An attribute ``terminal`` (True, or which
        of them) ends the run there, and the state there is then the last one kept; ``direction`` above or below
        zero takes only those where the function rises or falls in the direction of the run; ``action`` changes
        the state or the torque there (see `Event`).
    rtol, atol : float
        The error of the momentum may be ``rtol |momentum| + atol``. Without ``tolerance``, that of the attitude
        may be ``rtol`` radians. One number each, of the momentum as a whole; SciPy's array ``atol``, with one for every
        component, has no meaning here.
    max_step, first_step : float
        No step is longer than ``max_step``. ``first_step`` is the first one to try, no longer than the span.
    stops : array_like, shape (n,)
        Times, in order, at which steps end: where the torque jumps.
    method : str
        The id of one of `solvers`. By default what suits the torque: the closed form for none, the extrapolation
        for the models of this library and sums of them, Dop853 where a function is called or a formula jumps or
        bends (``sign``, ``abs``, ``min``, ``sqrt``, ...). A ``vectorized`` function goes through the extrapolation
        with half the calls or fewer, unless there are events; but a state within a step then costs 18 to 26 calls,
        which "dop853" does without.
    estimate_error : bool
        Solve once more, at a tenth of the tolerance, for ``error_estimate``. That can be refused where rounding
        leaves no room for a tenth of the tolerance.
    t0 : float, 0 unless it is given
        The time of the start.
    tangent : bool
        Also compute derivatives, as ``tangent`` of the result: of the states at ``t`` by the start, the inertia (at a
        fixed momentum at the start, or a fixed angular velocity where the body was given one: ``tangent.held`` says
        which) and the parameters of the torque; and as ``event_tangents`` those of the times
        of events, none of which may have an action. The tolerance is then also the error wanted of every column,
        relative to it. They come from the closed form for a free body and from the variational equations otherwise,
        by Dop853 with steps of its own, whatever the method of the solution; ``max_step`` and ``first_step`` do not
        matter to them. A callable without a ``jacobian`` is differentiated by differences, which leaves some ten
        digits, as do those of events.

    Raises
    ------
    InvalidInput
        If an argument is not allowed, or the tolerance below what rounding allows.
    RunFailed
        If the tolerance cannot be reached, or the torque is not finite.
    Exception
        Whatever a callable raises.

    Examples
    --------
    >>> body = Body([1, 5, 6], omega=[10, 10, 10])
    >>> def level(t, state):
    ...     return state.matrix[2, 2]
    >>> found = solve(body, {"kind": "heavy-top"}, until=10, t_eval=[0, 5, 10], events=level)
    >>> found.momentum.shape, found.method
    ((3, 3), 'extrapolation')
    >>> bool(abs(found.y_events[0].matrix[:, 2, 2]).max() < 1e-9)
    True
    """
    if isinstance(body, FreeMotion):
        body = body.body
    if not isinstance(body, Body):
        raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
    start, end = read_span(until, t_span, t0)
    times = None if t_eval is None else ordered_times("t_eval", t_eval, start, end)
    whole = flag("dense_output", dense_output)
    relative = None if rtol is None else number("rtol", rtol)
    both = None if tolerance is None else number("tolerance", tolerance)
    if both is not None:
        wanted = both
    else:
        wanted = 1e-10 if relative is None else relative
    functions = event_list(events)
    settings = {
        **default_settings(wanted),
        # Passed on as given, so that an error names the right one.
        "tolerance": both,
        "rtol": relative,
        "atol": read_atol(atol),
        "method": _method(method),
        "stops": ordered_times("stops", stops, start, end).tolist(),
        "dense": whole,
        "max_step": number("max_step", max_step),
        "first_step": None if first_step is None else read_first_step(first_step, abs(end - start)),
        "events": [event_part(event, body) for event in functions],
        "estimate_error": flag("estimate_error", estimate_error),
    }
    wants_tangent = flag("tangent", tangent)
    if wants_tangent and any(action is not None for *_, action in settings["events"]):
        raise InvalidInput(
            "events",
            "events: derivatives (tangent=True) are not carried through the action of an event; "
            "solve up to it with terminal=True, and on from there",
        )
    kept_only = None if whole else times
    parts = _parts(torque)
    core = _polhode.solve(body._core, parts, start, end, kept_only, settings)
    found = _solution(core, times, whole, events is not None)._of(body, torque)
    if not wants_tangent:
        return found
    reached = core.summary()["span"][1]
    strictest = wanted if relative is None else min(wanted, relative)
    tangents = _polhode.solve_tangent(body._core, parts, start, reached, strictest, settings["stops"])
    names = parameter_names(torque)

    def at(t: Doubles) -> Tangent:
        return of_run(body, t, tangents.at(t.ravel()), names=names)

    if found.sol is not None:
        found.sol._tangents = at
    derivatives = at(found.t)
    if found.t_events is None:
        return replace(found, tangent=derivatives)._of(body, torque)
    moved = [
        _event_tangent(body, t, *tangents.at_events(t, called), names)
        for t, (called, *_) in zip(found.t_events, settings["events"], strict=True)
    ]
    return replace(found, tangent=derivatives, event_tangents=moved)._of(body, torque)


def _event_tangent(body: Body, t: Doubles, rows: Doubles, moves: Doubles, names: tuple[str, ...]) -> EventTangent:
    start, inertia, parameters = (
        np.ascontiguousarray(moves[:, part]) for part in (slice(1, 7), slice(7, 13), slice(13, None))
    )
    if holds_omega(body):
        inertia = np.concatenate(holding_omega(body, start[:, :3], inertia[:, :3], inertia[:, 3:]), axis=-1)
    there, speed = of_run(body, t, rows, names=names), np.ascontiguousarray(moves[:, 0])
    return EventTangent(start, inertia, parameters, there, speed)


def default_settings(tolerance: float) -> dict[str, Any]:
    """How to solve, for the compiled part, where nothing but the tolerance is said."""
    return {
        "tolerance": tolerance,
        "rtol": None,
        "atol": 0.0,
        "method": None,
        "stops": [],
        "dense": False,
        "max_step": np.inf,
        "first_step": None,
        "events": [],
        "estimate_error": False,
    }


def _solution(core: _polhode.Solution, times: Doubles | None, whole: bool, has_events: bool) -> Solution:
    summary = core.summary()
    span, ended_by, estimate = summary["span"], summary["ended_by"], summary["error_estimate"]
    sol = DenseOutput(core, span) if whole else None
    t, rows = core.kept()
    states = States._made(t, *rows)
    if sol is not None and times is not None:
        # Those that were reached; and where an event has ended the run, that point.
        reached = times[times <= span[1]] if span[1] >= span[0] else times[times >= span[1]]
        if ended_by is not None and (not len(reached) or reached[-1] != span[1]):
            reached = np.append(reached, span[1])
        states = sol(reached)
    events = [(t, States._made(t, *rows)) for t, rows in core.events()] if has_events else None
    statistics = Statistics(*summary["statistics"])
    if ended_by is None:
        message = "The solver reached the end of the span."
    else:
        message = f"Event {ended_by} ended the run at t = {span[1]!r}."
    return Solution(
        states.t,
        states.momentum,
        states.omega,
        states.attitude,
        sol=sol,
        t_events=None if events is None else [t for t, _ in events],
        y_events=None if events is None else [there for _, there in events],
        nfev=statistics.evaluations,
        status=0 if ended_by is None else 1,
        message=message,
        method=summary["method"],
        statistics=statistics,
        error_estimate=None if estimate is None else ErrorEstimate(*estimate),
    )


def _method(given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        raise TypeError(f"method: must be a str, not {type(given).__name__}")
    # As SciPy writes it.
    return "dop853" if given == "DOP853" else given
