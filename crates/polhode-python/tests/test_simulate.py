"""Runs under torques: built-in and callable."""

from __future__ import annotations

import os
import pickle
import re
import threading
import time
import traceback
import warnings
from collections.abc import Callable

import numpy as np
import pytest

import polhode
from polhode import torques

BODY = polhode.Body([1, 5, 6], omega=[10, 10, 10])


def heavy_top(t: float, momentum: np.ndarray, attitude: np.ndarray) -> tuple[float, float, float]:
    """The library's heavy top, c x u with c = e3 and u = Q^T e3, but written with Python's floats."""
    w, x, y, z = attitude.tolist()
    # The third row of Q.
    u = (2 * (x * z - w * y), 2 * (y * z + w * x))
    return (u[1], -u[0], 0.0)


def potential(t: float, attitude: np.ndarray) -> float:
    w, x, y, z = attitude.tolist()
    return 1 - 2 * (x * x + y * y)


def test_a_callable_moves_the_body_as_the_model_does() -> None:
    for method in ("rkn6-14+exact", "strang+dmv", "rk4"):
        model = polhode.simulate(BODY, torques.HeavyTop(), method, 0.01, 5.0)
        torque = torques.Function(heavy_top, depends_on="attitude", depends_on_time=False, potential=potential)
        called = polhode.simulate(BODY, torque, method, 0.01, 5.0)
        assert np.abs(model.momentum - called.momentum).max() < 1e-11
        assert np.abs(model.energy - called.energy).max() < 1e-10
        assert called.torque_evaluations == model.torque_evaluations
        assert called.invariants.energy.max_error == pytest.approx(model.invariants.energy.max_error, abs=1e-10)


def test_torques_are_written_in_several_ways() -> None:
    forms = [
        torques.HeavyTop(),
        {"kind": "heavy-top"},
        [{"kind": "heavy-top", "centre": (0, 0, 1), "up": np.array([0, 0, 1])}],
        torques.LagrangeTop(strength=1.0),
        [torques.HeavyTop(centre=(0, 0, 1)), None],
    ]
    ends = {polhode.simulate(BODY, form, "rkn6-14+exact", 0.01, 1.0).momentum[-1].tobytes() for form in forms}
    assert len(ends) == 1
    both = polhode.simulate(BODY, [torques.HeavyTop(), torques.Damping(coefficient=0.1)], "s6-10+exact", 0.001, 1.0)
    assert both.energy[-1] < both.energy[0]
    mixed = polhode.simulate(BODY, [heavy_top, torques.Damping(coefficient=0.1)], "rk4", 0.001, 1.0)
    # The error of rk4.
    assert np.abs(mixed.momentum[-1] - both.momentum[-1]).max() < 1e-6


def test_every_keeps_the_start_the_nth_and_the_last() -> None:
    run = polhode.simulate(BODY, None, "exact", 0.1, 1.0, every=4)
    assert run.step.tolist() == [0, 4, 8, 10]
    assert run.step.dtype == np.int64
    assert run.t.tolist() == [0.0, 0.4, 0.8, 1.0]
    assert (run.steps, run.method) == (10, "exact")
    later = polhode.simulate(BODY, None, "exact", -0.1, 2.0, t0=3.0)
    assert later.t[[0, -1]] == pytest.approx([3.0, 2.0])
    exact = polhode.FreeMotion.of(BODY).at(run.t)
    assert np.abs(exact.attitude - run.attitude).max() < 1e-14
    assert polhode.simulate(polhode.FreeMotion.of(BODY), None, "exact", 0.1, 0.0).t.tolist() == [0.0]


def test_invariants_are_of_all_steps() -> None:
    dense = polhode.simulate(BODY, torques.HeavyTop(), "mr", 0.01, 10.0)
    sparse = polhode.simulate(BODY, torques.HeavyTop(), "mr", 0.01, 10.0, every=1000)
    assert dense.invariants.energy == sparse.invariants.energy
    assert dense.invariants.energy.max_error == np.abs(dense.energy - dense.energy[0]).max()
    norm = np.sqrt((dense.momentum**2).sum(axis=1))
    assert dense.invariants.momentum_norm.max_error == pytest.approx(np.abs(norm - norm[0]).max(), rel=1e-12)
    spatial = np.linalg.norm(dense.spatial_momentum - dense.spatial_momentum[0], axis=1)
    assert dense.invariants.spatial_momentum.max_error == pytest.approx(spatial.max(), rel=1e-12)


