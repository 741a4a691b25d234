//! `FILE.part`: what a file is called until it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::refuse;
use crate::failure::Failure;

/// `FILE.part`.
pub(crate) fn part(path: &Path) -> PathBuf {
    with_suffix(path, ".part")
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// `FILE.part`, open for appending. It stays when dropped: a resumed run goes on with it.
pub(super) struct Part {
    path: PathBuf,
    file: BufWriter<File>,
    /// Bytes written, those not yet on the disk included.
    length: u64,
}

impl Part {
    pub(super) fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        let name = part(path);
        if path.is_dir() {
            return Err(refuse(path, "is a folder; give the name of a file in it"));
        }
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir()) {
            return Err(refuse(path, format_args!("there is no folder {}", folder.display())));
        }
        if !force && path.symlink_metadata().is_ok() {
            return Err(refuse(path, "exists already; --force replaces it"));
        }
        if !force && name.symlink_metadata().is_ok() {
            return Err(refuse(
                &name,
                "left by a run that was interrupted, or being written by another; `polhode resume` \
                 goes on with it if there is a checkpoint, --force begins anew",
            ));
        }
        let file = File::create(&name).map_err(|e| refuse(&name, cannot("create it", &e)))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), length: 0 })
    }

    /// Goes on after so many bytes.
    pub(super) fn reopen(path: &Path, position: u64) -> Result<Self, Failure> {
        let name = part(path);
        let open = |name: &Path| {
            let mut file = OpenOptions::new().read(true).write(true).open(name)?;
            let length = file.metadata()?.len();
            if length >= position {
                file.set_len(position)?;
                file.seek(SeekFrom::Start(position))?;
            }
            Ok((file, length))
        };
        let (file, length) = open(&name).map_err(|e: io::Error| match e.kind() {
            io::ErrorKind::NotFound => refuse(
                &name,
                "not there, and the rows before the checkpoint with it; run the scenario again",
            ),
            _ => refuse(&name, cannot("go on with it", &e)),
        })?;
        if length < position {
            return Err(refuse(
                &name,
                format_args!(
                    "has {length} bytes, but {position} were written before the checkpoint; run \
                     the scenario again"
                ),
            ));
        }
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), length: position })
    }

    /// Goes on after so many bytes of whole lines.
    pub(super) fn reopen_text(path: &Path, position: u64) -> Result<Self, Failure> {
        let mut part = Self::reopen(path, position)?;
        match part.ends_in_newline() {
            Ok(true) => Ok(part),
            Ok(false) => Err(changed(path)),
            Err(e) => Err(refuse(&self::part(path), cannot("read it", &e))),
        }
    }

    fn ends_in_newline(&mut self) -> io::Result<bool> {
        let Some(last) = self.length.checked_sub(1) else { return Ok(true) };
        let (file, mut byte) = (self.file.get_mut(), [0]);
        file.seek(SeekFrom::Start(last))?;
        file.read_exact(&mut byte)?;
        Ok(byte == *b"\n")
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    pub(super) fn sync(&mut self) -> io::Result<u64> {
        self.file.flush()?;
        self.file.get_ref().sync_data()?;
        Ok(self.length)
    }

    /// What has been written so far, from its beginning.
    pub(super) fn read(&mut self) -> io::Result<File> {
        self.file.flush()?;
        File::open(part(&self.path))
    }

    /// Renames the part itself.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.sync()?;
        fs::rename(part(&self.path), &self.path)
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
        // If that cannot be removed either, there is nobody left to tell who does not know.
        let _ = fs::remove_file(part(&self.path));
    }
}

/// The part does not end where it ended.
pub(super) fn changed(path: &Path) -> Failure {
    refuse(&part(path), "not what was written before the checkpoint; run the scenario again")
}

fn cannot(what: &str, e: &io::Error) -> String {
    format!("cannot {what}: {e}; choose a place where you may write")
}
