"""One free step over arrays has the bits of the rotor, body by body."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import polhode

GENERATOR = np.random.default_rng(11)
N = 37
M = GENERATOR.normal(size=(N, 3))
Q = GENERATOR.normal(size=(N, 4))
Q /= np.linalg.norm(Q, axis=1)[:, None]
MOMENTS = np.sort(GENERATOR.uniform(1, 1.9, size=(N, 3)))
TURNS = Rotation.random(N, random_state=3).as_matrix()
TENSORS = np.einsum("nij,nj,nkj->nik", TURNS, MOMENTS, TURNS)
TENSORS = (TENSORS + TENSORS.transpose(0, 2, 1)) / 2
H = GENERATOR.normal(size=N)
ROTORS = [info.id for info in polhode.methods() if info.kind == "rotor"]


def alone(inertia: np.ndarray, m: np.ndarray, q: np.ndarray, h: float, rotor: str) -> tuple[np.ndarray, np.ndarray]:
    run = polhode.simulate(polhode.Body(inertia, momentum=m, attitude=q), None, rotor, h, h)
    return run.momentum[-1], run.attitude[-1]


@pytest.mark.parametrize("rotor", [*ROTORS, "dmv:order=10"])
@pytest.mark.parametrize("inertia", [MOMENTS, TENSORS, MOMENTS[0]], ids=["moments", "tensors", "shared"])
def test_every_rotor(rotor: str, inertia: np.ndarray) -> None:
    # An attitude that a body has taken as it is.
    normal = np.array([polhode.Body([1, 1, 1], momentum=[0, 0, 0], attitude=q).attitude for q in Q])
    m, q = polhode.step(inertia, M, normal, 0.1 * H, rotor)
    assert m.shape == (N, 3) and q.shape == (N, 4)
    for i in range(N):
        one = inertia if inertia.ndim == 1 else inertia[i]
        want_m, want_q = alone(one, M[i], normal[i], float(0.1 * H[i]), rotor)
        if (polhode.Body([1, 1, 1], momentum=[0, 0, 0], attitude=normal[i]).attitude == normal[i]).all():
            assert m[i].tobytes() == want_m.tobytes() and q[i].tobytes() == want_q.tobytes()
        assert abs(q[i] - want_q).max() < 1e-15


@pytest.mark.parametrize("rotor", ["exact", "dmv", "three-rotations", "frb-quaternion"])
def test_steps_after_each_other_are_a_run(rotor: str) -> None:
    run = polhode.ensemble(MOMENTS, momentum=M, method=rotor, step=0.07, until=0.7, every=1)
    m, q = M, np.array([1.0, 0, 0, 0])
    for n in range(1, 11):
        m, q = polhode.step(MOMENTS, m, q, 0.07, rotor)
        assert m.tobytes() == run.momentum[:, n].tobytes()
        assert q.tobytes() == run.attitude[:, n].tobytes()


def test_many_bodies_on_all_cores_have_the_bits_of_few() -> None:
    copies = 1000
    m, q = polhode.step(np.tile(MOMENTS, (copies, 1)), np.tile(M, (copies, 1)), np.tile(Q, (copies, 1)), np.tile(H, copies))
    few_m, few_q = polhode.step(MOMENTS, M, Q, H)
    assert (m.reshape(copies, N, 3) == few_m).all() and (q.reshape(copies, N, 4) == few_q).all()


@pytest.mark.parametrize(
    ("inertia", "momentum", "attitude", "h", "shape"),
    [
        ([1, 2, 2.5], M[0], Q[0], 0.1, ()),
        ([1, 2, 2.5], M, Q[0], 0.1, (N,)),
        ([1, 2, 2.5], M[0], Q[0], H, (N,)),
        (MOMENTS, M[0], Q[0], 0.1, (N,)),
        (MOMENTS, M[:5, None], Q[0], 0.1, (5, N)),
        ([1, 2, 2.5], M[:4, None], Q[:5], [[[0.1]], [[0.2]]], (2, 4, 5)),
        (TENSORS[0], M[:3], Q[:1], H[:1], None),
        (TENSORS[:2, None], M[:7], Q[0], 0.1, (2, 7)),
        (np.broadcast_to(TENSORS[0], (3, 3, 3)), M[:3], Q[:3], 0.1, (3,)),
        (TENSORS[0], M[0], Q[0], 0.1, ()),
        (MOMENTS[:0], M[:0], Q[:0], H[:0], (0,)),
        ([1, 2, 2.5], M[:0], Q[0], 0.1, (0,)),
        (MOMENTS[:4].reshape(2, 2, 3), M[:2], Q[0], 0.1, (2, 2)),
    ],
)
def test_bodies_broadcast(inertia: Any, momentum: Any, attitude: Any, h: Any, shape: tuple[int, ...] | None) -> None:
    if shape is None:
        with pytest.raises(polhode.InvalidInput, match="tensors, or moments of each"):
            polhode.step(inertia, momentum, attitude, h)
        return
    m, q = polhode.step(inertia, momentum, attitude, h)
    assert m.shape == (*shape, 3) and q.shape == (*shape, 4)
    inertia = np.asarray(inertia, dtype=float)
    of_one = 2 if inertia.shape[-2:] == (3, 3) else 1
    bodies = np.broadcast_to(inertia, (*shape, *inertia.shape[-of_one:]))
    momenta, turned = np.broadcast_to(momentum, (*shape, 3)), np.broadcast_to(attitude, (*shape, 4))
    steps = np.broadcast_to(h, shape)
    for index in np.ndindex(shape):
        one = polhode.step(bodies[index], momenta[index], turned[index], steps[index])
        assert one[0].tobytes() == m[index].tobytes() and one[1].tobytes() == q[index].tobytes()


def test_numbers_of_any_type() -> None:
    m, q = polhode.step([1, 2, 3], [1, 2, 3], [1, 0, 0, 0], 1)
    again = polhode.step(np.array([1, 2, 3], "f4"), np.array([1, 2, 3], ">i2"), np.array([1, 0, 0, 0], bool), np.float32(1))
    assert m.tobytes() == again[0].tobytes() and q.tobytes() == again[1].tobytes()
    turned = Rotation.from_quat(np.roll(Q, -1, axis=1))
    assert np.allclose(polhode.step(MOMENTS, M, turned, 0.1)[1], polhode.step(MOMENTS, M, Q, 0.1)[1], rtol=0, atol=1e-15)
    strided = polhode.step(MOMENTS[::2], M[::2], Q[::2], H[::2])
    assert strided[0].tobytes() == polhode.step(MOMENTS, M, Q, H)[0][::2].tobytes()


def test_long_attitudes_are_normalised() -> None:
    m, q = polhode.step(MOMENTS, M, 3 * Q, 0.1)
    assert abs(np.linalg.norm(q, axis=1) - 1).max() < 1e-15
    assert np.allclose(q, polhode.step(MOMENTS, M, Q, 0.1)[1], rtol=0, atol=1e-15)


def test_results_in_given_arrays() -> None:
    want = polhode.step(MOMENTS, M, Q, H)
    out = np.empty((N, 3)), np.empty((N, 4))
    found = polhode.step(MOMENTS, M, Q, H, out=out)
    assert found[0] is out[0] and found[1] is out[1]
    assert (out[0] == want[0]).all() and (out[1] == want[1]).all()
    # In place.
    m, q = M.copy(), Q.copy()
    polhode.step(MOMENTS, m, q, H, out=(m, q))
    assert (m == want[0]).all() and (q == want[1]).all()
    # Of one array, strided.
    state = np.concatenate([M, Q], axis=1)
    polhode.step(MOMENTS, state[:, :3], state[:, 3:], H, out=(state[:, :3], state[:, 3:]))
    assert (state == np.concatenate(want, axis=1)).all()
    # Backwards onto itself, single precision, and where the inertia stands.
    m = M.copy()
    polhode.step(MOMENTS, m[::-1], Q, H, out=(m, out[1]))
    assert (m == polhode.step(MOMENTS, M[::-1], Q, H)[0]).all()
    single = np.empty((N, 3), "f4"), np.empty((N, 4), "f4")
    polhode.step(MOMENTS, M, Q, H, out=single)
    assert (single[0] == want[0].astype("f4")).all() and (single[1] == want[1].astype("f4")).all()
    moments = MOMENTS.copy()
    polhode.step(moments, M, Q, H, out=(moments, out[1]))
    assert (moments == want[0]).all()


@pytest.mark.parametrize(
    ("argument", "change", "text"),
    [
        ("momentum", {"momentum": 1.0}, r"shape \(..., 3\)"),
        ("momentum", {"momentum": np.ones((N, 2))}, r"shape \(..., 3\)"),
        ("momentum", {"momentum": np.where(np.arange(N)[:, None] == 5, np.nan, M)}, "body 5"),
        ("attitude", {"attitude": np.ones(3)}, "four numbers"),
        ("attitude", {"attitude": np.where(np.arange(N)[:, None] == 7, 0, Q)}, "body 7"),
        ("attitude", {"attitude": np.where(np.arange(N)[:, None] == 7, np.inf, Q)}, "body 7"),
        ("inertia", {"inertia": np.ones(2)}, r"\(..., 3\) or"),
        ("inertia", {"inertia": 1.0}, r"\(..., 3\) or"),
        ("inertia", {"inertia": [1, 2, -1]}, "body 0"),
        ("inertia", {"inertia": np.where(np.arange(N)[:, None] == 9, -1, MOMENTS)}, "body 9"),
        ("inertia", {"inertia": [1, 2, 30]}, "allow_unphysical=True"),
        ("inertia", {"inertia": np.triu(np.ones((3, 3)))}, "symmetric"),
        ("h", {"h": np.where(np.arange(N) == 3, np.nan, H)}, "h = nan of body 3|h = NaN of body 3"),
        ("h", {"h": np.where(np.arange(N) == 3, 1e20, H)}, "body 3.*1e13 rad"),
        ("h", {"h": 40.0, "rotor": "dmv"}, "body [0-9]+: dmv"),
        ("inertia, momentum, attitude, h", {"inertia": MOMENTS[:5]}, "do not broadcast"),
        ("momentum, attitude, h", {"h": H[:5]}, "do not broadcast"),
        ("rotor", {"rotor": "exakt"}, "did you mean 'exact'"),
        ("rotor", {"rotor": "rk4"}, "no rotor 'rk4'"),
        ("rotor", {"rotor": "strang+exact"}, "no rotor"),
        ("rotor", {"rotor": "dmv:order=3"}, "order"),
        ("out", {"out": (np.empty((N, 3)), np.empty((N, 3)))}, r"attitude must have shape \(37, 4\)"),
        ("out", {"out": (np.empty((N, 4))[:, :3], np.broadcast_to(0.0, (N, 4)))}, "read-only"),
    ],
)
def test_bad_input_is_named(argument: str, change: dict[str, Any], text: str) -> None:
    with pytest.raises(polhode.InvalidInput, match=text) as error:
        polhode.step(**{"inertia": MOMENTS, "momentum": M, "attitude": Q, "h": H, **change})
    assert error.value.argument == argument


def test_the_first_body_at_fault_is_named() -> None:
    m = np.ones((50_000, 3))
    m[30_000:] = np.nan
    for _ in range(5):
        with pytest.raises(polhode.InvalidInput, match="body 30000:"):
            polhode.step([1, 2, 2.5], m, [1, 0, 0, 0], 0.1)


def test_bad_types_are_named() -> None:
    both = np.empty((N, 4))
    for name, change in {
        "momentum": {"momentum": "abc"},
        "attitude": {"attitude": None},
        "h": {"h": 1j},
        "rotor": {"rotor": 3},
        "allow_unphysical": {"allow_unphysical": 1},
    }.items():
        with pytest.raises(TypeError, match=name):
            polhode.step(**{"inertia": MOMENTS, "momentum": M, "attitude": Q, "h": H, **change})  # type: ignore[arg-type]
    for out in (both, [both, both], (both,), (None, both), (np.empty((N, 3), int), both)):
        with pytest.raises(TypeError, match="out"):
            polhode.step(MOMENTS, M, Q, H, out=out)  # type: ignore[arg-type]
    with pytest.raises(polhode.InvalidInput, match="overlap"):
        polhode.step(MOMENTS, M, Q, H, out=(both[:, :3], both))


def test_moments_that_no_body_has() -> None:
    m, _ = polhode.step([1, 2, 30], M, Q, 0.01, allow_unphysical=True)
    assert np.isfinite(m).all()
    at_rest = polhode.step(MOMENTS, np.zeros(3), Q, H)
    assert (at_rest[0] == 0).all() and (at_rest[1] == Q).all()
    still = polhode.step(MOMENTS, M, Q, 0.0)
    assert (still[0] == M).all() and (still[1] == Q).all()
