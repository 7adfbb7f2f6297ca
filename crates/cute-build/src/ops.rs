//! One function per op, generated from `td/` and named after the op (`cute.memref.load` is
//! [`cute::memref_load`]).
//!
//! The parameters are the builder and those of the op: operands, attributes, then the result types
//! that MLIR cannot infer. A function inserts the op and returns its results. Result types are
//! inferred while the op is built, so a mistake is an [`Error`](crate::Error) at that point, and
//! never a panic. The verifier checks the other rules of an op (that a declared type fits, the
//! domain policy): see [`verify`](crate::verify()).
//!
//! ```
//! use cute_build::{Kernel, Kernels, ops::cute};
//! use melior::Context;
//!
//! let context = Context::new();
//! # let registry = melior::dialect::DialectRegistry::new();
//! # melior::utility::register_all_dialects(&registry);
//! # cute_dialect::register_dialects(&registry);
//! # context.append_dialect_registry(&registry);
//! # context.load_all_available_dialects();
//! let kernels = Kernels::new(&context)?;
//! kernels.kernel(&Kernel::new(&context, "empty", []), |b, []| {
//!     let layout = b.layout("(4,8):(8,1)")?;
//!     let shape = cute::get_shape(b, layout)?;
//!     let same = cute::make_layout(b, shape, Some(cute::get_stride(b, layout)?))?;
//!     assert!(same.to_string().ends_with(r#"-> !cute.layout<"(4,8):(8,1)">"#));
//!
//!     let error = cute::make_layout(b, layout, None).unwrap_err();
//!     // The error is at the line above.
//!     assert!(error.to_string().contains(".rs:"), "{error}");
//!     assert!(error.cause().to_string().starts_with("cannot build 'cute.make_layout': "), "{error}");
//!     Ok(())
//! })?;
//! # Ok::<(), cute_build::Error>(())
//! ```

#[allow(clippy::too_many_arguments)]
mod generated {
    use melior::ir::{Attribute, Region, Type};

    use crate::{
        Builder, Result, Value,
        call::{Kind, Made, OpArguments, OpFunction, OpParameter, unknown},
    };

    include!(concat!(env!("OUT_DIR"), "/ops.rs"));
}
pub use generated::{DECLARED, call, cuda, cute, cute_nvgpu};
