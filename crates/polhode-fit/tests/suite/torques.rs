//! Bodies on which something acts.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{DMat3, DVec3};
use polhode::formula::Formula;
use polhode::torque::{
    ConstantTorque, Damping, Dependence, Function, GravityGradient, KeyValue, KeyValues,
    VectorFrame,
};
use polhode::{Control, Inertia, Problem, State, Stop, Torque, so3};
use polhode_fit::{
    Data, DirectionMeasurements, Doubt, Drive, Fit, FitError, FitOptions, FitParameter,
    Indeterminacy, fit,
};
use polhode_testkit::bodies::Rng;

use crate::simulated::{directions, gyro, noise, times, usual, usual_gyro};

const MOMENTS: [f64; 3] = [2.0, 3.1, 4.4];
const NOISE: f64 = 1e-3;

/// A turned body of these moments under a torque, and when it is measured.
struct SimulatedData {
    problem: Problem,
    times: Vec<f64>,
}

impl SimulatedData {
    fn new(torque: impl Into<Torque>, count: usize, step: f64) -> Self {
        let axes = DMat3::from_quat(so3::exp(DVec3::new(0.4, -0.9, 0.3)));
        let tensor = axes * DMat3::from_diagonal(MOMENTS.into()) * axes.transpose();
        let mut rows = tensor.to_cols_array_2d();
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            rows[j][i] = rows[i][j];
        }
        let inertia = Inertia::tensor_unphysical(rows).unwrap();
        let m = tensor * axes * DVec3::new(0.5, 0.6, 0.7);
        let start = State { m, q: so3::exp(DVec3::new(1.0, 0.2, -0.7)) };
        let problem = Problem::new(inertia, start).torque(torque).starting_at(3.0);
        Self { problem, times: times(count, step) }
    }

    fn states(&self) -> Vec<State> {
        let solution = self.problem.solve(self.times[self.times.len() - 1], 1e-11).unwrap();
        solution.at_many(&self.times).unwrap()
    }

    fn gyro(&self, seed: u64) -> Data {
        let mut rng = Rng::new(seed);
        let inertia = self.problem.inertia();
        let each = |s: &State| (inertia.omega(s.m) + noise(&mut rng, NOISE)).to_array();
        Data::gyro(&self.times, &self.states().iter().map(each).collect::<Vec<_>>())
    }

    fn with_attitudes(&self, seed: u64) -> Data {
        let mut rng = Rng::new(seed + 1000);
        let each = |s: &State| so3::to_wxyz(s.q * so3::exp(noise(&mut rng, NOISE)));
        let q = self.states().iter().map(each).collect();
        self.gyro(seed).with(|data| data.attitude = Some((self.times.clone(), q)))
    }
}

fn options(drive: impl Into<Drive>) -> FitOptions {
    let gyro_noise = Some([NOISE; 3]);
    let attitude_noise = Some(NOISE);
    FitOptions::default().with(|o| {
        o.gyro_noise = gyro_noise;
        o.attitude_noise = attitude_noise;
        o.torque = Some(drive.into());
    })
}

/// Within five standard deviations, which are themselves no larger than that.
fn near(found: &Fit, name: &str, want: f64, at_most: f64) {
    let estimate = found.get(name).unwrap();
    let (value, deviation) = (estimate.value, estimate.deviation);
    let error = (value - want).abs();
    assert!(
        error < 5.0 * deviation + 1e-14 * want.abs(),
        "{name}: {value} ± {deviation}, true {want}"
    );
    assert!(deviation < at_most, "{name}: ± {deviation}");
}

/// No doubts, a chi-square as noise has it, and the true moments.
fn good(found: &Fit, scale: f64) {
    assert_eq!(found.doubts, []);
    let spread = (2.0 / found.degrees as f64).sqrt();
    assert!((found.reduced_chi_square() - 1.0).abs() < 5.0 * spread);
    near(found, "I1/I3", MOMENTS[0] / MOMENTS[2], 5e-3);
    near(found, "I2/I3", MOMENTS[1] / MOMENTS[2], 5e-3);
    for (name, want) in ["I1", "I2", "I3"].into_iter().zip(MOMENTS) {
        near(found, name, want, scale * want);
    }
    assert_eq!(found.undetermined, []);
}

fn formula(texts: [&str; 3], constants: &[(&str, f64)]) -> Torque {
    let constants = constants.iter().map(|(name, x)| ((*name).to_owned(), *x)).collect();
    Torque::formula(texts.map(|text| Formula::new(text, &constants).unwrap()), VectorFrame::Body)
}

