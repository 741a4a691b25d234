"""Whatever is given, there is an answer or an exception of Python's: never a crash, a hang or a panic.

PyO3 turns a panic of Rust into ``PanicException``, which is no ``Exception`` and so fails a test here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import polhode
from polhode import elliptic, torques

settings.register_profile(
    "polhode", deadline=None, max_examples=150, derandomize=True, suppress_health_check=list(HealthCheck)
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
VECTOR = st.one_of(arrays(shape=(3,)), st.lists(TAME, min_size=3, max_size=3), ANY)
INERTIA = st.one_of(
    st.sampled_from([[1, 2, 2.5], [1, 5, 6], [2, 2, 1], [1, 1, 1], [1, 2, 3]]),
    st.lists(st.floats(1e-300, 1e300), min_size=3, max_size=3),
    arrays(shape=(3, 3)),
    VECTOR,
)
ATTITUDE = st.one_of(st.none(), arrays(shape=(4,)), st.lists(TAME, min_size=4, max_size=4), ANY)
EXPECTED = (ValueError, TypeError, MemoryError, polhode.PolhodeError)


def allowed(call: Callable[[], Any]) -> Any:
    """What it returns; None if it raised as it may."""
    with np.errstate(all="ignore"):
        try:
            return call()
        except EXPECTED:
            return None


@given(INERTIA, VECTOR, st.booleans(), ATTITUDE, st.booleans(), ANY)
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


FUNCTIONS = [
    (elliptic.ellipj, ("u",)), (elliptic.sn, ("u",)), (elliptic.cn, ("u",)), (elliptic.dn, ("u",)),
    (elliptic.am, ("u",)), (elliptic.F, ("phi",)), (elliptic.E, ("phi",)), (elliptic.Pi, ("phi",)), (elliptic.K, ()),
]  # fmt: skip


@given(st.sampled_from(FUNCTIONS), st.lists(ANY, min_size=3, max_size=3), st.booleans(), st.booleans())
def test_elliptic_functions(function: Any, values: list[Any], complement: bool, other: bool) -> None:
    call, names = function
    arguments = dict(zip(names, values, strict=False))
    arguments["mc" if complement else "m"] = values[1]
    if call is elliptic.Pi:
        arguments["nc" if other else "n"] = values[2]
    result = allowed(lambda: call(**arguments))
    if result is not None:
        assert not np.isnan(np.asarray(result)).any()


@given(st.sampled_from([elliptic.RF, elliptic.RD, elliptic.RC, elliptic.RJ]), st.lists(ANY, min_size=4, max_size=4))
def test_carlson(call: Any, values: list[Any]) -> None:
    count = {elliptic.RC: 2, elliptic.RJ: 4}.get(call, 3)
    result = allowed(lambda: call(*values[:count]))
    if result is not None:
        assert not np.isnan(np.asarray(result)).any()


METHODS = st.one_of(
    st.sampled_from([info.id for info in polhode.methods()]),
    st.sampled_from(["rkn6-14+exact", "strang+dmv:order=4", "rkmk:tableau=gauss2", "dmv:order=99", "a+b", "+", ":"]),
    st.text(max_size=10),
    JUNK,
)
KIND_NAMES = [kind.kind for kind in torques.kinds()]
TORQUES = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {"kind": st.sampled_from(KIND_NAMES)},
        optional={key.name: st.one_of(VECTOR, st.text(max_size=5)) for kind in torques.kinds() for key in kind.keys},
    ),
    VECTOR.map(lambda value: lambda t, m, q: value),
    st.lists(st.one_of(st.just({"kind": "heavy-top"}), JUNK), max_size=3),
    JUNK,
)
STEPS = st.one_of(st.floats(1e-3, 0.5), ANY)


@given(INERTIA, VECTOR, TORQUES, METHODS, STEPS, st.one_of(st.floats(0, 2), st.just(np.nan)), st.integers(-2, 5), JUNK)
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
    st.one_of(arrays(shape=(4, 3)), VECTOR),
    ATTITUDE,
    st.one_of(st.lists(NUMBERS, max_size=4), ANY),
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
            assert np.isfinite(result.momentum).all() and np.isfinite(result.attitude).all()


@given(INERTIA, ANY, ANY, ANY, ATTITUDE, TORQUES, JUNK)
def test_checks(inertia: Any, times: Any, momentum: Any, omega: Any, attitude: Any, torque: Any, option: Any) -> None:
    columns = {"momentum": momentum, "omega": omega, "attitude": attitude}
    allowed(lambda: polhode.check(inertia, times, **columns, tolerance=option))
    rows = np.linspace(0, 1, 4)
    allowed(lambda: polhode.check(inertia, rows, momentum=np.ones((4, 3)), attitude=attitude, torque=torque))


@given(JUNK, JUNK, JUNK)
def test_torques(kind: Any, name: Any, value: Any) -> None:
    for given_kind in (kind, "heavy-top", "damping"):
        allowed(lambda given_kind=given_kind: torques.torque(given_kind, {name: value}))
        allowed(lambda given_kind=given_kind: torques.torque(given_kind, {"centre": value}))
    allowed(lambda: torques.Function(kind, depends_on=name, potential=value))
