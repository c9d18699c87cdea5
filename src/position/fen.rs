//! FEN in and out: standard, X-FEN and Shredder-FEN, with four to six fields.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::{Attacks, Board, CastlingPaths, Keys, Position, State};
use crate::types::{Bitboard, CastlingRights, Color, File, Piece, Rank, Role, Square, Wing};

/// The position every game of standard chess starts from.
pub const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    #[error("a FEN has four to six fields, this one has {0}")]
    Fields(usize),
    #[error("the board has eight ranks separated by '/', not {0}")]
    Ranks(usize),
    #[error("rank {rank} has {squares} squares instead of eight")]
    RankLength { rank: usize, squares: usize },
    #[error("'{letter}' on rank {rank} is neither a piece nor a number of empty squares")]
    Letter { rank: usize, letter: char },
    #[error("{0:?} has no king")]
    NoKing(Color),
    #[error("{0:?} has {1} kings")]
    Kings(Color, usize),
    #[error("{0:?} has {1} pieces, more than sixteen")]
    TooManyMen(Color, usize),
    #[error("a pawn cannot stand on {0}")]
    PawnOnLastRank(Square),
    #[error("the side to move is 'w' or 'b', not '{0}'")]
    Side(String),
    #[error("{0:?} is in check, but it is not its turn")]
    OpponentInCheck(Color),
    #[error("castling rights are '-' or letters such as KQkq or HAha, not '{0}'")]
    Castling(String),
    #[error("castling right '{0}' has no king on its first rank or no rook to castle with")]
    CastlingWithoutRook(char),
    #[error("the en passant square is '-' or a square, not '{0}'")]
    EnPassant(String),
    #[error("no pawn can have passed {0} just now")]
    NoPassingPawn(Square),
    #[error("'{0}' is not a number of half-moves since a capture or pawn move")]
    Halfmoves(String),
    #[error("'{0}' is not a move number")]
    Fullmoves(String),
}

impl Default for Position {
    /// The start position.
    fn default() -> Self {
        STARTPOS.parse().expect("the start position is well formed")
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let (&[board, side, castling, en_passant], clocks) = fields
            .split_first_chunk::<4>()
            .ok_or(FenError::Fields(fields.len()))?;
        if clocks.len() > 2 {
            return Err(FenError::Fields(fields.len()));
        }
        let board = parse_board(board)?;
        let side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::Side(other.into())),
        };
        check_men(&board)?;
        let (castling, paths) = parse_castling(castling, &board)?;
        let en_passant = parse_en_passant(en_passant, &board, side)?;
        let number = |index: usize| clocks.get(index).map(|text| (text, text.parse::<u16>()));
        let halfmoves = match number(0) {
            None => 0,
            Some((_, Ok(halfmoves))) => halfmoves.min(1_000),
            Some((text, Err(_))) => return Err(FenError::Halfmoves(text.to_string())),
        };
        let fullmoves = match number(1) {
            None => 1,
            Some((_, Ok(fullmoves))) => fullmoves.clamp(1, 30_000),
            Some((text, Err(_))) => return Err(FenError::Fullmoves(text.to_string())),
        };
        let state = State {
            side,
            castling,
            en_passant,
            halfmoves,
            reversible: 0,
            fullmoves,
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            attacks: Attacks::default(),
            threats: Bitboard::EMPTY,
        };
        let king = board.king(!side);
        if (board.attackers(king, board.occupied()) & board.color(side)).any() {
            return Err(FenError::OpponentInCheck(!side));
        }
        Ok(Self::assemble(board, state, paths))
    }
}

fn parse_board(text: &str) -> Result<Board, FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut board = Board::EMPTY;
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let name = rank.index() + 1;
        let mut file = 0;
        for letter in text.chars() {
            if let Some(piece) = Piece::from_letter(letter) {
                if let Some(&file) = File::ALL.get(file) {
                    board.put(Square::new(file, rank), piece);
                }
                file += 1;
            } else {
                match letter.to_digit(10) {
                    Some(empty @ 1..=8) => file += empty as usize,
                    _ => return Err(FenError::Letter { rank: name, letter }),
                }
            }
        }
        if file != 8 {
            return Err(FenError::RankLength {
                rank: name,
                squares: file,
            });
        }
    }
    Ok(board)
}

/// Refuses what no rule of chess allows on a board, and what would not fit a move list.
fn check_men(board: &Board) -> Result<(), FenError> {
    for color in Color::ALL {
        match board.pieces(color, Role::King).count() {
            0 => return Err(FenError::NoKing(color)),
            1 => {}
            kings => return Err(FenError::Kings(color, kings)),
        }
        let men = board.color(color).count();
        if men > 16 {
            return Err(FenError::TooManyMen(color, men));
        }
    }
    let last_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    match (board.role(Role::Pawn) & last_ranks).first() {
        Some(square) => Err(FenError::PawnOnLastRank(square)),
        None => Ok(()),
    }
}

