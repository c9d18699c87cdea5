//! Arithmetic on neighbouring numbers, a whole register of AVX-512 at a time where the build has that: left
//! to itself, the compiler takes halves on Intel's processors, which is slower.

use bytemuck::cast;
use wide::{f32x16, i16x32};

/// Numbers of a hidden layer, and of a third layer, that fill a register.
pub type Words = [i16; 32];
pub type Floats = [f32; 16];

/// Sums, which may wrap around.
#[inline(always)]
pub fn plus(a: &Words, b: &Words) -> Words {
    cast(cast::<_, i16x32>(*a) + cast::<_, i16x32>(*b))
}

/// Differences, which may wrap around.
#[inline(always)]
pub fn minus(a: &Words, b: &Words) -> Words {
    cast(cast::<_, i16x32>(*a) - cast::<_, i16x32>(*b))
}

/// Sums with some numbers times a factor, rounded twice, so that every machine comes to the same bits.
#[inline(always)]
pub fn plus_times(sums: &Floats, factor: f32, numbers: &Floats) -> Floats {
    cast(cast::<_, f32x16>(*sums) + f32x16::splat(factor) * cast::<_, f32x16>(*numbers))
}

#[cfg(test)]
mod tests {
    use std::array;

    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn registers_hold_what_plain_loops_do() {
        let mut random = SmallRng::seed_from_u64(4);
        for _ in 0..10_000 {
            let [a, b]: [Words; 2] = array::from_fn(|_| array::from_fn(|_| random.random()));
            let sums = array::from_fn(|lane| a[lane].wrapping_add(b[lane]));
            assert_eq!(plus(&a, &b), sums);
            let differences = array::from_fn(|lane| a[lane].wrapping_sub(b[lane]));
            assert_eq!(minus(&a, &b), differences);

            let mut small = || random.random_range(-2.0_f32..2.0);
            let (sums, factor) = (array::from_fn(|_| small()), small());
            let numbers = array::from_fn(|_| small());
            let expected = array::from_fn(|lane| sums[lane] + factor * numbers[lane]);
            assert_eq!(plus_times(&sums, factor, &numbers), expected);
        }
    }
}
