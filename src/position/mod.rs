//! Floor 2: the pieces and the state beside them, and how a move changes both.

mod attacks;
mod board;
mod castling;
mod checks;
mod cycle;
mod draws;
mod fen;
mod game;
mod keys;
mod make;

pub use attacks::Attacks;
pub use board::Board;
pub use castling::{CastlingPaths, Path};
pub use draws::Draw;
pub use fen::{FenError, STARTPOS};
pub use game::Game;
pub use keys::{Keys, piece as piece_key};
pub use make::Undo;

use crate::types::{Bitboard, CastlingRights, Color, Piece, Square, Wing};

/// Everything about a position beside its pieces, and what is derived from both and needed all the
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The side to move.
    pub side: Color,
    /// The castlings still allowed.
    pub castling: CastlingRights,
    /// The square a pawn may reach by a legal en passant capture; `None` where there is none.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
    pub halfmoves: u16,
    /// Half-moves since the last one that no position before it can repeat, null moves included.
    pub reversible: u16,
    /// The number of the move in the game, counted from 1 and raised after Black's.
    pub fullmoves: u16,
    /// Zobrist keys.
    pub keys: Keys,
    /// The opponent's pieces that give check.
    pub checkers: Bitboard,
    /// Pieces of the side to move that are pinned to their king.
    pub pinned: Bitboard,
    /// What the opponent attacks, looking through the king to move.
    pub attacks: Attacks,
    /// The same for all its pieces together, kept because it is asked for with every quiet move.
    pub threats: Bitboard,
}

/// The pieces and the [`State`]: all that the rules need to know, except for the earlier positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    board: Board,
    state: State,
    castling: CastlingPaths,
}

impl Position {
    /// A position from its parts; computes keys, checks and threats, and drops an en passant
    /// square that no legal capture can use.
    fn assemble(board: Board, state: State, castling: CastlingPaths) -> Self {
        let mut position = Self {
            board,
            state,
            castling,
        };
        let usable = position
            .state
            .en_passant
            .filter(|&target| position.can_capture_en_passant(position.state.side, target));
        position.state.en_passant = usable;
        position.state.keys = position.recomputed_keys();
        position.find_checks_and_pins();
        position.find_threats();
        position
    }

    /// The same position with the colours exchanged and the board turned upside down: worth as
    /// much to the side to move.
    pub fn flipped(&self) -> Self {
        let mut board = Board::EMPTY;
        for square in self.board.occupied() {
            if let Some(piece) = self.board.piece_on(square) {
                board.put(square.flipped(), Piece::new(!piece.color(), piece.role()));
            }
        }
        let (mut rights, mut paths) = (CastlingRights::NONE, CastlingPaths::default());
        for color in Color::ALL {
            for wing in Wing::ALL {
                if self.state.castling.has(color, wing) {
                    let rook = self.castling.rook(color, wing).flipped();
                    rights |= CastlingRights::one(!color, wing);
                    paths.allow(!color, wing, board.king(!color), rook);
                }
            }
        }
        let state = State {
            side: !self.state.side,
            castling: rights,
            en_passant: self.state.en_passant.map(Square::flipped),
            reversible: 0,
            ..self.state
        };
        Self::assemble(board, state, paths)
    }

    /// The pieces.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Everything beside the pieces.
    #[inline]
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What each castling asks of the board.
    #[inline]
    pub const fn castling_paths(&self) -> &CastlingPaths {
        &self.castling
    }

    /// The side to move.
    #[inline]
    pub const fn side(&self) -> Color {
        self.state.side
    }

    /// The Zobrist key of the whole position.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.state.keys.position
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The keys computed from nothing but the facts; always equal to the incremental ones.
    pub fn recomputed_keys(&self) -> Keys {
        let pieces = Square::all().filter_map(|s| self.board.piece_on(s).map(|piece| (s, piece)));
        keys::recompute(
            pieces,
            self.state.side,
            self.state.castling,
            self.state.en_passant,
        )
    }

    /// Whether any right to castle belongs to a king or rook off its place in standard chess.
    pub fn is_chess960(&self) -> bool {
        use crate::types::{File, Rank};
        Color::ALL.into_iter().any(|color| {
            Wing::ALL
                .into_iter()
                .filter(|&wing| self.state.castling.has(color, wing))
                .any(|wing| {
                    let file = if wing == Wing::King { File::H } else { File::A };
                    self.castling.rook(color, wing).file() != file
                        || self.board.king(color)
                            != Square::new(File::E, Rank::First.relative_to(color))
                })
        })
    }
}
