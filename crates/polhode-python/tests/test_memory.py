"""Too little memory is a MemoryError, not the end of the interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs limits of address space")

CODE = """
import json, resource
import numpy as np
import polhode
motion = polhode.FreeMotion([1, 5, 6], momentum=[1, 2, 3])
def call(n):
    {call}
call(100)
{before}
found = []
for megabytes in range(12, 276, 24):
    pages = int(open("/proc/self/statm").read().split()[0])
    limit = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    try:
        call({n})
        found.append("done")
    except MemoryError as error:
        found.append("MemoryError")
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(json.dumps(found))
"""
CHECK = "samples = motion.at(np.linspace(0, 10, 60_000))"
CALLS = {
    "at": ("", "motion.at(np.linspace(0, 10, n))", 300_000),
    "elliptic": ("", "polhode.elliptic.sn(np.linspace(0, 10, n), m=0.5)", 5_000_000),
    "simulate": ("", 'polhode.simulate(motion, None, "exact", 1.0, n)', 300_000),
    "the check of momenta": (
        CHECK,
        "s = samples[:n] if n > 100 else motion.at(np.arange(100.0)); polhode.check([1, 5, 6], s.t, momentum=s.momentum)",
        60_000,
    ),
    "the check of states": (
        CHECK,
        "polhode.check([1, 5, 6], samples[:n] if n > 100 else motion.at(np.arange(100.0)))",
        60_000,
    ),
    "the check under a torque": (
        CHECK,
        "s = samples[:n] if n > 100 else motion.at(np.arange(100.0));"
        'polhode.check(motion, s.t, momentum=s.momentum, attitude=s.attitude, torque={"kind": "heavy-top"})',
        60_000,
    ),
    "the steps of an ensemble": (
        "",
        "polhode.ensemble([1, 2, 2.5], momentum=[1, 2, 3], step=1.0, until=n, every=1)",
        300_000,
    ),
    "the times of an ensemble": (
        "",
        "polhode.ensemble([1, 2, 2.5], momentum=np.ones((n, 3)), times=[1.0, 2.0])",
        150_000,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_too_little_memory_is_an_error(name: str) -> None:
    before, call, n = CALLS[name]
    code = CODE.format(before=before, call=call, n=n)
    # Of other arenas some address space is left that the limit does not see.
    one_arena = {**os.environ, "MALLOC_ARENA_MAX": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=one_arena)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(name, found.count("MemoryError"), "of", len(found))
    # Enough in the end, and once it is enough it stays so.
    assert found == sorted(found) and found[0] == "MemoryError" and found[-1] == "done"
