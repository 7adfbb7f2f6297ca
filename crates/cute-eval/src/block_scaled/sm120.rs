//! Requests about the tile of a block-scaled `mma.sync`, as CUTLASS's collectives for sm_120 have
//! it: A, B and their scale factors in shared memory, and the part that each thread has.

use cute_algebra::{
    Layout, MmaOperand, Stride, Tile, TiledMma, Tiler, Tuple, filter_zeros, logical_divide,
    make_fragment_like, size, size_at, tile_to_shape,
};
use cute_arch::{
    Element,
    atoms::{Major, MmaAtom, mma_atoms},
    block_scaled::{sm120_make_smem_layout_sfa, sm120_make_smem_layout_sfb},
    smem::SmemSwizzle,
};
use serde_json::{Map, Value as Json, json};

use super::{algebra, below, mnk, offset, scales, types::element};
use crate::{
    error::{Error, Result},
    inputs::{Inputs, wrong},
    tilings::FactValue,
};

/// Rows of A, and columns of B, in a block of scale factors.
const BLOCK: i64 = cute_arch::block_scaled::SF_BLOCK[0];

/// The parts of a schedule's name that matter here.
struct Schedule {
    /// Whether two groups of warps take turns, each with a tile of its own, or share one.
    takes_turns: bool,
    /// Whether the elements of A and B take a byte each.
    of_bytes: bool,
    /// The number of elements that share a scale factor.
    vector: u64,
}

const PREFIX: &str = "KernelTmaWarpSpecialized";
const SUFFIX: &str = "Sm120";

impl Schedule {
    fn read(inputs: &Inputs<'_>) -> Result<Self> {
        let name = inputs.text("schedule")?;
        let inner = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
        let own = inner.map(|own| match own.strip_prefix("Pingpong") {
            Some(own) => (true, own),
            None => (false, own),
        });
        let (of_bytes, vector) = match own {
            Some((_, "Mxf8f6f4")) => (true, 32),
            Some((_, "Mxf4")) => (false, 32),
            Some((_, "Nvf4")) => (false, 16),
            _ => {
                let why = format!(
                    "{name} is not such as {PREFIX}Mxf4{SUFFIX}: an optional Pingpong, and Mxf8f6f4, Mxf4 or Nvf4, \
                     stand in between"
                );
                return Err(wrong("schedule", why));
            }
        };
        Ok(Self { takes_turns: own.is_some_and(|own| own.0), of_bytes, vector })
    }

    /// The warps along M and N.
    fn warps(&self, n: i64) -> [i64; 2] {
        match (self.takes_turns, n) {
            (true, _) => [2, 2],
            (false, 16..) => [4, 2],
            (false, _) => [8, 1],
        }
    }

