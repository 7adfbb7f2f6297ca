//! The options of commands. Each is declared once: as a field, which requests set by its name, and
//! as data, from which a command line is made.

use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};

/// An option of a command.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name: `bits` in requests, `--bits` at a shell.
    pub name: &'static str,
    /// The name of its value, such as `N`.
    pub value: &'static str,
    /// The values that it takes.
    pub kind: Kind,
    /// A description in one line.
    pub doc: &'static str,
    /// The commands that take it.
    pub commands: &'static [&'static str],
    /// The heading under which help lists it.
    pub heading: &'static str,
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// Any number of texts.
    Texts,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An integer of 64 bits.
    Integer,
    /// A non-negative integer of 32 bits.
    Count,
    /// A non-negative integer of 64 bits.
    Address,
}

/// A type of field, and the values that its option takes.
pub(crate) trait Field {
    const KIND: Kind;
}

impl Field for Option<String> {
    const KIND: Kind = Kind::Text;
}

impl Field for Vec<String> {
    const KIND: Kind = Kind::Texts;
}

impl Field for Option<i64> {
    const KIND: Kind = Kind::Integer;
}

impl Field for Option<u32> {
    const KIND: Kind = Kind::Count;
}

impl Field for Option<u64> {
    const KIND: Kind = Kind::Address;
}

/// Declares the options of a command: a structure that requests fill, and `SETTINGS`.
macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        $name:ident of $command:literal;
        $($(#[doc = $doc:literal])+ $key:literal $value:literal $(also of $($also:literal)and+)?
            => $field:ident: $type:ty,)+
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Default, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $doc])+ #[serde(rename = $key)] pub $field: $type,)+
        }

        impl $name {
            /// The options as data.
            pub const SETTINGS: &'static [crate::options::Setting] = &[$(crate::options::Setting {
                name: $key,
                value: $value,
                kind: <$type as crate::options::Field>::KIND,
                doc: concat!($($doc),+),
                commands: &[$command $($(, $also)+)?],
                heading: concat!("Options of ", $command),
            }),+];
        }
    };
}
pub(crate) use settings;

/// Checks that each of the options belongs to the command.
pub(crate) fn check(settings: &[&[Setting]], command: &str, options: &Map<String, Json>) -> Result<()> {
    let given = settings.iter().copied().flatten().filter(|setting| options.contains_key(setting.name));
    match given.into_iter().find(|setting| !setting.commands.contains(&command)) {
        Some(Setting { name, commands, .. }) => {
            Err(Error::Request(format!("--{name} is an option of {}", commands.join(" and "))))
        }
        None => Ok(()),
    }
}
