//! Accesses of a tile by thread-value layouts, as a problem to search.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use cute_algebra::{AnyLayout, Error, Layout};
use cute_arch::banks::{Access, Conflicts, Traffic};

use crate::{
    cost::Cost,
    search::{NoChoice, Problem, Solution, search},
    tile::{LayoutCandidate, TileSpec, tiles},
};

/// The most nodes of a search for one tile, which has fewer candidates.
const MOST_NODES: u64 = 1 << 20;

/// The layout of a tile that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct TilePlan {
    /// The best one by this cost.
    pub candidate: LayoutCandidate,
    /// The cost of one execution of each access on it.
    pub conflicts: Vec<Conflicts>,
    /// The result of the search: the one site is the tile, and its candidates are those of
    /// [`tiles`].
    pub solution: Solution,
}

/// The reason why a tile cannot be planned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No layout is possible for the tile itself.
    #[error("a tile of shape {shape} and elements of {bits} bits has no layout: {why}")]
    Tile {
        /// Its extents.
        shape: String,
        /// The bits of an element.
        bits: i64,
        /// The rule that is broken.
        why: String,
    },
    /// An access does not fit the tile.
    #[error(transparent)]
    Access(#[from] Error),
    /// No candidate serves all accesses.
    #[error(transparent)]
    NoChoice(#[from] NoChoice),
}

/// Chooses the layout of a tile for these accesses, each with the number of its executions: the one
/// with the fewest wavefronts, then the fewest instructions, then the fewest bytes, then the first
/// text.
///
/// # Errors
///
/// Fails if the tile has no candidates, an access does not fit the tile, or no candidate keeps the
/// vectors of all accesses together.
///
/// ```
/// use cute_algebra::{parse_layout, parse_shape};
/// use cute_arch::banks::Access;
/// use cute_plan::{TileSpec, plan_tile};
/// let tile = TileSpec { shape: parse_shape("(32,32)")?.to_const().unwrap(), bits: 32, most: None, vector: 1 };
/// let access = |name: &str, text| Access {
///     name: name.into(),
///     layout: parse_layout(text).unwrap().to_const().unwrap(),
///     vector: Some(1),
/// };
/// // A warp reads rows and columns, as a transposition does.
/// let plan = plan_tile(&tile, &[(access("rows", "(32,32):(32,1)"), 1), (access("columns", "(32,32):(1,32)"), 1)])?;
/// assert_eq!(plan.solution.cost.wavefronts, 64);
/// assert_eq!(plan.candidate.text, "S<5,0,5> o 0 o (32,32):(1,32)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_tile(tile: &TileSpec, accesses: &[(Access, u64)]) -> Result<TilePlan, PlanError> {
    let problem = TileProblem::new(tile, accesses)?;
    let solution = search(&problem, MOST_NODES)?;
    let candidate = &problem.candidates[solution.choice[0]];
    let conflicts =
        (0..accesses.len()).map(|at| problem.conflicts(at, candidate)).collect::<Result<_, _>>()?;
    Ok(TilePlan { candidate: candidate.clone(), conflicts, solution })
}

/// The choice of a layout for a tile in shared memory: one site, and a use for each access.
#[derive(Debug)]
pub struct TileProblem<'a> {
    candidates: Vec<LayoutCandidate>,
    accesses: &'a [(Access, u64)],
    bits: i64,
    /// Where the elements of each access lie on a base.
    offsets: RefCell<HashMap<(usize, Layout<i64>), Offsets>>,
}

/// The number of threads, and by value, then thread, the offsets.
type Offsets = Rc<(usize, Vec<i64>)>;

impl<'a> TileProblem<'a> {
    /// The problem of this tile.
    ///
    /// # Errors
    ///
    /// Fails if the tile has no candidates, or an access leaves it.
    pub fn new(tile: &TileSpec, accesses: &'a [(Access, u64)]) -> Result<Self, PlanError> {
        let candidates = tiles(tile);
        if candidates.is_empty() {
            let TileSpec { shape, bits, .. } = tile;
            let most = tile.most.unwrap_or(i64::MAX);
            let too_few = || format!("all candidates span more than {most} elements");
            let why = tile.flaw().unwrap_or_else(too_few);
            return Err(PlanError::Tile { shape: shape.to_string(), bits: *bits, why });
        }
        let problem = Self { candidates, accesses, bits: tile.bits, offsets: RefCell::default() };
        for at in 0..accesses.len() {
            problem.offsets(at, &problem.candidates[0])?;
        }
        Ok(problem)
    }

