"""Prints the polynomials of `src/quarter.rs`, one pair for each of the complete integrals K, E, D and B.

With mc = 1 - m and L = ln(1/mc), K and D are L/2 + Z - m (Z - A - mc R) + L mc Q, and E and B are
1 + mc (Z - 1 + m R + L Q), where Z is the value at m = 0 and A what is left of K or D at m = 1 beside L/2.
R and Q are polynomials in mc. They are fitted by least squares whose weights grow where the relative error is
largest (Lawson's method), which ends at the smallest largest error. The largest relative error of each is
printed too, in units of 2^-52.

Usage: python coefficients.py
"""

from __future__ import annotations

from collections.abc import Callable

from mpmath import lu_solve, matrix, mp, mpf

mp.dps = 60
TERMS = 10
ROUNDS = 12
EPS = mpf(2) ** -52


def complete(name: str, mc: mpf) -> mpf:
    m = 1 - mc
    d = mp.pi / 4 * mp.hyp2f1(mpf(3) / 2, mpf(1) / 2, 2, m) if m < 0.5 else (mp.ellipk(m) - mp.ellipe(m)) / m
    return {"K": lambda: mp.ellipk(m), "E": lambda: mp.ellipe(m), "D": lambda: d, "B": lambda: mp.ellipk(m) - d}[name]()


# For each its value at m = 0, and what is left of it at m = 1.
ENDS: dict[str, tuple[Callable[[], mpf], Callable[[], mpf]]] = {
    "K": (lambda: mp.pi / 2, lambda: mp.log(4)),
    "E": (lambda: mp.pi / 2, lambda: mpf(1)),
    "D": (lambda: mp.pi / 4, lambda: mp.log(4) - 1),
    "B": (lambda: mp.pi / 4, lambda: mpf(1)),
}


def nodes() -> list[mpf]:
    """Crowded towards both ends, towards m = 1 as a logarithm needs it."""
    even = [(1 - mp.cos(mp.pi * (i + mpf(1) / 2) / 120)) / 2 for i in range(120)]
    return sorted(even + [mpf(10) ** (-mpf(i) / 4) for i in range(6, 60)])


def fit(name: str) -> tuple[list[mpf], list[mpf], mpf]:
    at_zero, at_one = (end() for end in ENDS[name])
    rows = []
    for mc in nodes():
        m, ln, value = 1 - mc, -mp.log(mc), complete(name, mc)
        known = at_one * m + at_zero * mc + (ln / 2 if name in "KD" else 0)
        basis = [m * mc * mc**j for j in range(TERMS)] + [ln * mc * mc**j for j in range(TERMS)]
        rows.append(([x / value for x in basis], (value - known) / value))
    weights = [mpf(1)] * len(rows)
    for _ in range(ROUNDS):
        a = matrix([[mp.sqrt(w) * x for x in basis] for w, (basis, _) in zip(weights, rows)])
        b = matrix([mp.sqrt(w) * y for w, (_, y) in zip(weights, rows)])
        found = list(lu_solve(a.T * a, a.T * b))
        errors = [abs(sum(c * x for c, x in zip(found, basis)) - y) for basis, y in rows]
        total = sum(w * e for w, e in zip(weights, errors)) / len(rows)
        weights = [w * e / total + mpf(10) ** -9 for w, e in zip(weights, errors)]
    return found[:TERMS], found[TERMS:], max(errors) / EPS


def main() -> None:
    for name in ENDS:
        r, q, error = fit(name)
        print(f"{name}: largest relative error {mp.nstr(error, 2)} eps")
        for letter, numbers in (("r", r), ("q", q)):
            print(f"    {letter}: [")
            for x in numbers:
                print(f"        {float(x)!r},")
            print("    ],")


if __name__ == "__main__":
    main()
