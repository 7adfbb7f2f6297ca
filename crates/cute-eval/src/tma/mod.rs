//! Copies by the TMA: descriptors, boxes and partitions, as CuTe's `make_tma_copy` and similar
//! functions make them. This module handles requests and texts; `cute-arch` defines descriptors.
//!
//! | file | what |
//! |---|---|
//! | `request` | the copy that a request describes |
//! | `parts` | the part of a tensor and of a tile that each CTA copies |
//! | `boxes` | the box of each element of a tile, for pictures |
//! | `outputs` | a copy as an object |
//! | `rules` | requests about one rule |
//! | `text` | the command `tma` |

mod boxes;
mod outputs;
mod parts;
mod request;
mod rules;
mod text;

use serde_json::{Map, Value as Json};

pub(crate) use boxes::{Boxed, boxed};
pub use text::{TmaOptions, list};

use crate::{
    error::Result,
    inputs::{Inputs, broken},
};
use request::Kind;

/// The answer to a request with `inputs`, if `op` belongs to this module.
pub fn answer(op: &str, inputs: &Map<String, Json>) -> Option<Result<Json>> {
    let inputs = Inputs(inputs);
    if let Some(kind) = Kind::named(op) {
        return Some(kind.copy(&inputs).and_then(|copy| outputs::of(&copy)));
    }
    rules::answer(op, &inputs)
}

/// An error of the algebra, which has no column here.
fn algebra<T>(result: cute_algebra::error::Result<T>) -> Result<T> {
    result.map_err(|error| {
        let error = cute_arch::tensor_map::NoBoxCopy::from(error);
        broken(error.rule_name(), error)
    })
}
