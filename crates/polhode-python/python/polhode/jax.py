"""Motions as JAX functions, with derivatives in forward and reverse mode.

>>> import jax, jax.numpy as jnp
>>> jax.config.update("jax_enable_x64", True)
>>> import polhode.jax
>>> def height(momentum, t):
...     _, attitude = polhode.jax.free_motion([1.0, 2.0, 2.5], momentum, [1.0, 0.0, 0.0, 0.0], t)
...     w, x, y, z = attitude
...     return 1 - 2 * (x * x + y * y)
>>> jax.grad(height)(jnp.array([0.5, 2.0, 0.1]), 3.0).shape
(3,)

All three functions go through ``jvp``, ``grad``, ``jacfwd``, ``jacrev``, ``jit`` and ``vmap``. Values and Jacobians
are those of `polhode`, computed on the host: `free_motion` and `step` in closed form, `solve` to a tolerance. They have
first derivatives, not second ones. Double precision is required: ``jax.config.update("jax_enable_x64", True)``.

Conventions are those of `polhode`: momentum in the body frame, attitude from body to space with the scalar first. An
attitude is normalised, and so is its variation: it has three degrees of freedom. The derivatives by the inertia are at
a fixed momentum at the start; for a fixed angular velocity give ``inertia * omega`` (of moments) or ``inertia @ omega``
(of a tensor) as the momentum, and JAX differentiates that too.

A tensor of inertia must be symmetric, and so must be what it is varied by: the gradient by it is the symmetric matrix G
for which a small symmetric change D changes the result by ``sum(G * D)``. Each entry off the diagonal has half of what
`polhode.Tangent.inertia_off` says of the pair.

What is wrong with a shape or with a plain number is an `InvalidInput`. What is wrong with a number that JAX traces, as
in ``jit``, ``vmap`` and ``grad``, is known on the host only: JAX makes an exception of its own of it, which contains
the message of polhode.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from . import _polhode
from ._arrays import flag, number
from ._body import Body
from ._errors import InvalidInput, PolhodeError, missing
from ._free import FreeMotion
from ._parameters import Parameters
from ._solve import default_settings
from ._tangent import WIDTH
from .torques import TorqueLike

try:
    import jax
    import jax.numpy as jnp
except ModuleNotFoundError as error:
    raise missing("polhode.jax", "jax", error) from None

__all__ = ["free_motion", "solve", "step"]

#: What JAX makes arrays of.
Array = Any


def free_motion(
    inertia: Array, momentum: Array, attitude: Array, t: Array, *, allow_unphysical: bool = False
) -> tuple[Array, Array]:
    """Momentum and attitude of a free body after the time ``t``; see `polhode.FreeMotion`.

    Parameters
    ----------
    inertia : array, shape (3,) or (3, 3)
        The principal moments, or the tensor.
    momentum, attitude : arrays, shapes (3,) and (4,)
        The start.
    t : array of any shape S

    Returns
    -------
    momentum, attitude : arrays of shapes S + (3,) and S + (4,)

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> jax.config.update("jax_enable_x64", True)
    >>> m, q = free_motion([1.0, 2.0, 2.5], [0.5, 2.0, 0.1], [1.0, 0.0, 0.0, 0.0], jnp.arange(3.0))
    >>> m.shape, q.shape
    ((3, 3), (3, 4))
    """
    allowed = flag("allow_unphysical", allow_unphysical)

    def motions(rows: _Rows) -> np.ndarray[Any, Any]:
        found = np.empty((*rows.shape, WIDTH))
        for index, body in rows.bodies(allowed):
            times = np.ascontiguousarray(rows.t[index])
            part = np.empty((*times.shape, WIDTH))
            FreeMotion.of(body)._core.tangent(times.ravel(), part.reshape(-1), True)
            found[index] = part
        return found

    def states(rows: _Rows) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        m, q = np.empty((*rows.shape, 3)), np.empty((*rows.shape, 4))
        for index, body in rows.bodies(allowed):
            there = FreeMotion.of(body).at(rows.t[index])
            m[index], q[index] = there.momentum, there.attitude
        return m, q

    entries, m, q = _start(inertia, momentum, attitude, allowed)
    times = _times("t", t)
    move = _differentiable(states, motions)
    moved, turned = jax.vmap(lambda time: move(entries, m, q, time, jnp.zeros(0)))(times.ravel())
    return moved.reshape(*times.shape, 3), turned.reshape(*times.shape, 4)


def step(
    inertia: Array, momentum: Array, attitude: Array, h: Array, *, allow_unphysical: bool = False
) -> tuple[Array, Array]:
    """One exact step of free motion of length ``h``, for loops of one's own; see `polhode.step`.

    Parameters are those of `free_motion`, for one body and one step; ``jax.vmap`` makes many of them, which go through
    the compiled part together.

    Examples
    --------
    >>> jax.config.update("jax_enable_x64", True)
    >>> m, q = step([1.0, 2.0, 2.5], [0.5, 2.0, 0.1], [1.0, 0.0, 0.0, 0.0], 0.1)
    >>> m.shape, q.shape
    ((3,), (4,))
    """
    allowed = flag("allow_unphysical", allow_unphysical)

    def tangents(rows: _Rows) -> np.ndarray[Any, Any]:
        found = np.empty((*rows.shape, WIDTH))
        inertias, h, m, q = rows.flat()
        _polhode.step_tangent(inertias, rows.width, allowed, h, m, q, found.reshape(-1))
        return found

    def states(rows: _Rows) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        inertias, h, m, q = rows.flat()
        _polhode.step("exact", inertias, rows.width, allowed, h, m, q)
        return m.reshape(*rows.shape, 3), q.reshape(*rows.shape, 4)

    length = _times("h", h)
    if length.shape != ():
        raise InvalidInput("h", f"h: must be one number, not of shape {length.shape}; jax.vmap makes many steps")
    start = _start(inertia, momentum, attitude, allowed)
    return _differentiable(states, tangents)(*start, length, jnp.zeros(0))


def solve(
    inertia: Array,
    momentum: Array,
    attitude: Array,
    until: Array,
    torque: TorqueLike = None,
    parameters: Mapping[str, Array] | None = None,
    tolerance: float = 1e-10,
    *,
    allow_unphysical: bool = False,
) -> tuple[Array, Array]:
    """Momentum and attitude of a torqued body at the time ``until``, from time zero; see `polhode.solve`.

    Parameters
    ----------
    inertia, momentum, attitude : arrays
        As for `free_motion`.
    until : array, shape ()
        The end, before or after zero; ``jax.vmap`` makes many.
    torque : see `polhode.torques`
        It is not traced: a callable is given NumPy arrays, and is differentiated by its ``jacobian`` (see
        `polhode.torques.Function`), or by differences without one, which leaves some ten digits.
    parameters : dict of arrays, optional
        Numbers of the torque that JAX differentiates by, in place of those it has: for instance ``{"heavy-top.centre":
        centre}`` with a vector, ``{"heavy-top.centre.z": height}`` with one of its components, or ``{"formula.k": k}``
        for a constant of a formula. Their names are those of
        ``polhode.solve(..., tangent=True).tangent.parameter_names``, of a whole vector without the component.
    tolerance : float
        The error wanted of the state, and of every column of derivatives relative to it. It is not traced.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> import polhode
    >>> jax.config.update("jax_enable_x64", True)
    >>> def end(centre):
    ...     start = [1.0, 5.0, 6.0], [3.0, 5.0, 6.0], [1.0, 0.0, 0.0, 0.0]
    ...     m, _ = solve(*start, 2.0, polhode.torques.HeavyTop(), {"heavy-top.centre": centre})
    ...     return m
    >>> jax.jacfwd(end)(jnp.array([0.0, 0.0, 9.81])).shape
    (3, 3)
    """
    allowed = flag("allow_unphysical", allow_unphysical)
    wanted = _tolerance(tolerance)
    settings = default_settings(wanted)
    arrays = {} if parameters is None else parameters
    if not isinstance(arrays, Mapping):
        raise TypeError(f"parameters: must be a dict of names and arrays, not {type(arrays).__name__}")
    settable = Parameters(torque, arrays)
    given = [_double(f"parameters[{name!r}]", value) for name, value in arrays.items()]
    end = _times("until", until)
    if end.shape != ():
        raise InvalidInput("until", f"until: must be one number, not of shape {end.shape}; jax.vmap makes many")

    def tangents(rows: _Rows) -> np.ndarray[Any, Any]:
        found = np.empty((*rows.shape, WIDTH + 6 * len(settable.places)))
        for index in np.ndindex(rows.shape):
            parts, stop = settable.parts(rows.parameters[index]), float(rows.t[index])
            body = rows.body(index, allowed)
            solution = _polhode.solve_tangent(body._core, parts, 0.0, stop, wanted, [])
            (row,) = solution.at(np.array([stop]))
            columns = row[WIDTH:].reshape(6, -1)[:, settable.places]
            found[index] = np.concatenate([row[:WIDTH], columns.ravel()])
        return found

    def states(rows: _Rows) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        m, q = np.empty((*rows.shape, 3)), np.empty((*rows.shape, 4))
        for index in np.ndindex(rows.shape):
            parts, stop = settable.parts(rows.parameters[index]), float(rows.t[index])
            body = rows.body(index, allowed)
            _, (there, _, turned) = _polhode.solve(body._core, parts, 0.0, stop, np.array([stop]), settings).kept()
            m[index], q[index] = there[-1], turned[-1]
        return m, q

    numbers = [jnp.broadcast_to(value, slot.shape).ravel() for value, slot in zip(given, settable.slots, strict=True)]
    together = jnp.concatenate([jnp.zeros(0), *numbers])
    if _is_plain(together):
        _polhode.torque_parameters(settable.parts(np.asarray(together)))
    return _differentiable(states, tangents)(*_start(inertia, momentum, attitude, allowed), end, together)


class _Rows:
    """What the host is given: inertia, momentum, attitude, time and parameters of a batch."""

    def __init__(self, *given: Any) -> None:
        entries, m, q, t, parameters = (np.asarray(array, dtype=np.float64) for array in given)
        self.shape = np.broadcast_shapes(*(a.shape[:-1] for a in (entries, m, q, parameters)), t.shape)
        #: Of the bodies alone: one for all times, or one each.
        self._batch = np.broadcast_shapes(*(a.shape[:-1] for a in (entries, m, q)))
        self.width = entries.shape[-1]
        self.inertia, self.m, self.q = entries, m, q
        self.t = np.broadcast_to(t, self.shape)
        self.parameters = np.broadcast_to(parameters, (*self.shape, parameters.shape[-1]))

    def flat(self) -> tuple[Any, Any, Any, Any]:
        """Inertia, time, momentum and attitude, a row for each of the batch."""
        rows = (np.broadcast_to(a, (*self.shape, a.shape[-1])) for a in (self.inertia, self.m, self.q))
        inertia, m, q = (np.array(row).ravel() for row in rows)
        return inertia, np.array(self.t).ravel(), m, q

    def body(self, index: tuple[Any, ...], allowed: bool) -> Body:
        def at(array: Any) -> Any:
            return np.broadcast_to(array, (*self.shape, array.shape[-1]))[index]

        inertia = at(self.inertia)
        shaped = inertia.reshape(3, 3) if self.width == 9 else inertia
        return Body(shaped, momentum=at(self.m), attitude=at(self.q), allow_unphysical=allowed)

    def bodies(self, allowed: bool) -> Any:
        """Every body, and the index of all that is asked of it."""
        # Leading axes that only times have are axes of every body.
        batch = (1,) * (len(self.shape) - len(self._batch)) + self._batch
        for place in np.ndindex(batch):
            index = tuple(slice(None) if size == 1 else i for i, size in zip(place, batch, strict=True))
            yield index, self.body(place, allowed)


def _double(name: str, value: Any) -> Array:
    if not jax.config.jax_enable_x64:
        raise PolhodeError(
            'polhode.jax computes in double precision: jax.config.update("jax_enable_x64", True) before anything else'
        )
    array = jnp.asarray(value)
    if not (jnp.issubdtype(array.dtype, jnp.floating) or jnp.issubdtype(array.dtype, jnp.integer)):
        raise TypeError(f"{name}: must be real numbers, not {array.dtype}")
    return array.astype(jnp.float64)


def _is_plain(array: Array) -> bool:
    """True if its numbers are known here and now."""
    return not isinstance(array, jax.core.Tracer)


def _times(name: str, value: Any) -> Array:
    times = _double(name, value)
    if _is_plain(times) and not (finite := np.isfinite(times)).all():
        raise InvalidInput(name, f"{name} = {np.asarray(times)[~finite][0]}: a time must be finite")
    return times


def _tolerance(given: Any) -> float:
    if isinstance(given, jax.core.Tracer):
        raise TypeError("tolerance: must be a plain number: nothing is differentiated by it, and jit needs it static")
    wanted = number("tolerance", given)
    if not 1e-14 <= wanted <= 0.1:
        raise InvalidInput("tolerance", f"tolerance = {wanted!r}: allowed are 1e-14 to 0.1")
    return wanted


def _start(inertia: Array, momentum: Array, attitude: Array, allowed: bool) -> tuple[Array, Array, Array]:
    """The entries of the inertia, 3 or 9, momentum and attitude."""
    body, m, q = _double("inertia", inertia), _double("momentum", momentum), _double("attitude", attitude)
    for name, array, shapes in (("inertia", body, [(3,), (3, 3)]), ("momentum", m, [(3,)]), ("attitude", q, [(4,)])):
        if array.shape not in shapes:
            shaped = " or ".join(map(str, shapes))
            text = f"{name}: must have shape {shaped}, not {array.shape}; jax.vmap makes many bodies"
            raise InvalidInput(name, text)
    # What is known now is refused now, by polhode's own exception; what is traced, on the host.
    Body(
        np.asarray(body) if _is_plain(body) else np.ones(3),
        momentum=np.asarray(m) if _is_plain(m) else np.zeros(3),
        attitude=np.asarray(q) if _is_plain(q) else None,
        allow_unphysical=allowed,
    )
    return body.ravel(), m, q


def _differentiable(
    states: Callable[[_Rows], Any], tangents: Callable[[_Rows], Any]
) -> Callable[..., tuple[Array, Array]]:
    """A JAX function of entries, momentum, attitude, time and parameters, from two functions on the host."""

    def values(*given: Array) -> Any:
        shapes = (jax.ShapeDtypeStruct((3,), jnp.float64), jax.ShapeDtypeStruct((4,), jnp.float64))
        return jax.pure_callback(lambda *a: states(_Rows(*a)), shapes, *given, vmap_method="expand_dims")

    def rows(*given: Array) -> Any:
        shape = jax.ShapeDtypeStruct((WIDTH + 6 * given[-1].size,), jnp.float64)
        return jax.pure_callback(lambda *a: tangents(_Rows(*a)), shape, *given, vmap_method="expand_dims")

    jacobian = jax.custom_jvp(rows)
    jacobian.defjvp(_no_second)

    def changes(given: tuple[Array, ...], by: tuple[Array, ...]) -> Any:
        entries, _, q0, _, parameters = given
        d_entries, d_momentum, d_attitude, d_time, d_parameters = by
        row = jacobian(*given)
        m, q = row[:3], row[6:10]
        phi, inertia, off, time = _blocks(row)
        if entries.size == 9:
            # Two entries that are one number share its derivative.
            half = off / 2
            columns = [inertia[:, 0], half[:, 0], half[:, 1], half[:, 0], inertia[:, 1], half[:, 2]]
            inertia = jnp.stack([*columns, half[:, 1], half[:, 2], inertia[:, 2]], axis=1)
        turn = 2 * _product(_conjugate(q0), d_attitude)[1:] / (q0 @ q0)
        change = phi @ jnp.concatenate([d_momentum, turn]) + inertia @ d_entries + time * d_time
        change = change + row[WIDTH:].reshape(6, parameters.size) @ d_parameters
        d_q = _product(q, jnp.concatenate([jnp.zeros(1), change[3:]])) / 2
        return (m, q), (change[:3], d_q)

    differentiable = jax.custom_jvp(values)
    differentiable.defjvp(changes)
    move: Callable[..., tuple[Array, Array]] = differentiable
    return move


def _no_second(given: Any, by: Any) -> Any:
    raise NotImplementedError("polhode.jax: there are first derivatives, not second ones")


def _blocks(row: Array) -> tuple[Array, Array, Array, Array]:
    """State transition, inertia, entries off its diagonal, and time, of a row of the compiled part."""
    phi, inertia, off, time = row[10:46], row[46:64], row[64:82], row[82:88]
    return phi.reshape(6, 6), inertia.reshape(6, 3), off.reshape(6, 3), time


def _conjugate(q: Array) -> Array:
    return q * jnp.array([1.0, -1.0, -1.0, -1.0])


def _product(p: Array, q: Array) -> Array:
    vector = p[0] * q[1:] + q[0] * p[1:] + jnp.cross(p[1:], q[1:])
    return jnp.concatenate([jnp.array([p[0] * q[0] - p[1:] @ q[1:]]), vector])
