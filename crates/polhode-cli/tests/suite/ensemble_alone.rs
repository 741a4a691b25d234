//! A body of an ensemble has the numbers of `polhode run` on that body, whatever acts on it and
//! whatever moves it.

use crate::support::Folder;
use polhode::torque::TorqueEntry;
use polhode::{EntryKind, catalog};

const BODIES: [(&str, &str); 3] =
    [("1,2,2.5", "0.3,1.5,-0.2"), ("3,1,2.5", "0.4,-0.5,1"), ("2,2,1", "0,0.7,0.9")];

const TOP: &str = "[torque]\nkind = 'heavy-top'\n";
const DAMPING: &str = "[torque]\nkind = 'damping'\ncoefficient = [0.1, 0.2, 0.3]\n";
const SUM: &str =
    "[[torque]]\nkind = 'lagrange-top'\n[[torque]]\nkind = 'damping'\ncoefficient = 0.1\n";

/// The example of every torque of the catalogue, values in another form, and sums.
fn torques() -> Vec<String> {
    let example = |entry: &&TorqueEntry| {
        let keys = entry.example();
        let keys = keys.iter().map(|(key, value)| format!("{key} = {value}\n"));
        format!("[torque]\nkind = '{}'\n{}", entry.kind, keys.collect::<String>())
    };
    let others = [
        "",
        TOP,
        "[torque]\nkind = 'coulomb-wall'\n",
        "[torque]\nkind = 'formula'\ntorque = ['a*r32 - 0.1*w1^3', 'sin(t)', 0.2]\nconstants = { a = 0.5 }\n",
        "[torque]\nkind = 'table'\nrows = [[0, 0, 0, 0.5], [0.4, 1, 0, 0], [1, 0, 0.3, 0]]\ninterpolation = 'spline'\n",
        SUM,
        "[[torque]]\nkind = 'dipole'\ndipole = [0.1, 0, 0.3]\nfield = 'field.csv'\n[[torque]]\nkind = 'damping'\n\
         coefficient = 0.1\n",
    ];
    catalog().torques.iter().map(example).chain(others.map(str::to_owned)).collect()
}

/// Momentum and attitude at the last row of a CSV file, as texts; of one body, if they are several.
fn last(folder: &Folder, file: &str, body: Option<usize>) -> Vec<String> {
    let text = String::from_utf8(folder.read(file)).unwrap();
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let of_body = |line: &&str| body.is_none_or(|b| line.starts_with(&format!("{b},")));
    let row: Vec<&str> = text.lines().rfind(of_body).unwrap().split(',').collect();
    let cell = |name: &str| row[names.iter().position(|n| *n == name).unwrap()].to_owned();
    ["m1", "m2", "m3", "q0", "q1", "q2", "q3", "energy"].map(cell).to_vec()
}

/// Runs the bodies together and alone.
fn agree(torque: &str, method: &str) {
    let rest = format!("{torque}[method]\n{method}\nstep = 0.05\n[run]\nuntil = 1.0\n");
    let folder = Folder::new();
    folder.write("field.csv", "t,bx,by,bz\n0,1,0,0\n0.5,0,1,0\n1.0,0,0,1\n");
    folder.write("mine.csv", "drift,0.5\nkick,1\ndrift,0.5\n");
    let rows = BODIES.map(|(i, m)| format!("{i},{m}\n")).concat();
    folder.write("bodies.csv", format!("i1,i2,i3,m1,m2,m3\n{rows}"));
    folder.write("many.toml", format!("[bodies]\nfile = 'bodies.csv'\n{rest}"));
    folder.good("ensemble many.toml --out many.csv");
    for (body, (inertia, momentum)) in BODIES.into_iter().enumerate() {
        let start = format!("[body]\ninertia = [{inertia}]\n[start]\nmomentum = [{momentum}]\n");
        folder.write("one.toml", format!("{start}{rest}"));
        folder.good(&format!("run one.toml --out {body}.csv"));
        let [together, alone] =
            [last(&folder, "many.csv", Some(body)), last(&folder, &format!("{body}.csv"), None)];
        assert_eq!(together, alone, "body {body}, {method}, {torque}");
        assert!(together[0] != momentum.split(',').next().unwrap(), "{method}: nothing moved");
    }
}

#[test]
fn every_torque_acts_on_many_as_on_one() {
    for torque in torques() {
        // In lanes, and body by body.
        agree(&torque, "id = 'strang+exact'");
        agree(&torque, "id = 'rkmk4'");
    }
}

#[test]
fn every_rotor_and_method_moves_many_as_one() {
    let all = catalog();
    for rotor in all.of(EntryKind::Rotor) {
        agree("", &format!("id = '{}'", rotor.id));
        agree(DAMPING, &format!("id = 'strang+{}'", rotor.id));
    }
    for method in all.of(EntryKind::Method) {
        agree(TOP, &format!("id = '{}'", method.id));
    }
    // What carries digits from step to step.
    agree(TOP, "id = 'strang:compensated+exact:compensated'");
}

#[test]
fn a_method_of_ones_own_moves_many_as_one() {
    agree(SUM, "stages = [['drift', 0.5], ['kick', 1], ['drift', 0.5]]\norder = 2\nrotor = 'dmv'");
    agree(SUM, "coefficients = 'mine.csv'\norder = 2\nrotor = 'exact'");
    agree(SUM, "tableau = { a = [[0, 0], [1, 0]], b = [0.5, 0.5] }\norder = 2");
}

#[test]
fn what_does_not_go_together_is_told() {
    let folder = Folder::new();
    folder.write("bodies.csv", "i1,i2,i3,m1,m2,m3\n1,2,2.5,1,0,0\n");
    let text = format!(
        "[bodies]\nfile = 'bodies.csv'\n{DAMPING}[method]\nid = 'rkn6-14+exact'\nstep = 0.1\n[run]\nuntil = 1\n"
    );
    folder.write("many.toml", text);
    let told = folder.refused("ensemble many.toml");
    assert!(
        told.contains("many.toml:7: [method] id = 'rkn6-14+exact': rkn6-14: its order conditions"),
        "{told}"
    );
}

#[test]
fn the_help_says_what_runs_in_lanes() {
    let help = Folder::new().good("ensemble --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = catalog();
    let sentence =
        help.split("In an ensemble ").nth(1).unwrap().split(", run in SIMD").next().unwrap();
    for rotor in all.of(EntryKind::Rotor) {
        let named = sentence.split([' ', ',']).any(|word| word == rotor.id);
        assert_eq!(named, rotor.in_lanes, "{}: {sentence}", rotor.id);
    }
    assert!(help.contains("Every torque may act, also several by [[torque]]"), "{help}");
}
