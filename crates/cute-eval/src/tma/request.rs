//! The copy that a request describes. Each of CuTe's constructors has its own rule for the values
//! of a tile and for the CTAs that share a box.

use cute_algebra::{
    AnyLayout, Dim, Layout, MmaOperand, Tile, TiledMma, Tiler, composition, make_identity_layout,
    parse_layout, parse_shape, parse_tiler, product, size,
};
use cute_arch::{
    atoms::{BulkAtom, BulkMode, Instruction},
    tensor_map::{BoxCopy, BoxRequest},
};

use super::algebra;
use crate::{
    error::{Error, Result},
    inputs::{Inputs, broken, wrong},
    leaf::Leaf,
};

/// The constructor of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `make_tma_atom` and `make_tma_copy`: a tiler and a number of CTAs.
    Tiler { tiled: bool },
    /// `make_tma_copy_A_sm90` and so on: two modes of the tile of an MMA, in a cluster.
    Sm90(MmaOperand),
    /// `make_tma_atom_A_sm100` and so on: the part of its tile that an MMA takes.
    Sm100 { tiled: bool, operand: MmaOperand },
    /// The values of a tile and the CTAs are given explicitly.
    Explicit,
}

const KINDS: [(&str, Kind); 10] = {
    use Kind::{Explicit, Sm90, Sm100, Tiler};
    use MmaOperand::{A, B, C};
    [
        ("make_tma_atom", Tiler { tiled: false }),
        ("make_tma_copy", Tiler { tiled: true }),
        ("make_tma_copy_A_sm90", Sm90(A)),
        ("make_tma_copy_B_sm90", Sm90(B)),
        ("make_tma_copy_C_sm90", Sm90(C)),
        ("make_tma_atom_A_sm100", Sm100 { tiled: false, operand: A }),
        ("make_tma_atom_B_sm100", Sm100 { tiled: false, operand: B }),
        ("make_tma_copy_A_sm100", Sm100 { tiled: true, operand: A }),
        ("make_tma_copy_B_sm100", Sm100 { tiled: true, operand: B }),
        ("explicit_v_map", Explicit),
    ]
};

/// A copy, and the values from which it was made.
pub struct Copy {
    pub kind: Kind,
    pub atom: &'static BulkAtom,
    pub address: u64,
    /// The number of bits of an element of the layouts.
    pub value_bits: i64,
    /// The tile in shared memory; if a pipeline has several, all of them.
    pub memory: AnyLayout<Dim>,
    pub staged: Option<AnyLayout<Dim>>,
    /// From the values of the tile to the modes of the tensor.
    pub values: Layout<Leaf>,
    /// The division of the tensor into tiles; `None` if only the values are given.
    pub tiler: Option<Tiler<Leaf>>,
    /// The MMA that takes the tile, and its operand.
    pub mma: Option<(TiledMma, MmaOperand)>,
    /// CTAs that divide a box among themselves.
    pub ctas: i64,
    /// For a tiled copy, the map from CTAs to the part of a box that they load.
    pub parts: Option<Layout<i64>>,
    pub made: BoxCopy<Leaf>,
}

impl Kind {
    /// The constructor with this name.
    pub fn named(name: &str) -> Option<Self> {
        KINDS.iter().find(|(own, _)| *own == name).map(|(_, kind)| *kind)
    }

    fn is_tiled(self) -> bool {
        !matches!(self, Self::Tiler { tiled: false } | Self::Sm100 { tiled: false, .. })
    }

