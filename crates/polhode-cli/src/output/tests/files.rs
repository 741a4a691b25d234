//! What becomes of files: resumed, refused, given up, on a full disk.

use super::*;

/// Every format, named by its extension.
fn files() -> impl Iterator<Item = String> {
    FORMATS.iter().map(|f| format!("a.{}", f.extension))
}

#[test]
fn resumed_files_are_those_of_an_uninterrupted_run() {
    for name in files() {
        let run = SampleRun::new();
        let want = run.write(&name);
        for kept in [0, 1, 77, 199, 200] {
            let path = run.path(&format!("again-{name}"));
            let mut first = RunFile::create(&path, Replace::forced(true), &run.setting()).unwrap();
            run.rows[..kept].iter().for_each(|r| first.row(r).unwrap());
            let mark = first.sync().unwrap();
            let length = fs::metadata(part(&path)).unwrap().len();
            // Killed later: what came after the checkpoint is written once more.
            run.rows[kept..].iter().for_each(|r| first.row(r).unwrap());
            drop(first);
            let mut second = RunFile::reopen(&path, &mark, &run.setting()).unwrap();
            assert_eq!(fs::metadata(part(&path)).unwrap().len(), length, "{name}: not cut");
            run.rows[kept..].iter().for_each(|r| second.row(r).unwrap());
            second.finish().unwrap();
            assert!(fs::read(&path).unwrap() == want, "{name} after {kept} rows");
        }
        assert_eq!(run.names(), [name.clone(), format!("again-{name}")], "nothing else is left");
    }
}

#[test]
fn a_part_that_is_not_what_it_was_is_refused() {
    for name in files() {
        let run = SampleRun::new();
        let path = run.path(&name);
        let mut output = RunFile::create(&path, Replace::forced(false), &run.setting()).unwrap();
        run.rows.iter().for_each(|r| output.row(r).unwrap());
        let mark = output.sync().unwrap();
        let refusal = || message(RunFile::reopen(&path, &mark, &run.setting()));
        assert!(refusal().contains("another run"), "{name}: {}", refusal());
        drop(output);
        let good = fs::read(part(&path)).unwrap();
        let mut other = good.clone();
        *other.last_mut().unwrap() ^= 1;
        for (spool, why) in [(&good[..good.len() - 1], "bytes"), (&other, "not what was written")] {
            fs::write(part(&path), spool).unwrap();
            let message = refusal();
            assert!(
                message.contains(why) && message.contains(&format!("{name}.part: ")),
                "{message}"
            );
            assert!(fs::read(part(&path)).unwrap() == spool, "{name}: left as it was");
        }
        fs::remove_file(part(&path)).unwrap();
        assert!(refusal().contains("not there"), "{name}");
        fs::write(part(&path), &good).unwrap();
        assert!(RunFile::reopen(&path, &mark, &run.setting()).is_ok(), "{name}");
    }
}

#[test]
fn a_part_that_is_being_written_is_left_alone() {
    let run = SampleRun::new();
    let path = run.path("a.csv");
    let mut output = RunFile::create(&path, Replace::forced(false), &run.setting()).unwrap();
    for force in [false, true] {
        assert!(run.refusal(&path, force).contains("another run"));
    }
    run.rows.iter().for_each(|r| output.row(r).unwrap());
    output.finish().unwrap();
    assert!(fs::read(&path).unwrap() == run.write("b.csv"));
}

#[test]
fn files_in_the_way_are_not_overwritten_without_force() {
    for name in files() {
        let run = SampleRun::new();
        let path = run.path(&name);
        fs::write(&path, "mine").unwrap();
        let message = run.refusal(&path, false);
        assert!(message.contains(&name) && message.contains("--force"), "{message}");
        let mut output = RunFile::create(&path, Replace::forced(true), &run.setting()).unwrap();
        output.row(&run.rows[0]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"mine", "until the new one is whole");
        output.finish().unwrap();
        assert_ne!(fs::read(&path).unwrap(), b"mine");
    }
}

#[test]
fn a_part_of_another_run_is_not_overwritten_without_force() {
    let run = SampleRun::new();
    let path = run.path("a.csv");
    drop(RunFile::create(&path, Replace::forced(false), &run.setting()).unwrap());
    assert!(run.refusal(&path, false).contains("resume"));
    RunFile::create(&path, Replace::forced(true), &run.setting()).unwrap().discard();
    assert!(run.names().is_empty());
}

#[test]
fn places_where_nothing_can_be_written() {
    let run = SampleRun::new();
    fs::create_dir(run.path("folder.csv")).unwrap();
    assert!(run.refusal(&run.path("folder.csv"), true).contains("is a folder"));
    assert!(run.refusal(&run.path("nowhere/a.csv"), false).contains("no folder"));
    fs::write(run.path("file"), "").unwrap();
    assert!(run.refusal(&run.path("file/a.csv"), false).contains("no folder"));
    fs::create_dir(run.path("a.csv.part")).unwrap();
    assert!(run.refusal(&run.path("a.csv"), true).contains("cannot create"));
    for name in ["a", "a.txt", "a.CSV", ".csv", "csv"] {
        let message = run.refusal(&run.path(name), false);
        assert!(message.contains(".csv, .npz, .jsonl, "), "{message}");
        assert!(message.contains(&listed(&run_extensions())), "{message}");
    }
}

#[test]
fn discarded_files_leave_nothing() {
    for name in files() {
        let run = SampleRun::new();
        let mut output =
            RunFile::create(&run.path(&name), Replace::forced(false), &run.setting()).unwrap();
        output.row(&run.rows[0]).unwrap();
        output.discard();
        assert!(run.names().is_empty(), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    use std::os::unix::fs::symlink;
    for format in FORMATS {
        let name = format!("a.{}", format.extension);
        let run = SampleRun::new();
        let path = run.path(&name);
        // The rows do not fit.
        symlink("/dev/full", part(&path)).unwrap();
        let mut output = RunFile::create(&path, Replace::forced(true), &run.setting()).unwrap();
        let error = run.rows.iter().find_map(|r| output.row(r).err());
        let error = error.or_else(|| output.finish().err()).unwrap();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{name}");
        assert!(!path.exists(), "{name}");

        // The rows do, the file made of them does not.
        fs::remove_file(part(&path)).unwrap();
        symlink("/dev/full", run.path(&format!("{name}.whole.part"))).unwrap();
        let mut output = RunFile::create(&path, Replace::forced(false), &run.setting()).unwrap();
        run.rows.iter().for_each(|r| output.row(r).unwrap());
        if let Err(error) = output.finish() {
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{name}");
            assert_eq!(run.names(), [format!("{name}.part")]);
        } else {
            let writer = (format.run)(&path, &run.setting()).unwrap();
            assert!(matches!(writer, Writer::Text(_)), "{name}");
        }
    }
}
