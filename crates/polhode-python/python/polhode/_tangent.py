"""Derivatives of motions: what a small change of the start, of the body, of the torque or of time does to the state."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, count, number, real
from ._body import Body
from ._errors import InvalidInput
from ._methods import MethodLike, _method
from ._states import States
from .torques import TorqueLike, _parts

if TYPE_CHECKING:
    from ._free import FreeMotion

#: The numbers of a row of the compiled part, and their shapes.
_ROW = (
    ("momentum", (3,)),
    ("omega", (3,)),
    ("attitude", (4,)),
    ("state_transition", (6, 6)),
    ("inertia", (6, 3)),
    ("inertia_off", (6, 3)),
    ("time", (6,)),
)
WIDTH = sum(int(np.prod(shape)) for _, shape in _ROW)


@dataclass(frozen=True, repr=False, eq=False)
class Tangent:
    """The derivatives of states at one time or many.

    A state varies by six numbers: a change of the momentum (body frame), and a rotation vector in the body frame
    that turns the attitude from the right, ``q -> q exp(del)``. The rows of every block are these six at the time
    in question. For times of shape S the blocks have the shapes S + (6, 6) and so on; an index is one into the times.

    The attitude alone as a quaternion varies by ``dq = q (0, del)/2``.

    >>> import polhode
    >>> there = polhode.FreeMotion([1, 2, 2.5], momentum=[0.5, 2, 0]).tangent([0.0, 1.0])
    >>> there.state_transition.shape, there.inertia.shape, there.held
    ((2, 6, 6), (2, 6, 3), 'momentum')
    """

    #: The states that are differentiated.
    states: States
    #: By (momentum, rotation vector) at the start: S + (6, 6).
    state_transition: Doubles
    #: By I11, I22, I33, with what is ``held`` fixed at the start: S + (6, 3). None for rotors that have no such
    #: derivatives, and where they were not asked for.
    inertia: Doubles | None
    #: By I12, I13, I23, each changed together with its mirror image: S + (6, 3).
    inertia_off: Doubles | None
    #: By time: S + (6,), that is ``(momentum x omega + torque, omega)``.
    time: Doubles
    #: What of the start stays the same while the inertia changes: "momentum" or "angular velocity".
    held: str
    #: By the parameters of the torque: S + (6, P).
    parameters: Doubles
    #: The names of these parameters, such as "heavy-top.centre.z".
    parameter_names: tuple[str, ...] = ()

    def __getitem__(self, index: Any) -> Tangent:
        rows = (*(index if isinstance(index, tuple) else (index,)), Ellipsis)
        names = ("state_transition", "inertia", "inertia_off", "time", "parameters")
        blocks = {name: getattr(self, name) for name in names}
        taken: dict[str, Any] = {
            name: None if block is None else _at(block, rows, name) for name, block in blocks.items()
        }
        return replace(self, states=self.states[index], **taken)

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at times of shape {np.shape(self.states.t)}, {self.held} held>"


def _at(block: Doubles, rows: tuple[Any, ...], name: str) -> Any:
    if Ellipsis not in rows[:-1]:
        return block[rows]
    # An ellipsis of the caller's: the axes of the block are spelled out instead.
    axes = 1 if name == "time" else 2
    return block[(*rows[:-1], *(slice(None),) * axes)]


@dataclass(frozen=True, eq=False)
class Gradient:
    """The derivatives of one number that belongs to a free motion. The attitude at the start does not matter to it."""

    #: The number itself.
    value: float
    #: By the momentum at the start, body frame: (3,).
    momentum: Doubles
    #: By I11, I22, I33: (3,).
    inertia: Doubles
    #: By I12, I13, I23, each changed together with its mirror image: (3,).
    inertia_off: Doubles
    #: What of the start stays the same while the inertia changes: "momentum" or "angular velocity".
    held: str


@dataclass(frozen=True, repr=False, eq=False)
class EventTangent:
    """How the k events of one function move when start, inertia or parameters change.

    An event that only touches zero has no derivative: its numbers are then NaN, and ``speed`` is zero.
    """

    #: The derivatives of the times by (momentum, rotation vector) at the start: (k, 6).
    time_by_start: Doubles
    #: By I11, I22, I33, I12, I13, I23, with ``there.held`` fixed at the start: (k, 6).
    time_by_inertia: Doubles
    #: By the parameters of the torque: (k, P).
    time_by_parameters: Doubles
    #: The states at the events with their derivatives, the events moving along.
    there: Tangent
    #: How fast the function of the event changes along the motion, per time: (k,).
    speed: Doubles

    def __len__(self) -> int:
        return len(self.time_by_start)

    def __repr__(self) -> str:
        return f"<EventTangent of {len(self)} events>"


@dataclass(frozen=True, eq=False)
class Lyapunov:
    """The rate at which neighbouring motions part."""

    #: The mean rate over the run, per time: the largest Lyapunov exponent as far as the run is long enough.
    exponent: float
    #: Times along the run.
    times: Doubles
    #: The mean rate up to each of them. Of a regular motion it falls like log(t)/t.
    convergence: Doubles
    #: The largest less the smallest mean rate over the second half of the run.
    spread: float
    #: ``positive``, ``not positive`` or ``not settled``: what the run tells of the exponent.
    verdict: str
    #: Whether the motion is chaotic; None if the run is too short to tell. That of a free body never is, and of others
    #: a positive exponent is taken for chaos, which an unstable steady motion has too.
    chaotic: bool | None


@dataclass(frozen=True, repr=False, eq=False)
class CovarianceRun(States):
    """States along a run with the covariances of their errors."""

    #: Covariances of (momentum, rotation vector), both in the body frame: (n, 6, 6).
    covariance: Doubles

    def _taken(self, index: Any) -> dict[str, Any]:
        rows = index if isinstance(index, tuple) else (index,)
        return {**super()._taken(index), "covariance": self.covariance[(*rows, slice(None), slice(None))]}


def lyapunov(
    body: Body | FreeMotion,
    torque: TorqueLike,
    method: MethodLike,
    step: ArrayLike,
    until: ArrayLike,
    *,
    t0: ArrayLike = 0.0,
) -> Lyapunov:
    """The largest Lyapunov exponent of a motion: do neighbouring motions part exponentially, and how fast?

    A variation is carried along the run by the tangents of its steps and set back to length one whenever it has
    grown. Momenta are measured by the length of the momentum at the start, angles in radians. Of a regular motion the
    mean rate falls like log(t)/t and goes on falling; of a chaotic one it settles: ``verdict`` says which, and
    ``convergence`` and ``spread`` show it.

    Arguments and errors are those of `simulate`; the method must have derivatives, which `MethodInfo.derivatives` says.

    Examples
    --------
    A turn about the middle axis:

    >>> import polhode
    >>> found = lyapunov(polhode.Body([1, 2, 3], momentum=[0, 1, 0]), None, "exact", step=0.1, until=200)
    >>> bool(abs(found.exponent - (1 / 2 * 1 / 6) ** 0.5) < 0.02)
    True
    >>> found.verdict, found.chaotic  # an unstable turn of a free body
    ('positive', False)
    """
    arguments = (_body(body)._core, _parts(torque), _method("method", method))
    h, end = number("step", step), number("until", until)
    found = Lyapunov(*_polhode.lyapunov(*arguments, h, end, number("t0", t0)))
    warn_of_last_step(h, end, float(found.times[-1]))
    return found


def covariance(
    body: Body | FreeMotion,
    torque: TorqueLike,
    method: MethodLike,
    step: ArrayLike,
    until: ArrayLike,
    every: int | None = None,
    *,
    start: ArrayLike,
    noise: ArrayLike | None = None,
    t0: ArrayLike = 0.0,
) -> CovarianceRun:
    """The covariance of the state along a run, to first order: ``P <- Phi P Phi^T + Q h`` in every step.

    Parameters
    ----------
    body, torque, method, step, until, every, t0
        As for `simulate`; the method must have derivatives.
    start : array_like, shape (6, 6)
        The covariance of (momentum, rotation vector) at the start: both in the body frame, the rotation vector in
        radians and from the right, the error of a multiplicative Kalman filter. Symmetric, and without negative
        eigenvalues beyond rounding.
    noise : array_like, shape (6, 6), optional
        What is added per time; of the same kind.

    Raises
    ------
    InvalidInput
        As for `simulate`, or if a matrix is no covariance.

    Examples
    --------
    >>> import numpy as np
    >>> import polhode
    >>> body = polhode.Body([1, 2, 2.5], omega=[0, 0, 1])
    >>> run = covariance(body, None, "exact", step=0.1, until=10, start=np.eye(6) * 1e-6)
    >>> run.covariance.shape
    (101, 6, 6)
    """
    arguments = (_body(body)._core, _parts(torque), _method("method", method))
    h, end = number("step", step), number("until", until)
    kept_every = 1 if every is None else count("every", every)
    matrices = [_covariance("start", start), _covariance("noise", np.zeros((6, 6)) if noise is None else noise)]
    t, states, matrix = _polhode.covariance(*arguments, h, end, kept_every, number("t0", t0), *matrices)
    warn_of_last_step(h, end, float(t[-1]))
    momentum, omega, attitude = states[:, :3], states[:, 3:6], states[:, 6:]
    return CovarianceRun(t, momentum, omega, attitude, covariance=matrix.reshape(-1, 6, 6))


def _body(given: Any) -> Body:
    body = getattr(given, "body", given)
    if not isinstance(body, Body):
        raise TypeError(f"body: must be a polhode.Body, not {type(given).__name__}")
    return body


def warn_of_last_step(step: float, until: float, reached: float) -> None:
    """Says, to the caller's caller, that the last step goes beyond the end."""
    # What is no more than rounding is none of the user's doing; as the library counts steps.
    if abs(reached - until) > 1e-6 * abs(step):
        text = f"until = {until!r} is no whole number of steps of {step!r} away: the run ends at t = {reached!r}"
        warnings.warn(text, stacklevel=3)


