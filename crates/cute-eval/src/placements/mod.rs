//! Requests about placements, which have a separate operand: `{"op","self","args","target"}`, and
//! `{"op":"placements","layout","shape","coord"}`. The operations are in
//! `cute_placement::placement`, and the axes in `cute_placement::axes`.

mod constructors;
mod listed;
mod python;

use cute_algebra::Axis;
use cute_placement::{
    Axes, Placement, PlacementError, PlacementParseError, Point,
    axes::{AXES, CUDA},
    placement::{Iter, Result as Answer},
};
use serde_json::{Map, Value as Json, json};

use crate::error::{Error, Result};

use constructors::is_constructor;
pub use constructors::{called, construct};
pub use listed::listed;

/// An operation, its operand and the rest of the request.
struct Question<'a> {
    of: Placement,
    args: &'a Map<String, Json>,
    axes: &'static Axes,
}

type Operation = fn(&Question<'_>) -> Result<Json>;

/// The operations by name.
const OPERATIONS: &[(&str, Operation)] = &[
    ("placements", |q| {
        let places = is(q.of.placements(&q.ints("coord")?, &q.ints("shape")?))?;
        Ok(places.iter().map(point).collect())
    }),
    ("apply_flat", |q| Ok(point(&is(q.of.base_at(q.int("index")?))?))),
    ("apply_shape", |q| Ok(point(&is(q.of.base(&q.ints("coords")?, &q.ints("shape")?))?))),
    ("apply_shard_coords", |q| Ok(point(&is(q.of.base_of_digits(&q.ints("coords")?))?))),
    ("apply_to_shape", |q| Ok(json!(is(q.of.digits(&q.ints("coords")?, &q.ints("shape")?))?))),
    ("size", |q| match q.axis("axis")? {
        None => Ok(json!(is(q.of.size())?)),
        Some(axis) => Ok(json!(is(q.of.size_along(axis))?)),
    }),
    ("span", |q| match q.axis("axis")? {
        None => Ok(json!(is(q.of.span(q.axes))?)),
        Some(axis) => Ok(json!(is(q.of.span_along(axis))?)),
    }),
    ("scope", |q| Ok(json!(is(q.of.scope(q.axes))?.map(|s| [s.inner, s.outer])))),
    ("verify_well_formed", |q| Ok(json!(is(q.of.verify_well_formed(q.axes).map(|()| true))?))),
    ("is_trivial", |q| Ok(json!(is(q.of.is_trivial(q.axes))?))),
    ("is_contiguous", |q| Ok(json!(is(q.of.is_contiguous(q.axes))?))),
    ("is_swizzle", |q| Ok(json!(q.of.is_bare_swizzle()))),
    ("canonicalize", |q| made(q.of.canonicalize(Some(q.axes)))),
    ("group", |q| {
        let (grouped, ends) = is(q.of.group(&q.ints("shape")?))?;
        Ok(json!([described(&grouped), ends]))
    }),
    ("group_many", |q| {
        let (refined, ends) = is(q.of.group_many(&q.lists("shapes")?))?;
        Ok(json!([described(&refined), ends]))
    }),
    ("tile", |q| {
        let (outer, inner) = (q.ints("outer_shape")?, q.ints("inner_shape")?);
        made(q.of.tile(&q.placement("outer")?, &outer, &inner, Some(q.axes)))
    }),
    ("tile_to", |q| made(q.of.tile_to(&q.ints("to_shape")?, &q.ints("current_shape")?, Some(q.axes)))),
    ("direct_sum", |q| {
        let (left, right) = (q.ints("left_shape")?, q.ints("right_shape")?);
        made(q.of.direct_sum(&q.placement("left")?, &left, &right, Some(q.axes)))
    }),
    ("is_tile_inner", |q| q.recognised("tiled", ["tiled_shape", "inner_shape"], Placement::is_tile_inner)),
    ("is_tile_outer", |q| q.recognised("tiled", ["tiled_shape", "outer_shape"], Placement::is_tile_outer)),
    ("is_direct_sum_left", |q| {
        q.recognised("sum", ["interleaved_shape", "left_shape"], Placement::is_direct_sum_left)
    }),
    ("is_direct_sum_right", |q| {
        q.recognised("sum", ["interleaved_shape", "right_shape"], Placement::is_direct_sum_right)
    }),
    ("slice", |q| {
        let range = |range: Vec<i64>| match range.as_slice() {
            [begin, end] => Ok((*begin, *end)),
            _ => Err(Error::Request("'region' must be a list of [begin, end]".to_string())),
        };
        let region = q.lists("region")?.into_iter().map(range).collect::<Result<Vec<_>>>()?;
        maybe(q.of.slice(&q.ints("shape")?, &region, Some(q.axes)))
    }),
    ("permute_dims", |q| made(q.of.permute_dims(&q.indices("perm")?))),
    ("permute_by_groups", |q| made(q.of.permute_by_groups(&q.indices("seps")?, &q.indices("perm")?))),
    ("regroup", |q| made(q.of.regroup(&q.ints("shape")?, &q.indices("perm")?))),
    ("broadcast", |q| {
        let position = if q.has("position") { q.int("position")? } else { -1 };
        made(q.of.broadcast(q.int("num")?, position, q.axis("axis")?.unwrap_or(Axis::M)))
    }),
    ("pack", |q| made(q.of.pack(q.int("num")?, q.axis("axis")?.unwrap_or(Axis::M)))),
    ("unpack", |q| made(q.of.unpack(q.int("num")?, q.axis("axis")?.unwrap_or(Axis::M)))),
    ("storage", |q| made(q.of.storage(q.axes))),
    ("to_layout", |q| {
        let layout = if q.has("shape") { q.of.to_layout_of(&q.ints("shape")?) } else { q.of.to_layout() };
        Ok(json!(is(layout)?.to_string()))
    }),
];

/// The answer to a request with a placement in `self` or `layout`; `None` if it has neither.
pub fn answer(op: &str, request: &Map<String, Json>, args: &Map<String, Json>) -> Option<Result<Json>> {
    let (key, operand) = ["self", "layout"].into_iter().find_map(|key| Some((key, request.get(key)?)))?;
    if let Some(made) = construct(op, std::slice::from_ref(operand), args) {
        return Some(made);
    }
    // The arguments of `placements` are next to its operand.
    let args = if args.is_empty() { request } else { args };
    Some((|| {
        let names = || OPERATIONS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let Some((_, run)) = OPERATIONS.iter().find(|(name, _)| *name == op) else {
            return Err(Error::Request(format!(
                "'{op}' is not an operation on placements; the operations are {}",
                names()
            )));
        };
        let axes = match request.get("target") {
            None | Some(Json::Null) => &AXES,
            Some(Json::String(target)) if target == "cuda" => &CUDA,
            Some(other) => {
                return Err(Error::Request(format!("the target {other} has no axes; 'cuda' has")));
            }
        };
        run(&Question { of: placement(key, operand)?, args, axes })
    })())
}

/// The placement of an expression: its notation, such as `S[8 : 1@laneid]`, or a call of a
/// constructor; `None` if the text is neither.
pub(crate) fn of_expression(text: &str) -> Option<Result<Placement>> {
    let text = text.trim();
    if ["S[", "R[", "S [", "R ["].iter().any(|start| text.starts_with(start)) {
        return Some(placement("the expression", &Json::from(text)));
    }
    let name = text.split_once('(').map(|(name, _)| name.trim())?;
    let made = || placement("the expression", &called(&Json::from(text))?);
    is_constructor(name.rsplit('.').next()?).then(made)
}

/// A placement as text, or as an object that has the text as its `notation`.
fn placement(key: &str, json: &Json) -> Result<Placement> {
    let text = json.as_str().or_else(|| json.get("notation")?.as_str());
    let text = text.ok_or_else(|| must(key, "a placement, such as \"S[(8,4) : (4@laneid,1@laneid)]\""))?;
    let error = |e| Error::Named { name: key.to_string(), error: Box::new(Error::Request(e)) };
    text.parse().map_err(|e: PlacementParseError| error(e.to_string()))
}

/// Converts the result of an operation on placements.
pub(crate) fn is<T, E: Into<PlacementError>>(answer: std::result::Result<T, E>) -> Result<T> {
    answer.map_err(|error| Error::Placement(error.into()))
}

fn made(answer: Answer<Placement>) -> Result<Json> {
    is(answer).map(|placement| described(&placement))
}

fn maybe(answer: Answer<Option<Placement>>) -> Result<Json> {
    is(answer).map(|placement| placement.map_or(Json::Null, |p| described(&p)))
}

fn point(point: &Point) -> Json {
    Json::Object(point.iter().map(|(axis, place)| (axis.to_string(), place.into())).collect())
}

/// A placement as an answer: its text and its parts.
fn described(placement: &Placement) -> Json {
    let iters = |iters: &[Iter]| -> Json {
        iters.iter().map(|iter| json!([iter.extent, iter.stride, iter.axis.name()])).collect()
    };
    let swizzle = placement.swizzle().map(|swizzle| {
        json!({
            "per_element": swizzle.per_element(),
            "swizzle_len": swizzle.swizzle_len(),
            "atom_len": swizzle.atom_len(),
            "swizzle_inner": swizzle.inner(),
        })
    });
    json!({
        "notation": placement.to_string(),
        "layout": {
            "shard": iters(placement.shard()),
            "replica": iters(placement.replica()),
            "offset": point(placement.offset()),
            "swizzle": swizzle,
        },
    })
}

fn must(key: &str, be: &str) -> Error {
    Error::Request(format!("the argument '{key}' must be {be}"))
}

fn ints(key: &str, json: &Json) -> Result<Vec<i64>> {
    let ints = json.as_array().and_then(|list| list.iter().map(Json::as_i64).collect());
    ints.ok_or_else(|| must(key, "a list of integers"))
}

/// An operation of the algebra that recovers an operand.
type Recognise = fn(&Placement, &Placement, &[i64], &[i64], Option<&Axes>) -> Answer<Option<Placement>>;

impl Question<'_> {
    fn has(&self, key: &str) -> bool {
        self.args.get(key).is_some_and(|value| !value.is_null())
    }

    fn get(&self, key: &str) -> Result<&Json> {
        self.args.get(key).ok_or_else(|| Error::Request(format!("the argument '{key}' is missing")))
    }

    fn int(&self, key: &str) -> Result<i64> {
        self.get(key)?.as_i64().ok_or_else(|| must(key, "an integer of 64 bits"))
    }

    fn ints(&self, key: &str) -> Result<Vec<i64>> {
        ints(key, self.get(key)?)
    }

    fn lists(&self, key: &str) -> Result<Vec<Vec<i64>>> {
        let lists = self.get(key)?.as_array().ok_or_else(|| must(key, "a list of lists"))?;
        lists.iter().map(|list| ints(key, list)).collect()
    }

    fn indices(&self, key: &str) -> Result<Vec<usize>> {
        let index = |n: i64| usize::try_from(n).map_err(|_| must(key, "a list of non-negative integers"));
        self.ints(key)?.into_iter().map(index).collect()
    }

    fn axis(&self, key: &str) -> Result<Option<Axis>> {
        match self.args.get(key) {
            None | Some(Json::Null) => Ok(None),
            Some(name) => {
                let name = name.as_str().ok_or_else(|| must(key, "the name of an axis"))?;
                is(Axis::new(name)).map(Some)
            }
        }
    }

    fn placement(&self, key: &str) -> Result<Placement> {
        placement(key, self.get(key)?)
    }

    fn recognised(&self, whole: &str, shapes: [&str; 2], f: Recognise) -> Result<Json> {
        let [of, known] = shapes;
        maybe(f(&self.of, &self.placement(whole)?, &self.ints(of)?, &self.ints(known)?, Some(self.axes)))
    }
}
