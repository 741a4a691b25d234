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
attitude is normalised, and so is its variation: it has three degrees of freedom. The derivatives of a tensor of inertia
are those of its symmetric part. What is wrong with a number, not with a shape, is said by the exception that JAX makes
of an error on the host: it contains polhode's message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _polhode
from ._arrays import flag, number
from ._body import Body
from ._errors import InvalidInput, PolhodeError, missing
from ._free import FreeMotion
from ._solve import default_settings
from ._tangent import WIDTH
from .torques import Part, TorqueLike, _parts, kinds

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
            FreeMotion.of(body)._core.tangent(times.ravel(), part.reshape(-1))
            found[index] = part
        return found

    def states(rows: _Rows) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        m, q = np.empty((*rows.shape, 3)), np.empty((*rows.shape, 4))
        for index, body in rows.bodies(allowed):
            there = FreeMotion.of(body).at(rows.t[index])
            m[index], q[index] = there.momentum, there.attitude
        return m, q

    entries, m, q = _start(inertia, momentum, attitude)
    times = _double("t", t)
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

    length = _double("h", h)
    if length.shape != ():
        raise InvalidInput("h", f"h: must be one number, not of shape {length.shape}; jax.vmap makes many steps")
    return _differentiable(states, tangents)(*_start(inertia, momentum, attitude), length, jnp.zeros(0))


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
        It is not traced. A callable without a ``jacobian`` is differentiated by differences.
    parameters : dict of arrays, optional
        Numbers of the torque that JAX differentiates by, in place of those it has: for instance ``{"heavy-top.centre":
        centre}``, or ``{"formula.k": k}`` for a constant of a formula. Their names are those of
        ``polhode.solve(..., tangent=True).tangent.parameter_names``, of a vector without its component.
    tolerance : float
        The error wanted of the state, and of every column of derivatives relative to it.

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
    wanted = number("tolerance", tolerance)
    settings = default_settings(wanted)
    settable = _Parameters(torque, {} if parameters is None else parameters)
    given = [_double(f"parameters[{name!r}]", value) for name, value in (parameters or {}).items()]
    end = _double("until", until)
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
    return _differentiable(states, tangents)(*_start(inertia, momentum, attitude), end, together)


class _Rows:
    """What the host is given: inertia, momentum, attitude, time and parameters of a batch."""

    def __init__(self, *given: Any) -> None:
        entries, m, q, t, parameters = (np.asarray(array, dtype=np.float64) for array in given)
        self.shape = np.broadcast_shapes(*(a.shape[:-1] for a in (entries, m, q, parameters)), t.shape)
        #: Of the bodies alone: one for all times, or one each.
        self._batch = np.broadcast_shapes(*(a.shape[:-1] for a in (entries, m, q)))
        if entries.shape[-1] == 6:
            entries = entries[..., [0, 3, 4, 3, 1, 5, 4, 5, 2]]
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


def _start(inertia: Array, momentum: Array, attitude: Array) -> tuple[Array, Array, Array]:
    """The entries of the inertia, 3 or (11, 22, 33, 12, 13, 23), momentum and attitude."""
    body, m, q = _double("inertia", inertia), _double("momentum", momentum), _double("attitude", attitude)
    for name, array, shapes in (("inertia", body, [(3,), (3, 3)]), ("momentum", m, [(3,)]), ("attitude", q, [(4,)])):
        if array.shape not in shapes:
            allowed = " or ".join(map(str, shapes))
            text = f"{name}: must have shape {allowed}, not {array.shape}; jax.vmap makes many bodies"
            raise InvalidInput(name, text)
    if body.ndim == 2:
        off = (body + body.T) / 2
        body = jnp.stack([*jnp.diag(body), off[0, 1], off[0, 2], off[1, 2]])
    return body, m, q


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
        if entries.size == 6:
            inertia = jnp.concatenate([inertia, off], axis=1)
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


@dataclass(frozen=True)
class _Slot:
    """Where an array belongs: which part of the torque, its key, which of all numbers, and its shape."""

    part: int
    key: str
    numbers: slice
    shape: tuple[int, ...]


class _Parameters:
    """The numbers of a torque that are given as arrays: where they belong."""

    def __init__(self, torque: TorqueLike, given: Mapping[str, Any]) -> None:
        self._given = _parts(torque)
        known = _polhode.torque_parameters(self._given)
        names = [name for name, _ in known]
        #: Their places among the parameters of the torque.
        self.places: list[int] = []
        self.slots: list[_Slot] = []
        for name, value in given.items():
            vector = [place for place, one in enumerate(names) if one.rpartition(".")[0] == name]
            places = [names.index(name)] if name in names else vector
            label, _, key = str(name).partition(".")
            if not places or not key:
                groups = sorted({one[:-2] if one[-2:] in (".x", ".y", ".z") else one for one in names})
                text = f"the torque has no {name!r}; it has {', '.join(groups) or 'no parameters'}"
                raise InvalidInput("parameters", f"parameters: {text}")
            shape = () if name in names else (len(places),)
            if np.shape(value) not in ((), shape):
                text = f"parameters[{name!r}]: must have shape {shape}, not {np.shape(value)}"
                raise InvalidInput("parameters", text)
            numbers = slice(len(self.places), len(self.places) + len(places))
            self.slots.append(_Slot(self._part(label), key, numbers, shape))
            self.places += places
        self._try([value for _, value in known])

    def _part(self, label: str) -> int:
        """Which part of the torque a label like ``heavy-top#2`` is."""
        kind, _, which = label.partition("#")
        parts = enumerate(self._given)
        of_kind = [place for place, part in parts if isinstance(part, tuple) and part[0] == kind]
        return of_kind[int(which or 1) - 1]

    def _try(self, values: list[float]) -> None:
        """Fails if a number that is set is not the one the torque then has: a derivative by it would be another."""
        wanted = [1.25 * values[place] + 0.125 for place in self.places]
        for slot in self.slots:
            try:
                changed = _polhode.torque_parameters(self.parts(wanted))
                found = [changed[place][1] for place in self.places[slot.numbers]]
            except InvalidInput:
                found = []
            if found != wanted[slot.numbers]:
                text = f"{slot.key!r} cannot be given as an array: the torque scales it, or makes it of other numbers"
                raise InvalidInput("parameters", f"parameters: {text}")

    def parts(self, values: Any) -> list[Part]:
        """The torque with these numbers, for the compiled part."""
        parts = list(self._given)
        for slot in self.slots:
            numbers = tuple(float(x) for x in values[slot.numbers])
            kind, keys = parts[slot.part]  # type: ignore[misc]
            changed: dict[str, Any] = dict(keys)
            if any(one.name == slot.key for known in kinds() if known.kind == kind for one in known.keys):
                changed[slot.key] = numbers if slot.shape else numbers[0]
            else:
                # A constant of a formula.
                changed["constants"] = {**changed.get("constants", {}), slot.key: numbers[0]}
            parts[slot.part] = (kind, list(changed.items()))
        return parts
