//! How a kernel uses its parameters, as far as its text tells: which ones are addresses, of which
//! elements, and which ones are tensor maps. It must not know how arguments are written.
//!
//! A value is followed through moves, sums and products of addresses, in the order of the text,
//! twice, so that loops are seen. What this misses is a worse guess, never a wrong result.

use cute_ptx::syntax::{Function, Instruction, Number, Operand, Statement};
use std::collections::{BTreeMap, HashMap};

/// A place in the parameters: the number of one, and an offset in bytes.
pub(crate) type Place = (usize, u64);

/// How a kernel uses its parameters.
#[derive(Debug, Default)]
pub(crate) struct Flow<'a> {
    /// The accesses through an address that is at a place.
    pub(crate) pointers: BTreeMap<Place, Pointer<'a>>,
    /// The modes of the tensor map at a place.
    pub(crate) maps: BTreeMap<Place, u32>,
    /// The types by which places are loaded.
    pub(crate) loads: BTreeMap<Place, &'a str>,
    /// The most modes that a copy by a tensor map has, wherever the map is.
    pub(crate) modes: u32,
    /// The type of the operands of the kernel's MMAs.
    pub(crate) product: Option<&'static str>,
    /// Whether it reads a second mode of its block, or of the grid.
    pub(crate) is_flat: Flat,
}

/// Whether a kernel reads nothing but the first mode.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Flat {
    /// It reads `%tid.y` or `%ntid.y`.
    pub(crate) uses_rows_of_threads: bool,
    /// It reads `%ctaid.y`.
    pub(crate) uses_rows_of_blocks: bool,
}

/// The memory behind an address.
#[derive(Debug, Default)]
pub(crate) struct Pointer<'a> {
    /// The type of an access: `f32`, `b16`, `u32`.
    pub(crate) ty: Option<&'a str>,
    /// Bytes of an element, where an index is multiplied by them.
    pub(crate) bytes: Option<u64>,
    /// Whether it is read.
    pub(crate) is_read: bool,
    /// Whether it is accessed at all.
    pub(crate) is_accessed: bool,
}

/// The content of a register, as far as it leads to a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    /// The address at a place, or one that is computed from it.
    Pointer(Place),
    /// The address of a place itself.
    Parameter(Place),
}

/// Follows the parameters of a kernel.
pub(crate) fn follow<'a>(function: &Function<'a>) -> Flow<'a> {
    let mut flow = Flow::default();
    let Some(body) = function.body else { return flow };
    let names = function.params.iter().enumerate().map(|(i, param)| (param.name, i)).collect();
    let instructions: Vec<Instruction<'a>> = body
        .statements()
        .map_while(Result::ok)
        .filter_map(|(_, statement)| match statement {
            Statement::Instruction(instruction) => Some(instruction),
            _ => None,
        })
        .collect();
    let types = types(&instructions);
    let mut follower = Follower { flow: &mut flow, names, values: HashMap::new(), types: &types };
    for instruction in instructions.iter().chain(&instructions) {
        follower.step(instruction);
    }
    flow
}

struct Follower<'f, 'a> {
    flow: &'f mut Flow<'a>,
    names: HashMap<&'a str, usize>,
    values: HashMap<&'a str, Value>,
    /// The types by which registers are used.
    types: &'f HashMap<&'a str, &'a str>,
}

/// The parts of an opcode.
fn parts(opcode: &str) -> impl DoubleEndedIterator<Item = &str> {
    opcode.split('.')
}

/// Whether a part of an opcode is the type of a float.
fn is_float(part: &str) -> bool {
    matches!(part, "f16" | "bf16" | "f32" | "f64" | "f16x2" | "bf16x2")
}

/// The names in an operand.
fn names<'a>(operand: &Operand<'a>) -> Vec<&'a str> {
    match operand {
        Operand::Name(name) | Operand::Not(name) => vec![name],
        Operand::List(all) | Operand::Group(all) => all.iter().flat_map(names).collect(),
        Operand::Pair(one, other) => [names(one), names(other)].concat(),
        _ => Vec::new(),
    }
}

