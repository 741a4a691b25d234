"""Elliptic functions by mpmath, to 40 digits: the reference of `oracle/elliptic_A.json`.

Every function here takes exact numbers (a parameter as m, however it was given) and shares no formula
with the library where mpmath has one of its own.
"""

from __future__ import annotations

from mpmath import mp, mpf

mp.dps = 60


def exactly(function, *arguments):
    """With as many digits more as the most extreme of the arguments has zeros, so that none is lost beside one."""
    before = mp.dps
    sizes = [abs(mp.log10(abs(a))) for a in arguments if a and mp.isfinite(a)]
    mp.dps = int(60 + max(sizes, default=0))
    try:
        return function(*arguments)
    finally:
        mp.dps = before


def complete_k(m):
    return mp.ellipk(m)


def complete_e(m):
    return mp.ellipe(m)


def complete_d(m):
    return (mp.ellipk(m) - mp.ellipe(m)) / m


def complete_b(m):
    return (mp.ellipe(m) - (1 - m) * mp.ellipk(m)) / m


def third_kind(x, y, p, n, m):
    """RF(x, y, 1) + n RJ(x, y, 1, p)/3, without the cancellation for n < 0: DLMF 19.21.12.

    For p = 1 - n (1 - x), where m (1 - x) = 1 - y. Sixty digits are enough then, however large n is.
    """
    with mp.workdps(60):
        if n >= 0 or m <= 0:
            return mp.elliprf(x, y, 1) + n * (1 - x) * mp.elliprj(x, y, 1, p) / 3
        more = m * (1 - x) / -n
        q = 1 + more
        return mp.elliprc(x * y, p * q) + more * mp.elliprj(x, y, 1, q) / 3


def complete_pi(n, m):
    if n > 1:
        return -m / n * mp.elliprj(0, 1 - m, 1, 1 - m / n) / 3
    return third_kind(mpf(0), 1 - m, 1 - n, n, m)


def reduced(phi):
    turns = mp.nint(phi / mp.pi)
    return turns, phi - turns * mp.pi


def quasi_periodic(phi, complete, rest):
    turns, r = reduced(phi)
    return rest(mp.sin(r), mp.cos(r)) + (2 * turns * complete() if turns else 0)


def incomplete_f(phi, m):
    return quasi_periodic(phi, lambda: complete_k(m), lambda s, c: s * mp.elliprf(c * c, 1 - m * s * s, 1))


def incomplete_d(phi, m):
    return quasi_periodic(
        phi, lambda: complete_d(m), lambda s, c: s**3 * mp.elliprd(c * c, 1 - m * s * s, 1) / 3
    )


def incomplete_e(phi, m):
    return quasi_periodic(
        phi,
        lambda: complete_e(m),
        lambda s, c: s * mp.elliprf(c * c, 1 - m * s * s, 1) - m * s**3 * mp.elliprd(c * c, 1 - m * s * s, 1) / 3,
    )


def incomplete_b(phi, m):
    return incomplete_f(phi, m) - incomplete_d(phi, m)


def principal_rc(x, y):
    return mp.elliprc(x, y) if y > 0 else mp.sqrt(x / (x - y)) * mp.elliprc(x - y, -y)


def incomplete_pi(phi, n, m):
    def rest(s, c):
        if 1 - n * s * s > 0:
            return s * third_kind(c * c, 1 - m * s * s, 1 - n * s * s, n, m)
        # DLMF 19.7.8.
        w, x = m / n, 1 / (s * s)
        sign = mp.sign(s)
        return sign * (
            -w * abs(s) ** 3 * mp.elliprj(c * c, 1 - m * s * s, 1, 1 - w * s * s) / 3
            + mp.sqrt(x) * principal_rc((x - 1) * (x - m), (x - n) * (x - w))
        )

    return quasi_periodic(phi, lambda: complete_pi(n, m), rest)


def jacobi(u, m):
    """sn, cn, dn, am."""
    if m < 0:
        root = mp.sqrt(1 - m)
        s, c, d, am = jacobi(u * root, -m / (1 - m))
        sn, cn, dn = s / d / root, c / d, 1 / d
        turns = mp.nint(am / mp.pi)
        sign = -1 if turns % 2 else 1
        return sn, cn, dn, turns * mp.pi + mp.atan2(sign * sn, sign * cn)
    if m > 1:
        root = mp.sqrt(m)
        s, c, d, _ = jacobi(u * root, 1 / m)
        return s / root, d, c, mp.asin(s / root)
    if m == 0:
        return mp.sin(u), mp.cos(u), mpf(1), u
    if m == 1:
        return mp.tanh(u), mp.sech(u), mp.sech(u), mp.asin(mp.tanh(u))
    # Descending Landen transformation, DLMF 22.20(ii): the amplitude is continuous.
    a, c = [mpf(1)], [mp.sqrt(m)]
    b = mp.sqrt(1 - m)
    while abs(c[-1]) > mpf(10) ** (-mp.dps + 5):
        c.append((a[-1] - b) / 2)
        a, b = [*a, (a[-1] + b) / 2], mp.sqrt(a[-1] * b)
    # To a period first: 2^n times the argument has no digits to spare.
    period = 2 * mp.pi / a[-1]
    turns = mp.nint(u / period)
    phi = 2 ** (len(a) - 1) * a[-1] * (u - turns * period)
    for n in range(len(a) - 1, 0, -1):
        phi = (phi + mp.asin(c[n] / a[n] * mp.sin(phi))) / 2
    sn, cn = mp.sin(phi), mp.cos(phi)
    return sn, cn, mp.sqrt(cn * cn + (1 - m) * sn * sn), phi + 2 * mp.pi * turns


