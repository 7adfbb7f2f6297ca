//! Checks every entry of `tests/vectors/cute` except tilings, which need atoms. CuTe C++ printed
//! these numbers, and the algebra must reproduce them to the character.
//!
//! Static files run over `i64` and over [`Dim`]; `dyn_` files over a [`Dim`] paired with its
//! run-time value, so that both the staticness and the value of each leaf are compared.

mod common;

use std::{collections::VecDeque, path::Path};

use cute_algebra::{
    AnyLayout, Coord, Dim, Int, Layout, Paired, Tiler, Tuple, Width, append_to_rank, append_to_rank_with,
    blocked_product, ceil_div, coalesce, coalesce_profile, compatible, complement, complement_in_cosize,
    composition, cosize, crd2crd, crd2idx, crd2idx_in_shape, dice, domain_distribute, downcast,
    evenly_divides, filter, filter_profile, filter_zeros, filter_zeros_profile, flat_divide, flat_product,
    flatten, get_1d_coord, get_flat_coord, get_hier_coord, group, idx2crd, join_values, left_inverse,
    local_partition, local_partition_projected, local_tile, local_tile_projected, logical_divide,
    logical_product, make_fragment_like, make_identity_layout, make_layout, make_layout_like,
    make_layout_right, make_ordered_layout, max_alignment, max_common_layout, max_common_vector, nullspace,
    outer_partition, parse_coord, parse_int_tuple, parse_layout_or_composed, parse_swizzle, parse_tiler,
    prepend_to_rank_with, raked_product, recast_layout, replace, right_inverse, select, shape_div, size,
    slice, slice_and_offset, split_values, take, tile_to_shape, tiled_divide, tiled_product, upcast,
    zipped_divide, zipped_product,
};
use serde_json::Value as Json;

use common::Value;

/// An interpretation that a vector can be run in.
trait Leaf: Int {
    fn read(dim: &Dim, values: &mut VecDeque<i64>) -> Self;
    fn value(&self) -> i64;
}

impl Leaf for i64 {
    fn read(dim: &Dim, _: &mut VecDeque<i64>) -> Self {
        dim.as_static().expect("a static vector")
    }
    fn value(&self) -> i64 {
        *self
    }
}

impl Leaf for Dim {
    fn read(dim: &Dim, _: &mut VecDeque<i64>) -> Self {
        *dim
    }
    fn value(&self) -> i64 {
        self.as_static().unwrap_or(0)
    }
}

impl Leaf for Paired<Value<i64>> {
    fn read(dim: &Dim, values: &mut VecDeque<i64>) -> Self {
        match dim.as_static() {
            Some(value) => Self::fixed(value),
            None => Self::new(*dim, Value(values.pop_front().expect("a value for each `?`"))),
        }
    }
    fn value(&self) -> i64 {
        self.payload().map_or(0, |p| p.0)
    }
}

/// `?8` becomes `?`, and 8 goes to the queue.
fn queued(text: &str) -> (String, VecDeque<i64>) {
    let (plain, values) = split_values(text).expect("a value after each `?`");
    (plain, values.into())
}

/// A leaf as printed; the run-time value of its `?` is kept.
fn shown<I: Leaf>(leaf: &I, values: &mut Vec<String>) -> Dim {
    match leaf.as_static() {
        Some(value) => Dim::fixed(value),
        None => {
            values.push(format!("?{}", leaf.value()));
            Dim::dynamic(Width::I32, 1)
        }
    }
}

fn show_layout<I: Leaf>(layout: &AnyLayout<I>) -> String {
    let mut values = Vec::new();
    let plain = layout.map(|leaf| shown(leaf, &mut values)).to_string();
    join_values(&plain, values)
}

fn show_tuple<I: Leaf>(tuple: &Tuple<I>) -> String {
    let mut values = Vec::new();
    let plain = tuple.map(|leaf| shown(leaf, &mut values)).to_string();
    join_values(&plain, values)
}

struct Args<'a>(&'a [Json]);

