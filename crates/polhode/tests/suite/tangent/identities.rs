//! Identities that the tangent map of a free motion obeys, on random bodies in every regime. They need no reference.

use glam::{DMat3, DVec3};
use polhode::{FreeMotion, Inertia, State, glam, so3};

use super::motions::{ENTRIES, block, columns, motions, size, tensor};

const EPS: f64 = f64::EPSILON;

fn hat(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

#[test]
fn momentum_energy_scaling_and_time_shift_are_in_the_blocks() {
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let tangent = motion.tangent_at(t).unwrap();
        let phi = &tangent.state_transition;
        let (a, b, r) = (block(phi, 0, 0), block(phi, 3, 0), block(phi, 3, 3));
        let (m0, m) = (start.m, tangent.state.m);
        let (w0, w) = (inertia.omega(m0), inertia.omega(m));
        let (d0, d) = (m0.cross(w0), m.cross(w));
        let (g, speed) = (m0.length(), w0.length().max(w.length()));
        let scale = size(a).max(g * size(b)).max(1.0);
        let allowed = 60.0 * EPS * scale;
        let near = |what: &str, got: DVec3, want: DVec3, unit: f64| {
            let off = (got - want).length() / unit;
            assert!(off <= allowed, "{n} {what}: {off:e} > {allowed:e}, t = {t}, {inertia:?} {m0}");
        };
        assert_eq!(block(phi, 0, 3), DMat3::ZERO);
        let off = size(a - (r + hat(m) * b));
        assert!(off <= allowed, "{n} spatial momentum: {off:e}");
        near("|m|", a.transpose() * m, m0, g);
        near("energy", a.transpose() * w, w0, speed);
        let turned = (t.abs() * speed / scale).max(1.0);
        near("m.B", b.transpose() * m, w0 * t, turned);
        near("A m0", a * m0, m + d * t, g * turned);
        near("B m0", b * m0, w * t, turned);
        near("A m0'", a * d0, d, g * speed);
        near("B m0'", b * d0, w - r * w0, speed);
        // Symplectic, to eps times the square of the size.
        let off = size(a * hat(m0) * a.transpose() - hat(m)) / g;
        assert!(off <= allowed * scale, "{n} symplectic: {off:e}");
        // The blocks of Phi^T Om(m) Phi = Om(m0), from which the inverse of Phi follows without solving.
        let (bg, tilt) = (b * g, b.transpose() * (hat(m) * b - a) * g);
        for (what, off) in [
            ("of momenta", a.transpose() * bg + tilt),
            (
                "of momentum and attitude",
                a.transpose() * r + b.transpose() * hat(m) * r - DMat3::IDENTITY,
            ),
            ("of attitudes", (r.transpose() * hat(m) * r - hat(m0)) * (1.0 / g)),
        ] {
            let off = size(off);
            assert!(off <= allowed * scale, "{n} symplectic form {what}: {off:e}");
        }
    }
}

