//! The news of a search for people on a terminal: a row for each depth, moves as players write
//! them, numbers with units, colours.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};

use crate::engine::Wdl;
use crate::movegen::notation::san;
use crate::position::Position;
use crate::search::{Bound, Info, Outcome};
use crate::types::{Color, Move, Score};

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// From here on a score in centipawns is good or bad news for White.
const NEWS: i32 = 50;

/// How wide a line may be where the terminal does not tell.
const WIDTH: usize = 80;
/// From this width on there is room for the chances of both sides.
const WITH_CHANCES: usize = 100;
/// From this width on there is room for the speed, too.
const WITH_SPEED: usize = 115;

/// The letters that fit in a line of the terminal.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0))
}

/// What stands above the rows.
pub fn heading(width: usize) -> String {
    let mut text = String::from("  depth   score");
    let mut what = "score is";
    if width >= WITH_CHANCES {
        text += "    win draw loss";
        what = "score and chances are";
    }
    text += "   nodes";
    if width >= WITH_SPEED {
        text += "      speed";
    }
    format!("{DIM}{text}      time  line ({what} White's){DIM:#}")
}

/// One row: a line of play with its score. `several` if more than one line is searched.
pub fn row(info: &Info, position: &Position, several: bool, width: usize) -> String {
    let color = position.side();
    let score = if color == Color::White {
        info.score
    } else {
        -info.score
    };
    let style = if score.0 >= NEWS {
        GOOD
    } else if score.0 <= -NEWS {
        BAD
    } else {
        BOLD
    };
    let (depth, value) = (depth(info), value(score, info.bound, color));
    let mut facts = String::new();
    if width >= WITH_CHANCES {
        let own = Wdl::of(info, position.board());
        facts += "   ";
        facts += &chances(match color {
            Color::White => own,
            Color::Black => own.for_opponent(),
        });
    }
    facts += &format!(" {:>7}", amount(info.nodes));
    if width >= WITH_SPEED {
        facts += &format!(" {:>10}", format!("{}/s", amount(info.nps())));
    }
    facts += &format!(" {:>9}", span(info.time));
    let rank = if several {
        format!("({}) ", info.multi_pv)
    } else {
        String::new()
    };
    let used = format!("{depth} {value}{facts}  {rank}").chars().count();
    let play = line_of_play(position, &info.pv, width.saturating_sub(used));
    format!("{DIM}{depth}{DIM:#} {style}{value}{style:#}{DIM}{facts}{DIM:#}  {rank}{play}")
}

/// The move to play, and the answer it expects.
pub fn best_move(outcome: &Outcome, position: &Position) -> String {
    let Some(best) = outcome.best() else {
        return format!("{BOLD}No legal move.{BOLD:#}");
    };
    let mut text = format!("{BOLD}Best move: {}{BOLD:#}", san(position, best));
    if let Some(answer) = outcome.ponder() {
        let mut after = position.clone();
        after.make(best);
        text += &format!(", expecting {}", san(&after, answer));
    }
    text
}

/// Depth and deepest line, as in `12/19`.
fn depth(info: &Info) -> String {
    format!("{:>3}/{:<3}", info.depth, info.seldepth)
}

/// A score of White in pawns, `#3` for a mate in three, and a sign if it is only a bound.
fn value(score: Score, bound: Bound, color: Color) -> String {
    let sign = match (bound, color) {
        (Bound::Exact, _) => "",
        // What is at least so good for Black is at most so good for White.
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "≥",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "≤",
    };
    let number = match score.mate_in() {
        Some(moves @ ..=-1) => format!("-#{}", -moves),
        Some(moves) => format!("#{moves}"),
        None => format!("{:+.2}", f64::from(score.0) / 100.0),
    };
    format!("{:>7}", format!("{sign}{number}"))
}

/// The chances to win, draw and lose in percent.
fn chances(wdl: Wdl) -> String {
    let percent = |permille: u32| format!("{:>3}%", (permille + 5) / 10);
    let [win, draw, loss] = [wdl.win, wdl.draw, wdl.loss].map(percent);
    format!("{win} {draw} {loss}")
}

/// A count with three digits and a unit: `950`, `12.3 k`, `4.56 M`.
fn amount(count: u64) -> String {
    let mut value = count as f64;
    if count < 1000 {
        return format!("{count}  ");
    }
    let mut unit = ' ';
    for next in ['k', 'M', 'G', 'T', 'P'] {
        value /= 1000.0;
        unit = next;
        if value < 999.5 {
            break;
        }
    }
    let digits = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// Time as a person would say it: `35 ms`, `4.21 s`, `2:05 min`, `1:02:05 h`.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) if seconds == 0 => format!("{} ms", time.as_millis()),
        (0, 0) => format!("{:.2} s", time.as_secs_f64()),
        (0, _) => format!("{minutes}:{:02} min", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02} h", seconds % 60),
    }
}

