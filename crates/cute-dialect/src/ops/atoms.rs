//! Tiled copies and MMAs, partitions, copies and products.

use cute_algebra::{
    self as algebra, AnyLayout, CopySide, Crd, Dim, Int, Layout, LayoutLike, MmaOperand, Swizzle,
};
use cute_ffi::ops::OpKind;
use melior::ir::Type;

use cute_arch::atoms as arch;

use super::{Call, fragments, moved, scales};
use crate::{
    atom::MmaAtom,
    error::{Error, Result},
    partition,
    types::{bit_width, described},
    value::{Machine, MemRef, Ptr, Space, TiledCopy, Value},
    weakening,
};

/// `make_tiled_copy`: the result type determines the result; its parts must fit together.
pub fn make_tiled_copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let Value::CopyAtom(atom) = call.operand(0)? else { return call.wrong(0, "a copy atom") };
    let Value::TiledCopy(tiled) = call.declared(0)? else {
        return Err(Error::ResultKind { expected: "a !cute.tiled_copy" });
    };
    if tiled.atom != *atom {
        return Err(Error::OtherAtom);
    }
    tiled.tiling().map_err(|why| Error::Rule(format!("layout_copy_tv {}: {why}", tiled.tv)))?;
    Ok(vec![Value::TiledCopy(tiled.clone())])
}

/// `make_tiled_copy_A`, `_B`, `_C` and `_C_atom` of an MMA, `_S` and `_D` of another copy.
pub fn derived_copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    use OpKind as K;
    let Value::CopyAtom(atom) = call.operand(0)? else { return call.wrong(0, "a copy atom") };
    let layouts = atom.layouts()?;
    let copy = match call.kind {
        K::MakeTiledCopyS => call.tiled_copy(1)?.tiling()?.like(layouts, CopySide::Src)?,
        K::MakeTiledCopyD => call.tiled_copy(1)?.tiling()?.like(layouts, CopySide::Dst)?,
        K::MakeTiledCopyCAtom => algebra::TiledCopy::of_mma_c_atom(layouts, &call.tiled_mma(1)?.tiling()?)?,
        kind => {
            let which = match kind {
                K::MakeTiledCopyA => MmaOperand::A,
                K::MakeTiledCopyB => MmaOperand::B,
                _ => MmaOperand::C,
            };
            algebra::TiledCopy::of_mma(layouts, &call.tiled_mma(1)?.tiling()?, which)?
        }
    };
    Ok(Value::TiledCopy(TiledCopy::new(atom.clone(), &copy)))
}

/// `make_tiled_mma`: the same of an MMA.
pub fn make_tiled_mma<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let Value::MmaAtom(atom) = call.operand(0)? else { return call.wrong(0, "an MMA atom") };
    let Value::TiledMma(tiled) = call.declared(0)? else {
        return Err(Error::ResultKind { expected: "a !cute.tiled_mma" });
    };
    if tiled.atom != *atom {
        return Err(Error::OtherAtom);
    }
    tiled.tiling()?;
    Ok(vec![Value::TiledMma(tiled.clone())])
}

/// `tiled.copy.partition_S` and `_D`: (V, rest..) of a thread.
pub fn partition_copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let tiling = call.tiled_copy(0)?.tiling()?;
    let (layout, thread) = (call.layout(1)?, thread(call, tiling.threads())?);
    let side = if call.kind == OpKind::TiledCopyPartitionS { CopySide::Src } else { CopySide::Dst };
    let (layout, offset) = tiling.partition(side, &layout, thread)?;
    moved(call.operand(1)?, layout, &offset)
}

/// Explains an unexpected partition, if the copy is made for other elements than those of the view.
pub fn other_elements<I: Machine>(call: &Call<'_, '_, I>) -> Option<String> {
    if !matches!(call.kind, OpKind::TiledCopyPartitionS | OpKind::TiledCopyPartitionD) {
        return None;
    }
    let (copied, held) = (call.tiled_copy(0).ok()?.atom.elem(), call.memref(1).ok()?.iter.elem?);
    (copied != held).then(|| format!("the atom copies elements of {copied}, but the view holds {held}"))
}

