//! The network that is part of the program.

use std::sync::{Arc, LazyLock};

use super::network::Network;

/// Its file, as in `Some(include_bytes!("prelate.nnue"))`.
const FILE: Option<&[u8]> = None;

/// The network that is part of the program, if there is one.
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
        let network = Network::parse(FILE?).expect("the file is tested before it is built in");
        Some(Arc::new(network))
    });
    NETWORK.clone()
}
