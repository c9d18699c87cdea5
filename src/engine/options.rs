//! The UCI options: one table that declares, prints, checks and applies them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::LazyLock;
use std::time::Duration;

use thiserror::Error;

use super::about::NAME;
use super::network::NetworkRefused;
use crate::search::Level;
use crate::search::parameters::{self, Parameter};

/// Sizes that the hash table can be asked to have, in MiB. How much of that there is, the machine
/// decides.
pub const MEBIBYTES: RangeInclusive<i64> = 1..=33_554_432;
/// How many threads can be asked for.
pub const THREADS: RangeInclusive<i64> = 1..=1024;

/// Turns the list below into [`Options`], their defaults and [`TABLE`], so that each fact about an
/// option is declared once. The comment above an option is also its help.
macro_rules! options {
    (
        settings { $(
            #[doc = $help:literal]
            $field:ident: $type:ty = $name:literal $kind:ident $default:expr $(, $range:expr)?
                => $effect:ident;
        )* }
        notes { $(
            #[doc = $about:literal]
            $note:literal = $text:expr;
        )* }
        buttons { $(
            #[doc = $what:literal]
            $button:literal => $press:ident;
        )* }
    ) => {
        /// The value of every option, as the rest of the engine reads it.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Options { $(
            #[doc = concat!(
                $help, "\n\nUCI option `", $name, "`, default ", stringify!($default),
                $(", range ", stringify!($range),)? "."
            )]
            pub $field: $type,
        )* }

        impl Default for Options {
            fn default() -> Self {
                Self { $( $field: Field::from_wire($default.into()), )* }
            }
        }

        /// Every option, in the order in which `uci` lists them.
        pub static TABLE: &[Spec] = &[
            $( Spec {
                name: $name,
                kind: options!(@ $kind $field $($range)?),
                effect: Effect::$effect,
                help: $help.trim_ascii_start(),
            }, )*
            $( Spec {
                name: $note,
                kind: Kind::Note($text),
                effect: Effect::None,
                help: $about.trim_ascii_start(),
            }, )*
            $( Spec {
                name: $button,
                kind: Kind::Button,
                effect: Effect::$press,
                help: $what.trim_ascii_start(),
            }, )*
        ];
    };
    (@ check $field:ident) => {
        Kind::Check { get: |o| o.$field.to_wire(), set: |o, v| o.$field = Field::from_wire(v) }
    };
    (@ spin $field:ident $range:expr) => {
        Kind::Spin {
            range: $range,
            get: |o| o.$field.to_wire(),
            set: |o, v| o.$field = Field::from_wire(v),
        }
    };
    (@ string $field:ident) => {
        Kind::String { get: |o| o.$field.to_wire(), set: |o, v| o.$field = Field::from_wire(v) }
    };
}

