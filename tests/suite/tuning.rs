//! A build to tune the search: its parameters as options, and their list for a tuner.

use prelate::search::parameters::{Parameter, TABLE};

use super::driver::{Driver, number, prelate};

/// Nodes of a search that remembers nothing.
fn nodes(driver: &mut Driver, go: &str) -> Option<i64> {
    driver.send("ucinewgame");
    let lines = driver.go(go);
    number(lines.iter().rev().nth(1)?, "nodes")
}

fn set(driver: &mut Driver, name: &str, value: i32) -> Vec<String> {
    driver.ask(&format!("setoption name {name} value {value}"))
}

#[test]
fn every_parameter_is_an_option_after_the_others() {
    let mut driver = Driver::start();
    driver.send("uci");
    let lines = driver.until(|line| line == "uciok");
    let is_option = |line: &&String| line.starts_with("option ");
    let options: Vec<_> = lines.iter().filter(is_option).collect();
    let parameters = &options[options.len() - TABLE.len()..];
    for (line, parameter) in parameters.iter().zip(TABLE) {
        let (low, high) = (parameter.range.start(), parameter.range.end());
        let expected = format!(
            "option name {} type spin default {} min {low} max {high}",
            parameter.name, parameter.default
        );
        assert_eq!(**line, expected);
    }
    driver.quit();
}

/// Of the tables that are made of parameters, too.
#[test]
fn a_search_follows_its_parameters() {
    let go = "go depth 8";
    let mut driver = Driver::start();
    let before = nodes(&mut driver, go);
    for name in ["reduction_quiet_log", "reverse_futility_margin"] {
        let parameter = TABLE.iter().find(|parameter| parameter.name == name);
        let parameter = parameter.expect("a parameter of this name");
        assert!(set(&mut driver, name, *parameter.range.start()).is_empty());
        assert_ne!(nodes(&mut driver, go), before, "{name}");
        assert!(set(&mut driver, name, parameter.default).is_empty());
        assert_eq!(nodes(&mut driver, go), before, "{name}");
    }
    driver.quit();
}

/// Values out of range are refused; those at either end, far out as they may be, are played with.
#[test]
fn the_ends_of_every_range() {
    let mut driver = Driver::start();
    driver
        .send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for parameter in TABLE {
        let (low, high) = (*parameter.range.start(), *parameter.range.end());
        for (end, outside) in [(low, low - 1), (high, high + 1)] {
            let refusal = format!(
                "info string option '{}' takes a whole number from {low} to {high}, not '{outside}'",
                parameter.name
            );
            assert_eq!(set(&mut driver, parameter.name, outside), [refusal]);
            assert!(set(&mut driver, parameter.name, end).is_empty());
            assert!(nodes(&mut driver, "go nodes 3000").is_some());
        }
        assert!(set(&mut driver, parameter.name, parameter.default).is_empty());
    }
    let ends: [fn(&Parameter) -> &i32; 2] = [|p| p.range.start(), |p| p.range.end()];
    for end in ends {
        for parameter in TABLE {
            assert!(set(&mut driver, parameter.name, *end(parameter)).is_empty());
        }
        assert!(nodes(&mut driver, "go nodes 20000").is_some());
    }
    driver.quit();
}

#[test]
fn the_list_for_a_tuner() {
    let (mut command, folder) = prelate();
    let output = command.arg("parameters").output().expect("the binary runs");
    std::fs::remove_dir_all(folder).expect("the folder is there");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), TABLE.len());
    for (line, parameter) in text.lines().zip(TABLE) {
        let (low, high) = (parameter.range.start(), parameter.range.end());
        let expected = format!(
            "{}, int, {}, {low}, {high}, {}, 0.002",
            parameter.name, parameter.default, parameter.step
        );
        assert_eq!(line, expected);
    }
}
