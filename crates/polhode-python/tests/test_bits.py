"""The reference cases through Python have the bits of the Rust library."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from conftest import Case

import polhode
from polhode import elliptic


def same_bits(got: object, want: object) -> bool:
    return np.asarray(got, dtype=np.float64).tobytes() == np.asarray(want, dtype=np.float64).tobytes()


def numbers(states: polhode.States) -> np.ndarray:
    parts = (states.momentum, states.omega, states.attitude, states.matrix.reshape(*states.matrix.shape[:-2], 9))
    return np.concatenate(parts, axis=-1)


def test_there_is_something_to_compare(reference: list[Case]) -> None:
    counts = Counter(case.function for case in reference)
    expected = {"free": 257, "heavy-top": 65, "coulomb-wall": 25, "special": 310}
    assert {function: counts[function] for function in expected} == expected


def test_free_motions(reference: list[Case]) -> None:
    for case in (c for c in reference if c.function == "free"):
        inertia, momentum, attitude, t = case.given[:3], case.given[3:6], case.given[6:10], case.given[10]
        motion = polhode.FreeMotion(inertia, momentum=momentum, attitude=attitude, allow_unphysical=True)
        states = motion.at([t, 0.0, t])
        for row in (0, 2):
            assert same_bits(numbers(states)[row], case.found[:19]), case.name
        assert same_bits(numbers(motion.at(t)), case.found[:19]), case.name
        period, rate, flip = case.found[19:]
        assert motion.period == (None if np.isnan(period) else period)
        assert motion.precession_rate == rate
        assert motion.next_flip(t) == (None if np.isnan(flip) else flip)


def test_torqued_motions(reference: list[Case]) -> None:
    failed = 0
    for case in (c for c in reference if c.function in ("heavy-top", "coulomb-wall")):
        scale, step, steps = case.given[13:]
        body = polhode.Body(
            case.given[:3], momentum=case.given[3:6], attitude=case.given[6:10], allow_unphysical=True
        )
        keys = (
            {"centre": (0, 0, scale), "up": case.given[10:13]}
            if case.function == "heavy-top"
            else {"sign": "printed" if scale > 0 else "physical"}
        )
        torque = {"kind": case.function, **keys}
        if not case.found:
            failed += 1
            with pytest.raises(polhode.RunFailed) as failure:
                polhode.simulate(body, torque, case.name, step, step * steps)
            assert failure.value.trajectory is not None
            assert len(failure.value.trajectory.t) >= 1
            continue
        run = polhode.simulate(body, torque, case.name, step, step * steps, every=7)
        assert run.steps == steps
        assert same_bits(numbers(run)[-1], case.found), case
    assert failed < 10


def test_elliptic_functions(reference: list[Case]) -> None:
    for case in (c for c in reference if c.function == "special"):
        given = case.given
        if case.name == "jacobi":
            got = elliptic.ellipj(given[0], mc=given[1])
        elif case.name == "FE":
            got = elliptic.F(given[0], mc=given[1]), elliptic.E(given[0], mc=given[1])
        elif case.name == "Pi":
            got = (elliptic.Pi(given[0], nc=given[1], mc=given[2]),)
        else:
            x, y, z, p = given
            got = elliptic.RF(x, y, z), elliptic.RD(x, y, z), elliptic.RC(x, y), elliptic.RJ(x, y, z, p)
        assert same_bits(got, case.found), case