class Broken(Exception):
    pass


def faulty(t: float, momentum: np.ndarray, attitude: np.ndarray) -> object:
    if t > 0.5:
        raise Broken("at the bottom")
    return momentum * 0


@pytest.mark.parametrize("method", ["rk4", "strang+exact", "rkmk:tableau=gauss2", "trap", "strang+dmv"])
def test_what_a_callable_raises_comes_out_with_its_traceback(method: str) -> None:
    with pytest.raises(Broken, match="at the bottom") as raised:
        polhode.simulate(BODY, faulty, method, 0.01, 1.0)
    assert "faulty" in [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]


def test_what_a_potential_raises_comes_out_too() -> None:
    torque = torques.Function(heavy_top, potential=lambda t, q: 1 / (0.5 - t))
    with pytest.raises(ZeroDivisionError):
        polhode.simulate(BODY, torque, "rk4", 0.25, 1.0)


def test_a_callable_is_not_called_again_after_it_raised() -> None:
    calls = 0

    def once(t: float, m: np.ndarray, q: np.ndarray) -> object:
        nonlocal calls
        calls += 1
        raise Broken

    with pytest.raises(Broken):
        polhode.simulate(BODY, once, "rkmk:tableau=gauss3", 0.01, 1.0)
    assert calls == 1


@pytest.mark.parametrize(
    "value", [None, 1.0, (1, 2), (1, 2, 3, 4), [1, 2, float("nan")], "abc", np.zeros(4), np.zeros((3, 1)), (1j, 0, 0)]
)
def test_what_a_callable_returns_is_checked(value: object) -> None:
    with pytest.raises((polhode.InvalidInput), match="the torque returned") as error:
        polhode.simulate(BODY, lambda t, m, q: value, "rk4", 0.01, 1.0)
    assert error.value.argument == "torque"
    with pytest.raises(polhode.InvalidInput, match="the potential returned"):
        torque = torques.Function(heavy_top, potential=lambda t, q: "high")  # type: ignore[arg-type,return-value]
        polhode.simulate(BODY, torque, "rk4", 0.01, 1.0)


def test_callables_may_return_any_three_numbers() -> None:
    strided = np.arange(6.0)[::2]
    values = [(0, 2, 4), [0.0, 2.0, 4.0], strided, np.array([0, 2, 4]), np.float32([0, 2, 4]), (np.float64(0), 2, 4)]
    ends = {
        polhode.simulate(BODY, lambda t, m, q, v=value: v, "rk4", 0.1, 1.0).momentum[-1].tobytes() for value in values
    }
    assert len(ends) == 1


def test_a_callable_may_keep_what_it_is_given() -> None:
    seen = []

    def keeping(t: float, m: np.ndarray, q: np.ndarray) -> object:
        seen.append((t, m, q))
        m[:] = 0  # nobody else's
        return (0, 0, 0)

    run = polhode.simulate(BODY, keeping, "rk4", 0.1, 1.0)
    assert (run.momentum == polhode.simulate(BODY, None, "rk4", 0.1, 1.0).momentum).all()
    assert seen[0][2].tolist() == [1, 0, 0, 0]


def test_others_run_meanwhile() -> None:
    """The interpreter is free during a run."""
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    # Nothing lets go of the interpreter here but the run itself.
    polhode.FreeMotion.of(BODY).at(np.linspace(0, 1e3, 2_000_000))
    free = ticks - before
    before = ticks
    polhode.simulate(BODY, torques.HeavyTop(), "rkn6-14+exact", 1e-3, 50.0, every=1000)
    run = ticks - before
    done.set()
    thread.join()
    # With the interpreter held it would be one or two.
    assert free > 10 and run > 10


