//! Words of Blackwell: tensor memory, UMMAs, and scale factors.

use cute_algebra::{Layout, LayoutLike, MmaOperand};
use cute_arch::tmem::check_columns;
use cute_build::{
    Builder, Value,
    atoms::{self, MmaAtom, MmaOptions, TiledMma},
    ops::{cute, cute_nvgpu},
    types::{self, Space},
};
use cute_dialect::{types::value_of, value::Value as Cute};
use cute_ffi::ir;
use cute_kernels::factors::{FactorLayouts, Factors};

use super::{
    words::{Answer, major, number, operand, scale},
    worker::Failure,
};

/// A word of shared memory for the address of this number of columns of tensor memory.
pub fn word<'c>(b: &Builder<'c>, columns: i64) -> Answer<Value<'c>> {
    check_columns(columns)?;
    let word = types::pointer(b.i32_type(), Space::Smem).align(8).memref(Layout::<i64>::unit())?;
    let word = cute::memref_alloc_smem(b, None, false, false, None, word)?;
    Ok(cute::get_iter(b, word)?)
}

/// A pointer to the tensor memory whose address lies in shared memory.
pub fn pointer<'c>(b: &Builder<'c>, address: Value<'c>, element: &str) -> Answer<Value<'c>> {
    let t = types::pointer(b.parse_type(element)?, Space::Tmem).align(16).ptr()?;
    Ok(cute_nvgpu::arch_sm100_retrieve_tmem_ptr(b, address, t)?)
}

/// The scale factors of A or B for a K tile: which of them, K, the stages in shared memory, and the
/// column of tensor memory.
pub fn scale_factors<'c>(
    b: &Builder<'c>,
    mma: Value<'c>,
    [shared, first]: [Value<'c>; 2],
    texts: &[&str],
) -> Answer<[Value<'c>; 6]> {
    let [which, k, stages, column] = texts else { return Err("scale factors have four parts".into()) };
    let layouts = FactorLayouts::new(row(mma)?, operand(which)?, number(k)?)?;
    let t = layouts.shared(b, number(stages)?)?;
    let (copy, name) = (layouts.copy(b)?, format!("SF{which}"));
    let shared = b.typed("cute.make_view", &[shared], t, &[])?;
    let own = Factors::new(b, (&name, &layouts), (copy, shared), (first, number(column)?))?;
    Ok(own.values())
}

/// The scale factors that these values make up.
pub fn factors<'c>(values: &[Value<'c>]) -> Answer<Factors<'c>> {
    Ok(Factors::of(values.try_into().map_err(|_| "scale factors consist of six values")?))
}

/// A UMMA: M, N, K, the elements of A, B and C, the majors, the CTAs, and the scale factors. Its
/// state is where factors begin.
pub fn umma<'c>(b: &Builder<'c>, places: &[Value<'c>], texts: &[&str]) -> Answer<Value<'c>> {
    let [m, n, k, ea, eb, ec, ma, mb, ctas, element, vector] = texts else {
        return Err("a UMMA has eleven parts".into());
    };
    let elems = [b.parse_type(ea)?, b.parse_type(eb)?, b.parse_type(ec)?];
    let (majors, scale) = ((major(ma)?, major(mb)?), scale(element, vector)?);
    let options = MmaOptions { majors, scale, num_cta: number(ctas)?, ..MmaOptions::default() };
    let atom = atoms::tcgen05_mma([number(m)?, number(n)?, number(k)?], elems, options)?;
    let state = match (scale, places) {
        (Some((element, _)), &[first]) => {
            let t = types::pointer(types::element(b.context(), element)?, Space::Tmem).align(16).ptr()?;
            let first = b.typed("cute.recast_iter", &[first], t, &[])?;
            vec![first, first]
        }
        _ => Vec::new(),
    };
    one(b, atom, state)
}

/// A UMMA as a value, which overwrites accumulators.
fn one<'c>(b: &Builder<'c>, atom: MmaAtom<'c>, places: Vec<Value<'c>>) -> Answer<Value<'c>> {
    let no = b.truth(false)?;
    let state: Vec<_> = [no; 3].into_iter().chain(places).collect();
    Ok(b.tiled_mma(&atoms::plain_mma(atom, "(1,1,1):(0,0,0)")?, &state)?)
}

fn tiled<'c>(mma: Value<'c>) -> Answer<TiledMma<'c>> {
    match value_of(ir::type_of(mma)).as_ref() {
        Cute::TiledMma(tiled) => Ok(tiled.clone()),
        other => Err(format!("expected a tiled_mma, found {}", other.what()).into()),
    }
}

fn row(mma: Value<'_>) -> Answer<&'static cute_arch::atoms::MmaAtom> {
    tiled(mma)?.atom.entry.ok_or_else(|| Failure::from("an fma of a thread has no scale factors"))
}

/// Descriptors of a matrix in the shared memory of a CTA, `(rows,k,stages)`: of a pair, each CTA
/// has the half that it would multiply alone.
pub fn descriptors<'c>(
    b: &Builder<'c>,
    mma: Value<'c>,
    which: MmaOperand,
    memory: Value<'c>,
) -> Answer<Value<'c>> {
    let own = match tiled(mma)?.atom {
        MmaAtom { options: MmaOptions { num_cta: 1, .. }, .. } => mma,
        MmaAtom { shape: [m, n, k], elems, options, .. } => {
            let options = MmaOptions { num_cta: 1, scale: None, ..options };
            one(b, atoms::tcgen05_mma([m / 2, n / 2, k], elems, options)?, Vec::new())?
        }
    };
    let origin = b.fixed_coord("0")?;
    let part = b.mma_partition(own, which, memory, origin)?;
    Ok(b.mma_descriptors(mma, which, part)?)
}

/// A bulk copy of a contiguous part of global memory, whose bytes the barrier counts.
pub fn bulk_load<'c>(b: &Builder<'c>, from: Value<'c>, to: Value<'c>, barrier: Value<'c>) -> Answer<()> {
    let value = value_of(ir::type_of(to));
    let Cute::MemRef(view) = value.as_ref() else {
        return Err(format!("a bulk copy fills shared memory, not a {}", value.what()).into());
    };
    let elem = view.iter.elem.ok_or("the shared memory has no element type")?;
    let count = cute_algebra::size(view.layout.outer())?;
    let count = count.as_static().ok_or("a bulk copy has a static size")?;
    let bits = cute_dialect::scalars::bit_width(elem).ok_or("the elements have no size")?;
    let atom = b.atom(atoms::bulk_load(elem, count * i64::from(bits))?)?;
    let field = b.attribute("#cute_nvgpu.atom_copy_field_bulkg2s<tma_bar>")?;
    let atom = b.inferred("cute_nvgpu.atom.set_value", &[atom, barrier], &[("field", field)])?;
    Ok(b.copy(atom, from, to)?)
}
