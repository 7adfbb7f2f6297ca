//! Modifiers that choose one of a few meanings, each with its words in every spelling.

/// A way to write an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// An op of the NVVM dialect, with keywords in its name and in its attributes.
    Nvvm,
    /// One of LLVM's intrinsics, without `llvm.nvvm.` in front.
    Intrinsic,
    /// The text of PTX.
    Ptx,
}

impl Spelling {
    /// All spellings.
    pub const ALL: [Self; 3] = [Self::Nvvm, Self::Intrinsic, Self::Ptx];
}

/// Words in each spelling, such as those of one meaning. The first of several is the one to write;
/// a spelling without words cannot express the meaning. A word may consist of several, separated by
/// dots.
#[derive(Debug)]
pub struct Spellings {
    /// In PTX.
    pub ptx: &'static [&'static str],
    /// In NVVM.
    pub nvvm: &'static [&'static str],
    /// In the names of intrinsics.
    pub intrinsic: &'static [&'static str],
}

impl Spellings {
    /// No words at all.
    pub const NONE: Self = Spellings { ptx: &[], nvvm: &[], intrinsic: &[] };

    /// The words in a spelling.
    pub fn of(&self, spelling: Spelling) -> &'static [&'static str] {
        match spelling {
            Spelling::Nvvm => self.nvvm,
            Spelling::Intrinsic => self.intrinsic,
            Spelling::Ptx => self.ptx,
        }
    }
}

/// A modifier: all that it may mean, in the order of [`Keyword::ALL`].
#[derive(Debug)]
pub struct Table {
    /// Its name in forms.
    pub name: &'static str,
    /// NVVM's attribute with `*` for the word; empty if there is none.
    pub attribute: &'static str,
    /// The words of each meaning.
    pub rows: &'static [Spellings],
}

/// A type whose values are the meanings of a modifier.
pub trait Keyword: Copy + PartialEq + 'static {
    /// Its words.
    const TABLE: &'static Table;
    /// The meanings, in the order of the table.
    const ALL: &'static [Self];

    /// The meaning of a word.
    fn read(spelling: Spelling, word: &str) -> Option<Self> {
        let row = Self::TABLE.rows.iter().position(|row| row.of(spelling).contains(&word))?;
        Self::ALL.get(row).copied()
    }

    /// The word to write for this meaning.
    fn word(self, spelling: Spelling) -> Option<&'static str> {
        let row = Self::ALL.iter().position(|one| *one == self)?;
        Self::TABLE.rows[row].of(spelling).first().copied()
    }

    /// NVVM's attribute: `#nvvm.tcgen05_cp_multicast<warpx4>`. A meaning without a word in NVVM
    /// gives no valid attribute.
    fn nvvm_attribute(self) -> String {
        Self::TABLE.attribute.replace('*', self.word(Spelling::Nvvm).unwrap_or_default())
    }
}

/// Declares the words of modifiers, and a list of all of their tables. A modifier is a type, its
/// name in forms, and NVVM's attribute with `*` for the word; then for each meaning its words in
/// PTX, in NVVM and in intrinsics. A type in brackets is declared elsewhere, and without words
/// these are, too.
macro_rules! keywords {
    ($vis:vis const $all:ident; $($modifiers:tt)*) => {
        keywords! { @ [$vis $all] [] $($modifiers)* }
    };
    (@ [$vis:vis $all:ident] [$($name:ident)*]) => {
        /// The modifiers that are declared here.
        $vis const $all: &[&$crate::keyword::Table] = &[$(<$name as $crate::keyword::Keyword>::TABLE),*];
    };
    (@ $all:tt $names:tt $(#[$doc:meta])* $name:ident $form:literal $attribute:literal {
        $($(#[$of:meta])* $case:ident [$($ptx:literal)*] [$($nvvm:literal)*] [$($intrinsic:literal)*],)*
    } $($more:tt)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$of])* $case,)* }

        keywords! {
            @ $all $names [$name] $form $attribute {
                $(($name::$case) [$($ptx)*] [$($nvvm)*] [$($intrinsic)*],)*
            } $($more)*
        }
    };
    (@ $all:tt [$($names:ident)*] [$name:ident] $form:literal $attribute:literal {
        $(($case:expr) [$($ptx:literal)*] [$($nvvm:literal)*] [$($intrinsic:literal)*],)*
    } $($more:tt)*) => {
        impl $crate::keyword::Keyword for $name {
            const TABLE: &'static $crate::keyword::Table = &$crate::keyword::Table {
                name: $form,
                attribute: $attribute,
                rows: &[$($crate::keyword::Spellings {
                    ptx: &[$($ptx),*],
                    nvvm: &[$($nvvm),*],
                    intrinsic: &[$($intrinsic),*],
                },)*],
            };
            const ALL: &'static [Self] = &[$($case),*];
        }

        keywords! { @ $all [$($names)* $name] $($more)* }
    };
    (@ $all:tt [$($names:ident)*] [$name:ident]; $($more:tt)*) => {
        keywords! { @ $all [$($names)* $name] $($more)* }
    };
}

pub(crate) use keywords;
