//! The choices of a function as a problem of `cute-plan`: which accesses depend on which choices,
//! and what they cost.

use std::{cell::RefCell, rc::Rc};

use cute_algebra::offsets;
use cute_arch::{
    banks::{Conflicts, Traffic},
    sectors::{LINE, SECTOR},
};
use cute_dialect::{ops::OpKind, value::Value as Cute};
use cute_ffi::ir::{self, op_name};
use cute_plan::{Cost, Problem};
use melior::ir::operation::OperationRef;
use rustc_hash::FxHashMap;

use super::{
    program::{Program, State},
    retype::Overlay,
    rules,
    site::Site,
    visit::{How, Visit},
};
use crate::together::{WIDEST, elements, together};

/// Accesses of all threads at an op, to one operand.
pub struct Use {
    /// The op, by its place in the program, and the operand.
    pub op: usize,
    pub operand: usize,
    /// The tile, by its site; `None` for global memory.
    pub tile: Option<usize>,
    /// The memory, by its number: a site, or after them one with a given layout; `None` for global
    /// memory.
    memory: Option<usize>,
    /// The sites that it depends on: its tile first, then tiled copies.
    touches: Vec<usize>,
    /// How often the op runs, as far as loops have static bounds.
    pub weight: u64,
    /// An instruction that finds the elements itself.
    pub descriptor: Option<&'static str>,
}

/// The accesses of all threads of one use.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Accesses {
    threads: usize,
    bits: i64,
    vector: Option<i64>,
    /// By value, then thread: the element's offset under the placeholder's layout.
    offsets: Vec<i64>,
    /// The lanes of a warp that give addresses.
    lanes: usize,
}

/// The accesses of uses, by the use and the candidates of the tiled copies that it depends on;
/// those of the placeholders have none.
type Evaluated = FxHashMap<(usize, Vec<usize>), Option<Accesses>>;

/// By site and candidate, the offset of each element of a tile.
type Tables = FxHashMap<(usize, usize), Rc<[u32]>>;

/// The choices of a function.
pub struct Choices<'p, 'c> {
    pub program: &'p Program<'c>,
    pub sites: Vec<Site<'c>>,
    pub uses: Vec<Use>,
    uniform: State<'c>,
    threads: Vec<State<'c>>,
    /// Bytes of static shared memory for the tiles that are allocated.
    room: u64,
    /// By site of a tile: the index of the element at each offset under the placeholder.
    indices: Vec<Vec<u32>>,
    /// By site: the ops that depend on it.
    pub dependent: Vec<Vec<bool>>,
    needed: RefCell<FxHashMap<usize, Rc<Vec<usize>>>>,
    accesses: RefCell<Evaluated>,
    tables: RefCell<Tables>,
}

/// The displaced addresses of an access that code is taken to have registers for: those of a
/// swizzle in rows of 128 bytes.
const FEW_REGISTERS: u64 = 6;
const WARP: usize = cute_arch::WARP as usize;
/// The most offsets that are kept: 64 MiB.
const MOST_KNOWN: usize = 1 << 24;
/// The times that a loop is taken to run if its bounds are not static.
const UNKNOWN_TRIPS: u64 = 64;

