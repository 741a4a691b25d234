//! Films, bodies and pages without a browser.
#![allow(clippy::unwrap_used)]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use polhode::glam::{DQuat, DVec3};
use polhode::method::Method;
use polhode::torque::{HeavyTop, TORQUES};
use polhode::{FreeMotion, Inertia, Plan, Problem, State, so3};
use polhode_testkit::colour;
use polhode_view::{Film, FilmMoment, Look, Page, PageRun, Solid, ViewError};
use serde_json::Value;

fn handle() -> FreeMotion {
    let inertia = Inertia::principal([3.0, 8.0, 11.0]).unwrap();
    FreeMotion::from_omega(&inertia, [0.01, 12.0, 0.0], DQuat::IDENTITY).unwrap()
}

fn top() -> Problem {
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    let start = State::aligned([10.0, 50.0, 60.0]).unwrap();
    Problem::new(inertia, start).torque(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]).unwrap())
}

/// The run as it stands in the page.
fn shown(run: PageRun) -> Value {
    let page = Page::new("a page").run(run).to_html().unwrap();
    let (_, rest) = page.split_once("id=\"film\">").unwrap();
    let film: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    film["runs"][0].clone()
}

fn numbers<const N: usize>(value: &Value, read: fn([u8; N]) -> f64) -> Vec<f64> {
    let bytes = BASE64_STANDARD.decode(value.as_str().unwrap()).unwrap();
    bytes.as_chunks::<N>().0.iter().map(|&bytes| read(bytes)).collect()
}

fn floats(value: &Value) -> Vec<f64> {
    numbers(value, |bytes: [u8; 4]| f32::from_le_bytes(bytes).into())
}

#[test]
fn what_is_left_out_follows_from_what_is_kept() {
    let motion = handle();
    let film = Film::free(&motion, 20.0, Film::MOST).unwrap();
    let moments = film.moments().len();
    let spin: Vec<f64> = film.moments().iter().map(|m| m.state.m.y).collect();
    let run = shown(PageRun::new("handle", film).watch("m2", "m2", spin));
    let times = numbers(&run["t"], f64::from_le_bytes);
    let attitudes = floats(&run["q"]);
    assert!(times.len() < moments / 2, "{} of {moments} are kept", times.len());
    assert_eq!((times[0], times[times.len() - 1]), (0.0, 20.0));
    let momenta = floats(&run["m"]);
    let length = motion.start().m.length();
    let attitude = |k: usize| so3::from_wxyz([0, 1, 2, 3].map(|i| attitudes[4 * k + i]));
    for k in 0..times.len() - 1 {
        for share in [0.25, 0.5, 0.75] {
            let exact = motion.at(times[k] + share * (times[k + 1] - times[k])).unwrap();
            let between = attitude(k).slerp(attitude(k + 1), share);
            let off = so3::angle_between(between, exact.q);
            // The error of thinning, 1e-3, and what lies between the moments that it has looked at.
            assert!(off < 1.5e-3, "{off} rad at {}", times[k]);
            let m = DVec3::from([0, 1, 2].map(|i| {
                let (a, b) = (momenta[3 * k + i], momenta[3 * k + 3 + i]);
                a + share * (b - a)
            }));
            let off = (m * run["scale"].as_f64().unwrap()).distance(exact.m) / length;
            assert!(off < 1.5e-3, "momentum {off} at {}", times[k]);
        }
    }
}

