//! The scale factors of a tile of a block-scaled `mma.sync`: their layout in shared memory, and the
//! part that each thread holds in registers.

use super::{
    NoScales, Result,
    tile::{AlongK, BLOCK_ROWS, row_blocks, rows_of},
};
use crate::atoms::{MmaAtom, MmaUnit};
use cute_algebra::{Layout, MmaLayouts, Stride};

/// `(rows,((vec,per_mma),4/per_mma,blocks of K))`.
fn in_shared_memory(row_blocks: i64, k: &AlongK) -> Result<Layout<i64>> {
    let along = Layout::from_modes([k.of_mma()?].into_iter().chain(k.rest(row_blocks)?));
    Ok(Layout::from_modes([rows_of(row_blocks)?, along]))
}

/// The factors of A in shared memory, in bytes, for the tile (M,N,K) of a CTA.
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::sm120_make_smem_layout_sfa};
/// let atom = MmaAtom::by_name("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>").unwrap();
/// let layout = sm120_make_smem_layout_sfa(atom, [256, 128, 128])?;
/// assert_eq!(layout.to_string(), "(((32,4),2),((16,4),1,2)):(((16,4),512),((0,1),4,1024))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn sm120_make_smem_layout_sfa(atom: &MmaAtom, tile: [i64; 3]) -> Result<Layout<i64>> {
    let k = AlongK::of(atom, MmaUnit::MmaSync, tile[2])?;
    in_shared_memory(row_blocks(atom, tile[0])?, &k)
}

/// The factors of B, with at least one block of 128 columns.
pub fn sm120_make_smem_layout_sfb(atom: &MmaAtom, tile: [i64; 3]) -> Result<Layout<i64>> {
    let k = AlongK::of(atom, MmaUnit::MmaSync, tile[2])?;
    let n = tile[1];
    if n < 1 || n > BLOCK_ROWS && n % BLOCK_ROWS != 0 {
        return Err(NoScales::Columns { atom: atom.name.clone(), n, block: BLOCK_ROWS });
    }
    in_shared_memory(n.max(BLOCK_ROWS) / BLOCK_ROWS, &k)
}

/// The factors of A or of B of one call in the registers of a thread, in bytes: the elements of a
/// block share one, and all are neighbours.
///
/// ```
/// use cute_arch::{atoms::MmaAtom, block_scaled::sf_of_thread};
/// let atom = MmaAtom::by_name("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>").unwrap();
/// assert_eq!(sf_of_thread(atom).unwrap().to_string(), "(16,4):(0,1)");
/// ```
pub fn sf_of_thread(atom: &MmaAtom) -> Option<Layout<i64>> {
    let (vector, scale) = (atom.scale.as_ref()?.vector, atom.block_scale()?);
    let modes = [(vector, 0), (scale.count, 1)];
    let mode = |(extent, stride)| Layout::scalar(i64::from(extent), Stride::int(stride)).ok();
    Some(Layout::from_modes(modes.into_iter().map(mode).collect::<Option<Vec<_>>>()?))
}

impl MmaAtom {
    /// The layouts that tilings need of the scale factors in registers: those of A and of B take
    /// the places of A and B. A tiling of the MMA with these layouts partitions the factors.
    ///
    /// ```
    /// use cute_algebra::{MmaOperand, TiledMma, parse_layout};
    /// use cute_arch::{atoms::MmaAtom, block_scaled::sm120_make_smem_layout_sfa};
    /// let atom = MmaAtom::by_name("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>").unwrap();
    /// let warps = parse_layout("(4,2,1)").unwrap().to_const().unwrap();
    /// let mma = TiledMma::new(atom.scale_layouts().unwrap(), &warps, &[])?;
    /// let smem = sm120_make_smem_layout_sfa(atom, [128, 128, 128])?;
    /// let (part, _) = mma.partition(MmaOperand::A, &smem, &0)?;
    /// assert_eq!(part.to_string(), "((32,2),2,2):((0,1),8,2)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn scale_layouts(&self) -> Option<MmaLayouts> {
        let [a, b] = self.scale.as_ref()?.layouts.clone()?;
        Some(MmaLayouts { a, b, ..self.layouts() })
    }
}
