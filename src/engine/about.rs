//! What the engine is called.

/// The name and version Prelate goes by.
pub const NAME: &str = concat!("Prelate ", env!("CARGO_PKG_VERSION"));
