"""Bodies from measurements, sample by sample."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, number, real
from ._errors import InvalidInput


class Estimate(NamedTuple):
    """A number with its standard deviation, which is infinite where the data do not determine it."""

    value: float
    deviation: float


class Innovation(NamedTuple):
    """What a sample was worth to a filter."""

    residual: Doubles
    #: The square of the residual in units of its variance: three on average if the model is right.
    square: float
    #: False if it was left aside.
    used: bool


class Filter:
    """An estimate of body and motion that moves on with every sample: an extended Kalman filter.

    Begins with an angular velocity and any body; `Fit.filter` begins with a fit, which is surer.

    Parameters
    ----------
    t : float
        The time of the start.
    omega : array_like, shape (3,)
        The angular velocity there, body frame.
    deviation : float
        Its standard deviation.
    acceleration, bias_walk : float
        The variances of angular velocity and bias grow by their squares in a unit of time.
    bias : float
        Standard deviation of the bias at the start.
    gate : float
        Samples whose residual has a larger square, in units of its variance, are left aside.

    Examples
    --------
    >>> from polhode import FreeMotion
    >>> motion = FreeMotion([1, 2, 2.5], momentum=[0.8, 1.9, 0.6])
    >>> filter = Filter(0.0, motion.at(0.0).omega, 1e-3)
    >>> for t in np.arange(1, 300) * 0.1:
    ...     _ = filter.gyro(t, motion.at(t).omega, 1e-3)
    >>> round(filter.ratios[0].value, 2)
    0.4
    """

    _core: _polhode.Filter

    def __init__(
        self,
        t: float,
        omega: ArrayLike,
        deviation: float,
        *,
        acceleration: float = 0.0,
        bias_walk: float = 0.0,
        bias: float = 0.0,
        gate: float = np.inf,
    ) -> None:
        start, options = _vector("omega", omega, 3), [acceleration, bias_walk, bias, gate]
        self._core = _polhode.Filter(number("t", t), start, number("deviation", deviation), options)

    def gyro(self, t: float, omega: ArrayLike, noise: float) -> Innovation:
        """Takes an angular velocity measured at time t with this standard deviation."""
        return _innovation(self._core.gyro(number("t", t), _vector("omega", omega, 3), number("noise", noise)))

    def star_tracker(self, t: float, attitude: ArrayLike, noise: float) -> Innovation:
        """Takes an attitude, scalar first, measured at time t with this noise in radians."""
        measured = _vector("attitude", attitude, 4)
        return _innovation(self._core.star_tracker(number("t", t), measured, number("noise", noise)))

    def advance(self, t: float) -> None:
        """Moves on to a time without a measurement."""
        self._core.advance(number("t", t))

    @property
    def t(self) -> float:
        """The time it stands at."""
        return float(self._core.state()["t"])

    @property
    def omega(self) -> tuple[Doubles, Doubles]:
        """The angular velocity and its standard deviations."""
        value, deviation = self._core.state()["omega"]
        return np.array(value), np.array(deviation)

    @property
    def attitude(self) -> tuple[Doubles, Doubles] | None:
        """The attitude and its standard deviations as angles; None until one was measured."""
        found = self._core.state()["attitude"]
        return None if found is None else (np.array(found[0]), np.array(found[1]))

    @property
    def bias(self) -> tuple[Doubles, Doubles]:
        """The bias of the gyro and its standard deviations."""
        value, deviation = self._core.state()["bias"]
        return np.array(value), np.array(deviation)

    @property
    def ratios(self) -> tuple[Estimate, Estimate]:
        """I1/I3 and I2/I3."""
        first, second = self._core.state()["ratios"]
        return Estimate(*first), Estimate(*second)

    @property
    def axes(self) -> Doubles:
        """The principal axes, one in each row, in the body frame."""
        return np.array(self._core.state()["axes"])


def _innovation(found: tuple[Any, float, bool]) -> Innovation:
    residual, square, used = found
    return Innovation(np.array(residual), square, used)


def _vector(name: str, value: ArrayLike, width: int) -> list[float]:
    array = real(name, value)
    if array.shape != (width,):
        raise InvalidInput(name, f"{name}: must be of shape ({width},), not {array.shape}")
    return [float(x) for x in array]