impl<'p, 'c> Choices<'p, 'c> {
    /// The accesses of `program` to the tiles of `sites`, and by their tiled copies. An error names
    /// the op that cannot be analysed.
    pub fn new(program: &'p Program<'c>, sites: Vec<Site<'c>>) -> Result<Self, (usize, String)> {
        let derived: Vec<Vec<bool>> = sites
            .iter()
            .map(|site| program.reached(|_, op| ir::op_identity(op) == ir::op_identity(site.op)))
            .collect();
        let accessing: Vec<usize> = (0..program.ops.len())
            .filter(|op| derived.iter().any(|reached| reached[*op]) && accesses_memory(program.ops[*op]))
            .collect();
        let needed = program.needed(&accessing);
        let uniform = program.uniform(&needed);
        let run: Vec<usize> = needed
            .into_iter()
            .filter(|op| program.varies(*op) || accesses_memory(program.ops[*op]))
            .collect();
        let mut threads = Vec::new();
        let mut found: FxHashMap<(usize, usize), Vec<Visit>> = FxHashMap::default();
        for thread in 0..program.threads() {
            let (state, visits) = program.thread(thread, &[&uniform], State::default(), &run)?;
            threads.push(state);
            for (op, visit) in visits {
                found.entry((op, visit.operand)).or_default().push(visit);
            }
        }
        let copies = |op: usize| {
            let is_copy = |site: &usize| sites[*site].open.is_copy() && derived[*site][op];
            (0..sites.len()).filter(is_copy).collect::<Vec<_>>()
        };
        let mut uses = Vec::new();
        let mut accesses = FxHashMap::default();
        let mut repeated: FxHashMap<(Option<usize>, Accesses), usize> = FxHashMap::default();
        let mut keys: Vec<_> = found.keys().copied().collect();
        keys.sort_unstable();
        for (op, operand) in keys {
            let visits = &found[&(op, operand)];
            let Some(first) = visits.first() else { continue };
            // Memories after the sites have a layout that is given.
            let memory = first.memory;
            let tile = memory.filter(|memory| *memory < sites.len());
            let of_tile = tile.and_then(|site| sites[site].tile()?.iter.bits());
            if let Some(bits) = of_tile.map(i64::from).filter(|bits| *bits != first.bits) {
                let why = format!(
                    "accesses elements of {} bits in a tile of elements of {bits} bits, whose places depend on the layout",
                    first.bits
                );
                return Err((op, why));
            }
            let copies = copies(op);
            // No choice changes it.
            if tile.is_none() && copies.is_empty() {
                continue;
            }
            let descriptor = match first.how {
                How::Descriptor(what) => Some(what),
                How::Vectors { .. } => None,
            };
            let touches: Vec<usize> = tile.into_iter().chain(copies.iter().copied()).collect();
            let weight = weight(program.ops[op]);
            let own = Accesses::of(visits);
            // Unrolled code repeats accesses.
            if let Some(same) = own.as_ref().filter(|own| own.vector.is_some() && copies.is_empty()) {
                let known = repeated.entry((tile, same.clone())).or_insert(uses.len());
                if let Some(used) = uses.get_mut(*known) {
                    let used: &mut Use = used;
                    used.weight = used.weight.saturating_add(weight);
                    continue;
                }
            }
            accesses.insert((uses.len(), Vec::new()), own);
            uses.push(Use { op, operand, tile, memory, touches, weight, descriptor });
        }
        let indices = sites.iter().map(|site| site.indices().unwrap_or_default()).collect();
        let accesses = RefCell::new(accesses);
        Ok(Self {
            room: rules::room(&program.ops),
            needed: RefCell::default(),
            tables: RefCell::default(),
            program,
            sites,
            uses,
            uniform,
            threads,
            indices,
            dependent: derived,
            accesses,
        })
    }

    /// The widest access of a tile that keeps its width, in elements.
    pub fn vector(&self, site: usize) -> i64 {
        let accesses = self.accesses.borrow();
        let own = self.uses.iter().enumerate().filter(|(_, used)| used.tile == Some(site));
        let vectors = own.filter_map(|(i, _)| accesses[&(i, Vec::new())].as_ref()?.vector);
        vectors.max().unwrap_or(1).max(1)
    }

    /// The op of a use.
    pub fn op(&self, used: &Use) -> OperationRef<'c, 'c> {
        self.program.ops[used.op]
    }

    /// The types that follow a choice.
    pub fn types(&self, choice: &[usize]) -> Result<Overlay<'c>, super::retype::Refused<'c>> {
        let chosen =
            self.sites.iter().zip(choice).map(|(site, i)| (site.value(), site.choices[*i].value.clone()));
        let spelling = self.sites.first().map_or("auto", |site| site.open.spelling());
        Overlay::of(chosen, self.program.ops.iter().copied(), spelling)
    }

