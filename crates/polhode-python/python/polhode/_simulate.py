"""Runs of one body under a torque."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polhode
from ._arrays import Doubles, count, flag, number, ordered_times
from ._body import Body
from ._errors import InvalidInput, RunFailed
from ._free import FreeMotion
from ._methods import MethodLike, _method
from ._states import States
from ._tangent import Tangent, of_run, parameter_names, warn_of_last_step
from .control import Controller
from .inside import Inside
from .torques import TorqueLike, _parts


class Drift(NamedTuple):
    """A quantity that should stay: its value at the start, and the largest distance from it."""

    start: Any
    max_error: float


class Invariants(NamedTuple):
    """What a run was seen to keep, over all its steps. Which should stay depends on the torque."""

    #: Kinetic plus potential energy; kinetic alone where the torque has no potential.
    energy: Drift
    #: The length of the momentum.
    momentum_norm: Drift
    #: The momentum in space.
    spatial_momentum: Drift


@dataclass(frozen=True, repr=False, eq=False)
class Trajectory(States):
    """The states kept of a run, and what it took."""

    #: The numbers of the steps kept, or before the times kept.
    step: NDArray[np.int64]
    #: Energy of the states kept, as in ``invariants``.
    energy: Doubles
    invariants: Invariants
    method: str
    #: Steps done, evaluations of the torque and iterations of implicit solves in all; of a run that
    #: failed, None.
    steps: int | None = None
    torque_evaluations: int | None = None
    iterations: int | None = None
    #: The derivatives of the states kept, if ``tangent=True`` asked for them.
    tangent: Tangent | None = None
    #: The speeds of the wheels relative to the body, a row each; None without wheels.
    wheels: Doubles | None = None

    def _taken(self, index: Any) -> dict[str, Any]:
        tangent = None if self.tangent is None else self.tangent[index]
        wheels = None if self.wheels is None else self.wheels[index]
        kept = {"step": self.step[index], "energy": self.energy[index], "tangent": tangent, "wheels": wheels}
        return {**super()._taken(index), **kept}


def simulate(
    body: Body | FreeMotion,
    torque: TorqueLike,
    method: MethodLike,
    step: ArrayLike,
    until: ArrayLike | None = None,
    every: int | None = None,
    *,
    times: ArrayLike | None = None,
    t0: ArrayLike = 0.0,
    tangent: bool = False,
    inside: Inside | None = None,
    controllers: Sequence[Controller] = (),
) -> Trajectory:
    """Moves a body through time.

    Parameters
    ----------
    body : Body or FreeMotion
        The body and the state it starts from.
    torque : see `polhode.torques`; None for a free body
        A model, a callable ``f(t, momentum, attitude) -> (3,)`` in the body frame, or a list.
    method : str, Scheme or Tableau
        For instance ``"rkn6-14+exact"``; `polhode.methods` lists them. Or one's own.
    step : float
        The step in time, negative to go back.
    until : float
        The end; the last step goes beyond unless a whole number of them fits, and a warning then says so. With
        ``times`` the last of them unless it is given.
    every : int
        Keep one state in so many, and always the first and the last one. By default all.
    times : array_like, shape (n,), optional
        Keep the states at these times instead, in the order in which they are passed. One between two steps is
        reached from the first of them by a shorter step of the method, which changes nothing of the run.
    t0 : float
        The time of the start.
    tangent : bool
        Also compute the derivatives of the states kept, as ``tangent`` of the result: by the start, the inertia (at a
        fixed momentum at the start, or a fixed angular velocity where the body was given one: ``tangent.held`` says
        which) and the parameters of the torque. They are those of the discrete map, the product of the tangents of its
        steps. For splittings with a rotor that has them: `MethodInfo.derivatives` says which, and whether by the
        inertia too. A callable without a ``jacobian`` is differentiated by differences, which leaves some
        ten digits. Not with ``times``. The states are computed once more beside the run, without compensated sums:
        ``tangent.states`` has them, with their rounding.
    inside : polhode.inside.Inside, optional
        Wheels, dissipation, a damper, moments of inertia that vary; with a splitting method. Momenta are then those of
        the body and its wheels together; that of a body made with ``omega`` gets that of the wheels added. Not with
        ``times`` or ``tangent``.
    controllers : sequence of polhode.control.Controller
        Called at their own rate; a step is cut where a command changes. Not with ``times`` or ``tangent``.

    Raises
    ------
    InvalidInput
        If an argument is not allowed, the torque not one the method accepts, or derivatives are asked of a method that
        has none.
    RunFailed
        If a step cannot be done; its ``trajectory`` has the states until then.
    Exception
        Whatever a callable raises.

    Examples
    --------
    >>> body = Body([1, 5, 6], omega=[10, 10, 10])
    >>> run = simulate(body, {"kind": "heavy-top"}, "rkn6-14+exact", step=0.01, until=10)
    >>> run.momentum.shape
    (1001, 3)
    >>> bool(run.invariants.energy.max_error < 1e-11 * run.energy[0])
    True
    """
    if isinstance(body, FreeMotion):
        body = body.body
    if not isinstance(body, Body):
        raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
    if until is None and times is None:
        raise TypeError("until, times: give one of the two, or both")
    if every is not None and times is not None:
        raise TypeError("every, times: give one of the two")
    wants_tangent = flag("tangent", tangent)
    if wants_tangent and times is not None:
        raise TypeError(
            "times, tangent: derivatives are those of whole steps; take every, or solve(..., t_eval=..., tangent=True)"
        )
    fittings = None
    if inside is not None or controllers:
        if wants_tangent or times is not None:
            raise TypeError("inside, controllers: neither times nor tangent go with them")
        if inside is not None and body._arguments["omega"] is not None and any(spins := inside._spins()):
            moving = {**body._arguments, "omega": None, "momentum": body.momentum + spins}
            body = Body(moving.pop("inertia"), **moving)
        part = None if inside is None else inside._part()
        fittings = (part, [controller._part() for controller in controllers])
    name, h, start = str(method), number("step", step), number("t0", t0)
    end = None if until is None else number("until", until)
    wanted = None
    if times is not None:
        wanted = ordered_times("times", times, start, np.copysign(np.inf, h) if end is None else end)
        if not len(wanted) and end is None:
            raise InvalidInput("times", "times: there are none, and no until")
        end = float(wanted[-1]) if end is None else end
    assert end is not None
    arguments = (
        body._core,
        _parts(torque),
        _method("method", method),
        h,
        end,
        1 if every is None else count("every", every),
        wanted,
        start,
        fittings,
    )
    core, parts, stepper, _, _, kept_every, _, _, _ = arguments
    if wants_tangent:
        _polhode.check_tangent(core, parts, stepper)
    try:
        kept = _polhode.simulate(*arguments)
        reached = kept.pop("end")
        if wanted is None:
            warn_of_last_step(h, end, reached)
        run = _trajectory(kept, name)._of(body, torque, fittings is not None)
        if not wants_tangent:
            return run
        t, rows, by_inertia = _polhode.simulate_tangent(core, parts, stepper, h, end, kept_every, start)
        found = of_run(body, t, rows, by_inertia=by_inertia, names=parameter_names(torque))
        return replace(run, tangent=found)._of(body, torque)
    except RunFailed as failure:
        if failure.kept is not None:
            failure.trajectory = _trajectory(failure.kept, name)._of(body, torque, fittings is not None)
        raise


def _trajectory(kept: dict[str, Any], method: str) -> Trajectory:
    kept = dict(kept)
    drifts = (kept.pop(f"{name}_drift") for name in Invariants._fields)
    energy, norm, (spatial, error) = drifts
    invariants = Invariants(Drift(*energy), Drift(*norm), Drift(np.array(spatial), error))
    return Trajectory(method=method, invariants=invariants, **kept)
