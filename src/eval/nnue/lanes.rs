//! Arithmetic on neighbouring numbers, a whole register of AVX-512 at a time where the build has that: left
//! to itself, the compiler takes halves on Intel's processors, which is slower.

/// Numbers of a hidden layer, and of a third layer, that fill a register.
pub type Words = [i16; 32];
pub type Floats = [f32; 16];

cfg_select! {
    target_feature = "avx512bw" => { pub use whole::{minus, plus, plus_times}; }
    _ => { pub use plain::{minus, plus, plus_times}; }
}

#[cfg(any(test, not(target_feature = "avx512bw")))]
mod plain {
    use std::array;

    use super::{Floats, Words};

    /// Sums, which may wrap around.
    #[inline(always)]
    pub fn plus(a: &Words, b: &Words) -> Words {
        array::from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    /// Differences, which may wrap around.
    #[inline(always)]
    pub fn minus(a: &Words, b: &Words) -> Words {
        array::from_fn(|lane| a[lane].wrapping_sub(b[lane]))
    }

    /// Sums with some numbers times a factor, rounded twice, so that every machine comes to the same bits.
    #[inline(always)]
    pub fn plus_times(sums: &Floats, factor: f32, numbers: &Floats) -> Floats {
        array::from_fn(|lane| sums[lane] + factor * numbers[lane])
    }
}

#[cfg(target_feature = "avx512bw")]
mod whole {
    use std::arch::x86_64::{
        _mm512_add_epi16, _mm512_add_ps, _mm512_mul_ps, _mm512_set1_ps, _mm512_sub_epi16,
    };

    use super::{Floats, Words};
    use bytemuck::cast;

    macro_rules! in_registers {
        ($name:ident($($argument:ident: $type:ty),*) -> $result:ty { $value:expr }) => {
            #[inline(always)]
            pub fn $name($($argument: $type),*) -> $result {
                #[inline]
                #[target_feature(enable = "avx512bw")]
                fn value($($argument: $type),*) -> $result {
                    $value
                }
                // SAFETY: the build is for processors that have these instructions.
                unsafe { value($($argument),*) }
            }
        };
    }

    in_registers!(plus(a: &Words, b: &Words) -> Words { cast(_mm512_add_epi16(cast(*a), cast(*b))) });
    in_registers!(minus(a: &Words, b: &Words) -> Words { cast(_mm512_sub_epi16(cast(*a), cast(*b))) });
    in_registers!(plus_times(sums: &Floats, factor: f32, numbers: &Floats) -> Floats {
        cast(_mm512_add_ps(cast(*sums), _mm512_mul_ps(_mm512_set1_ps(factor), cast(*numbers))))
    });
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
            assert_eq!(plus(&a, &b), plain::plus(&a, &b));
            assert_eq!(minus(&a, &b), plain::minus(&a, &b));

            let mut small = || random.random_range(-2.0_f32..2.0);
            let (sums, factor) = (array::from_fn(|_| small()), small());
            let numbers = array::from_fn(|_| small());
            let expected = plain::plus_times(&sums, factor, &numbers);
            assert_eq!(plus_times(&sums, factor, &numbers), expected);
        }
    }
}
