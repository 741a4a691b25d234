"""Bad input is refused by name."""

from __future__ import annotations

from fractions import Fraction
from importlib.metadata import metadata
from typing import Any

import numpy as np
import pytest

import polhode
from polhode import torques

OK: dict[str, Any] = {"momentum": [1, 2, 3]}
FREE: list[tuple[str, Any, dict[str, Any]]] = [
    ("inertia", [1, 2], OK),
    ("inertia", [[1, 2, 3]], OK),
    ("inertia", [1, 2, 0], OK),
    ("inertia", [1, 2, -3], OK),
    ("inertia", [1, 2, 30], OK),
    ("inertia", [1, 2, np.nan], OK),
    ("inertia", [[1, 2, 0], [0, 1, 0], [0, 0, 1]], OK),
    ("inertia", [1, [2], 3], OK),
    ("inertia", [], OK),
    ("momentum", [1, 2, 3], {"momentum": [1, 2]}),
    ("momentum", [1, 2, 3], {"momentum": 1.0}),
    ("momentum", [1, 2, 3], {"momentum": [1, np.inf, 2]}),
    ("momentum", [1, 2, 3], {"momentum": [[1, 2, 3]]}),
    ("omega", [1, 2, 3], {"omega": [1, np.nan, 2]}),
    ("omega", [1e200, 1e200, 1e200], {"omega": [1e200, 0, 0]}),
    ("attitude", [1, 2, 3], {**OK, "attitude": [0, 0, 0, 0]}),
    ("attitude", [1, 2, 3], {**OK, "attitude": [1, 0, 0]}),
    ("attitude", [1, 2, 3], {**OK, "attitude": [1, 0, 0, np.nan]}),
    ("attitude", [1, 2, 3], {**OK, "attitude": [[1, 0, 0, 0]]}),
    ("attitude", [1, 2, 3], {**OK, "attitude": 1.0}),
]


@pytest.mark.parametrize(("argument", "inertia", "rest"), FREE)
def test_a_bad_value_is_named(argument: str, inertia: Any, rest: dict[str, Any]) -> None:
    with pytest.raises(polhode.InvalidInput, match=argument) as error:
        polhode.FreeMotion(inertia, **rest)
    assert error.value.argument == argument
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize("bad", ["1", ["a", "b", "c"], [1j, 2, 3], None, {}, [None] * 3, np.array(["2020"] * 3, "M8")])
def test_a_bad_type_is_named(bad: Any) -> None:
    with pytest.raises(TypeError, match="inertia"):
        polhode.FreeMotion(bad, momentum=[1, 2, 3])
    with pytest.raises(TypeError, match="t: must be real numbers"):
        polhode.FreeMotion([1, 2, 3], momentum=[1, 2, 3]).at(bad)


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (np.array([1, None, 2], dtype=object), "not an array with a NoneType in it"),
        ([1, "a", None], "not an array with a str in it"),
        (np.array([1, 2, 3], dtype=object), r"not an array of objects; convert it, as by astype\(float\)"),
        ([2**70, 1, 1], "not an array of objects; convert it"),
        ([Fraction(1, 2)] * 3, "not an array of objects; convert it"),
        (np.array(["1", "2", "3"]), "not texts"),
    ],
)
def test_arrays_of_objects_are_explained(bad: Any, text: str) -> None:
    with pytest.raises(TypeError, match=f"momentum: must be real numbers, {text}"):
        polhode.FreeMotion([1, 2, 3], momentum=bad)


def test_the_first_bad_time_is_the_one_named() -> None:
    motion = polhode.FreeMotion([1, 2, 3], momentum=[1, 2, 3])
    times = np.zeros(200_000)
    times[7_000] = np.inf
    times[9_000:] = np.nan
    for _ in range(20):
        with pytest.raises(polhode.InvalidInput, match="t = inf"):
            motion.at(times)


