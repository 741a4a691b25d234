"""What a user of Python would pick: SciPy and heyoka on the problems of the Rust benchmarks; and what our
own package costs there.

Usage: python peers.py FOLDER_OF_REFERENCE_DATA; prints one JSON document.
"""

import json
import pathlib
import sys
import time

TOPS = {"top156": "p000_exp5_t1", "top1000": "p000_exp3_t1"}
WANTED = 1e-10
# Errors for which heyoka is compared with the solver.
SOLVED = (1e-8, 1e-10)
# A heavy top, for ten units of time to an error of so much: what a user of Python has of the solver.
SPAN, SPAN_WANTED = 10.0, 1e-8
SPAN_BODY = ([1.0, 5.0, 6.0], [1.0, 10.0, 18.0])
FREE = ([0.6, 0.8, 1.0], [0.5, 0.4, 0.7681145747868608])

found = {"tops": [], "solved": [], "ratios": {}, "errors": {}, "nanoseconds": {}, "skipped": []}


def best(work, rounds=7):
    """The shortest of some rounds, in nanoseconds."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return 1e9 * min(times)


def right_hand_side(moments, weight, unit):
    """(m, q)' with |m| = 1 at the start, as the Rust peers have it."""
    b1, b2, b3 = (unit / i for i in moments)
    w0 = weight / unit

    def slope(_, state):
        m1, m2, m3, w, x, y, z = state
        o1, o2, o3 = b1 * m1, b2 * m2, b3 * m3
        u1, u2 = 2 * (x * z - w * y), 2 * (y * z + w * x)
        return [
            m2 * o3 - m3 * o2 + w0 * u2,
            m3 * o1 - m1 * o3 - w0 * u1,
            m1 * o2 - m2 * o1,
            -0.5 * (x * o1 + y * o2 + z * o3),
            0.5 * (w * o1 + y * o3 - z * o2),
            0.5 * (w * o2 + z * o1 - x * o3),
            0.5 * (w * o3 + x * o2 - y * o1),
        ]

    return slope


def length(v):
    return sum(x * x for x in v) ** 0.5


def error(state, unit, case):
    want_m = [float(x) for x in case["momentum"]]
    want_q = [float(x) for x in case["quaternion"]]
    of_m = length([unit * a - b for a, b in zip(state, want_m)]) / length(want_m)
    return max(of_m, length([a - b for a, b in zip(state[3:], want_q)]))


def scipy_solver(slope, start):
    from scipy.integrate import solve_ivp

    def solve(until, tolerance):
        # Below 100 eps SciPy would warn and take that.
        rtol = max(tolerance, 2.3e-14)
        end = solve_ivp(slope, (0, until), start, method="DOP853", rtol=rtol, atol=tolerance)
        return list(end.y[:, -1])

    return solve


def heyoka_solver(slope, start):
    import heyoka as hy

    names = hy.make_vars("m1", "m2", "m3", "w", "x", "y", "z")
    system = list(zip(names, slope(0, names)))
    made = {}

    def solve(until, tolerance):
        # Compiling takes a second, and is done once for a tolerance.
        if tolerance not in made:
            made[tolerance] = hy.taylor_adaptive(system, start, tol=tolerance)
        integrator = made[tolerance]
        integrator.time = 0.0
        integrator.state[:] = start
        integrator.propagate_until(until)
        return list(integrator.state)

    return solve


def cheapest(solve, unit, case, wanted=WANTED):
    """The largest tolerance that reaches the error, to a factor of 1.25.

    In coarse steps down to one that does, then up again in fine ones: a solver that is compiled for
    its tolerance takes a second for each.
    """
    return largest(lambda tolerance: error(solve(1.0, tolerance), unit, case), wanted)


def largest(error_of, wanted):
    """The largest tolerance whose error is within the wanted one, and the error."""
    tolerance = 100 * wanted
    while (off := error_of(tolerance)) > wanted:
        tolerance /= 3
        if tolerance < 1e-16:
            return None
    # No solver takes more than a tenth.
    while 1.25 * tolerance < 0.1 and (more := error_of(1.25 * tolerance)) <= wanted:
        tolerance, off = 1.25 * tolerance, more
    return tolerance, off


def measure(name, make):
    cases = json.loads((pathlib.Path(sys.argv[1]) / "torqued_A.json").read_text())["cases"]
    for problem, wanted in TOPS.items():
        case = next(c for c in cases if c["name"] == wanted)
        m = [float(x) for x in case["momentum0"]]
        unit = length(m)
        start = [x / unit for x in m] + [float(x) for x in case["quaternion0"]]
        moments = [float(x) for x in case["inertia"]]
        solve = make(right_hand_side(moments, 1.0, unit), start)
        for error_wanted in SOLVED if name == "heyoka" else (WANTED,):
            at = cheapest(solve, unit, case, error_wanted)
            if at is None:
                found["skipped"].append(f"{problem}/{name}: {error_wanted} is not reached")
                continue
            tolerance, off = at
            point = {
                "problem": problem,
                "method": name,
                "wanted": error_wanted,
                "error": off,
                "setting": f"tolerance {tolerance:.1e}",
                "nanoseconds": best(lambda: solve(1.0, tolerance), 15),
            }
            if error_wanted == WANTED:
                found["tops"].append(point)
            if name == "heyoka":
                found["solved"].append({**point, "problem": problem.replace("top", "solve")})
    moments, m = FREE
    solve = make(right_hand_side(moments, 0.0, 1.0), m + [1.0, 0.0, 0.0, 0.0])
    found["nanoseconds"][f"{name}: free400"] = best(lambda: solve(400.0, 1e-12), 3)


