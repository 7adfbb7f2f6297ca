//! Every row of the table of instructions, in every spelling: each name that a form declares is
//! decoded, and where an instruction only computes, it is run and compared with Rust.

use crate::decode;
use cute_arch::atoms::{BulkMode, MatrixElement, Tcgen05Group};
use cute_ptx::{
    Attribute, BarrierVerdict, Combination, Compare, Float, FloatCompare, Form, FoundModifiers, Instruction,
    Integer, Keyword, MatchKind, MatrixCount, Operand, OperandShape, Operation as O, OwnType, PermuteMode,
    Query, Redux, Role, RoundingMode, Row, ScalarType, Shuffle, Sign, Spelling, Takes, TensorShape,
    Transposition, Vector, Vote, WholeNumber, find, rows,
};
use cute_sim::{Arg, Launch, Memory};

/// The test of an operation.
enum Effect {
    /// The result in a lane, by the lane's own operands and those of all lanes.
    Value(fn(&Case<'_>, usize) -> u32),
    /// This file of tests shows its effect: one of this folder, or of those of cute-assembler.
    Shown(&'static str),
}

/// A test for each operation: one without a test does not compile.
fn effect(operation: O) -> Effect {
    match operation {
        O::Integer(
            Integer::AddCarry
            | Integer::SubCarry
            | Integer::MulAddCarry
            | Integer::LogicTest
            | Integer::MulAddHighSaturated
            | Integer::MulAdd24
            | Integer::Distance
            | Integer::InsertBits
            | Integer::Field
            | Integer::Find
            | Integer::NthSet
            | Integer::IsZero,
        ) => Effect::Shown("isa/integers.rs"),
        O::Integer(_) => Effect::Value(integer),
        O::Float(_) => Effect::Value(float),
        O::CopySign => Effect::Shown("isa/floats.rs"),
        O::ToWhole | O::ConvertFloat | O::ConvertScaled | O::PackIntegers => {
            Effect::Shown("isa/conversions.rs")
        }
        O::CompareToNumber | O::SelectBySign | O::TestFloat | O::IsInSpace => {
            Effect::Shown("isa/comparisons.rs")
        }
        O::Move => Effect::Value(|case, lane| case.a[lane] & case.mask()),
        O::Compare => Effect::Value(compare),
        O::Pack | O::Unpack => Effect::Shown("ptx.rs"),
        O::Convert => Effect::Value(|case, lane| case.a[lane]),
        O::FromInteger => Effect::Value(|case, lane| {
            let a = case.a[lane];
            let value = if case.source().is_signed() { a as i32 as f32 } else { a as f32 };
            value.to_bits()
        }),
        O::ToInteger => Effect::Value(|case, lane| {
            let a = f32::from_bits(case.a[lane]);
            let whole = match case.keyword() {
                Some(WholeNumber::Nearest) => a.round_ties_even(),
                Some(WholeNumber::Down) => a.floor(),
                Some(WholeNumber::Up) => a.ceil(),
                _ => a.trunc(),
            };
            if case.ty().is_signed() { whole as i32 as u32 } else { whole as u32 }
        }),
        O::Select => {
            Effect::Value(|case, lane| if lane & 1 == 1 { case.a[lane] } else { case.b[lane] } & case.mask())
        }
        O::Permute => Effect::Value(|case, lane| {
            let bytes = [case.a[lane].to_le_bytes(), case.b[lane].to_le_bytes()].concat();
            let at = (case.c[lane] & 3) as usize;
            let from = |order: [usize; 4]| u32::from_le_bytes(order.map(|i| bytes[i]));
            match case.keyword() {
                Some(PermuteMode::Forward) => return from([at, at + 1, at + 2, at + 3]),
                Some(PermuteMode::Backward) => return from([at, at + 7, at + 6, at + 5].map(|i| i % 8)),
                Some(PermuteMode::Replicate8) => return from([at; 4]),
                Some(PermuteMode::ClampLeft) => return from([0, 1, 2, 3].map(|i| at.max(i))),
                Some(PermuteMode::ClampRight) => return from([0, 1, 2, 3].map(|i| at.min(i))),
                Some(PermuteMode::Replicate16) => return from([0, 1, 0, 1].map(|i| i + (at & 1) * 2)),
                Some(PermuteMode::Digits) | None => {}
            }
            u32::from_le_bytes([0, 4, 8, 12].map(|i| {
                let digit = (case.c[lane] >> i & 15) as usize;
                if digit < 8 { bytes[digit] } else { ((bytes[digit & 7] as i8) >> 7) as u8 }
            }))
        }),
        O::DotBytes | O::DotHalves => Effect::Value(dot),
        O::ActiveMask => Effect::Value(|_, _| u32::MAX),
        O::Shuffle => Effect::Value(|case, lane| {
            case.a[match case.keyword() {
                Some(Shuffle::Up) => lane.saturating_sub(1),
                Some(Shuffle::Down) => (lane + 1).min(31),
                Some(Shuffle::Xor) => lane ^ 1,
                _ => 1,
            }]
        }),
        O::Vote => Effect::Value(|case, _| match case.keyword() {
            Some(Vote::Ballot) => 0xaaaa_aaaa,
            Some(Vote::Any) => 1,
            _ => 0,
        }),
        // The predicate holds in half of the lanes.
        O::BarrierReduce => Effect::Value(|case, _| match case.keyword() {
            Some(BarrierVerdict::Count) => 16,
            Some(BarrierVerdict::Any) => 1,
            _ => 0,
        }),
        O::Match => Effect::Value(|case, lane| {
            let same = (0..32).filter(|i| case.a[*i] == case.a[lane]).fold(0, |mask, i| mask | 1 << i);
            if case.keyword() == Some(MatchKind::All) { 0 } else { same }
        }),
        O::Redux => Effect::Value(|case, _| {
            let all = case.a.iter().copied();
            match case.keyword() {
                Some(Redux::And) => all.fold(u32::MAX, |x, y| x & y),
                Some(Redux::Or) => all.fold(0, |x, y| x | y),
                Some(Redux::Xor) => all.fold(0, |x, y| x ^ y),
                Some(Redux::MinS) => all.map(|x| x as i32).min().map_or(0, |x| x as u32),
                Some(Redux::MaxS) => all.map(|x| x as i32).max().map_or(0, |x| x as u32),
                Some(Redux::MinU) => all.min().unwrap_or(0),
                Some(Redux::MaxU) => all.max().unwrap_or(0),
                _ => all.fold(0, u32::wrapping_add),
            }
        }),
        O::ReduxFloat | O::BlockRank => Effect::Shown("isa/warps.rs"),
        O::AddressCast | O::MapAddress | O::Trap | O::Exit => Effect::Shown("ptx.rs"),
        O::StackAllocate | O::StackSave | O::StackRestore => Effect::Shown("isa/stack.rs"),
        O::Load | O::Store | O::Atomic | O::StoreZeros | O::CachePolicy | O::AsyncCopy => {
            Effect::Shown("accesses.rs")
        }
        O::Transpose | O::Elect | O::WarpBarrier | O::LoadMatrix | O::StoreMatrix => {
            Effect::Shown("named.rs")
        }
        O::Barrier | O::BarrierArrive | O::ClusterArrive | O::ClusterWait => Effect::Shown("cluster.rs"),
        O::Registers => Effect::Shown("registers.rs"),
        O::GridDependency => Effect::Shown("dependent.rs"),
        O::KeepLine | O::DiscardLine => Effect::Shown("isa/caches.rs"),
        O::Nothing => Effect::Shown("table.rs"),
        O::BarrierInit
        | O::BarrierInvalidate
        | O::BarrierExpect
        | O::BarrierComplete
        | O::BarrierPhaseArrive
        | O::BarrierPhaseWait
        | O::BarrierPending
        | O::BarrierFollow => Effect::Shown("mbarrier.rs"),
        O::AsyncCommit | O::AsyncWait => Effect::Shown("machine.rs"),
        O::BulkLoad | O::BulkSend | O::BulkStore | O::BulkCommit | O::BulkWait => {
            Effect::Shown("tma/bulk.rs")
        }
        O::BulkReduce | O::BoxReduce | O::BoxStore => Effect::Shown("tma/stores.rs"),
        O::BoxLoad => Effect::Shown("tma/loads.rs"),
        O::Fence | O::FenceBarriers | O::FenceProxy => Effect::Shown("ptx.rs"),
        O::FenceMapRelease | O::FenceMapAcquire | O::MapReplace | O::MapCopy => Effect::Shown("tma/maps.rs"),
        O::RemoteStore | O::RemoteReduce => Effect::Shown("remote.rs"),
        O::GroupFence | O::GroupCommit | O::GroupWait => Effect::Shown("wgmma.rs"),
        O::TensorAlloc
        | O::TensorDealloc
        | O::TensorRelinquish
        | O::TensorLoad
        | O::TensorStore
        | O::TensorWait
        | O::TensorFence
        | O::TensorCommit
        | O::TensorCopy
        | O::TensorMultiply => Effect::Shown("tcgen05/text.rs"),
        O::TryCancel | O::QueryCancel | O::QueryBlock => Effect::Shown("cluster.rs"),
    }
}

/// An instruction under one of its names, and the operands of all lanes.
struct Case<'r> {
    row: &'r Row,
    form: &'r Form,
    name: String,
    found: FoundModifiers,
    a: [u32; 32],
    b: [u32; 32],
    c: [u32; 32],
}

impl Case<'_> {
    fn named<K: Keyword>(&self, label: &str) -> Option<K> {
        let (_, row) = self.found.keywords.iter().find(|(name, _)| *name == label)?;
        K::ALL.get(*row).copied()
    }

    fn keyword<K: Keyword>(&self) -> Option<K> {
        self.named(K::TABLE.name)
    }

    /// Whether a vector of a load or a store has 32 bytes.
    fn is_wide(&self) -> bool {
        self.name.contains(".v8") || (self.name.contains(".v4") && self.ty().bits() == 64)
    }

    /// Whether a load or a store names a space that is not global memory.
    fn has_another_space(&self) -> bool {
        [".shared", ".local", ".param", ".const"].iter().any(|space| self.name.contains(space))
    }

    fn has(&self, flag: &str) -> bool {
        self.found.flags.contains(&flag)
    }

    /// The type of the operand that a conversion reads.
    fn source(&self) -> ScalarType {
        self.named("from").unwrap_or_else(|| self.ty())
    }

    fn ty(&self) -> ScalarType {
        let default =
            if matches!(self.row.operation, O::Float(_)) { ScalarType::F32 } else { ScalarType::U32 };
        self.named("to").or(self.keyword()).unwrap_or(default)
    }

    /// The bits of the result that are stored.
    fn mask(&self) -> u32 {
        if self.ty().bits() < 32 { (1 << self.ty().bits()) - 1 } else { u32::MAX }
    }

    /// Whether the operands of all lanes can be 32-bit words.
    fn is_run(&self) -> bool {
        let is_word =
            |ty| matches!(ty, ScalarType::U32 | ScalarType::S32 | ScalarType::B32 | ScalarType::F32);
        let words = is_word(self.ty()) && is_word(self.source());
        let sources = self.form.operands.iter().filter_map(|operand| operand.role);
        let is_float = matches!(self.row.operation, O::Float(_));
        let is_plain = !self.has("relu") && self.named::<ScalarType>("narrow").is_none();
        let is_nearest = matches!(self.keyword(), None | Some(RoundingMode::NearestEven));
        words
            && is_plain
            && (is_float || is_nearest && !self.has("sat"))
            && sources.into_iter().all(|role| role != Role::VALUES)
            && matches!(effect(self.row.operation), Effect::Value(_))
    }

    /// The type of an operand or a result in MLIR.
    fn type_of(&self, role: Role) -> &'static str {
        match (self.row.operation, role) {
            (O::MapAddress, Role::A) => "!llvm.ptr<3>",
            (O::MapAddress, Role::RESULT) => "!llvm.ptr<7>",
            (O::QueryCancel, Role::A) => "i128",
            (O::StoreZeros, Role::A) => "i64",
            (O::ReduxFloat, Role::A | Role::RESULT) => "f32",
            (O::QueryCancel, Role::RESULT) if self.keyword() == Some(Query::IsCanceled) => "i1",
            (O::BarrierPending, Role::A) | (O::BarrierPhaseArrive, Role::RESULT) => "i64",
            (O::BarrierReduce, Role::CONDITION | Role::RESULT) if self.form.spelling == Spelling::Nvvm => {
                "i32"
            }
            (O::BarrierReduce, Role::RESULT) if self.keyword() == Some(BarrierVerdict::Count) => "i32",
            (O::BarrierReduce, Role::RESULT) => "i1",
            (O::BarrierPhaseWait, Role::RESULT) | (_, Role::CONDITION | Role::FLAG | Role::GUARD) => "i1",
            (O::Integer(Integer::MulWide | Integer::MulAddWide), Role::RESULT) => "i64",
            (O::Integer(Integer::MulAddWide), Role::C) => "i64",
            (O::BarrierPhaseWait, Role::PHASE) if self.has("parity") => "i32",
            (_, Role::PHASE) => "i64",
            (O::Vote, Role::RESULT) if self.keyword() != Some(Vote::Ballot) => "i1",
            (O::Compare, Role::RESULT) => "i1",
            (O::DotHalves, Role::ID) => "i1",
            (O::DotBytes | O::DotHalves, Role::B) if self.form.spelling == Spelling::Nvvm => "vector<4xi8>",
            (O::DotBytes, Role::A) if self.form.spelling == Spelling::Nvvm => "vector<4xi8>",
            (O::DotHalves, Role::A) if self.form.spelling == Spelling::Nvvm => "vector<2xi16>",
            (O::MapReplace, Role::A) if self.name.contains("stride") || self.name.contains("address") => {
                "i64"
            }
            (O::Nothing, Role::ADDRESS) if self.name.contains("bulk") => "!llvm.ptr<1>",
            (O::MapReplace | O::FenceMapAcquire | O::Nothing, Role::ADDRESS) => "!llvm.ptr",
            (O::BulkLoad, Role::SOURCE) | (O::BulkStore, Role::ADDRESS) => "!llvm.ptr<1>",
            (O::BulkLoad | O::BulkSend | O::BoxLoad, Role::ADDRESS) => "!llvm.ptr<7>",
            (_, Role::MAP) => "!llvm.ptr",
            (_, Role::MASKED) => "i1",
            (_, Role::OFFSETS) => "i16",
            (_, Role::ADDRESS | Role::SOURCE | Role::BARRIER) => "!llvm.ptr<3>",
            (O::Match, Role::A) if self.name.contains("64") => "i64",
            (O::Match, Role::RESULT) => "i32",
            (_, Role::RESULT | Role::A | Role::B | Role::C) => {
                match if role == Role::A { self.source() } else { self.ty() } {
                    ScalarType::F32 => "f32",
                    ScalarType::F64 => "f64",
                    ScalarType::F16 => "f16",
                    ScalarType::Bf16 => "bf16",
                    ScalarType::F16x2 => "vector<2xf16>",
                    ScalarType::Bf16x2 => "vector<2xbf16>",
                    ty => match ty.bits() {
                        1 => "i1",
                        8 => "i8",
                        16 => "i16",
                        64 => "i64",
                        _ => "i32",
                    },
                }
            }
            _ => "i32",
        }
    }