def test_tables() -> None:
    infos = {info.id: info for info in polhode.methods()}
    assert infos["exact"].order is None and infos["exact"].keeps is not None
    assert "symplectic" in infos["exact"].keeps
    assert infos["rkn6-14"].accepts == "attitude" and infos["rkn6-14"].kind == "scheme"
    assert infos["frb"].title == "rkn6-14+frb-matrix"
    assert any(parameter.name == "order" for parameter in infos["dmv"].parameters)
    assert all(re.match("@[a-z]", cite.bibtex) and cite.bibtex.count("@") == 1 for info in infos.values() for cite in info.cites)
    assert {info.kind for info in infos.values()} == {"scheme", "rotor", "method", "preset"}
    for info in infos.values():
        if info.kind != "scheme":
            polhode.simulate(BODY, None, info.id, 0.001, 0.002)


def test_the_classes_of_torques_are_those_of_the_table() -> None:
    for kind in torques.kinds():
        torque = torques.torque(kind.kind, kind.example)
        assert getattr(torques, type(torque).__name__) is type(torque)
        assert pickle.loads(pickle.dumps(torque)) == torque
        assert kind.title[1:] in (type(torque).__doc__ or "")
    with pytest.raises(AttributeError, match="HeavyTop"):
        torques.HeavyTip  # noqa: B018
    assert torques.HeavyTop() != torques.LagrangeTop()
    assert len({torques.HeavyTop(), torques.HeavyTop()}) == 1


@pytest.mark.parametrize("method", ["rkn6-14+exact", "rk4", "rkmk:tableau=gauss2", "trap"])
@pytest.mark.parametrize("step", [0.03, -0.03])
def test_states_at_times_between_the_steps(method: str, step: float) -> None:
    times = np.copysign([0.0, 0.01, 0.02, 0.03, 0.07, 0.3, 0.9999], step)
    top = torques.HeavyTop()
    run = polhode.simulate(BODY, top, method, step, times=times)
    assert run.t.tolist() == times.tolist()
    assert run.step.tolist() == [0, 0, 0, 1, 2, 10, 33]
    plain = polhode.simulate(BODY, top, method, step, times[-1] / 0.9999 * 1.02)
    # What is at a step is that step, and the run itself is not changed.
    assert run.momentum[[0, 3]].tobytes() == plain.momentum[[0, 1]].tobytes()
    assert run.steps == plain.steps == 34
    assert run.torque_evaluations is not None and plain.torque_evaluations is not None
    assert run.torque_evaluations > plain.torque_evaluations
    # What is between two steps is as accurate as they are.
    best = polhode.solve(BODY, top, t_span=(0, times[-1]), t_eval=times).momentum
    steps = np.abs(plain.momentum[-2] - polhode.solve(BODY, top, plain.t[-2])[-1].momentum).max()
    assert np.abs(run.momentum - best).max() < 2 * steps + 1e-9
    later = polhode.simulate(BODY, top, method, step, step * 40, times=times[:3])
    assert later.t.tolist() == times[:3].tolist() and later.steps == 40


def test_an_end_between_two_steps_is_told() -> None:
    with pytest.warns(UserWarning, match=r"until = 1.0 is no whole number of steps of 0.3 away: .* t = 1.2") as told:
        run = polhode.simulate(BODY, None, "exact", 0.3, 1.0)
    assert run.t[-1] == pytest.approx(1.2)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        polhode.simulate(BODY, None, "exact", 0.1, 0.3)
        polhode.simulate(BODY, None, "exact", 0.3, times=[1.0])


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("times", lambda: polhode.simulate(BODY, None, "exact", 0.1, times=[0.2, 0.1])),
        ("times", lambda: polhode.simulate(BODY, None, "exact", 0.1, times=[-0.1])),
        ("times", lambda: polhode.simulate(BODY, None, "exact", 0.1, 1.0, times=[2.0])),
        ("times", lambda: polhode.simulate(BODY, None, "exact", 0.1, times=[])),
        ("times", lambda: polhode.simulate(BODY, None, "exact", 0.1, times=[float("inf")])),
        ("step", lambda: polhode.simulate(BODY, None, "exact", 0.0, times=[1.0])),
    ],
)
def test_times_that_are_not_allowed_are_named(argument: str, call: Callable[[], object]) -> None:
    with pytest.raises(polhode.InvalidInput) as refused:
        call()
    assert refused.value.argument == argument
    with pytest.raises(TypeError, match="every, times"):
        polhode.simulate(BODY, None, "exact", 0.1, 1.0, 2, times=[1.0])
    with pytest.raises(TypeError, match="until, times"):
        polhode.simulate(BODY, None, "exact", 0.1)
