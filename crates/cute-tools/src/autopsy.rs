//! `cutec autopsy`: words of mbarriers, from a debugger or a core dump of a hang, beside the PTX of
//! the kernel.

use std::{
    env,
    io::{self, Read},
    path::PathBuf,
};

use clap::Args;
use cute_output::Sink;
use cute_report::autopsy::{Autopsy, place};

use crate::{
    error::{Error, Result},
    source,
};

/// Bytes of words that are read from standard input.
const MOST_BYTES: u64 = 1 << 24;

/// Tells what the words of mbarriers say about a hang: who has not arrived, and who waits for that.
#[derive(Debug, Args)]
#[command(after_long_help = "\
In cuda-gdb, `print/x *(@shared unsigned long*)0x400` prints the mbarrier at byte 0x400 of shared memory.
The fields are those of machine code that ptxas makes; docs/debug.md names the source of each.")]
pub struct Cli {
    /// The PTX of the kernel that hangs
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The 64 bits of each mbarrier in hexadecimal digits, or lines of a debugger; - is standard
    /// input
    #[arg(value_name = "WORD", required = true)]
    pub words: Vec<String>,
    /// The kernel [default: the only one of FILE with mbarriers]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// The variable in shared memory at which the first word lies, as in full, or full+16: only
    /// instructions that may mean this place are listed
    #[arg(long, value_name = "VARIABLE[+BYTE]")]
    pub at: Option<String>,
}

/// Prints the post-mortem.
///
/// # Errors
/// [`Error::Autopsy`], [`Error::At`], and those of reading.
pub fn run(cli: &Cli) -> Result<()> {
    let words = match cli.words.as_slice() {
        [one] if one == "-" => {
            let mut text = String::new();
            let read = io::stdin().take(MOST_BYTES).read_to_string(&mut text);
            read.map_err(|why| Error::Read { file: "<stdin>".into(), why })?;
            text
        }
        all => all.join("\n"),
    };
    let text = source::read(&cli.file)?;
    let wrong = |text: &str| Error::At { text: text.to_owned() };
    let at = cli.at.as_deref().map(|text| place(text).ok_or_else(|| wrong(text))).transpose()?;
    // Places in files below the current folder are named from there.
    let folder = env::current_dir().ok();
    let autopsy = Autopsy {
        file: &text.name,
        text: &text.text,
        kernel: cli.kernel.as_deref(),
        words: &words,
        at,
        folder: folder.as_deref(),
    };
    let told = autopsy.write()?;
    Ok(cute_output::write(&[(Sink::Stdout, told.as_bytes())])?)
}
