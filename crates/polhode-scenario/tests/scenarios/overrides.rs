//! Overrides: the same checks, whatever comes from the command line.

use polhode::torque::{ConstantTorque, HeavyTop};
use polhode_scenario::{Scenario, ScenarioError};

use crate::BASE;

fn with(overrides: &[&str]) -> Result<Scenario, ScenarioError> {
    Scenario::parse_with(BASE, "base.toml", overrides)
}

fn read(overrides: &[&str]) -> Scenario {
    with(overrides).unwrap_or_else(|e| panic!("{overrides:?}: {e}"))
}

#[test]
fn values_of_every_kind() {
    assert_eq!(read(&["method.step=0.1"]).steps().unwrap().plan.steps, 10);
    assert_eq!(read(&[" method . step = 0.1 # coarse"]).steps().unwrap().plan.steps, 10);
    assert_eq!(read(&["body.inertia=[1,2,3]"]).inertia().moments().to_array(), [1.0, 2.0, 3.0]);
    assert_eq!(read(&["body={inertia=[1,1,9],allow_unphysical=true}"]).inertia().moments().z, 9.0);
    assert!(read(&["output.aem.rates=true"]).output().aem.as_ref().is_some_and(|a| a.rates));
    assert_eq!(read(&["output.files=['c.npz']"]).output().files, ["c.npz"]);
    assert_eq!(read(&["output.aem.start_epoch=2020-02-29T12:00:00"]).output().files.len(), 2);
    assert_eq!(
        read(&["run.until=2", "run.every=1", "run.until=3"]).steps().unwrap().plan.steps,
        300
    );
    assert_eq!(read(&["run.until=3"]).overrides(), ["run.until=3"]);
}

#[test]
fn one_of_several_torques_by_its_number() {
    let several = BASE.replace(
        "[torque]\nkind = \"heavy-top\"\nup = [0, 0, 1]\n",
        "[[torque]]\nkind = 'none'\n[[torque]]\nkind = 'lagrange-top'\nstrength = 2\n",
    );
    let with = |text: &str| Scenario::parse_with(&several, "base.toml", &[text]);
    let changed = with("torque.2.strength=3").unwrap();
    assert_eq!(*changed.torque(), HeavyTop::lagrange(3.0).unwrap().into());
    for bad in ["torque.3.strength=3", "torque.0.strength=3"] {
        let error = with(bad).unwrap_err().to_string();
        assert!(error.contains("torque has the tables 1 to 2"), "{error}");
    }
    assert!(with("torque.strength=3").unwrap_err().to_string().contains("torque is a list"));
}

#[test]
fn words_need_no_quotes() {
    for id in ["method.id=\"frb\"", "method.id='frb'", "method.id=frb", "method.id = frb "] {
        assert_eq!(read(&[id]).method_id(), "rkn6-14+frb-matrix", "{id}");
    }
    let scenario = read(&["method.id=strang:compensated+semi-exact:nodes=2"]);
    assert_eq!(scenario.method_id(), "strang:compensated+semi-exact:nodes=2");
}

#[test]
fn what_is_excluded_goes() {
    let scenario = read(&["start.momentum=[1,2,3]"]);
    assert_eq!(scenario.start().m.to_array(), [1.0, 2.0, 3.0]);
    let momentum = BASE.replace("omega", "momentum");
    let scenario = Scenario::parse_with(&momentum, "", &["start.omega=[1,2,3]"]).unwrap();
    assert_eq!(scenario.start().m.to_array(), [1.0, 10.0, 18.0]);
    // The parameters of the method before; the step stays.
    let scenario = read(&["method.id=rkn6-14+exact"]);
    assert_eq!(
        (scenario.method_id(), scenario.steps().unwrap().plan.steps),
        ("rkn6-14+exact", 100)
    );
    // Those given beside it, and those of the same method, do not go.
    let scenario = read(&["method.nodes=2", "method.id=strang+semi-exact"]);
    assert_eq!(scenario.method_id(), "strang+semi-exact:nodes=2");
    let scenario = read(&["method.id=rkn6-14+semi-exact"]);
    assert_eq!(scenario.method_id(), "rkn6-14+semi-exact:nodes=5");
    let scenario = read(&["torque.kind=lagrange-top", "torque.strength=3"]);
    assert_eq!(*scenario.torque(), HeavyTop::lagrange(3.0).unwrap().into());
    let pushed = read(&["torque={kind='constant',torque=[1,2,3]}"]);
    assert_eq!(*pushed.torque(), ConstantTorque::body([1.0, 2.0, 3.0]).unwrap().into());
    assert!(read(&["torque=[]"]).torque().is_none());
}

