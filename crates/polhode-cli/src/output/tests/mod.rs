//! Files of all formats, written and read back.

mod files;

use std::path::PathBuf;
use std::{fs, io};

use polhode::glam::DVec3;
use polhode::{FreeMotion, Inertia, State};
use polhode_scenario::Epoch;
use tempfile::TempDir;

use super::file::Writer;
use super::format::FORMATS;
use super::*;

type RunFile = RowFile<Row>;

/// A tumbling body and its rows, all different in every number.
struct SampleRun {
    problem: Problem,
    rows: Vec<Row>,
    aem: Aem,
    attitude: AttitudeFormat,
    degrees: bool,
    folder: TempDir,
}

const SPACING: f64 = 0.01;

impl SampleRun {
    fn new() -> Self {
        let inertia = Inertia::principal([3.0, 8.0, 11.0]).unwrap();
        let q = polhode::so3::from_wxyz([0.1, 0.7, -0.3, 0.5]);
        let start = State::from_omega(&inertia, [0.3, 12.0, -1.0], q).unwrap();
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let rows = (0..200u32).map(|n| {
            let t = f64::from(n) * SPACING;
            let state = motion.at(t).unwrap();
            Row {
                step: 10 * u64::from(n),
                t,
                state,
                omega: state.omega(&inertia),
                energy: state.kinetic_energy(&inertia),
                energy_error: f64::from(n) * 1e-15,
                momentum_error: f64::from(n) * -3e-16,
                spatial_momentum_error: f64::from(n) * 7e-16,
                inside: InsideNumbers::new(&[]),
            }
        });
        let rows = rows.collect();
        let start_epoch = Epoch::parse("2023-12-31T23:59:59").unwrap();
        let mut aem = Aem::new("T HANDLE", "1985-099A", start_epoch);
        aem.rates = true;
        let problem = Problem::new(inertia, start);
        let attitude = AttitudeFormat::Quaternion;
        let folder = tempfile::tempdir().unwrap();
        Self { problem, rows, aem, attitude, degrees: false, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn setting(&self) -> RunSetting<'_> {
        RunSetting {
            columns: &[],
            problem: &self.problem,
            scenario: None,
            conserves_energy: true,
            attitude: self.attitude,
            degrees: self.degrees,
            aem: Some(&self.aem),
            title: "t-handle.toml, exact",
            rows: self.rows.len() as u64,
            spacing: SPACING,
            end: self.rows[self.rows.len() - 1].t,
            meta: "{}",
        }
    }

    fn write(&self, name: &str) -> Vec<u8> {
        let path = self.path(name);
        let mut output = RunFile::create(&path, Replace::forced(false), &self.setting()).unwrap();
        for row in &self.rows {
            output.row(row).unwrap();
            assert!(!path.exists(), "{name}");
        }
        output.finish().unwrap();
        fs::read(path).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.write(name)).unwrap()
    }

    /// What lies in the folder.
    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> =
            files.map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn refusal(&self, path: &Path, force: bool) -> String {
        message(RunFile::create(path, Replace::forced(force), &self.setting()))
    }
}

fn message(outcome: Result<RunFile, Failure>) -> String {
    match outcome {
        Err(Failure::Input(message)) => message,
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("accepted"),
    }
}

