//! Finding the files of tables, and looking at them before they are used.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{env, fs};

use shakmaty::Chess;
use shakmaty_syzygy::{Syzygy, TableType};
use thiserror::Error;

type Tables = shakmaty_syzygy::Tablebase<Chess>;

/// What there is in some folders.
pub(super) struct Found {
    pub(super) tables: Tables,
    /// How many files the tables are.
    pub(super) count: usize,
    pub(super) faults: Vec<Fault>,
}

/// Something that cannot be used.
#[derive(Debug, Error)]
#[error("{}: {error}", path.display())]
pub(super) struct Fault {
    path: PathBuf,
    error: io::Error,
}

/// The tables in some folders, parted as in `PATH`.
pub(super) fn find(folders: &str) -> Found {
    let mut found = Found {
        tables: empty(),
        count: 0,
        faults: Vec::new(),
    };
    let folders = env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty());
    for folder in folders {
        match list(&folder) {
            Ok(files) => files.into_iter().for_each(|file| found.add(file)),
            Err(error) => found.faults.push(Fault {
                path: folder,
                error,
            }),
        }
    }
    found
}

/// The files of a folder in the order of their names.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<_> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    files.sort();
    Ok(files)
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
    fn add(&mut self, path: PathBuf) {
        match self.try_add(&path) {
            Ok(true) => self.count += 1,
            Ok(false) => {}
            Err(error) => self.faults.push(Fault { path, error }),
        }
    }

    /// Adds a file; `false` if it does not even look like a table. It has to begin as one and to
    /// have the size of one; what lies between is only seen when it is asked.
    fn try_add(&mut self, path: &Path) -> io::Result<bool> {
        let Some(kind) = kind(path) else {
            return Ok(false);
        };
        if !path.metadata()?.is_file() {
            return Ok(false);
        }
        let mut start = [0; 4];
        let read = File::open(path)?.read_exact(&mut start);
        if read.is_err() || start != kind.magic {
            let error = "the file is no table";
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        match self.tables.add_file(path) {
            Ok(()) => Ok(true),
            // The name is not one of a table.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// What kind of table a file is by its name.
fn kind(path: &Path) -> Option<TableType> {
    let extension = path.extension().and_then(OsStr::to_str)?;
    [Chess::TBW, Chess::TBZ]
        .into_iter()
        .find(|kind| kind.ext == extension)
}