#[test]
fn a_constant_torque_tells_the_scale() {
    let push = ConstantTorque::body([0.05, -0.03, 0.04]).unwrap();
    let truth = SimulatedData::new(push, 250, 0.3);
    let found = fit(&truth.gyro(1), &options(Torque::from(push))).unwrap();
    good(&found, 0.01);
    // The motion that was found goes on as the true one does.
    let [there] = found.predict(&[100.0]).unwrap()[..] else { unreachable!() };
    let state = truth.problem.solve(100.0, 1e-11).unwrap().end().1;
    let want = truth.problem.inertia().omega(state.m).to_array();
    for (i, want) in want.into_iter().enumerate() {
        let error = (there.omega[i] - want).abs();
        assert!(error < 5.0 * there.omega_deviation[i] && error < 0.05, "{error}");
    }
    let again = found.refit(&truth.gyro(2), &options(Torque::from(push))).unwrap();
    near(&again, "I3", MOMENTS[2], 0.05);
    assert!(found.motion().is_err() && found.problem().is_ok());
}

#[test]
fn a_known_drag_tells_the_scale() {
    let drag = Damping::new([0.02, 0.05, 0.03]).unwrap();
    let truth = SimulatedData::new(drag, 250, 0.3);
    good(&fit(&truth.gyro(3), &options(Torque::from(drag))).unwrap(), 0.02);
}

#[test]
fn an_unknown_drag_is_found_relative_to_the_inertia() {
    let truth = SimulatedData::new(Damping::new([0.04; 3]).unwrap(), 250, 0.3);
    let drag =
        || Drive::new([("drag", FitParameter::free(0.01))], |[c]| Ok(Damping::new([c; 3])?.into()));
    let data = truth.gyro(4);
    let known = options(drag()).with(|o| o.largest_moment = Some(MOMENTS[2]));
    let found = fit(&data, &known).unwrap();
    near(&found, "drag", 0.04, 1e-3);
    good(&found, 0.01);
    let found = fit(&data, &options(drag())).unwrap();
    assert_eq!(found.undetermined, [Indeterminacy::Size, Indeterminacy::Torque("drag".into())]);
    assert!(found.get("I3").unwrap().deviation.is_infinite());
    let relative = found.get("drag").unwrap().value / found.get("I3").unwrap().value;
    assert!((relative * MOMENTS[2] / 0.04 - 1.0).abs() < 0.02, "{relative}");
    near(&found, "I1/I3", MOMENTS[0] / MOMENTS[2], 5e-3);
}

#[test]
fn a_formula_may_have_an_unknown_constant() {
    let texts = ["0.05*sin(0.7*t)", "-k*w2", "0.03*cos(0.4*t) - k*w3"];
    let truth = SimulatedData::new(formula(texts, &[("k", 0.06)]), 300, 0.3);
    let drive =
        Drive::new([("k", FitParameter::free(0.0))], move |[k]| Ok(formula(texts, &[("k", k)])));
    let found = fit(&truth.gyro(5), &options(drive)).unwrap();
    good(&found, 0.02);
    near(&found, "k", 0.06, 2e-3);
}

#[test]
fn a_torque_of_space_needs_attitudes() {
    let push = Torque::from(ConstantTorque::space([0.06, 0.02, -0.05]).unwrap());
    let truth = SimulatedData::new(push.clone(), 250, 0.3);
    let given = options(push);
    good(&fit(&truth.with_attitudes(6), &given).unwrap(), 0.01);
    // Attitudes alone do as well.
    let alone = truth.with_attitudes(7).with(|data| data.gyro = None);
    good(&fit(&alone, &given).unwrap(), 0.02);
    assert_eq!(fit(&truth.gyro(6), &given).unwrap_err(), FitError::TorqueNeedsAttitude);
}

