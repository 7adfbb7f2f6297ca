//! The ops of the dialects and the facts that `td/` states about them, with one entry point per op:
//! TableGen's code calls `cute_op_<Class>`, and for the `cuda` dialect `cuda_op_<Class>`.
//!
//! [`OpKind`] lists the ops of `cute` and `cute_nvgpu`, which compute values. [`HostOp`] lists the
//! ops of `cuda`, which declare and launch kernels.

use crate::dialect::{RawRequest, respond, respond_host};

macro_rules! ops {
    (
        $Op:ident $respond:ident
        kinds { $($kind:ident $entry:ident $name:literal,)* }
        older { $($older:literal $current:ident,)* }
    ) => {
        /// The ops, named after their classes in `td/`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $Op { $($kind),* }

        impl $Op {
            /// The ops in the order of their definitions.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name with its dialect: `cute.size`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// The op with that name, which may be an older name.
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

macro_rules! attributes {
    ($($variant:ident $name:literal,)*) => {
        /// The attributes that ops of `cute` and `cute_nvgpu` declare in `td/`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum AttributeName { $($variant),* }

        impl AttributeName {
            /// The name as the generic form of an op has it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// The attribute with that name; `None` if no op declares it.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
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

            /// The op as an [`EffectKind`]; `None` for an op that is lowered by its evaluation.
            pub fn effect(self) -> Option<EffectKind> {
                match self {
                    $(Self::$effectful => Some(EffectKind::$effectful),)*
                    _ => None,
                }
            }
        }

        /// The ops that separate code lowers: those with memory effects, those that make memory,
        /// and those that `td/` marks with `Emits`. All other ops are evaluated by
        /// `cute_dialect::ops::eval`.
        ///
        /// A `match` over it without `_` does not compile while an op is missing.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum EffectKind { $($effectful),* }
    };
}

// Generated from td/ by build/ops.rs.
include!(concat!(env!("OUT_DIR"), "/ops.rs"));
