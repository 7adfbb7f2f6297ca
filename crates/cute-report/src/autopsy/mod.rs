//! A post-mortem of mbarriers: words of shared memory, copied from a debugger or a core dump of a
//! hang, beside the PTX of the kernel. Who has not arrived, and who waits for that, with lines.
//!
//! | module | subject |
//! |---|---|
//! | `words` | the words in the text of a debugger |
//! | `uses` | the instructions of a kernel on mbarriers, and the variables that they name |
//!
//! Nothing is executed: the instructions are those of the text. An instruction whose address the
//! text does not tell is listed with the barriers of every variable.

mod uses;
mod words;

use cute_arch::mbarrier::{MbarrierForm, MbarrierState};
use cute_launch::{Ptx, ptx::is_ptx};
use cute_ptx::syntax;
use cute_sim::names::readable;
use std::fmt::Write;
use std::path::Path;
use uses::{Role, Use, Uses};
use words::{Word, words};

/// The input of a post-mortem.
#[derive(Debug, Clone, Copy)]
pub struct Autopsy<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// Its text, which is PTX.
    pub text: &'a str,
    /// The kernel; needed if there are several that use mbarriers.
    pub kernel: Option<&'a str>,
    /// The words, as a debugger prints them.
    pub words: &'a str,
    /// The variable in shared memory in which the first word lies, and the byte of it.
    pub at: Option<(&'a str, u64)>,
    /// Places in files below this folder are named from there.
    pub folder: Option<&'a Path>,
}

/// Why there is no post-mortem.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is something else.
    #[error(
        "'{0}' is not PTX, which begins with `.version`. It comes from nvcc -ptx -lineinfo, from cuobjdump -ptx for a program, or from \
         kernel.asm[\"ptx\"] of Triton"
    )]
    NotPtx(String),
    /// The file cannot be read as PTX.
    #[error(transparent)]
    Ptx(#[from] cute_launch::Error),
    /// Its body cannot be read.
    #[error("{file}:{line}: {what}")]
    Syntax {
        /// Its name.
        file: String,
        /// Where in it, from 1 on.
        line: u32,
        /// The rule that is broken.
        what: String,
    },
    /// The text has no words.
    #[error(
        "'{0}' has no word of an mbarrier: give its 64 bits as hexadecimal digits, such as 0x7ffff800001ffffe, or lines of a debugger's \
         x/2gx"
    )]
    NoWords(String),
    /// A number is too long.
    #[error("'{0}' has more than 64 bits: an mbarrier is one word of 8 bytes")]
    Long(String),
    /// Words of 32 bits are not pairs.
    #[error(
        "there are {0} words of 32 bits: an mbarrier is two of them, the low one first, as x/2wx prints it"
    )]
    Halves(usize),
    /// The kernel is not there.
    #[error("there is no kernel '{name}' with mbarriers; there are: {all}")]
    NoKernel {
        /// The name that was asked for.
        name: String,
        /// Those that there are.
        all: String,
    },
    /// Several are there.
    #[error("several kernels use mbarriers; name one of {0} with --kernel")]
    WhichKernel(String),
    /// None uses an mbarrier.
    #[error("no kernel of '{0}' uses an mbarrier")]
    NoBarriers(String),
    /// The variable is not there.
    #[error("the kernel has no mbarrier in a variable '{name}'; there are: {all}")]
    NoVariable {
        /// The name that was asked for.
        name: String,
        /// Those that there are.
        all: String,
    },
}

/// Reads `VARIABLE` or `VARIABLE+BYTE`, a number in decimal or hexadecimal digits.
pub fn place(text: &str) -> Option<(&str, u64)> {
    let (name, byte) = text.rsplit_once('+').unwrap_or((text, "0"));
    let byte = match byte.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => byte.parse().ok(),
    };
    byte.filter(|_| !name.is_empty()).map(|byte| (name, byte))
}

