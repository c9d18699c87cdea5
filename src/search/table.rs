//! The hash table (transposition table): what earlier searches found out about positions, shared by
//! all threads without locks.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use bytemuck::Zeroable;

use super::entry::{AGES, Entry, age_of, depth_of};
use super::parameters as p;
use super::prefetch::prefetch;
use super::report::Bound;
use super::slot::Slot;
use crate::memory::LargePages;

const SLOTS: usize = 4;

/// The buckets of the sample for `hashfull`: a thousand entries.
const SAMPLE: usize = 250;

/// How long memory is made ready before a game, lest a client take the engine for dead: Cutechess
/// waits 15 seconds. What is not ready then comes as it is used.
const READY_WITHIN: Duration = Duration::from_secs(5);

/// The buckets of a small page of the system.
const PAGE: usize = 4096 / size_of::<Bucket>();

/// A bucket: the entries that a key can be in, which share a cache line.
#[derive(Zeroable)]
#[repr(align(64))]
struct Bucket([Slot; SLOTS]);

const _: () = assert!(size_of::<Bucket>() == 64);

impl Bucket {
    fn is_empty(&self) -> bool {
        self.0.iter().all(|slot| slot.data() == 0)
    }
}

/// A hash table of a fixed size.
#[doc(alias = "transposition table")]
pub struct Table {
    buckets: LargePages<[Bucket]>,
    /// The generation: the number of the search, from 0 to 31 and round again.
    age: AtomicU8,
}

impl Table {
    /// A table of so many MiB, at least one. Where the system has not so much memory, the table is
    /// made smaller by eighths until it fits, and once more to leave some for the rest of the program.
    ///
    /// # Panics
    ///
    /// If the system has not even a MiB left.
    pub fn new(mebibytes: usize) -> Self {
        let wanted = mebibytes.max(1);
        let mut mebibytes = wanted;
        loop {
            match Self::allocate(mebibytes) {
                Ok(table) if mebibytes == wanted => return table,
                Ok(_) => break,
                Err(error) => assert!(mebibytes > 1, "no memory for a hash table: {error}"),
            }
            mebibytes = smaller(mebibytes);
        }
        Self::new(smaller(mebibytes))
    }

    /// Zeroed memory comes from the system page by page as it is touched: quickly, at any size.
    fn allocate(mebibytes: usize) -> std::io::Result<Self> {
        let count = mebibytes.saturating_mul((1 << 20) / size_of::<Bucket>());
        Ok(Self {
            buckets: LargePages::try_zeroed(count)?,
            age: AtomicU8::new(0),
        })
    }

    /// The size in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.buckets) >> 20
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let count = self.buckets.len();
        let index = ((u128::from(key) * count as u128) >> 64) as usize;
        debug_assert!(index < count);
        // SAFETY: the high word of a product with `count` is below `count`.
        unsafe { self.buckets.get_unchecked(index) }
    }

    /// Empties the table.
    pub fn clear(&self) {
        self.clear_share(Share { index: 0, count: 1 });
        self.reset_age();
    }

    /// Empties a share of the table, and has its memory ready before the clock starts.
    pub(super) fn clear_share(&self, share: Share) {
        let size = self.buckets.len().div_ceil(share.count);
        let Some(buckets) = self.buckets.chunks(size).nth(share.index) else {
            return;
        };
        // Fresh memory is empty already. To read it is cheap, but the first write to a page makes
        // the system provide it, for which otherwise the first search would wait: two seconds of
        // it, once, where 100 milliseconds were allowed.
        let began = Instant::now();
        for (index, bucket) in buckets.iter().enumerate() {
            let provide = index % PAGE == 0 && began.elapsed() < READY_WITHIN;
            if provide || !bucket.is_empty() {
                bucket.0.iter().for_each(|slot| slot.write(0, 0));
            }
        }
    }

    /// Counts generations from the first again.
    pub(super) fn reset_age(&self) {
        self.age.store(0, Ordering::Relaxed);
    }

    /// Begins a new generation: entries of earlier searches are replaced first.
    pub fn new_search(&self) {
        self.age.store(
            (self.age.load(Ordering::Relaxed) + 1) % AGES,
            Ordering::Relaxed,
        );
    }

    /// Prefetches the bucket of a key into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The entry of a key, if there is one.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let (found, data) = slot.read();
            (found == key && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Stores an entry. It replaces one of the same position, unless that is clearly deeper and of the
    /// same search; otherwise the shallowest and oldest of the bucket.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut worst = None;
        for slot in &self.bucket(key).0 {
            let (found, data) = slot.read();
            if data == 0 || found == key {
                worst = Some((slot, data, i32::MIN));
                break;
            }
            let age_difference = i32::from((age + AGES - age_of(data)) % AGES);
            let worth = depth_of(data) - p::table_age() * age_difference;
            if worst.is_none_or(|(_, _, least)| worth < least) {
                worst = Some((slot, data, worth));
            }
        }
        let Some((slot, old, worth)) = worst else {
            return;
        };
        if worth == i32::MIN && old != 0 {
            // The same position: its move stays unless there is a new one.
            let known = Entry::unpack(old);
            entry.mv = entry.mv.or(known.mv);
            let margin = p::table_shallower() + p::table_shallower_pv() * i32::from(entry.pv);
            let deeper = entry.depth + margin > known.depth;
            if entry.bound != Some(Bound::Exact) && !deeper && age_of(old) == age {
                // What is kept still learns the newer move.
                entry = Entry {
                    mv: entry.mv,
                    ..known
                };
            }
        }
        slot.write(key, entry.pack(age));
    }

    /// How much of the table this search has filled, in permille, by a sample.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(Slot::data)
            .filter(|&data| data != 0 && age_of(data) == age)
            .count();
        used * 1000 / (sample.len() * SLOTS)
    }
}

