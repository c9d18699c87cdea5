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
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::eval::nnue::Network;
use crate::movegen::{self, legal};
use crate::position::{Game, Position};
use crate::search::{Limits, Probing, Shared, Worker};
use crate::tablebase::{Tablebase, Wdl};
use crate::train::random::mix;
use crate::train::viriformat::{Outcome, Record};
use crate::types::{Color, Move, Role, Score};

/// How games are played.
#[derive(Args, Clone, Debug)]
pub struct Rules {
    /// Nodes after which the search of a move begins no new iteration.
    #[arg(long, default_value_t = 5_000)]
    pub nodes: u64,
    /// Search without late move pruning: the scores of searches of some hundred nodes are much
    /// truer for it.
    #[arg(long)]
    pub thorough: bool,
    /// How many of a hundred games are of Chess960; in half of these each side has an array of its
    /// own.
    #[arg(long, default_value_t = 0, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    pub chess960: u32,
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

/// The fewest random plies of an opening; half of the games have one more.
const RANDOM_PLIES: usize = 8;
/// Openings with a larger score are thrown away, in centipawns.
const BALANCE: i32 = 250;
/// A side that is so far ahead for some plies in a row has won.
const WON: i32 = 1_500;
const WON_PLIES: u32 = 4;
/// A game that stays level for so many plies late on is drawn.
const LEVEL: i32 = 8;
const LEVEL_PLIES: u32 = 12;
const LEVEL_FROM_PLY: usize = 80;
/// A game that is so long is drawn if its score is no larger than this, or else thrown away.
const LONGEST: usize = 400;
const UNDECIDED: i32 = 100;
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
        let start = random_opening(random, self.rules.chess960)?;
        let mut game = Game::new(start.clone());
        self.forget();
        let mut moves = Vec::with_capacity(LONGEST);
        let (mut won, mut level) = (0, 0);
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

            won = if score.0.abs() >= WON { won + 1 } else { 0 };
            level = if score.0.abs() <= LEVEL { level + 1 } else { 0 };
            if won >= WON_PLIES || score.is_decisive() {
                break Outcome::win(if score.0 > 0 { side } else { !side });
            }
            if level >= LEVEL_PLIES && moves.len() >= LEVEL_FROM_PLY {
                break Outcome::Draw;
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

/// Random moves from a start position; `None` if they end the game.
fn random_opening(random: &mut SmallRng, chess960: u32) -> Option<Position> {
    let mut position = if random.random_range(0..100) < chess960 {
        random_start(random)
    } else {
        Position::default()
    };
    for _ in 0..RANDOM_PLIES + random.random_range(0..2) {
        let moves = legal(&position);
        if moves.is_empty() {
            return None;
        }
        position.make(moves[random.random_range(0..moves.len())]);
    }
    (movegen::count(&position) > 0).then_some(position)
}

/// A start position of Chess960, in half of the cases with an array of its own for each side.
fn random_start(random: &mut SmallRng) -> Position {
    let white = random_array(random);
    let black = if random.random_bool(0.5) {
        white
    } else {
        random_array(random)
    };
    let letters = |array: [Role; 8]| array.map(Role::letter).iter().collect::<String>();
    let rooks = |array: [Role; 8]| {
        let files = array.iter().zip('a'..='h');
        let rooks = files.filter(|&(&role, _)| role == Role::Rook);
        rooks.map(|(_, file)| file).collect::<String>()
    };
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
        letters(black),
        letters(white).to_uppercase(),
        rooks(white).to_uppercase(),
        rooks(black)
    );
    fen.parse().expect("an array of Chess960 is well formed")
}

/// Bishops on squares of both colours, the king between the rooks.
fn random_array(random: &mut SmallRng) -> [Role; 8] {
    let mut array = [None; 8];
    array[2 * random.random_range(0..4)] = Some(Role::Bishop);
    array[2 * random.random_range(0..4) + 1] = Some(Role::Bishop);
    for (role, free) in [(Role::Queen, 6), (Role::Knight, 5), (Role::Knight, 4)] {
        let chosen = random.random_range(0..free);
        let mut places = array.iter_mut().filter(|place| place.is_none());
        if let Some(place) = places.nth(chosen) {
            *place = Some(role);
        }
    }
    let mut rest = [Role::Rook, Role::King, Role::Rook].into_iter();
    array.map(|place| place.or_else(|| rest.next()).unwrap_or(Role::Rook))
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
