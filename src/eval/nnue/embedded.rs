//! The network that is part of the program.

use std::sync::{Arc, LazyLock};

use super::network::Network;

/// Its file. Beside it lies its recipe, whose hash is in it.
const FILE: &[u8] = include_bytes!("prelate.nnue");

/// The network that is part of the program.
pub fn embedded() -> Arc<Network> {
    static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
        let network = Network::parse(FILE).expect("a test reads the file that is built in");
        Arc::new(network)
    });
    Arc::clone(&NETWORK)
}
