//! Endgames whose outcome is known better than any evaluation finds it: known wins, and material
//! that draws. This knowledge stands above every evaluation.

mod known;
pub mod kpk;
mod scale;

pub use known::known;
pub use scale::{FULL, certain, likely};
