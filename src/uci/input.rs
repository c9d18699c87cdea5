//! Standard input, read line by line on a thread of its own.

use std::io::{self, BufRead};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// Lines that may wait for the loop before reading pauses.
const WAITING: usize = 1024;

/// The lines of standard input as bytes. The channel closes at the end of input.
pub fn lines() -> Receiver<Vec<u8>> {
    let (sender, receiver) = bounded(WAITING);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(read) if read > 0 => {}
                // The end, or an error, which ends the conversation just as well.
                _ => return,
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
