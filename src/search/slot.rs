//! One entry of the hash table as two words that any thread may write at any time.
//!
//! The words are the data and the key exclusive-or the data (Robert Hyatt's lockless hashing).
//! Words of two different writes do not match: what is read then belongs to no key.

use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// A word that threads share. Only the tests have another kind than the usual one.
pub(super) trait Word {
    fn get(&self) -> u64;
    fn set(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn get(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn set(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// One entry. Zeros are an empty one.
#[derive(Zeroable)]
pub(super) struct Slot<W = AtomicU64> {
    check: W,
    data: W,
}

impl<W: Word> Slot<W> {
    /// The key and the data; data of zero is none.
    #[inline(always)]
    pub(super) fn read(&self) -> (u64, u64) {
        let data = self.data.get();
        (self.check.get() ^ data, data)
    }

    /// The data alone, whatever the key.
    #[inline(always)]
    pub(super) fn data(&self) -> u64 {
        self.data.get()
    }

    /// Puts an entry here.
    #[inline(always)]
    pub(super) fn write(&self, key: u64, data: u64) {
        self.check.set(key ^ data);
        self.data.set(data);
    }
}

#[cfg(test)]
mod tests {
    use loom::sync::Arc;
    use loom::sync::atomic;

    use super::*;

    impl Word for atomic::AtomicU64 {
        fn get(&self) -> u64 {
            self.load(Ordering::Relaxed)
        }

        fn set(&self, value: u64) {
            self.store(value, Ordering::Relaxed);
        }
    }

    /// Entries of two positions, and a second one of the first.
    const WRITTEN: [(u64, u64); 3] = [(0x0F0F, 1 << 40), (0xF0F0, 2 << 40), (0x0F0F, 3 << 40)];

    /// Every order of two writes and a read, and whatever the memory makes of it: what is found
    /// under a key was written under it.
    #[test]
    fn no_key_has_the_data_of_another() {
        for (first, second) in [(0, 1), (1, 2), (0, 2)] {
            loom::model(move || {
                let slot = Arc::new(Slot {
                    check: atomic::AtomicU64::new(0),
                    data: atomic::AtomicU64::new(0),
                });
                let writers = [first, second].map(|number| {
                    let slot = Arc::clone(&slot);
                    let (key, data) = WRITTEN[number];
                    loom::thread::spawn(move || slot.write(key, data))
                });
                let known = |(key, data)| {
                    data == 0
                        || WRITTEN.contains(&(key, data))
                        || WRITTEN.iter().all(|&(other, _)| other != key)
                };
                assert!(known(slot.read()));
                for writer in writers {
                    writer.join().expect("the writer does not panic");
                }
                assert!(known(slot.read()));
            });
        }
    }
}