    /// A constant in an operand's place.
    fn number(&self, role: Role) -> i64 {
        match (self.row.operation, role) {
            (O::Registers, _) => 64,
            (_, Role::BYTES) => 128,
            (O::StoreZeros, _) => 0,
            (O::AsyncCopy, _) => 16,
            _ => 1,
        }
    }

    /// How many values a list has: the coordinates of a row of pixels, or of four rows.
    fn count(&self, role: Option<Role>) -> usize {
        match role {
            Some(Role::COORDINATES) if self.keyword() == Some(BulkMode::Rows4) => 5,
            Some(Role::COORDINATES) if self.keyword() == Some(BulkMode::Im2col) => 3,
            Some(Role::OFFSETS) => usize::from(self.keyword() == Some(BulkMode::Im2col)),
            Some(Role::VALUES | Role::RESULT) => self.matrix_registers(),
            Some(_) => 2,
            None => 0,
        }
    }

    /// Registers of matrices, by the name or NVVM's element type.
    fn matrix_registers(&self) -> usize {
        let count = self.keyword().map_or(1, MatrixCount::number) as usize;
        if self.matrix_shape() == [16, 16] { 2 * count } else { count }
    }

    /// A register in a list: those of matrices have 32 bits.
    /// The instruction of PTX, if its modifiers go together.
    fn instruction(&self) -> Option<Instruction> {
        let words: Vec<&str> = self.name.split('.').collect();
        let mut all = find(Spelling::Ptx, &self.name).into_iter();
        all.find(|one| one.form.text == self.form.text && one.wrong_modifiers(&words).is_none())
    }

