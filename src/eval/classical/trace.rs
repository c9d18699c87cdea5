//! A trace of an evaluation: which weights it used, how often and for which side.

use super::tapered::Tapered;
use super::tuned::WEIGHTS;
use crate::types::Color;

/// Receives every weight that an evaluation adds.
pub trait Trace {
    /// Whether the weights are used. If not, the pawn cache may spare the work.
    const LISTENS: bool;

    /// `color` was given `weight` this many times.
    fn add(&mut self, color: Color, weight: &'static Tapered, count: i32);

    /// The endgame part was scaled to this many of [`crate::eval::endgame::FULL`] parts.
    fn scale(&mut self, parts: i32);
}

/// Ignores the weights: for the search.
pub struct Silent;

impl Trace for Silent {
    const LISTENS: bool = false;
    #[inline]
    fn add(&mut self, _: Color, _: &'static Tapered, _: i32) {}
    #[inline]
    fn scale(&mut self, _: i32) {}
}

/// Keeps everything: for people who ask `eval`, and for the tuner.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Index of the weight, side, and how often.
    pub entries: Vec<(usize, Color, i32)>,
    /// Parts of [`crate::eval::endgame::FULL`] that the endgame value was scaled to.
    pub scale: i32,
}

impl Trace for Record {
    const LISTENS: bool = true;

    fn add(&mut self, color: Color, weight: &'static Tapered, count: i32) {
        self.entries.push((WEIGHTS.index_of(weight), color, count));
    }

    fn scale(&mut self, parts: i32) {
        self.scale = parts;
    }
}
