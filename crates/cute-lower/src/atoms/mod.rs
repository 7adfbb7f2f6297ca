//! `cute-lower-atoms`: one atom call as llvm and nvvm ops. Addresses stay cute pointers behind a cast to `!llvm.ptr`,
//! which `cute-to-base` resolves.

mod convert;
mod fragment;
mod matrix;
mod mma;

use cute_algebra::{AnyLayout, Crd, Dim, Tuple};
use cute_arch::{Feature, Target};
use cute_dialect::{
    atom::{Access, AsyncCopy, Cache, CopyAtom, CopyFamily, UniversalCopy, storage},
    types::{llvm_pointer, value_of},
    value::{Space, Value as Cute},
};
use cute_ffi::ir::{self, op_name, walk};
use melior::{
    Context,
    ir::{Attribute, Region, RegionLike, Type, Value, operation::OperationRef, r#type::IntegerType},
};

use crate::build::{Build, Built, Failed};

/// Runs the pass for a target.
pub fn run<'c>(root: OperationRef<'c, 'c>, target: &str) -> Built<()> {
    let target = match target.parse::<Target>() {
        Ok(target) => target,
        Err(e) => return Build::before(root).fail(&format!("cute-lower-atoms: {e}")),
    };
    for op in walk(root) {
        match op_name(op) {
            "cute.copy_atom_call" => lower(op, target)?,
            "cute.mma_atom_call" => mma::lower(op, target)?,
            "cute.prefetch_atom_call" => prefetch(op)?,
            "cute.placement.convert" => convert::lower(op)?,
            _ => continue,
        }
        ir::erase(op);
    }
    Ok(())
}

fn lower<'c>(op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    let b = Build::before(op);
    let operands = ir::operands(op);
    let [atom, src, dst, ..] = operands[..] else {
        return b.fail("'cute.copy_atom_call' op expects an atom and two views");
    };
    let pred = operands.get(3).copied();
    match value_of(ir::type_of(atom)).into_owned() {
        Cute::CopyAtom(CopyAtom::Universal(UniversalCopy {
            access: Access { priority: Some(priority), .. },
            ..
        })) => b.refuse(&format!("l1_cache_eviction_priority={} is not supported", priority.name())),
        Cute::CopyAtom(atom @ CopyAtom::Universal(_)) => match pred {
            None => plain_copy(&b, &atom, src, dst),
            Some(pred) => {
                let inside = conditional(&b, pred)?;
                plain_copy(&inside, &atom, src, dst)
            }
        },
        Cute::CopyAtom(CopyAtom::Async(_)) if !target.has(Feature::CpAsync) => {
            b.refuse(&format!("{target} has no cp.async; use universal_copy"))
        }
        Cute::CopyAtom(CopyAtom::Async(atom)) => async_copy(&b, &atom, (src, dst, pred)),
        Cute::CopyAtom(CopyAtom::Matrix(atom)) => {
            let entry = atom.entry().or_else(|why| b.refuse(&why))?;
            if !entry.on.on(target) {
                return b.refuse(&format!(
                    "{target} has no {}; it is on {}; universal_copy is everywhere",
                    entry.name, entry.on
                ));
            }
            if pred.is_some() {
                return b.refuse(
                    "a predicate on ldmatrix or stmatrix is not supported, all lanes of a warp take part",
                );
            }
            matrix::lower(&b, &atom, src, dst)
        }
        other => b.refuse(&format!("{} is not supported", other.what())),
    }
}

/// Where the body of an `if` on `pred` is built.
fn conditional<'c>(b: &Build<'c>, pred: Value<'c, 'c>) -> Built<Build<'c>> {
    let (then, otherwise) = (Region::new(), Region::new());
    then.append_block(ir::block(&[]));
    let op = b.effect("scf.if", &[pred], &[], vec![then, otherwise])?;
    Ok(Build::before(ir::append(op, "scf.yield").ok_or(Failed)?))
}