options! {
    settings {
        /// Size of the hash table in MiB, as far as the machine has the memory.
        hash: usize = "Hash" spin 16, MEBIBYTES => ResizeHash;
        /// Number of threads that search.
        threads: usize = "Threads" spin 1, THREADS => SetThreads;
        /// Communication delay in milliseconds that is kept back on each move.
        move_overhead: Duration = "Move Overhead" spin 10, 0..=5000 => None;
        /// Number of best lines to search and show.
        multi_pv: usize = "MultiPV" spin 1, 1..=500 => None;
        /// Allows thinking in the opponent's time; each move then gets a quarter more time.
        ponder: bool = "Ponder" check false => None;
        /// Reads and writes castling as the king taking its own rook.
        chess960: bool = "UCI_Chess960" check false => None;
        /// Adds the chances to win, draw and lose to each score, in permille.
        show_wdl: bool = "UCI_ShowWDL" check false => None;
        /// Plays like a weaker player rated UCI_Elo; not in analysis.
        limit_strength: bool = "UCI_LimitStrength" check false => ClearHash;
        /// Rating in Elo to play at when UCI_LimitStrength is on.
        rating: i64 = "UCI_Elo" spin 1500, Level::RATINGS => ClearHash;
        /// Says that searches are for analysis, not for a game: sacrifices are found sooner, and UCI_LimitStrength is lifted.
        analyse_mode: bool = "UCI_AnalyseMode" check false => None;
        /// Title, rating, kind and name of the opponent; for the log only.
        opponent: String = "UCI_Opponent" string "" => None;
        /// File to which both sides of the conversation are appended, with time stamps.
        debug_log: String = "Debug Log File" string "" => OpenLog;
        /// Folders with Syzygy endgame tables, separated as in PATH: by ':', on Windows by ';'.
        syzygy_path: String = "SyzygyPath" string "" => OpenTables;
        /// Least depth in plies at which positions with the most pieces are probed.
        syzygy_depth: usize = "SyzygyProbeDepth" spin 1, 1..=100 => None;
        /// Most pieces of a position that is probed; 0 for no probing.
        syzygy_limit: usize = "SyzygyProbeLimit" spin 7, 0..=7 => None;
        /// Counts tablebase wins as draws where the fifty-move rule makes them so.
        syzygy_fifty_moves: bool = "Syzygy50MoveRule" check true => ClearHash;
        /// File with a network to evaluate by; empty for the built-in network, classical for the hand-made evaluation.
        eval_file: String = "EvalFile" string "" => LoadNetwork;
    }
    notes {
        /// Name, version, licence and source of the engine; read-only.
        "UCI_EngineAbout" = about;
    }
    buttons {
        /// Forgets everything searched so far.
        "Clear Hash" => ClearHash;
    }
}

/// What the engine says of itself: name, version, licence, and the repository that `Cargo.toml`
/// names, if it names one.
fn about() -> String {
    let facts = [
        NAME,
        env!("CARGO_PKG_LICENSE"),
        env!("CARGO_PKG_REPOSITORY"),
    ];
    facts
        .into_iter()
        .filter(|fact| !fact.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The options of the [`TABLE`] and, in a build to tune them, the parameters of the search.
pub fn all() -> impl Iterator<Item = &'static Spec> {
    static PARAMETERS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
        let specs = parameters::TABLE.iter().map(|parameter| Spec {
            name: parameter.name,
            kind: Kind::Parameter(parameter),
            effect: Effect::None,
            help: "A number of the search, for a tuner.",
        });
        specs.collect()
    });
    TABLE.iter().chain(PARAMETERS.iter())
}

/// Everything about one option.
#[derive(Debug)]
pub struct Spec {
    /// The name as `uci` prints it.
    pub name: &'static str,
    /// What values it takes, and which field of [`Options`] holds them.
    pub kind: Kind,
    /// What has to follow when it is set.
    pub effect: Effect,
    /// One sentence for the reader of `help` and of the README, units included.
    pub help: &'static str,
}

/// The UCI type of an option, and how to reach its field.
///
/// As text it says what the option takes: `a whole number from 1 to 1024`.
#[derive(Debug)]
pub enum Kind {
    /// True or false.
    Check {
        get: fn(&Options) -> bool,
        set: fn(&mut Options, bool),
    },
    /// A whole number within `range`; its unit is in the help.
    Spin {
        range: RangeInclusive<i64>,
        get: fn(&Options) -> i64,
        set: fn(&mut Options, i64),
    },
    /// A number of the search, which is the same for all [`Options`].
    Parameter(&'static Parameter),
    /// Any text without control characters, also none.
    String {
        get: fn(&Options) -> String,
        set: fn(&mut Options, String),
    },
    /// A read-only text. Setting it is no error, and changes nothing.
    Note(fn() -> String),
    /// No value: setting it presses it.
    Button,
}

/// What the caller of [`Options::set`] has to do for the new value to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: whoever needs the value reads it.
    None,
    /// Give the hash table the size [`Options::hash`].
    ResizeHash,
    /// Run [`Options::threads`] threads.
    SetThreads,
    /// Empty the hash table.
    ClearHash,
    /// Write the conversation to [`Options::debug_log`] from now on.
    OpenLog,
    /// Open the endgame tables in [`Options::syzygy_path`].
    OpenTables,
    /// Evaluate by the network in [`Options::eval_file`].
    LoadNetwork,
}

