//! The ops that leave a choice to the pass, and what they may become.

use cute_algebra::{
    AnyLayout, ComposedLayout, Dim, Inner, Layout, LayoutLike, Swizzle, Tile, Tuple, cosize, offsets, size,
};
use cute_dialect::{
    atom::CopyAtom,
    ops::{AttributeName, OpKind},
    types::{type_of, value_of},
    value::{MemRef, TiledCopy, Value as Cute},
};
use cute_ffi::ir::{self, op_name};
use cute_plan::{Copying, TileSpec as Plan};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

use super::atoms;
use crate::values::{result, swizzle_of_bytes};

/// More bytes than the shared memory of a block on any target.
const MOST_BYTES: i64 = 256 << 10;

/// The kinds of choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// The swizzle of a tile.
    Swizzle,
    /// The layout of a tile.
    Layout,
    /// The threads and values of a tiled copy, and how wide its accesses are.
    Copy,
    /// The atom of a copy of an MMA's operand.
    Operand,
}

impl Open {
    /// The choice that an op leaves, if any.
    pub fn of(op: OperationRef<'_, '_>) -> Option<Self> {
        let has = |name: AttributeName| op.has_attribute(name.name());
        match OpKind::from_name(op_name(op))? {
            OpKind::MemRefAllocSmem if has(AttributeName::AutoSwizzle) => Some(Self::Swizzle),
            OpKind::MemRefAllocSmem | OpKind::MakeView if has(AttributeName::AutoLayout) => {
                Some(Self::Layout)
            }
            OpKind::MakeTiledCopy if has(AttributeName::AutoCopy) => Some(Self::Copy),
            OpKind::MakeTiledCopyA | OpKind::MakeTiledCopyB | OpKind::MakeTiledCopyC
                if has(AttributeName::AutoCopy) =>
            {
                Some(Self::Operand)
            }
            _ => None,
        }
    }

    /// Whether it is a tiled copy.
    pub fn is_copy(self) -> bool {
        matches!(self, Self::Copy | Self::Operand)
    }

    /// The attribute that leaves it open.
    pub fn attribute(self) -> &'static str {
        match self {
            Self::Swizzle => AttributeName::AutoSwizzle,
            Self::Layout => AttributeName::AutoLayout,
            Self::Copy | Self::Operand => AttributeName::AutoCopy,
        }
        .name()
    }

    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Self::Swizzle => "swizzle = auto",
            Self::Layout => "layout = auto",
            Self::Copy | Self::Operand => "auto",
        }
    }
}

/// One thing that the result of an op may be.
pub(crate) struct Choice<'c> {
    /// The result.
    pub value: Cute<'c, Dim>,
    /// The offset of each element of a tile; empty for a tiled copy.
    pub layout: Option<AnyLayout<i64>>,
    /// The layout or the atom as text, which decides between equal costs.
    pub text: String,
    /// Bytes of shared memory that it takes.
    pub bytes: u64,
    /// Why it is a candidate.
    pub reason: String,
}

/// An op that leaves a choice.
pub(crate) struct Site<'c> {
    pub op: OperationRef<'c, 'c>,
    pub open: Open,
    /// The result until a choice is made.
    pub placeholder: Cute<'c, Dim>,
    pub choices: Vec<Choice<'c>>,
}

impl<'c> Site<'c> {
    /// The choice that an op leaves, without candidates yet.
    pub fn of(op: OperationRef<'c, 'c>) -> Option<Self> {
        let open = Open::of(op)?;
        let placeholder = value_of(ir::type_of(result(op))).into_owned();
        Some(Self { op, open, placeholder, choices: Vec::new() })
    }

    /// A tiled copy whose threads are to be left open.
    pub fn of_copy(op: OperationRef<'c, 'c>) -> Self {
        let placeholder = value_of(ir::type_of(result(op))).into_owned();
        Self { op, open: Open::Copy, placeholder, choices: Vec::new() }
    }

    /// The value that is open.
    pub fn value(&self) -> Value<'c, 'c> {
        result(self.op)
    }

