"""Free motions: shapes, types, and what can be asked of them."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import polhode

HANDLE = polhode.FreeMotion([3, 8, 11], omega=[0.01, 12, 0])


@pytest.mark.parametrize("shape", [(), (1,), (7,), (0,), (2, 3), (2, 0, 3), (1, 1, 1, 2)])
def test_the_shape_of_the_times_is_kept(shape: tuple[int, ...]) -> None:
    t = np.arange(float(np.prod(shape))).reshape(shape)
    states = HANDLE.at(t)
    assert states.t.shape == shape
    assert states.momentum.shape == states.omega.shape == (*shape, 3)
    assert states.attitude.shape == (*shape, 4)
    assert states.matrix.shape == (*shape, 3, 3)
    assert states.spatial_momentum.shape == (*shape, 3)
    assert HANDLE.angular_acceleration(t).shape == (*shape, 3)
    assert np.shape(HANDLE.next_flip(t)) == shape


def test_arrays_of_every_kind_give_the_same_bits() -> None:
    t = np.arange(8.0)
    want = HANDLE.at(t).attitude
    apart = np.zeros(16)
    apart[::2] = t
    frozen = t.copy()
    frozen.setflags(write=False)
    unaligned = np.frombuffer(b"\0" + t.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not unaligned.flags.aligned
    forms = [
        apart[::2], t[::-1][::-1], frozen, unaligned, t.astype(">f8"), t.astype(np.int32), t.astype(np.uint8),
        t.astype(np.float16), t.astype(np.longdouble), list(range(8)), tuple(t), range(8), t.reshape(2, 4).T.T.ravel(),
    ]  # fmt: skip
    for form in forms:
        assert HANDLE.at(form).attitude.tobytes() == want.tobytes()
    turned = HANDLE.at(np.asfortranarray(t.reshape(2, 4))).attitude
    assert turned.tobytes() == want.tobytes()


def test_the_result_owns_its_numbers() -> None:
    t = np.arange(3.0)
    states = HANDLE.at(t)
    t[:] = -1
    assert states.t.tolist() == [0, 1, 2]
    states.momentum[:] = 0  # and may be changed


def test_what_the_motion_says_is_what_it_does() -> None:
    assert HANDLE.regime == "about-minor"
    assert HANDLE.period is not None
    flip = HANDLE.next_flip(0.0)
    before, after = HANDLE.at([flip - 1e-6, flip + 1e-6]).momentum[:, 1]
    assert before > 0 > after
    flips = HANDLE.next_flip([0.0, flip + 1e-9])
    assert flips[1] - flips[0] == pytest.approx(HANDLE.period / 2, rel=1e-14)
    there = HANDLE.at(HANDLE.period)
    assert there.momentum == pytest.approx(HANDLE.body.momentum, abs=1e-12)
    assert HANDLE.separatrix_distance is not None and -1e-5 < HANDLE.separatrix_distance < 0
    h = 1e-5
    slope = (HANDLE.at(1 + h).omega - HANDLE.at(1 - h).omega) / (2 * h)
    assert HANDLE.angular_acceleration(1.0) == pytest.approx(slope, rel=1e-7)


def test_degenerate_motions() -> None:
    rest = polhode.FreeMotion([1, 2, 3], momentum=[0, 0, 0])
    assert (rest.regime, rest.period, rest.next_flip(3.0), rest.separatrix_distance) == ("rest", None, None, None)
    assert np.isnan(rest.next_flip([1.0, 2.0])).all()
    sphere = polhode.FreeMotion([2, 2, 2], omega=[0, 0, 1])
    assert sphere.regime == "steady"
    assert sphere.at(np.pi).attitude == pytest.approx([0, 0, 0, 1], abs=1e-15)
    edge = polhode.FreeMotion([1, 2, 3], omega=[np.sqrt(3), 0.5, 1])
    assert edge.at([1.0, 30.0]).attitude.shape == (2, 4)


def test_momentum_in_space_stays() -> None:
    start = Rotation.from_euler("xyz", [0.3, -0.2, 1.1])
    motion = polhode.FreeMotion([1, 2, 2.5], momentum=[0.5, 2, 0.1], attitude=start)
    states = motion.at(np.linspace(-1e5, 1e5, 101))
    want = start.apply([0.5, 2, 0.1])
    assert np.abs(states.spatial_momentum - want).max() < 4e-15
    assert np.abs(np.einsum("...ij,...j", states.matrix, states.momentum) - want).max() < 6e-15


def test_rotations_of_scipy_go_in_and_come_out() -> None:
    start = Rotation.from_rotvec([0.1, 0.2, 0.3])
    x, y, z, w = start.as_quat()
    given = polhode.FreeMotion([1, 2, 2.5], omega=[1, 2, 3], attitude=start)
    scalar_first = polhode.FreeMotion([1, 2, 2.5], omega=[1, 2, 3], attitude=[w, x, y, z])
    assert (given.at(2.0).attitude == scalar_first.at(2.0).attitude).all()
    states = given.at([0.0, 1.0])
    assert states.rotation().as_matrix() == pytest.approx(states.matrix, abs=1e-15)
    assert given.at(1.0).rotation().single
    assert len(given.at(np.ones((2, 3))).rotation()) == 6


def test_a_tensor_and_its_principal_axes_move_alike() -> None:
    turn = Rotation.from_rotvec([0.4, -0.3, 0.8])
    tensor = turn.as_matrix() @ np.diag([1.0, 2.0, 2.5]) @ turn.as_matrix().T
    tensor = (tensor + tensor.T) / 2
    omega = np.array([0.3, 1.5, 0.2])
    principal = polhode.FreeMotion([1, 2, 2.5], omega=omega).at(5.0)
    turned = polhode.FreeMotion(tensor, omega=turn.apply(omega)).at(5.0)
    assert turned.omega == pytest.approx(turn.apply(principal.omega), abs=1e-14)
    body = polhode.Body(tensor, omega=omega)
    assert sorted(body.moments) == pytest.approx([1, 2, 2.5])
    assert body.tensor == pytest.approx(tensor, abs=1e-15)


def test_pickles() -> None:
    motion = polhode.FreeMotion([1, 2, 2.5], omega=[1, 2, 3], attitude=[0, 0, 1, 1])
    copy = pickle.loads(pickle.dumps(motion))
    assert copy.at(3.0).attitude.tobytes() == motion.at(3.0).attitude.tobytes()
    body = polhode.Body([1, 2, 30], momentum=[1, 2, 3], allow_unphysical=True)
    assert pickle.loads(pickle.dumps(body)).momentum.tolist() == [1, 2, 3]
    assert not body.is_physical
    error = pickle.loads(pickle.dumps(polhode.InvalidInput("t", "t: no")))
    assert (error.argument, str(error)) == ("t", "t: no")


def test_a_whole_number_is_a_time_like_others() -> None:
    motion = polhode.FreeMotion([1, 2, 2.5], momentum=[1, 2, 3])
    for t in (3, -3, 0, 2**53, -(2**53), 2**53 + 2):
        try:
            want = motion.at(np.array(float(t)))
        except polhode.InvalidInput as error:
            with pytest.raises(polhode.InvalidInput, match=re.escape(str(error))):
                motion.at(t)
            continue
        found = motion.at(t)
        assert found.t == float(t) and found.t.dtype == np.float64
        assert found.attitude.tobytes() == want.attitude.tobytes()
