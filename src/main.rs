use std::time::Instant;
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    for fen in [
        prelate::position::STARTPOS,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let mut p: prelate::position::Position = fen.parse().unwrap();
        let t = Instant::now();
        let n = prelate::movegen::perft::perft(&mut p, d);
        println!("{n} {:.1} Mnps", n as f64 / t.elapsed().as_secs_f64() / 1e6);
    }
}
