//! The grammar of PTX: files, and the statements of functions and of inline assembly.
//!
//! ```
//! use cute_ptx::syntax::{Operand, Statement, parse};
//!
//! let module = parse(
//!     ".version 8.7 .target sm_90a .address_size 64
//!      .visible .entry twice(.param .u64 .ptr .global out) .maxntid 32
//!      {
//!        .reg .b64 %rd<2>;
//!        ld.param.b64 %rd1, [out];
//!        ret;
//!      }",
//! )
//! .unwrap();
//! let kernel = &module.functions[0];
//! assert_eq!((module.version, kernel.name, kernel.directive("maxntid")), ((8, 7), "twice", Some(&[32][..])));
//! let statements = kernel.body.unwrap().statements().collect::<Result<Vec<_>, _>>().unwrap();
//! let (5, Statement::Instruction(load)) = &statements[1] else { panic!("the load, in line 5") };
//! assert_eq!(load.operands[1], Operand::Memory(Box::new(Operand::Name("out")), 0));
//! ```
//!
//! A body is not kept as a tree: its statements are read one after the other from the text, to
//! which all parts refer.

mod body;
mod cursor;
mod module;
mod strings;
mod tokens;
mod tree;

pub use body::{Body, Statements};
pub use module::parse;
pub use strings::DebugStrings;
pub use tokens::{Token, tokens};
pub use tree::*;

/// A place where a text is not PTX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The line, from 1 on.
    pub line: u32,
    /// The rule that is broken.
    pub what: String,
    /// The rest of the text, from the token on.
    pub text: String,
}

impl std::fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, what, text } = self;
        if text.is_empty() {
            write!(f, "line {line}: {what}")
        } else {
            write!(f, "line {line}: {what} at `{text}`")
        }
    }
}

impl std::error::Error for SyntaxError {}