    /// The tile, if it is one.
    pub fn tile(&self) -> Option<&MemRef<'c, Dim>> {
        match &self.placeholder {
            Cute::MemRef(tile) => Some(tile),
            _ => None,
        }
    }

    /// Whether a candidate is what the op has already.
    pub fn is_placeholder(&self, candidate: usize) -> bool {
        let c = ir::context(self.op);
        type_of(c, &self.choices[candidate].value) == ir::type_of(self.value())
    }

    /// By offset: the index of the element that a placeholder has there.
    pub fn indices(&self) -> Result<Vec<u32>, String> {
        let Some(tile) = self.tile() else { return Ok(Vec::new()) };
        let layout = numbers(&tile.layout).ok_or("needs a static layout as a placeholder")?;
        let end = cosize(layout.outer()).map_err(|why| why.to_string())?;
        let bits = tile.iter.bits().map(i64::from).ok_or("needs elements with a size")?;
        if end.checked_mul(bits).is_none_or(|bits| bits / 8 > MOST_BYTES) {
            return Err(format!("needs a tile that fits into shared memory, found {}", tile.layout));
        }
        let all = offsets(&layout).map_err(|why| why.to_string())?;
        let mut indices = vec![u32::MAX; usize::try_from(end).unwrap_or_default()];
        for (i, offset) in all.into_iter().enumerate() {
            let slot = usize::try_from(offset).ok().and_then(|at| indices.get_mut(at));
            match slot {
                Some(slot) if *slot == u32::MAX => *slot = i as u32,
                _ => {
                    return Err(format!(
                        "needs a placeholder with a place for each element, found {}",
                        tile.layout
                    ));
                }
            }
        }
        Ok(indices)
    }

    /// Whether no mode of the placeholder has modes.
    pub fn is_flat(&self) -> bool {
        self.tile().is_none_or(|tile| tile.layout.outer().shape().modes().all(|mode| mode.is_leaf()))
    }

    /// The candidates for a tile, whose widest access takes `vector` elements. With `by_pointer`,
    /// swizzles are those of the pointer, as instructions with descriptors require. They have the
    /// modes of the placeholder, as nested as these are if `nested`.
    pub fn tiles(&mut self, vector: i64, by_pointer: bool, nested: bool) -> Result<(), String> {
        let Some(tile) = self.tile().cloned() else { return Ok(()) };
        self.choices.clear();
        let bits = tile.iter.bits().map(i64::from).ok_or("needs elements with a size")?;
        let layout = numbers(&tile.layout).ok_or("needs a static layout as a placeholder")?;
        let AnyLayout::Plain(plain) = layout else {
            return Err("needs a placeholder without a swizzle".into());
        };
        let span = cute_algebra::cosize(&plain).map_err(|why| why.to_string())?;
        let in_buffer = op_name(self.op) == OpKind::MakeView.name();
        let shape = if nested { plain.shape().clone() } else { extents_of(&plain).ok_or("overflows")? };
        let plan = Plan { shape, bits, most: in_buffer.then_some(span), vector };
        for candidate in cute_plan::tiles(&plan) {
            let Some(memory) = placed(&tile, &candidate.layout, bits, by_pointer) else { continue };
            if in_buffer && memory.iter.align > tile.iter.align {
                continue;
            }
            self.choices.push(Choice {
                value: Cute::MemRef(memory),
                text: candidate.layout.to_string(),
                layout: Some(candidate.layout),
                bytes: candidate.bytes.unsigned_abs(),
                reason: candidate.reason,
            });
        }
        Ok(())
    }

    /// The candidates for a tiled copy: its tile and the number of values stay.
    pub fn copies(&mut self) -> Result<(), String> {
        if self.open == Open::Operand {
            self.operands();
            return Ok(());
        }
        let Cute::TiledCopy(copy) = &self.placeholder else { return Ok(()) };
        if !matches!(copy.atom, CopyAtom::Universal(_) | CopyAtom::Async(_)) {
            return Err("needs an atom that single threads execute".into());
        }
        let numbers = copy.tv.to_const().ok_or("needs threads and values of static extents and strides")?;
        let of_mode = |i| size(&numbers.mode(i)?);
        let threads = of_mode(0).map_err(|why| why.to_string())?;
        let values = of_mode(1).map_err(|why| why.to_string())?;
        let extents = extents(&copy.tiler).ok_or("needs a tile of plain extents")?;
        for atom in atoms::at_least_as_wide(&copy.atom) {
            let vector = atom.values();
            let copying = Copying { extents: extents.clone(), threads, vector, values };
            let with = if atom == copy.atom { String::new() } else { format!(" by {} bits", atom.bits()) };
            for candidate in cute_plan::copies(&copying) {
                let tv: Layout<Dim> = candidate.layout_tv.map(|n| Dim::fixed(*n));
                let text = format!("{tv}{with}");
                let value = Cute::TiledCopy(TiledCopy { atom: atom.clone(), tv, tiler: copy.tiler.clone() });
                self.choices.push(Choice { value, layout: None, text, bytes: 0, reason: candidate.reason });
            }
        }
        Ok(())
    }

    /// The atoms that may copy the operand of an MMA.
    fn operands(&mut self) {
        for value in atoms::of_operand(self.op) {
            let Cute::TiledCopy(copy) = &value else { continue };
            let text = type_of(ir::context(self.op), &Cute::CopyAtom(copy.atom.clone())).to_string();
            if self.choices.iter().all(|known| known.text != text) {
                let reason = "an atom that has the operand as the MMA does".into();
                self.choices.push(Choice { value, layout: None, text, bytes: 0, reason });
            }
        }
    }
}

