//! A kernel under construction.

use crate::text::Known;
use crate::unmodelled;
use cute_machine::int::mask;
use cute_machine::types::{Leaf, MAX_SLOTS, Scalar, Type};
use cute_sim::address::{SHARED, parts, short};
use cute_sim::program::{
    Access, Constant, ControlOp, Edge, Function, Kernel, Op, Order, Param, Scope, SharedObject, Site, Slot,
    Variable,
};
use cute_sim::{Error, Unmodelled};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

/// More registers than this in one kernel is refused.
const MAX_REGISTERS: usize = 1 << 22;

/// Added to the target of an edge that is an instruction's number already.
const INSTRUCTION: u32 = 1 << 31;

/// A value or a constant that has too many registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a {of} of {registers} registers")]
pub struct TooLarge {
    /// A value or a constant.
    pub of: &'static str,
    /// How many it would take.
    pub registers: u64,
}

/// A value's registers.
#[derive(Debug, Clone)]
pub struct Held {
    /// The first of them.
    pub slot: Slot,
    /// The type of the value.
    pub ty: Type,
}

/// The parts of a kernel under construction.
#[derive(Debug, Default)]
pub struct Assembler {
    /// The contents of a thread's registers at entry.
    pub registers: Vec<u64>,
    /// Registers that hold no value, and why.
    pub undefined: Vec<(Range<Slot>, Site)>,
    /// Approximate instructions.
    pub approximate: BTreeSet<String>,
    /// Registers that begin with an address of shared memory.
    pub located: Vec<Slot>,
    /// Whether there are instructions of warpgroups.
    pub has_groups: bool,
    /// Whether instructions of `tcgen05` concern pairs of blocks, if there are any.
    pub pairs: Option<bool>,
    /// The register of the carry flag, once an instruction has it.
    pub carry: Option<Slot>,
    /// Constants by their bits, so that each gets only one register.
    constants: HashMap<Vec<u64>, Slot>,
    /// Addresses that are known, by their bits and width.
    address_constants: HashMap<(u64, u32), Slot>,
    /// The forms of opcodes of PTX that were met.
    pub(crate) opcodes: FxHashMap<String, Rc<[Known]>>,
    /// The contents of registers that never change.
    pub known: HashMap<Slot, u64>,
    /// The instructions.
    pub code: Vec<Op>,
    /// Their origins.
    pub sites: Vec<Site>,
    /// The targets of branches.
    pub edges: Vec<Edge>,
    /// The accesses of loads, stores and updates.
    pub accesses: Vec<Access>,
    /// The MMAs of warpgroups.
    /// Objects in shared memory.
    pub shared: Vec<SharedObject>,
    /// Objects in constant memory.
    pub constant_objects: Vec<Constant>,
    /// Variables in global memory.
    pub variables: Vec<Variable>,
    /// Registers that begin with the address of a variable.
    pub addressed: Vec<(Slot, u32, u64)>,
    /// Device functions.
    pub functions: Vec<Function>,
}

/// A branch past instructions that are yet to be emitted.
#[must_use]
pub struct Guard {
    edge: u32,
}

impl Assembler {
    /// The kernel, whose first instruction is `start`. What a launch requires is for the reader to
    /// fill in.
    pub fn kernel(self, name: String, start: u32, params: Vec<Param>) -> Kernel {
        Kernel {
            name,
            params,
            start,
            functions: self.functions,
            code: self.code,
            sites: self.sites,
            edges: self.edges,
            accesses: self.accesses,
            registers: self.registers,
            undefined: self.undefined,
            approximate: self.approximate,
            shared: self.shared,
            constants: self.constant_objects,
            variables: self.variables,
            addressed: self.addressed,
            located: self.located,
            uncounted: BTreeSet::new(),
            has_groups: self.has_groups,
            is_ptx: false,
            required_block: None,
            required_cluster: None,
            min_blocks: None,
            registers_at_launch: None,
            max_threads: None,
        }
    }

    /// Appends an instruction.
    pub fn push(&mut self, site: Site, instruction: impl Into<Op>) {
        self.code.push(instruction.into());
        self.sites.push(site);
    }

    /// Appends an instruction.
    pub fn emit(&mut self, at: &Site, instruction: impl Into<Op>) {
        self.push(at.clone(), instruction);
    }

    /// The number of the next instruction.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Registers for a value.
    ///
    /// # Errors
    ///
    /// Returns an error for a value that is too large.
    pub fn reserve(&mut self, ty: &Type) -> Result<Slot, TooLarge> {
        let slots = ty.slots();
        if slots > MAX_SLOTS || self.registers.len() + slots as usize > MAX_REGISTERS {
            return Err(TooLarge { of: "value", registers: slots });
        }
        let slot = self.registers.len() as Slot;
        self.registers.resize(self.registers.len() + slots as usize, 0);
        Ok(slot)
    }