    /// Registers of a list in braces.
    fn list(&self) -> usize {
        match self.row.operation {
            O::LoadMatrix | O::StoreMatrix => self.matrix_registers(),
            O::Pack | O::Unpack => 2,
            O::ConvertFloat => 4,
            O::TensorLoad | O::TensorStore => {
                let (_, _, each) = self.keyword().map_or((0, 0, 1), TensorShape::extents);
                let repeats =
                    self.found.flags.iter().find_map(|flag| flag.strip_prefix('x')?.parse::<u32>().ok());
                (each * repeats.unwrap_or(1)) as usize
            }
            O::TensorMultiply if self.keyword() == Some(Tcgen05Group::Pair) => 8,
            O::TensorMultiply => 4,
            _ => self.keyword().map_or(1, Vector::number) as usize,
        }
    }

    /// Rows and columns of a matrix.
    fn matrix_shape(&self) -> [u32; 2] {
        let is_transposed = self.keyword() == Some(Transposition::Transposed);
        match (self.row.operation, self.keyword()) {
            (_, Some(MatrixElement::B16) | None) => [8, 8],
            (O::StoreMatrix, _) => [16, 8],
            _ if is_transposed => [16, 16],
            _ => [8, 16],
        }
    }

    /// Whether NVVM has such an operation: its modifiers are attributes, of which not all go
    /// together.
    fn exists(&self) -> bool {
        match self.form.spelling {
            // tests/intrinsics.rs compares those that LLVM has with their PTX.
            Spelling::Intrinsic if !self.is_run() => return false,
            // These have types of their own: conversions.rs and tcgen05 show them.
            Spelling::Nvvm if matches!(self.row.operation, O::ConvertFloat | O::AsyncCopy) => return false,
            Spelling::Nvvm if self.name.starts_with("tcgen05") => return false,
            _ => {}
        }
        if self.form.spelling == Spelling::Ptx && self.instruction().is_none() {
            return false;
        }
        let is_byte = self.keyword() == Some(MatrixElement::B8);
        !is_byte || self.keyword() == Some(Transposition::Transposed)
    }