/// Reads `KQkq` as the outermost rooks (X-FEN) and `HAha` as rooks on these files (Shredder-FEN).
fn parse_castling(text: &str, board: &Board) -> Result<(CastlingRights, CastlingPaths), FenError> {
    let (mut rights, mut paths) = (CastlingRights::NONE, CastlingPaths::default());
    if text == "-" {
        return Ok((rights, paths));
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let king = board.king(color);
        let home = Rank::First.relative_to(color);
        let mut rooks = board.pieces(color, Role::Rook) & Bitboard::rank(home);
        let rook = match letter.to_ascii_lowercase() {
            'k' => rooks.into_iter().filter(|&rook| rook > king).last(),
            'q' => rooks.into_iter().find(|&rook| rook < king),
            other => {
                let file =
                    File::from_letter(other).ok_or_else(|| FenError::Castling(text.into()))?;
                rooks &= Bitboard::file(file);
                rooks.first()
            }
        };
        let rook = rook
            .filter(|_| king.rank() == home)
            .ok_or(FenError::CastlingWithoutRook(letter))?;
        let wing = if rook > king { Wing::King } else { Wing::Queen };
        let right = CastlingRights::one(color, wing);
        if (rights & right) == right {
            return Err(FenError::Castling(text.into()));
        }
        rights |= right;
        paths.allow(color, wing, king, rook);
    }
    Ok((rights, paths))
}

/// Reads the en passant square; the pawn that passed it must be there and must have had the way.
fn parse_en_passant(text: &str, board: &Board, side: Color) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let target: Square = text.parse().map_err(|_| FenError::EnPassant(text.into()))?;
    let (origin, pawn) = (target.forward(side), target.forward(!side));
    let possible = target.rank() == Rank::Sixth.relative_to(side)
        && board.piece_on(pawn) == Some(Piece::new(!side, Role::Pawn))
        && board.piece_on(target).is_none()
        && board.piece_on(origin).is_none();
    if possible {
        Ok(Some(target))
    } else {
        Err(FenError::NoPassingPawn(target))
    }
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CastlingStyle {
    /// `KQkq` where the rook is the outermost one, its file's letter otherwise.
    XFen,
    /// The letters of the rooks' files.
    Shredder,
}

impl Position {
    /// The position as Shredder-FEN, with castling rights as `HAha`.
    pub fn shredder_fen(&self) -> String {
        let mut text = String::new();
        self.write_fen(&mut text, CastlingStyle::Shredder)
            .expect("a string takes all text");
        text
    }

    fn write_fen(&self, out: &mut impl Write, style: CastlingStyle) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.board.piece_on(Square::new(file, rank)) {
                    Some(piece) => {
                        if empty > 0 {
                            write!(out, "{empty}")?;
                        }
                        out.write_char(piece.letter())?;
                        empty = 0;
                    }
                    None => empty += 1,
                }
            }
            if empty > 0 {
                write!(out, "{empty}")?;
            }
            if rank != Rank::First {
                out.write_char('/')?;
            }
        }
        out.write_str(match self.state.side {
            Color::White => " w ",
            Color::Black => " b ",
        })?;
        self.write_castling(out, style)?;
        match self.state.en_passant {
            Some(square) => write!(out, " {square}")?,
            None => out.write_str(" -")?,
        }
        write!(out, " {} {}", self.state.halfmoves, self.state.fullmoves)
    }

    fn write_castling(&self, out: &mut impl Write, style: CastlingStyle) -> fmt::Result {
        if self.state.castling.is_empty() {
            return out.write_char('-');
        }
        for color in Color::ALL {
            for wing in Wing::ALL {
                if self.state.castling.has(color, wing) {
                    let letter = match style {
                        CastlingStyle::XFen if self.is_outermost_rook(color, wing) => match wing {
                            Wing::King => 'k',
                            Wing::Queen => 'q',
                        },
                        _ => self.castling.rook(color, wing).file().letter(),
                    };
                    out.write_char(match color {
                        Color::White => letter.to_ascii_uppercase(),
                        Color::Black => letter,
                    })?;
                }
            }
        }
        Ok(())
    }

    fn is_outermost_rook(&self, color: Color, wing: Wing) -> bool {
        let rook = self.castling.rook(color, wing);
        let home = Bitboard::rank(Rank::First.relative_to(color));
        let rooks = self.board.pieces(color, Role::Rook) & home;
        match wing {
            Wing::King => rooks.into_iter().all(|other| other <= rook),
            Wing::Queen => rooks.into_iter().all(|other| other >= rook),
        }
    }
}

impl fmt::Display for Position {
    /// The position as X-FEN, which for standard chess is FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, CastlingStyle::XFen)
    }
}
