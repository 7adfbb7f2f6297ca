//! Modifiers that do not go together.
//!
//! A form has every modifier that some instruction of its name has. Which of them an instruction
//! has together depends on its types; the rules here are those of the ISA, as ptxas has them.

use crate::keyword::{Keyword, Spelling};
use crate::operation::{Float as F, Integer as I, Operation as O};
use crate::rows::{AtomicUpdate, Compare, Vector};
use crate::table::Instruction;
use crate::words::ScalarType as S;
use cute_arch::atoms::Reduction;
use cute_arch::tensor_map::{BulkReduction, MapElement};

/// The modifiers of an instruction, with its words.
struct Modifiers<'i, 'w> {
    instruction: &'i Instruction,
    words: &'w [&'w str],
}

impl Instruction {
    /// The reason for which an instruction of PTX with these words may not have its modifiers
    /// together; `None` if it may.
    pub fn wrong_modifiers(&self, words: &[&str]) -> Option<String> {
        let modifiers = Modifiers { instruction: self, words };
        let all = [
            Modifiers::repeated,
            Modifiers::of_type,
            Modifiers::of_integers,
            Modifiers::of_floats,
            Modifiers::of_approximations,
            Modifiers::of_conversion,
            Modifiers::of_comparison,
            Modifiers::of_barrier,
            Modifiers::of_access,
            Modifiers::of_caches,
            Modifiers::of_copy,
        ];
        all.iter().find_map(|rule| rule(&modifiers))
    }
}

/// A modifier that an instruction does not have beside others.
fn beside(modifier: &str, other: &str) -> Option<String> {
    Some(format!("`.{modifier}` does not go together with `.{other}`"))
}

fn lacks(instruction: &str, modifier: &str) -> Option<String> {
    Some(format!("`{instruction}` has no `.{modifier}`"))
}

