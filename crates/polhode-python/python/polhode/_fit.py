"""What is this body, and how does it tumble?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, flat, number, quaternion, real, word
from ._errors import InvalidInput
from ._filter import Estimate, Filter
from ._free import FreeMotion
from .torques import TorqueLike, _parts

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


class SensorParameter(NamedTuple):
    """A number of the sensor model or of a torque: fixed, free within bounds, or known to a standard deviation."""

    value: float = 0.0
    min: float = -np.inf
    max: float = np.inf
    fixed: bool = False
    #: The standard deviation with which the value is known beforehand.
    prior: float | None = None


#: Not at all, "free", the standard deviation with which it is known to be zero, or told in full.
SensorLike: TypeAlias = "Literal['free'] | float | SensorParameter | Sequence[SensorParameter] | None"


class Rival(NamedTuple):
    """Another solution."""

    #: I1/I3 and I2/I3.
    ratios: tuple[float, float]
    #: How much less likely, in units of log-likelihood.
    less: float
    regime: str


class WeakForm(NamedTuple):
    """What single windows of the data show of the inertia, before any motion is assumed."""

    #: Of the six entries of the inertia, descending, relative to the largest; the last is that of the inertia itself.
    singular_values: tuple[float, ...]
    #: What noise alone makes of the last.
    noise: float
    #: How many of the five numbers besides the scale stand out of the noise.
    shown: int


class Prediction(NamedTuple):
    """The motion at given times, with standard deviations."""

    t: Doubles
    omega: Doubles
    omega_deviation: Doubles
    #: Scalar first; None without measured attitudes.
    attitude: Doubles | None
    #: Angles about the axes of the body.
    attitude_deviation: Doubles | None


@dataclass(frozen=True, eq=False)
class Fit:
    """A body and its motion, as the data tell them."""

    #: The principal moments in ascending order, relative to the largest.
    moments: Doubles
    #: The principal axes, one in each row, in the body frame.
    axes: Doubles
    #: The inertia tensor: its largest moment one, or in the unit that a torque gives it.
    inertia: Doubles
    #: The time that ``omega`` and ``attitude`` belong to.
    epoch: float
    omega: Doubles
    attitude: Doubles | None
    #: By name: "I1/I3", "omega.x", "bias.y", ...
    estimates: dict[str, Estimate]
    #: Of the estimates, in their order.
    covariance: Doubles
    correlation: Doubles
    #: What the data cannot tell, in words.
    undetermined: tuple[str, ...]
    #: Why not to trust it; empty for a good fit.
    doubts: tuple[str, ...]
    rivals: tuple[Rival, ...]
    #: I1/I3 and I2/I3 if the columns were left-handed, which a gyro alone cannot tell.
    mirrored: tuple[float, float] | None
    chi_square: float
    degrees: int
    noise_given: bool
    noise: Doubles | None
    attitude_noise: float | None
    direction_noise: float | None
    #: What the momentum does in the body frame.
    regime: str
    #: None if samples are too few or too sparse, or a torque acts.
    weak_form: WeakForm | None
    #: Times, and what was measured less what the motion says.
    residuals: tuple[Doubles, Doubles]
    attitude_residuals: tuple[Doubles, Doubles]
    direction_residuals: tuple[Doubles, Doubles]
    _core: _polhode.Fit
    _driven: bool = False

    def __bool__(self) -> bool:
        return not self.doubts

    def __repr__(self) -> str:
        ratios = ", ".join(f"{name} = {_shown(self.estimates[name])}" for name in ("I1/I3", "I2/I3"))
        return "\n".join([f"<Fit: {ratios}>", *self.undetermined, *self.doubts])

    @property
    def reduced_chi_square(self) -> float:
        """Chi-square per degree of freedom."""
        return self.chi_square / max(self.degrees, 1)

    @property
    def motion(self) -> FreeMotion:
        """The motion of a free body; its time zero is the epoch. Where a torque acts, `predict` has the motion."""
        if self._driven:
            raise InvalidInput("motion", "motion: only of a free body; here a torque acts")
        return FreeMotion(self.inertia, omega=self.omega, attitude=self.attitude, allow_unphysical=True)

    def predict(self, t: ArrayLike) -> Prediction:
        """The motion at times of the data's clock, with standard deviations."""
        times = np.atleast_1d(real("t", t))
        omega, deviation, attitude, angle = self._core.predict(flat(times))
        known = self.attitude is not None
        return Prediction(times, omega, deviation, attitude if known else None, angle if known else None)

    def profile(self, ratio: Literal["I1/I3", "I2/I3"], values: ArrayLike) -> Doubles:
        """The log-likelihood at other values of a ratio, relative to the fit, with all else fitted anew."""
        word("ratio", ratio, "I1/I3", "I2/I3")
        return self._core.profile(int(ratio == "I2/I3"), flat(real("values", values)))

    def filter(
        self, *, acceleration: float = 0.0, bias_walk: float = 0.0, bias: float = 0.0, gate: float = np.inf
    ) -> Filter:
        """A filter that goes on from this fit; see `Filter`."""
        made = Filter.__new__(Filter)
        made._core = self._core.filter([acceleration, bias_walk, bias, gate])
        return made


