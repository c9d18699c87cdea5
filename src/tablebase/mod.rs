//! Floor 5: endgame tables, behind two questions: what a position is worth ([`Tablebase::wdl`]),
//! and which of its moves keep that ([`Tablebase::root`]).
//!
//! The tables are those of Ronald de Man (Syzygy), probed by `shakmaty-syzygy`. Files are checked
//! before they are used, down to their checksums as long as that takes hardly any time. One that
//! proves damaged later is reported once, and positions with as many pieces as it has are not
//! probed any more.

pub mod checksum;
mod convert;
mod files;
mod root;

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use shakmaty::Chess;
use shakmaty_syzygy::SyzygyError;

use crate::position::Position;

pub use files::{Fault, File, list};
pub use root::Ranked;
/// What the tables say of a position, for the side to move, from a loss to a win. A cursed win
/// and a blessed loss end in a draw by the fifty-move rule.
pub use shakmaty_syzygy::Wdl;

/// Endgame tables from some folders.
pub struct Tablebase {
    tables: shakmaty_syzygy::Tablebase<Chess>,
    /// How many files there are, how many of them were not read to their checksum, and what is
    /// wrong with others.
    files: usize,
    unread: usize,
    faults: Vec<Fault>,
    /// The most pieces that are asked about.
    pieces: AtomicUsize,
    /// The first damage that was found while probing, and whether it was reported.
    damage: OnceLock<String>,
    told: AtomicBool,
}

impl Tablebase {
    /// The tables in some folders, whose names are separated as in `PATH`.
    ///
    /// Folders and files that cannot be used are left out, which [`Display`](fmt::Display) tells.
    pub fn open(folders: &str) -> Self {
        let found = files::find(folders);
        Self {
            pieces: AtomicUsize::new(found.tables.max_pieces()),
            tables: found.tables,
            files: found.count,
            unread: found.unread,
            faults: found.faults,
            damage: OnceLock::new(),
            told: AtomicBool::new(false),
        }
    }

    /// Whether there are tables, and nothing is wrong with any of them.
    pub fn is_sound(&self) -> bool {
        self.files > 0 && self.faults.is_empty()
    }

    /// The most pieces, kings and pawns included, of a position that is worth probing.
    pub fn max_pieces(&self) -> usize {
        self.pieces.load(Ordering::Relaxed)
    }

    /// What a position is worth if its last move was a capture or a pawn move; `None` if the
    /// tables do not have it, as with any right to castle.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        let chess = self.convert(position)?;
        self.answer(self.tables.probe_wdl_after_zeroing(&chess))
    }

    /// What was found damaged since the tables were opened. It is returned only once.
    pub fn take_damage(&self) -> Option<&str> {
        let damage = self.damage.get()?;
        (!self.told.swap(true, Ordering::Relaxed)).then_some(damage.as_str())
    }

    /// The position as the tables want it, unless they cannot have it.
    fn convert(&self, position: &Position) -> Option<Chess> {
        let pieces = position.board().occupied().count();
        if pieces > self.max_pieces() || !position.state().castling.is_empty() {
            return None;
        }
        convert::chess(position)
    }

    /// The answer, if there is one. A table that is missing is no fault, but damage is.
    fn answer<T>(&self, result: Result<T, SyzygyError>) -> Option<T> {
        match result {
            Ok(answer) => Some(answer),
            Err(SyzygyError::ProbeFailed {
                metric, material, ..
            }) => {
                self.note_damage(&format!("the {metric} table of {material}"), &material);
                None
            }
            Err(_) => None,
        }
    }

    /// Remembers that a table cannot be used, and asks no more about positions of its size.
    #[cold]
    fn note_damage(&self, table: &str, material: &shakmaty_syzygy::Material) {
        // As text it is one letter for each piece, and a v between the sides.
        let pieces = material.to_string().len() - 1;
        let left = pieces.saturating_sub(1);
        self.pieces.fetch_min(left, Ordering::Relaxed);
        self.damage.get_or_init(|| match left {
            // Two kings need no table.
            0..=2 => format!("SyzygyPath: {table} is damaged, using no tables"),
            _ => format!("SyzygyPath: {table} is damaged, using tables of up to {left} pieces"),
        });
    }
}

/// A number of files, in words.
pub fn number_of_files(count: usize) -> String {
    match count {
        1 => "1 file".into(),
        _ => format!("{count} files"),
    }
}

impl fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tablebase({self})")
    }
}

impl fmt::Display for Tablebase {
    /// One line about what was found, and the first of what is wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.files {
            0 => write!(f, "SyzygyPath: no tables")?,
            count => write!(
                f,
                "SyzygyPath: found {}, for positions of up to {} pieces",
                number_of_files(count),
                self.tables.max_pieces()
            )?,
        }
        if self.unread > 0 {
            let unread = self.unread;
            write!(f, ", {unread} of them not verified (see 'prelate tables')")?;
        }
        if let [first, others @ ..] = &self.faults[..] {
            write!(f, "; {first}")?;
            if !others.is_empty() {
                write!(f, " (and {} more)", others.len())?;
            }
        }
        Ok(())
    }
}
