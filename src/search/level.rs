//! Weaker play by rating (`UCI_Elo`): fewer nodes, less depth, and a choice among the best moves.
//!
//! A level plays the engine's own chess with two human failings. It searches few positions and
//! not far ahead, so it falls for what lies deeper; and it mistakes a move that is almost as good
//! for the best one. It is not random: every move it plays is among the best that it knows.

use std::ops::RangeInclusive;

use rand::{Rng, RngExt};

use super::limits::Limits;
use super::report::Info;
use super::root::{UNDERPROMOTION, is_better_promotion};
use super::worker::Worker;
use crate::movegen::legal;
use crate::position::Position;
use crate::types::{Move, Score};

/// How a rating plays.
struct Row {
    /// In Elo, on the scale that `scripts/levels.py` measures.
    rating: i64,
    /// Nodes for a move, all lines together.
    nodes: f64,
    /// The deepest iteration, in plies; quiescence goes further.
    depth: f64,
    /// How many moves it considers (multi-PV).
    lines: f64,
    /// The most that a misjudgement costs, in centipawns.
    spread: f64,
}

impl Row {
    const fn new(rating: i64, nodes: f64, depth: f64, lines: f64, spread: f64) -> Self {
        Self {
            rating,
            nodes,
            depth,
            lines,
            spread,
        }
    }
}

/// The measured levels, weakest first; those in between are interpolated.
const ROWS: [Row; 11] = [
    Row::new(600, 800.0, 2.0, 24.0, 900.0),
    Row::new(800, 1350.0, 4.0, 19.0, 600.0),
    Row::new(1000, 2000.0, 5.0, 15.0, 440.0),
    Row::new(1200, 3000.0, 7.0, 12.0, 330.0),
    Row::new(1400, 4300.0, 8.0, 10.0, 260.0),
    Row::new(1600, 5900.0, 9.0, 9.0, 210.0),
    Row::new(1800, 8000.0, 10.0, 8.0, 170.0),
    Row::new(2000, 10_200.0, 11.0, 7.0, 140.0),
    Row::new(2200, 15_600.0, 12.0, 6.0, 107.0),
    Row::new(2400, 21_000.0, 13.0, 5.0, 85.0),
    Row::new(2600, 29_500.0, 15.0, 4.0, 65.0),
];

/// The highest rating that may overlook a mate in one.
const BEGINNER: i64 = 1000;

/// A strength below the engine's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    beginner: bool,
    nodes: u64,
    depth: u32,
    lines: usize,
    spread: f64,
}

impl Level {
    /// The ratings that can be played, in Elo.
    pub const RATINGS: RangeInclusive<i64> = ROWS[0].rating..=ROWS[ROWS.len() - 1].rating;

    /// The level of a rating, or of the nearest that can be played.
    pub fn new(rating: i64) -> Self {
        let rating = rating.clamp(*Self::RATINGS.start(), *Self::RATINGS.end());
        let above = ROWS.partition_point(|row| row.rating < rating).max(1);
        let (low, high) = (&ROWS[above - 1], &ROWS[above]);
        let share = (rating - low.rating) as f64 / (high.rating - low.rating) as f64;
        let between = |of: fn(&Row) -> f64| of(low) + share * (of(high) - of(low));
        Self {
            beginner: rating <= BEGINNER,
            nodes: between(|row| row.nodes.ln()).exp().round() as u64,
            depth: between(|row| row.depth).round() as u32,
            lines: between(|row| row.lines).round() as usize,
            spread: between(|row| row.spread),
        }
    }

    /// The limits of a search at this level: fewer nodes and less depth. Above the beginners, a
    /// mate in one is neither missed nor allowed if that can be helped.
    pub fn restrict(&self, limits: Limits, position: &Position) -> Limits {
        let moves = if self.beginner {
            limits.moves
        } else {
            careful(limits.moves, position)
        };
        Limits {
            depth: Some(limits.depth.unwrap_or(u32::MAX).min(self.depth)),
            nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(self.nodes)),
            moves,
            ..limits
        }
    }

    /// How many lines the search has to find.
    pub const fn lines(&self) -> usize {
        self.lines
    }

    /// Which of the moves with these scores is played: the best one after each score got a random
    /// bonus. It is worse than the best by no more than the level's spread, and usually by far
    /// less, since the largest bonus is random too: attention comes and goes. `None` if there are
    /// no moves.
    pub fn choose(&self, scores: &[Score], random: &mut impl Rng) -> Option<usize> {
        let spread = self.spread * random.random::<f64>();
        let seeming = scores
            .iter()
            .map(|score| f64::from(score.0) + spread * random.random::<f64>());
        seeming
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(index, _)| index)
    }
}

/// Those of the `wanted` moves that mate; without any, those that do not allow a mate in one; if
/// all do, `wanted` as it is. An empty `wanted` stands for all legal moves.
fn careful(wanted: Vec<Move>, position: &Position) -> Vec<Move> {
    let allowed = |mv: &Move| wanted.is_empty() || wanted.contains(mv);
    let moves: Vec<Move> = legal(position).into_iter().filter(allowed).collect();
    let mating = |mv: &&Move| is_mate(&position.after(**mv));
    let safe = |mv: &&Move| !can_mate(&position.after(**mv));
    let mates: Vec<Move> = moves.iter().filter(mating).copied().collect();
    if !mates.is_empty() {
        return mates;
    }
    let safe: Vec<Move> = moves.iter().filter(safe).copied().collect();
    if safe.is_empty() { wanted } else { safe }
}

/// Whether the side to move is mated.
fn is_mate(position: &Position) -> bool {
    position.in_check() && legal(position).is_empty()
}