/// Why an option kept its old value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name; `nearest` is the one most like it, if any is.
    #[error("unknown option '{}'{}", .name.escape_debug(), did_you_mean(.nearest.as_deref()))]
    Unknown {
        name: String,
        nearest: Option<String>,
    },
    /// The option takes something else.
    #[error("option '{name}' takes {takes}, not '{value}'")]
    Refused {
        name: &'static str,
        takes: String,
        value: String,
    },
    /// The option needs a value.
    #[error("option '{name}' needs a value: {takes}")]
    Missing { name: &'static str, takes: String },
    /// A text that would not stay on one line when it is shown, such as a Windows path in double
    /// quotes of TOML.
    #[error("option '{name}' takes printable text, without '{}'", .found.escape_default())]
    Unprintable { name: &'static str, found: char },
    /// The network stays the one that it was.
    #[error(transparent)]
    Network(#[from] NetworkRefused),
}

impl Options {
    /// Sets one option from the words of `setoption`.
    ///
    /// The name is matched as in [`Spec::find`], the value is trimmed. A button ignores its value.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let spec = Spec::find(name).ok_or_else(|| OptionError::Unknown {
            name: name.trim().to_owned(),
            nearest: Spec::nearest(name).map(|spec| spec.name.to_owned()),
        })?;
        spec.apply(self, value)
    }
}

impl Spec {
    /// The option of this name or key. Case does not matter, nor how many blanks separate the words.
    pub fn find(name: &str) -> Option<&'static Self> {
        let key = key(name);
        all().find(|spec| spec.key() == key)
    }

    /// The option whose name is most like `name`, unless none is much like it.
    pub fn nearest(name: &str) -> Option<&'static Self> {
        most_alike(&key(name), all(), |spec| spec.key())
    }

    /// The name as a key of `engine.toml`: lower case, `_` between the words.
    pub fn key(&self) -> String {
        key(self.name)
    }

    /// The present value, as UCI writes it; a button has none.
    pub fn setting(&self, options: &Options) -> String {
        match &self.kind {
            Kind::Check { get, .. } => get(options).to_string(),
            Kind::Spin { get, .. } => get(options).to_string(),
            Kind::Parameter(parameter) => parameter.get().to_string(),
            Kind::String { get, .. } => match get(options) {
                text if text.is_empty() => EMPTY.into(),
                text => text,
            },
            Kind::Note(text) => text(),
            Kind::Button => String::new(),
        }
    }

    /// The line that declares the option to a GUI. Its default is the present value, which
    /// `engine.toml` may have chosen.
    pub fn uci_line(&self, options: &Options) -> String {
        let (kind, range) = match &self.kind {
            Kind::Check { .. } => ("check", String::new()),
            Kind::Spin { range, .. } => ("spin", min_max(range)),
            Kind::Parameter(parameter) => ("spin", min_max(&parameter.range)),
            Kind::String { .. } | Kind::Note(_) => ("string", String::new()),
            Kind::Button => return format!("option name {} type button", self.name),
        };
        let (name, setting) = (self.name, self.setting(options));
        format!("option name {name} type {kind} default {setting}{range}")
    }

    /// Sets this option, or says why not and leaves `options` as they were.
    pub fn apply(&self, options: &mut Options, value: Option<&str>) -> Result<Effect, OptionError> {
        let value = value.unwrap_or_default().trim();
        let refused = || {
            let (name, takes) = (self.name, self.kind.to_string());
            match value {
                "" => OptionError::Missing { name, takes },
                _ => OptionError::Refused {
                    name,
                    takes,
                    value: value.to_owned(),
                },
            }
        };
        match &self.kind {
            Kind::Check { set, .. } => {
                let on = value.to_ascii_lowercase().parse();
                set(options, on.map_err(|_| refused())?);
            }
            Kind::Spin { range, set, .. } => {
                set(options, number_in(range, value).ok_or_else(refused)?);
            }
            Kind::Parameter(parameter) => {
                parameter.set(number_in(&parameter.range, value).ok_or_else(refused)?);
            }
            Kind::String { set, .. } => {
                if let Some(found) = value.chars().find(|letter| letter.is_control()) {
                    let name = self.name;
                    return Err(OptionError::Unprintable { name, found });
                }
                set(
                    options,
                    if value == EMPTY {
                        String::new()
                    } else {
                        value.to_owned()
                    },
                );
            }
            Kind::Note(_) | Kind::Button => {}
        }
        Ok(self.effect)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Kind::Check { .. } => f.write_str("true or false"),
            Kind::Spin { range, .. } => spin_takes(f, range),
            Kind::Parameter(parameter) => spin_takes(f, &parameter.range),
            Kind::String { .. } => f.write_str("text"),
            Kind::Note(_) | Kind::Button => f.write_str("no value"),
        }
    }
}

