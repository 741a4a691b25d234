//! Derivatives: the closed form beside differences of `at` and beside a Runge-Kutta method over duals.

use std::fmt::Write as _;

use polhode::{FreeMotion, Inertia, State, so3};
use polhode_testkit::tangents::{TangentCase, free_tangents};

/// Cases of the reference by their distance to what is special, and what that is.
const ROWS: &[(&str, &str)] = &[
    ("generic2_t10", "none"),
    ("nearsep_0.001_ii_t60", "1e-3 from the separatrix"),
    ("nearsep_1e-06_ii_t40", "1e-6"),
    ("nearsep_1e-09_ii_t90", "1e-9"),
    ("nearsep_1e-12_ii_t110", "1e-12"),
    ("sep_long", "on it"),
    ("nearsym0_0.001", "1e-3 from symmetric"),
    ("nearsym0_1e-08", "1e-8"),
    ("nearsym0_1e-14", "1e-14"),
    ("sym_oblate", "symmetric"),
    ("nearsphere_1e-4", "1e-4 from a sphere"),
    ("nearsphere_1e-10", "1e-10"),
    ("sphere", "a sphere"),
    ("nearaxis3_1e-08", "1e-8 from the greatest axis"),
    ("steady3-_t100", "about it"),
    ("nearmid_1e-08", "1e-8 from the middle axis"),
    ("steady2-_t12", "about it"),
    ("long_1e5", "none, phase 1e5 rad"),
];

fn motion(case: &TangentCase, m: [f64; 3]) -> FreeMotion {
    let inertia = Inertia::principal_unphysical(case.inertia.unwrap()).unwrap();
    let start = State::new(m, so3::from_wxyz(case.quaternion0)).unwrap();
    FreeMotion::new(&inertia, start).unwrap()
}

/// The largest error of the momentum block, relative to the larger of one and the block.
fn error(case: &TangentCase, got: [[f64; 3]; 3]) -> f64 {
    let (mut worst, mut largest) = (0.0f64, 1.0f64);
    for (i, row) in got.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let off = (x - case.phi[i][j]).abs();
            worst = if off <= worst { worst } else { off };
            largest = largest.max(case.phi[i][j].abs());
        }
    }
    worst / largest
}

fn closed(case: &TangentCase) -> [[f64; 3]; 3] {
    let phi = motion(case, case.momentum0).tangent_at(case.t).unwrap().state_transition;
    [0, 1, 2].map(|i| [phi[i][0], phi[i][1], phi[i][2]])
}

/// Central differences over a step of the given part of the momentum.
fn differences(case: &TangentCase, part: f64) -> [[f64; 3]; 3] {
    let length = State::aligned(case.momentum0).unwrap().m.length();
    let h = part * length;
    let mut rows = [[0.0; 3]; 3];
    for k in 0..3 {
        let at = |by: f64| {
            let mut m = case.momentum0;
            m[k] += by;
            motion(case, m).at(case.t).unwrap().m.to_array()
        };
        let (plus, minus) = (at(h), at(-h));
        for i in 0..3 {
            rows[i][k] = (plus[i] - minus[i]) / (2.0 * h);
        }
    }
    rows
}

/// The variational equations by classical Runge-Kutta, in steps of a hundredth of a radian.
fn runge_kutta(case: &TangentCase) -> Option<[[f64; 3]; 3]> {
    let moments = case.inertia.unwrap();
    let fastest = (0..3).map(|i| (case.momentum0[i] / moments[i]).powi(2)).sum::<f64>().sqrt();
    let steps = (case.t.abs() * fastest * 100.0).ceil().max(1.0);
    if steps > 1e6 {
        return None;
    }
    let h = case.t / steps;
    // The momentum and its three variations.
    let slope = |y: &[[f64; 3]; 4]| {
        let over = |m: [f64; 3]| [m[0] / moments[0], m[1] / moments[1], m[2] / moments[2]];
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let (m, w) = (y[0], over(y[0]));
        let mut made = [cross(m, w); 4];
        for k in 1..4 {
            let (first, second) = (cross(y[k], w), cross(m, over(y[k])));
            made[k] = [0, 1, 2].map(|i| first[i] + second[i]);
        }
        made
    };
    let moved = |y: &[[f64; 3]; 4], k: &[[f64; 3]; 4], h: f64| {
        let mut made = *y;
        for (row, slope) in made.iter_mut().zip(k) {
            for (x, s) in row.iter_mut().zip(slope) {
                *x += h * s;
            }
        }
        made
    };
    let mut y = [case.momentum0, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut done = 0.0;
    while done < steps {
        done += 1.0;
        let k1 = slope(&y);
        let k2 = slope(&moved(&y, &k1, 0.5 * h));
        let k3 = slope(&moved(&y, &k2, 0.5 * h));
        let k4 = slope(&moved(&y, &k3, h));
        for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
            y = moved(&y, &k, weight * h / 6.0);
        }
    }
    let columns = [y[1], y[2], y[3]];
    Some([0, 1, 2].map(|i| [columns[0][i], columns[1][i], columns[2][i]]))
}

pub(super) fn table() -> String {
    let mut text = String::from(
        "\n## Derivatives\n\n\
         Errors of dm(t)/dm(0), the largest entry's relative to the larger of one and the block: of `tangent_at`, of central \
         differences of `at` over 1e-6 of the momentum and over the best of eleven steps, and of the variational equations by \
         classical Runge-Kutta in steps of a hundredth of a radian (what duals through it give). The last column is the change \
         of the block by one ulp of one input: no method can know it better.\n\n\
         | motion | block | `tangent_at` | differences 1e-6 | best of eleven | Runge-Kutta | one ulp |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (name, special) in ROWS {
        let case = free_tangents().iter().find(|c| c.name == *name).unwrap();
        let (norm, ulp) = case.norm_and_ulp("A");
        let best = (0..11).map(|n| error(case, differences(case, 10f64.powi(-2 - n))));
        let best = best.fold(f64::INFINITY, f64::min);
        let by_steps = runge_kutta(case)
            .map_or_else(|| "too long".into(), |a| format!("{:.0e}", error(case, a)));
        let _ = writeln!(
            text,
            "| {special} | {norm:.0e} | {:.0e} | {:.0e} | {best:.0e} | {by_steps} | {:.0e} |",
            error(case, closed(case)),
            error(case, differences(case, 1e-6)),
            ulp / norm.max(1.0),
        );
    }
    text
}
