//! Tiles that the TMA moves: their layout in shared memory, the descriptors that the host makes,
//! and the copies.
//!
//! A tile consists of columns of boxes. The contiguous mode has rows of 32, 64 or 128 bytes, whose
//! units of 16 bytes the TMA swizzles.

use cute_algebra::{Basis, ComposedLayout, Dim, Inner, Layout, Stride, Tuple};
use cute_arch::{Element, atoms::Major, smem::SmemSwizzle, tensor_map::MAX_BOX};
use cute_build::types::{self, Space};
use cute_dialect::value::Value as Cute;
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use crate::{At, Builder, Built, Error, Value, tiling::strided};

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

/// Elements that the TMA gives a byte each at a time.
const PADDED: i64 = 128;

/// A tile (rows, columns) of elements of `bits` in shared memory, `stages` times if it has stages.
#[derive(Clone)]
pub struct SharedTile {
    elem: Element,
    /// Bits of an element in shared memory: more than it has, if the TMA pads it to a byte.
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
    pub fn new(name: &str, elem: Element, [rows, columns]: [i64; 2], major: Major) -> Result<Self, Error> {
        let bits = i64::from(elem.bits());
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

    /// A tile of elements that have a byte each in shared memory, whatever their bits are.
    ///
    /// # Errors
    /// As [`Self::new`]; the TMA pads 128 contiguous elements of a row at a time.
    pub fn of_bytes(
        name: &str,
        elem: Element,
        [rows, columns]: [i64; 2],
        major: Major,
    ) -> Result<Self, Error> {
        if elem.bits() == 8 {
            return Self::new(name, elem, [rows, columns], major);
        }
        if major != Major::K || columns % PADDED != 0 {
            return Err(Error::Parameters(format!(
                "a tile of {name} has {columns} columns: the TMA gives {PADDED} elements of a row a byte each at a time; take a multiple of {PADDED}, with K contiguous"
            )));
        }
        Ok(Self { elem, bits: 8, rows, columns, major, swizzle: SmemSwizzle::B128 })
    }

    fn is_padded(&self) -> bool {
        self.bits != i64::from(self.elem.bits())
    }

    /// The multiple of bytes at which the tensor and its rows begin.
    pub fn alignment(&self) -> i64 {
        if self.is_padded() { 32 } else { 16 }
    }

    /// A tile with another number of rows and the same layout otherwise.
    pub fn with_rows(&self, rows: i64) -> Self {
        Self { rows, ..self.clone() }
    }

    /// Bytes of one tile.
    pub fn bytes(&self) -> i64 {
        self.rows * self.columns * self.bits / 8
    }

    /// Bytes of one tile as barriers count them, without padding.
    pub fn loaded(&self) -> i64 {
        self.rows * self.columns * i64::from(self.elem.bits()) / 8
    }

    /// Contiguous elements that are swizzled together.
    fn unit(&self) -> i64 {
        self.swizzle.row_bits() / self.bits
    }

    /// The layout of the two modes, whose strides are made of `contiguous`, `between` and `across`.
    fn modes(&self, [contiguous, between, across]: [Stride<Dim>; 3]) -> Built<[Layout<Dim>; 2]> {
        let [along, other] =
            if self.major == Major::Mn { [self.rows, self.columns] } else { [self.columns, self.rows] };
        let (unit, units) = (self.unit(), along / self.unit());
        let mode = |extent, stride| Layout::scalar(Dim::fixed(extent), stride);
        let first = mode(unit, contiguous)?;
        let along = match units {
            1 => first,
            _ => Layout::from_modes([first, mode(units, between)?]),
        };
        let other = mode(other, across)?;
        Ok(if self.major == Major::Mn { [along, other] } else { [other, along] })
    }

    fn in_memory(&self) -> Built<[Layout<Dim>; 2]> {
        let across = if self.major == Major::Mn { self.columns } else { self.rows };
        self.modes([1, across * self.unit(), self.unit()].map(|n| Stride::int(Dim::fixed(n))))
    }

    /// The view of `stages` tiles in shared memory, `(rows,columns,stages)`, or of one tile,
    /// `(rows,columns)`.
    pub fn view<'c>(&self, context: &'c Context, stages: Option<i64>) -> Built<Type<'c>> {
        let mut modes = self.in_memory()?.to_vec();
        if let Some(stages) = stages {
            let tile = Stride::int(Dim::fixed(self.rows * self.columns));
            modes.push(Layout::scalar(Dim::fixed(stages), tile)?);
        }
        let elem = match self.is_padded() {
            true => IntegerType::new(context, 8).into(),
            false => types::element(context, self.elem)?,
        };
        let bytes = types::pointer(elem, Space::Smem).align(1024);
        bytes.swizzle(self.swizzle.swizzle()).memref(Layout::from_modes(modes))
    }

    /// The layout of a tile, and the coordinates of its values, as the op that makes a descriptor
    /// takes them.
    fn described<'c>(&self, code: &Builder<'c>) -> Built<[Value<'c>; 2]> {
        let layout = Layout::from_modes(self.in_memory()?);
        let offset = Tuple::leaf(Dim::fixed(0));
        let tile = ComposedLayout::new(Inner::Swizzle(self.swizzle.swizzle()), offset, layout);
        let tile = code.named("tile").fixed(&Cute::ComposedLayout(tile))?;
        let [along, across] = if self.major == Major::Mn { [0, 1] } else { [1, 0] };
        let along_by =
            |n, mode| Ok::<_, cute_algebra::Error>(Stride::scaled(Dim::fixed(n), Basis::new(&[mode])?));
        let values =
            self.modes([along_by(1, along)?, along_by(self.unit(), along)?, along_by(1, across)?])?;
        Ok([tile, code.named("values").layout(Layout::from_modes(values))?])
    }

    /// On the host: the descriptor that loads these tiles of a tensor, and the tensor of
    /// coordinates.
    pub fn describe_load<'c>(
        &self,
        code: &Builder<'c>,
        name: &str,
        tensor: Value<'c>,
        loads: Loads,
    ) -> Built<[Value<'c>; 2]> {
        let [tile, values] = self.described(code)?;
        // Elements of 6 bits are padded in any case.
        let unpack = self.is_padded() && self.elem.bits() == 4;
        let format = unpack.then_some("U4_UNPACK_U8");
        describe_load_of(code, name, [tensor, tile, values], (loads, format))
    }

    /// On the host: the descriptor that stores these tiles of a tensor, and the tensor of
    /// coordinates.
    pub fn describe_store<'c>(
        &self,
        code: &Builder<'c>,
        name: &str,
        tensor: Value<'c>,
    ) -> Built<[Value<'c>; 2]> {
        let [tile, values] = self.described(code)?;
        let op = "cute_nvgpu.atom.make_non_exec_tiled_tma_store";
        code.named(name).op(op).operands(&[tensor, tile, values]).array()
    }
}

