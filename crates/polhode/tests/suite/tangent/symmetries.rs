//! What else tangents of free motions obey, on random bodies: products over times, periods, volumes, other axes, units
//! and directions of time.

use glam::{DMat3, DVec3};
use polhode::{FreeMotion, Inertia, State, glam, so3};
use polhode_elliptic::Dd;
use polhode_number::Arithmetic;
use polhode_testkit::Wide;

use super::motions::{ENTRIES, Unitless, block, motions, size, tensor};

const EPS: f64 = f64::EPSILON;

/// The tangent of a motion without units.
fn unitless(inertia: &Inertia, start: State, t: f64) -> Unitless {
    let (tangent, by) = FreeMotion::new(inertia, start).unwrap().inertia_tangent_at(t).unwrap();
    Unitless::new(&tangent, &by, start.m.length(), inertia.moments().max_element())
}

/// The same seen from axes that are turned, or mirrored, by this.
fn turned(blocks: &Unitless, s: DMat3) -> Unitless {
    let turn = |m: DMat3| s * m * s.transpose();
    let by = core::array::from_fn(|c| {
        // The entry of the turned tensor is a sum of entries of the other one.
        let (i, j) = ENTRIES[c];
        let mut entry = DMat3::ZERO;
        entry.col_mut(j)[i] = 1.0;
        entry.col_mut(i)[j] = 1.0;
        let entry = s.transpose() * entry * s;
        let (mut dm, mut del) = (DVec3::ZERO, DVec3::ZERO);
        for (column, (i, j)) in blocks.by.iter().zip(ENTRIES) {
            dm += column.0 * entry.col(j)[i];
            del += column.1 * entry.col(j)[i];
        }
        (s * dm, s * del)
    });
    Unitless { a: turn(blocks.a), b: turn(blocks.b), r: turn(blocks.r), by }
}

/// How much the blocks change where one number of the motion changes by eps of its kind: the largest of A, B, R, and
/// of the columns by the inertia.
fn by_rounding(inertia: &Inertia, start: State, t: f64) -> [f64; 4] {
    let there = unitless(inertia, start, t);
    let (rows, largest) = (tensor(inertia), inertia.moments().max_element());
    let mut moved = vec![unitless(inertia, start, t * (1.0 + EPS))];
    for axis in DVec3::AXES {
        let m = start.m + axis * (EPS * start.m.length());
        moved.push(unitless(inertia, State::new(m.to_array(), start.q).unwrap(), t));
    }
    for (i, j) in ENTRIES {
        let mut rows = rows;
        rows.col_mut(j)[i] += EPS * largest;
        rows.col_mut(i)[j] = rows.col(j)[i];
        let body = Inertia::tensor_unphysical(rows.to_cols_array_2d()).unwrap();
        moved.push(unitless(&body, start, t));
    }
    let off = moved.iter().map(|moved| moved.off(&there));
    off.fold([0.0; 4], |largest, off| core::array::from_fn(|k| largest[k].max(off[k])))
}

/// Both are within 40 eps of the truth, relative to the larger of one and the block; and where inputs were rounded
/// on the way, within what that changes.
fn same(what: &str, n: usize, got: &Unitless, want: &Unitless, rounded: [f64; 4]) {
    let [a, b, by] = want.sizes().map(|size| size.max(1.0));
    let off = got.off(want);
    for (k, (name, size)) in [("A", a), ("B", b), ("R", 1.0), ("dI", by)].into_iter().enumerate() {
        // Each of ten numbers is rounded a few times.
        let allowed = 80.0 * EPS * size + 40.0 * rounded[k];
        assert!(off[k] <= allowed, "{n} {what}, {name}: {:e} > {allowed:e}", off[k]);
    }
}

#[test]
fn other_axes_units_and_directions_of_time_change_no_more_than_these() {
    // Axes change places and signs: no rotation but this one is free of rounding.
    let swap = DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
    let flip = DMat3::from_cols(-DVec3::Y, DVec3::X, DVec3::Z);
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let any = DMat3::from_quat(so3::exp(DVec3::new(0.7, -1.9, 0.4)));
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let want = unitless(&inertia, start, t);
        let along_axes = inertia.axes() == glam::DQuat::IDENTITY;
        let body = |s: DMat3, along_axes: bool| {
            let rows = s * tensor(&inertia) * s.transpose();
            if along_axes {
                let moments = DVec3::new(rows.x_axis.x, rows.y_axis.y, rows.z_axis.z);
                return Inertia::principal_unphysical(moments).unwrap();
            }
            Inertia::tensor_unphysical(rows.to_cols_array_2d()).unwrap()
        };
        let moved = |m: DVec3| State::new(m.to_array(), start.q).unwrap();
        let rounded = by_rounding(&inertia, start, t);
        // The axes of a tensor are found anew, with other roundings.
        let found = if along_axes { [0.0; 4] } else { rounded };
        for s in [swap, flip] {
            let got = unitless(&body(s, along_axes), moved(s * start.m), t);
            same("axes change places", n, &got, &turned(&want, s), found);
        }
        let got = unitless(&body(any, false), moved(any * start.m), t);
        same("axes are turned", n, &got, &turned(&want, any), rounded);

        // The same motion backwards in both: attitudes change oppositely with the momentum.
        let back = |blocks: &Unitless| Unitless { b: blocks.b * -1.0, ..*blocks };
        let got = unitless(&inertia, moved(-start.m), -t);
        let mut backwards = back(&want);
        // Momenta have the other sign, and so have their changes.
        backwards.by = want.by.map(|(dm, del)| (-dm, del));
        same("momentum and time change signs", n, &got, &backwards, [0.0; 4]);
        if along_axes {
            let got = unitless(&inertia, moved(mirror * start.m), -t);
            let mut image = back(&turned(&want, mirror));
            image.by = image.by.map(|(dm, del)| (dm, -del));
            same("mirrored", n, &got, &image, [0.0; 4]);
        }

        // Powers of two round nothing.
        for (c, exact) in [(2f64.powi(43), true), (2f64.powi(-55), true), (3.7, false)] {
            let got = unitless(&inertia, moved(start.m * c), t / c);
            same("m0 -> c m0, t -> t/c", n, &got, &want, if exact { [0.0; 4] } else { rounded });
            let rows = tensor(&inertia) * c;
            let scaled = if along_axes {
                Inertia::principal_unphysical(inertia.moments() * c).unwrap()
            } else {
                Inertia::tensor_unphysical(rows.to_cols_array_2d()).unwrap()
            };
            let got = unitless(&scaled, start, t * c);
            same("I -> c I, t -> c t", n, &got, &want, if exact { found } else { rounded });
        }
    }
}

