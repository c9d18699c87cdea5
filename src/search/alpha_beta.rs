//! Alpha-beta search of a node, step by step. Each step that is more than a line is a function with
//! a name: whole-node pruning and move pruning in `pruning`, extensions in `extension`, reductions
//! in `late_move`, the leaves in `quiesce`.

use super::Aborted;
use super::entry::Entry;
use super::extension::Verdict;
use super::learning::Tried;
use super::node::{Kind, Node};
use super::parameters as p;
use super::picker::{Candidate, Picker, Wanted};
use super::worker::Worker;
use crate::types::{MAX_PLY, Score};

/// So near to the fifty-move rule, in half-moves since the last capture or pawn move, the scores of
/// the hash table no longer cut: they come from positions with more time.
const TRUSTED_HALFMOVES: u16 = 90;

impl Worker {
    /// The score of the present position between `alpha` and `beta`, searched `depth` plies deep.
    ///
    /// A score outside the window is a bound (fail-soft). The principal variation of a node that may be
    /// part of one is left on the stack.
    pub(super) fn search<K: Kind>(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Aborted> {
        // Leaves.
        if depth <= 0 {
            return self.quiesce::<K>(alpha, beta, ply);
        }
        self.enter_node(ply)?;
        if K::PV {
            self.stack.clear_pv(ply);
        }
        let in_check = self.position().in_check();
        if !K::ROOT {
            if let Some(draw) = self.draw_here(&mut alpha, beta, ply) {
                return Ok(draw);
            }
            if ply >= MAX_PLY {
                return Ok(if in_check {
                    Score::DRAW
                } else {
                    self.raw_eval()
                });
            }
            // Mate distance pruning: a shorter mate is already known, for one side or the other.
            alpha = alpha.max(Score::mated(ply));
            beta = beta.min(Score::mating(ply + 1));
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // Probe of the hash table (transposition table).
        let excluded = self.stack[ply].excluded;
        let key = self.position().key();
        let halfmoves = self.position().state().halfmoves;
        if cut_node {
            // For a null move, which takes too little time to wait for it then.
            self.prefetch_null();
        }
        let entry = self.shared.table.probe(key);
        if !K::PV
            && excluded.is_none()
            && let Some(entry) = entry
            && entry.depth >= depth
            && halfmoves < TRUSTED_HALFMOVES
            && let Some(score) = entry.cutoff(alpha, beta, ply, halfmoves)
        {
            self.learn_from_table(entry, score, beta, depth, ply);
            return Ok(score);
        }

        // Probe of endgame tables. A draw is exact, but a win may still be a mate.
        let (mut min_score, mut max_score) = (-Score::INFINITE, Score::INFINITE);
        if !K::ROOT
            && excluded.is_none()
            && let Some(known) = self.probe_tables(depth, ply)
        {
            if let Some(score) = known.cutoff(alpha, beta, ply, halfmoves) {
                self.shared.table.store(key, known);
                return Ok(score);
            }
            match known.score.from_table(ply, halfmoves) {
                Some(win) if win.is_win() => {
                    min_score = win;
                    alpha = alpha.max(min_score);
                }
                Some(score) => max_score = score,
                None => {}
            }
        }

        let hash_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.position().is_legal(mv));
        let hash_move = if K::ROOT {
            self.root_hash_move(hash_move)
        } else {
            hash_move
        };

        let mut node = Node {
            ply,
            depth,
            alpha,
            beta,
            pv: K::PV,
            cut_node,
            in_check,
            excluded,
            min_score,
            max_score,
            entry,
            hash_move,
            table_pv: K::PV || entry.is_some_and(|entry| entry.pv),
            raw_eval: None,
            eval: Score::DRAW,
            improving: false,
            opponent_worsening: false,
        };
        self.evaluate_node(&mut node);
        self.stack[ply + 2].cutoffs = 0;
        self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions;

        self.hindsight(&mut node);
        self.learn_from_evaluation(&node);

        // Whole-node pruning.
        if !K::PV && !in_check && excluded.is_none() {
            if let Some(score) = self.razor(&node)? {
                return Ok(score);
            }
            if let Some(score) = self.reverse_futility(&node) {
                return Ok(score);
            }
            if let Some(score) = self.null_move(&node)? {
                return Ok(score);
            }
            if let Some(score) = self.probcut(&node)? {
                return Ok(score);
            }
        }

        // Above beta already: late moves are worth the depth that they get when improving.
        node.improving |= self.stack[ply].eval.is_some_and(|eval| eval >= beta);

        // Internal iterative reduction: without a move to try first, a shallower search finds one.
        if (K::PV || cut_node) && hash_move.is_none() && node.depth >= p::internal_depth() {
            node.depth -= 1;
        }
        self.search_moves::<K>(node)
    }

    /// Searches the moves of a node one after the other.
    #[inline(always)]
    fn search_moves<K: Kind>(&mut self, mut node: Node) -> Result<Score, Aborted> {
        let ply = node.ply;
        let past = self.stack.past(ply);
        let mut picker = Picker::new(Wanted::All, node.hash_move);
        let mut best = node.min_score;
        let mut best_move = None;
        let mut number = 0;
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        let first_alpha = node.alpha;

        while let Some(candidate) = self.next_candidate(&mut picker, past) {
            let Candidate { mv, history, .. } = candidate;
            if Some(mv) == node.excluded || K::ROOT && !self.root.allows(mv) {
                continue;
            }
            number += 1;

            // Shallow pruning, once there is a move that is not a proven loss.
            if !K::ROOT
                && !best.is_loss()
                && self.prune_move(&node, &mut picker, &candidate, number, best)
            {
                continue;
            }
            let extension = match self.singular_extension(&node, mv)? {
                Verdict::Extend(plies) => plies,
                Verdict::Cut(score) => return Ok(score),
            };
            if K::ROOT {
                self.report_current_move(mv, number);
            }

            let nodes_before = self.nodes;
            if extension >= 2 {
                self.stack[ply + 1].double_extensions += 1;
            }
            self.stack[ply].number = number;
            self.make(ply, mv);
            let score = self.search_move::<K>(&node, mv, number, extension, history, best);
            self.unmake();
            self.stack[ply + 1].double_extensions = self.stack[ply].double_extensions;
            let mut score = score?;

            if K::ROOT {
                score = self.finish_root_move(&node, mv, number, nodes_before, score);
            }
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.stack.extend_pv(ply, mv);
                    }
                    if score >= node.beta {
                        self.stack[ply].cutoffs += 1;
                        break;
                    }
                    node.alpha = score;
                    // Alpha is raised: the other moves have to beat a good one, and get less depth.
                    if (p::raised_depth_from()..p::raised_depth_below()).contains(&node.depth)
                        && !score.is_decisive()
                    {
                        node.depth -= 1;
                    }
                }
            }
            if Some(mv) != best_move {
                let tried = if mv.is_quiet() {
                    &mut quiets
                } else {
                    &mut captures
                };
                let _ = tried.try_push(mv);
            }
        }

        if number == 0 {
            // No move but the one left out, so that it is singular; or mate, or stalemate.
            return Ok(match node.excluded {
                Some(_) => node.alpha,
                None if node.in_check => Score::mated(ply),
                None => Score::DRAW,
            });
        }
        if best >= node.beta && !best.is_decisive() && !node.beta.is_decisive() {
            best = Score((best.0 * node.depth + node.beta.0) / (node.depth + 1));
        }
        if let Some(mv) = best_move
            && best >= node.beta
        {
            self.learn_from_cutoff(&node, mv, &quiets, &captures, past);
        }
        if best <= first_alpha {
            self.learn_from_fail_low(&node);
        }
        best = best.min(node.max_score);
        if node.excluded.is_none() {
            self.remember(&node, best, best_move, first_alpha);
        }
        Ok(best)
    }

    /// The static evaluation of the node, and how it compares with those of the moves before:
    /// whether it is improving, and whether the opponent's is worsening.
    #[inline(always)]
    fn evaluate_node(&mut self, node: &mut Node) {
        let ply = node.ply;
        if node.in_check {
            self.stack[ply].eval = None;
            return;
        }
        if node.excluded.is_some() {
            // The same position as outside the search of the singular extension.
            node.eval = self.stack[ply].eval.unwrap_or_default();
        } else {
            let (raw, eval) = self.static_eval(node.entry, ply);
            self.stack[ply].eval = Some(eval);
            node.raw_eval = Some(raw);
            let halfmoves = self.position().state().halfmoves;
            let improve = |entry: Entry| entry.improve(eval, ply, halfmoves);
            node.eval = node.entry.map_or(eval, improve);
            if node.entry.is_none() {
                let entry = Entry {
                    mv: None,
                    score: Score::DRAW,
                    eval: Some(raw),
                    depth: 0,
                    bound: None,
                    pv: node.table_pv,
                };
                self.shared.table.store(self.position().key(), entry);
            }
        }
        let before = self
            .stack
            .eval_before(ply, 2)
            .or_else(|| self.stack.eval_before(ply, 4));
        let now = self.stack[ply].eval;
        node.improving = now.zip(before).is_some_and(|(now, before)| now > before);
        let last = self.stack.eval_before(ply, 1);
        node.opponent_worsening = now.zip(last).is_some_and(|(now, last)| now > -last);
    }

    /// Hindsight: corrects the depth by how the reduction of the move to this node turned out. Deeper
    /// after a large one where the opponent's evaluation did not fall; less deep after a reduction
    /// where both sides' evaluations are good.
    #[inline(always)]
    fn hindsight(&mut self, node: &mut Node) {
        let before = self.stack.before(node.ply, 1);
        let reduction = before.reduction;
        let (Some(eval), Some(before)) = (self.stack[node.ply].eval, before.eval) else {
            return;
        };
        if node.excluded.is_some() {
            return;
        }
        if reduction >= p::hindsight_deeper() && eval <= -before {
            node.depth += 1;
        } else if reduction >= p::hindsight_shallower()
            && node.depth >= 2
            && eval > Score(p::hindsight_margin()) - before
        {
            node.depth -= 1;
        }
    }
}