impl<'w> Modifiers<'_, 'w> {
    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    fn any(&self, words: &[&'static str]) -> Option<&'static str> {
        words.iter().copied().find(|word| self.has(word))
    }

    /// The space of memory that is not behind the cache of the device.
    fn near(&self) -> Option<&'w str> {
        let mut words = self.words.iter().copied();
        words.find(|word| word.starts_with("shared") || matches!(*word, "local" | "const"))
    }

    fn first(&self) -> &'w str {
        self.words.first().copied().unwrap_or_default()
    }

    fn operation(&self) -> O {
        self.instruction.row.operation
    }

    fn ty(&self) -> Option<S> {
        self.instruction.keyword()
    }

    /// The word of a type, as it is written.
    fn word(&self, ty: S) -> &'w str {
        let words = self.words.iter().copied();
        words.rev().find(|word| S::read(Spelling::Ptx, word) == Some(ty)).unwrap_or_default()
    }

    /// A modifier is there once. Types and spaces are named as often as an instruction has them.
    fn repeated(&self) -> Option<String> {
        let is_free =
            |word: &str| S::read(Spelling::Ptx, word).is_some() || crate::StateSpace::of_ptx(word).is_some();
        let twice = (1..self.words.len())
            .find(|at| !is_free(self.words[*at]) && self.words[..*at].contains(&self.words[*at]))?;
        Some(format!("`.{}` is there twice", self.words[twice]))
    }

    /// The types that an instruction has in PTX. The table also has those of LLVM's operations.
    fn of_type(&self) -> Option<String> {
        let ty = self.ty()?;
        let is_byte = matches!(ty, S::B8 | S::U8 | S::S8);
        let is_bits = matches!(ty, S::B8 | S::B16 | S::B32 | S::B64);
        let wrong = match self.operation() {
            O::Integer(I::Add | I::Sub | I::Mul | I::AddCarry | I::SubCarry) => is_bits || is_byte,
            O::Integer(I::And | I::Or | I::Xor) => is_byte || !is_bits && ty != S::Pred,
            O::Integer(I::Shl) => is_byte || !is_bits,
            O::Integer(I::Shr | I::Min | I::Max) | O::Compare => is_byte,
            O::Select => matches!(ty, S::F16 | S::Bf16),
            O::Move => !matches!(
                ty,
                S::Pred
                    | S::B16
                    | S::B32
                    | S::B64
                    | S::B128
                    | S::U16
                    | S::U32
                    | S::U64
                    | S::S16
                    | S::S32
                    | S::S64
                    | S::F32
                    | S::F64
            ),
            _ => false,
        };
        if wrong { lacks(self.first(), self.word(ty)) } else { None }
    }

    fn of_integers(&self) -> Option<String> {
        let ty = self.ty()?;
        match self.operation() {
            // A type of bits is only compared for equality, and `lo` to `hs` are comparisons
            // without signs.
            O::Compare | O::CompareToNumber if !ty.is_float() && ty != S::Bf16 => {
                let compare: Compare = self.instruction.keyword()?;
                let is_bits = matches!(ty, S::B16 | S::B32 | S::B64);
                let unsigned = self.any(&["lo", "ls", "hi", "hs"]);
                let word = unsigned.or(self.any(&["lt", "le", "gt", "ge"])).unwrap_or_default();
                let wrong = is_bits && !matches!(compare, Compare::Eq | Compare::Ne);
                if wrong || unsigned.is_some() && ty.is_signed() { beside(word, self.word(ty)) } else { None }
            }
            _ => None,
        }
    }

    fn of_floats(&self) -> Option<String> {
        let O::Float(operation) = self.operation() else { return None };
        let ty = self.ty()?;
        let word = self.word(ty);
        let is_bf16 = matches!(ty, S::Bf16 | S::Bf16x2);
        let is_half = is_bf16 || matches!(ty, S::F16 | S::F16x2);
        let rounding = self.any(&["rn", "rz", "rm", "rp"]);
        if operation == F::Ex2 && is_bf16 {
            return if self.has("ftz") { None } else { Some(format!("`ex2.approx.{word}` needs `.ftz`")) };
        }
        if self.has("ftz") && (is_bf16 || ty == S::F64 && operation != F::Rcp && operation != F::Rsqrt) {
            return beside("ftz", word);
        }
        match operation {
            F::Add | F::Sub | F::Mul | F::Fma => {
                // Numbers that are widened first have a form of their own.
                if self.instruction.named::<S>("narrow").is_some() {
                    return None;
                }
                if self.has("relu") && (operation != F::Fma || !is_half) {
                    return lacks(self.first(), "relu");
                }
                if self.has("sat") && (is_bf16 || matches!(ty, S::F32x2 | S::F64)) {
                    return beside("sat", word);
                }
                if self.has("sat") && self.has("relu") {
                    return beside("sat", "relu");
                }
                match rounding {
                    Some(mode) if is_half && mode != "rn" && !(is_bf16 && operation == F::Fma) => {
                        beside(mode, word)
                    }
                    None if operation == F::Fma => {
                        Some(format!("`{}.{word}` needs a rounding, such as `.rn`", self.first()))
                    }
                    _ => None,
                }
            }
            F::Min | F::Max => {
                if self.has("NaN") && ty == S::F64 {
                    beside("NaN", word)
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn of_approximations(&self) -> Option<String> {
        let O::Float(operation) = self.operation() else { return None };
        let ty = self.ty()?;
        let word = self.word(ty);
        let rounding = self.any(&["rn", "rz", "rm", "rp"]);
        let fast = self.any(&["approx", "full"]);
        match operation {
            F::Div | F::Sqrt | F::Rcp => {
                if self.has("full") && operation != F::Div {
                    return lacks(self.first(), "full");
                }
                if self.has("approx") && self.has("full") {
                    return beside("approx", "full");
                }
                if ty == S::F64 && (fast.is_some() || self.has("ftz")) {
                    // There is one approximation of an f64.
                    let is_known = operation == F::Rcp && (fast.is_none() || self.has("ftz"));
                    if !is_known {
                        return beside(fast.unwrap_or("ftz"), word);
                    }
                }
                match (fast, rounding) {
                    (Some(fast), Some(rounding)) => beside(fast, rounding),
                    (None, None) => Some(format!(
                        "`{}.{word}` needs `.approx`, or a rounding such as `.rn`",
                        self.first()
                    )),
                    _ => None,
                }
            }
            F::Rsqrt => {
                if matches!(ty, S::F32 | S::F64) {
                    None
                } else {
                    lacks(self.first(), word)
                }
            }
            F::Lg2 | F::Sin | F::Cos => {
                if ty == S::F32 {
                    None
                } else {
                    lacks(self.first(), word)
                }
            }
            F::Tanh if self.has("ftz") => lacks(self.first(), "ftz"),
            F::Ex2 if self.has("ftz") && matches!(ty, S::F16 | S::F16x2) => beside("ftz", word),
            F::Ex2 | F::Tanh if ty == S::F64 => lacks(self.first(), word),
            _ => None,
        }
    }

    fn of_conversion(&self) -> Option<String> {
        let named = |label| self.instruction.named::<S>(label);
        let (to, from) = (named("to")?, named("from")?);
        let modifier =
            |wrong: &[&'static str], ty: S| self.any(wrong).and_then(|word| beside(word, self.word(ty)));
        let rounding = self.any(&["rn", "rz", "rm", "rp"]);
        match self.operation() {
            O::Convert if self.has("sat") => {
                let is_part = match (from.is_signed(), to.is_signed()) {
                    (false, true) => from.bits() < to.bits(),
                    (true, false) => false,
                    _ => from.bits() <= to.bits(),
                };
                if is_part {
                    Some("`.sat` where each number has its value in the other type".to_owned())
                } else {
                    None
                }
            }
            O::FromInteger if to == S::Bf16 => modifier(&["sat"], to),
            O::ToInteger | O::ToWhole if from == S::Bf16 => modifier(&["ftz", "sat"], from),
            O::ToInteger | O::ToWhole if from != S::F32 => modifier(&["ftz"], from),
            O::ConvertFloat => {
                let plain = |ty| matches!(ty, S::F16 | S::Bf16 | S::F32 | S::F64);
                if !plain(to) || !plain(from) {
                    return None;
                }
                if to == S::Bf16 || from == S::Bf16 {
                    return match (from, rounding) {
                        (S::F32 | S::F64, None) => self.needs_rounding(),
                        (S::Bf16, Some(word)) if to == S::Bf16 => beside(word, "bf16"),
                        _ if to == S::F32 || from == S::F32 => modifier(&["sat"], S::Bf16),
                        _ => modifier(&["ftz", "sat"], S::Bf16),
                    };
                }
                if self.has("ftz") && from != S::F32 && to != S::F32 {
                    return modifier(&["ftz"], to);
                }
                match (from.bits() > to.bits(), rounding) {
                    (true, None) => self.needs_rounding(),
                    (false, Some(word)) => Some(format!(
                        "`.{word}`: each number has its value in the other type, so nothing is rounded"
                    )),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn needs_rounding(&self) -> Option<String> {
        Some(format!("`{}` needs a rounding here, such as `.rn`", self.first()))
    }

    fn of_comparison(&self) -> Option<String> {
        let (O::Compare | O::CompareToNumber) = self.operation() else { return None };
        let ty = self.ty()?;
        if self.has("ftz") && !matches!(ty, S::F16 | S::F16x2 | S::F32) {
            return beside("ftz", self.word(ty));
        }
        let to: S = self.instruction.named("to")?;
        let is_half = matches!(ty, S::F16 | S::Bf16);
        let wrong = match to {
            S::U16 | S::S16 => !is_half,
            S::F16 => ty == S::Bf16,
            S::Bf16 => self.has("ftz"),
            S::F32 => is_half,
            _ => false,
        };
        if wrong {
            beside(self.words.iter().find(|word| **word == self.word(to))?, self.word(ty))
        } else {
            None
        }
    }

    /// Orders of barriers have a scope, and scopes an order.
    fn of_barrier(&self) -> Option<String> {
        let orders: Vec<&str> =
            ["relaxed", "release", "acquire"].into_iter().filter(|order| self.has(order)).collect();
        let scope = self.any(&["cta", "cluster"]);
        match self.operation() {
            O::Barrier | O::BarrierReduce | O::BarrierArrive
                if self.first() == "bar" && self.has("aligned") =>
            {
                lacks("bar", "aligned")
            }
            O::ClusterArrive if orders.len() > 1 => beside(orders[0], orders[1]),
            O::BarrierExpect | O::BarrierComplete | O::BarrierPhaseArrive | O::BarrierPhaseWait => {
                if orders.len() > 1 {
                    return beside(orders[0], orders[1]);
                }
                match (orders.first(), scope) {
                    (Some(order), None) => Some(format!("`.{order}` needs a scope, such as `.cta`")),
                    (None, Some(scope)) => Some(format!("`.{scope}` needs an order, such as `.relaxed`")),
                    _ => None,
                }
            }
            O::BarrierInit | O::BarrierInvalidate | O::BarrierFollow if self.has("shared::cluster") => {
                lacks(&self.words.iter().take(2).copied().collect::<Vec<_>>().join("."), "shared::cluster")
            }
            O::RemoteReduce => match (self.has("relaxed"), self.has("cluster")) {
                (true, true) => None,
                _ => Some("`red.async` needs `.relaxed.cluster`".to_owned()),
            },
            _ => None,
        }
    }

    fn of_access(&self) -> Option<String> {
        let ty = self.ty();
        let vector: Option<Vector> = self.instruction.keyword();
        let of_vector = |ty: S| vector.map_or(1, Vector::number) * ty.bits();
        match self.operation() {
            O::Load | O::Store if self.first() == "multimem" => self.of_copies(),
            O::Load | O::Store => {
                let ty = ty?;
                if self.first() == "st" && self.has("const") {
                    return lacks("st", "const");
                }
                if self.has("volatile") && (self.has("local") || self.has("const")) {
                    return beside("volatile", if self.has("local") { "local" } else { "const" });
                }
                let most = if matches!(self.first(), "ldu") { 128 } else { 256 };
                // More than 128 bits outside of global memory are refused where the access is made.
                if of_vector(ty) > most { Some(format!("{} bits at once", of_vector(ty))) } else { None }
            }
            O::Atomic if self.first() == "multimem" => self.of_copies(),
            O::Atomic => {
                let ty = ty?;
                if let (true, Some(space)) = (self.has("L2::cache_hint"), self.near()) {
                    return beside("L2::cache_hint", space);
                }
                let update: AtomicUpdate = self.instruction.keyword()?;
                let is_half = matches!(ty, S::F16 | S::Bf16 | S::F16x2 | S::Bf16x2);
                match vector {
                    Some(_) if of_vector(ty) > 128 => Some(format!("{} bits at once", of_vector(ty))),
                    None if is_half && update != AtomicUpdate::Add => beside(self.word(ty), "min"),
                    _ => None,
                }
            }
            O::RemoteStore => {
                let vector = match (self.has("v2"), self.has("v4")) {
                    (true, true) => return beside("v2", "v4"),
                    (two, four) => {
                        if four {
                            4
                        } else if two {
                            2
                        } else {
                            1
                        }
                    }
                };
                let bits = vector * ty?.bits();
                if bits > 128 { Some(format!("{bits} bits at once")) } else { None }
            }
            O::MapReplace => {
                let is_address = self.any(&["global_address", "global_stride"]).is_some();
                let ty = ty?;
                if is_address != (ty == S::B64) {
                    let field = self.words.get(3).copied().unwrap_or_default();
                    return beside(field, self.word(ty));
                }
                self.any(&["shared", "shared::cluster"]).and_then(|space| lacks("tensormap.replace", space))
            }
            _ => None,
        }
    }

    /// Updates and vectors of `multimem`.
    fn of_copies(&self) -> Option<String> {
        let ty = self.ty()?;
        let word = self.word(ty);
        let vector = self.any(&["v2", "v4", "v8"]);
        let is_half = matches!(ty, S::F16 | S::Bf16);
        let is_packed = matches!(ty, S::F16x2 | S::Bf16x2 | S::E4m3x4 | S::E5m2x4);
        match vector {
            Some(vector) if !(is_half || is_packed || ty == S::F32) => beside(vector, word),
            Some("v8") if !is_half => beside("v8", word),
            None if is_half => Some(format!("`.{word}` needs a vector, such as `.v2`")),
            _ => None,
        }
    }

    /// Operators of caches, and what they evict.
    fn of_caches(&self) -> Option<String> {
        let (O::Load | O::Store) = self.operation() else { return None };
        let is_load = match self.first() {
            "ld" => true,
            "st" => false,
            _ => return None,
        };
        let operators = ["ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"];
        let own: &[&str] =
            if is_load { &["ca", "cg", "cs", "lu", "cv", "nc"] } else { &["cg", "cs", "wb", "wt"] };
        let used: Vec<&str> = operators.into_iter().filter(|word| self.has(word)).collect();
        if let Some(other) = used.iter().find(|word| !own.contains(word)) {
            return lacks(self.first(), other);
        }
        let of_lines: Vec<&str> = used.iter().copied().filter(|word| *word != "nc").collect();
        let strong = self.any(&["volatile", "relaxed", "acquire", "release", "mmio"]);
        let start = |start: &str| -> Vec<&str> {
            self.words.iter().copied().filter(|word| word.starts_with(start)).collect()
        };
        let (l1, l2) = (start("L1::"), start("L2::evict"));
        let fetched: Vec<&str> = start("L2::").into_iter().filter(|word| word.ends_with('B')).collect();
        for several in [&of_lines, &l1, &l2, &fetched] {
            if let [one, other, ..] = several[..] {
                return beside(one, other);
            }
        }
        if let (Some(strong), Some(word)) = (strong, used.first()) {
            return beside(word, strong);
        }
        if let (Some("volatile"), Some(word)) = (strong, l1.first().or(l2.first())) {
            return beside(word, "volatile");
        }
        if let (Some(operator), Some(word)) = (of_lines.first(), l1.first()) {
            return beside(operator, word);
        }
        if self.has("nc") && (!self.has("global") || self.has("weak")) {
            return Some("`.nc` needs `.global`".to_owned());
        }
        if let (Some(word), false) = (fetched.first(), is_load) {
            return lacks("st", word);
        }
        let line = l1.first().or(l2.first()).or(fetched.first());
        match (self.near(), line) {
            (Some(near), Some(word)) => beside(word, near),
            _ => None,
        }
    }

    /// Bulk copies, boxes and copies of lines.
    fn of_copy(&self) -> Option<String> {
        match self.operation() {
            O::AsyncCopy => {
                let hints = ["cs", "lu", "cv", "wb", "wt", "nc"];
                match (self.has("ca"), self.has("cg")) {
                    (true, true) => beside("ca", "cg"),
                    _ => self.any(&hints).and_then(|hint| lacks("cp.async", hint)),
                }
            }
            O::BulkReduce => {
                let (by, ty): (Reduction, S) = (self.instruction.keyword()?, self.ty()?);
                let kind = if self.has("global") { BulkReduction::Global } else { BulkReduction::Cluster };
                let (operation, ty) = (by.word(Spelling::Ptx)?, self.word(ty));
                let noftz = if self.has("noftz") { ".noftz" } else { "" };
                let written = format!("{operation}{noftz}.{ty}");
                let mut all = MapElement::all().filter(|element| kind.takes(by, *element));
                let is_one = all.any(|element| BulkReduction::ptx(by, element) == written);
                if is_one { None } else { beside(operation, ty) }
            }
            O::BulkLoad | O::BoxLoad if self.has("multicast::cluster") && self.has("shared::cta") => {
                beside("multicast::cluster", "shared::cta")
            }
            O::BoxLoad | O::BoxStore => {
                let rows = self.any(&["tile::gather4", "tile::scatter4"])?;
                let dimensions = self.any(&["1d", "3d", "4d", "5d"])?;
                beside(rows, dimensions)
            }
            _ => None,
        }
    }
}
