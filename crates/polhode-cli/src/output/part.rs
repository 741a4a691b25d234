//! `FILE.part`: what a file is called until it is whole.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;

use serde::{Deserialize, Serialize};

use super::{is_standard, refuse};
use crate::checksum::checksum;
use crate::failure::Failure;
use crate::run::shown;

/// `FILE.part`.
pub(crate) fn part(path: &Path) -> PathBuf {
    with_suffix(path, ".part")
}

/// Renamed into place: there is no part left.
pub(crate) fn is_complete(file: &Path) -> bool {
    !part(file).exists() && file.exists()
}

/// The files in which the rows so far are, if there are any.
pub(crate) fn parts<'a>(files: impl IntoIterator<Item = &'a Path>) -> Option<String> {
    let there = files.into_iter().map(part).filter(|part| part.exists());
    let shown: Vec<_> = there.map(|part| shown(&part)).collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// `FILE.part`, open for appending. It stays when dropped: a resumed run goes on with it.
pub(super) struct PartFile {
    path: PathBuf,
    file: BufWriter<File>,
    /// Bytes written, those not yet on the disk included.
    length: u64,
    /// They go to standard output, and are not renamed.
    standard: bool,
}

/// What may be there already and is then replaced.
#[derive(Clone, Copy)]
pub(crate) struct Replace {
    /// A whole file of that name.
    pub(crate) file: bool,
    /// What another run has left of one.
    pub(crate) part: bool,
}

impl Replace {
    /// Both or neither, as `--force` says.
    pub(crate) fn forced(force: bool) -> Self {
        Self { file: force, part: force }
    }
}

/// How far a part went when it was on the disk, and how to know it again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartMark {
    position: u64,
    /// Of the last bytes before the position: another run has written others.
    checksum: String,
}

/// How many bytes those are: some rows.
const TAIL: u64 = 4096;

/// What is said of a part that a run has left, which may have a checkpoint.
pub(super) const RESUMABLE: &str = "left by a run that was interrupted; `polhode resume` goes on with \
                                    it if there is a checkpoint, --force begins anew";
/// The same where nothing goes on with it.
pub(super) const ABANDONED: &str = "left by a command that was stopped; --force replaces it";