    /// The lengths of the groups of operands, of an operation of NVVM that has a list.
    fn segments(&self) -> String {
        let length = |operand: &Operand| match operand.shape {
            _ if operand.optional => 0,
            OperandShape::Rest => self.count(operand.role),
            _ => 1,
        };
        let is_grouped = matches!(self.row.operation, O::BulkLoad | O::BulkStore | O::BarrierReduce)
            || self.row.operation != O::StoreMatrix
                && self.form.operands.iter().any(|operand| operand.shape == OperandShape::Rest);
        // One of two numbers.
        if self.name == "pmevent" {
            return "eventId = 1 : i32".to_owned();
        }
        let lengths: Vec<String> = self.form.operands.iter().map(|o| length(o).to_string()).collect();
        if is_grouped {
            format!("operandSegmentSizes = array<i32: {}>", lengths.join(", "))
        } else {
            String::new()
        }
    }

    /// The operands that are written, in NVVM and intrinsics.
    fn sources(&self) -> impl Iterator<Item = &Operand> {
        self.form.operands.iter().filter(|operand| !operand.optional)
    }

    /// The instruction in the IR, with its result in `%r`.
    fn text(&self, attributes: &str) -> String {
        if self.form.spelling == Spelling::Ptx {
            return self.assembly();
        }
        let (mut before, mut operands, mut types) = (String::new(), Vec::new(), Vec::new());
        let sources = self.sources().flat_map(|operand| {
            let rest = operand.shape == OperandShape::Rest;
            vec![operand; if rest { self.count(operand.role) } else { 1 }]
        });
        for operand in sources {
            let ty = operand.role.map_or("i32", |role| self.type_of(role));
            let name = match operand.role {
                Some(role) if operand.shape == OperandShape::Number => {
                    let name = format!("%k{}", operands.len());
                    before += &format!("{name} = llvm.mlir.constant({} : {ty}) : {ty}\n", self.number(role));
                    name
                }
                Some(role) => format!("%{}_{}", role.name(), spelled(ty)),
                None => "%mask_i32".to_owned(),
            };
            operands.push(name);
            types.push(ty);
        }
        let results: Vec<&str> = self
            .form
            .results
            .iter()
            .filter(|r| !r.optional)
            .filter_map(|r| r.role)
            .map(|r| self.type_of(r))
            .collect();
        let results = match self.row.operation {
            O::LoadMatrix => vec!["i32"; self.matrix_registers()],
            _ => results,
        };
        let result = match results[..] {
            [] => "()".to_owned(),
            [one] => one.to_owned(),
            _ => format!("!llvm.struct<({})>", results.join(", ")),
        };
        let assigned = if results.is_empty() { "" } else { "%made = " };
        let (operands, types) = (operands.join(", "), types.join(", "));
        let op = match self.form.spelling {
            Spelling::Nvvm => {
                let [m, n] = self.matrix_shape();
                let shape = match self.row.operation {
                    O::LoadMatrix | O::StoreMatrix => {
                        format!("shape = #nvvm.ld_st_matrix_shape<m = {m}, n = {n}>")
                    }
                    _ => String::new(),
                };
                let all = [attributes.to_owned(), self.segments(), shape];
                let all: Vec<String> = all.into_iter().filter(|one| !one.is_empty()).collect();
                format!("\"nvvm.{}\"({operands}) {{{}}}", self.name, all.join(", "))
            }
            _ => format!("llvm.call_intrinsic \"llvm.nvvm.{}\"({operands})", self.name),
        };
        let after = match results[..] {
            [] => String::new(),
            [one] => self.as_word("%made", one),
            _ => {
                format!("%field = llvm.extractvalue %made[0] : {result}\n")
                    + &self.as_word("%field", results[0])
            }
        };
        format!("{before}{assigned}{op} : ({types}) -> {result}\n{after}")
    }

    /// The value as an i32 in `%r`.
    fn as_word(&self, value: &str, ty: &str) -> String {
        match ty {
            "i32" => format!("%r = llvm.or {value}, {value} : i32\n"),
            "i64" if self.is_run() => format!("%r = llvm.trunc {value} : i64 to i32\n"),
            "i1" => format!("%r = llvm.zext {value} : i1 to i32\n"),
            "f32" => format!("%r = llvm.bitcast {value} : f32 to i32\n"),
            _ => String::new(),
        }
    }

