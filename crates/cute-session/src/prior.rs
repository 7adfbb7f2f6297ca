//! Notes on a use whose type differs from that of the value: where the text spells the two types,
//! and how they differ. MLIR prints both, expanded.

use cute_dialect::{
    types::value_of,
    weakening::{self, Mismatch},
};
use cute_ffi::ir;
use melior::{Context, ir::Type};

use crate::source::Source;

/// A value that is used with one type, and has another.
struct Conflict<'a> {
    value: &'a str,
    used: &'a str,
    prior: &'a str,
}

/// MLIR's message, in parts.
fn conflict(message: &str) -> Option<Conflict<'_>> {
    let rest = message.strip_prefix("use of value '")?;
    let (value, rest) = rest.split_once("' expects different type than prior uses: '")?;
    let (used, prior) = rest.strip_suffix('\'')?.split_once("' vs '")?;
    Some(Conflict { value, used, prior })
}

/// The notes on a message of MLIR's parser about a use at `line`; `prior` is the line of the
/// definition or of the earlier use. There are none for any other message.
pub(crate) fn notes(message: &str, source: &Source, line: usize, prior: Option<usize>) -> Vec<String> {
    // MLIR's message says enough about types of other dialects.
    let is_ours = |found: &Conflict<'_>| [found.used, found.prior].iter().all(|t| t.starts_with("!cute"));
    let Some(found) = conflict(message).filter(is_ours) else { return Vec::new() };
    let context = Context::new_with_threading(false);
    cute_driver::load(&context);
    context.attach_diagnostic_handler(|_| true);
    let aliases = aliases(&context, &source.text);
    let spelled = |line: usize, t: &str| {
        let text = statement(source, line);
        let spells = |name: &str| words(&text).any(|word| word == name);
        aliases.iter().find(|alias| alias.printed == t && spells(alias.name))
    };
    let mut notes = Vec::new();
    if let Some(alias) = spelled(line, found.used) {
        notes.push(format!("this use has the type '{}', which line {} declares", alias.name, alias.line));
    }
    if let Some(prior) = prior.filter(|prior| *prior != line) {
        let inferred = |text: &String| text.trim_start().starts_with('%') && !text.contains(found.prior);
        match spelled(prior, found.prior) {
            Some(Alias { name, line, .. }) => {
                notes.push(format!("line {prior} has the type '{name}', which line {line} declares"));
            }
            None if inferred(&statement(source, prior)) => {
                notes.push(format!("line {prior} does not spell its type, so it is the inferred one"));
            }
            None => {}
        }
    }
    notes.extend(difference(&context, &found));
    notes
}

/// How the types differ, and the way out where the use knows less than the value.
fn difference(context: &Context, found: &Conflict<'_>) -> Option<String> {
    let Conflict { value, used: used_text, prior: prior_text } = found;
    let (used, prior) = (Type::parse(context, used_text)?, Type::parse(context, prior_text)?);
    let (used, prior) = (value_of(used), value_of(prior));
    match weakening::check(used.as_ref(), prior.as_ref()) {
        Ok(()) => Some(format!(
            "the use knows less about {value}, so it can be weakened before: cute.derefine({value}) : {prior_text} to \
             {used_text}"
        )),
        Err(Mismatch::Other) => None,
        Err(why @ Mismatch::Kind { .. }) => Some(format!("the difference: {why}")),
        // The text calls the two types declared and inferred, as an op's error does.
        Err(why) => Some(format!("the difference, where the use has the declared type: {why}")),
    }
}

/// A type alias of a text.
struct Alias<'a> {
    /// `!tile`
    name: &'a str,
    /// The line that declares it, counted from 1.
    line: usize,
    /// The type as MLIR prints it.
    printed: String,
}

