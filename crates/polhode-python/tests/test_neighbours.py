"""Neighbouring motions: how fast they part, how errors spread along a run, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import polhode

TOP = {"kind": "heavy-top", "centre": (0.1, -0.2, 9.81)}
BODY = polhode.Body([1, 1.5, 2], momentum=[1, 2, 3], attitude=[0.5, -0.5, 0.1, 0.7])
#: Units that differ, as those of momenta and angles do.
MIXED = np.array([1e-9, 1e3, 1, 1e-6, 1, 1e5])


def test_motions_about_the_middle_axis_part() -> None:
    found = polhode.lyapunov(polhode.Body([1, 2, 3], momentum=[0, 1, 0]), None, "exact", 0.1, 400)
    assert found.exponent == pytest.approx(np.sqrt(1 / 12), abs=0.01)
    assert found.times.shape == found.convergence.shape and found.convergence[-1] == found.exponent
    half = found.convergence[len(found.convergence) // 2 :]
    assert found.spread == half.max() - half.min()
    regular = polhode.lyapunov(polhode.Body([1, 2, 3], momentum=[0, 0.1, 1]), None, "exact", 0.1, 400)
    assert 0 < regular.exponent < 0.03
    # A free body is never chaotic; of a short run of another nothing is known.
    assert (found.verdict, found.chaotic) == ("positive", False)
    assert (regular.verdict, regular.chaotic) == ("not positive", False)
    short = polhode.lyapunov(BODY, TOP, "strang+exact", 0.1, 1.0)
    assert (short.verdict, short.chaotic) == ("not settled", None)
    with pytest.raises(polhode.InvalidInput, match="has no derivatives"):
        polhode.lyapunov(BODY, TOP, "rk4", 0.1, 1.0)
    with pytest.raises(polhode.InvalidInput, match="must not be the start"):
        polhode.lyapunov(BODY, TOP, "strang+exact", 0.1, 0.0)
    with pytest.raises(TypeError, match="body: must be a polhode.Body, not int"):
        polhode.lyapunov(3, TOP, "strang+exact", 0.1, 1.0)  # type: ignore[arg-type]


def test_covariances_are_carried_along() -> None:
    start = np.diag([1e-4, 2e-4, 3e-4, 1e-6, 2e-6, 3e-6])
    start[0, 4] = start[4, 0] = 3e-6
    run = polhode.covariance(BODY, TOP, "rkn6-14+exact", 0.05, 2.0, 20, start=start)
    tangent = polhode.simulate(BODY, TOP, "rkn6-14+exact", 0.05, 2.0, 20, tangent=True).tangent
    assert tangent is not None and run.covariance.shape == (3, 6, 6)
    phi = tangent.state_transition
    want = phi @ start @ np.swapaxes(phi, 1, 2)
    assert np.abs(run.covariance - want).max() < 1e-12 * np.abs(want).max()
    assert np.abs(run.momentum - tangent.states.momentum).max() < 1e-13
    assert run[-1].covariance.shape == (6, 6) and run[1:].covariance.shape == (2, 6, 6)
    rest = polhode.Body([1, 2, 3], momentum=[0, 0, 0])
    noisy = polhode.covariance(rest, None, "exact", 0.5, 2.0, start=np.zeros((6, 6)), noise=np.diag([1, 1, 1, 0, 0, 0]))
    assert noisy.covariance[-1, :3, :3] == pytest.approx(2 * np.eye(3))
    assert (noisy.covariance[-1, 3:, 3:] > 0).diagonal().all()


def matrix(**entries: float) -> np.ndarray[Any, Any]:
    """The unit matrix with other entries, ``a01`` for instance, and their mirror images."""
    made = np.eye(6)
    for name, value in entries.items():
        i, j = int(name[1]), int(name[2])
        made[i, j] = made[j, i] = value
    return made


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (np.eye(5), r"noise: must have shape \(6, 6\), not \(5, 5\)"),
        (matrix(a01=np.nan), r"noise\[0, 1\] = nan: must be finite"),
        (matrix(a22=np.inf), r"noise\[2, 2\] = inf: must be finite"),
        (np.eye(6) + np.eye(6, k=1) / 2, r"noise\[0, 1\] = 0.5 but noise\[1, 0\] = 0.0: must be symmetric"),
        (np.eye(6) + 1e-11 * np.eye(6, k=1), "must be symmetric"),
        (matrix(a33=-2.0), r"noise\[3, 3\] = -2.0: a variance must not be negative"),
        (matrix(a01=2.0), r"noise\[0, 1\] = 2.0: with variances 1.0 and 1.0 a correlation beyond 1"),
        (matrix(a00=1e-300, a11=1e-300, a01=1e300), r"noise\[0, 1\] = 1e\+300: with variances 1e-300 and"),
        # No correlation is beyond one, but not all can be true at once.
        (matrix(a01=0.9, a02=0.9, a12=-0.9), "noise: is no covariance: the least eigenvalue .* is -0.8; none may be"),
        # Units do not matter.
        (matrix(a01=0.9, a02=0.9, a12=-0.9) * np.outer(MIXED, MIXED), "is -0.8;"),
        (matrix(a44=0.0, a14=0.1), r"noise\[1, 4\] = 0.1: must be 0 beside the variance noise\[4, 4\] = 0"),
    ],
)
def test_what_is_no_covariance_is_refused(given: Any, text: str) -> None:
    for name in ("start", "noise"):
        matrices: dict[str, Any] = {"start": np.eye(6), name: given}
        with pytest.raises(polhode.InvalidInput, match=text.replace("noise", name)) as caught:
            polhode.covariance(BODY, TOP, "strang+exact", 0.1, 1.0, **matrices)
        assert caught.value.argument == name


def test_rounding_makes_no_covariance_wrong() -> None:
    # Of rank two, of mixed units, from a product that rounds.
    wide = np.random.default_rng(5).normal(size=(6, 2)) * MIXED[:, None]
    covariance = wide @ wide.T
    covariance[0, 1] *= 1 + 4e-16
    sizes = np.sqrt(np.diag(covariance))
    assert np.linalg.eigvalsh(covariance / np.outer(sizes, sizes))[0] < 0
    for given in (covariance, np.zeros((6, 6)), matrix(a44=0.0), np.eye(6) * 1e-320, np.eye(6) * 1e300):
        run = polhode.covariance(BODY, None, "exact", 0.1, 0.1, start=given)
        assert np.isfinite(run.covariance[0]).all()


def test_a_last_step_that_goes_beyond_is_told() -> None:
    body = polhode.Body([1, 2, 3], momentum=[0, 1, 0])
    with pytest.warns(UserWarning, match="until = 1.05 is no whole number of steps of 0.1 away") as caught:
        polhode.lyapunov(body, None, "exact", 0.1, 1.05)
        polhode.covariance(body, None, "exact", 0.1, 1.05, start=np.eye(6))
        polhode.simulate(body, None, "exact", 0.1, 1.05)
    assert len(caught) == 3 and {one.filename for one in caught} == {__file__}
