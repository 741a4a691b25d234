"""Where the functions are tried: for each function its regions, each a law of random arguments."""

from __future__ import annotations

import math
import random

M, MC = "m=", "mc="


def sign(r: random.Random) -> int:
    return r.choice((-1, 1))


def log(r: random.Random, low: float, high: float) -> float:
    """Ten to a uniform power."""
    return 10.0 ** r.uniform(low, high)


def unit(r: random.Random) -> str:
    """A parameter from 0 to 1, given either way."""
    x = r.random()
    return r.choice((M, MC)) + repr(x)


def ends(r: random.Random) -> str:
    """A parameter next to 0 or to 1, to the last of the doubles."""
    return r.choice((M, MC)) + repr(max(log(r, -324, -1), 5e-324))


def negative(r: random.Random) -> str:
    x = log(r, -8, 8)
    return M + repr(-x) if r.random() < 0.7 else MC + repr(1 + x)


def far_negative(r: random.Random) -> str:
    return M + repr(-log(r, -300, 300))


def above_one(r: random.Random) -> str:
    return M + repr(1 + log(r, -6, 6))


def quarter(r: random.Random) -> float:
    return r.uniform(-1.5707, 1.5707)


def any_phase(r: random.Random) -> float:
    return sign(r) * log(r, -3, 3)


def far_phase(r: random.Random) -> float:
    return sign(r) * log(r, 3, 9)


def tiny_phase(r: random.Random) -> float:
    return sign(r) * log(r, -300, -3)


def below(r: random.Random, m: str) -> float:
    """An amplitude with m sin² < 1."""
    top = math.asin(1 / math.sqrt(float(m.removeprefix(M))))
    return top * r.uniform(-0.999, 0.999)


def characteristic(r: random.Random) -> str:
    return r.choice((M, MC)) + repr(r.random())


def negative_characteristic(r: random.Random) -> str:
    return M + repr(-log(r, -8, 8))


def far_characteristic(r: random.Random) -> str:
    return MC + repr(log(r, -290, 290))


def polar(r: random.Random) -> str:
    return M + repr(1 + log(r, -3, 3))


def args(*laws):
    return lambda r: [law(r) for law in laws]


def with_m_above_one(r: random.Random) -> list:
    m = above_one(r)
    return [below(r, m), m]


def pi_above_one(r: random.Random) -> list:
    m = above_one(r)
    n = r.choice((-log(r, -4, 4), r.random()))
    return [below(r, m), M + repr(n), m]


ELLIPTIC_LINE = {
    "0 < m < 1": args(any_phase, unit),
    "m next to 0 and 1": args(any_phase, ends),
    "|phi| to 1e9": args(far_phase, unit),
    "|phi| from 1e-300": args(tiny_phase, unit),
    "m < 0": args(any_phase, negative),
    "m to -1e300": args(any_phase, far_negative),
    "m > 1": with_m_above_one,
}

JACOBI_LINE = {
    "0 < m < 1": args(any_phase, unit),
    "m next to 0 and 1": args(any_phase, ends),
    "|u| to 1e9": args(far_phase, unit),
    "|u| to 1e9, m next to 0 and 1": args(far_phase, ends),
    "m < 0": args(any_phase, negative),
    "m > 1": args(any_phase, above_one),
}

COMPLETE = {
    "0 < m < 1": args(unit),
    "m next to 0 and 1": args(ends),
    "m < 0": args(negative),
    "m to -1e300": args(far_negative),
}


def number(low: float, high: float):
    return lambda r: log(r, low, high)


def carlson(count: int) -> dict:
    near, far = number(-6, 6), number(-270, 270)
    return {"1e-6 to 1e6": args(*[near] * count), "1e-270 to 1e270": args(*[far] * count)}


def signed(law):
    return lambda r: sign(r) * law(r)


def minus(law):
    return lambda r: -law(r)


def within_range_of_dn(r: random.Random) -> list:
    mc = r.random()
    return [r.uniform(math.sqrt(mc), 1), MC + repr(mc)]


def above_range_of_dn(r: random.Random) -> list:
    m = -log(r, -6, 6)
    return [r.uniform(1, math.sqrt(1 - m)), M + repr(m)]


def within_range_of_sn(r: random.Random) -> list:
    m = 1 + log(r, -6, 6)
    return [r.uniform(-1, 1) / math.sqrt(m), M + repr(m)]


