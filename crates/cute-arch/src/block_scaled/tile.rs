//! The scale factors of one tile of a block-scaled `tcgen05.mma`: their layouts in shared memory,
//! from which `tcgen05.cp` copies them, and in tensor memory, where the MMA reads them.

use super::{SF_BLOCK, SfVec, fail, vector::sf_rows};
use crate::{
    atoms::{MmaAtom, MmaUnit},
    tmem::scale_fragment,
};
use cute_algebra::{Layout, Stride, Tuple, error::Result, product};

const BLOCK_ROWS: i64 = SF_BLOCK[0];
const BLOCK_FACTORS: i64 = SF_BLOCK[1];

/// The factors of a tile's rows along K.
struct AlongK {
    vec: SfVec,
    /// Factors that one MMA takes.
    per_mma: i64,
    /// Blocks of four factors.
    blocks: i64,
}

/// Checks that factors for the tile (M,N,K) of this atom exist.
fn along_k(atom: &MmaAtom, tile: [i64; 3]) -> Result<AlongK> {
    let (name, instruction) = (&atom.name, atom.instruction);
    let refused = |why| fail("scale factors", format!("{name}: {why}"));
    let Some(scale) = atom.scale.as_ref().filter(|_| instruction.unit == MmaUnit::Tcgen05) else {
        return refused("this atom is not a block-scaled tcgen05.mma".into());
    };
    if instruction.sparse {
        return refused("sparse matrices are not supported".into());
    }
    let ([m, n, k], vec) = (atom.shape.map(i64::from), SfVec::new(scale.vector.into())?);
    if [m, n] != tile[..2] {
        return refused(format!(
            "one MMA is {m} x {n}, and so must be the tile, not {} x {}",
            tile[0], tile[1]
        ));
    }
    let (per_mma, block) = (k / vec.elements(), vec.elements() * BLOCK_FACTORS);
    if BLOCK_FACTORS % per_mma != 0 {
        return refused(format!(
            "K = {k} takes {per_mma} factors, which do not divide a block's {BLOCK_FACTORS}"
        ));
    }
    if tile[2] < block || tile[2] % block != 0 {
        return refused(format!(
            "K of the tile is {}, but must be a multiple of {block}: {BLOCK_FACTORS} factors of {} elements",
            tile[2],
            vec.elements()
        ));
    }
    Ok(AlongK { vec, per_mma, blocks: tile[2] / block })
}

/// `((((32,4),blocks),(vec,per_mma)),1,(4/per_mma,blocks of K))`.
fn in_shared_memory(row_blocks: i64, k: &AlongK) -> Result<Layout<i64>> {
    let leaf = |extent, stride| Layout::scalar(extent, Stride::int(stride));
    let block = BLOCK_ROWS * BLOCK_FACTORS;
    let rows = Layout::from_modes([sf_rows(), leaf(row_blocks, block)?]);
    let of_mma = Layout::from_modes([leaf(k.vec.elements(), 0)?, leaf(k.per_mma, 1)?]);
    let rest = Layout::from_modes([
        leaf(BLOCK_FACTORS / k.per_mma, k.per_mma)?,
        leaf(k.blocks, row_blocks * block)?,
    ]);
    Ok(Layout::from_modes([Layout::from_modes([rows, of_mma]), leaf(1, 0)?, rest]))
}

/// `deduce_smem_layoutSFA`: the factors of A in shared memory, in bytes, for the tile (M,N,K) of
/// one CTA or of a pair, which one MMA covers along M and N. The modes are those that the MMA
/// partitions A into, ((rows,(vec,factors)),1,K).
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::make_smem_layout_sfa};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>").unwrap();
/// let layout = make_smem_layout_sfa(atom, [128, 256, 256])?;
/// assert_eq!(layout.to_string(), "((((32,4),1),(32,2)),1,(2,2)):((((16,4),512),(0,1)),0,(2,512))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn make_smem_layout_sfa(atom: &MmaAtom, tile: [i64; 3]) -> Result<Layout<i64>> {
    let k = along_k(atom, tile)?;
    let ctas = i64::from(atom.instruction.ctas);
    let rows = tile[0] / ctas;
    if rows < BLOCK_ROWS || rows % BLOCK_ROWS != 0 {
        let why = format!(
            "SFA of {}: each CTA has {rows} rows of A, but a block of factors has {BLOCK_ROWS}; M must be a \
             multiple of {}, not {}",
            atom.name,
            BLOCK_ROWS * ctas,
            tile[0]
        );
        return fail("scale factors", why);
    }
    in_shared_memory(rows / BLOCK_ROWS, &k)
}

