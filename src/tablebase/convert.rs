//! A position in the words of `shakmaty`.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup, PositionError, Setup,
    Square,
};

use crate::position::Position;
use crate::types::{self, Role};

/// The same position without its clocks and rights to castle; `None` where `shakmaty` sees
/// something that no game of chess has.
pub(super) fn chess(position: &Position) -> Option<Chess> {
    let (board, state) = (position.board(), position.state());
    let role = |role| Bitboard(board.role(role).0);
    let color = |color| Bitboard(board.color(color).0);
    let roles = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let colors = ByColor {
        white: color(types::Color::White),
        black: color(types::Color::Black),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        turn: Color::from_white(state.side == types::Color::White),
        ep_square: state.en_passant.map(|square| Square::ALL[square.index()]),
        halfmoves: 0,
        fullmoves: NonZeroU32::MIN,
        ..Setup::empty()
    };
    // Positions that cannot arise in a game can still be set up, and the tables have them.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
