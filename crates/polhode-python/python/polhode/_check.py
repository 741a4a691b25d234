"""Is this trajectory right?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, number, quaternion, real, word
from ._body import Body
from ._errors import InvalidInput
from ._free import FreeMotion
from ._states import States
from .torques import TorqueLike, _parts

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


class Deviation(NamedTuple):
    """How far a quantity is from what it should be: relative to its size, or in radians."""

    #: The largest, when it was, and the last.
    max: float
    at: float
    end: float
    #: Of the straight line through all deviations, per unit of time.
    slope: float
    #: How it grows with time; "power" like t to the ``power``. None with too few samples to tell.
    growth: Literal["rounding", "bounded", "power", "steep"] | None
    power: float | None
    #: The first time at which it is larger than allowed.
    beyond: float | None


class Diagnosis(NamedTuple):
    """A mistake (or several) that explains what was seen, and why."""

    mistakes: tuple[str, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Report:
    """What was found out about a trajectory."""

    #: "exact": as right as rounding can tell; "accurate": right within the tolerance.
    verdict: Literal["exact", "accurate", "wrong"]
    diagnoses: tuple[Diagnosis, ...]
    #: "first-sample" or "exact" for free bodies, the method of a converged solution otherwise.
    reference: str
    reference_error: float | None
    tolerance: float
    #: The most that was added to the tolerance for the rounding of the samples.
    allowance: float
    #: Departures of what should stay; None where it should not, or cannot be computed.
    energy: Deviation | None
    momentum_norm: Deviation | None
    spatial_momentum: Deviation | None
    #: How far the attitude is from a rotation, and omega from I^-1 m.
    orthogonality: Deviation | None
    consistency: Deviation | None
    #: Errors.
    momentum: Deviation | None
    attitude: Deviation | None
    #: How often the quaternion changes its sign, which is no error.
    sign_changes: int
    #: By how much the energy has changed at the end, relative: positive if it was gained. None where `energy` is.
    energy_change: float | None
    #: Whether the samples are numbers of single precision (float32), which was then allowed for.
    single_precision: bool
    #: Where the times are rounded, and right only as those of equal steps: that step.
    equal_steps: float | None
    #: The largest of all errors.
    worst: float
    t: Doubles
    momentum_errors: Doubles | None
    attitude_errors: Doubles | None
    _core: _polhode.Report

    def __bool__(self) -> bool:
        return self.verdict != "wrong"

    def __repr__(self) -> str:
        lines = [f"<Report: {self.verdict}, largest error {self.worst:.2g} of {self.tolerance:.2g}>"]
        return "\n".join([*lines, *(diagnosis.text for diagnosis in self.diagnoses)])


def check(
    body: Body | FreeMotion | ArrayLike,
    samples: States | ArrayLike,
    *,
    momentum: ArrayLike | None = None,
    omega: ArrayLike | None = None,
    attitude: ArrayLike | Rotation | None = None,
    momentum_frame: Literal["body", "space"] = "body",
    omega_frame: Literal["body", "space"] = "body",
    torque: TorqueLike = None,
    t0: ArrayLike = 0.0,
    tolerance: ArrayLike = 1e-6,
    rounding: ArrayLike = 2.0**-52,
    allow_unphysical: bool = False,
) -> Report:
    """Checks a trajectory, of whatever origin, against the exact motion.

    Parameters
    ----------
    body : Body, or array_like of shape (3,) or (3, 3)
        A body, whose start (at ``t0``) is then that of the motion; or an inertia: then the motion is
        that of a free body from the first sample.
    samples : States or array_like
        The states to check; or the times, with what is known of the states by keyword.
    momentum, omega : array_like, shape (n, 3)
        Body frame, unless ``momentum_frame="space"`` or ``omega_frame="space"``.
    attitude : array_like, shape (n, 4) or (n, 3, 3), or Rotation
        From body to space: quaternions with the scalar first, or matrices.
    torque : see `polhode.torques`
        With a torque the reference is a converged solution; this needs a `Body`.
    tolerance : float
        The largest error of a right trajectory, relative or in radians.
    rounding : float
        How well the samples say what they mean, relative.

    Examples
    --------
    >>> motion = FreeMotion([1, 2, 2.5], momentum=[0.4, 1, 0.3])
    >>> there = motion.at(np.linspace(0, 10, 100))
    >>> check([1, 2, 2.5], there).verdict
    'exact'
    >>> inverse = there.attitude * [1, -1, -1, -1]
    >>> report = check([1, 2, 2.5], there.t, momentum=there.momentum, attitude=inverse)
    >>> report.verdict, report.diagnoses[0].mistakes
    ('wrong', ('transposed-attitude',))
    """
    if isinstance(samples, States):
        if momentum is not None or omega is not None or attitude is not None:
            raise TypeError("samples: give States, or times with momentum, omega and attitude; not both")
        momentum, omega, attitude = samples.momentum, samples.omega, samples.attitude
    times = real("samples", samples.t if isinstance(samples, States) else samples)
    if times.ndim != 1:
        raise InvalidInput("samples", f"samples: must be a row of states or times, not of shape {times.shape}")
    word("momentum_frame", momentum_frame, "body", "space")
    word("omega_frame", omega_frame, "body", "space")
    parts = None
    if isinstance(body, FreeMotion):
        body = body.body
    if isinstance(body, Body):
        parts = _parts(torque)
    else:
        if torque is not None:
            raise InvalidInput("body", "body: with a torque, a Body with its start is needed, not an inertia")
        body = _inertia(body, allow_unphysical)
    turned, matrices = _attitude(attitude, len(times))
    core = _polhode.check(
        body._core,
        parts,
        number("t0", t0),
        times,
        _rows("momentum", momentum, len(times)),
        momentum_frame == "space",
        _rows("omega", omega, len(times)),
        omega_frame == "space",
        turned,
        matrices,
        number("tolerance", tolerance),
        number("rounding", rounding),
    )
    return _report(core)


def _inertia(body: ArrayLike, allow_unphysical: bool) -> Body:
    try:
        return Body(body, momentum=[0, 0, 0], allow_unphysical=allow_unphysical)
    except InvalidInput as error:
        raise InvalidInput("body", f"body: {error}") from None
    except TypeError as error:
        raise TypeError(f"body: {error}") from None


def _rows(name: str, value: ArrayLike | None, n: int) -> Doubles | None:
    if value is None:
        return None
    array = real(name, value)
    if array.shape != (n, 3):
        raise InvalidInput(name, f"{name}: must have shape ({n}, 3), as many rows as times; not {array.shape}")
    return array.ravel()


def _attitude(value: ArrayLike | Rotation | None, n: int) -> tuple[Doubles | None, bool]:
    if value is None:
        return None, False
    if callable(getattr(value, "as_quat", None)):
        array = quaternion("attitude", value)
    else:
        array = real("attitude", value)  # type: ignore[arg-type]
    if array.shape not in ((n, 4), (n, 3, 3)):
        raise InvalidInput(
            "attitude",
            f"attitude: must be quaternions ({n}, 4) or matrices ({n}, 3, 3), as many as times; not {array.shape}",
        )
    return array.ravel(), array.ndim == 3


def _report(core: _polhode.Report) -> Report:
    found: dict[str, Any] = core.summary()
    for name in (
        "energy", "momentum_norm", "spatial_momentum", "orthogonality", "consistency", "momentum", "attitude",
    ):  # fmt: skip
        found[name] = None if found[name] is None else Deviation(*found[name])
    found["diagnoses"] = tuple(Diagnosis(tuple(mistakes), text) for mistakes, text in found["diagnoses"])
    return Report(**found, _core=core)


class Convergence(NamedTuple):
    """The order at which trajectories in different steps converge."""

    verdict: Literal["holds", "too-low", "rounding", "too-coarse"]
    #: The order seen, in the shortest steps that show one.
    observed: float | None
    claimed: float | None
    diagnosis: Diagnosis | None


def convergence(reports: Mapping[float, Report], order: float | None = None) -> Convergence:
    """The order at which the trajectories of these reports converge, by the steps they were made in.

    >>> body = Body([1, 2, 2.5], momentum=[0.4, 1, 0.3])
    >>> from polhode import simulate
    >>> reports = {h: check(body, simulate(body, None, "rk4", h, 5), tolerance=1) for h in (0.1, 0.05)}
    >>> convergence(reports, order=4).verdict
    'holds'
    """
    if not isinstance(reports, Mapping):
        raise TypeError(f"reports: must be a dict from steps to reports, not {type(reports).__name__}")
    steps = [number("reports", step) for step in reports]
    for report in reports.values():
        if not isinstance(report, Report):
            raise TypeError(f"reports: must be of polhode.check, not {type(report).__name__}")
    claimed = None if order is None else number("order", order)
    found = _polhode.convergence(steps, [report._core for report in reports.values()], claimed)
    diagnosis = found["diagnosis"]
    explained = None if diagnosis is None else Diagnosis(tuple(diagnosis[0]), diagnosis[1])
    return Convergence(found["verdict"], found["observed"], found["claimed"], explained)
