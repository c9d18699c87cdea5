//! Little-endian numbers, read one after the other from the bytes of a file.

use std::borrow::Cow;

/// The bytes that are not read yet.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// A reader of all these bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The next bytes, if there are so many.
    pub fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    /// As [`Reader::take`], for a count that only the file tells.
    pub fn slice(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next number of 32 bits.
    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// The next number of 64 bits.
    pub fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    /// The next number in floating point.
    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    /// The next `count` numbers, or as many as there are.
    pub fn list<T, const N: usize>(&mut self, count: usize, number: fn([u8; N]) -> T) -> Vec<T> {
        let (chunks, _) = self.0.as_chunks();
        let numbers: Vec<T> = chunks.iter().take(count).copied().map(number).collect();
        self.0 = &self.0[numbers.len() * N..];
        numbers
    }

    /// The next `count` weights, or as many as there are: where they lie, if this machine reads
    /// them so.
    pub fn weights(&mut self, count: usize) -> Cow<'a, [i16]> {
        let (bytes, rest) = self.0.split_at(self.0.len().min(count * size_of::<i16>()));
        match bytemuck::try_cast_slice(bytes) {
            Ok(weights) if cfg!(target_endian = "little") => {
                self.0 = rest;
                Cow::Borrowed(weights)
            }
            _ => Cow::Owned(self.list(count, i16::from_le_bytes)),
        }
    }
}