def test_momentum_or_omega() -> None:
    for both in ({}, {"momentum": [1, 2, 3], "omega": [1, 2, 3]}):
        with pytest.raises(TypeError, match="exactly one of the two"):
            polhode.FreeMotion([1, 2, 3], **both)


def test_vectors_are_shown_as_they_are() -> None:
    with pytest.raises(polhode.InvalidInput, match=r"momentum = \[1.0, 2.0, NaN\]: every"):
        polhode.FreeMotion([1, 2, 3], momentum=[1, 2, np.nan])
    with pytest.raises(polhode.InvalidInput, match=r"attitude = \[1.0, 2.0, NaN, 0.0\]: every"):
        polhode.FreeMotion([1, 2, 3], momentum=[1, 2, 3], attitude=[1, 2, np.nan, 0])


def test_times() -> None:
    motion = polhode.FreeMotion([1, 2, 3], momentum=[1, 2, 3])
    for bad in (np.nan, np.inf, [0, 1, -np.inf], 1e300):
        for ask in (motion.at, motion.next_flip, motion.angular_acceleration):
            with pytest.raises(polhode.InvalidInput, match="t = ") as error:
                ask(bad)
            assert error.value.argument == "t"


def test_unphysical_bodies_are_taken_on_request() -> None:
    with pytest.raises(polhode.InvalidInput, match="allow_unphysical=True"):
        polhode.FreeMotion([1, 2, 30], momentum=[1, 2, 3])
    with pytest.raises(polhode.InvalidInput, match="allow_unphysical=True"):
        polhode.ensemble([1, 2, 30], momentum=[1, 2, 3], times=[1.0])
    with pytest.raises(TypeError, match="allow_unphysical: must be a bool, not str"):
        polhode.FreeMotion([1, 2, 30], momentum=[1, 2, 3], allow_unphysical="no")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="allow_unphysical: must be a bool, not str"):
        polhode.ensemble([1, 2, 30], momentum=[1, 2, 3], times=[], allow_unphysical="no")  # type: ignore[arg-type]
    body = polhode.Body([1, 2, 30], momentum=[1, 2, 3], allow_unphysical=True)
    assert eval(repr(body), {"Body": polhode.Body}).moments.tolist() == [1, 2, 30]
    polhode.FreeMotion([1, 2, 30], momentum=[1, 2, 3], allow_unphysical=True).at(1.0)


BODY = polhode.Body([1, 5, 6], omega=[10, 10, 10])
GOOD: dict[str, Any] = {"torque": None, "method": "exact", "step": 0.1, "until": 1.0}
RUNS = [
    ({"method": "kahanly8+exact"}, "method", "did you mean 'kahanli8'"),
    ({"method": "exact", "torque": {"kind": "heavy-top"}}, "method", "strang"),
    ({"method": "RKN6-14+EXACT"}, "method", "did you mean 'rkn6-14'"),
    ({"method": ""}, "method", "no method"),
    ({"method": "strang+exakt"}, "method", "method: no rotor 'exakt'"),
    ({"method": "exact", "torque": {"kind": "heavy-top"}}, "method", "method: exact: a rotor alone"),
    ({"step": 0.0}, "step", "step"),
    ({"step": np.nan}, "step", "step"),
    ({"step": -0.1}, "until", "until"),
    ({"step": [0.1]}, "step", "step"),
    ({"until": np.inf}, "until", "until"),
    ({"until": 1e300}, "until", "1e15 steps"),
    ({"t0": np.nan}, "t0", "t0"),
    ({"every": 0}, "every", "every"),
    ({"every": -1}, "every", "every"),
    ({"every": 2**64}, "every", "every"),
    ({"torque": {"kind": "heavytop"}}, "torque", "did you mean 'heavy-top'"),
    ({"torque": {"kind": "Heavy-Top"}}, "torque", "did you mean 'heavy-top'"),
    ({"torque": {"kind": "heavy-top", "center": 1}}, "torque", "did you mean 'centre'"),
    ({"torque": {"kind": "heavy-top", "CENTRE": 1}}, "torque", "did you mean 'centre'"),
    ({"torque": {"centre": (0, 0, 1)}}, "torque", "kind"),
    ({"torque": {"kind": "heavy-top", "up": (0, 0, 0)}}, "torque", "not all zero"),
    ({"torque": [{"kind": "damping"}]}, "torque", "'coefficient' is missing"),
    ({"torque": {"kind": "gravity-gradient", "rate": 1e200}, "method": "rk4"}, "torque", "range of a double"),
    ({"torque": lambda t, m, q: (0, 0, 0), "method": "rkn6-14+exact"}, "method", 'depends_on="attitude"'),
]


