"""What moves inside a body: wheels, dissipation, a damper, moments of inertia that vary with time.

The momentum of a body is the total one, that of its wheels included; its inertia is that with everything locked. A
body that was made with ``omega`` turns with it, and the momentum of the wheels is added.
Nothing in here changes the momentum in space. It goes to `polhode.simulate` with a splitting method.

>>> import polhode
>>> from polhode.inside import Inside, Wheel
>>> wheel = Wheel(axis=(0, 0, 1), inertia=0.02, speed=300.0)
>>> body = polhode.Body([1, 2, 2.5], momentum=[0.1, 0.2, 6.5])
>>> run = polhode.simulate(body, None, "kahanli6+exact", 0.05, 10, inside=Inside(wheels=[wheel]))
>>> bool(run.invariants.spatial_momentum.max_error < 1e-13)
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Doubles, flag, number
from ._errors import InvalidInput

__all__ = ["BallDamper", "Dissipation", "Inside", "Wheel"]

#: Three expressions of t, rows (t, I1, I2, I3), or a callable ``f(t)`` that gives moments or a tensor.
VaryingInertia = Union[Sequence[str], ArrayLike, Callable[[float], ArrayLike]]


def _optional(name: str, value: ArrayLike | None) -> float | None:
    return None if value is None else number(name, value)


def _three(name: str, value: ArrayLike) -> list[float]:
    numbers = np.asarray(value, dtype=np.float64)
    if numbers.shape != (3,):
        raise InvalidInput(name, f"{name}: three numbers are needed, not an array of shape {numbers.shape}")
    return [float(x) for x in numbers]


@dataclass(frozen=True)
class Wheel:
    """A wheel, symmetric about its axis, which is fixed in the body.

    It keeps its speed relative to the body unless it is ``driven``, which any of the further numbers says too.
    """

    #: Body frame, any length.
    axis: ArrayLike
    #: About the axis.
    inertia: ArrayLike
    #: At the start, relative to the body: radians per time.
    speed: ArrayLike = 0.0
    driven: bool = False
    #: Of its motor; controllers add to it.
    torque: ArrayLike | None = None
    torque_limit: ArrayLike | None = None
    speed_limit: ArrayLike | None = None
    #: Torque for a relative speed.
    viscous_friction: ArrayLike | None = None
    #: Torque against the motion, whatever the speed.
    coulomb_friction: ArrayLike | None = None

    def _part(self) -> tuple[Any, ...]:
        return (
            _three("axis", self.axis),
            number("inertia", self.inertia),
            number("speed", self.speed),
            flag("driven", self.driven),
            _optional("torque", self.torque),
            _optional("torque_limit", self.torque_limit),
            _optional("speed_limit", self.speed_limit),
            _optional("viscous_friction", self.viscous_friction),
            _optional("coulomb_friction", self.coulomb_friction),
        )


@dataclass(frozen=True)
class Dissipation:
    """Energy lost inside the body at constant momentum in space; give one of the two."""

    #: kappa: the energy falls by kappa |M x omega|^2 in a unit of time.
    rate: ArrayLike | None = None
    #: Q: a small wobble of a symmetric body loses the part 2 pi/Q of its energy in each of its periods.
    quality_factor: ArrayLike | None = None

    def __post_init__(self) -> None:
        if (self.rate is None) == (self.quality_factor is None):
            raise TypeError("rate, quality_factor: give one of the two")


@dataclass(frozen=True)
class BallDamper:
    """A ball in a spherical cavity full of a viscous fluid; it starts turning with the body."""

    #: Of the ball.
    inertia: ArrayLike
    #: Torque for a relative angular velocity.
    coefficient: ArrayLike


@dataclass(frozen=True)
class Inside:
    """All that moves inside a body."""

    wheels: Sequence[Wheel] = ()
    dissipation: Dissipation | None = None
    damper: BallDamper | None = None
    #: The inertia as a function of time, in the place of that of the body, which is the one at the start. Moments that
    #: no body has are refused, unless those of the body itself are such.
    inertia: VaryingInertia | None = None
    #: What is between the rows of such an inertia: a "spline", a "linear" change, or the last row, "hold".
    interpolation: Literal["spline", "linear", "hold"] = "spline"

    def _part(self) -> tuple[Any, ...]:
        rate = quality = damper = None
        if self.dissipation is not None:
            rate = _optional("rate", self.dissipation.rate)
            quality = _optional("quality_factor", self.dissipation.quality_factor)
        if self.damper is not None:
            damper = (number("inertia", self.damper.inertia), number("coefficient", self.damper.coefficient))
        wheels = [wheel._part() for wheel in self.wheels]
        return (wheels, rate, quality, damper, self._varying(), str(self.interpolation))

    def _spins(self) -> Doubles:
        """The momentum of the wheels relative to the body, at the start."""
        total = np.zeros(3)
        for wheel in self.wheels:
            axis, inertia, speed, *_ = wheel._part()
            size = np.linalg.norm(axis)
            if size > 0:
                total += np.asarray(axis) / size * (inertia * speed)
        return total

    def _varying(self) -> Any:
        law = self.inertia
        if law is None:
            return None
        if callable(law):
            return lambda t: np.asarray(law(t), dtype=np.float64).ravel().tolist()
        given: list[Any] = list(law)  # type: ignore[arg-type]
        if any(isinstance(x, str) for x in given):
            if len(given) != 3:
                raise InvalidInput("inertia", f"inertia: three expressions of t are needed, not {len(given)}")
            return [str(x) for x in given]
        rows = np.asarray(given, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 4:
            raise InvalidInput("inertia", f"inertia: rows (t, I1, I2, I3) are needed, not an array of shape {rows.shape}")
        return rows.tolist()
