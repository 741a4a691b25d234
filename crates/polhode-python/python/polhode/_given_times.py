"""The span, the first step and the absolute tolerance of a solution, as a user gives them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._arrays import number, real
from ._errors import InvalidInput

#: Of a shorter one there is no inverse.
_SHORTEST_SPAN = 1e-300


def read_span(until: ArrayLike | None, t_span: ArrayLike | None, t0: ArrayLike | None) -> tuple[float, float]:
    """The start and the end."""
    if (until is None) == (t_span is None):
        raise TypeError("until, t_span: give exactly one of the two")
    if t_span is None:
        assert until is not None
        start, end = 0.0 if t0 is None else number("t0", t0), number("until", until)
        return start, _apart("until", start, end)
    if t0 is not None:
        raise TypeError("t0, t_span: the start is the first of t_span; give one of the two")
    pair = real("t_span", t_span)
    if pair.shape != (2,):
        raise InvalidInput("t_span", f"t_span: must be two numbers, start and end, not of shape {pair.shape}")
    if not np.isfinite(pair).all():
        raise InvalidInput("t_span", f"t_span = {tuple(pair.tolist())}: must be finite")
    return float(pair[0]), _apart("t_span", float(pair[0]), float(pair[1]))


def _apart(name: str, start: float, end: float) -> float:
    """The end, where a step can lead to it."""
    if 0 < abs(end - start) < _SHORTEST_SPAN:
        raise InvalidInput(
            name, f"{name}: the end, {end!r}, must be the start, {start!r}, or at least {_SHORTEST_SPAN} from it"
        )
    return end


def read_atol(given: ArrayLike) -> float:
    """The error of the momentum that may be, whatever its length."""
    array = real("atol", given)
    if array.ndim:
        raise InvalidInput(
            "atol",
            f"atol: must be one number, finite and not negative, not an array of shape {array.shape}: it is the error "
            "of the momentum as a whole; what an attitude may be off is its angle, tolerance",
        )
    return float(array)


def read_first_step(given: ArrayLike, span: float) -> float:
    """The first step to try, no longer than this span."""
    step = number("first_step", given)
    # A solution of no time takes no step.
    if 0 < span < step:
        raise InvalidInput(
            "first_step", f"first_step = {step!r}: must be positive and no longer than the span, {float(span)!r}"
        )
    return step
