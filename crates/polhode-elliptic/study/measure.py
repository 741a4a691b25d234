"""Errors of the library against mpmath: mean, P99 and greatest, per function and region.

Usage: python measure.py POINTS [FUNCTION]..., from the root of the repository, with mpmath and gmpy2.
Errors are in eps = 2^-52, relative to the value and to the conditioned size, which is the value plus what
a relative change of one eps in each argument would change.
"""

from __future__ import annotations

import random
import subprocess
import sys

import reference
from mpmath import mp, mpf
from regions import M, MC, REGIONS

PROGRAM = ["target/release/examples/evaluate"]
STEP = 2.0**-20


def evaluated(rows: list[str]) -> list[list[float]]:
    done = subprocess.run(PROGRAM, input="\n".join(rows) + "\n", capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def exact(argument: object) -> mpf:
    if isinstance(argument, str):
        kind, value = (M, argument.removeprefix(M)) if argument.startswith(M) else (MC, argument.removeprefix(MC))
        return mpf(float(value)) if kind == M else 1 - mpf(float(value))
    return mpf(argument)


def moved(argument: object) -> object:
    if isinstance(argument, str):
        kind, _, value = argument.partition("=")
        return f"{kind}={float(value) * (1 - STEP)!r}"
    return argument * (1 - STEP)


def row(name: str, arguments: list) -> str:
    return " ".join([name, *(a if isinstance(a, str) else repr(a) for a in arguments)])


def reference_value(name: str, arguments: list) -> list[mpf]:
    def call(*given):
        mp.dps = max(mp.dps, 60)
        found = getattr(reference, name)(*[exact(a) for a in arguments])
        return list(found) if isinstance(found, tuple) else [found]

    sizes = [float(a.partition("=")[2]) if isinstance(a, str) else a for a in arguments]
    return reference.exactly(call, *[mpf(x) for x in sizes])


def measure(name: str, region: str, points: int) -> list[tuple[list[float], list[float], list]]:
    generator = random.Random(f"{name}: {region}")
    laws = REGIONS[name][region]
    every = [laws(generator) for _ in range(points)]
    got = evaluated([row(name, a) for a in every])
    count = len(every[0])
    moves = [evaluated([row(name, [moved(a) if i == j else a for j, a in enumerate(args)]) for args in every]) for i in range(count)]
    results = []
    for at, args in enumerate(every):
        want = reference_value(name, args)
        relative, conditioned = [], []
        for k, value in enumerate(want):
            off = float(abs(mpf(got[at][k]) - value)) if got[at][k] == got[at][k] else float("inf")
            # What is below the normal doubles has no relative error.
            off = max(0.0, off - 5e-324)
            size = float(abs(value))
            slope = sum(abs(m[at][k] - got[at][k]) / STEP for m in moves if m[at][k] == m[at][k])
            ulp = 2.0**-52
            relative.append(off / size / ulp if size else (0.0 if not off else float("inf")))
            conditioned.append(off / (size + slope) / ulp if size + slope else relative[-1])
        results.append((relative, conditioned, args))
    return results


def main() -> None:
    points = int(sys.argv[1])
    for name in sys.argv[2:] or REGIONS:
        for region in REGIONS[name]:
            results = measure(name, region, points)
            for k in range(len(results[0][0])):
                relative = sorted((r[k], i) for i, (r, _, _) in enumerate(results))
                conditioned = sorted((c[k], i) for i, (_, c, _) in enumerate(results))
                stats = []
                for errors in (relative, conditioned):
                    values = [e for e, _ in errors]
                    stats.append(f"{sum(values) / points:8.2f} {values[int(0.99 * points)]:8.2f} {values[-1]:8.2f}")
                worst = results[conditioned[-1][1]][2]
                print(f"{name}[{k}] {region:32} {' | '.join(stats)}  {worst}", flush=True)


if __name__ == "__main__":
    main()
