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
use melior::ir::Type;

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

/// A pointer in the form that `llvm` and `nvvm` take: where an access through it goes to.
pub fn address<'c>(b: &Builder<'c>, pointer: Value<'c>) -> Answer<Value<'c>> {
    let Ptr { space, swizzle, .. } = pointer_of(pointer)?;
    let pointer = match swizzle.is_identity() {
        true => pointer,
        false => b.inferred("cute.apply_swizzle", &[pointer], &[])?,
    };
    let t = llvm_pointer(b.context(), space);
    Ok(b.named("address").typed("builtin.unrealized_conversion_cast", &[pointer], t, &[])?)
}

/// The element at the same place of another block's shared memory.
pub fn load_there<'c>(b: &Builder<'c>, pointer: Value<'c>, block: Value<'c>) -> Answer<Value<'c>> {
    let element = pointer_of(pointer)?.elem.ok_or("the pointer has no element type")?;
    let there = barriers::there(b, address(b, pointer)?, block)?;
    Ok(b.typed("llvm.load", &[there], element, &[])?)
}

/// A number, or a vector whose elements lie side by side, and how it is stored.
struct Stored<'c> {
    element: Type<'c>,
    count: i64,
    /// Bytes of an element.
    width: i64,
    /// The alignment of the address in bytes, behind its swizzle.
    align: i64,
}

impl<'c> Stored<'c> {
    fn new(pointer: Value<'c>, value: Value<'c>) -> Answer<Self> {
        let (t, to) = (type_of(value), pointer_of(pointer)?);
        let (count, element) =
            vector_parts(t).map_or((1, t), |(extents, element)| (extents.iter().product(), element));
        let width = i64::from(to.bits().unwrap_or(8)) / 8;
        let own = Self { element, count, width, align: to.swizzled().align };
        if count > 1 && !to.swizzle.is_identity() && own.align < own.bytes() {
            return Err(format!("{} separates the elements of {t}: store them one by one", to.swizzle).into());
        }
        Ok(own)
    }

    fn bytes(&self) -> i64 {
        self.count * self.width
    }
}

/// Stores a number or vector to the same place of another block's shared memory.
pub fn store_there<'c>(
    b: &Builder<'c>,
    pointer: Value<'c>,
    block: Value<'c>,
    value: Value<'c>,
) -> Answer<()> {
    let align = Stored::new(pointer, value)?.align;
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
    let stored = Stored::new(pointer, value)?;
    let Stored { element, count, width, align } = stored;
    let (suffix, constraint) = match element.to_string().as_str() {
        "f32" => ("f32", "f"),
        "i32" => ("b32", "r"),
        "f64" => ("f64", "d"),
        "i64" => ("b64", "l"),
        other => return Err(format!("st.async stores elements of 32 or 64 bits, found {other}").into()),
    };
    let (vector, operands) = match count {
        1 => ("", "$1"),
        2 => (".v2", "{$1, $2}"),
        4 if width == 4 => (".v4", "{$1, $2, $3, $4}"),
        _ => {
            let t = type_of(value);
            return Err(format!("st.async stores up to 16 bytes, in 1, 2 or 4 elements; found {t}").into());
        }
    };
    let bytes = stored.bytes();
    if align < bytes {
        let found =
            format!("st.async of {bytes} bytes needs an address aligned to them, found align<{align}>");
        return Err(found.into());
    }
    let there = barriers::there(b, address(b, pointer)?, block)?;
    let full = barriers::there(b, address(b, barrier)?, block)?;
    let parts = (0..count).map(|at| {
        if count == 1 {
            return Ok(value);
        }
        let part = b.op("vector.extract").operands(&[value]).operands(&[]);
        part.attribute("static_position", &[at][..]).results(&[element]).value()
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let behind = count + 1;
    let asm = format!(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes{vector}.{suffix} [$0], {operands}, [${behind}];"
    );
    let constraints = format!("r{},r", format!(",{constraint}").repeat(parts.len()));
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
