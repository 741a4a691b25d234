"""The functions of `polhode.elliptic` as NumPy users expect them to behave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import polhode
from polhode import elliptic


def test_broadcasting() -> None:
    u = np.linspace(0, 3, 4)
    grid = elliptic.sn(u[:, None], mc=np.array([0.1, 0.5, 0.9]))
    assert grid.shape == (4, 3)
    assert grid[2, 1] == elliptic.sn(u[2], mc=0.5)
    assert type(elliptic.sn(0.5, m=0.5)) is np.float64
    assert elliptic.sn([], m=0.5).shape == (0,)
    assert elliptic.sn(np.zeros((0, 3)), m=[0.1, 0.2, 0.3]).shape == (0, 3)
    assert elliptic.RF(1, [1, 2], [[1], [2], [3]]).shape == (3, 2)
    assert elliptic.K(m=0).dtype == np.float64
    with pytest.raises(polhode.InvalidInput, match=r"u \(2,\), mc \(3,\)"):
        elliptic.sn([1, 2], mc=[0.1, 0.2, 0.3])
    with pytest.raises(polhode.InvalidInput, match=r"u \(2,\), m \(3,\)"):
        elliptic.sn([1, 2], m=[0.1, 0.2, 0.3])


def test_ufunc_behaviour() -> None:
    m = np.linspace(-1, 1, 5)
    out = np.full(5, 7.0)
    assert elliptic.K(m, out=out, where=m < 0) is out
    assert (out[2:] == 7).all() and (out[:2] == elliptic.K(m[:2])).all()
    single = elliptic.sn(np.float32([1, 2]), np.float32(0.5))
    assert single.dtype == np.float32
    assert (single == elliptic.sn([1, 2], 0.5).astype(np.float32)).all()
    assert elliptic.K(np.float32(0.5), dtype=np.float64).dtype == np.float64
    for other in (np.bool_, np.int8, np.int16, np.uint16, np.int64, np.float16):
        assert elliptic.K(np.zeros(2, other)).dtype == elliptic.F(np.zeros(2, other), other(0)).dtype == np.float64
    assert elliptic.sn(m[::2], m[::-2]).tolist() == [elliptic.sn(x, y) for x, y in zip(m[::2], m[::-2], strict=True)]
    assert np.isnan(elliptic.RJ(1, 2, np.nan, 4))


def test_out_by_position() -> None:
    m, phi = np.linspace(-1, 0.9, 5), np.linspace(0.1, 3, 5)
    x = m + 2
    for name, arguments in {
        "ellipk": (m,), "ellipe": (m,), "ellipkm1": (1 - m,), "ellipkinc": (phi, m), "ellipeinc": (phi, m),
        "elliprf": (x, x, phi), "elliprj": (x, x, phi, x),
    }.items():  # fmt: skip
        ours, peers = getattr(elliptic, name), getattr(scipy.special, name)
        out, peers_out = np.empty(5), np.empty(5)
        assert ours(*arguments, out) is out and peers(*arguments, peers_out) is peers_out
        assert np.allclose(out, peers_out, rtol=1e-12)
        assert np.array_equal(out, ours(*arguments))
        with pytest.raises(TypeError):
            ours(*arguments, out, out)
        with pytest.raises(TypeError):
            ours(*arguments, out, out=out)
    outs = [np.empty(5) for _ in range(4)]
    assert all(a is b for a, b in zip(elliptic.ellipj(phi, m, *outs), outs, strict=True))
    assert np.array_equal(outs, elliptic.ellipj(phi, m))
    first = np.empty(5)
    assert elliptic.ellipj(phi, m, first)[0] is first
    assert elliptic.inverse_nome(m, first)[0] is first


def test_attributes_and_methods_of_ufuncs() -> None:
    u, m = np.linspace(0, 1, 3), np.linspace(0, 0.5, 4)
    assert np.array_equal(elliptic.sn.outer(u, m), elliptic.sn(u[:, None], m))
    assert (elliptic.K.nin, elliptic.sn.nin, elliptic.RJ.nin, elliptic.RJ.nout) == (1, 2, 4, 1)
    assert elliptic.F.types == scipy.special.ellipkinc.types == ["dd->d", "ff->f"]


def test_a_check_looks_where_it_is_asked_to() -> None:
    m, out = np.array([0.5, 2.0]), np.full(2, np.nan)
    assert elliptic.K(m, where=[True, False], out=out, check=True)[0] == elliptic.K(0.5)
    assert np.isnan(out[1])
    out[1] = 7
    with pytest.raises(polhode.InvalidInput, match="m = 2.0"):
        elliptic.K(m, where=[False, True], out=out, check=True)
    assert out.tolist() == [elliptic.K(0.5), 7.0], "nothing was written"
    # In place, where the arguments are gone afterwards.
    with pytest.raises(polhode.InvalidInput, match="m = 2.0"):
        elliptic.K(m, out=m, check=True)
    assert m.tolist() == [0.5, 2.0]
    with pytest.raises(polhode.InvalidInput, match="m = 3.0"):
        elliptic.F(np.array([[0.1], [1.5]]), [0.5, 3.0], where=[[False], [True]], out=np.zeros((2, 2)), check=True)


@pytest.mark.parametrize("name", ["K", "E", "D", "B"])
def test_arrays_of_every_length_have_the_bits_of_scalars(name: str) -> None:
    function = getattr(elliptic, name)
    m = np.concatenate([np.linspace(-3, 1.5, 700), [np.nan, -np.inf, np.inf, 1.0, 0.0, -0.0, -5e-324, 5e-324]])
    for given in ({}, {"mc": True}):

        def call(x: Any) -> Any:
            return function(mc=x) if given else function(x)

        want = np.array([call(x) for x in m])
        for some in (slice(0, 1), slice(3, 5), slice(0, 4), slice(9, 26), slice(0, 256), slice(0, 257), slice(None)):
            assert np.array_equal(call(m[some]), want[some], equal_nan=True)
        assert np.array_equal(call(m[::-3]), want[::-3], equal_nan=True)
        single = call(m.astype(np.float32))
        assert single.dtype == np.float32
        exact = call(m.astype(np.float32).astype(np.float64))
        assert np.array_equal(single, exact.astype(np.float32), equal_nan=True)
        same = m.copy()
        options = {"mc": same} if given else {"m": same}
        assert function(out=same, **options) is same
        assert np.array_equal(same, want, equal_nan=True)


def test_arguments_by_name() -> None:
    assert elliptic.sn(u=0.5, m=0.3) == elliptic.sn(0.5, 0.3) == elliptic.sn(0.5, m=0.3)
    assert elliptic.sn(u=0.5, mc=0.3) == elliptic.sn(0.5, mc=0.3)
    assert elliptic.arcsn(x=0.5, m=0.3) == elliptic.arcsn(0.5, 0.3)
    assert elliptic.E(phi=0.5, m=0.3) == elliptic.E(0.5, 0.3) != elliptic.E(m=0.3) == elliptic.E(0.3)
    assert elliptic.RJ(1, 2, z=3, p=4) == elliptic.RJ(1, 2, 3, 4)
    assert elliptic.ellipe(m=0.3) == elliptic.E(0.3) and elliptic.ellipkm1(p=0.3) == elliptic.K(mc=0.3)
    for call in (
        lambda: elliptic.RF(1, 2),
        lambda: elliptic.RF(1, 2, 3, 4),
        lambda: elliptic.RF(1, 2, 3, w=4),
        lambda: elliptic.RF(1, 2, 3, x=4),
        lambda: elliptic.sn(0.5, 0.3, 0.2),
        lambda: elliptic.sn(0.5, 0.3, u=0.2),
        lambda: elliptic.sn(0.5, 0.3, m=0.2),
        lambda: elliptic.sn(m=0.2),
    ):
        with pytest.raises(TypeError):
            call()


def test_containers_are_kept() -> None:
    import dask.array
    import pandas
    import xarray

    m = np.linspace(0.1, 0.9, 4)
    series = pandas.Series(m, index=list("abcd"), name="k2")
    got = elliptic.K(series)
    assert isinstance(got, pandas.Series) and list(got.index) == list("abcd")
    assert [type(part) for part in elliptic.ellipj(1.0, series)] == [pandas.Series] * 4
    assert [type(part) for part in elliptic.inverse_nome(series)] == [pandas.Series] * 2

    array = xarray.DataArray(m, dims="x", coords={"x": [1, 2, 3, 4]})
    across = xarray.DataArray([0.5, 1.0], dims="u")
    for check in (None, True):
        grid = elliptic.sn(across, array, check=check)
        assert grid.dims == ("u", "x") and grid.x.values.tolist() == [1, 2, 3, 4]
    assert isinstance(elliptic.ellipj(0.5, array)[3], xarray.DataArray)
    with pytest.raises(polhode.InvalidInput, match="x = 0.9 "):
        elliptic.arccn(xarray.DataArray([1.0, 0.9], dims="u"), 4 * array + 10, check=True)

    lazy = dask.array.from_array(m, chunks=2)
    for got, want in zip(
        (elliptic.E(lazy), *elliptic.ellipj(0.5, lazy), *elliptic.inverse_nome(lazy)),
        (elliptic.E(m), *elliptic.ellipj(0.5, m), *elliptic.inverse_nome(m)),
        strict=True,
    ):
        assert got.chunks == ((2, 2),)
        assert (got.compute(scheduler="synchronous") == want).all()
    found = elliptic.inverse_nome(array.chunk(x=2))
    for part, want in zip(found, elliptic.inverse_nome(m), strict=True):
        assert part.chunks == ((2, 2),) and (part.compute(scheduler="synchronous") == want).all()


def test_functions_can_be_pickled() -> None:
    import pickle

    from polhode import _polhode

    for name in ("sn_m", "incomplete_pi_nc_mc", "rj"):
        ufunc = getattr(_polhode, name)
        assert pickle.loads(pickle.dumps(ufunc)) is ufunc


def test_single_precision_stays_beside_numbers_of_python() -> None:
    single = np.full(3, 0.5, dtype=np.float32)
    for found in (
        elliptic.F(single, 0.5), elliptic.sn(single, mc=0.5), elliptic.E(single, 1), elliptic.RF(single, 1, 2.0),
        elliptic.E(single), elliptic.theta3(0.5, single),
    ):  # fmt: skip
        assert found.dtype == np.float32
    assert elliptic.F(single, np.float64(0.5)).dtype == np.float64
    assert elliptic.F(1, 0.5).dtype == np.float64


def test_scipys_incomplete_integral_needs_both_arguments() -> None:
    assert elliptic.ellipeinc(0.3, 0.4) == elliptic.E(0.3, 0.4)
    with pytest.raises(TypeError, match="m, mc: give exactly one of the two"):
        elliptic.ellipeinc(1.0)  # type: ignore[call-arg]
