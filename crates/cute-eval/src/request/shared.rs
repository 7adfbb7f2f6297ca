//! Requests about tiles in shared memory, for `wgmma` and `tcgen05`: their layouts, the parts that
//! an MMA takes, the descriptors of these parts, and the places of matrices in tensor memory.

use cute_algebra::{
    ComposedLayout, CopySide, Crd, Int, Layout, MmaOperand, TiledMma, Tiler, Tuple, crd2idx,
    error::Error as Algebra, local_tile, replace, size, tile_to_mma_shape, tile_to_shape, upcast,
};
use cute_arch::{
    Element,
    atoms::{CopyAtom, Major, MmaAtom},
    smem::{DescriptorOf, SmemSwizzle, UNIT},
    tmem::{TmemAlloc, accumulator, fragment, scale_fragment, tmem_copy},
};
use serde_json::{Map, Value as Json, json};

use super::named::Named;
use crate::{
    error::{Error, Result, at},
    tilings::FactValue,
    value::MAX_LEAVES,
};

impl Named<'_> {
    fn swizzle(&self, key: &str) -> Result<SmemSwizzle> {
        self.text(key)?.parse().map_err(|error| Error::Request(format!("'{key}': {error}")))
    }

    fn major(&self, key: &str) -> Result<Major> {
        match self.text(key)? {
            "K" => Ok(Major::K),
            "MN" => Ok(Major::Mn),
            other => Err(Error::Request(format!("'{key}' must be K or MN, not {other}"))),
        }
    }

    /// Fails unless the atom reads matrices of the requested majors.
    fn check_majors(&self, atom: &MmaAtom) -> Result<()> {
        for (which, takes) in [("A", atom.a_major), ("B", atom.b_major)] {
            let key = format!("major_{which}");
            if !takes.reads(self.major(&key)?) {
                let (name, takes) = (&atom.name, if takes == Major::K { "K" } else { "MN" });
                return Err(Error::Request(format!("'{key}': {name} reads {which} with major {takes} only")));
            }
        }
        Ok(())
    }

    /// The block of a matrix: `swizzle` and `major` are the names of the arguments.
    fn block(&self, swizzle: &str, major: &str) -> Result<ComposedLayout<i64>> {
        let (swizzle, major) = (self.swizzle(swizzle)?, self.major(major)?);
        at(1, swizzle.block(major, self.number("value_bits")?))
    }

    fn block_of(&self, which: MmaOperand) -> Result<ComposedLayout<i64>> {
        self.block(&format!("smem_swizzle_{which}"), &format!("major_{which}"))
    }

    /// `gmma_smem_layout`: a block, or a tile made of it.
    pub(super) fn smem_layout(&self) -> Result<Map<String, Json>> {
        let block = self.block("swizzle", "major")?;
        let layout = match self.text("kind")? {
            "gmma_smem_atom" | "umma_smem_atom" => block,
            "tile_to_shape" => {
                let order = self.ints("order")?;
                let shape = self.ints("shape")?.ok_or_else(|| Error::Request("'shape' is missing".into()))?;
                at(1, tile_to_shape(&block, shape.view(), order.as_ref()))?
            }
            other => {
                return Err(Error::Request(format!(
                    "'{other}' is not one of gmma_smem_atom, umma_smem_atom and tile_to_shape"
                )));
            }
        };
        Ok(Map::from_iter([("layout".to_string(), json!(layout.to_string()))]))
    }

    /// `smem_descriptor`: one tile of a larger one, and its descriptor.
    pub(super) fn smem_descriptor(&self) -> Result<Map<String, Json>> {
        let block = self.block("swizzle", "major")?;
        let ints = |key| self.ints(key)?.ok_or_else(|| super::named::missing(key));
        let smem = at(1, tile_to_shape(&block, ints("smem_shape")?.view(), self.ints("order")?.as_ref()))?;
        let tiler = Tiler::Shape(ints("mma_tile")?);
        let (tile, offset) = at(1, local_tile(smem.outer(), &tiler, &ints("coord")?.to_coord()))?;
        let bytes = bytes_of(&offset, self.number("value_bits")?)?;
        let of = match self.text("arch")? {
            "sm90" => DescriptorOf::Wgmma,
            "sm100" => DescriptorOf::Tcgen05,
            other => return Err(Error::Request(format!("'arch' must be sm90 or sm100, not {other}"))),
        };
        let address = self.number("smem_addr")?.saturating_add(bytes);
        let (swizzle, major) = (self.swizzle("swizzle")?, self.major("major")?);
        let word = at(1, swizzle.descriptor(of, major, &tile, self.number("value_bits")?, address))?;
        Ok(Map::from_iter([
            ("smem".to_string(), json!(smem.to_string())),
            ("tile_layout".to_string(), json!(tile.to_string())),
            ("tile_byte_offset".to_string(), json!(bytes)),
            ("desc".to_string(), json!(hex(word))),
        ]))
    }

    /// The descriptors of a matrix, one per MMA: the first descriptor, advanced by the layout of
    /// all.
    fn descriptors(
        &self,
        of: DescriptorOf,
        which: MmaOperand,
        part: &Layout<i64>,
        bytes: i64,
    ) -> Result<Vec<String>> {
        let bits = self.number("value_bits")?;
        let (swizzle, major) =
            (self.swizzle(&format!("smem_swizzle_{which}"))?, self.major(&format!("major_{which}"))?);
        let address = self.number(&format!("smem_addr_{which}"))?.saturating_add(bytes);
        let first = at(1, swizzle.descriptor(of, major, &at(1, part.mode(0))?, bits, address))?;
        let all = at(1, units(part, bits))?;
        let count = at(1, size(&all))?;
        if count > MAX_LEAVES as i64 {
            return Err(Error::TooLarge { column: 1, what: "the list of descriptors", limit: MAX_LEAVES });
        }
        let advanced = |i: i64| {
            let by = at(1, crd2idx(&Tuple::leaf(Crd::Int(i)), &all))?;
            Ok(hex(first.wrapping_add(*at(1, by.expect_int("the step of a descriptor"))? as u64)))
        };
        (0..count).map(advanced).collect()
    }

    /// `gmma_partition`: the parts of tiles in shared memory that a warpgroup's MMA takes, and the
    /// registers of C.
    pub(super) fn gmma_partition(&self) -> Result<Map<String, Json>> {
        let atom = MmaAtom::by_name(self.text("atom")?);
        let mma = self.mma_of(atom)?;
        atom.map_or(Ok(()), |atom| self.check_majors(atom))?;
        let mut out = facts(&mma);
        let (tile, thread) = (self.tile()?, self.number("thread")?);
        let bits = self.number("value_bits")?;
        for which in [MmaOperand::A, MmaOperand::B] {
            let block = self.block_of(which)?;
            let smem = at(1, tile_to_shape(&block, Tuple::from_leaves(which.of(tile)).view(), None))?;
            let (part, offset) = at(1, mma.partition(which, smem.outer(), &thread))?;
            let bytes = bytes_of(&offset, bits)?;
            out.insert(format!("smem_{which}"), json!(smem.to_string()));
            out.insert(format!("frag_{which}"), json!(at(1, units(&part, bits))?.to_string()));
            let descriptors = self.descriptors(DescriptorOf::Wgmma, which, &part, bytes)?;
            out.insert(format!("desc_{which}"), json!(descriptors));
            out.insert(format!("part_{which}"), json!(part.to_string()));
            out.insert(format!("part_{which}_byte_offset"), json!(bytes));
        }
        let c = self.constant("C")?;
        out.insert("part_C".into(), part(at(1, mma.partition(MmaOperand::C, &c, &thread))?));
        let shape = at(1, mma.partition_shape(MmaOperand::C, c.shape()))?;
        out.insert("frag_C".into(), json!(shape.to_string()));
        Ok(out)
    }

    /// `umma_partition`: the parts of tiles in shared memory that the MMA of a CTA takes, and the
    /// part of row-major matrices that a CTA has.
    pub(super) fn umma_partition(&self) -> Result<Map<String, Json>> {
        let name = self.text("mma")?;
        let atom = MmaAtom::by_name(name).or_else(|| MmaAtom::by_cpp_name(name));
        let mma = self.mma_of(atom)?;
        atom.map_or(Ok(()), |atom| self.check_majors(atom))?;
        let mut out = facts(&mma);
        let (tile, bits, cta) = (self.tile()?, self.number("value_bits")?, self.number("peer_cta")?);
        for which in MmaOperand::ALL {
            let extents = which.of(tile);
            let shape = at(1, mma.partition_shape(which, &Tuple::from_leaves(extents)))?;
            out.insert(format!("shape_{which}"), json!(shape.to_string()));
            let row_major = at(1, cute_algebra::make_layout_right(&Tuple::from_leaves(extents)))?;
            out.insert(format!("gmem_part_{which}"), part(at(1, mma.partition(which, &row_major, &cta))?));
            if which != MmaOperand::C {
                let block = self.block_of(which)?;
                let smem = at(1, tile_to_mma_shape(&block, &shape, None))?;
                out.insert(format!("frag_{which}"), json!(at(1, units(smem.outer(), bits))?.to_string()));
                let descriptors = self.descriptors(DescriptorOf::Tcgen05, which, smem.outer(), 0)?;
                out.insert(format!("desc_{which}"), json!(descriptors));
                out.insert(format!("smem_{which}"), json!(smem.to_string()));
            }
        }
        if let Some(atom) = atom {
            let shape = Tuple::from_leaves(MmaOperand::C.of(tile));
            let found = at(1, accumulator(atom, &mma, &shape))?;
            out.insert("tmem_C".into(), json!(found.to_string()));
        }
        let majors = (self.major("major_A")?, self.major("major_B")?);
        if let Some(word) = atom.and_then(|atom| atom.instruction_descriptor(majors.0, majors.1)) {
            out.insert("instr_desc".into(), json!(format!("0x{word:08x}")));
        }
        Ok(out)
    }

    /// `tmem_copy`: four warps that copy C between tensor memory and registers, and the part that a
    /// thread has of both.
    pub(super) fn tmem_copy(&self) -> Result<Map<String, Json>> {
        let (name, bits) = (self.text("mma")?, |atom: &MmaAtom| i64::from(atom.c.bits));
        let atom = MmaAtom::by_name(name).or_else(|| MmaAtom::by_cpp_name(name));
        let mma = self.mma_of(atom)?;
        let atom = atom.ok_or_else(|| super::named::missing("mma"))?;
        let loads = self.text("tmem_copy")?;
        let load = CopyAtom::by_name(loads)
            .ok_or_else(|| Error::Request(format!("there is no copy atom '{loads}'")))?;
        let tile = self.ints("tile_mn")?.ok_or_else(|| super::named::missing("tile_mn"))?;
        let thread = self.number("thread")?;
        let c = at(1, accumulator(atom, &mma, &tile))?;
        let copy = at(1, tmem_copy(load, bits(atom), &c))?;
        let row_major = at(1, cute_algebra::make_layout_right(&tile))?;
        let (memory, _) = at(1, mma.partition(MmaOperand::C, &row_major, &0))?;
        let (source, address) = at(1, copy.partition(CopySide::Src, &c, &thread))?;
        let mut out = Map::from_iter([
            ("tmem_C".to_string(), json!(c.to_string())),
            ("tiler_mn".to_string(), json!(FactValue::Tile(copy.tiler().clone()).to_string())),
            ("tiled_layout_TV".to_string(), json!(copy.tv().to_string())),
            ("threads".to_string(), json!(copy.threads())),
            ("part_S".to_string(), json!(source.to_string())),
            ("part_S_addr".to_string(), json!(at(1, address.expect_int("an address in tensor memory"))?)),
        ]);
        out.insert("part_D_gmem".into(), part(at(1, copy.partition(CopySide::Dst, &memory, &thread))?));
        Ok(out)
    }

    /// `tmem_fragment`: the places of the matrices of `tcgen05.mma` in tensor memory.
    pub(super) fn tmem_fragment(&self) -> Result<Map<String, Json>> {
        let bits = |key| {
            let name = self.text(key)?;
            let element = if name == "uint32_t" { Some(Element::S32) } else { Element::by_cpp_name(name) };
            element
                .map(|e| i64::from(e.bits()))
                .ok_or_else(|| Error::Request(format!("'{key}': unknown type {name}")))
        };
        let shape = self.ints("shape")?.ok_or_else(|| super::named::missing("shape"))?;
        let layout = match (self.text("kind")?, self.text("alloc")?) {
            ("tmem_sf_frg", "ScaleFactorDuplicated4by1") => scale_fragment(&shape, false),
            ("tmem_sf_frg", "ScaleFactorDuplicated2by2") => scale_fragment(&shape, true),
            ("tmem_frg", alloc) => {
                let alloc = match alloc {
                    "Interleaved" => TmemAlloc::Interleaved,
                    "NonInterleaved" => TmemAlloc::NonInterleaved,
                    "Duplicated" => TmemAlloc::Duplicated,
                    other => return Err(Error::Request(format!("'{other}' is not a valid allocation mode"))),
                };
                fragment(&shape, bits("value")?, bits("storage")?, alloc, self.number("sm")? == 2)
            }
            (kind, alloc) => {
                return Err(Error::Request(format!("a '{kind}' cannot have the allocation mode '{alloc}'")));
            }
        };
        let layout = at(1, layout)?;
        Ok(Map::from_iter([("layout".to_string(), json!(layout.to_string()))]))
    }

    fn mma_of(&self, atom: Option<&'static MmaAtom>) -> Result<TiledMma> {
        let atom = atom.ok_or_else(|| Error::Request("there is no MMA atom with that name".into()))?;
        let places = match self.optional("atom_layout")? {
            Some(_) => self.constant("atom_layout")?,
            None => Layout::unit(),
        };
        at(1, TiledMma::new(atom.layouts(), &places, &[]))
    }

    /// M, N and K of the tile of a CTA or of a pair.
    fn tile(&self) -> Result<[i64; 3]> {
        let key = "tile_shape_mnk";
        let tile = self.ints(key)?.and_then(|tile| <[i64; 3]>::try_from(tile.leaves().to_vec()).ok());
        tile.ok_or_else(|| Error::Request(format!("'{key}' must be (M,N,K)")))
    }
}

fn facts(mma: &TiledMma) -> Map<String, Json> {
    Map::from_iter([
        ("thr_layout_vmnk".to_string(), json!(mma.thr_layout_vmnk().to_string())),
        ("tile_mnk".to_string(), json!(FactValue::Extents(mma.tile_mnk()).to_string())),
        ("threads".to_string(), json!(mma.threads())),
    ])
}

fn part((layout, offset): (Layout<i64>, Tuple<i64>)) -> Json {
    json!({ "offset": offset.to_string(), "layout": layout.to_string() })
}

/// An offset in elements as bytes.
fn bytes_of(offset: &Tuple<i64>, bits: i64) -> Result<i64> {
    let offset = at(1, offset.expect_int("an address in shared memory"))?;
    Ok(at(1, offset.mul(&bits))? / 8)
}

fn hex(word: u64) -> String {
    format!("0x{word:016x}")
}

/// The layout of descriptors: one per MMA, in units of 16 bytes.
fn units(part: &Layout<i64>, bits: i64) -> std::result::Result<Layout<i64>, Algebra> {
    replace(&upcast(part, UNIT / bits)?, 0, &Layout::unit())
}