impl Args<'_> {
    fn text(&self, i: usize) -> &str {
        self.0[i].as_str().expect("a text argument")
    }
    fn number(&self, i: usize) -> usize {
        self.0[i].as_u64().expect("a number argument") as usize
    }
    fn has(&self, i: usize) -> bool {
        i < self.0.len()
    }
    fn any<I: Leaf>(&self, i: usize) -> AnyLayout<I> {
        let (plain, mut values) = queued(self.text(i));
        parse_layout_or_composed(&plain).expect("a layout").map(|dim| I::read(dim, &mut values))
    }
    fn layout<I: Leaf>(&self, i: usize) -> Layout<I> {
        self.any(i).as_plain().expect("a plain layout").clone()
    }
    fn tuple<I: Leaf>(&self, i: usize) -> Tuple<I> {
        let (plain, mut values) = queued(self.text(i));
        parse_int_tuple(&plain).expect("a tuple").map(|dim| I::read(dim, &mut values))
    }
    fn coord<I: Leaf>(&self, i: usize) -> Coord<I> {
        let (plain, mut values) = queued(self.text(i));
        parse_coord(&plain).expect("a coordinate").map(|crd| crd.map(|dim| I::read(dim, &mut values)))
    }
    fn tiler<I: Leaf>(&self, i: usize) -> Tiler<I> {
        let (plain, mut values) = queued(self.text(i));
        parse_tiler(&plain).expect("a tiler").map(&mut |dim| I::read(dim, &mut values))
    }
    fn indices(&self, i: usize) -> Vec<usize> {
        self.tuple::<i64>(i).leaves().iter().map(|&n| n as usize).collect()
    }
}

