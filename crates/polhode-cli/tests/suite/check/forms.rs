//! The same trajectory in every form a file may have.

use std::fmt::Write;

use polhode::so3;

use super::{csv, exact, inertia, run_on};
use crate::support::Folder;

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

    // What an engine keeps: the angular velocity in the world, told by its names or by the option.
    let engine = file("time,wx,wy,wz,qx,qy,qz,qw", |t, s| {
        let mut row = vec![t];
        row.extend((s.q * s.omega(&inertia())).to_array());
        row.extend(s.q.to_array());
        row
    });
    right(&engine, &["--omega-frame", "space"]);
    right(&engine, &["--omega-frame", "space", "--scalar-last"]);
    right(
        &engine.replace("qx,qy,qz,qw", "q0,q1,q2,q3"),
        &["--omega-frame", "space", "--scalar-last"],
    );
    let (code, out, _) = run_on(&engine, &[]);
    assert_eq!(code, Some(1));
    assert!(out.contains("(--omega-frame space says so)"), "{out}");
    let (code, _, err) = run_on("t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n", &["--omega-frame", "space"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("omega in space needs the attitude"), "{err}");

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
    let names =
        ["w1_deg,w2_deg,w3_deg", "wx_deg,wy_deg,wz_deg", "omega_x_deg,omega_y_deg,omega_z_deg"];
    for names in names {
        right(&degrees.replace("w1,w2,w3", names), &[]);
    }
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
fn euler_angles_are_read() {
    let zyx = so3::EulerSequence::ZYX;
    let angles = |header: &str, degrees: bool| {
        file(header, |t, s| {
            let unit = |x: f64| if degrees { x.to_degrees() } else { x };
            let w = s.omega(&inertia()).map(unit).to_array();
            let e = so3::euler_angles(s.q, zyx).map(unit);
            [&[t][..], &w, &e].concat()
        })
    };
    let out = right(&angles("t,wx,wy,wz,yaw,pitch,roll", false), &[]);
    assert!(out.contains("columns: time t; angular velocity wx, wy, wz; Euler angles yaw, pitch, roll (zyx, in radians)"), "{out}");
    right(&angles("t,w1_deg,w2_deg,w3_deg,e1_deg,e2_deg,e3_deg", true), &["--euler", "zyx"]);
    right(
        &angles("t,a,b,c,p,q,r", true),
        &["--omega", "a,b,c", "--attitude", "p,q,r", "--euler", "zyx", "--degrees"],
    );
    // With other turns it is another motion.
    let (code, out, _) = run_on(&angles("t,wx,wy,wz,e1,e2,e3", false), &["--euler", "xyz"]);
    assert_eq!(code, Some(1), "{out}");
    let (code, _, err) = run_on(&angles("t,a,b,c,p,q,r", true), &["--attitude", "p,q,r"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--euler zyx, say"), "{err}");
}

#[test]
fn semicolons_and_tabs_separate_too() {
    let plain = csv(&exact(30, 0.2));
    right(&plain.replace(',', ";"), &[]);
    right(&plain.replace(',', "\t"), &[]);
    right(&plain.replace(',', ";").replace('.', ","), &[]);
    let out = right(&plain.replace("q0,q1,q2,q3", "qw,qx,qy,qz"), &[]);
    assert!(out.contains("quaternion qw, qx, qy, qz (w, x, y, z)"), "{out}");
    let document: serde_json::Value = serde_json::from_str(&right(&plain, &["--json"])).unwrap();
    let columns = document["trajectories"][0]["columns"].as_str().unwrap();
    assert!(columns.starts_with("time t; momentum m1, m2, m3; angular"), "{columns}");
}

#[test]
fn files_of_every_format_of_this_program_are_read() {
    let folder = crate::support::Folder::new();
    folder.write(
        "a.toml",
        "body.inertia = [1, 2, 2.5]\nstart = { omega = [0.5, 0.55, -0.2], attitude = [0.8, 0.4, -0.4, 0.2] }\n\
         run = { until = 10, interval = 0.1 }\n[output.aem]\nobject_name = 'X'\nobject_id = '2026-001A'\n\
         start_epoch = '2024-02-28T23:59:55'\nrates = true\n",
    );
    for form in [
        "quaternion",
        "scalar-last",
        "matrix",
        "euler",
        "euler-zxz --degrees",
        "quaternion --degrees",
    ] {
        let files = "--out a.csv --out a.npz --out a.jsonl --out a.aem --force";
        folder.good(&format!("run a.toml {files} --attitude-as {form}"));
        for file in ["a.csv", "a.npz", "a.jsonl", "a.aem"] {
            let out = folder.good(&format!("check {file} --inertia 1,2,2.5"));
            let attitude = ["quaternion ", "matrix ", "Euler angles "];
            assert!(attitude.iter().any(|a| out.contains(a)), "{form} {file}: {out}");
        }
    }
    let refused = |name: &str, bytes: &[u8], parts: &[&str]| {
        folder.write(name, bytes);
        let message = folder.refused(&format!("check {name} --inertia 1,2,2.5"));
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    };
    refused("b.npz", b"PK", &["b.npz: no .npz archive"]);
    refused("b.jsonl", b"{\"t\":0}\n[1]\n", &["b.jsonl:2: no JSON object"]);
    refused(
        "b.jsonl",
        b"{\"t\":0,\"omega\":[1,2,3]}\n{\"t\":1}\n",
        &["b.jsonl:2: no numbers under 'omega'"],
    );
    let aem = String::from_utf8(folder.read("a.aem")).unwrap();
    refused("b.aem", aem.replace("QUATERNION/ANGVEL", "QUATERNION").as_bytes(), &["rates = true"]);
    refused(
        "b.aem",
        aem.replace("/ANGVEL", "/RATE").as_bytes(),
        &["ATTITUDE_TYPE = QUATERNION/RATE"],
    );
    let bad = aem.replacen("2024-02-29T00:00:00 ", "2024-02-30T00:00:00 ", 1);
    let line = 1 + aem.lines().position(|line| line.starts_with("2024-02-29T00:00:00 ")).unwrap();
    refused("b.aem", bad.as_bytes(), &[&format!("b.aem:{line}: the epoch")]);
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

#[test]
fn what_is_missing_is_said_with_an_example() {
    let folder = Folder::new();
    folder.write("a.toml", "");
    folder.write("a.csv", "");
    for (line, part) in [
        ("check a.toml", "polhode check rows.csv --scenario a.toml"),
        ("check a.csv", "polhode check a.csv --inertia 1,2,2.8, or the scenario"),
    ] {
        let message = folder.refused(line);
        assert!(message.contains(part), "{message}");
    }
    // One of both, not both.
    folder.refused("check a.csv --inertia 1,2,2.5 --scenario b.toml");
}
