//! The options of a compilation, which `td/Passes.td` declares: a record with a field for each, and
//! the table from which command lines, the C library and the cache derive.

use cute_arch::Target;
use cute_dialect::parameters::Abi;
use cute_lower::CompileOptions;

use crate::libdevice::{self, Libdevice};

macro_rules! options {
    (
        options {
            $($field:ident: $type:ty = $default:literal, $name:literal $value:literal $sentence:literal $stated:literal;)*
        }
        pipeline { $($passed:ident)* }
    ) => {
        /// The options of a compilation.
        #[derive(Debug, Clone)]
        pub struct Options {
            $(#[doc = $sentence] pub $field: $type,)*
        }

        impl Options {
            /// The declarations, in the order of `--help`.
            pub const ALL: &[DeclaredOption] = &[$(DeclaredOption {
                name: $name,
                value_name: $value,
                sentence: $sentence,
                default: $default,
                stated_default: $stated,
                values: <$type as Setting>::values,
                range: <$type as Setting>::RANGE,
            }),*];

            /// The defaults for a target, without libdevice.
            pub fn new(target: Target) -> Self {
                Self { target, ..Self { $($field: Setting::preset($default)),* } }
            }

            /// Sets an option, given its name and the text of its value. Returns whether there is
            /// such an option.
            ///
            /// # Errors
            /// [`Error`] if the option does not take the value.
            pub fn set(&mut self, option: &str, value: &str) -> Result<bool, Error> {
                match option {
                    $($name => self.$field = Setting::read(option, value)?,)*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            /// Passes on everything that distinguishes these options from others: for each option
            /// its name and the parts of its value.
            pub fn distinguish(&self, mut part: impl FnMut(&[u8])) {
                $(
                    part($name.as_bytes());
                    self.$field.distinguish(&mut part);
                )*
            }

            /// The passes to the LLVM and NVVM dialects.
            pub fn pipeline(&self) -> String {
                cute_lower::pipeline_of(&CompileOptions { $($passed: self.$passed.passed(),)* })
            }
        }
    };
}

cute_ffi::compile_options!(options);

/// An option, as it is declared.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredOption {
    /// The name: `fast-math`.
    pub name: &'static str,
    /// The placeholder of the value in a usage: `GPU`. Empty for a switch that is off by default.
    pub value_name: &'static str,
    /// The meaning.
    pub sentence: &'static str,
    /// The default, as the text of a value; empty if it is none.
    pub default: &'static str,
    /// The default in words, where it is not a value.
    pub stated_default: &'static str,
    /// The values, each with its meaning. Empty for a type whose values cannot be listed.
    pub values: fn() -> Vec<(&'static str, &'static str)>,
    /// The least and the most of a number.
    pub range: Option<(u32, u32)>,
}

/// A number in a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<const LEAST: u32, const MOST: u32>(u32);

impl<const LEAST: u32, const MOST: u32> Number<LEAST, MOST> {
    /// The number, if it is in the range.
    pub const fn new(number: u32) -> Option<Self> {
        if LEAST <= number && number <= MOST { Some(Self(number)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// Why an option was not set.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("option '{option}' must be {expected}, found '{found}'")]
    Value { option: String, expected: String, found: String },
    #[error(transparent)]
    Libdevice(#[from] libdevice::Error),
}

/// A type of option.
trait Setting: Sized {
    /// The form in which passes receive it.
    type Passed<'a>
    where
        Self: 'a;

    /// The least and the most of a number.
    const RANGE: Option<(u32, u32)> = None;

    /// The value of a declared default.
    fn preset(default: &str) -> Self;

    /// The values, each with its meaning. Empty for a type whose values cannot be listed.
    fn values() -> Vec<(&'static str, &'static str)>;

    /// Reads the value of an option.
    fn read(option: &str, value: &str) -> Result<Self, Error>;

    /// Passes on the parts that distinguish a value from others.
    fn distinguish(&self, part: &mut impl FnMut(&[u8]));

    /// The value for passes.
    fn passed(&self) -> Self::Passed<'_>;
}

impl DeclaredOption {
    /// The sentence, with the range of a number, and with the default if it is stated in words.
    pub fn help(&self) -> String {
        let range = self.range.map_or_else(String::new, |(least, most)| format!(": {least} to {most}"));
        match self.stated_default {
            "" => format!("{}{range}", self.sentence),
            stated => format!("{}{range} [default: {stated}]", self.sentence),
        }
    }
}

/// Reads one of the values that a type lists.
fn listed<T: Setting>(option: &str, value: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
    read(value).ok_or_else(|| {
        let names: Vec<_> = T::values().into_iter().map(|(name, _)| name).collect();
        let expected = match &names[..] {
            [one, other] => format!("{one} or {other}"),
            names => format!("one of {}", names.join(", ")),
        };
        Error::Value { option: option.into(), expected, found: value.into() }
    })
}

impl Setting for bool {
    type Passed<'a> = Self;

    fn preset(default: &str) -> Self {
        default == "true"
    }

    fn values() -> Vec<(&'static str, &'static str)> {
        vec![("true", ""), ("false", "")]
    }

    fn read(option: &str, value: &str) -> Result<Self, Error> {
        listed(option, value, |value| value.parse().ok())
    }

    fn distinguish(&self, part: &mut impl FnMut(&[u8])) {
        part(&[u8::from(*self)]);
    }

    fn passed(&self) -> Self {
        *self
    }
}

impl Setting for Target {
    type Passed<'a> = &'static str;

    fn preset(default: &str) -> Self {
        default.parse().expect("td/Passes.td names a target")
    }

    fn values() -> Vec<(&'static str, &'static str)> {
        Self::all().iter().map(|target| (target.name(), "")).collect()
    }

    fn read(option: &str, value: &str) -> Result<Self, Error> {
        listed(option, value, |value| value.parse().ok())
    }

    fn distinguish(&self, part: &mut impl FnMut(&[u8])) {
        part(self.name().as_bytes());
    }

    fn passed(&self) -> &'static str {
        self.name()
    }
}

impl Setting for Option<Abi> {
    type Passed<'a> = &'static str;

    fn preset(_: &str) -> Self {
        None
    }

    fn values() -> Vec<(&'static str, &'static str)> {
        vec![
            (Abi::Dsl.name(), "Like CuTe DSL: one parameter per argument, a struct of its dynamic parts"),
            (Abi::Flat.name(), "One parameter for each address, and for each dynamic extent and stride"),
        ]
    }

    fn read(option: &str, value: &str) -> Result<Self, Error> {
        listed(option, value, |value| value.parse().ok().map(Some))
    }

    fn distinguish(&self, part: &mut impl FnMut(&[u8])) {
        part(self.passed().as_bytes());
    }

    fn passed(&self) -> &'static str {
        self.map_or("", Abi::name)
    }
}

impl Setting for Option<Libdevice> {
    /// Whether it will be linked.
    type Passed<'a> = bool;

    fn preset(_: &str) -> Self {
        None
    }

    fn values() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    fn read(_: &str, value: &str) -> Result<Self, Error> {
        Ok(libdevice::find(Some(value.as_ref()))?)
    }

    fn distinguish(&self, part: &mut impl FnMut(&[u8])) {
        part(&[u8::from(self.passed())]);
        if let Some(Libdevice { file, bitcode }) = self {
            part(file.as_os_str().as_encoded_bytes());
            part(bitcode);
        }
    }

    fn passed(&self) -> bool {
        self.is_some()
    }
}

impl<const LEAST: u32, const MOST: u32> Setting for Option<Number<LEAST, MOST>> {
    /// The number, or 0 for none.
    type Passed<'a> = u32;

    const RANGE: Option<(u32, u32)> = Some((LEAST, MOST));

    fn preset(_: &str) -> Self {
        None
    }

    fn values() -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    fn read(option: &str, value: &str) -> Result<Self, Error> {
        let number = value.parse().ok().and_then(Number::new);
        let wrong = || Error::Value {
            option: option.into(),
            expected: format!("a number from {LEAST} to {MOST}"),
            found: value.into(),
        };
        number.map(Some).ok_or_else(wrong)
    }

    fn distinguish(&self, part: &mut impl FnMut(&[u8])) {
        part(&self.passed().to_le_bytes());
    }

    fn passed(&self) -> u32 {
        self.map_or(0, Number::get)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// All parts of the options.
    fn parts(options: &Options) -> Vec<Vec<u8>> {
        let mut parts = Vec::new();
        options.distinguish(|part| parts.push(part.to_vec()));
        parts
    }

    #[test]
    fn each_value_of_each_option_differs_from_the_others() {
        let plain = Options::new(Target::Sm90a);
        let mut seen = HashSet::from([parts(&plain)]);
        for declared in Options::ALL {
            let values = (declared.values)();
            let others = values.iter().filter(|(value, _)| *value != declared.default);
            for (value, _) in others {
                let mut options = plain.clone();
                assert!(options.set(declared.name, value).unwrap());
                assert!(seen.insert(parts(&options)), "{} {value}", declared.name);
            }
            for number in declared.range.into_iter().flat_map(|(least, most)| [least, most]) {
                let mut options = plain.clone();
                assert!(options.set(declared.name, &number.to_string()).unwrap());
                assert!(seen.insert(parts(&options)), "{} {number}", declared.name);
            }
            let is_tried = !values.is_empty() || declared.range.is_some();
            assert!(is_tried || declared.name == "libdevice", "{}", declared.name);
        }
        let library = Libdevice { file: "a".into(), bitcode: b"BC".to_vec() };
        assert!(seen.insert(parts(&Options { libdevice: Some(library), ..plain })));
    }

    #[test]
    fn a_number_is_in_its_range() {
        type Small = Option<Number<2, 4>>;
        assert_eq!(["2", "4"].map(|text| Small::read("n", text).unwrap().passed()), [2, 4]);
        for wrong in ["1", "5", "-2", "2.0", "", "x", "4294967298"] {
            let why = Small::read("n", wrong).unwrap_err().to_string();
            assert_eq!(why, format!("option 'n' must be a number from 2 to 4, found '{wrong}'"));
        }
        assert_eq!(
            (Small::preset("0"), Small::RANGE, None::<Number<2, 4>>.passed()),
            (None, Some((2, 4)), 0)
        );
    }

    #[test]
    fn an_option_says_what_it_takes() {
        let mut options = Options::new(Target::Sm90a);
        let wrong = options.set("abi", "c").unwrap_err().to_string();
        assert_eq!(wrong, "option 'abi' must be dsl or flat, found 'c'");
        assert!(!options.set("colour", "red").unwrap());
        assert!(options.fmad);
        assert!(options.set("fmad", "false").unwrap());
        assert!(!options.fmad);
        assert_eq!(Options::ALL[0].help(), "GPU to compile for");
    }
}
