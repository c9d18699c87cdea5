//! Finding the files of tables, and looking at them before they are used.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use shakmaty::Chess;
use shakmaty_syzygy::{Syzygy, TableType};
use thiserror::Error;

use super::checksum;

type Tables = shakmaty_syzygy::Tablebase<Chess>;

/// How long checksums are looked at before tables are used: on a disk that is not slow it is
/// enough for those of up to five pieces, and whoever waits does not notice it.
const PATIENCE: Duration = Duration::from_millis(500);
/// Bytes of the largest file that is begun in that time: more than tables of five pieces have, and
/// so few that the end of one is not waited for.
const LARGEST: u64 = 64 << 20;

/// What there is in some folders.
pub(super) struct Found {
    pub(super) tables: Tables,
    /// How many files the tables are, and how many of them were not read to their checksum.
    pub(super) count: usize,
    pub(super) unread: usize,
    pub(super) faults: Vec<Fault>,
}

/// Something that cannot be used.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub struct Fault {
    path: PathBuf,
    error: io::Error,
}

/// A file with the name of a table.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    kind: TableType,
    /// In bytes.
    length: u64,
}

/// The tables in some folders, separated as in `PATH`. The smallest are looked at most closely.
pub(super) fn find(folders: &str) -> Found {
    let (mut files, faults) = list(folders);
    files.sort_by_key(|file| file.length);
    let mut found = Found {
        tables: empty(),
        count: 0,
        unread: 0,
        faults,
    };
    let begin = Instant::now();
    for file in files {
        let read = file.length <= LARGEST && begin.elapsed() < PATIENCE;
        found.add(file, read);
    }
    found
}

/// The files of some folders, separated as in `PATH`, each folder's in the order of their names; and
/// what cannot be looked into.
pub fn list(folders: &str) -> (Vec<File>, Vec<Fault>) {
    let (mut files, mut faults) = (Vec::new(), Vec::new());
    for folder in env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
        match paths(&folder) {
            Ok(paths) => {
                for path in paths {
                    match File::new(&path) {
                        Ok(file) => files.extend(file),
                        Err(error) => faults.push(Fault { path, error }),
                    }
                }
            }
            Err(error) => faults.push(Fault {
                path: folder,
                error,
            }),
        }
    }
    (files, faults)
}

/// What is in a folder in the order of the names.
fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

impl File {
    /// `None` if it is no file, or does not have the name of one of a table.
    fn new(path: &Path) -> io::Result<Option<Self>> {
        let extension = path.extension().and_then(OsStr::to_str);
        let kind = [Chess::TBW, Chess::TBZ]
            .into_iter()
            .find(|kind| Some(kind.ext) == extension);
        let Some(kind) = kind else {
            return Ok(None);
        };
        let metadata = path.metadata()?;
        Ok(metadata.is_file().then_some(Self {
            path: path.to_owned(),
            kind,
            length: metadata.len(),
        }))
    }

    /// In bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Reads all of it, and compares it with the checksum at its end.
    ///
    /// # Errors
    ///
    /// That the file cannot be read, or is damaged.
    pub fn verify(&self) -> Result<(), Fault> {
        self.look()
            .and_then(|()| self.compare())
            .map_err(|error| Fault {
                path: self.path.clone(),
                error,
            })
    }

    /// Whether it begins as a table.
    fn look(&self) -> io::Result<()> {
        let mut start = [0; 4];
        let read = fs::File::open(&self.path)?.read_exact(&mut start);
        if read.is_ok() && start == self.kind.magic {
            Ok(())
        } else {
            Err(invalid("this is not a table"))
        }
    }

    /// Whether its content has the checksum at its end.
    fn compare(&self) -> io::Result<()> {
        let mut file = fs::File::open(&self.path)?;
        let content = self.length.saturating_sub(checksum::LENGTH as u64);
        let now = checksum::checksum((&mut file).take(content))?;
        let mut told = [0; checksum::LENGTH];
        let read = file.read_exact(&mut told);
        if read.is_ok() && now == told {
            Ok(())
        } else {
            Err(invalid("the file is damaged, its checksum is wrong"))
        }
    }
}

fn invalid(error: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// No tables yet. Their files will be mapped into memory, where a probe costs no system call.
#[cfg(target_pointer_width = "64")]
fn empty() -> Tables {
    // SAFETY: tables are data that is written once and then only read. Whoever changes one under
    // a running engine, or reads it from a failing disk, loses the process, as with any mapping.
    unsafe { Tables::with_mmap_filesystem() }
}

#[cfg(not(target_pointer_width = "64"))]
fn empty() -> Tables {
    Tables::new()
}

impl Found {
    /// Adds a file if it is a table, and notes if it is a bad one.
    fn add(&mut self, file: File, read: bool) {
        match self.try_add(&file, read) {
            Ok(true) => {
                self.count += 1;
                self.unread += usize::from(!read);
            }
            Ok(false) => {}
            Err(error) => self.faults.push(Fault {
                path: file.path,
                error,
            }),
        }
    }

    /// Adds a file; `false` if it does not have the name of a table. It has to begin as one, to
    /// have the size of one and, if all of it is to be read, its checksum.
    fn try_add(&mut self, file: &File, read: bool) -> io::Result<bool> {
        file.look()?;
        if read {
            file.compare()?;
        }
        match self.tables.add_file(&file.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(false),
            Err(error) => Err(error),
        }
    }
}
