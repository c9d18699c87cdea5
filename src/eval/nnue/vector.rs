//! The loops on which a network with further layers spends its time: by vector instructions where
//! the build has them, which take a tenth of the time of plain loops.

use super::activation::{activations, add_weighed};
use super::deep::{BYTES, MAX_ACTIVATION, SECOND, ToSecond, Weights};
use super::network::Block;
use super::parameters::{ACTIVATION, HIDDEN, LANES};
use super::threats::Threats;

/// What the activations of a hidden layer add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Times the weights of the output.
    pub output: i32,
    /// Times those of each neuron of the second layer, which sees activations as bytes.
    pub second: [i32; SECOND],
}

/// The sides of a hidden layer, each with its weights to the output.
pub type Sides<'a> = [(&'a [Block], &'a [Block]); 2];
/// Threats with their weights to the second layer, to whose sums they are added.
pub type Beside<'a> = Option<(&'a Threats, &'a [Weights; SECOND])>;

/// The sums over both sides.
#[inline]
pub fn sums(sides: Sides, to_second: &ToSecond, beside: Beside) -> Sums {
    cfg_select! {
        all(target_feature = "avx512bw", target_feature = "avx512vnni") => {
            // SAFETY: the build is for processors that have these instructions.
            unsafe { avx512::sums(sides, to_second, beside) }
        }
        target_feature = "avx2" => {
            // SAFETY: as above.
            unsafe { avx2::sums(sides, to_second, beside) }
        }
        target_feature = "ssse3" => {
            // SAFETY: as above.
            unsafe { ssse3::sums(sides, to_second, beside) }
        }
        _ => { plain_sums(sides, to_second, beside) }
    }
}

/// Activations of neighbouring neurons of the hidden layer, up to [`MAX_ACTIVATION`].
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Activations([u8; BYTES]);

/// How much finer the output sees an activation than the second layer.
pub const FINER: i16 = (ACTIVATION / MAX_ACTIVATION as i32) as i16;
const _: () = assert!(FINER as i32 * MAX_ACTIVATION as i32 == ACTIVATION);

/// The same in plain loops, which write the activations down in bytes.
pub fn plain_sums(sides: Sides, to_second: &ToSecond, beside: Beside) -> Sums {
    let mut bytes = [Activations([0; BYTES]); 2 * *HIDDEN.end() / BYTES];
    let mut halves = bytes
        .iter_mut()
        .flat_map(|bytes| bytes.0.as_chunks_mut::<LANES>().0);
    let mut pairs = [0; LANES / 2];
    for (sums, weights) in sides {
        for ((sums, weights), bytes) in sums.iter().zip(weights).zip(&mut halves) {
            let activations = activations(sums);
            add_weighed(&mut pairs, &activations, weights);
            *bytes = activations.map(|activation| ((activation + FINER / 2) / FINER) as u8);
        }
    }
    let mut second = [0; SECOND];
    let mut add = |bytes: &[u8; BYTES], row: &[Weights; SECOND]| {
        for (sum, weights) in second.iter_mut().zip(row) {
            let factors = bytes.iter().zip(&weights.0);
            *sum += factors
                .map(|(&byte, &weight)| i32::from(byte) * i32::from(weight))
                .sum::<i32>();
        }
    };
    for (activations, row) in bytes.iter().zip(to_second.rows()) {
        add(&activations.0, row);
    }
    if let Some((threats, row)) = beside {
        add(&threats.0, row);
    }
    Sums {
        output: pairs.iter().sum(),
        second,
    }
}

/// The blocks of one side and their weights, two of each at a time: as bytes they make a row of weights.
#[cfg(all(target_arch = "x86_64", target_feature = "ssse3"))]
#[inline(always)]
fn pairs<'a>(
    sums: &'a [Block],
    weights: &'a [Block],
) -> impl Iterator<Item = (&'a [Block; 2], &'a [Block; 2])> {
    sums.as_chunks().0.iter().zip(weights.as_chunks().0)
}

/// By AVX-512 with VNNI: products and their sum in one instruction, and nothing leaves the
/// registers.
#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vnni"
))]
mod avx512 {
    use std::arch::x86_64::{
        __m512i, _mm_add_epi32, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
        _mm256_set_m128i, _mm512_add_epi32, _mm512_avg_epu8, _mm512_castsi512_si256,
        _mm512_dpbusd_epi32, _mm512_dpwssd_epi32, _mm512_extracti64x4_epi64, _mm512_load_si512,
        _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhi_epi16, _mm512_packus_epi16,
        _mm512_permutexvar_epi64, _mm512_reduce_add_epi32, _mm512_set_epi64, _mm512_set1_epi16,
        _mm512_setzero_si512, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_unpackhi_epi32,
        _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
    };

