//! Games of the engine against itself, one for each number: whatever the threads, and whether or
//! not a run was interrupted, the same seed and number give the same game.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use crossbeam_channel::{RecvTimeoutError, bounded};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::adjudicate::{Adjudicator, BRIEF, PATIENT};
use super::openings;
use crate::eval::nnue::Network;
use crate::movegen;
use crate::position::{Game, Position};
use crate::search::{Limits, Probing, Shared, Worker};
use crate::tablebase::{Tablebase, Wdl};
use crate::train::random::mix;
use crate::train::viriformat::{Outcome, Record};
use crate::types::{Color, Move, Score};

/// How games are played.
#[derive(Args, Clone, Debug)]
pub struct Rules {
    /// Nodes after which the search of a move begins no new iteration.
    #[arg(long, default_value_t = 5_000)]
    pub nodes: u64,
    /// Search without late move pruning. Before it waited for the answer to threats, the scores of
    /// searches of some hundred nodes were much truer for it.
    #[arg(long)]
    pub thorough: bool,
    /// How many of a hundred games are of Chess960; in half of these each side has an array of its
    /// own.
    #[arg(long, default_value_t = 0, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    pub chess960: u32,
    /// Openings of sensible moves, and games no longer than they teach something: of the random
    /// moves only those are played that a small search finds nearly as good as the best, and a game
    /// ends when it is decided or few pieces are left. Two positions of three are then within 200
    /// centipawns, instead of one of two.
    #[arg(long)]
    pub sensible: bool,
    /// Endgame tables that decide games early, in folders separated as for the option SyzygyPath.
    #[arg(long, value_name = "FOLDERS")]
    pub syzygy: Option<String>,
    /// Games at once, one thread each; all cores if left out.
    #[arg(long)]
    pub threads: Option<usize>,
    /// Decides all games.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Openings with a larger score are thrown away, in centipawns.
const BALANCE: i32 = 250;
/// A game that is so long is drawn if its score is no larger than this, or else thrown away.
const LONGEST: usize = 400;
const UNDECIDED: i32 = 100;
/// Nodes of the searches that choose the moves of sensible openings.
const OPENING_NODES: u64 = 150;
/// Mebibytes of the hash table: more than a game of short searches fills.
const HASH: usize = 2;

impl Rules {
    /// How many threads play.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(super::processors).max(1)
    }

    /// The tables that are asked for.
    ///
    /// # Errors
    ///
    /// There are none.
    pub fn tables(&self) -> io::Result<Option<Arc<Tablebase>>> {
        let Some(folders) = &self.syzygy else {
            return Ok(None);
        };
        let tables = Tablebase::open(folders);
        if tables.max_pieces() == 0 {
            return Err(io::Error::new(io::ErrorKind::NotFound, tables.to_string()));
        }
        Ok(Some(Arc::new(tables)))
    }
}

/// Plays both sides of one game after the other.
pub struct Player {
    worker: Worker,
    shared: Arc<Shared>,
    limits: Limits,
    rules: Rules,
    tables: Option<Arc<Tablebase>>,
}

impl Player {
    /// A player that evaluates by a network, or without one by the hand-made evaluation.
    pub fn new(
        rules: &Rules,
        network: Option<Arc<Network>>,
        tables: Option<Arc<Tablebase>>,
    ) -> Self {
        let shared = Arc::new(Shared::new(HASH));
        let mut worker = Worker::new(Arc::clone(&shared), true);
        worker.set_network(network);
        worker.set_thorough(rules.thorough);
        if let Some(tables) = &tables {
            worker.set_probing(Probing {
                limit: tables.max_pieces(),
                tables: Some(Arc::clone(tables)),
                ..Probing::default()
            });
        }
        Self {
            worker,
            shared,
            limits: Limits {
                soft_nodes: Some(rules.nodes),
                nodes: Some(rules.nodes * 20),
                ..Limits::default()
            },
            rules: rules.clone(),
            tables,
        }
    }

    /// The searcher, for whoever wants to listen to it.
    pub const fn worker(&mut self) -> &mut Worker {
        &mut self.worker
    }

    /// Forgets all positions.
    pub fn forget(&mut self) {
        self.worker.forget();
        self.shared.table.clear();
    }

    /// What a search says of a position, in centipawns for the side to move; `None` if its best move
    /// is a capture or promotion, or the result is proven.
    pub fn quiet_score(&mut self, position: &Position) -> Option<Score> {
        let game = Game::new(position.clone());
        let found = self.worker.run_alone(&game, &self.limits);
        let (mv, score) = (found.best()?, found.score());
        (mv.is_quiet() && !score.is_decisive()).then_some(score)
    }

