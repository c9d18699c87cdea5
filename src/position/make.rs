//! Make, unmake and null move.

use super::{Position, State, keys};
use crate::types::{Color, Move, MoveKind, Piece, Role, Square, Wing};

/// What a move did: enough to take it back, and for an evaluation to follow it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Undo {
    /// The move, or `None` for a null move.
    pub mv: Option<Move>,
    /// The piece that left the move's first square; for castling the king.
    pub moved: Option<Piece>,
    /// The piece that was taken.
    pub captured: Option<Piece>,
    state: State,
}

impl Position {
    /// Plays a legal move.
    #[inline]
    pub fn make(&mut self, mv: Move) -> Undo {
        let (from, to, kind) = (mv.from(), mv.to(), mv.kind());
        let us = self.state.side;
        let piece = self
            .board
            .piece_on(from)
            .expect("a legal move starts on an occupied square");
        let mut undo = Undo {
            mv: Some(mv),
            moved: Some(piece),
            captured: None,
            state: self.state,
        };

        self.state.halfmoves += 1;
        self.state.reversible += 1;
        self.state.fullmoves += us.index() as u16;
        self.clear_en_passant();
        self.lose_castling_rights(from, to);

        if kind == MoveKind::Castling {
            self.castle(us, from, to, mv.castling_wing());
        } else {
            if mv.is_capture() {
                undo.captured = self.take(mv.capture_square());
            }
            self.shift(from, to, piece);
            if let Some(role) = mv.promotion() {
                self.take(to);
                self.place(to, Piece::new(us, role));
            }
            if mv.is_capture() || piece.role() == Role::Pawn {
                self.state.halfmoves = 0;
                self.state.reversible = 0;
            }
        }

        self.change_side();
        if kind == MoveKind::DoublePush {
            self.offer_en_passant(from.forward(us));
        }
        self.find_checks_and_pins();
        self.find_threats();
        undo
    }

    /// The position after a legal move, as a copy.
    pub fn after(&self, mv: Move) -> Self {
        let mut after = self.clone();
        after.make(mv);
        after
    }

    /// Takes back the last move, given what [`Position::make`] or [`Position::make_null`]
    /// returned for it.
    #[inline]
    pub fn unmake(&mut self, undo: &Undo) {
        self.state = undo.state;
        let (Some(mv), Some(piece)) = (undo.mv, undo.moved) else {
            return;
        };
        let (from, to, us) = (mv.from(), mv.to(), self.state.side);
        if mv.is_castling() {
            let wing = mv.castling_wing();
            self.board.remove(wing.king_target(us));
            self.board.remove(wing.rook_target(us));
            self.board.put(from, piece);
            self.board.put(to, Piece::new(us, Role::Rook));
            return;
        }
        if mv.is_promotion() {
            self.board.remove(to);
            self.board.put(from, piece);
        } else {
            self.board.shift(to, from, piece);
        }
        if let Some(captured) = undo.captured {
            self.board.put(mv.capture_square(), captured);
        }
    }

    /// Passes the move to the opponent, for the null move heuristic. Not while in check.
    #[inline]
    pub fn make_null(&mut self) -> Undo {
        debug_assert!(!self.in_check(), "the king could be taken");
        let undo = Undo {
            mv: None,
            moved: None,
            captured: None,
            state: self.state,
        };
        self.state.halfmoves += 1;
        self.state.reversible = 0;
        self.clear_en_passant();
        self.change_side();
        self.find_checks_and_pins();
        self.find_threats();
        undo
    }

    /// The key after a move, exact but for castling, promotions and en passant: good enough to
    /// prefetch the bucket of the hash table before the move is made.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.key_after_null();
        if let Some(piece) = self.board.piece_on(mv.from()) {
            key ^= keys::piece(piece, mv.from()) ^ keys::piece(piece, mv.to());
        }
        if let Some(captured) = self.board.piece_on(mv.to()) {
            key ^= keys::piece(captured, mv.to());
        }
        key
    }

    /// The key after a null move, exact but for en passant.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.key() ^ keys::black_to_move()
    }

    #[inline]
    fn castle(&mut self, us: Color, king: Square, rook: Square, wing: Wing) {
        self.take(king);
        self.take(rook);
        self.place(wing.king_target(us), Piece::new(us, Role::King));
        self.place(wing.rook_target(us), Piece::new(us, Role::Rook));
    }

    #[inline]
    fn lose_castling_rights(&mut self, from: Square, to: Square) {
        let kept = self.state.castling & self.castling.kept(from, to);
        if kept != self.state.castling {
            let keys = &mut self.state.keys.position;
            *keys ^= keys::castling(self.state.castling) ^ keys::castling(kept);
            self.state.castling = kept;
            self.state.reversible = 0;
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        // Written only where there is one, and after the counters: what has just been written in
        // part, the processor is slow to read as one word.
        if let Some(square) = self.state.en_passant {
            self.state.en_passant = None;
            self.state.keys.position ^= keys::en_passant(square.file());
        }
    }

    /// After a double push: notes the square behind the pawn if the side now to move can use it.
    #[inline]
    fn offer_en_passant(&mut self, target: Square) {
        if self.can_capture_en_passant(self.state.side, target) {
            self.state.en_passant = Some(target);
            self.state.keys.position ^= keys::en_passant(target.file());
        }
    }

    #[inline]
    fn change_side(&mut self) {
        self.state.side = !self.state.side;
        self.state.keys.toggle_side();
    }

    #[inline]
    fn place(&mut self, square: Square, piece: Piece) {
        self.board.put(square, piece);
        self.state.keys.toggle(square, piece);
    }

    #[inline]
    fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board.remove(square)?;
        self.state.keys.toggle(square, piece);
        Some(piece)
    }

    #[inline]
    fn shift(&mut self, from: Square, to: Square, piece: Piece) {
        self.board.shift(from, to, piece);
        self.state.keys.toggle(from, piece);
        self.state.keys.toggle(to, piece);
    }
}