/// On the host: the descriptor that loads tiles of a tensor, given the layout of a tile and the
/// coordinates of its values, and the tensor of coordinates. A format is named where it is not that
/// of the elements.
pub fn describe_load_of<'c>(
    code: &Builder<'c>,
    name: &str,
    operands: [Value<'c>; 3],
    (Loads { pair, blocks }, format): (Loads, Option<&str>),
) -> Built<[Value<'c>; 2]> {
    let kind = if pair { "sm_100_2sm" } else { "sm_90" };
    let kind = if blocks > 1 { format!("{kind}_multicast") } else { kind.to_string() };
    let kind = ("kind", code.attribute(&format!("#cute_nvgpu.tiled_tma_load<{kind}>"))?);
    let blocks = ("num_multicast", code.attr(blocks as i32));
    let format = format.map(|name| code.attribute(&format!("#cute_nvgpu.tma_data_format<{name}>")));
    let op = "cute_nvgpu.atom.make_non_exec_tiled_tma_load";
    let draft = code.named(name);
    let draft = draft.op(op).operands(&operands).attributes(&[kind, blocks]);
    draft.optional("tma_format", format.transpose()?).array()
}

/// On the host: the descriptor that loads parts of a vector, with this number of elements each, and
/// the tensor of its coordinates.
pub fn describe_vector<'c>(
    code: &Builder<'c>,
    name: &str,
    vector: Value<'c>,
    elements: i64,
) -> Built<[Value<'c>; 2]> {
    let kind = ("kind", code.attribute("#cute_nvgpu.tiled_tma_load<sm_90>")?);
    let one = ("num_multicast", code.attr(1i32));
    let part = code.named("part").layout(strided([elements], [1])?)?;
    let along = Stride::scaled(Dim::fixed(1), Basis::new(&[0])?);
    let along = Layout::from_modes([Layout::scalar(Dim::fixed(elements), along)?]);
    let values = code.named("values").layout(along)?;
    let op = "cute_nvgpu.atom.make_non_exec_tiled_tma_load";
    code.named(name).op(op).operands(&[vector, part, values]).attributes(&[kind, one]).array()
}

