//! Bodies drawn at random: the laws they follow, and that they depend on seed and number alone.

use polhode::ensemble::{AttitudeLaw, Draw, InertiaLaw, Member, Members, SpinLaw};
use polhode::glam::{DQuat, DVec3};

const DRAW: Draw =
    Draw::new(3, 20_000, InertiaLaw::Any { largest: 2.0 }, SpinLaw::Isotropic { length: 0.5 });

fn all(draw: Draw, block: usize) -> Vec<Member> {
    let (mut bodies, mut source) = (Vec::new(), draw.source());
    loop {
        let before = bodies.len();
        source.fill(&mut bodies, block).unwrap();
        if bodies.len() < before + block {
            return bodies;
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(s, n), x| (s + x, n + 1.0));
    sum / count
}

#[test]
fn blocks_do_not_matter_and_seeds_do() {
    let draw = DRAW.with(|o| o.count = 1000);
    let bodies = all(draw, 1000);
    assert_eq!(bodies.len(), 1000);
    assert_eq!(bodies, all(draw, 17));
    assert_eq!(bodies[999], draw.body(999).unwrap());
    assert_ne!(bodies[0], draw.with(|o| o.seed = 4).body(0).unwrap());
    assert_ne!(bodies[0].start, bodies[1].start);
    // What a seed means is a promise: these bits, everywhere.
    let first = bodies[0].start.m.to_array().map(f64::to_bits);
    assert_eq!(first, FIRST);
}

/// The first momentum of seed 3.
const FIRST: [u64; 3] = [4600957750621839519, 4597618525219506054, 13818924155951302110];

#[test]
fn shapes_fill_the_triangle_evenly() {
    let bodies = all(DRAW, 4096);
    let ratios: Vec<_> = bodies.iter().map(|b| b.inertia.moments() / 2.0).collect();
    for r in &ratios {
        assert!(0.0 < r.x && r.x <= r.y && r.y <= 1.0 && r.x + r.y >= 1.0 - 1e-15, "{r}");
    }
    // Centroid (1/2, 5/6); the half with I1 > 1/2 of it has half of the bodies.
    let n = (DRAW.count as f64).sqrt();
    assert!((mean(ratios.iter().map(|r| r.x)) - 0.5).abs() < 1.0 / n);
    assert!((mean(ratios.iter().map(|r| r.y)) - 5.0 / 6.0).abs() < 0.5 / n);
    assert!((mean(ratios.iter().map(|r| f64::from(r.x > 0.5))) - 0.5).abs() < 2.0 / n);
}

#[test]
fn directions_and_attitudes_have_no_preference() {
    let bodies = all(DRAW, 4096);
    let n = (DRAW.count as f64).sqrt();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        let along = |v: DVec3| v.dot(axis);
        let u: Vec<f64> = bodies.iter().map(|b| along(b.start.m) / 0.5).collect();
        assert!(mean(u.iter().copied()).abs() < 2.5 / n);
        assert!((mean(u.iter().map(|x| x * x)) - 1.0 / 3.0).abs() < 1.5 / n);
        let turned: Vec<f64> = bodies.iter().map(|b| along(b.start.q * DVec3::X)).collect();
        assert!(mean(turned.iter().copied()).abs() < 2.5 / n);
        assert!((mean(turned.iter().map(|x| x * x)) - 1.0 / 3.0).abs() < 1.5 / n);
    }
    assert!(bodies.iter().all(|b| (b.start.m.length() - 0.5).abs() < 1e-15));
}

/// What is scattered about impossible moments is impossible in the same way, and not made possible.
#[test]
fn scatter_about_an_impossible_body_keeps_it_impossible() {
    let about = [1.0, 2.0, 3.5];
    let law = |sigma| {
        DRAW.with(|o| {
            o.inertia = InertiaLaw::LogNormal { about, sigma };
            o.count = 500;
        })
    };
    assert!(all(law(0.0), 100).iter().all(|b| b.inertia.moments() == DVec3::from_array(about)));
    let bodies = all(law(0.05), 100);
    for moments in bodies.iter().map(|b| b.inertia.moments()) {
        // The second moment (I1 + I2 - I3)/2 = -0.25 e^(0.05 x), at no more than 8.7 deviations.
        let ratio = (moments.x + moments.y - moments.z) / 2.0 / -0.25;
        assert!(ratio > (-0.44_f64).exp() && ratio < 0.44_f64.exp(), "{moments}");
    }
    assert!(bodies[0].inertia != bodies[1].inertia);
}

#[test]
fn scatter_is_as_wide_as_said() {
    let about = [1.0, 2.0, 2.5];
    let mean_omega = [0.0, 5.0, -1.0];
    let draw = DRAW.with(|o| {
        o.inertia = InertiaLaw::LogNormal { about, sigma: 0.1 };
        o.spin = SpinLaw::Gaussian { mean: mean_omega, sigma: [0.1, 0.0, 0.2] };
        o.spin_is_omega = true;
        o.attitude = AttitudeLaw::Fixed(DQuat::IDENTITY);
    });
    let bodies = all(draw, 4096);
    let n = (DRAW.count as f64).sqrt();
    // The second moment (I1 + I2 - I3)/2 = 0.25 e^(0.1 x).
    let logs: Vec<f64> = bodies
        .iter()
        .map(|b| {
            let i = b.inertia.moments();
            ((i.x + i.y - i.z) / 2.0 / 0.25).ln()
        })
        .collect();
    assert!(mean(logs.iter().copied()).abs() < 0.3 / n);
    assert!((mean(logs.iter().map(|x| x * x)).sqrt() - 0.1).abs() < 0.3 / n);
    assert!(bodies.iter().all(|b| b.inertia.is_physical() && b.start.q == DQuat::IDENTITY));
    let omega: Vec<DVec3> = bodies.iter().map(|b| b.start.omega(&b.inertia)).collect();
    assert!((mean(omega.iter().map(|w| w.z)) + 1.0).abs() < 0.6 / n);
    assert!((mean(omega.iter().map(|w| (w.z + 1.0).powi(2))).sqrt() - 0.2).abs() < 0.6 / n);
    assert!(omega.iter().all(|w| (w.y - 5.0).abs() < 1e-14));
}
