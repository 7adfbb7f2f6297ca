//! Requests about the parts that a block-scaled `tcgen05.mma` takes of its tile: scale factors in
//! shared and in tensor memory, and the accumulator.

use cute_algebra::{Layout, MmaOperand, TiledMma, Tuple, cosize, filter_zeros, size_at};
use cute_arch::{
    Element,
    atoms::{MmaAtom, descriptor_fields, with_scales_at},
    block_scaled::{
        SfVec, make_smem_layout_sfa, make_smem_layout_sfb, make_tmem_layout_sfa, make_tmem_layout_sfb,
    },
    tmem::{COLUMNS, LEAST_COLUMNS, accumulator, address, columns_of, scale_fragment},
};
use serde_json::{Map, Value as Json, json};

use super::{algebra, below, hex, mnk, offset, scales, traits};
use crate::{
    error::Result,
    inputs::{Inputs, wrong},
};

/// Bits of a scale factor.
pub const SCALE_BITS: i64 = 8;
/// Bits of an accumulator.
const ACCUMULATOR_BITS: i64 = 32;

/// `tmem_sf_frg`: scale factors in tensor memory.
pub fn in_tensor_memory(inputs: &Inputs<'_>) -> Result<Json> {
    let shape = inputs.shape("shape")?;
    let two_by_two = match (inputs.text("alloc")?, inputs.text("operand")?, inputs.integer("cta_group")?) {
        ("4x1", "A" | "B", 1 | 2) | ("2x2", "A", 2) => false,
        ("2x2", "B", 2) => true,
        (alloc, operand, ctas) => {
            let why = format!(
                "operand {operand} of {ctas} CTAs is not laid out {alloc}: 4x1 is for A and B of one CTA or two, \
                 and 2x2 for two CTAs"
            );
            return Err(wrong("alloc", why));
        }
    };
    let sf = inputs.text("sf")?;
    let bits = sf.parse::<Element>().map_err(|error| wrong("sf", error))?.bits();
    if i64::from(bits) != SCALE_BITS {
        return Err(wrong("sf", format!("{sf} is not a scale factor of 8 bits")));
    }
    let layout = algebra(scale_fragment(&shape, two_by_two))?;
    let part = |path: &[usize]| shape.get(path).and_then(|part| part.as_leaf().copied()).unwrap_or(1);
    let (rows, factors) = (part(&[0, 0]), part(&[0, 1, 1]));
    let vec = scales(SfVec::new(part(&[0, 1, 0])))?.elements();
    let one = algebra(layout.mode(0))?;
    let mut samples = Vec::new();
    for row in below(rows, [0, 1, 31, 32, 33, 64, 96, 127]) {
        for k in (0..factors).map(|i| i * vec) {
            samples.push(json!([row, k, hex(address(SCALE_BITS, offset(&one, &[row, k])?))]));
        }
    }
    Ok(json!({
        "layout": layout.to_string(),
        "layout_nonzero": algebra(filter_zeros(&layout))?.to_string(),
        "columns": columns_of(SCALE_BITS, &layout),
        "samples_mn_k_address": samples,
    }))
}

/// The scale factors of A or of B for a tile.
pub(crate) struct Factors {
    /// In shared memory, in bytes.
    pub smem: Layout<i64>,
    /// In tensor memory, in bytes.
    pub tmem: Layout<i64>,
}

impl Factors {
    /// Those of A and of B, for the tile (M,N,K) of an atom.
    pub fn of(atom: &MmaAtom, tile: [i64; 3]) -> Result<[Self; 2]> {
        let sfa = scales(make_smem_layout_sfa(atom, tile))?;
        let sfb = scales(make_smem_layout_sfb(atom, tile))?;
        let (in_a, in_b) = (scales(make_tmem_layout_sfa(&sfa))?, scales(make_tmem_layout_sfb(atom, &sfb))?);
        Ok([Self { smem: sfa, tmem: in_a }, Self { smem: sfb, tmem: in_b }])
    }

    pub fn columns(&self) -> i64 {
        columns_of(SCALE_BITS, &self.tmem)
    }
}