#[test]
fn inertia_columns_obey_scaling_and_spatial_momentum() {
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let (tangent, by) = motion.inertia_tangent_at(t).unwrap();
        let (m, g) = (tangent.state.m, start.m.length());
        let (w0, w) = (inertia.omega(start.m), inertia.omega(m));
        let speed = w0.length().max(w.length());
        let (columns, tensor) = (columns(&by), tensor(&inertia));
        let square = tensor * tensor;
        let largest = inertia.moments().max_element();
        let (mut sum_m, mut sum_del, mut sum2_m, mut sum2_del) = Default::default();
        let mut scale: f64 = 1.0 + t.abs() * speed;
        for ((dm, del), (i, j)) in columns.into_iter().zip(ENTRIES) {
            let (dm, del): (DVec3, DVec3) = (dm, del);
            let (entry, entry2) = (tensor.col(j)[i], square.col(j)[i]);
            // Entries off the diagonal may be zero.
            let unit = if i == j { entry } else { largest };
            scale = scale.max(unit * dm.length() / g).max(unit * del.length());
            sum_m += dm * entry;
            sum_del += del * entry;
            sum2_m += dm * entry2;
            sum2_del += del * entry2;
        }
        let allowed = 60.0 * EPS * scale;
        let near = |what: &str, got: DVec3, want: DVec3, unit: f64| {
            let off = (got - want).length() / unit;
            assert!(off <= allowed, "{n} {what}: {off:e} > {allowed:e}, t = {t}, {inertia:?}");
        };
        near("I -> cI, momentum", sum_m, m.cross(w) * -t, g);
        near("I -> cI, attitude", sum_del, w * -t, 1.0);
        near("b -> b + c, momentum", sum2_m, DVec3::ZERO, g * largest);
        near("b -> b + c, attitude", sum2_del, m * -t, largest);
        for ((dm, del), (i, j)) in columns.into_iter().zip(ENTRIES) {
            let unit = if i == j { tensor.col(i)[i] } else { largest };
            near("dm = m x del", dm * unit, m.cross(del) * unit, g);
            near("|m| stays", DVec3::X * (m.dot(dm) * unit), DVec3::ZERO, g * g);
            // The energy at a fixed start changes with the moments alone, and stays.
            let half = if i == j { 0.5 } else { 1.0 };
            let want = half * (w[i] * w[j] - w0[i] * w0[j]);
            near("energy", DVec3::X * (w.dot(dm) * unit), DVec3::X * (want * unit), speed * g);
        }
    }
}

/// Nodes in (0, 1) and weights of Gauss's quadrature with eight points over (-1, 1).
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_3),
];

/// The integral of w w^T over a motion, w the angular velocity, by quadrature over pieces of half a radian.
fn integral_of_squares(motion: &FreeMotion, rate: f64, t: f64) -> DMat3 {
    let pieces = (2.0 * rate * t.abs()).ceil().max(1.0);
    let half = 0.5 * t / pieces;
    let (mut sum, mut piece) = (DMat3::ZERO, 0.0);
    while piece < pieces {
        let middle = (2.0 * piece + 1.0) * half;
        piece += 1.0;
        for (node, weight) in GAUSS {
            for t in [middle - node * half, middle + node * half] {
                let w = motion.inertia().omega(motion.at(t).unwrap().m);
                sum += DMat3::from_cols(w * w.x, w * w.y, w * w.z) * (weight * half);
            }
        }
    }
    sum
}

#[test]
fn turns_about_the_momentum_are_integrals_along_the_motion() {
    let mut seen = 0;
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let (m0, moments) = (start.m, inertia.moments());
        let rate = m0.length() / moments.min_element();
        // The sum of a long quadrature has the larger error.
        if rate * t.abs() > 300.0 {
            continue;
        }
        seen += 1;
        let (tangent, by) = motion.inertia_tangent_at(t).unwrap();
        let (m, w0) = (tangent.state.m, inertia.omega(m0));
        let squares = integral_of_squares(&motion, rate, t);
        let (tensor, largest) = (tensor(&inertia), moments.max_element());
        let unit = |i: usize, j: usize| if i == j { tensor.col(i)[i] } else { largest };
        let sizes = columns(&by).into_iter().zip(ENTRIES);
        let sizes = sizes.map(|((_, del), (i, j))| del.length() * unit(i, j));
        let block = sizes.fold(1.0, f64::max);
        for ((_, del), (i, j)) in columns(&by).into_iter().zip(ENTRIES) {
            let half = if i == j { 0.5 } else { 1.0 };
            let got = -m.dot(del);
            let want = half * (t * w0[i] * w0[j] + squares.col(j)[i]);
            // At most so fast about each axis.
            let fastest = |i: usize| inertia.omega(DVec3::AXES[i]).length() * m.length();
            let size = t.abs() * fastest(i) * fastest(j) + m.length() * block / unit(i, j);
            let allowed = 100.0 * EPS * size;
            assert!((got - want).abs() <= allowed, "{n} ({i}, {j}): {got} and {want}, {allowed:e}");
        }
    }
    assert!(seen > 400, "{seen}");
}

