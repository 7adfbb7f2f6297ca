//! The bank conflicts of accesses to a tile: their costs, and for the worst instruction the bank
//! and the threads that need it, each with its address and its element.

use serde_json::{Value as Json, json};

use crate::{
    banks::{Question, report},
    error::Result,
    eval::Session,
};

/// The costs of the accesses to the tile, and the most crowded bank of each.
pub fn of(session: &Session, tile: &str, bits: Option<i64>, accesses: Vec<String>) -> Result<Json> {
    let report = report(session, tile, bits, &Question { accesses, choose: None })?;
    Ok(json!({ "text": report.text(), "crowds": report.crowds()? }))
}
