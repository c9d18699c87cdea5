//! Data generation: games of the engine against itself, from random openings, on all cores.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use crossbeam_channel::{Sender, bounded};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::eval::nnue::Network;
use crate::movegen::{self, legal};
use crate::position::{Game, Position};
use crate::search::{Limits, Shared, Worker};
use crate::train::viriformat::{Damage, Fault, Games, Outcome, Record};
use crate::types::{Color, Move, Score};

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
    /// Nodes after which the search of a move begins no new iteration.
    #[arg(long, default_value_t = 5_000)]
    pub nodes: u64,
    /// Games at once, one thread each; all cores if left out.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Where the random openings begin to differ from those of another run.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The fewest random plies of an opening; half of the games have one more.
const RANDOM_PLIES: usize = 8;
/// Openings with a larger score are thrown away, in centipawns.
const BALANCE: i32 = 600;
/// A side that is so far ahead for some plies in a row has won.
const WON: i32 = 2_000;
const WON_PLIES: u32 = 4;
/// A game that stays level for so many plies late on is drawn.
const LEVEL: i32 = 8;
const LEVEL_PLIES: u32 = 12;
const LEVEL_FROM_PLY: usize = 80;
/// Longer games are drawn.
const LONGEST: usize = 400;

/// Plays games by a network, or without one by the hand-made evaluation, until the file has enough
/// of them, with a progress line on standard error.
///
/// A run that was interrupted goes on where it was: whole games are counted, a torn one at the
/// end is cut off.
pub fn run(settings: &Settings, network: Option<&Arc<Network>>) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&settings.file)?;
    let present = count_games(&mut file)?;
    let mut out = BufWriter::new(file);
    let threads = settings.threads.unwrap_or_else(super::processors).max(1);
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, games) = bounded(64);
    let handles: Vec<_> = (0..threads)
        .map(|index| {
            let (sender, stop, nodes) = (sender.clone(), Arc::clone(&stop), settings.nodes);
            let network = network.cloned();
            let seed = settings.seed.wrapping_mul(0x9E37_79B9) ^ present << 20 ^ index as u64;
            thread::Builder::new()
                .stack_size(16 << 20)
                .spawn(move || play_games(nodes, network, seed, &stop, &sender))
        })
        .collect::<io::Result<_>>()?;
    drop(sender);

    let (start, mut told) = (Instant::now(), Instant::now());
    let (mut count, mut positions) = (present, 0);
    while count < settings.games
        && settings
            .seconds
            .is_none_or(|limit| start.elapsed().as_secs() < limit)
    {
        if let Ok(game) = games.recv_timeout(Duration::from_millis(200)) {
            let game: Record = game;
            game.write(&mut out)?;
            count += 1;
            positions += game.moves.len();
        }
        if told.elapsed().as_secs() >= 2 {
            told = Instant::now();
            let seconds = start.elapsed().as_secs_f64();
            let per_game = seconds / (count - present).max(1) as f64;
            let left = (settings.games.saturating_sub(count)) as f64 * per_game;
            eprint!(
                "\r{count} of {} games, {positions} new positions, {:.0} positions/s, {:.0} min left   ",
                settings.games,
                positions as f64 / seconds,
                left / 60.0
            );
        }
    }
    stop.store(true, Ordering::Relaxed);
    drop(games);
    for handle in handles {
        // With `panic = "abort"` a thread ends only by coming to its end.
        let _ = handle.join();
    }
    out.flush()?;
    eprintln!("\n{count} games in {}", settings.file.display());
    Ok(())
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
                    io::ErrorKind::InvalidData,
                    format!("it holds something else than games, and is left alone: {damage}"),
                ));
            }
        }
    }
    file.set_len(end)?;
    file.seek(io::SeekFrom::Start(end))?;
    Ok(count)
}

/// Whether what was cut short can only be a game: it follows another one, or it is long enough to
/// show a position.
const fn is_torn_game(damage: &Damage, length: u64) -> bool {
    damage.offset + damage.skipped == length
        && (damage.offset > 0 || damage.skipped >= Record::PACKED as u64)
}

fn play_games(
    nodes: u64,
    network: Option<Arc<Network>>,
    seed: u64,
    stop: &AtomicBool,
    games: &Sender<Record>,
) {
    let mut random = SmallRng::seed_from_u64(seed);
    let shared = Arc::new(Shared::new(8));
    let mut player = Player {
        worker: Worker::new(Arc::clone(&shared), true),
        shared,
        nodes,
    };
    player.worker.set_network(network);
    while !stop.load(Ordering::Relaxed) {
        if let Some(game) = player.play(&mut random, stop)
            && games.send(game).is_err()
        {
            return;
        }
    }
}

/// Plays both sides of one game after the other.
struct Player {
    worker: Worker,
    shared: Arc<Shared>,
    nodes: u64,
}

impl Player {
    /// A game; `None` if its opening was too unbalanced or the run is over.
    fn play(&mut self, random: &mut SmallRng, stop: &AtomicBool) -> Option<Record> {
        let mut game = Game::new(random_opening(random)?);
        self.worker.forget();
        self.shared.table.clear();
        let start = game.position().clone();
        let mut moves = Vec::new();
        let (mut won, mut level) = (0, 0);
        let outcome = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(outcome) = ended(&game) {
                break outcome;
            }
            let (mv, score) = self.think(&game)?;
            if moves.is_empty() && score.0.abs() > BALANCE {
                return None;
            }
            let side = game.position().side();
            let white = if side == Color::White { score } else { -score };
            moves.push((mv, white.0 as i16));
            game.make(mv);

            won = if score.0.abs() >= WON { won + 1 } else { 0 };
            level = if score.0.abs() <= LEVEL { level + 1 } else { 0 };
            if won >= WON_PLIES || score.is_decisive() {
                break Outcome::win(if score.0 > 0 { side } else { !side });
            }
            if level >= LEVEL_PLIES && moves.len() >= LEVEL_FROM_PLY || moves.len() >= LONGEST {
                break Outcome::Draw;
            }
        };
        Some(Record {
            start,
            moves,
            outcome,
        })
    }

    fn think(&mut self, game: &Game) -> Option<(Move, Score)> {
        let limits = Limits {
            soft_nodes: Some(self.nodes),
            nodes: Some(self.nodes * 20),
            ..Limits::default()
        };
        let outcome = self.worker.run_alone(game, &limits);
        Some((outcome.best()?, outcome.score()))
    }
}

/// Random moves from the start position; `None` if they end the game.
fn random_opening(random: &mut SmallRng) -> Option<Position> {
    let mut position = Position::default();
    for _ in 0..RANDOM_PLIES + random.random_range(0..2) {
        let moves = legal(&position);
        if moves.is_empty() {
            return None;
        }
        position.make(moves[random.random_range(0..moves.len())]);
    }
    (movegen::count(&position) > 0).then_some(position)
}

/// The outcome of a game that is over by the rules.
fn ended(game: &Game) -> Option<Outcome> {
    let position = game.position();
    if movegen::count(position) == 0 {
        return Some(if position.in_check() {
            Outcome::win(!position.side())
        } else {
            Outcome::Draw
        });
    }
    let drawn = position.board().is_dead() || game.fifty_moves_passed() || game.repeats(0);
    drawn.then_some(Outcome::Draw)
}