    /// The copy that a request describes.
    pub fn copy(self, inputs: &Inputs<'_>) -> Result<Copy> {
        let name = inputs.text("op")?;
        let by_tensor = |atom: &&BulkAtom| matches!(atom.instruction.mode, BulkMode::Tiled | BulkMode::Rows4);
        let atom = BulkAtom::by_name(name).filter(by_tensor);
        let atom = atom
            .ok_or_else(|| wrong("op", format!("{name} is not a copy of boxes; atoms '*TMA*' lists them")))?;
        let own = inputs.element("element_type")?;
        let internal =
            if inputs.optional("tma_internal_type").is_some() { "tma_internal_type" } else { "element_type" };
        let element = inputs.element(internal)?;
        let address = inputs.integer("gmem_address")?;
        let tensor = inputs.valued("gmem_layout")?;
        let memory = inputs.memory("smem_layout")?;
        let staged = inputs.optional("smem_staged_layout").map(|_| inputs.memory("smem_staged_layout"));
        let staged = staged.transpose()?;
        let (tiler, mma) = (self.tiler(inputs)?, self.mma(inputs)?);
        let values = match &tiler {
            None => inputs.valued("cta_v_map")?,
            Some(tiler) => {
                let tile = algebra(composition(&algebra(make_identity_layout(tensor.shape()))?, tiler))?;
                match &mma {
                    Some((mma, operand)) => algebra(mma.partition(*operand, &tile, &Leaf::fixed(0)))?.0,
                    None => tile,
                }
            }
        };
        let (ctas, parts, cut) = self.ctas(inputs, atom, mma.as_ref())?;
        let request = BoxRequest {
            atom,
            tensor: &tensor,
            memory: &memory,
            values: &values.to_dim(),
            value_bits: own.0,
            element,
            ctas: cut,
        };
        let made = BoxCopy::new(&request).map_err(|error| match &error {
            cute_arch::tensor_map::NoBoxCopy::Format(_) => broken(
                error.rule_name(),
                format!("{}: {error}", inputs.optional(internal).unwrap_or_default()),
            ),
            _ => broken(error.rule_name(), error),
        })?;
        let parts = self.is_tiled().then_some(parts);
        Ok(Copy {
            kind: self,
            atom,
            address,
            value_bits: own.0,
            memory,
            staged,
            values,
            tiler,
            mma,
            ctas,
            parts,
            made,
        })
    }

    /// The division of the tensor into tiles.
    fn tiler(self, inputs: &Inputs<'_>) -> Result<Option<Tiler<Leaf>>> {
        let leaves = |dim: &Dim| dim.as_static().map(Leaf::fixed);
        let operand = match self {
            Self::Explicit => return Ok(None),
            Self::Tiler { .. } => {
                let tiler = inputs.parsed("tiler", parse_tiler)?;
                let tiler = tiler.to_const().ok_or_else(|| wrong("tiler", "the tiler must be static"))?;
                return Ok(Some(tiler.map(&mut |n| Leaf::fixed(*n))));
            }
            Self::Sm90(operand) | Self::Sm100 { operand, .. } => operand,
        };
        let tile = inputs.parsed("tiler", parse_shape)?;
        let tile =
            tile.try_map(|dim| leaves(dim).ok_or_else(|| wrong("tiler", "the tiler must be static")))?;
        let kept = match operand {
            MmaOperand::A => [0, 2],
            MmaOperand::B => [1, 2],
            MmaOperand::C => [0, 1],
        };
        let modes = tile.select(&kept).map_err(|error| wrong("tiler", error))?;
        Ok(Some(Tiler::Tile(Tile::from_shape(modes.view()))))
    }