#[test]
fn films_of_steps_are_their_steps() {
    let top = top();
    let method = Method::parse("rkn6-14+exact").unwrap();
    // Steps of a sixth of a radian are all shown; of two radians, with what lies between.
    for (step, until) in [(0.01, 5.0), (0.12, 6.0)] {
        let plan = Plan::until(0.0, step, until).unwrap();
        let film = Film::steps(&top, &method, &plan, until, Film::MOST).unwrap();
        assert!(film.coarse().is_none() && film.cut().is_none(), "{step}");
        let steps = top.simulate("rkn6-14+exact", step, until).unwrap();
        let all = film.moments();
        let found = steps
            .times()
            .zip(steps.states())
            .filter(|(t, state)| all.iter().any(|m| m.t == *t && m.state == **state));
        let count = steps.times().count();
        assert!(found.count() * 10 >= count * 9, "{step}: of {count}");
        // Between steps it is the motion, as the method has it.
        let solution = top.solve(until, 1e-10).unwrap();
        for moment in all {
            let off = so3::angle_between(moment.state.q, solution.at(moment.t).unwrap().q);
            assert!(off < 1e-2, "{step}: {off} rad at {}", moment.t);
        }
    }
    let plan = Plan::until(0.0, 0.01, 1000.0).unwrap();
    let film = Film::steps(&top, &method, &plan, 1000.0, 500).unwrap();
    assert_eq!((film.moments().len(), film.cut()), (500, Some(1000.0)));
    // Steps so short that nothing is seen are not done for ever.
    let plan = Plan::until(0.0, 1e-9, 1.0).unwrap();
    assert!(Film::steps(&top, &method, &plan, 1.0, 10).unwrap().cut().is_some());
}

#[test]
fn a_body_with_a_wheel_turns_as_the_wheel_lets_it() {
    use polhode::inside::{Inside, Wheel};
    let inertia = Inertia::principal([2.0, 2.5, 3.0]).unwrap();
    let (axis, own) = (DVec3::new(0.0, 0.6, 0.8), 0.05);
    let wheel = Wheel::new(axis, own, 3.0).unwrap().driven().torque(0.2).unwrap();
    let start = State::aligned([0.4, 1.0, 2.0]).unwrap();
    let problem = Problem::new(inertia, start).inside(Inside::default().wheel(wheel)).unwrap();
    let method = Method::parse("strang+exact").unwrap();
    for step in [0.01, -0.01] {
        let plan = Plan { step, steps: 1000 };
        let film = Film::steps(&problem, &method, &plan, 1000.0 * step, Film::MOST).unwrap();
        assert!(film.has_inside() && film.is_gyrostat());
        let last = film.moments().len() - 1;
        let mut speeds = Vec::new();
        for (i, moment) in film.moments().iter().enumerate() {
            let speed = problem.wheel_speeds(moment.t, &moment.state, film.inside(i))[0];
            let omega = inertia.omega(moment.state.m - axis * (own * speed));
            assert!((film.omega(i) - omega).length() < 1e-12, "t = {}", moment.t);
            speeds.push(speed);
        }
        // 0.2 in ten units of time, on a wheel of 0.05; a little less, for the body turns the other way.
        let (first, end) = if step > 0.0 { (0, last) } else { (last, 0) };
        assert_eq!(speeds[first], 3.0);
        assert!((speeds[end] - 3.0 - 4000.0 * step).abs() < 3.0, "{}", speeds[end]);
        // The page is told, and in which ratios.
        let fastest = (0..=last).map(|i| film.omega(i).abs().max_element()).fold(0.0, f64::max);
        let begin = film.omega(0) / fastest;
        let told = floats(&shown(PageRun::new("wheel", film))["w"]);
        assert!(begin.to_array().iter().zip(told).all(|(a, b)| (a - b).abs() < 1e-6));
    }
    // A body that loses energy inside turns as a rigid one does.
    let sink = polhode::inside::Dissipation::rate(1e-3).unwrap();
    let problem = Problem::new(inertia, start).inside(Inside::default().dissipation(sink)).unwrap();
    let plan = Plan { step: 0.01, steps: 100 };
    assert!(!Film::steps(&problem, &method, &plan, 1.0, Film::MOST).unwrap().is_gyrostat());
}

