//! The commands in README.md and docs/*.md, with the output that the documents show.
//!
//! A command starts with `$ ` in a code block, and its output follows in the block; a block whose
//! first line starts with a tool's name has commands only. A line that ends in `\` continues on the
//! next line. In shown output, `..` stands for any text, and line breaks do not count, because
//! documents wrap long lines. A line that has nothing but a name in backquotes and a colon, before a
//! fenced block, declares that the block is the file of that name, and `<!-- from: NAME -->` that it
//! is an excerpt of a file of the
//! repository or of one that a command before wrote. A block that starts with `NAME() {` defines a
//! function, whose calls are commands.

#[path = "excerpts.rs"]
mod excerpts;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Tools whose lines are commands without a `$` in front.
const TOOLS: [&str; 6] = ["cutec", "cute-calc", "cute-opt", "mlir-opt-22", "sed", "./dev"];

/// A line and its number.
type Line<'a> = (usize, &'a str);

/// A step that a document asks the reader to take.
#[derive(Debug, Clone)]
pub enum Step {
    /// Create a file.
    File { name: String, text: String },
    /// Compare lines with those of a file.
    Excerpt { line: usize, of: String, language: String, text: String },
    /// Define a function of the shell.
    Define { text: String },
    /// Run a command and compare its output; `None` if no output is shown.
    Run { line: usize, command: String, output: Option<String> },
}

impl Step {
    /// Whether it runs a tool.
    #[allow(dead_code, reason = "each test binary uses its part")]
    pub fn runs(&self, tool: &str) -> bool {
        matches!(self, Self::Run { command, .. } if command.split_whitespace().next() == Some(tool))
    }
}

/// The repository.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().find(|folder| folder.join("docs/errata.md").is_file()).expect("the repository").into()
}

/// README.md and the manual.
pub fn documents() -> Vec<PathBuf> {
    let folders =
        ["docs", "docs/findings"].map(|folder| fs::read_dir(root().join(folder)).expect("the manual"));
    let mut files: Vec<_> =
        folders.into_iter().flatten().map(|entry| entry.expect("a file").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.push(root().join("README.md"));
    files.sort();
    files
}

/// The steps of a document, in order.
pub fn steps(path: &Path) -> Vec<Step> {
    let text = fs::read_to_string(path).expect("a document");
    let mut steps = Vec::new();
    let mut lines = (1..).zip(text.lines()).peekable();
    let marked = |line: &str, what: &str| {
        let name = line.strip_prefix("<!-- ")?.strip_prefix(what)?.strip_suffix(" -->")?;
        Some(name.to_string())
    };
    let (mut file, mut from) = (None, None);
    let mut tools: Vec<String> = TOOLS.map(str::to_string).to_vec();
    while let Some((number, line)) = lines.next() {
        if let Some(name) = caption(line, lines.peek().map(|(_, next)| *next)) {
            file = Some(name.to_string());
        } else if let Some(name) = marked(line, "from: ") {
            from = Some(name);
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<_> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
            let text = || block.iter().map(|(_, line)| format!("{line}\n")).collect();
            if let Some(name) = file.take() {
                steps.push(Step::File { name, text: text() });
            } else if let Some(of) = from.take() {
                steps.push(Step::Excerpt { line: number, of, language: language.into(), text: text() });
            } else if matches!(language, "" | "sh" | "console") {
                steps.extend(commands(&block, &mut tools));
            }
        } else if let Some(first) = line.strip_prefix("    ") {
            let mut block = vec![(number, first)];
            // Blank lines belong to the block if the block continues after them.
            let mut ahead = lines.clone();
            while let Some((number, line)) = ahead.next() {
                match line.strip_prefix("    ") {
                    Some(line) => block.push((number, line)),
                    None if line.is_empty() => {
                        let next = ahead.clone().find(|(_, line)| !line.is_empty());
                        if !next.is_some_and(|(_, line)| line.starts_with("    ")) {
                            break;
                        }
                        block.push((number, ""));
                    }
                    None => break,
                }
                lines = ahead.clone();
            }
            steps.extend(commands(&block, &mut tools));
        }
    }
    steps
}

/// The name of the file that the fenced block after this line is.
pub fn caption<'a>(line: &'a str, next: Option<&str>) -> Option<&'a str> {
    let name = line.strip_prefix('`')?.strip_suffix("`:")?;
    let is_one = !name.is_empty() && !name.contains(['`', ' ']) && next?.starts_with("```");
    is_one.then_some(name)
}

