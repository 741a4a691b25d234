"""Many bodies at once have the bits of each alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import polhode

GENERATOR = np.random.default_rng(7)
N = 37
MOMENTA = GENERATOR.normal(size=(N, 3))
TURNED = GENERATOR.normal(size=(N, 4))
MOMENTS = np.sort(GENERATOR.uniform(1, 1.9, size=(N, 3)))
#: Switched on at 0, and up at 0.7.
JUMPING = {"kind": "formula", "torque": ["0.2*sign(t) + 0.1*sign(t - 0.7)", "0.1*r31", "0"]}


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


def spring(t: float, m: np.ndarray, q: np.ndarray) -> np.ndarray:
    return -0.3 * (1 + 0.1 * t) * q[0] * q[1:]


def drag(t: float, m: np.ndarray, q: np.ndarray) -> np.ndarray:
    return -0.1 * m * abs(m)


#: The example of each kind, and others.
TORQUES: dict[str, Any] = {kind.kind: {"kind": kind.kind, **kind.example} for kind in polhode.torques.kinds()} | {
    "no torque": None,
    "a class": polhode.torques.HeavyTop(centre=(0.1, 0, 1)),
    "a callable": drag,
    "a callable of the attitude": polhode.torques.Function(spring, depends_on="attitude"),
    "numbers among expressions": {"kind": "formula", "torque": ["a*r32 - w1^3", "sin(t)", 0.2], "constants": {"a": 0.5}},
    "a sum": [{"kind": "heavy-top"}, {"kind": "damping", "coefficient": 0.1}],
    "a sum with callables": [{"kind": "constant", "torque": (0.1, 0, 0)}, spring, drag],
}
LEAPFROG = polhode.Scheme("leapfrog", 2, [("drift", 0.5), ("kick", 1.0), ("drift", 0.5)], rotor="dmv")
HEUN = polhode.Tableau([[0, 0], [1, 0]], [0.5, 0.5], [0, 1], order=2, id="heun")


@pytest.mark.parametrize("name", TORQUES)
@pytest.mark.parametrize(
    "method", ["strang+exact", "s6-10+three-rotations", "strang+frb-matrix", "rk4", "imid", LEAPFROG, HEUN], ids=str
)
def test_every_torque_and_every_method(name: str, method: object) -> None:
    torque = TORQUES[name]
    few = slice(0, 19)  # a cell of lanes, and some of the next
    arguments = {"torque": torque, "method": method, "step": 0.05, "until": 0.5, "t0": 0.1}
    runs = [
        polhode.ensemble(MOMENTS[few], momentum=MOMENTA[few], every=every, threads=threads, **arguments)  # type: ignore[arg-type]
        for every, threads in ((3, 0), (3, 2))
    ]
    for i in range(19):
        body = polhode.Body(MOMENTS[i], momentum=MOMENTA[i])
        alone = polhode.simulate(body, torque, method, 0.05, 0.5, every=3, t0=0.1)  # type: ignore[arg-type]
        assert not (alone.momentum[0] == alone.momentum[-1]).all()
        for run in runs:
            assert run.t.tolist() == alone.t.tolist()
            assert run.momentum[i].tobytes() == alone.momentum.tobytes()
            assert run.attitude[i].tobytes() == alone.attitude.tobytes()
            assert run.energy[i] == pytest.approx(alone.energy, rel=1e-13)


def test_gradient_schemes_take_models_but_no_callables() -> None:
    found = polhode.ensemble(
        MOMENTS, momentum=MOMENTA, torque={"kind": "lagrange-top", "strength": 1}, method="sabac4+exact", step=0.1, until=1
    )
    alone = polhode.simulate(
        polhode.Body(MOMENTS[4], momentum=MOMENTA[4]), {"kind": "lagrange-top", "strength": 1}, "sabac4+exact", 0.1, 1.0
    )
    assert found.attitude[4, -1].tobytes() == alone.attitude[-1].tobytes()
    with pytest.raises(polhode.InvalidInput, match="needs the derivative of the torque"):
        polhode.ensemble(
            MOMENTS, momentum=MOMENTA, torque=TORQUES["a callable of the attitude"], method="sabac4+exact",
            step=0.1, until=1,
        )  # fmt: skip


def test_the_potential_of_a_callable_is_part_of_the_energy() -> None:
    lifted = polhode.torques.Function(
        lambda t, m, q: (0.0, 0.0, 0.0), depends_on="attitude", potential=lambda t, q: 2.0 + t
    )
    with_it = polhode.ensemble(MOMENTS, momentum=MOMENTA, torque=lifted, method="strang+exact", step=0.5, until=1)
    without = polhode.ensemble(MOMENTS, momentum=MOMENTA, torque=None, method="strang+exact", step=0.5, until=1)
    assert (with_it.attitude == without.attitude).all()
    assert with_it.energy == pytest.approx(without.energy + [2.0, 3.0], rel=1e-15)


@pytest.mark.parametrize("threads", [0, 2])
@pytest.mark.parametrize("method", ["strang+exact", "rk4"])
def test_what_a_callable_raises_comes_out(method: str, threads: int) -> None:
    calls = 0

    def broken(t: float, m: object, q: object) -> tuple[float, ...]:
        nonlocal calls
        calls += 1
        if t > 0.3:
            raise LookupError(f"no torque at {t}")
        return (0.0, 0.1, 0.0)

    with pytest.raises(LookupError, match="no torque at 0.3"):
        polhode.ensemble([1, 2, 2.5], momentum=MOMENTA, torque=broken, method=method, step=0.1, until=1e3, threads=threads)
    assert calls < 4 * 5 * 2 * N
    for bad in (None, (1, 2), (1, 2, np.nan), 1j, "abc"):
        with pytest.raises(polhode.InvalidInput, match="must be three finite numbers"):
            polhode.ensemble(
                [1, 2, 2.5], momentum=MOMENTA, torque=lambda t, m, q: bad, method=method, step=0.1, until=1, threads=threads
            )


def test_a_callable_may_ask_for_ensembles_itself() -> None:
    """On the threads of the pool it would wait for itself."""

    def nested(t: float, m: np.ndarray, q: np.ndarray) -> np.ndarray:
        inner = polhode.ensemble([1, 2, 2.5], momentum=[m, m], method="exact", step=0.1, until=0.1)
        return 1e-3 * inner.momentum[0, -1]

    found = polhode.ensemble([1, 2, 2.5], momentum=MOMENTA[:3], torque=nested, method="strang+exact", step=0.1, until=0.2)
    alone = polhode.simulate(polhode.Body([1, 2, 2.5], momentum=MOMENTA[1]), nested, "strang+exact", 0.1, 0.2)
    assert found.momentum[1, -1].tobytes() == alone.momentum[-1].tobytes()


def test_other_threads_of_python_go_on_beside_a_callable() -> None:
    import threading

    results: list[polhode.EnsembleResult] = []

    def run() -> None:
        results.append(
            polhode.ensemble(MOMENTS, momentum=MOMENTA, torque=drag, method="strang+exact", step=0.05, until=1, threads=2)
        )

    workers = [threading.Thread(target=run) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
        assert not worker.is_alive()
    assert len({found.attitude.tobytes() for found in results}) == 1 and len(results) == 3


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
    with pytest.warns(RuntimeWarning, match=rf"1 of {N} bodies .* body 5, at t = 1.0: .*1e13 rad"):
        found = polhode.ensemble(MOMENTS, momentum=momenta, times=[0.0, 1.0])
    assert [failure.body for failure in found.failures] == [5]
    assert (found.momentum[5, 0] == momenta[5]).all() and np.isnan(found.momentum[5, 1]).all()
    assert np.isnan(found.attitude[5, 1]).all() and np.isnan(found.energy[5, 1])
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
        ("times", {"times": [1.0, 0.5], "tolerance": 1e-9}),
        ("times", {"times": [1.0, np.nan], "tolerance": 1e-9}),
        ("tolerance", {"tolerance": 1.0}),
        ("tolerance", {"tolerance": np.nan}),
        ("tolerance", {"tolerance": [1e-9, 1e-9]}),
        ("times", {"times": [1.0, 1.0], "tolerance": 1e-9}),
        ("times", {"times": [[1.0]], "tolerance": 1e-9}),
        ("stops", {"stops": [0.5, 0.5], "tolerance": 1e-9, "torque": {"kind": "heavy-top"}}),
        ("times", {"times": [1e-310], "tolerance": 1e-9, "torque": {"kind": "heavy-top"}}),
        ("stops", {"stops": [0.5, 0.2], "tolerance": 1e-9}),
        ("stops", {"stops": [-0.1], "tolerance": 1e-9}),
        ("stops", {"stops": [1.5], "tolerance": 1e-9}),
        ("stops", {"stops": [np.nan], "tolerance": 1e-9}),
        ("stops", {"stops": 0.5, "tolerance": 1e-9}),
        ("threads", {"threads": 10**6}),
        ("threads", {"threads": -1}),
        ("step", {"times": None, "step": 0.0, "until": 1.0}),
        ("until", {"times": None, "step": 0.1, "until": -1.0}),
        ("every", {"times": None, "step": 0.1, "until": 1.0, "every": 0}),
        ("t0", {"times": None, "step": 0.1, "until": 1.0, "t0": np.inf}),
        ("method", {"times": None, "step": 0.1, "until": 1.0, "method": "exakt"}),
        ("method", {"times": None, "step": 0.1, "until": 1.0, "torque": {"kind": "heavy-top"}}),
        (
            "method",
            {
                "times": None, "step": 0.1, "until": 1.0, "method": "rkn6-14+exact",
                "torque": {"kind": "damping", "coefficient": 1},
            },
        ),
        (
            "method",
            {"times": None, "step": 0.1, "until": 1.0, "method": "rkn6-14+exact", "torque": lambda t, m, q: (0, 0, 0)},
        ),
        ("torque", {"times": None, "step": 0.1, "until": 1.0, "method": "rk4", "torque": {"kind": "damping"}}),
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
        "stops": [0.5],
    }.items():  # fmt: skip
        with pytest.raises(TypeError, match=f"^{name}: not with times"):
            polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], **{name: value})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^method, t0: not with times"):
        polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], t0=1.0, method="dmv")


def test_what_does_not_go_with_a_tolerance_is_named() -> None:
    for name, value in {"method": "exact", "step": 0.1, "until": 1.0, "every": 1}.items():
        with pytest.raises(TypeError, match=f"^{name}: not with times$"):
            polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], tolerance=1e-9, **{name: value})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^times: needed with a tolerance"):
        polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], tolerance=1e-9)
    with pytest.raises(TypeError, match="^stops: only with times and a tolerance"):
        polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], step=0.1, until=1.0, stops=[0.5])
    with pytest.raises(TypeError, match="^tolerance: must be real numbers, not the text '1e-9'$"):
        polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], tolerance="1e-9")
    with pytest.raises(TypeError, match="^stops: must be real numbers, not texts$"):
        polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], times=[1.0], tolerance=1e-9, stops=["soon"])


@pytest.mark.parametrize("torque", [JUMPING, lambda t, m, q: (np.sign(t - 0.7) + np.sign(t), 0.1, 0.0)])
def test_every_body_meets_the_stops(torque: Any) -> None:
    times, stops = [0.5, 2.0], [0.0, 0.7, 2.0]
    given: dict[str, Any] = {"momentum": MOMENTA[:9], "torque": torque, "tolerance": 1e-8, "times": times}
    found = [polhode.ensemble(MOMENTS[:9], **given, stops=stops, threads=threads) for threads in (1, 3)]
    assert (found[0].momentum == found[1].momentum).all()
    for i, momentum in enumerate(MOMENTA[:9]):
        body = polhode.Body(MOMENTS[i], momentum=momentum)
        alone = polhode.solve(body, torque, 2.0, tolerance=1e-8, t_eval=times, stops=stops)
        assert (found[0].momentum[i] == alone.momentum).all() and (found[0].attitude[i] == alone.attitude).all()
    # Without, other steps are made.
    assert (polhode.ensemble(MOMENTS[:9], **given).momentum != found[0].momentum).any()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "torque", [None, {"kind": "heavy-top"}, lambda t, m, q: (0.1 * np.cos(t), -0.01 * m[1], q[0])]
)
def test_bodies_solved_to_a_tolerance(torque: object, threads: int) -> None:
    times, t0 = [0.5, 1.5, 4.0], 0.25
    found = polhode.ensemble(
        MOMENTS[:4], momentum=MOMENTA[:4], torque=torque, tolerance=1e-8, times=times, t0=t0, threads=threads,  # type: ignore[arg-type]
    )  # fmt: skip
    assert found.t.tolist() == times and found.attitude.shape == (4, 3, 4) and not found.failures
    for i, momentum in enumerate(MOMENTA[:4]):
        body = polhode.Body(MOMENTS[i], momentum=momentum)
        alone = polhode.solve(body, torque, t_span=(t0, 4.0), tolerance=1e-8, t_eval=times)  # type: ignore[arg-type]
        assert (found.momentum[i] == alone.states.momentum).all()
        assert (found.attitude[i] == alone.states.attitude).all()


def test_a_body_that_cannot_be_solved_leaves_the_others_alone() -> None:
    momenta = MOMENTA.copy()
    momenta[2] *= 1e6
    with pytest.warns(RuntimeWarning, match="body 2, .* rounding alone"):
        found = polhode.ensemble(MOMENTS, momentum=momenta, torque={"kind": "heavy-top"}, tolerance=1e-9, times=[1.0])
    assert [failure.body for failure in found.failures] == [2]
    assert "rounding alone" in found.failures[0].reason
    # What is known to be wrong is not returned.
    assert np.isnan(found.momentum[2]).all() and np.isfinite(found.momentum[[1, 3]]).all()


def test_a_body_that_fails_in_a_step_has_no_states_from_there_on() -> None:
    # One at rest stays there, the other is turned ever faster, until a step is too long for it.
    growing = {"kind": "formula", "torque": ["2*w1", "4*w2", "5*w3"]}
    run: Any = {"method": "rkmk:tableau=gauss3", "step": 0.5, "until": 6.0, "every": 2}
    with pytest.warns(RuntimeWarning, match="1 of 2 bodies"):
        found = polhode.ensemble([1, 2, 2.5], momentum=[[0, 0, 0], [1, 2, 0.5]], torque=growing, **run)
    (failure,) = found.failures
    lost = found.t > failure.t
    assert failure.body == 1 and 0 < lost.sum() < len(lost)
    assert np.isnan(found.momentum[1, lost]).all() and np.isfinite(found.momentum[1, ~lost]).all()
    assert np.isfinite(found.momentum[0]).all()


def test_comparisons() -> None:
    body = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
    found = polhode.compare(body, polhode.torques.HeavyTop(), None, [0.1, 0.05, 0.025], 2.0, wanted=1e-7)
    assert len(found.trials) == 3 * len(found.orders)
    assert found.orders["strang+exact"] == pytest.approx(2, abs=0.25)
    best = found.cheapest()
    assert best is not None and best.error is not None and best.error <= 1e-7
    assert {trial.method for trial in found.solutions} == {"extrapolation"} and len(found.solutions) == 5
    for trial in found.solutions:
        assert trial.error is not None and trial.tolerance is not None and trial.error < 10 * trial.tolerance
    assert [trial.step for trial in found.best_at_steps()] == [0.1, 0.05, 0.025]
    for trial in found.best_at_steps():
        assert trial.error == min(other.error or np.inf for other in found.trials if other.step == trial.step)
    solved = polhode.compare(body, polhode.torques.HeavyTop(), ["dop853", "extrapolation"], [0.1], 2.0, tolerances=1e-6)
    assert [(trial.method, trial.tolerance) for trial in solved.solutions] == [
        ("dop853", 1e-6),
        ("extrapolation", 1e-6),
    ]
    assert solved.trials == () and solved.orders == {}
    free = polhode.compare(body, None, ["closed-form", "exact", "rk4"], [0.1, 0.05, 0.025], 2.0)
    assert [(trial.method, trial.tolerance) for trial in free.solutions] == [("closed-form", None)]
    assert free.orders["exact"] is None and free.no_order == {"exact": "errors are rounding: try longer steps"}
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
        ("tolerances", {"tolerances": [1e-6, 1.0]}),
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
