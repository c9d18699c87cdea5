//! How much memory the engine takes: `Hash` and little more, however long it plays.
#![cfg(target_os = "linux")]

use std::{fs, process};

use super::driver::{Driver, number, prelate};
use super::network::network_file;

/// What the README states, in KiB: besides the hash table (there with 8 MiB for the program's own
/// file), and for each thread but the first.
const BESIDES: usize = 11 << 10;
const PER_THREAD: usize = 4 << 10;

#[test]
fn memory_is_the_hash_table_and_little_more() {
    for (hash, threads) in [(1, 1), (16, 1), (64, 1), (1, 8), (32, 4)] {
        let mut driver = Driver::start();
        driver.send(&format!("setoption name Hash value {hash}"));
        driver.send(&format!("setoption name Threads value {threads}"));
        driver.go("go nodes 30000");
        driver.ask("ucinewgame");
        let most = (hash << 10) + BESIDES + (threads - 1) * PER_THREAD;
        let memory = driver.memory();
        assert!(
            memory <= most,
            "{memory} KiB with {hash} MiB and {threads} threads"
        );
        driver.quit();
    }
}

/// A network comes on top with the size of its file: all threads share it, and a thread's sums are
/// not much.
#[test]
fn memory_with_a_large_network() {
    for threads in [1, 8] {
        let (command, folder) = prelate();
        let file = network_file(&folder, 512, 8);
        let mut driver = Driver::spawn(command, folder);
        driver.send("setoption name Hash value 1");
        driver.send(&format!("setoption name Threads value {threads}"));
        driver.send(&format!("setoption name EvalFile value {}", file.display()));
        driver.go("go nodes 30000");
        let network = fs::metadata(&file).expect("the network").len() as usize >> 10;
        let most = (1 << 10) + network + BESIDES + (threads - 1) * PER_THREAD;
        let memory = driver.memory();
        assert!(memory < most, "{memory} KiB with {threads} threads");
        driver.quit();
    }
}

#[test]
fn memory_does_not_grow() {
    let mut driver = Driver::start();
    driver.send("setoption name Hash value 1");
    let mut rounds = |count: usize| {
        for _ in 0..count {
            (0..100).for_each(|_| driver.send("ucinewgame"));
            driver.send("position startpos moves e2e4 e7e5");
            driver.go("go nodes 500");
            driver.ask("uci");
        }
        driver.memory()
    };
    let before = rounds(20);
    let after = rounds(80);
    assert!(after <= before + 256, "{before} KiB became {after} KiB");
    driver.quit();
}

/// A table costs nothing before it is used.
#[test]
fn a_large_table_costs_nothing_before_it_is_used() {
    let mut driver = Driver::start();
    driver.ask("setoption name Hash value 4096");
    let memory = driver.memory();
    assert!(memory <= BESIDES, "{memory} KiB");
    driver.quit();
}

/// A table of any usual size has its memory before the clock starts.
#[test]
fn a_table_is_ready_before_a_game() {
    let mut driver = Driver::start();
    for mebibytes in [64, 512] {
        driver.send(&format!("setoption name Hash value {mebibytes}"));
        driver.ask("ucinewgame");
        let memory = driver.memory();
        assert!(memory >= mebibytes << 10, "{memory} KiB of {mebibytes} MiB");
    }
    driver.quit();
}

/// A driver of an engine that gets so much address space, in KiB.
fn within(limit: usize) -> Driver {
    let (engine, folder) = prelate();
    let mut command = process::Command::new("sh");
    let script = format!("ulimit -v {limit} && exec \"$0\"");
    command.args(["-c", &script]).arg(engine.get_program());
    command.current_dir(&folder).env_remove("PRELATE_CONFIG");
    Driver::spawn(command, folder)
}

/// Where memory is short the table is as large as it can be, which is said once.
#[test]
fn hash_that_is_not_available() {
    let mut driver = within(600_000);
    let said = driver.ask("setoption name Hash value 65536");
    let [complaint] = &said[..] else {
        panic!("{said:?}")
    };
    let size: usize = complaint
        .strip_prefix("info string Hash: 65536 MiB is not available, using ")
        .and_then(|rest| rest.strip_suffix(" MiB")?.parse().ok())
        .expect("a size");
    assert!((300..586).contains(&size), "{complaint}");
    assert_eq!(
        driver.ask("setoption name Threads value 2"),
        <[&str; 0]>::default()
    );
    driver.go("go depth 6");
    assert_eq!(
        driver.ask("setoption name Hash value 16"),
        <[&str; 0]>::default()
    );
    driver.quit();
}

/// Where threads are short there are as many as possible, which is said once.
#[test]
fn threads_that_are_not_available() {
    for limit in [200_000, 300_000, 600_000, 1_500_000, 3_000_000] {
        let mut driver = within(limit);
        let said = driver.ask("setoption name Threads value 1000");
        let [complaint] = &said[..] else {
            panic!("{said:?}")
        };
        let start = "info string Threads: 1000 are not available, using ";
        assert!(complaint.starts_with(start), "{complaint}");
        let lines = driver.go("go nodes 20000");
        assert!(number(&lines[lines.len() - 2], "nodes").is_some());
        assert_eq!(
            driver.ask("setoption name MultiPV value 3"),
            <[&str; 0]>::default()
        );
        driver.go("go depth 5");
        assert_eq!(
            driver.ask("setoption name Threads value 1"),
            <[&str; 0]>::default()
        );
        driver.go("go depth 5");
        driver.quit();
    }
}
