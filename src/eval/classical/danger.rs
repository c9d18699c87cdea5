//! What danger to a king costs: units, added up by the terms, count squared in the middlegame.

use super::tapered::Tapered;

/// The divisor that turns squared danger units into centipawns, in the middlegame.
const MIDDLEGAME_DIVISOR: i32 = 512;
/// The most units that count.
const MOST_UNITS: i32 = 1_200;
/// The divisor that turns danger units into centipawns in the endgame, where they are not squared.
const ENDGAME_DIVISOR: i32 = 16;

/// What danger units cost the king's side. A king in no danger gains nothing.
#[inline(always)]
pub(super) fn danger_to_centipawns(danger: Tapered) -> Tapered {
    let middlegame = danger.middlegame().clamp(0, MOST_UNITS);
    let endgame = danger.endgame().max(0);
    Tapered::new(
        middlegame * middlegame / MIDDLEGAME_DIVISOR,
        endgame / ENDGAME_DIVISOR,
    )
}

/// For the tuner: what middlegame and endgame units cost, each with the slope of its cost.
pub fn danger_in_centipawns([middlegame, endgame]: [f32; 2]) -> [(f32, f32); 2] {
    let units = middlegame.clamp(0.0, MOST_UNITS as f32);
    let inside = middlegame == units;
    let divisor = MIDDLEGAME_DIVISOR as f32;
    let slope = if inside { 2.0 * units / divisor } else { 0.0 };
    let share = if endgame > 0.0 {
        1.0 / ENDGAME_DIVISOR as f32
    } else {
        0.0
    };
    [(units * units / divisor, slope), (endgame * share, share)]
}