    /// The cost of a use under a choice, once. An error says why it is not possible.
    pub fn once(&self, at: usize, choice: &[usize]) -> Result<Cost, String> {
        let used = &self.uses[at];
        let copies = self.copies(used);
        // The placeholder's accesses have no candidates in their key.
        let key = (at, copies.iter().map(|site| choice[*site]).collect::<Vec<_>>());
        if !self.accesses.borrow().contains_key(&key) {
            self.evaluate(&copies, choice);
        }
        let accesses = self.accesses.borrow();
        let accesses = accesses[&key].as_ref().ok_or("threads cannot be evaluated")?;
        let Some(site) = used.tile else {
            if used.memory.is_some() {
                let conflicts = accesses.by_vectors(accesses.offsets.clone(), accesses.vector)?;
                let conflicts = conflicts.conflicts(|offset| offset);
                let (wavefronts, instructions) = (conflicts.passes, accesses.instructions(&conflicts));
                return Ok(Cost { wavefronts, instructions, ..Cost::default() });
            }
            let traffic = accesses.by_vectors(accesses.offsets.clone(), accesses.vector)?;
            return Ok(Cost {
                sectors: traffic.touched(SECTOR),
                lines: traffic.touched(LINE),
                instructions: traffic.instructions(),
                ..Cost::default()
            });
        };
        if used.descriptor.is_some() {
            return Ok(Cost::default());
        }
        let table = self.table(site, choice[site]).ok_or("its layout has no offsets")?;
        let indices = &self.indices[site];
        let place = |offset: &i64| {
            let index = indices.get(usize::try_from(*offset).ok()?)?;
            table.get(*index as usize).map(|place| i64::from(*place))
        };
        let places = accesses.offsets.iter().map(place).collect::<Option<Vec<_>>>();
        let places = places.ok_or("an access leaves the tile")?;
        let vector = match accesses.vector {
            None => Some(self.vector_of(used, choice)?),
            given => given,
        };
        let registers = accesses.displacements(&places, vector).saturating_sub(FEW_REGISTERS);
        let conflicts = accesses.by_vectors(places, vector)?.conflicts(|offset| offset);
        Ok(Cost {
            wavefronts: conflicts.passes,
            instructions: accesses.instructions(&conflicts),
            registers,
            ..Cost::default()
        })
    }

    /// The offset of each element of a tile under a candidate.
    fn table(&self, site: usize, candidate: usize) -> Option<Rc<[u32]>> {
        let mut tables = self.tables.borrow_mut();
        if let Some(known) = tables.get(&(site, candidate)) {
            return Some(known.clone());
        }
        let all = offsets(self.sites[site].choices[candidate].layout.as_ref()?).ok()?;
        let table: Rc<[u32]> = all.into_iter().map(u32::try_from).collect::<Result<_, _>>().ok()?;
        if tables.values().map(|table| table.len()).sum::<usize>() + table.len() > MOST_KNOWN {
            tables.clear();
        }
        tables.insert((site, candidate), table.clone());
        Some(table)
    }

    /// The elements that the lowering loads or stores together at a use, under a choice: as many as
    /// the type of the view promises.
    fn vector_of(&self, used: &Use, choice: &[usize]) -> Result<i64, String> {
        let needed = self.needed(used);
        let ops = needed.iter().filter(|op| **op != used.op).map(|op| self.program.ops[*op]);
        let chosen = used
            .touches
            .iter()
            .map(|site| (self.sites[*site].value(), self.sites[*site].choices[choice[*site]].value.clone()));
        let overlay = Overlay::of(chosen, ops, "auto")
            .map_err(|refused| format!("'{}' op {}", op_name(refused.op), refused.why))?;
        let operands = ir::operands(self.op(used));
        let view = operands.get(used.operand).map(|view| overlay.value(*view));
        let Some(Cute::MemRef(view)) = view.as_deref() else { return Err("it takes no view".into()) };
        let elements = elements(view).map_err(|why| why.to_string())?;
        let most = WIDEST * 8 / view.iter.bits().map_or(8, i64::from).max(1);
        Ok((together(view, &elements) as i64).min(most).max(1))
    }

    /// The tiled copies that a use depends on.
    fn copies(&self, used: &Use) -> Vec<usize> {
        used.touches.iter().copied().filter(|site| self.sites[*site].open.is_copy()).collect()
    }

