//! `go mate N`: a proof that the side to move mates in N moves, whatever the answer.
//!
//! It searches all moves and all answers, without the pruning and the reductions by which the
//! ordinary search may miss a mate. Shorter mates are tried first.

use super::Aborted;
use super::report::Bound;
use super::root::Finding;
use super::stack::Line;
use super::worker::Worker;
use crate::movegen::legal;
use crate::types::{MAX_PLY, Move, Score};

impl Worker {
    /// Looks for a mate in at most `most` moves. If there is one, the root's best move has its
    /// score and its line, the longest defence against it.
    pub(super) fn prove_mate(&mut self, most: u32) -> Result<bool, Aborted> {
        for moves in 1..=most.min(MAX_PLY as u32 / 2) {
            self.root_depth = 2 * moves as i32 - 1;
            let root: Vec<Move> = self.root.all().iter().map(|root| root.mv).collect();
            if let Some(line) = self.attack(&root, moves, 0)? {
                let found = Finding {
                    score: Score::mating(line.len()),
                    bound: Bound::Exact,
                    depth: self.root_depth as u32,
                    seldepth: line.len(),
                    pv: line,
                };
                self.root.record(found.pv[0], 0, Some(found));
                self.root.sort_line();
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A line in which one of `candidates` mates in `moves`, if any does.
    fn attack(
        &mut self,
        candidates: &[Move],
        moves: u32,
        ply: usize,
    ) -> Result<Option<Line>, Aborted> {
        self.enter_node(ply)?;
        // Checks first; the last move has to be one.
        for checks in [true, false] {
            if !checks && moves == 1 {
                break;
            }
            for &mv in candidates {
                if self.really_checks(mv) != checks {
                    continue;
                }
                self.variation.make(mv);
                let defence = self.defend(moves - 1, ply + 1);
                self.variation.unmake();
                if let Some(rest) = defence? {
                    return Ok(Some(Line::from_iter(std::iter::once(mv).chain(rest))));
                }
            }
        }
        Ok(None)
    }

    /// The longest line if every answer is mated in `moves` more; `None` if one escapes.
    fn defend(&mut self, moves: u32, ply: usize) -> Result<Option<Line>, Aborted> {
        self.enter_node(ply)?;
        let mut answers = legal(self.position());
        if answers.is_empty() {
            return Ok(self.position().in_check().then(Line::new));
        }
        if moves == 0 || self.is_draw(ply) {
            return Ok(None);
        }
        // The answer that escaped last time escapes most of the time.
        let escape = self.stack[ply].mv;
        answers.sort_by_key(|&mv| (Some(mv) != escape, mv.is_quiet()));
        let mut longest = Line::new();
        for mv in answers {
            self.variation.make(mv);
            let candidates = legal(self.position());
            let attack = self.attack(&candidates, moves, ply + 1);
            self.variation.unmake();
            let Some(rest) = attack? else {
                self.stack[ply].mv = Some(mv);
                return Ok(None);
            };
            if rest.len() >= longest.len() {
                longest = Line::from_iter(std::iter::once(mv).chain(rest));
            }
        }
        Ok(Some(longest))
    }

    /// Whether a move gives check, castling and en passant included.
    fn really_checks(&self, mv: Move) -> bool {
        if mv.is_castling() || mv.is_en_passant() {
            return self.position().after(mv).in_check();
        }
        self.position().gives_check(mv)
    }
}
