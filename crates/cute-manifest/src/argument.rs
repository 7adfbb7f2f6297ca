//! Arguments of kernels and host functions as their source declares them.

use serde::{Deserialize, Serialize};

use crate::role::{Promise, Role};

/// A parameter of a kernel as its source declares it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// Its name, without `%`.
    pub name: String,
    /// The type, as MLIR prints it.
    pub r#type: String,
    /// The element type of a pointer or view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// For a view with a plain layout: each leaf of its shape, depth first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axes: Option<Vec<LayoutMode>>,
    /// For a TMA descriptor: its facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tma: Option<Tma>,
    /// Bits of an element.
    #[serde(skip)]
    pub bits: Option<u32>,
    /// The values that are passed for it.
    #[serde(skip)]
    pub leaves: Vec<Leaf>,
    /// Whether CuTe DSL's ABI passes the leaves in a struct.
    #[serde(skip)]
    pub is_struct: bool,
}

/// The facts about a descriptor that are known from its atom's type, and from the host function
/// that makes it. Address, extents and strides are known at run time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tma {
    /// The operation that uses it, by its CUTLASS name: `SM90_TMA_LOAD`.
    pub operation: String,
    /// Element type.
    pub element: String,
    /// Format of elements.
    pub format: String,
    /// Modes of the tensor.
    pub rank: usize,
    /// Elements of a box along each mode, the contiguous one first.
    pub r#box: Vec<i64>,
    /// The map from the modes of the box to those of the tensor.
    pub basis: String,
    /// The swizzle of a box in shared memory, if a host function of the module states it: `none`,
    /// `128B` and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swizzle: Option<String>,
}

/// A leaf of a layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutMode {
    /// The mode path.
    pub mode: Vec<usize>,
    /// The extent; null if it is passed at run time.
    pub extent: Option<i64>,
    /// The stride in elements, likewise.
    pub stride: Option<i64>,
}

/// A value that is passed for an argument: a parameter of the compiled kernel, or a field of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Its type as a field of a struct, in the `llvm` dialect.
    pub stored: String,
    /// Its `kind` as a field.
    pub stored_kind: String,
    /// Its role in the argument's type.
    pub role: Role,
    /// The mode path.
    pub mode: Vec<usize>,
    /// The properties that the type guarantees.
    pub promises: Vec<Promise>,
    /// Its `kind` as a parameter.
    pub kind: String,
    /// Its text in messages: `the stride of mode 0`.
    pub text: String,
}
