//! Functions that kernels in Python need and the builder does not have: addresses of LLVM, shared
//! memory of other blocks of a cluster, copies of tensor maps, and tiled copies that are left open.

use cute_algebra::Dim;
use cute_build::{Builder, Value};
use cute_dialect::{
    types::{llvm_pointer, value_of},
    value::{Ptr, TiledCopy, Value as Cute},
};
use cute_ffi::{ir::type_of, lowered::vector_parts};
use cute_kernels::barriers;

use super::worker::Failure;

type Answer<T> = Result<T, Failure>;

/// A tiled copy; with `auto`, a pass chooses its threads.
pub fn tiled_copy<'c>(b: &Builder<'c>, how: &str, copy: TiledCopy<'c>) -> Answer<Value<'c>> {
    if how != "auto" {
        return Ok(b.tiled_copy(&copy)?);
    }
    let atom = b.named("atom").atom(&copy.atom)?;
    let t = cute_dialect::types::type_of(b.context(), &Cute::TiledCopy(copy));
    Ok(b.op("cute.make_tiled_copy").operands(&[atom]).flag("auto_copy", true).results(&[t]).value()?)
}

fn pointer_of<'c>(pointer: Value<'c>) -> Answer<Ptr<'c, Dim>> {
    match value_of(type_of(pointer)).as_ref() {
        Cute::Ptr(pointer) => Ok(pointer.clone()),
        other => Err(format!("memory is needed here, not {}", other.what()).into()),
    }
}

/// A pointer in the form that `llvm` and `nvvm` take.
pub fn address<'c>(b: &Builder<'c>, pointer: Value<'c>) -> Answer<Value<'c>> {
    let t = llvm_pointer(b.context(), pointer_of(pointer)?.space);
    Ok(b.named("address").typed("builtin.unrealized_conversion_cast", &[pointer], t, &[])?)
}

/// The element at the same place of another block's shared memory.
pub fn load_there<'c>(b: &Builder<'c>, pointer: Value<'c>, block: Value<'c>) -> Answer<Value<'c>> {
    let element = pointer_of(pointer)?.elem.ok_or("the pointer has no element type")?;
    let there = barriers::there(b, address(b, pointer)?, block)?;
    Ok(b.typed("llvm.load", &[there], element, &[])?)
}

/// Stores a number or vector to the same place of another block's shared memory.
pub fn store_there<'c>(
    b: &Builder<'c>,
    pointer: Value<'c>,
    block: Value<'c>,
    value: Value<'c>,
) -> Answer<()> {
    let align = pointer_of(pointer)?.align;
    let there = barriers::there(b, address(b, pointer)?, block)?;
    Ok(b.op("llvm.store").operands(&[value, there]).attribute("alignment", align).done()?)
}

/// Stores a number or vector to the same place of another block's shared memory, asynchronously:
/// the barrier there counts the bytes.
pub fn store_async<'c>(
    b: &Builder<'c>,
    pointer: Value<'c>,
    block: Value<'c>,
    value: Value<'c>,
    barrier: Value<'c>,
) -> Answer<()> {
    let t = type_of(value);
    let (count, element) =
        vector_parts(t).map_or((1, t), |(extents, element)| (extents.iter().product(), element));
    let (suffix, constraint) = match element.to_string().as_str() {
        "f32" => ("f32", "f"),
        "i32" => ("b32", "r"),
        "f64" => ("f64", "d"),
        "i64" => ("b64", "l"),
        other => return Err(format!("st.async stores elements of 32 or 64 bits, found {other}").into()),
    };
    let (vector, operands) = match count {
        1 => ("", "$1".to_owned()),
        2 => (".v2", "{$1, $2}".to_owned()),
        4 if suffix.ends_with("32") => (".v4", "{$1, $2, $3, $4}".to_owned()),
        _ => return Err(format!("st.async stores up to 16 bytes, in 1, 2 or 4 elements; found {t}").into()),
    };
    let bytes = count * if suffix.ends_with("32") { 4 } else { 8 };
    let align = pointer_of(pointer)?.align;
    if align < bytes {
        return Err(format!(
            "st.async of {bytes} bytes needs an address aligned to them, found align<{align}>"
        )
        .into());
    }
    let there = barriers::there(b, address(b, pointer)?, block)?;
    let full = barriers::there(b, address(b, barrier)?, block)?;
    let parts = (0..count).map(|at| match count {
        1 => Ok(value),
        _ => b
            .op("vector.extract")
            .operands(&[value])
            .operands(&[])
            .attribute("static_position", &[at][..])
            .results(&[element])
            .value(),
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let asm = format!(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes{vector}.{suffix} [$0], {operands}, [${}];",
        count + 1
    );
    let constraints = format!("r{},r", format!(",{constraint}").repeat(count as usize));
    inline(b, &asm, &constraints, &[&[there], &parts[..], &[full]].concat())
}

/// Copies a tensor map from shared to global memory and releases it for the TMA. A warp executes
/// it.
pub fn publish_map<'c>(b: &Builder<'c>, map: Value<'c>, copy: Value<'c>) -> Answer<()> {
    let asm = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;";
    inline(b, asm, "l,r", &[address(b, map)?, address(b, copy)?])
}

fn inline<'c>(b: &Builder<'c>, asm: &str, constraints: &str, operands: &[Value<'c>]) -> Answer<()> {
    let op = b.op("llvm.inline_asm").operands(operands).attribute("asm_string", asm);
    Ok(op.attribute("constraints", constraints).flag("has_side_effects", true).done()?)
}
