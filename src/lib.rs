//! Prelate.