#[test]
fn gravity_tells_no_scale() {
    let pull = GravityGradient::new(0.2, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
    let truth = SimulatedData::new(pull, 250, 0.3);
    let found = fit(&truth.with_attitudes(8), &options(Torque::from(pull))).unwrap();
    assert_eq!(found.doubts, []);
    near(&found, "I1/I3", MOMENTS[0] / MOMENTS[2], 5e-3);
    assert_eq!(found.undetermined, [Indeterminacy::Size]);
}

#[test]
fn a_wrong_torque_is_doubted() {
    let drag = Damping::new([0.04; 3]).unwrap();
    let data = SimulatedData::new(drag, 250, 0.3).gyro(9);
    let push = Torque::from(ConstantTorque::body([0.05, -0.03, 0.04]).unwrap());
    for wrong in [options(push.clone()).with(|o| o.torque = None), options(push)] {
        let found = fit(&data, &wrong).unwrap();
        assert!(found.reduced_chi_square() > 2.0, "{}", found.reduced_chi_square());
        assert!(found.doubts.iter().any(|d| matches!(d, Doubt::TooLarge { .. })));
    }
    // Directions show it in their residuals, too.
    let braked = SimulatedData::new(drag, 250, 0.3);
    let seen = |known: [f64; 3], seed: u64| {
        let mut rng = Rng::new(seed);
        let each = |s: &State| {
            (s.q.conjugate() * DVec3::from_array(known) + noise(&mut rng, NOISE)).to_array()
        };
        let seen = braked.states().iter().map(each).collect();
        DirectionMeasurements::new(known, braked.times.clone(), seen)
    };
    let directions = vec![seen([1.0, 0.0, 0.0], 15), seen([0.0, 0.6, 0.8], 16)];
    let data = Data::default().with(|data| data.directions = directions);
    let found = fit(&data, &FitOptions::default()).unwrap();
    assert!(found.doubts.iter().any(|d| matches!(d, Doubt::Structure)), "{:?}", found.doubts);
}

/// What there is to say of the ratios is right, and nothing is said of the moments.
fn ratios_alone(found: &Fit) {
    assert_eq!(found.doubts, []);
    near(found, "I1/I3", MOMENTS[0] / MOMENTS[2], 5e-3);
    near(found, "I2/I3", MOMENTS[1] / MOMENTS[2], 5e-3);
    assert!(found.undetermined.contains(&Indeterminacy::Size), "{:?}", found.undetermined);
    for name in ["I1", "I2", "I3"] {
        assert!(found.get(name).unwrap().deviation.is_infinite(), "{name}");
    }
}

#[test]
fn a_torque_of_the_wrong_sign_is_doubted_and_named() {
    let truth = ConstantTorque::body([0.05, -0.03, 0.04]).unwrap();
    let wrong = ConstantTorque::body([-0.05, 0.03, -0.04]).unwrap();
    let data = SimulatedData::new(truth, 250, 0.3).gyro(23);
    for options in
        [options(Torque::from(wrong)), options(Torque::from(wrong)).with(|o| o.gyro_noise = None)]
    {
        let found = fit(&data, &options).unwrap();
        assert_eq!(found.doubts.first(), Some(&Doubt::Reversed), "{:?}", found.doubts);
    }
    // A torque that is wrong otherwise is not said to be reversed.
    let other = ConstantTorque::body([0.03, 0.05, 0.0]).unwrap();
    let found = fit(&data, &options(Torque::from(other))).unwrap();
    assert!(!found.doubts.is_empty() && !found.doubts.contains(&Doubt::Reversed));
}

#[test]
fn an_unknown_torque_that_shows_too_little_is_not_determined() {
    let data = SimulatedData::new(Torque::none(), 250, 0.3).gyro(24);
    let push = Drive::new([("push", FitParameter::free(0.05))], |[x]| {
        Ok(ConstantTorque::body([x, 0.0, 0.0])?.into())
    });
    let found = fit(&data, &options(push)).unwrap();
    ratios_alone(&found);
    assert!(found.undetermined.contains(&Indeterminacy::Torque("push".into())));
    // One that cannot be negative ends at zero, whatever the noise says.
    for seed in 24..28 {
        let data = SimulatedData::new(Torque::none(), 250, 0.3).gyro(seed);
        let keys: KeyValues = [("coefficient".to_owned(), 0.04_f64.into())].into();
        let unknown = [("damping.coefficient".to_owned(), FitParameter::free(0.0))];
        let drag =
            || Drive::of_keys(Torque::none(), vec![("damping".into(), keys.clone())], &unknown);
        let found = fit(&data, &options(drag().unwrap())).unwrap();
        ratios_alone(&found);
        let known = options(drag().unwrap()).with(|o| o.largest_moment = Some(MOMENTS[2]));
        let found = fit(&data, &known).unwrap();
        assert_eq!(found.doubts, []);
        let drag = found.get("damping.coefficient").unwrap();
        assert!((0.0..4.0 * drag.deviation).contains(&drag.value), "{drag:?}");
        assert!(drag.deviation < 1e-3, "{drag:?}");
    }
}

#[test]
fn a_table_that_ends_before_the_data_is_refused() {
    let rows = vec![vec![3.0, 0.05, -0.03, 0.04], vec![20.0, 0.05, -0.03, 0.04]];
    let keys = |beyond: &str| -> KeyValues {
        let beyond = KeyValue::Text(beyond.to_owned());
        [("rows".to_owned(), KeyValue::Rows(rows.clone())), ("beyond".to_owned(), beyond)].into()
    };
    let table = |beyond: &str| Torque::build("table", &keys(beyond)).unwrap();
    let truth = SimulatedData::new(table("hold"), 250, 0.3);
    let data = truth.gyro(29);
    let message = fit(&data, &options(table("error"))).unwrap_err().to_string();
    assert!(message.contains("from t = 3.0 to 20.0, and t = 77.7 is wanted"), "{message}");
    good(&fit(&data, &options(table("hold"))).unwrap(), 0.02);
    // Told to end there, it is another torque than the one that acted.
    let found = fit(&data, &options(table("zero"))).unwrap();
    assert!(found.doubts.iter().any(|d| matches!(d, Doubt::TooLarge { .. })));
}

#[test]
fn what_cannot_be_is_refused() {
    let data = usual_gyro(60, 0.3, NOISE, 10);
    let function = Function::new(Dependence::Momentum, |_: &Inertia, _, s: &State| -0.01 * s.m);
    let torque = Torque::function(function);
    let drive = Drive::new([("k", FitParameter::free(1.0))], move |[_]| Ok(torque.clone()));
    let message = fit(&data, &options(drive)).unwrap_err().to_string();
    assert!(message.contains("no derivative"), "{message}");
    let negative = options(Torque::none()).with(|o| o.largest_moment = Some(-1.0));
    assert!(fit(&data, &negative).unwrap_err().to_string().contains("positive"));
    let free = options(Torque::none()).with(|o| {
        o.torque = None;
        o.largest_moment = Some(1.0);
    });
    assert!(fit(&data, &free).unwrap_err().to_string().contains("beside a torque"));
}

#[test]
fn one_direction_beside_the_gyro_leaves_a_turn_open() {
    let (motion, mut rng) = (usual(), Rng::new(11));
    let times = times(200, 0.3);
    let sun = directions(&motion, &times, [1.0, 0.2, 0.1], NOISE, &mut rng);
    let omega = gyro(&motion, &times, NOISE, &mut rng);
    let data = Data::gyro(&times, &omega).with(|data| data.directions = vec![sun]);
    let found = fit(&data, &FitOptions::default()).unwrap();
    assert_eq!(found.doubts, []);
    assert_eq!(found.undetermined, [Indeterminacy::Scale, Indeterminacy::Turn]);
    near(&found, "I1/I3", 1.0 / 2.2, 5e-3);
    // What is not known is nothing small.
    let there = found.predict(&[30.0]).unwrap()[0].attitude_deviation;
    assert!(there.iter().copied().fold(0.0, f64::max) > 1.0, "{there:?}");
}

#[test]
fn windows_show_the_inertia_or_do_not() {
    let tumbling = fit(&usual_gyro(300, 0.2, NOISE, 12), &FitOptions::default()).unwrap();
    assert_eq!(tumbling.weak.unwrap().shown(), 5);
    let steady: Vec<[f64; 3]> = {
        let mut rng = Rng::new(13);
        (0..300).map(|_| (DVec3::Z + noise(&mut rng, NOISE)).to_array()).collect()
    };
    let steady = fit(&Data::gyro(&times(300, 0.2), &steady), &FitOptions::default()).unwrap();
    assert!(steady.weak.unwrap().shown() < 5, "{:?}", steady.weak);
}

#[test]
fn a_fit_can_be_stopped() {
    let stop = Stop::new();
    stop.request();
    let control = Control::stopped_by(&stop);
    let data = usual_gyro(300, 0.3, NOISE, 14);
    let push = Torque::from(ConstantTorque::body([0.05, -0.03, 0.04]).unwrap());
    for options in [FitOptions::default(), options(push)] {
        let found = fit(&data, &options).unwrap();
        let options = options.with(|o| o.control = control.clone());
        assert_eq!(fit(&data, &options).unwrap_err(), FitError::Stopped);
        assert_eq!(found.refit(&data, &options).unwrap_err(), FitError::Stopped);
    }
}

/// A solution over all data is most of what there is to do: it ends, too.
#[test]
fn a_fit_is_stopped_while_it_solves() {
    let looks = AtomicUsize::new(0);
    // More than there are iterations, each of which looks, too.
    let control = Control::default().looking(move |stop| {
        if looks.fetch_add(1, Ordering::Relaxed) > 2000 {
            stop.request();
        }
    });
    let data = usual_gyro(300, 0.3, NOISE, 14);
    let push = Torque::from(ConstantTorque::body([0.05, -0.03, 0.04]).unwrap());
    let options = options(push).with(|o| o.control = control);
    assert_eq!(fit(&data, &options).unwrap_err(), FitError::Stopped);
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn a_torque_that_does_not_act_tells_no_scale() {
        let push = Torque::from(ConstantTorque::body([0.05, -0.03, 0.04]).unwrap());
        let drag = Torque::from(Damping::new([0.04; 3]).unwrap());
        for seed in 20..22 {
            let data = SimulatedData::new(Torque::none(), 125, 0.6).gyro(seed);
            for torque in [&push, &drag] {
                ratios_alone(&fit(&data, &options(torque.clone())).unwrap());
                // Of a body whose moments are known it cannot have acted.
                let known = options(torque.clone()).with(|o| o.largest_moment = Some(MOMENTS[2]));
                let found = fit(&data, &known).unwrap();
                assert!(found.doubts.iter().any(|d| matches!(d, Doubt::TooLarge { .. })));
            }
        }
    }
}
