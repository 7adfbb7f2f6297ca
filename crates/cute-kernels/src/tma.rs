//! Tiles that the TMA moves: their layout in shared memory, the descriptors that the host makes,
//! and the copies.
//!
//! A tile consists of columns of boxes. The contiguous mode has rows of 32, 64 or 128 bytes, whose
//! units of 16 bytes the TMA swizzles.

use cute_arch::{atoms::Major, smem::SmemSwizzle, tensor_map::MAX_BOX};

use crate::{
    Error,
    code::{At, Code, Refused, Ssa, Written},
};

/// How blocks load tiles.
#[derive(Clone, Copy)]
pub struct Loads {
    /// Whether the first of a pair of blocks counts the bytes.
    pub pair: bool,
    /// The number of blocks of a cluster that each load a part of the tile for all of them.
    pub blocks: i64,
}

impl Loads {
    /// Each block loads its own tiles.
    pub const ALONE: Self = Self { pair: false, blocks: 1 };
}

/// A tile (rows, columns) of elements of `bits` in shared memory, `stages` times if it has stages.
#[derive(Clone)]
pub struct SharedTile {
    elem: &'static str,
    bits: i64,
    rows: i64,
    columns: i64,
    /// `K` where columns are contiguous.
    major: Major,
    swizzle: SmemSwizzle,
}

impl SharedTile {
    /// The tile with the widest swizzle that divides its contiguous mode.
    ///
    /// # Errors
    /// Returns an error if the TMA does not support the box; `name` names the tile in the message.
    pub fn new(
        name: &str,
        (elem, bits): (&'static str, i64),
        [rows, columns]: [i64; 2],
        major: Major,
    ) -> Result<Self, Error> {
        let [along, across] = if major == Major::Mn { [rows, columns] } else { [columns, rows] };
        let refused = |text: String| Err(Error::Parameters(text));
        let widest = [SmemSwizzle::B128, SmemSwizzle::B64, SmemSwizzle::B32];
        let Some(swizzle) = widest.into_iter().find(|s| along * bits % s.row_bits() == 0) else {
            return refused(format!(
                "a tile of {name} has {along} contiguous elements of {bits} bits: the TMA takes them by 32, 64 or 128 bytes; a multiple of {} would do",
                256 / bits
            ));
        };
        if across > i64::from(MAX_BOX) {
            return refused(format!(
                "a tile of {name} is {across} long across its contiguous mode, and a box of the TMA has at most {MAX_BOX} elements: {MAX_BOX} or less would do"
            ));
        }
        Ok(Self { elem, bits, rows, columns, major, swizzle })
    }

    /// A tile with another number of rows and the same layout otherwise.
    pub fn with_rows(&self, rows: i64) -> Self {
        Self { rows, ..self.clone() }
    }

    /// Bytes of one tile.
    pub fn bytes(&self) -> i64 {
        self.rows * self.columns * self.bits / 8
    }

    /// Contiguous elements that are swizzled together.
    fn unit(&self) -> i64 {
        self.swizzle.row_bits() / self.bits
    }

    /// Shape and strides of the two modes; the strides in memory are made of `contiguous`,
    /// `between` and `across`.
    fn modes(&self, [contiguous, between, across]: [String; 3]) -> [[String; 2]; 2] {
        let [along, other] =
            if self.major == Major::Mn { [self.rows, self.columns] } else { [self.columns, self.rows] };
        let (unit, units) = (self.unit(), along / self.unit());
        let along = if units == 1 {
            [format!("{unit}"), contiguous]
        } else {
            [format!("({unit},{units})"), format!("({contiguous},{between})")]
        };
        let other = [format!("{other}"), across];
        if self.major == Major::Mn { [along, other] } else { [other, along] }
    }

    fn in_memory(&self) -> [[String; 2]; 2] {
        let across = if self.major == Major::Mn { self.columns } else { self.rows };
        self.modes(["1".into(), format!("{}", across * self.unit()), format!("{}", self.unit())])
    }

    /// The view of `stages` tiles in shared memory, `(rows,columns,stages)`, or of one tile,
    /// `(rows,columns)`.
    pub fn view(&self, stages: Option<i64>) -> String {
        let [[rows, by_row], [columns, by_column]] = self.in_memory();
        let stage = self.rows * self.columns;
        let (more, by_more) =
            stages.map_or_else(Default::default, |n| (format!(",{n}"), format!(",{stage}")));
        let (elem, swizzle) = (self.elem, self.swizzle.swizzle());
        format!(
            "!cute.memref<{elem}, smem, align<1024>, {swizzle}, \"({rows},{columns}{more}):({by_row},{by_column}{by_more})\">"
        )
    }

    /// The layout of a tile, and the coordinates of its values, as the op that makes a descriptor
    /// takes them.
    fn described(&self) -> [String; 2] {
        let [[rows, by_row], [columns, by_column]] = self.in_memory();
        let swizzle = self.swizzle.swizzle();
        let tile =
            format!("!cute.composed_layout<\"{swizzle} o 0 o ({rows},{columns}):({by_row},{by_column})\">");
        let [along, across] = if self.major == Major::Mn { [0, 1] } else { [1, 0] };
        let [[_, by_row], [_, by_column]] =
            self.modes([format!("1@{along}"), format!("{}@{along}", self.unit()), format!("1@{across}")]);
        [tile, format!("!cute.layout<\"({rows},{columns}):({by_row},{by_column})\">")]
    }

    /// On the host: the descriptor that loads these tiles of a tensor, and the tensor of
    /// coordinates.
    pub fn describe_load<'c>(
        &self,
        code: &Code<'c>,
        name: &str,
        tensor: Ssa<'c>,
        Loads { pair, blocks }: Loads,
    ) -> Written<[Ssa<'c>; 2]> {
        let kind = if pair { "sm_100_2sm" } else { "sm_90" };
        let kind = if blocks > 1 { format!("{kind}_multicast") } else { kind.to_string() };
        let kind = ("kind", code.attribute(&format!("#cute_nvgpu.tiled_tma_load<{kind}>"))?);
        let blocks = ("num_multicast", code.attribute(&format!("{blocks} : i32"))?);
        self.describe(code, (name, "load"), tensor, &[kind, blocks])
    }

