//! Events: all are found, in order, none twice; and what they change.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use polhode::glam::DVec3;
use polhode::solve::{Change, Event, EventPoint, SolveMethod};
use polhode::torque::{ConstantTorque, Dependence, Function, HeavyTop};
use polhode::{FreeMotion, Inertia, Problem, SolveError, State};
use polhode_testkit::bodies::{BodyClass, Rng, body};

use super::{error, top};

fn times(points: &[EventPoint]) -> Vec<f64> {
    points.iter().map(|point| point.t).collect()
}

type StateFunction<'a> = &'a dyn Fn(f64, &State) -> f64;

/// Sign changes on a grid a hundred times as fine as the rotation.
fn sign_changes(f: impl Fn(f64) -> f64, until: f64, count: u32) -> Vec<f64> {
    let at = |i: u32| until * f64::from(i) / f64::from(count);
    (1..=count).filter(|&i| f(at(i - 1)) * f(at(i)) < 0.0).map(at).collect()
}

#[test]
fn the_momentum_of_a_free_body_passes_zero_twice_a_period() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.3, 1.0, 2.0]).unwrap();
    let period = FreeMotion::new(&inertia, start).unwrap().period().unwrap();
    let problem = Problem::new(inertia, start);
    let until = 12.3 * period;
    for method in SolveMethod::ALL {
        let solver = problem.solver().method(method).tolerance(1e-12);
        let solution = solver.event(Event::new(|_, s: &State| s.m.x)).until(until).unwrap();
        let found = times(&solution.events()[0]);
        assert!(found.len() == 24 || found.len() == 25, "{}", found.len());
        for pair in found.windows(2) {
            // Times are good to 1e-12 of the span where the motion is.
            let allowed = if method == SolveMethod::ClosedForm { 1e-12 } else { 1e-11 } * until;
            assert!((pair[1] - pair[0] - 0.5 * period).abs() < allowed, "{method}: {pair:?}");
        }
    }
}

#[test]
fn twenty_events_in_a_step_are_all_found() {
    use core::f64::consts::{FRAC_PI_2, PI};
    let problem = top();
    let (until, rate) = (2.0, 4.0 * problem.inertia().omega(problem.start().m).length());
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        let mut solver = problem.solver().method(method).tolerance(1e-3);
        let phases = (0..20).map(|k| 0.3 * f64::from(k));
        for phase in phases.clone() {
            solver = solver.event(Event::new(move |t, _: &State| (rate * t + phase).cos()));
        }
        let solution = solver.until(until).unwrap();
        let mut all = Vec::new();
        for (phase, points) in phases.zip(solution.events()) {
            let zero = |n: i32| (FRAC_PI_2 + PI * f64::from(n) - phase) / rate;
            let want: Vec<f64> = (0..200).map(zero).filter(|t| (0.0..=until).contains(t)).collect();
            let found = times(points);
            assert_eq!(found.len(), want.len(), "{method}");
            for (found, want) in found.iter().zip(&want) {
                assert!((found - want).abs() < 1e-12 * until, "{method}: {found}, {want}");
            }
            all.extend(found);
        }
        let within = |step: &[f64]| all.iter().filter(|&&t| t > step[0] && t <= step[1]).count();
        let most = solution.times().windows(2).map(within).max();
        assert!(most >= Some(20), "{method}: {most:?} in a step");
    }
}