    /// Evaluates all accesses that depend on these tiled copies, as they are chosen.
    fn evaluate(&self, copies: &[usize], choice: &[usize]) {
        let uses: Vec<usize> =
            (0..self.uses.len()).filter(|at| self.copies(&self.uses[*at]) == copies).collect();
        let chosen: Vec<usize> = copies.iter().map(|site| choice[*site]).collect();
        let mut known = self.accesses.borrow_mut();
        if copies.iter().all(|site| self.sites[*site].is_placeholder(choice[*site])) {
            for at in uses {
                let placeholder = known[&(at, Vec::new())].clone();
                known.insert((at, chosen.clone()), placeholder);
            }
            return;
        }
        let mut again: Vec<usize> =
            uses.iter().flat_map(|at| self.needed(&self.uses[*at]).to_vec()).collect();
        again.retain(|op| self.follows(*op, copies));
        again.sort_unstable();
        again.dedup();
        let mut visits: FxHashMap<(usize, usize), Vec<Visit>> = FxHashMap::default();
        for (number, state) in self.threads.iter().enumerate() {
            let mut start = State::default();
            for site in copies {
                start.set(self.sites[*site].value(), &self.sites[*site].choices[choice[*site]].value);
            }
            let below = [state, &self.uniform];
            let Ok((_, own)) = self.program.thread(number as i64, &below, start, &again) else {
                visits.clear();
                break;
            };
            for (op, visit) in own {
                visits.entry((op, visit.operand)).or_default().push(visit);
            }
        }
        for at in uses {
            let own = visits.remove(&(self.uses[at].op, self.uses[at].operand)).unwrap_or_default();
            known.insert((at, chosen.clone()), Accesses::of(&own));
        }
    }

    /// Whether an op depends on one of these tiled copies, and does not make it.
    fn follows(&self, op: usize, copies: &[usize]) -> bool {
        let own = ir::op_identity(self.program.ops[op]);
        let makes = |site: &usize| ir::op_identity(self.sites[*site].op) == own;
        copies.iter().any(|site| self.dependent[*site][op]) && !copies.iter().any(makes)
    }

    /// The ops on which a use depends, and its own.
    fn needed(&self, used: &'_ Use) -> Rc<Vec<usize>> {
        let mut known = self.needed.borrow_mut();
        known.entry(used.op).or_insert_with(|| Rc::new(self.program.needed(&[used.op]))).clone()
    }

    /// Drops the tiled copies that are not possible whatever is chosen elsewhere.
    pub fn prune(&mut self) {
        for site in (0..self.sites.len()).filter(|site| self.sites[*site].open.is_copy()).collect::<Vec<_>>()
        {
            let alone: Vec<usize> =
                (0..self.uses.len()).filter(|at| self.uses[*at].touches == [site]).collect();
            let mut choice = vec![0; self.sites.len()];
            let is_possible: Vec<bool> = (0..self.sites[site].choices.len())
                .map(|candidate| {
                    choice[site] = candidate;
                    alone.iter().all(|at| self.once(*at, &choice).is_ok())
                })
                .collect();
            let mut all = is_possible.into_iter();
            self.sites[site].choices.retain(|_| all.next().unwrap_or(true));
        }
        // Their numbers have changed.
        self.accesses.borrow_mut().retain(|(_, candidates), _| candidates.is_empty());
    }
}

impl Accesses {
    /// All threads use views of one type, so each has the same number of offsets.
    fn of(visits: &[Visit]) -> Option<Self> {
        let first = visits.first()?;
        let mut all =
            Self { threads: visits.len(), bits: first.bits, vector: None, offsets: Vec::new(), lanes: WARP };
        let How::Vectors { vector, offsets, lanes } = &first.how else { return Some(all) };
        let gives = |thread: &usize| thread % WARP < *lanes;
        (all.vector, all.lanes) = (*vector, *lanes);
        all.threads = (0..visits.len()).filter(gives).count();
        for value in 0..offsets.len() {
            for (_, visit) in visits.iter().enumerate().filter(|(thread, _)| gives(thread)) {
                let How::Vectors { offsets, .. } = &visit.how else { return None };
                all.offsets.push(*offsets.get(value)?);
            }
        }
        Some(all)
    }

    /// The vectors of a thread whose distance from its first one depends on the thread, so that
    /// they need an address of their own.
    fn displacements(&self, places: &[i64], vector: Option<i64>) -> u64 {
        let step = usize::try_from(vector.unwrap_or(1)).unwrap_or(1).max(1);
        let threads = self.threads.max(1);
        let Some(first) = places.get(..threads) else { return 0 };
        let differs = |row: &&[i64]| {
            let mut distances = row.iter().zip(first).map(|(place, first)| place - first);
            let own = distances.next();
            distances.any(|distance| Some(distance) != own)
        };
        places.chunks(threads).step_by(step).filter(differs).count() as u64
    }

    /// Instructions of all warps, of which the lanes that give no addresses are left out.
    fn instructions(&self, conflicts: &Conflicts) -> u64 {
        conflicts.instructions * (WARP / self.lanes.max(1)) as u64
    }

