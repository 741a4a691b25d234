"""Jacobi's elliptic functions and elliptic integrals, on the whole real line.

Arguments broadcast as those of NumPy's functions do. Every function that depends on a modulus takes
it by keyword, as the parameter ``m = k**2`` or as the complementary parameter ``mc = 1 - k**2``; what
lies near ``m = 1`` needs ``mc``, because ``m`` has no digits left there. Likewise the characteristic
``n`` or its complement ``nc = 1 - n``.

>>> sn(100.0, mc=1e-10)  # scipy.special.ellipj(100, 1 - 1e-10) gives +1
np.float64(-0.99664079541...)

Arguments outside a domain raise `polhode.InvalidInput`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._arrays import Doubles, broadcast, real
from ._errors import InvalidInput

__all__ = ["E", "F", "K", "Pi", "RC", "RD", "RF", "RJ", "am", "cn", "dn", "ellipj", "sn"]

# A float for scalars, an array otherwise: what NumPy's own functions return.
Result = Any


def ellipj(
    u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None
) -> tuple[Result, Result, Result, Result]:
    """sn, cn, dn and am at once, in the order of ``scipy.special.ellipj``.

    The amplitude is continuous in ``u``, not reduced to a period.

    >>> s, c, d, phi = ellipj([0.5, 1.5], m=0.3)
    >>> s**2 + c**2
    array([1., 1.])
    """
    sn, cn, dn, am = _called(_polhode.jacobi, _Named("u", u), _parameter(m, mc))
    return sn, cn, dn, am


def sn(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The sine of the amplitude.

    >>> sn(0.5, mc=0) == np.tanh(0.5)
    np.True_
    """
    return ellipj(u, m=m, mc=mc)[0]


def cn(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The cosine of the amplitude.

    >>> cn(0.5, m=0) == np.cos(0.5)
    np.True_
    """
    return ellipj(u, m=m, mc=mc)[1]


def dn(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The square root of ``1 - m sn**2``, without its cancellation.

    >>> dn(30.0, mc=0) * np.cosh(30.0)  # where 1 - sn**2 is zero
    np.float64(1.0)
    """
    return ellipj(u, m=m, mc=mc)[2]


def am(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The amplitude, the inverse of `F`.

    >>> round(am(F(2.0, m=0.7), m=0.7), 12)
    np.float64(2.0)
    """
    return ellipj(u, m=m, mc=mc)[3]


def K(*, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The complete integral of the first kind.

    >>> K(mc=1e-300)  # scipy.special.ellipk knows no such m
    np.float64(346.77405831...)
    """
    return _called(_polhode.complete_k, _parameter(m, mc))


def F(phi: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The incomplete integral of the first kind, for any amplitude.

    >>> F(np.pi, m=0.5) == 2 * K(m=0.5)
    np.True_
    """
    return _called(_polhode.incomplete_f, _Named("phi", phi), _parameter(m, mc))


def E(
    phi: ArrayLike | None = None, *, m: ArrayLike | None = None, mc: ArrayLike | None = None
) -> Result:
    """The integral of the second kind: incomplete for any amplitude, complete without one.

    >>> E(mc=0)
    np.float64(1.0)
    """
    if phi is None:
        return _called(_polhode.complete_e, _parameter(m, mc))
    return _called(_polhode.incomplete_e, _Named("phi", phi), _parameter(m, mc))


def Pi(
    phi: ArrayLike | None = None,
    *,
    n: ArrayLike | None = None,
    nc: ArrayLike | None = None,
    m: ArrayLike | None = None,
    mc: ArrayLike | None = None,
) -> Result:
    """The integral of the third kind: incomplete, or complete without an amplitude.

    The integrand is ``1/((1 - n sin**2) sqrt(1 - m sin**2))``.

    >>> Pi(0.3, n=0, m=0.64) == F(0.3, m=0.64)
    np.True_
    """
    characteristic = _complement("n", n, "nc", nc, unit=False)
    if phi is None:
        return _called(_polhode.complete_pi, characteristic, _parameter(m, mc))
    return _called(_polhode.incomplete_pi, _Named("phi", phi), characteristic, _parameter(m, mc))


def RF(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Result:
    """Carlson's symmetric integral of the first kind.

    >>> RF(4, 4, 4)
    np.float64(0.5)
    """
    return _called(_polhode.rf, _Named("x", x), _Named("y", y), _Named("z", z))


def RC(x: ArrayLike, y: ArrayLike) -> Result:
    """Carlson's degenerate integral, ``RF(x, y, y)``.

    >>> RC(0, 0.25) == np.pi
    np.True_
    """
    return _called(_polhode.rc, _Named("x", x), _Named("y", y))


def RD(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Result:
    """Carlson's integral of the second kind, symmetric in ``x`` and ``y``.

    >>> RD(4, 4, 4)
    np.float64(0.125)
    """
    return _called(_polhode.rd, _Named("x", x), _Named("y", y), _Named("z", z))


def RJ(x: ArrayLike, y: ArrayLike, z: ArrayLike, p: ArrayLike) -> Result:
    """Carlson's integral of the third kind, symmetric in ``x``, ``y`` and ``z``.

    >>> RJ(2, 3, 4, 4) == RD(2, 3, 4)
    np.True_
    """
    return _called(_polhode.rj, _Named("x", x), _Named("y", y), _Named("z", z), _Named("p", p))


class _Named(NamedTuple):
    """An argument by the name it has here, and what the compiled part calls it if that is another."""

    name: str
    value: ArrayLike
    inner: str = ""


def _parameter(m: ArrayLike | None, mc: ArrayLike | None) -> _Named:
    return _complement("m", m, "mc", mc)


def _complement(
    name: str,
    value: ArrayLike | None,
    complement_name: str,
    complement: ArrayLike | None,
    *,
    unit: bool = True,
) -> _Named:
    """The complement: as given, or 1 - value. ``unit``: the value must lie within 0 and 1."""
    if value is None and complement is not None:
        return _Named(complement_name, complement)
    if value is None or complement is not None:
        raise TypeError(f"{name}, {complement_name}: give exactly one of the two, by keyword")
    given = real(name, value)
    bad = ~((given >= 0) & (given <= 1)) if unit else ~np.isfinite(given)
    if bad.any():
        allowed = f"0 <= {name} <= 1" if unit else "finite"
        worst = float(given[bad].flat[0])
        raise InvalidInput(name, f"{name} = {worst!r} is outside its domain ({allowed})")
    return _Named(name, 1.0 - given, complement_name)


def _called(function: Callable[..., Any], *arguments: _Named) -> Result:
    """What the function makes of the arguments, broadcast; several results in a tuple."""
    shape, columns = broadcast(**{argument.name: argument.value for argument in arguments})
    try:
        found = function(*columns)
    except InvalidInput as error:
        for name, _, inner in arguments:
            if inner == error.argument:
                raise InvalidInput(name, f"{name} = 1 - {inner}, and {error}") from None
        raise
    if isinstance(found, tuple):
        return tuple(_shaped(column, shape) for column in found)
    return _shaped(found, shape)


def _shaped(flat: Doubles, shape: tuple[int, ...]) -> Result:
    return flat.reshape(shape)[()]