    /// Registers that hold these bits from the start.
    ///
    /// # Errors
    ///
    /// Returns an error for a constant that is too large.
    pub fn hold(&mut self, bits: Vec<u64>) -> Result<Slot, TooLarge> {
        if let Some(slot) = self.constants.get(&bits) {
            return Ok(*slot);
        }
        if bits.len() as u64 > MAX_SLOTS || self.registers.len() + bits.len() > MAX_REGISTERS {
            return Err(TooLarge { of: "constant", registers: bits.len() as u64 });
        }
        let slot = self.registers.len() as Slot;
        self.registers.extend(&bits);
        self.known.extend((slot..).zip(bits.iter().copied()));
        self.constants.insert(bits, slot);
        Ok(slot)
    }

    /// Registers for a value.
    ///
    /// # Errors
    ///
    /// Returns an error for a value that is too large.
    pub fn allocate(&mut self, at: &Site, ty: &Type) -> Result<Slot, Error> {
        self.reserve(ty).map_err(|what| unmodelled(at, Unmodelled::Size, what))
    }

    /// A register for a word between two instructions.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel has too many registers.
    pub fn temporary(&mut self, at: &Site) -> Result<Slot, Error> {
        self.allocate(at, &Type::Scalar(Scalar::Int(64)))
    }

    /// Registers that hold these bits from the start.
    ///
    /// # Errors
    ///
    /// Returns an error for a constant that is too large.
    pub fn constant(&mut self, at: &Site, bits: Vec<u64>) -> Result<Slot, Error> {
        self.hold(bits).map_err(|what| unmodelled(at, Unmodelled::Size, what))
    }

    /// A register that begins with an address, in this many bits. It is shared with no number: an
    /// address of the own block's shared memory differs from block to block.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel has too many registers.
    pub fn address_constant(&mut self, at: &Site, address: u64, width: u32) -> Result<Slot, Error> {
        if let Some(slot) = self.address_constants.get(&(address, width)) {
            return Ok(*slot);
        }
        let slot = self.temporary(at)?;
        let bits = if width < 64 { short(address).unwrap_or(address) } else { address } & mask(width);
        self.registers[slot as usize] = bits;
        self.address_constants.insert((address, width), slot);
        if parts(address, SHARED).is_ok() {
            self.located.push(slot);
        } else {
            self.known.insert(slot, bits);
        }
        Ok(slot)
    }

    /// An access of one word in generic memory.
    pub fn plain_access(&mut self, bits: u32) -> u32 {
        let bytes = bits / 8;
        self.accesses.push(Access {
            space: 0,
            bytes: bytes.into(),
            align: bytes.into(),
            leaves: [Leaf { slot: 0, offset: 0, bytes, bits }].into(),
            strong: false,
            scope: Scope::Device,
            order: Order::default(),
        });
        self.accesses.len() as u32 - 1
    }

    /// Lets lanes skip the following instructions until `end_guard`, unless the predicate is as
    /// `wanted`.
    pub fn guard(&mut self, at: &Site, predicate: Slot, wanted: bool) -> Guard {
        let inside = self.edge_to(self.here() + 1);
        let past = self.edge_to(0);
        let (then, otherwise) = if wanted { (inside, past) } else { (past, inside) };
        self.emit(at, ControlOp::Branch { condition: predicate, then, otherwise });
        Guard { edge: past }
    }

    /// Where skipped lanes continue.
    pub fn end_guard(&mut self, guard: Guard) {
        let here = self.here();
        self.set_edge(guard.edge, here);
    }

    /// An edge to an instruction, without values.
    pub fn edge_to(&mut self, instruction: u32) -> u32 {
        self.edges.push(Edge { target: INSTRUCTION + instruction, moves: Box::default(), overlap: false });
        self.edges.len() as u32 - 1
    }

    /// Lets an edge lead to an instruction.
    pub fn set_edge(&mut self, edge: u32, instruction: u32) {
        self.edges[edge as usize].target = INSTRUCTION + instruction;
    }

    /// Replaces the targets of edges from `first` on: numbers of blocks by where they start.
    pub fn resolve(&mut self, first: usize, starts: &[u32]) {
        for edge in &mut self.edges[first..] {
            edge.target = match edge.target.checked_sub(INSTRUCTION) {
                Some(instruction) => instruction,
                None => starts[edge.target as usize],
            };
        }
    }
}