    /// The candidates of the tile.
    pub fn candidates(&self) -> &[LayoutCandidate] {
        &self.candidates
    }

    /// The numbers of the candidates on which all accesses are possible, with their costs, the best
    /// first.
    ///
    /// # Errors
    ///
    /// Fails if no candidate is possible.
    pub fn ranked(&self) -> Result<Vec<(usize, Cost)>, PlanError> {
        let cost = |n: usize| {
            let uses = (0..self.uses()).map(|at| self.cost(at, &[n])).sum::<Option<Cost>>()?;
            Some((n, uses.plus(Cost::of_bytes(self.bytes(0, n)))))
        };
        let mut all: Vec<(usize, Cost)> = (0..self.candidates.len()).filter_map(cost).collect();
        if all.is_empty() {
            // The search finds nothing either, and says why.
            search(self, MOST_NODES)?;
        }
        all.sort_by_key(|(n, cost)| (*cost, self.text(0, *n)));
        Ok(all)
    }

    /// The cost of one execution of an access on a candidate.
    ///
    /// # Errors
    ///
    /// Fails if the candidate does not keep the vectors of the access together.
    pub fn conflicts(&self, at: usize, candidate: &LayoutCandidate) -> Result<Conflicts, Error> {
        let (access, _) = &self.accesses[at];
        let own = self.offsets(at, candidate)?;
        let form = candidate.form();
        let placed = own.1.iter().map(|offset| form.place(*offset)).collect();
        let traffic = Traffic::of_vectors(own.0, placed, self.bits, access.vector);
        let traffic = traffic.map_err(|why| Error::Unsupported {
            what: "bank analysis",
            why: format!("access {} on {}: {why}", access.name, candidate.text),
        })?;
        Ok(traffic.conflicts(|offset| offset))
    }

    fn offsets(&self, at: usize, candidate: &LayoutCandidate) -> Result<Offsets, Error> {
        let key = (at, candidate.base().clone());
        if let Some(known) = self.offsets.borrow().get(&key) {
            return Ok(known.clone());
        }
        let own = Rc::new(self.accesses[at].0.offsets(&AnyLayout::Plain(key.1.clone()))?);
        self.offsets.borrow_mut().insert(key, own.clone());
        Ok(own)
    }
}

impl Problem for TileProblem<'_> {
    fn sites(&self) -> usize {
        1
    }

    fn candidates(&self, _site: usize) -> usize {
        self.candidates.len()
    }

    fn bytes(&self, _site: usize, candidate: usize) -> u64 {
        self.candidates[candidate].bytes.cast_unsigned()
    }

    fn text(&self, _site: usize, candidate: usize) -> &str {
        &self.candidates[candidate].text
    }

    fn uses(&self) -> usize {
        self.accesses.len()
    }

    fn touches(&self, _at: usize) -> &[usize] {
        &[0]
    }

    fn floor(&self, _at: usize) -> Cost {
        Cost::ZERO
    }

    fn cost(&self, at: usize, choice: &[usize]) -> Option<Cost> {
        let Conflicts { instructions, passes, .. } = self.conflicts(at, &self.candidates[choice[0]]).ok()?;
        Some(Cost { wavefronts: passes, instructions, ..Cost::ZERO }.times(self.accesses[at].1))
    }

    fn legal(&self, _choice: &[usize]) -> Result<(), String> {
        Ok(())
    }

    fn why_not(&self, at: usize, choice: &[usize]) -> String {
        let conflicts = self.conflicts(at, &self.candidates[choice[0]]);
        conflicts.err().map_or_else(String::new, |error| error.to_string())
    }
}
