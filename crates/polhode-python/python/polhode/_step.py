"""One free step of many bodies, for loops of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polhode
from ._arrays import Doubles, flag, flat, quaternion, real
from ._errors import InvalidInput

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


def step(
    inertia: ArrayLike,
    momentum: ArrayLike,
    attitude: ArrayLike | Rotation,
    h: ArrayLike,
    rotor: str = "exact",
    *,
    out: tuple[NDArray[Any], NDArray[Any]] | None = None,
    allow_unphysical: bool = False,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """One step of free motion: what a splitting method calls between two kicks.

    Bodies broadcast as NumPy does it: each may have its own inertia, state and step. Rotors with
    `MethodInfo.in_lanes` advance several bodies at once, and many bodies are done on all cores. Each body
    has the bits that a new rotor of the Rust library gives it.

    Parameters
    ----------
    inertia : array_like, shape (..., 3) or (..., 3, 3)
        Principal moments, or tensors. What ends in (3, 3) is tensors.
    momentum : array_like, shape (..., 3)
        In the body frame.
    attitude : array_like, shape (..., 4), or Rotation
        From body to space, scalar first. It is normalised, unless it is of unit length to 1e-8: steps after
        each other then have the bits of one run.
    h : array_like, shape (...)
        The length of the step, of either sign.
    rotor : str
        `polhode.methods` lists them, with ``kind="rotor"``.
    out : pair of arrays, optional
        Where momentum and attitude are written, for instance back to where they came from. After an
        error they hold whatever was done until then.
    allow_unphysical : bool
        As for `Body`.

    Returns
    -------
    momentum, attitude : arrays of shape (..., 3) and (..., 4)
        Those of ``out`` if it is given.

    Raises
    ------
    InvalidInput
        If an argument is not allowed, or a step too long for its body; it names the argument and the first
        body at fault, counted from 0 in the order of memory.

    Examples
    --------
    A thousand heavy tops, kicked and moved:

    >>> m = np.random.default_rng(1).normal(size=(1000, 3))
    >>> q = np.tile([1.0, 0, 0, 0], (1000, 1))
    >>> h, centre = 0.01, np.array([0, 0, 1.0])
    >>> for _ in range(10):
    ...     w, x, y, z = q.T
    ...     up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1)
    ...     m -= h * np.cross(centre, up)
    ...     m, q = step([1, 5, 6], m, q, h, out=(m, q))
    >>> bool(abs(np.linalg.norm(q, axis=-1) - 1).max() < 1e-14)
    True
    """
    if not isinstance(rotor, str):
        raise TypeError(f"rotor: must be a str, not {type(rotor).__name__}")
    spin, turned, steps = real("momentum", momentum), quaternion("attitude", attitude), real("h", h)
    if spin.ndim == 0 or spin.shape[-1] != 3:
        raise InvalidInput("momentum", f"momentum: must have shape (..., 3), not {spin.shape}")
    moments = real("inertia", inertia)
    bodies = _broadcast(momentum=spin.shape[:-1], attitude=turned.shape[:-1], h=steps.shape)
    per_body = _inertia_axes(moments, bodies)
    batch = moments.shape[: moments.ndim - per_body]
    shape = _broadcast(inertia=batch, momentum=spin.shape[:-1], attitude=turned.shape[:-1], h=steps.shape)
    # One for all, or one each.
    if moments.size > 3**per_body:
        moments = np.broadcast_to(moments, shape + moments.shape[-per_body:])
    if steps.size > 1:
        steps = np.broadcast_to(steps, shape)
    wanted = ((*shape, 3), (*shape, 4))
    if out is None:
        results = np.empty(wanted[0]), np.empty(wanted[1])
    else:
        out = _checked_out(out, wanted)
        others = (moments, steps)
        direct = _is_plain(out[0], turned, *others) and _is_plain(out[1], spin, *others)
        results = out if direct else (np.empty(wanted[0]), np.empty(wanted[1]))
    np.copyto(results[0], spin)
    np.copyto(results[1], turned)
    allowed = flag("allow_unphysical", allow_unphysical)
    _polhode.step(
        rotor, flat(moments), 3**per_body, allowed, flat(steps), results[0].reshape(-1), results[1].reshape(-1)
    )
    if out is None or results is out:
        return results
    np.copyto(out[0], results[0], casting="same_kind")
    np.copyto(out[1], results[1], casting="same_kind")
    return out


def _broadcast(**shapes: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        names = ", ".join(shapes)
        raise InvalidInput(names, f"bodies do not broadcast: {text}") from None


def _inertia_axes(moments: Doubles, bodies: tuple[int, ...]) -> int:
    """How many axes the inertia of one body has: 1 for moments, 2 for a tensor."""
    if moments.ndim == 0 or moments.shape[-1] != 3:
        raise InvalidInput("inertia", f"inertia: must have shape (..., 3) or (..., 3, 3), not {moments.shape}")
    if moments.shape[-2:] != (3, 3):
        return 1
    if 0 < moments.ndim - 1 <= len(bodies) and bodies[-1] == 3:
        raise InvalidInput(
            "inertia",
            f"inertia: of shape {moments.shape} for bodies of shape {bodies}: tensors, or moments of each? "
            "Give a tensor for each of them",
        )
    return 2


def _checked_out(out: Any, wanted: tuple[tuple[int, ...], ...]) -> tuple[NDArray[Any], NDArray[Any]]:
    if not isinstance(out, tuple) or len(out) != 2 or not all(isinstance(one, np.ndarray) for one in out):
        raise TypeError("out: must be a tuple of two arrays, for momentum and attitude")
    for name, array, shape in zip(("momentum", "attitude"), out, wanted, strict=True):
        if array.shape != shape:
            raise InvalidInput("out", f"out: that of the {name} must have shape {shape}, not {array.shape}")
        if array.dtype.kind != "f":
            raise TypeError(f"out: that of the {name} must hold floats, not {array.dtype}")
        if not array.flags.writeable:
            raise InvalidInput("out", f"out: that of the {name} is read-only")
    if np.may_share_memory(out[0], out[1]) and np.shares_memory(out[0], out[1]):
        raise InvalidInput("out", "out: its two arrays overlap")
    return out


def _is_plain(array: NDArray[Any], *others: Doubles) -> bool:
    """Whether the compiled part can work in the array itself, while others are read."""
    contiguous = array.flags.c_contiguous and array.flags.aligned and array.dtype == np.dtype(np.float64)
    return contiguous and not any(np.may_share_memory(array, other) for other in others)
