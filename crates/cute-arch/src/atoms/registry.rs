//! The list of all rows, and lookups by name, or by the fields that choose an instruction.

use super::{
    family::{CopyFamily, MmaFamily},
    model::{BulkAtom, BulkInstruction, CopyAtom, CopyInstruction, Generation, Instruction, MmaAtom},
    rows::{sm50, sm61, sm70, sm75, sm80, sm89, sm90, sm100, sm103, sm120, universal},
};
use crate::{element::Element, target::Target};
use std::sync::OnceLock;

/// The atoms of a file, made on first use.
struct MmaTable {
    generation: Generation,
    families: &'static [MmaFamily],
    atoms: OnceLock<Vec<MmaAtom>>,
}

impl MmaTable {
    const fn new(generation: Generation, families: &'static [MmaFamily]) -> Self {
        MmaTable { generation, families, atoms: OnceLock::new() }
    }

    fn atoms(&self) -> &[MmaAtom] {
        self.atoms.get_or_init(|| self.families.iter().flat_map(|f| f.atoms(self.generation)).collect())
    }
}

/// The atoms that multiply matrices, oldest first.
static MMA: [MmaTable; 14] = [
    MmaTable::new(Generation::Universal, universal::MMA),
    MmaTable::new(Generation::Sm61, sm61::mma::MMA),
    MmaTable::new(Generation::Sm70, sm70::mma::MMA),
    MmaTable::new(Generation::Sm75, sm75::mma::MMA),
    MmaTable::new(Generation::Sm80, sm80::mma::MMA),
    MmaTable::new(Generation::Sm80, sm80::mma_sparse::MMA),
    MmaTable::new(Generation::Sm89, sm89::mma::MMA),
    MmaTable::new(Generation::Sm90, sm90::mma::MMA),
    MmaTable::new(Generation::Sm90, sm90::wgmma::MMA),
    MmaTable::new(Generation::Sm100, sm100::fma::MMA),
    MmaTable::new(Generation::Sm100, sm100::mma::MMA),
    MmaTable::new(Generation::Sm100, sm100::mma_sparse::MMA),
    MmaTable::new(Generation::Sm103, sm103::mma::MMA),
    MmaTable::new(Generation::Sm120, sm120::mma::MMA),
];

/// The atoms that copy, oldest first; [`sm100::tmem`] follows.
const COPY: [(Generation, &[CopyFamily]); 6] = [
    (Generation::Universal, universal::COPY),
    (Generation::Sm50, sm50::copy::COPY),
    (Generation::Sm75, sm75::copy::COPY),
    (Generation::Sm80, sm80::copy::COPY),
    (Generation::Sm90, sm90::copy::COPY),
    (Generation::Sm100, sm100::copy::COPY),
];

/// The atoms that copy in bulk, oldest first.
const BULK: [&[BulkAtom]; 2] = [sm90::tma::BULK, sm100::tma::BULK];

/// Every atom that multiplies matrices, oldest generation first.
pub fn mma_atoms() -> impl Iterator<Item = &'static MmaAtom> {
    MMA.iter().flat_map(MmaTable::atoms)
}

/// Every atom that copies, oldest generation first, except those that copy [in bulk](bulk_atoms).
pub fn copy_atoms() -> &'static [CopyAtom] {
    static ATOMS: OnceLock<Vec<CopyAtom>> = OnceLock::new();
    ATOMS.get_or_init(|| {
        let rows = COPY
            .iter()
            .flat_map(|(generation, families)| families.iter().flat_map(|family| family.atoms(*generation)));
        rows.chain(sm100::tmem::atoms(Generation::Sm100)).collect()
    })
}

/// Every atom that copies in bulk, oldest generation first.
pub fn bulk_atoms() -> impl Iterator<Item = &'static BulkAtom> {
    BULK.into_iter().flatten()
}

impl Instruction {
    /// Every atom made of this instruction, oldest generation first.
    pub fn atoms(self) -> impl Iterator<Item = &'static MmaAtom> {
        let has_any = move |table: &&MmaTable| table.families.iter().any(|f| f.instruction == self);
        MMA.iter().filter(has_any).flat_map(MmaTable::atoms).filter(move |atom| atom.instruction == self)
    }
}

