//! Placements that are made of something else, by name: `{"op":"from_layout","args":["(4,8):(8,1)"]}`.

use cute_algebra::{Placement, parse_layout};
use serde_json::Value as Json;

use super::{described, is, must};
use crate::error::{Error, Result};

type Constructor = fn(&[Json]) -> Result<Json>;

const CONSTRUCTORS: &[(&str, Constructor)] = &[("from_layout", |args| {
    let [Json::String(text)] = args else { return Err(must("layout", "one layout")) };
    let layout = parse_layout(text).map_err(|e| Error::Request(e.to_string()))?;
    let layout = layout.to_const().ok_or_else(|| must("layout", "static"))?;
    Ok(described(&is(Placement::from_layout(&layout))?))
})];

/// The placement that a constructor of that name makes; none if there is no such constructor.
pub fn construct(op: &str, args: &[Json]) -> Option<Result<Json>> {
    let (_, make) = CONSTRUCTORS.iter().find(|(name, _)| *name == op)?;
    Some(make(args))
}