def measure_package(polhode):
    """One time and a million of one motion, and what a call of a torque in Python costs beside the call itself."""
    import numpy as np

    motion = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
    times = np.arange(1_000_000) * 0.01
    found["nanoseconds"]["python: at, one of 1e6 times"] = best(lambda: motion.at(times), 15) / times.size
    calls = range(200)
    found["nanoseconds"]["python: at, one time"] = best(lambda: [motion.at(0.5) for _ in calls], 50) / len(calls)

    def nothing(t, momentum, attitude):
        return (0.0, 0.0, 0.0)

    torque = polhode.torques.Function(nothing, depends_on="attitude", depends_on_time=False)
    body = polhode.Body([1, 5, 6], omega=[10, 10, 10])

    def run():
        return polhode.simulate(body, torque, "strang+exact", 0.01, 200.0, every=1000).torque_evaluations

    calls = run()
    arguments = (0.0, np.array([1.0, 2.0, 3.0]), np.array([1.0, 0.0, 0.0, 0.0]))

    def alone():
        for _ in range(calls):
            nothing(*arguments)

    found["nanoseconds"]["python: a step with a callable, the call left out"] = (best(run) - best(alone)) / calls


def measure_solve(polhode):
    """`polhode.solve` against `solve_ivp`, at equal error: with a model of the library, and with a function of Python,
    of one state and of many at once. Times, and calls of the function."""
    import numpy as np
    from scipy.integrate import solve_ivp

    moments, momentum = SPAN_BODY
    body = polhode.Body(moments, momentum=momentum)
    top = polhode.torques.HeavyTop(centre=(0.0, 0.0, 1.0))
    truth = polhode.solve(body, top, SPAN, 1e-12)[-1]
    want = [*(truth.momentum / length(momentum)), *truth.attitude]
    calls = 0

    def pull(t, momentum, attitude):
        nonlocal calls
        calls += 1
        w, x, y, z = attitude.tolist()
        return 2 * (y * z + w * x), -2 * (x * z - w * y), 0.0

    def pulls(t, momentum, attitude):
        nonlocal calls
        calls += 1
        w, x, y, z = attitude.T
        return np.array([2 * (y * z + w * x), -2 * (x * z - w * y), 0 * w]).T

    slope = right_hand_side(moments, 1.0, 1.0)

    def counted(t, state):
        nonlocal calls
        calls += 1
        return slope(t, state)

    def scipy(tolerance):
        rtol = max(tolerance, 2.3e-14)
        start = [*momentum, 1.0, 0.0, 0.0, 0.0]
        return solve_ivp(counted, (0, SPAN), start, method="DOP853", rtol=rtol, atol=tolerance).y[:, -1]

    def ours(torque):
        def solve(tolerance):
            end = polhode.solve(body, torque, SPAN, max(tolerance, 1e-14))[-1]
            return [*end.momentum, *end.attitude]

        return solve

    def off(state):
        of_m = length([a / length(momentum) - b for a, b in zip(state[:3], want)])
        # The attitude of either sign.
        turned = min(length([a - s * b for a, b in zip(state[3:], want[3:])]) for s in (1, -1))
        return max(of_m, 2 * turned)

    solvers = {
        "scipy": scipy,
        "model": ours(top),
        "callable": ours(polhode.torques.Function(pull, depends_on="attitude")),
        "vectorized": ours(polhode.torques.Function(pulls, depends_on="attitude", vectorized=True)),
    }
    times, counts = {}, {}
    for name, solve in solvers.items():
        at = largest(lambda tolerance: off(solve(tolerance)), SPAN_WANTED)
        if at is None:
            found["skipped"].append(f"python-solve: {name} does not reach {SPAN_WANTED}")
            return
        calls = 0
        solve(at[0])
        counts[name] = calls
        times[name] = (lambda solve, tolerance: lambda: solve(tolerance))(solve, at[0])
        found["errors"][f"python-solve: {name}"] = at[1]
    # In turns, so that what disturbs the machine disturbs all.
    shortest = dict.fromkeys(times, float("inf"))
    for _ in range(15):
        for name, work in times.items():
            shortest[name] = min(shortest[name], best(work, 1))
    for name, nanoseconds in shortest.items():
        found["nanoseconds"][f"python-solve: {name}"] = nanoseconds
        if name != "scipy":
            found["ratios"][f"python-solve-{name}/scipy"] = nanoseconds / shortest["scipy"]
        if name in ("callable", "vectorized"):
            found["ratios"][f"python-solve-{name}-calls/scipy"] = counts[name] / counts["scipy"]


for name, make in [("scipy", scipy_solver), ("heyoka", heyoka_solver)]:
    try:
        measure(name, make)
    except ImportError as missing:
        found["skipped"].append(f"{name}: {missing}; to install: pip install {name}")

try:
    import polhode
    import polhode.torques

    measure_package(polhode)
    measure_solve(polhode)
except ImportError as missing:
    found["skipped"].append(f"polhode of Python: {missing}; to install: pip install ./crates/polhode-python")

print(json.dumps(found))
