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
from typing import Any

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
    shape, columns = broadcast(u=u, mc=_complement("m", m, "mc", mc))
    first, second, third, fourth = _polhode.jacobi(*columns)
    return _shaped(first, shape), _shaped(second, shape), _shaped(third, shape), _shaped(fourth, shape)


def sn(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The sine of the amplitude.

    >>> sn(0.5, mc=0) == np.tanh(0.5)
    np.True_
    """
    return ellipj(u, m=m, mc=mc)[0]


def cn(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The cosine of the amplitude."""
    return ellipj(u, m=m, mc=mc)[1]


def dn(u: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The square root of ``1 - m sn**2``, without its cancellation."""
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
    return _called(_polhode.complete_k, mc=_complement("m", m, "mc", mc))


def F(phi: ArrayLike, *, m: ArrayLike | None = None, mc: ArrayLike | None = None) -> Result:
    """The incomplete integral of the first kind, for any amplitude.

    >>> F(np.pi, m=0.5) == 2 * K(m=0.5)
    np.True_
    """
    return _called(_polhode.incomplete_f, phi=phi, mc=_complement("m", m, "mc", mc))


def E(
    phi: ArrayLike | None = None, *, m: ArrayLike | None = None, mc: ArrayLike | None = None
) -> Result:
    """The integral of the second kind: incomplete for any amplitude, complete without one.

    >>> E(mc=0)
    np.float64(1.0)
    """
    parameter = _complement("m", m, "mc", mc)
    if phi is None:
        return _called(_polhode.complete_e, mc=parameter)
    return _called(_polhode.incomplete_e, phi=phi, mc=parameter)


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
    parameter = _complement("m", m, "mc", mc)
    if phi is None:
        return _called(_polhode.complete_pi, nc=characteristic, mc=parameter)
    return _called(_polhode.incomplete_pi, phi=phi, nc=characteristic, mc=parameter)


def RF(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Result:
    """Carlson's symmetric integral of the first kind.

    >>> RF(4, 4, 4)
    np.float64(0.5)
    """
    return _called(_polhode.rf, x=x, y=y, z=z)


def RC(x: ArrayLike, y: ArrayLike) -> Result:
    """Carlson's degenerate integral, ``RF(x, y, y)``."""
    return _called(_polhode.rc, x=x, y=y)


def RD(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> Result:
    """Carlson's integral of the second kind, symmetric in ``x`` and ``y``."""
    return _called(_polhode.rd, x=x, y=y, z=z)


def RJ(x: ArrayLike, y: ArrayLike, z: ArrayLike, p: ArrayLike) -> Result:
    """Carlson's integral of the third kind, symmetric in ``x``, ``y`` and ``z``."""
    return _called(_polhode.rj, x=x, y=y, z=z, p=p)


def _complement(
    name: str,
    value: ArrayLike | None,
    complement_name: str,
    complement: ArrayLike | None,
    *,
    unit: bool = True,
) -> ArrayLike:
    """The complement: as given, or 1 - value. ``unit``: the value must lie within 0 and 1."""
    if value is None and complement is not None:
        return complement
    if value is None or complement is not None:
        raise TypeError(f"{name}, {complement_name}: give exactly one of the two, by keyword")
    given = real(name, value)
    bad = ~((given >= 0) & (given <= 1)) if unit else ~np.isfinite(given)
    if bad.any():
        allowed = f"0 <= {name} <= 1" if unit else "finite"
        worst = float(given[bad].flat[0])
        raise InvalidInput(name, f"{name} = {worst!r} is outside its domain ({allowed})")
    return 1.0 - given


def _called(function: Callable[..., Doubles], **arguments: ArrayLike) -> Result:
    shape, columns = broadcast(**arguments)
    return _shaped(function(*columns), shape)


def _shaped(flat: Doubles, shape: tuple[int, ...]) -> Result:
    return flat.reshape(shape)[()]
