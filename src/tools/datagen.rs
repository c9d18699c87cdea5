//! Data generation: games of the engine against itself, from random openings, on all cores.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;

use super::selfplay::{Player, Rules, in_order};
use super::{TELL, open_to_extend};
use crate::eval::nnue::Network;
use crate::train::data::named;
use crate::train::viriformat::{Damage, Fault, Games, Outcome, Record};

/// What to generate.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The file that the games are added to, in viriformat.
    pub file: PathBuf,
    /// How many games the file shall have at the end, those already there included.
    #[arg(long, default_value_t = 100_000)]
    pub games: u64,
    /// Stop after so many seconds, even if games are missing.
    #[arg(long)]
    pub seconds: Option<u64>,
    #[command(flatten)]
    pub rules: Rules,
}

/// Plays games by a network, or without one by the hand-made evaluation, until the file has enough
/// of them, with a progress line on standard error.
///
/// The file depends on the seed and the rules alone: neither on the threads nor on whether a run
/// was interrupted. What was goes on where it was: whole games are counted, a torn one at the end
/// is cut off.
///
/// # Errors
///
/// The file cannot be read or written, or is not one of games; it is named.
pub fn run(settings: &Settings, network: Option<&Arc<Network>>) -> io::Result<()> {
    let name = |error| named(&settings.file, &error);
    let rules = &settings.rules;
    let tables = rules.tables()?;
    let (file, present) = open(settings).map_err(name)?;
    let mut out = BufWriter::new(file);
    let mut progress = Progress::new(present, settings.games);
    let player = || {
        let mut player = Player::new(rules, network.cloned(), tables.clone());
        move |number, stop: &_| player.play(number, stop)
    };
    in_order(rules.threads(), present, player, |game: Option<Record>| {
        let late = settings
            .seconds
            .is_some_and(|limit| progress.start.elapsed().as_secs() >= limit);
        if progress.count >= settings.games || late {
            return Ok(ControlFlow::Break(()));
        }
        if let Some(game) = game {
            game.write(&mut out).map_err(name)?;
            progress.note(&game);
        }
        progress.tell();
        Ok(ControlFlow::Continue(()))
    })?;
    out.flush().map_err(name)?;
    progress.print();
    eprintln!("\n{} games in {}", progress.count, settings.file.display());
    Ok(())
}

/// The file, ready for more games, and how many it has.
fn open(settings: &Settings) -> io::Result<(File, u64)> {
    let mut file = open_to_extend(&settings.file)?;
    let present = count_games(&mut file)?;
    Ok((file, present))
}

/// Counts the whole games of a file and leaves it cut after the last of them. A file that holds
/// anything else than games and a torn one at the end is not touched.
fn count_games(file: &mut File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    let mut games = Games::new(&mut *file);
    let (mut count, mut end) = (0, 0);
    while let Some(game) = games.next_game()? {
        match game {
            Ok(_) => {
                count += 1;
                end = games.offset();
            }
            Err(damage) if damage.fault == Fault::CutShort && is_torn_game(&damage, length) => {}
            Err(damage) => {
                return Err(io::Error::new(
                    ErrorKind::InvalidData,
                    format!("it holds something else than games, and is left alone: {damage}"),
                ));
            }
        }
    }
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    Ok(count)
}

/// Whether what was cut short can only be a game: it follows another one, or it is long enough to
/// show a position.
const fn is_torn_game(damage: &Damage, length: u64) -> bool {
    damage.offset + damage.skipped == length
        && (damage.offset > 0 || damage.skipped >= Record::PACKED as u64)
}

/// How far the run has come, and what its games are like.
struct Progress {
    start: Instant,
    told: Instant,
    /// Games in the file: before this run, now, and in the end.
    present: u64,
    count: u64,
    wanted: u64,
    positions: u64,
    /// Games of this run, as [`Outcome`] counts.
    outcomes: [u64; 3],
}

impl Progress {
    fn new(present: u64, wanted: u64) -> Self {
        let start = Instant::now();
        Self {
            start,
            told: start,
            present,
            count: present,
            wanted,
            positions: 0,
            outcomes: [0; 3],
        }
    }

    fn note(&mut self, game: &Record) {
        self.count += 1;
        self.positions += game.moves.len() as u64;
        self.outcomes[game.outcome as usize] += 1;
    }

    /// Prints a line if the last one is some time ago.
    fn tell(&mut self) {
        if self.told.elapsed() >= TELL {
            self.told = Instant::now();
            self.print();
        }
    }

    fn print(&self) {
        let seconds = self.start.elapsed().as_secs_f64();
        let new = (self.count - self.present).max(1) as f64;
        let percent = |outcome: Outcome| 100.0 * self.outcomes[outcome as usize] as f64 / new;
        let left = self.wanted.saturating_sub(self.count) as f64 * seconds / new;
        eprint!(
            "\r{} of {} games, {} new positions, {:.0} a second, {:.0} plies a game, \
             White won {:.0} %, drawn {:.0} %, lost {:.0} %, {:.0} min left   ",
            self.count,
            self.wanted,
            self.positions,
            self.positions as f64 / seconds,
            self.positions as f64 / new,
            percent(Outcome::WhiteWins),
            percent(Outcome::Draw),
            percent(Outcome::BlackWins),
            left / 60.0
        );
    }
}