#[test]
fn films_of_solutions_end_where_they_should() {
    let film = Film::solved(&top(), 3.0, 1e-9, &[], Film::MOST).unwrap();
    assert_eq!((film.span(), film.cut(), film.coarse()), ((0.0, 3.0), None, None));
    let short = Film::solved(&top(), 1e6, 1e-9, &[], 300).unwrap();
    assert_eq!((short.moments().len(), short.cut()), (300, Some(1e6)));
    let free = Film::free(&handle(), -5.0, Film::MOST).unwrap();
    assert_eq!(free.span(), (-5.0, 0.0));
    let note = shown(PageRun::new("short", short))["note"].as_str().unwrap().to_owned();
    assert!(note.contains("goes on to 1.000e6"), "{note}");
    // A body at rest, and no time at all.
    let rest = FreeMotion::new(handle().inertia(), State::aligned([0.0; 3]).unwrap()).unwrap();
    assert!(Film::free(&rest, 1.0, 100).unwrap().moments().len() > 1);
    shown(PageRun::new("nothing", Film::free(&rest, 0.0, 100).unwrap()));
}

#[test]
fn what_cannot_be_shown_is_told() {
    let inertia = handle().inertia().to_owned();
    let at = |t: f64| FilmMoment::new(t, *handle().start());
    assert_eq!(Film::new(&inertia, []).unwrap_err(), ViewError::NoMoments);
    let error = Film::new(&inertia, [at(0.0), at(1.0), at(1.0)]).unwrap_err();
    assert_eq!(error, ViewError::Order { before: 1.0, after: 1.0 });
    let mut bad = at(1.0);
    bad.state.m.x = f64::NAN;
    assert_eq!(Film::new(&inertia, [at(0.0), bad]).unwrap_err(), ViewError::NotFinite { index: 1 });
    let film = Film::new(&inertia, [at(0.0), at(1.0)]).unwrap();
    let run = PageRun::new("one", film).watch("x", "x", vec![1.0]);
    let error = Page::new("p").run(run).to_html().unwrap_err();
    assert_eq!(error, ViewError::Length { name: "x".into(), given: 1, moments: 2 });
    assert_eq!(Page::new("p").to_html().unwrap_err(), ViewError::NoRuns);
    // Rows far apart are shown with a warning.
    let coarse = Film::new(&inertia, [at(0.0), at(1.0)]).unwrap();
    assert!(coarse.coarse().unwrap() > 10.0);
    assert!(shown(PageRun::new("coarse", coarse))["note"].as_str().unwrap().contains("a guess"));
}

#[test]
fn every_body_is_closed_and_seen_from_outside() {
    for moments in [[3.0, 8.0, 11.0], [1.0, 1.0, 1.0], [2.0, 2.0, 0.5], [1.0, 1.0, 1.9]] {
        let inertia = Inertia::principal(moments).unwrap();
        for look in Look::ALL {
            assert_eq!(Look::named(look.name()), Some(look));
            let run = PageRun::new("b", Film::free(&handle(), 1.0, 100).unwrap());
            let run = shown(run.body(Solid::new(look, &inertia)));
            let places = floats(&run["mesh"]["places"]);
            let corners =
                numbers(&run["mesh"]["corners"], |b: [u8; 4]| u32::from_le_bytes(b).into());
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "numbers of corners"
            )]
            let at = |k: usize| {
                let first = 3 * corners[k] as usize;
                DVec3::new(places[first], places[first + 1], places[first + 2])
            };
            let triangles = corners.len() / 3;
            let volume: f64 = (0..triangles)
                .map(|i| at(3 * i).dot(at(3 * i + 1).cross(at(3 * i + 2))) / 6.0)
                .sum();
            assert!(volume > 1e-3, "{}: {volume}", look.name());
            // What is closed has no area in sum.
            let area: DVec3 = (0..triangles)
                .map(|i| (at(3 * i + 1) - at(3 * i)).cross(at(3 * i + 2) - at(3 * i)))
                .sum();
            assert!(area.length() < 1e-4, "{}: {area}", look.name());
            let farthest = (0..corners.len()).map(|k| at(k).length()).fold(0.0, f64::max);
            assert!((farthest - 1.0).abs() < 1e-6, "{}", look.name());
        }
    }
}

