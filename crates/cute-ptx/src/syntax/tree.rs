//! The parts of a text of PTX. All borrow from it.

use super::body::Body;
use super::strings::DebugStrings;
use std::ops::Range;
use std::sync::Arc;

/// A file of PTX.
#[derive(Debug, Clone, Default)]
pub struct Module<'a> {
    /// `.version`: major and minor.
    pub version: (u32, u32),
    /// `.target`: the architecture, and options.
    pub target: Vec<&'a str>,
    /// `.address_size`; 32 if there is none.
    pub address_size: u32,
    /// `.file`: source files by their numbers.
    pub files: Vec<(u32, &'a str)>,
    /// The names of inlined functions.
    pub strings: Arc<DebugStrings<'a>>,
    /// Variables outside of functions.
    pub variables: Vec<Variable<'a>>,
    /// Functions in the order of the text. Declarations have no body.
    pub functions: Vec<Function<'a>>,
    /// `.alias`: a name, and the function that it stands for.
    pub aliases: Vec<(&'a str, &'a str)>,
    /// All of this in the order of the text.
    pub items: Vec<Item<'a>>,
}

/// A directive outside of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item<'a> {
    /// The kind of directive, and the part of the module that it declares.
    pub kind: ItemKind<'a>,
    /// Its text. Comments may stand behind a [header](ItemKind::Header).
    pub text: &'a str,
}

/// Kinds of directives outside of functions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemKind<'a> {
    /// The version, the target, the size of addresses, or a source file.
    Header,
    /// A section with this name, without the dot.
    Section(&'a str),
    /// The variables of the module with these numbers.
    Variables(Range<usize>),
    /// The function with this number.
    Function(usize),
    /// The alias with this number.
    Alias(usize),
    /// A directive without an effect on others.
    Other,
}

/// How a symbol is seen outside of its module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Linkage {
    /// Not at all.
    #[default]
    Internal,
    /// It is defined elsewhere.
    Extern,
    /// It is visible.
    Visible,
    /// Another definition may replace it.
    Weak,
    /// Definitions of the same name are one.
    Common,
}

/// `.entry` or `.func`.
#[derive(Debug, Clone)]
pub struct Function<'a> {
    /// The line that it begins on.
    pub line: u32,
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// Whether it is seen from outside.
    pub linkage: Linkage,
    /// The symbol that calls name.
    pub name: &'a str,
    /// The variables that return its results to the caller.
    pub results: Vec<Variable<'a>>,
    /// The variables in which its caller passes arguments.
    pub params: Vec<Variable<'a>>,
    /// `.maxntid 128, 1, 1` and the like: names without the dot, and numbers.
    pub directives: Vec<(&'a str, Vec<u32>)>,
    /// The instructions; `None` for a declaration.
    pub body: Option<Body<'a>>,
}

impl Function<'_> {
    /// The numbers of a directive.
    pub fn directive(&self, name: &str) -> Option<&[u32]> {
        self.directives.iter().find(|(own, _)| *own == name).map(|(_, numbers)| &numbers[..])
    }
}

/// A declaration of memory, or of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable<'a> {
    /// The line that it stands on.
    pub line: u32,
    /// Whether it is seen from outside.
    pub linkage: Linkage,
    /// Its state space without the dot: `global`, `shared`, `param`, ...
    pub space: &'a str,
    /// `.align`, in bytes.
    pub align: Option<u64>,
    /// `.ptr`, with the space that the pointer points to, if it is said.
    pub pointer: Option<Option<&'a str>>,
    /// The type of its elements without the dot: `b8`, `f32`, ...
    pub ty: &'a str,
    /// Elements of a vector: 1, 2, 4 or 8.
    pub vector: u32,
    /// The symbol that instructions name.
    pub name: &'a str,
    /// The extents of an array; `None` for an extent that is not written.
    pub extents: Vec<Option<u64>>,
    /// Initial values, from the first element on.
    pub values: Vec<Initial<'a>>,
}

