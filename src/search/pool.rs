//! The search threads and their hash table: as much of both as memory allows.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_channel::{Sender, bounded, unbounded};
use memmap2::MmapMut;

use super::clock::{Budget, Clock};
use super::report::Report;
use super::table::{Share, smaller};
use super::thread::{Job, Order, Thread};
use super::worker::{Shared, Worker};
use crate::eval::nnue::Network;

/// The threads of the engine, the main thread first. They live as long as the pool and sleep
/// between searches.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<Thread>,
    /// The clock of the last search.
    clock: Arc<Clock>,
    network: Option<Arc<Network>>,
}

/// The deepest iteration, in plies, of a search that is over in a moment: it has to do with the
/// stack of the thread that asks for it.
const MOMENT_DEPTH: u32 = 20;
/// What is left to the rest of the program when memory runs out, in bytes.
const RESERVE_BYTES: usize = 16 << 20;

impl Pool {
    /// A pool of `threads` threads around a hash table of so many MiB, which evaluate by a network
    /// or without one by hand-made terms.
    ///
    /// # Panics
    ///
    /// If the system has no memory for even the smallest table, or provides no thread at all.
    pub fn new(threads: usize, mebibytes: usize, network: Option<Arc<Network>>) -> Self {
        let mut pool = Self {
            shared: Arc::new(Shared::new(mebibytes)),
            threads: Vec::new(),
            clock: Arc::new(Clock::new(Budget::default(), false)),
            network,
        };
        pool.spawn(threads.max(1));
        pool.make_room(mebibytes, threads.max(1));
        pool
    }

    /// A table that got less memory than it wanted may have left none for the stacks of the
    /// threads: then it shrinks until there are as many threads as wanted.
    fn make_room(&mut self, mebibytes: usize, threads: usize) {
        while self.mebibytes() < mebibytes && self.threads() < threads && self.mebibytes() > 1 {
            let less = smaller(self.mebibytes());
            self.replace_table(less);
            self.spawn(threads);
        }
        assert!(!self.threads.is_empty(), "the system provides no thread");
    }

    /// Ends the threads and replaces the table by an empty one.
    fn replace_table(&mut self, mebibytes: usize) {
        self.join();
        // Free the old table first: there may be no memory for both.
        self.shared = Arc::new(Shared::new(1));
        self.shared = Arc::new(Shared::new(mebibytes));
    }

    /// Starts as many threads as the machine provides, at most `count`.
    fn spawn(&mut self, count: usize) {
        self.threads.clear();
        // Held until all have begun, since a thread that begins allocates memory.
        let reserve = MmapMut::map_anon(RESERVE_BYTES);
        for index in 0..count {
            // A worker for which there is no memory would end the program, so the memory is
            // tested first. Without the main thread there is no search anyway.
            let room = MmapMut::map_anon(Thread::STACK_BYTES + Thread::WORKER_BYTES);
            if index > 0 && (reserve.is_err() || room.is_err()) {
                break;
            }
            drop(room);
            let mut worker = Worker::new(Arc::clone(&self.shared), index == 0);
            worker.set_network(self.network.clone());
            match Thread::spawn(format!("search {index}"), worker) {
                Ok(thread) => self.threads.push(thread),
                Err(_) => break,
            }
        }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The size of the hash table in MiB.
    pub fn mebibytes(&self) -> usize {
        self.shared.table.mebibytes()
    }

    /// Replaces the threads; the hash table stays. Not while a search runs.
    pub fn set_threads(&mut self, threads: usize) {
        if threads.max(1) != self.threads.len() {
            self.join();
            self.spawn(threads.max(1));
        }
    }

    /// Replaces the hash table by an empty one of another size. Not while a search runs.
    pub fn resize(&mut self, mebibytes: usize) {
        if mebibytes != self.mebibytes() {
            let threads = self.threads.len();
            self.replace_table(mebibytes);
            self.spawn(threads);
            self.make_room(mebibytes, threads);
        }
    }

    /// Evaluates by another network, or without one by hand-made terms, and forgets everything
    /// learnt by the last. Not while a search runs.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) {
        for thread in &self.threads {
            thread.set_network(network.clone());
        }
        self.network = network;
        self.clear();
    }

    /// Forgets everything learnt. Not while a search runs.
    pub fn clear(&mut self) {
        self.shared.table.reset_age();
        let count = self.threads.len();
        let (done, answers) = bounded(count);
        for (index, thread) in self.threads.iter().enumerate() {
            let share = Share { index, count };
            let done = done.clone();
            thread.order(Order::Forget { share, done });
        }
        drop(done);
        answers.iter().for_each(drop);
    }

    /// Starts a search. It reports through `reports`, [`Report::Done`] last.
    ///
    /// One that is over in a moment is done before this returns, since a busy machine takes its
    /// time to wake a thread: with both processors busy, an answer at 20 ms on the clock takes
    /// 0.6 ms in the mean and 35 at most, instead of 1.3 and 220.
    pub fn start(&mut self, mut job: Job, reports: Sender<Report>) {
        let made = job.game.position().state().fullmoves.saturating_sub(1);
        let budget = Budget::new(job.limits.time, job.time, made);
        self.clock = Arc::new(Clock::new(budget, job.limits.ponder));
        self.shared.begin();
        let Some((main, mut helpers)) = self.threads.split_first() else {
            return;
        };
        if let Some(level) = job.level {
            job.limits = level.restrict(job.limits, job.game.position());
            // With more threads it would be another level.
            helpers = &[];
        }
        if budget.is_a_moment() && !job.limits.ponder {
            let depth = job.limits.depth.unwrap_or(MOMENT_DEPTH);
            job.limits.depth = Some(depth.min(MOMENT_DEPTH));
            return main.lead_here(&job, Arc::clone(&self.clock), &reports);
        }
        let job = Arc::new(job);
        let (outcome, outcomes) = unbounded();
        for thread in helpers {
            thread.order(Order::Help {
                job: Arc::clone(&job),
                clock: Arc::clone(&self.clock),
                outcome: outcome.clone(),
            });
        }
        main.order(Order::Lead {
            job,
            clock: Arc::clone(&self.clock),
            reports,
            outcomes,
        });
    }

    /// Tells a running search to stop; it answers with [`Report::Done`].
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    /// Tells a pondering search that the expected move was played.
    pub fn ponderhit(&self) {
        self.clock.ponderhit();
    }

    fn join(&mut self) {
        self.stop();
        self.threads.drain(..).for_each(Thread::join);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.join();
    }
}