#[test]
fn functions_four_times_as_fast_as_the_rotation_lose_no_event() {
    let mut rng = Rng::new(21);
    let classes =
        [BodyClass::Generic, BodyClass::NearSeparatrix(1e-9), BodyClass::Flat, BodyClass::Sphere];
    for class in classes.into_iter().cycle().take(24) {
        let body = body(class, &mut rng);
        let inertia = Inertia::principal(body.inertia).unwrap();
        let start = State::aligned(body.momentum).unwrap();
        let rate = inertia.omega(start.m).length();
        let (until, phase) = (body.time_for(60.0), rng.uniform(0.0, 6.0));
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let fast = |t: f64, s: &State| (4.0 * rate * t + phase).cos() * (1.0 + 0.1 * s.q.w);
        let third = |_: f64, s: &State| (s.q * DVec3::X).z + 0.2;
        // Pairs of zeros much closer to each other than the points at which it is looked at.
        let close = |t: f64, _: &State| (2.0 * rate * t + phase).cos() + 0.99;
        let solver = Problem::new(inertia, start);
        let solution = solver
            .solver()
            .event(Event::new(fast))
            .event(Event::new(third))
            .event(Event::new(close))
            .until(until)
            .unwrap();
        let functions: [StateFunction<'_>; 3] = [&fast, &third, &close];
        for (f, points) in functions.into_iter().zip(solution.events()) {
            let want = sign_changes(|t| f(t, &motion.at(t).unwrap()), until, 20_000);
            assert_eq!(points.len(), want.len(), "{class:?}");
            for (point, want) in points.iter().zip(want) {
                assert!(point.t <= want && point.t >= want - until / 20_000.0, "{class:?}");
                assert!(
                    f(point.t, &motion.at(point.t).unwrap()).abs() < 1e-9 * (1.0 + rate * until)
                );
            }
        }
    }
}

/// Products of up to four cosines have zeros close together, between points where the values do not tell of them.
#[test]
fn pairs_of_zeros_are_found_however_the_function_bends_beside_them() {
    use core::f64::consts::TAU;
    let mut rng = Rng::new(31);
    let sphere = Inertia::principal([1.0; 3]).unwrap();
    let problem = Problem::new(sphere, State::aligned([0.0, 0.0, 1.0]).unwrap());
    let (until, mut pairs) = (4.0 * TAU, 0);
    for case in 0..1000 {
        let factors: Vec<_> = (0..2 + rng.below(3))
            .map(|_| (rng.uniform(0.0, TAU), rng.uniform(-0.9, 0.9_f64)))
            .collect();
        let zeros = factors.iter().flat_map(|&(at, level)| {
            let half = level.acos();
            (-1..6).flat_map(move |n| [-half, half].map(|side| at + side + TAU * f64::from(n)))
        });
        let mut want: Vec<f64> = zeros.filter(|t| (0.0..until).contains(t)).collect();
        want.sort_by(f64::total_cmp);
        // Three so near each other, or two that all but coincide, are grazing.
        let near = |n: usize, span: f64| want.windows(n).any(|w| w[n - 1] - w[0] < span);
        if near(2, 0.03) || near(3, 0.6) {
            continue;
        }
        pairs += u32::from(near(2, 0.2));
        let product = |_: f64, s: &State| {
            let x = s.q * DVec3::X;
            let factor = |&(at, level): &(f64, f64)| x.x * at.cos() + x.y * at.sin() - level;
            factors.iter().map(factor).product()
        };
        let solution = problem.solver().event(Event::new(product)).until(until).unwrap();
        let found = times(&solution.events()[0]);
        assert_eq!(found.len(), want.len(), "{case}: {found:?}, {want:?}");
        for (found, want) in found.iter().zip(&want) {
            assert!((found - want).abs() < 1e-11 * until, "{case}: {found}, {want}");
        }
    }
    assert!(pairs > 100, "{pairs}");
}

#[test]
fn events_of_a_torqued_body_in_both_directions() {
    for until in [3.0, -3.0] {
        for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
            let top = top();
            let solver = || top.solver().method(method).tolerance(1e-10);
            let f = |_: f64, s: &State| s.m.x - 5.0;
            let whole = solver().until(until).unwrap();
            let sign = |t: f64| f(t, &whole.at(t).unwrap());
            let want = sign_changes(sign, until, 5_000);
            let solution = solver().event(Event::new(f)).until(until).unwrap();
            let points = &solution.events()[0];
            assert!(points.len() > 5 && points.len() == want.len(), "{}", points.len());
            let along = |t: f64| t * until.signum();
            assert!(points.windows(2).all(|pair| along(pair[0].t) < along(pair[1].t)));
            for point in points {
                assert_eq!(point.state, whole.at(point.t).unwrap());
                assert!(f(point.t, &point.state).abs() < 1e-8);
            }
            let rising = solver().event(Event::new(f).rising()).until(until).unwrap();
            let falling = solver().event(Event::new(f).falling()).until(until).unwrap();
            let mut both = times(&rising.events()[0]);
            both.extend(times(&falling.events()[0]));
            both.sort_by(|a, b| along(*a).total_cmp(&along(*b)));
            assert_eq!(both, times(points));
            let (a, b) = (rising.events()[0].len(), falling.events()[0].len());
            assert!(a.abs_diff(b) <= 1);
            // In the direction of the run.
            let first = &rising.events()[0][0];
            assert!(sign(first.t + 1e-4 * until.signum()) > 0.0);
        }
    }
}

