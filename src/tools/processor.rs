//! The features of the processor: which of them this build may use, and whether the machine has them.

use std::fmt;

/// A feature that the compiler, or vector code of our own, may use.
struct Feature {
    /// What Rust calls it.
    name: &'static str,
    /// Whether this build may use it.
    used: bool,
    /// Where `cpuid` tells of it; nowhere if all processors of its kind have it.
    bit: Option<(Word, u32)>,
}

/// The words of `cpuid` that tell of features: leaf and register.
#[derive(Clone, Copy)]
enum Word {
    Leaf1Ecx,
    Leaf7Ebx,
    Leaf7Ecx,
    ExtendedEcx,
}

use Word::{ExtendedEcx, Leaf1Ecx, Leaf7Ebx, Leaf7Ecx};

macro_rules! features {
    ($($name:tt $(: $word:ident bit $bit:literal)?,)*) => {
        const FEATURES: &[Feature] = &[$(Feature {
            name: $name,
            used: cfg!(target_feature = $name),
            bit: features!(@ $($word $bit)?),
        },)*];

        /// Whether the standard library finds a feature, by name.
        #[cfg(all(test, target_arch = "x86_64"))]
        fn is_detected(name: &str) -> Option<bool> {
            $($(
                // Only those with a bit: it does not know the names of other architectures.
                let _: u32 = $bit;
                if name == $name {
                    return Some(std::arch::is_x86_feature_detected!($name));
                }
            )?)*
            None
        }
    };
    (@ $word:ident $bit:literal) => { Some(($word, $bit)) };
    (@) => { None };
}

features! {
    "sse2",
    "sse3": Leaf1Ecx bit 0,
    "ssse3": Leaf1Ecx bit 9,
    "sse4.1": Leaf1Ecx bit 19,
    "sse4.2": Leaf1Ecx bit 20,
    "popcnt": Leaf1Ecx bit 23,
    "avx": Leaf1Ecx bit 28,
    "f16c": Leaf1Ecx bit 29,
    "fma": Leaf1Ecx bit 12,
    "movbe": Leaf1Ecx bit 22,
    "avx2": Leaf7Ebx bit 5,
    "bmi1": Leaf7Ebx bit 3,
    "bmi2": Leaf7Ebx bit 8,
    "lzcnt": ExtendedEcx bit 5,
    "avx512f": Leaf7Ebx bit 16,
    "avx512bw": Leaf7Ebx bit 30,
    "avx512cd": Leaf7Ebx bit 28,
    "avx512dq": Leaf7Ebx bit 17,
    "avx512vl": Leaf7Ebx bit 31,
    "avx512ifma": Leaf7Ebx bit 21,
    "avx512vbmi": Leaf7Ecx bit 1,
    "avx512vbmi2": Leaf7Ecx bit 6,
    "avx512vnni": Leaf7Ecx bit 11,
    "avx512bitalg": Leaf7Ecx bit 12,
    "avx512vpopcntdq": Leaf7Ecx bit 14,
    "gfni": Leaf7Ecx bit 8,
    "neon",
    "dotprod",
}

/// The names of the features that this build may use.
pub fn features() -> impl Iterator<Item = &'static str> {
    FEATURES
        .iter()
        .filter(|feature| feature.used)
        .map(|feature| feature.name)
}

/// The processor has not all that this build may use. Its text names what is missing.
#[derive(Debug, thiserror::Error)]
pub struct Unsuitable;

impl fmt::Display for Unsuitable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("This build of Prelate needs what this processor lacks:")?;
        for (number, name) in missing(ask).enumerate() {
            f.write_str(if number == 0 { " " } else { ", " })?;
            f.write_str(name)?;
        }
        f.write_str(
            ".\nTake the package for older processors, or build it here: cargo build --release",
        )
    }
}

/// Whether the processor has all that this build may use.
///
/// A program has to ask before it does anything else: an instruction that the processor does not know
/// ends it without a word. This function is too simple to contain any, and what runs before `main` is of
/// Rust's library, which link-time optimisation alone compiles anew; `scripts/release.sh` makes sure of
/// it on emulated processors.
///
/// # Errors
///
/// If a feature is missing.
pub fn check() -> Result<(), Unsuitable> {
    const NEEDED: [u32; 4] = needed();
    for word in [Leaf1Ecx, Leaf7Ebx, Leaf7Ecx, ExtendedEcx] {
        let needed = NEEDED[word as usize];
        if ask(word) & needed != needed {
            return Err(Unsuitable);
        }
    }
    Ok(())
}

/// The bits that have to be set in each word.
const fn needed() -> [u32; 4] {
    let mut needed = [0; 4];
    let mut index = 0;
    while index < FEATURES.len() {
        let feature = &FEATURES[index];
        if feature.used
            && let Some((word, bit)) = feature.bit
        {
            needed[word as usize] |= 1 << bit;
        }
        index += 1;
    }
    needed
}

/// The names of the features that this build may use and a processor with such answers has not.
fn missing(answer: impl Fn(Word) -> u32) -> impl Iterator<Item = &'static str> {
    let lacks = move |feature: &&Feature| {
        feature.used
            && feature
                .bit
                .is_some_and(|(word, bit)| answer(word) & 1 << bit == 0)
    };
    FEATURES.iter().filter(lacks).map(|feature| feature.name)
}

/// What the processor answers.
#[cfg(target_arch = "x86_64")]
fn ask(word: Word) -> u32 {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let leaf = match word {
        Leaf1Ecx => 1,
        Leaf7Ebx | Leaf7Ecx => 7,
        ExtendedEcx => 0x8000_0001,
    };
    // The first leaf of each range tells which is its last.
    if __cpuid(leaf & 0x8000_0000).eax < leaf {
        return 0;
    }
    let answer = __cpuid_count(leaf, 0);
    match word {
        Leaf7Ebx => answer.ebx,
        Leaf1Ecx | Leaf7Ecx | ExtendedEcx => answer.ecx,
    }
}

/// Other architectures are not asked: builds for them use what all their processors have.
#[cfg(not(target_arch = "x86_64"))]
fn ask(_: Word) -> u32 {
    u32::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        check().expect("this build runs here");
        assert_eq!(missing(|_| u32::MAX).count(), 0);
        let asked = FEATURES.iter().filter(|feature| feature.bit.is_some());
        let used: Vec<_> = asked.filter(|feature| feature.used).collect();
        let names: Vec<_> = used.iter().map(|feature| feature.name).collect();
        assert_eq!(missing(|_| 0).collect::<Vec<_>>(), names);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn bits_say_what_the_standard_library_says() {
        for feature in FEATURES {
            if let Some((word, bit)) = feature.bit {
                let is_there = ask(word) & 1 << bit != 0;
                assert_eq!(
                    Some(is_there),
                    is_detected(feature.name),
                    "{}",
                    feature.name
                );
            }
        }
    }
}
