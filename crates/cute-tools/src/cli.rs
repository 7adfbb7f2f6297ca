//! The options that commands of `cutec` share, and how a command line is parsed.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    sync::LazyLock,
};

use clap::{
    Args, Parser, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
    error::ErrorKind,
};
use cute_algebra::Domain;
use cute_arch::Target;
use cute_driver::ptxas;
use cute_session::{Emit, ProducerProfile};

use crate::{diagnostics::message, settings::Settings};

/// A compilation.
#[derive(Debug, Args)]
pub struct Cli {
    /// cute IR; - is standard input
    // `None` after another command.
    #[arg(value_name = "FILE", required_unless_present_any = ["explain", "libdir"])]
    pub file: Option<PathBuf>,
    /// The requested output
    #[command(flatten)]
    pub(crate) options: Options,
}

/// The requested output of a module, and its destination.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// GPU to compile for, needed unless --emit cute
    #[arg(long, value_name = "GPU", value_parser = target())]
    pub target: Option<Target>,
    /// The output to write
    #[arg(long, value_enum, value_name = "KIND", default_value = "ptx")]
    pub emit: Output,
    /// File to write, completely or not at all; - is standard output, the default for all but cubin
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Domain policy if no cute.domain attribute specifies one
    #[arg(long, value_name = "POLICY", value_parser = domain())]
    pub domain: Option<Domain>,
    /// The producer of the module
    #[command(flatten)]
    pub producer: Producer,
    /// The options of the compilation
    #[command(flatten)]
    pub settings: Settings,
    /// Option for LLVM's backend, as llc takes it; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub llc: Vec<String>,
    /// Option for ptxas; may be repeated
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub ptxas: Vec<String>,
    /// Keep PTX, cubins and other results in this folder, and take them from there when nothing
    /// that they depend on has changed
    #[arg(long, value_name = "FOLDER")]
    pub cache: Option<PathBuf>,
    /// Time limit for ptxas in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = ptxas::LIMIT.as_secs(),
        value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    pub ptxas_timeout: u64,
}

/// The producer of a module.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Producer {
    /// Producer of the module, whose forms alone are accepted: auto, dsl-4.3 to dsl-4.7, cute-rs or
    /// zml
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub profile: ProducerProfile,
}

/// The output to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// The module as it is given.
    Cute,
    /// An output of the compilation.
    Compiled(Emit),
}

impl ValueEnum for Output {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<Output>> = LazyLock::new(|| {
            let compiled = Emit::ALL.iter().copied().map(Output::Compiled);
            std::iter::once(Output::Cute).chain(compiled).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, sentence) = match self {
            Self::Cute => ("cute", "The module as it is given"),
            Self::Compiled(emit) => (emit.name(), emit.sentence()),
        };
        Some(PossibleValue::new(name).help(sentence))
    }
}

/// Parses a target; the help lists all of them.
pub(crate) fn target() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::all().iter().map(|t| t.name()))
        .map(|name| name.parse().expect("a name of a target"))
}

/// Parses a target of PTX.
pub(crate) fn known_target() -> impl TypedValueParser<Value = Target> {
    PossibleValuesParser::new(Target::known().map(|t| t.name()))
        .map(|name| Target::of_ptx(&name).expect("a name of a target"))
}

/// Parses the extents of a grid or a block: X, X,Y or X,Y,Z.
pub(crate) fn extents(text: &str) -> Result<[u32; 3], String> {
    let parts: Vec<_> = text.split(',').map(|part| part.trim().parse::<u32>()).collect();
    let mut extents = [1; 3];
    if parts.is_empty() || parts.len() > 3 {
        return Err(format!("{} extents are given, but 1 to 3 are possible", parts.len()));
    }
    for (extent, part) in extents.iter_mut().zip(parts) {
        *extent = part.map_err(|_| "extents are whole numbers, as in 4,2,1".to_owned())?;
        if *extent == 0 {
            return Err("an extent of 0 launches nothing".into());
        }
    }
    Ok(extents)
}

/// Parses a domain policy.
pub(crate) fn domain() -> impl TypedValueParser<Value = Domain> {
    let values = [
        (Domain::Strict, "An operation's equation must hold (default)"),
        (Domain::Extend, "Everything that CuTe accepts"),
    ];
    let values = values.map(|(domain, meaning)| PossibleValue::new(domain.name()).help(meaning));
    PossibleValuesParser::new(values).map(|name| name.parse().expect("the name of a policy"))
}

/// Parses the arguments of this process, its name first. Help, version and errors are printed here,
/// each error in one line.
///
/// # Errors
/// Returns the exit code.
pub fn parse_from<C: Parser>(arguments: impl Iterator<Item = OsString>) -> Result<C, ExitCode> {
    C::try_parse_from(arguments).map_err(|e| match e.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => show(&e.to_string()),
        _ => {
            // clap's first paragraph describes the error; the rest is usage.
            let text = e.to_string();
            let lines = text.lines().take_while(|l| !l.is_empty()).map(str::trim);
            message(&cute_text::line(&lines.collect::<Vec<_>>().join(" ")));
            ExitCode::FAILURE
        }
    })
}

/// Prints, and tolerates a closed output: `cutec --help | head` is not a mistake.
fn show(text: &str) -> ExitCode {
    let printed = cute_output::stdout().and_then(|mut out| {
        out.write_all(text.as_bytes())?;
        out.flush()
    });
    match printed {
        Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
            message(&format!("error: cannot write 'standard output': {}", cute_output::plain(&why)));
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
