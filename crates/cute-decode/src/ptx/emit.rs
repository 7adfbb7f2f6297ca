//! Statements of PTX to instructions.

use super::operands::Names;
use super::parse::{Instruction, Operand, Statement, parse};
use crate::maps::ptx_field;
use crate::mbarrier::spelled;
use crate::named::arithmetic;
use crate::nvvm::special;
use crate::{Decoder, malformed, site, unmodelled};
use cute_ffi::ir::is_used;
use cute_machine::types::{Leaf, Scalar, Type};
use cute_machine::{
    int::{IntOp, NoWrap, mask},
    predicate::IntPredicate,
};
use cute_sim::Error;
use cute_sim::program::{
    Access, Binary, Cast, Collective, GroupOp, MbarrierOp, Move, Op, Piece, Slot, Ternary, Unary,
};
use cute_sim::program::{Order, Scope};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// An instruction on its way, with its words between the dots.
pub(super) struct Line<'c, 'a, 'p> {
    pub(super) op: Ir<'c, 'a>,
    names: &'p mut Names,
    opcode: &'p str,
    words: Vec<&'p str>,
    operands: &'p [Operand],
    /// Whether its result is unused.
    ignored: bool,
}

impl Line<'_, '_, '_> {
    pub(super) fn wrong(&self, what: &str) -> Error {
        malformed(self.op, format!("`{}`: {what}", self.opcode))
    }

    pub(super) fn operand(&self, index: usize) -> Result<&Operand, Error> {
        self.operands.get(index).ok_or_else(|| self.wrong("an operand is missing"))
    }

    pub(super) fn operands(&self) -> &[Operand] {
        self.operands
    }

    /// Bits of the type at the end of the instruction, and whether it is signed.
    fn width(&self) -> Option<(u32, bool)> {
        let last = self.words.last()?;
        let (kind, bits) = last.split_at_checked(1)?;
        let bits = bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?;
        matches!(kind, "b" | "u" | "s" | "f").then_some((bits, kind == "s"))
    }

    /// The address space that the instruction names.
    fn space(&self) -> u32 {
        let names = |name| self.words.contains(&name);
        match () {
            () if names("shared::cluster") => 7,
            () if names("shared") || names("shared::cta") => 3,
            () if names("global") => 1,
            () => 0,
        }
    }
}

