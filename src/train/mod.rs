//! Floor 6, beside the search: how a network learns from games.
//!
//! `data` reads games (`viriformat`) and keeps their quiet positions as samples (`sample`), which
//! `pool` deals out in a random order. `gradient` passes them through the network in floating
//! point (`model`; `deep` through its further layers), `optimiser` moves its weights at the rate that `schedule` says, and `quantise`
//! makes of them the network that plays. `checkpoint` keeps a training that is to go on later.

pub mod checkpoint;
pub mod curve;
pub mod data;
pub mod deep;
pub mod gradient;
pub mod lane;
pub mod minimum;
pub mod model;
pub mod optimiser;
pub mod plain;
pub mod pool;
pub mod quantise;
pub mod random;
pub mod sample;
pub mod schedule;
pub mod viriformat;
