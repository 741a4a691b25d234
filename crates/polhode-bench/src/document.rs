//! `docs/performance.md`: the ratios first, and what falls short of its target said plainly.

mod elliptic;
mod engines;
mod ensembles;

pub(crate) use elliptic::elliptic;

use std::fmt::Write;

use crate::bodies::PAPERS;
use crate::report::{Point, Report};
use crate::targets::{Bound, TARGETS};

/// What a file begins with, the one about elliptic functions or the other.
pub(crate) fn written(elliptic: bool) -> String {
    let option = if elliptic { "--elliptic --python " } else { "" };
    format!("<!-- Written by `cargo xtask bench {option}--write`; do not edit. -->\n\n")
}

/// The whole document.
pub(crate) fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(&mut out, report);
    polhode_testkit::markdown::wrap(&out)
}

fn write_all(out: &mut String, report: &Report) -> std::fmt::Result {
    let machine = &report.machine;
    writeln!(out, "# Performance\n")?;
    in_short(out, report)?;
    writeln!(
        out,
        "Everything that is compared ran interleaved in one process, in short rounds, of which the shortest \
         counts; a ratio is cost over cost, less is better, except for `threads`, where it is the gain. \
         Times are of one machine ({}, {}, {} cores, {} doubles to a register) and mean little; the ratios \
         are what to look at. The papers are those listed in [notation.md](notation.md).\n",
        machine.architecture,
        if machine.features.is_empty() {
            "no extensions".into()
        } else {
            machine.features.join(", ")
        },
        machine.cores,
        machine.lanes,
    )?;
    if let Some(load) = machine.load.filter(|load| *load > 0.5) {
        writeln!(
            out,
            "The machine was not idle (load {load:.1} on {} cores): minima of short rounds hardly suffer, but \
             what needs all cores at once does (threads, scaling, all-core rates).\n",
            machine.cores
        )?;
    }
    targets(out, report)?;
    rotors(out, report)?;
    bodies(out, report)?;
    tops(out, report)?;
    methods(out, report)?;
    engines::write(out, report)?;
    free(out, report)?;
    special(out, report)?;
    ensembles::write(out, report)?;
    if !report.skipped.is_empty() {
        writeln!(out, "## Not measured\n")?;
        for line in &report.skipped {
            writeln!(out, "- {line}")?;
        }
    }
    Ok(())
}

/// What a user wants to know first.
fn in_short(out: &mut String, report: &Report) -> std::fmt::Result {
    let time = |key: &str| report.nanoseconds.get(key).copied();
    if let (Some(exact), Some(at), Some(new)) =
        (time("exact@0.01"), time("at"), time("FreeMotion::new"))
    {
        writeln!(
            out,
            "- One free body: an exact step takes {exact:.0} ns; a motion is set up in {:.1} µs and then known at \
             any time, however late, in {at:.0} ns.",
            1e-3 * new
        )?;
    }
    let per_step = |what: &str| time(&format!("ensemble: a step of {what}"));
    if let (Some(free), Some(satellites)) =
        (per_step("exact, none"), per_step("strang+exact, gravity-gradient"))
    {
        writeln!(
            out,
            "- A million bodies through a thousand steps, on {} cores: {free:.0} s free, {satellites:.0} s in \
             the gradient of a planet's gravity (`strang+exact`).",
            report.machine.cores
        )?;
    }
    let mut faster: Vec<String> = Vec::new();
    for point in report.work_precision.iter().filter(|point| is_peer(&point.method)) {
        let same = |p: &&Point| p.problem == point.problem && p.wanted == point.wanted;
        let mut ours = report.work_precision.iter().filter(same).filter(|p| !is_peer(&p.method));
        if ours.all(|ours| point.nanoseconds < ours.nanoseconds) {
            faster.push(format!("{} on {} to {:e}", point.method, point.problem, point.wanted));
        }
    }
    if !faster.is_empty() {
        writeln!(out, "- Where others are faster: {}.", faster.join(", "))?;
    }
    writeln!(out)
}

