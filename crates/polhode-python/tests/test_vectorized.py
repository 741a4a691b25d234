"""Torques that take many states at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polhode
from polhode import torques

BODY = polhode.Body([1, 5, 6], omega=[1, 2, 3], attitude=[0.8, 0.2, -0.4, 0.4])
TOP = torques.HeavyTop(centre=(0.3, 0, 2))


def tops(t: np.ndarray, momentum: np.ndarray, attitude: np.ndarray) -> np.ndarray:
    """The heavy top, written anew, for many states at once."""
    assert t.shape == momentum.shape[:1] == attitude.shape[:1]
    assert momentum.shape[1:] == (3,) and attitude.shape[1:] == (4,)
    w, x, y, z = attitude.T
    up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z], axis=-1)
    return np.cross(up, [0.3, 0, 2])


class Counted:
    """Counts the calls of a function and the states it was called with."""

    def __init__(self, f: Any) -> None:
        self.f, self.calls, self.states = f, 0, 0
        self.latest = -np.inf

    def __call__(self, t: np.ndarray, momentum: np.ndarray, attitude: np.ndarray) -> Any:
        self.calls, self.states = self.calls + 1, self.states + len(t)
        self.latest = max(self.latest, t.max())
        return self.f(t, momentum, attitude)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-10])
def test_a_vectorized_torque_is_solved_as_the_model_is_with_fewer_calls(tolerance: float) -> None:
    calls = {}
    model = polhode.solve(BODY, TOP, 5.0, 1e-12)[-1]
    for method in (None, "dop853", "extrapolation"):
        counted = Counted(tops)
        found = polhode.solve(BODY, torques.Function(counted, vectorized=True), 5.0, tolerance, method=method)
        assert found.method == (method or "extrapolation")
        assert np.abs(found[-1].momentum - model.momentum).max() < 100 * tolerance
        calls[method] = counted.calls
        # Nobody is asked about what comes after the end.
        assert counted.latest <= 5.0
    assert calls[None] == calls["extrapolation"] < (0.7 if tolerance < 1e-5 else 1.2) * calls["dop853"]


def test_lanes_that_are_done_do_not_ask_for_later_times() -> None:
    def early(t: np.ndarray, momentum: np.ndarray, attitude: np.ndarray) -> np.ndarray:
        assert (t <= 1.0).all() and (t >= 0.25).all()
        return -0.1 * momentum

    for tolerance in (1e-3, 1e-9):
        there = polhode.solve(BODY, torques.Function(early, vectorized=True), t_span=(0.25, 1), tolerance=tolerance)
        assert there.method == "extrapolation"
        polhode.solve(BODY, torques.Function(early, vectorized=True), t_span=(1, 0.25), tolerance=tolerance)


def test_with_events_it_is_interpolated() -> None:
    found = polhode.solve(
        BODY, torques.Function(tops, vectorized=True), 5.0, events=lambda t, state: state.matrix[2, 0]
    )
    model = polhode.solve(BODY, TOP, 5.0, events=lambda t, state: state.matrix[2, 0])
    assert found.method == "dop853"
    assert found.t_events is not None and model.t_events is not None
    assert found.t_events[0] == pytest.approx(model.t_events[0], abs=1e-9)


def test_an_ensemble_calls_it_for_several_bodies_at_once() -> None:
    momenta = np.random.default_rng(7).normal(size=(64, 3))
    run: dict[str, Any] = {"method": "strang+exact", "step": 0.1, "until": 1.0}
    one_by_one = Counted(lambda t, m, q: tops(t, m, q))

    def single(t: float, momentum: np.ndarray, attitude: np.ndarray) -> Any:
        return one_by_one(np.array([t]), momentum[None], attitude[None])[0]

    want = polhode.ensemble([1, 5, 6], torque=torques.Function(single), momentum=momenta, **run)
    at_once = Counted(tops)
    got = polhode.ensemble(
        [1, 5, 6], torque=torques.Function(at_once, vectorized=True), momentum=momenta, **run
    )
    assert got.momentum.tobytes() == want.momentum.tobytes()
    assert at_once.states == one_by_one.states == one_by_one.calls
    assert at_once.calls <= one_by_one.calls / 4


def test_steps_call_it_with_one_state() -> None:
    for function in (torques.Function(tops, vectorized=True), [torques.Function(tops, vectorized=True)]):
        got = polhode.simulate(BODY, function, "strang+exact", step=0.1, until=1)
        want = polhode.simulate(BODY, TOP, "strang+exact", step=0.1, until=1)
        assert np.abs(got.momentum - want.momentum).max() < 1e-13


@pytest.mark.parametrize(
    "returned",
    [
        lambda n: np.zeros(3),
        lambda n: np.zeros((n + 1, 3)),
        lambda n: np.zeros((3, n + 3)),
        lambda n: np.full((n, 3), np.nan),
        lambda n: [[0, 0, 0]] * n,
        lambda n: np.zeros((n, 3), dtype=complex),
        lambda n: None,
    ],
)
def test_what_it_returns_is_checked(returned: Any) -> None:
    function = torques.Function(lambda t, m, q: returned(len(t)), vectorized=True)
    with pytest.raises(polhode.InvalidInput, match="must be an array of doubles") as no:
        polhode.solve(BODY, function, 1.0)
    assert no.value.argument == "torque" and "the vectorized torque returned" in str(no.value)


def test_rows_in_any_layout_are_taken() -> None:
    want = polhode.solve(BODY, torques.Function(tops, vectorized=True), 1.0)[-1]
    fortran = torques.Function(lambda t, m, q: np.asfortranarray(tops(t, m, q)), vectorized=True)
    assert polhode.solve(BODY, fortran, 1.0)[-1].momentum.tobytes() == want.momentum.tobytes()


def test_what_it_raises_comes_out() -> None:
    class Broken(Exception):
        pass

    def faulty(t: np.ndarray, momentum: np.ndarray, attitude: np.ndarray) -> np.ndarray:
        if (t > 0.5).any():
            raise Broken
        return np.zeros_like(momentum)

    for call in (
        lambda torque: polhode.solve(BODY, torque, 1.0),
        lambda torque: polhode.simulate(BODY, torque, "strang+exact", step=0.1, until=1),
        lambda torque: polhode.ensemble(
            [1, 5, 6], torque=torque, method="strang+exact", momentum=np.ones((9, 3)), step=0.1, until=1
        ),
    ):
        with pytest.raises(Broken):
            call(torques.Function(faulty, vectorized=True))


def test_lies_are_found_as_of_others() -> None:
    lie = torques.Function(lambda t, m, q: m, depends_on="attitude", vectorized=True)
    with pytest.raises(polhode.InvalidInput, match="changes with the momentum"):
        polhode.solve(BODY, lie, 1.0)


def test_vectorized_is_a_word_for_callables() -> None:
    with pytest.raises(TypeError, match="vectorized"):
        torques.Function(tops, vectorized=1)  # type: ignore[arg-type]
    import ctypes

    pointer = ctypes.POINTER(ctypes.c_double)
    compiled = ctypes.CFUNCTYPE(None, ctypes.c_double, pointer, pointer, pointer)(lambda t, m, q, out: None)
    with pytest.raises(polhode.InvalidInput, match="one state at a time") as refused:
        torques.Function(compiled, vectorized=True)
    assert refused.value.argument == "vectorized"
