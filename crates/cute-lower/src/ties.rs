//! Keeps registers in place across the fences and waits of `wgmma`, as part of `cute-lower-waits`.
//!
//! An instruction uses its registers until a wait reports that it is done, but NVVM's ops of fences
//! and waits do not name registers. So LLVM could compute a sum's next value before the wait, or an
//! operand after the fence. To prevent that, each register that an MMA after a fence reads
//! passes through an empty assembly before the fence, and each register that a wait completes
//! passes through one after the wait. ptxas does not see these. At this point registers are still
//! memory on the stack, at known offsets.
//!
//! ptxas expects a fence before the MMAs of each group, even where none is needed because they
//! continue the same accumulators. It does not look for the fence through a loop that waits for an
//! mbarrier. If it finds none, it inserts one and reports that in a remark, which counts as an
//! error. So this pass repeats the fence where the registers are those of earlier MMAs. A fence
//! that the kernel itself needs is not added: its absence is a mistake that the simulator reports.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use cute_ffi::{
    ir::{self, op_name},
    lowered::{TIE_ATTRIBUTE, WGMMA_ATTRIBUTE},
    order,
    rewrite::Rewriter,
};
use melior::ir::{
    Attribute, Type, TypeLike, Value,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute, StringAttribute, TypeAttribute},
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};

use crate::{Builder, Built};

const FENCE: &str = "nvvm.wgmma.fence.aligned";
const COMMIT: &str = "nvvm.wgmma.commit.group.sync.aligned";
const WAIT: &str = "nvvm.wgmma.wait.group.sync.aligned";
const PAUSE: &str = "nvvm.mbarrier.try_wait.parity";
/// Groups that are tracked separately; no kernel has more in flight.
const MOST_GROUPS: usize = 8;

/// A register: which of those that a function allocates, and the byte that it begins at.
type Place = (usize, i64);

/// Bytes of an allocation, which is known by its identity.
type Bytes = (usize, Range<i64>);

/// The state at a point, on all paths to it.
#[derive(Clone, PartialEq)]
struct Path {
    /// Whether there is a fence after the last group.
    fenced: bool,
    /// Whether there is any fence.
    begun: bool,
    /// The bytes that other instructions wrote after the last fence, on some path.
    written: Vec<Bytes>,
}

impl Path {
    /// A path that nothing is known of yet; all others agree with it.
    const UNKNOWN: Self = Self { fenced: true, begun: true, written: Vec::new() };

    fn after(mut self, event: &Event) -> Self {
        match event {
            Event::Fence(_) => return Self { fenced: true, begun: true, written: Vec::new() },
            // If it has no fence, it gets one, or is a mistake that is reported.
            Event::Product { .. } => self.fenced = true,
            Event::Commit | Event::Pause => self.fenced = false,
            Event::Wait(..) => {}
            Event::Write(bytes) if self.written.contains(bytes) => {}
            Event::Write(bytes) => self.written.push(bytes.clone()),
        }
        self
    }

    fn joined(mut self, other: &Self) -> Self {
        self.fenced &= other.fenced;
        self.begun &= other.begun;
        let new = other.written.iter().filter(|bytes| !self.written.contains(bytes)).cloned();
        let new: Vec<_> = new.collect();
        self.written.extend(new);
        self
    }
}

/// The events of `wgmma` in a block, in order.
enum Event {
    Fence(usize),
    Commit,
    /// Waits for an mbarrier.
    Pause,
    /// Waits until no more groups than that are in flight.
    Wait(usize, usize),
    /// Another instruction writes these bytes of an allocation.
    Write(Bytes),
    Product {
        /// The first op that is part of it, as [`Registers::ops`] numbers them.
        first: usize,
        reads: Vec<Place>,
        writes: Vec<Place>,
    },
}

/// The registers of a function, and how its blocks use them.
struct Registers<'c> {
    /// Allocations, as [`Place`] numbers them.
    memory: Vec<Value<'c, 'c>>,
    types: HashMap<Place, Type<'c>>,
    /// Fences, waits and where MMAs begin, as [`Event`] numbers them.
    ops: Vec<OperationRef<'c, 'c>>,
    events: Vec<Vec<Event>>,
    next: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
}

/// Holds the registers of all functions.
pub(crate) fn run<'c>(rewriter: &'c Rewriter<'c>) -> Built<()> {
    for function in ir::functions(rewriter.root()) {
        for op in Registers::of(rewriter, function).unfenced() {
            Builder::before(op).effect(FENCE, &[], &[])?;
        }
        let registers = Registers::of(rewriter, function);
        for (op, places) in registers.held() {
            registers.hold(registers.ops[op], &places)?;
        }
    }
    Ok(())
}

