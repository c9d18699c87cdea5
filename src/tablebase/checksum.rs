//! The checksum that a table ends with.
//!
//! It is that of Ronald de Man's generator: `CityHashCrc256` of every 16 MiB, and `CityHashCrc128`
//! of all these, both of CityHash 1.0 by Geoff Pike and Jyrki Alakuijala.

use std::io::{self, Read};

use cityhash_rs::cityhash_102_128;
use memmap2::MmapMut;

/// Bytes of a checksum.
pub const LENGTH: usize = 16;

/// Bytes that are hashed by themselves.
const CHUNK: usize = 1 << 24;
/// Bytes up to which `CityHashCrc128` is plain `CityHash128`.
const MOST_PLAIN: usize = 900;
/// Bytes that the five lanes of the mixing take in at a time.
const BLOCK: usize = 40;
/// Bytes below which a chunk is filled up with zeros: six blocks.
const SHORTEST: usize = 6 * BLOCK;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const MURMUR: u64 = 0x9ddf_ea08_eb38_2d69;

/// The checksum of a table's content, which is all but its checksum.
///
/// # Errors
///
/// Those of reading, and that there is no memory for it.
pub fn checksum(mut content: impl Read) -> io::Result<[u8; LENGTH]> {
    let mut hashes = Vec::new();
    // As a mapping, unlike on the heap, it is surely given back.
    let mut chunk = MmapMut::map_anon(CHUNK)?;
    loop {
        let length = fill(&mut chunk, &mut content)?;
        if length == 0 {
            break;
        }
        hashes.extend_from_slice(hash(&chunk[..length]).map(u64::to_le_bytes).as_flattened());
    }
    let whole = if hashes.len() <= MOST_PLAIN {
        cityhash_102_128(&hashes)
    } else {
        let [.., first, second] = hash(&hashes);
        u128::from(first) << 64 | u128::from(second)
    };
    // The first half comes first, each with its lowest byte first.
    Ok(whole.rotate_left(64).to_le_bytes())
}

/// Reads until the buffer is full or there is no more; how many bytes it was.
fn fill(buffer: &mut [u8], mut content: impl Read) -> io::Result<usize> {
    let room = buffer.len() as u64;
    io::copy(&mut content.by_ref().take(room), &mut &mut *buffer).map(|length| length as usize)
}

/// `CityHashCrc256`.
fn hash(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= SHORTEST {
        return hash_long(bytes, 0);
    }
    let mut filled = [0; SHORTEST];
    filled[..bytes.len()].copy_from_slice(bytes);
    hash_long(&filled, !(bytes.len() as u32))
}

fn hash_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    let word = |at: usize| u64::from_le_bytes(*bytes[at..].first_chunk().expect("six blocks"));
    let length = bytes.len() as u64;
    let mut lanes = Lanes::new(seed, length, word);
    let [first, second] = [lanes.mixed[2], lanes.mixed[3]];

    let long = bytes.len() / SHORTEST * SHORTEST;
    let (blocks, _) = bytes[..long].as_chunks();
    let rounds = [Round::Even, Round::Odd].into_iter().cycle();
    for (block, round) in blocks.iter().zip(rounds) {
        lanes.take(block, round);
    }
    let (blocks, rest) = bytes[long..].as_chunks();
    for block in blocks {
        lanes.take(block, Round::Odd);
    }
    if !rest.is_empty() {
        lanes.take(bytes.last_chunk().expect("six blocks"), Round::Odd);
    }
    lanes.finish(first, second)
}

/// The two kinds of rounds, which take turns at first.
#[derive(Clone, Copy)]
enum Round {
    Even,
    Odd,
}

/// What is known of the bytes so far.
struct Lanes {
    /// Five words, and one that waits.
    mixed: [u64; 6],
    /// All that each of the five has been.
    checks: [Check; 5],
}