impl Variable<'_> {
    /// The number of elements, an extent that is not written being that of the initial values, or
    /// 0; `None` if it does not fit into 64 bits.
    pub fn elements(&self) -> Option<u64> {
        let vector = u64::from(self.vector);
        let written = (self.values.len() as u64).div_ceil(vector);
        self.extents.iter().try_fold(vector, |n, extent| n.checked_mul(extent.unwrap_or(written)))
    }
}

/// An initial value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Initial<'a> {
    /// `7`, `0f3F800000`.
    Number(Number),
    /// The address of a symbol, of which an element may hold only some bits.
    Address {
        /// Whose address it is.
        symbol: &'a str,
        /// Bytes from it.
        offset: i64,
        /// Whether it is a generic address.
        generic: bool,
        /// The bits that the element holds, `0xFF00` for the second byte.
        mask: Option<u64>,
    },
}

/// A number as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer, in two's complement.
    Integer(i64),
    /// `0f3F800000`: the bits of an f32.
    Single(u32),
    /// `1.0`, `0d3FF0000000000000`: the bits of an f64.
    Double(u64),
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand<'a> {
    /// `$0`: operand of inline assembly.
    Given(usize),
    /// A register, special register, label or symbol.
    Name(&'a str),
    /// `7`, `0f3F800000`.
    Number(Number),
    /// `symbol+8`.
    Sum(&'a str, i64),
    /// `[a+8]`.
    Memory(Box<Operand<'a>>, i64),
    /// `[a, {x, y}]`: a tensor map and coordinates.
    Box(Box<Operand<'a>>, Vec<Operand<'a>>),
    /// `{a, b}`.
    List(Vec<Operand<'a>>),
    /// `(a, b)`: arguments or results of a call.
    Group(Vec<Operand<'a>>),
    /// `_`.
    Sink,
    /// `a|p`.
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `!p`.
    Not(&'a str),
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction<'a> {
    /// `@p`, and `@!p` where the flag is false.
    pub guard: Option<(Operand<'a>, bool)>,
    /// `mbarrier.try_wait.parity.shared::cta.b64`.
    pub opcode: &'a str,
    /// Its operands in their order.
    pub operands: Vec<Operand<'a>>,
    /// Its text from the opcode on, without the semicolon.
    pub text: &'a str,
}

/// `%r<100>`, or one register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Registers<'a> {
    /// The name, or what the names begin with.
    pub stem: &'a str,
    /// The number of registers `stem0`, `stem1`, ..
    pub count: Option<u64>,
}

/// The place in a source file that instructions come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location<'a> {
    /// The number of the file.
    pub file: u32,
    /// The line, from 1 on.
    pub line: u32,
    /// The column, from 1 on.
    pub column: u32,
    /// The label of `.debug_str`, and the bytes from it, where the name of the function stands that
    /// was inlined there.
    pub function: Option<(&'a str, u64)>,
    /// The place of the call that was inlined there: file, line and column.
    pub inlined_at: Option<(u32, u32, u32)>,
}

/// A part of a function's body.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement<'a> {
    /// `{`: names that are declared until the matching brace end there.
    Open,
    /// `}`.
    Close,
    /// `LABEL:`.
    Label(&'a str),
    /// `.reg .b32 %r<100>, %a;`.
    Registers {
        /// The type without the dot.
        ty: &'a str,
        /// Elements of a vector.
        vector: u32,
        /// All that are declared.
        names: Vec<Registers<'a>>,
    },
    /// `.shared`, `.local`, `.param`, ... in a body.
    Variable(Variable<'a>),
    /// `LABEL: .branchtargets a, b;`.
    Targets {
        /// Its name.
        label: &'a str,
        /// The labels, or functions.
        targets: Vec<&'a str>,
    },
    /// `LABEL: .callprototype (results) _ (parameters);`.
    Prototype {
        /// Its name.
        label: &'a str,
        /// The results of the functions.
        results: Vec<Variable<'a>>,
        /// Their parameters.
        params: Vec<Variable<'a>>,
    },
    /// `.loc`.
    Location(Location<'a>),
    /// `@p add.s32 a, b, c;`.
    Instruction(Instruction<'a>),
}