#[test]
fn on_an_axis_moments_do_not_change_the_momentum() {
    for (exponent, t) in [(2, 7.0), (4, 160.0), (6, 1944.3), (8, 20.88), (10, 333.0), (13, 1e4)] {
        let gap = 10f64.powi(-exponent);
        for moments in [[1.5, 3.0, 3.0 * (1.0 + gap)], [1.8, 1.8 * (1.0 + gap), 2.5]] {
            let inertia = Inertia::principal(moments).unwrap();
            for axis in DVec3::AXES {
                let start = State::aligned((axis * 0.7).to_array()).unwrap();
                let motion = FreeMotion::new(&inertia, start).unwrap();
                let (_, by) = motion.moment_tangent_at(t).unwrap();
                for row in &by[..3] {
                    for x in row {
                        assert!(x.abs() <= 40.0 * EPS, "{moments:?} {axis} t = {t}: {x:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn derivatives_by_moments_are_those_by_the_tensor_along_its_axes() {
    let mut turned = Vec::new();
    for (n, (inertia, start, t)) in motions().into_iter().enumerate().step_by(5) {
        let moments = DMat3::from_diagonal(inertia.moments());
        let q = DMat3::from_quat(so3::exp(DVec3::new(0.3, -0.2 * n as f64, 0.5)));
        let rows = (q * moments * q.transpose()).to_cols_array_2d();
        turned.push((Inertia::tensor_unphysical(rows).unwrap(), start, t));
        turned.push((inertia, start, t));
    }
    for (n, (inertia, start, t)) in turned.into_iter().enumerate() {
        let omega = inertia.omega(start.m).to_array();
        for motion in [
            FreeMotion::new(&inertia, start).unwrap(),
            FreeMotion::from_omega(&inertia, omega, start.q).unwrap(),
        ] {
            let (tangent, by) = motion.inertia_tangent_at(t).unwrap();
            let (same, by_moments) = motion.moment_tangent_at(t).unwrap();
            assert_eq!(tangent, same);
            let mut scale = 1.0_f64;
            for x in by.inertia.iter().chain(&by.inertia_off).flatten() {
                scale = scale.max(x.abs());
            }
            // What is added at a fixed angular velocity may cancel.
            for row in &tangent.state_transition {
                for (x, w) in row.iter().zip(omega) {
                    scale = scale.max((x * w).abs());
                }
            }
            for (j, axis) in DVec3::AXES.into_iter().enumerate() {
                let u = inertia.axes() * axis;
                for (row, made) in by_moments.iter().enumerate() {
                    let [a, b, c] = by.inertia[row];
                    let [ab, ac, bc] = by.inertia_off[row];
                    let want = a * u.x * u.x
                        + b * u.y * u.y
                        + c * u.z * u.z
                        + ab * u.x * u.y
                        + ac * u.x * u.z
                        + bc * u.y * u.z;
                    let off = (made[j] - want).abs();
                    assert!(off <= 60.0 * EPS * scale, "{n}: {off:e} of {scale:e}, t = {t}");
                }
            }
        }
    }
}

#[test]
fn tangents_at_many_times_are_those_of_one_by_one() {
    // Short, small and long ones, the start, and no multiple of a width or a block.
    let times: Vec<f64> = (0..151).map(|i| f64::from(i).powi(4) * 1e-4).collect();
    for (inertia, start, _) in motions().into_iter().step_by(3) {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        // Next to the separatrix derivatives end.
        let reached = times.iter().take_while(|t| motion.tangent_at(**t).is_ok()).count();
        let many = motion.tangents_at(&times[..reached]).unwrap();
        for (t, tangent) in times.iter().zip(&many) {
            assert_eq!(*tangent, motion.tangent_at(*t).unwrap(), "t = {t}");
        }
        let reached = times.iter().take_while(|t| motion.inertia_tangent_at(**t).is_ok()).count();
        let many = motion.inertia_tangents_at(&times[..reached]).unwrap();
        for (t, made) in times.iter().zip(&many) {
            assert_eq!(*made, motion.inertia_tangent_at(*t).unwrap(), "t = {t}");
        }
        assert_eq!(motion.inertia_tangents_at(&times).is_ok(), reached == times.len());
    }
}