    fn assembly(&self) -> String {
        let (mut text, mut given) = (
            String::from(
                "{ .reg .pred p, q; .reg .b64 %v; .reg .b32 %m; .reg .b16 %h; .reg .b8 %c; .reg .b128 %w; ",
            ),
            Vec::new(),
        );
        let mut result = None;
        let mut words = Vec::new();
        let is_run = self.is_run();
        let instruction = self.instruction().expect("the table has it");
        for operand in &self.form.operands {
            let is_policy = operand.role.is_none() && operand.own == Some(OwnType::Fixed(ScalarType::U64));
            if is_policy && !self.name.contains("L2::cache_hint") {
                continue;
            }
            let role = operand.role.unwrap_or(Role::MASK);
            let fitting = register_for(instruction.takes(operand, operand.role));
            let ty = self.type_of(role);
            let register = |given: &mut Vec<(String, &'static str)>| {
                given.push((format!("%{}_{}", role.name(), spelled(ty)), ty));
                format!("${}", given.len())
            };
            words.push(match (role, operand.shape) {
                (_, OperandShape::Address(_)) => format!("[{fitting}]"),
                (_, OperandShape::Box(_)) => "[%v, {%m, %m}]".to_owned(),
                (_, OperandShape::Number) => self.number(role).to_string(),
                (_, OperandShape::List) => {
                    let part = match (self.row.operation, self.ty()) {
                        (O::Pack | O::Unpack, ScalarType::B16) => "%c",
                        (O::Pack | O::Unpack, ScalarType::B32) => "%h",
                        (O::Pack | O::Unpack, ScalarType::B64) => "%m",
                        (O::Pack | O::Unpack, _) => "%v",
                        _ => fitting,
                    };
                    format!("{{{}}}", vec![part; self.list()].join(", "))
                }
                // An arrival at another block's barrier has no result.
                (Role::RESULT, _) if self.name.contains("arrive") && self.name.contains("::cluster.b64") => {
                    "_".to_owned()
                }
                (_, OperandShape::Pair(_)) if !is_run => format!("{fitting}|p"),
                _ if !is_run => fitting.to_owned(),
                (Role::RESULT, OperandShape::Pair(_)) => {
                    result = Some(ty);
                    if ty == "i1" { "p|q" } else { "$0|q" }.to_owned()
                }
                (Role::RESULT, _) => {
                    result = Some(ty);
                    if ty == "i1" { "p".to_owned() } else { "$0".to_owned() }
                }
                (Role::CONDITION, _) => {
                    let word = format!("${}", given.len() + 1);
                    given.push(("%word_q".to_owned(), "i32"));
                    text += &format!("setp.ne.b32 q, {word}, 0; ");
                    "q".to_owned()
                }
                _ => register(&mut given),
            });
        }
        let name = &self.name;
        text += &format!("{name} {}; ", words.join(", "));
        let ty = match result {
            Some("i1") => {
                text += "selp.b32 $0, 1, 0, p; ";
                "i32"
            }
            Some(ty) => ty,
            None => "()",
        };
        let (assigned, first) = if result.is_some() { ("%made = ", "=r") } else { ("", "") };
        let constraints: Vec<&str> =
            [first].into_iter().filter(|c| !c.is_empty()).chain(given.iter().map(|_| "r")).collect();
        let operands: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<&str> = given.iter().map(|(_, ty)| *ty).collect();
        format!(
            "{assigned}llvm.inline_asm has_side_effects \"{text}}}\", \"{}\" {} : ({}) -> {ty}\n{}",
            constraints.join(","),
            operands.join(", "),
            types.join(", "),
            if result.is_some() { self.as_word("%made", ty) } else { String::new() }
        )
    }
}

/// A register of the assembly that an operand takes.
fn register_for(takes: Option<Takes>) -> &'static str {
    use ScalarType as S;
    let all =
        [("%v", S::B64), ("%m", S::B32), ("%h", S::B16), ("%c", S::B8), ("p", S::Pred), ("%w", S::B128)];
    let mut fitting = all.into_iter().filter(|(_, ty)| takes.is_none_or(|takes| takes.accepts(*ty)));
    fitting.next().expect("a type of registers").0
}

