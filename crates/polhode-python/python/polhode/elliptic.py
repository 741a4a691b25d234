"""Jacobi's elliptic functions, elliptic integrals and theta functions, on the whole real line.

Everything here behaves as NumPy's own functions do (each calls a ufunc): arguments broadcast; ``out`` (also by
position, after all arguments), ``where=``, ``dtype=`` and the other keywords of a ufunc are passed on; single
precision stays single precision, all else is double; pandas, xarray and Dask get back what they gave; NaN in
is NaN out.

A parameter is ``m = k**2``, positional or by keyword as in SciPy, or the complementary ``mc = 1 - k**2`` by
keyword. Neither is rounded to make the other: what lies near ``m = 1`` needs ``mc``, what lies near
``m = 0`` needs ``m``. Likewise the characteristic ``n`` or its complement ``nc = 1 - n``.

>>> sn(100.0, mc=1e-10)  # scipy.special.ellipj(100, 1 - 1e-10) gives +1
np.float64(-0.99664079541...)

Outside a domain (where a result would be complex, or beyond 2**50 half periods, where it has no digits) the result
is NaN, as SciPy has it. ``check=True``, or `checked` for a whole block, raises `polhode.InvalidInput` instead, which
says what is wrong:

>>> K(2.0)
np.float64(nan)
>>> K(2.0, check=True)
Traceback (most recent call last):
    ...
polhode._errors.InvalidInput: m = 2.0 is outside its domain (m <= 1, mc >= 0)

SciPy's names are here too: `ellipk`, `ellipkm1`, `ellipe`, `ellipkinc`, `ellipeinc`, `ellipj`, `elliprf` and so on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike as Array

from . import _polhode
from ._ufuncs import (
    Result, checking, chosen, complete, complete_or_not, forms, of_numbers, of_parameter, several, with_outputs,
    with_parameter,
)  # fmt: skip

__all__ = [
    "B", "D", "E", "F", "K", "Pi", "RC", "RD", "RF", "RG", "RJ", "am", "arccn", "arcdn", "arcsn", "cd", "cel",
    "checked", "cn", "cs", "dc", "dn", "ds", "ellipe", "ellipeinc", "ellipj", "ellipk", "ellipkinc", "ellipkm1",
    "elliprc", "elliprd", "elliprf", "elliprg", "elliprj", "inverse_nome", "nc", "nd", "nome", "ns", "sc", "sd", "sn",
    "theta1", "theta2", "theta3", "theta4", "zeta",
]

Given = Array | None
Check = bool | None


@contextmanager
def checked(on: bool = True) -> Iterator[None]:
    """Within this block arguments outside a domain raise `polhode.InvalidInput`.

    >>> with checked():
    ...     F(1.5, 2.0)
    Traceback (most recent call last):
        ...
    polhode._errors.InvalidInput: m = 2.0 is outside its domain (m sin^2 <= 1 from 0 to phi, or the integral is complex)
    """
    before = checking.set(on)
    try:
        yield
    finally:
        checking.reset(before)


@of_parameter("sn")
def sn(u: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The sine of the amplitude.

    >>> sn(0.5, mc=0) == np.tanh(0.5)
    np.True_
    >>> sn([0.5, 1.5], [-3, 3]).round(6)
    array([0.532212, 0.42935 ])
    """


