//! Move ordering by stages: the hash move, good captures, quiet moves, bad captures. Good and bad is
//! a matter of static exchange evaluation (SEE).
//!
//! Each stage is generated only when the one before it is exhausted, and sorted only as far as its
//! moves are needed, but for one: its bucket of the hash table is prefetched while the move before it
//! is searched, since memory takes longer than all that happens between the choice of a move and the
//! probe.

use arrayvec::ArrayVec;

use super::history::{Continuation, History, Past, continuation};
use super::parameters as p;
use super::ranked::{Ranked, greatest};
use super::table::Table;
use crate::movegen::{self, Checks};
use crate::position::Position;
use crate::types::{Bitboard, MAX_MOVES, Move, MoveList, Role};

/// What an underpromotion counts in the order of captures, in centipawns: hardly ever is it the best.
const UNDERPROMOTION: i32 = -3_000;

/// What it counts, in units of `quiet_escape`, that a piece leaves or enters the reach of a cheaper one; by
/// role, as much as there is to lose.
const AT_RISK: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Which moves a picker yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    /// Captures and promotions that win at least so many centipawns in exchanges.
    Winning(i32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    HashMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiets,
    Quiets,
    BadNoisy,
    Done,
}

/// A move to try, with its history; that of a quiet move with what checks and escapes add to its rank.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) history: i32,
    /// Whether it is a quiet move that gives check. Not asked of the hash move, which comes first.
    pub(super) quiet_check: bool,
}

/// Yields the moves of a position, the most promising first.
pub(super) struct Picker {
    wanted: Wanted,
    stage: Stage,
    hash_move: Option<Move>,
    moves: ArrayVec<Ranked, MAX_MOVES>,
    /// The first of `moves` that has not been selected.
    next: usize,
    /// What has been selected, but not yielded yet.
    ahead: Option<(Move, i32)>,
    /// Captures that lose material, best first.
    bad: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
    /// Where the side to move can give check, known from the stage of quiet moves on.
    checks: Option<Checks>,
}

impl Picker {
    /// A picker that begins with `hash_move`, which must be legal.
    pub(super) fn new(wanted: Wanted, hash_move: Option<Move>) -> Self {
        Self {
            wanted,
            stage: Stage::HashMove,
            hash_move,
            moves: ArrayVec::new(),
            next: 0,
            ahead: None,
            bad: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            checks: None,
        }
    }

