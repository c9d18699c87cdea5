//! The threads of a search: one that decides and reports, and any number of helpers that
//! search the same position and meet in the hash table (lazy SMP).

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::{io, iter};

use crossbeam_channel::{Receiver, RecvError, Select, Sender, bounded, unbounded};
use memmap2::MmapMut;

use super::clock::{Budget, Clock, TimePolicy};
use super::level::Level;
use super::limits::{Limits, Probing};
use super::report::{Outcome, Report};
use super::table::{Share, smaller};
use super::worker::{Shared, Worker};
use crate::eval::nnue::Network;
use crate::position::Game;

/// Something to search.
#[derive(Clone, Debug)]
pub struct Job {
    pub game: Game,
    pub limits: Limits,
    /// How many lines to find.
    pub lines: usize,
    /// The level to play at, if not the engine's own.
    pub level: Option<Level>,
    /// How time is to be shared out.
    pub time: TimePolicy,
    pub probing: Probing,
}

/// What the threads can be asked to do.
enum Order {
    /// Search, and send the outcome here.
    Search {
        job: Arc<Job>,
        clock: Arc<Clock>,
        reports: Option<Sender<Report>>,
        helpers: usize,
    },
    /// Forget the last game and a share of the hash table, then say so.
    Forget { share: Share, done: Sender<()> },
}

struct Thread {
    orders: Sender<Order>,
    handle: Option<JoinHandle<()>>,
    /// Locked while an order is carried out.
    worker: Arc<Mutex<Worker>>,
}

/// The threads of the engine. They live as long as the pool and sleep between searches.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<Thread>,
    outcomes: Receiver<Outcome>,
    outcome_sender: Sender<Outcome>,
    clock: Arc<Clock>,
    network: Option<Arc<Network>>,
}

/// Deep lines put a few kilobytes per ply on the stack.
const STACK_BYTES: usize = 16 << 20;
/// What a worker's memory takes at most, in bytes.
const WORKER_BYTES: usize = 4 << 20;
/// The deepest iteration, in plies, of a search that is over in a moment: it has to do with the
/// stack of the thread that asks for it.
const MOMENT_DEPTH: u32 = 20;
/// What is left to the rest of the program where memory ends, in bytes.
const RESERVE_BYTES: usize = 16 << 20;

impl Pool {
    /// A pool of `threads` threads around a hash table of so many MiB, which evaluate by a network
    /// or without one by hand-made terms.
    ///
    /// # Panics
    ///
    /// If the system has no memory for even the smallest table, or gives not a single thread.
    pub fn new(threads: usize, mebibytes: usize, network: Option<Arc<Network>>) -> Self {
        let (outcome_sender, outcomes) = unbounded();
        let mut pool = Self {
            shared: Arc::new(Shared::new(mebibytes)),
            threads: Vec::new(),
            outcomes,
            outcome_sender,
            clock: Arc::new(Clock::new(Budget::default(), false)),
            network,
        };
        pool.spawn(threads.max(1));
        pool.make_room(mebibytes, threads.max(1));
        pool
    }

    /// A table that could not be had whole may have taken the memory that the threads need for
    /// their stacks: then it shrinks until there are as many as wanted.
    fn make_room(&mut self, mebibytes: usize, threads: usize) {
        while self.mebibytes() < mebibytes && self.threads() < threads && self.mebibytes() > 1 {
            let less = smaller(self.mebibytes());
            self.replace_table(less);
            self.spawn(threads);
        }
        assert!(!self.threads.is_empty(), "the system gives no thread");
    }

    /// Ends the threads and puts an empty table in the place of the old one.
    fn replace_table(&mut self, mebibytes: usize) {
        self.join();
        // Free the old table first: both together may not fit.
        self.shared = Arc::new(Shared::new(1));
        self.shared = Arc::new(Shared::new(mebibytes));
    }

    /// Starts threads. A machine that cannot give so many searches with those it gives.
    fn spawn(&mut self, count: usize) {
        self.threads.clear();
        // Held until all have begun: beginning takes memory of its own.
        let reserve = MmapMut::map_anon(RESERVE_BYTES);
        for index in 0..count {
            // A worker that finds no memory ends the program, so that is tried before. Without
            // the first there is no search.
            let room = MmapMut::map_anon(STACK_BYTES + WORKER_BYTES);
            if index > 0 && (reserve.is_err() || room.is_err()) {
                break;
            }
            drop(room);
            match self.spawn_one(index) {
                Ok(thread) => self.threads.push(thread),
                Err(_) => break,
            }
        }
    }