    use super::{Beside, FINER, SECOND, Sides, Sums, ToSecond, Weights, pairs};
    use crate::eval::nnue::activation::STRETCH;
    use crate::eval::nnue::parameters::QA;

    #[target_feature(enable = "avx512bw,avx512vnni")]
    pub(super) fn sums(sides: Sides, to_second: &ToSecond, beside: Beside) -> Sums {
        let one = _mm512_set1_epi16(QA as i16);
        let zero = _mm512_setzero_si512();
        // Packing takes eight of one and eight of the other in turns.
        let in_order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
        let (mut output, mut second) = ([zero; 2], [zero; SECOND]);
        let mut rows = to_second.rows().iter();
        for (sums, weights) in sides {
            for ((sums, weights), row) in pairs(sums, weights).zip(&mut rows) {
                let mut doubled = [zero; 2];
                for block in 0..2 {
                    let clipped = _mm512_min_epi16(_mm512_max_epi16(load(&sums[block]), zero), one);
                    let stretched = _mm512_slli_epi16::<{ STRETCH.ilog2() }>(clipped);
                    let activations = _mm512_mulhi_epi16(stretched, stretched);
                    let weights = load(&weights[block]);
                    output[block] = _mm512_dpwssd_epi32(output[block], activations, weights);
                    // Twice as fine as bytes are to be: the mean with zero then rounds them. The
                    // largest, 256, is packed as 255, whose rounded half is the same.
                    doubled[block] = _mm512_srli_epi16::<{ FINER.ilog2() - 1 }>(activations);
                }
                let bytes = _mm512_packus_epi16(doubled[0], doubled[1]);
                let bytes = _mm512_permutexvar_epi64(in_order, _mm512_avg_epu8(bytes, zero));
                add(&mut second, bytes, row);
            }
        }
        if let Some((threats, row)) = beside {
            add(&mut second, load(threats), row);
        }
        Sums {
            output: _mm512_reduce_add_epi32(_mm512_add_epi32(output[0], output[1])),
            second: totals(second),
        }
    }

    /// Adds bytes times the weights of each neuron of the second layer.
    #[inline]
    #[target_feature(enable = "avx512bw,avx512vnni")]
    fn add(second: &mut [__m512i; SECOND], bytes: __m512i, row: &[Weights; SECOND]) {
        for (sum, weights) in second.iter_mut().zip(row) {
            *sum = _mm512_dpbusd_epi32(*sum, bytes, load(weights));
        }
    }

    /// The lanes of each vector added up: first beside those of other vectors, which takes a third
    /// of the instructions that one after the other would.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn totals(sums: [__m512i; SECOND]) -> [i32; SECOND] {
        let pair =
            |a, b| _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
        let fours = |a, b, c, d| {
            let (ab, cd) = (pair(a, b), pair(c, d));
            let all =
                _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
            let (low, high) = (
                _mm512_castsi512_si256(all),
                _mm512_extracti64x4_epi64::<1>(all),
            );
            let halves = _mm256_add_epi32(low, high);
            let (low, high) = (
                _mm256_castsi256_si128(halves),
                _mm256_extracti128_si256::<1>(halves),
            );
            _mm_add_epi32(low, high)
        };
        let [a, b, c, d, e, f, g, h] = sums;
        // In one register: who reads them at once would wait for two that are written apart.
        bytemuck::cast(_mm256_set_m128i(fours(e, f, g, h), fours(a, b, c, d)))
    }

    /// Of a type of 64 bytes.
    #[inline]
    #[target_feature(enable = "avx512bw")]
    fn load<T>(block: &T) -> __m512i {
        const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64) };
        // SAFETY: there are 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(std::ptr::from_ref(block).cast()) }
    }
}