/// The blocks of a cluster that each load a part of a tile for all of them, and the number of this
/// one.
#[derive(Clone, Copy)]
pub struct Shares<'c> {
    /// The number of these blocks.
    pub blocks: i64,
    /// This block among them.
    pub rank: Value<'c>,
}

/// Tiles as boxes: `(boxes, tiles)` of coordinates, and in shared memory.
#[derive(Clone, Copy)]
pub struct TileBoxes<'c> {
    /// The descriptor.
    pub atom: Value<'c>,
    /// Coordinates.
    pub tensor: Value<'c>,
    /// Shared memory.
    pub memory: Value<'c>,
    /// A descriptor that the kernel wrote, in place of the host's.
    pub map: Option<Value<'c>>,
}

impl<'c> TileBoxes<'c> {
    /// Tiles of a tensor, `(rows,columns,..)`, and their place in shared memory.
    pub fn new(
        code: &Builder<'c>,
        name: &str,
        atom: Value<'c>,
        memory: Value<'c>,
        tiles: Value<'c>,
    ) -> Built<Self> {
        Self::of_modes(code, name, atom, memory, tiles, 2)
    }

    /// Tiles with this number of modes, and their place in shared memory.
    pub fn of_modes(
        code: &Builder<'c>,
        name: &str,
        atom: Value<'c>,
        memory: Value<'c>,
        tiles: Value<'c>,
        modes: i32,
    ) -> Built<Self> {
        let alone = (atom, code.named("cta").fixed_coord("0")?, 1);
        Self::partition(code, name, alone, (memory, tiles, modes))
    }

    /// This block's part of tiles that the blocks load together.
    pub fn shared(
        code: &Builder<'c>,
        name: &str,
        (atom, shares): (Value<'c>, Shares<'c>),
        memory: Value<'c>,
        tiles: Value<'c>,
    ) -> Built<Self> {
        if shares.blocks == 1 {
            return Self::new(code, name, atom, memory, tiles);
        }
        Self::partition(code, name, (atom, code.index(shares.rank)?, shares.blocks), (memory, tiles, 2))
    }

    /// A part of a vector, `(elements)`, and its place in shared memory.
    pub fn of_vector(
        code: &Builder<'c>,
        name: &str,
        atom: Value<'c>,
        memory: Value<'c>,
        part: Value<'c>,
    ) -> Built<Self> {
        let cta = code.named("cta").fixed_coord("0")?;
        let ctas = code.named("ctas").layout(Layout::<i64>::unit())?;
        let partition = code.named(name).op("cute_nvgpu.atom.tma_partition");
        let [memory, tensor] = partition.operands(&[atom, cta, ctas, memory, part]).array()?;
        Ok(Self { atom, tensor, memory, map: None })
    }

