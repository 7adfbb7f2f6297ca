//! The errors that stop a step. Each text is one line, except for output of ptxas.

use std::path::PathBuf;

use cute_driver::{libdevice, ptxas};

/// Result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Error {
    /// The listener has received the reason.
    #[error("compilation failed")]
    Reported,
    #[error("'{file}' has more than {most} bytes")]
    TooLarge { file: String, most: usize },
    #[error("'{file}' is not UTF-8 text (byte {at})")]
    NotText { file: String, at: usize },
    #[error("'{file}' has a NUL (byte {at}), so it is not a text")]
    Nul { file: String, at: usize },
    #[error("'{file}' has more than {most} {what} (line {line})")]
    TooDeep { file: String, line: usize, most: usize, what: &'static str },
    #[error("cannot use the cache '{}': {why}", folder.display())]
    Cache { folder: PathBuf, why: String },
    #[error("'{file}': {why}")]
    Compile { file: String, why: cute_driver::Error },
    #[error(transparent)]
    Libdevice(#[from] libdevice::Error),
    #[error(transparent)]
    Ptxas(#[from] ptxas::Error),
    #[error("no function of '{file}' launches kernels")]
    NoHost { file: String },
    #[error("there is no host function '{name}' in '{file}'; it has {}", hosts.join(", "))]
    NoSuchHost { name: String, file: String, hosts: Vec<String> },
    #[error("'{file}' has the host functions {}", hosts.join(", "))]
    WhichHost { file: String, hosts: Vec<String> },
    #[error(transparent)]
    Launch(#[from] cute_launch::Error),
    #[error(transparent)]
    NotInC(#[from] cute_host::c::Unsupported),
}

impl Error {
    /// The id of the broken rule, if it is one of a launch or of the simulator's readers.
    pub fn id(&self) -> Option<&'static str> {
        match self {
            Self::Launch(why) => why.id(),
            _ => None,
        }
    }

    /// The error for a module that does not compile.
    pub fn of(file: &str, why: cute_driver::Error) -> Self {
        match why {
            cute_driver::Error::Reported => Self::Reported,
            cute_driver::Error::Ptxas(why) => Self::Ptxas(why),
            why => Self::Compile { file: file.into(), why },
        }
    }
}