/// The determinant in double-double: its terms may cancel.
fn determinant(m: DMat3) -> f64 {
    let [a, b, c] = m.to_cols_array_2d().map(|column| column.map(Wide::splat));
    let minor = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    let sum = a[0] * minor(1, 2) + a[1] * minor(2, 0) + a[2] * minor(0, 1);
    let Wide(sum): Wide = sum;
    let sum: Dd = sum;
    sum.hi()
}

#[test]
fn volumes_stay() {
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let tangent = FreeMotion::new(&inertia, start).unwrap().tangent_at(t).unwrap();
        let phi = &tangent.state_transition;
        let (a, r) = (block(phi, 0, 0), block(phi, 3, 3));
        // Entries are rounded by eps |A|, and minors, the entries of the inverse, are as large as A.
        let size = size(a).max(1.0);
        let off = (determinant(a) - 1.0).abs();
        assert!(off <= 60.0 * EPS * size * size, "{n}: {off:e}, |A| = {size:e}");
        let off = (determinant(r) - 1.0).abs();
        assert!(off <= 60.0 * EPS, "{n}: {off:e}");
    }
}

#[test]
fn after_a_period_neighbours_have_moved_along_the_motion() {
    let mut seen = 0;
    for (n, (inertia, start, _)) in motions().into_iter().enumerate() {
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let (Some(period), Ok(gradient)) = (motion.period(), motion.period_gradient()) else {
            continue;
        };
        // Next to symmetry it may be longer than the phase has digits for.
        let Ok(tangent) = motion.tangent_at(period) else { continue };
        seen += 1;
        let a = block(&tangent.state_transition, 0, 0);
        let (m0, by) = (start.m, DVec3::from(gradient.momentum));
        let speed = m0.cross(inertia.omega(m0));
        // A = 1 - m0' (grad P)^T.
        let want = DMat3::IDENTITY - DMat3::from_cols(speed * by.x, speed * by.y, speed * by.z);
        // The period is rounded; and how fast the momentum can turn in the body.
        let moments = inertia.moments();
        let rate = m0.length() * (1.0 / moments.min_element() - 1.0 / moments.max_element());
        let allowed = 60.0 * EPS * size(a).max(1.0) * (1.0 + period * rate);
        let off = size(a - want);
        assert!(off <= allowed, "{n}: {off:e} > {allowed:e}, {inertia:?} {m0}");
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn the_tangent_of_a_sum_of_times_is_the_product() {
    for (n, (inertia, start, t)) in motions().into_iter().enumerate() {
        let (g, moment) = (start.m.length(), inertia.moments().max_element());
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let (tangent, by) = motion.inertia_tangent_at(t).unwrap();
        let first = Unitless::new(&tangent, &by, g, moment);
        let second = FreeMotion::new(&inertia, tangent.state).unwrap();
        let (tangent, by) = second.inertia_tangent_at(0.7 * t).unwrap();
        let second = Unitless::new(&tangent, &by, g, moment);
        let (tangent, by) = motion.inertia_tangent_at(1.7 * t).unwrap();
        let whole = Unitless::new(&tangent, &by, g, moment);
        let product = Unitless {
            a: second.a * first.a,
            b: second.b * first.a + second.r * first.b,
            r: second.r * first.r,
            by: core::array::from_fn(|c| {
                let ((dm, del), (more_m, more_del)) = (first.by[c], second.by[c]);
                (second.a * dm + more_m, second.b * dm + second.r * del + more_del)
            }),
        };
        let [a, b, by] = first.sizes().map(|size| size.max(1.0));
        let [a2, b2, by2] = second.sizes().map(|size| size.max(1.0));
        let (first, second) = (a.max(b), a2.max(b2));
        let off = product.off(&whole);
        for (name, off, first, of_second) in [
            ("A", off[0], first, second),
            ("B", off[1], first, second),
            ("R", off[2], 1.0, 1.0),
            ("dI", off[3], first.max(by), second.max(by2)),
        ] {
            // The state in between is rounded, and 1.7 t: by how much this changes the second tangent is for its
            // own second derivative to say, about the square of it.
            let allowed = 60.0 * EPS * first * of_second * second;
            assert!(off <= allowed, "{n} {name}: {off:e} > {allowed:e}, {inertia:?} {start:?} {t}");
        }
    }
}