/// `tiled.mma.partition`: (V, rest..) of a thread.
pub fn partition_mma<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (tiling, which) = scales::tiling_of_matrix(call)?;
    let (layout, thread) = (call.layout(1)?, thread(call, tiling.threads())?);
    let (layout, offset) = tiling.partition(which, &layout, thread)?;
    moved(call.operand(1)?, layout, &offset)
}

/// `tiled.mma.partition_shape`.
pub fn partition_shape<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (tiling, which) = scales::tiling_of_matrix(call)?;
    Ok(Value::Shape(tiling.partition_shape(which, call.shape(1)?)?))
}

/// `tiled.copy.retile`: a fragment in the order in which the copy takes its values.
pub fn retile<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let layout = call.tiled_copy(0)?.tiling()?.retile(&call.layout(1)?)?;
    super::with_layout(call.operand(1)?, layout)
}

/// The integer that selects one of `threads` threads.
fn thread<'a, I: Machine>(call: &'a Call<'_, '_, I>, threads: i64) -> Result<&'a I> {
    let Some(Crd::Int(thread)) = call.coord(2)?.as_leaf() else {
        return Err(Error::Rule("the thread must be one integer".into()));
    };
    match thread.as_static() {
        Some(t) if !(0..threads).contains(&t) => Err(Error::Rule(format!(
            "thread {t} is not one of the {threads} threads of the {}",
            call.operand(0)?.what()
        ))),
        _ => Ok(thread),
    }
}

/// `copy` and `copy_atom_call`: no results, only checks.
pub fn copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    partition::check_copy(call)?;
    Ok(Vec::new())
}

/// `gemm` and `mma_atom_call`: no results, only checks.
pub fn gemm<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    partition::check_gemm(call)?;
    Ok(Vec::new())
}

/// `prefetch` and `prefetch_atom_call`: no results, only checks.
pub fn prefetch<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    partition::check_prefetch(call)?;
    Ok(Vec::new())
}

/// `mma.make_fragment`: the declared type must be the one that the atom and the view require.
pub fn make_mma_fragment<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let wanted = mma_fragment_of(call)?;
    let matrix = scales::matrix(call)?;
    if matrix.is_scales() {
        return declares(call, wanted);
    }
    let space = call.mma_atom()?.space_of(matrix.matrix());
    if let (arch::Space::Tensor, Value::MemRef(whole)) = (space, &wanted)
        && let Some(lanes) = fragments::lanes_of_view(whole, call.operand(1)?)?
        && declares(call, Value::MemRef(lanes)).is_ok()
    {
        return Ok(Vec::new());
    }
    declares(call, wanted)
}

/// The type that an op which makes a fragment has to declare; `None` if it makes something else.
pub fn fragment_of<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Option<Value<'c, Dim>>> {
    match (call.kind, call.operand(0)?) {
        (OpKind::MmaMakeFragment, _) => mma_fragment_of(call).map(Some),
        (OpKind::MakeFragmentLike, Value::MemRef(view)) => {
            let Some(elem) = view.iter.elem else { return call.wrong(0, "a memref of elements") };
            Ok(Some(Value::MemRef(fragment_like(elem, &view.layout.map(|i| i.dim()))?)))
        }
        _ => Ok(None),
    }
}