/// The type aliases of a text whose types can be read.
fn aliases<'a>(context: &Context, text: &'a str) -> Vec<Alias<'a>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut declared = Vec::new();
    let mut declarations = String::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((name, _)) = line.split_once('=') else { continue };
        let name = name.trim_end();
        if !name.starts_with('!') || words(name).count() != 1 {
            continue;
        }
        declared.push((name, at + 1));
        declarations += &whole(&lines[at..]);
        declarations.push('\n');
    }
    let parameters: Vec<_> =
        declared.iter().enumerate().map(|(i, (name, _))| format!("%a{i}: {name}")).collect();
    let module = format!("{declarations}func.func @aliases({}) {{ return }}", parameters.join(", "));
    let module = cute_ffi::parse::module(context, &module, "aliases");
    let Some(function) = module.as_ref().and_then(|module| ir::first_op(module.body())) else {
        // An alias that is itself wrong, or one that needs an alias of an attribute.
        return Vec::new();
    };
    let printed = |i| ir::block_argument(function, i).map(|value| ir::type_of(value).to_string());
    let declared = declared.into_iter().enumerate();
    declared.filter_map(|(i, (name, line))| Some(Alias { name, line, printed: printed(i)? })).collect()
}

/// The statement that begins in a line: the line, and those after it that continue it.
fn statement(source: &Source, line: usize) -> String {
    let lines: Vec<&str> = (line..).map_while(|line| source.line(line)).take(MOST_LINES).collect();
    whole(&lines)
}

/// The most lines of a statement.
const MOST_LINES: usize = 40;

/// The first of the lines, with those up to its closing brackets, and those that go on with a
/// type.
fn whole(lines: &[&str]) -> String {
    let mut depth = 0;
    let mut text = String::new();
    for line in lines {
        let goes_on = [":", "->", "("].iter().any(|begin| line.trim_start().starts_with(begin));
        if !text.is_empty() && depth <= 0 && !goes_on {
            break;
        }
        let code = line.split("//").next().unwrap_or_default().replace("->", "  ");
        depth += code.matches(['(', '<', '[', '{']).count() as i64;
        depth -= code.matches([')', '>', ']', '}']).count() as i64;
        text += line;
        text.push('\n');
    }
    text
}

/// The names and words of a text, with the `!` of an alias.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || "!_.$".contains(c))).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"!row = !cute.memref<f32, gmem,
    align<8>, "8:1">
!all = !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">
func.func @f(%x: !all, %y: i32) {
  %row = cute.slice(%x, %at)
      : !all, !at
  call @g(%row) : (!row) -> ()
"#;

    fn noted(used: &str, prior: &str, lines: [usize; 2]) -> Vec<String> {
        let message =
            format!("use of value '%row' expects different type than prior uses: '{used}' vs '{prior}'");
        notes(&message, &Source::of_text("t", TEXT), lines[0], Some(lines[1]))
    }

    const ROW: &str = r#"!cute.memref<f32, gmem, align<8>, "8:1">"#;

    #[test]
    fn a_weaker_use_is_told_how_to_weaken_the_value() {
        let inferred = r#"!cute.memref<f32, gmem, align<16>, "8:1">"#;
        let [alias, line, way] = &noted(ROW, inferred, [7, 5])[..] else { panic!("three notes") };
        assert_eq!(alias, "this use has the type '!row', which line 1 declares");
        assert_eq!(line, "line 5 does not spell its type, so it is the inferred one");
        assert!(way.ends_with(&format!("cute.derefine(%row) : {inferred} to {ROW}")), "{way}");
    }

    #[test]
    fn a_difference_is_named_with_both_aliases() {
        let all = r#"!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">"#;
        let [alias, other, way] = &noted(ROW, all, [7, 4])[..] else { panic!("three notes") };
        assert_eq!(alias, "this use has the type '!row', which line 1 declares");
        assert_eq!(other, "line 4 has the type '!all', which line 3 declares");
        assert_eq!(way, "the difference, where the use has the declared type: 8 and (4,8) are not congruent");
        assert_eq!(noted("i32", "i64", [7, 4]), Vec::<String>::new());
        assert_eq!(notes("another message", &Source::of_text("t", TEXT), 7, Some(4)), Vec::<String>::new());
    }
}
