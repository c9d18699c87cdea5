//! The network that is part of the program.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::file::HEAD;
use super::network::{Block, Network};

/// Its file. Beside it lies its recipe, whose hash is in it.
static FILE: &Aligned<[u8]> = &Aligned {
    before: [0; BEFORE],
    file: *include_bytes!("prelate.nnue"),
};

/// A file whose head ends where a [`Block`] may begin: the weights after it, which are most of
/// the program's own file, need no copy.
#[repr(C, align(64))]
struct Aligned<File: ?Sized> {
    before: [u8; BEFORE],
    file: File,
}

const BEFORE: usize = HEAD.next_multiple_of(size_of::<Block>()) - HEAD;
const _: () = assert!(align_of::<Aligned<[u8; 0]>>() == align_of::<Block>());

/// The network that is part of the program: one for all who use it, gone when nobody does.
pub fn embedded() -> Arc<Network> {
    static NETWORK: Mutex<Weak<Network>> = Mutex::new(Weak::new());
    let mut shared = NETWORK.lock().unwrap_or_else(PoisonError::into_inner);
    shared.upgrade().unwrap_or_else(|| {
        let network =
            Network::parse_in_place(&FILE.file).expect("a test reads the file that is built in");
        let network = Arc::new(network);
        *shared = Arc::downgrade(&network);
        network
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_not_copied() {
        let network = embedded();
        let first = network.hidden_weights(0).as_ptr().cast();
        assert!(FILE.file.as_ptr_range().contains(&first));
    }
}