#: How far a covariance may be from what it should be, as correlations: what rounding makes of it.
_ROUNDING = 1e-12


def _covariance(name: str, value: ArrayLike) -> list[float]:
    matrix = real(name, value)

    def refuse(said: str) -> None:
        raise InvalidInput(name, f"{name}{said}")

    def at(wrong: Any) -> tuple[int, int]:
        i, j = np.argwhere(wrong)[0].tolist()
        return i, j

    if matrix.shape != (6, 6):
        refuse(f": must have shape (6, 6), not {matrix.shape}")
    if not np.isfinite(matrix).all():
        i, j = at(~np.isfinite(matrix))
        refuse(f"[{i}, {j}] = {matrix[i, j]}: must be finite")
    variances = np.diag(matrix)
    if (variances < 0).any():
        i = int(np.argmin(variances))
        refuse(f"[{i}, {i}] = {matrix[i, i]}: a variance must not be negative")
    # Momenta and angles have other units: entries are measured by the variances of their row and column.
    sizes = np.sqrt(variances)
    known = np.where(sizes > 0, sizes, 1.0)
    with np.errstate(over="ignore"):
        scaled = matrix / known[:, None] / known
    lonely = (matrix != 0) & ((sizes == 0) | (sizes == 0)[:, None])
    if lonely.any():
        i, j = at(lonely)
        k = i if sizes[i] == 0 else j
        refuse(f"[{i}, {j}] = {matrix[i, j]}: must be 0 beside the variance {name}[{k}, {k}] = 0")
    beyond = np.abs(scaled) > 1 + _ROUNDING
    if beyond.any():
        i, j = at(beyond)
        refuse(f"[{i}, {j}] = {matrix[i, j]}: with variances {matrix[i, i]} and {matrix[j, j]} a correlation beyond 1")
    unequal = np.abs(scaled - scaled.T) > _ROUNDING
    if unequal.any():
        i, j = at(unequal)
        refuse(
            f"[{i}, {j}] = {matrix[i, j]} but {name}[{j}, {i}] = {matrix[j, i]}: must be symmetric, as a covariance is"
        )
    least = float(np.linalg.eigvalsh((scaled + scaled.T) / 2)[0])
    if least < -_ROUNDING:
        refuse(
            f": is no covariance: the least eigenvalue of its correlations (entries divided by the roots of the "
            f"variances of row and column) is {least:.3g}; none may be below 0 by more than rounding, {_ROUNDING}"
        )
    return (0.5 * matrix + 0.5 * matrix.T).ravel().tolist()


