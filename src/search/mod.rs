//! Floor 6: finding the best move. Begin with `alpha_beta`, which shows a node step by step.
//!
//! A [`Pool`] of threads (`thread`) runs one [`Worker`] each. Every worker deepens iteratively with
//! aspiration windows (`deepen`) and searches nodes by principal variation search (`alpha_beta`,
//! `late_move`) down to quiescence search (`quiesce`). It makes its moves through `variation`, tries
//! them in the order of `picker`, and learns from their results (`learning`, `history`,
//! `correction`). What only the root does is in `root_node`. Endgame tables are asked below the root
//! (`probing`) and there (`root_probing`). All workers share the hash table, or transposition table
//! (`table`). The main thread manages time (`clock`), reports (`progress`) and chooses between the
//! outcomes of all threads at the end (`vote`).

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
mod ranked;
mod reduction;
mod report;
mod root;
mod root_node;
mod root_probing;
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
pub use variation::EvaluationListener;
pub use worker::{Shared, Worker};

/// The search was told to stop; what it was computing is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;
