"""Errors of the library against mpmath, or a double-double reference: mean, P99 and greatest, per function and region.

Usage: python measure.py POINTS [--double-double | --rest] [FUNCTION]..., from the root of the repository, with
mpmath and gmpy2, after cargo build --release --package polhode-elliptic --examples. Double-doubles are a thousand times
faster; mpmath is asked for the points that they have no digits for. --rest is for the regions that are left to
mpmath altogether, because double-doubles lose digits there.

Prints the lines of the table in `docs/accuracy.md`, and to the standard error where the worst was met.
Errors are in eps = 2^-52, relative to the value and to the conditioned size, which is the value plus what
a relative change of one eps in each argument would change.
"""

from __future__ import annotations

import math
import random
import subprocess
import sys

import reference
from mpmath import mp, mpf
from regions import M, MC, REGIONS

PROGRAM = ["target/release/examples/evaluate"]
REFERENCE = ["target/release/examples/reference"]
# Here the reference loses digits, in its inverse sines or in a difference, or has no room.
BEYOND_DOUBLE_DOUBLES = {
    ("jacobi", "m next to 0 and 1"),
    ("jacobi", "|u| to 1e9, m next to 0 and 1"),
    ("incomplete_pi", "1 - n from 1e-290 to 1e290"),
    ("complete_pi", "1 - n from 1e-290 to 1e290"),
    ("cel", "kc, p from 1e-150 to 1e150"),
    ("rd", "1e-270 to 1e270"),
    ("rg", "1e-270 to 1e270"),
    ("rj", "1e-270 to 1e270"),
    ("jacobi_zeta", "m next to 0 and 1"),
    ("inverse_nome", "q next to 1"),
    *((f"theta{i}", region) for i in (1, 2, 3, 4) for region in ("0 <= q < 1", "q next to 1")),
}
STEP, EPS = 2.0**-20, 2.0**-52


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
        found = getattr(reference, name)(*[exact(a) for a in arguments])
        return list(found) if isinstance(found, tuple) else [found]

    sizes = [float(a.partition("=")[2]) if isinstance(a, str) else a for a in arguments]
    return reference.exactly(call, *[mpf(x) for x in sizes])


def differences_by_mpmath(name: str, every: list, got: list) -> list:
    """(error, size) of every result."""
    return [differences_at(name, args, values) for args, values in zip(every, got)]


def differences_at(name: str, arguments: list, values: list) -> list:
    # What is below the normal doubles has no relative error.
    return [
        (max(0.0, float(abs(mpf(g) - w)) - 5e-324) if g == g else math.inf, float(abs(w)))
        for g, w in zip(values, reference_value(name, arguments))
    ]


def differences_by_double_double(name: str, every: list, got: list) -> list:
    done = subprocess.run(
        REFERENCE, input="\n".join(row(name, a) for a in every) + "\n", capture_output=True, text=True, check=True
    )
    found = []
    for line, args, values in zip(done.stdout.splitlines(), every, got):
        halves = [] if line == "none" else [float(word) for word in line.split()]
        # Next to the least of the doubles a second half has no digits.
        if not halves or any(0 < abs(high) < 1e-280 for high in halves[::2]):
            found.append(differences_at(name, args, values))
            continue
        pairs = zip(values, halves[::2], halves[1::2])
        found.append([(abs((g - high) - low) if g == g else math.inf, abs(high)) for g, high, low in pairs])
    return found


def measure(name: str, region: str, points: int, differences) -> list[tuple[list[float], list[float], list]]:
    generator = random.Random(f"{name}: {region}")
    laws = REGIONS[name][region]
    every = [laws(generator) for _ in range(points)]
    got = evaluated([row(name, a) for a in every])
    count = len(every[0])
    moves = [
        evaluated([row(name, [moved(a) if i == j else a for j, a in enumerate(args)]) for args in every])
        for i in range(count)
    ]
    results = []
    for at, pairs in enumerate(differences(name, every, got)):
        # A result that is no normal double, or next to the ends of those, has no relative error.
        if any(size and not 1e-290 < size < 1e290 for _, size in pairs):
            continue
        relative, conditioned = [], []
        for k, (off, size) in enumerate(pairs):
            slope = sum(abs(m[at][k] - got[at][k]) / STEP for m in moves if m[at][k] == m[at][k])
            relative.append(off / size / EPS if size else (0.0 if not off else math.inf))
            conditioned.append(off / (size + slope) / EPS if size + slope else relative[-1])
        results.append((relative, conditioned, every[at]))
    return results


def main() -> None:
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    points, names = int(words[0]), words[1:] or list(REGIONS)
    fast = "--double-double" in sys.argv
    differences = differences_by_double_double if fast else differences_by_mpmath
    for name in names:
        for region in REGIONS[name]:
            beyond = (name, region) in BEYOND_DOUBLE_DOUBLES
            if "--rest" in sys.argv and not beyond:
                continue
            if fast and beyond:
                print(f"{name}, {region}: left to mpmath", file=sys.stderr, flush=True)
                continue
            results = measure(name, region, points, differences)
            for k in range(len(results[0][0])):
                stats = []
                for which in (0, 1):
                    values = sorted(r[which][k] for r in results)
                    p99 = values[int(0.99 * len(values))]
                    stats += [f"{sum(values) / len(values):.2f}", f"{p99:.2f}", f"{values[-1]:.2f}"]
                label = ("sn", "cn", "dn", "am")[k] if name == "jacobi" else ("m", "mc")[k] if name == "inverse_nome" else ""
                title = f"`{name}`{', ' + label if label else ''}"
                by = "double-double" if fast else "mpmath"
                place = region.replace("|", "")
                print(f"| {title} | {place} | {len(results)} | {by} | {' | '.join(stats)} |", flush=True)
                worst = max(results, key=lambda r: r[1][k])
                print(f"{name} {label} {region}: {worst[1][k]:.2f} at {worst[2]}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
