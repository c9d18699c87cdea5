//! Endgames that the general terms misjudge: known wins, and material that draws.

use super::kpk;
use crate::position::{Board, Position};
use crate::types::{Bitboard, Color, Role, Score, Square};

/// A scale of all parts: the endgame value counts in full.
pub const FULL: i32 = 128;

/// Added to every known win, so that the search heads for it and not for more material.
const KNOWN_WIN: i32 = 3_000;

/// The value of a position whose outcome is known, for the side to move.
#[inline]
pub fn known(position: &Position) -> Option<Score> {
    let board = position.board();
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
    let heavy = 500 * count(Role::Rook) + 900 * count(Role::Queen);
    let material = heavy + 300 * (knights + bishops) + 100 * count(Role::Pawn);
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

/// How much of an endgame lead counts, in parts of [`FULL`], where `strong` is ahead.
#[inline]
pub fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = board.pieces(strong, Role::Pawn);
    let officers = board.officers(strong);
    let knights = board.pieces(strong, Role::Knight);
    if pawns.is_empty() && officers == knights && knights.count() <= 2 {
        // Two knights cannot force mate.
        return 0;
    }
    if pawns.is_empty() && lead(board, strong) <= 300 {
        // Less than a rook ahead and nothing to promote.
        return if officers_value(board, strong) <= 300 {
            0
        } else {
            FULL / 8
        };
    }
    if opposite_bishops(board) {
        let only_bishops = officers == board.pieces(strong, Role::Bishop)
            && board.officers(!strong) == board.pieces(!strong, Role::Bishop);
        return if only_bishops { FULL / 2 } else { FULL * 7 / 8 };
    }
    let pawns_and_bishops = officers == board.pieces(strong, Role::Bishop);
    if pawns_and_bishops && wrong_corner(board, strong, pawns) {
        return 0;
    }
    let drawn_out = if pawns_on_one_wing(board) { 16 } else { 0 };
    (FULL * 3 / 4 + 8 * pawns.count() as i32 - drawn_out).min(FULL)
}

/// Whether the pawns leave one half of the board empty: the defender has one front to hold.
fn pawns_on_one_wing(board: &Board) -> bool {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    let pawns = board.role(Role::Pawn);
    (pawns & QUEEN_SIDE).is_empty() || (pawns & !QUEEN_SIDE).is_empty()
}

/// Whether each side has one bishop, on opposite square colours.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.role(Role::Bishop);
    bishops.count() == 2
        && board.pieces(Color::White, Role::Bishop).count() == 1
        && !board.bishops_share_a_color()
}

/// Rook pawns on one file, bishops that cannot guard the corner they promote on (or none), and
/// the defending king beside that corner: a draw, however many bishops there are.
fn wrong_corner(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let bishops = board.pieces(strong, Role::Bishop);
    let Some(corner) = [Square::A8, Square::H8]
        .into_iter()
        .find(|corner| (pawns & !Bitboard::file(corner.file())).is_empty())
        .map(|corner| corner.relative_to(strong))
    else {
        return false;
    };
    let good = if corner.is_white_square() {
        Bitboard::LIGHT
    } else {
        Bitboard::DARK
    };
    let wrong_bishops = (bishops & good).is_empty();
    wrong_bishops && pawns.any() && board.king(!strong).distance(corner) <= 1
}

/// What the officers of a side are worth, in centipawns of exchange values.
fn officers_value(board: &Board, color: Color) -> i32 {
    let count = |role| board.pieces(color, role).count() as i32;
    300 * (count(Role::Knight) + count(Role::Bishop))
        + 500 * count(Role::Rook)
        + 900 * count(Role::Queen)
}

/// By how much the officers of `strong` outweigh the others.
fn lead(board: &Board, strong: Color) -> i32 {
    officers_value(board, strong) - officers_value(board, !strong)
}
