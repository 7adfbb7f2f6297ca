//! The instructions that ptxas makes, as nvdisasm prints them, with the lines of the source that
//! they come from, and what they show: values in [local memory](local), and [loops](loops).
//!
//! ```
//! use cute_driver::sass;
//! let text = "\
//! \t.section .text.k,\"ax\"
//! .text.k:
//! \t//## File \"k.mlir\", line 7
//!         /*0000*/              @!P0 STL [R1], R4 (*\"SpillRefill\"*);
//! .L_x_0:
//!         /*0010*/                   BRA `(.L_x_0) ;
//!         /*0020*/                   NOP;
//! ";
//! let code = &sass::functions(text)[0];
//! assert_eq!((code.name.as_str(), code.instructions.len()), ("k", 2));
//! let kept = &code.in_local_memory()[0];
//! assert_eq!(kept.place.as_ref().unwrap().to_string(), "k.mlir:7");
//! assert!(kept.is_spilled && kept.stores == 1);
//! ```

pub mod local;
pub mod loops;

use std::{collections::HashMap, fmt, fs, io, path::PathBuf, process::Command, rc::Rc};

use cute_output::plain;

use crate::ptxas::{self, scratch::Scratch};

/// The file that nvdisasm names for lines of the PTX.
const PTX: &str = ".nv_debug_ptx_txt";

/// The mark of nvdisasm behind an access that ptxas added for a register.
const SPILL: &str = "SpillRefill";

/// The reason why there are no instructions to read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("CUTE_NVDISASM names '{}', which is not an executable file", file.display())]
    NotExecutable { file: PathBuf },
    #[error(
        "there is no nvdisasm beside the executable or in PATH, and CUTE_NVDISASM is not set; install a CUDA toolkit, or \
         'pip install nvidia-cuda-nvdisasm' and set CUTE_NVDISASM to its nvdisasm"
    )]
    NotFound,
    #[error("cannot run nvdisasm '{}': {}", file.display(), plain(why))]
    DidNotRun { file: PathBuf, why: io::Error },
    #[error("nvdisasm '{}' did not finish within {} s", file.display(), ptxas::LIMIT.as_secs())]
    TimeLimit { file: PathBuf },
    #[error("nvdisasm '{}' does not read the cubin: {text}", file.display())]
    Refused { file: PathBuf, text: String },
}

/// A line of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The file, as the source names it.
    pub file: Rc<str>,
    /// The number of the line, from 1.
    pub number: u32,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.number)
    }
}

/// An instruction.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// Its name with all modifiers: `LDL.LU.128`.
    pub opcode: String,
    /// The text behind the opcode.
    pub operands: String,
    /// Where it comes from, if the code has line numbers.
    pub place: Option<Line>,
    /// Whether ptxas added it because registers did not suffice.
    pub is_spill: bool,
    /// The label that it names.
    target: Option<String>,
    /// Whether it is executed without a condition: no guard, and no predicate before the label.
    always: bool,
}

impl Instruction {
    /// Whether it multiplies matrices on the tensor cores.
    pub fn is_mma(&self) -> bool {
        const NAMES: [&str; 9] = ["HMMA", "IMMA", "DMMA", "QMMA", "OMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA"];
        let name = self.name();
        NAMES.contains(&name) || (name.starts_with("UTC") && name.ends_with("MMA"))
    }

    /// Whether it loads from local memory.
    pub fn is_local_load(&self) -> bool {
        self.name() == "LDL"
    }

    /// Whether it stores to local memory.
    pub fn is_local_store(&self) -> bool {
        self.name() == "STL"
    }

    /// The opcode without modifiers.
    fn name(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }
}

/// The instructions of a function, without NOPs.
#[derive(Debug, Clone)]
pub struct Code {
    /// The symbol of the function.
    pub name: String,
    /// The instructions, in order.
    pub instructions: Vec<Instruction>,
    /// The labels, each with the number of the instruction that follows.
    labels: HashMap<String, usize>,
}

/// The lines that instructions are said to come from.
#[derive(Debug, Clone, Copy)]
pub enum Lines<'n> {
    /// Those that the PTX names by `.loc`.
    Source,
    /// Those of the PTX, which has this name.
    Ptx(&'n str),
}

