"""Methods of one's own coefficients go wherever a method goes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import polhode

BODY = polhode.Body([1, 5, 6], momentum=[1, 2, 3])
TOP = {"kind": "heavy-top"}
STRANG = [("kick", 0.5), ("drift", 1.0), ("kick", 0.5)]
RK4: dict[str, Any] = {
    "a": [[0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 1, 0]],
    "b": [1 / 6, 1 / 3, 1 / 3, 1 / 6],
    "c": [0, 0.5, 0.5, 1],
}
GAUSS2: dict[str, Any] = {
    "a": [[0.25, 0.25 - 3**0.5 / 6], [0.25 + 3**0.5 / 6, 0.25]],
    "b": [0.5, 0.5],
    "c": [0.5 - 3**0.5 / 6, 0.5 + 3**0.5 / 6],
}


def same(one: polhode.States, other: polhode.States) -> bool:
    return one.momentum.tobytes() == other.momentum.tobytes() and one.attitude.tobytes() == other.attitude.tobytes()


@pytest.mark.parametrize("rotor", ["exact", "dmv:order=6", "frb-matrix"])
def test_a_scheme_of_the_library_written_again_has_its_bits(rotor: str) -> None:
    mine = polhode.Scheme("mine", 2, STRANG, rotor=rotor)
    run = polhode.simulate(BODY, TOP, mine, 0.05, 2.0)
    assert run.method == f"mine+{rotor}" == str(mine)
    assert same(run, polhode.simulate(BODY, TOP, f"strang+{rotor}", 0.05, 2.0))
    mine = polhode.Scheme("mine", 2, STRANG, rotor=rotor, compensated=True)
    compensated = polhode.simulate(BODY, TOP, mine, 0.05, 2.0)
    assert compensated.method == f"mine:compensated+{rotor}" == str(mine)
    assert same(compensated, polhode.simulate(BODY, TOP, f"strang:compensated+{rotor}", 0.05, 2.0))
    assert not same(compensated, run)


@pytest.mark.parametrize(("tableau", "name"), [(RK4, "rk4"), (GAUSS2, "gauss2")])
def test_a_tableau_of_the_library_written_again_has_its_bits(tableau: dict[str, Any], name: str) -> None:
    mine = polhode.Tableau(**tableau, order=4)
    run = polhode.simulate(BODY, TOP, mine, 0.05, 2.0)
    assert run.method == "tableau"
    assert np.allclose(run.momentum, polhode.simulate(BODY, TOP, f"rkmk:tableau={name}", 0.05, 2.0).momentum, rtol=1e-13)


def test_gradients() -> None:
    # Chin's scheme of order 4 with one gradient.
    chin = polhode.Scheme(
        "chin", 4, [("kick", 1 / 6), ("drift", 0.5), ("gradient", 2 / 3, 1 / 72), ("drift", 0.5), ("kick", 1 / 6)]
    )
    found = polhode.compare(BODY, TOP, [chin], [0.1, 0.05, 0.025], 2.0)
    assert found.orders["chin+exact"] == pytest.approx(4, abs=0.25)
    with pytest.raises(polhode.InvalidInput, match="do not depend on the momentum") as error:
        polhode.simulate(BODY, {"kind": "damping", "coefficient": 0.1}, chin, 0.1, 1.0)
    assert error.value.argument == "method"


def test_comparisons_measure_what_is_claimed() -> None:
    heun = polhode.Tableau([[0, 0], [1, 0]], [0.5, 0.5], [0, 1], order=2, id="heun")
    mine = polhode.Scheme("mine", 2, STRANG)
    found = polhode.compare(BODY, TOP, [heun, mine, "rkn4-6+exact"], [0.1, 0.05, 0.025], 2.0, wanted=1e-6)
    assert list(found.orders) == ["heun", "mine+exact", "rkn4-6+exact"]
    assert [round(order or 0) for order in found.orders.values()] == [2, 2, 4]
    assert {trial.method for trial in found.tuned} == set(found.orders)
    other = polhode.Tableau([[0, 0], [0.5, 0]], [0, 1], [0, 0.5], order=2, id="heun")
    with pytest.raises(polhode.InvalidInput, match="two different ones are called 'heun'") as error:
        polhode.compare(BODY, TOP, [heun, other], [0.1], 1.0)
    assert error.value.argument == "methods"
    polhode.compare(BODY, TOP, [heun, heun], [0.1], 1.0)
    with pytest.raises(TypeError, match="methods: must be a list"):
        polhode.compare(BODY, TOP, heun, [0.1], 1.0)  # type: ignore[arg-type]


def test_attitude_only_refuses_other_torques() -> None:
    mine = polhode.Scheme("mine", 2, STRANG, attitude_only=True)
    with pytest.raises(polhode.InvalidInput, match="order would silently drop"):
        polhode.simulate(BODY, {"kind": "damping", "coefficient": 0.1}, mine, 0.1, 1.0)


@pytest.mark.parametrize(
    ("argument", "change", "text"),
    [
        ("id", {"id": "a+b"}, "must be a word"),
        ("id", {"id": ""}, "must not be empty"),
        ("order", {"order": 0}, "at least 1"),
        ("order", {"order": 5000}, "no method has it"),
        ("stages", {"stages": []}, "no stages given"),
        ("stages", {"stages": STRANG[:2]}, "kicks add up to 0.5"),
        ("stages", {"stages": [("kick", np.nan), ("drift", 1)]}, "stage 1 has the coefficient NaN"),
        ("stages", {"stages": [("kick", 1, 2), ("drift", 1)]}, "takes 1 number"),
        ("stages", {"stages": [("gradient", 1), ("drift", 1)]}, "takes 2 number"),
        ("stages", {"stages": [("push", 1), ("drift", 1)]}, "must begin with 'drift'"),
        ("stages", {"stages": [("kick", [1, 2]), ("drift", 1)]}, "not arrays"),
        ("rotor", {"rotor": "exakt"}, "did you mean 'exact'"),
    ],
)
def test_bad_schemes_are_refused(argument: str, change: dict[str, Any], text: str) -> None:
    with pytest.raises(polhode.InvalidInput, match=text) as error:
        polhode.Scheme(**{"id": "mine", "order": 2, "stages": STRANG, **change})
    assert error.value.argument == argument


@pytest.mark.parametrize(
    ("argument", "change", "text"),
    [
        ("b", {"b": [1 / 6, 1 / 3, 1 / 3, 1 / 3]}, "b sums to"),
        ("b", {"b": [np.inf, 0, 0, 0]}, "b is not finite"),
        ("b", {"b": 1.0}, "in a row"),
        ("b", {"a": np.zeros((0, 0)), "b": [], "c": []}, "0 stages"),
        ("c", {"c": [0, 0.5, 1]}, "c has 3 entries"),
        ("a", {"a": [[0, 0], [1, 0]]}, "a has 2 entries"),
        ("a", {"a": np.zeros((4, 3))}, "row 1 of a has 3"),
        ("a", {"a": np.zeros((4, 4))}, "row 2 of a sums to"),
        ("a", {"a": [1, 2]}, "a row for every stage"),
        ("a", {"a": [[1, 2], [1]]}, "a: "),
        ("order", {"order": 0}, "at least 1"),
        ("id", {"id": " "}, "must not be empty"),
    ],
)
def test_bad_tableaux_are_refused(argument: str, change: dict[str, Any], text: str) -> None:
    with pytest.raises(polhode.InvalidInput, match=text) as error:
        polhode.Tableau(**{**RK4, "order": 4, **change})
    assert error.value.argument == argument


def test_types_are_checked() -> None:
    for bad in ({"stages": "drift"}, {"stages": 3}, {"stages": [3]}, {"stages": ["kick"]}, {"order": 2.0}, {"rotor": 1}):
        with pytest.raises(TypeError, match=next(iter(bad))):
            polhode.Scheme(**{"id": "mine", "order": 2, "stages": STRANG, **bad})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="attitude_only"):
        polhode.Scheme("mine", 2, STRANG, attitude_only=1)  # type: ignore[arg-type]
    for bad_method in (None, 3, STRANG):
        with pytest.raises(TypeError, match=r"method: must be a str, a polhode\.Scheme or a polhode\.Tableau"):
            polhode.simulate(BODY, TOP, bad_method, 0.1, 1.0)  # type: ignore[arg-type]


def test_they_are_values() -> None:
    for one in (polhode.Scheme("mine", 2, STRANG), polhode.Tableau(**RK4, order=4)):
        again = pickle.loads(pickle.dumps(one))
        assert again == one and hash(again) == hash(one) and repr(again) == repr(one)
        assert eval(repr(one), {"Scheme": polhode.Scheme, "Tableau": polhode.Tableau}) == one


def test_the_table_says_what_runs_in_lanes() -> None:
    lanes = {info.id for info in polhode.methods() if info.in_lanes and info.kind == "rotor"}
    assert lanes == {"exact", "dmv", "three-rotations"}
    assert not any(info.in_lanes for info in polhode.methods() if info.kind == "method")


def test_the_table_says_what_has_derivatives() -> None:
    body = polhode.Body([1, 2, 2.5], momentum=[0.3, 0.2, 0.9])
    for info in polhode.methods():
        if info.kind == "scheme":
            continue
        if info.derivatives == "none":
            with pytest.raises(polhode.InvalidInput, match="has no derivatives"):
                polhode.simulate(body, None, info.id, 0.1, 0.2, tangent=True)
        else:
            tangent = polhode.simulate(body, None, info.id, 0.1, 0.2, tangent=True).tangent
            assert tangent is not None and (tangent.inertia is not None) == (info.derivatives == "inertia")