/// Whether the side to move can mate at once.
fn can_mate(position: &Position) -> bool {
    legal(position)
        .into_iter()
        .any(|mv| is_mate(&position.after(mv)))
}

impl Worker {
    /// The lines of the search that has just ended, first the one that a level plays, and its
    /// rank before from 0; `None` if no move was searched.
    pub(super) fn choose_line(
        &mut self,
        level: Level,
        random: &mut impl Rng,
    ) -> Option<(usize, Vec<Info>)> {
        let count = self
            .root
            .all()
            .iter()
            .take_while(|root| root.has_score())
            .count();
        let mut lines: Vec<Info> = (0..count).map(|line| self.line_info(line)).collect();
        let considered = &lines[..count.min(level.lines())];
        let first = |line: &Info| line.pv.first().copied();
        // People take another piece than a queen only where it is clearly better.
        let is_odd = |line: &Info| {
            let mut moves = self.root.all().iter().map(|root| root.mv);
            let Some(mv) = first(line) else { return false };
            let queen = moves.find(|&queen| is_better_promotion(queen, mv));
            let worth = lines.iter().find(|line| first(line) == queen);
            let is_better = worth.is_some_and(|queen| line.score > queen.score + UNDERPROMOTION);
            queen.is_some() && !is_better
        };
        let (ranks, scores): (Vec<_>, Vec<_>) = considered
            .iter()
            .enumerate()
            .filter(|(_, line)| !is_odd(line))
            .map(|(rank, line)| (rank, line.score))
            .unzip();
        let chosen = ranks[level.choose(&scores, random)?];
        lines[..=chosen].rotate_right(1);
        for (rank, line) in (1..).zip(&mut lines) {
            line.multi_pv = rank;
        }
        Some((chosen, lines))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::movegen::notation::san;

    /// Moves of a quiet position, some of them bad.
    const SCORES: [Score; 8] = [
        Score(30),
        Score(25),
        Score(10),
        Score(0),
        Score(-40),
        Score(-90),
        Score(-250),
        Score(-480),
    ];

    fn levels() -> impl Iterator<Item = Level> {
        Level::RATINGS.step_by(100).map(Level::new)
    }

    #[test]
    fn a_choice_costs_no_more_than_the_spread_and_less_with_strength() {
        let mut random = SmallRng::seed_from_u64(1);
        let mut mean_before = f64::INFINITY;
        for level in levels() {
            const TRIES: usize = 20_000;
            let mut total = 0;
            for _ in 0..TRIES {
                let chosen = level.choose(&SCORES, &mut random).unwrap();
                let loss = SCORES[0].0 - SCORES[chosen].0;
                assert!(f64::from(loss) <= level.spread, "{level:?} lost {loss}");
                total += loss;
            }
            let mean = f64::from(total) / TRIES as f64;
            assert!(mean < mean_before, "{level:?} loses {mean}");
            mean_before = mean;
        }
        assert_eq!(Level::new(800).choose(&[], &mut random), None);
    }

    #[test]
    fn a_mate_that_is_seen_is_played_and_one_that_threatens_is_not_walked_into() {
        let mut random = SmallRng::seed_from_u64(2);
        for level in levels() {
            let scores = [Score::mating(3), Score(900), Score(880)];
            assert_eq!(level.choose(&scores, &mut random), Some(0));
            let scores = [Score(-900), Score::mated(4)];
            assert_eq!(level.choose(&scores, &mut random), Some(0));
        }
    }

    #[test]
    fn stronger_levels_see_more() {
        for (weaker, stronger) in levels().zip(levels().skip(1)) {
            assert!(weaker.nodes < stronger.nodes);
            assert!(weaker.depth <= stronger.depth);
            assert!(weaker.spread > stronger.spread);
        }
        assert_eq!(Level::new(0), Level::new(*Level::RATINGS.start()));
        assert_eq!(Level::new(9999), Level::new(*Level::RATINGS.end()));
    }

    #[test]
    fn above_the_beginners_a_mate_in_one_is_neither_missed_nor_allowed() {
        let mate: Position = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse().unwrap();
        // Black threatens Ra1 mate; all that makes no room for the king allows it.
        let threat: Position = "r5k1/8/8/8/8/8/5PPP/6K1 w - - 0 1".parse().unwrap();
        // Whatever White does, Qg2 or Qf1 mates.
        let doomed: Position = "8/8/8/8/8/6k1/5q2/7K w - - 0 1".parse().unwrap();
        let moves = |rating, position: &Position| {
            Level::new(rating)
                .restrict(Limits::default(), position)
                .moves
        };
        for rating in (BEGINNER + 1..=*Level::RATINGS.end()).step_by(150) {
            let [mv] = moves(rating, &mate)[..] else {
                panic!("one move mates")
            };
            assert_eq!(san(&mate, mv), "Ra8#");
            let safe = moves(rating, &threat);
            assert!(!safe.is_empty());
            for mv in safe {
                assert!(!can_mate(&threat.after(mv)), "{}", san(&threat, mv));
            }
            assert_eq!(moves(rating, &doomed), []);
        }
        assert_eq!(moves(BEGINNER, &mate), []);
    }

    #[test]
    fn limits_are_only_narrowed() {
        let level = Level::new(1500);
        let start = Position::default();
        let bounded = level.restrict(Limits::default(), &start);
        assert_eq!(bounded.nodes, Some(level.nodes));
        assert_eq!(bounded.depth, Some(level.depth));
        let narrow = Limits {
            depth: Some(1),
            nodes: Some(10),
            moves: legal(&start).into_iter().take(2).collect(),
            ..Limits::default()
        };
        let bounded = level.restrict(narrow.clone(), &start);
        assert_eq!((bounded.depth, bounded.nodes), (Some(1), Some(10)));
        assert_eq!(bounded.moves, narrow.moves);
    }
}
