//! Atoms, tiled copies, partitions and copies.

use cute_algebra::{self as algebra, CopyLayouts, CopySide, Crd, Int, LayoutLike, Tile, Tuple};

use super::{Call, moved};
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
    let Some(Crd::Int(thread)) = thread.as_leaf() else {
        return Err(Error::Rule("the thread must be one integer".into()));
    };
    let copy = tiling(tiled)?;
    if let (Some(t), threads) = (thread.as_static(), copy.threads())
        && !(0..threads).contains(&t)
    {
        return Err(Error::Rule(format!("thread {t} is not one of the {threads} threads of the tiled copy")));
    }
    // One thread copies to itself: both sides are the same.
    let (layout, offset) = copy.partition(CopySide::Src, &layout, thread)?;
    moved(view, layout, &offset)
}

/// The tiled copy in the algebra.
fn tiling(tiled: &TiledCopy<'_>) -> Result<algebra::TiledCopy> {
    let (Some(tv), Some(tiler)) = (tiled.tv.to_const(), tiled.tiler.to_const()) else {
        let (tv, tiler) = (&tiled.tv, &tiled.tiler);
        return Err(Error::Rule(format!("layout_copy_tv {tv} and tiler_mn {tiler} must be static")));
    };
    Ok(algebra::TiledCopy::new(CopyLayouts::of_thread(tiled.atom.values())?, tv, tiler)?)
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