impl<'c> Registers<'c> {
    fn of(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Self {
        let blocks = ir::blocks(function);
        let numbers: HashMap<_, _> =
            blocks.iter().enumerate().map(|(i, block)| (ir::block_identity(*block), i)).collect();
        let mut all = Self {
            memory: Vec::new(),
            types: HashMap::new(),
            ops: Vec::new(),
            events: Vec::new(),
            next: Vec::new(),
            before: vec![Vec::new(); blocks.len()],
        };
        for (i, block) in blocks.into_iter().enumerate() {
            let next: Vec<_> =
                order::successors(block).iter().map(|b| numbers[&ir::block_identity(*b)]).collect();
            next.iter().for_each(|to| all.before[*to].push(i));
            all.next.push(next);
            let events = ir::ops(block).into_iter().filter_map(|op| all.event(rewriter, op)).collect();
            all.events.push(events);
        }
        all
    }

    fn event(&mut self, rewriter: &'c Rewriter<'c>, op: OperationRef<'c, 'c>) -> Option<Event> {
        match op_name(op) {
            COMMIT => Some(Event::Commit),
            PAUSE => Some(Event::Pause),
            FENCE => {
                self.ops.push(op);
                Some(Event::Fence(self.ops.len() - 1))
            }
            WAIT => {
                self.ops.push(op);
                let left = op.attribute("group").and_then(IntegerAttribute::try_from).ok()?.value();
                Some(Event::Wait(self.ops.len() - 1, usize::try_from(left).ok()?))
            }
            "llvm.store" => {
                let [value, pointer, ..] = ir::operands(op)[..] else { return None };
                let made = ir::definer(value).and_then(|part| ir::definer(*ir::operands(part).first()?));
                let by_product = made.is_some_and(|made| made.has_attribute(WGMMA_ATTRIBUTE));
                (!by_product).then(|| written(pointer, ir::type_of(value))).flatten().map(Event::Write)
            }
            _ if op.has_attribute(WGMMA_ATTRIBUTE) => Some(self.product(rewriter, op)),
            _ => None,
        }
    }

    fn product(&mut self, rewriter: &'c Rewriter<'c>, op: OperationRef<'c, 'c>) -> Event {
        let mut reads = Vec::new();
        for load in loads_of(op) {
            let t = ir::result(load, 0).map(ir::type_of).expect("a load has a result");
            reads.extend(self.place(ir::operands(load)[0], t));
        }
        let parts: BTreeSet<_> = loads_of(op).chain([op]).map(ir::op_identity).collect();
        let block = ir::block_of(op).expect("the op is in a block");
        let first = ir::ops(block).into_iter().find(|op| parts.contains(&ir::op_identity(*op)));
        self.ops.push(first.expect("the op itself is one of its parts"));
        let first = self.ops.len() - 1;
        let mut writes = Vec::new();
        let made = ir::result(op, 0).into_iter().flat_map(|made| rewriter.users(made).collect::<Vec<_>>());
        for part in made.filter_map(|part| ir::result(part, 0)) {
            for store in rewriter.users(part).filter(|op| op_name(*op) == "llvm.store").collect::<Vec<_>>() {
                let operands = ir::operands(store);
                if ir::identity(operands[0]) == ir::identity(part) {
                    writes.extend(self.place(operands[1], ir::type_of(part)));
                }
            }
        }
        Event::Product { first, reads, writes }
    }

    /// The place of a pointer, if it is a known number of bytes after an allocation.
    fn place(&mut self, pointer: Value<'c, 'c>, t: Type<'c>) -> Option<Place> {
        let (mut at, mut bytes) = (pointer, 0i64);
        loop {
            let op = ir::definer(at)?;
            match op_name(op) {
                "llvm.alloca" => break,
                "llvm.getelementptr" => {
                    bytes = bytes.checked_add(step(op)?)?;
                    at = ir::operands(op)[0];
                }
                _ => return None,
            }
        }
        let known = self.memory.iter().position(|m| ir::identity(*m) == ir::identity(at));
        let number = known.unwrap_or_else(|| {
            self.memory.push(at);
            self.memory.len() - 1
        });
        self.types.entry((number, bytes)).or_insert(t);
        Some((number, bytes))
    }

    /// The first MMAs that a path reaches without a fence after the last group, although there was
    /// one, and only MMAs have written their registers since.
    fn unfenced(&self) -> Vec<OperationRef<'c, 'c>> {
        let at_end = |path: &Path, block: usize| self.events[block].iter().fold(path.clone(), Path::after);
        let entry = Path { fenced: false, begun: false, written: Vec::new() };
        let mut paths = vec![Path::UNKNOWN; self.before.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in 0..paths.len() {
                let first = if block == 0 || self.before[block].is_empty() { &entry } else { &Path::UNKNOWN };
                let before = self.before[block].iter();
                let path = before.fold(first.clone(), |path, b| path.joined(&at_end(&paths[*b], *b)));
                changed |= path != paths[block];
                paths[block] = path;
            }
        }
        let mut found = Vec::new();
        for (events, mut path) in self.events.iter().zip(paths) {
            for event in events {
                if let Event::Product { first, reads, .. } = event
                    && !path.fenced
                    && path.begun
                    && !reads.iter().any(|place| self.is_written(place, &path.written))
                {
                    found.push(self.ops[*first]);
                }
                path = path.after(event);
            }
        }
        found
    }

    fn is_written(&self, (memory, byte): &Place, written: &[Bytes]) -> bool {
        let memory = ir::identity(self.memory[*memory]);
        written.iter().any(|(own, bytes)| *own == memory && bytes.contains(byte))
    }

    /// For each fence and wait that holds registers, those registers.
    fn held(&self) -> Vec<(usize, BTreeSet<Place>)> {
        let mut all = Vec::new();
        for (block, events) in self.events.iter().enumerate() {
            for (i, event) in events.iter().enumerate() {
                let (op, places) = match event {
                    Event::Fence(op) => (*op, self.read_behind(block, i + 1)),
                    Event::Wait(op, left) => (*op, self.completed_by(block, i, *left)),
                    _ => continue,
                };
                if !places.is_empty() {
                    all.push((op, places));
                }
            }
        }
        all
    }

    /// The registers that MMAs read after event `from` of a block, until another fence.
    fn read_behind(&self, block: usize, from: usize) -> BTreeSet<Place> {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![(block, from)]);
        'paths: while let Some((block, from)) = open.pop() {
            for event in &self.events[block][from..] {
                match event {
                    Event::Fence(_) => continue 'paths,
                    Event::Product { reads, .. } => found.extend(reads),
                    _ => {}
                }
            }
            open.extend(self.next[block].iter().filter(|b| seen.insert(**b)).map(|b| (*b, 0)));
        }
        found
    }

    /// The registers of MMAs that a wait for all but `left` groups completes: those that older
    /// groups wrote, except those that a younger group uses.
    fn completed_by(&self, block: usize, event: usize, left: usize) -> BTreeSet<Place> {
        let (mut done, mut in_flight) = (BTreeSet::new(), BTreeSet::new());
        let mut seen = BTreeSet::new();
        // Positions to continue from, with the groups between there and the wait, and the groups
        // that an earlier wait left in flight.
        let mut open = vec![(block, event, 0usize, MOST_GROUPS)];
        'paths: while let Some((block, end, mut groups, mut more)) = open.pop() {
            for event in self.events[block][..end].iter().rev() {
                match event {
                    Event::Commit if more == 0 => continue 'paths,
                    Event::Commit => {
                        groups = (groups + 1).min(MOST_GROUPS);
                        more -= 1;
                    }
                    Event::Wait(_, left) => more = more.min(*left),
                    Event::Product { writes, .. } => {
                        if groups > left { &mut done } else { &mut in_flight }.extend(writes.iter().copied());
                    }
                    Event::Fence(_) | Event::Pause | Event::Write(_) => {}
                }
            }
            let states = self.before[block].iter().filter(|b| seen.insert((**b, groups, more)));
            open.extend(states.map(|b| (*b, self.events[*b].len(), groups, more)));
        }
        done.difference(&in_flight).copied().collect()
    }

    /// Passes registers through an empty assembly, before a fence or after a wait: one for each
    /// allocation.
    fn hold(&self, op: OperationRef<'c, 'c>, places: &BTreeSet<Place>) -> Built<()> {
        let block = ir::block_of(op).expect("the op is in a block");
        let anchor = match op_name(op) {
            FENCE => op,
            _ => ir::ops(block)
                .into_iter()
                .skip_while(|o| ir::op_identity(*o) != ir::op_identity(op))
                .nth(1)
                .expect("a wait is not the end of its block"),
        };
        let b = Builder::before(anchor).at(ir::location(op));
        let mut groups: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        places.iter().for_each(|place| groups.entry(place.0).or_default().push(*place));
        groups.values().try_for_each(|group| self.tie(&b, group))
    }

    fn tie(&self, b: &Builder<'c>, group: &[Place]) -> Built<()> {
        let byte = TypeAttribute::new(IntegerType::new(b.context(), 8).into()).into();
        let tie = (TIE_ATTRIBUTE, Attribute::unit(b.context()));
        let aligned = [("alignment", b.attr(ALIGN)), tie];
        let mut addresses = Vec::new();
        let mut given = Vec::new();
        for place in group {
            let memory = self.memory[place.0];
            let index = b.attribute(&format!("array<i32: {}>", place.1))?;
            let attributes = [("rawConstantIndices", index), ("elem_type", byte), tie];
            let at = b.typed("llvm.getelementptr", &[memory], ir::type_of(memory), &attributes)?;
            given.push(b.typed("llvm.load", &[at], self.types[place], &aligned)?);
            addresses.push(at);
        }
        let types: Vec<_> = group.iter().map(|place| self.types[place]).collect();
        let outputs = types.iter().map(|t| if t.is_float() { "=f" } else { "=r" }.to_string());
        let constraints: Vec<_> = outputs.chain((0..types.len()).map(|i| i.to_string())).collect();
        let several: Vec<_> = types.iter().map(ToString::to_string).collect();
        let several = match &several[..] {
            [one] => one.clone(),
            all => format!("!llvm.struct<({})>", all.join(", ")),
        };
        let text = |text: &str| StringAttribute::new(b.context(), text).into();
        let attributes = [
            ("asm_string", text("")),
            ("constraints", text(&constraints.join(","))),
            ("has_side_effects", Attribute::unit(b.context())),
            tie,
        ];
        let held = b.typed("llvm.inline_asm", &given, b.parse_type(&several)?, &attributes)?;
        for (i, (at, t)) in addresses.into_iter().zip(&types).enumerate() {
            let part = if types.len() == 1 { held } else { b.part(held, &[i], *t)? };
            if let Some(part) = ir::definer(part) {
                ir::set_attribute(part, tie.0, tie.1);
            }
            b.effect("llvm.store", &[part, at], &aligned)?;
        }
        Ok(())
    }
}

