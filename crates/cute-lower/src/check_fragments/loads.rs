//! The copies of a function by the memory that they write, back to the tiles of global memory that
//! it is loaded from.

use std::{cell::RefCell, collections::BTreeSet};

use cute_algebra::Crd;
use cute_dialect::{ops::OpKind, types::value_of, value::Value as Cute};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

use super::{
    numbers::{Number, Numbers},
    places::{Place, chain, is_global},
    views::{Tile, operand},
};

/// A copy whose destination is known.
pub(super) struct Load<'c> {
    pub(super) op: OperationRef<'c, 'c>,
    pub(super) src: Value<'c, 'c>,
    to: Place,
}

/// The copies of a function.
pub(super) struct Loads<'c> {
    all: Vec<Load<'c>>,
    /// Source and destination of the copies to global memory.
    stores: Vec<(Value<'c, 'c>, Value<'c, 'c>)>,
    numbers: RefCell<Numbers>,
}

/// How memory is filled.
#[derive(Default)]
pub(super) struct Origin<'c> {
    /// The numbers behind the coordinates of the tiles that are loaded.
    pub(super) coordinates: BTreeSet<Number>,
    /// The copies that load from global memory.
    pub(super) loads: Vec<OperationRef<'c, 'c>>,
    /// The views on the way.
    pub(super) views: Vec<Value<'c, 'c>>,
}

impl<'c> Loads<'c> {
    pub(super) fn of(ops: &[OperationRef<'c, 'c>]) -> Self {
        let copies = |op: &&OperationRef<'c, 'c>| {
            matches!(OpKind::from_name(op_name(**op)), Some(OpKind::Copy | OpKind::CopyAtomCall))
        };
        let load = |op: &OperationRef<'c, 'c>| {
            let (src, dst) = (operand(*op, 1)?, operand(*op, 2)?);
            let to = if is_global(dst) { None } else { Place::of(dst) }?;
            Some(Load { op: *op, src, to })
        };
        let store = |op: &OperationRef<'c, 'c>| {
            let (src, dst) = (operand(*op, 1)?, operand(*op, 2)?);
            is_global(dst).then_some((src, dst))
        };
        Self {
            all: ops.iter().filter(copies).filter_map(load).collect(),
            stores: ops.iter().filter(copies).filter_map(store).collect(),
            numbers: RefCell::default(),
        }
    }

    /// Source and destination of the copies to global memory.
    pub(super) fn stores(&self) -> &[(Value<'c, 'c>, Value<'c, 'c>)] {
        &self.stores
    }

    /// The copies that write a part of some memory.
    pub(super) fn into(&self, place: Place) -> impl Iterator<Item = &Load<'c>> {
        self.all.iter().filter(move |load| load.to.meets(&place))
    }

    /// How memory is filled, as far as copies fill it.
    pub(super) fn origin(&self, place: Place) -> Origin<'c> {
        let (mut open, mut seen, mut origin) = (vec![place], BTreeSet::new(), Origin::default());
        while let Some(place) = open.pop() {
            for load in self.into(place) {
                if !seen.insert(ir::op_identity(load.op)) {
                    continue;
                }
                let views = chain(load.src);
                if is_global(load.src) {
                    origin.loads.push(load.op);
                    origin.coordinates.extend(views.iter().flat_map(|view| self.coordinate(*view)));
                } else {
                    open.extend(Place::of(load.src));
                }
                origin.views.extend(views);
            }
        }
        origin
    }

    /// The numbers behind the coordinate by which a view is cut out of another one.
    fn coordinate(&self, view: Value<'c, 'c>) -> BTreeSet<Number> {
        let behind = |value: Value<'c, 'c>| self.numbers.borrow_mut().behind(value);
        let Some(op) = ir::definer(view) else { return BTreeSet::new() };
        let at = match OpKind::from_name(op_name(op)) {
            Some(OpKind::Slice | OpKind::AddOffset) => operand(op, 1),
            Some(OpKind::LocalTile) => match Tile::of(op) {
                Some(tile) => return self.modes(&tile).into_iter().flatten().flatten().collect(),
                None => operand(op, 2),
            },
            _ => None,
        };
        at.map(behind).unwrap_or_default()
    }

    /// The op that cuts a tile of a matrix, if it makes this view, with the numbers behind the
    /// coordinate of the tile's rows and of its columns.
    pub(super) fn tile(&self, view: Value<'c, 'c>) -> Option<(OperationRef<'c, 'c>, [BTreeSet<Number>; 2])> {
        let op = ir::definer(view).filter(|op| op_name(*op) == OpKind::LocalTile.name())?;
        let modes = match Tile::of(op) {
            Some(tile) => self.modes(&tile)?,
            None if op.attribute("proj").is_ok() => return None,
            None => {
                let parts = parts(operand(op, 2)?).filter(|parts| parts.len() == 2)?;
                [0, 1].map(|mode| self.numbers_of(&parts[mode]))
            }
        };
        Some((op, modes))
    }

    /// Whether all arguments and registers behind some integers are among others.
    pub(super) fn come_from(&self, numbers: &BTreeSet<Number>, others: &BTreeSet<Number>) -> bool {
        self.numbers.borrow().come_from(numbers, others)
    }

    fn numbers_of(&self, values: &[Value<'c, 'c>]) -> BTreeSet<Number> {
        values.iter().flat_map(|value| self.numbers.borrow_mut().behind(*value)).collect()
    }

    /// The numbers behind the coordinate of a tile along each of its modes; `None` for a mode whose
    /// coordinate cannot be seen.
    pub(super) fn modes(&self, tile: &Tile<'c>) -> Option<[BTreeSet<Number>; 2]> {
        let parts = parts(tile.at())?;
        let of = |mode: usize| Some(self.numbers_of(parts.get(mode)?));
        Some([of(tile.kept[0])?, of(tile.kept[1])?])
    }
}

/// The dynamic integers of each mode of a coordinate.
fn parts<'c>(coord: Value<'c, 'c>) -> Option<Vec<Vec<Value<'c, 'c>>>> {
    let Cute::Coord(shape) = value_of(ir::type_of(coord)).into_owned() else { return None };
    let dynamic = |leaf: &Crd<_>| matches!(leaf, Crd::Int(n) if cute_algebra::Dim::as_static(n).is_none());
    let counts: Vec<usize> = shape
        .modes()
        .map(|mode| mode.to_owned().leaves().iter().filter(|leaf| dynamic(leaf)).count())
        .collect();
    if counts.iter().all(|count| *count == 0) {
        return Some(vec![Vec::new(); counts.len()]);
    }
    let op = ir::definer(coord).filter(|op| op_name(*op) == "cute.make_coord")?;
    let mut values = ir::operands(op).into_iter();
    let parts: Vec<Vec<_>> = counts.iter().map(|count| values.by_ref().take(*count).collect()).collect();
    (values.next().is_none() && parts.iter().zip(&counts).all(|(part, count)| part.len() == *count))
        .then_some(parts)
}
