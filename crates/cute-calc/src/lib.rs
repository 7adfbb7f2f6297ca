//! `cute-calc`: the layout algebra at the shell. It needs neither MLIR nor a GPU.
//!
//! This crate handles files, streams and the terminal. `cute-eval` evaluates expressions, runs the
//! commands and answers the requests; see its documentation for the forms of expressions and
//! requests.
//!
//! # Expressions
//!
//! ```text
//! $ cute-calc 'composition((20):(2), (5,4):(4,1))'
//! (5,4):(8,2)
//! $ cute-calc complement 4:32 256
//! (32,2):(1,128)
//! $ cute-calc 'A = (4,8):(8,1)' 'size(right_inverse(A))'
//! (4,8):(8,1)
//! 32
//! ```
//!
//! Functions have the field's names; `cute-calc list` shows them, `cute-calc help composition`
//! explains one. An argument is any text form of the algebra, a variable or another call.
//!
//! Without arguments on a terminal it is a prompt with history, variables and completion; piped
//! lines are evaluated one by one. The prompt takes the commands of the shell as well, such as
//! `table A` and `banks A --bits 16 --access ..`, and `vars` and `quit`; a colon in front
//! (`:table`) names a command even where a variable has its name. The exit code is 1 when anything
//! failed; each error is one line on stderr, with the column.
//!
//! # Tables and explanations
//!
//! `cute-calc table '(4,8):(8,1)'` prints the values as CuTe's `print_layout` does.
//! `cute-calc explain 'composition((6,2):(8,2), (4,3):(3,1))'` prints each step with its equation
//! and numbers.
//!
//! # Pictures
//!
//! `cute-calc svg '(4,8):(8,1)' -o index.svg` draws the table, and with `--bits 16` the banks of
//! shared memory; `svg TV LAYOUT --tile "(16,8)"`, `svg tiled_mma ATOM ATOM_LAYOUT` and
//! `svg make_tiled_copy ..` draw the thread and value of each
//! element.
//!
//! # Banks of shared memory
//!
//! `cute-calc banks TILE --bits 16 --access NAME=LAYOUT@N` counts the passes that accesses to a
//! tile take: `LAYOUT` maps (thread, value) to elements of the tile, and one instruction of a
//! thread takes `N` values. `--choose swizzle` (or `padding`, or `both`) searches for a layout
//! without conflicts. If none of this form exists, the command reports it and exits with code 1:
//!
//! ```text
//! $ cute-calc banks '(8,64):(64,1)' --bits 16 --access 'ldmatrix=(8,8):(1,8)@8' --choose swizzle
//! (8,64):(64,1), 16-bit elements
//!   ldmatrix: 1 instruction: 8 passes (minimum 1); worst: 8 passes, starting at thread 0, value 0
//!
//! no conflicts with S<3,3,3>, after trying 54 candidates:
//! S<3,3,3> o 0 o (8,64):(64,1)
//!   ldmatrix: 1 instruction: 1 pass (minimum 1)
//! ```
//!
//! # For programs
//!
//! `cute-calc --json` reads one request per line, `{"op":"coalesce","args":["(2,4):(1,2)"]}`, and
//! answers each with `{"result":"8:1","value":{"shape":8,"stride":1}}` or `{"error":"..."}`; a JSON
//! array of requests, such as a file of `tests/vectors/cute`, gives one line per request. The exit
//! code is 0 even if requests failed, because each answer reports its own failure; it is 1 if
//! requests cannot be read or answers cannot be written.
//!
//! # Domain policy
//!
//! `--domain strict` rejects inputs whose result breaks the operation's equation, such as a
//! composition that reaches past the left operand. The default here is `extend`: CuTe's behaviour.

#![forbid(unsafe_code)]

mod cli;
mod command;
mod complete;
mod error;
mod json;
mod output;
mod repl;

/// Runs the command line. The exit code is 1 when anything failed.
pub fn main() -> std::process::ExitCode {
    cli::main()
}