def _shown(estimate: Estimate) -> str:
    if not np.isfinite(estimate.deviation):
        return "not determined"
    return f"{estimate.value:.6g} ± {estimate.deviation:.2g}"


def _parameters(name: str, given: SensorLike, count: int) -> list[SensorParameter]:
    if given is None:
        return [SensorParameter(fixed=True)] * count
    if isinstance(given, SensorParameter):
        return [given] * count
    if isinstance(given, str):
        word(name, given, "free")
        return [SensorParameter()] * count
    if isinstance(given, Iterable):
        parameters = list(given)
        if len(parameters) != count or not all(isinstance(p, SensorParameter) for p in parameters):
            raise InvalidInput(name, f"{name}: needed: 'free', a standard deviation, or {count} SensorParameter")
        return parameters
    return [SensorParameter(prior=number(name, given))] * count


def _optional(name: str, value: ArrayLike | None) -> float | None:
    return None if value is None else number(name, value)


def _vectors(name: str, value: ArrayLike, width: int) -> Doubles:
    array = real(name, value)
    if array.ndim != 2 or array.shape[1] != width:
        raise InvalidInput(name, f"{name}: must be of shape (n, {width}), not {array.shape}")
    return flat(array)


def _times(name: str, value: ArrayLike) -> Doubles:
    array = real(name, value)
    if array.ndim != 1:
        raise InvalidInput(name, f"{name}: must be a row of times, not of shape {array.shape}")
    return flat(array)


