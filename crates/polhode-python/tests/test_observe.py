"""Torques by formula and table, and observables."""

import pickle

import numpy as np
import polhode
import pytest
from polhode import torques


def body():
    return polhode.Body([1.0, 1.7, 2.2], momentum=[0.4, -0.3, 0.9], attitude=[0.7, 0.1, -0.5, 0.5])


def ends(torque):
    end = polhode.solve(body(), torque, until=5, tolerance=1e-13, t_eval=[5])
    return np.concatenate([end.momentum[-1], end.attitude[-1]])


def test_a_formula_is_the_model_it_is_written_after():
    model = ends(torques.LagrangeTop(strength=2.0))
    written = ends(torques.Formula(torque=["s*r32", "-s*r31", 0], constants={"s": 2.0}))
    assert np.abs(written - model).max() < 1e-12
    both = ends([torques.Formula(torque=["s*r32", "-s*r31", 0], constants={"s": 2.0}), {"kind": "none"}])
    assert (both == written).all()


def test_a_table_is_the_steps_it_says():
    rows = np.array([[0, 0, 0, 1], [0.5, 0, 0, -1], [1, 0, 0, 0]])
    spun = polhode.Body([1, 1, 2], momentum=[0, 0, 0.25])
    table = torques.Table(rows=rows, interpolation="hold", beyond="hold")
    found = polhode.solve(spun, table, until=2)
    assert 0.5 in found.t and 1.0 in found.t
    assert abs(found.momentum[-1, 2] - 0.25) < 1e-14
    assert pickle.loads(pickle.dumps(table)) == table and hash(table) == hash(pickle.loads(pickle.dumps(table)))


def test_a_dipole_follows_a_field_in_an_ensemble_as_alone():
    dipole = torques.Dipole(dipole=[0.3, -0.5, 0.2], field=["cos(2*t)", "sin(2*t)", 0.1])
    alone = polhode.simulate(body(), dipole, "rkn6-14+exact", 0.01, until=1)
    start = body()
    many = polhode.ensemble(
        start.inertia,
        momentum=[start.momentum] * 5,
        attitude=start.attitude,
        torque=dipole,
        method="rkn6-14+exact",
        step=0.01,
        until=1,
    )
    assert (many.momentum[:, -1] == alone.momentum[-1]).all() and many.momentum.shape[0] == 5


@pytest.mark.parametrize(
    ("kind", "keys", "argument", "words"),
    [
        ("formula", {"torque": ["t", "2*sine(t)", 0]}, "torque", "no function 'sine'; did you mean 'sin'? at column 3"),
        ("formula", {"torque": ["t", "t"]}, "torque", "three expressions"),
        ("formula", {"torque": ["a", 0, 0], "constants": {"b": 1}}, "torque", "no name 'a'"),
        ("table", {"rows": [[1, 0, 0, 0], [0, 0, 0, 0]]}, "rows", "not later than t = 1.0"),
        ("table", {"rows": [[0, 0, 0], [1, 0, 0]]}, "rows", "row 1 has 3 numbers"),
        ("dipole", {"dipole": [1, 0, 0], "field": [1, 2]}, "field", "three finite numbers, three expressions"),
    ],
)
def test_mistakes_are_shown_with_their_place(kind, keys, argument, words):
    with pytest.raises(polhode.InvalidInput) as caught:
        torques.torque(kind, keys)
    assert words in str(caught.value)
    assert caught.value.argument == argument


def test_a_run_beyond_a_table_is_refused():
    table = torques.Table(rows=[[0, 0, 0, 1], [1, 0, 0, 0]])
    with pytest.raises(polhode.InvalidInput, match="goes from t = 0.0 to 1.0, and t = 2.0 is wanted"):
        polhode.solve(body(), table, until=2)
    with pytest.raises(polhode.InvalidInput, match=r"t = 2.0 is wanted"):
        polhode.simulate(body(), table, "strang+exact", 0.5, until=2)


def test_observables_of_a_run():
    top = torques.LagrangeTop(strength=2.0)
    run = polhode.simulate(body(), top, "rkn6-14+exact", 0.01, until=1)
    assert run.observe("w1").shape == run.t.shape
    assert np.allclose(run.observe("w2"), run.omega[:, 1], rtol=1e-15)
    assert np.allclose(run.observe("energy"), run.energy, rtol=1e-14)
    assert np.allclose(run.observe("kinetic"), run.kinetic_energy, rtol=1e-14)
    assert np.allclose(run.observe("potential"), 2 * run.matrix[:, 2, 2], rtol=1e-13)
    assert np.allclose(run.observe("dot(space(1, 2, 3), y)"), run.to_body([1, 2, 3])[:, 1], rtol=1e-13)
    assert np.allclose(np.cos(run.observe("angle(x, sun)", directions={"sun": [0, 0, 2]})), run.matrix[:, 2, 0])
    assert np.allclose(run.to_body(run.to_space([1, 2, 3])), [1, 2, 3])
    one = run[-1]
    assert one.observe("nutation") == run.observe("nutation")[-1]
    found = polhode.solve(body(), top, until=1, t_eval=[0, 1])
    assert np.allclose(found.energy, run.energy[[0, -1]], rtol=1e-9)
    again = pickle.loads(pickle.dumps(run))
    assert np.allclose(again.observe("energy", body=body(), torque=top), run.energy, rtol=1e-14)
    with pytest.raises(TypeError, match="body"):
        again.observe("energy")


def test_what_cannot_be_observed_is_told():
    run = polhode.solve(body(), None, until=1)
    for text, words in [
        ("angle(x, son)", "no direction 'son'"),
        ("angle(x, nadir)", "no nadir without an orbit"),
        ("w1 <", "a comparison is no number"),
        ("", "an expression is missing"),
    ]:
        with pytest.raises(polhode.InvalidInput) as caught:
            run.observe(text)
        assert words in str(caught.value) and caught.value.argument == "expression"
    for directions in [{"x": [1, 0, 0]}, {"sun": [1, 0]}, {"sun": [[0, 1, 0, 0], [0.5, 0, 1, 0]]}]:
        with pytest.raises(polhode.InvalidInput):
            run.observe("angle(x, sun)" if "sun" in directions else "w1", directions=directions)
    with pytest.raises(TypeError):
        run.observe(3)
