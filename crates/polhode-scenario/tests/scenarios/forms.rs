//! The ways to write a scenario.

use polhode::torque::{CoulombWall, Dependence, HeavyTop};
use polhode_scenario::{Epoch, Scenario};

use crate::{BASE, with_line};

fn read(text: &str) -> Scenario {
    Scenario::parse(text, "form.toml").unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn refused(text: &str) -> String {
    Scenario::parse(text, "form.toml").expect_err("accepted").to_string()
}

fn same(text: &str) {
    let (a, b) = (read(text), read(BASE));
    assert_eq!((a.inertia(), a.start(), a.torque()), (b.inertia(), b.start(), b.torque()));
    let steps = "has fixed steps";
    let (of_a, of_b) = (a.steps().expect(steps), b.steps().expect(steps));
    assert_eq!((of_a.plan, of_a.every, a.until()), (of_b.plan, of_b.every, b.until()));
    assert_eq!((a.method_id(), a.output()), (b.method_id(), b.output()));
}

#[test]
fn without_a_method_it_is_solved() {
    let free = "body.inertia = [1, 2, 2.5]\nstart.omega = [1, 2, 3]\n";
    let top = format!("{free}torque.kind = 'heavy-top'\n");
    let scenario = read(&format!("{top}run.until = 10"));
    let solving = scenario.solving().unwrap();
    assert_eq!((scenario.method_id(), solving.tolerance), ("extrapolation", 1e-10));
    assert_eq!((solving.rows.len(), solving.rows.time(1), scenario.until()), (1001, 0.01, 10.0));
    assert_eq!(read(&format!("{free}run.until = -1")).method_id(), "closed-form");
    let named =
        read(&format!("{free}method.id = 'dop853'\nrun = {{ until = 1, tolerance = 1e-5 }}"));
    assert_eq!((named.method_id(), named.solving().unwrap().tolerance), ("dop853", 1e-5));
    // The last of the times is the end where no other is given.
    let listed = read(&format!("{top}run = {{ times = [0.5, 2], stops = [1] }}"));
    assert_eq!((listed.until(), &listed.solving().unwrap().stops[..]), (2.0, &[1.0][..]));
    let backwards = read(&format!("{top}run = {{ until = -3, times = [0, -0.5, -2] }}"));
    assert_eq!((backwards.until(), backwards.solving().unwrap().rows.len()), (-3.0, 3));
}

#[test]
fn sections_dotted_keys_and_inline_tables_are_the_same() {
    same(
        "body.inertia = [1, 5, 6]
         start.omega = [10, 10.0, 1e1]
         torque.kind = 'heavy-top'
         torque.up = [0, -0.0, 0x1]
         method.id = 'rkn6-14+semi-exact'
         method.nodes = 5
         method.step = 1e-2
         run.until = 1
         run.every = 1e1
         output.files = ['a.csv', 'b.aem']
         output.aem.object_name = 'X'
         output.aem.object_id = '2026-001A'
         output.aem.start_epoch = 2026-01-01T00:00:00Z",
    );
    same(
        "body = { inertia = [[1, 0, 0], [0, 5, 0], [0, 0, 6]], allow_unphysical = false }
         start = { omega = [10, 10, 10], attitude = [2, 0, 0, 0] }
         torque = [{ kind = 'heavy-top', up = [0, 0, 1] }]
         method = { id = 'rkn6-14+semi-exact:nodes=5', step = 0.01 }
         run = { until = 1, every = 10 }
         output = { files = ['a.csv', 'b.aem'], aem = { object_name = 'X', \
         object_id = '2026-001A', start_epoch = '2026-001T00:00:00', rates = false } }",
    );
}

#[test]
fn line_ends_byte_order_marks_and_comments_do_not_matter() {
    same(&BASE.replace('\n', "\r\n"));
    same(&format!("\u{feff}{BASE}"));
    same(&format!("# ä comment\n{BASE}"));
    same(BASE.trim_end());
}

#[test]
fn what_may_be_left_out() {
    let scenario = read(
        "[body]\ninertia = [1, 2, 2.5]\n[start]\nmomentum = [1, 2, 3]\n\
         [method]\nid = 'exact'\nstep = -0.5\n[run]\nuntil = -3.2\n",
    );
    assert_eq!(scenario.start().attitude(), [1.0, 0.0, 0.0, 0.0]);
    assert!(scenario.torque().is_none() && scenario.output().files.is_empty());
    assert_eq!(scenario.problem().torques().dependence(), Dependence::None);
    // As many whole steps as reach the end.
    let steps = scenario.steps().unwrap();
    assert_eq!((steps.plan.step, steps.plan.steps, steps.every), (-0.5, 7, 1));
    assert_eq!(read(BASE).output().aem.as_ref().map(|a| a.time_system.as_str()), Some("UTC"));
}

#[test]
fn several_torques_are_a_sum() {
    let text = with_line(6, "[[torque]]").replace(
        "[method]\nid = \"rkn6-14+",
        "[[torque]]\nkind = \"damping\"\ncoefficient = 0.5\n[method]\nid = \"s6-10+",
    );
    let scenario = read(&text);
    let kinds: Vec<&str> = scenario.torque().entries().map(|t| t.kind).collect();
    assert_eq!(kinds, ["heavy-top", "damping"]);
    let problem = scenario.problem();
    let damping = scenario.start().omega(scenario.inertia()) * -0.5;
    assert_eq!(problem.torque_at(0.0, scenario.start()), damping);
    assert_eq!(read(&with_line(6, "[[torque]]")).torque(), read(BASE).torque());
    // The error of a sum is on the line of its part.
    let error = Scenario::parse(&text.replace("coefficient = 0.5", "coefficient = -1"), "x");
    assert_eq!(error.unwrap_err().line(), Some(11));
}

#[test]
fn a_tensor_stays_in_its_frame() {
    let scenario = read(&with_line(2, "inertia = [[2, 1, 0], [1, 2, 0], [0, 0, 3]]"));
    assert_eq!(scenario.inertia().momentum([1.0, 0.0, 0.0]).to_array(), [2.0, 1.0, 0.0]);
    let unphysical = read(&with_line(2, "inertia = [1, 1, 9]\nallow_unphysical = true"));
    assert!(!unphysical.inertia().is_physical());
}

#[test]
fn parameters_of_methods_are_keys_or_in_the_id() {
    let with = |id: &str, keys: &str| {
        with_line(10, &format!("id = '{id}'\n{keys}")).replace("nodes = 5\n", "")
    };
    for (id, keys, all) in [
        ("rkn6-14+exact", "", "rkn6-14+exact"),
        ("strang+semi-exact", "nodes = 3", "strang+semi-exact:nodes=3"),
        ("strang+semi-exact", "nodes = '3'", "strang+semi-exact:nodes=3"),
        ("strang+semi-exact:nodes=3", "", "strang+semi-exact:nodes=3"),
        ("strang + semi-exact", "nodes = 3.0", "strang+semi-exact:nodes=3"),
        ("strang+dmv", "order = 6", "strang+dmv:order=6"),
        ("rkmk", "tableau = 'gauss2'", "rkmk:tableau=gauss2"),
        ("strang+frb-matrix", "compensated = true", "strang:compensated=true+frb-matrix"),
        ("strang:compensated+exact", "", "strang:compensated+exact"),
        ("sej", "compensated = false", "strang:compensated=false+midpoint-attitude"),
        ("frb", "", "rkn6-14+frb-matrix"),
    ] {
        assert_eq!(read(&with(id, keys)).method_id(), all);
    }
    for (id, keys, parts) in [
        (
            "strang+exact",
            "compensated = true",
            ["both strang and exact have a parameter 'compensated'", "strang:compensated+exact"],
        ),
        ("strang+semi-exact:nodes=3", "nodes = 3", ["'nodes' is given twice", "form.toml:11: "]),
        ("exact", "", ["a rotor alone is for free bodies", "form.toml:10: [method] id = 'exact'"]),
    ] {
        let message = refused(&with(id, keys));
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn torques_and_methods_that_do_not_go_together() {
    let damped =
        BASE.replace("kind = \"heavy-top\"\nup = [0, 0, 1]", "kind = \"damping\"\ncoefficient = 1");
    let message = refused(&damped);
    assert!(
        message.starts_with("form.toml:10: [method] id = \"rkn6-14+semi-exact\": "),
        "{message}"
    );
    assert!(message.contains("Take another scheme, e.g. s6-10"), "{message}");
    let gradient = |keys| BASE.replace("kind = \"heavy-top\"\nup = [0, 0, 1]", keys);
    // Parallel to a direction that is not given, and to one that is.
    for (keys, line) in [
        ("kind = \"gravity-gradient\"\nrate = 1\nnormal = [1, 0, 0]", 9),
        ("kind = \"gravity-gradient\"\ntowards = [1, 0, 0]\nrate = 1\nnormal = [2, 0, 0]", 8),
    ] {
        let message = refused(&gradient(keys));
        assert!(message.starts_with(&format!("form.toml:{line}: [torque] ")), "{message}");
        assert!(message.contains("is parallel to normal"), "{message}");
    }
    let message = refused(&gradient("kind = \"gravity-gradient\""));
    assert!(message.starts_with("form.toml:6: [torque]: gravity-gradient: 'rate' is missing"));
    let huge = "kind = \"constant\"\ntorque = [1.5e308, 0, 0]\n";
    let text = gradient(&format!("{huge}[[torque]]\n{huge}")).replacen("[torque]", "[[torque]]", 1);
    assert!(refused(&text).contains("form.toml:9: [torque]: the torque at the start is ["));
}

#[test]
fn values_arrive() {
    let scenario = read(BASE);
    let top = HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap();
    assert_eq!(*scenario.torque(), top.into());
    assert_eq!(scenario.start().m.to_array(), [10.0, 50.0, 60.0]);
    assert_eq!((scenario.name(), scenario.text()), ("form.toml", BASE));
    let aem = scenario.output().aem.clone().unwrap();
    assert_eq!(Some(aem.start_epoch), Epoch::parse("2026-01-01T00:00:00"));
    assert_eq!((aem.object_name.as_str(), aem.ref_frame_a.as_str()), ("X", "EME2000"));
    let printed = with_line(7, "kind = \"coulomb-wall\"\nsign = \"physical\"")
        .replace("up = [0, 0, 1]\n", "");
    assert_eq!(*read(&printed).torque(), CoulombWall::physical().into());
}

#[test]
fn numbers_that_overflow_together() {
    let message =
        refused(&with_line(12, "step = 1.6e308").replace("until = 1.0", "until = 1.7e308"));
    assert!(message.starts_with("form.toml:14: [run] until = 1.7e308: the end of the last step"));
    let light = with_line(2, "inertia = [1e-200, 1e-200, 1e-200]");
    let message = refused(&light.replace("omega = [10.0, 10.0, 10.0]", "momentum = [1e150, 0, 0]"));
    assert!(message.starts_with("form.toml:4: [start] momentum = [1e150, 0, 0]: the angular"));
}

#[test]
fn errors_have_columns_and_their_parts() {
    let error = Scenario::parse(&with_line(4, "  omega = [1, 2]"), "x.toml").unwrap_err();
    assert_eq!((error.file(), error.line(), error.column()), ("x.toml", Some(4), Some(11)));
    assert_eq!((error.field(), error.given()), ("[start] omega", "[1, 2]"));
    assert_eq!(error.override_text(), None);
    // A byte order mark is no character of the line.
    let error = Scenario::parse("\u{feff}body = 3", "x.toml").unwrap_err();
    assert_eq!((error.line(), error.column()), (Some(1), Some(8)));
    // Long and broken values are shown on one line, cut.
    let long = format!("omega = [\n{}\n]", "1.5,\n".repeat(100));
    let error = Scenario::parse(&with_line(4, &long), "x.toml").unwrap_err();
    assert!(error.given().starts_with("[ 1.5, 1.5,") && error.given().ends_with("..."));
    assert!(error.given().len() < 80 && error.line() == Some(4), "{error}");
}
