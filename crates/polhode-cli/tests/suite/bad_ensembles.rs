//! What `polhode ensemble` says about ensembles that are wrong, and what it lets pass.

use crate::support::{Folder, TABLE, TOP};

const DRAWN: &str = "\
[bodies]
count = 3
[body]
inertia = [1.0, 2.0, 2.5]
[start]
omega = [0.1, 1.0, 0.0]
[method]
id = \"exact\"
step = 0.1
[run]
until = 1.0
";

fn changed(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

#[test]
fn laws_are_told_with_the_key_at_fault() {
    let inertia = "inertia = [1.0, 2.0, 2.5]";
    let omega = "omega = [0.1, 1.0, 0.0]";
    let largest = "largest = a number from 1e-290 to 1e290\n";
    for (from, law, want) in [
        (
            omega,
            "{ law = 'gaussian', mean = [0.0, 5.0], sigma = 1 }",
            "mean: a list of 2 is not allowed; allowed is mean = three numbers\n",
        ),
        (omega, "{ law = 'gaussian', mean = 1, sigma = 1 }", "mean: a number is not allowed"),
        (
            omega,
            "{ law = 'gaussian', mean = [0, nan, 0], sigma = 1 }",
            ": mean, position 2, is not a number; needed is a finite number\n",
        ),
        (
            omega,
            "{ law = 'gaussian', mean = [0, 'x', 0], sigma = 1 }",
            "mean: a text at position 2",
        ),
        (omega, "{ law = 'gaussian', mean = [0, 0, 0], sigma = nan }", ": sigma is not a number"),
        (
            omega,
            "{ law = 'gaussian', mean = [0, 0, 0], sigma = [1, 2] }",
            "sigma: a list of 2 is not allowed; allowed is sigma = one number or three",
        ),
        (omega, "{ law = 'isotropic', length = inf }", ": length is not finite"),
        (omega, "{ law = 'isotropic', length = -1 }", "allowed is length = a number, not negative"),
        (inertia, "{ law = 'any', largest = -1 }", largest),
        (inertia, "{ law = 'any', largest = 0 }", largest),
        (
            inertia,
            "{ law = 'any' }",
            "'largest' is missing; it must be a number from 1e-290 to 1e290\n",
        ),
        (
            inertia,
            "{ law = 'log-normal', about = [1, 2, 2.5], sigma = 5000 }",
            "e.toml:4: [body] inertia = { law = 'log-normal', about = [1, 2, 2.5], sigma = 5000 }: \
             not allowed; allowed is sigma = a number from 0 to 70\n",
        ),
        (
            inertia,
            "{ law = 'log-normal', about = [1, 2, 3.5], sigma = 0.1 }",
            "set allow_unphysical = true in [body]\n",
        ),
    ] {
        let key = from.split(' ').next().unwrap();
        let text = Folder::with_ensemble(&changed(DRAWN, from, &format!("{key} = {law}")))
            .refused("ensemble e.toml");
        assert!(text.contains(want), "{law}: {text}");
    }
    // The widest that is allowed draws bodies.
    let law = "inertia = { law = 'log-normal', about = [1, 2, 2.5], sigma = 70 }";
    let text = changed(DRAWN, inertia, law).replace("count = 3", "count = 1000");
    let ended = Folder::with_ensemble(&text).run("ensemble e.toml");
    assert!(!ended.stderr.contains("error"), "{}", ended.stderr);
}

#[test]
fn impossible_bodies_run_where_they_are_allowed() {
    let inertia = "inertia = [1.0, 2.0, 2.5]";
    for given in [
        "inertia = [1.0, 2.0, 3.5]",
        "inertia = { law = 'log-normal', about = [1.0, 2.0, 3.5], sigma = 0.01 }",
    ] {
        let text = changed(DRAWN, inertia, given);
        assert!(
            Folder::with_ensemble(&text)
                .refused("ensemble e.toml")
                .contains("set allow_unphysical = true in [body]")
        );
        Folder::with_ensemble(&text.replace("[start]", "allow_unphysical = true\n[start]"))
            .good("ensemble e.toml");
    }
}

#[test]
fn misspelt_keys_are_found_before_anything_is_missed() {
    let body = "[body]\ninertia = [1.0, 2.0, 2.5]\n";
    let method = "[method]\nid = \"exact\"\nstep = 0.1\n";
    let torque = "[torque]\nknid = \"none\"\n[method]";
    let cases = [
        (DRAWN.replace("step", "stpe"), "no key 'stpe'; did you mean 'step'?"),
        (DRAWN.replace("id =", "di ="), "no key 'di'; did you mean 'id'?"),
        (DRAWN.replace("[method]", torque), "no key 'knid'; did you mean 'kind'?"),
        (
            DRAWN.replace(method, "").replace("until = 1.0", "tiems = [7]"),
            "no key 'tiems'; did you mean 'times'?",
        ),
        (TABLE.replace("file", "fiel"), "no key 'fiel'; did you mean 'file'?"),
        (DRAWN.replace("inertia", "inertai"), "no key 'inertai'; did you mean 'inertia'?"),
        (
            DRAWN.replace(body, "").replace("omega", "omgea"),
            "no key 'omgea'; did you mean 'omega'?",
        ),
    ];
    for (text, want) in cases {
        let told = Folder::with_ensemble(&text).refused("ensemble e.toml");
        assert!(told.contains(want), "{text}: {told}");
    }
}

#[test]
fn what_excludes_one_another_is_told_as_such() {
    let times = "[run]\ntimes = [1.0]\n";
    for (text, want) in [
        (DRAWN.replace("[run]\n", times), "'until' and 'times' exclude each other"),
        (TABLE.replace("times", "every = 2\ntimes"), "'every' and 'times' exclude each other"),
        (TABLE.replace("[run]", "count = 3\n[run]"), "'count' and 'file' exclude each other"),
        (TABLE.replace("[run]", "seed = 3\n[run]"), "'seed' and 'file' exclude each other"),
        (
            DRAWN.replace("count = 3\n", ""),
            "'count' is missing; it must be a whole number from 1 to 1e15 (or give 'file'",
        ),
        (DRAWN.replace("[method]", "[torque]\nkind = \"lorenz\"\n[method]"), LORENZ),
        (
            DRAWN.replace("[method]", "[torque]\nkind = \"damping\"\nx = 1\n[method]"),
            "e.toml:9: [torque] x = 1: damping: no key 'x'; known: coefficient",
        ),
        (
            format!("{TABLE}[method]\nid = \"exact\"\nstep = 0.1\n"),
            "e.toml:5: [method]: not wanted here: 'times' are of the exact free motion, or of one that is solved",
        ),
    ] {
        let told = Folder::with_ensemble(&text).refused("ensemble e.toml");
        assert!(told.contains(want), "{text}: {told}");
    }
}

const LORENZ: &str = "no torque 'lorenz'; known: none, heavy-top, lagrange-top, coulomb-wall";

#[test]
fn no_torque_goes_with_times() {
    for torque in ["[torque]\nkind = \"none\"\n", "[[torque]]\nkind = \"none\"\n"] {
        let folder = Folder::with_ensemble(&format!("{TABLE}{torque}"));
        folder.write("b.csv", "i1,i2,i3,w1,w2,w3\n1,2,2.5,0.1,1,0\n");
        folder.good("ensemble e.toml");
    }
}

#[test]
fn a_file_for_the_other_command_is_told_as_such() {
    let folder = Folder::with_ensemble(DRAWN);
    let ended = folder.run("run e.toml");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("e.toml:1: [bodies]: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("use `polhode ensemble`"), "{}", ended.stderr);
    // A slip for [body] is none.
    folder.write("e.toml", TOP.replace("[body]", "[bodies]"));
    let ended = folder.run("run e.toml");
    assert!(ended.stderr.contains("no section 'bodies'"), "{}", ended.stderr);
    for text in [TOP.to_owned(), changed(TOP, "[output]", "[outputs]").replace("[output.", "[x.")] {
        folder.write("e.toml", &text);
        let told = folder.refused("ensemble e.toml");
        assert_eq!(told.contains("use `polhode run`"), text == TOP, "{told}");
    }
}

#[test]
fn the_help_says_what_the_example_does() {
    let help = Folder::new().good("ensemble --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/ensembles");
    let debris = std::fs::read_to_string(format!("{shipped}/tumbling-debris.toml")).unwrap();
    assert!(debris.contains("count = 10000") && debris.contains("times = [0.0, 100.0, 1e6]"));
    for text in [
        "Ten thousand pieces of debris of every shape, at t = 0, 100 and 1e6:",
        "seed is 0 unless given",
        "second moments, (I2 + I3 - I1)/2",
        "The sigma of gaussian is one number or three",
        "allow_unphysical = true",
        "columns with other names are not read",
        "rounded up to whole steps",
        "turn (rad) is the angle between the attitudes at start and end, from 0 to pi",
        "only for what the true motion keeps",
    ] {
        assert!(help.contains(text), "{text}\n{help}");
    }
}