#[test]
fn a_terminal_event_is_the_last_point() {
    // So near an end is that of the first span in which the event is looked for.
    let (top, f) = (top(), |_: f64, s: &State| s.m.x - 5.0);
    let all = top.solver().tolerance(1e-9).event(Event::new(f)).until(0.7).unwrap();
    let second = all.events()[0][1];
    let ended = top.solver().tolerance(1e-9).event(Event::new(f).terminal_after(2));
    let ended = ended.until(0.7).unwrap();
    assert_eq!((ended.end(), ended.ended_by()), ((second.t, second.state), Some(0)));
    assert_eq!(ended.events()[0], all.events()[0][..2]);
    assert_eq!(
        (ended.times().last(), ended.states().last()),
        (Some(&second.t), Some(&second.state))
    );
    assert!(ended.times().is_sorted_by(|a, b| a < b));
    assert!(ended.at(second.t * 1.001).is_err());
    // Before it, everything is as it was.
    assert_eq!(ended.at(0.9 * second.t).unwrap(), all.at(0.9 * second.t).unwrap());
    let few = top.solver().tolerance(1e-9).times(&[0.01, 0.65]).event(Event::new(f).terminal());
    let few = few.until(0.7).unwrap();
    assert_eq!(few.times().last(), Some(&all.events()[0][0].t));
}

#[test]
fn zeros_at_the_start_and_at_the_end_count() {
    let at = |zero: f64| move |t: f64, _: &State| t - zero;
    for problem in [top(), Problem::new(*top().inertia(), top().start())] {
        let solver = || problem.solver().tolerance(1e-8);
        let run = |event| times(&solver().event(event).until(1.0).unwrap().events()[0]);
        assert_eq!(run(Event::new(at(0.0))), [0.0]);
        assert_eq!(run(Event::new(at(0.0)).rising()), [0.0]);
        assert!(run(Event::new(at(0.0)).falling()).is_empty());
        assert_eq!(run(Event::new(at(1.0))), [1.0]);
        assert!(run(Event::new(at(1.0)).falling()).is_empty());
        assert!(run(Event::new(at(1.0 + 1e-9))).is_empty());
        // As in SciPy, a terminal event at the start ends the run there.
        let ended = solver().event(Event::new(at(0.0)).terminal()).until(1.0).unwrap();
        assert_eq!((ended.end(), ended.times()), ((0.0, problem.start()), &[0.0][..]));
    }
}

