//! Material that draws, or that makes a draw likely, though one side is ahead.

use crate::movegen::role_value;
use crate::position::Board;
use crate::types::{Bitboard, Color, Role, Square};

/// A scale of all parts: a lead counts in full.
pub const FULL: i32 = 128;

/// How much of a lead counts, in parts of [`FULL`], where `strong` is ahead: only what holds in
/// general, for an evaluation that has learnt the rest.
#[inline]
pub fn certain(board: &Board, strong: Color) -> i32 {
    let too_little = too_little_to_win(board, strong);
    too_little.unwrap_or_else(|| if wrong_corner(board, strong) { 0 } else { FULL })
}

/// How much of an endgame lead counts, in parts of [`FULL`], where `strong` is ahead: all that an
/// evaluation should know that counts material.
#[inline]
pub fn likely(board: &Board, strong: Color) -> i32 {
    if let Some(parts) = too_little_to_win(board, strong) {
        return parts;
    }
    let pieces = board.non_pawns(strong);
    if opposite_bishops(board) {
        let only_bishops = pieces == board.pieces(strong, Role::Bishop)
            && board.non_pawns(!strong) == board.pieces(!strong, Role::Bishop);
        return if only_bishops { FULL / 2 } else { FULL * 7 / 8 };
    }
    if wrong_corner(board, strong) {
        return 0;
    }
    let pawns = board.pieces(strong, Role::Pawn);
    let drawn_out = if pawns_on_one_wing(board) { 16 } else { 0 };
    (FULL * 3 / 4 + 8 * pawns.count() as i32 - drawn_out).min(FULL)
}

/// What is left of the lead of a side that has no pawns, and pieces that cannot win without.
#[inline]
fn too_little_to_win(board: &Board, strong: Color) -> Option<i32> {
    if board.pieces(strong, Role::Pawn).any() {
        return None;
    }
    let knights = board.pieces(strong, Role::Knight);
    if board.non_pawns(strong) == knights && knights.count() <= 2 {
        // Two knights cannot force mate.
        return Some(0);
    }
    // Less than a rook ahead and nothing to promote.
    let little = lead(board, strong) <= 300;
    let alone = non_pawn_material(board, strong) <= 300;
    little.then_some(if alone { 0 } else { FULL / 8 })
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
fn wrong_corner(board: &Board, strong: Color) -> bool {
    let bishops = board.pieces(strong, Role::Bishop);
    let pawns = board.pieces(strong, Role::Pawn);
    if board.non_pawns(strong) != bishops {
        return false;
    }
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

/// What the pieces of a side but its pawns are worth, in centipawns of exchange values.
fn non_pawn_material(board: &Board, color: Color) -> i32 {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| board.pieces(color, role).count() as i32 * role_value(role))
        .sum()
}

/// By how much the non-pawn material of `strong` exceeds that of the other side.
fn lead(board: &Board, strong: Color) -> i32 {
    non_pawn_material(board, strong) - non_pawn_material(board, !strong)
}