/// A part of the table, for a thread that clears it together with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// From 0 to `count - 1`.
    pub(super) index: usize,
    /// How many shares there are, at least one.
    pub(super) count: usize,
}

/// The next size to try where so many MiB do not fit in memory: an eighth less, at least one MiB.
pub(super) const fn smaller(mebibytes: usize) -> usize {
    let less = mebibytes - mebibytes.div_ceil(8);
    if less == 0 { 1 } else { less }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Move, MoveKind, Score, Square};

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
            score: Score(-31_990),
            eval: Some(Score(17)),
            depth,
            bound: Some(Bound::Lower),
            pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1);
        assert_eq!(table.mebibytes(), 1);
        assert_eq!(table.probe(0), None);
        for key in [1, u64::MAX, 0x1234_5678_9ABC_DEF0] {
            table.store(key, entry(7));
            assert_eq!(table.probe(key), Some(entry(7)));
            assert_eq!(table.probe(key ^ 2), None);
        }
        table.clear();
        assert_eq!(table.probe(1), None);
    }

    /// Four threads and one bucket: what is found under a key is what was stored under it.
    #[test]
    fn contention_mixes_nothing_up() {
        let table = Table::new(1);
        let entry_of = |key: u64| Entry {
            score: Score((key >> 8 & 0x3FFF) as i32 - 0x2000),
            eval: Some(Score((key >> 24 & 0x3FFF) as i32 - 0x2000)),
            ..entry((key >> 40 & 63) as i32)
        };
        let work = |seed: u64| {
            let mut found = 0;
            let mut state = seed;
            for _ in 0..100_000 {
                // Marsaglia's xorshift; all keys fall into the first bucket.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let key = ((state % 64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) | 1;
                let stored = entry_of(key);
                if let Some(entry) = table.probe(key) {
                    assert_eq!(entry, stored);
                    found += 1;
                }
                table.store(key, stored);
            }
            found
        };
        let found: u32 = std::thread::scope(|scope| {
            let threads = [1, 2, 3, 4].map(|seed| scope.spawn(move || work(seed)));
            threads.map(|thread| thread.join().expect("no thread panics"))
        })
        .iter()
        .sum();
        assert!(found > 1000, "{found}");
    }

    #[test]
    fn shares_are_the_whole() {
        let table = Table::new(1);
        let keys = (0..4096).map(|number| u64::MAX / 4096 * number + 1);
        for count in [1, 2, 3, 64] {
            for key in keys.clone() {
                table.store(key, entry(7));
            }
            for index in 0..count {
                assert!(keys.clone().any(|key| table.probe(key).is_some()));
                table.clear_share(Share { index, count });
            }
            assert!(keys.clone().all(|key| table.probe(key).is_none()));
        }
    }

    #[test]
    fn a_fail_low_keeps_the_move_and_of_shallow_news_only_the_move_replaces_deep_knowledge() {
        let table = Table::new(1);
        table.store(5, entry(20));
        table.store(
            5,
            Entry {
                mv: None,
                bound: Some(Bound::Upper),
                ..entry(3)
            },
        );
        assert_eq!(table.probe(5), Some(entry(20)));
        let newer = Some(Move::new(Square::D2, Square::D4, MoveKind::DoublePush));
        table.store(
            5,
            Entry {
                mv: newer,
                ..entry(3)
            },
        );
        let taught = Entry {
            mv: newer,
            ..entry(20)
        };
        assert_eq!(table.probe(5), Some(taught));
        table.store(
            5,
            Entry {
                mv: None,
                ..entry(21)
            },
        );
        assert_eq!(
            table.probe(5),
            Some(Entry {
                mv: newer,
                ..entry(21)
            })
        );
    }

    #[test]
    fn a_full_bucket_loses_its_shallowest_entry_and_old_ones_first() {
        let table = Table::new(1);
        // The same upper bits: all in one bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 8), (4, 7), (5, 6)] {
            table.store(key, entry(depth));
        }
        assert_eq!(table.probe(2), None);
        table.new_search();
        table.new_search();
        table.store(6, entry(1));
        assert!(table.probe(1).is_some() && table.probe(6).is_some());
        assert_eq!(table.probe(5), None);
    }
}
