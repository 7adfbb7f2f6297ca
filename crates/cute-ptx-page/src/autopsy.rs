//! Post-mortems: the words of mbarriers that a hang on a device has left, beside the PTX.

use crate::request::{Error, unnamed};
use cute_report::autopsy::{Autopsy, place};
use serde::{Deserialize, Serialize};

/// Words of mbarriers, and the kernel that they are of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    ptx: String,
    #[serde(default = "unnamed")]
    file: String,
    kernel: Option<String>,
    /// As a debugger prints them.
    words: String,
    /// The variable of the first word: `VARIABLE`, or `VARIABLE+BYTE`.
    at: Option<String>,
}

/// The text of a post-mortem.
#[derive(Debug, Serialize)]
pub struct Told {
    text: String,
}

/// Tells what the words say.
///
/// # Errors
/// [`Error::Text`], [`Error::Field`], [`Error::Autopsy`].
pub fn autopsy(request: &[u8]) -> Result<Told, Error> {
    let Question { ptx, file, kernel, words, at } = serde_json::from_slice(request)?;
    let wrong =
        |text: &str| Error::Field(format!("'{text}' is not the name of a variable, as in full or full+16"));
    let at = at.as_deref().map(|text| place(text).ok_or_else(|| wrong(text))).transpose()?;
    let kernel = kernel.as_deref();
    let autopsy = Autopsy { file: &file, text: &ptx, kernel, words: &words, at, folder: None };
    Ok(Told { text: autopsy.write()? })
}
