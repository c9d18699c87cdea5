//! Zobrist keys: a random number for every fact, the position's key is their exclusive or.

use crate::types::{CastlingRights, Color, File, Piece, Role, Square};

/// The random numbers, drawn at compile time from a fixed seed.
struct Numbers {
    pieces: [[u64; 64]; 12],
    castling: [u64; 16],
    en_passant: [u64; 8],
    black_to_move: u64,
}

/// One step of SplitMix64 (Sebastiano Vigna).
const fn draw(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

static NUMBERS: Numbers = {
    let mut seed = 0x5072_656C_6174_6521;
    let mut numbers = Numbers {
        pieces: [[0; 64]; 12],
        castling: [0; 16],
        en_passant: [0; 8],
        black_to_move: 0,
    };
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            numbers.pieces[piece][square] = draw(&mut seed);
            square += 1;
        }
        piece += 1;
    }
    // A set of rights is the sum of its single rights, so that losing one is one toggle.
    let mut right = 0;
    while right < 4 {
        let number = draw(&mut seed);
        let mut set = 0;
        while set < 16 {
            if set >> right & 1 == 1 {
                numbers.castling[set] ^= number;
            }
            set += 1;
        }
        right += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.en_passant[file] = draw(&mut seed);
        file += 1;
    }
    numbers.black_to_move = draw(&mut seed);
    numbers
};

/// The key of a piece on a square.
#[inline]
pub fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// The key of a set of castling rights.
#[inline]
pub fn castling(rights: CastlingRights) -> u64 {
    NUMBERS.castling[rights.index()]
}

/// The key of a possible en passant capture on a file.
#[inline]
pub fn en_passant(file: File) -> u64 {
    NUMBERS.en_passant[file.index()]
}

/// The key of Black being on the move.
#[inline]
pub fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}

/// The keys of a position: of everything, and of the parts that share their own statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Keys {
    /// Pieces, castling rights, en passant and side to move.
    pub position: u64,
    /// Pawns of both sides.
    pub pawns: u64,
    /// Knights, bishops and kings of both sides.
    pub minors: u64,
    /// Everything but the pawns, by colour.
    pub non_pawns: [u64; 2],
}

impl Keys {
    /// Adds or removes a piece.
    #[inline]
    pub fn toggle(&mut self, square: Square, piece: Piece) {
        let key = self::piece(piece, square);
        self.position ^= key;
        if piece.role() == Role::Pawn {
            self.pawns ^= key;
        } else {
            self.non_pawns[piece.color().index()] ^= key;
            if matches!(piece.role(), Role::Knight | Role::Bishop | Role::King) {
                self.minors ^= key;
            }
        }
    }

    /// Changes the side to move.
    #[inline]
    pub fn toggle_side(&mut self) {
        self.position ^= black_to_move();
    }
}

/// The key that [`Keys::position`] must have, from nothing but the facts.
pub fn recompute(
    pieces: impl Iterator<Item = (Square, Piece)>,
    side: Color,
    rights: CastlingRights,
    en_passant_square: Option<Square>,
) -> Keys {
    let mut keys = Keys::default();
    for (square, piece) in pieces {
        keys.toggle(square, piece);
    }
    keys.position ^= castling(rights);
    if let Some(square) = en_passant_square {
        keys.position ^= en_passant(square.file());
    }
    if side == Color::Black {
        keys.toggle_side();
    }
    keys
}