impl MmaAtom {
    /// The atom of this name.
    ///
    /// ```
    /// use cute_arch::atoms::MmaAtom;
    /// let atom = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").unwrap();
    /// assert_eq!(atom.shape, [16, 8, 16]);
    /// assert_eq!(atom.c.layout.to_string(), "((4,8),(2,2)):((32,1),(16,8))");
    /// ```
    pub fn by_name(name: &str) -> Option<&'static Self> {
        mma_atoms().find(|atom| atom.name == name)
    }

    /// The `tcgen05.mma` atom for a C++ name with all parameters: types of A, B and C, M, N, majors
    /// and signs.
    ///
    /// ```
    /// use cute_arch::atoms::MmaAtom;
    /// let cpp = "SM100_MMA_F16BF16_SS<half_t,half_t,float,64,64,UMMA::Major::MN,UMMA::Major::K>";
    /// assert_eq!(MmaAtom::by_cpp_name(cpp).unwrap().name, "SM100_MMA_F16BF16_SS<half_t,float,64,64>");
    /// ```
    pub fn by_cpp_name(name: &str) -> Option<&'static Self> {
        let (op, parameters) = name.strip_suffix('>')?.split_once('<')?;
        let mut parameters = parameters.split(',').map(str::trim);
        let mut element = || Element::by_cpp_name(parameters.next()?);
        let types = [element()?, element()?, element()?];
        let mut extent = || parameters.next()?.parse().ok();
        let extents: [u32; 2] = [extent()?, extent()?];
        let same = |atom: &&Self| {
            atom.name.split('<').next() == Some(op)
                && [atom.a.element, atom.b.element, atom.c.element] == types
                && atom.shape[..2] == extents
        };
        mma_atoms().find(same)
    }

    /// The atoms of a target for A and B of these elements, oldest generation first.
    ///
    /// ```
    /// use cute_arch::{Element, Target, atoms::MmaAtom};
    /// let dense = MmaAtom::on(Target::Sm80, Element::Bf16, Element::Bf16).filter(|a| a.metadata.is_none());
    /// let names: Vec<_> = dense.map(|a| a.name.as_str()).collect();
    /// assert_eq!(names, ["SM80_16x8x8_F32BF16BF16F32_TN", "SM80_16x8x16_F32BF16BF16F32_TN"]);
    /// ```
    pub fn on(target: Target, a: Element, b: Element) -> impl Iterator<Item = &'static Self> {
        mma_atoms().filter(move |m| m.on.on(target) && m.a.element == a && m.b.element == b)
    }
}

impl CopyAtom {
    /// The atom of this name.
    ///
    /// ```
    /// use cute_arch::atoms::CopyAtom;
    /// let atom = CopyAtom::by_name("SM75_U32x1_LDSM_N").unwrap();
    /// assert_eq!(atom.src.to_string(), "((8,4),128):((128,0),1)");
    /// ```
    pub fn by_name(name: &str) -> Option<&'static Self> {
        copy_atoms().iter().find(|atom| atom.name == name)
    }

    /// The atom of this instruction.
    ///
    /// ```
    /// use cute_arch::atoms::{CopyAtom, CopyInstruction, TmemShape};
    /// let shape = TmemShape { lanes: 16, bits: 256, repeats: 4, halves: false };
    /// assert_eq!(CopyAtom::of(CopyInstruction::TmemLoad(shape)).unwrap().name, "SM100_TMEM_LOAD_16dp256b4x");
    /// ```
    pub fn of(instruction: CopyInstruction) -> Option<&'static Self> {
        copy_atoms().iter().find(|atom| atom.instruction == instruction)
    }

    /// The atoms of a target, oldest generation first.
    ///
    /// ```
    /// use cute_arch::{Target, atoms::{CopyAtom, CopyInstruction::Stmatrix}};
    /// let stores = |t| CopyAtom::on(t).filter(|a| matches!(a.instruction, Stmatrix(_))).count();
    /// assert_eq!((stores(Target::Sm80), stores(Target::Sm90a), stores(Target::Sm100a)), (0, 6, 9));
    /// ```
    pub fn on(target: Target) -> impl Iterator<Item = &'static Self> {
        copy_atoms().iter().filter(move |atom| atom.on.on(target))
    }
}

impl BulkAtom {
    /// The atom of this name.
    pub fn by_name(name: &str) -> Option<&'static Self> {
        bulk_atoms().find(|atom| atom.name == name)
    }

    /// The atom of this instruction.
    ///
    /// ```
    /// use cute_arch::atoms::{BulkAtom, BulkInstruction, BulkMode, BulkOperation};
    /// let load = BulkInstruction { operation: BulkOperation::Load, mode: BulkMode::Tiled, multicast: true, ctas: 2 };
    /// assert_eq!(BulkAtom::of(load).unwrap().name, "SM100_TMA_2SM_LOAD_MULTICAST");
    /// ```
    pub fn of(instruction: BulkInstruction) -> Option<&'static Self> {
        bulk_atoms().find(|atom| atom.instruction == instruction)
    }
}
