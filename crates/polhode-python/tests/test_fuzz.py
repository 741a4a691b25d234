"""Whatever is given, there is an answer or an exception of Python's: never a crash, a hang or a panic.

PyO3 turns a panic of Rust into ``PanicException``, which is no ``Exception`` and so fails a test here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from distributed import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import polhode
import polhode.dask
from polhode import elliptic, plot, torques

matplotlib.use("Agg")

settings.register_profile(
    "polhode", deadline=None, max_examples=300, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("polhode")

KINDS = st.sampled_from(["f8", "f4", "f2", ">f8", "i8", "u1", "?", "c16", "O", "S3", "U2", "M8[s]", "longdouble"])
WILD = st.floats(allow_nan=True, allow_infinity=True, width=64)
TAME = st.floats(-10, 10)
EDGES = st.sampled_from([0.0, -0.0, 1.0, 5e-324, 1e-308, 1e308, 1e-160, 1e160, float("inf"), float("nan"), 1 - 2**-53])
NUMBERS = st.one_of(TAME, WILD, EDGES)


@st.composite
def arrays(draw: Callable[..., Any], shape: Any = None) -> Any:
    """Arrays of every kind, layout and size."""
    shape = shape if shape is not None else draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))
    array = np.resize(np.array(draw(st.lists(NUMBERS, min_size=1, max_size=9))), shape)
    with np.errstate(all="ignore"):
        try:
            array = array.astype(np.dtype(draw(KINDS)))
        except (ValueError, TypeError, OverflowError):
            pass
    form = draw(st.integers(0, 6))
    if form == 1 and array.ndim:
        array = np.repeat(array, 2, axis=0)[::2]
    elif form == 2 and array.ndim:
        array = array[::-1]
    elif form == 3:
        array = np.asfortranarray(array)
    elif form == 4:
        array.setflags(write=False)
    elif form == 5 and not array.dtype.hasobject:
        raw = np.frombuffer(b"\0" + array.tobytes(), dtype=np.uint8)[1:]
        array = raw.view(array.dtype).reshape(array.shape)
    elif form == 6:
        return array.tolist()
    return array


JUNK = st.one_of(
    st.none(), st.text(max_size=4), st.integers(), st.booleans(), NUMBERS, st.binary(max_size=3), st.dictionaries(
        st.text(max_size=3), NUMBERS, max_size=2
    ), st.lists(NUMBERS, max_size=5), st.just(object()), st.complex_numbers(),
)  # fmt: skip
ANY = st.one_of(arrays(), JUNK)


def mostly(good: Any, *others: Any) -> Any:
    """Good ones but for one in eight: of several arguments one is then often bad, and seldom all are."""
    return st.sampled_from([good] * 7 + [st.one_of(*others)]).flatmap(lambda chosen: chosen)


VECTOR = mostly(st.lists(TAME, min_size=3, max_size=3), arrays(shape=(3,)), ANY)
INERTIA = mostly(
    st.sampled_from([[1, 2, 2.5], [1, 5, 6], [2, 2, 1], [1, 1, 1], [1, 2, 3], np.diag([2.0, 3.0, 4.0])]),
    st.lists(st.floats(1e-300, 1e300), min_size=3, max_size=3),
    arrays(shape=(3, 3)),
    VECTOR,
)
ATTITUDE = mostly(st.one_of(st.none(), st.lists(TAME, min_size=4, max_size=4)), arrays(shape=(4,)), ANY)
TIMES = mostly(st.one_of(TAME, hnp.arrays(float, hnp.array_shapes(max_side=4), elements=TAME)), st.lists(NUMBERS, max_size=4), ANY)
ROW_OF_TIMES = mostly(st.lists(TAME, max_size=4), st.lists(NUMBERS, max_size=4), ANY)
EXPECTED = (ValueError, TypeError, MemoryError, polhode.PolhodeError)


def allowed(call: Callable[[], Any]) -> Any:
    """What it returns; None if it raised as it may."""
    with np.errstate(all="ignore"):
        try:
            return call()
        except EXPECTED:
            return None


@given(INERTIA, VECTOR, st.booleans(), ATTITUDE, st.booleans(), TIMES)
def test_free_motion(inertia: Any, spin: Any, omega: bool, attitude: Any, unphysical: bool, t: Any) -> None:
    spins = {"omega" if omega else "momentum": spin}
    motion = allowed(
        lambda: polhode.FreeMotion(inertia, **spins, attitude=attitude, allow_unphysical=unphysical)
    )
    if motion is None:
        return
    assert motion.regime and repr(motion)
    for times in (t, [0.0, 1.0, -1e3]):
        states = allowed(lambda times=times: motion.at(times))
        if states is not None:
            for numbers in (states.momentum, states.omega, states.attitude, states.matrix, states.spatial_momentum):
                assert np.isfinite(numbers).all()
        allowed(lambda times=times: motion.next_flip(times))
        allowed(lambda times=times: motion.angular_acceleration(times))


PARAMETER = mostly(st.floats(0, 1), EDGES, ANY)
FUNCTIONS = [
    (elliptic.ellipj, ("u",)), (elliptic.sn, ("u",)), (elliptic.cn, ("u",)), (elliptic.dn, ("u",)),
    (elliptic.am, ("u",)), (elliptic.F, ("phi",)), (elliptic.E, ("phi",)), (elliptic.Pi, ("phi",)), (elliptic.K, ()),
]  # fmt: skip


@given(st.sampled_from(FUNCTIONS), st.tuples(TIMES, PARAMETER, TIMES), st.booleans(), st.booleans())
def test_elliptic_functions(function: Any, values: tuple[Any, ...], complement: bool, other: bool) -> None:
    call, names = function
    arguments = dict(zip(names, values, strict=False))
    arguments["mc" if complement else "m"] = values[1]
    if call is elliptic.Pi:
        arguments["nc" if other else "n"] = values[2]
    result = allowed(lambda: call(**arguments, check=True))
    if result is not None:
        assert_no_nan(result, arguments.values())


def assert_no_nan(result: Any, given: Any) -> None:
    """NaN comes out only where NaN went in: all else that has no value is refused."""
    of_nan = np.isnan(sum(np.asarray(x, dtype=float) * 0.0 for x in given if not np.isinf(np.asarray(x, dtype=float)).any()))
    assert not np.isnan(np.asarray(result)).any() or np.any(of_nan)


@given(st.sampled_from([elliptic.RF, elliptic.RD, elliptic.RG, elliptic.RC, elliptic.RJ]), st.lists(mostly(st.floats(0, 1e3), EDGES, ANY), min_size=4, max_size=4))
def test_carlson(call: Any, values: list[Any]) -> None:
    count = {elliptic.RC: 2, elliptic.RJ: 4}.get(call, 3)
    result = allowed(lambda: call(*values[:count], check=True))
    if result is not None:
        assert_no_nan(result, values[:count])


METHODS = mostly(
    st.sampled_from(["exact", "dmv", "rk4", "strang+exact", "rkn6-14+exact", "strang+dmv:order=4", "rkmk:tableau=gauss2"]),
    st.sampled_from([info.id for info in polhode.methods()]),
    st.sampled_from(["dmv:order=99", "a+b", "+", ":"]),
    st.text(max_size=10),
    JUNK,
)
KIND_NAMES = [kind.kind for kind in torques.kinds()]
TORQUES = mostly(
    st.sampled_from([None, {"kind": "heavy-top"}, {"kind": "gravity-gradient", "rate": 0.3}]),
    st.fixed_dictionaries(
        {"kind": st.sampled_from(KIND_NAMES)},
        optional={key.name: st.one_of(VECTOR, st.text(max_size=5)) for kind in torques.kinds() for key in kind.keys},
    ),
    VECTOR.map(lambda value: lambda t, m, q: value),
    st.lists(st.one_of(st.just({"kind": "heavy-top"}), JUNK), max_size=3),
    JUNK,
)
STEPS = mostly(st.floats(1e-3, 0.5), ANY)


@given(INERTIA, VECTOR, TORQUES, METHODS, STEPS, mostly(st.floats(0, 2), st.just(np.nan)), st.integers(-1, 5), JUNK)
def test_simulate(
    inertia: Any, momentum: Any, torque: Any, method: Any, step: Any, until: float, every: int, t0: Any
) -> None:
    body = allowed(lambda: polhode.Body(inertia, momentum=momentum, allow_unphysical=True))
    if body is None:
        return
    # No more than 2000 steps, or a run that is allowed takes for ever.
    if np.ndim(step) == 0 and isinstance(step, float) and not (until / step < 2000):
        return
    for start in (0.0, t0):
        run = allowed(
            lambda start=start: polhode.simulate(
                body, torque, method, step, until + (start if isinstance(start, float) else 0.0), every, t0=start
            )
            if not isinstance(start, (int, float)) or abs(start) < 1e3
            else None
        )
        if run is not None:
            assert np.isfinite(run.momentum).all() and np.isfinite(run.attitude).all()


@given(
    INERTIA,
    mostly(hnp.arrays(float, (4, 3), elements=TAME), arrays(shape=(4, 3)), VECTOR),
    ATTITUDE,
    ROW_OF_TIMES,
    METHODS,
    TORQUES,
    st.integers(-1, 3),
)
def test_ensembles(
    inertia: Any, momentum: Any, attitude: Any, times: Any, method: Any, torque: Any, threads: int
) -> None:
    bodies = {"inertia": inertia, "momentum": momentum, "attitude": attitude, "threads": threads}
    for result in (
        allowed(lambda: polhode.ensemble(**bodies, times=times, allow_unphysical=True)),
        allowed(lambda: polhode.ensemble(**bodies, method=method, torque=torque, step=0.1, until=1.0)),
    ):
        if result is not None:
            # A body that fails has NaN from there on.
            whole = ~result.failed
            assert np.isfinite(result.momentum[whole]).all() and np.isfinite(result.attitude[whole]).all()


ROWS = {
    width: mostly(st.one_of(st.none(), hnp.arrays(float, (4, width), elements=TAME)), arrays(shape=(4, width)), ANY)
    for width in (3, 4)
}


@given(INERTIA, mostly(st.just(np.arange(4.0)), ANY), ROWS[3], ROWS[3], ROWS[4], TORQUES, mostly(st.floats(1e-9, 1), JUNK))
def test_checks(inertia: Any, times: Any, momentum: Any, omega: Any, attitude: Any, torque: Any, option: Any) -> None:
    columns = {"momentum": momentum, "omega": omega, "attitude": attitude}
    allowed(lambda: polhode.check(inertia, times, **columns, tolerance=option))
    rows = np.linspace(0, 1, 4)
    body = allowed(lambda: polhode.Body(inertia, momentum=[0.1, 0.2, 0.3]))
    allowed(lambda: polhode.check(body, rows, momentum=np.ones((4, 3)), attitude=attitude, torque=torque))


@given(JUNK, JUNK, JUNK)
def test_torques(kind: Any, name: Any, value: Any) -> None:
    for given_kind in (kind, "heavy-top", "damping"):
        allowed(lambda given_kind=given_kind: torques.torque(given_kind, {name: value}))
        allowed(lambda given_kind=given_kind: torques.torque(given_kind, {"centre": value}))
    allowed(lambda: torques.Function(kind, depends_on=name, potential=value))


@given(
    INERTIA,
    VECTOR,
    TORQUES,
    mostly(st.lists(METHODS, min_size=1, max_size=2), st.none(), st.lists(METHODS, max_size=2), JUNK),
    mostly(st.lists(st.floats(0.05, 0.5), min_size=1, max_size=2), st.lists(NUMBERS, max_size=2), ANY),
    mostly(st.floats(0.1, 1), ANY),
    mostly(st.one_of(st.none(), st.floats(1e-6, 1)), JUNK),
    mostly(st.just(0.0), JUNK),
)
@settings(max_examples=60)  # each that is good is timed for tenths of a second
def test_comparisons(
    inertia: Any, momentum: Any, torque: Any, methods: Any, steps: Any, until: Any, wanted: Any, t0: Any
) -> None:
    body = allowed(lambda: polhode.Body(inertia, momentum=momentum, allow_unphysical=True))
    # No more than a few thousand steps each, or what is allowed takes for ever.
    lengths = [abs(until / s) for s in np.ravel(steps)] if is_number(until) and are_numbers(steps) else []
    if body is None or any(1e3 < n < 1e16 for n in lengths):
        return
    found = allowed(lambda: polhode.compare(body, torque, methods, steps, until, wanted=wanted, t0=t0))
    if found is not None:
        assert all(trial.failure or np.isfinite(trial.seconds) for trial in found.trials)
        assert found.trials and repr(found.cheapest())


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def are_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(is_number(v) and v for v in values)


REPORT = polhode.check([1, 2, 2.5], polhode.FreeMotion([1, 2, 2.5], momentum=[0.4, 1, 0.3]).at([0.0, 1.0, 2.0]))


@given(
    st.one_of(
        st.dictionaries(st.one_of(NUMBERS, st.text(max_size=2)), st.one_of(st.just(REPORT), JUNK), max_size=3),
        st.dictionaries(NUMBERS, st.just(REPORT), min_size=2, max_size=3),
        JUNK,
    ),
    mostly(st.floats(1, 8), JUNK),
)
def test_convergence(reports: Any, order: Any) -> None:
    for claimed in (None, order):
        found = allowed(lambda claimed=claimed: polhode.convergence(reports, claimed))
        if found is not None:
            assert found.verdict in ("holds", "too-low", "rounding", "too-coarse")


INDEX = st.one_of(
    st.integers(-9, 9), st.slices(5), st.just(...), st.none(), st.tuples(st.integers(-3, 3), st.integers(-3, 3)), ANY
)


@given(ANY, ANY, ANY, ANY, INDEX, ANY)
def test_states(t: Any, momentum: Any, omega: Any, attitude: Any, index: Any, vector: Any) -> None:
    made = [allowed(lambda: polhode.States(t, momentum, omega, attitude))]
    times = np.ravel(t) if isinstance(t, np.ndarray) and t.dtype.kind == "f" else np.arange(3.0)
    n = len(times)
    made.append(allowed(lambda: polhode.States(times, np.ones((n, 3)), np.ones((n, 3)), np.ones((n, 4)))))
    for states in made:
        if states is None:
            continue
        assert bool(states) in (True, False) and repr(states)
        for ask in (len, list, lambda s: s.matrix, lambda s: s.rotation(), lambda s: s.to_space(vector)):
            allowed(lambda ask=ask, states=states: ask(states))
        try:
            taken = allowed(lambda states=states: states[index])
        except IndexError:
            continue
        if taken is not None:
            assert taken.momentum.shape == (*np.shape(taken.t), 3)


MOTION = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])
RUN = polhode.simulate(MOTION, None, "exact", 0.1, 0.3)
COMPARED = polhode.compare(MOTION, None, ["exact"], [0.1], 0.3)
THINGS = mostly(
    st.sampled_from([MOTION, MOTION.at([0.0, 1.0]), RUN, COMPARED]),
    st.sampled_from([MOTION.at([]), MOTION.at(1.0), MOTION.body]),
    ANY,
)


@given(st.sampled_from(plot.__all__), THINGS, THINGS, mostly(st.one_of(st.none(), st.lists(TAME, min_size=2)), ANY), mostly(st.integers(10, 50), JUNK))
@settings(max_examples=100)
def test_plots(name: str, source: Any, states: Any, times: Any, option: Any) -> None:
    draw = getattr(plot, name)
    calls: dict[str, list[dict[str, Any]]] = {
        "animate": [{"states": states, "interval": option}, {"states": states}],
        "invariants": [{}],
        "work_precision": [{"cost": option}, {}],
    }
    for keywords in calls.get(name, [{"times": times}, {"ax": option}]):
        film = allowed(lambda keywords=keywords: draw(source, **keywords))
        if name == "animate" and film is not None:
            film._draw_was_started = True  # not shown, and so no matter for a warning
        plt.close("all")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as client:
        yield client


@given(data=st.data())
@settings(max_examples=50)
def test_dask_ensembles(client: Client, data: Any) -> None:
    bodies = {
        "inertia": data.draw(INERTIA),
        "momentum": data.draw(mostly(hnp.arrays(float, (4, 3), elements=TAME), arrays(shape=(4, 3)), VECTOR)),
        "attitude": data.draw(ATTITUDE),
        "chunk": data.draw(mostly(st.integers(1, 5), st.integers(-1, 0), JUNK)),
    }
    times, method, torque = data.draw(ROW_OF_TIMES), data.draw(METHODS), data.draw(TORQUES)
    ensemble = polhode.dask.ensemble
    calls = (
        lambda: ensemble(client, **bodies, times=times, allow_unphysical=True).compute(),
        lambda: ensemble(client, **bodies, method=method, torque=torque, step=0.1, until=1.0).compute(),
        lambda: ensemble(data.draw(JUNK), **bodies, times=times),
        lambda: ensemble(client, **bodies, times=times, directory=data.draw(st.one_of(st.integers(), st.floats()))),
    )
    for call in calls:
        found = allowed(call)
        if found is not None:
            assert np.isfinite(found.momentum).all() and np.isfinite(found.attitude).all()
