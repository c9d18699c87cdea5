//! A training position in 32 bytes, as the side to move sees it.

use super::random::mix;
use crate::eval::nnue::features::{BUCKET_INPUTS, View};
use crate::eval::nnue::threats::Threats;
use crate::position::{Board, Position};
use crate::types::{Bitboard, Color, File, Piece, Rank, Role, Square};

/// The most pieces of a position that can be a sample.
pub const MAX_PIECES: usize = 32;

/// A position with what is to be learnt of it. The side to move plays White: where Black is to
/// move, colours are exchanged and the board is turned upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: Bitboard,
    /// The codes of the pieces in the order of their squares, the first in the low half.
    codes: [u8; MAX_PIECES / 2],
    /// The score for the side to move in centipawns.
    pub score: i16,
    /// What the game brought the side to move.
    pub result: GameResult,
    /// Bit 0: the side to move sees the board mirrored; bit 1: its opponent does.
    mirrored: u8,
    /// 1 if the side to move alone has the bishop pair, -1 if its opponent alone has it.
    pub pair: i8,
}

/// What a game brought one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GameResult {
    Loss = 0,
    Draw = 1,
    Win = 2,
    /// The position comes from no game, or the game was not played to its end.
    Unknown = 3,
}

impl GameResult {
    const ALL: [Self; 4] = [Self::Loss, Self::Draw, Self::Win, Self::Unknown];

    /// From 0 for a loss to 1 for a win.
    pub const fn points(self) -> Option<f32> {
        match self {
            Self::Loss => Some(0.0),
            Self::Draw => Some(0.5),
            Self::Win => Some(1.0),
            Self::Unknown => None,
        }
    }
}

/// A code is a role, and this bit for a piece of the opponent.
const THEIRS: u8 = 8;
/// As many codes as four bits have.
const CODES: usize = 16;

impl Sample {
    /// Bytes of a sample in a file.
    pub const BYTES: usize = 32;

    /// Packs a position; `None` if it has too many pieces.
    pub fn new(board: &Board, side: Color, score: i16, result: GameResult) -> Option<Self> {
        let occupied = board.occupied();
        if occupied.count() > MAX_PIECES {
            return None;
        }
        let mut codes = [0; MAX_PIECES / 2];
        let seen = occupied.relative_to(side);
        for (index, square) in seen.into_iter().enumerate() {
            let piece = board.piece_on(square.relative_to(side))?;
            let owner = if piece.color() == side { 0 } else { THEIRS };
            codes[index / 2] |= (piece.role() as u8 | owner) << (index % 2 * 4);
        }
        let mirrored = |color| u8::from(View::of(board, color).is_mirrored());
        let pair = |color| i8::from(board.has_bishop_pair(color));
        Some(Self {
            occupied: seen,
            codes,
            score,
            result,
            mirrored: mirrored(side) | mirrored(!side) << 1,
            pair: pair(side) - pair(!side),
        })
    }

    /// How many pieces there are.
    #[inline]
    pub const fn pieces(&self) -> usize {
        self.occupied.count()
    }

    /// What stands where; the side to move is White.
    fn board(&self) -> Option<Board> {
        let mut board = Board::EMPTY;
        for (index, square) in self.occupied.into_iter().enumerate() {
            let code = self.codes[index / 2] >> (index % 2 * 4) & 15;
            let color = if code & THEIRS == 0 {
                Color::White
            } else {
                Color::Black
            };
            let role = Role::ALL.get(usize::from(code & !THEIRS))?;
            board.put(square, Piece::new(color, *role));
        }
        Some(board)
    }

    /// What the network's threat inputs are.
    pub fn threats(&self) -> Threats {
        self.board()
            .map_or(Threats::NONE, |board| Threats::of(&board, Color::White))
    }

    /// The position, with White to move and without castling rights; `None` if no game comes to it.
    pub fn position(&self) -> Option<Position> {
        let board = self.board()?;
        let rank = |rank| {
            let letter = |file| {
                board
                    .piece_on(Square::new(file, rank))
                    .map_or('1', Piece::letter)
            };
            File::ALL.map(letter).iter().collect::<String>()
        };
        let ranks: Vec<String> = Rank::ALL.into_iter().rev().map(rank).collect();
        format!("{} w - - 0 1", ranks.join("/")).parse().ok()
    }

    /// A hash of the pieces and the side to move; colours exchanged, it stays the same.
    pub fn key(&self) -> u64 {
        let (low, high) = self.codes.split_at(8);
        let word = |half: &[u8]| {
            half.iter()
                .fold(0, |word, &code| word << 8 | u64::from(code))
        };
        mix(mix(mix(self.occupied.0) ^ word(low)) ^ word(high))
    }