#[test]
fn names_cannot_break_the_page() {
    let film = Film::free(&handle(), 1.0, 100).unwrap();
    let name = "</script><script>alert(1)</script> & \"q\" %FILM% %SCRIPT%";
    let run = PageRun::new(name, film).note(name);
    let page = Page::new(name).about(name).run(run).to_html().unwrap();
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("%FILM%"));
    assert!(page.len() < 300_000);
}

/// The colours of a theme of the page: those that a line of its script lists, as `name: '#rrggbb'` or `'#rrggbb'`.
fn colours(page: &str, begin: &str, theme: &str, leave_out: &str) -> Vec<[u8; 3]> {
    let (_, list) = page.split_once(begin).unwrap();
    let (_, list) = list.split_once(&format!("{theme}: ")).unwrap();
    let list = &list[..list.find(['}', ']']).unwrap()];
    let hex = |text: &str| {
        let (_, digits) = text.split_once('#')?;
        let byte = |k: usize| u8::from_str_radix(&digits[k..k + 2], 16).unwrap();
        Some([byte(0), byte(2), byte(4)])
    };
    list.split(',').filter(|part| !part.contains(leave_out)).filter_map(hex).collect()
}

#[test]
fn colours_of_the_page_are_told_apart_by_all() {
    let film = Film::free(&handle(), 1.0, Film::MOST).unwrap();
    let page = Page::new("").run(PageRun::new("", film)).to_html().unwrap();
    for (theme, stage, paper) in
        [("light", [0xee, 0xf1, 0xf5], [0xff; 3]), ("dark", [0x1b, 0x1f, 0x24], [0x14, 0x17, 0x1a])]
    {
        // The style sheet has these backgrounds.
        for [r, g, b] in [stage, paper] {
            assert!(page.contains(&format!("#{r:02x}{g:02x}{b:02x};")));
        }
        // The axes of space are faint on purpose, and have names of their own.
        let scene = colours(&page, "const PALETTE = ", theme, "faint");
        assert_eq!(scene.len(), 7);
        let (apart, who) = colour::nearest(&scene);
        assert!(apart > 12.0, "{theme}: {apart:.1}: {who}");
        // Curves differ in their dashes, too.
        let curves = colours(&page, "const CHART_COLOURS = ", theme, "none");
        assert_eq!(curves.len(), 4);
        let (apart, who) = colour::nearest(&curves);
        assert!(apart > 12.0, "{theme}: {apart:.1}: {who}");
        let lines = scene.iter().map(|c| (c, stage)).chain(curves.iter().map(|c| (c, paper)));
        for (colour, on) in lines {
            let contrast = colour::contrast(*colour, on);
            assert!(contrast > 2.9, "{theme}: {colour:?}: {contrast:.2}");
        }
    }
}

#[test]
fn a_story_stands_on_the_page_as_text() {
    let film = Film::free(&handle(), 1.0, Film::MOST).unwrap();
    let page = Page::new("a page").run(PageRun::new("", film));
    assert!(!page.to_html().unwrap().contains("id=\"story\""));
    let told = page.story(["a < b".to_owned(), "%FILM%".to_owned()]).to_html().unwrap();
    assert!(told.contains("<p>a &lt; b</p>\n<p>%FILM%</p>\n</details>"));
}

#[test]
fn every_torque_has_its_usual_look() {
    let usual = |kind: &str| match kind {
        "heavy-top" | "lagrange-top" => Look::Top,
        "gravity-gradient" | "magnetic-dipole" | "dipole" => Look::Satellite,
        _ => Look::Box,
    };
    for entry in TORQUES {
        let torque = entry.build(&entry.example()).unwrap();
        assert_eq!(Look::usual(&torque), usual(entry.kind), "{}", entry.kind);
    }
    for kind in ["heavy-top", "lagrange-top", "gravity-gradient", "magnetic-dipole", "dipole"] {
        assert!(TORQUES.iter().any(|entry| entry.kind == kind), "{kind}");
    }
}
