//! Functions of double-doubles, against digits from elsewhere.

use polhode_elliptic::Dd;
use polhode_elliptic::dd_math::*;
use polhode_testkit::parse_dd;

fn off(got: Dd, want: &str) -> f64 {
    (got - parse_dd(want)).hi().abs()
}

#[test]
fn sine_and_cosine_reach_thirty_digits() {
    // mpmath, 50 digits, at exact doubles.
    for (x, sin, cos) in [
        (
            0.5,
            "0.47942553860420300027328793521557138808180336794060",
            "0.87758256189037271611628158260382965199164519710974",
        ),
        (
            2.0,
            "0.90929742682568169539601986591174484270225497144789",
            "-0.41614683654714238699756822950076218976600077107554",
        ),
        (
            -4.0,
            "0.75680249530792825137263909451182909413591288733647",
            "-0.65364362086361191463916818309775038142413359664622",
        ),
        (
            1e6,
            "-0.34999350217129295211765248678077146906140660532872",
            "0.93675212753314478693853253507491877570809780421237",
        ),
    ] {
        let (s, c) = sin_cos(Dd::from(x));
        let limit = 4e-32 * (1.0 + x.abs());
        assert!(off(s, sin) < limit, "sin {x}: {:e}", off(s, sin));
        assert!(off(c, cos) < limit, "cos {x}: {:e}", off(c, cos));
    }
}

#[test]
fn sine_keeps_the_low_part_of_its_argument() {
    let x = Dd::sum(1.0, 1e-20);
    let change = sin_cos(x).0 - sin_cos(Dd::ONE).0;
    assert!((change.hi() / (1e-20 * 1.0_f64.cos()) - 1.0).abs() < 1e-11);
}

#[test]
fn atan2_inverts_sine_and_cosine_in_every_quadrant() {
    for j in -31..=31 {
        let angle = Dd::from(f64::from(j)) / Dd::from(10.0);
        let (sin, cos) = sin_cos(angle);
        let back = atan2(sin * 3.0, cos * 3.0);
        let error = (back - angle).hi().abs();
        assert!(error < 6e-32, "{angle:?}: {error:e}");
    }
    assert_eq!(atan2(Dd::ZERO, Dd::ZERO), Dd::ZERO);
    assert!((atan2(Dd::ZERO, -Dd::ONE) - Dd::PI).hi().abs() < 1e-31);
}

#[test]
fn a_quarter_turn_about_z_takes_x_to_y() {
    let one = Dd::ONE;
    let q = turn(Dd::PI.scale(0.25), &[Dd::ZERO, Dd::ZERO, one]);
    let [x, y, z] = rotate(&q, &[one, Dd::ZERO, Dd::ZERO]);
    assert!(x.hi().abs() < 1e-31 && (y - one).hi().abs() < 1e-31 && z.hi().abs() < 1e-31);
}
