//! One thread and a fixed number of nodes: the same search again, to the last line.

use super::driver::Driver;

/// The lines of a search without what depends on the clock.
fn story(lines: Vec<String>) -> Vec<String> {
    let timeless = |line: String| {
        let mut words = line.split(' ');
        let mut kept = Vec::new();
        while let Some(word) = words.next() {
            if matches!(word, "nps" | "time") {
                words.next();
            } else {
                kept.push(word);
            }
        }
        kept.join(" ")
    };
    let play = lines
        .into_iter()
        .filter(|line| !line.contains(" currmove "));
    play.map(timeless).collect()
}

/// A game of the engine against itself, all that was said in it.
fn game(driver: &mut Driver) -> Vec<String> {
    let mut said = Vec::new();
    let mut line = "position startpos moves".to_owned();
    for _ in 0..50 {
        driver.send(&line);
        let lines = driver.go("go nodes 4000");
        let answer = lines.last().and_then(|line| line.split(' ').nth(1));
        line += &format!(" {}", answer.unwrap_or_default());
        said.extend(story(lines));
    }
    said
}

#[test]
fn games_repeat() {
    let mut first = Driver::start();
    let said = game(&mut first);
    for forget in ["ucinewgame", "setoption name Clear Hash"] {
        first.send(forget);
        assert_eq!(game(&mut first), said, "after {forget}");
    }
    first.quit();
    let mut second = Driver::start();
    assert_eq!(game(&mut second), said);
    second.quit();
}

#[test]
fn changed_sizes_leave_no_trace() {
    let mut driver = Driver::start();
    let search = |driver: &mut Driver| story(driver.go("go depth 9"));
    let said = search(&mut driver);
    for detour in [
        "setoption name Hash value 3",
        "setoption name Threads value 4",
        "setoption name MultiPV value 3",
    ] {
        driver.send(detour);
        driver.go("go depth 6");
        driver.send("setoption name Hash value 16");
        driver.send("setoption name Threads value 1");
        driver.send("setoption name MultiPV value 1");
        driver.send("ucinewgame");
        assert_eq!(search(&mut driver), said, "{detour}");
    }
    driver.quit();
}