#[test]
fn a_table_has_the_bits_of_its_rows() {
    let run = SampleRun::new();
    let text = run.text("a.csv");
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(
            "t,m1,m2,m3,w1,w2,w3,q0,q1,q2,q3,energy,energy_error,momentum_error,\
             spatial_momentum_error"
        )
    );
    for row in &run.rows {
        let numbers = lines.next().unwrap().split(',').map(|x| x.parse::<f64>().unwrap());
        let (m, w) = (row.state.m, row.omega);
        let [q0, q1, q2, q3] = row.state.attitude();
        let want = [
            row.t,
            m.x,
            m.y,
            m.z,
            w.x,
            w.y,
            w.z,
            q0,
            q1,
            q2,
            q3,
            row.energy,
            row.energy_error,
            row.momentum_error,
            row.spatial_momentum_error,
        ];
        assert!(numbers.map(f64::to_bits).eq(want.map(f64::to_bits)), "{row:?}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn lines_of_json_have_the_bits_of_their_rows_in_the_form_asked_for() {
    let mut run = SampleRun::new();
    (run.attitude, run.degrees) = ("euler-zxz".parse().unwrap(), true);
    let text = run.text("a.jsonl");
    assert_eq!(text.lines().count(), run.rows.len());
    for (line, row) in text.lines().zip(&run.rows) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let list = |key: &str| -> Vec<f64> {
            value[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
        };
        assert_eq!(value["step"].as_u64(), Some(row.step));
        assert_eq!(value["t"].as_f64(), Some(row.t));
        assert_eq!(list("momentum"), row.state.m.to_array());
        assert_eq!(list("omega"), row.omega.to_array().map(f64::to_degrees));
        assert_eq!(list("attitude"), run.attitude.numbers(row.state.q, true));
        assert_eq!(value["energy"].as_f64(), Some(row.energy));
        assert_eq!(value["spatial_momentum_error"].as_f64(), Some(row.spatial_momentum_error));
    }
}

/// Name, description and numbers of the arrays of an archive.
fn arrays(bytes: &[u8]) -> Vec<(String, String, Vec<u64>)> {
    let mut archive = zip::ZipArchive::new(io::Cursor::new(bytes)).unwrap();
    let names: Vec<String> = archive.file_names().map(|n| n.unwrap().into_owned()).collect();
    names
        .into_iter()
        .map(|name| {
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut archive.by_name(&name).unwrap(), &mut bytes).unwrap();
            assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
            let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            assert_eq!((start % 64, bytes[start - 1]), (0, b'\n'), "{name}");
            let heading = String::from_utf8(bytes[10..start].to_vec()).unwrap();
            let words = bytes[start..].chunks_exact(8);
            let words = words.map(|w| u64::from_le_bytes(w.try_into().unwrap())).collect();
            (name, heading.trim_end().to_owned(), words)
        })
        .collect()
}

#[test]
fn arrays_have_the_bits_of_their_rows() {
    for (form, shape) in [("quaternion", "4,"), ("matrix", "3, 3,"), ("euler", "3,")] {
        let mut run = SampleRun::new();
        run.attitude = form.parse().unwrap();
        let arrays = arrays(&run.write("a.npz"));
        let names: Vec<_> = arrays.iter().map(|a| a.0.as_str()).collect();
        assert_eq!(
            names.join(" "),
            "step.npy t.npy momentum.npy omega.npy attitude.npy energy.npy energy_error.npy \
             momentum_error.npy spatial_momentum_error.npy meta.npy"
        );
        let headings: Vec<_> = arrays.iter().map(|a| a.1.as_str()).collect();
        assert_eq!(headings[0], "{'descr': '<u8', 'fortran_order': False, 'shape': (200,), }");
        assert_eq!(headings[2], "{'descr': '<f8', 'fortran_order': False, 'shape': (200, 3,), }");
        assert!(headings[4].ends_with(&format!("'shape': (200, {shape}), }}")), "{}", headings[4]);
        let attitudes = run.rows.iter().flat_map(|r| run.attitude.numbers(r.state.q, false));
        assert!(arrays[4].2.iter().copied().eq(attitudes.map(f64::to_bits)), "{form}");
        assert!(arrays[0].2.iter().copied().eq(run.rows.iter().map(|r| r.step)));
        let errors = run.rows.iter().map(|r| r.momentum_error.to_bits());
        assert!(arrays[7].2.iter().copied().eq(errors));
    }
}

/// Epoch and numbers of the data lines.
fn ephemeris(text: &str) -> Vec<(String, Vec<f64>)> {
    let data = text.split_once("DATA_START\n").unwrap().1.split_once("DATA_STOP\n").unwrap().0;
    data.lines()
        .map(|line| {
            let (epoch, numbers) = line.split_once(' ').unwrap();
            (epoch.to_owned(), numbers.split(' ').map(|x| x.parse().unwrap()).collect())
        })
        .collect()
}

