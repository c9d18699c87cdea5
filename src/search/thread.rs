//! A search thread: it waits for orders and carries them out with its worker.
//!
//! The main thread leads a search: it reports, and at the end chooses between its own outcome and
//! those of the helpers. These search the same position with memories of their own; all meet in
//! the hash table (lazy SMP).

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::{io, iter};

use crossbeam_channel::{Receiver, RecvError, Select, Sender, bounded, unbounded};

use super::clock::{Clock, TimePolicy};
use super::level::Level;
use super::limits::{Limits, Probing};
use super::report::{Outcome, Report};
use super::table::Share;
use super::worker::Worker;
use crate::eval::nnue::Network;
use crate::position::Game;

/// Something to search.
#[derive(Clone, Debug)]
pub struct Job {
    pub game: Game,
    pub limits: Limits,
    /// How many lines to find (multi-PV).
    pub lines: usize,
    /// The level to play at, if not full strength.
    pub level: Option<Level>,
    /// Whether to look for sacrifices, see [`Worker::set_broad`].
    pub broad: bool,
    /// How time is to be shared out.
    pub time: TimePolicy,
    pub probing: Probing,
}

/// What a thread can be asked to do.
pub(super) enum Order {
    /// Search as the main thread: report, and decide between the outcomes.
    Lead {
        job: Arc<Job>,
        clock: Arc<Clock>,
        reports: Sender<Report>,
        /// The outcomes of the helpers; disconnected when all have sent theirs.
        outcomes: Receiver<Outcome>,
    },
    /// Search as a helper, and send the outcome.
    Help {
        job: Arc<Job>,
        clock: Arc<Clock>,
        outcome: Sender<Outcome>,
    },
    /// Forget the last game and a share of the hash table, then say so.
    Forget { share: Share, done: Sender<()> },
}

/// A running thread.
pub(super) struct Thread {
    orders: Sender<Order>,
    handle: JoinHandle<()>,
    /// Locked while an order is carried out.
    worker: Arc<Mutex<Worker>>,
}

impl Thread {
    /// The stack in bytes: each ply of a deep line takes a few kilobytes.
    pub(super) const STACK_BYTES: usize = 16 << 20;
    /// The most memory that a worker asks for, in bytes; it takes about half of it.
    pub(super) const WORKER_BYTES: usize = 6 << 20;

    /// Starts a thread, and waits until it has all the memory that it needs.
    pub(super) fn spawn(name: String, worker: Worker) -> io::Result<Self> {
        let (orders, inbox) = unbounded();
        let (ready, begun) = bounded::<Infallible>(0);
        let worker = Arc::new(Mutex::new(worker));
        let own = Arc::clone(&worker);
        let handle = thread::Builder::new()
            .name(name)
            .stack_size(Self::STACK_BYTES)
            .spawn(move || {
                drop(ready);
                serve(&inbox, &own);
            })?;
        let _ = begun.recv();
        Ok(Self {
            orders,
            handle,
            worker,
        })
    }

    /// Gives an order, which is carried out after those before.
    pub(super) fn order(&self, order: Order) {
        // A thread takes orders until the pool lets it go.
        let _ = self.orders.send(order);
    }

    /// Evaluates by another network, or without one by hand-made terms, once its orders are done.
    pub(super) fn set_network(&self, network: Option<Arc<Network>>) {
        lock(&self.worker).set_network(network);
    }

    /// Leads a search without helpers on the calling thread instead.
    pub(super) fn lead_here(&self, job: &Job, clock: Arc<Clock>, reports: &Sender<Report>) {
        lead(&self.worker, job, clock, reports, iter::empty());
    }

    /// Waits for the end of the last order, and of the thread.
    pub(super) fn join(self) {
        drop(self.orders);
        // With `panic = "abort"` a thread cannot fail.
        let _ = self.handle.join();
    }
}

/// What a thread does all its life.
fn serve(inbox: &Receiver<Order>, worker: &Mutex<Worker>) {
    while let Ok(order) = wait_for(inbox) {
        match order {
            Order::Lead {
                job,
                clock,
                reports,
                outcomes,
            } => lead(worker, &job, clock, &reports, outcomes.iter()),
            Order::Help {
                job,
                clock,
                outcome,
            } => {
                let mut worker = lock(worker);
                worker.set_listener(None);
                worker.set_probing(job.probing.clone());
                worker.set_broad(job.broad);
                let _ = outcome.send(worker.run(&job.game, &job.limits, clock, job.lines));
            }
            Order::Forget { share, done } => {
                let mut worker = lock(worker);
                worker.forget();
                worker.shared.table.clear_share(share);
                let _ = done.send(());
            }
        }
    }
}

/// Searches and reports, then decides between the own outcome and those of the helpers.
fn lead(
    worker: &Mutex<Worker>,
    job: &Job,
    clock: Arc<Clock>,
    reports: &Sender<Report>,
    helpers: impl Iterator<Item = Outcome>,
) {
    let mut worker = lock(worker);
    let (listener, shown) = (reports.clone(), job.lines);
    worker.set_listener(Some(Box::new(move |report| {
        // A level may search more lines than were asked for.
        let extra = matches!(&report, Report::Info(info) if info.multi_pv > shown);
        if !extra {
            // It does not matter if nobody listens any more.
            let _ = listener.send(report);
        }
    })));
    worker.set_probing(job.probing.clone());
    worker.set_broad(job.broad);
    let lines = job.level.map_or(shown, |level| shown.max(level.lines()));
    let mut outcome = worker.run(&job.game, &job.limits, clock, lines);
    worker.stop_others();
    if let Some(level) = job.level
        && let Some((rank, lines)) = worker.choose_line(level, &mut rand::rng())
    {
        // The best line has been reported as the first one already.
        let news = if rank == 0 { 0 } else { shown };
        for line in lines.iter().take(news) {
            let _ = reports.send(Report::Info(line.clone()));
        }
        outcome.line.clone_from(&lines[0]);
    }
    for other in helpers {
        if job.lines == 1 && other.is_better_than(&outcome) {
            let _ = reports.send(Report::Info(other.line.clone()));
            outcome = other;
        }
    }
    outcome.line.nodes = worker.all_nodes();
    outcome.line.tbhits = worker.all_table_hits();
    worker.set_listener(None);
    // The worker must be free before anybody hears that the search is done and starts another.
    drop(worker);
    let _ = reports.send(Report::Done(outcome));
}

/// The worker, for as long as an order takes. Nobody else needs it meanwhile.
fn lock(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sleeps until there is an order. A plain `recv` would yield a few times first, and on a busy
/// machine that puts the thread behind all others just when an order may come.
fn wait_for(inbox: &Receiver<Order>) -> Result<Order, RecvError> {
    let mut orders = Select::new();
    orders.recv(inbox);
    orders.select().recv(inbox)
}