    /// Yields no more quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move. Its bucket of `table` is on its way, as is that of the move that most likely
    /// comes after it.
    pub(super) fn next(
        &mut self,
        position: &Position,
        history: &History,
        past: Past,
        table: &Table,
    ) -> Option<Candidate> {
        let noisy = |mv| Candidate {
            mv,
            history: history.capture(position, mv),
            quiet_check: false,
        };
        loop {
            match self.stage {
                Stage::HashMove => {
                    self.stage = Stage::GenerateNoisy;
                    if let Some(mv) = self.hash_move {
                        prefetch_after(position, mv, table);
                        return Some(if mv.is_quiet() {
                            let this = continuation(position, mv);
                            let history = history.quiets(position, past).of(mv, this);
                            Candidate {
                                mv,
                                history,
                                quiet_check: false,
                            }
                        } else {
                            noisy(mv)
                        });
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some((mv, rank)) = self.next_best(position, table) {
                        let threshold = match self.wanted {
                            Wanted::Winning(threshold) => threshold,
                            // The better the rank of a capture, the more it may lose.
                            Wanted::All => {
                                let most = p::good_capture_limit();
                                -(rank * p::good_capture_history() / 1024).clamp(-most, most)
                            }
                            Wanted::Noisy => return Some(noisy(mv)),
                        };
                        if movegen::see_at_least(position, mv, threshold) {
                            return Some(noisy(mv));
                        }
                        self.bad.push(mv);
                    }
                    self.stage = match self.wanted {
                        Wanted::All => Stage::GenerateQuiets,
                        Wanted::Noisy | Wanted::Winning(_) => Stage::Done,
                    };
                }
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(position, history, past);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets
                        && let Some((mv, history)) = self.next_best(position, table)
                    {
                        let checks = self.checks.as_ref();
                        return Some(Candidate {
                            mv,
                            history,
                            quiet_check: checks
                                .is_some_and(|checks| checks.given_by(position.board(), mv)),
                        });
                    }
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    if let Some(&mv) = self.bad.get(self.next_bad) {
                        self.next_bad += 1;
                        prefetch_after(position, mv, table);
                        return Some(noisy(mv));
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The best of the moves not yielded yet, and its rank. The one after it is selected, too.
    #[inline]
    fn next_best(&mut self, position: &Position, table: &Table) -> Option<(Move, i32)> {
        let best = match self.ahead.take() {
            None => self.select(position, table),
            ahead => ahead,
        };
        self.ahead = self.select(position, table);
        best
    }

    /// The best of the moves not selected yet, and its rank: one step of a selection sort.
    #[inline]
    fn select(&mut self, position: &Position, table: &Table) -> Option<(Move, i32)> {
        let rest = self.moves.get(self.next..)?;
        let best = greatest(rest)?;
        // The first move takes the place of the best, which is not needed again.
        let first = *rest.first()?;
        *self.moves.get_mut(best.place())? = first.at(best.place());
        self.next += 1;
        let mv = best.mv()?;
        prefetch_after(position, mv, table);
        Some((mv, best.rank()))
    }

    // Neither is inlined: in the loop of `next` the compiler would work out anew for every move what
    // these need but once.
    #[inline(never)]
    fn generate_noisy(&mut self, position: &Position, history: &History) {
        let mut moves = MoveList::new();
        movegen::noisy(position, &mut moves);
        self.rank(&moves, |mv| {
            let victim = if mv.is_en_passant() {
                Some(Role::Pawn)
            } else {
                position.board().role_on(mv.to())
            };
            let promoted = mv.promotion().map_or(0, |role| match role {
                Role::Queen => movegen::role_value(Role::Queen),
                _ => UNDERPROMOTION,
            });
            let gain = victim.map_or(0, movegen::role_value) + promoted;
            p::capture_gain() * gain + history.capture(position, mv)
        });
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, history: &History, past: Past) {
        let quiets = history.quiets(position, past);
        // They arrive while the moves are generated.
        quiets.prefetch();
        let mut moves = MoveList::new();
        movegen::quiets(position, &mut moves);
        let checks = *self.checks.insert(Checks::new(position));
        let threats = &position.state().attacks;
        let threats = Role::ALL.map(|role| threats.by_cheaper(role));
        self.rank(&moves, |mv| {
            let Some(piece) = position.board().piece_on(mv.from()) else {
                return 0;
            };
            let role = piece.role();
            let is_good_check = checks.given_by_piece(role, mv)
                && movegen::see_at_least(position, mv, -p::quiet_check_loss());
            let check = if is_good_check { p::quiet_check() } else { 0 };
            quiets.of(mv, Continuation::new(piece, mv.to()))
                + check
                + escape(threats[role.index()], role, mv)
        });
    }

    /// Fills the list with the moves of a stage and their ranks.
    #[inline]
    fn rank(&mut self, moves: &[Move], mut rank: impl FnMut(Move) -> i32) {
        self.moves.clear();
        self.next = 0;
        self.ahead = None;
        for &mv in moves {
            if Some(mv) != self.hash_move {
                let place = self.moves.len();
                self.moves.push(Ranked::new(mv, rank(mv), place));
            }
        }
    }
}

/// Prefetches the bucket of the position after a move.
#[inline]
fn prefetch_after(position: &Position, mv: Move, table: &Table) {
    table.prefetch(position.key_after(mv));
}

/// What it counts that a quiet move leaves the reach of pieces cheaper than its own, less what it counts
/// that it enters that (threatened pieces in Stockfish's move picker).
#[inline]
fn escape(by_cheaper: Bitboard, role: Role, mv: Move) -> i32 {
    let escapes = i32::from(by_cheaper.has(mv.from())) - i32::from(by_cheaper.has(mv.to()));
    AT_RISK[role.index()] * p::quiet_escape() * escapes
}