fn targets(out: &mut String, report: &Report) -> std::fmt::Result {
    let busy = report.machine.load.is_some_and(|load| load + 1.0 > report.machine.cores as f64);
    writeln!(
        out,
        "## Targets\n\n| ratio | what | measured | target | stretch | |\n|---|---|---:|---:|---:|---|"
    )?;
    for target in TARGETS {
        let (key, what) = (target.key, target.what);
        let Some(verdict) = report.targets.get(key) else {
            writeln!(out, "| `{key}` | {what} | – | | | not measured |")?;
            continue;
        };
        let sign = if matches!(target.bound, Bound::AtLeast(_)) { "≥" } else { "≤" };
        let bound =
            |x: Option<f64>| x.map_or_else(String::new, |x| format!("{sign} {}", number(x)));
        let word = match (verdict.met, verdict.stretch_met) {
            (Some(false), _) if busy && key.starts_with("threads") => {
                "falls short, on a busy machine"
            }
            (Some(false), _) => "**falls short**",
            (Some(true), Some(true)) => "met, and the stretch",
            (Some(true), _) => "met",
            (None, Some(true)) => "stretch met",
            (None, _) => "stretch not met",
        };
        writeln!(
            out,
            "| `{key}` | {what} | {} | {} | {} | {word} |",
            number(report.ratios[key]),
            bound(verdict.bound),
            bound(verdict.stretch)
        )?;
    }
    let short: Vec<_> = report
        .targets
        .iter()
        .filter(|(_, v)| v.met == Some(false))
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    if short.is_empty() {
        writeln!(out, "\nNo target is missed.\n")
    } else {
        writeln!(out, "\nShort of their targets: {}.\n", short.join(", "))
    }
}

fn rotors(out: &mut String, report: &Report) -> std::fmt::Result {
    const STEPS: [&str; 4] = ["0.01", "0.1", "1", "10"];
    writeln!(
        out,
        "## A step of a free body\n\nI = (0.6, 0.8, 1), |m| = 1. `dmv10` is `dmv` of order 10 solved to \
         round-off by the published iteration, which the ratios of Celledoni & Zanna (8 to 20) and the \
         targets refer to; `dmv10-newton` by Newton's method, the default here, which costs far less for long \
         steps. `rk4` is the bare textbook step on momentum and quaternion. Each cell: nanoseconds, and the ratios to \
         `dmv10` and `rk4`; – where the equation was not solved.\n"
    )?;
    writeln!(
        out,
        "| rotor | {} |\n|---|{}",
        STEPS.map(|h| format!("h = {h}")).join(" | "),
        "---:|".repeat(STEPS.len())
    )?;
    let mut names: Vec<_> =
        report.nanoseconds.keys().filter_map(|k| k.strip_suffix("@0.01")).collect();
    let time = |name: &str, h: &str| report.nanoseconds.get(&format!("{name}@{h}")).copied();
    names.sort_by(|a, b| {
        let cost = |name| time(name, "0.01").unwrap_or(f64::INFINITY);
        cost(a).total_cmp(&cost(b))
    });
    for name in names {
        write!(out, "| `{name}` |")?;
        for h in STEPS {
            let Some(ns) = time(name, h) else {
                write!(out, " – |")?;
                continue;
            };
            let to =
                |other| time(other, h).map_or_else(|| "–".into(), |x| format!("{:.2}", ns / x));
            write!(out, " {ns:.0} ({}, {}) |", to("dmv10"), to("rk4"))?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "\nAs ratios, for the first of which Celledoni & Zanna have 8 to 20:\n\n| | {} |\n|---|{}",
        STEPS.map(|h| format!("h = {h}")).join(" | "),
        "---:|".repeat(STEPS.len())
    )?;
    for pair in ["frb-quaternion/dmv10", "frb-quaternion/dmv10-newton", "exact/frb-quaternion"] {
        let ratios = STEPS.map(|h| {
            let ratio = report.ratios.get(&format!("{pair}@{h}"));
            ratio.map_or_else(|| "–".into(), |ratio| number(*ratio))
        });
        writeln!(out, "| `{pair}` | {} |", ratios.join(" | "))?;
    }
    writeln!(out)
}

/// Ratios whose key begins with the name of a body of the papers.
fn bodies(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(out, "The bodies of the papers, at the papers' steps:\n\n| | ratio |\n|---|---:|")?;
    let of_papers = |key: &str| PAPERS.iter().any(|body| key.starts_with(body.name));
    for (key, ratio) in report.ratios.iter().filter(|(key, _)| of_papers(key)) {
        writeln!(out, "| {key} | {} |", number(*ratio))?;
    }
    writeln!(out)
}

fn tops(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        out,
        "## Work and precision on heavy tops\n\n`top156`: I = (1, 5, 6), ω = (10, 10, 10); `top1000`: I = (1000, \
         5000, 6000), ω = (100, 100, 100); both V = u3, on [0, 1], against a reference of 32 digits. The error \
         is that of the momentum, relative, or of the quaternion, half of an angle, whichever is larger. Every \
         method has the fewest steps, every solver the largest tolerance, that reaches the error asked for; the \
         solvers integrate seven components and keep their own steps, no others. The eight cheapest methods here and \
         all of the others.\n"
    )?;
    for problem in ["top156", "top1000"] {
        work_precision(out, report, problem)?;
    }
    writeln!(
        out,
        "## Solving to a tolerance\n\n`solve` is `Problem::solve`, `called` the same with the torque as a \
         function of the user's behind a pointer, \
         `dop853` our own Dop853 with the model. `solve156` and `solve1000` are \
         the two tops above; `satellite` tumbles through a hundred radians under a gravity gradient; `tops` are a \
         hundred random heavy tops over 30 to 100 radians, with one tolerance for all with which the worst is good \
         enough, and `ensemble` solves them side by side on one thread, as all else here runs on one; `tops10` are \
         the same over 10 to 33 radians, where setting up counts. Every solver has the largest tolerance that \
         reaches the error asked for.\n"
    )?;
    for problem in ["solve156", "solve1000", "satellite", "tops", "tops10"] {
        work_precision(out, report, problem)?;
    }
    Ok(())
}

