"""Ctrl-C ends a call, and what it was doing too."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

BEFORE = """
import json, signal, sys, threading, time
# What a shell starts in the background begins with Ctrl-C switched off.
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
import polhode
body = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
motion = polhode.FreeMotion.of(body)
motion.at(np.arange(1e4))
"""

AFTER = """
print("ready", flush=True)
interrupted = None
try:
    {call}
except KeyboardInterrupt:
    interrupted = True
# A thread that goes on works in every one of these pauses; what merely comes to an end does not.
restless = 0
while restless < 40:
    before = time.process_time()
    time.sleep(0.25)
    if time.process_time() - before < {rest}:
        break
    restless += 1
motion.at(np.arange(1e5))
print(json.dumps([interrupted, restless]))
"""

TENSORS = """
inertia = np.broadcast_to(np.array([[2, 0.3, 0], [0.3, 2.5, 0.1], [0, 0.1, 3.0]]), (1_000_000, 3, 3)).copy()
spins = np.ones((len(inertia), 3))
"""
CLIENT = """
import polhode.dask
from distributed import Client
client = Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None)
"""

#: What is prepared before, and one call that lasts for several seconds, most of them for many minutes, on one
#: thread: of these a call that is deaf is ended by the guard.
CALLS = {
    "simulate": ("", 'polhode.simulate(body, {"kind": "heavy-top"}, "rkn6-14+exact", 1e-6, 1e3, every=10**9)'),
    "simulate with a callable": ("", 'polhode.simulate(body, lambda t, m, q: (0, 0, 0), "rk4", 1e-6, 1e3, every=10**9)'),
    "solve": ("", 'polhode.solve(body, {"kind": "heavy-top"}, 4e6, 0.1, t_eval=[])'),
    "solve with a callable": ("", "polhode.solve(body, lambda t, m, q: (0, 0, 0), 4e6, 0.1, t_eval=[])"),
    "solve with an event": ("", 'polhode.solve(body, {"kind": "damping", "coefficient": 1e-9}, 4e6, 0.1, t_eval=[], events=lambda t, s: 1)'),
    "the events of a free body": ("", "polhode.solve(body, None, 1e9, events=lambda t, s: 1.0)"),
    "a solution at many times": (
        'sol = polhode.solve(body, {"kind": "damping", "coefficient": 1e-9}, 1e3, 1e-6, dense_output=True).sol; t = np.linspace(0, 1e3, 20_000_000)',
        "sol(t)",
    ),
    "at": ("t = np.linspace(0, 1e3, 12_000_000)", "motion.at(t)"),
    "tangent": ("t = np.linspace(0, 1e3, 6_000_000)", "motion.tangent(t)"),
    "tangents of a solution with a callable": ("", "polhode.solve(body, lambda t, m, q: -1e-9 * m, 4e4, 0.1, t_eval=[], tangent=True)"),
    "tangents of a solution": ("", 'polhode.solve(body, {"kind": "damping", "coefficient": 1e-9}, 4e5, 0.1, t_eval=[], tangent=True)'),
    "tangents of steps": (
        "",
        'polhode.simulate(body, {"kind": "heavy-top"}, "strang+exact", 1e-6, 1e3, every=10**9, tangent=True)',
    ),
    "covariance": ("", 'polhode.covariance(body, {"kind": "heavy-top"}, "strang+exact", 1e-6, 1e3, 10**9, start=np.eye(6))'),
    "lyapunov": ("", 'polhode.lyapunov(body, {"kind": "heavy-top"}, "strang+exact", 1e-6, 1e3)'),
    "lyapunov with a callable": ("", 'polhode.lyapunov(body, lambda t, m, q: (0, 0, 0), "strang+exact", 1e-5, 1e3)'),
    "the reference of compare": ("", 'polhode.compare(body, {"kind": "heavy-top"}, ["rk4"], [1.0], 2e6)'),
    "the runs of compare": ("", 'polhode.compare(body, None, ["rk4", "rkmk4", "dmv"], [1e-7, 2e-7], 10.0)'),
    "compare with a callable": ("", 'polhode.compare(body, lambda t, m, q: (0, 0, 0), ["rk4"], [1e-3], 1e3)'),
    "the reference of check": (
        "",
        'polhode.check(body, [0.0, 2e6], momentum=np.ones((2, 3)), torque={"kind": "heavy-top"})',
    ),
    "the samples of check": (
        "t = np.linspace(0, 1e3, 4_000_000); momentum = np.tile([1.0, 2, 3], (len(t), 1))",
        "polhode.check([1, 5, 6], t, momentum=momentum)",
    ),
    "check with a callable": (
        "",
        "polhode.check(body, np.arange(1e3), momentum=np.ones((1000, 3)), torque=lambda t, m, q: (0, 0, 0))",
    ),
    "fit": ("t = np.arange(3e5); omega = np.random.default_rng(1).normal(size=(len(t), 3))", "polhode.fit(t, omega)"),
    "fit under a torque": (
        "t = np.arange(2e4); omega = np.random.default_rng(1).normal(size=(len(t), 3))",
        'polhode.fit(t, omega, torque={"kind": "damping", "coefficient": 0.1})',
    ),
    "the steps of an ensemble": (
        "",
        "polhode.ensemble([1, 2, 2.5], momentum=np.ones((20_000, 3)), step=1e-3, until=1e4, every=9973)",
    ),
    "the steps of an ensemble of one": (
        "",
        "polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], step=1e-6, until=1e4)",
    ),
    "an ensemble with a callable": (
        "",
        "polhode.ensemble([1, 2, 2.5], momentum=np.ones((20_000, 3)), torque=lambda t, m, q: (0, 0, 0),"
        'method="strang+exact", step=1e-3, until=1e4)',
    ),
    "an ensemble one by one": (
        "",
        'polhode.ensemble([1, 2, 2.5], momentum=np.ones((20_000, 3)), method="rkmk:tableau=gauss3", step=1e-3, until=1e4)',
    ),
    "one step of many": (
        "m = np.ones((3_000_000, 3)); q = np.tile([1.0, 0, 0, 0], (len(m), 1))",
        'polhode.step([1, 2, 2.5], m, q, 0.1, "jacobi-vilmart")',
    ),
    "the times of an ensemble": (
        "t = np.arange(10_000.0); spins = np.random.default_rng(1).normal(size=(1500, 3))",
        "polhode.ensemble([1, 2, 2.5], momentum=spins, times=t)",
    ),
    "the bodies of an ensemble": (TENSORS, "polhode.ensemble(inertia, momentum=spins, times=[1.0])"),
    "the bodies of an ensemble on a cluster": (
        CLIENT + TENSORS,
        "polhode.dask.ensemble(client, inertia, momentum=spins, times=[1.0])",
    ),
}


def run(before: str, call: str, rest: float = 0.02) -> None:
    """Interrupts a call, waits until the program rests, and makes another call.

    It rests when it uses the processor for less than `rest` seconds of a quarter of a second.
    """
    code = BEFORE + before + AFTER.format(call=call, rest=rest)
    one_thread = {**os.environ, "RAYON_NUM_THREADS": "1"}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=one_thread) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.6)
        assert program.poll() is None
        program.send_signal(signal.SIGINT)
        try:
            # A guard: what does not listen goes on for longer.
            said, _ = program.communicate(timeout=120)
        finally:
            program.kill()
        interrupted, restless = json.loads(said)
    assert interrupted, "it was done before it could be interrupted"
    assert restless < 40, "something goes on in the background"


@pytest.mark.parametrize("name", CALLS)
def test_nothing_goes_on_in_the_background(name: str) -> None:
    before, call = CALLS[name]
    # A cluster in this process is never quite at rest.
    run(before, call, rest=0.1 if "cluster" in name else 0.02)


def test_at_neither_waits_for_another_call_nor_is_deaf_meanwhile() -> None:
    """Its runs last for minutes and would keep every thread of the pool."""
    busy = f"threading.Thread(target=lambda: {CALLS['the runs of compare'][1]}, daemon=True).start(); time.sleep(0.3)"
    # The other call goes on: there is no rest to wait for.
    run("t = np.linspace(0, 1e3, 12_000_000)\n" + busy, "motion.at(t)", rest=1e9)
