//! Legal move generation by stages, from the check and pin masks of the position.
//!
//! Nothing illegal is ever produced: a piece may only reach squares that end a check, a pinned
//! piece only squares on its pin line, and the king only squares that are not attacked. A
//! [`Sink`] receives the moves as sets of squares, so that counting need not list them.

use super::splat;
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, MoveKind, MoveList, Rank, Role, Square, Wing};

/// All legal moves.
pub fn legal(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    generate::<true, true>(position, &mut moves);
    moves
}

/// Adds all legal captures and promotions.
#[inline]
pub fn noisy(position: &Position, moves: &mut MoveList) {
    generate::<true, false>(position, moves);
}

/// Adds all legal moves that neither capture nor promote.
#[inline]
pub fn quiets(position: &Position, moves: &mut MoveList) {
    generate::<false, true>(position, moves);
}

/// The number of legal moves.
pub fn count(position: &Position) -> usize {
    let mut counter = Counter(0);
    generate::<true, true>(position, &mut counter);
    counter.0
}

/// Takes in moves, square sets at a time.
trait Sink {
    /// A piece other than a pawn may go from `from` to each square of a set.
    fn piece(&mut self, from: Square, targets: Bitboard, kind: MoveKind);
    /// Pawns reach each square of a set from `step` squares before it.
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind);
    /// As [`Sink::pawns`], where each pawn becomes one of four pieces.
    fn promotions(&mut self, targets: Bitboard, step: i8, captures: bool);
    /// A single move.
    fn single(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline]
    fn piece(&mut self, from: Square, targets: Bitboard, kind: MoveKind) {
        splat::piece(self, from, targets, kind);
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, step: i8, kind: MoveKind) {
        splat::pawns(self, targets, step, kind);
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, step: i8, captures: bool) {
        for to in targets {
            for role in [Role::Queen, Role::Knight, Role::Rook, Role::Bishop] {
                self.push(Move::new(
                    to.offset(-step),
                    to,
                    MoveKind::promotion(role, captures),
                ));
            }
        }
    }

    #[inline]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without making them.
struct Counter(usize);