/// The functions of a cubin, in its order. The lines are in it if it was assembled with
/// `-lineinfo`.
///
/// # Errors
/// An [`Error`].
pub fn disassemble(cubin: &[u8], lines: Lines<'_>) -> Result<Vec<Code>, Error> {
    let text = text(cubin, lines)?;
    Ok(match lines {
        Lines::Source => functions(&text),
        Lines::Ptx(name) => functions(&text.replace(PTX, name)),
    })
}

/// The text that nvdisasm prints for a cubin.
///
/// # Errors
/// An [`Error`].
pub fn text(cubin: &[u8], lines: Lines<'_>) -> Result<String, Error> {
    let file = find()?;
    let failed = |why: io::Error| Error::DidNotRun { file: file.clone(), why };
    let folder = Scratch::new(&std::env::temp_dir()).map_err(failed)?;
    let input = folder.path().join("kernel.cubin");
    fs::write(&input, cubin).map_err(failed)?;
    let mut command = Command::new(&file);
    command.arg("-c").arg(if matches!(lines, Lines::Source) { "-g" } else { "-gp" }).arg(&input);
    let (succeeds, said) = match ptxas::said(&mut command, folder.path()).map_err(failed)? {
        Some(done) => done,
        None => return Err(Error::TimeLimit { file }),
    };
    if !succeeds {
        let text = said.lines().next().unwrap_or("it ends without a message").to_owned();
        return Err(Error::Refused { file, text });
    }
    Ok(said)
}

/// Finds nvdisasm as [`ptxas::find`] finds ptxas.
///
/// # Errors
/// [`Error::NotExecutable`] and [`Error::NotFound`].
pub fn find() -> Result<PathBuf, Error> {
    ptxas::find_tool("nvdisasm", "CUTE_NVDISASM").map_err(|named| match named {
        Some(file) => Error::NotExecutable { file },
        None => Error::NotFound,
    })
}

/// Reads the functions of a text of nvdisasm.
pub fn functions(text: &str) -> Vec<Code> {
    let mut all: Vec<Code> = Vec::new();
    let (mut place, mut files) = (None, HashMap::new());
    for line in text.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            if let Some(name) = label.strip_prefix(".text.") {
                let (instructions, labels) = (Vec::new(), HashMap::new());
                all.push(Code { name: name.to_owned(), instructions, labels });
                place = None;
            } else if let Some(code) = all.last_mut().filter(|_| label.starts_with(".L")) {
                code.labels.insert(label.to_owned(), code.instructions.len());
            }
        } else if let Some(named) = line.strip_prefix("//## File ") {
            place = line_of(named, &mut files);
        } else if let Some((code, instruction)) = all.last_mut().zip(instruction(line)) {
            code.instructions.push(Instruction { place: place.clone(), ..instruction });
        }
    }
    all
}

/// `"gemm.mlir", line 7`, perhaps with more behind.
fn line_of(text: &str, files: &mut HashMap<String, Rc<str>>) -> Option<Line> {
    let (file, rest) = text.strip_prefix('"')?.split_once("\", line ")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    let file = files.entry(file.to_owned()).or_insert_with(|| Rc::from(file)).clone();
    Some(Line { file, number: digits.parse().ok()? })
}

/// `/*0040*/  @!P0 BRA P1, `(.L_x_1) ;`: no instruction for NOPs and other lines.
fn instruction(line: &str) -> Option<Instruction> {
    let (address, code) = line.strip_prefix("/*")?.split_once("*/")?;
    if address.len() < 4 || !address.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let code = code.split("/*").next()?.trim().trim_end_matches(';');
    let (code, mark) = code.split_once("(*").unwrap_or((code, ""));
    let is_word = |word: &&str| !word.starts_with(['@', '{', '}']);
    let opcode = code.split_whitespace().find(is_word).filter(|opcode| *opcode != "NOP")?;
    let operands = code.split_once(opcode)?.1.trim();
    let target = operands.split_once("`(").and_then(|(_, rest)| Some(rest.split_once(')')?.0));
    let target = target.filter(|label| label.starts_with(".L")).map(str::to_owned);
    let always = !code.contains('@') && (target.is_none() || operands.starts_with('`'));
    let (opcode, operands) = (opcode.to_owned(), operands.trim_end_matches('}').trim_end().to_owned());
    Some(Instruction { opcode, operands, place: None, is_spill: mark.contains(SPILL), target, always })
}