/// The bytes of a value of a type at a pointer into an allocation: all of the allocation, unless
/// they are known.
fn written(pointer: Value<'_, '_>, t: Type<'_>) -> Option<Bytes> {
    let (mut at, mut first) = (pointer, Some(0i64));
    loop {
        let op = ir::definer(at)?;
        match op_name(op) {
            "llvm.alloca" => break,
            "llvm.getelementptr" => {
                first = first.zip(step(op)).and_then(|(first, step)| first.checked_add(step));
                at = *ir::operands(op).first()?;
            }
            _ => return None,
        }
    }
    let bits = bits(t);
    let bytes = first.zip(bits).map(|(first, bits)| first..first + bits / 8);
    Some((ir::identity(at), bytes.unwrap_or(i64::MIN..i64::MAX)))
}

/// The bytes by which an op steps through memory, if they are known.
fn step(op: OperationRef<'_, '_>) -> Option<i64> {
    let indices = op.attribute("rawConstantIndices").ok()?;
    let indices = DenseI32ArrayAttribute::try_from(indices).ok()?;
    if indices.len() != 1 || ir::operands(op).len() != 1 {
        return None;
    }
    let elem = op.attribute("elem_type").and_then(TypeAttribute::try_from).ok()?.value();
    i64::from(indices.element(0).ok()?).checked_mul(bits(elem)? / 8)
}

/// The loads that an op is given.
fn loads_of<'c>(op: OperationRef<'c, 'c>) -> impl Iterator<Item = OperationRef<'c, 'c>> {
    ir::operands(op).into_iter().filter_map(ir::definer).filter(|op| op_name(*op) == "llvm.load")
}

/// Alignment in bytes of a register in memory.
const ALIGN: i64 = 4;

/// The size of a number; `None` for other types, such as vectors.
fn bits(t: Type<'_>) -> Option<i64> {
    let bits = match IntegerType::try_from(t) {
        Ok(t) => t.width(),
        Err(_) if t.is_float() => ir::float_width(t),
        Err(_) => return None,
    };
    (bits >= 8).then_some(i64::from(bits))
}
