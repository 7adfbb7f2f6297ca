//! A module of one kernel and the host function that prepares its arguments and launches it.

use cute_build::{Function, verify};
use cute_dialect::{DYNAMIC_SHARED_MEMORY, EQUAL_EXTENTS};
use cute_ffi::ir::type_of;
use melior::{
    Context,
    ir::{Attribute, Location, Module, Type, operation::OperationMutLike},
};

use crate::{Builder, Built, Value};

/// An extent of the parameter of this name, as attributes of launches name it; `None` if there is
/// no such parameter.
pub fn argument_extent(parameters: &[&str], name: &str, mode: usize) -> Option<String> {
    let number = parameters.iter().position(|own| *own == name)?;
    Some(format!("arg{number}[{mode}]"))
}

/// A kernel and its host function.
pub struct LaunchedKernel<'a, 'c> {
    /// The kernel's symbol; the host function's begins with `launch_`.
    pub name: &'a str,
    /// Parameters of the host function, by name and type; a stream follows them.
    pub parameters: &'a [(&'a str, Type<'c>)],
    /// Threads of a block.
    pub threads: i32,
    /// Bytes of dynamic shared memory.
    pub shared: i64,
    /// Blocks of a cluster.
    pub cluster: Option<[i32; 3]>,
    /// Groups of extents of the parameters that must be equal.
    pub equal: &'a [String],
}

/// The arguments of a launch.
pub struct Prepared<'c> {
    /// Arguments of the kernel, by name.
    pub arguments: Vec<(&'static str, Value<'c>)>,
    /// The number of blocks in each direction.
    pub grid: [Value<'c>; 3],
}

/// The module of a host function, which `prepare` begins, and a kernel, which `write` writes.
pub fn module<'c>(
    context: &'c Context,
    launched: &LaunchedKernel<'_, 'c>,
    prepare: impl for<'m> FnOnce(&Builder<'m>, &[Value<'m>]) -> Built<Prepared<'m>>,
    write: impl for<'m> FnOnce(&Builder<'m>, &[Value<'m>]) -> Built<()>,
) -> Built<Module<'c>> {
    let location = Location::unknown(context);
    let mut module = Module::new(location);
    module.as_operation_mut().set_attribute("gpu.container_module", Attribute::unit(context));
    let builder = Builder::at_end(module.body(), location);
    let kernels = builder.gpu_module("kernels")?;
    let stream = ("stream", builder.parse_type("!cuda.stream")?);
    let parameters = [launched.parameters, &[stream]].concat();
    let name = format!("launch_{}", launched.name);
    let status = [builder.i32_type()];
    let attributes = [(EQUAL_EXTENTS, builder.attr(launched.equal))];
    let head = Function { name: &name, parameters: &parameters, results: &status, attributes: &attributes };
    builder.function(["func.func", "func.return"], head, |code, arguments| {
        let prepared = prepare(code, arguments)?;
        kernel(&kernels, launched, &prepared, write)?;
        launch(code, launched, &prepared, arguments[arguments.len() - 1])?;
        Ok(vec![code.i32(0)?])
    })?;
    verify(&module)?;
    Ok(module)
}

/// The kernel, whose parameters are the arguments of the launch.
fn kernel<'c>(
    kernels: &Builder<'c>,
    launched: &LaunchedKernel<'_, 'c>,
    prepared: &Prepared<'c>,
    write: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Built<()>,
) -> Built<()> {
    let parameters: Vec<_> =
        prepared.arguments.iter().map(|(name, value)| (*name, type_of(*value))).collect();
    let mut attributes = attributes(kernels, [launched.threads, 1, 1], launched.cluster)?;
    attributes.push((DYNAMIC_SHARED_MEMORY, kernels.attr(launched.shared)));
    let head =
        Function { name: launched.name, parameters: &parameters, results: &[], attributes: &attributes };
    kernels.function(KERNEL, head, |code, arguments| write(code, arguments).map(|()| Vec::new()))?;
    Ok(())
}

