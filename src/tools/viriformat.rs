//! Games of self-play in viriformat, the compact public format of the engine Viridithas: a packed
//! start position of 32 bytes, then 4 bytes a move with its score, then 4 zero bytes.

use std::io::{self, ErrorKind, Read, Write};

use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, Piece, Rank, Role, Square, Wing};

/// How a game ended, as the format counts it: White's half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl Outcome {
    /// `color` has won.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// White's points: 0, a half or 1.
    pub const fn white_points(self) -> f32 {
        self as u8 as f32 / 2.0
    }
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct Record {
    pub start: Position,
    /// Each move with the score of the search that chose it, in centipawns for White.
    pub moves: Vec<(Move, i16)>,
    pub outcome: Outcome,
}

/// The code of a rook that may still castle; other codes are roles in their usual order.
const CASTLING_ROOK: u8 = 6;
const NO_EN_PASSANT: u8 = 64;
const PACKED: usize = 32;

impl Record {
    /// Writes the game.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&pack(&self.start, self.outcome))?;
        for &(mv, score) in &self.moves {
            out.write_all(&encode(mv).to_le_bytes())?;
            out.write_all(&score.to_le_bytes())?;
        }
        out.write_all(&[0; 4])
    }

    /// Reads the next game; `None` at the end of the data. A game that is cut short or plays an
    /// illegal move is an error of the kind `UnexpectedEof` or `InvalidData`.
    pub fn read(input: &mut impl Read) -> io::Result<Option<Self>> {
        let mut packed = [0; PACKED];
        let mut filled = 0;
        while filled < PACKED {
            match input.read(&mut packed[filled..])? {
                0 if filled == 0 => return Ok(None),
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                count => filled += count,
            }
        }
        let (start, outcome) = unpack(&packed)?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        loop {
            let mut bytes = [0; 4];
            input.read_exact(&mut bytes)?;
            let [a, b, c, d] = bytes;
            if bytes == [0; 4] {
                return Ok(Some(Self {
                    start,
                    moves,
                    outcome,
                }));
            }
            let mv = decode(&position, u16::from_le_bytes([a, b]))
                .ok_or_else(|| invalid(format!("an illegal move in {position}")))?;
            moves.push((mv, i16::from_le_bytes([c, d])));
            position.make(mv);
        }
    }
}

fn invalid(text: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text)
}

fn pack(position: &Position, outcome: Outcome) -> [u8; PACKED] {
    let mut packed = [0; PACKED];
    let (board, state) = (position.board(), position.state());
    packed[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let Some(piece) = board.piece_on(square) else {
            continue;
        };
        let color = piece.color();
        let castles = piece.role() == Role::Rook
            && Wing::ALL.into_iter().any(|wing| {
                state.castling.has(color, wing)
                    && position.castling_paths().rook(color, wing) == square
            });
        let code = if castles {
            CASTLING_ROOK
        } else {
            piece.role() as u8
        };
        packed[8 + index / 2] |= (code | (color as u8) << 3) << (index % 2 * 4);
    }
    let en_passant = state
        .en_passant
        .map_or(NO_EN_PASSANT, |square| square.index() as u8);
    packed[24] = (state.side as u8) << 7 | en_passant;
    packed[25] = state.halfmoves.min(255) as u8;
    packed[26..28].copy_from_slice(&state.fullmoves.to_le_bytes());
    packed[30] = outcome as u8;
    packed
}

/// Builds the position by way of its FEN, whose reader refuses what cannot be.
fn unpack(packed: &[u8; PACKED]) -> io::Result<(Position, Outcome)> {
    let occupied = Bitboard(u64::from_le_bytes(
        packed.first_chunk::<8>().copied().unwrap_or_default(),
    ));
    if occupied.count() > 32 {
        return Err(invalid(format!(
            "a packed position of {} men",
            occupied.count()
        )));
    }
    let mut letters = [None; 64];
    let mut castling = String::new();
    for (index, square) in occupied.into_iter().enumerate() {
        let nibble = packed[8 + index / 2] >> (index % 2 * 4) & 15;
        let color = if nibble & 8 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let code = nibble & 7;
        let role = if code == CASTLING_ROOK {
            Some(&Role::Rook)
        } else {
            Role::ALL.get(usize::from(code))
        };
        let piece = Piece::new(
            color,
            *role.ok_or_else(|| invalid(format!("piece code {code}")))?,
        );
        letters[square.index()] = Some(piece.letter());
        if code == CASTLING_ROOK {
            let letter = square.file().letter();
            castling.push(if color == Color::White {
                letter.to_ascii_uppercase()
            } else {
                letter
            });
        }
    }
    let mut fen = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        for letter in &letters[rank.index() * 8..rank.index() * 8 + 8] {
            fen.push(letter.unwrap_or('1'));
        }
        fen.push(if rank == Rank::First { ' ' } else { '/' });
    }
    let side = if packed[24] >> 7 == 0 { 'w' } else { 'b' };
    let en_passant = match packed[24] & 127 {
        square @ 0..64 => Square::from_index(usize::from(square)).to_string(),
        _ => "-".into(),
    };
    let castling = if castling.is_empty() { "-" } else { &castling };
    let fullmoves = u16::from_le_bytes([packed[26], packed[27]]);
    fen += &format!("{side} {castling} {en_passant} {} {fullmoves}", packed[25]);
    let outcome = match packed[30] {
        0 => Outcome::BlackWins,
        1 => Outcome::Draw,
        2 => Outcome::WhiteWins,
        other => return Err(invalid(format!("outcome {other}"))),
    };
    let position = fen
        .parse()
        .map_err(|error| invalid(format!("{fen}: {error}")))?;
    Ok((position, outcome))
}

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

/// Squares as ours, then two bits of the promoted role and two of the kind.
fn encode(mv: Move) -> u16 {
    let flags = match (mv.kind(), mv.promotion()) {
        (_, Some(role)) => PROMOTION | (role as u16 - Role::Knight as u16) << 12,
        (MoveKind::EnPassant, _) => EN_PASSANT,
        (MoveKind::Castling, _) => CASTLING,
        _ => 0,
    };
    mv.from_to() as u16 | flags
}

/// The legal move of a code.
fn decode(position: &Position, code: u16) -> Option<Move> {
    crate::movegen::legal(position)
        .into_iter()
        .find(|&mv| encode(mv) == code)
}
