//! Games of self-play in viriformat, the compact public format of the engine Viridithas: a packed
//! start position of 32 bytes, then 4 bytes a move with its score, then 4 zero bytes.

use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::position::{FenError, Position};
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub start: Position,
    /// Each move with the score of the search that chose it, in centipawns for White.
    pub moves: Vec<(Move, i16)>,
    pub outcome: Outcome,
}

/// The code of a rook that may still castle; other codes are roles in their usual order.
const CASTLING_ROOK: u8 = 6;
const NO_EN_PASSANT: u8 = 64;
impl Record {
    /// Bytes of the packed start position.
    pub const PACKED: usize = 32;

    /// Writes the game.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&pack(&self.start, self.outcome))?;
        for &(mv, score) in &self.moves {
            out.write_all(&encode(mv).to_le_bytes())?;
            out.write_all(&score.to_le_bytes())?;
        }
        out.write_all(&[0; 4])
    }

    /// Reads the game that some bytes begin with, and how many of them it takes.
    fn parse(bytes: &[u8]) -> Result<(Self, usize), Fault> {
        let (packed, mut rest) = bytes.split_first_chunk().ok_or(Fault::CutShort)?;
        let (start, outcome) = unpack(packed)?;
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(200);
        loop {
            let (&[a, b, c, d], next) = rest.split_first_chunk().ok_or(Fault::CutShort)?;
            rest = next;
            if [a, b, c, d] == [0; 4] {
                let record = Self {
                    start,
                    moves,
                    outcome,
                };
                return Ok((record, bytes.len() - rest.len()));
            }
            let mv = decode(&position, u16::from_le_bytes([a, b]))
                .ok_or_else(|| Fault::IllegalMove(position.to_string()))?;
            moves.push((mv, i16::from_le_bytes([c, d])));
            position.make(mv);
        }
    }
}

/// What is wrong with a game in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("the game is cut short")]
    CutShort,
    #[error("a packed position of {0} men")]
    Men(usize),
    #[error("piece code {0}")]
    Piece(u8),
    #[error("outcome {0}")]
    Outcome(u8),
    #[error("{0}: {1}")]
    Position(String, FenError),
    #[error("an illegal move in {0}")]
    IllegalMove(String),
}

/// A place where a file holds no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {fault}; {skipped} bytes are left out")]
pub struct Damage {
    /// Where the damaged game begins.
    pub offset: u64,
    pub fault: Fault,
    /// From there to the next whole game, or to the end.
    pub skipped: u64,
}

/// The games of a file, one after the other. What is damaged is told, and reading goes on with the
/// next whole game.
pub struct Games<R> {
    input: R,
    /// Bytes that have been read, from the next game on; and their place in the file.
    buffer: Vec<u8>,
    next: usize,
    offset: u64,
    ended: bool,
}

/// Bytes that are read at once.
const READ: usize = 1 << 18;

/// Four zero bytes end each game.
const END: [u8; 4] = [0; 4];

impl<R: Read> Games<R> {
    /// The games from the beginning of a file.
    pub const fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            next: 0,
            offset: 0,
            ended: false,
        }
    }

    /// Where the next game begins, in bytes from the beginning of the file.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game, or what is wrong with it; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn next_game(&mut self) -> io::Result<Option<Result<Record, Damage>>> {
        loop {
            match Record::parse(&self.buffer[self.next..]) {
                Ok((record, length)) => {
                    self.advance(length);
                    return Ok(Some(Ok(record)));
                }
                Err(Fault::CutShort) if !self.ended => self.fill()?,
                Err(Fault::CutShort) if self.next == self.buffer.len() => return Ok(None),
                Err(fault) => {
                    let offset = self.offset;
                    self.find_next_game()?;
                    let skipped = self.offset - offset;
                    return Ok(Some(Err(Damage {
                        offset,
                        fault,
                        skipped,
                    })));
                }
            }
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.next += bytes;
        self.offset += bytes as u64;
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.next);
        self.next = 0;
        let count = (&mut self.input)
            .take(READ as u64)
            .read_to_end(&mut self.buffer)?;
        self.ended = count == 0;
        Ok(())
    }

    /// Goes on to where a whole game follows the end of another one, or to the end of the file.
    fn find_next_game(&mut self) -> io::Result<()> {
        self.advance(1);
        loop {
            let rest = &self.buffer[self.next..];
            let follows_end = |&at: &usize| rest[at..].starts_with(&END);
            match (0..rest.len()).find(follows_end) {
                Some(at) => match Record::parse(&rest[at + END.len()..]) {
                    Ok(_) => {
                        self.advance(at + END.len());
                        return Ok(());
                    }
                    Err(Fault::CutShort) if !self.ended => {
                        self.advance(at);
                        self.fill()?;
                    }
                    Err(_) => self.advance(at + 1),
                },
                None if self.ended => {
                    self.advance(rest.len());
                    return Ok(());
                }
                None => {
                    self.advance(rest.len().saturating_sub(END.len() - 1));
                    self.fill()?;
                }
            }
        }
    }
}

impl<R: Read + Seek> Games<R> {
    /// The games that begin at a place in the file or after it.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn from(mut input: R, offset: u64) -> io::Result<Self> {
        if offset == 0 {
            return Ok(Self::new(input));
        }
        let before = offset.saturating_sub(1 + END.len() as u64);
        input.seek(SeekFrom::Start(before))?;
        let mut games = Self {
            offset: before,
            ..Self::new(input)
        };
        games.fill()?;
        games.find_next_game()?;
        Ok(games)
    }
}

fn pack(position: &Position, outcome: Outcome) -> [u8; Record::PACKED] {
    let mut packed = [0; Record::PACKED];
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
fn unpack(packed: &[u8; Record::PACKED]) -> Result<(Position, Outcome), Fault> {
    let occupied = Bitboard(u64::from_le_bytes(
        packed.first_chunk::<8>().copied().unwrap_or_default(),
    ));
    if occupied.count() > 32 {
        return Err(Fault::Men(occupied.count()));
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
        let piece = Piece::new(color, *role.ok_or(Fault::Piece(code))?);
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
        other => return Err(Fault::Outcome(other)),
    };
    match fen.parse() {
        Ok(position) => Ok((position, outcome)),
        Err(error) => Err(Fault::Position(fen, error)),
    }
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
    let (from, to) = (usize::from(code & 63), usize::from(code >> 6 & 63));
    if from == to {
        return None;
    }
    let (from, to) = (Square::from_index(from), Square::from_index(to));
    let board = position.board();
    let captures = board.piece_on(to).is_some();
    let kind = match code & PROMOTION {
        EN_PASSANT => MoveKind::EnPassant,
        CASTLING => MoveKind::Castling,
        PROMOTION => MoveKind::promotion(Role::ALL[1 + usize::from(code >> 12 & 3)], captures),
        _ if captures => MoveKind::Capture,
        _ if board.role_on(from) == Some(Role::Pawn) && from.distance(to) == 2 => {
            MoveKind::DoublePush
        }
        _ => MoveKind::Quiet,
    };
    let mv = Move::new(from, to, kind);
    (encode(mv) == code && position.is_legal(mv)).then_some(mv)
}
