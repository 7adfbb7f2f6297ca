//! Typed builders: one function per op, generated from `td/` and named after the op
//! (`cute.memref.load` is [`cute::memref_load`]).
//!
//! The parameters are those of the op: operands, attributes, then the result types that MLIR cannot
//! infer, then the location. A function returns the op without a block; [`append`] and [`value`]
//! insert it into one. Result types are inferred while the op is built, so a mistake is an
//! [`Error`] at that point, never a panic. The verifier checks the other rules of an op (that a
//! declared type fits, the domain policy): see [`verify`](crate::verify).
//!
//! ```
//! use cute_mlir::{builders::{cute, value}, types};
//! use melior::{Context, ir::{Block, Location}};
//!
//! let context = Context::new();
//! cute_mlir::load(&context);
//! let (block, location) = (Block::new(&[]), Location::unknown(&context));
//!
//! let shape = value(&block, cute::r#static(types::shape(&context, "(4,8)")?, location)?)?;
//! let stride = value(&block, cute::r#static(types::stride(&context, "(8,1)")?, location)?)?;
//! let layout = value(&block, cute::make_layout(shape, Some(stride), location)?)?;
//! assert!(layout.to_string().ends_with(r#"-> !cute.layout<"(4,8):(8,1)">"#));
//!
//! let error = cute::make_layout(layout, None, location).unwrap_err();
//! assert!(error.to_string().starts_with("cannot build 'cute.make_layout': "), "{error}");
//! # Ok::<(), cute_mlir::Error>(())
//! ```

use cute_ffi::ir::context_of_attribute;
use melior::{
    Context,
    ir::{
        Attribute, Block, BlockLike, Identifier, Location, Module, Operation, Region, RegionLike, Type,
        Value,
        attribute::{DenseI32ArrayAttribute, IntegerAttribute, StringAttribute, TypeAttribute},
        operation::{OperationBuilder, OperationLike, OperationMutLike, OperationRef},
        r#type::{FunctionType, IntegerType},
    },
};

use crate::{
    Error,
    diagnostics::{NO_REASON, reported},
};

#[allow(clippy::too_many_arguments)]
mod generated {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/builders.rs"));
}
pub use generated::{cuda, cute, cute_nvgpu};

/// An op of any dialect, by its name.
///
/// # Errors
/// Returns [`Error::Build`] if no loaded dialect has the op.
pub fn op<'c>(
    name: &str,
    operands: &[Value<'c, '_>],
    attributes: &[(&str, Attribute<'c>)],
    results: &[Type<'c>],
    location: Location<'c>,
) -> Result<Operation<'c>, Error> {
    let op = Op::new(name, location).operands(operands);
    attributes.iter().fold(op, |op, (name, value)| op.attributes(name, Some(*value))).results(results)
}

/// A module with one kernel: `gpu.func @name` in `gpu.module @kernels`. `body` receives the block
/// to build in and the kernel's parameters; `gpu.return` is appended after it. `threads` is the
/// number of threads per block in x, y and z.
///
/// # Errors
/// Returns the errors of `body`, and [`Error::Build`].
pub fn kernel<'c>(
    name: &str,
    parameters: &[Type<'c>],
    threads: [i32; 3],
    location: Location<'c>,
    body: impl FnOnce(&Block<'c>, &[Value<'c, '_>]) -> Result<(), Error>,
) -> Result<Module<'c>, Error> {
    let context = context_of_attribute(location.to_attribute());
    let inside = |block: Block<'c>| {
        let region = Region::new();
        region.append_block(block);
        vec![region]
    };
    let name_of = |name| Some(StringAttribute::new(context, name).into());
    let signature = FunctionType::new(context, parameters, &[]);

    let block = Block::new(&parameters.iter().map(|t| (*t, location)).collect::<Vec<_>>());
    let arguments: Vec<Value> =
        (0..parameters.len()).filter_map(|i| block.argument(i).ok()).map(Into::into).collect();
    body(&block, &arguments)?;
    append(&block, Op::new("gpu.return", location).results(&[])?);
    let function = Op::new("gpu.func", location)
        .attributes("sym_name", name_of(name))
        .attributes("function_type", Some(TypeAttribute::new(signature.into()).into()))
        .unit("gpu.kernel", true)
        .integers("known_block_size", &threads)
        .regions(inside(block))
        .results(&[])?;

    let functions = Block::new(&[]);
    append(&functions, function);
    let kernels = Op::new("gpu.module", location).attributes("sym_name", name_of("kernels"));
    let kernels = kernels.regions(inside(functions)).results(&[])?;

    let mut module = Module::new(location);
    module.as_operation_mut().set_attribute("gpu.container_module", Attribute::unit(context));
    append(&module.body(), kernels);
    Ok(module)
}

