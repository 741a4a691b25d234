//! Identities that the tangent map of a free motion obeys, on random bodies in every regime. They need no reference.

use glam::{DMat3, DVec3};
use polhode::{FreeMotion, Inertia, State, glam, so3};
use polhode_testkit::bodies::Rng;

const EPS: f64 = f64::EPSILON;

/// A block of the state transition.
fn block(phi: &[[f64; 6]; 6], row: usize, column: usize) -> DMat3 {
    let mut made = DMat3::ZERO;
    for j in 0..3 {
        for i in 0..3 {
            made.col_mut(j)[i] = phi[row + i][column + j];
        }
    }
    made
}

fn hat(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

fn size(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |largest: f64, x| {
        assert!(x.is_finite());
        largest.max(x.abs())
    })
}

/// Bodies and motions: random ones, symmetric ones, spheres, turns about axes, next to the separatrix and on it.
fn motions() -> Vec<(Inertia, State, f64)> {
    let mut rng = Rng::new(17);
    let mut made = Vec::new();
    for n in 0..400 {
        let mut uniform = |low: f64, high: f64| low + (high - low) * rng.uniform(0.0, 1.0);
        let i3 = uniform(1.0, 3.0);
        let i2 = uniform(0.55, 1.0) * i3;
        let i1 = (i3 - i2) + uniform(0.05, 1.0) * (2.0 * i2 - i3);
        let moments = match n % 8 {
            0 => [i2, i2, i3],
            1 => [i1, i3, i3],
            2 => [i3, i3, i3],
            3 => [i3, i1, i2],
            4 => [i1, i3 * (1.0 - 10f64.powf(uniform(-13.0, -2.0))), i3],
            _ => [i1, i2, i3],
        };
        let inertia = Inertia::principal_unphysical(moments).unwrap();
        let tiny = 10f64.powf(uniform(-12.0, -2.0));
        let m = match n % 11 {
            0 => [0.0, 0.0, 1.3],
            1 => [0.0, -0.8, 0.0],
            2 => [tiny, 1.0, -tiny],
            3 => [1.0, tiny, 0.3 * tiny],
            _ => [uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)],
        };
        let axis = DVec3::new(uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0));
        let t = match n % 5 {
            0 => uniform(-0.3, 0.3),
            1 => uniform(0.0, 3.0),
            2 => uniform(-20.0, 20.0),
            _ => uniform(0.0, 60.0),
        };
        made.push((inertia, State::new(m, so3::exp(axis)).unwrap(), t));
    }
    // Exactly on the separatrix.
    let inertia = Inertia::principal([4.0, 5.0, 9.0]).unwrap();
    made.push((inertia, State::aligned([4.0, 1.0, 3.0]).unwrap(), 7.0));
    made
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
        let g = m0.length();
        // Sizes: blocks, and the time in radians, by which roundings of the inputs grow.
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
        near("energy", a.transpose() * w, w0, w0.length());
        near("m.B", b.transpose() * m, w0 * t, g * size(b).max(1.0 / g));
        near("A m0", a * m0, m + d * t, g * (1.0 + t.abs() * w0.length()));
        near("B m0", b * m0, w * t, 1.0 + t.abs() * w0.length());
        near("A m0'", a * d0, d, (g * w0.length()).max(1e-3));
        near("B m0'", b * d0, w - r * w0, w0.length().max(1e-3));
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
        let moments = inertia.moments().to_array();
        let (m, g) = (tangent.state.m, start.m.length());
        let w = inertia.omega(m);
        let column = |rows: &[[f64; 3]; 6], c: usize| {
            let at = |i: usize| DVec3::new(rows[i][c], rows[i + 1][c], rows[i + 2][c]);
            (at(0), at(3))
        };
        let (mut sum_m, mut sum_del, mut sum2_m, mut sum2_del) = Default::default();
        let mut scale: f64 = 1.0 + t.abs() * w.length();
        for (c, i) in moments.into_iter().enumerate() {
            let (dm, del): (DVec3, DVec3) = column(&by.inertia, c);
            scale = scale.max(i * dm.length() / g).max(i * del.length());
            sum_m += dm * i;
            sum_del += del * i;
            sum2_m += dm * i * i;
            sum2_del += del * i * i;
        }
        let largest = moments.into_iter().fold(0.0, f64::max);
        for c in 0..3 {
            let (dm, del) = column(&by.inertia_off, c);
            scale = scale.max(largest * dm.length() / g).max(largest * del.length());
        }
        let allowed = 60.0 * EPS * scale;
        let near = |what: &str, got: DVec3, want: DVec3, unit: f64| {
            let off = (got - want).length() / unit;
            assert!(off <= allowed, "{n} {what}: {off:e} > {allowed:e}, t = {t}");
        };
        near("I -> cI, momentum", sum_m, m.cross(w) * -t, g);
        near("I -> cI, attitude", sum_del, w * -t, 1.0);
        near("b -> b + c, momentum", sum2_m, DVec3::ZERO, g * largest);
        near("b -> b + c, attitude", sum2_del, m * -t, largest);
        for rows in [&by.inertia, &by.inertia_off] {
            for c in 0..3 {
                let (dm, del) = column(rows, c);
                near("dm = m x del", dm * largest, m.cross(del) * largest, g);
                near("|m| stays", DVec3::X * (m.dot(dm) * largest), DVec3::ZERO, g * g);
            }
        }
        // The energy at a fixed start changes with the moments alone, and stays.
        let w0 = inertia.omega(start.m);
        for c in 0..3 {
            let (dm, _) = column(&by.inertia, c);
            let want = 0.5 * (w[c] * w[c] - w0[c] * w0[c]);
            near("energy", DVec3::X * w.dot(dm), DVec3::X * want, w.length() * g / largest);
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

/// The integral of m m^T over a motion, by quadrature over pieces of half a radian.
fn integral_of_squares(motion: &FreeMotion, rate: f64, t: f64) -> DMat3 {
    let pieces = (2.0 * rate * t.abs()).ceil().max(1.0);
    let half = 0.5 * t / pieces;
    let (mut sum, mut piece) = (DMat3::ZERO, 0.0);
    while piece < pieces {
        let middle = (2.0 * piece + 1.0) * half;
        piece += 1.0;
        for (node, weight) in GAUSS {
            for t in [middle - node * half, middle + node * half] {
                let m = motion.at(t).unwrap().m;
                sum += DMat3::from_cols(m * m.x, m * m.y, m * m.z) * (weight * half);
            }
        }
    }
    sum
}

#[test]
fn turns_about_the_momentum_are_integrals_along_the_motion() {
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let (tangent, by) = motion.inertia_tangent_at(t).unwrap();
        let (m0, m, moments) = (start.m, tangent.state.m, inertia.moments());
        let rate = m0.length() / moments.min_element();
        let squares = integral_of_squares(&motion, rate, t);
        let along =
            |rows: &[[f64; 3]; 6], c: usize| m.dot(DVec3::new(rows[3][c], rows[4][c], rows[5][c]));
        for (c, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate()
        {
            let (rows, half) = if c < 3 { (&by.inertia, 0.5) } else { (&by.inertia_off, 1.0) };
            // By the inverse tensor it is the integral; dI = -I db I.
            let got = -along(rows, c % 3) * moments[i] * moments[j];
            let want = half * (t * m0[i] * m0[j] + squares.col(j)[i]);
            let size = m.length() * moments[i] * moments[j] * (1.0 + rate * t.abs());
            let column = DVec3::new(rows[3][c % 3], rows[4][c % 3], rows[5][c % 3]).length();
            let allowed = 100.0 * EPS * size * (1.0 + column);
            assert!((got - want).abs() <= allowed, "{n} ({i}, {j}): {got} and {want}, {allowed:e}");
        }
    }
}

#[test]
fn the_tangent_of_a_sum_of_times_is_the_product() {
    for (inertia, start, t) in motions() {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let first = motion.tangent_at(t).unwrap();
        let second = FreeMotion::new(&inertia, first.state).unwrap().tangent_at(0.7 * t).unwrap();
        let whole = motion.tangent_at(1.7 * t).unwrap();
        let mut largest = 1.0f64;
        let mut off = 0.0f64;
        let mut sensitivity = 1.0f64;
        for i in 0..6 {
            for j in 0..6 {
                let product: f64 = (0..6)
                    .map(|k| second.state_transition[i][k] * first.state_transition[k][j])
                    .sum();
                let parts: f64 = (0..6)
                    .map(|k| (second.state_transition[i][k] * first.state_transition[k][j]).abs())
                    .sum();
                let want = whole.state_transition[i][j];
                largest = largest.max(want.abs());
                sensitivity = sensitivity.max(parts);
                off = off.max((product - want).abs());
            }
        }
        // The state in between is rounded, which the second map has by its own derivative.
        let allowed = 400.0 * EPS * sensitivity * (1.0 + t.abs()) * largest;
        assert!(off <= allowed, "{off:e} {allowed:e} {inertia:?} {start:?} {t}");
    }
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
        assert_eq!(motion.tangents_at(&times).is_ok(), reached == times.len());
    }
}
