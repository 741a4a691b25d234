"""The free motion of a rigid body, exactly, at any time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polhode
from ._arrays import Doubles, flag, number, real, word
from ._body import Body
from ._errors import InvalidInput
from ._states import States
from ._tangent import WIDTH, Gradient, Tangent, unpacked

if TYPE_CHECKING:
    import os

    from scipy.spatial.transform import Rotation

    from ._view import View


class FreeMotion:
    """The free motion of a rigid body: the state at any time, exactly.

    All constants are computed once, in double-double; ``at`` costs the same for any time, and its
    error does not grow with it. Time zero is the state given.

    Parameters
    ----------
    inertia, momentum, omega, attitude, allow_unphysical
        As for `Body`. An angular velocity counts as exact: over long times that is more accurate
        than its rounded momentum.

    Examples
    --------
    A T-handle thrown about its middle axis:

    >>> motion = FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
    >>> print(f"{motion.period:.4f}, {motion.next_flip(0):.4f}")
    4.1908, 1.0477
    >>> motion.at([0, 1e6]).momentum.shape
    (2, 3)
    >>> motion.regime
    'about-minor'
    """

    __slots__ = ("_body", "_core")

    def __init__(
        self,
        inertia: ArrayLike,
        *,
        momentum: ArrayLike | None = None,
        omega: ArrayLike | None = None,
        attitude: ArrayLike | Rotation | None = None,
        allow_unphysical: bool = False,
    ) -> None:
        self._body = Body(
            inertia, momentum=momentum, omega=omega, attitude=attitude, allow_unphysical=allow_unphysical
        )
        self._core = _polhode.FreeMotion(self._body._core)

    @classmethod
    def of(cls, body: Body) -> FreeMotion:
        """The free motion of a body from its start.

        >>> FreeMotion.of(Body([1, 2, 3], momentum=[0, 0, 0])).regime
        'rest'
        """
        if not isinstance(body, Body):
            raise TypeError(f"body: must be a polhode.Body, not {type(body).__name__}")
        self = cls.__new__(cls)
        self._body = body
        self._core = _polhode.FreeMotion(body._core)
        return self

    @classmethod
    def from_periods(
        cls,
        inertia: ArrayLike,
        rotation: ArrayLike,
        precession: ArrayLike,
        *,
        mode: Literal["long-axis", "short-axis"] | None = None,
        attitude: ArrayLike | Rotation | None = None,
        allow_unphysical: bool = False,
    ) -> FreeMotion:
        """The free motion that has two observed periods.

        ``rotation`` is the period of the turn about the axis that the momentum circles: the long one, of the least
        moment, or the short one; ``precession`` the mean period of that axis about the momentum. ``mode`` says
        which, where both are possible. At time zero the momentum lies in the plane of the least and the greatest
        moment.

        >>> toutatis = FreeMotion.from_periods([1, 3.09, 3.22], 5.41, 7.35)
        >>> toutatis.regime, round(toutatis.period, 6), round(toutatis.precession_period, 6)
        ('about-minor', 5.41, 7.35)

        Raises
        ------
        InvalidInput
            If no motion has these periods, with the range that can be reached; or two have, and no mode is given.
        """
        moments = real("inertia", inertia)
        if mode is not None:
            word("mode", mode, "long-axis", "short-axis")
        found = _polhode.momentum_of_periods(
            moments.ravel().tolist(),
            flag("allow_unphysical", allow_unphysical),
            number("rotation", rotation),
            number("precession", precession),
            mode,
        )
        return cls(moments, momentum=found[0], attitude=attitude, allow_unphysical=allow_unphysical)

    @property
    def body(self) -> Body:
        """The body, with the state at time zero."""
        return self._body

    def show(self, until: ArrayLike, **options: Any) -> View:
        """A page in which the body turns until a time, which a notebook shows; options as of `States.show`.

        >>> FreeMotion([3, 8, 11], omega=[0.01, 12, 0]).show(10, shape="t-handle").html[:15]
        '<!doctype html>'
        """
        from ._view import LEAST, MOST, TURN

        end = number("until", until)
        if not np.isfinite(end):
            raise InvalidInput("until", f"until = {end!r}: must be finite")
        speed = float(np.linalg.norm(self._body.omega))
        moments = self._body.moments
        # The angular velocity is never longer than this.
        fastest = speed * float(moments.max() / moments.min())
        count = int(np.clip(fastest * abs(end) / TURN, LEAST, MOST))
        return self.at(np.linspace(0, end, count))._of(self._body, None).show(**options)

    def save_html(self, path: str | os.PathLike[str], until: ArrayLike, **options: Any) -> None:
        """Writes the page of `show` to a file."""
        self.show(until, **options).save(path)

    def at(self, t: ArrayLike) -> States:
        """The states at these times, which may lie before the start; the shape of ``t`` is kept.

        >>> there = FreeMotion([1, 2, 2.5], momentum=[0.5, 2, 0]).at(12.5)
        >>> there.attitude.shape
        (4,)

        Raises
        ------
        InvalidInput
            If a time is not finite, or so late (a phase of 1e13 rad) that the motion has no digits.
        """
        # An integer beyond 2^53 is none of the doubles; NumPy says what becomes of it.
        if type(t) is float or type(t) is np.float64 or (type(t) is int and -(2**53) <= t <= 2**53):
            return States._made(np.float64(t), *self._core.at_one(t))
        # A copy: what the caller does to his times, now or later, is no business of the states.
        times = np.array(real("t", t))
        shape = times.shape
        momentum, omega, attitude = np.empty((*shape, 3)), np.empty((*shape, 3)), np.empty((*shape, 4))
        self._core.at(times.ravel(), momentum.ravel(), omega.ravel(), attitude.ravel())
        return States(times, momentum, omega, attitude)

    def angular_acceleration(self, t: ArrayLike) -> Doubles:
        """The derivative of the angular velocity's body components, ``I^-1 (m x omega)``."""
        times = real("t", t)
        return self._core.angular_acceleration(times.ravel()).reshape((*times.shape, 3))

    @property
    def regime(self) -> str:
        """What the momentum does in the body frame.

        One of ``rest``, ``steady``, ``symmetric-top``, ``about-minor``, ``about-major``,
        ``separatrix``.
        """
        return self._core.regime

    @property
    def period(self) -> float | None:
        """The period of the momentum in the body frame; None where it stands still or never returns.

        The attitude is in general not periodic. The body flips twice a period.
        """
        return self._core.period

    @property
    def precession_rate(self) -> float:
        """The mean rate (rad per time) at which the axis the momentum circles turns about it in space."""
        return self._core.precession_rate

    @property
    def precession_period(self) -> float | None:
        """The time of one turn at that rate; None at rest, and on the separatrix, where the rate is a limit."""
        if self.regime in ("rest", "separatrix"):
            return None
        return 2 * np.pi / self.precession_rate

    @property
    def separatrix_distance(self) -> float | None:
        """``1 - 2 T I2/|m|^2``, without cancellation: negative about the minor axis, None at rest."""
        return self._core.separatrix_distance

    @overload
    def next_flip(self, t: float = 0.0) -> float | None: ...
    @overload
    def next_flip(self, t: NDArray[Any] | Sequence[Any]) -> Doubles: ...
    def next_flip(self, t: ArrayLike = 0.0) -> Doubles | float | None:
        """The first flip after ``t``: the momentum's component along the middle axis changes sign.

        For one time a float, or None if there is no further flip; for an array of times an array,
        NaN where there is none.
        """
        times = real("t", t)
        flips = self._core.next_flip(times.ravel()).reshape(times.shape)
        if times.ndim:
            return flips
        return None if np.isnan(flips) else float(flips)

    def tangent(self, t: ArrayLike, *, inertia: bool = True) -> Tangent:
        """The states at these times with their derivatives by start, inertia and time, in closed form.

        The error does not grow with the time beyond that of `at`, and there are no exceptions for symmetric bodies,
        spheres or steady turns. Of a motion that was given an angular velocity, that is what stays the same while the
        inertia changes: ``held`` says so.

        >>> there = FreeMotion([1, 2, 2], momentum=[0.5, 2, 0]).tangent(1e6)
        >>> there.state_transition.shape, bool(np.isfinite(there.inertia).all())
        ((6, 6), True)

        Parameters
        ----------
        t : array_like
            Times, of any shape.
        inertia : bool
            False leaves out the derivatives by the inertia, which are then None.

        Raises
        ------
        InvalidInput
            As for `at`, or if a derivative is beyond the range of doubles.
        """
        times = np.array(real("t", t))
        by_inertia = flag("inertia", inertia)
        rows = np.empty((*times.shape, WIDTH))
        held = self._core.tangent(times.ravel(), rows.reshape(-1), by_inertia)
        return unpacked(times, rows, held, by_inertia=by_inertia)

    def period_gradient(self) -> Gradient:
        """The derivatives of `period` by the momentum at the start and by the inertia.

        >>> slopes = FreeMotion([1, 2, 2.5], momentum=[0.5, 2, 0]).period_gradient()
        >>> slopes.momentum.shape
        (3,)

        Raises
        ------
        InvalidInput
            Where there is no period: at rest, for steady turns, on the separatrix.
        """
        parts = self._core.period_gradient()
        assert self.period is not None
        return _gradient(self.period, parts)

    def precession_rate_gradient(self) -> Gradient:
        """The derivatives of `precession_rate`; errors as for `period_gradient`."""
        return _gradient(self.precession_rate, self._core.precession_rate_gradient())

    def next_flip_gradient(self, t: ArrayLike = 0.0) -> Gradient:
        """The first flip after ``t``, as ``value``, and its derivatives.

        Raises
        ------
        InvalidInput
            If there is no further flip.
        """
        return _gradient(*self._core.next_flip_gradient(number("t", t)))

    def __repr__(self) -> str:
        return f"FreeMotion.of({self._body!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return FreeMotion.of, (self._body,)


def _gradient(value: float, parts: tuple[list[float], list[float], list[float], str]) -> Gradient:
    momentum, inertia, inertia_off, held = parts
    return Gradient(value, np.array(momentum), np.array(inertia), np.array(inertia_off), held)
