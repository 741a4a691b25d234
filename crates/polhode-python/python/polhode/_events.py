"""Events of a solution: zeros of functions of the state, and what happens there."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import Doubles, number, quaternion, vector
from ._body import Body
from ._errors import InvalidInput
from ._states import States
from .torques import Part, TorqueLike, _parts

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

#: A function of time and of the state then, whose zeros are wanted.
EventFunction = Callable[[float, States], float]


@dataclass(frozen=True)
class Change:
    """What an event changes; what is not given stays as it is.

    Parameters
    ----------
    momentum, omega : array_like, shape (3,), optional
        Angular momentum or angular velocity after the event, in the body frame: at most one of the two.
    attitude : array_like, shape (4,), or scipy Rotation, optional
        From body to space, scalar first; normalised.
    torque : see `polhode.torques`, optional
        What acts from then on, instead of what acted before; None for nothing.

    Examples
    --------
    >>> braked = Change(omega=[0, 0, 1], torque={"kind": "heavy-top"})
    """

    momentum: ArrayLike | None = None
    omega: ArrayLike | None = None
    attitude: ArrayLike | Rotation | None = None
    torque: TorqueLike | Literal["same"] = "same"

    def __post_init__(self) -> None:
        if self.momentum is not None and self.omega is not None:
            raise TypeError("momentum, omega: give at most one of the two")

    def _part(self, body: Body, state: States) -> ChangePart:
        """For the compiled part: momentum and attitude, or None if they stay; and the torque likewise."""
        moved = None
        if not (self.momentum is None and self.omega is None and self.attitude is None):
            if self.omega is not None:
                momentum = body.tensor @ vector("omega", self.omega)
            else:
                momentum = state.momentum if self.momentum is None else vector("momentum", self.momentum)
            attitude = state.attitude if self.attitude is None else quaternion("attitude", self.attitude)
            if attitude.shape != (4,):
                raise InvalidInput("attitude", f"attitude: must be a single one, not of shape {attitude.shape}")
            moved = momentum.tolist(), attitude.tolist()
        same = isinstance(self.torque, str) and self.torque == "same"
        return moved, None if same else _parts(self.torque)


#: As the compiled part takes it.
ChangePart = tuple[Union[tuple[list[float], list[float]], None], Union[list[Part], None]]


@dataclass(frozen=True)
class Event:
    """The zeros of a function, and what is to happen there: for ``events`` of `solve`.

    A function with attributes of these names, as SciPy has them, is as good.

    Parameters
    ----------
    function : callable (t, state) -> float
        ``state`` is `States` at one time.
    terminal : bool or int
        True if the first ends the run, or which of them does. It is then the last state kept, after its change. The
        end of the span may be late: the run is followed over growing spans until the event comes. An error estimate
        (``estimate_error``) can be refused where rounding leaves no room for a tenth of the tolerance.
    direction : float
        Above or below zero: only where the function rises or falls, in the direction of the run.
    action : callable (t, state) -> Change or None, optional
        Called at each of them; the motion goes on with what it changes. ``y_events`` are the states before that;
        ``sol`` gives the ones after.

    Examples
    --------
    >>> import polhode
    >>> def hit(t, state):
    ...     return Change(momentum=state.momentum + [0.0, 0.0, 1.0])
    >>> body = polhode.Body([1, 2, 3], momentum=[0, 0, 3])
    >>> half = Event(lambda t, state: t - 0.5, action=hit)
    >>> polhode.solve(body, None, until=1, events=half)[-1].momentum
    array([0., 0., 4.])
    """

    function: EventFunction
    terminal: bool | int = False
    direction: float = 0.0
    action: Callable[[float, States], Change | None] | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function: must be callable, not {type(self.function).__name__}")

    def __call__(self, t: float, state: States) -> float:
        """The function there."""
        return self.function(t, state)


def event_list(given: Any) -> list[Any]:
    """The functions of events that a user gives."""
    if given is None:
        return []
    functions = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    for function in functions:
        if not callable(function):
            raise TypeError(f"events: must be callables, not {type(function).__name__}")
    return functions


def _whole(number: Any) -> int:
    """A whole number, of any type: as in SciPy, 1.0 is as good as 1; -1 for everything else."""
    if not isinstance(number, (np.bool_, Real)):
        return -1
    index: Any = number
    try:
        # A float holds whole numbers up to 2^53 only.
        return operator.index(index)
    except TypeError:
        pass
    try:
        whole = int(float(number))
    except (ValueError, OverflowError):
        return -1
    return whole if whole == number else -1


def event_part(event: Any, body: Body) -> tuple[Any, float, int, Any]:
    """What to call, the sign of the direction, which event ends the run (0 for none), and what to do there."""
    terminal = getattr(event, "terminal", None)
    if terminal is None:
        terminal = False
    count = _whole(terminal)
    if not 0 <= count < 2**63:
        raise InvalidInput(
            "events",
            f"events: terminal = {terminal!r}: must be a bool, or a whole number, 0 or more: which event ends the run",
        )
    direction = getattr(event, "direction", None)
    sign = 0.0 if direction is None else number("events: direction", direction)
    if np.isnan(sign):
        raise InvalidInput("events", "events: direction = nan: must be below, above or equal to zero")
    action = getattr(event, "action", None)
    if action is not None and not callable(action):
        raise TypeError(f"events: action: must be callable, not {type(action).__name__}")

    def called(t: float, momentum: Doubles, omega: Doubles, attitude: Doubles) -> Any:
        return event(t, States._made(np.float64(t), momentum, omega, attitude))

    def acted(t: float, momentum: Doubles, omega: Doubles, attitude: Doubles) -> ChangePart:
        state = States._made(np.float64(t), momentum, omega, attitude)
        change = action(t, state)  # type: ignore[misc]
        if change is None:
            return None, None
        if not isinstance(change, Change):
            raise TypeError(f"events: an action must return a polhode.Change or None, not {type(change).__name__}")
        return change._part(body, state)

    return called, sign, count, None if action is None else acted
