//! Requests of Python to a session, and the replies.

use pyo3::FromPyObject;

/// File, line and column, from 1 on.
pub type Frame = (String, usize, usize);

/// A request, and the lines of Python that make it, innermost first.
pub(crate) struct Request {
    pub at: Vec<Frame>,
    pub ask: Ask,
}

/// A parameter of a function.
#[derive(FromPyObject)]
pub(crate) enum Parameter {
    /// Name, element type, alignment in bytes and layout of a view of global memory.
    View(String, String, i64, String),
    /// Name, and the value whose type it has.
    Like(String, usize),
    /// Name and type.
    Typed(String, String),
}

/// An operand: a value by its number, or a constant by its type and its text.
#[derive(FromPyObject)]
pub(crate) enum Operand {
    Value(usize),
    Constant(String, String),
}

/// The kinds of requests.
pub enum Ask {
    Word {
        word: String,
        values: Vec<Operand>,
        texts: Vec<String>,
    },
    /// A function that is generated from the dialect: its operands are lists.
    Call {
        op: String,
        operands: Vec<Vec<Operand>>,
        attributes: Vec<(String, String)>,
        results: Vec<String>,
    },
    /// An op of another dialect.
    Op {
        name: String,
        values: Vec<Operand>,
        attributes: Vec<(String, String)>,
        results: Option<Vec<String>>,
    },
    Function {
        kind: String,
        name: String,
        parameters: Vec<Parameter>,
        threads: [i32; 3],
        cluster: Option<[i32; 3]>,
        attributes: Vec<(String, String)>,
    },
    For {
        name: String,
        range: [usize; 3],
        carried: Vec<usize>,
    },
    While {
        carried: Vec<usize>,
    },
    If {
        condition: usize,
    },
    End {
        values: Vec<usize>,
    },
    Launch {
        name: String,
        cluster: Option<[i32; 3]>,
        programmatic: bool,
        sizes: Vec<usize>,
        arguments: Vec<usize>,
    },
    Rename {
        value: usize,
        name: String,
    },
    Type {
        value: usize,
    },
    Element {
        value: usize,
    },
    Module {
        located: bool,
    },
    Verify,
}

/// A value as Python knows it.
pub(crate) struct Described {
    pub number: usize,
    /// The type of a scalar or vector, and the name of the kind of others: `i32`, `memref`.
    pub kind: String,
    /// The part that the type fixes: an integer, or the text of a static shape or layout.
    pub fixed: Option<String>,
}

/// The answer to a request.
pub enum Reply {
    Values(Vec<Described>),
    Text(String),
    Done,
    Failed(String),
}