impl Sink for Counter {
    #[inline]
    fn piece(&mut self, _: Square, targets: Bitboard, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn pawns(&mut self, targets: Bitboard, _: i8, _: MoveKind) {
        self.0 += targets.count();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8, _: bool) {
        self.0 += 4 * targets.count();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

#[inline]
fn generate<const NOISY: bool, const QUIET: bool>(position: &Position, sink: &mut impl Sink) {
    Generator::<NOISY, QUIET>::new(position).run(sink);
}

/// A generator of captures and promotions, if `NOISY`, and of all other moves, if `QUIET`.
struct Generator<'a, const NOISY: bool, const QUIET: bool> {
    position: &'a Position,
    us: Color,
    king: Square,
    occupied: Bitboard,
    enemies: Bitboard,
    /// Where a piece other than the king may go without leaving its king in check.
    evasions: Bitboard,
    /// Where a piece other than a pawn may go in this stage.
    wanted: Bitboard,
}

impl<'a, const NOISY: bool, const QUIET: bool> Generator<'a, NOISY, QUIET> {
    #[inline]
    fn new(position: &'a Position) -> Self {
        let (board, us) = (position.board(), position.side());
        let king = board.king(us);
        let (occupied, enemies) = (board.occupied(), board.color(!us));
        let evasions = match position.state().checkers.first() {
            None => Bitboard::FULL,
            Some(checker) => attacks::between(king, checker) | checker.into(),
        };
        let wanted = match (NOISY, QUIET) {
            (true, true) => !board.color(us),
            (true, false) => enemies,
            _ => !occupied,
        };
        Self {
            position,
            us,
            king,
            occupied,
            enemies,
            evasions,
            wanted,
        }
    }

    #[inline]
    fn run(&self, sink: &mut impl Sink) {
        let state = self.position.state();
        let steps = attacks::king(self.king) & self.wanted & !state.threats;
        self.piece(self.king, steps, sink);
        if state.checkers.several() {
            return;
        }
        if QUIET && state.checkers.is_empty() {
            self.castlings(sink);
        }
        self.pieces(sink);
        self.pawns(sink);
    }

    #[inline]
    fn pieces(&self, sink: &mut impl Sink) {
        let (board, pinned) = (self.position.board(), self.position.state().pinned);
        let targets = self.wanted & self.evasions;
        for from in board.pieces(self.us, Role::Knight) & !pinned {
            self.piece(from, attacks::knight(from) & targets, sink);
        }
        let (diagonal, straight) = (
            board.diagonal_sliders(self.us),
            board.straight_sliders(self.us),
        );
        for from in diagonal & !pinned {
            self.piece(from, attacks::bishop(from, self.occupied) & targets, sink);
        }
        for from in straight & !pinned {
            self.piece(from, attacks::rook(from, self.occupied) & targets, sink);
        }
        for from in diagonal & pinned {
            let line = attacks::through(self.king, from) & targets;
            self.piece(from, attacks::bishop(from, self.occupied) & line, sink);
        }
        for from in straight & pinned {
            let line = attacks::through(self.king, from) & targets;
            self.piece(from, attacks::rook(from, self.occupied) & line, sink);
        }
    }

    /// Moves of a piece to some of the squares that this stage asks for.
    #[inline(always)]
    fn piece(&self, from: Square, targets: Bitboard, sink: &mut impl Sink) {
        if NOISY {
            sink.piece(from, targets & self.enemies, MoveKind::Capture);
        }
        if QUIET {
            sink.piece(from, targets & !self.enemies, MoveKind::Quiet);
        }
    }

    #[inline]
    fn pawns(&self, sink: &mut impl Sink) {
        let pawns = self.position.board().pieces(self.us, Role::Pawn);
        let pinned = self.position.state().pinned;
        self.pawn_set(pawns & !pinned, self.evasions, sink);
        for pawn in pawns & pinned {
            let line = attacks::through(self.king, pawn);
            self.pawn_set(pawn.into(), self.evasions & line, sink);
        }
        if let Some(target) = self.position.state().en_passant
            && NOISY
        {
            for pawn in attacks::pawn(!self.us, target) & pawns {
                if self.position.is_en_passant_safe(self.us, pawn, target) {
                    sink.single(Move::new(pawn, target, MoveKind::EnPassant));
                }
            }
        }
    }

    /// Pushes and captures of a set of pawns that may only go to `allowed` squares.
    #[inline]
    fn pawn_set(&self, pawns: Bitboard, allowed: Bitboard, sink: &mut impl Sink) {
        let us = self.us;
        let up = match us {
            Color::White => 8,
            Color::Black => -8,
        };
        let last = Bitboard::rank(Rank::Eighth.relative_to(us));
        let empty = !self.occupied;
        let ahead = pawns.forward(us) & empty;

        if NOISY {
            let targets = self.enemies & allowed;
            let east = pawns.forward(us).east() & targets;
            let west = pawns.forward(us).west() & targets;
            sink.pawns(east & !last, up + 1, MoveKind::Capture);
            sink.pawns(west & !last, up - 1, MoveKind::Capture);
            let seventh = Bitboard::rank(Rank::Seventh.relative_to(us));
            if (pawns & seventh).any() {
                sink.promotions(east & last, up + 1, true);
                sink.promotions(west & last, up - 1, true);
                sink.promotions(ahead & last & allowed, up, false);
            }
        }
        if QUIET {
            let third = Bitboard::rank(Rank::Third.relative_to(us));
            let twice = (ahead & third).forward(us) & empty;
            sink.pawns(ahead & !last & allowed, up, MoveKind::Quiet);
            sink.pawns(twice & allowed, 2 * up, MoveKind::DoublePush);
        }
    }

    #[inline]
    fn castlings(&self, sink: &mut impl Sink) {
        for wing in Wing::ALL {
            if let Some(rook) = self.position.castling_rook(wing) {
                sink.single(Move::new(self.king, rook, MoveKind::Castling));
            }
        }
    }
}

impl Position {
    /// The rook with which the side to move may castle to `wing` right now.
    #[inline]
    pub(super) fn castling_rook(&self, wing: Wing) -> Option<Square> {
        let state = self.state();
        if !state.castling.has(self.side(), wing) || state.checkers.any() {
            return None;
        }
        let path = self.castling_paths().path(self.side(), wing)?;
        let free = (path.empty & self.board().occupied()).is_empty();
        let safe = (path.safe & state.threats).is_empty();
        // A rook that shields its king along the first rank must stay (Chess960 only).
        (free && safe && !state.pinned.has(path.rook)).then_some(path.rook)
    }
}