#[test]
fn a_function_that_stays_zero_has_one_event_when_it_becomes_so() {
    let until_half = |t: f64, _: &State| (0.5 - t).max(0.0);
    let from_half = |t: f64, _: &State| (t - 0.5).max(0.0);
    let between = |t: f64, _: &State| if (0.3..0.7).contains(&t) { 0.0 } else { t - 0.5 };
    let always = |_: f64, _: &State| 0.0;
    for problem in [top(), Problem::new(*top().inertia(), top().start())] {
        let solver = || problem.solver().tolerance(1e-8);
        let run = |event| times(&solver().event(event).until(1.0).unwrap().events()[0]);
        let near = |found: Vec<f64>, want: f64| {
            assert!(found.len() == 1 && (found[0] - want).abs() < 1e-12, "{found:?}, {want}");
        };
        near(run(Event::new(until_half).falling()), 0.5);
        assert!(run(Event::new(until_half).rising()).is_empty());
        near(run(Event::new(between).rising()), 0.3);
        // Which way it will leave zero is not known at the start.
        for (event, again) in [
            (Event::new(from_half), Event::new(always)),
            (Event::new(from_half).rising(), Event::new(always).rising()),
            (Event::new(from_half).falling(), Event::new(always).falling()),
        ] {
            assert_eq!(run(event), [0.0]);
            assert_eq!(run(again), [0.0]);
        }
        let ended = solver().event(Event::new(from_half).terminal()).until(1.0).unwrap();
        assert_eq!(ended.end(), (0.0, problem.start()));
    }
}

#[test]
fn where_a_function_becomes_zero_is_found_however_long_the_steps() {
    // So slow a body is looked at at the ends of the run alone.
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let problem = Problem::new(inertia, State::aligned([0.1, 0.05, 0.05]).unwrap());
    let hold = |t: f64, _: &State| if (0.3..0.7).contains(&t) { 0.0 } else { t - 0.5 };
    let bent = |t: f64, _: &State| (0.5 - t).max(0.0) - (t - 0.8).max(0.0);
    for (event, want) in [
        (Event::new(hold), 0.3),
        (Event::new(hold).rising(), 0.3),
        (Event::new(bent).falling(), 0.5),
        (Event::new(|t, s| -bent(t, s)).rising(), 0.5),
    ] {
        let found = times(&problem.solver().event(event).until(1.0).unwrap().events()[0]);
        assert!(found.len() == 1 && (found[0] - want).abs() < 1e-12, "{found:?}, {want}");
    }
}

/// Users who look for a moment give a time by which it has surely come.
#[test]
fn a_run_that_an_event_ends_may_have_a_late_end() {
    let (top, level) = (top(), |_: f64, s: &State| s.m.x - 5.0);
    let near = top.solver().event(Event::new(level).terminal()).until(1.0).unwrap();
    let is_refused =
        |found| matches!(found, Err(SolveError::Rounding { .. } | SolveError::Sensitive { .. }));
    for until in [1e3, 1e9, -1e9] {
        let solver = || top.solver().tolerance(1e-9);
        let ended = solver().event(Event::new(level).terminal()).until(until).unwrap();
        assert_eq!(ended.ended_by(), Some(0));
        if until > 0.0 {
            let off = error(&ended.end().1, &near.end().1);
            assert!(off < 1e-8 && (ended.end().0 - near.end().0).abs() < 1e-8, "{off:e}");
            assert!(ended.statistics().evaluations < 20_000, "{:?}", ended.statistics());
        }
        // In a later span, with the times that are wanted until then.
        let late = solver().times(&[0.0, until.signum(), until]).event(
            Event::new(
                move |t, s: &State| {
                    if (t / until.signum()) < 20.0 { 1.0 } else { level(t, s) }
                },
            )
            .terminal(),
        );
        let late = late.until(until).unwrap();
        assert_eq!(late.times(), [0.0, until.signum(), late.end().0]);
        assert!(late.end().0.abs() > 19.9 && late.end().0.abs() < 22.0, "{:?}", late.end());
    }
    // It never comes, does not end the run, or has an action, which is done once.
    let never = |_: f64, s: &State| s.m.x - 5e9;
    let act = |_: f64, _: &State| Change::none();
    for event in
        [Event::new(never).terminal(), Event::new(level), Event::new(level).then(act).terminal()]
    {
        assert!(is_refused(top.solver().tolerance(1e-9).event(event).until(1e9)));
    }
}

