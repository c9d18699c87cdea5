//! Where a function of one variable is smallest.

use std::ops::Range;

/// The place of the minimum of a loss that has only one in the range, to within `tolerance`: the
/// range shrinks by a third each time (ternary search).
pub fn minimum(range: Range<f32>, tolerance: f32, loss: impl Fn(f32) -> f64) -> f32 {
    let (mut low, mut high) = (range.start, range.end);
    while high - low > tolerance {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    (low + high) / 2.0
}
