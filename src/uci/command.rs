//! What a GUI or a person can ask of the engine, once its line has been read.

use thiserror::Error;

/// One line of input. Nothing in it has met a board yet: positions and moves are still text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `uci`: say who you are and which options you have.
    Uci,
    /// `isready`: answer, also during a search.
    IsReady,
    /// `ucinewgame`: what follows has nothing to do with what was.
    NewGame,
    /// `position`: the position to think about from now on.
    Position {
        /// Where the moves begin.
        start: Start,
        /// The moves played since, in UCI's notation or in SAN.
        moves: Vec<String>,
    },
    /// `go`: search, or count by perft.
    Go(Go),
    /// `stop`: end the search now and answer.
    Stop,
    /// `ponderhit`: the expected move was played, the clock now runs for us.
    PonderHit,
    /// `setoption`.
    SetOption {
        /// The name as it was sent.
        name: String,
        /// The value without blanks around it; `None` where it is absent or empty.
        value: Option<String>,
    },
    /// `debug on` or `debug off`.
    Debug(bool),
    /// `quit`: leave as soon as possible.
    Quit,
    /// `d`: draw the board.
    Display,
    /// `flip`: exchange the colours and turn the board upside down.
    Flip,
    /// `eval` or `eval all`: explain the evaluation of the position.
    Eval {
        /// By every term, not only by those that count most.
        all: bool,
    },
    /// `bench`, with the words that follow it.
    Bench(Vec<String>),
    /// `speedtest`, with the words that follow it.
    Speedtest(Vec<String>),
    /// `compiler`: tell what the binary was built by and for.
    Compiler,
    /// `help`: list the commands.
    Help,
}

/// The position in which the moves of `position` begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// The initial position of standard chess.
    Startpos,
    /// Four to six fields of a FEN, one blank between them.
    Fen(String),
}

/// The limits of a search: each word of `go` that was sent. All of them hold together.
///
/// Numbers too large or too small for their field are its largest or smallest value. Whatever else
/// is wrong with the line is one of its `faults`: every `go` is answered by a move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Go {
    /// White's clock in milliseconds; some GUIs send less than zero.
    pub wtime: Option<i64>,
    /// Black's clock in milliseconds; some GUIs send less than zero.
    pub btime: Option<i64>,
    /// White's increment per move in milliseconds.
    pub winc: Option<i64>,
    /// Black's increment per move in milliseconds.
    pub binc: Option<i64>,
    /// Moves until the next time control; some GUIs send 0 where there is none.
    pub movestogo: Option<u32>,
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Find a mate in this many moves.
    pub mate: Option<u32>,
    /// Do not search: count the leaves of the tree of legal moves at this depth in plies.
    pub perft: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider only these moves of the root, in UCI's notation or in SAN; all if there are none.
    /// [`NO_MOVE`](super::format::NO_MOVE) adds none.
    pub searchmoves: Vec<String>,
    /// What of the line does not count, in its order; of many faults only the first ones.
    pub faults: Vec<GoFault>,
}

/// Something in a `go` that does not count.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GoFault {
    /// A word wants a number, and something else follows.
    #[error("'{word}' needs a whole number, not '{value}'")]
    NotANumber { word: String, value: String },
    /// A word wants a number, and another word of `go` or the end of the line follows.
    #[error("'{0}' needs a whole number")]
    NoNumber(String),
    /// A number with a fraction, which is dropped.
    #[error("'{word}' needs a whole number, using {used} for '{value}'")]
    Fraction {
        word: String,
        value: String,
        used: i64,
    },
    /// Something that is neither a word of `go` nor belongs to one.
    #[error("'{0}' is not a word of go")]
    UnknownWord(String),
    /// A move that cannot be played.
    #[error("searchmoves '{0}' is not legal here")]
    IllegalMove(String),
    /// Increments or moves to go, but no time and no other limit.
    #[error("no time on the clock, 'wtime' and 'btime' are missing")]
    NoClock,
    /// The line is longer than any that makes sense.
    #[error("a line of {length} bytes is too long, the limit is {most}")]
    TooLong { length: usize, most: usize },
}
