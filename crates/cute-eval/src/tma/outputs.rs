//! A copy as a JSON object: its boxes, the descriptor, and the part that each CTA copies.

use cute_algebra::coalesce;
use cute_arch::tensor_map::{MapSwizzle, TensorMap};
use serde_json::{Map, Value as Json, json};

use super::{
    algebra,
    parts::{Part, Place},
    request::{Copy, Kind},
};
use crate::{
    error::Result,
    inputs::{broken, number, put, put_strides},
};

/// The rules for descriptors that CuTe checks. It leaves the others to the driver.
const CHECKED: [&str; 6] = [
    "address_alignment",
    "extent_range",
    "inner_stride_not_1",
    "stride_alignment",
    "stride_ge_2p40",
    "box_gt_256",
];

/// The object of a copy.
pub fn of(copy: &Copy) -> Result<Json> {
    let made = &copy.made;
    let mut object = Map::new();
    if copy.kind != Kind::Explicit {
        put(&mut object, "cta_v_map", &copy.values)?;
    }
    let (bits, base) = made.plan.swizzle.codes();
    let add = |object: &mut Map<_, _>, key: &str, value: Json| object.insert(key.into(), value);
    add(&mut object, "swizzle_bits_code", bits.into());
    add(&mut object, "swizzle_base_code", base.into());
    let inverse = &made.order.inverse;
    add(&mut object, "smem_right_inverse", inverse.to_string().into());
    add(&mut object, "smem_right_inverse_coalesced", algebra(coalesce(inverse))?.to_string().into());
    add(&mut object, "sidx2gmode_full", made.order.modes.to_string().into());
    add(&mut object, "tma_gbasis", made.found.basis.to_string().into());
    if made.found.basis != made.boxes.basis {
        add(&mut object, "tma_gbasis_atom", made.boxes.basis.to_string().into());
    }
    let map = copy.map()?;
    add(&mut object, "tensormap", arguments(&map));
    add(&mut object, "tma_swizzle", made.swizzle.to_string().into());
    put_strides(&mut object, "g_stride", made.boxes.coordinates.stride())?;
    traits(&mut object, copy)?;
    let whole = (made.boxes.coordinates.clone(), made.boxes.origin());
    add(&mut object, "tma_tensor", place(&whole)?);
    if copy.is_partitioned() {
        if let Some(tiles) = copy.tiles()? {
            add(&mut object, "gmem_tiled", place(&(tiles, made.boxes.origin()))?);
        }
        add(&mut object, "tma_partition", parts(&copy.partition()?)?);
    }
    if let Some(tiled) = copy.tiled()? {
        add(&mut object, "tiled_tv_layout", tiled.tv().to_string().into());
        let tile = algebra(cute_algebra::product_each(copy.values.shape().view()))?.to_dim();
        add(&mut object, "tiler_mn", tile.to_string().into());
        let of_tiles = copy.tiled_partition(&tiled)?;
        if !of_tiles.is_empty() {
            add(&mut object, "tiled_partition", parts(&of_tiles)?);
        }
    }
    add(&mut object, "descriptor_128B", words(&map));
    let unchecked: Vec<_> = map.broken().into_iter().map(|broken| broken.name).collect();
    add(&mut object, "driver_document_rules_violated", json!(unchecked));
    Ok(object.into())
}

impl Copy {
    pub fn map(&self) -> Result<TensorMap> {
        for mode in &self.made.plan.modes {
            number(&mode.extent)?;
            number(&mode.stride)?;
        }
        let map = self.made.plan.map(self.address, |leaf| number(leaf).unwrap_or_default() as u64);
        match map.broken().into_iter().find(|broken| CHECKED.contains(&broken.name)) {
            Some(rule) => Err(broken(rule.name, rule)),
            None => Ok(map),
        }
    }
}

/// The arguments of the driver's `cuTensorMapEncodeTiled`.
fn arguments(map: &TensorMap) -> Json {
    let list = |f: fn(&cute_arch::tensor_map::MapMode) -> u64| map.modes.iter().map(f).collect::<Vec<_>>();
    let swizzle = MapSwizzle::ALL.iter().position(|swizzle| *swizzle == map.swizzle);
    json!({
        "data_type": map.element.number(),
        "rank": map.modes.len(),
        "address": map.address,
        "dims": list(|mode| mode.extent),
        "strides_bytes": list(|mode| mode.stride).split_off(1),
        "box": list(|mode| mode.boxed.into()),
        "element_strides": list(|mode| mode.step.into()),
        "interleave": map.interleave as u32,
        "swizzle": swizzle,
        "l2_promotion": map.promotion as u32,
        "oob_fill": map.fill as u32,
    })
}

/// The words of a descriptor, and the fields that rest on assumptions; null if the words are
/// unknown.
fn words(map: &TensorMap) -> Json {
    let Ok(words) = map.encode() else { return Json::Null };
    let words: Vec<_> = words.iter().map(|word| format!("{word:#018x}")).collect();
    let field = |name: &str| name.replace("element", "data_format").replace(' ', "_");
    let assumed: Vec<_> = map.assumed().into_iter().map(field).collect();
    json!({ "qwords": words, "assumed_fields": assumed })
}

/// The threads of an instruction and their values, in bits and in elements.
fn traits(object: &mut Map<String, Json>, copy: &Copy) -> Result<()> {
    let made = &copy.made;
    let of_bits = algebra(copy.atom.layouts(made.bits, 1))?;
    let mut add = |key: &str, value: Json| object.insert(key.into(), value);
    add("thr_id", of_bits.thr_id().to_string().into());
    add("src_layout_bits", of_bits.src().to_string().into());
    add("dst_layout_bits", of_bits.dst().to_string().into());
    add("ref_layout_bits", of_bits.reference().to_string().into());
    for (layout, key, count) in [
        (made.layouts.src(), "val_layout_src", "num_val_src"),
        (made.layouts.dst(), "val_layout_dst", "num_val_dst"),
    ] {
        add(key, layout.to_string().into());
        add(count, algebra(cute_algebra::size_at(layout, &[1]))?.into());
    }
    Ok(())
}

/// A layout, and the offset at which it begins.
fn place((layout, begin): &Place) -> Result<Json> {
    let mut object = Map::new();
    let begin = begin.try_map(number)?;
    object.insert("offset".into(), begin.to_string().into());
    put(&mut object, "layout", layout)?;
    Ok(object.into())
}

/// A layout of values alone, and the offset at which it begins.
fn part_of((layout, begin): &Place) -> Result<Json> {
    let begin = begin.try_map(number)?;
    Ok(json!({ "offset": begin.to_string(), "layout": crate::inputs::values(layout)?.to_string() }))
}

fn parts(parts: &[Part]) -> Result<Json> {
    let part = |part: &Part| {
        let mut object = Map::new();
        if let Some(pair) = part.pair {
            object.insert("v".into(), pair.into());
        }
        object.insert("cta".into(), part.cta.into());
        object.insert("gmem".into(), part_of(&part.tensor)?);
        object.insert("smem".into(), part_of(&part.memory)?);
        Ok(Json::from(object))
    };
    Ok(Json::Array(parts.iter().map(part).collect::<Result<_>>()?))
}