/// The type of the float that each register holds, by the instructions that compute with it, and
/// through moves in front of them.
fn types<'a>(instructions: &[Instruction<'a>]) -> HashMap<&'a str, &'a str> {
    let mut types: HashMap<&'a str, &'a str> = HashMap::new();
    for instruction in instructions.iter().rev() {
        let head = instruction.opcode.split('.').next().unwrap_or_default();
        let [first, others @ ..] = &instruction.operands[..] else { continue };
        if matches!(head, "mov" | "selp" | "shfl") && !instruction.opcode.split('.').any(is_float) {
            let known = names(first).iter().find_map(|name| types.get(name).copied());
            if let Some(ty) = known {
                others.iter().flat_map(names).for_each(|name| {
                    types.entry(name).or_insert(ty);
                });
            }
            continue;
        }
        if matches!(head, "ld" | "st" | "mma" | "wgmma" | "ldmatrix" | "stmatrix" | "wmma") {
            continue;
        }
        let floats: Vec<&'a str> = instruction.opcode.split('.').filter(|part| is_float(part)).collect();
        if let (Some(result), Some(operand)) = (floats.first(), floats.last()) {
            names(first).into_iter().for_each(|name| {
                types.entry(name).or_insert(result);
            });
            others.iter().flat_map(names).for_each(|name| {
                types.insert(name, operand);
            });
        }
    }
    types
}