impl Decoder<'_> {
    /// `llvm.inline_asm` with this text.
    pub(crate) fn asm(&mut self, op: Ir<'_, '_>, text: &str) -> Result<(), Error> {
        let given = self.asm_operands(op)?;
        self.ptx(op, text, given)
    }

    /// `nvvm.inline_ptx` with this text.
    pub(crate) fn inline_ptx(&mut self, op: Ir<'_, '_>, text: &str) -> Result<(), Error> {
        let (given, predicate) = self.ptx_operands(op)?;
        let guard = predicate.map(|predicate| self.guard(op, predicate, true));
        self.ptx(op, text, given)?;
        if let Some(guard) = guard {
            self.end_guard(guard);
        }
        Ok(())
    }

    fn ptx(&mut self, op: Ir<'_, '_>, text: &str, given: Vec<(Slot, Scalar)>) -> Result<(), Error> {
        let mut names = Names { given, ..Names::default() };
        let statements = parse(text).map_err(|what| unmodelled(op, what))?;
        let is_result = |operand: &Operand| matches!(operand, Operand::Given(i) if *i < names.given.len());
        let used = op.results().any(|result| is_used(result.into()));
        let is_ignored = |operand: Option<&Operand>| {
            operand.is_some_and(|operand| {
                let mentions: usize = statements.iter().map(|statement| statement.mentions(operand)).sum();
                *operand == Operand::Sink || mentions == 1 && !(is_result(operand) && used)
            })
        };
        let ignored: Vec<bool> = statements
            .iter()
            .map(|s| matches!(s, Statement::Instruction(i) if is_ignored(i.operands.first())))
            .collect();
        for (statement, ignored) in statements.into_iter().zip(ignored) {
            match statement {
                Statement::Label(label) => {
                    let here = self.code.len() as u32;
                    if names.met.insert(label.clone(), here).is_some() {
                        return Err(unmodelled(op, format!("a second label `{label}` in one assembly text")));
                    }
                    let edge = self.edge_of(&mut names, &label);
                    self.set_edge(edge, here);
                }
                Statement::Registers { ty, names: declared } => {
                    let scalar = Scalar::Int(if ty == "pred" { 1 } else { 64 });
                    let count = if ty == "b128" { 2 } else { 1 };
                    for name in declared {
                        let slot = self.allocate(op, &Type::Array(count, Type::Scalar(scalar).into()))?;
                        self.undefined.push((slot..slot + count, site(op)));
                        names.registers.insert(name, slot);
                    }
                }
                Statement::Instruction(Instruction { guard, opcode, operands }) => {
                    let words = opcode.split('.').collect();
                    let mut line =
                        Line { op, names: &mut names, opcode: &opcode, words, operands: &operands, ignored };
                    self.guarded(&mut line, guard.as_ref())?;
                }
            }
        }
        match names.labels.keys().find(|label| !names.met.contains_key(*label)) {
            Some(label) => Err(malformed(op, format!("no label `{label}` in the assembly"))),
            None => Ok(()),
        }
    }

    /// The edge to a label.
    fn edge_of(&mut self, names: &mut Names, label: &str) -> u32 {
        if let Some(edge) = names.labels.get(label) {
            return *edge;
        }
        let edge = self.edge_to(0);
        names.labels.insert(label.to_owned(), edge);
        edge
    }

    fn guarded(&mut self, line: &mut Line<'_, '_, '_>, guard: Option<&(Operand, bool)>) -> Result<(), Error> {
        let first = self.code.len();
        let predicate = guard.map(|(predicate, wanted)| Ok((self.read(line, predicate, 1)?, *wanted)));
        let predicate = predicate.transpose()?;
        if line.words[0] == "bra" {
            let Operand::Name(label) = line.operand(0)?.clone() else {
                return Err(line.wrong("the target is not a label"));
            };
            let (there, next) = (self.edge_of(line.names, &label), self.edge_to(self.code.len() as u32 + 1));
            let branch = match predicate {
                None => Op::Jump { edge: there },
                Some((condition, true)) => Op::Branch { condition, then: there, otherwise: next },
                Some((condition, false)) => Op::Branch { condition, then: next, otherwise: there },
            };
            self.emit(line.op, branch);
        } else {
            let guard = predicate.map(|(slot, wanted)| self.guard(line.op, slot, wanted));
            if !self.instruction(line)? {
                return Err(unmodelled(line.op, format!("the PTX instruction `{}`", line.opcode)));
            }
            if let Some(guard) = guard {
                self.end_guard(guard);
            }
        }
        // Findings name the instruction.
        self.sites[first..].iter_mut().for_each(|site| site.op = line.opcode.to_owned());
        Ok(())
    }

    fn instruction(&mut self, line: &mut Line<'_, '_, '_>) -> Result<bool, Error> {
        let words = line.words.clone();
        match words[..] {
            ["mov", _] => self.ptx_move(line)?,
            ["cvta", "to", "shared" | "shared::cta", "u64"] => self.ptx_cast(line, 0, 3)?,
            ["cvta", "shared" | "shared::cta", "u64"] => self.ptx_cast(line, 3, 0)?,
            ["setp", compare, _] => return self.ptx_compare(line, compare),
            ["selp", _] => self.ptx_select(line)?,
            ["ld", "shared" | "shared::cta" | "shared::cluster" | "global", _]
            | ["st", "shared" | "shared::cta" | "shared::cluster" | "global", _] => self.ptx_access(line)?,
            ["mapa", _] | ["mapa", "shared::cluster", _] => {
                let (address, rank) =
                    (self.read(line, line.operand(1)?, 64)?, self.read(line, line.operand(2)?, 32)?);
                let dst = self.write(line, line.operand(0)?)?;
                self.emit(line.op, Op::MapAddress { dst, address, rank });
            }
            ["mbarrier", ..] => return self.ptx_mbarrier(line),
            ["cp", "async", "mbarrier", "arrive", ref rest @ ..] => {
                let address = self.address(line, 0)?;
                let op = MbarrierOp::Follow { increment: !rest.contains(&"noinc") };
                self.emit(line.op, Op::Mbarrier { op, address, space: line.space() });
            }
            ["st", "async", ref rest @ ..] => return self.ptx_remote(line, rest, false),
            ["red", "async", ref rest @ ..] => return self.ptx_remote(line, rest, true),
            ["clusterlaunchcontrol", ref rest @ ..] => return self.ptx_control(line, rest),
            ["cp", "async", "bulk", ref rest @ ..] => return self.ptx_bulk(line, rest, false),
            ["cp", "reduce", "async", "bulk", ref rest @ ..] => return self.ptx_bulk(line, rest, true),
            ["prefetch", ..] => self.emit(line.op, Op::Nothing),
            ["fence", ref rest @ ..] => {
                let map = (!line.operands.is_empty()).then(|| self.address(line, 0)).transpose()?;
                return self.fence(line.op, rest, map.map(|map| (map, 0)));
            }
            ["membar", scope] => return self.fence(line.op, &["acq_rel", scope], None),
            ["tensormap", "replace", ref field @ ..] => return self.ptx_replace(line, field),
            ["tensormap", "cp_fenceproxy", ref rest @ ..] => {
                let (to, from) = (self.address(line, 0)?, self.address(line, 1)?);
                return self.copy_map(line.op, rest, (to, 1), (from, 3));
            }
            [name @ ("bar" | "barrier"), "sync", ref rest @ ..]
            | [name @ ("bar" | "barrier"), "cta", "sync", ref rest @ ..] => {
                let aligned = name == "bar" || rest.contains(&"aligned");
                let id = Some(self.read(line, line.operand(0)?, 32)?);
                let threads = line.operands.get(1).map(|threads| self.read(line, threads, 32)).transpose()?;
                self.emit(line.op, Op::Barrier { id, threads, aligned });
            }
            [name @ ("bar" | "barrier"), "arrive", ref rest @ ..]
            | [name @ ("bar" | "barrier"), "cta", "arrive", ref rest @ ..] => {
                let aligned = name == "bar" || rest.contains(&"aligned");
                let id = Some(self.read(line, line.operand(0)?, 32)?);
                let threads = self.read(line, line.operand(1)?, 32)?;
                self.emit(line.op, Op::Arrive { id, threads, aligned });
            }
            ["bar", "warp", "sync"] => {
                let mask = self.read(line, line.operand(0)?, 32)?;
                self.emit(line.op, Op::WarpBarrier { mask });
            }
            ["barrier", "cluster", "arrive", ref rest @ ..] => {
                let (relaxed, aligned) = (rest.contains(&"relaxed"), rest.contains(&"aligned"));
                self.emit(line.op, Op::ClusterArrive { relaxed, aligned });
            }
            ["barrier", "cluster", "wait", ref rest @ ..] => {
                self.emit(line.op, Op::ClusterWait { aligned: rest.contains(&"aligned") });
            }
            ["elect", "sync"] => {
                let mask = Some(self.read(line, line.operand(1)?, 32)?);
                let Operand::Pair(leader, dst) = line.operand(0)? else { return Ok(false) };
                let leader = self.write_or_sink(line, leader)?;
                let dst = self.write(line, dst)?;
                self.emit(line.op, Op::Collective { mask, op: Collective::Elect { dst, leader } });
            }
            ["vote", "sync", kind, "pred" | "b32"] => {
                let Some(kind) = crate::collective::vote(kind) else { return Ok(false) };
                let predicate = self.read(line, line.operand(1)?, 1)?;
                let mask = Some(self.read(line, line.operand(2)?, 32)?);
                let dst = self.write(line, line.operand(0)?)?;
                self.emit(line.op, Op::Collective { mask, op: Collective::Vote { kind, dst, predicate } });
            }
            ["griddepcontrol", kind @ ("wait" | "launch_dependents")] => {
                self.emit(line.op, Op::GridDependency { waits: kind == "wait" });
            }
            ["setmaxnreg", action @ ("inc" | "dec"), "sync", "aligned", "u32"] => {
                let Operand::Number(count) = *line.operand(0)? else { return Ok(false) };
                self.registers_of_group(line.op, count, action == "inc")?;
            }
            ["wgmma", "fence", "sync", "aligned"] => self.group(line.op, GroupOp::Fence),
            ["wgmma", ref rest @ ..] => return self.ptx_wgmma(line, rest),
            ["nanosleep", "u32"] => self.emit(line.op, Op::Nothing),
            ["trap"] => self.emit(line.op, Op::Trap { message: None }),
            ["exit"] => self.emit(line.op, Op::Return),
            _ => return Ok(self.ptx_integer(line)? || self.ptx_float(line)?),
        }
        Ok(true)
    }

    /// The register of an operand that is read; of a number, one that holds its lowest bits.
    pub(super) fn read(
        &mut self,
        line: &Line<'_, '_, '_>,
        operand: &Operand,
        width: u32,
    ) -> Result<Slot, Error> {
        match operand {
            Operand::Number(n) => self.constant(line.op, vec![*n as u64 & mask(width)]),
            other => self.write(line, other),
        }
    }

    /// The register of an operand.
    pub(super) fn write(&self, line: &Line<'_, '_, '_>, operand: &Operand) -> Result<Slot, Error> {
        let slot = match operand {
            Operand::Given(i) => line.names.given.get(*i).map(|(slot, _)| *slot),
            Operand::Name(name) => line.names.registers.get(name).copied(),
            _ => None,
        };
        slot.ok_or_else(|| line.wrong(&format!("{operand:?} is not a register")))
    }

    /// A register that the assembly is given, and its bits.
    pub(super) fn piece(&self, line: &Line<'_, '_, '_>, operand: &Operand) -> Result<Piece, Error> {
        let bits = match operand {
            Operand::Given(i) => line.names.given.get(*i).map_or(32, |(_, scalar)| scalar.bits()),
            _ => 32,
        };
        Ok(Piece { slot: self.write(line, operand)?, bits })
    }

    fn write_or_sink(&self, line: &Line<'_, '_, '_>, operand: &Operand) -> Result<Option<Slot>, Error> {
        if *operand == Operand::Sink { Ok(None) } else { self.write(line, operand).map(Some) }
    }

    /// The register of an address in brackets.
    pub(super) fn address(&mut self, line: &Line<'_, '_, '_>, index: usize) -> Result<Slot, Error> {
        let Operand::Memory(base, offset) = line.operand(index)? else {
            return Err(line.wrong("an address in brackets is missing"));
        };
        let base = self.read(line, base, 64)?;
        if *offset == 0 {
            return Ok(base);
        }
        let dst = self.allocate(line.op, &Type::Scalar(Scalar::Int(64)))?;
        self.emit(line.op, Op::Address { dst, base, offset: *offset, terms: Box::default() });
        Ok(dst)
    }

    fn ptx_move(&mut self, line: &mut Line<'_, '_, '_>) -> Result<(), Error> {
        let width = line.width().map_or(1, |(width, _)| width);
        let dst = self.write(line, line.operand(0)?)?;
        if let Operand::Name(name) = line.operand(1)?
            && let Some(register) = name.strip_prefix('%')
            && !line.names.registers.contains_key(name)
        {
            let special = special(&register.replace('_', "."));
            let special = special.ok_or_else(|| unmodelled(line.op, format!("the register `{name}`")))?;
            self.emit(line.op, Op::Special { dst, special });
            return Ok(());
        }
        let src = self.read(line, line.operand(1)?, width)?;
        self.emit(line.op, Op::Copy(Move { dst, src, len: 1 }));
        Ok(())
    }

    fn ptx_cast(&mut self, line: &mut Line<'_, '_, '_>, from: u32, to: u32) -> Result<(), Error> {
        let (dst, a) = (self.write(line, line.operand(0)?)?, self.read(line, line.operand(1)?, 64)?);
        self.emit(
            line.op,
            Op::Cast { cast: Cast::AddressSpace { from, to }, at: Unary { dst, a, lanes: 1 } },
        );
        Ok(())
    }

    fn ptx_compare(&mut self, line: &mut Line<'_, '_, '_>, compare: &str) -> Result<bool, Error> {
        let Some((width, signed)) = line.width().filter(|_| !line.words[2].starts_with('f')) else {
            return Ok(false);
        };
        let predicate = match (compare, signed) {
            ("eq", _) => IntPredicate::Eq,
            ("ne", _) => IntPredicate::Ne,
            ("lt", true) => IntPredicate::Slt,
            ("le", true) => IntPredicate::Sle,
            ("gt", true) => IntPredicate::Sgt,
            ("ge", true) => IntPredicate::Sge,
            ("lt" | "lo", false) => IntPredicate::Ult,
            ("le" | "ls", false) => IntPredicate::Ule,
            ("gt" | "hi", false) => IntPredicate::Ugt,
            ("ge" | "hs", false) => IntPredicate::Uge,
            _ => return Ok(false),
        };
        let (a, b) = (self.read(line, line.operand(1)?, width)?, self.read(line, line.operand(2)?, width)?);
        let dst = self.write(line, line.operand(0)?)?;
        self.emit(line.op, Op::IntCompare { predicate, width, at: Binary { dst, a, b, lanes: 1 } });
        Ok(true)
    }

    fn ptx_select(&mut self, line: &mut Line<'_, '_, '_>) -> Result<(), Error> {
        let width = line.width().map_or(32, |(width, _)| width);
        let (b, c) = (self.read(line, line.operand(1)?, width)?, self.read(line, line.operand(2)?, width)?);
        let a = self.read(line, line.operand(3)?, 1)?;
        let dst = self.write(line, line.operand(0)?)?;
        self.emit(line.op, Op::Select { at: Ternary { dst, a, b, c, lanes: 1 }, per_lane: false });
        Ok(())
    }

    /// `add.u32` and its like.
    fn ptx_integer(&mut self, line: &mut Line<'_, '_, '_>) -> Result<bool, Error> {
        let Some((width, signed)) = line.width() else { return Ok(false) };
        let is_float = line.words.last().is_some_and(|word| word.starts_with('f'));
        let op = match line.words[..] {
            _ if is_float => return Ok(false),
            ["add", _] => IntOp::Add,
            ["sub", _] => IntOp::Sub,
            ["mul", "lo", _] => IntOp::Mul,
            ["and", _] => IntOp::And,
            ["or", _] => IntOp::Or,
            ["xor", _] => IntOp::Xor,
            ["cvt", "u32", "u64"] => IntOp::And,
            ["cvt", "u64", "u32"] => IntOp::Or,
            ["shl", _] => IntOp::Shl,
            ["shr", _] if signed => IntOp::ShrS,
            ["shr", _] => IntOp::ShrU,
            _ => return Ok(false),
        };
        let dst = self.write(line, line.operand(0)?)?;
        let a = self.read(line, line.operand(1)?, width)?;
        let (width, b) = match (line.words[0], op) {
            ("cvt", IntOp::And) => (64, self.constant(line.op, vec![u64::from(u32::MAX)])?),
            ("cvt", _) => (64, self.constant(line.op, vec![0])?),
            _ => (width, self.read(line, line.operand(2)?, width)?),
        };
        self.emit(
            line.op,
            Op::Int { op, width, no_wrap: NoWrap::default(), at: Binary { dst, a, b, lanes: 1 } },
        );
        Ok(true)
    }

    /// `tanh.approx.f32` and its like, of one number.
    fn ptx_float(&mut self, line: &mut Line<'_, '_, '_>) -> Result<bool, Error> {
        let words = line.words.clone();
        let Some((mut instruction, Some((1, ty)))) = arithmetic(&words) else { return Ok(false) };
        instruction.ty = ty;
        let n = instruction.function.operands();
        if line.operands.len() != n + 1 {
            return Err(line.wrong(&format!("{} operands for {}", line.operands.len(), n + 1)));
        }
        let operand = |i: usize| self.write(line, &line.operands[i.min(n)]);
        let at = Ternary { dst: operand(0)?, a: operand(1)?, b: operand(2)?, c: operand(3)?, lanes: 1 };
        self.emit_rounded(line.op, instruction, &words, at)?;
        Ok(true)
    }

    /// `tensormap.replace`: an address, an ordinal if the field has any, and the value.
    fn ptx_replace(&mut self, line: &mut Line<'_, '_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some(field) = ptx_field(words) else { return Ok(false) };
        let address = (self.address(line, 0)?, line.space());
        let last = line.operands.len() - 1;
        let ordinal = (last > 1).then(|| self.read(line, line.operand(1)?, 32)).transpose()?;
        let value = self.read(line, line.operand(last)?, field.bits())?;
        self.replace_field(line.op, address, field, ordinal, value)?;
        Ok(true)
    }

    /// `ld` and `st` of one scalar.
    fn ptx_access(&mut self, line: &mut Line<'_, '_, '_>) -> Result<(), Error> {
        let is_wide = line.words.last() == Some(&"b128");
        let width = if is_wide { Some((64, false)) } else { line.width() };
        let (bits, _) = width.ok_or_else(|| line.wrong("a type that is not a scalar of 8 to 128 bits"))?;
        let (bytes, count) = (bits / 8, if is_wide { 2 } else { 1 });
        let leaf = |slot: u32| Leaf { slot, offset: slot * bytes, bytes, bits };
        let leaves = (0..count).map(leaf).collect();
        let (size, space, scope) = (u64::from(bytes * count), line.space(), Scope::Device);
        let (strong, order) = (false, Order::default());
        self.accesses.push(Access { space, bytes: size, align: size, leaves, strong, scope, order });
        let access = self.accesses.len() as u32 - 1;
        if line.words[0] == "ld" {
            let address = self.address(line, 1)?;
            let dst = self.write(line, line.operand(0)?)?;
            self.emit(line.op, Op::Load { dst, address, access });
        } else {
            let address = self.address(line, 0)?;
            let src = self.read(line, line.operand(1)?, bits)?;
            self.emit(line.op, Op::Store { src, address, access });
        }
        Ok(())
    }

    fn ptx_mbarrier(&mut self, line: &mut Line<'_, '_, '_>) -> Result<bool, Error> {
        let words: Vec<&str> = line.words[1..].iter().flat_map(|word| word.split("::")).collect();
        let Some(mut spelled) = spelled(&words) else { return Ok(false) };
        spelled.ignored = line.ignored;
        // The result comes first, then the address.
        let is_address = |operand: &Operand| matches!(operand, Operand::Memory(..));
        let at = line.operands.iter().position(is_address);
        let (dst, first) = match at {
            Some(0) => (None, 0),
            _ => (self.write_or_sink(line, line.operand(0)?)?, 1),
        };
        let space = line.space();
        let mut operands = Vec::new();
        for (i, operand) in line.operands.iter().enumerate().skip(first) {
            operands.push(if is_address(operand) {
                (self.address(line, i)?, Scalar::Ptr(space))
            } else {
                (self.read(line, operand, 64)?, Scalar::Int(64))
            });
        }
        self.emit_mbarrier(line.op, spelled, &operands, dst)?;
        Ok(true)
    }
}
