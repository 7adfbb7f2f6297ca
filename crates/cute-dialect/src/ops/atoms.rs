//! Atoms, tiled copies, partitions and copies.

use cute_algebra::{self as algebra, AnyLayout, Crd, Int, LayoutLike, Tile, Tiler, Tuple};

use super::{Call, lift, moved};
use crate::{
    error::{Error, Result},
    partition,
    value::{Machine, TiledCopy, Value},
};

/// `make_atom`: the copy atoms have no run-time state.
pub fn make_atom<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let found = call.operands.len();
    match call.declared(0)? {
        Value::CopyAtom(atom) if found == 0 => Ok(vec![Value::CopyAtom(atom.clone())]),
        Value::CopyAtom(_) => Err(Error::OperandCount {
            expected: "no operands: this atom has no run-time state".into(),
            found,
        }),
        other => Err(Error::Rule(format!("{} is not an atom", other.what()))),
    }
}

/// `make_tiled_copy`: the result type says all; what it says must fit together.
pub fn make_tiled_copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let Value::CopyAtom(atom) = call.operand(0)? else { return call.wrong(0, "a copy atom") };
    let Value::TiledCopy(tiled) = call.declared(0)? else {
        return Err(Error::Rule("the result must be a !cute.tiled_copy".into()));
    };
    if tiled.atom != *atom {
        return Err(Error::Rule("the atom is not the one of the result type".into()));
    }
    let values = algebra::size_at(&tiled.tv, &[1])?.as_static().unwrap_or(0);
    if values % atom.values() != 0 {
        return Err(Error::Rule(format!(
            "layout_copy_tv {}: {values} values a thread are not a multiple of the {} that one call of the atom copies",
            tiled.tv,
            atom.values()
        )));
    }
    let tile = tile_size(&tiled.tiler)?;
    let reach = algebra::cosize(&tiled.tv)?.as_static().unwrap_or(0);
    if reach > tile {
        return Err(Error::Rule(format!(
            "layout_copy_tv {} reaches position {} of tiler_mn {}, which has {tile}",
            tiled.tv,
            reach - 1,
            tiled.tiler
        )));
    }
    Ok(vec![Value::TiledCopy(tiled.clone())])
}

fn tile_size<I: Int>(tile: &Tile<I>) -> Result<i64> {
    Ok(match tile {
        Tile::Layout(layout) => algebra::size(layout)?.as_static().unwrap_or(0),
        Tile::Int(n) => n.as_static().unwrap_or(0),
        Tile::Underscore => return Err(Error::Rule("tiler_mn has a `_`: its size is not known".into())),
        Tile::Modes(modes) => modes.iter().try_fold(1i64, |n, m| {
            let m = tile_size(m)?;
            n.checked_mul(m).ok_or(Error::Algebra(algebra::Error::Overflow { op: "*", lhs: n, rhs: m }))
        })?,
    })
}

/// `tiled.copy.partition_S` and `_D`: (V, rest..) of a thread.
pub fn partition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let tiled = call.tiled_copy(0)?;
    let view = call.operand(1)?;
    let Some(layout) = view.layout() else { return call.wrong(1, "a memref or coord_tensor") };
    let thread = call.coord(2)?;
    if thread.as_leaf().is_none_or(|c| matches!(c, Crd::Underscore)) {
        return Err(Error::Rule("the thread must be one integer".into()));
    }
    if let (Some(Crd::Int(t)), Some(threads)) =
        (thread.as_leaf(), algebra::size_at(&tiled.tv, &[0])?.as_static())
        && let Some(t) = t.as_static()
        && !(0..threads).contains(&t)
    {
        return Err(Error::Rule(format!("thread {t} is not one of the {threads} threads of the tiled copy")));
    }
    let fragment = thread_fragment(&layout, tiled)?;
    // ((thread,value),(rest..)) to (thread,value,rest..), then the thread's slice.
    let outer = |l: &algebra::Layout<I>| -> std::result::Result<algebra::Layout<I>, algebra::Error> {
        let tv = l.mode(0)?;
        let rest = l.mode(1)?;
        let modes: Vec<_> = tv.modes().chain(rest.modes()).map(|m| m.to_owned()).collect();
        Ok(algebra::Layout::from_modes(modes))
    };
    let unpacked: AnyLayout<I> = fragment.map_outer(outer)?;
    let coord = at_thread(thread, unpacked.outer().rank().saturating_sub(1));
    let (layout, offset) = algebra::slice_and_offset(&coord, &unpacked)?;
    moved(view, layout, &offset)
}

/// The tensor of a tiled copy as ((thread, value), (rest..)): divide by the tiler, compose the tile with (thread, value).
fn thread_fragment<I: Machine>(layout: &AnyLayout<I>, tiled: &TiledCopy<'_>) -> Result<AnyLayout<I>> {
    let tiler: Tile<I> = lift(&tiled.tiler);
    let zipped = algebra::zipped_divide(layout, &Tiler::Tile(tiler))?;
    // ((1,values),(rest_thread,rest_value)) to ((1,rest_thread),(values,rest_value)): the atom's part of the TV layout.
    let one = algebra::Dim::fixed;
    let atom = Tuple::from_modes([Tuple::leaf(one(1)), Tuple::leaf(one(tiled.atom.values()))]);
    let tv = algebra::zipped_divide(&tiled.tv, &Tiler::Shape(atom))?;
    let mode = |i: usize, j: usize| algebra::get(&tv, &[i, j]);
    let zip = |j: usize| -> Result<_> { Ok(algebra::Layout::from_modes([mode(0, j)?, mode(1, j)?])) };
    let zipped_tv = algebra::Layout::from_modes([zip(0)?, zip(1)?]);
    let leaf = || Tuple::leaf(1);
    let profile: Tuple<i64> = Tuple::from_modes([leaf(), Tuple::from_modes([leaf(), leaf()])]);
    let profile_view: algebra::TupleRef<'_, i64> = profile.view();
    let thread_value = algebra::coalesce_profile(&zipped_tv, profile_view)?;
    let thread_value = thread_value.map(|d| I::from_i64(d.as_static().unwrap_or(0)));
    let by_mode = Tile::Modes(vec![Tile::Layout(thread_value), Tile::Underscore]);
    Ok(algebra::composition(&zipped, &Tiler::Tile(by_mode))?)
}

/// `(c, _, _, ..)`: coordinate `c` in the first mode, everything of the others.
fn at_thread<I: Machine>(thread: &algebra::Coord<I>, value_and_rest: usize) -> algebra::Coord<I> {
    let open = || Tuple::leaf(Crd::Underscore);
    Tuple::from_modes(std::iter::once(thread.clone()).chain((0..value_and_rest).map(|_| open())))
}

/// `copy` and `copy_atom_call`: nothing is made, everything is checked.
pub fn copy<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    partition::check_copy(call)?;
    Ok(Vec::new())
}

impl<'c, I: Machine> Call<'_, 'c, I> {
    /// The copy atom of operand 0, bare or tiled.
    pub fn copy_atom(&self) -> Result<crate::atom::CopyAtom<'c>> {
        match self.operand(0)? {
            Value::CopyAtom(atom) => Ok(atom.clone()),
            Value::TiledCopy(tiled) => Ok(tiled.atom.clone()),
            _ => self.wrong(0, "a copy atom or tiled_copy"),
        }
    }

    /// The shape of a view, for messages.
    pub fn shape_of(&self, i: usize) -> Result<Tuple<I>> {
        Ok(self.layout(i)?.outer().shape().clone())
    }
}
