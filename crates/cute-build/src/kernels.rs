//! Modules of kernels.

use cute_dialect::{DYNAMIC_SHARED_MEMORY, EQUAL_EXTENTS, GRID};
use melior::{
    Context,
    ir::{Attribute, Location, Module, Type, operation::OperationMutLike},
};

use crate::{Builder, Function, IntoAttribute, Result, Value, verify};

/// Threads of a block or blocks of a cluster, in x, y and z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockExtents(pub [i32; 3]);

impl From<[i32; 3]> for BlockExtents {
    fn from(extents: [i32; 3]) -> Self {
        Self(extents)
    }
}

impl From<i32> for BlockExtents {
    fn from(x: i32) -> Self {
        Self([x, 1, 1])
    }
}

/// A kernel: its name, its parameters, and how it is launched.
///
/// The parameters are pairs of a name and a type. The names appear in printed IR and in the
/// manifest.
#[derive(Clone)]
#[must_use]
pub struct Kernel<'a, 'c, const N: usize> {
    name: &'a str,
    parameters: [(&'a str, Type<'c>); N],
    attributes: Vec<(&'a str, Attribute<'c>)>,
    context: &'c Context,
}

impl<'a, 'c, const N: usize> Kernel<'a, 'c, N> {
    /// A kernel with these parameters.
    pub fn new(context: &'c Context, name: &'a str, parameters: [(&'a str, Type<'c>); N]) -> Self {
        let attributes = vec![("gpu.kernel", Attribute::unit(context))];
        Self { name, parameters, attributes, context }
    }

    /// With this number of threads per block: `256`, or `[32, 8, 1]` in x, y and z.
    pub fn block(self, threads: impl Into<BlockExtents>) -> Self {
        self.attribute("known_block_size", threads.into().0)
    }

    /// With this number of blocks per cluster: `2`, or `[2, 1, 1]` in x, y and z.
    pub fn cluster(self, blocks: impl Into<BlockExtents>) -> Self {
        self.attribute("nvvm.cluster_dim", blocks.into().0)
    }

    /// With this number of bytes of dynamic shared memory, which the manifest states.
    pub fn dynamic_shared_memory(self, bytes: i64) -> Self {
        if bytes == 0 { self } else { self.attribute(DYNAMIC_SHARED_MEMORY, bytes) }
    }

    /// With groups of extents of its arguments that must be equal, such as `arg0[1] = arg1[1]`, and
    /// its number of blocks along x, y and z, such as `ceil(arg3[0] / 128)`. Launches are checked
    /// with both.
    pub fn expects(self, equal: &[String], grid: &[String]) -> Self {
        self.attribute(EQUAL_EXTENTS, equal).attribute(GRID, grid)
    }

    /// With another attribute of `gpu.func`.
    pub fn attribute(mut self, name: &'a str, value: impl IntoAttribute<'c>) -> Self {
        self.attributes.push((name, value.attribute(self.context)));
        self
    }
}

/// A module of kernels in the making: each is a `gpu.func` in `gpu.module @kernels`.
///
/// ```
/// use cute_build::{Axis, Kernel, Kernels, types::{self, Space}};
/// use melior::{Context, ir::r#type::Type};
///
/// let context = Context::new();
/// # let registry = melior::dialect::DialectRegistry::new();
/// # melior::utility::register_all_dialects(&registry);
/// # cute_dialect::register_dialects(&registry);
/// # context.append_dialect_registry(&registry);
/// # context.load_all_available_dialects();
/// let row = types::pointer(Type::float32(&context), Space::Gmem).align(16).memref("(128,4):(4,1)")?;
///
/// let kernels = Kernels::new(&context)?;
/// let rows = Kernel::new(&context, "rows", [("from", row), ("to", row)]).block(128);
/// kernels.kernel(&rows, |b, [from, to]| {
///     let row = [b.thread_id(Axis::X)?.into(), cute_build::At::All];
///     let values = b.load_vec(b.slice(from, &row)?)?;
///     b.store_vec(values, b.slice(to, &row)?)
/// })?;
/// let module = kernels.finish()?;
/// assert!(module.as_operation().to_string().contains("gpu.func @rows"));
/// # Ok::<(), cute_build::Error>(())
/// ```
pub struct Kernels<'c> {
    module: Module<'c>,
    /// Where everything is, if that is not the line of Rust that builds it.
    location: Option<Location<'c>>,
}

impl<'c> Kernels<'c> {
    /// A module without kernels. Each op in it will be at the line of Rust that builds it, and so
    /// is each error.
    ///
    /// # Errors
    /// Returns [`Error::Build`](crate::Error::Build) if the dialect `gpu` is not loaded.
    #[track_caller]
    pub fn new(context: &'c Context) -> Result<Self> {
        let caller = std::panic::Location::caller();
        let line = Location::new(context, caller.file(), caller.line() as usize, caller.column() as usize);
        Ok(Self { location: None, ..Self::at(line)? })
    }

    /// A module without kernels; everything in it is at a location.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn at(location: Location<'c>) -> Result<Self> {
        let mut module = Module::new(location);
        let context = cute_ffi::ir::context_of_attribute(location.to_attribute());
        module.as_operation_mut().set_attribute("gpu.container_module", Attribute::unit(context));
        Builder::at_end(module.body(), location).gpu_module("kernels")?;
        Ok(Self { module, location: Some(location) })
    }

    /// Adds a kernel, whose body `write` writes.
    ///
    /// # Errors
    /// Returns the errors of `write`.
    #[track_caller]
    pub fn kernel<const N: usize>(
        &self,
        kernel: &Kernel<'_, 'c, N>,
        write: impl for<'m> FnOnce(&Builder<'m>, [Value<'m>; N]) -> Result<()>,
    ) -> Result<()> {
        let Kernel { name, parameters, attributes, .. } = kernel;
        let gpu_module = cute_ffi::ir::first_op(self.module.body()).and_then(cute_ffi::ir::body);
        let block = gpu_module.expect("it was made with the module");
        let builder = match self.location {
            Some(location) => Builder::at_end(block, location),
            None => Builder::by_line(cute_ffi::ir::context(self.module.as_operation()), block),
        };
        let head = Function { name, parameters, results: &[], attributes };
        builder.function(["gpu.func", "gpu.return"], head, |inside, values| {
            let values = <[Value; N]>::try_from(values).expect("the kernel has these parameters");
            write(inside, values).map(|()| Vec::new())
        })?;
        Ok(())
    }

    /// The module, after a check of every rule of every op.
    ///
    /// # Errors
    /// Returns [`Error::Module`](crate::Error::Module) with all errors.
    pub fn finish(self) -> Result<Module<'c>> {
        verify(&self.module)?;
        Ok(self.module)
    }
}
