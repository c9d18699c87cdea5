//! Floor 3: legal moves, what they are called, what they win in exchanges (SEE), and how many there are.

mod checks;
mod generate;
mod legality;
pub mod notation;
pub mod perft;
mod see;
mod splat;

pub use checks::Checks;
pub use generate::{count, legal, noisy, quiets};
pub use see::{role_value, see_at_least};
