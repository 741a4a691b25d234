"""Many bodies at once have the bits of each alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import polhode

GENERATOR = np.random.default_rng(7)
N = 37
MOMENTA = GENERATOR.normal(size=(N, 3))
TURNED = GENERATOR.normal(size=(N, 4))
MOMENTS = np.sort(GENERATOR.uniform(1, 1.9, size=(N, 3)))


def test_free_bodies_at_times() -> None:
    times = np.array([0.0, -3.0, 1e6])
    found = polhode.ensemble(MOMENTS, momentum=MOMENTA, attitude=TURNED, times=times)
    assert found.attitude.shape == (N, 3, 4) and len(found) == N
    for i in range(N):
        alone = polhode.FreeMotion(MOMENTS[i], momentum=MOMENTA[i], attitude=TURNED[i]).at(times)
        assert found.momentum[i].tobytes() == alone.momentum.tobytes()
        assert found.omega[i].tobytes() == alone.omega.tobytes()
        assert found.attitude[i].tobytes() == alone.attitude.tobytes()


@pytest.mark.parametrize("method", ["exact", "dmv:order=8", "three-rotations", "rkn6-14+exact", "strang+dmv"])
@pytest.mark.parametrize("torque", [None, {"kind": "heavy-top"}, {"kind": "gravity-gradient", "rate": 0.1}])
def test_stepped_bodies(method: str, torque: object) -> None:
    if torque is not None and "+" not in method:
        method = f"strang+{method}"
    runs = [
        polhode.ensemble(
            MOMENTS, momentum=MOMENTA, torque=torque, method=method, step=0.05, until=5.0, every=every, threads=threads
        )
        for every, threads in ((30, 0), (30, 1), (1, 2), (None, 0))
    ]
    assert runs[0].t.tolist() == [0.0, 1.5, 3.0, 4.5, 5.0]
    for i in range(N):
        body = polhode.Body(MOMENTS[i], momentum=MOMENTA[i])
        alone = polhode.simulate(body, torque, method, 0.05, 5.0, every=30)
        for run in runs[:2]:
            assert run.attitude[i].tobytes() == alone.attitude.tobytes()
            assert run.momentum[i].tobytes() == alone.momentum.tobytes()
            assert run.energy[i] == pytest.approx(alone.energy, rel=1e-13)
        assert (runs[2].attitude[i, [0, 30, 60, 90, 100]] == alone.attitude).all()
        assert (runs[3].attitude[i] == alone.attitude[[0, -1]]).all()


def test_what_is_one_for_all() -> None:
    tensor = np.array([[2.0, 0.3, 0], [0.3, 2.5, 0.1], [0, 0.1, 3.0]])
    turn = Rotation.from_rotvec([0.1, 0.2, 0.3])
    shared = polhode.ensemble(tensor, omega=MOMENTA, attitude=turn, times=[2.0])
    each = polhode.ensemble(
        np.broadcast_to(tensor, (N, 3, 3)), omega=MOMENTA, attitude=np.tile(np.roll(turn.as_quat(), 1), (N, 1)), times=[2.0]
    )
    assert shared.attitude.tobytes() == each.attitude.tobytes()
    many = polhode.ensemble(MOMENTS, momentum=[0.1, 1, 0.2], times=[2.0])
    assert many.momentum.shape == (N, 1, 3)
    assert polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[]).momentum.shape == (1, 0, 3)
    assert polhode.ensemble([1, 2, 2.5], momentum=np.zeros((0, 3)), times=[1.0]).attitude.shape == (0, 1, 4)


def test_a_body_that_fails_leaves_the_others_alone() -> None:
    momenta = MOMENTA.copy()
    momenta[5] = [1e20, 2e20, 3e20]
    found = polhode.ensemble(MOMENTS, momentum=momenta, times=[0.0, 1.0])
    assert [failure.body for failure in found.failures] == [5]
    assert "1e13 rad" in found.failures[0].reason and "1 failed" in repr(found)
    assert found.failed.nonzero()[0].tolist() == [5]
    good = polhode.ensemble(MOMENTS, momentum=MOMENTA, times=[0.0, 1.0])
    rest = np.arange(N) != 5
    assert (found.attitude[rest] == good.attitude[rest]).all()


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("momentum", {"momentum": [1, 2]}),
        ("momentum", {"momentum": np.ones((2, 2, 3))}),
        ("momentum", {"momentum": np.full((4, 3), np.nan)}),
        ("attitude", {"attitude": np.ones((5, 4))}),
        ("attitude", {"attitude": np.zeros((4, 4))}),
        ("inertia", {"inertia": [1, 2, -3]}),
        ("inertia", {"inertia": [1, 2, 30]}),
        ("inertia", {"inertia": np.ones((5, 3))}),
        ("inertia", {"inertia": np.ones((3, 3)), "momentum": np.ones((3, 3))}),
        ("inertia", {"inertia": [[1, 2, 2.5]] * 3 + [[1, 2, 30]]}),
        ("times", {"times": [1.0, np.nan]}),
        ("times", {"times": 1.0}),
        ("threads", {"threads": 10**6}),
        ("threads", {"threads": -1}),
        ("step", {"times": None, "step": 0.0, "until": 1.0}),
        ("until", {"times": None, "step": 0.1, "until": -1.0}),
        ("every", {"times": None, "step": 0.1, "until": 1.0, "every": 0}),
        ("t0", {"times": None, "step": 0.1, "until": 1.0, "t0": np.inf}),
        ("method", {"times": None, "step": 0.1, "until": 1.0, "method": "rk4"}),
        ("method", {"times": None, "step": 0.1, "until": 1.0, "method": "exakt"}),
        ("method", {"times": None, "step": 0.1, "until": 1.0, "torque": {"kind": "heavy-top"}}),
        ("torque", {"times": None, "step": 0.1, "until": 1.0, "torque": {"kind": "damping", "coefficient": 1}}),
        ("torque", {"times": None, "step": 0.1, "until": 1.0, "torque": lambda t, m, q: (0, 0, 0)}),
    ],
)
def test_bad_input_is_named(argument: str, change: dict[str, object]) -> None:
    arguments: dict[str, object] = {"inertia": [1, 2, 2.5], "momentum": np.ones((4, 3)), "times": [1.0]}
    with pytest.raises(polhode.InvalidInput) as error:
        polhode.ensemble(**{**arguments, **change})  # type: ignore[arg-type]
    assert error.value.argument == argument


def test_calls_that_make_no_sense() -> None:
    for change in ({"times": [1.0], "step": 1.0}, {}, {"step": 1.0}, {"omega": [1, 2, 3], "times": [1.0]}):
        with pytest.raises(TypeError):
            polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], **change)  # type: ignore[arg-type]


def test_what_does_not_go_with_times_is_named() -> None:
    for name, value in {
        "t0": 0.0, "method": "exact", "torque": {"kind": "heavy-top"}, "step": 0.1, "until": 1.0, "every": 1,
    }.items():  # fmt: skip
        with pytest.raises(TypeError, match=f"^{name}: not with times"):
            polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], **{name: value})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^method, t0: not with times"):
        polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], t0=1.0, method="dmv")


def test_comparisons() -> None:
    body = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
    found = polhode.compare(body, polhode.torques.HeavyTop(), None, [0.1, 0.05, 0.025], 2.0, wanted=1e-7)
    assert len(found.trials) == 3 * len(found.orders)
    assert found.orders["strang+exact"] == pytest.approx(2, abs=0.25)
    best = found.cheapest()
    assert best is not None and best.error is not None and best.error <= 1e-7
    called = polhode.torques.Function(lambda t, m, q: (0.1, 0, 0), depends_on="attitude")
    mixed = polhode.compare(body, called, ["rkn4-6+exact", "exact"], [0.1], 1.0)
    assert mixed.trials[0].seconds is not None and mixed.trials[0].seconds > 0
    assert "free bodies" in (mixed.trials[1].failure or "")

    def broken(t: float, m: object, q: object) -> object:
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        polhode.compare(body, broken, ["rk4"], [0.1], 1.0)
    for argument, change in [
        ("until", {"until": np.nan}),
        ("steps", {"steps": []}),
        ("wanted", {"wanted": -1.0}),
        ("wanted", {"wanted": np.inf}),
        ("methods", {"methods": ["rk5"]}),
        ("methods", {"methods": []}),
        ("steps", {"steps": [np.nan, 0, -0.1]}),
        ("steps", {"steps": [0.1, 0.0]}),
        ("steps", {"steps": [0.1, -0.1]}),
        ("steps", {"steps": [[0.1]]}),
        ("until", {"until": 0.0}),
        ("t0", {"t0": np.nan}),
    ]:
        good = {"methods": ["rk4"], "steps": [0.1], "until": 1.0}
        with pytest.raises(polhode.InvalidInput) as error:
            polhode.compare(body, None, **{**good, **change})  # type: ignore[arg-type]
        assert error.value.argument == argument


def test_a_process_that_is_forked_has_threads_of_its_own() -> None:
    import multiprocessing

    polhode.FreeMotion([1, 2, 2.5], momentum=[1, 2, 3]).at(np.arange(10_000.0))
    with multiprocessing.get_context("fork").Pool(1) as workers:
        result = workers.apply_async(_in_child)
        assert result.get(timeout=60) == 10_000


def _in_child() -> int:
    return len(polhode.FreeMotion([1, 2, 2.5], momentum=[1, 2, 3]).at(np.arange(10_000.0)))
