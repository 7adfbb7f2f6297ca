//! Requests about `tcgen05.cp`, which copies scale factors from shared to tensor memory.

use cute_algebra::{CopySide, Int, Layout, TiledCopy, coalesce, filter_zeros, recast_layout, upcast};
use cute_arch::{
    atoms::{CopyAtom, CopyInstruction, Major, TmemFill},
    smem::{DescriptorOf, SmemSwizzle, UNIT},
    tmem::{address, tmem_copy},
};
use serde_json::{Map, Value as Json, json};

use super::{
    algebra, hex, mnk, offset,
    partition::{Factors, SCALE_BITS},
    traits,
};
use crate::{
    error::{Error, Result},
    inputs::{Inputs, wrong},
    tilings::FactValue,
    value::MAX_LEAVES,
};

/// The atom of `tcgen05.cp` that a request names, and its places in tensor memory.
fn atom(inputs: &Inputs<'_>) -> Result<(&'static CopyAtom, TmemFill, &'static Layout<i64>)> {
    let name = inputs.text("copy_op")?;
    let found = CopyAtom::by_name(name).and_then(|atom| match atom.instruction {
        CopyInstruction::TmemCopy(fill) => Some((atom, fill, atom.tensor_memory.as_ref()?)),
        _ => None,
    });
    found.ok_or_else(|| {
        wrong("copy_op", format!("{name} is not a tcgen05.cp; cute-calc atoms 'SM100_UTCCP*' lists them"))
    })
}

/// `utccp_traits`: the threads and layouts of an atom.
pub fn traits(inputs: &Inputs<'_>) -> Result<Json> {
    let (atom, _, memory) = atom(inputs)?;
    let bytes = algebra(upcast(memory, SCALE_BITS).and_then(|layout| coalesce(&layout)))?;
    Ok(json!({
        "thr_id": atom.thr_id.to_string(),
        "val_id_bits": memory.to_string(),
        "src_layout_bits": atom.src.to_string(),
        "dst_layout_bits": atom.dst.to_string(),
        "ref_layout_bits": atom.reference.to_string(),
        "val_id_8bit": bytes.to_string(),
    }))
}

/// The copies of the scale factors of an operand, at an address in shared memory and a column.
struct Copies<'a> {
    atom: &'static CopyAtom,
    fill: TmemFill,
    factors: &'a Factors,
    smem_address: i64,
    column: u32,
}

impl Copies<'_> {
    fn put(&self, object: &mut Map<String, Json>, prefix: &str) -> Result<()> {
        // Elements that share a factor are copied once.
        let smem = algebra(filter_zeros(&self.factors.smem))?;
        let tmem = algebra(filter_zeros(&self.factors.tmem))?;
        let copy = algebra(tmem_copy(self.atom, SCALE_BITS, &tmem))?;
        let part = |side, layout: &Layout<i64>| algebra(TiledCopy::partition(&copy, side, layout, &0));
        let ((source, _), (destination, _)) = (part(CopySide::Src, &smem)?, part(CopySide::Dst, &tmem)?);
        let descriptors = algebra(recast_layout(&source, UNIT, SCALE_BITS))?;
        for (key, value) in [
            ("smem_compact", smem.to_string()),
            ("tmem_compact", tmem.to_string()),
            ("tiled_layout_tv", copy.tv().to_string()),
            ("tiler_mn", FactValue::Tile(copy.tiler().clone()).to_string()),
            ("part_s", source.to_string()),
            ("part_d", destination.to_string()),
            ("desc_layout", descriptors.to_string()),
        ] {
            object.insert(format!("{prefix}_{key}"), json!(value));
        }
        let copies = self.copies(&source, &descriptors, &destination)?;
        object.insert(format!("{prefix}_copies"), copies);
        Ok(())
    }

    /// The descriptor of the source and the address of the destination of each instruction.
    fn copies(
        &self,
        source: &Layout<i64>,
        descriptors: &Layout<i64>,
        destination: &Layout<i64>,
    ) -> Result<Json> {
        let rest = |layout: &Layout<i64>| {
            Ok(Layout::from_modes(algebra(
                (1..layout.rank()).map(|i| layout.mode(i)).collect::<cute_algebra::error::Result<Vec<_>>>(),
            )?))
        };
        let (from, to): (Layout<i64>, Layout<i64>) = (rest(descriptors)?, rest(destination)?);
        let count = algebra(cute_algebra::size(&from))?;
        if count > MAX_LEAVES as i64 {
            return Err(Error::Request(format!("the tile takes more than {MAX_LEAVES} copies")));
        }
        let one = |i| {
            let bytes = algebra(offset(&from, &[i])?.mul(&(UNIT / 8)))?;
            let word = self.descriptor(source, bytes)?;
            let at = self.column.wrapping_add(address(SCALE_BITS, offset(&to, &[i])?));
            Ok(json!({ "desc": format!("{word:#018x}"), "tmem": hex(at) }))
        };
        Ok((0..count).map(one).collect::<Result<Vec<_>>>()?.into())
    }

    /// The descriptor of the copy `bytes` after the first one. An instruction takes lanes of a
    /// number of bytes; in tensor memory these may be followed by copies of themselves.
    fn descriptor(&self, source: &Layout<i64>, bytes: i64) -> Result<u64> {
        let values = algebra(source.mode(0).and_then(|value| value.mode(0)))?;
        let matrix = self.fill.taken(SCALE_BITS, &values).map_err(|why| Error::Request(why.to_string()))?;
        let (of, major) = (DescriptorOf::Tcgen05, Major::K);
        let at = algebra(self.smem_address.add(&bytes))?;
        algebra(SmemSwizzle::Interleave.descriptor(of, major, &matrix, SCALE_BITS, at))
    }
}

/// `utccp_copy`: the copies of the scale factors of A and B.
pub fn copy(inputs: &Inputs<'_>) -> Result<Json> {
    let (mma, _) = traits::atom(inputs)?;
    let (atom, fill, _) = atom(inputs)?;
    let [a, b] = Factors::of(mma, mnk(inputs, "tile_mnk")?)?;
    let (filled, multiply) = (fill.ctas, mma.instruction.ctas);
    if filled != multiply {
        let why = format!("{} is for cta_group {filled}, but {} for {multiply}", atom.name, mma.name);
        return Err(wrong("copy_op", why));
    }
    let place = |key: &str| {
        let bytes = inputs.integer(key)?;
        bytes.try_into().map_err(|_| wrong(key, format!("{bytes} is not an address in shared memory")))
    };
    let mut object = Map::new();
    let column = a.columns() as u32;
    object.insert("tmem_base_sfb".into(), hex(column));
    for (prefix, factors, smem_address, column) in
        [("sfa", &a, place("smem_address_sfa")?, 0), ("sfb", &b, place("smem_address_sfb")?, column)]
    {
        Copies { atom, fill, factors, smem_address, column }.put(&mut object, prefix)?;
    }
    Ok(object.into())
}
