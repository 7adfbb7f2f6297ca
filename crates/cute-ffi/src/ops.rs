//! The ops of the dialects and the facts that `td/` states of them, with an entry point for each op: TableGen's code
//! calls `cute_op_<Class>`, and for the `cuda` dialect `cuda_op_<Class>`.
//!
//! [`OpKind`] has the ops of `cute` and `cute_nvgpu`, which are functions of values. [`HostOp`] has those of `cuda`,
//! which declare kernels and launch them.

use crate::dialect::{RawRequest, respond, respond_host};

macro_rules! ops {
    (
        $Op:ident $respond:ident
        kinds { $($kind:ident $entry:ident $name:literal,)* }
        older { $($older:literal $current:ident,)* }
    ) => {
        /// Ops by their classes in `td/`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $Op { $($kind),* }

        impl $Op {
            /// All ops.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name with its dialect: `cute.size`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// The op of that name, current or older.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$kind),)*
                    $($older => Some(Self::$current),)*
                    _ => None,
                }
            }
        }

        $(
            #[unsafe(no_mangle)]
            #[allow(non_snake_case)]
            unsafe extern "C" fn $entry(request: *mut RawRequest) -> bool {
                // SAFETY: MLIR calls with a valid request.
                unsafe { $respond($Op::$kind, request) }
            }
        )*
    };
}

macro_rules! facts {
    (
        facts { $(#[$doc:meta] $fact:ident { $($has:ident,)* })* }
        effects { $($effectful:ident,)* }
    ) => {
        impl OpKind {
            $(
                #[$doc]
                pub fn $fact(self) -> bool {
                    matches!(self, $(Self::$has)|*)
                }
            )*

            /// The op as one that its evaluation does not lower; `None` for the others.
            pub fn effect(self) -> Option<EffectKind> {
                match self {
                    $(Self::$effectful => Some(EffectKind::$effectful),)*
                    _ => None,
                }
            }
        }

        /// The ops that are lowered by code of their own: those with memory effects, those that make memory, and those
        /// that `td/` marks with `Emits`. All other ops are what `cute_dialect::ops::eval` makes of their operands.
        ///
        /// A `match` over it that has no `_` does not compile while an op is missing.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum EffectKind { $($effectful),* }
    };
}

// Made of td/ by build/ops.rs.
include!(concat!(env!("OUT_DIR"), "/ops.rs"));
