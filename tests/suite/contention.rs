//! Many threads on few processors, in this process, so that a sanitizer sees them all.

use crossbeam_channel::{Receiver, unbounded};
use prelate::engine::Engine;
use prelate::engine::options::Options;
use prelate::movegen::legal;
use prelate::search::{Limits, Outcome, Report};

/// What a search came to.
fn outcome(reports: &Receiver<Report>) -> Outcome {
    let done = reports.iter().find_map(|report| match report {
        Report::Done(outcome) => Some(outcome),
        _ => None,
    });
    done.expect("every search ends")
}

/// A small table, so that threads meet in it; every line that they report can be played.
#[test]
fn contention_never_yields_an_illegal_move() {
    let mut engine = Engine::new(Options {
        hash: 1,
        ..Options::default()
    });
    for threads in ["2", "8", "3", "64", "1", "16"] {
        let set = engine.set_option("Threads", Some(threads));
        assert!(set.is_ok(), "{set:?}");
        for fen in [
            None,
            Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
            Some("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
            Some("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
        ] {
            assert_eq!(engine.set_position(fen, &[]), Ok(()));
            for endless in [false, true] {
                let (sender, reports) = unbounded();
                let limits = Limits {
                    nodes: (!endless).then_some(20_000),
                    ponder: endless,
                    ..Limits::default()
                };
                engine.go(limits, sender);
                if endless {
                    engine.ponderhit();
                    engine.stop();
                }
                let outcome = outcome(&reports);
                let mut position = engine.position().clone();
                assert_eq!(outcome.best().is_none(), legal(&position).is_empty());
                for mv in outcome.line.pv {
                    assert!(legal(&position).contains(&mv), "{mv:?} in {position}");
                    position.make(mv);
                }
            }
        }
        engine.new_game();
        let set = engine.set_option("Hash", Some(if threads == "8" { "2" } else { "1" }));
        assert!(set.is_ok(), "{set:?}");
    }
}
