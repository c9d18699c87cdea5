//! What moves are called: UCI's coordinates and the SAN of players.

use std::fmt;

use super::legal;
use crate::position::Position;
use crate::types::{Color, File, Move, MoveKind, Role, Square, Wing};

/// A move as UCI writes it.
#[derive(Clone, Copy, Debug)]
pub struct Uci {
    pub mv: Move,
    /// Whether castling is written as the king taking its rook, as UCI_Chess960 asks. Castling
    /// that standard chess does not have is always written so.
    pub chess960: bool,
}

impl fmt::Display for Uci {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, mut to) = (self.mv.from(), self.mv.to());
        if self.mv.is_castling() && !self.chess960 && starts_as_in_standard_chess(self.mv) {
            let target = wing(self.mv).king_target(Color::White);
            to = Square::new(target.file(), from.rank());
        }
        write!(f, "{from}{to}")?;
        self.mv
            .promotion()
            .map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

/// Elsewhere the king's way may be one step or none, and naming its end would name another move.
fn starts_as_in_standard_chess(castling: Move) -> bool {
    castling.from().file() == File::E && matches!(castling.to().file(), File::A | File::H)
}

fn wing(castling: Move) -> Wing {
    if castling.to() > castling.from() {
        Wing::King
    } else {
        Wing::Queen
    }
}

/// The legal move that a UCI text names, in either spelling of castling.
pub fn parse_uci(position: &Position, text: &str) -> Option<Move> {
    let moves = legal(position);
    let named = |chess960| {
        moves
            .iter()
            .copied()
            .find(|&mv| text.eq_ignore_ascii_case(&Uci { mv, chess960 }.to_string()))
    };
    named(true).or_else(|| named(false))
}

/// The legal move that a text names, in UCI's notation or in SAN, as people write it.
pub fn parse(position: &Position, text: &str) -> Option<Move> {
    parse_uci(position, text).or_else(|| parse_san(position, text))
}

/// A legal move in standard algebraic notation, with `+` or `#`.
pub fn san(position: &Position, mv: Move) -> String {
    let mut text = String::new();
    let role = position.board().role_on(mv.from()).unwrap_or(Role::Pawn);
    if mv.kind() == MoveKind::Castling {
        text.push_str(match wing(mv) {
            Wing::King => "O-O",
            Wing::Queen => "O-O-O",
        });
    } else {
        if role == Role::Pawn {
            if mv.is_capture() {
                text.push(mv.from().file().letter());
            }
        } else {
            text.push(role.letter().to_ascii_uppercase());
            text.push_str(&origin(position, mv, role));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(promoted) = mv.promotion() {
            text.push('=');
            text.push(promoted.letter().to_ascii_uppercase());
        }
    }
    let after = position.after(mv);
    if after.in_check() {
        text.push(if legal(&after).is_empty() { '#' } else { '+' });
    }
    text
}

/// What tells `mv` from the moves of like pieces to the same square: file, rank or both.
fn origin(position: &Position, mv: Move, role: Role) -> String {
    let (file, rank) = mv.from().coords();
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for other in legal(position) {
        let like = position.board().role_on(other.from()) == Some(role);
        if like && other.to() == mv.to() && other.from() != mv.from() && !other.is_castling() {
            any = true;
            same_file |= other.from().file() == file;
            same_rank |= other.from().rank() == rank;
        }
    }
    match (any, same_file, same_rank) {
        (false, ..) => String::new(),
        (true, false, _) => file.letter().to_string(),
        (true, true, false) => rank.digit().to_string(),
        (true, true, true) => mv.from().to_string(),
    }
}

/// The legal move that a SAN text names; checks, captures and annotations need not be marked.
pub fn parse_san(position: &Position, text: &str) -> Option<Move> {
    let bare = |text: &str| {
        text.replace(['+', '#', '!', '?', 'x', '='], "")
            .replace('0', "O")
    };
    let wanted = bare(text);
    legal(position)
        .into_iter()
        .find(|&mv| bare(&san(position, mv)) == wanted)
}