impl<'a> Follower<'_, 'a> {
    fn step(&mut self, instruction: &Instruction<'a>) {
        let opcode = instruction.opcode;
        let head = parts(opcode).next().unwrap_or_default();
        for name in instruction.operands.iter().flat_map(names) {
            match name {
                "%tid.y" | "%ntid.y" => self.flow.is_flat.uses_rows_of_threads = true,
                "%ctaid.y" => self.flow.is_flat.uses_rows_of_blocks = true,
                _ => {}
            }
        }
        if head == "ld" && parts(opcode).any(|part| part.starts_with("param")) {
            self.parameter(instruction);
            return;
        }
        if matches!(head, "mma" | "wgmma" | "tcgen05" | "wmma") {
            self.flow.product = self.flow.product.or_else(|| product(opcode));
        }
        if opcode.contains("tensor") && head != "tensormap" {
            self.tensor(instruction);
        }
        match head {
            "mov" | "cvta" | "add" | "sub" | "mad" | "selp" | "cvt" | "shfl" => self.compute(instruction),
            "tensormap" => self.replaced(instruction),
            "ld" | "st" | "ldu" | "atom" | "red" | "cp" | "multimem" => self.access(instruction, head),
            _ => {}
        }
    }

    /// `ld.param.u64 %rd1, [p+8]`.
    fn parameter(&mut self, instruction: &Instruction<'a>) {
        let [to, Operand::Memory(base, offset), ..] = &instruction.operands[..] else { return };
        let Operand::Name(base) = **base else { return };
        let start = match (self.names.get(base), self.values.get(base)) {
            (Some(param), _) => (*param, 0),
            (None, Some(Value::Parameter(place))) => *place,
            _ => return,
        };
        let Some(ty) = parts(instruction.opcode).next_back() else { return };
        let bits: u64 = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(0);
        for (i, name) in names(to).into_iter().enumerate() {
            let place = (start.0, start.1.saturating_add_signed(*offset) + i as u64 * bits / 8);
            let held = self.types.get(name).copied().filter(|_| !ty.starts_with('f'));
            self.flow.loads.insert(place, held.unwrap_or(ty));
            if bits == 64 {
                self.values.insert(name, Value::Pointer(place));
            }
        }
    }

    /// The value of an operand that is a parameter's, or computed from one.
    fn value(&self, operand: &Operand<'a>) -> Option<Value> {
        match operand {
            Operand::Name(name) => {
                let parameter = self.names.get(name).map(|param| Value::Parameter((*param, 0)));
                self.values.get(name).copied().or(parameter)
            }
            Operand::Sum(name, offset) => {
                let param = self.names.get(name)?;
                Some(Value::Parameter((*param, u64::try_from(*offset).ok()?)))
            }
            _ => None,
        }
    }

    fn compute(&mut self, instruction: &Instruction<'a>) {
        let [Operand::Name(to), others @ ..] = &instruction.operands[..] else { return };
        let Some(mut value) = others.iter().find_map(|operand| self.value(operand)) else { return };
        let number = others.iter().find_map(|operand| match operand {
            Operand::Number(Number::Integer(n)) => u64::try_from(*n).ok(),
            _ => None,
        });
        let head = parts(instruction.opcode).next();
        if let (Value::Pointer(place), Some("cvta")) = (value, head) {
            // Whatever is behind it, it is an address.
            self.flow.pointers.entry(place).or_default().is_accessed = true;
        }
        match (&mut value, number) {
            (Value::Parameter((_, offset)), Some(n)) if head == Some("add") => *offset += n,
            (Value::Pointer(place), Some(n @ (1 | 2 | 4 | 8))) if head == Some("mad") => {
                self.flow.pointers.entry(*place).or_default().bytes.get_or_insert(n);
            }
            _ => {}
        }
        // A value of 32 bits is not an address of global memory any more.
        let is_wide = parts(instruction.opcode).any(|part| part == "wide" || part.ends_with("64"));
        if is_wide {
            self.values.insert(to, value);
        }
    }

    fn access(&mut self, instruction: &Instruction<'a>, head: &str) {
        let operands = &instruction.operands;
        for (i, operand) in operands.iter().enumerate() {
            let Operand::Memory(base, _) = operand else { continue };
            let Some(Value::Pointer(place)) = self.value(base) else { continue };
            let pointer = self.flow.pointers.entry(place).or_default();
            pointer.is_accessed = true;
            pointer.is_read |= head != "st" && !(head == "cp" && i == 0);
            if head == "cp" {
                continue;
            }
            let Some(written) = parts(instruction.opcode).next_back() else { continue };
            let data = operands.iter().enumerate().filter(|(k, _)| *k != i).flat_map(|(_, o)| names(o));
            let held = data.filter_map(|name| self.types.get(name).copied()).next();
            let ty = if written.starts_with(['f']) { written } else { held.unwrap_or(written) };
            if pointer.ty.is_none_or(|known| !is_float(known)) {
                pointer.ty = Some(ty);
            }
        }
    }

    /// `tensormap.replace..global_address` makes the map one of the array at an address.
    fn replaced(&mut self, instruction: &Instruction<'a>) {
        let address = instruction.operands.last().and_then(|operand| self.value(operand));
        if let Some(Value::Pointer(place)) = address {
            let pointer = self.flow.pointers.entry(place).or_default();
            (pointer.is_accessed, pointer.is_read) = (true, true);
        }
    }

    /// An instruction of the TMA: its map, and the number of modes.
    fn tensor(&mut self, instruction: &Instruction<'a>) {
        let modes = parts(instruction.opcode)
            .find_map(|part| part.strip_suffix('d').and_then(|n| n.parse::<u32>().ok()).filter(|n| *n <= 5));
        self.flow.modes = self.flow.modes.max(modes.unwrap_or(0));
        for operand in &instruction.operands {
            let base = match operand {
                Operand::Box(base, _) => base,
                Operand::Memory(base, 0) if instruction.opcode.starts_with("prefetch") => base,
                _ => continue,
            };
            // The base of a box is an address in brackets, or its name.
            let base = match &**base {
                Operand::Memory(inner, 0) => inner,
                _ => base,
            };
            let place = match self.value(base) {
                Some(Value::Parameter(place)) => place,
                Some(Value::Pointer(place)) => {
                    let pointer = self.flow.pointers.entry(place).or_default();
                    (pointer.is_accessed, pointer.is_read) = (true, true);
                    place
                }
                None => continue,
            };
            let known = self.flow.maps.entry(place).or_insert(0);
            *known = (*known).max(modes.unwrap_or(0));
        }
    }
}

/// The type of the operands of an MMA, in the words of arrays.
fn product(opcode: &str) -> Option<&'static str> {
    let mut named = parts(opcode).filter_map(|part| {
        Some(match part {
            "f16" | "kind::f16" => "f16",
            "bf16" => "bf16",
            "tf32" | "kind::tf32" => "f32",
            "e4m3" | "kind::f8f6f4" => "f8E4M3FN",
            "e5m2" => "f8E5M2",
            "s8" | "kind::i8" => "i8",
            "u8" => "u8",
            "f64" => "f64",
            _ => return None,
        })
    });
    named.next_back()
}
