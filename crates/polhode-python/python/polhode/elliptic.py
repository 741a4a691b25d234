"""Jacobi's elliptic functions, elliptic integrals and theta functions, on the whole real line.

Everything here behaves as NumPy's own functions do (each calls a ufunc): arguments broadcast; ``out=``,
``where=``, ``dtype=`` and the other keywords of a ufunc are passed on; single precision stays single
precision; pandas, xarray and Dask get back what they gave; NaN in is NaN out.

A parameter is ``m = k**2``, positional or by keyword as in SciPy, or the complementary ``mc = 1 - k**2`` by
keyword. Neither is rounded to make the other: what lies near ``m = 1`` needs ``mc``, what lies near
``m = 0`` needs ``m``. Likewise the characteristic ``n`` or its complement ``nc = 1 - n``.

>>> sn(100.0, mc=1e-10)  # scipy.special.ellipj(100, 1 - 1e-10) gives +1
np.float64(-0.99664079541...)

Outside a domain (where a result would be complex) the result is NaN, as SciPy has it. ``check=True``, or
`checked` for a whole block, raises `polhode.InvalidInput` instead, which says what is wrong:

>>> K(2.0)
np.float64(nan)
>>> K(2.0, check=True)
Traceback (most recent call last):
    ...
polhode._errors.InvalidInput: m = 2.0 is outside its domain (m <= 1, mc >= 0)

SciPy's names are here too: `ellipk`, `ellipkm1`, `ellipe`, `ellipkinc`, `ellipeinc`, `ellipj`, `elliprf` and so
on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _polhode
from ._errors import InvalidInput

__all__ = [
    "B", "D", "E", "F", "K", "Pi", "RC", "RD",
    "RF", "RG", "RJ", "am", "arccn", "arcdn", "arcsn", "cd",
    "cel", "checked", "cn", "cs", "dc", "dn", "ds", "ellipe",
    "ellipeinc", "ellipj", "ellipk", "ellipkinc", "ellipkm1", "elliprc", "elliprd", "elliprf",
    "elliprg", "elliprj", "inverse_nome", "nc", "nd", "nome", "ns", "sc",
    "sd", "sn", "theta1", "theta2", "theta3", "theta4", "zeta",
]

# A float for scalars, an array otherwise, or what the arguments came in: as NumPy's own functions.
Result = Any

_checking: ContextVar[bool] = ContextVar("_checking", default=False)


@contextmanager
def checked(on: bool = True) -> Iterator[None]:
    """Within this block arguments outside a domain raise `polhode.InvalidInput`.

    >>> with checked():
    ...     F(1.5, 2.0)
    Traceback (most recent call last):
        ...
    polhode._errors.InvalidInput: m = 2.0 is outside its domain (m sin^2 <= 1 from 0 to phi, or the integral is complex)
    """
    before = _checking.set(on)
    try:
        yield
    finally:
        _checking.reset(before)


def sn(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The sine of the amplitude.

    >>> sn(0.5, mc=0) == np.tanh(0.5)
    np.True_
    >>> sn([0.5, 1.5], [-3, 3]).round(6)
    array([0.532212, 0.42935 ])
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _SN[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_SN, (u,), m, mc, check, options)


def cn(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The cosine of the amplitude.

    >>> cn(0.5, m=0) == np.cos(0.5)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _CN[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_CN, (u,), m, mc, check, options)


def dn(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The square root of ``1 - m sn**2``, without its cancellation; for ``m > 1`` it changes sign.

    >>> dn(30.0, mc=0) * np.cosh(30.0)  # where 1 - sn**2 is zero
    np.float64(1.0)
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _DN[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_DN, (u,), m, mc, check, options)


def am(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The amplitude, the inverse of `F`: continuous in ``u``, not reduced to a period.

    >>> round(am(F(2.0, m=0.7), m=0.7), 12)
    np.float64(2.0)
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _AM[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_AM, (u,), m, mc, check, options)


def ns(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``1/sn``, infinite at its poles.

    >>> ns(0.5, 0.3) == 1 / sn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _NS[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_NS, (u,), m, mc, check, options)


def nc(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``1/cn``, infinite at its poles.

    >>> nc(0.5, 0.3) == 1 / cn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _NC[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_NC, (u,), m, mc, check, options)


def nd(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``1/dn``, infinite at its poles.

    >>> nd(0.5, 0.3) == 1 / dn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _ND[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_ND, (u,), m, mc, check, options)


def sc(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``sn/cn``, infinite at its poles.

    >>> sc(0.5, 0.3) == sn(0.5, 0.3) / cn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _SC[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_SC, (u,), m, mc, check, options)


def sd(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``sn/dn``, infinite at its poles.

    >>> sd(0.5, 0.3) == sn(0.5, 0.3) / dn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _SD[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_SD, (u,), m, mc, check, options)


def cd(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``cn/dn``, infinite at its poles.

    >>> cd(0.5, 0.3) == cn(0.5, 0.3) / dn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _CD[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_CD, (u,), m, mc, check, options)


def cs(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``cn/sn``, infinite at its poles.

    >>> cs(0.5, 0.3) == cn(0.5, 0.3) / sn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _CS[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_CS, (u,), m, mc, check, options)


def ds(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``dn/sn``, infinite at its poles.

    >>> ds(0.5, 0.3) == dn(0.5, 0.3) / sn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _DS[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_DS, (u,), m, mc, check, options)


def dc(
    u: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """``dn/cn``, infinite at its poles.

    >>> dc(0.5, 0.3) == dn(0.5, 0.3) / cn(0.5, 0.3)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _DC[0](u, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_DC, (u,), m, mc, check, options)