    /// The game of a number; `None` if it was stopped.
    pub fn play(&mut self, number: u64, stop: &AtomicBool) -> Option<Record> {
        let mut random = SmallRng::seed_from_u64(mix(mix(self.rules.seed) ^ number));
        while !stop.load(Ordering::Relaxed) {
            if let Some(record) = self.attempt(&mut random, stop) {
                return Some(record);
            }
        }
        None
    }

    /// A game; `None` if its opening was too unbalanced, it did not end, or it was stopped.
    fn attempt(&mut self, random: &mut SmallRng, stop: &AtomicBool) -> Option<Record> {
        let chess960 = self.rules.chess960;
        let (start, verdicts) = if self.rules.sensible {
            self.forget();
            let search = |position: &Position| self.small_search(position);
            let start = openings::sensible(random, chess960, BALANCE, search)?;
            (start, BRIEF)
        } else {
            (openings::random(random, chess960)?, PATIENT)
        };
        let mut game = Game::new(start.clone());
        self.forget();
        let mut moves = Vec::with_capacity(LONGEST);
        let mut adjudicator = Adjudicator::new(verdicts);
        let outcome = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(outcome) = ended(&game).or_else(|| self.known(game.position())) {
                break outcome;
            }
            let found = self.worker.run_alone(&game, &self.limits);
            let (mv, score): (Move, Score) = (found.best()?, found.score());
            if moves.is_empty() && score.0.abs() > BALANCE {
                return None;
            }
            let side = game.position().side();
            let white = if side == Color::White { score } else { -score };
            moves.push((mv, white.0 as i16));
            game.make(mv);

            let pieces = game.position().board().occupied().count();
            if let Some(outcome) = adjudicator.verdict(score, side, moves.len(), pieces) {
                break outcome;
            }
            if moves.len() >= LONGEST {
                if score.0.abs() > UNDECIDED {
                    return None;
                }
                break Outcome::Draw;
            }
        };
        // An opening that tables decide at once has nothing to teach.
        (!moves.is_empty()).then_some(Record {
            start,
            moves,
            outcome,
        })
    }

    /// The best move of a position and its score, by very few nodes; `None` if there is no move.
    fn small_search(&mut self, position: &Position) -> Option<(Move, Score)> {
        let limits = Limits {
            soft_nodes: Some(OPENING_NODES),
            nodes: Some(10 * OPENING_NODES),
            ..Limits::default()
        };
        let found = self.worker.run_alone(&Game::new(position.clone()), &limits);
        Some((found.best()?, found.score()))
    }

    /// What endgame tables say of a position whose last move cannot be taken back.
    fn known(&self, position: &Position) -> Option<Outcome> {
        let tables = self.tables.as_ref()?;
        if position.state().halfmoves != 0 {
            return None;
        }
        let side = position.side();
        Some(match tables.wdl(position)? {
            Wdl::Win => Outcome::win(side),
            Wdl::Loss => Outcome::win(!side),
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => Outcome::Draw,
        })
    }
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
    game.is_drawn(0).then_some(Outcome::Draw)
}

/// What a thread keeps ready, at most.
const AHEAD: usize = 64;
/// How long to wait for the next game before something else is looked at.
const PATIENCE: Duration = Duration::from_millis(200);

/// Has threads do numbered work, the first one `first`, and hands over what they made in the order
/// of the numbers; now and then `None`, while there is nothing yet. Ends when `take` breaks.
///
/// # Errors
///
/// A thread cannot be started, or `take` fails.
pub fn in_order<T: Send, W: FnMut(u64, &AtomicBool) -> Option<T> + Send>(
    threads: usize,
    first: u64,
    worker: impl Fn() -> W,
    mut take: impl FnMut(Option<T>) -> io::Result<ControlFlow<()>>,
) -> io::Result<()> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let mut made = Vec::new();
        for index in 0..threads {
            let (sender, receiver) = bounded(AHEAD);
            let (mut work, stop) = (worker(), &stop);
            thread::Builder::new()
                .stack_size(16 << 20)
                .spawn_scoped(scope, move || {
                    for number in (first + index as u64..).step_by(threads) {
                        let Some(made) = work(number, stop) else {
                            return;
                        };
                        if sender.send(made).is_err() {
                            return;
                        }
                    }
                })?;
            made.push(receiver);
        }
        let mut turn = 0;
        let result = loop {
            let next = match made[turn % threads].recv_timeout(PATIENCE) {
                Ok(next) => {
                    turn += 1;
                    Some(next)
                }
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            match take(next) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        stop.store(true, Ordering::Relaxed);
        result
    })
}
