//! Kernels that a Python function writes: a session with the typed builder of `cute-build`.
//!
//! A session is a thread that owns a context and a module, so that values of the IR need no more
//! than their own lifetimes. Python sends one request at a time and waits for its reply. A value is
//! a number there; its type is the dialect's business.
//!
//! | module | subject |
//! |---|---|
//! | here | the class for Python |
//! | [`request`] | what Python asks, and what it gets |
//! | [`worker`] | the thread: functions, loops and branches, each a call of the builder that waits for its end |
//! | [`words`] | the functions of the builder that are not generated from `td/`, by their names |
//! | [`blackwell`] | those of Blackwell: UMMAs and their scale factors |
//! | [`machine`] | what those need besides: addresses, other blocks of a cluster, tensor maps |

mod blackwell;
mod machine;
mod request;
mod words;
mod worker;

use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use request::{Ask, Described, Frame, Operand, Parameter, Reply, Request};

use crate::Failed;

/// Bytes of the stack of a session: each open loop or branch takes some of it.
const STACK: usize = 256 << 20;

/// A value for Python: its number, its kind, and the text of what its type fixes.
type Item = (usize, String, Option<String>);

/// A module in the making.
#[pyclass]
pub(crate) struct Session {
    requests: Mutex<Sender<Request>>,
    replies: Mutex<Receiver<Reply>>,
}

fn lost() -> PyErr {
    PyRuntimeError::new_err("the session has ended")
}

impl Session {
    fn send(&self, at: Vec<Frame>, ask: Ask) -> PyResult<()> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.send(Request { at, ask }).map_err(|_| lost())
    }

    fn ask(&self, at: Vec<Frame>, ask: Ask) -> PyResult<Reply> {
        let replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        self.send(at, ask)?;
        match replies.recv().map_err(|_| lost())? {
            Reply::Failed(text) => Err(Failed::new_err((text, "[]"))),
            reply => Ok(reply),
        }
    }

    fn items(&self, at: Vec<Frame>, ask: Ask) -> PyResult<Vec<Item>> {
        let item = |Described { number, kind, fixed }| (number, kind, fixed);
        match self.ask(at, ask)? {
            Reply::Values(values) => Ok(values.into_iter().map(item).collect()),
            _ => Err(PyRuntimeError::new_err("the reply has no values")),
        }
    }

    fn text(&self, ask: Ask) -> PyResult<String> {
        match self.ask(Vec::new(), ask)? {
            Reply::Text(text) => Ok(text),
            _ => Err(PyRuntimeError::new_err("the reply has no text")),
        }
    }
}

/// A place is a list of frames, innermost first: file, line, column.
#[pymethods]
impl Session {
    #[new]
    fn new() -> PyResult<Self> {
        let (requests, asked) = channel();
        let (answer, replies) = channel();
        let thread = thread::Builder::new().name("kernels".into()).stack_size(STACK);
        thread
            .spawn(move || worker::run(&asked, &answer))
            .map_err(|why| PyRuntimeError::new_err(why.to_string()))?;
        Ok(Self { requests: Mutex::new(requests), replies: Mutex::new(replies) })
    }

    /// A function of the builder.
    fn word(
        &self,
        at: Vec<Frame>,
        word: String,
        values: Vec<Operand>,
        texts: Vec<String>,
    ) -> PyResult<Vec<Item>> {
        self.items(at, Ask::Word { word, values, texts })
    }

    /// An op of the dialect by its name: operands by argument, attributes as text, and the types of
    /// results that are not inferred.
    fn call(
        &self,
        at: Vec<Frame>,
        op: String,
        operands: Vec<Vec<Operand>>,
        attributes: Vec<(String, String)>,
        results: Vec<String>,
    ) -> PyResult<Vec<Item>> {
        self.items(at, Ask::Call { op, operands, attributes, results })
    }

    /// An op of another dialect by its name; its attributes and result types are text, and types
    /// are inferred without.
    fn op(
        &self,
        at: Vec<Frame>,
        name: String,
        values: Vec<Operand>,
        attributes: Vec<(String, String)>,
        results: Option<Vec<String>>,
    ) -> PyResult<Vec<Item>> {
        self.items(at, Ask::Op { name, values, attributes, results })
    }

    /// Begins a function: `kernel`, `launched` or `host`. Replies with its parameters.
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn begin_function(
        &self,
        at: Vec<Frame>,
        kind: String,
        name: String,
        parameters: Vec<Parameter>,
        threads: [i32; 3],
        cluster: Option<[i32; 3]>,
        attributes: Vec<(String, String)>,
    ) -> PyResult<Vec<Item>> {
        self.items(at, Ask::Function { kind, name, parameters, threads, cluster, attributes })
    }

    /// Begins a loop over a range. Replies with the index and the carried values.
    fn begin_for(
        &self,
        at: Vec<Frame>,
        name: String,
        range: [usize; 3],
        carried: Vec<usize>,
    ) -> PyResult<Vec<Item>> {
        self.items(at, Ask::For { name, range, carried })
    }

    /// Begins the condition of a loop. Replies with the carried values.
    fn begin_while(&self, at: Vec<Frame>, carried: Vec<usize>) -> PyResult<Vec<Item>> {
        self.items(at, Ask::While { carried })
    }

    /// Begins a branch.
    fn begin_if(&self, at: Vec<Frame>, condition: usize) -> PyResult<Vec<Item>> {
        self.items(at, Ask::If { condition })
    }

    /// Ends the innermost part of a function, loop or branch with these values. Replies with what
    /// comes next: the carried values of a body, nothing for a second arm, or the results.
    fn end(&self, at: Vec<Frame>, values: Vec<usize>) -> PyResult<Vec<Item>> {
        self.items(at, Ask::End { values })
    }

    /// Launches a kernel that is written already.
    fn launch(
        &self,
        at: Vec<Frame>,
        name: String,
        cluster: Option<[i32; 3]>,
        programmatic: bool,
        sizes: Vec<usize>,
        arguments: Vec<usize>,
    ) -> PyResult<Vec<Item>> {
        self.items(at, Ask::Launch { name, cluster, programmatic, sizes, arguments })
    }

    /// Names a value that has no name. There is no reply, and nothing to wait for.
    fn rename(&self, value: usize, name: String) -> PyResult<()> {
        self.send(Vec::new(), Ask::Rename { value, name })
    }

    /// The text of a value's type.
    fn type_of(&self, value: usize) -> PyResult<String> {
        self.text(Ask::Type { value })
    }

    /// The element type of a view, vector or pointer.
    fn element_of(&self, value: usize) -> PyResult<String> {
        self.text(Ask::Element { value })
    }

    /// The module so far: with names for people, or with locations for the compiler.
    fn module(&self, located: bool) -> PyResult<String> {
        self.text(Ask::Module { located })
    }

    /// Checks the module as a whole.
    fn verify(&self) -> PyResult<()> {
        self.ask(Vec::new(), Ask::Verify).map(drop)
    }
}
