//! The evaluation as a table for people: each term, each side, middlegame and endgame.

use std::fmt;

use super::trace::Record;
use super::weights::Weights;
use super::{PawnCache, WEIGHTS, danger, evaluate_with, phase, tapered::Tapered};
use crate::eval::endgame;
use crate::position::Position;
use crate::types::{Color, Score};

/// An evaluation taken apart.
pub struct Report {
    /// Name of each term with its sums in centipawns for White and Black.
    terms: Vec<(&'static str, [Tapered; 2])>,
    phase: i32,
    scale: i32,
    /// From White's point of view.
    score: Score,
}

impl Report {
    /// Evaluates a position and keeps every term's share. A known endgame has a value without
    /// terms: its table is zeros but for the evaluation.
    pub fn new(position: &Position) -> Self {
        let mut record = Record {
            scale: endgame::FULL,
            ..Record::default()
        };
        let score = evaluate_with(position, &mut PawnCache::default(), &mut record);
        let vector = WEIGHTS.to_vector();
        let mut terms: Vec<_> = Weights::TERMS
            .iter()
            .scan(0, |end, &(name, length)| {
                *end += length;
                Some((*end, name))
            })
            .map(|(end, name)| (end, name, [Tapered::ZERO; 2]))
            .collect();
        let mut danger = [Tapered::ZERO; 2];
        for &(index, color, count) in &record.entries {
            let weight = vector[index] * count;
            if index >= WEIGHTS.first_danger() {
                danger[color.index()] += weight;
            } else if let Some(term) = terms.iter_mut().find(|(end, ..)| index < *end) {
                term.2[color.index()] += weight;
            }
        }
        let mut terms: Vec<_> = terms
            .into_iter()
            .filter(|(_, name, _)| !name.starts_with("danger"))
            .map(|(_, name, sums)| (name, sums))
            .collect();
        terms.push((
            "king_danger",
            danger.map(|units| -danger::danger_to_centipawns(units)),
        ));
        let white = if position.side() == Color::White {
            score
        } else {
            -score
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

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<22} {:>13} {:>13} {:>13}",
            "term", "white", "black", "difference"
        )?;
        writeln!(
            f,
            "{:<22} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
            "", "mg", "eg", "mg", "eg", "mg", "eg"
        )?;
        let mut total = Tapered::ZERO;
        for (name, [white, black]) in &self.terms {
            let difference = *white - *black;
            total += difference;
            write!(f, "{:<22}", name.replace('_', " "))?;
            for sum in [*white, *black, difference] {
                write!(f, " {:>6} {:>6}", sum.middlegame(), sum.endgame())?;
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "{:<50} {:>6} {:>6}",
            "total",
            total.middlegame(),
            total.endgame()
        )?;
        writeln!(
            f,
            "phase {} of {}, endgame scaled to {} %",
            self.phase,
            super::FULL_PHASE,
            self.scale * 100 / endgame::FULL
        )?;
        write!(
            f,
            "evaluation {:+.2} pawns (White's point of view)",
            f64::from(self.score.0) / 100.0
        )
    }
}
