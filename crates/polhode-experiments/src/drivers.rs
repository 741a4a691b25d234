//! The three drivers of FRB-FORTRAN, and their data files.
//!
//! Celledoni and Zanna describe `driver_example0` to `driver_example2` and name their files, but print neither;
//! `docs/drivers.md` defines the files. Example 0 turns a free body in one step with rotation
//! matrices, example 2 with quaternions, and example 1 follows the body of section 4.3 under a weak
//! torque with a splitting whose coefficients are in the file.

mod init;

use std::fmt::Write as _;
use std::path::Path;

use polhode::glam::DVec3;
use polhode::{Inertia, State, rotor, so3};

pub(crate) use init::{Init, coefficients};

use crate::{ExperimentError, files};

/// A program of FRB-FORTRAN that drives its routines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Driver {
    /// A free body, attitude as a matrix.
    Example0,
    /// A body under torque, attitude as a matrix.
    Example1,
    /// A free body, attitude as a quaternion.
    Example2,
}

impl Driver {
    /// Its number, as in the names of its files.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Example0 => 0,
            Self::Example1 => 1,
            Self::Example2 => 2,
        }
    }

    /// Reads `init`, computes, and writes `out`; the states written are also given back.
    ///
    /// # Errors
    /// [`ExperimentError`] if a file cannot be read, understood or written, or a step not be done.
    pub(crate) fn run(self, init: &Path, out: &Path) -> Result<Vec<(f64, State)>, ExperimentError> {
        let data = Init::parse(self, &files::read(init)?).map_err(|(line, message)| {
            ExperimentError::Data { path: init.into(), line, message }
        })?;
        let states = self.compute(&data)?;
        files::write(out, &self.text(&states))?;
        Ok(states)
    }

    fn compute(self, init: &Init) -> Result<Vec<(f64, State)>, ExperimentError> {
        // FRB-FORTRAN takes any moments, and so do the drivers.
        let inertia = Inertia::principal_unphysical(init.inertia)?;
        let mut state = init.start()?;
        let mut states = vec![(0.0, state)];
        let spec = if self == Self::Example2 { "frb-quaternion" } else { "frb-matrix" };
        let mut free = rotor::build(spec, &inertia)?;
        let Some(splitting) = &init.splitting else {
            free.step(init.t_end, &mut state)?;
            states.push((init.t_end, state));
            return Ok(states);
        };
        let (h, u0) = (splitting.step, DVec3::from_array(splitting.u0));
        let count = splitting.steps(init.t_end);
        for n in 1..=count {
            for stage in splitting.stages() {
                match stage {
                    DriverStage::Free(part) => free.step(part * h, &mut state)?,
                    DriverStage::Kick(part) => {
                        let u = state.q.conjugate() * u0;
                        state.m += DVec3::new(u.y, -u.x, 0.0) * (part * h);
                    }
                }
            }
            if n % splitting.every == 0 || n == count {
                states.push((n as f64 * h, state));
            }
        }
        Ok(states)
    }

    fn text(self, states: &[(f64, State)]) -> String {
        let attitude = if self == Self::Example2 {
            "q0 q1 q2 q3"
        } else {
            "Q11 Q12 Q13 Q21 Q22 Q23 Q31 Q32 Q33"
        };
        let mut text = format!(
            "# out_example{0}.dat, written by driver_example{0}; see docs/drivers.md\n# t m1 m2 m3 \
             {attitude}\n",
            self.number()
        );
        for (t, state) in states {
            let mut numbers = vec![*t, state.m.x, state.m.y, state.m.z];
            if self == Self::Example2 {
                numbers.extend(state.attitude());
            } else {
                numbers.extend(so3::to_rows(state.q));
            }
            let row: Vec<String> = numbers.iter().map(|v| format!("{v:.16e}")).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", row.join(" "));
        }
        text
    }
}

/// A part of a step of the splitting.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DriverStage {
    Free(f64),
    Kick(f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_make_the_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        for (driver, columns) in
            [(Driver::Example0, 13), (Driver::Example1, 13), (Driver::Example2, 8)]
        {
            let (init, out) = (folder.path().join("init.dat"), folder.path().join("out.dat"));
            let text = Init::published(driver, 20.0).text(driver);
            std::fs::write(&init, &text).unwrap();
            let states = driver.run(&init, &out).unwrap();
            let written = std::fs::read_to_string(&out).unwrap();
            let rows: Vec<Vec<f64>> = written
                .lines()
                .filter(|l| !l.starts_with('#'))
                .map(|l| l.split(' ').map(|v| v.parse().unwrap()).collect())
                .collect();
            assert_eq!(rows.len(), states.len());
            for (row, (t, state)) in rows.iter().zip(&states) {
                assert_eq!(row.len(), columns);
                assert_eq!(row[..4], [*t, state.m.x, state.m.y, state.m.z]);
            }
        }
    }

    /// The drivers in Fortran have the same files, with the same numbers.
    #[test]
    fn the_files_of_the_fortran_drivers_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../polhode-c/examples/fortran");
        for driver in [Driver::Example0, Driver::Example1, Driver::Example2] {
            let path = folder.join(format!("init_example{}.dat", driver.number()));
            let init = Init::parse(driver, &std::fs::read_to_string(path).unwrap()).unwrap();
            assert_eq!(init, Init::published(driver, init.t_end));
        }
    }

    #[test]
    fn mistakes_are_named() {
        let whole = Init::published(Driver::Example1, 20.0).text(Driver::Example1);
        let complaint = |text: &str| {
            let (line, message) = Init::parse(Driver::Example1, text).unwrap_err();
            format!("{line}: {message}")
        };
        let changed = |from: &str, to: &str| complaint(&whole.replacen(from, to, 1));
        assert!(changed("step", "stop").contains("'stop'"));
        assert!(changed("step", "#").ends_with("step is missing"));
        assert!(changed("every", "every 1\nevery").contains("twice"));
        assert!(changed("t_end 20", "t_end 2o").contains("'2o'"));
        assert!(changed("t_end 20", "t_end 20 1").contains("1 number, got 2"));
        assert!(changed("step 0.5", "step 0").contains("step"));
        assert!(changed("every 100", "every 0.5").contains("every"));
    }
}
