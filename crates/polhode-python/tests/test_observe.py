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
    # The rounding of steps of order 14, which is far below the tolerance.
    assert abs(found.momentum[-1, 2] - 0.25) < 1e-13
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
        ("formula", {"torque": ["t", "2*sine(t)", 0]}, "torque", "at column 3: no function 'sine'; did you mean"),
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


def test_intervals_do_not_depend_on_how_many_states_there_are():
    spun = polhode.Body([1, 1.5, 2], omega=[0, 0, 1])
    turn, half = 2 * np.pi, np.arccos(0.999999)
    want = [[0, half], [turn - half, turn + half]]
    nothing = torques.Formula(torque=["0*t", 0, 0])
    runs = [
        polhode.FreeMotion.of(spun).at([0, 10]),
        polhode.solve(spun, nothing, until=10, t_eval=[0, 5, 10]),
        polhode.simulate(spun, None, "exact", 0.125, until=10),
        polhode.simulate(spun, lambda t, m, q: (0, 0, 0), "strang+exact", 1.0, until=10),
    ]
    for run in runs:
        found = run.intervals("dot(x, X) > 0.999999", body=spun)
        assert found.shape == (2, 2)
        assert np.abs(found - want).max() < 1e-8, found
        never = run.intervals("dot(x, sun) > 2", body=spun, directions={"sun": [0, 1, 0]})
        assert never.shape == (0, 2)
        assert (run.intervals("t < 20", body=spun) == [[0, 10]]).all()
    backwards = polhode.solve(spun, nothing, until=-10, t_eval=[0, -10])
    assert np.abs(backwards.intervals("dot(x, X) > 0.999999") + want).max() < 1e-8
    for text, words in [("w1", "a comparison is missing"), ("angle(x, son) < 1", "no direction 'son'")]:
        with pytest.raises(polhode.InvalidInput, match=words) as caught:
            runs[1].intervals(text)
        assert caught.value.argument == "condition"
    with pytest.raises(polhode.InvalidInput, match="follow each other"):
        polhode.FreeMotion.of(spun).at([0, 2, 1]).intervals("w1 > 0", body=spun)


def test_what_a_callable_raises_while_intervals_are_looked_for_comes_through():
    calls = []

    def torque(t, m, q):
        calls.append(t)
        if len(calls) > 60:
            raise ValueError("enough")
        return (0, 0, 0)

    run = polhode.FreeMotion.of(body()).at(np.linspace(0, 100, 3))
    with pytest.raises(ValueError, match="enough"):
        run.intervals("dot(x, X) > 0", body=body(), torque=torque)


def test_every_body_of_an_ensemble_is_observed_with_its_own_inertia():
    rng = np.random.default_rng(3)
    moments, spins = rng.uniform(2, 3, size=(5, 3)), rng.normal(size=(5, 3))
    top = torques.LagrangeTop(strength=2.0)
    for many in (
        polhode.ensemble(moments, momentum=spins, times=[0.0, 1.0, 2.0]),
        polhode.ensemble(moments, omega=spins, times=[1.0, 2.0], torque=top, tolerance=1e-9),
    ):
        for k in range(3):
            assert np.allclose(many.observe(f"w{k + 1}"), many.omega[:, :, k], rtol=1e-14)
        assert np.allclose(many.observe("energy"), many.energy, rtol=1e-13)
        some = many[[3, 1]]
        assert (some.observe("w2") == many.observe("w2")[[3, 1]]).all()
        assert (many[2].observe("energy") == many.observe("energy")[2]).all()
        assert many[2].intervals("t < 1.5").shape == (1, 2)
        with pytest.raises(polhode.InvalidInput, match="of one body"):
            many.intervals("w1 > 0")
    spins[1] = np.nan
    bad = polhode.ensemble(moments, momentum=spins, times=[1.0], bad_bodies="fail")
    assert np.isnan(bad.observe("w1")).ravel().tolist() == [False, True, False, False, False]


def test_what_the_states_of_a_body_with_wheels_do_not_tell_is_refused():
    wheel = polhode.inside.Wheel(axis=[0, 0, 1], inertia=0.1, speed=5)
    run = polhode.simulate(body(), None, "strang+exact", 0.1, until=1, inside=polhode.inside.Inside(wheels=[wheel]))
    assert np.allclose(run.observe("dot(x, X)"), run.matrix[:, 0, 0])
    for text in ("w1", "norm(omega)", "kinetic"):
        with pytest.raises(polhode.InvalidInput, match="take its omega"):
            run.observe(text)
    with pytest.raises(polhode.InvalidInput, match="with wheels"):
        run.intervals("dot(x, X) > 0")
