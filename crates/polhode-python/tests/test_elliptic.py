"""Elliptic functions against mpmath and SciPy, and their domains."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.special

import polhode
from polhode import elliptic

EPS = 2.0**-52
# Points of each of five tests. mpmath takes milliseconds for one: more of them are for those who ask.
POINTS = int(os.environ.get("POLHODE_POINTS", "400"))
# Enough for 1 - mc with the smallest mc, and 30 more.
mpmath.mp.dps = 70


def parameters(generator: np.random.Generator) -> np.ndarray:
    """Complementary parameters of every size, many of them tiny."""
    mc = 10.0 ** generator.uniform(-40, 0, POINTS)
    mc[: POINTS // 2] = generator.uniform(0, 1, POINTS // 2)
    return mc


def worst(got: np.ndarray, want: list[Any], slope: list[Any]) -> float:
    """The largest error, in what a relative error of eps in the argument and the result allow."""
    return max(
        float(abs(mpmath.mpf(float(g)) - w) / (EPS * (abs(w) + abs(s)))) for g, w, s in zip(got, want, slope, strict=True)
    )


def test_jacobi_functions_against_mpmath() -> None:
    generator = np.random.default_rng(1)
    mc = parameters(generator)
    u = generator.choice([-1, 1], POINTS) * 10.0 ** generator.uniform(-3, 3, POINTS)
    sn, cn, dn, am = elliptic.ellipj(u, mc=mc)
    want: dict[str, list[Any]] = {"sn": [], "cn": [], "dn": [], "phase": []}
    slopes: dict[str, list[Any]] = {"sn": [], "cn": [], "dn": [], "phase": []}
    for x, c, phi in zip(map(mpmath.mpf, u), map(mpmath.mpf, mc), am, strict=True):
        # Once around in mpmath first: its series for a large argument lose digits.
        period = 4 * mpmath.ellipk(1 - c)
        rest = x - period * mpmath.nint(x / period)
        s, k, d = (mpmath.ellipfun(name, rest, m=1 - c) for name in ("sn", "cn", "dn"))
        values = {"sn": (s, k * d), "cn": (k, -s * d), "dn": (d, -(1 - c) * s * k)}
        for name, (value, slope) in values.items():
            want[name].append(value)
            slopes[name].append(slope * x)
        # The amplitude: sine and cosine are right, and so is the number of turns.
        turned = mpmath.atan2(s, k) + 2 * mpmath.pi * mpmath.nint((x / period))
        want["phase"].append(turned)
        slopes["phase"].append(d * x)
    assert worst(sn, want["sn"], slopes["sn"]) < 4
    assert worst(cn, want["cn"], slopes["cn"]) < 4
    assert worst(dn, want["dn"], slopes["dn"]) < 4
    assert worst(am, want["phase"], slopes["phase"]) < 4


def test_first_and_second_kind_against_mpmath() -> None:
    generator = np.random.default_rng(2)
    mc = parameters(generator)
    phi = generator.uniform(-20, 20, POINTS)
    f, e = elliptic.F(phi, mc=mc), elliptic.E(phi, mc=mc)
    k, complete = elliptic.K(mc=mc), elliptic.E(mc=mc)
    exact = [(mpmath.mpf(p), 1 - mpmath.mpf(c)) for p, c in zip(phi, mc, strict=True)]
    roots = [mpmath.sqrt(1 - m * mpmath.sin(p) ** 2) for p, m in exact]
    none = [mpmath.mpf(0)] * POINTS
    assert worst(f, [mpmath.ellipf(p, m) for p, m in exact], [p / r for (p, _), r in zip(exact, roots, strict=True)]) < 4
    assert worst(e, [mpmath.ellipe(p, m) for p, m in exact], [p * r for (p, _), r in zip(exact, roots, strict=True)]) < 6
    assert worst(k, [mpmath.ellipk(m) for _, m in exact], none) < 4
    assert worst(complete, [mpmath.ellipe(m) for _, m in exact], none) < 4


def test_third_kind_against_mpmath() -> None:
    generator = np.random.default_rng(3)
    mc = parameters(generator)
    nc = 10.0 ** generator.uniform(-8, 3, POINTS)
    phi = generator.uniform(-1.5, 1.5, POINTS)
    exact = [(mpmath.mpf(p), 1 - mpmath.mpf(n), 1 - mpmath.mpf(c)) for p, n, c in zip(phi, nc, mc, strict=True)]
    want = [mpmath.ellippi(n, p, m) for p, n, m in exact]
    slope = [
        p / ((1 - n * mpmath.sin(p) ** 2) * mpmath.sqrt(1 - m * mpmath.sin(p) ** 2)) for p, n, m in exact
    ]
    assert worst(elliptic.Pi(phi, nc=nc, mc=mc), want, slope) < 5


def test_complete_third_kind_against_mpmath() -> None:
    generator = np.random.default_rng(4)
    mc, nc = parameters(generator), 10.0 ** generator.uniform(-8, 3, POINTS)
    want = [mpmath.ellippi(1 - mpmath.mpf(n), 1 - mpmath.mpf(c)) for n, c in zip(nc, mc, strict=True)]
    assert worst(elliptic.Pi(nc=nc, mc=mc), want, [mpmath.mpf(0)] * POINTS) < 5


def test_carlson_against_mpmath() -> None:
    generator = np.random.default_rng(5)
    x, y, z, p = 10.0 ** generator.uniform(-6, 6, (4, POINTS))
    none = [mpmath.mpf(0)] * POINTS

    def exact(function: Callable[..., Any], *columns: np.ndarray) -> list[Any]:
        return [function(*map(mpmath.mpf, row)) for row in zip(*columns, strict=True)]

    assert worst(elliptic.RF(x, y, z), exact(mpmath.elliprf, x, y, z), none) < 4
    assert worst(elliptic.RC(x, y), exact(mpmath.elliprc, x, y), none) < 4
    assert worst(elliptic.RD(x, y, z), exact(mpmath.elliprd, x, y, z), none) < 6
    assert worst(elliptic.RJ(x, y, z, p), exact(mpmath.elliprj, x, y, z, p), none) < 6


@pytest.mark.parametrize("u", [100.0, 1000.0])
def test_where_scipy_fails(u: float) -> None:
    m = 1 - 1e-10
    want = [mpmath.ellipfun(name, mpmath.mpf(u), m=mpmath.mpf(m)) for name in ("sn", "cn", "dn")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = scipy.special.ellipj(u, m)[0]
    assert not abs(peer - float(want[0])) < 1, "SciPy has learnt it: tell so in the documentation"
    for got in (elliptic.ellipj(u, m=m), elliptic.ellipj(u, mc=1 - m)):
        for name, (g, w) in zip(("sn", "cn", "dn"), zip(got, want, strict=False), strict=True):
            # u is a double, and so known to half an eps: all that is left at u = 1000.
            assert abs(g - float(w)) < EPS * (1 + u), name


def test_where_scipy_is_right() -> None:
    generator = np.random.default_rng(6)
    u, m = generator.uniform(-5, 5, 1000), generator.uniform(0, 0.9, 1000)
    for got, want in zip(elliptic.ellipj(u, m=m), scipy.special.ellipj(u, m), strict=True):
        assert np.abs(got - want).max() < 1e-13
    assert np.abs(elliptic.F(u, m=m) - scipy.special.ellipkinc(u, m)).max() < 1e-13
    assert np.abs(elliptic.E(u, m=m) - scipy.special.ellipeinc(u, m)).max() < 1e-13
    assert np.abs(elliptic.K(m=m) - scipy.special.ellipk(m)).max() < 1e-14
    x, y, z, p = generator.uniform(0.1, 9, (4, 1000))
    assert np.abs(elliptic.RJ(x, y, z, p) / scipy.special.elliprj(x, y, z, p) - 1).max() < 1e-14


def test_limits() -> None:
    assert elliptic.K(mc=0.0) == np.inf
    assert elliptic.F(np.pi / 2, mc=1.0) == np.pi / 2
    assert elliptic.sn(0.7, mc=1.0) == pytest.approx(np.sin(0.7), rel=EPS)
    assert elliptic.am(50.0, mc=0.0) == np.pi / 2
    assert [f(0.5, np.inf) for f in (elliptic.sn, elliptic.cn, elliptic.am)] == [0, 1, 0]
    assert elliptic.cd(np.inf, 1.0) == elliptic.dc(800.0, 1.0) == 1
    assert elliptic.arcsn(0.5, -np.inf) == elliptic.arccn(0.5, -np.inf) == elliptic.cel(np.inf, 1, 1, 1) == 0
    # No limit, of a function whose companions have one.
    assert np.isnan(elliptic.dn(0.5, np.inf)) and np.isnan(elliptic.ellipj(0.5, np.inf)[2])
    for call in (elliptic.dn, elliptic.ellipj):
        with pytest.raises(polhode.InvalidInput, match="no limit exists at u = 0.5, m = inf"):
            call(0.5, np.inf, check=True)


OUTSIDE = [
    ("m", lambda **k: elliptic.K(m=[0.5, 2], **k)),
    ("m", lambda **k: elliptic.sn(1.0, -np.inf, **k)),
    ("mc", lambda **k: elliptic.K(mc=[0.5, -0.1], **k)),
    ("u", lambda **k: elliptic.cn([0, np.inf], mc=0.5, **k)),
    ("m", lambda **k: elliptic.F(1.5, 2.0, **k)),
    ("m", lambda **k: elliptic.Pi(1.2, n=9.0, m=1.5, **k)),
    ("x", lambda **k: elliptic.RF(-1, 1, 2, **k)),
    ("x", lambda **k: elliptic.arcsn(1.5, 0.5, **k)),
    ("q", lambda **k: elliptic.theta1(0.5, 1.0, **k)),
    ("q", lambda **k: elliptic.inverse_nome(2.0, **k)),
    ("u", lambda **k: elliptic.ellipj(1e300, 0.5, **k)),
]


@pytest.mark.parametrize(("argument", "call"), OUTSIDE)
def test_outside_the_domain(argument: str, call: Callable[..., Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(call()).any(), "NaN, and no warning"
    with pytest.raises(polhode.InvalidInput, match=f"{argument} = ") as error:
        call(check=True)
    assert error.value.argument == argument
    with elliptic.checked():
        with pytest.raises(polhode.InvalidInput):
            call()
        assert np.isnan(call(check=False)).any()
        assert np.isnan(elliptic.K(np.nan)), "NaN in is NaN out, and no error"
    assert np.isnan(call()).any()


def test_names_and_positions_of_scipy() -> None:
    generator = np.random.default_rng(7)
    m, phi = generator.uniform(-3, 1, 500), generator.uniform(-5, 5, 500)
    x, y, z, p = generator.uniform(0.1, 9, (4, 500))
    for name, arguments in {
        "ellipk": (m,), "ellipe": (m,), "ellipkm1": (1 - m,), "ellipkinc": (phi, m), "ellipeinc": (phi, m),
        "elliprf": (x, y, z), "elliprc": (x, -y), "elliprd": (x, y, z), "elliprg": (x, y, z), "elliprj": (x, y, z, -p),
    }.items():  # fmt: skip
        got, want = (getattr(module, name)(*arguments) for module in (elliptic, scipy.special))
        assert np.abs(got - want).max() < 1e-11 * (1 + np.abs(want).max()), name
    for got, want in zip(elliptic.ellipj(phi, np.abs(m / 3)), scipy.special.ellipj(phi, np.abs(m / 3)), strict=True):
        assert np.abs(got - want).max() < 1e-13


def test_neither_m_nor_its_complement_is_rounded() -> None:
    # mpmath; with 1 - m rounded the error would be 3e4 eps.
    assert abs(elliptic.sn(1e6, m=6.2e-15) + 0.3499935036232592) < 2 * EPS
    assert elliptic.sn(-726.85, mc=3.4e-315) == pytest.approx(-0.01311683176429789, rel=2 * EPS)


@pytest.mark.parametrize(
    ("call", "want"),
    [
        # mpmath, 20 digits.
        (lambda: elliptic.K(-1.0), 1.3110287771460599052),
        (lambda: elliptic.Pi(n=2.0, m=0.5), -0.31354468346518428),
        (lambda: elliptic.Pi(1.2, n=2.0, m=0.5), 0.25360427070150606),
        (lambda: elliptic.F(0.5, 2.0), 0.55135887907968002),
        (lambda: elliptic.RC(1, -2), 0.38017299815047311),
        (lambda: elliptic.RJ(1, 2, 3, -1), -0.093240452438676437),
        (lambda: elliptic.Pi(n=-1e101, m=0.5), 4.9672941328980507e-51),
        (lambda: elliptic.Pi(nc=1e-290, m=0.5), 2.221441469079183e145),
        (lambda: elliptic.Pi(nc=1e-308, m=0.5), 2.2214414690791832e154),
        (lambda: elliptic.Pi(2, nc=1e-310, mc=1e-30), 3.141592653589798e170),
        (lambda: elliptic.Pi(0.5, n=9.0, m=1.5), 0.24535763527081623),
        (lambda: elliptic.cel(0.5, 1e-310, 1, 1), 3.141592653589798e155),
        (lambda: elliptic.E(1.5768814692969133, mc=0.002816803482739275), 1.005711924790678),
    ],
)
def test_what_was_refused_or_lost(call: Callable[[], float], want: float) -> None:
    assert call() == pytest.approx(want, rel=8 * EPS)


def test_the_parameter_is_never_guessed() -> None:
    for call in (
        lambda: elliptic.sn(1.0),
        lambda: elliptic.sn(1.0, m=0.5, mc=0.5),
        lambda: elliptic.K(),
        lambda: elliptic.Pi(1.0, m=0.5),
        lambda: elliptic.Pi(1.0, n=0.1, nc=0.9, m=0.5),
        lambda: elliptic.sn("1", m=0.5),
        lambda: elliptic.sn(1j, m=0.5),
    ):
        with pytest.raises(TypeError):
            call()