    /// The atom for A and B of these types.
    fn atom(&self, inputs: &Inputs<'_>) -> Result<&'static MmaAtom> {
        let (a, b) = (element(inputs, "a")?, element(inputs, "b")?);
        let sf = inputs.text("sf")?.parse::<Element>().map_err(|error| wrong("sf", error))?;
        let vector = inputs.integer("sf_vec")?;
        let (bits, k) = if self.of_bytes { (8, 32) } else { (4, 64) };
        let agrees = |atom: &&MmaAtom| {
            atom.instruction == cute_arch::atoms::Instruction::MMA_SYNC.scaled()
                && atom.shape[2] == k
                && [Some(atom.a.element), Some(atom.b.element)] == [a.element, b.element]
                && atom.a.bits == bits
                && atom.scale.as_ref().is_some_and(|scale| {
                    scale.element == sf && u64::from(scale.vector) == vector && vector == self.vector
                })
        };
        mma_atoms().find(agrees).ok_or_else(|| {
            Error::Request(format!(
                "{} has no mma.sync for A {}, B {} and scale factors {sf} of {vector} elements",
                inputs.optional("schedule").unwrap_or_default(),
                a.name,
                b.name
            ))
        })
    }
}

/// The order in which the atoms of a tile take columns of B: neighbouring columns of C belong to
/// one thread.
fn columns(n: i64) -> Result<Layout<i64>> {
    let modes: &[(i64, i64)] = match n {
        32.. => &[(8, 1), (2, 16), (2, 8)],
        16..32 => &[(8, 1), (2, 8)],
        _ => &[(8, 1)],
    };
    let shape = Tuple::from_leaves(modes.iter().map(|mode| mode.0));
    let stride = Tuple::from_leaves(modes.iter().map(|mode| Stride::int(mode.1)));
    algebra(Layout::new(shape, stride))
}

/// A matrix of `stages` tiles (rows,K) in shared memory, in the widest swizzle whose rows divide K.
fn matrix(rows: i64, k: i64, bits: i64, stages: i64) -> Result<String> {
    let swizzles = [SmemSwizzle::B128, SmemSwizzle::B64, SmemSwizzle::B32, SmemSwizzle::Interleave];
    let found = swizzles.into_iter().find(|swizzle| k % (swizzle.row_bits() / bits) == 0);
    let swizzle = found.ok_or_else(|| {
        Error::Request(format!(
            "K = {k} of {bits} b each is not a multiple of 16 bytes, the least row of a tile"
        ))
    })?;
    let block = algebra(swizzle.block(Major::K, bits))?;
    let shape = Tuple::from_leaves([rows, k, stages]);
    let order = Tuple::from_leaves([1, 2, 3]);
    Ok(algebra(tile_to_shape(&block, shape.view(), Some(&order)))?.to_string())
}

/// Scale factors with a mode of stages after their own two.
fn staged(one: &Layout<i64>, stages: i64) -> Result<Layout<i64>> {
    let bytes = algebra(filter_zeros(one).and_then(|distinct| size(&distinct)))?;
    let stages = algebra(Layout::scalar(stages, Stride::int(bytes)))?;
    Ok(Layout::from_modes([algebra(one.mode(0))?, algebra(one.mode(1))?, stages]))
}

fn stages(inputs: &Inputs<'_>) -> Result<i64> {
    let text = inputs.text("stage_rule")?;
    let stages = text.parse().ok().filter(|stages| *stages >= 2);
    stages
        .ok_or_else(|| wrong("stage_rule", format!("a number of stages from 2 on is expected, found {text}")))
}

/// `sm120_blockscaled_collective`.
pub fn collective(inputs: &Inputs<'_>) -> Result<Json> {
    let schedule = Schedule::read(inputs)?;
    let atom = schedule.atom(inputs)?;
    let (tile, stages) = (mnk(inputs, "tile_mnk")?, stages(inputs)?);
    let [m, n, k] = tile;
    if n % 8 != 0 || schedule.takes_turns && n < 16 {
        let least = if schedule.takes_turns { 16 } else { 8 };
        return Err(wrong("tile_mnk", format!("N is {n}, but must be a multiple of 8 from {least} on")));
    }
    let factors =
        [scales(sm120_make_smem_layout_sfa(atom, tile))?, scales(sm120_make_smem_layout_sfb(atom, tile))?];
    let [along_m, along_n] = schedule.warps(n);
    let warps = algebra(cute_algebra::make_layout(&Tuple::from_leaves([along_m, along_n, 1])))?;
    let permutation = columns(n)?;
    let tiles = [Tile::Int(m.min(BLOCK)), Tile::Layout(permutation.clone()), Tile::Int(atom.shape[2].into())];
    let mma = algebra(TiledMma::new(atom.layouts(), &warps, &tiles))?;
    let missing = || Error::Request(format!("{} has no scale factors in registers", atom.name));
    let of_scales = algebra(TiledMma::new(atom.scale_layouts().ok_or_else(missing)?, &warps, &tiles))?;

    let mut object = Map::new();
    let mut put = |key: &str, value: String| object.insert(key.into(), json!(value));
    let bits = i64::from(atom.a.bits);
    put("atom_shape_mnk", FactValue::Extents(atom.shape.map(i64::from)).to_string());
    put("thr_layout_vmnk", mma.thr_layout_vmnk().to_string());
    put("tiled_mma_tile_mnk", FactValue::Extents(mma.tile_mnk()).to_string());
    put("permutation_n", permutation.to_string());
    put("smem_layout_a", matrix(m, k, bits, stages)?);
    put("smem_layout_b", matrix(n, k, bits, stages)?);
    for (operand, key) in MmaOperand::ALL.into_iter().zip(["a", "b", "c"]) {
        put(&format!("layout_{key}_tv"), algebra(mma.layout_tv(operand))?.to_string());
    }
    let vector = schedule.vector as i64;
    for ((operand, key), one) in [MmaOperand::A, MmaOperand::B].into_iter().zip(["sfa", "sfb"]).zip(&factors)
    {
        put(&format!("smem_layout_atom_{key}"), one.to_string());
        let padded = operand == MmaOperand::B && n < BLOCK;
        let all = staged(one, stages)?;
        let all = match padded {
            // The tile, and what follows it in its block.
            true => algebra(logical_divide(&all, &Tiler::Shape(Tuple::from_leaves([n, k]))))?,
            false => all,
        };
        put(&format!("smem_layout_{key}"), all.to_string());
        put(&format!("layout_{key}_tv"), algebra(of_scales.layout_tv(operand))?.to_string());
        if !padded {
            put(&format!("thrfrg_{key}"), algebra(of_scales.thrfrg(operand, one))?.to_string());
            let (part, _) = algebra(of_scales.partition(operand, one, &0))?;
            put(&format!("fragment_{key}"), algebra(make_fragment_like(&part))?.to_string());
        }
    }
    let (part, _) = algebra(of_scales.partition(MmaOperand::A, &factors[0], &0))?;
    let distinct =
        algebra(make_fragment_like(&part).and_then(|own| filter_zeros(&own)).and_then(|own| size(&own)))?;
    object.insert("fragment_sfa_distinct".into(), json!(distinct));
    for (operand, key) in [(MmaOperand::A, "samples_sfa_t_v_mk"), (MmaOperand::B, "samples_sfb_t_v_nk")] {
        object.insert(key.into(), samples(&algebra(of_scales.layout_tv(operand))?, mma.threads(), vector)?);
    }
    Ok(object.into())
}

/// The places of some values of some threads.
fn samples(tv: &Layout<i64>, threads: i64, vector: i64) -> Result<Json> {
    let values = algebra(size_at(tv, &[1]))?;
    let mut all = Vec::new();
    for thread in below(threads, [0, 1, 2, 3, 4, 5, 8, 17, 31, threads / 2, threads - 1]) {
        for value in below(values, [0, vector, values - 1]) {
            all.push(json!([thread, value, offset(tv, &[thread, value])?]));
        }
    }
    Ok(all.into())
}
