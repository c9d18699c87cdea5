//! Quiescence search: only captures and promotions, until the position is quiet enough for the
//! static evaluation.

use super::Aborted;
use super::entry::Entry;
use super::node::Kind;
use super::parameters as p;
use super::picker::{Candidate, Picker, Wanted};
use super::report::Bound;
use super::worker::Worker;
use crate::movegen;
use crate::types::{MAX_PLY, Move, Score};

impl Worker {
    /// The score of a position between `alpha` and `beta` once its captures are resolved. In check
    /// all evasions are tried.
    pub(super) fn quiesce<K: Kind>(
        &mut self,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Result<Score, Aborted> {
        self.enter_node(ply)?;
        if K::PV {
            self.stack.clear_pv(ply);
        }
        if let Some(draw) = self.draw_here(&mut alpha, beta, ply) {
            return Ok(draw);
        }
        let in_check = self.position().in_check();
        if ply >= MAX_PLY {
            return Ok(if in_check {
                Score::DRAW
            } else {
                self.raw_eval()
            });
        }

        let key = self.position().key();
        let halfmoves = self.position().state().halfmoves;
        let entry = self.shared.table.probe(key);
        if !K::PV
            && let Some(entry) = entry
            && let Some(score) = entry.cutoff(alpha, beta, ply, halfmoves)
        {
            return Ok(score);
        }
        let table_pv = K::PV || entry.is_some_and(|entry| entry.pv);

        let (raw_eval, stand_pat) = if in_check {
            (None, Score::mated(ply))
        } else {
            let (raw, eval) = self.static_eval(entry, ply);
            self.stack[ply].eval = Some(eval);
            (
                Some(raw),
                entry.map_or(eval, |entry| entry.improve(eval, ply, halfmoves)),
            )
        };
        let mut best = stand_pat;
        if !in_check {
            if best >= beta {
                if entry.is_none() {
                    let entry = Entry {
                        mv: None,
                        score: best.to_table(ply),
                        eval: raw_eval,
                        depth: 0,
                        bound: Some(Bound::Lower),
                        pv: false,
                    };
                    self.shared.table.store(key, entry);
                }
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let futility = best + p::quiescence_margin();

        let hash_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || !mv.is_quiet()) && self.position().is_legal(mv));
        let past = self.stack.past(ply);
        let mut picker = Picker::new(
            if in_check { Wanted::All } else { Wanted::Noisy },
            hash_move,
        );
        let mut best_move: Option<Move> = None;
        let mut tried = 0;
        while let Some(Candidate { mv, .. }) = self.next_candidate(&mut picker, past) {
            if !best.is_loss() {
                if in_check {
                    // One evasion is good enough: quiet ones still to come will hardly do better.
                    picker.skip_quiets();
                    if mv.is_quiet() {
                        continue;
                    }
                } else if tried >= p::quiescence_moves() && !mv.is_promotion() {
                    break;
                }
                // Far below alpha only captures that win material can help.
                let is_futile = !in_check && futility <= alpha;
                let least = if is_futile { 1 } else { -p::quiescence_loss() };
                if !movegen::see_at_least(self.position(), mv, least) {
                    if is_futile {
                        best = best.max(futility);
                    }
                    continue;
                }
            }
            tried += 1;
            self.make(ply, mv);
            let score = self.quiesce::<K>(-beta, -alpha, ply + 1);
            self.unmake();
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        if best >= beta && !best.is_decisive() && !beta.is_decisive() {
            best = Score((best.0 + beta.0) / 2);
        }
        let entry = Entry {
            mv: best_move,
            score: best.to_table(ply),
            eval: raw_eval,
            depth: 0,
            bound: Some(if best >= beta {
                Bound::Lower
            } else {
                Bound::Upper
            }),
            pv: table_pv,
        };
        self.shared.table.store(key, entry);
        Ok(best)
    }
}