fn run<I: Leaf>(op: &str, args: &Args<'_>) -> Result<Json, cute_algebra::Error> {
    let layout = |l: Layout<I>| Json::from(show_layout(&AnyLayout::Plain(l)));
    let any = |l: AnyLayout<I>| Json::from(show_layout(&l));
    let tuple = |t: Tuple<I>| Json::from(show_tuple(&t));
    let leaf = |i: I| Json::from(show_tuple(&Tuple::leaf(i)));
    let part = |(l, offset): (AnyLayout<I>, Tuple<I>)| serde_json::json!({"offset": show_tuple(&offset), "layout": show_layout(&l)});
    Ok(match op {
        "append_n" if args.has(2) => {
            layout(append_to_rank_with(&args.layout(0), args.number(1), &args.layout(2))?)
        }
        "append_n" => layout(append_to_rank(&args.layout(0), args.number(1))?),
        "prepend_n" if args.has(2) => {
            layout(prepend_to_rank_with(&args.layout(0), args.number(1), &args.layout(2))?)
        }
        "prepend_n" => layout(prepend_to_rank_with(&args.layout(0), args.number(1), &Layout::unit())?),
        "replace" => layout(replace(&args.layout(0), args.number(1), &args.layout(2))?),
        "select" => layout(select(&args.layout(0), &args.indices(1))?),
        "take" => layout(take(&args.layout(0), args.number(1), args.number(2))?),
        "coalesce" if args.has(1) => any(coalesce_profile(&args.any(0), args.tuple::<I>(1).view())?),
        "coalesce" => any(coalesce(&args.any(0))?),
        "filter" if args.has(1) => any(filter_profile(&args.any(0), args.tuple::<I>(1).view())?),
        "filter" => any(filter(&args.any(0))?),
        "filter_zeros" if args.has(1) => any(filter_zeros_profile(&args.any(0), args.tuple(1).view())?),
        "filter_zeros" => any(filter_zeros(&args.any(0))?),
        "complement" if args.has(1) => layout(complement(&args.any(0), args.layout(1).shape().view())?),
        "complement" => layout(complement_in_cosize(&args.any(0))?),
        "composition" => any(composition(&args.any(0), &args.tiler(1))?),
        "congruent" => Json::from(args.tuple::<I>(0).congruent(&args.tuple::<I>(1))),
        "weakly_congruent" => Json::from(args.tuple::<I>(0).weakly_congruent(&args.tuple::<I>(1))),
        "compatible" => Json::from(compatible(args.tuple::<I>(0).view(), args.tuple(1).view())?),
        "cosize" => leaf(cosize(&args.any(0))?),
        "size" => leaf(size(&args.any::<I>(0))?),
        "crd2idx" if args.text(1).contains(':') => tuple(crd2idx(&args.coord(0), &args.any(1))?),
        "crd2idx" => leaf(crd2idx_in_shape(&args.coord(0), &args.tuple(1))?),
        "layout_eval" => tuple(crd2idx(&args.coord(1), &args.any(0))?),
        "crd2crd" => tuple(crd2crd(&args.tuple(0), &args.tuple(1), &args.tuple(2))?),
        "idx2crd" => tuple(idx2crd(&args.tuple(0), &args.tuple(1))?),
        "get_hier_coord" => {
            tuple(get_hier_coord(&args.layout(0), args.tuple::<I>(1).as_leaf().expect("an index"))?)
        }
        "get_flat_coord" => {
            tuple(get_flat_coord(&args.layout(0), args.tuple::<I>(1).as_leaf().expect("an index"))?)
        }
        "get_1d_coord" => {
            leaf(get_1d_coord(&args.layout(0), args.tuple::<I>(1).as_leaf().expect("an index"))?)
        }
        "dice" => any(dice(&args.coord(0), &args.any(1))?),
        "slice" => any(slice(&args.coord(0), &args.any(1))?),
        "slice_and_offset" => part(slice_and_offset(&args.coord(0), &args.any(1))?),
        "flatten" => any(flatten(&args.any(0))?),
        "group" => any(group(&args.any(0), args.number(1), args.number(2))?),
        "left_inverse" => layout(left_inverse(&args.layout(0))?),
        "right_inverse" => layout(right_inverse(&args.layout(0))?),
        "nullspace" => layout(nullspace(&args.layout(0))?),
        "max_common_vector" => {
            Json::from(max_common_vector(&args.layout::<I>(0), &args.layout(1))?.to_string())
        }
        "max_common_layout" => layout(max_common_layout(&args.layout(0), &args.layout(1))?),
        "local_tile" if args.has(3) => {
            part(local_tile_projected(&args.any(0), &args.tiler(1), &args.coord(2), &args.coord(3))?)
        }
        "local_tile" => part(local_tile(&args.any(0), &args.tiler(1), &args.coord(2))?),
        "logical_divide" => any(logical_divide(&args.any(0), &args.tiler(1))?),
        "zipped_divide" => any(zipped_divide(&args.any(0), &args.tiler(1))?),
        "tiled_divide" => any(tiled_divide(&args.any(0), &args.tiler(1))?),
        "flat_divide" => any(flat_divide(&args.any(0), &args.tiler(1))?),
        "logical_product" => any(logical_product(&args.any(0), &args.tiler(1))?),
        "zipped_product" => any(zipped_product(&args.any(0), &args.tiler(1))?),
        "tiled_product" => any(tiled_product(&args.any(0), &args.tiler(1))?),
        "flat_product" => any(flat_product(&args.any(0), &args.tiler(1))?),
        "blocked_product" => any(blocked_product(&args.any(0), &args.layout(1))?),
        "raked_product" => any(raked_product(&args.any(0), &args.layout(1))?),
        "upcast" => any(upcast(&args.any(0), args.number(1) as i64)?),
        "downcast" => any(downcast(&args.any(0), args.number(1) as i64)?),
        "recast_layout" => any(recast_layout(&args.any(0), args.number(2) as i64, args.number(1) as i64)?),
        "tile_to_shape" if args.has(2) => {
            any(tile_to_shape(&args.any(0), args.tuple(1).view(), Some(&args.tuple(2)))?)
        }
        "tile_to_shape" => any(tile_to_shape(&args.any(0), args.tuple(1).view(), None)?),
        "evenly_divides" => Json::from(evenly_divides(args.tuple::<I>(0).view(), args.tuple(1).view())?),
        "max_alignment" => Json::from(max_alignment(&args.layout::<I>(0))?.to_string()),
        "domain_distribute" => layout(domain_distribute(&args.tuple(0), args.tuple::<i64>(1).leaves()[0])?),
        "make_fragment_like" => layout(make_fragment_like(&args.layout(0))?),
        "outer_partition" => part(outer_partition(&args.any(0), &args.tiler(1), &args.coord(2))?),
        "local_partition" if args.has(3) => part(local_partition_projected(
            &args.any(0),
            &args.layout(1),
            args.tuple(2).as_leaf().expect("an index"),
            &args.coord(3),
        )?),
        "local_partition" => {
            part(local_partition(&args.any(0), &args.layout(1), args.tuple(2).as_leaf().expect("an index"))?)
        }
        "make_layout" => layout(make_layout(&args.tuple(0))?),
        "make_layout_right" => layout(make_layout_right(&args.tuple(0))?),
        "make_layout_like" => layout(make_layout_like(&args.layout(0))?),
        "make_identity_layout" => layout(make_identity_layout(&args.tuple(0))?),
        "make_ordered_layout" => layout(make_ordered_layout(&args.tuple(0), &args.tuple(1))?),
        "ceil_div" if args.text(1).contains(':') => {
            tuple(complement(&args.layout(1), args.tuple(0).view())?.shape().clone())
        }
        "ceil_div" => tuple(ceil_div(args.tuple(0).view(), args.tuple(1).view())?),
        "shape_div" => tuple(shape_div(args.tuple(0).view(), args.tuple(1).view())?),
        "swizzle_apply" => {
            let swizzle = parse_swizzle(args.text(0)).expect("a swizzle");
            leaf(swizzle.apply(args.tuple(1).as_leaf().expect("an offset"))?)
        }
        other => panic!("no such operation: {other}"),
    })
}

