"""Scenarios, shapes, periods and tables."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas
import pytest
import xarray
from conftest import PACKAGE

import polhode

SCENARIOS = PACKAGE.parent.parent / "scenarios"

TOP = """
body.inertia = [1, 5, 6]
start.omega = [10, 10, 10]
torque.kind = "heavy-top"
method = { id = "rkn6-14+exact", step = 0.01 }
run = { until = 1, every = 10 }
"""


def test_a_scenario_runs_with_the_bits_of_simulate() -> None:
    scenario = polhode.Scenario.parse(TOP)
    assert (scenario.method, scenario.step, scenario.tolerance, scenario.until) == ("rkn6-14+exact", 0.01, None, 1.0)
    run = scenario.run()
    body = polhode.Body([1, 5, 6], omega=[10, 10, 10])
    same = polhode.simulate(body, polhode.torques.HeavyTop(), "rkn6-14+exact", 0.01, 1, every=10)
    np.testing.assert_array_equal(run.momentum, same.momentum)
    np.testing.assert_array_equal(run.t, same.t)
    # What acts goes wherever a torque goes.
    again = polhode.solve(scenario.body, scenario.torque, 1.0, 1e-12)
    np.testing.assert_allclose(again.momentum[-1], run.momentum[-1], rtol=1e-8)
    many = polhode.ensemble([1, 5, 6], omega=[[10, 10, 10]], torque=scenario.torque, step=0.01, until=1,
                            method="rkn6-14+exact")
    np.testing.assert_array_equal(many.momentum[0, -1], run.momentum[-1])


WATCHED = """
body.inertia = [1, 1.5, 2]
start.omega = [0, 0, 1]
directions.sun = [0, 3, 0]
[watch]
along = "dot(x, X)"
far = "deg(angle(x, sun))"
up = "along > 0"
[run]
until = 10
stop_when = "along < -0.5"
"""


@pytest.mark.parametrize(
    ("overrides", "t"),
    [
        (["run.interval=0.25"], [*np.arange(9) / 4, 2 * np.pi / 3]),
        (["run.interval=0.25", 'torque={kind="formula", torque=["0*t", 0, 0]}'], [*np.arange(9) / 4, 2 * np.pi / 3]),
        (["run.times=[0.5, 2, 2.5]"], [0.5, 2]),
        (["method.id=exact", "method.step=0.125", "run.every=4"], [*np.arange(5) / 2, 2.125]),
        (["method.id=exact", "method.step=0.125", "run.until=1", "run.every=3"], [0, 0.375, 0.75, 1]),
    ],
)
def test_what_a_scenario_watches(overrides: list[str], t: list[float]) -> None:
    scenario = polhode.Scenario.parse(WATCHED, overrides)
    assert scenario.watch == {"along": "dot(x, X)", "far": "deg(angle(x, sun))", "up": "along > 0"}
    assert scenario.stop_when == "along < -0.5"
    run = scenario.run()
    np.testing.assert_allclose(run.t, t, atol=1e-11, rtol=0)
    seen = scenario.observe(run)
    assert list(seen) == ["along", "far"]
    np.testing.assert_allclose(seen["along"], np.cos(t), atol=1e-9)
    np.testing.assert_allclose(run.observe("dot(x, X)"), seen["along"])
    np.testing.assert_allclose(scenario.intervals(run)["up"], [[t[0], min(np.pi / 2, t[-1])]], atol=1e-8)


def test_scenarios_and_their_torques_are_pickled() -> None:
    scenario = polhode.Scenario.parse(TOP, ["run.until=0.5"])
    again = pickle.loads(pickle.dumps(scenario))
    np.testing.assert_array_equal(again.run().momentum, scenario.run().momentum)
    torque = pickle.loads(pickle.dumps(scenario.torque))
    assert repr(torque) == repr(scenario.torque)
    found, want = (
        polhode.simulate(scenario.body, t, "rkn6-14+exact", 0.01, 0.5) for t in (torque, scenario.torque)
    )
    np.testing.assert_array_equal(found.momentum, want.momentum)
    # A table that stands in a file goes with it.
    burn = polhode.Scenario.load(SCENARIOS / "thruster-burn.toml")
    assert burn.torque is not None
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(burn)).run().momentum, burn.run().momentum)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(_momentum_at_the_end, scenario.torque).result()
    np.testing.assert_array_equal(there, _momentum_at_the_end(scenario.torque))


def _momentum_at_the_end(torque: object) -> np.ndarray:
    body = polhode.Body([1, 5, 6], omega=[10, 10, 10])
    return polhode.solve(body, torque, 0.5).momentum[-1]  # type: ignore[arg-type]


def test_scenarios_are_loaded_and_changed() -> None:
    toutatis = polhode.Scenario.load(SCENARIOS / "toutatis.toml", ["run.until=10"])
    assert toutatis.free_motion().period == pytest.approx(5.41, rel=1e-13)
    assert toutatis.torque is None and toutatis.run().t[-1] == pytest.approx(10)
    top = polhode.Scenario.load(SCENARIOS / "solved-top.toml", ["run.until=2"])
    solved = top.run()
    assert isinstance(solved, polhode.Solution) and top.tolerance is not None
    direct = polhode.solve(top.body, top.torque, top.until, top.tolerance, t_eval=solved.t)
    np.testing.assert_array_equal(solved.momentum, direct.momentum)
    with pytest.raises(polhode.InvalidInput, match=r"scenario:6: \[run\] untl"):
        polhode.Scenario.parse(TOP.replace("until", "untl"))
    with pytest.raises(FileNotFoundError, match="no such file"):
        polhode.Scenario.load(SCENARIOS / "tutatis.toml")


def test_a_checkpoint_is_gone_on_with(tmp_path: Path) -> None:
    scenario = polhode.Scenario.parse(TOP)
    whole = scenario.run()
    half = polhode.Scenario.parse(TOP, ["run.until=0.5"]).run()
    state = np.concatenate([half.momentum[-1], half.attitude[-1]])
    saved = {
        "scenario_name": "top.toml",
        "scenario_text": TOP,
        "overrides": [],
        "step": 50,
        "state": state.view(np.uint64).tolist(),
        "carried": [],
    }
    write(tmp_path / "a.ckpt", saved)
    rest = polhode.Scenario.from_checkpoint(tmp_path / "a.ckpt").run()
    np.testing.assert_array_equal(rest.t, whole.t[5:])
    np.testing.assert_array_equal(rest.momentum, whole.momentum[5:])
    np.testing.assert_array_equal(rest.attitude, whole.attitude[5:])
    # Between two rows: the next one is the first.
    between = polhode.Scenario.parse(TOP, ["run.until=0.43"]).run()
    state = np.concatenate([between.momentum[-1], between.attitude[-1]])
    write(tmp_path / "e.ckpt", saved | {"step": 43, "state": state.view(np.uint64).tolist()})
    rest = polhode.Scenario.from_checkpoint(tmp_path / "e.ckpt").run()
    np.testing.assert_array_equal(rest.t, whole.t[5:])
    np.testing.assert_array_equal(rest.attitude, whole.attitude[5:])
    write(tmp_path / "b.ckpt", saved | {"carried": [0]})
    with pytest.raises(polhode.InvalidInput, match="carries more than the state"):
        polhode.Scenario.from_checkpoint(tmp_path / "b.ckpt")
    (tmp_path / "c.ckpt").write_bytes((tmp_path / "a.ckpt").read_bytes() + b" ")
    with pytest.raises(polhode.InvalidInput, match="damaged"):
        polhode.Scenario.from_checkpoint(tmp_path / "c.ckpt")
    (tmp_path / "d.ckpt").write_text("hello\n")
    with pytest.raises(polhode.InvalidInput, match="no checkpoint"):
        polhode.Scenario.from_checkpoint(tmp_path / "d.ckpt")


def write(path: Path, saved: dict[str, object]) -> None:
    import hashlib

    body = json.dumps(saved).encode()
    path.write_bytes(f"polhode-checkpoint 1 {hashlib.sha256(body).hexdigest()}\n".encode() + body)


def test_shapes() -> None:
    brick = polhode.shape.box(mass=12, size=[1, 2, 3])
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)], dtype=float)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    triangles = [t for a, b, c, d in faces for t in ([a, b, c], [a, c, d])]
    meshed = polhode.shape.mesh(corners, triangles, density=2)
    np.testing.assert_allclose(meshed.inertia, brick.inertia, atol=1e-14)
    np.testing.assert_allclose(meshed.centre, [0.5, 1, 1.5], rtol=1e-15)
    with pytest.raises(polhode.InvalidInput, match="the mesh is open"):
        polhode.shape.mesh(corners, triangles[1:], density=2)
    dumbbell = polhode.shape.points([1, 1], [[0, 0, 1], [0, 0, -1]])
    np.testing.assert_array_equal(dumbbell.inertia, np.diag([2.0, 2.0, 0.0]))
    tube = polhode.shape.cylinder(mass=3, radius=2, height=5)
    np.testing.assert_allclose(np.diag(tube.inertia), [9.25, 9.25, 6])
    scenario = polhode.Scenario.parse(TOP, ["body.inertia={ellipsoid=[1,2,3], mass=5}"])
    assert scenario.mass_properties is not None
    ellipsoid = polhode.shape.ellipsoid(mass=5, size=[1, 2, 3])
    np.testing.assert_array_equal(scenario.mass_properties.inertia, ellipsoid.inertia)


def test_periods_that_cannot_be_reached() -> None:
    with pytest.raises(polhode.InvalidInput, match="more than 0.46"):
        polhode.FreeMotion.from_periods([1, 3.09, 3.22], 1, 7)
    with pytest.raises(polhode.InvalidInput, match="mode="):
        polhode.FreeMotion.from_periods([1, 2, 2.8], 12, 3)
    for mode, regime in (("long-axis", "about-minor"), ("short-axis", "about-major")):
        found = polhode.FreeMotion.from_periods([1, 2, 2.8], 12, 3, mode=mode)  # type: ignore[arg-type]
        assert found.regime == regime
        assert (found.period, found.precession_period) == pytest.approx((12, 3), rel=1e-12)


def test_motions_of_many_bodies() -> None:
    spins = np.random.default_rng(1).normal(size=(500, 3))
    found = polhode.motions([1, 2, 2.5], momentum=spins)
    for i in (0, 7, 499):
        alone = polhode.FreeMotion([1, 2, 2.5], momentum=spins[i])
        assert (found.regime[i], found.period[i]) == (alone.regime, alone.period)
        assert found.precession_rate[i] == alone.precession_rate
        assert found.separatrix_distance[i] == alone.separatrix_distance
        assert found.precession_period[i] == alone.precession_period
    rest = polhode.motions([1, 2, 2.5], momentum=[[0, 0, 0]])
    assert rest.regime[0] == "rest" and np.isnan(rest.period[0]) and np.isnan(rest.precession_period[0])


def test_one_bad_body_fails_alone() -> None:
    spins = np.random.default_rng(1).normal(size=(50, 3))
    spins[7, 1] = np.nan
    moments = np.tile([1, 2, 2.5], (50, 1))
    moments[3] = [1, 2, 9]
    with pytest.raises(polhode.InvalidInput, match="body 3"):
        polhode.ensemble(moments, momentum=spins, times=[1.0, 2.0])
    for arguments in ({"times": [1.0, 2.0]}, {"step": 0.1, "until": 1.0}):
        found = polhode.ensemble(moments, momentum=spins, bad_bodies="fail", **arguments)  # type: ignore[arg-type]
        assert [failure.body for failure in found.failures] == [3, 7]
        assert "momentum" in found.failures[1].reason
        assert np.isnan(found.momentum[[3, 7]]).all()
        good = found.failed == 0
        alone = polhode.ensemble(moments[good], momentum=spins[good], **arguments)  # type: ignore[arg-type]
        np.testing.assert_array_equal(found.attitude[good], alone.attitude)
    found_motions = polhode.motions(moments, momentum=spins, bad_bodies="fail")
    assert [failure.body for failure in found_motions.failures] == [3, 7]
    assert found_motions.regime[3] == "" and np.isnan(found_motions.period[7])


def test_states_as_tables(tmp_path: Path) -> None:
    motion = polhode.FreeMotion([1, 2, 2.5], momentum=[0.1, 2, 0.3])
    states = motion.at(np.linspace(0, 5, 11))
    frame = states.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    np.testing.assert_array_equal(frame[["q0", "q1", "q2", "q3"]], states.attitude)
    data = states.to_xarray()
    assert isinstance(data, xarray.Dataset) and data["omega"].dims == ("t", "axis")
    np.testing.assert_array_equal(data["attitude"].sel(quaternion="w"), states.attitude[:, 0])
    many = polhode.ensemble([1, 2, 2.5], momentum=np.eye(3)[[0, 2]] + 0.1, times=[1.0, 2.0, 3.0])
    assert many.to_pandas().index.names == ["body", "t"]
    assert many.to_pandas().loc[1, 2.0]["m3"] == many.momentum[1, 1, 2]
    assert many.to_xarray()["energy"].dims == ("body", "t")
    run = polhode.simulate(motion, None, "rk4", 0.1, 1)
    assert run.to_xarray().attrs["method"] == "rk4" and len(run.to_pandas().columns) == 12
    states.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        np.testing.assert_array_equal(arrays["momentum"], states.momentum)
        assert json.loads(arrays["meta"].item())["schema"] == 1
    states.save(tmp_path / "a.csv")
    table = np.genfromtxt(tmp_path / "a.csv", delimiter=",", names=True)
    np.testing.assert_array_equal(table["q2"], states.attitude[:, 2])
    assert json.loads((tmp_path / "a.csv.meta.json").read_text())["units"]["angle"] == "radian"
    with pytest.raises(polhode.InvalidInput, match="the extension says the format"):
        states.save(tmp_path / "a.xls")
