//! The scale factors of a tile of a block-scaled `tcgen05.mma`: their layouts in shared memory,
//! from which `tcgen05.cp` copies them, and in tensor memory, where the MMA reads them.

use super::{NoScales, Result, SF_BLOCK, SfVec, vector::sf_rows};
use crate::{
    atoms::{MmaAtom, MmaUnit},
    tmem::scale_fragment,
};
use cute_algebra::{Int, Layout, MmaOperand, Stride, Tuple, product};

pub(super) const BLOCK_ROWS: i64 = SF_BLOCK[0];
const BLOCK_FACTORS: i64 = SF_BLOCK[1];

/// The factors of a tile's rows along K.
pub(super) struct AlongK {
    vec: SfVec,
    /// Factors that one MMA takes.
    per_mma: i64,
    /// Blocks of four factors.
    blocks: i64,
}

impl AlongK {
    /// The factors for a tile of this K, by an atom of this unit.
    pub(super) fn of(atom: &MmaAtom, unit: MmaUnit, k: i64) -> Result<Self> {
        let name = || atom.name.clone();
        let Some(scale) = atom.scale.as_ref().filter(|_| atom.instruction.unit == unit) else {
            let expected = match unit {
                MmaUnit::Tcgen05 => "a block-scaled tcgen05.mma",
                _ => "a block-scaled mma.sync",
            };
            return Err(NoScales::Atom { atom: name(), expected });
        };
        if atom.instruction.sparse {
            return Err(NoScales::Sparse(name()));
        }
        let vec = SfVec::new(scale.vector.into())?;
        let (per_mma, multiple) = (i64::from(atom.shape[2]) / vec.elements(), vec.elements() * BLOCK_FACTORS);
        if per_mma < 1 || BLOCK_FACTORS % per_mma != 0 {
            return Err(NoScales::Factors { atom: name(), factors: per_mma, block: BLOCK_FACTORS });
        }
        if k < multiple || k % multiple != 0 {
            return Err(NoScales::TileK { atom: name(), k, multiple, factors: BLOCK_FACTORS });
        }
        Ok(Self { vec, per_mma, blocks: k / multiple })
    }

    /// `(vec,per_mma):(0,1)`, the factors of one MMA.
    pub(super) fn of_mma(&self) -> Result<Layout<i64>> {
        Ok(Layout::from_modes([leaf(self.vec.elements(), 0)?, leaf(self.per_mma, 1)?]))
    }

    /// The MMAs of a block, and the blocks, which `row_blocks` blocks of rows lie between.
    pub(super) fn rest(&self, row_blocks: i64) -> Result<[Layout<i64>; 2]> {
        let block = BLOCK_ROWS * BLOCK_FACTORS;
        Ok([leaf(BLOCK_FACTORS / self.per_mma, self.per_mma)?, leaf(self.blocks, row_blocks.mul(&block)?)?])
    }
}

/// `((32,4),blocks):((16,4),512)`.
pub(super) fn rows_of(blocks: i64) -> Result<Layout<i64>> {
    Ok(Layout::from_modes([sf_rows(), leaf(blocks, BLOCK_ROWS * BLOCK_FACTORS)?]))
}

fn leaf(extent: i64, stride: i64) -> Result<Layout<i64>> {
    Ok(Layout::scalar(extent, Stride::int(stride))?)
}

/// The factors of a tile that one MMA covers along M and N.
fn along_k(atom: &MmaAtom, tile: [i64; 3]) -> Result<AlongK> {
    let along = AlongK::of(atom, MmaUnit::Tcgen05, tile[2])?;
    let ([m, n, _], [mma_m, mma_n, _]) = (tile, atom.shape.map(i64::from));
    if [m, n] != [mma_m, mma_n] {
        return Err(NoScales::NotOneMma { atom: atom.name.clone(), m, n, mma_m, mma_n });
    }
    Ok(along)
}

/// Blocks of the rows of A that each CTA has.
pub(super) fn row_blocks(atom: &MmaAtom, m: i64) -> Result<i64> {
    let ctas = i64::from(atom.instruction.ctas);
    let (rows, multiple) = (m / ctas, BLOCK_ROWS * ctas);
    match m >= multiple && m % multiple == 0 {
        true => Ok(rows / BLOCK_ROWS),
        false => Err(NoScales::Rows { atom: atom.name.clone(), rows, block: BLOCK_ROWS, multiple, m }),
    }
}

/// `((rows,(vec,per_mma)),1,(4/per_mma,blocks of K))`.
fn in_shared_memory(row_blocks: i64, k: &AlongK) -> Result<Layout<i64>> {
    let one = Layout::from_modes([rows_of(row_blocks)?, k.of_mma()?]);
    Ok(Layout::from_modes([one, leaf(1, 0)?, Layout::from_modes(k.rest(row_blocks)?)]))
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
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn make_smem_layout_sfa(atom: &MmaAtom, tile: [i64; 3]) -> Result<Layout<i64>> {
    let k = along_k(atom, tile)?;
    in_shared_memory(row_blocks(atom, tile[0])?, &k)
}

/// `deduce_smem_layoutSFB`: the factors of B. Each CTA of a pair has those of all N columns,
/// rounded up to whole blocks.
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::make_smem_layout_sfb};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,192,32>").unwrap();
/// let layout = make_smem_layout_sfb(atom, [128, 192, 256])?;
/// assert_eq!(layout.to_string(), "((((32,4),2),(32,2)),1,(2,2)):((((16,4),512),(0,1)),0,(2,1024))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
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
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
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

/// The factors of A or of B that one MMA takes from tensor memory, in bytes: mode 0 of the layouts
/// of a tile.
///
/// ```
/// use cute_algebra::MmaOperand::{A, B};
/// use cute_arch::{atoms::MmaAtom, block_scaled::sf_of_mma};
/// let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue4m3,128,192,16>").unwrap();
/// assert_eq!(sf_of_mma(atom, A)?.to_string(), "(((32,4),4),(16,4)):(((262144,4),8388608),(0,1))");
/// assert_eq!(sf_of_mma(atom, B)?.to_string(), "(((32,8),4),(16,4)):(((262144,4),8388608),(0,1))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn sf_of_mma(atom: &MmaAtom, which: MmaOperand) -> Result<Layout<i64>> {
    let rows = match which {
        MmaOperand::B => blocks_of(atom) * BLOCK_ROWS,
        _ => i64::from(atom.shape[0] / atom.instruction.ctas),
    };
    let scale = atom.scale.as_ref().map_or(1, |scale| scale.vector);
    let k = Tuple::from_leaves([i64::from(scale), i64::from(atom.shape[2] / scale)]);
    let shape = Tuple::from_modes([Tuple::from_modes([Tuple::leaf(rows), k])]);
    let two_by_two = which == MmaOperand::B && is_sfb_two_by_two(atom);
    Ok(scale_fragment(&shape, two_by_two)?.mode(0)?.to_owned())
}

fn in_tensor_memory(smem: &Layout<i64>, two_by_two: bool) -> Result<Layout<i64>> {
    let shape = smem.shape();
    let part = |path: &[usize]| shape.get(path).map(|part| part.to_owned());
    let (Some(rows), Some(k)) = (part(&[0, 0]), part(&[0, 1])) else {
        let expected = "the layout ((rows,(vec,factors)),1,K) of scale factors in shared memory";
        return Err(NoScales::Shape { shape: smem.to_string(), expected });
    };
    let of_mma = Tuple::from_modes([Tuple::leaf(product(rows.view())?), k]);
    Ok(scale_fragment(&shape.replace(0, of_mma)?, two_by_two)?)
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
