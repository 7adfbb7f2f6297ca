//! The help texts, generated from the table of functions.

use cute_algebra::text::closest;

use super::COMMANDS;
use crate::{
    error::{Error, Result},
    eval::Session,
    registry::{FAMILIES, find, names},
    tilings::Atom,
    value::Value,
};

/// Every function with its line, by family.
pub fn list() -> String {
    let mut text = String::new();
    for (family, functions) in &FAMILIES {
        text.push_str(&format!("{family}\n"));
        for function in *functions {
            text.push_str(&format!("  {}\n      {}\n", function.signature(), function.doc));
        }
    }
    text
}

/// An overview of expressions and of the commands at the prompt.
pub fn overview() -> String {
    let commands =
        COMMANDS.map(|(name, arguments, doc)| format!("  {:<20}{doc}\n", format!("{name} {arguments}")));
    OVERVIEW.replace("{COMMANDS}", &commands.concat())
}

const OVERVIEW: &str = "\
An expression is a value or a call: composition((20):(2), (5,4):(4,1))
  8  (4,(2,2))        integers: shapes, coordinates, indices
  ?  ?{div=8}  ?8     dynamic; of a known divisor; of the run-time value 8
  (4,8):(8,1)         layout; where a layout is needed, a shape is its compact layout
  (4,8):(1@0,1@1)     layout with basis strides
  S<3,4,3> o 0 o L    composed layout
  (2,_)               coordinate
  (4,8)  [4:1;_]      tilers by mode, also (4:1,_); a layout tiles the whole domain
  SM75_U32x4_LDSM_N   atom, for tiled_mma and tiled_copy
  A(1,2)  A(2,_)      a layout at a coordinate, or its slice
  A[0]  A[0,1]        a mode
  A o B               the composition
  2*3+1  7/2  7%2     arithmetic, also leaf by leaf on tuples
  A = EXPR            keeps a value under a name
Commands, at the prompt also with : in front:
{COMMANDS}At the prompt alone:
  vars                list the variables
  quit, exit          end
Tab completes functions, commands, variables and atoms.
Everything extends as in CuTe, unless started with --domain strict.
";

/// The help for a name: a variable, a function, a command or an atom.
pub fn topic(name: &str, session: &Session) -> Result<String> {
    if let Some((_, value)) = session.variables().find(|(variable, _)| *variable == name) {
        return Ok(format!("{name} = {}", value.answer()?));
    }
    if let Some((_, arguments, doc)) = COMMANDS.iter().find(|(command, ..)| *command == name) {
        return Ok(format!("{}\n  {doc}\n", format!("{name} {arguments}").trim_end()));
    }
    match Atom::by_name(name) {
        Some(atom) => Value::Atom(atom).answer(),
        None => function(name, session),
    }
}

/// One function: parameters, meaning, other names and an example with its value.
fn function(name: &str, session: &Session) -> Result<String> {
    let function = find(name).ok_or_else(|| Error::UnknownFunction {
        column: 1,
        name: name.to_string(),
        suggestion: closest(name, names().chain(COMMANDS.map(|(command, ..)| command))).map(str::to_string),
    })?;
    let mut text = format!("{}\n  {}\n", function.signature(), function.doc);
    if !function.aliases.is_empty() {
        text.push_str(&format!("  also: {}\n", function.aliases.join(", ")));
    }
    let value = Session::new(session.domain).statement(function.example)?;
    text.push_str(&format!("  {} = {value}\n", function.example));
    Ok(text)
}
