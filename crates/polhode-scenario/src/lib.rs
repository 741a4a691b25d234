//! Scenarios: a body, its start, what acts on it, the method and the span, as a TOML file.
//!
//! ```toml
//! [body]
//! inertia = [1.0, 5.0, 6.0]         # or a 3x3 tensor; allow_unphysical = true where needed
//! [start]
//! omega = [10.0, 10.0, 10.0]        # or momentum; both in the body frame; or periods, see below
//! attitude = [1.0, 0.0, 0.0, 0.0]   # optional: w, x, y, z, body to space
//! [torque]                          # optional; [[torque]] several times for a sum
//! kind = "heavy-top"                # and its keys, see `torque::TORQUES`
//! [method]                          # optional: without it the motion is solved to a tolerance
//! id = "rkn6-14+exact"              # and its parameters: as keys, or in the id
//! step = 0.01
//! [run]
//! until = 100.0                     # from t = 0
//! every = 10                        # optional, of steps: keep every tenth
//! [output]                          # optional
//! files = ["top.csv", "top.aem"]    # written under out/
//! [output.aem]                      # needed for .aem
//! object_name = "TOP"
//! object_id = "2026-001A"
//! start_epoch = "2026-01-01T00:00:00"
//! ref_frame_a = "EME2000"           # these three, and `rates`, have defaults: see `Aem`
//! ref_frame_b = "SC_BODY_1"
//! time_system = "UTC"
//! rates = false
//! ```
//!
//! Whatever else stands in a file is an error, and every error says where it is and what is allowed.
//!
//! # Quantities as people have them
//! In the place of plain numbers may stand a table whose keys say what the numbers are:
//! - angular velocity with its unit, `omega = { deg_per_s = [5, 3, 0] }`, also `rpm` and `rad_per_s` (the unit of
//!   time is a second then);
//! - attitude as `{ wxyz = [..] }`, `{ xyzw = [..] }`, `{ matrix = [[..], [..], [..]] }` (body to space),
//!   `{ euler_deg = [30, 10, 0], sequence = "zyx" }` (turns about the body's axes, one after the other),
//!   `{ axis = [0, 0, 1], angle_deg = 90 }`; also `euler_rad` and `angle_rad`;
//! - observed periods, `periods = { rotation = 5.41, precession = 7.35 }` in the place of `omega`: of the turn
//!   about the long axis (or the short one) and of that axis about the momentum, see [`polhode::periods`]; with
//!   `mode = "long-axis"` or `"short-axis"` where both have these periods;
//! - inertia of a body of uniform density, `{ box = [..], mass = .. }` (lengths of its edges),
//!   `{ ellipsoid = [..], mass = .. }` (semi-axes), `{ cylinder = [radius, height], mass = .. }` (about the third
//!   axis); of points, `{ points = [[mass, x, y, z], ..] }`; of a closed surface in a file beside the scenario,
//!   `{ mesh = "part.stl", density = .. }`, also `.obj`, also with `mass` in the place of the density, and with
//!   `scale`, by which coordinates are multiplied (0.001 for millimetres). The tensor is about the centre of mass,
//!   with minus the integrals of xy, yz, zx off its diagonal.
//!
//! A number may be a fraction as a text, `step = "1/60"`.
//!
//! # Solutions to a tolerance
//! Without `[method]` a free body is evaluated in closed form, a torqued one is solved to
//! `[run] tolerance` (1e-10 unless given): the error wanted at the end, of the momentum relative to its
//! length and of the attitude in radians. `[method] id` may name one of the solvers
//! ([`SolveMethod`](polhode::solve::SolveMethod)); they have no step. Rows are wanted at times:
//! `interval = 0.5` is one every half unit of time, and one at the end; `times = [1.0, 2.5]`, or
//! `times = "times.txt"` for a file beside the scenario, are those alone, and then `until` may be left
//! out. With neither there are a thousand equal intervals. `stops = [3.0]` are times at which the torque
//! jumps: a step ends there.
//!
//! With a fixed step rows are steps: `interval` must be a whole number of steps then.
//!
//! # Torques that a text or a table says
//! `kind = "formula"` with `torque = ["-k*w1", "0", "sin(t)"]` and `constants = { k = 0.1 }` is any torque that
//! [`polhode::formula`] can read. `kind = "table"` has `rows = [[t, x, y, z], ..]`, or `rows = "thrust.csv"` for a
//! file beside the scenario with such lines; `interpolation` is "linear", "hold" or "spline", and `beyond`
//! says what holds outside the rows: "error", "hold" or "zero". `kind = "dipole"` has a `field` that is three
//! numbers, three expressions, rows, or the name of a file with rows.
//!
//! # What to watch
//! `[watch]` names numbers, which become columns of every table, and comparisons, of which the summary tells
//! from when to when they hold. They are formulas in which [`polhode::observe::TERMS`] may stand: `off_nadir
//! = "deg(angle(z, nadir))"`, `pointing = "off_nadir < 10"`, `light = "area_box(1, 2, 4, sun)"`.
//! `[directions] sun = [0.2, 0.9, 0.4]` names a vector of space: three numbers, three expressions, rows `[t,
//! x, y, z]`, or a file of such. `[run] stop_when = "norm(omega) > 3"` ends the run when that becomes true;
//! one that is true at the start must become false first. In an ensemble comparisons are columns too, of 1 and 0, and
//! nothing stops.
//!
//! # Orbits, wheels and controllers
//! `[orbit]` is shared by the torques on it: `rate`, `normal`, `towards`, `eccentricity`, `anomaly`, and of the
//! planet's magnetic field `strength`, `axis`, `pole` and `spin`, which `kind = "dipole"` with `field = "orbit"` is in.
//! `[[wheel]]` has `axis`, `inertia` and `speed`, and where its speed can change `driven = true`, `torque`,
//! `torque_limit`, `speed_limit`, `viscous_friction` or `coulomb_friction`; `[dissipation]` has `rate` or
//! `quality_factor`, `[damper]` `inertia` and `coefficient`; the inertia of the body may be three expressions of t, or
//! rows `[t, I1, I2, I3]` with a spline through them, or `{ rows = .., interpolation = .., beyond = .. }` with rows or
//! the name of a file. `[[controller]]` has `kind` ("b-dot", "pd-quaternion", "momentum-dump"), `period`, `delay` and
//! the keys of its kind. All of them but wheels at constant speed need a method with a step. See
//! [`polhode::inside`] and [`polhode::control`].
//!
//! # Parameters of methods
//! `id = "strang+semi-exact"` with `nodes = 5` is `strang+semi-exact:nodes=5`. The keys of a pair go
//! to whichever of scheme and rotor knows them. One that both know must be written in the id:
//! `strang:compensated+exact`.
//!
//! # Methods of one's own
//! `stages = [["kick", 0.5], ["drift", 1.0], ["kick", 0.5]]` with `order` and `rotor` in the place of
//! `id` is a splitting with these coefficients; `["gradient", b, c]` is a kick with a gradient
//! ([`Stage::Gradient`]). `coefficients = "mine.csv"` reads them from a file beside the scenario, with
//! lines like `kick,0.5`. `tableau = { a = .., b = .., c = .. }` with `order` is a Runge-Kutta method.
//! `id`, if given, is their name in results. The order is believed; `polhode compare` measures it.
//!
//! [`Stage::Gradient`]: polhode::composition::Stage::Gradient
//!
//! # Overrides
//! `key=value` with a dotted key and a TOML value (quotes may be left out around a word) changes a
//! scenario before it is checked: `method.step=0.1`, `body.inertia=[1,2,3]`,
//! `torque={kind="damping", coefficient=0.1}`; of `[[torque]]` one by its number, `torque.2.coefficient=0.1`.
//! What an override excludes goes: `start.momentum` where `start.omega` is set, the parameters in the file
//! for another `method.id` or `torque.kind` than the one set, the other ways to choose rows where
//! `run.every`, `run.interval` or `run.times` is set, a method of fixed steps where `run.tolerance` is set,
//! and the tolerance where such a method is.

mod control;
mod document;
mod ensemble;
mod epoch;
mod error;
mod fault;
mod field;
mod given;
mod inside;
mod laws;
mod mesh;
mod method;
mod options;
mod output;
mod overrides;
mod own;
mod read;
mod read_many;
pub mod reference;
mod rows;
mod said;
mod scenario;
mod solving;
mod source;
mod tables;
mod torques;
mod watch;

pub use ensemble::{BodySource, EnsembleScenario, Work};
pub use epoch::Epoch;
pub use error::ScenarioError;
pub use fault::ScenarioFault;
pub use mesh::read_mesh;
pub use options::{read_attitude, read_omega, read_shape, read_torque};
pub use output::{AEM_EXTENSION, Aem, Output, TIME_SYSTEMS};
pub use rows::{RowTimes, read_times};
pub use scenario::Scenario;
pub use solving::{Computation, SolutionPlan, Steps};
pub use watch::WatchList;

/// The largest scenario that is read, in bytes.
pub const MAX_BYTES: usize = 1_000_000;
