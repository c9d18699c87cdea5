//! `engine.toml`: the user's defaults for the options.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use thiserror::Error;
use toml::{Table, Value};

use super::options::{Kind, OptionError, Options, Spec};

/// The name of the file, unless the user gives another.
const FILE: &str = "engine.toml";
/// The environment variable that may name another file.
const VARIABLE: &str = "PRELATE_CONFIG";

/// What [`load`] made of the file, or of its absence.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The defaults of the engine, changed by every line that could be understood.
    pub options: Options,
    /// The file that was read.
    pub path: Option<PathBuf>,
    /// The lines that could not be understood, in their order.
    pub problems: Vec<Problem>,
}

/// Something to tell the user: `engine.toml:3: unknown option 'hahs', did you mean 'hash'?`
#[derive(Debug)]
pub struct Problem {
    /// The file, as it was named or found.
    pub path: PathBuf,
    /// The line, from 1; `None` if the file as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong there.
    pub fault: Fault,
}

/// What can be wrong with a file or with one of its lines.
#[derive(Debug, Error)]
pub enum Fault {
    /// A file that was asked for is missing or cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The line is not TOML, or goes on in the next line.
    #[error("{0}")]
    Syntax(String),
    /// The file has no sections; the lines below count as if the header were not there.
    #[error("'{}' is not needed, the file has no sections", .0.escape_debug())]
    Section(String),
    /// The same option again; the first line counts.
    #[error("'{key}' is already set on line {line}")]
    Repeated { key: String, line: usize },
    /// A button can be pressed, but it has no value to start with.
    #[error("'{0}' is a button and has no value")]
    Button(String),
    /// A text that the engine says about itself.
    #[error("'{0}' is read-only")]
    Note(String),
    /// TOML of a type that the option does not have.
    #[error("option '{key}' takes {takes}, not this {found}")]
    Type {
        key: String,
        takes: String,
        found: &'static str,
    },
    /// No such option, or not this value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.fault)
    }
}

/// Reads the first of these files: `explicit`; the one that the environment names as
/// `PRELATE_CONFIG`; `engine.toml` beside the executable; `engine.toml` in the current folder.
///
/// There need not be any, but it is a problem if one that was named cannot be read.
pub fn load(explicit: Option<&Path>) -> Loaded {
    let beside = env::current_exe()
        .ok()
        .and_then(|file| Some(file.parent()?.to_owned()));
    // The empty path is the current folder.
    let folders = beside.into_iter().chain([PathBuf::new()]);
    let Some(path) = choose(explicit, env::var_os(VARIABLE), folders) else {
        return Loaded::default();
    };
    match fs::read(&path) {
        Ok(bytes) => {
            let (options, problems) = read(&String::from_utf8_lossy(&bytes), &path);
            Loaded {
                options,
                path: Some(path),
                problems,
            }
        }
        Err(error) => Loaded {
            problems: vec![Problem {
                path,
                line: None,
                fault: error.into(),
            }],
            ..Loaded::default()
        },
    }
}

/// The file to read. One that is named is taken as it is, one in a folder only if it is there.
fn choose(
    explicit: Option<&Path>,
    variable: Option<OsString>,
    folders: impl Iterator<Item = PathBuf>,
) -> Option<PathBuf> {
    let variable = variable.filter(|name| !name.is_empty()).map(PathBuf::from);
    let mut files = folders.map(|folder| folder.join(FILE));
    explicit
        .map(Path::to_owned)
        .or(variable)
        .or_else(|| files.find(|file| file.is_file()))
}

/// Reads the text of a file; `path` is only for the problems.
///
/// Each line is TOML of its own, so that a bad one does not take the others with it.
pub fn read(text: &str, path: &Path) -> (Options, Vec<Problem>) {
    let mut options = Options::default();
    let mut problems = Vec::new();
    let mut seen = HashMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Err(fault) = read_line(text, line, &mut seen, &mut options) {
            problems.push(Problem {
                path: path.to_owned(),
                line: Some(line),
                fault,
            });
        }
    }
    (options, problems)
}

/// Reads one line and sets what it says; `seen` has the lines of the options set so far.
fn read_line(
    text: &str,
    line: usize,
    seen: &mut HashMap<&'static str, usize>,
    options: &mut Options,
) -> Result<(), Fault> {
    let text = text.trim();
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| Fault::Syntax(error.message().to_owned()))?;
    if text.starts_with('[') {
        return Err(Fault::Section(text.to_owned()));
    }
    let Some((name, value)) = table.into_iter().next() else {
        return Ok(());
    };

    let spec = Spec::find(&name).ok_or_else(|| OptionError::Unknown {
        nearest: Spec::nearest(&name).map(Spec::key),
        name,
    })?;
    let key = spec.key();
    let value = match (&spec.kind, value) {
        (Kind::Check { .. }, Value::Boolean(on)) => on.to_string(),
        (Kind::Spin { .. } | Kind::Parameter(_), Value::Integer(number)) => number.to_string(),
        (Kind::String { .. }, Value::String(text)) => text,
        (Kind::Button, _) => return Err(Fault::Button(key)),
        (Kind::Note(_), _) => return Err(Fault::Note(key)),
        (kind, other) => {
            return Err(Fault::Type {
                key,
                takes: kind.to_string(),
                found: other.type_str(),
            });
        }
    };
    if let Some(&line) = seen.get(spec.name) {
        return Err(Fault::Repeated { key, line });
    }
    spec.apply(options, Some(&value))?;
    seen.insert(spec.name, line);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_has_an_order() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folders = || [root.join("src"), root.to_owned()].into_iter();
        let (file, variable) = (Path::new("a.toml"), || Some(OsString::from("b.toml")));

        assert_eq!(
            choose(Some(file), variable(), folders()),
            Some(file.to_owned())
        );
        assert_eq!(choose(None, variable(), folders()), Some("b.toml".into()));
        // `src` has no such file, the root of the repository has one.
        assert_eq!(choose(None, None, folders()), Some(root.join(FILE)));
        assert_eq!(
            choose(None, Some(OsString::new()), folders()),
            Some(root.join(FILE))
        );
        assert_eq!(choose(None, None, [root.join("src")].into_iter()), None);
    }
}
