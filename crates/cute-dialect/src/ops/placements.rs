//! Placements: those that views carry, and the places of elements under them.

use cute_algebra::{self as algebra, Axis, Tuple};
use cute_placement::axes::AXES;
use cute_placement::{Placement, placement::Kind};

use super::{AttributeName, Call};
use crate::{
    error::{Error, Result},
    value::{Machine, MemRef, Space, Value},
};

/// `placement.apply`.
pub fn apply<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let of = call.attributes.placement(AttributeName::Placement).ok_or_else(|| {
        Error::Rule(
            "the attribute placement must be a #cute.placement, such as #cute.placement<\"S[8 : 1@laneid]\">"
                .into(),
        )
    })?;
    let copy = match call.attributes.integer(AttributeName::Copy) {
        None if call.attributes.has(AttributeName::Copy) => {
            return Err(Error::Attribute { name: "copy", expected: "an integer" });
        }
        copy => copy.unwrap_or(0),
    };
    let coord = call.coord(0)?;
    let Value::Shape(shape) = call.operand(1)? else { return call.wrong(1, "a shape") };
    let Some(shape) = shape.map(|extent| extent.dim()).to_const() else {
        let value = shape.map(|extent| extent.dim()).to_string();
        let rule = ": a placement has a static number of elements";
        return Err(Error::Dynamic { what: "shape", value, rule });
    };
    let whole = |index: &algebra::Crd<I>| match index {
        algebra::Crd::Int(i) => Ok(i.clone()),
        algebra::Crd::Underscore => {
            let coord = coord.map(|c| c.map(|i| i.dim())).to_string();
            Err(Error::Underscore { coord, rule: "only a single element has a place" })
        }
    };
    let coord: Vec<I> = coord.leaves().iter().map(whole).collect::<Result<_>>()?;
    let places = of.base_of(&coord, shape.leaves(), copy)?;
    Ok(Value::IntTuple(Tuple::from_leaves(places.into_iter().map(|(_, place)| place))))
}

/// `placement.convert`: both views must be in registers, with static layouts and the same element
/// type. [`Ends::of`](crate::placement::Ends::of) checks their placements, for which it needs the
/// op itself.
pub fn convert<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let (src, dst) = (call.memref(0)?, call.memref(1)?);
    for (view, name) in [(src, "source"), (dst, "destination")] {
        if view.iter.space != Space::Rmem {
            let rule = "; use cute.copy to convert placements of registers".into();
            return Err(Error::Space { what: name, found: view.iter.space.name(), rule });
        }
        if !view.layout.is_static() {
            let value = format!("{} of the {name}", view.layout.map(|i| i.dim()));
            return Err(Error::Dynamic { what: "layout", value, rule: "" });
        }
    }
    if src.iter.elem != dst.iter.elem {
        let text = |view: &MemRef<'c, I>| view.iter.elem.map_or("nothing".into(), |t| t.to_string());
        return Err(Error::Rule(format!(
            "the source holds {}, but the destination holds {}",
            text(src),
            text(dst)
        )));
    }
    Ok(Vec::new())
}

/// Checks that the placement that an op gives its view, if it does, fits the memory: registers,
/// shared and global memory are counted along `m`, tensor memory along `TLane` and `TCol`. The
/// placement of a static view must stay inside the view.
pub fn check_carried<I: Machine, J: Machine>(call: &Call<'_, '_, I>, view: &MemRef<'_, J>) -> Result<()> {
    let Some(attribute) = call.attributes.raw(AttributeName::Placement) else { return Ok(()) };
    let Some(carried) = call.attributes.placement(AttributeName::Placement) else {
        return Err(Error::Rule(format!("placement = {attribute} is not a #cute.placement")));
    };
    let (space, storage) = match view.iter.space {
        space @ Space::Tmem => (space, ["TLane", "TCol"].as_slice()),
        space => (space, ["m"].as_slice()),
    };
    for axis in carried.axes() {
        let memory = AXES.kind("placement", axis)? == Kind::Memory;
        if memory && !storage.contains(&axis.name()) {
            let (space, storage) = (space.name(), storage.join(" and "));
            return Err(Error::Rule(format!(
                "the placement {carried} has the axis {axis}; {space} is counted along {storage}"
            )));
        }
    }
    if let Some(end) = inside(view, carried)? {
        let (span, layout) = (carried.span_along(Axis::M)?, view.layout.map(|i| i.dim()));
        return Err(Error::Rule(format!(
            "the placement {carried} reaches {span} elements along m; the view {layout} has {end}"
        )));
    }
    Ok(())
}

/// The number of elements of a static view, if the placement reaches past them.
fn inside<I: Machine>(view: &MemRef<'_, I>, carried: &Placement) -> Result<Option<i64>> {
    let cosize = algebra::cosize(&view.layout.map(|i| i.dim()))?;
    let along_m = carried.axes().contains(&Axis::M) && carried.swizzle().is_none();
    let end = cosize.as_static().filter(|_| along_m && view.iter.space != Space::Tmem);
    Ok(match end {
        Some(end) if carried.span_along(Axis::M)? > end => Some(end),
        _ => None,
    })
}