    fn partition(
        code: &Builder<'c>,
        name: &str,
        (atom, cta, ctas): (Value<'c>, Value<'c>, i64),
        (memory, tiles, modes): (Value<'c>, Value<'c>, i32),
    ) -> Built<Self> {
        let group = |of| {
            let modes = [("begin", code.attr(0i32)), ("end", code.attr(modes))];
            code.named(name).inferred("cute.group_modes", &[of], &modes)
        };
        let stride = Stride::int(i64::from(ctas > 1));
        let ctas = code.named("ctas").layout(Layout::scalar(ctas, stride)?)?;
        let operands = [atom, cta, ctas, group(memory)?, group(tiles)?];
        let partition = code.named(name).op("cute_nvgpu.atom.tma_partition").operands(&operands);
        let [memory, tensor] = partition.array()?;
        Ok(Self { atom, tensor, memory, map: None })
    }

    /// Asks the cache for the descriptor.
    pub fn prefetch(code: &Builder<'c>, atom: Value<'c>) -> Built<()> {
        code.effect("cute_nvgpu.prefetch_tma_desc", &[atom], &[])
    }

    /// Loads tile `tile` into stage `stage`, or the only tile. The barrier counts the bytes, in
    /// each block of `mask` if there is one.
    pub fn load(
        &self,
        code: &Builder<'c>,
        at: Option<[Value<'c>; 2]>,
        barrier: Value<'c>,
        mask: Option<Value<'c>>,
    ) -> Built<()> {
        let load = self.executed(&code.named("exec"), "load")?;
        let mut load = set_field(&code.named("load"), load, ("load", "tma_bar"), barrier)?;
        if let Some(mask) = mask {
            load = set_field(&code.named("load"), load, ("load", "mcast_mask"), mask)?;
        }
        let (from, to) = match at {
            None => (self.tensor, self.memory),
            Some([tile, stage]) => (
                code.named("from").slice(self.tensor, &[At::All, At::Value(tile)])?,
                code.named("to").slice(self.memory, &[At::All, At::Value(stage)])?,
            ),
        };
        code.copy(load, from, to)
    }

    /// Begins to store the tile.
    pub fn store(&self, code: &Builder<'c>) -> Built<()> {
        let store = self.executed(&code.named("store"), "store")?;
        code.copy(store, self.memory, self.tensor)
    }

    /// The atom that a thread executes, by the map of the kernel's own if there is one.
    fn executed(&self, code: &Builder<'c>, kind: &str) -> Built<Value<'c>> {
        let atom = code.inferred("cute_nvgpu.atom.make_exec_tma", &[self.atom], &[])?;
        let Some(map) = self.map else { return Ok(atom) };
        set_field(code, atom, (kind, "tma_descriptor_ptr"), map)
    }
}

/// A copy by the TMA, a `load` or `store`, with a field of its state set.
fn set_field<'c>(
    code: &Builder<'c>,
    atom: Value<'c>,
    (kind, field): (&str, &str),
    value: Value<'c>,
) -> Built<Value<'c>> {
    let field = code.attribute(&format!("#cute_nvgpu.atom_copy_field_tma{kind}<{field}>"))?;
    code.inferred("cute_nvgpu.atom.set_value", &[atom, value], &[("field", field)])
}

/// Commits all stores that this thread has begun as one group.
pub fn commit_stores<'c>(code: &Builder<'c>) -> Built<()> {
    code.effect("nvvm.cp.async.bulk.commit.group", &[], &[])
}

/// Waits until the TMA has read the sources of all but the newest `pending` groups of stores.
pub fn wait_for_stores<'c>(code: &Builder<'c>, pending: i32) -> Built<()> {
    code.op("nvvm.cp.async.bulk.wait_group").attribute("group", pending).flag("read", true).done()
}
