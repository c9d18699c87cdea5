//! Floor 7: the library's face. An [`Engine`] holds a game, its options and a pool of threads.

mod about;
pub mod config;
pub mod network;
pub mod options;
mod wdl;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Sender;

use crate::eval::nnue::{Network, embedded};
use crate::movegen::{self, notation};
use crate::position::{Draw, FenError, Game, Position};
use crate::search::{Job, Level, Limits, Pool, Probing, Report, TimePolicy};
use crate::tablebase::Tablebase;
use network::NetworkRefused;
use options::{Effect, OptionError, Options};

pub use about::NAME;
pub use wdl::Wdl;

/// The most half-moves of a game: more than the rules allow, and as many as can be counted.
const MOST_MOVES: usize = 30_000;

/// Why a position was refused. The game before it stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("{0} half-moves, more than {MOST_MOVES}")]
    TooManyMoves(usize),
    #[error("move {number}, '{text}', is not legal in {fen}")]
    Move {
        number: usize,
        text: String,
        fen: String,
    },
}

/// A chess engine without a protocol.
pub struct Engine {
    game: Game,
    options: Options,
    pool: Pool,
    tables: Option<Arc<Tablebase>>,
    network: Option<Arc<Network>>,
    /// Why the options' network is not used.
    refused: Option<NetworkRefused>,
}

impl Engine {
    /// An engine at the start position. Of a network that cannot be used [`Engine::shortages`]
    /// tells.
    pub fn new(mut options: Options) -> Self {
        let mut refused = None;
        let network = network::open(&options.eval_file).unwrap_or_else(|error| {
            refused = Some(error);
            options.eval_file.clear();
            Some(embedded())
        });
        let pool = Pool::new(options.threads, options.hash, network.clone());
        Self {
            game: Game::default(),
            tables: open_tables(&options),
            options,
            pool,
            network,
            refused,
        }
    }

    /// The game with the position to think about.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The position to think about.
    pub const fn position(&self) -> &Position {
        self.game.position()
    }

    /// The options as they are set.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Sets up a position, the start position without a FEN, and plays moves from it. All or
    /// nothing.
    pub fn set_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
    ) -> Result<(), PositionError> {
        if moves.len() > MOST_MOVES {
            return Err(PositionError::TooManyMoves(moves.len()));
        }
        let mut game = Game::new(fen.map_or_else(|| Ok(Position::default()), str::parse)?);
        for (index, text) in moves.iter().enumerate() {
            let position = game.position();
            let mv = notation::parse(position, text).ok_or_else(|| PositionError::Move {
                number: index + 1,
                text: text.clone(),
                fen: position.to_string(),
            })?;
            game.make(mv);
        }
        self.game = game;
        Ok(())
    }

    /// Sets an option, and tells what followed, or what the caller has still to do: the engine
    /// itself writes no log. Not while a search runs.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let file = self.options.eval_file.clone();
        let effect = self.options.set(name, value)?;
        match effect {
            Effect::None | Effect::OpenLog => {}
            Effect::ResizeHash => self.pool.resize(self.options.hash),
            Effect::SetThreads => self.pool.set_threads(self.options.threads),
            Effect::ClearHash => self.pool.clear(),
            Effect::LoadNetwork => match network::open(&self.options.eval_file) {
                Ok(network) => {
                    self.network.clone_from(&network);
                    self.refused = None;
                    self.pool.set_network(network);
                }
                Err(error) => {
                    self.options.eval_file = file;
                    return Err(error.into());
                }
            },
            Effect::OpenTables => self.tables = open_tables(&self.options),
        }
        Ok(effect)
    }

    /// What the machine does not have: one sentence for each option that it falls short of.
    pub fn shortages(&self) -> Vec<String> {
        let mut shortages: Vec<_> = self.refused.iter().map(ToString::to_string).collect();
        let (hash, threads) = (self.pool.mebibytes(), self.pool.threads());
        if hash != self.options.hash {
            let wanted = self.options.hash;
            shortages.push(format!(
                "Hash: {wanted} MiB is not available, using {hash} MiB"
            ));
        }
        if threads != self.options.threads {
            let wanted = self.options.threads;
            shortages.push(format!(
                "Threads: {wanted} are not available, using {threads}"
            ));
        }
        shortages
    }

    /// Exchanges the colours and turns the board upside down; the game begins there.
    pub fn flip(&mut self) {
        self.game = Game::new(self.position().flipped());
    }

    /// The size of the hash table in MiB; less than the option where memory is short.
    pub fn hash_mebibytes(&self) -> usize {
        self.pool.mebibytes()
    }

    /// The number of threads; fewer than the option where the system allows no more.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The endgame tables, if the options name folders of them.
    pub fn tables(&self) -> Option<&Tablebase> {
        self.tables.as_deref()
    }

    /// The network that evaluates, if it is not the hand-made evaluation.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    /// What evaluates: the name and the sizes of a network, or `classical`.
    pub fn evaluation(&self) -> String {
        let network = self.network.as_ref();
        network.map_or_else(|| "classical".to_owned(), ToString::to_string)
    }

    /// Forgets everything that was learnt from earlier games. Not while a search runs.
    pub fn new_game(&mut self) {
        self.pool.clear();
    }

    /// Starts to search the position. News come through `reports`, [`Report::Done`] last.
    pub fn go(&mut self, limits: Limits, reports: Sender<Report>) {
        let analysis = self.is_analysis(&limits);
        let level =
            (self.options.limit_strength && !analysis).then(|| Level::new(self.options.rating));
        let probing = Probing {
            tables: self.tables.clone(),
            depth: self.options.syzygy_depth as i32,
            limit: self.options.syzygy_limit,
            fifty_moves: self.options.syzygy_fifty_moves,
        };
        let job = Job {
            game: self.game.clone(),
            limits,
            lines: self.options.multi_pv,
            // No weaker player knows endgames by heart.
            probing: level.map_or(probing, |_| Probing::default()),
            level,
            broad: analysis,
            time: TimePolicy {
                overhead: self.options.move_overhead,
                ponder: self.options.ponder,
            },
        };
        self.pool.start(job, reports);
    }

    /// Whether a search is for analysis, which is also what one without limits is for, or to solve a
    /// problem, and not for a game.
    fn is_analysis(&self, limits: &Limits) -> bool {
        self.options.analyse_mode || limits.mate.is_some() || limits.are_none() && !limits.ponder
    }

    /// Ends a search as soon as possible.
    pub fn stop(&self) {
        self.pool.stop();
    }

    /// The move a pondering search expected was played: its clock runs from now on.
    pub fn ponderhit(&self) {
        self.pool.ponderhit();
    }

    /// The rule by which the game is drawn, if it is.
    pub fn draw(&self) -> Option<Draw> {
        let position = self.position();
        let stuck = movegen::count(position) == 0;
        if stuck && position.in_check() {
            None
        } else if stuck {
            Some(Draw::Stalemate)
        } else if position.board().is_dead() {
            Some(Draw::DeadPosition)
        } else if self.game.fifty_moves_passed() {
            Some(Draw::FiftyMoves)
        } else {
            self.game.repeats(0).then_some(Draw::Repetition)
        }
    }
}

fn open_tables(options: &Options) -> Option<Arc<Tablebase>> {
    let folders = &options.syzygy_path;
    (!folders.is_empty()).then(|| Arc::new(Tablebase::open(folders)))
}

/// Milliseconds as UCI sends them: below zero means none left.
pub fn millis(count: i64) -> Duration {
    Duration::from_millis(count.max(0).unsigned_abs())
}