    /// On the host: the descriptor that stores these tiles of a tensor, and the tensor of
    /// coordinates.
    pub fn describe_store<'c>(&self, code: &Code<'c>, name: &str, tensor: Ssa<'c>) -> Written<[Ssa<'c>; 2]> {
        self.describe(code, (name, "store"), tensor, &[])
    }

    fn describe<'c>(
        &self,
        code: &Code<'c>,
        (name, what): (&str, &str),
        tensor: Ssa<'c>,
        attributes: &[(&str, melior::ir::Attribute<'c>)],
    ) -> Written<[Ssa<'c>; 2]> {
        let [tile, values] = self.described();
        let operands = [tensor, code.fixed("tile", &tile)?, code.fixed("values", &values)?];
        let op = format!("cute_nvgpu.atom.make_non_exec_tiled_tma_{what}");
        let made = code.ops((name, &op), &operands, attributes)?;
        made.try_into().map_err(|_| Refused::Ir)
    }
}

/// On the host: the descriptor that loads parts of a vector, with this number of elements each, and
/// the tensor of its coordinates.
pub fn describe_vector<'c>(
    code: &Code<'c>,
    name: &str,
    vector: Ssa<'c>,
    elements: i64,
) -> Written<[Ssa<'c>; 2]> {
    let kind = ("kind", code.attribute("#cute_nvgpu.tiled_tma_load<sm_90>")?);
    let one = ("num_multicast", code.attribute("1 : i32")?);
    let part = code.fixed("part", &format!("!cute.layout<\"({elements}):(1)\">"))?;
    let values = code.fixed("values", &format!("!cute.layout<\"({elements}):(1@0)\">"))?;
    let op = "cute_nvgpu.atom.make_non_exec_tiled_tma_load";
    code.ops((name, op), &[vector, part, values], &[kind, one])?.try_into().map_err(|_| Refused::Ir)
}

/// The blocks of a cluster that each load a part of a tile for all of them, and the number of this
/// one.
#[derive(Clone, Copy)]
pub struct Shares<'c> {
    /// Blocks.
    pub blocks: i64,
    /// This block among them.
    pub rank: Ssa<'c>,
}

/// Tiles as boxes: `(boxes, tiles)` of coordinates, and in shared memory.
#[derive(Clone, Copy)]
pub struct Boxes<'c> {
    atom: Ssa<'c>,
    /// Coordinates.
    pub tensor: Ssa<'c>,
    memory: Ssa<'c>,
}

impl<'c> Boxes<'c> {
    /// Tiles of a tensor, `(rows,columns,..)`, and their place in shared memory.
    pub fn new(code: &Code<'c>, name: &str, atom: Ssa<'c>, memory: Ssa<'c>, tiles: Ssa<'c>) -> Written<Self> {
        let alone = (atom, code.fixed("cta", "!cute.coord<\"0\">")?, 1);
        Self::partition(code, name, alone, memory, tiles)
    }

