//! What the functions are, as text made from their table.

use crate::{
    error::{Error, Result},
    eval::Session,
    registry::{FAMILIES, find, names},
    suggest::closest,
};

/// Every function with its line, by family.
pub fn list() -> String {
    let mut text = String::new();
    for (family, functions) in FAMILIES {
        text.push_str(&format!("{family}\n"));
        for function in functions {
            text.push_str(&format!("  {}\n      {}\n", function.signature(), function.doc));
        }
    }
    text
}

/// How to write an expression, and what the prompt understands.
pub fn overview() -> String {
    "\
An expression is a value or a call: composition((20):(2), (5,4):(4,1))
  8  (4,(2,2))        integers: shapes, coordinates, indices
  ?  ?{div=8}  ?8     dynamic; of a known divisor; of the run-time value 8
  (4,8):(8,1)         layout; where a layout is needed, a shape is its compact layout
  (4,8):(1@0,1@1)     layout with basis strides
  S<3,4,3> o 0 o L    composed layout
  (2,_)               coordinate
  (4,8)  [4:1;_]      tilers by mode; a layout tiles the whole domain
  SM75_U32x4_LDSM_N   atom, for tiled_mma and tiled_copy
  A = EXPR            keeps a value under a name
At the prompt:
  :help [FUNCTION]    this, or one function
  :list               all functions
  :table EXPR         the values of a layout as a table
  :explain EXPR       the steps of an operation
  :vars               all variables
  :quit               end
Everything extends as in CuTe, unless started with --domain strict.
"
    .to_string()
}

/// One function: parameters, meaning, other names and an example with its value.
pub fn function(name: &str, session: &Session) -> Result<String> {
    let function = find(name).ok_or_else(|| Error::UnknownFunction {
        column: 1,
        name: name.to_string(),
        suggestion: closest(name, names()).map(str::to_string),
    })?;
    let mut text = format!("{}\n  {}\n", function.signature(), function.doc);
    if !function.aliases.is_empty() {
        text.push_str(&format!("  also: {}\n", function.aliases.join(", ")));
    }
    let value = Session::new(session.domain).statement(function.example)?;
    text.push_str(&format!("  {} = {value}\n", function.example));
    Ok(text)
}