/// The sums without VNNI, in registers of any width: two products and their sum in 16 bits, or the sum
/// of eight where the weights are light, then two of these in 32. The instructions go by the same
/// names in each module that this makes up.
#[cfg(all(target_arch = "x86_64", target_feature = "ssse3"))]
macro_rules! sums_in_registers {
    ($feature:literal) => {
        use arrayvec::ArrayVec;

        use super::{BYTES, Beside, FINER, HIDDEN, SECOND, Sides, Sums, ToSecond, Weights, pairs};
        use crate::eval::nnue::activation::STRETCH;
        use crate::eval::nnue::parameters::QA;

        /// The registers that 64 bytes fill.
        const PARTS: usize = 64 / size_of::<Register>();

        #[target_feature(enable = $feature)]
        pub(super) fn sums(sides: Sides, to_second: &ToSecond, beside: Beside) -> Sums {
            let one = set1_epi16(QA as i16);
            let zero = set1_epi16(0);
            let (mut output, mut second) = ([zero; 2], [zero; SECOND]);
            let mut bytes = ArrayVec::<_, { 2 * *HIDDEN.end() / BYTES }>::new();
            for (sums, weights) in sides {
                for (sums, weights) in pairs(sums, weights) {
                    bytes.push(std::array::from_fn(|part| {
                        let block = 2 * part / PARTS;
                        let (sums, weights) = (load(&sums[block]), load(&weights[block]));
                        let mut doubled = [zero; 2];
                        for turn in 0..2 {
                            let place = (2 * part + turn) % PARTS;
                            let clipped = min_epi16(max_epi16(sums[place], zero), one);
                            let stretched = slli_epi16::<{ STRETCH.ilog2() as i32 }>(clipped);
                            let activations = mulhi_epi16(stretched, stretched);
                            let products = madd_epi16(activations, weights[place]);
                            output[turn] = add_epi32(output[turn], products);
                            // Twice as fine as bytes are to be: the mean with zero then rounds them.
                            // The largest, 256, is packed as 255, whose rounded half is the same.
                            doubled[turn] = srli_epi16::<{ FINER.ilog2() as i32 - 1 }>(activations);
                        }
                        in_order(avg_epu8(packus_epi16(doubled[0], doubled[1]), zero))
                    }));
                }
            }
            if to_second.are_light() {
                let rows = to_second.rows().as_chunks().0;
                for (bytes, rows) in bytes.as_chunks().0.iter().zip(rows) {
                    add_two(&mut second, bytes, rows);
                }
            } else {
                for (&bytes, row) in bytes.iter().zip(to_second.rows()) {
                    add(&mut second, bytes, row);
                }
            }
            if let Some((threats, row)) = beside {
                add(&mut second, load(threats), row);
            }
            let output = add_epi32(output[0], output[1]);
            let [a, b, c, d, e, f, g, h] = second;
            Sums {
                output: totals([output, zero, zero, zero])[0],
                second: bytemuck::cast([totals([a, b, c, d]), totals([e, f, g, h])]),
            }
        }

        /// Adds the bytes of two rows times their weights, which are light: eight products at a time.
        #[inline]
        #[target_feature(enable = $feature)]
        fn add_two(
            second: &mut [Register; SECOND],
            bytes: &[[Register; PARTS]; 2],
            rows: &[[Weights; SECOND]; 2],
        ) {
            let ones = set1_epi16(1);
            for (neuron, sum) in second.iter_mut().enumerate() {
                let weights = [load(&rows[0][neuron]), load(&rows[1][neuron])];
                for part in 0..PARTS / 2 {
                    let products = |row: usize, part: usize| {
                        maddubs_epi16(bytes[row][part], weights[row][part])
                    };
                    let halves = |part| add_epi16(products(0, part), products(1, part));
                    let products = add_epi16(halves(part), halves(part + PARTS / 2));
                    *sum = add_epi32(*sum, madd_epi16(products, ones));
                }
            }
        }

        /// Adds bytes times their weights.
        #[inline]
        #[target_feature(enable = $feature)]
        fn add(second: &mut [Register; SECOND], bytes: [Register; PARTS], row: &[Weights; SECOND]) {
            let ones = set1_epi16(1);
            for (sum, weights) in second.iter_mut().zip(row) {
                let weights = load(weights);
                for part in 0..PARTS {
                    let products = maddubs_epi16(bytes[part], weights[part]);
                    *sum = add_epi32(*sum, madd_epi16(products, ones));
                }
            }
        }

        /// The lanes of each register added up.
        #[inline]
        #[target_feature(enable = $feature)]
        fn totals([a, b, c, d]: [Register; 4]) -> [i32; 4] {
            let quarters = hadd_epi32(hadd_epi32(a, b), hadd_epi32(c, d));
            bytemuck::cast(fold(quarters))
        }

        /// All parts of a type of 64 bytes.
        #[inline]
        #[target_feature(enable = $feature)]
        fn load<T>(block: &T) -> [Register; PARTS] {
            const { assert!(size_of::<T>() == 64 && align_of::<T>() == 64) };
            let first: *const Register = std::ptr::from_ref(block).cast();
            std::array::from_fn(|part| {
                // SAFETY: this part is within the 64 bytes.
                let place = unsafe { first.add(part) };
                // SAFETY: a register's bytes are there, aligned to their number.
                unsafe { load_register(place) }
            })
        }
    };
}