/// Puts an op at the end of a block.
pub fn append<'c: 'a, 'a>(block: &impl BlockLike<'c, 'a>, op: Operation<'c>) -> OperationRef<'c, 'a> {
    block.append_operation(op)
}

/// Puts an op at the end of a block, and returns its result.
///
/// # Errors
/// [`Error::OneResult`]
pub fn value<'c: 'a, 'a>(block: &impl BlockLike<'c, 'a>, op: Operation<'c>) -> Result<Value<'c, 'a>, Error> {
    let op: OperationRef<'c, 'a> = append(block, op);
    let count = || Error::OneResult { op: name(op), results: op.result_count() };
    if op.result_count() == 1 { op.result(0).map(Into::into).map_err(|_| count()) } else { Err(count()) }
}

fn name(op: OperationRef<'_, '_>) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_string()
}

/// An op in the making, for the generated functions: each call adds an argument.
struct Op<'c, 'a, 'n> {
    name: &'n str,
    location: Location<'c>,
    operands: Vec<Value<'c, 'a>>,
    /// Operands of each argument.
    segments: Vec<i32>,
    attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
    regions: Vec<Region<'c>>,
}

#[allow(dead_code, reason = "td/ decides which of them are needed")]
impl<'c, 'a, 'n> Op<'c, 'a, 'n> {
    fn new(name: &'n str, location: Location<'c>) -> Self {
        let (operands, segments, attributes, regions) = Default::default();
        Self { name, location, operands, segments, attributes, regions }
    }

    fn context(&self) -> &'c Context {
        context_of_attribute(self.location.to_attribute())
    }

    fn operands(mut self, values: &[Value<'c, 'a>]) -> Self {
        self.operands.extend(values);
        self.segments.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
        self
    }

    fn attributes(mut self, name: &str, value: Option<Attribute<'c>>) -> Self {
        let name = Identifier::new(self.context(), name);
        self.attributes.extend(value.map(|value| (name, value)));
        self
    }

    fn unit(self, name: &str, value: bool) -> Self {
        let unit = Attribute::unit(self.context());
        self.attributes(name, value.then_some(unit))
    }

    fn integer(self, name: &str, bits: u32, value: i64) -> Self {
        let t = IntegerType::new(self.context(), bits);
        self.attributes(name, Some(IntegerAttribute::new(t.into(), value).into()))
    }

    fn integers(self, name: &str, values: &[i32]) -> Self {
        let values = DenseI32ArrayAttribute::new(self.context(), values);
        self.attributes(name, Some(values.into()))
    }

    /// Records the number of operands of each argument, if their total does not determine it.
    fn segmented(self) -> Self {
        let segments = self.segments.clone();
        self.integers("operandSegmentSizes", &segments)
    }

    fn regions(mut self, regions: Vec<Region<'c>>) -> Self {
        self.regions.extend(regions);
        self
    }

    fn inferred(self) -> Result<Operation<'c>, Error> {
        self.build(OperationBuilder::enable_result_type_inference)
    }

    fn results(self, types: &[Type<'c>]) -> Result<Operation<'c>, Error> {
        self.build(|op| op.add_results(types))
    }

    fn build(
        self,
        results: impl FnOnce(OperationBuilder<'c>) -> OperationBuilder<'c>,
    ) -> Result<Operation<'c>, Error> {
        let (context, op) = (self.context(), self.name);
        let fail = |why: String| Error::Build { op: op.into(), why: why.replace(&format!("'{op}' op "), "") };
        // MLIR ends the process over an op of a dialect that is not loaded.
        if !context.is_registered_operation(op) {
            return Err(fail("its dialect is not loaded; cute_mlir::load does that".into()));
        }
        let builder = OperationBuilder::new(op, self.location).add_operands(&self.operands);
        let builder = results(builder.add_attributes(&self.attributes).add_regions_vec(self.regions));
        reported(context, NO_REASON, || builder.build().ok()).map_err(fail)
    }
}