def ellipj(
    u: ArrayLike, m: ArrayLike | None = None, *, mc: ArrayLike | None = None, check: bool | None = None, **options: Any
) -> tuple[Result, Result, Result, Result]:
    """sn, cn, dn and am at once, in the order of ``scipy.special.ellipj``.

    >>> s, c, d, phi = ellipj([0.5, 1.5], m=0.3)
    >>> s**2 + c**2
    array([1., 1.])
    """
    if any(hasattr(x, "__dask_graph__") for x in (u, m, mc)):
        # Dask knows functions of one result.
        return tuple(f(u, m, mc=mc, check=check, **options) for f in (sn, cn, dn, am))
    found: tuple[Result, Result, Result, Result] = _of_parameter(_ELLIPJ, (u,), m, mc, check, options)
    return found


def arcsn(
    x: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The ``u`` of least size with ``sn(u, m) = x``.

    >>> round(sn(arcsn(0.5, m=0.7), m=0.7), 15)
    np.float64(0.5)
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _ARCSN[0](x, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_ARCSN, (x,), m, mc, check, options)


def arccn(
    x: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The least ``u >= 0`` with ``cn(u, m) = x``.

    >>> arccn(-1.0, m=0.7) == 2 * K(0.7)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _ARCCN[0](x, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_ARCCN, (x,), m, mc, check, options)


def arcdn(
    x: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The least ``u >= 0`` with ``dn(u, m) = x``.

    >>> round(dn(arcdn(0.8, m=0.7), m=0.7), 15)
    np.float64(0.8)
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _ARCDN[0](x, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_ARCDN, (x,), m, mc, check, options)


def K(
    m: ArrayLike | None = None, *, mc: ArrayLike | None = None, check: bool | None = None, **options: Any
) -> Result:
    """The complete integral of the first kind, for ``m <= 1``.

    >>> K(mc=1e-300)  # scipy.special.ellipk knows no such m
    np.float64(346.77405831...)
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _COMPLETE_K[0](m)
        except ValueError:
            pass  # told below
    return _of_parameter(_COMPLETE_K, (), m, mc, check, options)


def F(
    phi: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The incomplete integral of the first kind, for any amplitude; for ``m > 1`` where it is real.

    >>> F(np.pi, m=0.5) == 2 * K(m=0.5)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _INCOMPLETE_F[0](phi, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_INCOMPLETE_F, (phi,), m, mc, check, options)


def E(
    phi: ArrayLike | None = None,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The integral of the second kind: incomplete as ``E(phi, m)``, complete as ``E(m)``.

    >>> E(mc=0), E(1.0), E(np.pi / 2, 1.0)
    (np.float64(1.0), np.float64(1.0), np.float64(1.0))
    """
    if phi is not None and mc is None and check is None and not options and not _checking.get():
        try:
            return _COMPLETE_E[0](phi) if m is None else _INCOMPLETE_E[0](phi, m)
        except ValueError:
            pass  # told below
    if phi is None:
        return _of_parameter(_COMPLETE_E, (), m, mc, check, options)
    if m is None and mc is None:
        return _of_parameter(_COMPLETE_E, (), phi, None, check, options)
    return _of_parameter(_INCOMPLETE_E, (phi,), m, mc, check, options)


def D(
    phi: ArrayLike | None = None,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The integral of ``sin**2/sqrt(1 - m sin**2)``, ``(F - E)/m``: ``D(phi, m)``, complete ``D(m)``.

    >>> D(0.0) == np.pi / 4
    np.True_
    """
    if phi is not None and mc is None and check is None and not options and not _checking.get():
        try:
            return _COMPLETE_D[0](phi) if m is None else _INCOMPLETE_D[0](phi, m)
        except ValueError:
            pass  # told below
    if phi is None:
        return _of_parameter(_COMPLETE_D, (), m, mc, check, options)
    if m is None and mc is None:
        return _of_parameter(_COMPLETE_D, (), phi, None, check, options)
    return _of_parameter(_INCOMPLETE_D, (phi,), m, mc, check, options)


def B(
    phi: ArrayLike | None = None,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The integral of ``cos**2/sqrt(1 - m sin**2)``, ``F - D``: ``B(phi, m)``, complete ``B(m)``.

    >>> B(0.0) == np.pi / 4
    np.True_
    """
    if phi is not None and mc is None and check is None and not options and not _checking.get():
        try:
            return _COMPLETE_B[0](phi) if m is None else _INCOMPLETE_B[0](phi, m)
        except ValueError:
            pass  # told below
    if phi is None:
        return _of_parameter(_COMPLETE_B, (), m, mc, check, options)
    if m is None and mc is None:
        return _of_parameter(_COMPLETE_B, (), phi, None, check, options)
    return _of_parameter(_INCOMPLETE_B, (phi,), m, mc, check, options)


def Pi(
    phi: ArrayLike | None = None,
    *,
    n: ArrayLike | None = None,
    nc: ArrayLike | None = None,
    m: ArrayLike | None = None,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """The integral of the third kind: incomplete, or complete without an amplitude.

    The integrand is ``1/((1 - n sin**2) sqrt(1 - m sin**2))``; for ``n > 1`` it is the Cauchy principal value.

    >>> Pi(0.3, n=0, m=0.64) == F(0.3, m=0.64)
    np.True_
    >>> Pi(n=2, m=0.5)
    np.float64(-0.31354468346...)
    """
    if (n is None) == (nc is None):
        raise TypeError("n, nc: give exactly one of the two, by keyword")
    forms = (_COMPLETE_PI if phi is None else _INCOMPLETE_PI)[n is None]
    arguments = (nc if n is None else n,)
    return _of_parameter(forms, arguments if phi is None else (phi, *arguments), m, mc, check, options)


def zeta(
    phi: ArrayLike,
    m: ArrayLike | None = None,
    *,
    mc: ArrayLike | None = None,
    check: bool | None = None,
    **options: Any,
) -> Result:
    """Jacobi's zeta function of the amplitude, ``E(phi, m) - E(m) F(phi, m)/K(m)``.

    >>> zeta(0.5, mc=0) == np.sin(0.5)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _ZETA[0](phi, m)
        except ValueError:
            pass  # told below
    return _of_parameter(_ZETA, (phi,), m, mc, check, options)


def nome(
    m: ArrayLike | None = None, *, mc: ArrayLike | None = None, check: bool | None = None, **options: Any
) -> Result:
    """The nome ``exp(-pi K(1 - m)/K(m))``; negative for ``m < 0``.

    >>> nome(0.5) == np.exp(-np.pi)
    np.True_
    """
    if mc is None and m is not None and check is None and not options and not _checking.get():
        try:
            return _NOME[0](m)
        except ValueError:
            pass  # told below
    return _of_parameter(_NOME, (), m, mc, check, options)


def inverse_nome(q: ArrayLike, *, check: bool | None = None, **options: Any) -> tuple[Result, Result]:
    """The parameter that has this nome, as ``m`` and as ``mc = 1 - m``.

    >>> m, mc = inverse_nome(nome(0.25))
    >>> round(m, 15), round(mc, 15)
    (np.float64(0.25), np.float64(0.75))
    """
    found: tuple[Result, Result] = _called(_polhode.inverse_nome, (q,), check, options)
    return found


def theta1(z: ArrayLike, q: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Jacobi's theta function number 1, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta1(0.3, 0.7) == -theta1(-0.3, 0.7)
    np.True_
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.theta1(z, q)
        except ValueError:
            pass  # told below
    return _called(_polhode.theta1, (z, q), check, options)


def theta2(z: ArrayLike, q: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Jacobi's theta function number 2, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta2(0.0, 0.0)
    np.float64(0.0)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.theta2(z, q)
        except ValueError:
            pass  # told below
    return _called(_polhode.theta2, (z, q), check, options)


def theta3(z: ArrayLike, q: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Jacobi's theta function number 3, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta3(0.3, 0.0)
    np.float64(1.0)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.theta3(z, q)
        except ValueError:
            pass  # told below
    return _called(_polhode.theta3, (z, q), check, options)


def theta4(z: ArrayLike, q: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Jacobi's theta function number 4, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta4(0.3, 0.2) == theta3(0.3, -0.2)
    np.True_
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.theta4(z, q)
        except ValueError:
            pass  # told below
    return _called(_polhode.theta4, (z, q), check, options)


def cel(
    kc: ArrayLike, p: ArrayLike, a: ArrayLike, b: ArrayLike, *, check: bool | None = None, **options: Any
) -> Result:
    """Bulirsch's complete integral of ``(a cos**2 + b sin**2)/((cos**2 + p sin**2) sqrt(cos**2 + kc**2 sin**2))``.

    >>> round(cel(0.5, 1, 1, 1) / K(mc=0.25), 15)
    np.float64(1.0)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.cel(kc, p, a, b)
        except ValueError:
            pass  # told below
    return _called(_polhode.cel, (kc, p, a, b), check, options)


def RF(x: ArrayLike, y: ArrayLike, z: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Carlson's symmetric integral of the first kind.

    >>> RF(4, 4, 4)
    np.float64(0.5)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.rf(x, y, z)
        except ValueError:
            pass  # told below
    return _called(_polhode.rf, (x, y, z), check, options)


def RC(x: ArrayLike, y: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Carlson's degenerate integral, ``RF(x, y, y)``; for ``y < 0`` its Cauchy principal value.

    >>> RC(0, 0.25) == np.pi
    np.True_
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.rc(x, y)
        except ValueError:
            pass  # told below
    return _called(_polhode.rc, (x, y), check, options)


def RD(x: ArrayLike, y: ArrayLike, z: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Carlson's integral of the second kind, symmetric in ``x`` and ``y``.

    >>> RD(4, 4, 4)
    np.float64(0.125)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.rd(x, y, z)
        except ValueError:
            pass  # told below
    return _called(_polhode.rd, (x, y, z), check, options)


def RG(x: ArrayLike, y: ArrayLike, z: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """Carlson's integral of the second kind, symmetric in all three.

    >>> RG(4, 4, 4)
    np.float64(2.0)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.rg(x, y, z)
        except ValueError:
            pass  # told below
    return _called(_polhode.rg, (x, y, z), check, options)


def RJ(
    x: ArrayLike, y: ArrayLike, z: ArrayLike, p: ArrayLike, *, check: bool | None = None, **options: Any
) -> Result:
    """Carlson's integral of the third kind, symmetric in ``x``, ``y``, ``z``; for ``p < 0`` its principal value.

    >>> round(RJ(2, 3, 4, 4) / RD(2, 3, 4), 15)
    np.float64(1.0)
    """
    if check is None and not options and not _checking.get():
        try:
            return _polhode.rj(x, y, z, p)
        except ValueError:
            pass  # told below
    return _called(_polhode.rj, (x, y, z, p), check, options)


def ellipkm1(p: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """SciPy's name for ``K(mc=p)``.

    >>> ellipkm1(1e-300) == K(mc=1e-300)
    np.True_
    """
    return K(mc=p, check=check, **options)


def ellipe(m: ArrayLike, *, check: bool | None = None, **options: Any) -> Result:
    """SciPy's name for the complete `E`.

    >>> ellipe(1.0)
    np.float64(1.0)
    """
    return E(m=m, check=check, **options)


# Each function calls its ufunc at once where nothing else is asked for: what follows costs as much as the
# call itself.


def _of_parameter(
    forms: tuple[np.ufunc, np.ufunc],
    arguments: tuple[Any, ...],
    m: Any,
    mc: Any,
    check: bool | None,
    options: dict[str, Any],
) -> Result:
    """What the form for m, or that for mc, makes of the arguments and the parameter."""
    if mc is None:
        if m is None:
            raise TypeError("m, mc: give exactly one of the two")
        return _called(forms[0], (*arguments, m), check, options)
    if m is not None:
        raise TypeError("m, mc: give exactly one of the two")
    return _called(forms[1], (*arguments, mc), check, options)


def _called(ufunc: np.ufunc, arguments: tuple[Any, ...], check: bool | None, options: dict[str, Any]) -> Result:
    try:
        found = ufunc(*arguments, **options)
    except ValueError as error:
        if "broadcast" not in str(error):
            raise
        raise InvalidInput(*_shapes(ufunc, arguments)) from None
    if check or (check is None and _checking.get()):
        _raise_for_nan(ufunc, arguments, found)
    return found


# The names of the arguments of each ufunc, for messages.
_NAMES = {
    "complete_pi": ("{n}", "{m}"), "incomplete_pi": ("phi", "{n}", "{m}"), "incomplete": ("phi", "{m}"),
    "complete": ("{m}",), "zeta": ("phi", "{m}"), "nome": ("{m}",), "arc": ("x", "{m}"), "inverse": ("q",),
    "theta": ("z", "q"), "cel": ("kc", "p", "a", "b"), "rc": ("x", "y"), "rj": ("x", "y", "z", "p"),
    "rf": ("x", "y", "z"), "rd": ("x", "y", "z"), "rg": ("x", "y", "z"),
}  # fmt: skip


def _shapes(ufunc: np.ufunc, arguments: tuple[Any, ...]) -> tuple[str, str]:
    """The names of the arguments, and a message about their shapes."""
    name = ufunc.__name__
    words = name.split("_")
    names = next((v for k, v in _NAMES.items() if name.startswith(k)), ("u", "{m}"))
    n, m = "nc" if "nc" in words[1:-1] else "n", words[-1]
    known = [text.format(n=n, m=m) for text in names]
    shapes = ", ".join(f"{text} {np.shape(value)}" for text, value in zip(known, arguments, strict=True))
    return ", ".join(known), f"shapes do not broadcast: {shapes}"


def _raise_for_nan(ufunc: np.ufunc, arguments: tuple[Any, ...], found: Any) -> None:
    """Raises for the first argument outside the domain, if there is one."""
    values = np.asarray(found[0] if isinstance(found, tuple) else found, dtype=np.float64)
    if not np.isnan(values).any():
        return
    columns = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in arguments))
    given = np.isnan(columns).any(axis=0)
    for at in np.argwhere(np.isnan(ufunc(*columns)[0] if ufunc.nout > 1 else ufunc(*columns)) & ~given):
        _polhode.explain(ufunc.__name__, [float(column[tuple(at)]) for column in columns])


# Each in two forms: of m and of mc.
_SN = (_polhode.sn_m, _polhode.sn_mc)
_CN = (_polhode.cn_m, _polhode.cn_mc)
_DN = (_polhode.dn_m, _polhode.dn_mc)
_AM = (_polhode.am_m, _polhode.am_mc)
_NS = (_polhode.ns_m, _polhode.ns_mc)
_NC = (_polhode.nc_m, _polhode.nc_mc)
_ND = (_polhode.nd_m, _polhode.nd_mc)
_SC = (_polhode.sc_m, _polhode.sc_mc)
_SD = (_polhode.sd_m, _polhode.sd_mc)
_CD = (_polhode.cd_m, _polhode.cd_mc)
_CS = (_polhode.cs_m, _polhode.cs_mc)
_DS = (_polhode.ds_m, _polhode.ds_mc)
_DC = (_polhode.dc_m, _polhode.dc_mc)
_ELLIPJ = (_polhode.ellipj_m, _polhode.ellipj_mc)
_ARCSN = (_polhode.arcsn_m, _polhode.arcsn_mc)
_ARCCN = (_polhode.arccn_m, _polhode.arccn_mc)
_ARCDN = (_polhode.arcdn_m, _polhode.arcdn_mc)
_COMPLETE_K = (_polhode.complete_k_m, _polhode.complete_k_mc)
_INCOMPLETE_F = (_polhode.incomplete_f_m, _polhode.incomplete_f_mc)
_COMPLETE_E = (_polhode.complete_e_m, _polhode.complete_e_mc)
_INCOMPLETE_E = (_polhode.incomplete_e_m, _polhode.incomplete_e_mc)
_COMPLETE_D = (_polhode.complete_d_m, _polhode.complete_d_mc)
_INCOMPLETE_D = (_polhode.incomplete_d_m, _polhode.incomplete_d_mc)
_COMPLETE_B = (_polhode.complete_b_m, _polhode.complete_b_mc)
_INCOMPLETE_B = (_polhode.incomplete_b_m, _polhode.incomplete_b_mc)
_ZETA = (_polhode.zeta_m, _polhode.zeta_mc)
_NOME = (_polhode.nome_m, _polhode.nome_mc)
_COMPLETE_PI = (
    (_polhode.complete_pi_n_m, _polhode.complete_pi_n_mc),
    (_polhode.complete_pi_nc_m, _polhode.complete_pi_nc_mc),
)
_INCOMPLETE_PI = (
    (_polhode.incomplete_pi_n_m, _polhode.incomplete_pi_n_mc),
    (_polhode.incomplete_pi_nc_m, _polhode.incomplete_pi_nc_mc),
)


# SciPy's names for the same functions. (It has no Legendre integral of the third kind.)
ellipk = K
ellipkinc = F
ellipeinc = E
elliprf = RF
elliprc = RC
elliprd = RD
elliprg = RG
elliprj = RJ