/// `deduce_smem_layoutSFB`: the factors of B. Each CTA of a pair has those of all N columns,
/// rounded up to whole blocks.
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::make_smem_layout_sfb};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,192,32>").unwrap();
/// let layout = make_smem_layout_sfb(atom, [128, 192, 256])?;
/// assert_eq!(layout.to_string(), "((((32,4),2),(32,2)),1,(2,2)):((((16,4),512),(0,1)),0,(2,1024))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn make_smem_layout_sfb(atom: &MmaAtom, tile: [i64; 3]) -> Result<Layout<i64>> {
    in_shared_memory(blocks_of(atom), &along_k(atom, tile)?)
}

/// The factors of A in tensor memory, in bytes: the shape is that of their layout in shared memory.
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::{make_smem_layout_sfa, make_tmem_layout_sfa}};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>").unwrap();
/// let layout = make_tmem_layout_sfa(&make_smem_layout_sfa(atom, [128, 256, 256])?)?;
/// assert_eq!(layout.to_string(), "((((32,4),4),(32,2)),1,(2,2)):((((262144,4),8388608),(0,1)),0,(2,16))");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn make_tmem_layout_sfa(smem: &Layout<i64>) -> Result<Layout<i64>> {
    in_tensor_memory(smem, false)
}

/// The factors of B in tensor memory, for this atom.
pub fn make_tmem_layout_sfb(atom: &MmaAtom, smem: &Layout<i64>) -> Result<Layout<i64>> {
    in_tensor_memory(smem, is_sfb_two_by_two(atom))
}

/// Whether the copies of the factors of B lie two by two: for a pair with 128 rows of A, whose two
/// halves of the lanes multiply by different columns of B. CuTe's `ScaleFactorDuplicated2by2`.
pub fn is_sfb_two_by_two(atom: &MmaAtom) -> bool {
    atom.instruction.ctas == 2 && atom.shape[0] == 128
}

fn in_tensor_memory(smem: &Layout<i64>, two_by_two: bool) -> Result<Layout<i64>> {
    let shape = smem.shape();
    let part = |path: &[usize]| shape.get(path).map(|part| part.to_owned());
    let (Some(rows), Some(k)) = (part(&[0, 0]), part(&[0, 1])) else {
        return fail("scale factors", format!("{smem} is not ((rows,(vec,factors)),1,K)"));
    };
    let of_mma = Tuple::from_modes([Tuple::leaf(product(rows.view())?), k]);
    scale_fragment(&shape.replace(0, of_mma)?, two_by_two)
}

/// M, N and K of the MMA by which CuTe partitions the factors of B: that of one CTA, with N rounded
/// up to whole blocks of factors, and with the K of 256 bits.
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::sf_mma_shape};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_2x1SM_SS<e2m1,e2m1,float,ue8m0,256,192,32>").unwrap();
/// assert_eq!(sf_mma_shape(atom), Some([128, 256, 64]));
/// ```
pub fn sf_mma_shape(atom: &MmaAtom) -> Option<[i64; 3]> {
    let kind = atom.tcgen05_kind().filter(|kind| kind.is_scaled() && !atom.instruction.sparse)?;
    Some([BLOCK_ROWS, blocks_of(atom) * BLOCK_ROWS, kind.k().into()])
}

/// Blocks of factors that cover the columns of B.
fn blocks_of(atom: &MmaAtom) -> i64 {
    atom.shape[1].div_ceil(BLOCK_ROWS as u32).into()
}