@pytest.mark.parametrize(("changed", "argument", "text"), RUNS)
def test_a_bad_run_is_named(changed: dict[str, Any], argument: str, text: str) -> None:
    with pytest.raises(polhode.InvalidInput, match=text) as error:
        polhode.simulate(BODY, **{**GOOD, **changed})
    assert error.value.argument == argument


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"method": 3}, "method"),
        ({"step": "0.1"}, "step"),
        ({"every": 1.5}, "every"),
        ({"torque": 3}, "torque"),
        ({"torque": "heavy-top"}, "torque"),
        ({"torque": {"kind": 3}}, "kind"),
        ({"torque": {"kind": "heavy-top", 3: 1}}, "torque"),
        ({"torque": {"kind": "heavy-top", "centre": None}}, "centre"),
        ({"until": None}, "until"),
    ],
)
def test_a_bad_type_in_a_run_is_named(changed: dict[str, Any], text: str) -> None:
    with pytest.raises(TypeError, match=text):
        polhode.simulate(BODY, **{**GOOD, **changed})
    with pytest.raises(TypeError, match="body"):
        polhode.simulate([1, 2, 3], **GOOD)  # type: ignore[arg-type]


NO_TORQUES: list[Any] = [
    np.array([1j, 0, 0]),
    np.array([1j, 0, 0], dtype=np.complex64),
    (np.complex128(1j), 0, 0),
    (np.complex64(1j), 0, 0),
    (0, np.array(1j), 0),
    (1j, 0, 0),
    b"abc",
    bytearray(b"abc"),
    "abc",
    ("1", "2", "3"),
    (1, 2),
    (1, 2, np.nan),
    None,
]


@pytest.mark.filterwarnings("ignore")  # as an error, NumPy's warning alone would refuse complex numbers
@pytest.mark.parametrize("returned", NO_TORQUES, ids=repr)
def test_what_is_no_torque_is_refused(returned: Any) -> None:
    with pytest.raises(polhode.InvalidInput, match="three finite numbers") as error:
        polhode.simulate(BODY, lambda t, m, q: returned, "rk4", 0.1, 1.0)
    assert error.value.argument == "torque"
    assert f"the torque returned {returned!r}:" in str(error.value)
    assert "(at t = 0.0)" in str(error.value)


@pytest.mark.filterwarnings("ignore")  # as an error, NumPy's warning alone would refuse complex numbers
@pytest.mark.parametrize("returned", [1j, np.complex128(1), np.complex64(1), np.array(1j), "1", None, np.inf], ids=repr)
def test_what_is_no_potential_is_refused(returned: Any) -> None:
    torque = torques.Function(lambda t, m, q: (0, 0, 0), potential=lambda t, q: returned)
    with pytest.raises(polhode.InvalidInput, match="must be a finite number") as error:
        polhode.simulate(BODY, torque, "rk4", 0.1, 1.0)
    assert error.value.argument == "potential"
    assert f"the potential returned {returned!r}:" in str(error.value)