/// Accumulators that fit tensor memory beside the scale factors, in CUTLASS's kernels.
fn stages(n: i64) -> i64 {
    if n == 256 { 1 } else { 2 }
}

/// `blockscaled_partition`: the parts of a tile, the places of the scale factors, and the
/// descriptor of each MMA along K.
pub fn of_tile(inputs: &Inputs<'_>) -> Result<Json> {
    let (atom, major) = traits::atom(inputs)?;
    let tile = mnk(inputs, "tile_mnk")?;
    let [a, b] = Factors::of(atom, tile)?;
    let refused =
        || wrong("op", format!("{} reads no matrices that are contiguous along M and N", atom.name));
    let word = atom.instruction_descriptor(major, major).ok_or_else(refused)?;
    let mma = algebra(TiledMma::new(atom.layouts(), &Layout::unit(), &[]))?;
    let mut object = Map::new();
    let mut put = |key: &str, value: Json| object.insert(key.into(), value);
    put("thr_layout_vmnk", json!(mma.thr_layout_vmnk().to_string()));
    for (operand, key) in MmaOperand::ALL.into_iter().zip(["a", "b", "c"]) {
        let shape = algebra(mma.partition_shape(operand, &Tuple::from_leaves(operand.of(tile))))?;
        put(&format!("partition_shape_{key}"), json!(shape.to_string()));
    }
    let c = algebra(accumulator(atom, &mma, &Tuple::from_leaves(MmaOperand::C.of(tile))))?;
    let (columns, stages) = (columns_of(ACCUMULATOR_BITS, &c), stages(tile[1]));
    let bases = [stages * columns, stages * columns + a.columns()];
    let total = bases[1] + b.columns();
    if total > COLUMNS {
        let why = format!(
            "{stages} accumulators and the scale factors of K = {} take {total} columns, but tensor memory has \
             {COLUMNS}",
            tile[2]
        );
        return Err(wrong("tile_mnk", why));
    }
    put("tmem_layout_acc", json!(c.to_string()));
    put("tmem_columns_acc_one_stage", json!(columns));
    put("acc_stages", json!(stages));
    put("tmem_columns_total", json!(total));
    let power = total.max(LEAST_COLUMNS).unsigned_abs().next_power_of_two();
    put("tmem_alloc_power_of_2", json!(power));
    for ((factors, key), base) in [&a, &b].into_iter().zip(["sfa", "sfb"]).zip(bases) {
        put(&format!("smem_layout_{key}"), json!(factors.smem.to_string()));
        put(&format!("smem_bytes_{key}"), json!(algebra(cosize(&factors.smem))?));
        put(&format!("tmem_layout_{key}"), json!(factors.tmem.to_string()));
        put(&format!("tmem_columns_{key}"), json!(factors.columns()));
        put(&format!("tmem_base_{key}"), hex(base as u32));
    }
    let count = algebra(size_at(&a.tmem, &[2]))?;
    let blocks = (0..count).map(|k| {
        let at = |factors: &Factors, base| {
            Ok((base as u32).wrapping_add(address(SCALE_BITS, offset(&factors.tmem, &[0, 0, k])?)))
        };
        of_k_block(k, word, [at(&a, bases[0])?, at(&b, bases[1])?])
    });
    put("k_blocks", blocks.collect::<Result<Vec<_>>>()?.into());
    Ok(object.into())
}

/// An MMA along K, by the addresses of its scale factors.
fn of_k_block(k: i64, word: u32, addresses: [u32; 2]) -> Result<Json> {
    let word = with_scales_at(word, addresses);
    let id = |name| descriptor_fields(word, true).find(|field| field.0 == name).map(|field| field.1);
    Ok(json!({
        "k_block": k,
        "tmem_sfa": hex(addresses[0]),
        "tmem_sfb": hex(addresses[1]),
        "sfa_column": addresses[0] & 0xffff,
        "sfb_column": addresses[1] & 0xffff,
        "sfa_id": id("a_sf_id"),
        "sfb_id": id("b_sf_id"),
        "instr_desc": hex(word),
    }))
}