/// The end of the line that declares a whole number to a GUI.
fn min_max<T: fmt::Display>(range: &RangeInclusive<T>) -> String {
    format!(" min {} max {}", range.start(), range.end())
}

/// What a whole number can be, in words.
fn spin_takes<T: fmt::Display>(f: &mut fmt::Formatter, range: &RangeInclusive<T>) -> fmt::Result {
    write!(
        f,
        "a whole number from {} to {}",
        range.start(),
        range.end()
    )
}

/// The number that the text is, if it lies in the range.
fn number_in<T: FromStr + PartialOrd>(range: &RangeInclusive<T>, text: &str) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// How UCI writes a string that has no letters.
const EMPTY: &str = "<empty>";

/// `Move  Overhead` and `move_overhead` are the same option, whose key is `move_overhead`.
fn key(name: &str) -> String {
    name.split_whitespace()
        .collect::<Vec<_>>()
        .join("_")
        .to_ascii_lowercase()
}

/// The candidate whose name is most like a mistyped one, unless none is much like it.
pub fn most_alike<T, N: AsRef<str>>(
    mistyped: &str,
    candidates: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> N,
) -> Option<T> {
    /// Half of the letters are right, and in their place.
    const ALIKE: f64 = 0.5;
    /// In bytes: nobody mistypes a name at such a length.
    const LONGEST: usize = 64;
    if mistyped.len() > LONGEST {
        return None;
    }
    let mistyped = mistyped.to_lowercase();
    let alike =
        |candidate: &T| strsim::normalized_damerau_levenshtein(name(candidate).as_ref(), &mistyped);
    candidates
        .into_iter()
        .map(|candidate| (alike(&candidate), candidate))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// The end of a complaint about an unknown name.
fn did_you_mean(nearest: Option<&str>) -> String {
    nearest
        .map(|name| format!(", did you mean '{name}'?"))
        .unwrap_or_default()
}

/// The type of a field of [`Options`], and what UCI sends for it.
trait Field {
    /// `bool` for a check, `i64` for a spin, `String` for a string.
    type Wire;
    fn from_wire(wire: Self::Wire) -> Self;
    fn to_wire(&self) -> Self::Wire;
}

impl Field for bool {
    type Wire = bool;
    fn from_wire(wire: bool) -> Self {
        wire
    }
    fn to_wire(&self) -> bool {
        *self
    }
}

impl Field for String {
    type Wire = String;
    fn from_wire(wire: String) -> Self {
        wire
    }
    fn to_wire(&self) -> String {
        self.clone()
    }
}

impl Field for i64 {
    type Wire = i64;
    fn from_wire(wire: i64) -> Self {
        wire
    }
    fn to_wire(&self) -> i64 {
        *self
    }
}

/// A count. The ranges of the table keep it far from the limits of either type.
impl Field for usize {
    type Wire = i64;
    fn from_wire(wire: i64) -> Self {
        wire.try_into().unwrap_or_default()
    }
    fn to_wire(&self) -> i64 {
        (*self).try_into().unwrap_or(i64::MAX)
    }
}

/// Milliseconds.
impl Field for Duration {
    type Wire = i64;
    fn from_wire(wire: i64) -> Self {
        Duration::from_millis(wire.try_into().unwrap_or_default())
    }
    fn to_wire(&self) -> i64 {
        self.as_millis().try_into().unwrap_or(i64::MAX)
    }
}