def unpacked(
    t: Any, rows: Doubles, held: str, *, by_inertia: bool = True, names: tuple[str, ...] = ()
) -> Tangent:
    """The derivatives in rows of the compiled part, for times of any shape."""
    shape, blocks, place = np.shape(t), {}, 0
    for name, part in _ROW:
        width = int(np.prod(part))
        blocks[name] = np.ascontiguousarray(rows[..., place : place + width]).reshape(*shape, *part)
        place += width
    parameters = np.ascontiguousarray(rows[..., place:]).reshape(*shape, 6, len(names))
    states = States(t, blocks["momentum"], blocks["omega"], blocks["attitude"])
    return Tangent(
        states,
        blocks["state_transition"],
        blocks["inertia"] if by_inertia else None,
        blocks["inertia_off"] if by_inertia else None,
        blocks["time"],
        held,
        parameters,
        names,
    )


def of_run(body: Body, t: Any, rows: Doubles, *, by_inertia: bool = True, names: tuple[str, ...] = ()) -> Tangent:
    """The same of a run or a solution, whose rows hold the momentum; a body that was given its angular velocity holds
    that."""
    found = unpacked(t, rows, "momentum", by_inertia=by_inertia, names=names)
    if not holds_omega(body):
        return found
    if found.inertia is None or found.inertia_off is None:
        return replace(found, held="angular velocity")
    inertia, off = holding_omega(body, found.state_transition[..., :3], found.inertia, found.inertia_off)
    return replace(found, inertia=inertia, inertia_off=off, held="angular velocity")


def holds_omega(body: Body) -> bool:
    """True of a body that was given its angular velocity."""
    return body._arguments["omega"] is not None


def holding_omega(
    body: Body, by_momentum: Doubles, inertia: Doubles, inertia_off: Doubles
) -> tuple[Doubles, Doubles]:
    """Derivatives by the inertia at a fixed angular velocity at the start, from those at a fixed momentum: the momentum
    at the start changes by dI omega. The last axes are I11, I22, I33 and I12, I13, I23."""
    omega, (i, j) = body.omega, ([0, 0, 1], [1, 2, 2])
    mixed = by_momentum[..., i] * omega[j] + by_momentum[..., j] * omega[i]
    return inertia + by_momentum * omega, inertia_off + mixed


def parameter_names(torque: TorqueLike) -> tuple[str, ...]:
    """The names of the parameters by which derivatives are taken."""
    return tuple(name for name, _ in _polhode.torque_parameters(_parts(torque)))