/// The reason why ptxas refuses an instruction that the table has, so that the error can say it.
fn refusal(case: &Case<'_>) -> Option<&'static str> {
    match case.row.operation {
        O::BarrierPhaseWait if case.name.contains("shared::cluster") => {
            Some("only threads of the barrier's own block may wait for it")
        }
        O::StackAllocate | O::StackSave | O::StackRestore if case.ty() == ScalarType::U32 => {
            Some("an address of local memory in 32 bits is not modelled")
        }
        O::Load | O::Store if case.is_wide() && case.has_another_space() => {
            Some("32 bytes in one access need global memory")
        }
        _ => None,
    }
}

/// A type as part of a name.
fn spelled(ty: &str) -> String {
    ty.replace(|c: char| !c.is_ascii_alphanumeric(), "")
}

fn integer(case: &Case<'_>, lane: usize) -> u32 {
    let (a, b, c, signed) = (case.a[lane], case.b[lane], case.c[lane], case.ty().is_signed());
    let O::Integer(operation) = case.row.operation else { unreachable!() };
    match operation {
        Integer::Add => a.wrapping_add(b),
        Integer::Sub => a.wrapping_sub(b),
        Integer::Mul => a.wrapping_mul(b),
        Integer::And => a & b,
        Integer::Or => a | b,
        Integer::Xor => a ^ b,
        Integer::AddCarry
        | Integer::SubCarry
        | Integer::MulAddCarry
        | Integer::LogicTest
        | Integer::MulAddHighSaturated
        | Integer::MulAdd24
        | Integer::Distance
        | Integer::InsertBits
        | Integer::Field
        | Integer::Find
        | Integer::NthSet
        | Integer::IsZero => unreachable!("shown elsewhere"),
        Integer::Shl => a << b,
        Integer::Shr if signed => (a as i32 >> b) as u32,
        Integer::Shr => a >> b,
        Integer::Min if signed => (a as i32).min(b as i32) as u32,
        Integer::Min => a.min(b),
        Integer::Max if signed => (a as i32).max(b as i32) as u32,
        Integer::Max => a.max(b),
        Integer::Not => !a,
        Integer::Neg => a.wrapping_neg(),
        Integer::Abs => (a as i32).unsigned_abs(),
        Integer::Popcount => a.count_ones(),
        Integer::LeadingZeros => a.leading_zeros(),
        Integer::ReverseBits => a.reverse_bits(),
        Integer::Div if signed => (a as i32 / b as i32) as u32,
        Integer::Div => a / b,
        Integer::Rem if signed => (a as i32 % b as i32) as u32,
        Integer::Rem => a % b,
        Integer::AddSaturated if signed => (a as i32).saturating_add(b as i32) as u32,
        Integer::AddSaturated => a.saturating_add(b),
        Integer::SubSaturated => (a as i32).saturating_sub(b as i32) as u32,
        Integer::MulHigh | Integer::MulAddHigh => {
            let high = if signed {
                ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32
            } else {
                ((u64::from(a) * u64::from(b)) >> 32) as u32
            };
            if operation == Integer::MulHigh { high } else { high.wrapping_add(c) }
        }
        Integer::MulWide => a.wrapping_mul(b),
        Integer::MulAdd | Integer::MulAddWide => a.wrapping_mul(b).wrapping_add(c),
        Integer::FunnelLeft | Integer::FunnelRight => {
            let (pair, wraps) = (u64::from(b) << 32 | u64::from(a), case.has("wrap"));
            let amount = if wraps { c % 32 } else { c.min(32) };
            let is_left = operation == Integer::FunnelLeft;
            if is_left { (pair << amount >> 32) as u32 } else { (pair >> amount) as u32 }
        }
        Integer::ExtractBits => {
            let (from, length) = (b & 255, (c & 255).min(32));
            let rest = if signed { i64::from(a as i32) } else { i64::from(a) } >> from.min(63);
            match length {
                0 => 0,
                _ if signed => (rest << (64 - length) >> (64 - length)) as u32,
                _ => (rest as u64 & ((1 << length) - 1)) as u32,
            }
        }
        // The table is the number 1: all three bits are clear.
        Integer::Logic => !a & !b & !c,
        Integer::Extend => {
            let bits = if case.has("wrap") { b % 32 } else { b.min(32) };
            let unused = 32 - bits;
            match (bits, signed || case.has("sext")) {
                (0, _) => 0,
                (_, true) => (((a << unused) as i32) >> unused) as u32,
                (_, false) => a << unused >> unused,
            }
        }
    }
}

fn float(case: &Case<'_>, lane: usize) -> u32 {
    let [a, b, c] = [case.a[lane], case.b[lane], case.c[lane]].map(f32::from_bits);
    let O::Float(operation) = case.row.operation else { unreachable!() };
    let exact = match operation {
        Float::Add => a + b,
        Float::Sub => a - b,
        Float::Mul => a * b,
        Float::Div => a / b,
        Float::Fma => a.mul_add(b, c),
        Float::Sqrt => a.sqrt(),
        Float::Rcp => 1.0 / a,
        Float::Rsqrt => 1.0 / a.sqrt(),
        Float::Ex2 => a.exp2(),
        Float::Lg2 => a.log2(),
        Float::Sin => a.sin(),
        Float::Cos => a.cos(),
        Float::Tanh => a.tanh(),
        Float::Min | Float::Max => {
            let has_third = case.form.operands.iter().any(|operand| operand.role == Some(Role::C));
            let third = match (has_third, case.has("abs")) {
                (false, _) => b,
                (true, false) => c,
                (true, true) => c.abs(),
            };
            if operation == Float::Min { a.min(b).min(third) } else { a.max(b).max(third) }
        }
        Float::Neg => -a,
        Float::Abs => a.abs(),
    };
    (if case.has("sat") { exact.clamp(0.0, 1.0) } else { exact }).to_bits()
}

fn compare(case: &Case<'_>, lane: usize) -> u32 {
    let (a, b) = (case.a[lane], case.b[lane]);
    let float = |bits: u32| {
        let value = f32::from_bits(bits);
        if case.has("ftz") && value.is_subnormal() { 0.0 } else { value }
    };
    let holds = match case.keyword() {
        Some(compare) => u32::from(float_compare(compare, float(a), float(b))),
        None => integer_compare(case, a, b),
    };
    // The predicate holds in lanes of odd numbers.
    let other = lane as u32 & 1;
    match case.keyword() {
        None => holds,
        Some(Combination::And) => holds & other,
        Some(Combination::Or) => holds | other,
        Some(Combination::Xor) => holds ^ other,
    }
}

fn float_compare(compare: FloatCompare, a: f32, b: f32) -> bool {
    use FloatCompare as C;
    let is_nan = a.is_nan() || b.is_nan();
    match compare {
        C::Eq => a == b,
        C::Ne => !is_nan && a != b,
        C::Lt => a < b,
        C::Le => a <= b,
        C::Gt => a > b,
        C::Ge => a >= b,
        C::Equ => is_nan || a == b,
        C::Neu => a != b,
        C::Ltu => is_nan || a < b,
        C::Leu => is_nan || a <= b,
        C::Gtu => is_nan || a > b,
        C::Geu => is_nan || a >= b,
        C::Num => !is_nan,
        C::Nan => is_nan,
    }
}

fn integer_compare(case: &Case<'_>, a: u32, b: u32) -> u32 {
    let order = if case.ty().is_signed() { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
    u32::from(match case.keyword() {
        Some(Compare::Eq) => order.is_eq(),
        Some(Compare::Ne) => order.is_ne(),
        Some(Compare::Lt) => order.is_lt(),
        Some(Compare::Le) => order.is_le(),
        Some(Compare::Gt) => order.is_gt(),
        _ => order.is_ge(),
    })
}

fn dot(case: &Case<'_>, lane: usize) -> u32 {
    let signed = |label| case.named(label) == Some(Sign::Signed);
    let byte = |v: u32, i: usize, signed: bool| {
        let byte = v.to_le_bytes()[i];
        if signed { i64::from(byte as i8) } else { byte.into() }
    };
    let (a, b, sa, sb) = (case.a[lane], case.b[lane], signed("of_a"), signed("of_b"));
    let sum: i64 = if case.row.operation == O::DotBytes {
        (0..4).map(|i| byte(a, i, sa) * byte(b, i, sb)).sum()
    } else {
        // The intrinsic's constant is 1: the upper bytes.
        let upper = case.has("hi") || case.has("b_hi") || case.form.spelling == Spelling::Intrinsic;
        let half = |i: usize| {
            let half = (a >> (16 * i)) as u16;
            if sa { i64::from(half as i16) } else { half.into() }
        };
        (0..2).map(|i| half(i) * byte(b, i + if upper { 2 } else { 0 }, sb)).sum()
    };
    (sum + i64::from(case.c[lane])) as u32
}

/// The operands of a row in all lanes.
fn operands(row: &Row) -> [[u32; 32]; 3] {
    let lanes = |of: fn(u32) -> u32| std::array::from_fn(|lane| of(lane as u32));
    match row.operation {
        O::Float(_) => [
            lanes(|i| (0.25 + i as f32).to_bits()),
            lanes(|i| (3.0 + i as f32 / 8.0).to_bits()),
            lanes(|i| (i as f32 - 2.0).to_bits()),
        ],
        O::Integer(Integer::Div | Integer::Rem) => {
            [lanes(|i| i.wrapping_mul(0x9e37_79b9)), lanes(|i| i * 7 + 3), [0; 32]]
        }
        O::ToInteger => [lanes(|i| (i as f32 * 0.375 - 5.0).to_bits()), [0; 32], [0; 32]],
        O::Integer(Integer::Extend) => {
            [lanes(|i| 0x89ab_cdef_u32.rotate_left(i)), lanes(|i| i * 5 / 4), [0; 32]]
        }
        O::Match => [lanes(|i| i % 5), [0; 32], [0; 32]],
        _ => [
            lanes(|i| i.wrapping_mul(0x9e37_79b9)),
            lanes(|i| (i * 7 + 3) % 32),
            lanes(|i| i.wrapping_mul(0x1357_2468)),
        ],
    }
}

/// The attributes of an op of NVVM in all their combinations, with what they mean.
fn attributes(form: &Form) -> Vec<(String, FoundModifiers)> {
    let mut all = vec![(Vec::<String>::new(), FoundModifiers::default())];
    for attribute in &form.attributes {
        let choices: Vec<(Option<String>, FoundModifiers)> = match attribute {
            Attribute::Keyword { name, label, table, only } => (table.rows.iter().enumerate())
                .filter_map(|(row, words)| {
                    let mut words = words.nvvm.iter().copied();
                    Some((row, words.find(|word| cute_ptx::form::allowed(only, word))?))
                })
                .map(|(row, word)| {
                    // Loads and stores have an attribute each.
                    let attribute = match *label {
                        "mode" if form.text.contains(" from") => "#nvvm.tma_store_mode<*>",
                        "mode" => "#nvvm.tma_load_mode<*>",
                        _ => table.attribute,
                    };
                    let mut text = format!("{name} = {}", attribute.replace('*', word));
                    if word == "async.shared" {
                        text += ", space = #nvvm.shared_space<cta>";
                    }
                    (Some(text), FoundModifiers { keywords: vec![(label, row)], ..FoundModifiers::default() })
                })
                .collect(),
            Attribute::Choice { name, choices } => {
                let attribute = match *name {
                    "kind" => "#nvvm<redux_kind *>",
                    "sat" => "#nvvm.sat_mode<*>",
                    _ => "#nvvm<load_cache_modifier *>",
                };
                let of_choice = |choice: &&'static str| {
                    let text = format!("{name} = {}", attribute.replace('*', choice));
                    (Some(text), FoundModifiers { flags: vec![choice], ..FoundModifiers::default() })
                };
                choices.iter().map(of_choice).collect()
            }
            Attribute::Type { .. } | Attribute::Refused { .. } => vec![(None, FoundModifiers::default())],
            Attribute::Flag(name) => {
                let is_boolean = matches!(*name, "relaxed" | "noinc" | "b_hi" | "abs" | "nan" | "relu");
                let [absent, present] = if is_boolean {
                    [Some(format!("{name} = false")), Some(format!("{name} = true"))]
                } else {
                    [None, Some((*name).to_owned())]
                };
                vec![
                    (absent, FoundModifiers::default()),
                    (present, FoundModifiers { flags: vec![name], ..FoundModifiers::default() }),
                ]
            }
            Attribute::Number { name, role } => {
                let number = if *name == "regCount" { 64 } else { 1 };
                assert_eq!(*role, Role::COUNT);
                let width = if form.text.starts_with("wgmma") { 64 } else { 32 };
                vec![(Some(format!("{name} = {number} : i{width}")), FoundModifiers::default())]
            }
        };
        all = all
            .iter()
            .flat_map(|(texts, found)| {
                choices.iter().map(move |(text, more)| {
                    let (mut texts, mut found) = (texts.clone(), found.clone());
                    texts.extend(text.clone());
                    found.keywords.extend(&more.keywords);
                    found.flags.extend(&more.flags);
                    (texts, found)
                })
            })
            .collect();
    }
    all.into_iter().map(|(texts, found)| (texts.join(", "), found)).collect()
}

const PRELUDE: &str = "%t = nvvm.read.ptx.sreg.laneid : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %mask_i32 = llvm.mlir.constant(-1 : i32) : i32
    %values_i32 = llvm.mlir.constant(3 : i32) : i32
    %offset_i32 = llvm.mlir.constant(1 : i32) : i32
    %offsets_i16 = llvm.mlir.constant(1 : i16) : i16
    %word_q = llvm.and %t, %one : i32
    %q_i1 = llvm.trunc %word_q : i32 to i1
    %q_i32 = llvm.shl %word_q, %one : i32
    %threads_i32 = llvm.mlir.constant(32 : i32) : i32
    %d_i32 = llvm.or %t, %t : i32
    %pa = llvm.getelementptr %as[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %a_i32 = llvm.load %pa : !llvm.ptr<1> -> i32
    %pb = llvm.getelementptr %bs[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %b_i32 = llvm.load %pb : !llvm.ptr<1> -> i32
    %pc = llvm.getelementptr %cs[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %c_i32 = llvm.load %pc : !llvm.ptr<1> -> i32
    %pr = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %a_i128 = llvm.mlir.zero : i128
    %at_llvmptr3 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<3>
    %a_llvmptr3 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<3>
    %from_llvmptr3 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<3>
    %barrier_llvmptr3 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<3>
    %from_llvmptr1 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<1>
    %at_llvmptr1 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<1>
    %at_llvmptr7 = llvm.inttoptr %a_i32 : i32 to !llvm.ptr<7>
    %map_llvmptr = llvm.inttoptr %a_i32 : i32 to !llvm.ptr
    %at_llvmptr = llvm.inttoptr %a_i32 : i32 to !llvm.ptr
    %phase_i64 = llvm.zext %a_i32 : i32 to i64
    %a_vector4xi8 = llvm.bitcast %a_i32 : i32 to vector<4xi8>
    %b_vector4xi8 = llvm.bitcast %b_i32 : i32 to vector<4xi8>
    %a_vector2xi16 = llvm.bitcast %a_i32 : i32 to vector<2xi16>\n";

fn kernel(case: &Case<'_>, attributes: &str, number: usize) -> String {
    if case.form.spelling == Spelling::Ptx && !case.is_run() {
        let text = case.assembly();
        return format!(
            "llvm.func @k{number}() attributes {{gpu.kernel, nvvm.kernel}} {{\n{text}\nllvm.return\n}}\n"
        );
    }
    let mut text = String::from(PRELUDE);
    let clamp = if case.keyword() == Some(Shuffle::Up) { 0 } else { 31 };
    text += &format!("%clamp_i32 = llvm.mlir.constant({clamp} : i32) : i32\n");
    for x in ["a", "b", "c"] {
        for (ty, bits) in [
            ("f32", 32),
            ("f16", 16),
            ("bf16", 16),
            ("vector<2xf16>", 32),
            ("vector<2xbf16>", 32),
            ("f64", 64),
        ] {
            let integer = if bits == 32 { format!("%{x}_i32") } else { format!("%{x}_i{bits}") };
            let name = spelled(ty);
            text += &format!("%{x}_{name} = llvm.bitcast {integer} : i{bits} to {ty}\n");
        }
    }
    for role in ["count", "bytes", "ticks", "id", "rank", "ordinal", "phase", "coordinates"] {
        text += &format!("%{role}_i32 = llvm.or %one, %one : i32\n");
    }
    text += &case.text(attributes);
    if text.contains("%r = ") {
        text += "llvm.store %r, %pr : i32, !llvm.ptr<1>\n";
    }
    // Every width of each source, before its first use.
    let widths: String = ["a", "b", "c"]
        .iter()
        .flat_map(|x| {
            [("i8", "trunc"), ("i16", "trunc"), ("i64", "zext")]
                .map(|(ty, op)| format!("%{x}_{ty} = llvm.{op} %{x}_i32 : i32 to {ty}\n"))
        })
        .collect();
    let text = text.replacen("    %pr = ", &format!("{widths}    %pr = "), 1);
    format!(
        "llvm.func @k{number}(%as: !llvm.ptr<1>, %bs: !llvm.ptr<1>, %cs: !llvm.ptr<1>, %out: !llvm.ptr<1>)
         attributes {{gpu.kernel, nvvm.kernel}} {{\n{text}\nllvm.return\n}}\n"
    )
}

/// Decodes every name of the form, and runs those whose result is known.
fn check(row: &Row, spelling: Spelling, text: &'static str) -> usize {
    let form = Form::parse(spelling, text).unwrap_or_else(|part| panic!("{text}: {part}"));
    let [a, b, c] = operands(row);
    let mut cases = Vec::new();
    // A form may have thousands of names: some of them combine each word with most others.
    let names = form.names();
    let step = names.len() / 700 * 2 + 1;
    for (name, found) in names.into_iter().step_by(step) {
        for (attributes, more) in attributes(&form) {
            let mut found = found.clone();
            found.keywords.extend(more.keywords);
            found.flags.extend(more.flags);
            cases.push((Case { row, form: &form, name: name.clone(), found, a, b, c }, attributes));
        }
    }
    cases.retain(|(case, _)| case.exists());
    cases.retain(|(case, attributes)| {
        let refusal = refusal(case);
        if let Some(reason) = refusal {
            let error = decode(&kernel(case, attributes, 0)).err().map(|e| e.to_string());
            assert!(error.as_ref().is_some_and(|e| e.ends_with(reason)), "{}: {error:?}", case.name);
        }
        refusal.is_none()
    });
    let kernels: String =
        cases.iter().enumerate().map(|(i, (case, attributes))| kernel(case, attributes, i)).collect();
    let program = decode(&kernels).unwrap_or_else(|e| panic!("{spelling:?} `{text}`: {e}"));
    let Effect::Value(expected) = effect(row.operation) else { return cases.len() };
    for (i, (case, _)) in cases.iter().enumerate().filter(|(_, (case, _))| case.is_run()) {
        let mut memory = Memory::new();
        let buffers = [memory.upload(&a), memory.upload(&b), memory.upload(&c), memory.zeroed::<u32>(32)];
        let launch = Launch::new(&format!("k{i}"), [1; 3], [32, 1, 1]);
        let report = program.run(&launch, &mut memory, &buffers.map(Arg::Buffer));
        report.unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let found = memory.download::<u32>(buffers[3]);
        for (lane, found) in found.into_iter().enumerate() {
            let expected = expected(case, lane);
            let same = match row.operation {
                O::Float(_) => {
                    let [x, y] = [found, expected].map(f32::from_bits);
                    (x - y).abs() <= 1e-4 * y.abs().max(1e-2)
                }
                _ => found == expected,
            };
            assert!(same, "{spelling:?} {}: lane {lane} has {found:#x}, not {expected:#x}", case.name);
        }
    }
    cases.len()
}

#[test]
fn every_row_runs_in_all_its_spellings() {
    let mut counts = [0; 3];
    for row in rows() {
        assert!(!row.ptx.is_empty(), "{row:?} has no PTX");
        if let Effect::Shown(file) = effect(row.operation) {
            let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a folder");
            let mut folders = ["cute-decode/tests/sim", "cute-assembler/tests"].iter();
            assert!(folders.any(|folder| crates.join(folder).join(file).exists()), "there is no {file}");
        }
        for spelling in Spelling::ALL {
            for text in row.forms(spelling) {
                // The words of `{*}` are not known to the table.
                if !text.contains("{*}") {
                    counts[spelling as usize] += check(row, spelling, text);
                }
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}
