//! The layouts that a tile in shared memory may have, and the cost of accesses on each.

use std::fmt::Write;

use cute_arch::banks::Access;
use cute_plan::{Cost, LayoutCandidate, PlanError, TileProblem, TileSpec};
use serde_json::{Value as Json, json};

use crate::{
    banks::{access, missing},
    error::{Error, Result},
    eval::Session,
    options::settings,
    structure,
};

settings! {
    /// The options of `candidates`, besides the bits of an element and the accesses.
    Limits of "candidates";
    /// Keep N neighbouring elements together, aligned; by default as many as the widest access
    /// takes with one instruction
    "vector" "N" => vector: Option<u32>,
    /// List at most N candidates
    "most" "N" => most: Option<u32>,
}

/// The number of candidates in a list, unless another is given.
const MOST: usize = 20;

/// The candidates for a tile, the best first.
pub struct CandidateList {
    shape: String,
    bits: i64,
    accesses: Vec<Access>,
    /// The number of candidates on which all accesses are possible, and of all.
    possible: usize,
    all: usize,
    /// The first of them, with their costs.
    best: Vec<(LayoutCandidate, Cost)>,
}

/// Lists the candidates.
pub fn list(
    session: &Session,
    shape: &str,
    bits: Option<i64>,
    accesses: &[String],
    limits: &Limits,
) -> Result<CandidateList> {
    let bits = bits.ok_or_else(|| missing("candidates", "the bits of an element", "bits", "N"))?;
    let arg = session.argument("the tile", shape)?;
    let extents = arg.tuple()?.to_const().ok_or_else(|| arg.not("a static shape"))?;
    let named = |(n, text): (usize, &String)| match text.contains('=') {
        true => access(session, text),
        false => access(session, &format!("{n}={text}")),
    };
    let accesses: Vec<Access> = (1..).zip(accesses).map(named).collect::<Result<_>>()?;
    let widest = accesses.iter().filter_map(|access| access.vector).max().unwrap_or(1);
    let vector = limits.vector.map_or(widest, i64::from);
    let tile = TileSpec { shape: extents, bits, most: None, vector };
    let weighted: Vec<(Access, u64)> = accesses.iter().map(|access| (access.clone(), 1)).collect();
    let failed = |error| match error {
        PlanError::Access(error) => Error::Algebra { column: arg.column, error },
        other => Error::Request(other.to_string()),
    };
    let problem = TileProblem::new(&tile, &weighted).map_err(failed)?;
    let ranked = problem.ranked().map_err(failed)?;
    let most = limits.most.map_or(MOST, |most| most as usize);
    let best = ranked.iter().take(most).map(|(n, cost)| (problem.candidates()[*n].clone(), *cost)).collect();
    let (possible, all) = (ranked.len(), problem.candidates().len());
    Ok(CandidateList { shape: tile.shape.to_string(), bits, accesses, possible, all, best })
}

impl CandidateList {
    /// The list as text: a line that counts, and a line for each candidate.
    pub fn text(&self) -> String {
        let Self { shape, bits, accesses, possible, all, best } = self;
        let count = |n: usize| if n == 1 { "1 candidate".to_string() } else { format!("{n} candidates") };
        let mut text = format!("{shape}, {bits}-bit elements: {}", count(*all));
        // Writing to a string cannot fail.
        if possible < all {
            let _ = write!(text, ", of which {possible} keep all vectors whole");
        }
        if best.len() < *possible {
            let _ = write!(text, "; the best {}", best.len());
        }
        text.push('\n');
        let width = best.iter().map(|(candidate, _)| candidate.text.len()).max().unwrap_or(0);
        for (LayoutCandidate { text: layout, kind, bytes, reason, .. }, cost) in best {
            let _ = write!(text, "  {layout:<width$}  {:<8}  ", kind.name());
            if !accesses.is_empty() {
                let plural = if cost.wavefronts == 1 { " " } else { "s" };
                let _ = write!(text, "{} wavefront{plural}  ", cost.wavefronts);
            }
            let _ = writeln!(text, "{bytes} bytes  {reason}");
        }
        text
    }

    /// The list as a JSON object.
    pub fn structure(&self) -> Json {
        let candidate = |(c, cost): &(LayoutCandidate, Cost)| {
            let costs = (!self.accesses.is_empty())
                .then(|| json!({ "wavefronts": cost.wavefronts, "instructions": cost.instructions }));
            json!({
                "layout": structure::constant(&c.layout),
                "kind": c.kind.name(),
                "cost": costs,
                "bytes": c.bytes,
                "identity": c.identity,
                "reason": c.reason,
            })
        };
        json!({
            "shape": self.shape,
            "bits": self.bits,
            "all": self.all,
            "possible": self.possible,
            "candidates": self.best.iter().map(candidate).collect::<Json>(),
        })
    }
}