def fit(
    t: ArrayLike,
    omega: ArrayLike | None = None,
    *,
    attitude: ArrayLike | Rotation | None = None,
    attitude_t: ArrayLike | None = None,
    directions: Iterable[tuple[ArrayLike, ArrayLike]] = (),
    noise: ArrayLike | None = None,
    attitude_noise: float | None = None,
    direction_noise: float | None = None,
    loss: Literal["squares", "huber", "soft-l1", "cauchy"] = "squares",
    loss_scale: float = 3.0,
    bias: SensorLike = None,
    scale: SensorLike = None,
    misalignment: SensorLike = None,
    time_offset: SensorLike = None,
    skip_missing: bool = False,
    torque: TorqueLike = None,
    unknown: Iterable[str] | Mapping[str, Literal["free"] | float | SensorParameter] = (),
    largest_moment: float | None = None,
) -> Fit:
    """Finds a body and its motion from measurements, without a guess.

    Parameters
    ----------
    t : array_like, shape (n,)
        The times, rising or falling, any time apart.
    omega : array_like, shape (n, 3)
        The angular velocity, body frame, as a gyro shows it: right-handed, in radians.
    attitude : array_like, shape (n, 4), or Rotation
        From body to space: quaternions with the scalar first.
    attitude_t : array_like
        The times of the attitudes, if they are others than ``t``.
    directions : pairs of (known, seen)
        A vector known in space, shape (3,), and its directions in the body, shape (n, 3).
    noise, attitude_noise, direction_noise : float
        Standard deviations; of the angular velocity one or three. Estimated from the residuals if not given.
    loss : str
        How outliers count from ``loss_scale`` standard deviations on.
    bias, scale, misalignment, time_offset : "free", float or SensorParameter
        The gyro shows ``(1 + scale) R omega(t + time_offset) + bias``; a number is the standard deviation with
        which it is known to be zero. Misalignment and time offset need attitudes.
    skip_missing : bool
        Leave out samples that hold NaN instead of refusing them.
    torque : see `polhode.torques`; None for a free body
        What acts on the body, by the clock and in the units of the data. It tells the scale of the inertia.
    unknown : names, or a dict of names with what is known of them
        Numbers of the torque that are to be found: "damping.coefficient", "constant.torque.x", the constant k of a
        formula as "formula.k". The fit begins with the values that the torque has. A number is the standard deviation
        with which such a value is known.
    largest_moment : float
        The largest moment of inertia, if it is known, for torques that tell ratios only.

    Examples
    --------
    >>> motion = FreeMotion([1, 2, 2.5], momentum=[0.8, 1.9, 0.6])
    >>> t = np.arange(60) * 0.2
    >>> found = fit(t, np.round(motion.at(t).omega, 3))
    >>> bool(found), round(found.estimates["I1/I3"].value, 2), round(found.estimates["I2/I3"].value, 2)
    (True, 0.4, 0.8)
    >>> found.undetermined[0]
    'free motion gives ratios of moments only: the scale of the inertia is not determined'

    Under a torque the moments themselves are found, and numbers of the torque if need be:

    >>> push = {"kind": "constant", "torque": (0.05, 0.02, 0)}
    >>> truth = [push, {"kind": "damping", "coefficient": 0.03}]
    >>> from polhode import Body, solve
    >>> run = solve(Body([1, 2, 2.5], momentum=[0.8, 1.9, 0.6]), truth, until=12, t_eval=t)
    >>> torque = [push, {"kind": "damping", "coefficient": 0.01}]
    >>> found = fit(t, np.round(run.omega, 4), torque=torque, unknown=["damping.coefficient"])
    >>> [round(found.estimates[name].value, 1) for name in ("I1", "I2", "I3")]
    [1.0, 2.0, 2.5]
    >>> round(found.estimates["damping.coefficient"].value, 2)
    0.03
    """
    times = _times("t", t)
    gyro = None if omega is None else (times, _vectors("omega", omega, 3))
    stars = None
    if attitude is not None:
        quaternions = np.ascontiguousarray(quaternion("attitude", attitude))
        stars_t = times if attitude_t is None else _times("attitude_t", attitude_t)
        stars = (stars_t, _vectors("attitude", quaternions, 4))
    elif attitude_t is not None:
        raise TypeError("attitude_t: given without attitude")
    seen = []
    for known, rows in directions:
        vector = real("directions", known)
        if vector.shape != (3,):
            raise InvalidInput("directions", f"directions: a vector must be of shape (3,), not {vector.shape}")
        seen.append(([float(x) for x in vector], times, _vectors("directions", rows, 3)))
    word("loss", loss, "squares", "huber", "soft-l1", "cauchy")
    sigma = None
    if noise is not None:
        array = real("noise", noise)
        if array.shape not in ((), (3,)):
            raise InvalidInput("noise", f"noise: must be one number or three, not of shape {array.shape}")
        sigma = [float(x) for x in np.broadcast_to(array, 3)]
    sensor = [
        *_parameters("bias", bias, 3),
        *_parameters("scale", scale, 3),
        *_parameters("misalignment", misalignment, 3),
        *_parameters("time_offset", time_offset, 1),
    ]
    core = _polhode.fit(
        gyro,
        stars,
        seen,
        (sigma, _optional("attitude_noise", attitude_noise), _optional("direction_noise", direction_noise)),
        (loss, number("loss_scale", loss_scale)),
        [(p.value, p.min, p.max, p.fixed, p.prior) for p in sensor],
        bool(skip_missing),
        (_parts(torque), _unknown(unknown), _optional("largest_moment", largest_moment)),
    )
    return _made(core, torque is not None)


def _unknown(given: Any) -> list[tuple[str, tuple[float, float, float, bool, float | None]]]:
    if isinstance(given, str):
        given = [given]
    told: Mapping[Any, Any] = given if isinstance(given, Mapping) else dict.fromkeys(given, "free")
    found: list[tuple[str, tuple[float, float, float, bool, float | None]]] = []
    for name, known in told.items():
        if not isinstance(name, str):
            raise TypeError(f"unknown: must be names, not {type(name).__name__}")
        (p,) = _parameters("unknown", known, 1)
        found.append((name, (p.value, p.min, p.max, p.fixed, p.prior)))
    return found


def _made(core: _polhode.Fit, driven: bool) -> Fit:
    found: dict[str, Any] = core.summary()
    for name in ("moments", "axes", "inertia", "omega", "attitude", "covariance", "correlation", "noise"):
        if found[name] is not None:
            found[name] = np.array(found[name])
    found["estimates"] = {name: Estimate(*rest) for name, *rest in found["estimates"]}
    found["rivals"] = tuple(Rival(tuple(ratios), *rest) for ratios, *rest in found["rivals"])
    for name in ("undetermined", "doubts"):
        found[name] = tuple(found[name])
    if found["mirrored"] is not None:
        found["mirrored"] = tuple(found["mirrored"])
    if found["weak_form"] is not None:
        values, noise, shown = found["weak_form"]
        found["weak_form"] = WeakForm(tuple(values), noise, shown)
    return Fit(**found, _core=core, _driven=driven)