#[test]
fn an_ephemeris_transforms_space_to_body_coordinates() {
    let mut run = SampleRun::new();
    // Whatever is asked of other files: an ephemeris has its own units.
    (run.attitude, run.degrees) = ("matrix".parse().unwrap(), true);
    let text = run.text("a.aem");
    let rows = ephemeris(&text);
    assert_eq!(rows.len(), run.rows.len());
    let in_space = run.problem.start().spatial_momentum();
    for ((epoch, numbers), row) in rows.iter().zip(&run.rows) {
        assert_eq!(*epoch, run.aem.start_epoch.after(row.t).unwrap().to_string());
        let [q1, q2, q3, qc, w1, w2, w3] = numbers[..] else { panic!("{numbers:?}") };
        // The matrix from A to B coordinates as books on spacecraft attitude have it.
        let [x, y, z] = in_space.to_array();
        let body = DVec3::new(
            (q1 * q1 - q2 * q2 - q3 * q3 + qc * qc) * x
                + 2.0 * (q1 * q2 + q3 * qc) * y
                + 2.0 * (q1 * q3 - q2 * qc) * z,
            2.0 * (q1 * q2 - q3 * qc) * x
                + (-q1 * q1 + q2 * q2 - q3 * q3 + qc * qc) * y
                + 2.0 * (q2 * q3 + q1 * qc) * z,
            2.0 * (q1 * q3 + q2 * qc) * x
                + 2.0 * (q2 * q3 - q1 * qc) * y
                + (-q1 * q1 - q2 * q2 + q3 * q3 + qc * qc) * z,
        );
        assert!((body - row.state.m).length() < 1e-13 * body.length(), "{epoch}");
        let omega = DVec3::new(w1, w2, w3) * (std::f64::consts::PI / 180.0);
        assert!((omega - row.omega).length() < 1e-13 * omega.length(), "{epoch}");
    }
    let heading = text.split_once("DATA_START").unwrap().0;
    assert_eq!(
        heading,
        "CCSDS_AEM_VERS = 2.0\n\
         COMMENT CREATION_DATE is the epoch of t = 0: a run gives the same file always.\n\
         CREATION_DATE = 2023-12-31T23:59:59\n\
         ORIGINATOR = POLHODE\n\
         \n\
         META_START\n\
         COMMENT Every day has 86400 seconds: no leap seconds are inserted.\n\
         OBJECT_NAME = T HANDLE\n\
         OBJECT_ID = 1985-099A\n\
         REF_FRAME_A = EME2000\n\
         REF_FRAME_B = SC_BODY_1\n\
         TIME_SYSTEM = UTC\n\
         START_TIME = 2023-12-31T23:59:59\n\
         STOP_TIME = 2024-01-01T00:00:00.99\n\
         ATTITUDE_TYPE = QUATERNION/ANGVEL\n\
         ANGVEL_FRAME = SC_BODY_1\n\
         META_STOP\n\
         \n"
    );
}

#[test]
fn an_ephemeris_without_rates_has_four_numbers() {
    let mut run = SampleRun::new();
    (run.aem.rates, run.aem.time_system) = (false, "TAI".into());
    let text = run.text("a.aem");
    assert!(text.contains("\nATTITUDE_TYPE = QUATERNION\n") && !text.contains("ANGVEL"));
    assert!(!text.contains("leap"), "{text}");
    assert!(ephemeris(&text).iter().all(|row| row.1.len() == 4));
}

#[test]
fn an_ephemeris_that_cannot_be_is_refused_before_the_run() {
    let run = SampleRun::new();
    let path = run.path("a.aem");
    let refusal =
        |setting: &RunSetting<'_>| message(RunFile::create(&path, Replace::forced(false), setting));
    let without = RunSetting { aem: None, ..run.setting() };
    assert!(refusal(&without).contains("[output.aem]"));
    let backwards = RunSetting { spacing: -0.01, end: -1.0, ..run.setting() };
    assert!(refusal(&backwards).contains("negative"));
    let close = RunSetting { spacing: 1e-13, ..run.setting() };
    assert!(refusal(&close).contains("picosecond"));
    let sparse = RunSetting { spacing: 1e-6, end: 1e11, ..run.setting() };
    assert!(refusal(&sparse).contains("picosecond"));
    let late = RunSetting { spacing: 1e10, end: 1e12, ..run.setting() };
    assert!(refusal(&late).contains("calendar"));
    assert!(run.names().is_empty());
    // One row has no direction.
    let single = RunSetting { spacing: -0.01, rows: 1, end: 0.0, ..run.setting() };
    RunFile::create(&path, Replace::forced(false), &single).unwrap().discard();
}

#[test]
fn a_picture_says_what_it_shows_and_does_not_grow_with_the_rows() {
    let mut run = SampleRun::new();
    let text = run.text("short.svg");
    for words in [
        "<title>t-handle.toml, exact</title>",
        "<desc>Angular momentum in the body; Direction",
        "t (units of time)",
        "m2",
        "polhode through the start",
    ] {
        assert!(text.contains(words), "{words}");
    }
    let motion = FreeMotion::new(run.problem.inertia(), run.problem.start()).unwrap();
    run.rows = (0..100_000u32)
        .map(|n| {
            let t = f64::from(n) * SPACING;
            Row { t, state: motion.at(t).unwrap(), ..run.rows[0] }
        })
        .collect();
    let long = run.text("long.svg");
    // So many flips cannot be told apart: the beginning is drawn, and the axis says so.
    assert!(long.contains("of 1000"), "{long:.2000}");
    assert!(long.len() < 300_000, "{}", long.len());
    for text in [text, long] {
        assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}