@of_parameter("cn")
def cn(u: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The cosine of the amplitude.

    >>> cn(0.5, m=0) == np.cos(0.5)
    np.True_
    """


@of_parameter("dn")
def dn(u: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The square root of ``1 - m sn**2``, without its cancellation; for ``m > 1`` it changes sign.

    >>> dn(30.0, mc=0) * np.cosh(30.0)  # where 1 - sn**2 is zero
    np.float64(1.0)
    """


@of_parameter("am")
def am(u: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The amplitude, the inverse of `F`: continuous in ``u``, not reduced to a period.

    >>> round(am(F(2.0, m=0.7), m=0.7), 12)
    np.float64(2.0)
    """


def _quotient(name: str, quotient: str, example: str) -> Any:
    @of_parameter(name)
    def function(u: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
        pass

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""``{quotient}``, infinite at its poles.

    >>> {name}(0.5, 0.3) == {example}
    np.True_
    """
    return function


ns = _quotient("ns", "1/sn", "1 / sn(0.5, 0.3)")
nc = _quotient("nc", "1/cn", "1 / cn(0.5, 0.3)")
nd = _quotient("nd", "1/dn", "1 / dn(0.5, 0.3)")
sc = _quotient("sc", "sn/cn", "sn(0.5, 0.3) / cn(0.5, 0.3)")
sd = _quotient("sd", "sn/dn", "sn(0.5, 0.3) / dn(0.5, 0.3)")
cd = _quotient("cd", "cn/dn", "cn(0.5, 0.3) / dn(0.5, 0.3)")
cs = _quotient("cs", "cn/sn", "cn(0.5, 0.3) / sn(0.5, 0.3)")
ds = _quotient("ds", "dn/sn", "dn(0.5, 0.3) / sn(0.5, 0.3)")
dc = _quotient("dc", "dn/cn", "dn(0.5, 0.3) / cn(0.5, 0.3)")


def ellipj(
    u: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any
) -> tuple[Result, Result, Result, Result]:
    """sn, cn, dn and am at once, in the order of ``scipy.special.ellipj``.

    >>> s, c, d, phi = ellipj([0.5, 1.5], m=0.3)
    >>> s**2 + c**2
    array([1., 1.])
    """
    form, names, arguments = chosen(("u",), (u,), m, mc)
    options = with_outputs(options, out, 4)
    found: tuple[Result, Result, Result, Result]
    found = several(_ELLIPJ[form], _PARTS[form], names, arguments, check, options)
    return found


_ELLIPJ = forms("ellipj")
_PARTS = tuple(zip(*map(forms, ("sn", "cn", "dn", "am")), strict=True))


@of_parameter("arcsn")
def arcsn(x: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The ``u`` of least size with ``sn(u, m) = x``.

    >>> round(sn(arcsn(0.5, m=0.7), m=0.7), 15)
    np.float64(0.5)
    """


@of_parameter("arccn")
def arccn(x: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The least ``u >= 0`` with ``cn(u, m) = x``.

    >>> arccn(-1.0, m=0.7) == 2 * K(0.7)
    np.True_
    """


@of_parameter("arcdn")
def arcdn(x: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The least ``u >= 0`` with ``dn(u, m) = x``.

    >>> round(dn(arcdn(0.8, m=0.7), m=0.7), 15)
    np.float64(0.8)
    """


@complete("complete_k")
def K(m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The complete integral of the first kind, for ``m <= 1``.

    >>> K(mc=1e-300)  # scipy.special.ellipk knows no such m
    np.float64(346.77405831...)
    """


@of_parameter("incomplete_f")
def F(phi: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The incomplete integral of the first kind, for any amplitude; for ``m > 1`` where it is real.

    >>> F(np.pi, m=0.5) == 2 * K(m=0.5)
    np.True_
    """


@complete_or_not("incomplete_e", "complete_e")
def E(phi: Given = None, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The integral of the second kind: incomplete as ``E(phi, m)``, complete as ``E(m)``.

    >>> E(mc=0), E(1.0), E(np.pi / 2, 1.0)
    (np.float64(1.0), np.float64(1.0), np.float64(1.0))
    """


@complete_or_not("incomplete_d", "complete_d")
def D(phi: Given = None, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The integral of ``sin**2/sqrt(1 - m sin**2)``, ``(F - E)/m``: ``D(phi, m)``, complete ``D(m)``.

    >>> D(0.0) == np.pi / 4
    np.True_
    """


@complete_or_not("incomplete_b", "complete_b")
def B(phi: Given = None, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The integral of ``cos**2/sqrt(1 - m sin**2)``, ``F - D``: ``B(phi, m)``, complete ``B(m)``.

    >>> B(0.0) == np.pi / 4
    np.True_
    """


def Pi(
    phi: Given = None, *, n: Given = None, nc: Given = None, m: Given = None, mc: Given = None,
    check: Check = None, **options: Any,
) -> Result:  # fmt: skip
    """The integral of the third kind: incomplete, or complete without an amplitude.

    The integrand is ``1/((1 - n sin**2) sqrt(1 - m sin**2))``; for ``n > 1`` it is the Cauchy principal value.

    >>> Pi(0.3, n=0, m=0.64) == F(0.3, m=0.64)
    np.True_
    >>> Pi(n=2, m=0.5)
    np.float64(-0.31354468346...)
    """
    if (n is None) == (nc is None):
        raise TypeError("n, nc: give exactly one of the two, by keyword")
    name, value = ("nc", nc) if n is None else ("n", n)
    if phi is None:
        return with_parameter(_COMPLETE_PI[name], (name,), (value,), m, mc, check, options)
    return with_parameter(_INCOMPLETE_PI[name], ("phi", name), (phi, value), m, mc, check, options)


_COMPLETE_PI = {name: forms(f"complete_pi_{name}") for name in ("n", "nc")}
_INCOMPLETE_PI = {name: forms(f"incomplete_pi_{name}") for name in ("n", "nc")}


@of_parameter("zeta")
def zeta(phi: Array, m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """Jacobi's zeta function of the amplitude, ``E(phi, m) - E(m) F(phi, m)/K(m)``.

    >>> zeta(0.5, mc=0) == np.sin(0.5)
    np.True_
    """


@complete("nome")
def nome(m: Given = None, *out: Any, mc: Given = None, check: Check = None, **options: Any) -> Result:
    """The nome ``exp(-pi K(1 - m)/K(m))``; negative for ``m < 0``.

    >>> nome(0.5) == np.exp(-np.pi)
    np.True_
    """


def inverse_nome(q: Array, *out: Any, check: Check = None, **options: Any) -> tuple[Result, Result]:
    """The parameter that has this nome, as ``m`` and as ``mc = 1 - m``.

    >>> m, mc = inverse_nome(nome(0.25))
    >>> round(m, 15), round(mc, 15)
    (np.float64(0.25), np.float64(0.75))
    """
    parts = (_polhode.inverse_nome_m, _polhode.inverse_nome_mc)
    options = with_outputs(options, out, 2)
    found: tuple[Result, Result] = several(_polhode.inverse_nome, parts, ("q",), (q,), check, options)
    return found


@of_numbers("theta1")
def theta1(z: Array, q: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Jacobi's theta function number 1, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta1(0.3, 0.7) == -theta1(-0.3, 0.7)
    np.True_
    """


@of_numbers("theta2")
def theta2(z: Array, q: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Jacobi's theta function number 2, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta2(0.0, 0.0)
    np.float64(0.0)
    """


@of_numbers("theta3")
def theta3(z: Array, q: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Jacobi's theta function number 3, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta3(0.3, 0.0)
    np.float64(1.0)
    """


@of_numbers("theta4")
def theta4(z: Array, q: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Jacobi's theta function number 4, of argument ``z`` (period 2 pi) and nome ``q``.

    >>> theta4(0.3, 0.2) == theta3(0.3, -0.2)
    np.True_
    """


@of_numbers("cel")
def cel(kc: Array, p: Array, a: Array, b: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Bulirsch's complete integral of ``(a cos**2 + b sin**2)/((cos**2 + p sin**2) sqrt(cos**2 + kc**2 sin**2))``.

    >>> round(cel(0.5, 1, 1, 1) / K(mc=0.25), 15)
    np.float64(1.0)
    """


@of_numbers("rf")
def RF(x: Array, y: Array, z: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Carlson's symmetric integral of the first kind.

    >>> RF(4, 4, 4)
    np.float64(0.5)
    """


@of_numbers("rc")
def RC(x: Array, y: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Carlson's degenerate integral, ``RF(x, y, y)``; for ``y < 0`` its Cauchy principal value.

    >>> RC(0, 0.25) == np.pi
    np.True_
    """


@of_numbers("rd")
def RD(x: Array, y: Array, z: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Carlson's integral of the second kind, symmetric in ``x`` and ``y``.

    >>> RD(4, 4, 4)
    np.float64(0.125)
    """


@of_numbers("rg")
def RG(x: Array, y: Array, z: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Carlson's integral of the second kind, symmetric in all three.

    >>> RG(4, 4, 4)
    np.float64(2.0)
    """


@of_numbers("rj")
def RJ(x: Array, y: Array, z: Array, p: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """Carlson's integral of the third kind, symmetric in ``x``, ``y``, ``z``; for ``p < 0`` its principal value.

    >>> round(RJ(2, 3, 4, 4) / RD(2, 3, 4), 15)
    np.float64(1.0)
    """


@of_numbers("complete_k_mc")
def ellipkm1(p: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """SciPy's name for ``K(mc=p)``.

    >>> ellipkm1(1e-300) == K(mc=1e-300)
    np.True_
    """


@of_parameter("incomplete_e")
def ellipeinc(phi: Array, m: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """SciPy's name for the incomplete `E`.

    >>> ellipeinc(0.3, 0.4) == E(0.3, 0.4)
    np.True_
    """


@of_numbers("complete_e_m")
def ellipe(m: Array, *out: Any, check: Check = None, **options: Any) -> Result:
    """SciPy's name for the complete `E`.

    >>> ellipe(1.0)
    np.float64(1.0)
    """


# SciPy's names for the same functions. (It has no Legendre integral of the third kind.)
ellipk = K
ellipkinc = F
elliprf = RF
elliprc = RC
elliprd = RD
elliprg = RG
elliprj = RJ