impl Lanes {
    fn new(seed: u32, length: u64, word: impl Fn(usize) -> u64) -> Self {
        let a = word(56).wrapping_add(K0);
        let b = word(96).wrapping_add(K0);
        let c = fold(b, length);
        let d = word(120).wrapping_mul(K0).wrapping_add(length);
        let e = word(184).wrapping_add(u64::from(seed));
        Self {
            mixed: [a, b, c, d, e, c.wrapping_add(d)],
            checks: [seed, 0, 0, 0, 0].map(Check::new),
        }
    }

    #[inline]
    fn take(&mut self, block: &[u8; BLOCK], round: Round) {
        let (factor, flip) = match round {
            Round::Even => (1, 1),
            Round::Odd => (K0, 0),
        };
        let (words, _) = block.as_chunks();
        let [a, turned @ ..] = self.mixed;
        for (lane, turn) in [41, 27, 41, 33, 25].into_iter().enumerate() {
            let mixed = turned[lane]
                .rotate_right(turn ^ flip)
                .wrapping_mul(factor)
                .wrapping_add(u64::from_le_bytes(words[lane]));
            self.mixed[lane] = mixed;
            self.checks[lane].take(mixed);
        }
        self.mixed[5] = a;
    }

    fn finish(self, first: u64, second: u64) -> [u64; 4] {
        let [a, b, c, d, e, t] = self.mixed;
        let [f, g, h, i, j] = self.checks.map(Check::finish);
        let j = j.wrapping_add(i << 32);
        let a = fold(a, j);
        let h = h.wrapping_add(g << 32);
        let b = b.wrapping_add(h);
        let c = fold(c, f).wrapping_add(i);
        let d = fold(d, e.wrapping_add(first));
        let j = j.wrapping_add(e);
        let i = i.wrapping_add(fold(h, t));
        let e = fold(a, d).wrapping_add(j);
        let f = fold(b, c).wrapping_add(a);
        let g = fold(j, i).wrapping_add(c);

        let mix = |word: u64| shift(word.wrapping_mul(K0)).wrapping_mul(K0);
        let first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
        let a = mix(a.wrapping_add(g)).wrapping_add(b);
        let second = second.wrapping_add(a).wrapping_add(first);
        let a = mix(a).wrapping_add(c);
        let third = a.wrapping_add(second);
        let a = mix(a.wrapping_add(e));
        [first, second, third, a.wrapping_add(third)]
    }
}

/// A CRC-32C of words, without the inversions before and after.
struct Check {
    crc: u32,
    /// Words that wait for others, since many are done faster at a time.
    waiting: [[u8; 8]; 64],
    count: usize,
}

impl Check {
    fn new(crc: u32) -> Self {
        Self {
            crc,
            waiting: [[0; 8]; 64],
            count: 0,
        }
    }

    #[inline]
    fn take(&mut self, word: u64) {
        self.waiting[self.count] = word.to_le_bytes();
        self.count += 1;
        if self.count == self.waiting.len() {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let words = self.waiting[..self.count].as_flattened();
        self.crc = !crc32c::crc32c_append(!self.crc, words);
        self.count = 0;
    }

    fn finish(mut self) -> u64 {
        self.flush();
        self.crc.into()
    }
}

fn shift(word: u64) -> u64 {
    word ^ word >> 47
}

/// Two words in one, as Murmur would.
fn fold(low: u64, high: u64) -> u64 {
    let word = shift((low ^ high).wrapping_mul(MURMUR));
    shift((high ^ word).wrapping_mul(MURMUR)).wrapping_mul(MURMUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the generator's own program has it: one short chunk, two, and so many that their hashes
    /// are hashed in the other way.
    #[test]
    fn of_any_length() {
        for (length, known) in [
            (64, 0x660d_98a8_6745_5700_a80b_b946_ebc7_9b82),
            (CHUNK + 64, 0x9d9a_6142_adab_a72b_23cc_c283_4eae_1ae4),
            (29 * CHUNK, 0x9108_5269_57bd_4012_9dc8_9c76_ec5e_21d7),
        ] {
            let sum = checksum(io::repeat(7).take(length as u64)).expect("no end of sevens");
            assert_eq!(u128::from_be_bytes(sum), known, "{length} bytes");
        }
    }
}