#[test]
fn a_late_end_costs_nothing_that_an_event_comes_before() {
    // From rest a function turns the body ever faster.
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let problem = |calls: &Arc<AtomicU64>| {
        let calls = Arc::clone(calls);
        let push = move |_: &Inertia, t: f64, _: &State| {
            calls.fetch_add(1, Ordering::Relaxed);
            DVec3::new(0.1, 0.2 * t.sin(), 0.0)
        };
        let push = Function::new(Dependence::Attitude, push);
        Problem::new(inertia, State::aligned([0.0; 3]).unwrap()).torque(push)
    };
    let mut ends = Vec::new();
    for until in [2.5, 1e3, 1e9] {
        let calls = Arc::new(AtomicU64::new(0));
        let problem = problem(&calls);
        let event = Event::new(|t, _: &State| t - 2.0).terminal();
        let solution = problem.solver().tolerance(1e-8).event(event).until(until).unwrap();
        assert_eq!(solution.end().0, 2.0);
        ends.push(solution.end().1);
        let calls = calls.load(Ordering::Relaxed);
        assert!(calls < 50_000, "until {until}: {calls} calls");
    }
    for end in &ends {
        assert!(error(end, &ends[0]) < 1e-7);
    }
}

#[test]
fn an_end_of_a_step_is_no_second_event() {
    let steps = top().solver().tolerance(1e-8).until(1.0).unwrap();
    let zero = steps.times()[3];
    let event = Event::new(move |t, _: &State| t - zero);
    let solution = top().solver().tolerance(1e-8).event(event).until(1.0).unwrap();
    assert_eq!(times(&solution.events()[0]), [zero]);
}

#[test]
fn events_at_the_same_time_all_happen() {
    let zero = |t: f64, _: &State| t - 0.3;
    let also = |t: f64, _: &State| 0.6 - 2.0 * t;
    let twice = |t: f64, s: &State| {
        assert_eq!(t, 0.3);
        Change::state(State { m: s.m * 2.0, q: s.q })
    };
    let solution = top()
        .solver()
        .tolerance(1e-8)
        .event(Event::new(zero).then(twice))
        .event(Event::new(also).then(twice))
        .event(Event::new(zero))
        .until(0.5)
        .unwrap();
    for points in solution.events() {
        assert_eq!(times(points), [0.3]);
    }
    let before = top().solve(0.3, 1e-8).unwrap().end().1;
    let off = error(&State { m: before.m * 4.0, q: before.q }, &solution.at(0.3).unwrap());
    assert!(off < 1e-7, "{off:e}");
}