    fn by_vectors(&self, offsets: Vec<i64>, vector: Option<i64>) -> Result<Traffic, String> {
        if self.bits < 8 && vector == Some(1) {
            // Part of a byte, or of a word that the lowering finds.
            return Traffic::of_vectors(self.threads, offsets.clone(), self.bits, None)
                .or_else(|_| Ok(Traffic::of_elements(self.threads, offsets, self.bits)));
        }
        Traffic::of_vectors(self.threads, offsets, self.bits, vector)
    }
}

impl Problem for Choices<'_, '_> {
    fn sites(&self) -> usize {
        self.sites.len()
    }

    fn candidates(&self, site: usize) -> usize {
        self.sites[site].choices.len()
    }

    fn bytes(&self, site: usize, candidate: usize) -> u64 {
        // A view takes bytes that are there anyway.
        let site = &self.sites[site];
        if op_name(site.op) == OpKind::MakeView.name() { 0 } else { site.choices[candidate].bytes }
    }

    fn room(&self) -> u64 {
        self.room
    }

    fn text(&self, site: usize, candidate: usize) -> &str {
        &self.sites[site].choices[candidate].text
    }

    fn uses(&self) -> usize {
        self.uses.len()
    }

    fn touches(&self, at: usize) -> &[usize] {
        &self.uses[at].touches
    }

    fn floor(&self, at: usize) -> Cost {
        // Whatever the layouts are, a lane's vector needs its share of a pass.
        let accesses = self.accesses.borrow();
        let Some(accesses) = accesses[&(at, Vec::new())].as_ref() else { return Cost::default() };
        let used = &self.uses[at];
        if used.descriptor.is_some() || used.tile.is_none() {
            return Cost::default();
        }
        let bytes = accesses.offsets.len() as u64 * accesses.bits.unsigned_abs() / 8;
        Cost { wavefronts: bytes / cute_arch::banks::LINE_BYTES * used.weight, ..Cost::default() }
    }

    fn cost(&self, at: usize, choice: &[usize]) -> Option<Cost> {
        let once = self.once(at, choice).ok()?;
        Some(once.times(self.uses[at].weight))
    }

    fn why_not(&self, at: usize, choice: &[usize]) -> String {
        let used = &self.uses[at];
        let on: Vec<_> =
            used.touches.iter().map(|site| self.sites[*site].choices[choice[*site]].text.clone()).collect();
        let why = self.once(at, choice).err().unwrap_or_default();
        format!("on {}: {why}", on.join(" and "))
    }

    fn legal(&self, choice: &[usize]) -> Result<(), String> {
        let types = self.types(choice).map(|_| ());
        types.map_err(|refused| format!("'{}' op {}", op_name(refused.op), refused.why))
    }
}

/// Whether an op reads or writes elements of memory, or makes what an instruction finds them by.
fn accesses_memory(op: OperationRef<'_, '_>) -> bool {
    matches!(
        OpKind::from_name(op_name(op)),
        Some(
            OpKind::Copy
                | OpKind::CopyAtomCall
                | OpKind::MemRefLoad
                | OpKind::MemRefStore
                | OpKind::MemRefLoadVec
                | OpKind::MemRefStoreVec
                | OpKind::Gemm
                | OpKind::MmaAtomCall
                | OpKind::MmaMakeFragment
                | OpKind::GetCopyS2tSmemDescView
        )
    )
}

/// How often an op runs, as far as the bounds of loops around it are static.
fn weight(op: OperationRef<'_, '_>) -> u64 {
    let (mut weight, mut inside) = (1u64, op);
    while let Some(parent) = ir::block_of(inside).and_then(ir::parent_of) {
        if ir::is_function(parent) {
            break;
        }
        weight = weight.saturating_mul(match op_name(parent) {
            "scf.for" => trips(parent).unwrap_or(UNKNOWN_TRIPS),
            "scf.while" => UNKNOWN_TRIPS,
            _ => 1,
        });
        inside = parent;
    }
    // So that sums of weighted costs do not overflow.
    weight.clamp(1, 1 << 30)
}

fn trips(op: OperationRef<'_, '_>) -> Option<u64> {
    let [from, to, step, ..] = ir::operands(op)[..] else { return None };
    let (from, to, step) = (ir::constant(from)?, ir::constant(to)?, ir::constant(step)?);
    let span = to.checked_sub(from)?;
    (step > 0).then(|| u64::try_from(span.max(0)).ok().map(|n| n.div_ceil(step.unsigned_abs())))?
}