@pytest.mark.parametrize(
    "returned",
    [(1, 2, 3), [1.0, 2, 3], np.array([1, 2, 3]), np.array([1.0, 0, 2, 0, 3, 0])[::2], (np.float32(1), Fraction(2), True + 2)],
    ids=repr,
)
def test_any_three_numbers_are_a_torque(returned: Any) -> None:
    run = polhode.simulate(BODY, lambda t, m, q: returned, "rk4", 0.1, 1.0)
    wanted = polhode.simulate(BODY, lambda t, m, q: np.array([1.0, 2, 3]), "rk4", 0.1, 1.0)
    assert (run.momentum == wanted.momentum).all()


def test_a_long_torque_is_shown_in_part() -> None:
    with pytest.raises(polhode.InvalidInput) as error:
        polhode.simulate(BODY, lambda t, m, q: list(range(10_000)), "rk4", 0.1, 1.0)
    assert "[0, 1, 2," in str(error.value) and len(str(error.value)) < 300


def test_too_few_samples() -> None:
    with pytest.raises(polhode.InvalidInput, match="samples: 0 given; at least two") as error:
        polhode.check([1, 2, 3], [], momentum=np.empty((0, 3)))
    assert error.value.argument == "samples"


def test_more_states_than_memory() -> None:
    with pytest.raises(MemoryError):
        polhode.simulate(BODY, None, "exact", step=1e-13, until=50.0)


def test_a_run_that_fails_keeps_what_it_had() -> None:
    # The torque grows until the numbers leave the range of doubles.
    torque = polhode.torques.Function(lambda t, m, q: m)
    with pytest.raises(polhode.RunFailed, match="step ") as failure:
        polhode.simulate(BODY, torque, "rk4", step=0.001, until=100.0, every=3)
    kept = failure.value.trajectory
    assert kept is not None and len(kept) > 3
    assert np.isfinite(kept.momentum).all()
    assert kept.step[1] == 3


@pytest.mark.parametrize(
    ("argument", "make"),
    [
        ("centre", lambda: torques.HeavyTop(centre=(1, 2))),
        ("up", lambda: torques.HeavyTop(up=(0, 0, 0))),
        ("center", lambda: torques.HeavyTop(center=(0, 0, 1))),
        ("coefficient", lambda: torques.Damping()),
        ("kind", lambda: torques.torque("heavytop", {})),
        ("depends_on", lambda: torques.Function(lambda t, m, q: m, depends_on="time")),  # type: ignore[arg-type]
        ("depends_on", lambda: torques.Function(lambda t, m, q: m, depends_on=np.ones(2))),  # type: ignore[arg-type]
    ],
)
def test_a_bad_torque_is_named(argument: str, make: Any) -> None:
    with pytest.raises(polhode.InvalidInput) as error:
        make()
    assert error.value.argument == argument


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("keys", lambda: torques.torque("heavy-top", [("centre", 1)])),  # type: ignore[arg-type]
        ("kind", lambda: torques.torque(3, {})),  # type: ignore[arg-type]
        ("centre", lambda: torques.HeavyTop(centre=None)),
        ("^f:", lambda: torques.Function(3)),  # type: ignore[arg-type]
        ("potential", lambda: torques.Function(lambda t, m, q: m, potential=3)),  # type: ignore[arg-type]
        ("depends_on_time", lambda: torques.Function(lambda t, m, q: m, depends_on_time="no")),  # type: ignore[arg-type]
    ],
)
def test_a_torque_of_the_wrong_type_is_named(text: str, make: Any) -> None:
    with pytest.raises(TypeError, match=text):
        make()


def test_every_extra_says_what_to_install() -> None:
    from polhode._errors import _EXTRAS, missing

    extras = set(metadata("polhode").get_all("Provides-Extra") or []) - {"all", "test"}
    assert extras == set(_EXTRAS)
    error = missing("polhode.plot", "plot", ModuleNotFoundError("no", name="matplotlib"))
    assert str(error) == "polhode.plot needs matplotlib, which is not installed: pip install matplotlib"