fn mma_fragment_of<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, Dim>> {
    let (atom, matrix) = (call.mma_atom()?, scales::matrix(call)?);
    if matrix.is_scales() {
        let (layout, of_shape) = match call.operand(1)? {
            Value::Shape(shape) => (algebra::make_layout(shape)?.into(), true),
            _ => (call.layout(1)?, false),
        };
        return Ok(Value::MemRef(scales::fragment(atom, matrix, &layout.map(|i| i.dim()), of_shape)?));
    }
    let which = matrix.matrix();
    if atom.is_sparse(which) {
        return Err(Error::Rule(format!("a fragment of a sparse {which} is not supported")));
    }
    let layout = match call.operand(1)? {
        Value::Shape(shape) => algebra::make_layout(shape)?.into(),
        _ => call.layout(1)?,
    };
    let layout = layout.map(|i| i.dim());
    Ok(match (atom.space_of(which), call.operand(1)?) {
        (arch::Space::Register, _) => Value::MemRef(mma_fragment(atom, which, &layout)?),
        (arch::Space::Tensor, _) => Value::MemRef(fragments::in_tensor_memory(atom, which, &layout)?),
        (arch::Space::Shared, Value::MemRef(view)) => {
            let view = MemRef { iter: view.iter.at(()), layout };
            let view = fragments::smem_matrix(atom, which, &view)?.view;
            // A declared type that states nothing is compared with one that states nothing.
            let stated = matches!(call.declared(0)?, Value::SmemDescView(of) if of.iter.of.is_some());
            Value::SmemDescView(if stated { view } else { view.unstated() })
        }
        (arch::Space::Shared, other) => {
            return Err(Error::Rule(format!(
                "the atom reads {which} from shared memory: give its partition, a memref in smem, not {}",
                other.what()
            )));
        }
    })
}

/// The registers for a thread's part of a matrix: A and B in the order of their strides, C in that
/// of its modes.
pub fn mma_fragment<'c>(
    atom: &MmaAtom<'c>,
    which: MmaOperand,
    like: &AnyLayout<Dim>,
) -> Result<MemRef<'c, Dim>> {
    let like = like.outer();
    let layout = if which == MmaOperand::C {
        algebra::make_layout(like.shape())?
    } else {
        algebra::make_fragment_like(like)?
    };
    let fragment = registers(atom.fragment_elem(which), &layout)?;
    fragments::whole_atom(atom, which, &layout)?;
    Ok(fragment)
}

/// `make_fragment_like`: registers for the elements of a view; of a layout, their layout.
pub fn make_fragment_like<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    match fragment_of(call)? {
        Some(wanted) => declares(call, wanted),
        None => Ok(vec![Value::Layout(algebra::make_fragment_like(call.layout(0)?.outer())?)]),
    }
}

/// The registers for the elements of a view.
pub fn fragment_like<'c>(elem: Type<'c>, like: &AnyLayout<Dim>) -> Result<MemRef<'c, Dim>> {
    registers(elem, &algebra::make_fragment_like(like.outer())?)
}

/// Registers of a static layout, the values of mode 0 aligned together.
pub(super) fn registers<'c>(elem: Type<'c>, layout: &Layout<Dim>) -> Result<MemRef<'c, Dim>> {
    if !layout.is_static() {
        return Err(Error::DynamicFragment { what: "shape", found: layout.shape().to_string() });
    }
    let Some(bits) = bit_width(elem) else {
        return Err(Error::NoSize { elem: elem.to_string(), rule: "registers cannot hold it".into() });
    };
    let values = algebra::size_at(layout, &[0])?.expect_static();
    let bytes = values.saturating_mul(bits.into()) / 8;
    let align = if bytes > 0 { 1 << bytes.trailing_zeros().min(10) } else { 1 };
    let iter = Ptr { elem: Some(elem), space: Space::Rmem, align, swizzle: Swizzle::IDENTITY, address: () };
    Ok(MemRef { iter, layout: layout.clone().into() })
}

/// Checks that the declared type is this one, or a weakening of it.
pub(super) fn declares<'c, I: Machine>(
    call: &Call<'_, 'c, I>,
    wanted: Value<'c, Dim>,
) -> Result<Vec<Value<'c, I>>> {
    let declared = call.declared(0)?;
    weakening::check(declared, &wanted).map_err(|why| Error::ResultType {
        index: 0,
        declared: described(declared),
        inferred: described(&wanted),
        why: why.to_string(),
        note: None,
    })?;
    Ok(Vec::new())
}
