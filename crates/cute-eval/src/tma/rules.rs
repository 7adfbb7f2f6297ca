//! Requests that evaluate a single rule: masks, merged modes, modes in a descriptor, swizzles,
//! element types, inverses.

use cute_algebra::{
    Basis, BoxMode, Coord, Crd, LayoutLike, Tuple, coalesce, coalesce_up_to, cosize, left_inverse,
    parse_coord, parse_stride, right_inverse,
};
use cute_arch::tensor_map::{BOX_LIMITS, MapSwizzle, multicast_mask, unswizzled};
use serde_json::{Map, Value as Json, json};

use super::algebra;
use crate::{
    error::{Error, Result},
    inputs::{Inputs, broken, number, put, wrong},
};

/// The answer to a request, if it is one of these.
pub fn answer(op: &str, inputs: &Inputs<'_>) -> Option<Result<Json>> {
    Some(match op {
        "multicast_mask" => masks(inputs),
        "coalesce_256" => coalesced(inputs),
        "fill_tma_gmem_shape_stride" => modes(inputs),
        "swizzle_code" => swizzle(inputs),
        "data_type" => data_type(inputs),
        "smem_inverse" => inverses(inputs),
        _ => return None,
    })
}

/// The masks of the CTAs at `coords` along one or two modes of a cluster.
fn masks(inputs: &Inputs<'_>) -> Result<Json> {
    let cluster = crate::inputs::values(&inputs.valued("cta_layout_vmnk")?)?;
    let coords = inputs.0.get("coords").and_then(Json::as_array);
    let coords = coords.ok_or_else(|| wrong("coords", "a list of coordinates must be given"))?;
    let coords = coords.iter().map(|coord| {
        let text = coord.as_str().ok_or_else(|| wrong("coords", format!("{coord} is not text")))?;
        let coord = parse_coord(text).map_err(|error| wrong("coords", error))?;
        coord.try_map(|crd| match crd {
            Crd::Int(dim) => {
                dim.as_static().map(Crd::Int).ok_or_else(|| wrong("coords", "integers are static"))
            }
            Crd::Underscore => Ok(Crd::Underscore),
        })
    });
    let coords: Vec<Coord<i64>> = coords.collect::<Result<_>>()?;
    let rank = cluster.rank().min(3);
    let single = (0..rank).map(|i| vec![i]);
    let pairs = [vec![0, 1], vec![0, 2], vec![1, 2]].into_iter().filter(|_| rank == 3);
    let mut object = Map::new();
    for open in single.chain(pairs).chain([vec![]]) {
        let name = match open.as_slice() {
            [] => "mask_none".to_string(),
            modes => modes.iter().fold("mask".to_string(), |name, i| format!("{name}_{i}")),
        };
        let mask = |coord: &Coord<i64>| -> Result<u16> {
            let open = open
                .iter()
                .try_fold(coord.clone(), |coord, i| coord.replace(*i, Tuple::leaf(Crd::Underscore)));
            algebra(multicast_mask(&cluster, &algebra(open)?))
        };
        object.insert(name, json!(coords.iter().map(mask).collect::<Result<Vec<_>>>()?));
    }
    Ok(object.into())
}

/// Merges neighbouring modes, up to the number of elements that a box may have along a mode.
fn coalesced(inputs: &Inputs<'_>) -> Result<Json> {
    let layout = inputs.valued("layout")?;
    let mut object = Map::new();
    put(&mut object, "coalesce_256", &algebra(coalesce_up_to(&layout, BOX_LIMITS.extent))?)?;
    put(&mut object, "coalesce", &algebra(coalesce(&layout))?)?;
    Ok(object.into())
}

/// Extents and strides of the modes of a descriptor.
fn modes(inputs: &Inputs<'_>) -> Result<Json> {
    let tensor = inputs.valued("gmem_layout")?;
    let basis = inputs.parsed("gbasis_stride", parse_stride)?;
    let (mut extents, mut strides) = ([1; 5], [0; 5]);
    if basis.is_leaf() || basis.rank() > 5 {
        return Err(wrong("gbasis_stride", "a descriptor has one to five modes"));
    }
    for (i, mode) in basis.modes().enumerate() {
        let parts: Vec<Basis> = mode.leaves().iter().map(|step| step.basis()).collect();
        let mode = algebra(BoxMode::over(&tensor, &parts, 1))?;
        (extents[i], strides[i]) = (number(&mode.extent)?, number(&mode.stride)?);
    }
    Ok(json!({ "prob_shape": extents, "prob_stride": strides }))
}

/// The name of a swizzle in descriptors.
fn swizzle(inputs: &Inputs<'_>) -> Result<Json> {
    let text = inputs.text("swizzle")?;
    let numbers = text.strip_prefix("S<").and_then(|rest| rest.strip_suffix('>'));
    let numbers: Option<Vec<i64>> =
        numbers.and_then(|list| list.split(',').map(|n| n.trim().parse().ok()).collect());
    let Some([bits, base, shift]) = numbers.and_then(|list| <[i64; 3]>::try_from(list).ok()) else {
        return Err(wrong("swizzle", format!("expected such as S<3,4,3>, found {text}")));
    };
    let swizzle = match cute_algebra::Swizzle::new(bits, base, shift) {
        Ok(swizzle) => swizzle,
        Err(error) => return Err(broken("swizzle_ill_formed", error)),
    };
    // All swizzles of no bits are the same function, which descriptors spell in one way.
    let known = swizzle.to_string() == format!("S<{bits},{base},{shift}>");
    let Some(of_map) = MapSwizzle::of(swizzle).filter(|_| known) else {
        return Err(broken("swizzle_unsupported", format!("{}, not by {text}", MapSwizzle::RULE)));
    };
    let ((bits, base), number) = (of_map.codes(), MapSwizzle::ALL.iter().position(|own| *own == of_map));
    Ok(json!({ "bits_code": bits, "base_code": base, "tensormap_swizzle": number }))
}

/// The name of an element type in descriptors.
fn data_type(inputs: &Inputs<'_>) -> Result<Json> {
    let name = inputs.text("element_type")?;
    let (bits, element) = inputs.element("element_type")?;
    match element {
        Some(element) => Ok(json!({ "tensormap_data_type": element.number(), "bits": bits })),
        None => {
            let error = cute_arch::tensor_map::NoBoxCopy::Format(bits);
            Err(broken(error.rule_name(), format!("{name}: {error}")))
        }
    }
}

/// A tile in shared memory without its swizzle, and its inverses.
fn inverses(inputs: &Inputs<'_>) -> Result<Json> {
    let memory = inputs.memory("smem_layout")?;
    let (plain, swizzle) = unswizzled(&memory).map_err(|error| broken(error.rule_name(), error))?;
    let fails = |error| Error::Request(format!("{plain}: {error}"));
    let right = right_inverse(plain).map_err(fails)?;
    Ok(json!({
        "nonswizzle": plain.to_string(),
        "right_inverse": right.to_string(),
        "right_inverse_coalesced": coalesce(&right).map_err(fails)?.to_string(),
        "left_inverse": left_inverse(plain).map_err(fails)?.to_string(),
        "cosize": cosize(memory.outer()).map_err(fails)?.as_static(),
        "swizzle": swizzle.to_string(),
    }))
}