def jacobi_zeta(phi, m):
    return incomplete_e(phi, m) - complete_e(m) / complete_k(m) * incomplete_f(phi, m)


def inverse_sn(x, m):
    return x * mp.elliprf(1 - x * x, 1 - m * x * x, 1)


def inverse_cn(x, m):
    u = mp.sqrt(1 - x * x) * mp.elliprf(x * x, 1 - m + m * x * x, 1)
    return u if x >= 0 else 2 * complete_k(m) - u


def inverse_dn(x, m):
    if m > 1:
        return inverse_cn(x, 1 / m) / mp.sqrt(m)
    return mp.sqrt((1 - x * x) / m) * mp.elliprf((x * x - 1 + m) / m, x * x, 1)


def nome(m):
    if m < 0:
        return -nome(-m / (1 - m))
    return mp.exp(-mp.pi * mp.ellipk(1 - m) / mp.ellipk(m))


def inverse_nome(q):
    """m and 1 - m."""
    if q < 0:
        m, mc = inverse_nome(-q)
        return -m / mc, 1 / mc
    if q > mpf("0.2"):
        mc, m = inverse_nome(mp.exp(mp.pi**2 / mp.log(q)))
        return m, mc
    t2, t3, t4 = (mp.jtheta(k, 0, q) for k in (2, 3, 4))
    return (t2 / t3) ** 4, (t4 / t3) ** 4


def theta(index, z, q):
    if q > mpf("0.2"):
        # The imaginary transformation: mpmath's series would not end.
        length = -mp.log(q)
        shift = {1: mp.mpf(-1) / 2, 2: 0, 3: 0, 4: mp.mpf(1) / 2}[index]
        turns = mp.nint(z / mp.pi)
        r = z - turns * mp.pi
        sign = -1 if index < 3 else 1
        terms = [sign ** abs(n) * mp.exp(-((r + (n + shift) * mp.pi) ** 2) / length) for n in range(-12, 13)]
        flip = sign ** (int(abs(turns)) % 2)
        return flip * mp.sqrt(mp.pi / length) * mp.fsum(terms)
    return mp.jtheta(index, z, q)


def theta1(z, q):
    return theta(1, z, q)


def theta2(z, q):
    return theta(2, z, q)


def theta3(z, q):
    return theta(3, z, q) if q >= 0 else theta(4, z, -q)


def theta4(z, q):
    return theta(4, z, q) if q >= 0 else theta(3, z, -q)


def cel(kc, p, a, b):
    """DLMF 19.2.11, as integrals of sin² and cos² by Carlson's."""
    mc = kc * kc
    if p > 0:
        return a * mp.elliprf(0, mc, 1) + (b - p * a) * mp.elliprj(0, mc, 1, p) / 3
    # n = 1 - p > 1.
    n, m = 1 - p, 1 - mc
    of_sin2 = (complete_pi(n, m) - mp.elliprf(0, mc, 1)) / n
    return a * mp.elliprf(0, mc, 1) + (b - p * a) * of_sin2


def rf(x, y, z):
    return mp.elliprf(x, y, z)


def rc(x, y):
    return principal_rc(x, y)


def rd(x, y, z):
    with mp.workdps(60):
        return mp.elliprd(x, y, z)


def rg(x, y, z):
    with mp.workdps(60):
        return mp.elliprg(x, y, z)


def rj(x, y, z, p):
    if p > 0:
        return mp.elliprj(x, y, z, p)
    # DLMF 19.20.14.
    x, y, z = sorted([x, y, z])
    q = -p
    p = (z * (x + y + q) - x * y) / (z + q)
    return (
        (p - z) * mp.elliprj(x, y, z, p)
        - 3 * mp.elliprf(x, y, z)
        + 3 * mp.sqrt(x * y * z / (x * y + p * q)) * mp.elliprc(x * y + p * q, p * q)
    ) / (q + z)
