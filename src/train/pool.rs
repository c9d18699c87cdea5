//! The samples of a training, dealt out in a new random order for each pass, in memory or, where
//! they are too many, from a scratch file.
//!
//! When they are read, each is thrown into one of many buckets at random. A pass takes the buckets
//! in a random order and shuffles each on its own, which keeps its work within the cache: so all
//! samples of all files are mixed, however many there are.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::data::{Drawn, named};
use super::random::mix;
use super::sample::Sample;

/// About so many samples share a bucket.
pub const BUCKET: u64 = 1 << 19;

/// All samples that are learnt from.
pub struct Pool {
    buckets: Vec<Vec<Sample>>,
    spill: Option<Spill>,
    length: u64,
}

/// Where samples lie that have no room in memory.
struct Spill {
    path: PathBuf,
    file: File,
    /// Samples in memory at which all are written out.
    limit: usize,
    in_memory: usize,
    end: u64,
    /// By bucket: where in the file its samples lie, as byte and count.
    pieces: Vec<Vec<(u64, usize)>>,
}

impl Pool {
    /// An empty pool that expects so many samples.
    pub fn new(expected: u64) -> Self {
        let buckets = expected.div_ceil(BUCKET).max(1) as usize;
        Self {
            buckets: vec![Vec::new(); buckets],
            spill: None,
            length: 0,
        }
    }

    /// As [`Pool::new`], holding about `limit` samples in memory at most and the others in a file,
    /// which is removed at the end.
    ///
    /// # Errors
    ///
    /// The file cannot be made, or is there already.
    pub fn with_spill(expected: u64, limit: usize, path: &Path) -> io::Result<Self> {
        let mut pool = Self::new(expected);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(|error| named(path, &error))?;
        pool.spill = Some(Spill {
            path: path.to_owned(),
            file,
            limit,
            in_memory: 0,
            end: 0,
            pieces: vec![Vec::new(); pool.buckets.len()],
        });
        Ok(pool)
    }

    /// How many samples there are.
    pub const fn len(&self) -> u64 {
        self.length
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds a sample to a bucket that its lot decides.
    ///
    /// # Errors
    ///
    /// The file of those without room cannot be written.
    pub fn add(&mut self, drawn: &Drawn) -> io::Result<()> {
        let bucket = (drawn.lot % self.buckets.len() as u64) as usize;
        self.buckets[bucket].push(drawn.sample);
        self.length += 1;
        if let Some(spill) = &mut self.spill {
            spill.in_memory += 1;
            if spill.in_memory >= spill.limit {
                spill
                    .write(&mut self.buckets)
                    .map_err(|error| named(&spill.path, &error))?;
            }
        }
        Ok(())
    }

    /// Deals out all samples in the order of a pass, in batches of just `batch`; what is left over
    /// at the end of the pass is not dealt. The first `skip` batches are passed over unseen. Ends
    /// early where `learn` says so.
    ///
    /// # Errors
    ///
    /// The file of those without room cannot be read.
    pub fn deal<B>(
        &mut self,
        seed: u64,
        batch: usize,
        skip: u64,
        mut learn: impl FnMut(&[Sample]) -> io::Result<std::ops::ControlFlow<B>>,
    ) -> io::Result<Option<B>> {
        let mut order: Vec<usize> = (0..self.buckets.len()).collect();
        order.shuffle(&mut SmallRng::seed_from_u64(mix(seed)));
        let mut skip = skip * batch as u64;
        let mut hand: Vec<Sample> = Vec::new();
        for bucket in order {
            let start = hand.len();
            self.take(bucket, &mut hand)?;
            hand[start..].shuffle(&mut SmallRng::seed_from_u64(mix(seed ^ mix(bucket as u64))));
            let skipped = skip.min(hand.len() as u64) as usize;
            skip -= skipped as u64;
            let batches = hand[skipped..].chunks_exact(batch);
            let left_over = batches.remainder().len();
            for samples in batches {
                if let std::ops::ControlFlow::Break(end) = learn(samples)? {
                    return Ok(Some(end));
                }
            }
            hand.drain(..hand.len() - left_over);
        }
        Ok(None)
    }

    /// Adds the samples of a bucket to the hand.
    fn take(&mut self, bucket: usize, hand: &mut Vec<Sample>) -> io::Result<()> {
        if let Some(spill) = &mut self.spill {
            let path = &spill.path;
            for &(place, count) in &spill.pieces[bucket] {
                read_samples(&mut spill.file, place, count, hand)
                    .map_err(|error| named(path, &error))?;
            }
        }
        hand.extend_from_slice(&self.buckets[bucket]);
        Ok(())
    }
}

impl Spill {
    /// Writes all buckets out, each in one piece.
    fn write(&mut self, buckets: &mut [Vec<Sample>]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        for (bucket, pieces) in buckets.iter_mut().zip(&mut self.pieces) {
            if bucket.is_empty() {
                continue;
            }
            let bytes: Vec<u8> = bucket.iter().flat_map(Sample::to_bytes).collect();
            self.file.write_all(&bytes)?;
            pieces.push((self.end, bucket.len()));
            self.end += bytes.len() as u64;
            bucket.clear();
        }
        self.in_memory = 0;
        Ok(())
    }
}

fn read_samples(
    file: &mut File,
    place: u64,
    count: usize,
    hand: &mut Vec<Sample>,
) -> io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = vec![0; count * Sample::BYTES];
    file.read_exact(&mut bytes)?;
    for bytes in bytes.as_chunks().0 {
        let sample = Sample::from_bytes(bytes);
        hand.push(sample.ok_or_else(|| io::Error::other("the scratch file has been changed"))?);
    }
    Ok(())
}

impl Drop for Spill {
    fn drop(&mut self) {
        // Whoever finds it later may remove it: it holds nothing that is not elsewhere.
        let _ = fs::remove_file(&self.path);
    }
}
