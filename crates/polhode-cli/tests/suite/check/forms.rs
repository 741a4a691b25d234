//! The same trajectory in every form a file may have.

use std::fmt::Write;

use polhode::so3;

use super::{csv, exact, inertia, run_on};

/// A file with these columns for each row.
fn file(header: &str, row: impl Fn(f64, &polhode::State) -> Vec<f64>) -> String {
    let mut text = header.to_owned() + "\n";
    for (t, s) in exact(60, 0.2) {
        let numbers: Vec<String> = row(t, &s).iter().map(|x| format!("{x:?}")).collect();
        text += &(numbers.join(",") + "\n");
    }
    text
}

fn right(text: &str, more: &[&str]) -> String {
    let (code, out, err) = run_on(text, more);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{more:?}\n{out}");
    out
}

#[test]
fn names_frames_and_forms_of_attitude() {
    let scalar_last = file("time,Lx,Ly,Lz,qx,qy,qz,qw", |t, s| {
        let mut row = vec![t];
        row.extend(s.spatial_momentum().to_array());
        row.extend(s.q.to_array());
        row
    });
    let named = [
        "--time",
        "time",
        "--momentum",
        "Lx,Ly,Lz",
        "--momentum-frame",
        "space",
        "--attitude",
        "qx,qy,qz,qw",
    ];
    let out = right(&scalar_last, &[&named[..], &["--scalar-last"]].concat());
    assert!(out.contains("momentum in space, quaternion"), "{out}");
    // Said to be scalar first, it is found not to be.
    let (code, out, _) = run_on(&scalar_last, &named);
    assert_eq!(code, Some(1));
    assert!(out.contains("scalar part stands last, not first"), "{out}");
    assert!(out.contains("--scalar-last says"), "{out}");
    // A scalar that stands first, said to be last.
    let own = csv(&exact(60, 0.2));
    let (code, out, _) = run_on(&own, &["--attitude", "q0,q1,q2,q3", "--scalar-last"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("stands first and was taken to be last"), "{out}");
    assert!(out.contains("(leave out --scalar-last)"), "{out}");
    // Components under the names of others.
    let (code, out, _) = run_on(&own.replace("q0,q1,q2,q3", "q3,q0,q1,q2"), &[]);
    assert_eq!(code, Some(1));
    assert!(out.contains("(--attitude q0,q1,q2,q3 --scalar-last says"), "{out}");

    let matrix = file("t,m1,m2,m3,q11,q12,q13,q21,q22,q23,q31,q32,q33", |t, s| {
        let mut row = vec![t];
        row.extend(s.m.to_array());
        row.extend(so3::to_rows(s.q));
        row
    });
    assert!(right(&matrix, &[]).contains("momentum, matrix"));

    let degrees = file("t,w1,w2,w3", |t, s| {
        let mut row = vec![t];
        row.extend(s.omega(&inertia()).map(f64::to_degrees).to_array());
        row
    });
    right(&degrees, &["--degrees"]);
    // With no attitude beside it nothing tells the unit: the motion is another one.
    assert_eq!(run_on(&degrees, &[]).0, Some(1));

    // Components have their names in this program's files, in whatever order they stand.
    let mixed = file("q1,q2,q3,q0,step,t,m3,m2,m1", |t, s| {
        let mut row = s.q.to_array().to_vec();
        row.extend([7.0, t, s.m.z, s.m.y, s.m.x]);
        row
    });
    right(&mixed, &[]);
}

#[test]
fn what_csv_files_have_besides_numbers() {
    let plain = csv(&exact(30, 0.2));
    right(&format!("\u{feff}{plain}"), &[]);
    right(&plain.replace('\n', "\r\n"), &[]);
    right(&plain.replace('\n', "\n\n"), &[]);
    right(&plain.replace('\n', "\n# a comment, with commas\n   \n"), &[]);
    right(&plain.replace(',', " , "), &[]);
    right(&plain.replace("t,m1", "\"t\",\"m1\"").replace("\n0.2,", "\n\"0.2\","), &[]);
    right(plain.trim_end(), &[]);
    // Backwards in time.
    let (header, rows) = plain.split_once('\n').unwrap();
    let reversed: Vec<&str> = rows.lines().rev().collect();
    right(&format!("{header}\n{}\n", reversed.join("\n")), &[]);
}

#[test]
fn euler_angles_are_said_not_to_be_read() {
    let angles =
        file("t,m1,m2,m3,e1,e2,e3", |t, s| [&[t][..], &s.m.to_array(), &[0.0; 3]].concat());
    let out = right(&angles, &[]);
    assert!(out.contains("no attitude: the columns e1, e2, e3 look like Euler angles"), "{out}");
    let document: serde_json::Value = serde_json::from_str(&right(&angles, &["--json"])).unwrap();
    assert!(document["trajectories"][0]["note"].as_str().unwrap().contains("Euler"), "{document}");
    let out = right(&csv(&exact(30, 0.2)), &[]);
    assert!(!out.contains("Euler"), "{out}");
}

#[test]
fn few_digits_are_allowed_for() {
    let mut text = "t,m1,m2,m3,q0,q1,q2,q3\n".to_owned();
    for (t, s) in exact(200, 0.1) {
        let numbers = [&[t][..], &s.m.to_array(), &s.attitude()].concat();
        let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:.6}")).collect();
        text += &(numbers.join(",") + "\n");
    }
    let out = right(&text, &[]);
    assert!(out.contains("numbers of 6 digits: they leave up to"), "{out}");
    // With so many decimals, large numbers have more digits than small ones.
    let mut fixed = "t,w1,w2,w3,q0,q1,q2,q3\n".to_owned();
    for (t, s) in exact(200, 0.1) {
        let omega = s.omega(&inertia()).map(f64::to_degrees).to_array();
        let numbers = [&[t][..], &omega, &s.attitude()].concat();
        let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:.4}")).collect();
        fixed += &(numbers.join(",") + "\n");
    }
    let out_fixed = right(&fixed, &["--degrees"]);
    assert!(out_fixed.contains("numbers of 4 digits: they"), "{out_fixed}");
    // What never changes says nothing of digits: a body that turns about an axis.
    let mut steady = "t,m1,m2,m3,q0,q1,q2,q3\n".to_owned();
    for t in (0..200).map(|n| 0.1 * f64::from(n)) {
        let [w, x, y, z] = so3::to_wxyz(so3::exp([0.0, 0.0, 0.49384 * t].into()));
        writeln!(steady, "{t:?},0,0,1.2346,{w:?},{x:?},{y:?},{z:?}").unwrap();
    }
    let steady = right(&steady, &[]);
    assert!(!steady.contains(" digits: they"), "{steady}");
    // More than the tolerance: the verdict says no more than is known.
    assert!(out.lines().last().unwrap().starts_with("right as far as one can tell"), "{out}");
    let out = right(&text, &["--tolerance", "0.01"]);
    assert!(out.lines().last().unwrap().starts_with("right: "), "{out}");
}
