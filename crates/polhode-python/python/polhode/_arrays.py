"""From what users give to arrays of doubles."""

from __future__ import annotations

import operator
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import InvalidInput
from ._units import plain

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

Doubles = NDArray[np.float64]


def real(name: str, value: ArrayLike) -> Doubles:
    """Real numbers of any shape as aligned, contiguous doubles; ``name`` is for the error."""
    try:
        array = np.asarray(plain(name, value))
    except InvalidInput:
        raise
    except ValueError as error:
        raise InvalidInput(name, f"{name}: {error}") from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: must be real numbers, not {_described(value, array)}")
    return np.require(array, dtype=np.float64, requirements=["C", "A"])


def flat(array: Doubles) -> Doubles:
    """In a row, as the compiled part takes it. What comes through a network may be misaligned."""
    return np.require(array, dtype=np.float64, requirements=["C", "A"]).ravel()


def _described(value: Any, array: NDArray[Any]) -> str:
    if array.dtype.kind in "US":
        return f"the text {value!r}" if isinstance(value, (str, bytes)) else "texts"
    if array.dtype.kind != "O":
        return f"{array.dtype}"
    if not array.ndim:
        return type(value).__name__
    for one in array.flat:
        if not isinstance(one, Real):
            return f"an array with a {type(one).__name__} in it"
    # Fractions, or whole numbers beyond 64 bits.
    return "an array of objects; convert it, as by astype(float)"


def number(name: str, value: ArrayLike) -> float:
    """One real number."""
    # What most callers give, without the microseconds that an array takes.
    if type(value) is float:
        return value
    array = real(name, value)
    if array.ndim:
        raise InvalidInput(name, f"{name}: must be one number, not an array of shape {array.shape}")
    return float(array)


def count(name: str, value: Any, least: int = 1) -> int:
    """A whole number that is large enough."""
    try:
        n = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: must be a whole number, not {type(value).__name__}") from None
    if not least <= n < 2**63:
        raise InvalidInput(name, f"{name} = {n}: must be at least {least} and below 2**63")
    return n


def word(name: str, value: Any, *allowed: str) -> str:
    """One of a few words."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidInput(name, f"{name} = {value!r}: must be {' or '.join(map(repr, allowed))}")
    return value


def flag(name: str, value: Any) -> bool:
    """Yes or no; of any other value the truth would be a guess."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: must be a bool, not {type(value).__name__}")
    return bool(value)


def vector(name: str, value: ArrayLike) -> Doubles:
    """Three numbers."""
    array = real(name, value)
    if array.shape != (3,):
        raise InvalidInput(name, f"{name}: must have shape (3,), not {array.shape}")
    return array


def quaternion(name: str, value: ArrayLike | Rotation) -> Doubles:
    """Attitudes (..., 4), scalar first; of a SciPy Rotation, which knows its own order."""
    as_quat = getattr(value, "as_quat", None)
    if callable(as_quat):
        return np.ascontiguousarray(np.roll(real(name, as_quat()), 1, axis=-1))
    array = real(name, value)  # type: ignore[arg-type]
    if array.ndim == 0 or array.shape[-1] != 4:
        raise InvalidInput(
            name,
            f"{name}: must be four numbers (w, x, y, z), scalar first, or a scipy Rotation; "
            f"not an array of shape {array.shape}",
        )
    return array


def ordered_times(name: str, given: ArrayLike, start: float, end: float) -> Doubles:
    """Times within a span, in the order in which they are passed."""
    times = np.array(real(name, given))
    if times.ndim != 1:
        raise InvalidInput(name, f"{name}: must be times in a row, not of shape {times.shape}")
    if not times.size:
        return times
    low, high = min(start, end), max(start, end)
    wrong = ~(np.isfinite(times) & (low <= times) & (times <= high))
    wrong[1:] |= np.diff(times) <= 0 if end >= start else np.diff(times) >= 0
    if wrong.any():
        index = int(wrong.argmax())
        raise InvalidInput(
            name,
            f"{name}[{index}] = {float(times[index])!r}: times must be finite, lie between {float(start)!r} and "
            f"{float(end)!r}, and follow each other in that direction",
        )
    return times


def broadcast(**named: ArrayLike) -> tuple[tuple[int, ...], list[Doubles]]:
    """The common shape, and the arrays brought to it, flat."""
    arrays = {name: real(name, value) for name, value in named.items()}
    try:
        shape = np.broadcast_shapes(*(a.shape for a in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for name, a in arrays.items())
        names = ", ".join(arrays)
        raise InvalidInput(names, f"shapes do not broadcast: {shapes}") from None
    return shape, [np.broadcast_to(a, shape).ravel() for a in arrays.values()]
