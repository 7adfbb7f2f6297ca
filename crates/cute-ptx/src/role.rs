//! The parts that operands play in an instruction: those that several families of instructions
//! have. Those of one family are beside its rows.

use crate::words::ScalarType;

/// The part that an operand plays in an instruction, whatever its position in a spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Role {
    name: &'static str,
    ty: Option<ScalarType>,
}

/// Declares roles, and a list of them: a constant of [`Role`], its name in forms, and the type of
/// an operand in its place unless that is the instruction's.
macro_rules! roles {
    ($vis:vis const $all:ident; $($(#[$doc:meta])* $role:ident $name:literal $($ty:ident)?,)*) => {
        impl $crate::role::Role {
            $($(#[$doc])* pub const $role: Self = Self::new($name, roles!(@ $($ty)?));)*
        }

        /// The roles that are declared here.
        $vis const $all: &[$crate::role::Role] = &[$($crate::role::Role::$role),*];
    };
    (@) => { None };
    (@ $ty:ident) => { Some($crate::words::ScalarType::$ty) };
}

pub(crate) use roles;

roles! {
    pub(crate) const ROLES;

    /// The destination.
    RESULT "d",
    /// The predicate beside the result.
    FLAG "p" Pred,
    /// The first source.
    A "a",
    /// The second source.
    B "b",
    /// The third source.
    C "c",
    /// The predicate that is read.
    CONDITION "q" Pred,
    /// The lanes, or blocks, that take part.
    MASK "mask" U32,
    /// The lane, or the distance to it.
    OFFSET "offset" U32,
    /// The memory that the instruction is about.
    ADDRESS "at" U64,
    /// The memory that is read, of two.
    SOURCE "from" U64,
    /// The `mbarrier` that counts.
    BARRIER "barrier" U64,
    /// A number of arrivals, registers or groups.
    COUNT "count" U32,
    /// A number of bytes.
    BYTES "bytes" U32,
    /// The number of a barrier.
    ID "id" U32,
    /// A number of blocks that share a barrier.
    CTAS "ctas" U32,
    /// Values that go together.
    VALUES "values",
    /// Whether the instruction runs at all.
    GUARD "guard" Pred,
}

impl Role {
    pub(crate) const fn new(name: &'static str, ty: Option<ScalarType>) -> Self {
        Role { name, ty }
    }

    /// Its name in forms.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Bits of a number in its place; `None` if the instruction's type determines them.
    pub fn bits(self) -> Option<u32> {
        self.ty.map(ScalarType::bits)
    }

    /// The type in its place; `None` if it is the instruction's.
    pub fn ty(self) -> Option<ScalarType> {
        self.ty
    }
}
