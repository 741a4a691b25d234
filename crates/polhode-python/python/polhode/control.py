"""Controllers: called at their own rate, their command held until the next call.

>>> import polhode
>>> from polhode.control import Command, Controller
>>> def slow_down(t, momentum, attitude, omega, wheels, field):
...     return Command(torque=-0.5 * omega)
>>> body = polhode.Body([1, 2, 2.5], momentum=[1, 0.5, 0.2])
>>> run = polhode.simulate(body, None, "strang+exact", 0.25, 20, controllers=[Controller(slow_down, period=0.1)])
>>> bool(abs(run.momentum[-1]).max() < 0.1)
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Doubles, flag, number
from .inside import _optional, _three

__all__ = ["BDot", "Command", "Controller", "MomentumDump", "PdQuaternion"]


@dataclass(frozen=True)
class Command:
    """What a controller answers; whatever is not given is zero."""

    #: A torque on the body from outside; body frame.
    torque: ArrayLike = (0.0, 0.0, 0.0)
    #: A magnetic dipole, which the field turns; body frame.
    dipole: ArrayLike = (0.0, 0.0, 0.0)
    #: Torques of the motors of the wheels, in their order: of driven wheels alone, and of no more than there are.
    motors: Sequence[float] = ()


@dataclass(frozen=True)
class BDot:
    """A dipole against the change of the magnetic field: -gain dB/dt."""

    gain: ArrayLike

    def _part(self) -> Any:
        return ("b-dot", number("gain", self.gain))


@dataclass(frozen=True)
class MomentumDump:
    """A dipole that takes away the momentum h of the wheels: gain (h x B)/B^2."""

    gain: ArrayLike

    def _part(self) -> Any:
        return ("momentum-dump", number("gain", self.gain))


@dataclass(frozen=True)
class PdQuaternion:
    """A torque proportional to the errors of attitude and angular velocity."""

    #: "nadir", or an attitude (w, x, y, z), body to space.
    target: Literal["nadir"] | ArrayLike
    stiffness: ArrayLike
    damping: ArrayLike
    #: By the motors of driven wheels instead of a torque from outside.
    by_wheels: bool = False

    def _part(self) -> Any:
        target = None
        if not (isinstance(self.target, str) and self.target == "nadir"):
            target = [float(x) for x in np.asarray(self.target, dtype=np.float64)]
        gains = (number("stiffness", self.stiffness), number("damping", self.damping))
        return (target, *gains, flag("by_wheels", self.by_wheels))


#: ``f(t, momentum, attitude, omega, wheels, field)``: the total momentum and the angular velocity in the body frame,
#: the attitude (w, x, y, z), the speeds of the wheels relative to the body, the magnetic field in the body frame or
#: None. What it remembers from call to call belongs to it alone: no checkpoint has it.
Function = Callable[[float, Doubles, Doubles, Doubles, Doubles, Union[Doubles, None]], Command]


@dataclass(frozen=True)
class Controller:
    """A law of control with its rate and its actuators."""

    law: BDot | MomentumDump | PdQuaternion | Function
    #: From one call to the next; the first is at the start.
    period: ArrayLike
    #: From a call until its command acts.
    delay: ArrayLike = 0.0
    #: The most along each axis.
    dipole_limit: ArrayLike | None = None
    #: The torque of thrusters that are on, about each body axis: they make the torque that is commanded, by pulses.
    thrust: ArrayLike | None = None
    #: Thrusters are on for so long at least, or not at all.
    shortest_pulse: ArrayLike = 0.0
    #: A magnetic field that stays the same, in space; else it is that of a torque with a dipole.
    field: ArrayLike | None = None

    def _part(self) -> tuple[Any, ...]:
        law = self.law
        return (
            law._part() if isinstance(law, (BDot, MomentumDump, PdQuaternion)) else _answering(law),
            number("period", self.period),
            number("delay", self.delay),
            _optional("dipole_limit", self.dipole_limit),
            None if self.thrust is None else _three("thrust", self.thrust),
            number("shortest_pulse", self.shortest_pulse),
            None if self.field is None else _three("field", self.field),
        )


def _answering(function: Function) -> Any:
    """The callable, its answers as plain numbers."""

    def call(*moment: Any) -> tuple[list[float], list[float], list[float]]:
        command = function(*moment)
        if not isinstance(command, Command):
            raise TypeError(f"a controller must return a polhode.control.Command, not {type(command).__name__}")
        return (
            _three("torque", command.torque),
            _three("dipole", command.dipole),
            [float(x) for x in command.motors],
        )

    return call
