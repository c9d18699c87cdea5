//! Floor 6: finding the best move. `alpha_beta` is the table of contents.
//!
//! A [`Pool`] of threads runs one [`Worker`] each. A worker deepens iteration by iteration
//! (`deepen`), searches nodes (`alpha_beta`), resolves captures at the leaves (`quiesce`) and
//! learns as it goes (`learning`, `history`, `correction`). The workers share one hash `table`.

mod alpha_beta;
mod clock;
mod correction;
mod deepen;
mod entry;
mod extension;
mod history;
mod late_move;
mod learning;
mod level;
mod limits;
mod mate;
mod node;
pub mod parameters;
mod picker;
mod pool;
mod prefetch;
mod probing;
mod progress;
mod pruning;
mod quiesce;
mod reduction;
mod report;
mod root;
mod slot;
mod stack;
mod table;
mod thread;
mod variation;
mod vote;
mod worker;

pub use clock::TimePolicy;
pub use level::Level;
pub use limits::{ClockTime, Limits, Probing, TimeLimit};
pub use pool::Pool;
pub use report::{Bound, Info, Outcome, Report};
pub use table::Table;
pub use thread::Job;
pub use worker::{Shared, Worker};

/// The search was told to stop; what it was computing is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;
