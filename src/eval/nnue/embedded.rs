//! The network that is part of the program.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::network::Network;

/// Its file. Beside it lies its recipe, whose hash is in it.
static FILE: &Even<[u8]> = &Even(*include_bytes!("prelate.nnue"));

/// A file at an even address, whose weights are read where they lie.
#[repr(align(2))]
struct Even<File: ?Sized>(File);

/// The network that is part of the program: one for all who use it, gone when nobody does.
pub fn embedded() -> Arc<Network> {
    static NETWORK: Mutex<Weak<Network>> = Mutex::new(Weak::new());
    let mut shared = NETWORK.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let network = Network::parse(&FILE.0).expect("a test reads the file that is built in");
        let network = Arc::new(network);
        *shared = Arc::downgrade(&network);
        network
    })
}