/// By AVX2.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(
    all(target_feature = "avx512bw", target_feature = "avx512vnni", not(test)),
    expect(dead_code, reason = "the build has the better instructions of AVX-512")
)]
mod avx2 {
    use std::arch::x86_64::{
        __m128i, __m256i as Register, _mm_add_epi32, _mm256_add_epi16 as add_epi16,
        _mm256_add_epi32 as add_epi32, _mm256_avg_epu8 as avg_epu8, _mm256_castsi256_si128,
        _mm256_extracti128_si256, _mm256_hadd_epi32 as hadd_epi32,
        _mm256_load_si256 as load_register, _mm256_madd_epi16 as madd_epi16,
        _mm256_maddubs_epi16 as maddubs_epi16, _mm256_max_epi16 as max_epi16,
        _mm256_min_epi16 as min_epi16, _mm256_mulhi_epi16 as mulhi_epi16,
        _mm256_packus_epi16 as packus_epi16, _mm256_permute4x64_epi64,
        _mm256_set1_epi16 as set1_epi16, _mm256_slli_epi16 as slli_epi16,
        _mm256_srli_epi16 as srli_epi16,
    };

    sums_in_registers!("avx2");

    /// Packing takes eight lanes of one register and of the other in turn.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn in_order(packed: Register) -> Register {
        _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn fold(register: Register) -> __m128i {
        let (low, high) = (
            _mm256_castsi256_si128(register),
            _mm256_extracti128_si256::<1>(register),
        );
        _mm_add_epi32(low, high)
    }
}

/// By SSSE3, which nearly every processor has.
#[cfg(all(target_arch = "x86_64", target_feature = "ssse3"))]
#[cfg_attr(
    all(target_feature = "avx2", not(test)),
    expect(dead_code, reason = "the build has wider registers")
)]
mod ssse3 {
    use std::arch::x86_64::{
        __m128i as Register, _mm_add_epi16 as add_epi16, _mm_add_epi32 as add_epi32,
        _mm_avg_epu8 as avg_epu8, _mm_hadd_epi32 as hadd_epi32, _mm_load_si128 as load_register,
        _mm_madd_epi16 as madd_epi16, _mm_maddubs_epi16 as maddubs_epi16,
        _mm_max_epi16 as max_epi16, _mm_min_epi16 as min_epi16, _mm_mulhi_epi16 as mulhi_epi16,
        _mm_packus_epi16 as packus_epi16, _mm_set1_epi16 as set1_epi16,
        _mm_slli_epi16 as slli_epi16, _mm_srli_epi16 as srli_epi16,
    };

    sums_in_registers!("ssse3");

    const fn in_order(packed: Register) -> Register {
        packed
    }

    const fn fold(register: Register) -> Register {
        register
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::deep::{MAX_GROUP, MAX_WEIGHT};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Random sums, also beyond what an activation tells apart, and random weights, light ones and
    /// heavy ones in turn; at first the largest of both signs.
    #[test]
    fn vectors_agree_with_plain_loops() {
        let mut random = SmallRng::seed_from_u64(1);
        for round in 0..200 {
            let mut number = |most: i16| match round / 2 {
                0 => most,
                1 => -most,
                _ => random.random_range(-most..=most),
            };
            let mut blocks = |most| -> [Block; 16] {
                std::array::from_fn(|_| Block(std::array::from_fn(|_| number(most))))
            };
            let (own, their, weights) = (blocks(700), blocks(700), blocks(1_000));
            let mut row = |most| Weights(std::array::from_fn(|_| number(most) as i8));
            let heaviest = i16::from(MAX_WEIGHT);
            let lightest = (MAX_GROUP / 8) as i16;
            let are_light = round % 2 == 0;
            let largest = if are_light { lightest } else { heaviest };
            let rows: [[Weights; SECOND]; 16] =
                std::array::from_fn(|_| std::array::from_fn(|_| row(largest)));
            let to_second = ToSecond::new(rows.into());
            assert_eq!(to_second.are_light(), are_light);
            let to_threats = std::array::from_fn(|_| row(heaviest));
            let sides = [(&own[..], &weights[..]), (&their[..], &weights[..])];
            let most = i16::from(MAX_ACTIVATION);
            let threats = Threats(std::array::from_fn(|_| number(most).unsigned_abs() as u8));
            let beside = (round % 3 < 2).then_some((&threats, &to_threats));
            let expected = plain_sums(sides, &to_second, beside);
            assert_eq!(sums(sides, &to_second, beside), expected);
            #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
            // SAFETY: the build is for processors that have these instructions.
            assert_eq!(unsafe { avx2::sums(sides, &to_second, beside) }, expected);
            #[cfg(all(target_arch = "x86_64", target_feature = "ssse3"))]
            // SAFETY: the build is for processors that have these instructions.
            assert_eq!(unsafe { ssse3::sums(sides, &to_second, beside) }, expected);
        }
    }
}
