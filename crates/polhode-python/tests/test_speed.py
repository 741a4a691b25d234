"""What Python costs, measured beside what it is compared with."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable

import numpy as np
from conftest import built_example

import polhode
from polhode import torques

HANDLE = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
BODY = polhode.Body([1, 5, 6], omega=[10, 10, 10])
PAIRS = 15


def wall(call: Callable[[], object]) -> float:
    clock = time.perf_counter()
    call()
    return time.perf_counter() - clock


def work(call: Callable[[], object]) -> float:
    """Seconds of processors: the same whatever else the machine does."""
    clock = time.process_time()
    call()
    return time.process_time() - clock


def test_a_million_times_take_no_longer_than_in_rust() -> None:
    times = np.arange(1_000_000) * 0.01
    program = built_example("ensemble_time")
    ratios = []
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rust:
        assert rust.stdin is not None and rust.stdout is not None
        # Turn by turn, so that what disturbs the machine disturbs all. They use all cores.
        for _ in range(PAIRS):
            print(file=rust.stdin, flush=True)
            theirs = [float(seconds) for seconds in rust.stdout.readline().split()]
            ours = wall(lambda: HANDLE.at(times))
            ratios.append([ours / seconds for seconds in theirs])
        rust.stdin.close()
    ensemble, one_body = zip(*ratios, strict=True)
    for name, column in (("ensemble", ensemble), ("at_many", one_body)):
        print(f"at / {name}: {min(column):.2f} at best, {statistics.median(column):.2f} in the middle of {PAIRS}")
    assert statistics.median(ensemble) < 1.3
    # The same loop over the same times: there is little to lose, but each of the two may be disturbed alone.
    assert min(one_body) < 1.3


def test_a_callable_costs_what_its_calls_cost() -> None:
    """A run with a callable, less the same run with a model, against the calls alone."""

    def constant(t: float, momentum: np.ndarray, attitude: np.ndarray) -> tuple[float, float, float]:
        w, x, y, z = attitude.tolist()
        a = np.array([w, x, y])
        b = np.cross(a, a)
        return (b[0], b[1], b[2])

    calls = 0
    arguments = (0.0, np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 0.0, 0.0]))

    def alone() -> None:
        for _ in range(calls):
            constant(*arguments)

    torque = torques.Function(constant, depends_on="attitude", depends_on_time=False)

    def run() -> None:
        nonlocal calls
        calls = polhode.simulate(BODY, torque, "strang+exact", 0.01, 200.0, every=1000).torque_evaluations or 0

    run()
    assert calls == 20001
    pairs = [(work(run), work(alone)) for _ in range(7)]
    whole, bare = (min(column) for column in zip(*pairs, strict=True))
    ratio, per_call = whole / bare, (whole - bare) / calls
    print(f"callable: {ratio:.2f} of the calls alone, {1e9 * per_call:.0f} ns a call more")
    # Two arrays, a tuple and the step itself: about a microsecond a call.
    assert per_call < 2e-6 and ratio < 1.3
