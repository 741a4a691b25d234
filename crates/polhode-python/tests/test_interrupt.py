"""Ctrl-C ends a call within a second, and what it was doing too."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

BEFORE = """
import json, sys, threading, time
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
    interrupted = time.monotonic()
before = time.process_time()
time.sleep(0.5)
burnt = time.process_time() - before
clock = time.monotonic()
motion.at(np.arange(1e5))
print(json.dumps([interrupted, burnt, time.monotonic() - clock]))
"""

CALLS = {
    "the reference of compare": 'polhode.compare(body, {"kind": "heavy-top"}, ["rk4"], [1.0], 2e6)',
    "the runs of compare": 'polhode.compare(body, None, ["rk4", "rkmk4", "dmv"], [1e-7, 2e-7], 10.0)',
    "compare with a callable": 'polhode.compare(body, lambda t, m, q: (0, 0, 0), ["rk4"], [1e-3], 1e3)',
    "the reference of check": 'polhode.check(body, [0.0, 2e6], momentum=np.ones((2, 3)), torque={"kind": "heavy-top"})',
    "the samples of check": (
        "t = np.linspace(0, 1e3, 4_000_000); polhode.check([1, 5, 6], t, momentum=np.tile([1.0, 2, 3], (len(t), 1)))"
    ),
    "check with a callable": (
        "polhode.check(body, np.arange(1e3), momentum=np.ones((1000, 3)), torque=lambda t, m, q: (0, 0, 0))"
    ),
}


def run(before: str, call: str) -> tuple[float, float, float]:
    """Seconds from Ctrl-C to its exception, of processors burnt in the half after it, and of the next call."""
    code = BEFORE + before + AFTER.format(call=call)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        time.sleep(0.8)
        assert program.poll() is None
        sent = time.monotonic()
        program.send_signal(signal.SIGINT)
        interrupted, burnt, next_call = json.loads(program.stdout.read())
    assert interrupted is not None, "it was done before it could be interrupted"
    return interrupted - sent, burnt, next_call


@pytest.mark.parametrize("name", CALLS)
def test_nothing_goes_on_in_the_background(name: str) -> None:
    seconds, burnt, next_call = run("", CALLS[name])
    assert seconds < 1.0
    # A thread that goes on has its share of half a second, also on a machine that is busy.
    assert burnt < 0.02
    assert next_call < 1.0


def test_at_neither_waits_for_another_call_nor_is_deaf_meanwhile() -> None:
    """Its runs last for minutes and would keep every thread of the pool."""
    busy = f"threading.Thread(target=lambda: {CALLS['the runs of compare']}, daemon=True).start(); time.sleep(0.3)"
    seconds, _, next_call = run(busy, "while True: motion.at(np.linspace(0, 1e3, 3_000_000))")
    assert seconds < 1.0
    assert next_call < 5.0