/// For every error that was asked for on this problem, what reaches it, the cheapest first.
fn work_precision(out: &mut String, report: &Report, problem: &str) -> std::fmt::Result {
    let of_problem = || report.work_precision.iter().filter(|p| p.problem == problem);
    let mut wanted: Vec<f64> = of_problem().map(|p| p.wanted).collect();
    wanted.sort_by(|a, b| b.total_cmp(a));
    wanted.dedup();
    for wanted in wanted {
        let mut points: Vec<&Point> = of_problem().filter(|p| p.wanted == wanted).collect();
        points.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
        let best = points.first().map_or(1.0, |p| p.nanoseconds);
        writeln!(
            out,
            "`{problem}` to {wanted:e}:\n\n| method | cost | µs | with | error |\n|---|---:|---:|---|---:|"
        )?;
        let mut ours = 0;
        for point in points {
            let peer = is_peer(&point.method);
            ours += u32::from(!peer);
            if peer || ours <= 8 {
                let mark = if peer { "**" } else { "`" };
                writeln!(
                    out,
                    "| {mark}{}{mark} | {:.2} | {:.1} | {} | {:.1e} |",
                    point.method,
                    point.nanoseconds / best,
                    point.nanoseconds / 1e3,
                    point.setting,
                    point.error
                )?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Whether a method is somebody else's.
pub(crate) fn is_peer(method: &str) -> bool {
    ["ode_solvers", "differential-equations", "scipy", "heyoka"].contains(&method)
}

fn methods(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        out,
        "## A step of a heavy top\n\nThe top156 above, h = 0.01.\n\n| method | ns | / `rk4` |\n|---|---:|---:|"
    )?;
    let mut rows: Vec<_> = report
        .nanoseconds
        .iter()
        .filter_map(|(key, ns)| Some((key.strip_prefix("top: ")?, *ns)))
        .collect();
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    let rk4 = report.nanoseconds.get("top: rk4").copied().unwrap_or(f64::NAN);
    for (name, ns) in rows {
        writeln!(out, "| `{name}` | {ns:.0} | {:.2} |", ns / rk4)?;
    }
    writeln!(out)
}

fn free(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        out,
        "## The free motion against an integration of it\n\n`FreeMotion::new` and one `at`, against a solution \
         with tolerance 1e-12, over one period and over [0, 400].\n\n\
         | | ratio | ns, others | their error |\n|---|---:|---:|---:|"
    )?;
    for (key, ratio) in report.ratios.iter().filter(|(key, _)| key.starts_with("free")) {
        let other = key.replacen('/', ": ", 1);
        let known = |map: &std::collections::BTreeMap<String, f64>, digits: bool| {
            let value = map.get(&other).or_else(|| {
                let (span, name) = key.split_once('/')?;
                map.get(&format!("{name}: {span}"))
            });
            value.map_or_else(
                || "–".into(),
                |x| if digits { format!("{x:.0}") } else { format!("{x:.1e}") },
            )
        };
        writeln!(
            out,
            "| `{key}` | {} | {} | {} |",
            number(*ratio),
            known(&report.nanoseconds, true),
            known(&report.errors, false)
        )?;
    }
    for name in ["FreeMotion::new", "at", "at_many", "python: at, one time"] {
        if let Some(ns) = report.nanoseconds.get(name) {
            writeln!(out, "\n`{name}`: {ns:.0} ns.")?;
        }
    }
    writeln!(
        out,
        "\nCalls of `at` do not wait for each other, as the steps they are compared with do; `at_many` is for \
         one of many times."
    )?;
    writeln!(out)
}

fn special(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        out,
        "## Elliptic functions\n\nsn, cn and dn together, and the integral of the third kind, complete and \
         incomplete. `@k=1`: 1 - k² from 1e-4 to 1e-12. GSL takes k², so close to k = 1 it never sees what \
         the complementary parameter tells; its errors are with the double nearest to k². Errors of sn and \
         cn are absolute, of dn relative, for |u| ≤ 20. Every function against other libraries: \
         [elliptic-speed.md](elliptic-speed.md).\n\n| | ratio |\n|---|---:|"
    )?;
    let listed = |key: &str| key.starts_with("jacobi/") || key.starts_with("pi");
    for (key, ratio) in report.ratios.iter().filter(|(key, _)| listed(key)) {
        writeln!(out, "| `{key}` | {} |", number(*ratio))?;
    }
    writeln!(out, "\n| | largest error |\n|---|---:|")?;
    for (key, error) in report.errors.iter().filter(|(key, _)| key.contains("k ")) {
        writeln!(out, "| {key} | {error:.1e} |")?;
    }
    writeln!(out)
}

/// Three digits.
fn number(x: f64) -> String {
    if x >= 100.0 {
        format!("{x:.0}")
    } else if x >= 10.0 {
        format!("{x:.1}")
    } else if x >= 0.1 {
        format!("{x:.2}")
    } else {
        format!("{x:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::report::Report;

    #[test]
    fn what_falls_short_is_said() {
        let mut report = Report::default();
        report.ratios.insert("exact/dmv10@0.01".into(), 1.5);
        report.ratios.insert("exact/rk4@0.01".into(), 2.0);
        report.ratios.insert("threads2/threads1".into(), 1.9);
        report.judge();
        let text = text(&report);
        assert!(text.contains("Short of their targets: `exact/dmv10@0.01`.\n"), "{text}");
        assert!(text.contains("| 2.00 |  | ≤ 1.00 | stretch not met |"), "{text}");
        assert!(text.contains("| 1.90 | ≥ 1.70 |  | met |"), "{text}");
        assert!(
            text.contains("`jacobi/gsl` | sn, cn and dn against GSL's | – | | | not measured |")
        );
    }
}