/// The extents of the modes of a layout, as a shape.
pub fn extents_of(layout: &Layout<i64>) -> Option<Tuple<i64>> {
    if layout.shape().is_leaf() {
        return Some(layout.shape().clone());
    }
    let extents = (0..layout.rank()).map(|i| Some(Tuple::leaf(size(&layout.mode(i).ok()?).ok()?)));
    Some(Tuple::from_modes(extents.collect::<Option<Vec<_>>>()?))
}

/// The extents of the tile of a tiled copy.
fn extents(tiler: &Tile<Dim>) -> Option<Vec<i64>> {
    let one = |tile: &Tile<Dim>| match tile {
        Tile::Int(n) => n.as_static(),
        Tile::Layout(layout) => {
            let mut modes = layout.flat();
            let (extent, stride) = modes.next()?;
            (modes.next().is_none() && stride.as_static()? == 1).then(|| extent.as_static())?
        }
        _ => None,
    };
    match tiler {
        Tile::Modes(modes) => modes.iter().map(one).collect(),
        other => Some(vec![one(other)?]),
    }
}

/// The bytes of which the bits that a swizzle reads and changes are offsets: it is that of the
/// address only in memory that begins at a multiple of all of them.
pub fn whole(swizzle: Swizzle) -> i64 {
    1 << (swizzle.base() + swizzle.shift().unsigned_abs() + swizzle.bits())
}

fn numbers(layout: &AnyLayout<Dim>) -> Option<AnyLayout<i64>> {
    layout.is_static().then(|| layout.map(|d| d.as_static().expect("all leaves are static")))
}

/// A tile with another layout. The swizzle of elements is that of the layout, or becomes one of the
/// bytes of the pointer; `None` if it cannot.
fn placed<'c>(
    tile: &MemRef<'c, Dim>,
    layout: &AnyLayout<i64>,
    bits: i64,
    by_pointer: bool,
) -> Option<MemRef<'c, Dim>> {
    let mut memory = tile.clone();
    memory.layout = layout.map(|n| Dim::fixed(*n));
    if !by_pointer {
        return Some(memory);
    }
    let AnyLayout::Composed(composed) = layout else { return Some(memory) };
    let Inner::Swizzle(swizzle) = composed.inner() else { return None };
    memory.iter.swizzle = swizzle_of_bytes(*swizzle, bits)?;
    memory.iter.align = memory.iter.align.max(whole(memory.iter.swizzle));
    memory.layout = ComposedLayout::outer(composed).map(|n| Dim::fixed(*n)).into();
    Some(memory)
}