impl PartFile {
    /// Opens it; `left` is what is said of one that is there and may not be replaced.
    pub(super) fn create(path: &Path, replace: Replace, left: &str) -> Result<Self, Failure> {
        if is_standard(path) {
            let file = standard_output()
                .map_err(|e| refuse(path, cannot("write to standard output", &e)))?;
            let file = BufWriter::new(file);
            return Ok(Self { path: path.to_owned(), file, length: 0, standard: true });
        }
        let name = part(path);
        if path.is_dir() {
            return Err(refuse(path, "is a folder; give the name of a file in it"));
        }
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
            return Err(refuse(path, format_args!("there is no folder {}", folder.display())));
        }
        if !replace.file && path.symlink_metadata().is_ok() {
            return Err(refuse(path, "exists already; --force replaces it"));
        }
        let is_left = name.symlink_metadata().is_ok();
        // Emptied only when it is known that nobody else writes to it.
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(&name);
        let file = file.map_err(|e| refuse(&name, cannot("create it", &e)))?;
        lock(&name, &file)?;
        if is_left && !replace.part {
            return Err(refuse(&name, left));
        }
        // A device has no length, and cannot be given one.
        let empty = |file: &File| match file.metadata()?.len() {
            0 => Ok(()),
            _ => file.set_len(0),
        };
        empty(&file).map_err(|e| refuse(&name, cannot("empty it", &e)))?;
        let file = BufWriter::new(file);
        Ok(Self { path: path.to_owned(), file, length: 0, standard: false })
    }

    /// Goes on where a mark was set.
    pub(super) fn reopen(path: &Path, mark: &PartMark) -> Result<Self, Failure> {
        if is_standard(path) {
            let why = "its rows went to standard output, where they cannot be continued; run the scenario again";
            return Err(refuse(path, why));
        }
        let name = part(path);
        let file = OpenOptions::new().read(true).write(true).open(&name);
        let mut file = file.map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => refuse(
                &name,
                "not there, and the rows before the checkpoint with it; run the scenario again",
            ),
            _ => refuse(&name, cannot("go on with it", &e)),
        })?;
        lock(&name, &file)?;
        let go_on = |e: io::Error| refuse(&name, cannot("go on with it", &e));
        let length = file.metadata().map_err(go_on)?.len();
        if length < mark.position {
            return Err(refuse(
                &name,
                format_args!(
                    "has {length} bytes, but {} were written before the checkpoint; run the \
                     scenario again",
                    mark.position
                ),
            ));
        }
        if tail_checksum(&mut file, mark.position).map_err(go_on)? != mark.checksum {
            return Err(changed(path));
        }
        file.set_len(mark.position).map_err(go_on)?;
        let file = BufWriter::new(file);
        Ok(Self { path: path.to_owned(), file, length: mark.position, standard: false })
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        let written = self.file.write_all(bytes);
        self.unless_left(written)
    }

    /// Whoever reads standard output may have seen enough, as `head` has: then there is nothing left to do, and that
    /// is no failure.
    fn unless_left(&self, written: io::Result<()>) -> io::Result<()> {
        match written {
            Err(e) if self.standard && e.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
            other => other,
        }
    }

    /// Everything written so far is on the disk.
    fn flush_to_disk(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        self.unless_left(flushed)?;
        if self.standard { Ok(()) } else { self.file.get_ref().sync_data() }
    }

    pub(super) fn sync(&mut self) -> io::Result<PartMark> {
        self.flush_to_disk()?;
        if self.standard {
            return Ok(PartMark { position: self.length, checksum: String::new() });
        }
        let checksum = tail_checksum(self.file.get_mut(), self.length)?;
        Ok(PartMark { position: self.length, checksum })
    }

    /// A mark at what was the length some time ago.
    pub(super) fn mark_at(&mut self, position: u64) -> io::Result<PartMark> {
        self.flush_to_disk()?;
        let checksum = tail_checksum(self.file.get_mut(), position)?;
        Ok(PartMark { position, checksum })
    }

    /// What has been written so far, from its beginning.
    pub(super) fn read(&mut self) -> io::Result<File> {
        self.file.flush()?;
        File::open(part(&self.path))
    }

    /// Renames the part itself.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.flush_to_disk()?;
        if self.standard { Ok(()) } else { fs::rename(part(&self.path), &self.path) }
    }

    /// Puts something else in its place: `write` fills another temporary file, which is renamed.
    pub(super) fn replace(
        mut self,
        write: impl FnOnce(&mut Self, &mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        let whole = with_suffix(&self.path, ".whole.part");
        let written = File::create(&whole).and_then(|file| {
            let mut out = BufWriter::new(file);
            write(&mut self, &mut out)?;
            out.flush()?;
            out.get_ref().sync_data()
        });
        if let Err(e) = written.and_then(|()| fs::rename(&whole, &self.path)) {
            // Of no use to anybody; the rows are still in the part.
            let _ = fs::remove_file(&whole);
            return Err(e);
        }
        fs::remove_file(part(&self.path))
    }

    pub(super) fn discard(self) {
        if self.standard {
            return;
        }
        // If that cannot be removed either, there is nobody left to tell who does not know.
        let _ = fs::remove_file(part(&self.path));
    }
}

/// Standard output as a file.
#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

/// Standard output as a file.
#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// Standard output as a file.
#[cfg(not(any(unix, windows)))]
fn standard_output() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// No two runs write to the same file. Where the system has no locks, nobody is kept from it.
fn lock(name: &Path, file: &File) -> Result<(), Failure> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            Err(refuse(name, "being written by another run; wait for it, or write elsewhere"))
        }
        _ => Ok(()),
    }
}

/// Of the last bytes before a position; the file is then at that position.
fn tail_checksum(file: &mut File, position: u64) -> io::Result<String> {
    file.seek(SeekFrom::Start(position.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    Read::by_ref(file).take(position.min(TAIL)).read_to_end(&mut tail)?;
    Ok(checksum(&tail))
}

/// The part is not the one that was written.
pub(super) fn changed(path: &Path) -> Failure {
    refuse(&part(path), "not what was written before the checkpoint; run the scenario again")
}

fn cannot(what: &str, e: &io::Error) -> String {
    format!("cannot {what}: {e}; choose a place where you may write")
}
