"""Archives of arrays, opened by NumPy."""

import json

import numpy
import pytest
from conftest import SCENARIOS


def columns(table, *names):
    return numpy.stack([table[name] for name in names], axis=-1)


def test_arrays_are_the_columns_of_the_table(program):
    program.run(SCENARIOS / "dzhanibekov.toml", "--out", "x.npz", "--out", "x.csv", "--force")
    table = program.table("x.csv")
    with numpy.load(program.folder / "x.npz", allow_pickle=False) as arrays:
        assert set(arrays) == {
            "step", "t", "momentum", "omega", "attitude", "energy",
            "energy_error", "momentum_error", "spatial_momentum_error", "meta",
        }
        made = json.loads(arrays["meta"].item())
        assert made["schema"] == 1 and made["units"]["angle"] == "radian"
        rows = len(table["t"])
        assert rows > 100
        assert arrays["step"].dtype == numpy.dtype("<u8")
        assert arrays["step"][0] == 0 and numpy.all(numpy.diff(arrays["step"].astype(int)) > 0)
        # Bit for bit: a table reads back to the same doubles.
        for name in ["t", "energy", "energy_error", "momentum_error", "spatial_momentum_error"]:
            assert arrays[name].shape == (rows,)
            numpy.testing.assert_array_equal(arrays[name], table[name])
        for name, parts in [
            ("momentum", ["m1", "m2", "m3"]),
            ("omega", ["w1", "w2", "w3"]),
            ("attitude", ["q0", "q1", "q2", "q3"]),
        ]:
            assert arrays[name].dtype == numpy.dtype("<f8")
            numpy.testing.assert_array_equal(arrays[name], columns(table, *parts))


@pytest.mark.parametrize(
    ("form", "shape"), [("scalar-last", (4,)), ("matrix", (3, 3)), ("euler-zxz", (3,))]
)
def test_attitudes_have_the_shape_of_their_form(program, form, shape):
    program.run("handle.toml", "--out", "q.npz")
    program.run("handle.toml", "--out", "x.npz", "--attitude-as", form)
    with numpy.load(program.folder / "q.npz") as arrays:
        w, x, y, z = arrays["attitude"].T
        momentum = arrays["momentum"]
    with numpy.load(program.folder / "x.npz") as arrays:
        attitude = arrays["attitude"]
    assert attitude.shape == (len(w), *shape)
    if form == "scalar-last":
        numpy.testing.assert_array_equal(attitude, numpy.stack([x, y, z, w], axis=-1))
    elif form == "matrix":
        # Body to space: the momentum in space stays where it is.
        in_space = numpy.einsum("nij,nj->ni", attitude, momentum)
        assert numpy.ptp(in_space, axis=0).max() < 1e-12 * numpy.linalg.norm(in_space[0])
    else:
        # The second angle of zxz is the one between the third axes of body and space.
        cosine = 1 - 2 * (x**2 + y**2)
        numpy.testing.assert_allclose(numpy.cos(attitude[:, 1]), cosine, atol=1e-14)


def test_degrees_are_degrees(program):
    program.run("handle.toml", "--out", "x.npz", "--attitude-as", "euler")
    program.run("handle.toml", "--out", "y.npz", "--attitude-as", "euler", "--degrees")
    folder = program.folder
    with numpy.load(folder / "x.npz") as radians, numpy.load(folder / "y.npz") as degrees:
        for name in ["omega", "attitude"]:
            expected = numpy.rad2deg(radians[name])
            numpy.testing.assert_allclose(degrees[name], expected, rtol=1e-15)
        numpy.testing.assert_array_equal(degrees["momentum"], radians["momentum"])


def test_the_same_run_gives_the_same_bytes(program):
    program.run("handle.toml", "--out", "x.npz")
    program.run("handle.toml", "--out", "y.npz")
    assert (program.folder / "x.npz").read_bytes() == (program.folder / "y.npz").read_bytes()