def within_range_of_cn(r: random.Random) -> list:
    m = 1 + log(r, -3, 6)
    return [r.uniform(math.sqrt((m - 1) / m), 1), M + repr(m)]


def cosine(r: random.Random) -> float:
    return r.uniform(-1, 1)


def small_nome(r: random.Random) -> float:
    return r.choice((r.random(), log(r, -300, 0)))


def nome_near_one(r: random.Random) -> float:
    return 1 - log(r, -6, -1)


def theta_argument(r: random.Random) -> float:
    return r.uniform(-10, 10)


NOME_LINE = {
    "0 <= q < 1": args(theta_argument, small_nome),
    "q next to 1": args(theta_argument, nome_near_one),
    "|z| to 1e9": args(far_phase, small_nome),
}

THIRD = {
    "0 < n, m < 1": args(any_phase, characteristic, unit),
    "n < 0": args(any_phase, negative_characteristic, unit),
    "n > 1, principal value": args(any_phase, polar, unit),
    "1 - n from 1e-290 to 1e290": args(any_phase, far_characteristic, unit),
    "m next to 0 and 1": args(any_phase, characteristic, ends),
    "|phi| to 1e9": args(far_phase, characteristic, unit),
    "m < 0": args(any_phase, characteristic, negative),
    "n < 0, m < 0": args(any_phase, negative_characteristic, negative),
    "n > 1, m < 0": args(any_phase, polar, negative),
    "m > 1": pi_above_one,
}

REGIONS = {
    "jacobi": JACOBI_LINE,
    "complete_k": COMPLETE,
    "complete_e": COMPLETE,
    "complete_d": COMPLETE,
    "complete_b": COMPLETE,
    "complete_pi": {
        "0 < n, m < 1": args(characteristic, unit),
        "n < 0": args(negative_characteristic, unit),
        "n > 1, principal value": args(polar, unit),
        "1 - n from 1e-290 to 1e290": args(far_characteristic, unit),
        "m next to 0 and 1": args(characteristic, ends),
        "m < 0": args(characteristic, negative),
        "n > 1, m < 0": args(polar, negative),
    },
    "incomplete_f": ELLIPTIC_LINE,
    "incomplete_e": ELLIPTIC_LINE,
    "incomplete_d": ELLIPTIC_LINE,
    "incomplete_b": ELLIPTIC_LINE,
    "incomplete_pi": THIRD,
    "jacobi_zeta": {
        "0 < m < 1": args(any_phase, unit),
        "m next to 0 and 1": args(any_phase, ends),
        "m < 0": args(any_phase, negative),
    },
    "inverse_sn": {
        "0 < m < 1": args(cosine, unit),
        "m < 0": args(cosine, negative),
        "m > 1": within_range_of_sn,
    },
    "inverse_cn": {
        "0 < m < 1": args(cosine, unit),
        "m < 0": args(cosine, negative),
        "m > 1": within_range_of_cn,
    },
    "inverse_dn": {"0 < m < 1": within_range_of_dn, "m < 0": above_range_of_dn, "m > 1": args(cosine, above_one)},
    "nome": {
        "0 < m < 1": args(unit),
        "m next to 0 and 1": args(ends),
        "m < 0": args(negative),
    },
    "inverse_nome": {"-1 < q < 1": args(lambda r: sign(r) * min(small_nome(r), 0.98)), "q next to 1": args(nome_near_one)},
    "theta1": NOME_LINE,
    "theta2": NOME_LINE,
    "theta3": NOME_LINE,
    "theta4": NOME_LINE,
    "cel": {
        "1e-6 to 1e6": args(*[number(-6, 6)] * 4),
        "p < 0": args(number(-3, 3), minus(number(-3, 3)), number(-3, 3), number(-3, 3)),
        "kc, p from 1e-150 to 1e150": args(*[number(-150, 150)] * 2, number(-3, 3), number(-3, 3)),
    },
    "rf": carlson(3),
    "rc": {**carlson(2), "y < 0, principal value": args(number(-6, 6), minus(number(-6, 6)))},
    "rd": carlson(3),
    "rg": carlson(3),
    "rj": {**carlson(4), "p < 0, principal value": args(*[number(-3, 3)] * 3, minus(number(-3, 3)))},
}