    /// The MMA, made of one atom, whose operand is copied.
    fn mma(self, inputs: &Inputs<'_>) -> Result<Option<(TiledMma, MmaOperand)>> {
        let Self::Sm100 { operand, .. } = self else { return Ok(None) };
        let text = inputs.text("mma")?;
        let unknown =
            || wrong("mma", format!("expected such as 'f16bf16 2SM 256x128 A K B K', found '{text}'"));
        let words: Vec<_> = text.split_whitespace().collect();
        let (Some(ctas), Some(tile)) = (words.get(1), words.get(2)) else { return Err(unknown()) };
        let instruction = match *ctas {
            "1SM" => Instruction::TCGEN05,
            "2SM" => Instruction::TCGEN05.pair(),
            _ => return Err(unknown()),
        };
        let (m, n) = tile.split_once('x').ok_or_else(unknown)?;
        let [m, n] = [m, n].map(|n| n.parse::<u32>());
        let (Ok(m), Ok(n)) = (m, n) else { return Err(unknown()) };
        // An instruction takes 32 bytes along K, in elements of its operands.
        let shape = inputs.parsed("mma_shape", parse_shape)?;
        let k = shape.get(&[0, 1]).and_then(|k| k.as_leaf()).and_then(|k| u32::try_from(k.as_static()?).ok());
        let k = k.ok_or_else(|| wrong("mma_shape", "mode 0 must be the (M,K) or (N,K) of an instruction"))?;
        let atom = instruction.atoms().find(|atom| atom.shape == [m, n, k]);
        let atom = atom.ok_or_else(|| wrong("mma", format!("no {instruction} has the shape {m}x{n}x{k}")))?;
        let mma = algebra(TiledMma::new(atom.layouts(), &Layout::unit(), &[]))?;
        Ok(Some((mma, operand)))
    }

    /// The number of CTAs that divide a box among themselves, the map from CTAs to parts of a box,
    /// and the number of CTAs in the descriptor.
    fn ctas(
        self,
        inputs: &Inputs<'_>,
        atom: &BulkAtom,
        mma: Option<&(TiledMma, MmaOperand)>,
    ) -> Result<(i64, Layout<i64>, i64)> {
        let cluster = || -> Result<Vec<i64>> {
            let shape = inputs.parsed("cluster", parse_shape)?;
            let shape = shape.to_const().ok_or_else(|| wrong("cluster", "the cluster must be static"))?;
            algebra(shape.modes().map(product).collect())
        };
        let of_cluster = |mode: usize| {
            let cluster = cluster()?;
            let none = || wrong("cluster", format!("the cluster needs a mode {mode}"));
            cluster.get(mode).copied().ok_or_else(none)
        };
        let (ctas, parts) = match self {
            Self::Explicit => {
                let map = inputs.constant("cta_t_map")?;
                (algebra(cute_algebra::cosize(&map))?, map)
            }
            Self::Tiler { .. } => {
                let all = cluster()?.into_iter().try_fold(1, i64::checked_mul);
                let all =
                    all.ok_or_else(|| wrong("cluster", "the cluster has more blocks than 64 bits count"))?;
                (all, algebra(Layout::identity(all))?)
            }
            Self::Sm90(operand) => {
                let shared = match operand {
                    MmaOperand::A => of_cluster(1)?,
                    MmaOperand::B => of_cluster(0)?,
                    MmaOperand::C => 1,
                };
                (shared, algebra(Layout::identity(shared))?)
            }
            Self::Sm100 { tiled, operand } => {
                let vmnk = inputs.parsed("cluster_layout_vmnk", parse_layout)?;
                let vmnk =
                    vmnk.to_const().ok_or_else(|| wrong("cluster_layout_vmnk", "it must be static"))?;
                let mode = if operand == MmaOperand::A { 2 } else { 1 };
                let shared = match atom.instruction.multicast {
                    true => algebra(vmnk.mode(mode).and_then(|mode| size(&mode)))?,
                    false => 1,
                };
                // The CTAs of an MMA with one atom hold different parts and share nothing.
                let pair = mma.map_or(1, |(mma, _)| mma.threads());
                let parts = algebra(Layout::scalar(pair, cute_algebra::Stride::int(0)))?;
                return Ok((shared, parts, if tiled { 1 } else { shared }));
            }
        };
        match ctas {
            1.. => Ok((ctas, parts, ctas)),
            _ => Err(Error::Request(format!("{ctas} CTAs cannot share a box"))),
        }
    }
}
