//! The course of a training, and its picture.

use std::fmt::Write;

/// A look at the loss on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Samples learnt from until then.
    pub samples: u64,
    /// The mean loss of the training since the point before.
    pub train: f32,
    /// The mean loss on the samples held out.
    pub held_out: f32,
}

const WIDTH: f32 = 720.0;
const HEIGHT: f32 = 400.0;
const LEFT: f32 = 80.0;
const TOP: f32 = 30.0;
const INNER_WIDTH: f32 = WIDTH - LEFT - 20.0;
const INNER_HEIGHT: f32 = HEIGHT - TOP - 50.0;
const LINES: u32 = 5;

/// The losses over the samples, as an SVG picture.
pub fn svg(title: &str, points: &[Point]) -> String {
    let losses = || {
        points
            .iter()
            .flat_map(|point| [point.train, point.held_out])
    };
    let finite = || losses().filter(|loss| loss.is_finite());
    let low = finite().fold(f32::INFINITY, f32::min).min(1.0) * 0.99;
    // The first points are far above all others: they would make a flat line of these.
    let start = points.len().min(3).min(points.len() / 4);
    let high = points[start..]
        .iter()
        .flat_map(|point| [point.train, point.held_out])
        .filter(|loss| loss.is_finite())
        .fold(low * 1.02, f32::max)
        * 1.01;
    let samples = points.last().map_or(1, |point| point.samples).max(1);
    let x = |count: u64| LEFT + INNER_WIDTH * (count as f64 / samples as f64) as f32;
    let y = |loss: f32| TOP + INNER_HEIGHT * ((high - loss) / (high - low)).clamp(0.0, 1.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\">{}</text>\n",
        escaped(title)
    );
    for line in 0..=LINES {
        let part = line as f32 / LINES as f32;
        let loss = low + (high - low) * part;
        let (height, right) = (y(loss), LEFT + INNER_WIDTH);
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {height:.1}H{right}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.5}</text>",
            LEFT - 6.0,
            height + 4.0
        );
        let count = (samples as f64 * f64::from(part)) as u64;
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.1}</text>",
            x(count),
            TOP + INNER_HEIGHT + 18.0,
            count as f64 / 1e6
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">million samples</text>",
        LEFT + INNER_WIDTH / 2.0,
        HEIGHT - 12.0
    );
    type Series = (&'static str, &'static str, fn(&Point) -> f32);
    let series: [Series; 2] = [
        ("training", "#1f77b4", |point| point.train),
        ("held out", "#d62728", |point| point.held_out),
    ];
    for (index, (name, color, loss)) in series.into_iter().enumerate() {
        let line: Vec<String> = points
            .iter()
            .filter(|point| loss(point).is_finite())
            .map(|point| format!("{:.1},{:.1}", x(point.samples), y(loss(point))))
            .collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\" text-anchor=\"end\">{name}</text>",
            line.join(" "),
            LEFT + INNER_WIDTH,
            TOP + 14.0 * (index + 1) as f32
        );
    }
    text += "</svg>\n";
    text
}

/// Text that may stand between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