impl Autopsy<'_> {
    /// The post-mortem in words.
    ///
    /// # Errors
    /// An [`Error`].
    pub fn write(&self) -> Result<String, Error> {
        if !is_ptx(self.text) {
            return Err(Error::NotPtx(cute_text::line(self.file).into_owned()));
        }
        let words = words(self.words)?;
        let ptx = Ptx::read(self.file, self.text, self.folder)?;
        let module = syntax::parse(self.text).map_err(|why| self.syntax(&why))?;
        let uses = self.kernel_uses(&ptx, &module)?;
        let form = MbarrierForm::of(ptx.target);
        let variables = uses.variables();
        if let Some((name, _)) = self.at
            && !variables.iter().any(|known| is_named(known, name))
        {
            let all: Vec<_> = variables.iter().map(|name| readable(name)).collect();
            return Err(Error::NoVariable { name: name.to_owned(), all: all.join(", ") });
        }
        let mut out = format!("{} for {}\n", readable(&uses.kernel), ptx.target.name());
        for word in &words {
            let place = self.place(word, &words[0], &variables);
            self.word(&mut out, form, word.bits, place.as_ref(), &uses);
        }
        Ok(out)
    }

    fn syntax(&self, why: &syntax::SyntaxError) -> Error {
        Error::Syntax { file: self.file.to_owned(), line: why.line, what: why.what.clone() }
    }

    /// The instructions of the kernel that is meant.
    fn kernel_uses(&self, ptx: &Ptx, module: &syntax::Module<'_>) -> Result<Uses, Error> {
        let mut all = Vec::new();
        for function in module.functions.iter().filter(|function| function.is_entry) {
            let kernel = ptx.program.kernels.iter().find(|kernel| kernel.name == function.name);
            let uses = Uses::of(self.file, function, kernel).map_err(|why| self.syntax(&why))?;
            if !uses.list.is_empty() {
                all.push(uses);
            }
        }
        let names =
            |all: &[Uses]| all.iter().map(|uses| readable(&uses.kernel)).collect::<Vec<_>>().join(", ");
        if all.is_empty() {
            return Err(Error::NoBarriers(self.file.to_owned()));
        }
        match self.kernel {
            Some(name) => match all.iter().position(|uses| is_named(&uses.kernel, name)) {
                Some(found) => Ok(all.swap_remove(found)),
                None => Err(Error::NoKernel { name: name.to_owned(), all: names(&all) }),
            },
            None if all.len() == 1 => Ok(all.swap_remove(0)),
            None => Err(Error::WhichKernel(names(&all))),
        }
    }

    /// The variable and the byte of a word, if they are known.
    fn place(&self, word: &Word, first: &Word, variables: &[String]) -> Option<(String, u64)> {
        let after = match (word.address, first.address) {
            (Some(own), Some(first)) => own.wrapping_sub(first),
            _ => 8 * (word.number - first.number),
        };
        match (self.at, variables) {
            (Some((name, byte)), _) => {
                let known = variables.iter().find(|known| is_named(known, name))?;
                Some((known.clone(), byte.wrapping_add(after)))
            }
            _ => None,
        }
    }

    fn word(
        &self,
        out: &mut String,
        form: MbarrierForm,
        bits: u64,
        place: Option<&(String, u64)>,
        uses: &Uses,
    ) {
        let named = match place {
            Some((name, byte)) => format!("{bits:#018x} at byte {byte} of {}", readable(name)),
            None => format!("{bits:#018x}"),
        };
        let state = match form.read(bits) {
            Ok(state) => state,
            Err(why) => {
                let _ = writeln!(out, "\n{named}\n  {why}");
                return;
            }
        };
        let MbarrierState { parity, pending, expected, transactions } = state;
        let _ = writeln!(out, "\n{named}\n  phase:        not complete, of parity {parity}");
        let _ = writeln!(
            out,
            "  arrivals:     {} of {expected} in this phase; missing: {pending}",
            expected - pending.min(expected)
        );
        let _ = match (form, transactions) {
            (MbarrierForm::Counts, _) => writeln!(out, "  transactions: this GPU counts none"),
            (_, 0) => writeln!(out, "  transactions: none are pending"),
            (_, raw) => writeln!(
                out,
                "  transactions: some are pending (bits 21 to 42 are {raw:#x}); no public source tells how they count bytes"
            ),
        };
        let own: Vec<&Use> = uses.list.iter().filter(|one| one.may_be_at(place)).collect();
        let of = |role: Role| own.iter().copied().filter(move |one| one.role == role);
        let _ = writeln!(out, "  {}", cause(state, own.iter().any(|one| one.role == Role::Waits)));
        let mut list = |title: &str, some: &mut dyn Iterator<Item = &Use>| {
            let lines: Vec<String> = some.map(|one| one.line(place.is_some())).collect();
            if !lines.is_empty() {
                let _ = writeln!(out, "  {title}:");
                lines.iter().for_each(|line| {
                    let _ = writeln!(out, "    {line}");
                });
            }
        };
        list(&format!("wait for it, if they ask for parity {parity} now"), &mut of(Role::Waits));
        if pending > 0 {
            list("arrive at it", &mut of(Role::Arrives));
        }
        if transactions != 0 {
            list("expect bytes", &mut own.iter().copied().filter(|one| one.expects));
            list("bring bytes", &mut of(Role::Copies));
        }
        if pending == expected && transactions == 0 {
            list("initialise it", &mut of(Role::Initialises));
        }
    }
}

/// The meaning of the numbers for a hang.
fn cause(state: MbarrierState, has_waits: bool) -> String {
    let MbarrierState { parity, pending, expected, transactions } = state;
    let waits = match has_waits {
        true => {
            format!("a wait for parity {parity} hangs until then, and one for parity {} passes", 1 - parity)
        }
        false => "no instruction of the text waits for it".to_owned(),
    };
    let cause = match (pending, transactions) {
        (0, 0) => "it is about to complete: nothing is missing".to_owned(),
        (0, _) => "all threads have arrived, and bytes are missing: a copy has not arrived, was not issued, or is shorter than what was \
                   expected"
            .to_owned(),
        (n, 0) if n == expected => "nobody has arrived in this phase".to_owned(),
        (n, 0) => format!("{n} of the {expected} arrivals are missing"),
        (n, _) if n == expected => "nobody has arrived in this phase, but transactions are pending: bytes were announced without an \
                                    arrival, or they came before they were announced"
            .to_owned(),
        (n, _) => format!("{n} of the {expected} arrivals are missing, and bytes are, too"),
    };
    format!("so:           {cause}; {waits}")
}

/// Whether a symbol has this name, as it is or as people write it.
fn is_named(symbol: &str, name: &str) -> bool {
    let short = readable(symbol);
    symbol == name || short == name || short.rsplit("::").next() == Some(name)
}

#[cfg(test)]
mod tests;