    /// The form in a file.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.occupied.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.codes);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result as u8;
        bytes[27] = self.mirrored;
        bytes[28] = self.pair as u8;
        bytes
    }

    /// Reads the form in a file; `None` if it is no sample.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let occupied = Bitboard(u64::from_le_bytes(*bytes.first_chunk()?));
        let (mirrored, pair) = (bytes[27], bytes[28] as i8);
        let mut codes = [0; MAX_PIECES / 2];
        codes.copy_from_slice(&bytes[8..24]);
        let is_known = |code: u8| usize::from(code & !THEIRS) < Role::ALL.len();
        let sound = (2..=MAX_PIECES).contains(&occupied.count())
            && codes
                .iter()
                .all(|pair| is_known(pair & 15) && is_known(pair >> 4))
            && mirrored < 4
            && (-1..=1).contains(&pair)
            && bytes[29..] == [0; 3];
        sound.then_some(Self {
            occupied,
            codes,
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: *GameResult::ALL.get(usize::from(bytes[26]))?,
            mirrored,
            pair,
        })
    }
}

/// The inputs of a sample that are on, as each side sees them.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    count: usize,
    /// For the side to move, and for its opponent.
    inputs: [[u16; MAX_PIECES]; 2],
}

impl Active {
    /// Pairs of inputs: one that the side to move sees, and one that its opponent sees.
    #[inline]
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let [own, theirs] = &self.inputs;
        own[..self.count]
            .iter()
            .zip(&theirs[..self.count])
            .map(|(&own, &theirs)| (usize::from(own), usize::from(theirs)))
    }

    /// How many inputs each side sees.
    #[inline]
    pub const fn count(&self) -> usize {
        self.count
    }
}

/// The numbers of the inputs, laid out for samples.
pub struct InputTable {
    /// In the first king bucket: by side, whether it sees the board mirrored, code and square.
    views: [[[[u16; 64]; CODES]; 2]; 2],
    /// By side and the square of its king, the first input of the bucket.
    firsts: [[u16; 64]; 2],
}

impl InputTable {
    /// Takes the numbers from the network's own views.
    pub fn new() -> Self {
        let views = Color::ALL.map(|side| {
            [File::A, File::H].map(|file| {
                let mut board = Board::EMPTY;
                let king = Square::new(file, Rank::First.relative_to(side));
                board.put(king, Piece::new(side, Role::King));
                let view = View::of(&board, side);
                let mut inputs = [[0; 64]; CODES];
                for role in Role::ALL {
                    for (color, owner) in [(Color::White, 0), (Color::Black, THEIRS)] {
                        for square in Square::all() {
                            let piece = Piece::new(color, role);
                            let input = view.index(piece, square) - view.first_input();
                            debug_assert!(input < BUCKET_INPUTS);
                            let code = usize::from(role as u8 | owner);
                            inputs[code][square.index()] = input as u16;
                        }
                    }
                }
                inputs
            })
        });
        let first = |side, square| View::by_king(side, square).first_input() as u16;
        let firsts = Color::ALL.map(|side| {
            let mut firsts = [0; 64];
            for square in Square::all() {
                firsts[square.index()] = first(side, square);
            }
            firsts
        });
        Self { views, firsts }
    }

    /// The inputs of a sample, to a network that tells king buckets apart or not.
    #[inline]
    pub fn active(&self, sample: &Sample, has_buckets: bool) -> Active {
        let own = &self.views[0][usize::from(sample.mirrored & 1)];
        let theirs = &self.views[1][usize::from(sample.mirrored >> 1 & 1)];
        let mut inputs = [[0; MAX_PIECES]; 2];
        let mut kings = [0; 2];
        for (index, square) in sample.occupied.into_iter().take(MAX_PIECES).enumerate() {
            let code = sample.codes[index / 2] >> (index % 2 * 4) & 15;
            inputs[0][index] = own[usize::from(code)][square.index()];
            inputs[1][index] = theirs[usize::from(code)][square.index()];
            if code & !THEIRS == Role::King as u8 {
                kings[usize::from(code & THEIRS != 0)] = square.index();
            }
        }
        if has_buckets {
            for side in 0..2 {
                let first = self.firsts[side][kings[side]];
                inputs[side] = inputs[side].map(|input| input + first);
            }
        }
        Active {
            count: sample.pieces(),
            inputs,
        }
    }
}

impl Default for InputTable {
    fn default() -> Self {
        Self::new()
    }
}