/// The commands of a block of code. A function that it defines is a tool from there on.
fn commands(block: &[Line<'_>], tools: &mut Vec<String>) -> Vec<Step> {
    if let Some((name, _)) = block.first().and_then(|(_, line)| line.split_once("() {")) {
        tools.push(name.to_string());
        return vec![Step::Define { text: block.iter().map(|(_, line)| format!("{line}\n")).collect() }];
    }
    let prompted = block.iter().any(|(_, line)| line.starts_with("$ "));
    let starts = |line: &str, tool: &str| line.strip_prefix(tool).is_some_and(|rest| rest.starts_with(' '));
    let plain = |line: &str| tools.iter().any(|tool| starts(line, tool));
    let mut steps = Vec::new();
    let mut lines = block.iter().peekable();
    while let Some((number, line)) = lines.next() {
        let command = match line.strip_prefix("$ ") {
            Some(command) => command,
            None if !prompted && plain(line) => line,
            None => continue,
        };
        let mut command = command.to_string();
        while command.ends_with('\\') {
            let (_, more) = lines.next().expect("the rest of the command");
            command.push('\n');
            command.push_str(more);
        }
        let mut output = Vec::new();
        while prompted && let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
            output.push(*line);
        }
        let output = output.join("\n").trim().to_string();
        steps.push(Step::Run { line: *number, command, output: (!output.is_empty()).then_some(output) });
    }
    steps
}

/// Runs the steps one after the other in `folder`, with the tools in `path`, and returns the
/// differences from the document.
pub fn follow(document: &Path, steps: &[Step], folder: &Path, path: &str) -> Vec<String> {
    let (mut wrong, mut functions) = (Vec::new(), String::new());
    for step in steps {
        let (line, command, shown) = match step {
            Step::File { name, text } => {
                fs::write(folder.join(name), text).expect("a file of the document");
                continue;
            }
            Step::Define { text } => {
                functions.push_str(text);
                continue;
            }
            Step::Excerpt { line, of, language, text } => {
                let files = [folder.join(of), root().join(of)];
                let file = files.iter().find_map(|path| fs::read_to_string(path).ok());
                let file = file.unwrap_or_else(|| panic!("{}:{line}: no file {of}", document.display()));
                let missing = excerpts::missing(text, &file, language);
                wrong.extend(missing.map(|what| {
                    let place = document.strip_prefix(root()).unwrap_or(document);
                    format!("{}:{line}: {of} does not have this line here:\n{what}", place.display())
                }));
                continue;
            }
            Step::Run { line, command, output } => (line, command, output.as_deref().unwrap_or("..")),
        };
        let mut shell = Command::new("bash");
        let output = shell
            .args(["-o", "pipefail", "-c", &format!("exec 2>&1\n{functions}{command}")])
            .current_dir(folder)
            .env("PATH", path)
            .output()
            .expect("bash");
        let printed = String::from_utf8_lossy(&output.stdout);
        let place = format!("{}:{line}", document.strip_prefix(root()).unwrap_or(document).display());
        let fails = shown.contains("error: ");
        if output.status.success() == fails {
            wrong.push(format!("{place}: {command}\n{} is not as shown:\n{printed}", output.status));
        } else if !matches(shown, &printed) {
            wrong.push(format!("{place}: {command}\nshown:\n{shown}\nprinted:\n{printed}"));
        }
    }
    wrong
}

/// Whether `printed` equals `shown` word by word, with `..` for any text.
fn matches(shown: &str, printed: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (shown, printed) = (words(shown), words(printed));
    let mut pieces = shown.split("..");
    let Some(mut rest) = pieces.next().and_then(|first| printed.strip_prefix(first.trim_end())) else {
        return false;
    };
    let mut last = None;
    for piece in pieces {
        let piece = piece.trim();
        last = Some(piece);
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    match last {
        None => rest.trim().is_empty(),
        Some(last) => last.is_empty() || printed.ends_with(last),
    }
}

#[test]
fn shown_output_is_compared() {
    assert!(matches("a b", "a\n  b\n") && !matches("a b", "a b c") && !matches("a", "b"));
    assert!(
        matches("a .. c", "a b c") && matches("a ..", "a b c") && matches("..", "") && matches(".. c", "a c")
    );
    assert!(!matches("a .. d", "a b c") && !matches("a .. b", "a b c") && !matches("x ..", "a"));
}
