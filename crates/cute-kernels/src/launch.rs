//! A module of one kernel and the host function that prepares its arguments and launches it.

use cute_dialect::DYNAMIC_SHARED_MEMORY;
use cute_ffi::{
    ir::{self, type_of},
    parse,
};
use melior::{
    Context,
    ir::{BlockLike, Module, operation::OperationLike},
};

use crate::code::{Code, Refused, Ssa, Written};

/// A kernel and its host function.
pub struct Launched<'a> {
    /// The kernel's symbol; the host function's begins with `launch_`.
    pub name: &'a str,
    /// Parameters of the host function, by name and type; a stream follows them.
    pub parameters: &'a [(&'a str, String)],
    /// Threads of a block.
    pub threads: i64,
    /// Bytes of dynamic shared memory.
    pub shared: i64,
    /// Blocks of a cluster.
    pub cluster: Option<[i64; 3]>,
}

/// The arguments of a launch.
pub struct Prepared<'c> {
    /// Arguments of the kernel, by name.
    pub arguments: Vec<(&'static str, Ssa<'c>)>,
    /// Blocks.
    pub grid: [Ssa<'c>; 3],
}

/// The module of a host function, which `prepare` begins, and a kernel, which `write` writes.
pub fn module<'c>(
    context: &'c Context,
    launched: &Launched<'_>,
    prepare: impl for<'m> FnOnce(&Code<'m>, &[Ssa<'m>]) -> Written<Prepared<'m>>,
    write: impl for<'m> FnOnce(&Code<'m>, &[Ssa<'m>]) -> Written<()>,
) -> Written<Module<'c>> {
    let Launched { name, parameters, threads, shared, cluster } = launched;
    let stream = ("stream", "!cuda.stream".to_string());
    let parameters: Vec<_> =
        parameters.iter().chain([&stream]).map(|(n, t)| format!("%{n}: {t} loc(\"{n}\")")).collect();
    let parameters = parameters.join(", ");
    let text = format!(
        "module attributes {{gpu.container_module}} {{ func.func @launch_{name}({parameters}) -> i32 {{ %c0 = arith.constant 0 : i32 return %c0 : i32 }} }}"
    );
    let module = parse::module(context, &text, "kernel").ok_or(Refused::Ir)?;
    let [host] = ir::functions(module.as_operation())[..] else { return Err(Refused::Ir) };
    let end = ir::body(host).and_then(|body| body.terminator()).ok_or(Refused::Ir)?;
    let code = Code::before(end);
    let arguments = arguments_of(host);
    let stream = *arguments.last().ok_or(Refused::Ir)?;
    let prepared = prepare(&code, &arguments)?;

    let parameters = prepared.arguments.iter().map(|(n, v)| format!("%{n}: {} loc(\"{n}\")", type_of(*v)));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let cluster = cluster
        .map_or_else(String::new, |[x, y, z]| format!(", nvvm.cluster_dim = array<i32: {x}, {y}, {z}>"));
    let text = format!(
        "gpu.module @kernels {{ cuda.kernel @{name}({parameters}) attributes {{
           cu_attrs = {{max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin}}, {DYNAMIC_SHARED_MEMORY} = {shared} : i64,
           cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: {threads}, 1, 1>{cluster}}} {{ return }} }}"
    );
    let kernels = parse::module(context, &text, "kernel").ok_or(Refused::Ir)?;
    let kernels = kernels.body().first_operation().map(|op| (*op).clone()).ok_or(Refused::Ir)?;
    let kernels = module.body().insert_operation(0, kernels);
    let [kernel] = ir::functions(kernels)[..] else { return Err(Refused::Ir) };
    let body = ir::body(kernel).and_then(|body| body.terminator()).ok_or(Refused::Ir)?;
    write(&Code::before(body), &arguments_of(kernel))?;

    launch(&code, launched, &prepared, stream)?;
    if module.as_operation().verify() { Ok(module) } else { Err(Refused::Ir) }
}

fn arguments_of<'c>(function: melior::ir::operation::OperationRef<'c, 'c>) -> Vec<Ssa<'c>> {
    (0..).map_while(|i| ir::block_argument(function, i)).collect()
}

/// Writes the launch, and the host function's result on failure.
fn launch<'c>(
    code: &Code<'c>,
    launched: &Launched<'_>,
    prepared: &Prepared<'c>,
    stream: Ssa<'c>,
) -> Written<()> {
    let one = code.i32(1)?;
    let shared = code.number("shared", code.parse_type("i64")?, launched.shared)?;
    let [x, y, z] = prepared.grid;
    let sizes = [code.i32(launched.threads)?, one, one, shared, x, y, z, stream];
    let room = ("maxNumAttrs", code.attribute("1 : i32")?);
    let cfg = code.parse_type("!cuda.launch_cfg<max_attrs = 1>")?;
    let cfg = code.typed(("cfg", "cuda.launch_cfg.create"), &sizes, cfg, &[room])?;
    if let Some([x, y, z]) = launched.cluster {
        let extents = [cfg, code.i32(x)?, code.i32(y)?, code.i32(z)?];
        code.effect("cuda.launch_cfg.cluster_dim", &extents, &[])?;
    }
    let operands: Vec<_> = [cfg].into_iter().chain(prepared.arguments.iter().map(|(_, v)| *v)).collect();
    let callee = ("callee", code.attribute(&format!("@kernels::@{}", launched.name))?);
    let result = code.parse_type("!cuda.result")?;
    let done = code.typed(("done", "cuda.launch_ex"), &operands, result, &[callee])?;
    let failed = code.typed(("code", "cuda.cast"), &[done], code.parse_type("i32")?, &[])?;
    code.effect("cuda.return_if_error", &[failed], &[])
}
