"""States behave as arrays of states."""

from __future__ import annotations

import pickle
import threading
import time

import numpy as np
import pytest

import polhode

MOTION = polhode.FreeMotion([1, 2, 2.5], momentum=[0.4, 1, 0.3])
GRID = MOTION.at(np.arange(6.0).reshape(2, 3))
ROW = MOTION.at(np.arange(5.0))
NAMES = ("momentum", "omega", "attitude")


@pytest.mark.parametrize(
    "index",
    [
        0, -1, slice(1), slice(None), slice(None, None, -1), ..., (0,), (1, 2), (slice(None), 1), (..., 1), (..., None),
        [0, 1, 0], ([0, 1], [1, 2]), np.array([True, False]), np.arange(6).reshape(2, 3) % 2 == 0, (), np.int64(1),
    ],
)  # fmt: skip
def test_an_index_is_one_into_the_times(index: object) -> None:
    taken = GRID[index]
    assert type(taken) is polhode.States
    assert np.array_equal(taken.t, GRID.t[index])
    exact = MOTION.at(GRID.t[index])
    for name in NAMES:
        assert getattr(taken, name).shape == getattr(exact, name).shape
        assert getattr(taken, name).tobytes() == getattr(exact, name).tobytes()


def test_indices_that_are_none() -> None:
    for index in (2, (0, 3), (0, 0, 0), "t", 1.5, (..., ...)):
        with pytest.raises(IndexError):
            GRID[index]
    for index in (0, slice(1)):
        with pytest.raises(IndexError, match="momentum, omega"):
            MOTION.at(1.0)[index]


def test_length_truth_and_iteration() -> None:
    assert (len(ROW), len(GRID), len(MOTION.at([]))) == (5, 2, 0)
    assert bool(ROW) and bool(MOTION.at(3.0)) and not MOTION.at([]) and not MOTION.at(np.zeros((2, 0)))
    assert [float(state.t) for state in ROW] == [0, 1, 2, 3, 4]
    single = MOTION.at(1.0)
    assert isinstance(single.t, float)
    for ask in (len, list):
        with pytest.raises(TypeError, match="single time"):
            ask(single)
    with pytest.raises(TypeError, match="take momentum"):
        np.asarray(ROW)
    with pytest.raises(TypeError, match="no array"):
        MOTION.at(ROW)  # type: ignore[arg-type]


def test_lists_become_arrays_and_shapes_are_checked() -> None:
    made = polhode.States([0, 1], [[1, 2, 3]] * 2, [[0, 0, 1]] * 2, [[1, 0, 0, 0]] * 2)  # type: ignore[arg-type]
    assert made.t.dtype == made.attitude.dtype == np.float64
    assert made.spatial_momentum.tolist() == [[1, 2, 3]] * 2 and len(made) == 2
    assert made.to_space([0, 0, 1]).tolist() == [[0, 0, 1]] * 2
    good = {"t": [0, 1], "momentum": np.ones((2, 3)), "omega": np.ones((2, 3)), "attitude": np.ones((2, 4))}
    for name in NAMES:
        for bad in (np.ones((1, 3)), np.ones(3), np.ones((2, 5)), 1.0):
            with pytest.raises(polhode.InvalidInput) as error:
                polhode.States(**{**good, name: bad})  # type: ignore[arg-type]
            assert error.value.argument == name
        with pytest.raises(TypeError, match=name):
            polhode.States(**{**good, name: None})  # type: ignore[arg-type]
    for vector in (np.ones(2), np.ones((3, 3))):
        with pytest.raises(polhode.InvalidInput, match="vector"):
            made.to_space(vector)


def test_trajectories() -> None:
    run = polhode.simulate(MOTION, None, "exact", 0.1, 1.0, every=2)
    end = run[-1]
    assert isinstance(end, polhode.Trajectory)
    assert (end.step, end.energy, end.steps) == (10, run.energy[-1], 10)
    assert run[1:3].step.tolist() == [2, 4] and len(run[1:3]) == 2  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(run[2:])).t.tolist() == run.t[2:].tolist()
    assert polhode.check(MOTION, run[1:])


def test_ensembles() -> None:
    momenta = np.random.default_rng(3).normal(size=(6, 3))
    momenta[4] = [1e20, 2e20, 3e20]
    many = polhode.ensemble([1, 2, 2.5], momentum=momenta, times=[0.0, 1.0])
    one = many[2]
    assert type(one) is polhode.States and one.momentum.shape == (2, 3)
    assert one.attitude.tobytes() == many.attitude[2].tobytes()
    some = many[[4, 1]]
    assert isinstance(some, polhode.EnsembleResult)
    assert len(some) == 2 and some.failed.tolist() == [True, False] and some.failures[0].body == 0
    assert (many[1:3].momentum == many.momentum[1:3]).all() and many[1:3].failures == ()  # type: ignore[attr-defined]
    assert [states.t.tolist() for states in many] == [[0.0, 1.0]] * 6
    assert bool(many) and not many[:0]
    for index in (6, (0, 0), np.zeros((1, 1), dtype=int)):
        with pytest.raises(IndexError):
            many[index]


@pytest.mark.parametrize("ask", [lambda s: s.matrix, lambda s: s.to_space(s.omega)], ids=["matrix", "to_space"])
def test_others_run_while_attitudes_are_turned(ask: object) -> None:
    states = MOTION.at(np.linspace(0, 1, 1_000_000))
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks
    for _ in range(3):
        ask(states)  # type: ignore[operator]
    seen = ticks - before
    done.set()
    thread.join()
    # While it is held there is a turn after each call at most, and every five milliseconds of NumPy's.
    assert seen > 8
