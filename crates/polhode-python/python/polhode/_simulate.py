"""Runs of one body under a torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polhode
from ._arrays import Doubles, count, number
from ._body import Body
from ._errors import RunFailed
from ._free import FreeMotion
from ._methods import MethodLike, _method
from ._states import States
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

    #: The numbers of the steps kept.
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

    def _taken(self, index: Any) -> dict[str, Any]:
        return {**super()._taken(index), "step": self.step[index], "energy": self.energy[index]}


def simulate(
    body: Body | FreeMotion,
    torque: TorqueLike,
    method: MethodLike,
    step: ArrayLike,
    until: ArrayLike,
    every: int = 1,
    *,
    t0: ArrayLike = 0.0,
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
        The end; the last step goes beyond unless a whole number of them fits.
    every : int
        Keep every so many-th state, and always the first and the last one.
    t0 : float
        The time of the start.

    Raises
    ------
    InvalidInput
        If an argument is not allowed, or the torque not one the method accepts.
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
    name = str(method)
    arguments = (
        body._core,
        _parts(torque),
        _method("method", method),
        number("step", step),
        number("until", until),
        count("every", every),
        number("t0", t0),
    )
    try:
        return _trajectory(_polhode.simulate(*arguments), name)
    except RunFailed as failure:
        if failure.kept is not None:
            failure.trajectory = _trajectory(failure.kept, name)
        raise


def _trajectory(kept: dict[str, Any], method: str) -> Trajectory:
    kept = dict(kept)
    drifts = (kept.pop(f"{name}_drift") for name in Invariants._fields)
    energy, norm, (spatial, error) = drifts
    invariants = Invariants(Drift(*energy), Drift(*norm), Drift(np.array(spatial), error))
    return Trajectory(method=method, invariants=invariants, **kept)
