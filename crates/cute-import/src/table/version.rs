//! Versions of CuTe DSL, the programs that write modules of cute IR, and what is known about the
//! origin of an op: which of them write it, since when, and how that is known.

use std::fmt;

/// A version of CuTe DSL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Version {
    /// A version before 4.3, the first one that is read.
    Older,
    V4_3,
    V4_4,
    V4_5,
    V4_6,
    V4_7,
    V4_8,
    V4_9,
}

impl Version {
    /// The first version whose modules are read.
    pub const FIRST: Self = Self::V4_3;
    /// All of them, oldest first.
    pub const ALL: [Self; 8] =
        [Self::Older, Self::V4_3, Self::V4_4, Self::V4_5, Self::V4_6, Self::V4_7, Self::V4_8, Self::V4_9];

    /// `4.3`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Older => "before 4.3",
            Self::V4_3 => "4.3",
            Self::V4_4 => "4.4",
            Self::V4_5 => "4.5",
            Self::V4_6 => "4.6",
            Self::V4_7 => "4.7",
            Self::V4_8 => "4.8",
            Self::V4_9 => "4.9",
        }
    }

    /// The public texts of it that show ops.
    pub fn public(self) -> &'static str {
        match self {
            Self::Older => "a module of QuACK",
            Self::V4_3 | Self::V4_4 => "the modules of NVIDIA's examples (NVIDIA/cutlass #2767)",
            Self::V4_5 => "a module of Helion (pytorch/helion)",
            Self::V4_6 => "modules of 0z5a/InfraSWE, and in threads of FlashInfer",
            Self::V4_7 => {
                "a host function (eellison/pytorch), and examples that call the functions of its API"
            }
            Self::V4_8 | Self::V4_9 => "release notes",
        }
    }

    /// How far its modules are read here.
    pub fn here(self) -> &'static str {
        match self {
            Self::Older => "refused where `cute.atom` shows the version; otherwise not tried",
            Self::V4_3 | Self::V4_4 | Self::V4_5 | Self::V4_6 => "read",
            Self::V4_7 => "read, most ops that it added by inferred spellings",
            Self::V4_8 | Self::V4_9 => "read as far as the ops are those of 4.7, which no module shows",
        }
    }

    /// The version with that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The variable by which CuTe DSL 4.8 and later choose the compiler of their extension, whose ops
/// are those of the dialect `lir`.
pub const EXTENSION_VARIABLE: &str = "CUTE_DSL_USE_EXTENSION_COMPILER";

/// A program that writes modules of cute IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Producer {
    /// NVIDIA's CuTe DSL in Python.
    CuteDsl,
    /// NVIDIA's Rust front end, in cuda-oxide.
    CuteRs,
    /// zml's front end in Zig.
    Zml,
    /// The open `cutlass_compiler` of NVIDIA/cutlass, which has the algebra of layouts alone.
    CutlassCompiler,
}

impl Producer {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::CuteDsl, Self::CuteRs, Self::Zml, Self::CutlassCompiler];

    /// The modules that it writes.
    pub fn modules(self) -> &'static str {
        match self {
            Self::CuteDsl => "kernels as `cuda.kernel`, and a host function that launches them",
            Self::CuteRs | Self::Zml => "kernels as functions with a mark, without a host function",
            Self::CutlassCompiler => "functions that compute layouts and tuples",
        }
    }

    /// The name of the program.
    pub fn name(self) -> &'static str {
        match self {
            Self::CuteDsl => "CuTe DSL",
            Self::CuteRs => "cute-rs",
            Self::Zml => "zml",
            Self::CutlassCompiler => "cutlass_compiler",
        }
    }
}

impl fmt::Display for Producer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a spelling is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// A published module has it.
    Module,
    /// Public documentation or the public sources of a producer describe it.
    Described,
    /// It is inferred, because no published module has it.
    Inferred,
}

impl Source {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Module => "published module",
            Self::Described => "description",
            Self::Inferred => "inferred",
        }
    }
}

/// The producers of an op, and the version it is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The programs that write it.
    pub producers: &'static [Producer],
    /// The first version of CuTe DSL that a public source shows it in; `None` if CuTe DSL is not
    /// known to write it.
    pub since: Option<Version>,
    /// The last version of CuTe DSL that writes it, if later ones do not.
    pub until: Option<Version>,
    /// Whether earlier versions are known not to write it. Otherwise they may.
    pub added: bool,
    /// How that is known.
    pub source: Source,
}

impl Origin {
    /// An op of CuTe DSL that a published module of this version has.
    pub const fn seen(since: Version) -> Self {
        Self {
            producers: &[Producer::CuteDsl],
            since: Some(since),
            until: None,
            added: false,
            source: Source::Module,
        }
    }

    /// Like [`seen`](Self::seen), for an op that earlier versions do not write: their modules do
    /// the same in another way.
    pub const fn added(since: Version) -> Self {
        Self { added: true, ..Self::seen(since) }
    }

    /// An op of CuTe DSL whose spelling is inferred for this version.
    pub const fn inferred(since: Version) -> Self {
        Self { source: Source::Inferred, ..Self::seen(since) }
    }

    /// An op of other producers, by their descriptions.
    pub const fn described(producers: &'static [Producer]) -> Self {
        Self { producers, since: None, until: None, added: false, source: Source::Described }
    }

    /// The same, where later versions do not write it.
    pub const fn until(self, last: Version) -> Self {
        Self { until: Some(last), ..self }
    }

    /// The same, also written by these producers.
    pub const fn by(self, producers: &'static [Producer]) -> Self {
        Self { producers, ..self }
    }

    /// `CuTe DSL 4.7 and later`, `cute-rs`, or both.
    pub fn versions(&self) -> String {
        let of_one = |producer: &Producer| match (self.since, self.until) {
            (Some(since), last) if *producer == Producer::CuteDsl => match last {
                _ if since == Version::Older => format!("{producer} {since}"),
                Some(last) if last == since => format!("{producer} {since}"),
                Some(last) => format!("{producer} {since} to {last}"),
                None => format!("{producer} {since} and later"),
            },
            _ => producer.to_string(),
        };
        self.producers.iter().map(of_one).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_and_have_names() {
        assert!(Version::ALL.is_sorted());
        for version in Version::ALL {
            assert_eq!(Version::named(version.name()), Some(version));
        }
        assert_eq!(Version::named("4.2"), None);
    }

    #[test]
    fn an_origin_names_the_producers_and_the_versions() {
        use Producer::{CuteDsl, CuteRs, Zml};
        assert_eq!(Origin::seen(Version::V4_7).versions(), "CuTe DSL 4.7 and later");
        assert_eq!(Origin::seen(Version::Older).versions(), "CuTe DSL before 4.3");
        assert_eq!(Origin::described(&[CuteRs, Zml]).versions(), "cute-rs, zml");
        assert_eq!(Origin::seen(Version::V4_3).until(Version::V4_4).versions(), "CuTe DSL 4.3 to 4.4");
        let both = Origin::inferred(Version::V4_5).by(&[CuteDsl, CuteRs]);
        assert_eq!(both.versions(), "CuTe DSL 4.5 and later, cute-rs");
    }
}
