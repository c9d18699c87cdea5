//! The evaluation as a table for people: each term, each side, middlegame and endgame.

use std::fmt;

use super::trace::Record;
use super::weights::Weights;
use super::{PawnCache, WEIGHTS, danger, evaluate_with, phase, tapered::Tapered};
use crate::eval::endgame;
use crate::position::Position;
use crate::types::{Color, Score};

/// How many terms are shown, unless all are asked for: those that count most, so that the table
/// fits a screen of 24 lines.
const SHOWN: usize = 16;

/// An evaluation by its terms.
///
/// As text it is a table of the terms that count most, and of all with `{:#}`.
pub struct Report {
    /// Name of each term with its sums in centipawns for White and Black.
    terms: Vec<(String, [Tapered; 2])>,
    phase: i32,
    scale: i32,
    /// From White's point of view.
    score: Score,
}

impl Report {
    /// Evaluates a position and keeps every term's share. A known ending has only one term.
    pub fn new(position: &Position) -> Self {
        let mut record = Record {
            scale: endgame::FULL,
            ..Record::default()
        };
        let score = evaluate_with(position, &mut PawnCache::default(), &mut record);
        let white = if position.side() == Color::White {
            score
        } else {
            -score
        };
        let terms = match endgame::known(position) {
            Some(_) => {
                let worth = |score: i32| Tapered::new(score.max(0), score.max(0));
                vec![("known ending".to_owned(), [white.0, -white.0].map(worth))]
            }
            None => terms(&record),
        };
        Self {
            terms,
            phase: phase(position.board()),
            scale: record.scale,
            score: white,
        }
    }

    /// The value from White's point of view.
    pub const fn score(&self) -> Score {
        self.score
    }
}

/// The sums of each term that an evaluation was made of.
fn terms(record: &Record) -> Vec<(String, [Tapered; 2])> {
    let vector = WEIGHTS.to_vector();
    let mut terms: Vec<_> = Weights::TERMS
        .iter()
        .scan(0, |end, &(name, length)| {
            *end += length;
            Some((*end, name))
        })
        .map(|(end, name)| (end, name, [Tapered::ZERO; 2]))
        .collect();
    let mut dangers = [Tapered::ZERO; 2];
    for &(index, color, count) in &record.entries {
        let weight = vector[index] * count;
        if index >= WEIGHTS.first_danger() {
            dangers[color.index()] += weight;
        } else if let Some(term) = terms.iter_mut().find(|(end, ..)| index < *end) {
            term.2[color.index()] += weight;
        }
    }
    let mut terms: Vec<_> = terms
        .into_iter()
        .filter(|(_, name, _)| !name.starts_with("danger"))
        .map(|(_, name, sums)| (name.replace('_', " "), sums))
        .collect();
    let dangers = dangers.map(|units| -danger::danger_to_centipawns(units));
    terms.push(("king danger".to_owned(), dangers));
    terms
}

/// How much a term counts in either half of the game, for whichever side.
fn weight_of(&(_, [white, black]): &(String, [Tapered; 2])) -> i32 {
    let difference = white - black;
    difference.middlegame().abs() + difference.endgame().abs()
}

impl Report {
    /// The terms that count most, in the order of the table, and a row for all others.
    fn main_terms(&self) -> Vec<(String, [Tapered; 2])> {
        let mut order: Vec<usize> = (0..self.terms.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(weight_of(&self.terms[index])));
        let is_main = |index| order.iter().take(SHOWN).any(|&main| main == index);
        let (mut shown, mut others) = (Vec::new(), [Tapered::ZERO; 2]);
        for (index, term) in self.terms.iter().enumerate() {
            let [white, black] = term.1;
            if is_main(index) {
                if white != Tapered::ZERO || black != Tapered::ZERO {
                    shown.push(term.clone());
                }
            } else {
                others[0] += white;
                others[1] += black;
            }
        }
        if self.terms.len() > SHOWN {
            shown.push(("all other terms".to_owned(), others));
        }
        shown
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |f: &mut fmt::Formatter<'_>, name: &str, sums: &[Tapered]| {
            write!(f, "{name:<22}")?;
            for sum in sums {
                write!(f, " {:>6} {:>6}", sum.middlegame(), sum.endgame())?;
            }
            writeln!(f)
        };
        writeln!(
            f,
            "{:<22} {:>13} {:>13} {:>13}",
            "term", "white", "black", "difference"
        )?;
        let (mg, eg) = ("mg", "eg");
        writeln!(
            f,
            "{:<22} {mg:>6} {eg:>6} {mg:>6} {eg:>6} {mg:>6} {eg:>6}",
            "in centipawns"
        )?;
        let terms = if f.alternate() {
            self.terms.clone()
        } else {
            self.main_terms()
        };
        let mut total = [Tapered::ZERO; 2];
        for (name, sums) in &terms {
            let [white, black] = *sums;
            total[0] += white;
            total[1] += black;
            row(f, name, &[white, black, white - black])?;
        }
        let [white, black] = total;
        let sum = white - black;
        row(f, "total", &[white, black, sum])?;
        let (full, phase) = (super::FULL_PHASE, self.phase);
        let percent = self.scale * 100 / endgame::FULL;
        if self.scale != endgame::FULL {
            writeln!(f, "drawish material: eg scaled to {percent} %")?;
        }
        writeln!(
            f,
            "phase {phase} of {full}: mg counts {} %, eg {} %",
            phase * 100 / full,
            (full - phase) * 100 / full
        )?;
        write!(
            f,
            "evaluation {:+.2} pawns (White's point of view)",
            f64::from(self.score.0) / 100.0
        )
    }
}