/// The address of a view's first element, and the alignment it is known to have.
fn address<'c>(b: &Build<'c>, view: Value<'c, 'c>) -> Built<(Value<'c, 'c>, i64)> {
    let Cute::MemRef(memref) = value_of(ir::type_of(view)).into_owned() else { return Err(Failed) };
    let mut iter = b.inferred("cute.get_iter", &[view], &[])?;
    if let AnyLayout::Composed(_) = memref.layout {
        // Behind a swizzle, element 0 need not lie at the pointer.
        let layout = b.inferred("cute.get_layout", &[view], &[])?;
        let zero = b.coord(Tuple::leaf(Crd::Int(Dim::fixed(0))), &[])?;
        let offset = b.inferred("cute.crd2idx", &[zero, layout], &[])?;
        iter = b.inferred("cute.add_offset", &[iter, offset], &[])?;
    }
    if !memref.iter.swizzle.is_identity() {
        iter = b.inferred("cute.apply_swizzle", &[iter], &[])?;
    }
    let Cute::Ptr(ptr) = value_of(ir::type_of(iter)).into_owned() else { return Err(Failed) };
    let pointer = llvm_pointer(b.context(), ptr.space);
    Ok((b.typed("builtin.unrealized_conversion_cast", &[iter], pointer, &[])?, ptr.align))
}

/// One load and one store.
fn plain_copy<'c>(b: &Build<'c>, atom: &CopyAtom<'c>, src: Value<'c, 'c>, dst: Value<'c, 'c>) -> Built<()> {
    for view in [src, dst] {
        if let Cute::MemRef(m) = value_of(ir::type_of(view)).into_owned()
            && m.iter.space == Space::Tmem
        {
            return b.refuse("universal_copy does not reach tmem; use a tmem_load or tmem_store atom");
        }
    }
    let t = carrier(b.context(), atom);
    let (from, from_align) = address(b, src)?;
    let (to, to_align) = address(b, dst)?;
    let loaded = b.typed("llvm.load", &[from], t, &[("alignment", b.i64_attribute(from_align))])?;
    b.effect("llvm.store", &[loaded, to], &[("alignment", b.i64_attribute(to_align))], vec![])?;
    Ok(())
}

/// The type that holds what a call copies. LLVM has none for small floats and unsigned integers, and elements of less than a byte
/// lie apart in its vectors: those are integers, of whole words where there are several.
fn carrier<'c>(c: &'c Context, atom: &CopyAtom<'c>) -> Type<'c> {
    let (values, bits) = (u64::try_from(atom.values()).unwrap_or(1), atom.bits());
    let elem = storage(c, atom.elem());
    match bits / atom.values().max(1) {
        1..8 if bits <= 32 => IntegerType::new(c, bits as u32).into(),
        1..8 => Type::vector(&[bits as u64 / 32], IntegerType::new(c, 32).into()),
        _ if values == 1 => elem,
        _ => Type::vector(&[values], elem),
    }
}

/// One line of L2 is asked for.
fn prefetch<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Build::before(op);
    let [atom, src] = ir::operands(op)[..] else {
        return b.fail("'cute.prefetch_atom_call' op expects an atom and a view");
    };
    match value_of(ir::type_of(atom)).as_ref() {
        Cute::CopyAtom(CopyAtom::Universal(_)) => {
            let (from, _) = address(&b, src)?;
            let level = Attribute::parse(b.context(), "#nvvm<prefetch_cache_level L2>").ok_or(Failed)?;
            b.effect("nvvm.prefetch", &[from], &[("cacheLevel", level)], vec![]).map(|_| ())
        }
        other => b.refuse(&format!("a prefetch by {} is not supported", other.what())),
    }
}

/// cp.async; where the predicate is false nothing is read and zeros arrive.
fn async_copy<'c>(
    b: &Build<'c>,
    atom: &AsyncCopy<'c>,
    (src, dst, pred): (Value<'c, 'c>, Value<'c, 'c>, Option<Value<'c, 'c>>),
) -> Built<()> {
    let (from, _) = address(b, src)?;
    let (to, _) = address(b, dst)?;
    let bytes = atom.bits() / 8;
    let modifier = match atom.cache {
        Cache::Always => "#nvvm<load_cache_modifier ca>",
        Cache::Global => "#nvvm<load_cache_modifier cg>",
    };
    let modifier = Attribute::parse(b.context(), modifier).ok_or(Failed)?;
    let mut operands = vec![to, from];
    if let Some(pred) = pred {
        operands.push(b.inferred("arith.select", &[pred, b.i32(bytes)?, b.i32(0)?], &[])?);
    }
    let attributes = [("size", b.i32_attribute(bytes)), ("modifier", modifier)];
    b.effect("nvvm.cp.async.shared.global", &operands, &attributes, vec![])?;
    Ok(())
}
