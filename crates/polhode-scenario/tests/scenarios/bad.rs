//! Bad scenarios: each message has the line, the text at fault, and the remedy.

use polhode_scenario::Scenario;

use crate::{BASE, with_line};

/// A line of the base, what stands there instead, the line of the error, parts of the message.
type Bad = (usize, &'static str, usize, &'static [&'static str]);

#[rustfmt::skip]
const BODY_AND_START: &[Bad] = &[
    (2, "inertia = [1.0, 5.0, -6.0]", 2, &["[body] inertia = [1.0, 5.0, -6.0]: ", "must be positive"]),
    (2, "inertia = [1.0, 5.0, 6.5]", 2, &["no body has these", "allow_unphysical = true in [body]"]),
    (2, "inertia = [[2,1,0],[1,2,0],[0,0,9]]", 2, &["no body has these", "allow_unphysical"]),
    (2, "inertia = [[1,2,0],[3,1,0],[0,0,1]]", 2, &["not symmetric", "entry (1,2) = 2.0 but (2,1) = 3.0"]),
    (2, "inertia = [1.0, 5.0]", 2, &["a list of 2 is not allowed", "three principal moments"]),
    (2, "inertia = [1, 5, 6, 7]", 2, &["a list of 4 is not allowed", "three rows of three"]),
    (2, "inertia = [[1,0,0],[0,1,0]]", 2, &["]: not allowed", "three rows of three"]),
    (2, "inertia = [[1,0,0],[0,1,0],[0,0]]", 2, &["]: not allowed", "three rows of three"]),
    (2, "inertia = [[1,0,0],[0,1,0],3]", 2, &["]: not allowed", "three rows of three"]),
    (2, "inertia = [[1,0,0],[0,1,0],[0,0,'x']]", 2, &["a text at position 9 is not allowed"]),
    (2, "inertia = \"1,5,6\"", 2, &["a text is not allowed", "three principal moments"]),
    (2, "inertia = [1, 5, \"six\"]", 2, &["a text at position 3 is not allowed"]),
    (2, "inertia = [1, 5, nan]", 2, &["[body] inertia", "position 3 is not a number", "finite number"]),
    (2, "inertia = [1, inf, 6]", 2, &["[body] inertia", "position 2 is not finite"]),
    (2, "inertia = [1, 5, 1e999]", 2, &["position 3 overflows", "1.8e308"]),
    (2, "inertia = [1e-999, 5, 6]", 2, &["position 1 underflows to zero"]),
    (2, "inertai = [1, 5, 6]", 2, &["[body] inertai = [1, 5, 6]: no key 'inertai'", "did you mean 'inertia'?"]),
    (2, "mass = 3", 2, &["no key 'mass'", "known: inertia, allow_unphysical"]),
    (2, "allow_unphysical = true", 1, &["[body]: 'inertia' is missing", "three principal moments"]),
    (2, "inertia = [1, 5, 6]\nallow_unphysical = 1", 3, &["[body] allow_unphysical = 1: ", "true or false"]),
    (4, "omega = [10, 10]", 4, &["[start] omega = [10, 10]: a list of 2", "three numbers"]),
    (4, "omega = 10", 4, &["a number is not allowed", "three numbers"]),
    (4, "omega = [10, -nan, 10]", 4, &["[start] omega", "position 2 is not a number"]),
    (4, "momentum = [inf, 0, 0]", 4, &["[start] momentum", "position 1 is not finite"]),
    (4, "omega = [1e308, 0, 1e308]", 4, &["times the inertia is beyond the range", "other units"]),
    (4, "momentum = [1e200, 0, 0]", 4, &["the kinetic energy is beyond the range", "other units"]),
    (4, "omega = [1,1,1]\nmomentum = [1,1,1]", 5, &["'momentum' and 'omega' exclude each other", "keep one"]),
    (4, "", 3, &["[start]: 'omega' is missing", "(or give 'momentum' or 'periods')"]),
    (4, "velocity = [1, 2, 3]", 4, &["no key 'velocity'", "known: omega, momentum, periods, attitude"]),
    (5, "attitude = [0, 0, 0, 0]", 5, &["[start] attitude", "of length zero", "not all zero"]),
    (5, "attitude = [1, 0, 0]", 5, &["a list of 3 is not allowed", "four numbers (w, x, y, z)"]),
    (5, "atitude = [1, 0, 0, 0]", 5, &["did you mean 'attitude'?"]),
];

#[rustfmt::skip]
const TORQUE_AND_METHOD: &[Bad] = &[
    (7, "kind = \"heavytop\"", 7, &["[torque] kind = \"heavytop\": no torque 'heavytop'", "did you mean 'heavy-top'?"]),
    (7, "kind = \"wind\"", 7, &["no torque 'wind'", "known: none, heavy-top"]),
    (7, "kind = 3", 7, &["a number is not allowed", "one of none, heavy-top"]),
    (7, "", 6, &["[torque]: 'kind' is missing", "one of none, heavy-top"]),
    (7, "kind = \"damping\"", 8, &["damping: no key 'up'", "known: coefficient"]),
    (8, "centr = [0, 0, 1]", 8, &["heavy-top: no key 'centr'", "did you mean 'centre'?"]),
    (8, "up = [0, 0, 0]", 8, &["[torque] up = [0, 0, 0]: ", "not all zero"]),
    (8, "up = [0, 1]", 8, &["heavy-top: up = [0.0, 1.0] is not allowed", "three finite numbers"]),
    (8, "up = [0, nan, 1]", 8, &["[torque] up", "position 2 is not a number"]),
    (8, "up = true", 8, &["true or false is not allowed", "three finite numbers"]),
    (8, "up = [0, 0, 1e200]\ncentre = [1e200, 0, 0]", 9, &["centre = [1e200, 0.0, 0.0] times up is beyond the range"]),
    (7, "kind = \"gravity-gradient\"\nnormal = [1, 0, 0]\nrate = 1\n[[x]]", 10, &["[x]: no section 'x'"]),
    (7, "kind = \"gravity-gradient\"\nrate = 1\neccentricity = 1.0\n[directions]", 9, &["[torque] eccentricity = 1.0: gravity-gradient: ", "from 0 to below 1"]),
    (8, "[orbit]\nrate = 1", 8, &["[orbit]: nothing is on this orbit; give [torque] kind = \"gravity-gradient\""]),
    (8, "rate = 1\n[orbit]\nexcentricity = 0.1", 10, &["[orbit] excentricity = 0.1: no key 'excentricity'", "did you mean 'eccentricity'?"]),
    (7, "kind = \"heavy-top\"\n[[wheel]]\naxis = [0, 0, 0]\ninertia = 0.1\n[directions]", 9, &["[wheel] axis = [0, 0, 0]: wheel: axis = [0.0, 0.0, 0.0] is not allowed", "not all zero"]),
    (7, "kind = \"heavy-top\"\n[[wheel]]\naxis = [0, 0, 1]\ninertia = 9\ndriven = true\n[directions]", 8, &["[wheel]: the inertia of the body less that of the wheels", "must be positive"]),
    (7, "kind = \"heavy-top\"\n[wheel]\naxis = [0, 0, 1]\ninertia = 0.1\nspeed = 5\nspeed_limit = 4\n[directions]", 11, &["[wheel] speed = 5: ", "no more than the speed_limit"]),
    (7, "kind = \"heavy-top\"\n[wheel]\naxis = [0, 0, 1]\n[directions]", 8, &["[wheel]: 'inertia' is missing"]),
    (7, "kind = \"heavy-top\"\n[dissipation]\nrate = -1\n[directions]", 9, &["[dissipation] rate = -1: ", "not negative"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"b-dot\"\nperiod = 1\ngain = 1\n[directions]", 8, &["[controller]: controller: there is no magnetic field", "[orbit] strength"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pid\"\nperiod = 1\n[directions]", 9, &["[controller] kind = \"pid\": ", "one of b-dot, pd-quaternion, momentum-dump"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pd-quaternion\"\nperiod = 0\ntarget = [1,0,0,0]\nstiffness = 1\ndamping = 1\nactuator = \"torque\"\n[directions]", 10, &["[controller] period = 0: controller: period = 0.0 is not allowed"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pd-quaternion\"\nperiod = 1\ntarget = \"nadir\"\nstiffness = 1\ndamping = 1\nactuator = \"torque\"\n[directions]", 11, &["there is no nadir without an orbit"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pd-quaternion\"\nperiod = 1\ntarget = [1,0,0,0]\nstiffness = 1\ndamping = 1\nactuator = \"wheels\"\n[directions]", 14, &["the axes of the driven wheels lie in a plane, or there are none"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pd-quaternion\"\nperiod = 1\ntarget = \"nadr\"\nstiffness = 1\ndamping = 1\nactuator = \"torque\"\n[directions]", 11, &["[controller] target = \"nadr\": ", "\"nadir\", or four numbers (w, x, y, z)"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pd-quaternion\"\nperiod = 1\ntarget = 3\nstiffness = 1\ndamping = 1\nactuator = \"torque\"\n[directions]", 11, &["[controller] target = 3: ", "\"nadir\", or four numbers (w, x, y, z)"]),
    (7, "kind = \"heavy-top\"\n[controller]\nkind = \"pd-quaternion\"\nperiod = 1\ntarget = [1,0,0,0]\nstiffness = 1\ndamping = 1\nactuator = \"thrusters\"\nthrust = [1,1,1]\nshortest_pulse = 2\n[directions]", 16, &["[controller] shortest_pulse = 2: controller: shortest_pulse = 2.0 is not allowed; allowed is no more than the period"]),
    (7, "kind = \"magnetic-dipole\"\ndipole = [0, 0, 1]\nfield = [0, 0, 1]\n[controller]\nkind = \"momentum-dump\"\nperiod = 1\ngain = 1\n[directions]", 10, &["[controller]: controller: there are no wheels to take momentum from"]),
    (2, "inertia = [\"1\", \"1 + t\", \"3 + t\"]", 2, &["[body] inertia = [\"1\", \"1 + t\", \"3 + t\"]: ", "no body has these"]),
    (2, "inertia = { rows = [[0, 1, 2, 2], [1, 1, 2, 2]], interpolation = \"cubic\" }", 2, &["interpolation = \"cubic\"", "one of spline, linear, hold"]),
    (2, "inertia = { rows = [[0, 1, 2, 2], [1, 1, 2, 2]], beyond = \"zero\" }", 2, &["beyond = \"zero\"", "error or hold"]),
    (2, "inertia = { rows = [[0, 1, 2, 2]] }", 2, &["rows = [[0, 1, 2, 2]]", "two rows [t, I1, I2, I3] or more"]),
    (2, "inertia = { rows = \"moments.csv\" }", 2, &["only a scenario that is read from a file can name another"]),
    (8, "[watch]\nfast = \"wheel_speed(2)\"", 9, &["there is no wheel 2; there are 0"]),
    (8, "[[torque]]\nkind = \"none\"", 8, &["'torque' is given a second time", "keep one"]),
    (10, "id = \"rkn6-14b+exact\"", 10, &["[method] id = \"rkn6-14b+exact\": no scheme 'rkn6-14b'", "did you mean 'rkn6-14'?"]),
    (10, "id = \"rkn6-14+exakt\"", 10, &["no rotor 'exakt'", "did you mean 'exact'?"]),
    (10, "id = \"leapfrog\"", 10, &["no method 'leapfrog'", "known: "]),
    (10, "id = \"\"", 10, &["id = \"\": not allowed", "a method, e.g. \"rkn6-14+exact\""]),
    (10, "id = 4", 10, &["a number is not allowed", "a method"]),
    (10, "id = \"exact\"\n[other]", 11, &["[other]: no section 'other'", "known: body, start, torque"]),
    (10, "", 9, &["[method]: 'id' is missing", "a method"]),
    (10, "id = \"dop853\"", 12, &["[method] step = 0.01: not wanted here", "[run] tolerance"]),
    (10, "id = \"rkn6-14+exact\"", 11, &["[method] nodes = 5: no key 'nodes'", "known: id, step, compensated"]),
    (11, "nods = 5", 11, &["no key 'nods'", "did you mean 'nodes'?"]),
    (11, "nodes = 50", 11, &["semi-exact: nodes = '50' is not allowed", "a whole number, 1 to 10"]),
    (11, "nodes = 2.5", 11, &["nodes = '2.5' is not allowed", "a whole number"]),
    (11, "nodes = \"5:frame=x\"", 11, &["nodes = '5:frame=x' is not allowed", "a whole number"]),
    (11, "nodes = [5]", 11, &["nodes = 'a list' is not allowed", "a whole number"]),
    (11, "compensated = 1", 11, &["[method] compensated = 1: a number is not allowed", "true or false"]),
    (12, "step = 0.0", 12, &["[method] step = 0.0: must be finite and not zero"]),
    (12, "step = nan", 12, &["[method] step = nan: it is not a number", "finite number"]),
    (12, "step = \"small\"", 12, &["a text is not allowed", "a number, not zero"]),
    (12, "", 9, &["[method]: 'step' is missing", "a number, not zero"]),
    (12, "step = -0.01", 14, &["[run] until = 1.0: ", "not be before the start", "change the sign"]),
    (12, "step = 1e-300", 14, &["more than 1e15 steps of 1e-300", "larger step"]),
];

#[rustfmt::skip]
const RUN_AND_OUTPUT: &[Bad] = &[
    (13, "[rum]", 13, &["[rum]: no section 'rum'", "did you mean 'run'?"]),
    (13, "[body]", 13, &["'body' is given a second time", "keep one"]),
    (14, "until = -1.0", 14, &["[run] until = -1.0: ", "not be before the start"]),
    (14, "until = inf", 14, &["[run] until = inf: it is not finite"]),
    (14, "until = 1.0\nuntil = 2.0", 15, &["'until' is given a second time", "keep one"]),
    (14, "", 13, &["[run]: 'until' is missing", "the time of the end"]),
    (14, "till = 1.0", 14, &["no key 'till'", "known: until, every"]),
    (14, "until =", 14, &["the value is missing after '='"]),
    (14, "until 1.0", 14, &["until 1.0: neither a section nor a key with its value", "key = value"]),
    (14, "until = 01", 14, &["until = 01: no number", "1e-6"]),
    (14, "until = 1..2", 14, &["until = 1..2: no number"]),
    (14, "until = 1.5s", 14, &["until = 1.5s: no number"]),
    (14, "until = 1/60", 14, &["until = 1/60: no value", "a fraction is a text, \"1/60\""]),
    (14, "until = ten", 14, &["until = ten: no value", "\"a text\""]),
    (14, "until = 1 every = 3", 14, &["more than one thing on a line"]),
    (14, "un til = 1", 14, &["un til = 1: neither a section"]),
    (14, "until = { a = 1, b = 2", 15, &["a table in braces is not closed before this", "{ key = 1, other = 2 }"]),
    (14, "until = { a = 1 b = 2 }", 14, &["commas between those in braces"]),
    (14, "until = [1 2]", 14, &["no value; values are ", "[1, 2, 3]"]),
    (14, "until = [1, 2", 15, &["a list is not closed before this, or has a comma too few"]),
    (14, "until = \"a\\q\"", 14, &["a character or an escape that no text has"]),
    (14, "until = 'a", 14, &["a text is not closed"]),
    (14, "ü = 1", 14, &["no key; keys are made of letters"]),
    (14, "until = 2026-13-01T00:00:00", 14, &["until = 2026-13-01T00:00:00: "]),
    (15, "every = 0", 15, &["[run] every = 0: not allowed", "a whole number from 1"]),
    (15, "every = -3", 15, &["a whole number from 1"]),
    (15, "every = 2.5", 15, &["a whole number from 1"]),
    (15, "every = \"ten\"", 15, &["a text is not allowed", "a whole number from 1"]),
    (15, "tolerance = 1e-8", 15, &["[run] tolerance = 1e-8: not wanted here", "leave out [method]"]),
    (15, "times = [0.5]", 15, &["[run] times = [0.5]: not wanted here", "'every' or 'interval'"]),
    (15, "stops = [0.5]", 15, &["[run] stops = [0.5]: not wanted here", "leave out [method]"]),
    (15, "interval = 0.015", 15, &["[run] interval = 0.015: not allowed", "a whole number of steps of 0.01"]),
    (15, "interval = 0", 15, &["[run] interval = 0: not allowed", "a positive number"]),
    (15, "every = 2\ninterval = 0.1", 16, &["'interval' and 'every' exclude each other"]),
    (17, "files = \"a.csv\"", 17, &["[output] files", "a list of file names"]),
    (17, "files = [\"a\"]", 17, &["a text at position 1 is not allowed", "the extension says the format"]),
    (17, "files = [\"a.csv\", \"../b.csv\"]", 17, &["position 2", "relative to out/"]),
    (17, "files = [\"/elsewhere/a.csv\"]", 17, &["position 1", "relative to out/"]),
    (17, "files = [\"a.csv\", \"a.csv\"]", 17, &["position 2", "each once"]),
    (17, "files = [1]", 17, &["a number at position 1"]),
    (17, "file = [\"a.csv\"]", 17, &["no key 'file'", "did you mean 'files'?"]),
    (18, "[output.eam]", 18, &["[output.eam]: no key 'eam'", "did you mean 'aem'?"]),
    (19, "object_name = 7", 19, &["[output.aem] object_name = 7: a number is not allowed", "a text"]),
    (19, "object_name = \"\"", 19, &["1 to 200 printable characters"]),
    (19, "object_nam = \"X\"", 19, &["did you mean 'object_name'?"]),
    (20, "", 18, &["[output.aem]: 'object_id' is missing"]),
    (20, "object_id = \"A\"\ntime_system = \"UCT\"", 21, &["\"UCT\": not allowed", "one of UTC, TAI"]),
    (20, "object_id = \"Ä\"", 20, &["a text in ASCII"]),
    (20, "object_id = \"A\"\nrates = \"yes\"", 21, &["a text is not allowed", "true or false"]),
    (21, "start_epoch = \"1 January 2026\"", 21, &["[output.aem] start_epoch", "2026-01-31T12:00:00"]),
    (21, "start_epoch = 2026-02-30T00:00:00", 21, &["start_epoch"]),
    (21, "", 18, &["'start_epoch' is missing", "2026-01-31T12:00:00"]),
];

/// Whole texts.
#[rustfmt::skip]
const TEXTS: &[(&str, usize, &[&str])] = &[
    ("", 1, &["nothing in it", "[body], [start] and [run]"]),
    ("\n\n# nothing\n", 1, &["nothing in it"]),
    ("inertia = [1, 2, 3]\n", 1, &["inertia = [1, 2, 3]: stands in no section", "[body]"]),
    ("body = 3\n", 1, &["body = 3: a number is not allowed", "a section [body]"]),
    ("[body]\ninertia = [1, 2, 3]\n\n\n", 2, &["section [start] is missing", "omega"]),
    ("body = {\n inertia = [1,\n 2, 3]\n}\nstart.omega = [1, 2,\n 3]\n\nmethod = []\n", 8, &["method = []: a list", "[method]"]),
    ("body.inertia = [1, 2, 3", 1, &["a list is not closed", "[1, 2, 3]"]),
    ("[body\ninertia = [1, 2, 3]\n", 1, &["[body: the name of a section is not closed", "[name]"]),
    ("[body]\ninertia = [1, 2, 3]\nname = \"x\n", 3, &["name = \"x: a text is not closed"]),
    ("[body]\r\ninertia = [1, 2, 3]\r\n[start]\r\nomega = 1\r\n[method]\r\n[run]\r\n", 4, &["[start] omega = 1: "]),
    ("\u{feff}[body]\ninertia = 1\n[start]\n[method]\n[run]\n", 2, &["[body] inertia = 1: "]),
    ("\"a\\nb\" = 1", 1, &["a b = 1: stands in no section"]),
    ("[\"\\u001b[31m\"]\n", 1, &["no section"]),
];

fn check(text: &str, line: usize, parts: &[&str]) {
    let Err(error) = Scenario::parse(text, "bad.toml") else { panic!("accepted:\n{text}") };
    let message = error.to_string();
    assert_eq!(error.line(), Some(line), "{message}\n{text}");
    assert!(error.column().is_some_and(|c| c >= 1), "{message}");
    assert!(message.starts_with(&format!("bad.toml:{line}: ")), "{message}");
    assert!(!message.contains(char::is_control) && message.len() < 600, "{message}");
    assert!(!message.contains("expected"), "the words of a parser: {message}");
    for part in parts {
        assert!(message.contains(part), "{message}\nhas not: {part}");
    }
}

#[test]
fn the_base_is_good() {
    let scenario = Scenario::parse(BASE, "base.toml").expect("the base");
    assert_eq!(scenario.method_id(), "rkn6-14+semi-exact:nodes=5");
    assert_eq!((scenario.steps().unwrap().plan.steps, scenario.steps().unwrap().every), (100, 10));
}

#[test]
fn every_bad_line_is_named_with_its_remedy() {
    let tables = [BODY_AND_START, TORQUE_AND_METHOD, RUN_AND_OUTPUT];
    assert!(tables.iter().map(|t| t.len()).sum::<usize>() >= 45);
    for (number, new, line, parts) in tables.into_iter().flatten() {
        check(&with_line(*number, new), *line, parts);
    }
}

/// Torques that a text or a table says, the line of the error, parts of the message.
#[rustfmt::skip]
const GIVEN: &[(&str, usize, &[&str])] = &[
    ("kind = \"formula\"\ntorque = [\"0\",\n \"2*omga\", 0]", 10, &["[torque] torque = \"2*omga\": ", "component 2: at column 3: no name 'omga'", "\n    2*omga\n      ^"]),
    ("kind = \"formula\"\ntorque = [\"t\"]", 9, &["not allowed; allowed is three expressions"]),
    ("kind = \"formula\"\ntorque = [\"t\", true, 0]", 9, &["true or false at position 2 is not allowed"]),
    ("kind = \"formula\"", 7, &["'torque' is missing", "three expressions"]),
    ("kind = \"formula\"\ntorque = [\"t\", 0, 0]\nconstants = 3", 10, &["a number is not allowed", "{ a = 1.5, .. }"]),
    ("kind = \"formula\"\ntorque = [\"t\", 0, 0]\nconstants = { a = 'x' }", 10, &["[torque.constants] a = 'x': a text is not allowed"]),
    ("kind = \"formula\"\ntorque = [\"t\", 0, 0]\nconstants = { t = 1 }", 9, &["constant 't' has a meaning already"]),
    ("kind = \"table\"\nrows = [[0, 1, 2, 3]]", 9, &["1 row; a table has two at least"]),
    ("kind = \"table\"\nrows = [[0, 1, 2, 3], [1, 2]]", 9, &["row 2 has 2 numbers", "t, x, y, z"]),
    ("kind = \"table\"\nrows = [[0, 1, 2, 3], 4]", 9, &["a number at position 2 is not allowed"]),
    ("kind = \"table\"\nrows = [[1, 0, 0, 0], [0, 0, 0, 0]]", 9, &["row 2 is at t = 0.0, not later than t = 1.0", "sort the rows"]),
    ("kind = \"table\"\nrows = [[0, 0, 0, 0], [0.5, 0, 0, 0]]", 7, &["goes from t = 0.0 to 0.5, and t = 1.0 is wanted", "beyond = \"hold\""]),
    ("kind = \"table\"\nrows = [[0.5, 0, 0, 0], [2, 0, 0, 0]]", 7, &["goes from t = 0.5 to 2.0, and t = 0.0 is wanted"]),
    ("kind = \"table\"\nrows = \"t.csv\"", 9, &["only a scenario that is read from a file", "the rows themselves"]),
    ("kind = \"table\"\nrows = [[0, 0, 0, 0], [9, 0, 0, 0]]\nbeyond = \"stop\"", 10, &["error or hold or zero"]),
    ("kind = \"dipole\"\ndipole = [1, 0, 0]\nfield = [\"x\", 0, 0]", 10, &["no name 'x'"]),
    ("kind = \"formula\"\ntorque = [\"1/t\", 0, 0]", 7, &["the torque at the start is [inf, 0.0, 0.0]: divided by zero"]),
];

#[test]
fn every_bad_formula_and_table_is_named_with_its_place() {
    for (lines, line, parts) in GIVEN {
        let text = format!(
            "[body]\ninertia = [1, 2, 2.5]\n[start]\nomega = [1, 2, 3]\n[run]\nuntil = 1\n[torque]\n{lines}\n"
        );
        let error = Scenario::parse(&text, "bad.toml").expect_err("accepted");
        let message = error.to_string();
        assert_eq!(error.line(), Some(*line), "{message}\n{text}");
        for part in *parts {
            assert!(message.contains(part), "{message}\nhas not: {part}");
        }
    }
}

/// Lines in the place of the end of a solution, the line of the error, parts of the message.
#[rustfmt::skip]
const SOLUTIONS: &[(&str, usize, &[&str])] = &[
    ("until = 1\nevery = 10", 8, &["[run] every = 10: not wanted here", "'interval' and 'times'"]),
    ("until = 1\ntolerance = 0", 8, &["[run] tolerance = 0: not allowed", "from 1e-14 to 0.1"]),
    ("until = 1\ntolerance = 1e-15", 8, &["from 1e-14 to 0.1"]),
    ("until = 1\ntolerance = \"fine\"", 8, &["a text is not allowed", "the error wanted at the end"]),
    ("until = 1\ninterval = -1", 8, &["[run] interval = -1: not allowed", "a positive number"]),
    ("until = 1\ninterval = 1e-9", 8, &["no more than 1e8 rows until 1.0"]),
    ("until = 1\ntimes = []", 8, &["[run] times = []: not allowed", "one at least"]),
    ("until = 1\ntimes = 3", 8, &["[run] times = 3: not allowed", "a list of times"]),
    ("until = 1\ntimes = [0.5, 0.5]", 8, &["0.5 at position 2 is not allowed", "follow each other"]),
    ("until = 1\ntimes = [0.5, 2]", 8, &["2.0 at position 2 is not allowed", "from 0.0 to 1.0"]),
    ("until = 1\ntimes = [-0.5, 0.5]", 8, &["-0.5 at position 1 is not allowed"]),
    ("until = -1\ntimes = [0.5]", 8, &["0.5 at position 1 is not allowed", "from 0.0 to -1.0"]),
    ("until = 1\ntimes = [0.5, \"x\"]", 8, &["a text at position 2 is not allowed"]),
    ("until = 1\ntimes = [nan]", 8, &["position 1 is not a number"]),
    ("until = 1\ntimes = [1]\ninterval = 1", 8, &["'times' and 'interval' exclude each other"]),
    ("until = 1\ntimes = \"t.txt\"", 8, &["only a scenario that is read from a file", "the times themselves"]),
    ("until = 1\nstops = [0.5, 0.2]", 8, &["[run] stops", "0.2 at position 2 is not allowed"]),
    ("until = inf", 7, &["[run] until = inf: it is not finite"]),
    ("interval = 1", 6, &["[run]: 'until' is missing"]),
    ("until = 1e300", 7, &["[run] until = 1e300: "]),
    ("until = 1\n[method]\nid = \"closed-form\"\n[torque]\nkind = \"heavy-top\"", 9, &["id = \"closed-form\": this is for free bodies"]),
    ("until = 1\n[method]\nid = \"extrapolation\"\norder = 8", 10, &["no key 'order'", "known: id"]),
];

#[test]
fn every_bad_solution_is_named_with_its_remedy() {
    for (lines, line, parts) in SOLUTIONS {
        let text = format!(
            "[body]\ninertia = [1, 2, 2.5]\n\n[start]\nomega = [1, 2, 3]\n[run]\n{lines}\n"
        );
        check(&text, *line, parts);
    }
}

#[test]
fn every_bad_text_is_named_with_its_remedy() {
    for (text, line, parts) in TEXTS {
        check(text, *line, parts);
    }
}

#[test]
fn missing_sections_are_named() {
    for name in ["body", "start", "run"] {
        let mut keep = true;
        let text: String = BASE
            .lines()
            .filter(|line| {
                if line.starts_with('[') {
                    keep = *line != format!("[{name}]");
                }
                keep
            })
            .fold(String::new(), |text, line| text + line + "\n");
        check(
            &text,
            text.lines().count(),
            &[&format!("section [{name}] is missing; it must have ")],
        );
    }
}