#[test]
fn a_tolerance_takes_the_place_of_a_method_of_fixed_steps_and_back() {
    let solving = |overrides: &[&str]| read(overrides).solving().unwrap().clone();
    // Steps and what counts them go.
    let solved = solving(&["run.tolerance=1e-8"]);
    assert_eq!((solved.tolerance, solved.rows.len()), (1e-8, 1001));
    assert_eq!(solving(&["run.tolerance=1e-8", "run.interval=0.25"]).rows.len(), 5);
    assert_eq!(solving(&["run.times=[0.5,1]", "run.tolerance=1e-8"]).rows.time(0), 0.5);
    let named = read(&["method.id=dop853"]);
    assert_eq!(named.method_id(), "dop853");
    assert_eq!(solving(&["method.id=dop853", "run.tolerance=1e-6"]).tolerance, 1e-6);
    let text =
        "body.inertia=[1,2,3]\nstart.omega=[1,2,3]\nrun={until=1,tolerance=1e-8,interval=0.5}";
    let back = ["method.id=exact", "method.step=0.25"];
    let steps = Scenario::parse_with(text, "", &back).unwrap().steps().unwrap().clone();
    assert_eq!((steps.plan.steps, steps.every), (4, 2));
    // Of the ways to choose rows one is left.
    assert_eq!(read(&["run.interval=0.05"]).steps().unwrap().every, 5);
    // What contradicts itself is told.
    let error = with(&["run.tolerance=1e-8", "method.id=rk4", "method.step=0.1"]).unwrap_err();
    assert!(error.to_string().contains("leave out [method]"), "{error}");
    let error = with(&["run.times=[0.5]"]).unwrap_err();
    assert!(error.to_string().contains("set run.tolerance"), "{error}");
}

#[test]
fn they_complete_what_is_missing() {
    let part = "body.inertia = [1, 2, 3]\nstart.omega = [1, 2, 3]\n";
    let rest = ["method.id=exact", "method.step=1", "run.until=3"];
    let scenario = Scenario::parse_with(part, "part.toml", &rest).unwrap();
    assert_eq!(scenario.steps().unwrap().plan.steps, 3);
    let error = Scenario::parse_with(part, "part.toml", &rest[..2]).unwrap_err();
    assert!(error.to_string().contains("section [run] is missing"), "{error}");
    let all = ["body.inertia=[1,2,3]", "start.omega=[1,2,3]"].iter().chain(&rest);
    assert!(Scenario::parse_with("", "", &all.copied().collect::<Vec<_>>()).is_ok());
}

#[test]
fn bad_ones_are_named() {
    for (override_text, parts) in [
        ("method.step=0", &["base.toml with method.step=0: must be finite and not zero"][..]),
        ("method.step=nan", &["it is not a number"]),
        ("method.step=1e999", &["it overflows"]),
        ("method.step=fast", &["a text is not allowed", "a number, not zero"]),
        ("method.step=0.1x", &["with method.step=0.1x: ", "a number 0.1"]),
        ("method.step=", &["after '=' stands a number"]),
        ("method.step", &["not an override", "write key=value, e.g. method.step=0.1"]),
        ("", &["not an override"]),
        ("=3", &["not an override"]),
        ("method..step=3", &["not an override"]),
        ("method.\"step\"=3", &["not an override"]),
        ("step=0.1", &["with step=0.1: stands in no section"]),
        ("method.stepp=0.1", &["no key 'stepp'", "did you mean 'step'?"]),
        ("methd.step=0.1", &["no section 'methd'", "did you mean 'method'?"]),
        ("method.step.x=0.1", &["method.step is a number, not a table: set all of it"]),
        ("body.inertia=[1,2,-3]", &["must be positive"]),
        ("body.inertia=[1,2", &["with body.inertia=[1,2: ", "a list [1,2,3]"]),
        ("method.id=rkn6-14b+exact", &["no scheme 'rkn6-14b'; did you mean 'rkn6-14'?"]),
        ("run.every=1\n[body]", &["base.toml with run.every=1 [body]: "]),
        ("run.every=1\nv=2", &["base.toml with "]),
    ] {
        let error = with(&[override_text]).expect_err(override_text);
        let message = error.to_string();
        assert_eq!(error.line(), None, "{message}");
        assert!(error.override_text().is_some(), "{message}");
        assert!(!message.contains(char::is_control), "{message}");
        assert!(message.starts_with("base.toml with "), "{message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{override_text}: {message}");
    }
    // Both of what exclude each other; and a key of the file that an override makes wrong.
    let error = with(&["start.omega=[1,1,1]", "start.momentum=[1,1,1]"]).unwrap_err();
    assert!(error.to_string().contains("exclude each other"), "{error}");
    let error = with(&["method.step=-0.5"]).unwrap_err();
    assert_eq!(error.line(), Some(14), "{error}");
    let error = with(&["run.until=2", "method.step=  -0.5"]).unwrap_err();
    assert_eq!((error.override_text(), error.column()), (Some("run.until=2"), Some(11)), "{error}");
    let error = with(&["torque.kind=damping"]).unwrap_err();
    assert_eq!(error.line(), Some(6), "{error}");
    assert!(error.to_string().contains("damping: 'coefficient' is missing"), "{error}");
    let sum = BASE.replacen("[torque]", "[[torque]]", 1);
    let error = Scenario::parse_with(&sum, "sum.toml", &["torque.up=[1,0,0]"]).unwrap_err();
    assert!(error.to_string().contains("torque is a list, not a table: set all of it"), "{error}");
}