/// Runs every entry of a file and returns the number of entries.
fn check<I: Leaf>(file: &str) -> usize {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/cute").join(format!("{file}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let entries: Vec<Json> = serde_json::from_str(&text).expect("a JSON list");
    let mut failures = Vec::new();
    for entry in &entries {
        let args = entry["args"].as_array().expect("args");
        let expected = &entry["result"];
        let got = run::<I>(entry["op"].as_str().expect("op"), &Args(args));
        let agrees = match &got {
            Err(_) => expected.get("error").is_some(),
            Ok(value) => value == expected,
        };
        if !agrees {
            let got = got.map_or_else(|e| format!("error: {e}"), |v| v.to_string());
            failures
                .push(format!("{} {}\n  expected {expected}\n  got      {got}", entry["op"], entry["args"]));
        }
    }
    let shown = failures.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{file}: {} of {} entries differ\n{shown}", failures.len(), entries.len());
    entries.len()
}

macro_rules! static_vectors {
    ($($file:ident)*) => {$(
        #[test]
        fn $file() {
            use super::*;
            assert!(check::<i64>(stringify!($file)) > 0);
            assert!(check::<Dim>(stringify!($file)) > 0);
        }
    )*};
}

macro_rules! dynamic_vectors {
    ($($file:ident)*) => {$(
        #[test]
        fn $file() {
            use super::*;
            assert!(check::<Paired<Value<i64>>>(stringify!($file)) > 0);
        }
    )*};
}

mod files {
    static_vectors! {
        upcast downcast recast_layout swizzle_recast swizzle_tile_to_shape tile_to_shape evenly_divides max_alignment
        domain_distribute make_fragment_like outer_partition local_partition local_partition_proj append blocked_product ceil_div coalesce coalesce_negative compatible complement composition composition_edge
        composition_negative congruent cosize cosize_negative crd2crd crd2idx dice filter filter_zeros flat_divide
        flat_product flatten get_1d_coord get_flat_coord get_hier_coord group idx2crd layout_eval left_inverse local_tile
        local_tile_proj logical_divide logical_divide_edge logical_product make_identity_layout make_layout
        make_layout_like make_layout_right make_ordered_layout max_common_layout max_common_vector nullspace prepend
        raked_product replace right_inverse select shape_div size slice slice_and_offset swizzle_apply swizzle_coalesce
        swizzle_layout_eval swizzle_zipped_divide take tiled_divide tiled_product weakly_congruent zipped_divide
        zipped_product
    }

    dynamic_vectors! {
        dyn_recast_layout dyn_tile_to_shape dyn_coalesce dyn_complement dyn_composition dyn_composition_rhs dyn_crd2idx dyn_filter dyn_flat_divide dyn_idx2crd
        dyn_local_tile dyn_logical_divide dyn_logical_product dyn_make_layout dyn_make_layout_like dyn_make_ordered_layout
        dyn_max_common_vector dyn_right_inverse dyn_slice dyn_tiled_divide dyn_zipped_divide
    }
}
