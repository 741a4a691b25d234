"""Writes `oracle/elliptic_A.json`: some rows of every region of `regions.py`, with the values of mpmath.

Usage: python rows.py ROWS > oracle/elliptic_A.json. Arguments are doubles; values have 40 digits; `condition`
is the sum of |x df/dx| over the arguments x as they are given, by differences in mpmath.
"""

from __future__ import annotations

import json
import random
import sys

from measure import reference_value
from mpmath import mp, mpf
from regions import REGIONS

STEP = 2.0**-24


def moved(argument: object) -> object:
    if isinstance(argument, str):
        kind, _, value = argument.partition("=")
        return f"{kind}={float(value) * (1 - STEP)!r}"
    return argument * (1 - STEP)


def condition(name: str, arguments: list, values: list) -> list[float]:
    total = [mpf(0)] * len(values)
    for i in range(len(arguments)):
        there = reference_value(name, [moved(a) if i == j else a for j, a in enumerate(arguments)])
        total = [t + abs(x - v) / STEP for t, x, v in zip(total, there, values)]
    return [float(mp.nstr(t, 4)) for t in total]


def main() -> None:
    rows = []
    for name, regions in REGIONS.items():
        for region, laws in regions.items():
            generator = random.Random(f"row of {name}: {region}")
            for _ in range(int(sys.argv[1])):
                arguments = laws(generator)
                values = reference_value(name, arguments)
                if any(v and not 1e-290 < abs(v) < 1e290 for v in values):
                    continue
                rows.append(
                    {
                        "function": name,
                        "region": region,
                        "arguments": [a if isinstance(a, str) else repr(a) for a in arguments],
                        "values": [mp.nstr(v, 40) for v in values],
                        "condition": condition(name, arguments, values),
                    }
                )
    print('{"rows": [')
    print(",\n".join(json.dumps(row) for row in rows))
    print("]}")


if __name__ == "__main__":
    main()