    /// Starts a thread, and waits until it has all that it needs.
    fn spawn_one(&self, index: usize) -> io::Result<Thread> {
        let (orders, inbox) = unbounded();
        let (ready, begun) = bounded::<Infallible>(0);
        let shared = Arc::clone(&self.shared);
        let (outcomes, others) = (self.outcome_sender.clone(), self.outcomes.clone());
        let mut worker = Worker::new(shared, index == 0);
        worker.set_network(self.network.clone());
        let worker = Arc::new(Mutex::new(worker));
        let own = Arc::clone(&worker);
        let handle = thread::Builder::new()
            .name(format!("search {index}"))
            .stack_size(STACK_BYTES)
            .spawn(move || {
                drop(ready);
                serve(&inbox, &own, &outcomes, &others);
            })?;
        let _ = begun.recv();
        Ok(Thread {
            orders,
            handle: Some(handle),
            worker,
        })
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
            lock(&thread.worker).set_network(network.clone());
        }
        self.network = network;
        self.clear();
    }

    /// Forgets everything learnt. Not while a search runs.
    pub fn clear(&mut self) {
        self.shared.table.grow_young();
        let count = self.threads.len();
        let (done, answers) = bounded(count);
        for (index, thread) in self.threads.iter().enumerate() {
            let share = Share { index, count };
            let done = done.clone();
            // No thread is gone before the pool.
            let _ = thread.orders.send(Order::Forget { share, done });
        }
        drop(done);
        answers.iter().for_each(drop);
    }

    /// Starts a search. Its news, [`Report::Done`] last, come through `reports`. One that is over
    /// in a moment is done before this returns: on a busy machine no thread is woken so soon.
    pub fn start(&mut self, mut job: Job, reports: Sender<Report>) {
        let budget = Budget::new(job.limits.time, job.time);
        self.clock = Arc::new(Clock::new(budget, job.limits.ponder));
        self.shared.begin();
        let mut helpers = self.threads.len() - 1;
        if let Some(level) = job.level {
            job.limits = level.restrict(job.limits, job.game.position());
            // More threads would make it another level.
            helpers = 0;
        }
        if budget.is_a_moment() && !job.limits.ponder {
            let depth = job.limits.depth.unwrap_or(MOMENT_DEPTH);
            job.limits.depth = Some(depth.min(MOMENT_DEPTH));
            let (worker, clock) = (&self.threads[0].worker, Arc::clone(&self.clock));
            lead(worker, &job, clock, &reports, iter::empty());
            return;
        }
        let job = Arc::new(job);
        for (index, thread) in self.threads[..=helpers].iter().enumerate().rev() {
            let order = Order::Search {
                job: Arc::clone(&job),
                clock: Arc::clone(&self.clock),
                reports: (index == 0).then(|| reports.clone()),
                helpers,
            };
            let _ = thread.orders.send(order);
        }
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
        for Thread { orders, handle, .. } in self.threads.drain(..) {
            drop(orders);
            if let Some(handle) = handle {
                // With `panic = "abort"` a thread ends only by coming to its end.
                let _ = handle.join();
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.join();
    }
}

/// What a thread does all its life.
fn serve(
    inbox: &Receiver<Order>,
    worker: &Mutex<Worker>,
    outcomes: &Sender<Outcome>,
    others: &Receiver<Outcome>,
) {
    while let Ok(order) = wait_for(inbox) {
        match order {
            Order::Forget { share, done } => {
                let mut worker = lock(worker);
                worker.forget();
                worker.shared.table.clear_share(share);
                let _ = done.send(());
            }
            Order::Search {
                job,
                clock,
                reports: None,
                ..
            } => {
                let mut worker = lock(worker);
                worker.set_listener(None);
                worker.set_probing(job.probing.clone());
                let outcome = worker.run(&job.game, &job.limits, clock, job.lines);
                let _ = outcomes.send(outcome);
            }
            Order::Search {
                job,
                clock,
                reports: Some(reports),
                helpers,
            } => lead(worker, &job, clock, &reports, others.iter().take(helpers)),
        }
    }
}

/// Searches, reports, and decides between the own outcome and those of others.
fn lead(
    worker: &Mutex<Worker>,
    job: &Job,
    clock: Arc<Clock>,
    reports: &Sender<Report>,
    others: impl Iterator<Item = Outcome>,
) {
    let mut worker = lock(worker);
    let (listener, shown) = (reports.clone(), job.lines);
    worker.set_listener(Some(Box::new(move |report| {
        let extra = matches!(&report, Report::Info(info) if info.multi_pv > shown);
        if !extra {
            // Nobody listens any more: then nobody misses it.
            let _ = listener.send(report);
        }
    })));
    worker.set_probing(job.probing.clone());
    let lines = job.level.map_or(shown, |level| shown.max(level.lines()));
    let mut outcome = worker.run(&job.game, &job.limits, clock, lines);
    worker.stop_others();
    if let Some(level) = job.level
        && let Some(line) = worker.choose_line(level, &mut rand::rng())
    {
        let _ = reports.send(Report::Info(line.clone()));
        outcome.line = line;
    }
    for other in others {
        if job.lines == 1 && other.is_better_than(&outcome) {
            let _ = reports.send(Report::Info(other.line.clone()));
            outcome = other;
        }
    }
    outcome.line.nodes = worker.all_nodes();
    outcome.line.tbhits = worker.all_table_hits();
    worker.set_listener(None);
    // Whoever hears that it is done may ask for the next search.
    drop(worker);
    let _ = reports.send(Report::Done(outcome));
}

/// The worker, for as long as an order takes. Nobody else wants it meanwhile.
fn lock(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sleeps until there is an order. A plain `recv` would yield some times before, which on a busy
/// machine puts the thread behind all others just when the next order may come.
fn wait_for(inbox: &Receiver<Order>) -> Result<Order, RecvError> {
    let mut orders = Select::new();
    orders.recv(inbox);
    orders.select().recv(inbox)
}
