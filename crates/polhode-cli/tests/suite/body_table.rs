//! What `polhode ensemble` says about tables of bodies, and what it lets pass.

use crate::support::{Folder, TABLE};

#[test]
fn a_wrong_table_is_told_with_line_and_column() {
    const NAMES: &str = "i1,i2,i3,w1,w2,w3";
    let folder = Folder::with_ensemble(TABLE);
    for (table, want) in [
        (
            format!("{NAMES}\n1,2,2.5,0.1,1,0\n1,2,2.5\n"),
            "b.csv:3: the number of fields is 3; needed are 6: 'i1, i2,",
        ),
        (
            format!("{NAMES}\n1,2,2.5,0.1,1,0,7\n"),
            "b.csv:2: the number of fields is 7; needed are 6: ",
        ),
        (format!("{NAMES}\n1,2,abc,0,0,0\n"), "b.csv:2: i3 (column 3): 'abc' is not a number"),
        (format!("{NAMES}\n1,2,2.5,0,,0\n"), "b.csv:2: w2 (column 5): '' is not a number"),
        // The line is that of the file, whatever stands before the row and however lines end.
        (format!("# a\n\n{NAMES}\n# b\n\n1,2,x,0,0,0\n"), "b.csv:6: i3"),
        (format!("{NAMES}\r\n1,2,2.5,0,0,0\r\n# b\r\n1,2,x,0,0,0\r\n"), "b.csv:4: i3"),
        (format!("{NAMES}\n1,2,2.5,0,0,0\nx"), "b.csv:3: the number of fields is 1"),
        (
            format!("{}\n1;2;2.5;0;0;0\n", NAMES.replace(',', ";")),
            "separated by commas, not by ';'",
        ),
        (format!("{}\n", NAMES.replace(',', "\t")), "separated by commas, not by '\\t'"),
        ("1,2,2.5,0.1,1,0\n".into(), "the first line must name the columns, e.g. i1,i2,i3"),
        ("# only this\n".into(), "nothing in it; the first line must name the columns"),
        (format!("{NAMES},Q_0,q1,q2,q3\n"), "no column 'Q_0'; did you mean one of q0, q1, q2, q3?"),
        (format!("{NAMES},qw,qx,qy,qz\n"), "no column 'qw'; did you mean one of q0, q1, q2, q3?"),
        (format!("{NAMES},quat4\n"), "no column 'quat4'; did you mean one of q0, q1, q2, q3?"),
        ("i1,i2,i3,omega_x\n".into(), "no column 'omega_x'; did you mean one of w1, w2, w3?"),
        ("ixx,iyy,izz,w1,w2,w3\n".into(), "no column 'ixx'; did you mean one of i1, i2, i3?"),
        (
            "j1,j2,j3,w1,w2,w3\n".into(),
            "no columns i1, i2, i3; or give [body] inertia for all; found: 'j1",
        ),
        ("i1,i2,i3,v1,w2,w3\n".into(), "column 'w1' is missing; found: 'i1, i2, i3, v1, w2, w3'"),
        (format!("{NAMES},q0,q1,q2\n"), "column 'q3' is missing"),
    ] {
        folder.write("b.csv", &table);
        let told = folder.refused("ensemble e.toml");
        assert!(told.contains(want), "{table}: {told}");
    }
    folder.write("b.csv", b"i1,i2,i3,w1,w2,w3\n1,2,2.5,0,1,\xff\n");
    let told = folder.refused("ensemble e.toml");
    assert!(told.contains("b.csv:2: not UTF-8"), "{told}");
    std::fs::remove_file(folder.path("b.csv")).unwrap();
    let told = folder.refused("ensemble e.toml");
    assert!(told.contains("b.csv: no such file; [bodies] file is looked for beside"), "{told}");
    let place = folder.path("").display().to_string();
    assert!(told.contains(place.trim_end_matches('/')), "{place}: {told}");
    std::fs::create_dir(folder.path("b.csv")).unwrap();
    assert!(folder.refused("ensemble e.toml").contains("b.csv: is a directory"));
}

/// Columns with other names are not read, wherever they stand.
#[test]
fn other_columns_are_left_alone() {
    let folder = Folder::with_ensemble(TABLE);
    folder.write("b.csv", "i1,i2,i3,w1,w2,w3\n1,2,2.5,0.1,1,0\n");
    folder.good("ensemble e.toml --out plain.csv");
    folder.write(
        "b.csv",
        "id,norad,i1,i2,i3,name,w1,w2,w3,mass,date,name,\n\
         7,25544,1,2,2.5,\"ISS, Zarya\",0.1,1,0,4.2e5,1998-11-20,x,\n",
    );
    folder.good("ensemble e.toml --out other.csv");
    assert_eq!(folder.read("plain.csv"), folder.read("other.csv"));
}

#[test]
fn impossible_bodies_run_where_they_are_allowed() {
    let folder = Folder::with_ensemble(TABLE);
    folder.write("b.csv", "i1,i2,i3,w1,w2,w3\n1,2,3.5,0.1,1,0\n");
    let text = folder.refused("ensemble e.toml");
    assert!(text.contains("b.csv:2: inertia: principal moments [1.0, 2.0, 3.5]"), "{text}");
    assert!(text.contains("set allow_unphysical = true in [body] of the ensemble"), "{text}");
    folder.write("e.toml", format!("{TABLE}[body]\nallow_unphysical = true\n"));
    folder.good("ensemble e.toml");
}