/// Moves with their numbers, as many as fit in `room` letters; three points stand for the rest.
fn line_of_play(position: &Position, moves: &[Move], room: usize) -> String {
    const MORE: &str = " ...";
    let mut position = position.clone();
    let mut text = String::new();
    for (index, &mv) in moves.iter().enumerate() {
        let mut word = String::new();
        let number = position.state().fullmoves;
        // A string takes all text.
        let _ = match position.side() {
            Color::White => write!(word, "{number}. "),
            Color::Black if index == 0 => write!(word, "{number}... "),
            Color::Black => Ok(()),
        };
        word += &san(&position, mv);
        let last = index + 1 == moves.len();
        let needed = text.len() + 1 + word.len() + if last { 0 } else { MORE.len() };
        // The first move is shown in any case.
        if index > 0 && needed > room {
            return text + MORE;
        }
        if index > 0 {
            text.push(' ');
        }
        text += &word;
        position.make(mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units() {
        for (count, text) in [
            (0, "0  "),
            (999, "999  "),
            (1_000, "1.00 k"),
            (12_345, "12.3 k"),
            (999_499, "999 k"),
            (999_999, "1.00 M"),
            (4_561_000, "4.56 M"),
            (7_000_000_000, "7.00 G"),
        ] {
            assert_eq!(amount(count), text);
        }
        for (seconds, text) in [
            (0.035, "35 ms"),
            (4.21, "4.21 s"),
            (125.0, "2:05 min"),
            (3725.0, "1:02:05 h"),
        ] {
            assert_eq!(span(Duration::from_secs_f64(seconds)), text);
        }
    }

    #[test]
    fn scores_are_white_s() {
        for (score, bound, color, text) in [
            (Score(35), Bound::Exact, Color::White, "+0.35"),
            (Score(-120), Bound::Lower, Color::White, "≥-1.20"),
            (Score(-120), Bound::Lower, Color::Black, "≤-1.20"),
            (Score::mating(5), Bound::Exact, Color::White, "#3"),
            (Score::mated(4), Bound::Exact, Color::White, "-#2"),
        ] {
            assert_eq!(value(score, bound, color).trim(), text);
        }
    }

    /// Ordinary terminals show five moves of a line, and wide ones more facts.
    #[test]
    fn rows_fit_and_show_five_moves() {
        let position: Position =
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 10"
                .parse()
                .unwrap();
        let mut game = position.clone();
        let mut pv = Vec::new();
        for text in ["cxd5", "Nxd5", "Nxd5", "Qxd5", "Bd3", "Nxd4", "Nxd4"] {
            let mv = crate::movegen::notation::parse_san(&game, text).unwrap();
            game.make(mv);
            pv.push(mv);
        }
        let info = Info {
            depth: 24,
            seldepth: 35,
            multi_pv: 3,
            score: Score(-1234),
            bound: Bound::Upper,
            certain: false,
            nodes: 123_456_789,
            time: Duration::from_secs(3725),
            hashfull: 0,
            tbhits: 0,
            pv,
        };
        for width in [80, 99, 100, 114, 115, 200] {
            let text =
                anstream::adapter::strip_str(&row(&info, &position, true, width)).to_string();
            assert!(text.chars().count() <= width, "{text}");
            assert!(
                text.contains("10. cxd5 Nxd5 11. Nxd5 Qxd5 12. Bd3"),
                "{text}"
            );
            assert_eq!(text.contains('%'), width >= 100, "{text}");
            assert_eq!(text.contains("/s"), width >= 115, "{text}");
            let heading = anstream::adapter::strip_str(&heading(width)).to_string();
            assert!(heading.chars().count() <= width, "{heading}");
            // The line of play begins below its heading.
            let column = |row: &str, word| row.split(word).next().map(|left| left.chars().count());
            assert_eq!(
                column(&heading, "line"),
                column(&text, "(3)"),
                "{heading}\n{text}"
            );
        }
    }

    #[test]
    fn lines_fit() {
        let position: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7".parse().unwrap();
        let mut game = position.clone();
        let mut moves = Vec::new();
        for text in ["e8d7", "e2e4", "d7d6"] {
            let mv = crate::movegen::notation::parse_uci(&game, text).unwrap();
            game.make(mv);
            moves.push(mv);
        }
        let text = |room| line_of_play(&position, &moves, room);
        assert_eq!(text(80), "7... Kd7 8. e4 Kd6");
        assert_eq!(text(18), "7... Kd7 8. e4 Kd6");
        assert_eq!(text(17), "7... Kd7 ...");
        assert_eq!(text(0), "7... Kd7 ...");
    }
}