#[test]
fn rounding_does_not_lose_or_double_events_at_the_same_time() {
    let level = |_: f64, s: &State| (s.q * DVec3::Z).z;
    let others: [StateFunction<'_>; 3] = [
        &|t, s| level(t, s) * (1.0 + 0.5 * (7.0 * t).sin()),
        &|t, s| level(t, s).exp() - 1.0,
        &|t, s| -level(t, s).tan(),
    ];
    let want = top().solver().tolerance(1e-8).event(Event::new(level)).until(20.0).unwrap();
    for other in others {
        for of in [[&level, other], [other, &level]] {
            let [a, b] = of.map(|f: StateFunction<'_>| Event::new(f).then(|_, _| Change::none()));
            let found = top().solver().tolerance(1e-8).event(a).event(b).until(20.0).unwrap();
            for points in found.events() {
                assert_eq!(points.len(), want.events()[0].len());
            }
        }
    }
}

#[test]
fn impulses_and_new_torques() {
    // Turned back whenever it points too far from up: a body with one axis bounces.
    let inertia = Inertia::principal([1.0, 1.0, 1.0]).unwrap();
    let start = State::aligned([0.0, 1.0, 0.0]).unwrap();
    let problem = Problem::new(inertia, start);
    let angle = |_: f64, s: &State| (s.q * DVec3::Z).z - 0.5;
    let bounce = |_: f64, s: &State| Change::state(State { m: -s.m, q: s.q });
    let solution =
        problem.solver().event(Event::new(angle).falling().then(bounce)).until(10.0).unwrap();
    let third = core::f64::consts::FRAC_PI_3;
    let found = times(&solution.events()[0]);
    // At 60 degrees on one side, then on the other, and so on.
    assert_eq!(found.len(), 5, "{found:?}");
    for (i, t) in found.iter().enumerate() {
        let want = third * (1.0 + 2.0 * i as f64);
        assert!((t - want).abs() < 1e-11, "{t} {want}");
        assert_eq!(solution.at(*t).unwrap().m, -solution.events()[0][i].state.m);
    }
    assert!(solution.times().is_sorted_by(|a, b| a < b));
    // A weight is hung on: a free body becomes a top.
    let hang = |_: f64, _: &State| Change::torque(HeavyTop::lagrange(1.0).unwrap());
    let half = |t: f64, _: &State| t - 0.5;
    let free = Problem::new(*top().inertia(), top().start());
    let hung =
        free.solver().tolerance(1e-10).event(Event::new(half).then(hang)).until(1.0).unwrap();
    let middle = free.solve(0.5, 1e-10).unwrap().end().1;
    let want = top().starting_from(middle).starting_at(0.5).solve(1.0, 1e-11).unwrap().end().1;
    let off = error(&hung.end().1, &want);
    assert!(off < 1e-9, "{off:e}");
    assert_eq!(hung.at(0.25).unwrap(), free.solve(1.0, 1e-10).unwrap().at(0.25).unwrap());
    let off = error(
        &hung.at(0.75).unwrap(),
        &top().starting_from(middle).solve(0.25, 1e-11).unwrap().end().1,
    );
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn a_step_that_is_rejected_has_no_events() {
    // From rest, with a first step that is far too long.
    let start = State::aligned([0.0, 0.0, 0.0]).unwrap();
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let thrust = ConstantTorque::body([0.0, 0.0, 1.0]).unwrap();
    let problem = Problem::new(inertia, start).torque(thrust);
    let f = |_: f64, s: &State| (s.q * DVec3::X).x;
    let solver = problem.solver().tolerance(1e-9).first_step(100.0).event(Event::new(f));
    let solution = solver.until(12.0).unwrap();
    assert!(solution.statistics().rejected > 0);
    // The angle is t²/(2 I3): zeros of its cosine.
    let mut want = Vec::new();
    let mut angle = core::f64::consts::FRAC_PI_2;
    while (2.0 * 2.5 * angle).sqrt() < 12.0 {
        want.push((2.0 * 2.5 * angle).sqrt());
        angle += core::f64::consts::PI;
    }
    let found = times(&solution.events()[0]);
    assert_eq!(found.len(), want.len());
    for (t, want) in found.iter().zip(want) {
        assert!((t - want).abs() < 1e-7, "{t} {want}");
    }
}

#[test]
fn an_impulse_at_the_start_and_others_later() {
    let push = |_: f64, s: &State| Change::state(State { m: s.m * 1.5, q: s.q });
    let top = top();
    let solution = top
        .solver()
        .tolerance(1e-9)
        .event(Event::new(|t, _: &State| t).then(push))
        .event(Event::new(|t, _: &State| t - 0.5).then(push))
        .until(1.0)
        .unwrap();
    let pushed = State { m: top.start().m * 1.5, q: top.start().q };
    assert_eq!(solution.at(0.0).unwrap(), pushed);
    let first = top.clone().starting_from(pushed).solve(0.5, 1e-10).unwrap();
    for t in [0.1, 0.25, 0.4] {
        let off = error(&solution.at(t).unwrap(), &first.at(t).unwrap());
        assert!(off < 1e-8, "{t}: {off:e}");
    }
    let half = first.end().1;
    let again = State { m: half.m * 1.5, q: half.q };
    let second = top.clone().starting_from(again).starting_at(0.5).solve(1.0, 1e-10).unwrap();
    for t in [0.5, 0.6, 0.9, 1.0] {
        let off = error(&solution.at(t).unwrap(), &second.at(t).unwrap());
        assert!(off < 1e-8, "{t}: {off:e}");
    }
}