    /// This block's part of tiles that the blocks load together.
    pub fn shared(
        code: &Code<'c>,
        name: &str,
        (atom, shares): (Ssa<'c>, Shares<'c>),
        memory: Ssa<'c>,
        tiles: Ssa<'c>,
    ) -> Written<Self> {
        if shares.blocks == 1 {
            return Self::new(code, name, atom, memory, tiles);
        }
        Self::partition(code, name, (atom, code.index(shares.rank)?, shares.blocks), memory, tiles)
    }

    /// A part of a vector, `(elements)`, and its place in shared memory.
    pub fn of_vector(
        code: &Code<'c>,
        name: &str,
        atom: Ssa<'c>,
        memory: Ssa<'c>,
        part: Ssa<'c>,
    ) -> Written<Self> {
        let cta = code.fixed("cta", "!cute.coord<\"0\">")?;
        let ctas = code.fixed("ctas", "!cute.layout<\"1:0\">")?;
        let made =
            code.ops((name, "cute_nvgpu.atom.tma_partition"), &[atom, cta, ctas, memory, part], &[])?;
        let [memory, tensor] = made.try_into().map_err(|_| Refused::Ir)?;
        Ok(Self { atom, tensor, memory })
    }

    fn partition(
        code: &Code<'c>,
        name: &str,
        (atom, cta, ctas): (Ssa<'c>, Ssa<'c>, i64),
        memory: Ssa<'c>,
        tiles: Ssa<'c>,
    ) -> Written<Self> {
        let group = |of| {
            let modes = [("begin", code.attribute("0 : i32")?), ("end", code.attribute("2 : i32")?)];
            code.op((name, "cute.group_modes"), &[of], &modes)
        };
        let ctas = code.fixed("ctas", &format!("!cute.layout<\"{ctas}:{}\">", i64::from(ctas > 1)))?;
        let operands = [atom, cta, ctas, group(memory)?, group(tiles)?];
        let made = code.ops((name, "cute_nvgpu.atom.tma_partition"), &operands, &[])?;
        let [memory, tensor] = made.try_into().map_err(|_| Refused::Ir)?;
        Ok(Self { atom, tensor, memory })
    }

    /// Asks the cache for the descriptor.
    pub fn prefetch(code: &Code<'c>, atom: Ssa<'c>) -> Written<()> {
        code.effect("cute_nvgpu.prefetch_tma_desc", &[atom], &[])
    }

    /// Loads tile `tile` into stage `stage`, or the only tile. The barrier counts the bytes, in
    /// each block of `mask` if there is one.
    pub fn load(
        &self,
        code: &Code<'c>,
        at: Option<[Ssa<'c>; 2]>,
        barrier: Ssa<'c>,
        mask: Option<Ssa<'c>>,
    ) -> Written<()> {
        let set = |atom, field: &str, value| {
            let field = code.attribute(&format!("#cute_nvgpu.atom_copy_field_tmaload<{field}>"))?;
            code.op(("load", "cute_nvgpu.atom.set_value"), &[atom, value], &[("field", field)])
        };
        let load = code.op(("exec", "cute_nvgpu.atom.make_exec_tma"), &[self.atom], &[])?;
        let mut load = set(load, "tma_bar", barrier)?;
        if let Some(mask) = mask {
            load = set(load, "mcast_mask", mask)?;
        }
        let (from, to) = match at {
            None => (self.tensor, self.memory),
            Some([tile, stage]) => (
                code.slice("from", self.tensor, &[At::All, At::Value(tile)])?,
                code.slice("to", self.memory, &[At::All, At::Value(stage)])?,
            ),
        };
        code.copy(load, from, to, None)
    }

    /// Begins to store the tile.
    pub fn store(&self, code: &Code<'c>) -> Written<()> {
        let store = code.op(("store", "cute_nvgpu.atom.make_exec_tma"), &[self.atom], &[])?;
        code.copy(store, self.memory, self.tensor, None)
    }
}

impl<'c> Code<'c> {
    /// Commits all stores that this thread has begun as one group.
    pub fn commit_stores(&self) -> Written<()> {
        self.effect("nvvm.cp.async.bulk.commit.group", &[], &[])
    }

    /// Waits until the TMA has read the sources of all but the newest `pending` groups of stores.
    pub fn wait_for_stores(&self, pending: i64) -> Written<()> {
        let group = ("group", self.attribute(&format!("{pending} : i32"))?);
        self.effect("nvvm.cp.async.bulk.wait_group", &[], &[group, ("read", self.attribute("unit")?)])
    }
}
