//! Positions whose outcome is known.

use super::kpk;
use crate::movegen::role_value;
use crate::position::{Board, Position};
use crate::types::{Color, Role, Score, Square};

/// Added to every known win, so that the search heads for it and not for more material.
const KNOWN_WIN: i32 = 3_000;

/// The value of a position whose outcome is known, for the side to move.
#[inline]
pub fn known(position: &Position) -> Option<Score> {
    let board = position.board();
    if board.is_dead() {
        return Some(Score::DRAW);
    }
    if board.occupied().count() > 6 {
        return None;
    }
    let loser = Color::ALL
        .into_iter()
        .find(|&side| board.color(side).count() == 1)?;
    let winner = !loser;
    let score = match (board.color(winner).count(), board.role(Role::Pawn).first()) {
        (2, Some(pawn)) => pawn_ending(position, winner, pawn),
        _ => against_bare_king(board, winner)?,
    };
    Some(Score(if position.side() == loser {
        -score
    } else {
        score
    }))
}

/// What a pawn and a king are worth against a king: a draw, or a win that is nearer the further
/// the pawn is, and less of one than the queen it becomes.
fn pawn_ending(position: &Position, strong: Color, pawn: Square) -> i32 {
    let (king, bare) = (
        position.board().king(strong),
        position.board().king(!strong),
    );
    if kpk::is_win(strong, king, pawn, bare, position.side()) {
        KNOWN_WIN - 1_000 + 50 * pawn.rank().relative_to(strong).index() as i32
    } else {
        0
    }
}

/// What the winner's mating material is worth, more the nearer the bare king is to its end.
fn against_bare_king(board: &Board, winner: Color) -> Option<i32> {
    let count = |role| board.pieces(winner, role).count() as i32;
    let (king, prey) = (board.king(winner), board.king(!winner));
    let (knights, bishops) = (count(Role::Knight), count(Role::Bishop));
    let heavy = count(Role::Rook) + count(Role::Queen);
    let material: i32 = Role::ALL
        .into_iter()
        .map(|role| count(role) * role_value(role))
        .sum();
    let near = 7 - i32::from(king.distance(prey));
    if heavy == 0 && knights == 1 && bishops == 1 && count(Role::Pawn) == 0 {
        let light = board.role(Role::Bishop).first()?.is_white_square();
        return Some(KNOWN_WIN + material + 40 * (7 - corner_distance(prey, light)) + 10 * near);
    }
    let mates = heavy > 0 || board.has_bishop_pair(winner);
    mates.then(|| KNOWN_WIN + material + 20 * (6 - edge_distance(prey)) + 10 * near)
}

/// How many ranks and files the nearest edges are away, together.
fn edge_distance(square: Square) -> i32 {
    let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
    file.min(7 - file) + rank.min(7 - rank)
}

/// The king moves to the nearest corner of a square colour: the only ones where bishop and
/// knight can mate.
fn corner_distance(square: Square, light: bool) -> i32 {
    let corners = if light {
        [Square::A8, Square::H1]
    } else {
        [Square::A1, Square::H8]
    };
    corners
        .into_iter()
        .map(|corner| i32::from(square.distance(corner)))
        .min()
        .unwrap_or(0)
}