/// The ops that begin and end a kernel that a host function launches.
pub const KERNEL: [&str; 2] = ["cuda.kernel", "cuda.return"];

/// The attributes of such a kernel: its threads per block, and its blocks per cluster.
///
/// # Errors
/// Returns the errors of MLIR.
pub fn attributes<'c>(
    kernels: &Builder<'c>,
    threads: [i32; 3],
    cluster: Option<[i32; 3]>,
) -> Built<Vec<(&'static str, Attribute<'c>)>> {
    let most = "{max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin}";
    let mut attributes = vec![
        ("cu_attrs", kernels.attribute(most)?),
        ("cute.kernel", kernels.unit()),
        ("gpu.kernel", kernels.unit()),
        ("nvvm.reqntid", kernels.attr(threads)),
    ];
    attributes.extend(cluster.map(|blocks| ("nvvm.cluster_dim", kernels.attr(blocks))));
    Ok(attributes)
}

/// Writes the launch, and the host function's result on failure.
fn launch<'c>(
    code: &Builder<'c>,
    launched: &LaunchedKernel<'_, 'c>,
    prepared: &Prepared<'c>,
    stream: Value<'c>,
) -> Built<()> {
    let one = code.i32(1)?;
    let shared = code.named("shared").number(code.integer_type(64), launched.shared)?;
    let threads = [code.i32(launched.threads.into())?, one, one];
    let arguments: Vec<_> = prepared.arguments.iter().map(|(_, value)| *value).collect();
    let (name, cluster, grid) = (launched.name, launched.cluster, prepared.grid);
    Launch { name, threads, cluster, shared, grid, stream, programmatic: false }.write(code, &arguments)
}

/// The launch of a kernel of `@kernels`.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a, 'c> {
    /// The kernel's symbol.
    pub name: &'a str,
    /// Threads of a block.
    pub threads: [Value<'c>; 3],
    /// Blocks of a cluster.
    pub cluster: Option<[i32; 3]>,
    /// Bytes of dynamic shared memory, an i64.
    pub shared: Value<'c>,
    /// The number of blocks in each direction.
    pub grid: [Value<'c>; 3],
    /// Where the launch is enqueued.
    pub stream: Value<'c>,
    /// Whether it may begin before the launch in front of it has ended.
    pub programmatic: bool,
}

impl<'c> Launch<'_, 'c> {
    /// Writes the launch with these arguments, and the host function's result on failure.
    ///
    /// # Errors
    /// Returns the errors of MLIR.
    pub fn write(&self, code: &Builder<'c>, arguments: &[Value<'c>]) -> Built<()> {
        let ([tx, ty, tz], [x, y, z]) = (self.threads, self.grid);
        let sizes = [tx, ty, tz, self.shared, x, y, z, self.stream];
        let room = i32::from(self.cluster.is_some()) + i32::from(self.programmatic);
        let cfg = code.parse_type(&format!("!cuda.launch_cfg<max_attrs = {}>", room.max(1)))?;
        let room = ("maxNumAttrs", code.attr(room.max(1)));
        let cfg = code.named("cfg").typed("cuda.launch_cfg.create", &sizes, cfg, &[room])?;
        if let Some([x, y, z]) = self.cluster {
            let extents = [cfg, code.i32(x.into())?, code.i32(y.into())?, code.i32(z.into())?];
            code.effect("cuda.launch_cfg.cluster_dim", &extents, &[])?;
        }
        if self.programmatic {
            let allows = "cuda.launch_cfg.programmatic_stream_serialization_allowed";
            code.effect(allows, &[cfg, code.i32(1)?], &[])?;
        }
        let operands = [&[cfg], arguments].concat();
        let callee = ("callee", code.attribute(&format!("@kernels::@{}", self.name))?);
        let result = code.parse_type("!cuda.result")?;
        let done = code.named("done").typed("cuda.launch_ex", &operands, result, &[callee])?;
        let failed = code.named("code").typed("cuda.cast", &[done], code.i32_type(), &[])?;
        code.effect("cuda.return_if_error", &[failed], &[])
    }
}
