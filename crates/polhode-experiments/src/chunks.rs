//! Long computations in parts that are kept: an interrupted run goes on where it was.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use sha2::{Digest, Sha256};

use crate::{ExperimentError, Progress, files};

/// A computation in numbered parts, each a list of numbers.
pub(crate) struct Chunks<'a> {
    /// Where finished parts are kept.
    pub(crate) folder: &'a Path,
    /// What is computed, with every number that decides about the result: parts of another
    /// computation are not taken for parts of this one.
    pub(crate) key: String,
    /// How many parts.
    pub(crate) count: usize,
}

impl Chunks<'_> {
    /// All parts in order, those that are kept from disk and the others computed on all cores.
    pub(crate) fn compute(
        &self,
        progress: &dyn Progress,
        part: impl Fn(usize) -> Result<Vec<f64>, ExperimentError> + Sync,
    ) -> Result<Vec<Vec<f64>>, ExperimentError> {
        (0..self.count)
            .into_par_iter()
            .map(|index| {
                let path = self.path(index);
                let numbers = if let Some(numbers) = self.kept(&path, index) {
                    numbers
                } else {
                    let numbers = part(index)?;
                    files::write(&path, &self.text(index, &numbers))?;
                    numbers
                };
                progress.advance();
                Ok(numbers)
            })
            .collect()
    }

    fn path(&self, index: usize) -> PathBuf {
        let name = &hex(self.key.as_bytes())[..12];
        self.folder.join(format!("{name}-{index}.txt"))
    }

    /// A part that is there, whole and of this computation; anything else is computed again.
    fn kept(&self, path: &Path, index: usize) -> Option<Vec<f64>> {
        let text = std::fs::read_to_string(path).ok()?;
        let mut lines = text.lines();
        let (key, sum) = (lines.next()?, lines.next()?);
        let numbers: Vec<f64> = lines.map(str::parse).collect::<Result<_, _>>().ok()?;
        let whole = key == self.heading(index) && sum == checksum(key, &numbers);
        whole.then_some(numbers)
    }

    fn heading(&self, index: usize) -> String {
        format!("# {}, part {index}", self.key)
    }

    /// Numbers as the shortest text that reads back to the same double, after what they are and
    /// a sum over them.
    fn text(&self, index: usize, numbers: &[f64]) -> String {
        let heading = self.heading(index);
        let mut text = format!("{heading}\n{}\n", checksum(&heading, numbers));
        for number in numbers {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{number:?}");
        }
        text
    }
}

fn checksum(heading: &str, numbers: &[f64]) -> String {
    let mut bytes = heading.as_bytes().to_vec();
    bytes.extend(numbers.iter().flat_map(|n| n.to_bits().to_le_bytes()));
    format!("# sha256 {}", hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Silent;

    fn part(index: usize) -> Vec<f64> {
        (0..5).map(|i| (index as f64 + 0.1) / (f64::from(i) + 0.3)).collect()
    }

    #[test]
    fn finished_parts_are_not_computed_again() {
        let folder = tempfile::tempdir().unwrap();
        let chunks = Chunks { folder: folder.path(), key: "squares, h = 0.1".into(), count: 6 };
        let computed = AtomicUsize::new(0);
        let all = |limit: usize| {
            chunks.compute(&Silent, |index| {
                if index >= limit {
                    return Err(ExperimentError::Step(polhode::StepError::OutOfRange {
                        h: 1.0,
                        momentum: [0.0; 3],
                    }));
                }
                computed.fetch_add(1, Ordering::Relaxed);
                Ok(part(index))
            })
        };
        assert!(all(4).is_err(), "interrupted");
        let before = computed.load(Ordering::Relaxed);
        let whole = all(6).unwrap();
        assert_eq!(computed.load(Ordering::Relaxed), 6, "after {before}");
        let expected: Vec<Vec<f64>> = (0..6).map(part).collect();
        assert_eq!(whole, expected, "equal to an uninterrupted run, bit for bit");

        // Damaged, cut off, or of another computation: computed again.
        let damage = |change: &dyn Fn(String) -> String| {
            let path = chunks.path(2);
            std::fs::write(&path, change(std::fs::read_to_string(&path).unwrap())).unwrap();
            let before = computed.load(Ordering::Relaxed);
            assert_eq!(all(6).unwrap(), expected);
            assert_eq!(computed.load(Ordering::Relaxed), before + 1);
        };
        damage(&|text| text.replace("2.1\n", "2.2\n").replace("7.0", "7.1"));
        damage(&|text| text[..text.len() - 4].to_owned());
        damage(&|text| text.replace("part 2", "part 3"));
        damage(&|_| String::new());
        let other = Chunks { folder: folder.path(), key: "squares, h = 0.2".into(), count: 1 };
        assert_eq!(other.compute(&Silent, |_| Ok(vec![7.0])).unwrap(), [[7.0]]);
    }
}
