//! Floor 0: large values in memory of their own, on large pages of the system where it has them.
//!
//! A search reads all over its tables and its network. On pages of four kibibytes many of these reads
//! first wait for the processor to look up where their page lies. Stockfish keeps its tables on large
//! pages, too.

use std::alloc::{Layout, handle_alloc_error};
use std::fmt::{self, Debug};
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use memmap2::MmapMut;

/// The size of a large page in bytes, on most machines.
pub const LARGE_PAGE: usize = 2 << 20;

/// Values that begin with all bits zero. Their memory comes from the system as it is touched.
pub struct LargePages<T: ?Sized> {
    values: NonNull<T>,
    /// Where they lie; freed with them.
    _memory: MmapMut,
}

// SAFETY: the values are owned like those of a `Box`.
unsafe impl<T: ?Sized + Send> Send for LargePages<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for LargePages<T> {}

impl<T: Zeroable> LargePages<T> {
    /// A value that is all zeros. Without memory for it the program ends, as with a `Box`.
    pub fn zeroed() -> Self {
        let (values, memory) = allocate::<T>(1).unwrap_or_else(|_| out_of_memory::<T>(1));
        Self {
            values,
            _memory: memory,
        }
    }
}

impl<T: Zeroable> LargePages<[T]> {
    /// So many values that are all zeros.
    ///
    /// # Errors
    ///
    /// That of the system, if it has not so much memory.
    pub fn try_zeroed(count: usize) -> io::Result<Self> {
        let (first, memory) = allocate(count)?;
        Ok(Self {
            values: NonNull::slice_from_raw_parts(first, count),
            _memory: memory,
        })
    }
}

impl<T: Pod> LargePages<[T]> {
    /// A copy of some numbers, of which so many make up a value. Without memory for it the program
    /// ends, as with a `Vec`.
    ///
    /// # Panics
    ///
    /// If the last value is not whole.
    pub fn copy_of<N: Pod>(numbers: &[N]) -> Self {
        let count = size_of_val(numbers) / size_of::<T>();
        let mut copy = Self::try_zeroed(count).unwrap_or_else(|_| out_of_memory::<T>(count));
        cast_slice_mut::<T, u8>(&mut copy).copy_from_slice(cast_slice(numbers));
        copy
    }
}

impl<T: ?Sized> Deref for LargePages<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the memory holds the values, is owned, and is changed through `self` alone.
        unsafe { self.values.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for LargePages<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { self.values.as_mut() }
    }
}

impl<T: ?Sized + PartialEq> PartialEq for LargePages<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: ?Sized + Debug> Debug for LargePages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Room for so many values, all zeros.
fn allocate<T: Zeroable>(count: usize) -> io::Result<(NonNull<T>, MmapMut)> {
    const {
        assert!(!std::mem::needs_drop::<T>(), "nobody would drop them");
        assert!(align_of::<T>() <= 4096, "a mapping begins with a page");
    }
    let bytes = count.saturating_mul(size_of::<T>());
    // The last large page may be half empty; what would fill less of it lies on small pages.
    let large = bytes.saturating_add(LARGE_PAGE / 2) / LARGE_PAGE * LARGE_PAGE;
    let spare = if cfg!(target_os = "linux") && large > 0 {
        // They begin at a multiple of their size. What lies before it is never touched.
        LARGE_PAGE
    } else {
        0
    };
    let mut memory = MmapMut::map_anon(bytes.max(large).saturating_add(spare).max(1))?;
    let begin = memory.as_ptr().addr();
    let skipped = begin.next_multiple_of(spare.max(1)) - begin;
    #[cfg(target_os = "linux")]
    if large > 0 {
        // A system without large pages goes on with small ones.
        let _ = memory.advise_range(memmap2::Advice::HugePage, skipped, large);
    }
    let values = NonNull::from(&mut memory[skipped..]).cast::<T>();
    debug_assert!(values.is_aligned());
    Ok((values, memory))
}

#[cold]
fn out_of_memory<T>(count: usize) -> ! {
    match Layout::array::<T>(count) {
        Ok(layout) => handle_alloc_error(layout),
        Err(error) => panic!("{count} values: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_zeros_that_can_be_written() {
        for count in [0, 1, 1000, LARGE_PAGE / 8, 5 * LARGE_PAGE / 16 + 3] {
            let mut values = LargePages::<[u64]>::try_zeroed(count).unwrap();
            assert_eq!(values.len(), count);
            assert!(values.iter().all(|&value| value == 0));
            (0..)
                .zip(values.iter_mut())
                .for_each(|(number, value)| *value = number);
            assert!(
                (0..)
                    .zip(values.iter())
                    .all(|(number, &value)| value == number)
            );
            let copy = LargePages::<[u64]>::copy_of::<u64>(&values);
            assert_eq!(copy, values);
        }
        let mut value = LargePages::<[[u16; 3]; 1000]>::zeroed();
        value[999][2] = 7;
        assert_eq!(value[999], [0, 0, 7]);
    }

    #[test]
    fn more_than_there_is_is_refused() {
        assert!(LargePages::<[u64]>::try_zeroed(usize::MAX).is_err());
        assert!(LargePages::<[u64]>::try_zeroed(usize::MAX / 16).is_err());
    }
}
