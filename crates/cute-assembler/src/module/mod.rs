//! Files of PTX to programs.
//!
//! | file | subject |
//! |---|---|
//! | `place` | the lines of the file, and of the sources that it names |
//! | `chain`, `files` | the calls that were inlined around them; the names of sources |
//! | `reach` | the functions and the symbols that a kernel uses |
//! | `variables` | memory of the module and of functions |
//! | `function` | bodies |
//! | `parameters` | parameters of kernels |
//! | `calls` | calls and returns |

mod calls;
mod chain;
mod files;
mod function;
mod parameters;
mod place;
mod reach;
mod variables;

use crate::{Assembler, malformed};
use calls::Callee;
pub use calls::is_of_the_system;
use cute_ptx::syntax::{self, Function, Module};
use cute_sim::program::{Kernel, Program};
use cute_sim::{Error, Malformed};
pub use parameters::MOST_BYTES;
use place::Places;
use std::collections::HashMap;

/// The newest version of PTX whose instructions are known.
const NEWEST: (u32, u32) = (9, 4);

/// How to read a file.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The name of the file, for messages.
    pub file: &'a str,
    /// Whether an instruction without a model is an error when the file is read. Otherwise it is a
    /// finding when it is reached.
    pub strict: bool,
}

/// A file of PTX, read as far as its declarations.
pub struct File<'a> {
    module: Module<'a>,
    reading: Reading<'a>,
    folder: Option<String>,
}

/// Reads a file of PTX.
///
/// ```
/// use cute_assembler::module::{Reading, parse};
/// use cute_sim::{Arg, Launch, Memory};
///
/// let file = parse(
///     ".version 8.7 .target sm_90a .address_size 64
///      .visible .entry count(.param .u64 data)
///      {
///        .reg .b32 %r<2>; .reg .b64 %rd<4>;
///        ld.param.u64 %rd1, [data];
///        mov.u32 %r1, %tid.x;
///        mul.wide.u32 %rd2, %r1, 4;
///        add.s64 %rd3, %rd1, %rd2;
///        st.global.u32 [%rd3], %r1;
///        ret;
///      }",
///     Reading { file: "count.ptx", strict: true },
/// )?;
/// let program = file.program()?;
/// let mut memory = Memory::new();
/// let data = memory.upload(&[7u32; 4]);
/// program.run(&Launch::new("count", [1, 1, 1], [3, 1, 1]), &mut memory, &[Arg::Buffer(data)])?;
/// assert_eq!(memory.download::<u32>(data), [0, 1, 2, 7]);
/// # Ok::<(), cute_sim::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a text that is not PTX. A version that is [newer than known](File::newer)
/// is none.
pub fn parse<'a>(text: &'a str, reading: Reading<'a>) -> Result<File<'a>, Error> {
    let module = syntax::parse(text).map_err(|error| place::unread(reading.file, &error))?;
    let file = File { module, reading, folder: None };
    let what = match file.module.version {
        (0, 0) => Some("it does not begin with `.version`".to_owned()),
        _ if file.module.address_size != 64 => {
            Some(format!("addresses of {} bits: `.address_size 64` is needed", file.module.address_size))
        }
        _ if !file.module.target.first().is_some_and(|target| target.starts_with("sm_")) => {
            Some("it has no `.target` such as `sm_90a`".to_owned())
        }
        _ => None,
    };
    match what {
        Some(what) => Err(malformed(&file.places().at(1, ".version"), Malformed::File, what)),
        None => Ok(file),
    }
}

impl<'a> File<'a> {
    /// Names the sources in a folder relative to it.
    pub fn relative_to(self, folder: impl Into<String>) -> Self {
        File { folder: Some(folder.into()), ..self }
    }

    fn places(&self) -> Places<'a> {
        Places::new(&self.module, self.reading.file, self.folder.as_deref())
    }

    /// The declarations.
    pub fn module(&self) -> &Module<'a> {
        &self.module
    }

    /// A warning if its version is newer than those whose instructions are known. What it has in
    /// common with them is read; anything else is refused like other unknown instructions.
    pub fn newer(&self) -> Option<String> {
        let (version @ (major, minor), (known, point)) = (self.module.version, NEWEST);
        (version > NEWEST).then(|| {
            format!(
                "{}: PTX {major}.{minor} is newer than {known}.{point}, the newest version that is known; an instruction \
                 that it adds is an error where a thread gets there",
                self.reading.file
            )
        })
    }

    /// Its entries, in their order.
    pub fn kernels(&self) -> impl Iterator<Item = &Function<'a>> {
        self.module.functions.iter().filter(|function| function.is_entry && function.body.is_some())
    }

    /// The program of all kernels.
    ///
    /// # Errors
    ///
    /// Returns the first place that is not PTX, or that has no model.
    pub fn program(&self) -> Result<Program, Error> {
        let kernels = self.kernels().map(|function| self.kernel(function)).collect::<Result<Vec<_>, _>>()?;
        for (i, kernel) in kernels.iter().enumerate() {
            if kernels[..i].iter().any(|other| other.name == kernel.name) {
                let at = self.places().at(1, ".entry");
                return Err(malformed(
                    &at,
                    Malformed::SecondName,
                    format!("a second kernel named `{}`", kernel.name),
                ));
            }
        }
        Ok(Program { kernels })
    }

    fn kernel(&self, function: &Function<'a>) -> Result<Kernel, Error> {
        let mut reader = Reader {
            assembler: Assembler::default(),
            module: &self.module,
            places: self.places(),
            strict: self.reading.strict,
            symbols: HashMap::new(),
            placed: HashMap::new(),
            callees: HashMap::new(),
            inside: None,
        };
        let reached = reader.reached(function)?;
        reader.variables(&reached)?;
        reader.callees(&reached)?;
        let start = reader.assembler.here();
        let params = reader.parameters(function)?;
        reader.body(function, &reached.surveys[function.name])?;
        let at = reader.places.at(function.line, ".entry");
        reader.assembler.resolve(0, &[]);
        let kernel = reader.assembler.kernel(function.name.to_owned(), start, params);
        parameters::launched(function, kernel, &at)
    }
}

/// The reader of one kernel.
struct Reader<'a, 'f> {
    assembler: Assembler,
    module: &'f Module<'a>,
    places: Places<'a>,
    strict: bool,
    /// The symbols of the module that the kernel uses, and its parameters.
    symbols: HashMap<&'a str, variables::Object>,
    /// Variables of bodies in shared memory, by their lines and names.
    placed: HashMap<(u32, &'a str), variables::Object>,
    /// The device functions that the kernel calls.
    callees: HashMap<&'a str, Callee>,
    /// The results of the device function that is being read.
    inside: Option<Vec<calls::Formal>>,
}
