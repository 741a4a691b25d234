"""Elliptic functions of the Python package against SciPy's: each pair in turn in one process, on one core.

Usage: python elliptic.py; prints one JSON document of nanoseconds: of an element of an array, and of a call with
scalars (", one").
"""

import json
import time

import numpy as np
import scipy.special
from polhode import elliptic

# Rounds so short that some of them are not interrupted, however busy the machine is.
COUNT, ROUNDS, CALLS = 2_000, 400, 50
random = np.random.default_rng(1)
# As in the benchmarks of Rust: an amplitude up to 1.5, a parameter below one, Carlson's between 0.1 and 9.
M, PHI, U = random.uniform(0.01, 0.99, COUNT), random.uniform(0, 1.5, COUNT), random.uniform(0, 10, COUNT)
X, Y, Z, P = random.uniform(0.1, 9, (4, COUNT))
FUNCTIONS = {
    "ellipk": (M,), "ellipkm1": (M,), "ellipe": (M,), "ellipkinc": (PHI, M), "ellipeinc": (PHI, M), "ellipj": (U, M),
    "elliprf": (X, Y, Z), "elliprc": (X, Y), "elliprd": (X, Y, Z), "elliprg": (X, Y, Z), "elliprj": (X, Y, Z, P),
}  # fmt: skip

nanoseconds: dict[str, float] = {}


def keep(name, begin, count):
    time_each = 1e9 * (time.perf_counter() - begin) / count
    nanoseconds[name] = min(time_each, nanoseconds.get(name, float("inf")))


for name, arguments in FUNCTIONS.items():
    scalars = [float(column[0]) for column in arguments]
    for _ in range(ROUNDS):
        for who, module in (("python", elliptic), ("scipy", scipy.special)):
            function = getattr(module, name)
            begin = time.perf_counter()
            function(*arguments)
            keep(f"{who}: {name}", begin, COUNT)
            begin = time.perf_counter()
            for _ in range(CALLS):
                function(*scalars)
            keep(f"{who}: {name}, one", begin, CALLS)

print(json.dumps(nanoseconds))
