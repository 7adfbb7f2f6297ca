//! Prints values as C.

use super::{Printer, Unsupported, c_type};
use cute_machine::{
    float::FloatOp,
    int::{IntOp, NoWrap, signed},
    predicate::{FloatPredicate, IntPredicate},
};

use crate::{
    arithmetic::{BinaryOp, Compare, Convert, UnaryOp},
    program::{Expr, Id, StepSource},
    types::Type,
};

/// The message for an overflow.
const DOES_NOT_FIT: &str = "has a result that does not fit, although the op guarantees that it does";

impl Printer<'_> {
    /// The expression for a use of a value.
    pub(super) fn value(&self, id: Id) -> String {
        match self.constants[id] {
            None => format!("v{id}_"),
            Some(bits) => match self.program.types[id] {
                Type::F32 => format!("float_of_(UINT32_C({bits:#x}))"),
                Type::F64 => format!("double_of_(UINT64_C({bits:#x}))"),
                t @ (Type::Stream | Type::Event) => format!("({})(uintptr_t)UINT64_C({bits})", c_type(t)),
                t => format!("UINT{}_C({bits})", t.bits().max(8)),
            },
        }
    }

    /// A value as a signed integer of 64 bits.
    fn signed(&self, id: Id) -> String {
        let value = self.value(id);
        match self.program.types[id].bits() {
            1 => format!("-(int64_t){value}"),
            bits => format!("(int64_t)(int{bits}_t){value}"),
        }
    }

    /// Prints the definition of a value.
    pub(super) fn make(&mut self, result: Id, what: &Expr, site: &StepSource) -> Result<(), Unsupported> {
        let unsupported = |why| Unsupported { op: site.op.clone(), location: site.location.clone(), why };
        let t = self.program.types[result];
        let value = match *what {
            Expr::Constant(_) => return Ok(()),
            Expr::Undefined => match t {
                Type::Stream | Type::Event => "NULL".into(),
                _ => "0 /* undefined */".into(),
            },
            Expr::Same(a) => self.same(a, t).ok_or_else(|| unsupported("a cast between these types"))?,
            Expr::Unary(UnaryOp::Negate, a) => match t {
                Type::F32 | Type::F64 => format!("-{}", self.value(a)),
                _ => return Err(unsupported("floats of 16 bits")),
            },
            Expr::Unary(UnaryOp::LeadingZeros, a) => {
                let (a, bits) = (self.value(a), t.bits());
                format!("{a} == 0 ? {bits} : __builtin_clzll({a}) - {}", 64 - bits)
            }
            Expr::Binary(op, a, b) => {
                self.binary(op, a, b, result, site).ok_or_else(|| unsupported("arithmetic on this type"))?
            }
            Expr::Compare(how, a, b) => {
                self.compare(how, a, b).ok_or_else(|| unsupported("floats of 16 bits"))?
            }
            Expr::Select(condition, yes, no) => {
                format!("{} ? {} : {}", self.value(condition), self.value(yes), self.value(no))
            }
            Expr::Convert(how, a) => {
                self.convert(how, a, t).ok_or_else(|| unsupported("floats of 16 bits"))?
            }
            Expr::Offset { base, bytes } => format!("{} + UINT64_C({bytes})", self.value(base)),
            Expr::Element { base, index, bytes } => {
                format!("{} + (uint64_t)({}) * UINT64_C({bytes})", self.value(base), self.signed(index))
            }
        };
        if self.used[result] {
            self.line(format!("const {} v{result}_ = {};", c_type(t), converted(&value, t)));
        }
        Ok(())
    }

    fn same(&self, a: Id, to: Type) -> Option<String> {
        let value = self.value(a);
        Some(match (self.program.types[a], to) {
            (from, to) if c_type(from) == c_type(to) => value,
            (Type::Int(32), Type::F32) => format!("float_of_({value})"),
            (Type::F32, Type::Int(32)) => format!("bits_of_({value})"),
            (Type::Int(64), Type::F64) => format!("double_of_({value})"),
            (Type::F64, Type::Int(64)) => format!("wide_bits_of_({value})"),
            (Type::Int(64), Type::Stream) => format!("(CUstream)(uintptr_t){value}"),
            _ => return None,
        })
    }

    /// An operation on two values, after the checks that it needs.
    fn binary(&mut self, op: BinaryOp, a: Id, b: Id, result: Id, site: &StepSource) -> Option<String> {
        use IntOp as I;
        let t = self.program.types[result];
        let bits = t.bits();
        let (x, y) = (self.value(a), self.value(b));
        let (sx, sy) = (self.signed(a), self.signed(b));
        let (op, wrap) = match op {
            BinaryOp::Int(op, wrap) => (op, wrap),
            BinaryOp::Float(op) => {
                let sign = match op {
                    FloatOp::Add => '+',
                    FloatOp::Sub => '-',
                    FloatOp::Mul => '*',
                    FloatOp::Div => '/',
                    _ => return None,
                };
                return matches!(t, Type::F32 | Type::F64).then(|| format!("{x} {sign} {y}"));
            }
        };
        if op.divides() {
            match self.constants[b] {
                None => self.refuse_if(format!("{y} == 0"), site, "divides by 0"),
                Some(0) => return self.never(site, "divides by 0"),
                Some(_) => {}
            }
            let may_overflow = self.constants[b].is_none_or(|b| signed(b, bits) == -1);
            if matches!(op, I::DivS | I::CeilDivS | I::FloorDivS | I::RemS) && may_overflow {
                let least = if bits == 1 { "-1".into() } else { format!("INT{bits}_MIN") };
                self.refuse_if(format!("{sx} == {least} && {sy} == -1"), site, "overflows");
            }
        }
        let plain = |sign: &str| format!("(uint64_t){x} {sign} (uint64_t){y}");
        let quotient = format!("{sx} / ({sy})");
        let rest = format!("{sx} % ({sy})");
        Some(match op {
            I::Add => self.exact("add", '+', wrap, [a, b], result, site)?,
            I::Sub => self.exact("sub", '-', wrap, [a, b], result, site)?,
            I::Mul => self.exact("mul", '*', wrap, [a, b], result, site)?,
            I::DivS => quotient,
            I::DivU => plain("/"),
            I::RemS => rest,
            I::RemU => plain("%"),
            I::CeilDivS => format!("{quotient} + ({rest} != 0 && ({sx} < 0) == ({sy} < 0))"),
            I::FloorDivS => format!("{quotient} - ({rest} != 0 && ({sx} < 0) != ({sy} < 0))"),
            I::CeilDivU => format!("{x} / {y} + ({x} % {y} != 0)"),
            I::MinS => format!("{sx} < {sy} ? {x} : {y}"),
            I::MaxS => format!("{sx} > {sy} ? {x} : {y}"),
            I::MinU => format!("{x} < {y} ? {x} : {y}"),
            I::MaxU => format!("{x} > {y} ? {x} : {y}"),
            I::And => plain("&"),
            I::Or => plain("|"),
            I::Xor => plain("^"),
            I::Shl | I::ShrS | I::ShrU => {
                match self.constants[b] {
                    None => self.refuse_if(format!("{y} >= {bits}"), site, "shifts by too many bits"),
                    Some(by) if by >= u64::from(bits) => return self.never(site, "shifts by too many bits"),
                    Some(_) => {}
                }
                match op {
                    I::Shl => self.shifted(wrap, [a, b], bits, site)?,
                    I::ShrS => format!("{sx} >> {y}"),
                    _ => format!("(uint64_t){x} >> {y}"),
                }
            }
            // No op of a host function computes these.
            _ => return None,
        })
    }

    /// An operation that is an error for any operands. It is not printed, because compilers would
    /// warn about it.
    fn never(&mut self, site: &StepSource, why: &str) -> Option<String> {
        self.refuse_if(1, site, why);
        Some("0".into())
    }

    /// A sum, difference or product, which is checked where the op guarantees that it fits.
    fn exact(
        &mut self,
        name: &str,
        sign: char,
        wrap: NoWrap,
        [a, b]: [Id; 2],
        result: Id,
        site: &StepSource,
    ) -> Option<String> {
        let bits = self.program.types[result].bits();
        if wrap == NoWrap::default() {
            return Some(format!("(uint64_t){} {sign} (uint64_t){}", self.value(a), self.value(b)));
        }
        if bits == 1 {
            return None;
        }
        let fits = |kind: &str, a: &str, b: &str| {
            format!("__builtin_{name}_overflow({a}, {b}, &(({kind}{bits}_t){{0}}))")
        };
        if wrap.signed {
            let check = fits("int", &self.signed(a), &self.signed(b));
            self.refuse_if(check, site, DOES_NOT_FIT);
        }
        if wrap.unsigned {
            let check = fits("uint", &self.value(a), &self.value(b));
            self.refuse_if(check, site, DOES_NOT_FIT);
        }
        Some(format!("(uint64_t){} {sign} (uint64_t){}", self.value(a), self.value(b)))
    }

    fn shifted(&mut self, wrap: NoWrap, [a, b]: [Id; 2], bits: u32, site: &StepSource) -> Option<String> {
        let (x, y) = (self.value(a), self.value(b));
        let shifted = format!("(uint64_t){x} << {y}");
        if wrap != NoWrap::default() && bits == 1 {
            return None;
        }
        if wrap.signed {
            let sx = self.signed(a);
            self.refuse_if(format!("((int64_t)(int{bits}_t)({shifted}) >> {y}) != {sx}"), site, DOES_NOT_FIT);
        }
        if wrap.unsigned {
            self.refuse_if(
                format!("((uint64_t)(uint{bits}_t)({shifted}) >> {y}) != {x}"),
                site,
                DOES_NOT_FIT,
            );
        }
        Some(shifted)
    }

    fn compare(&self, how: Compare, a: Id, b: Id) -> Option<String> {
        use FloatPredicate as F;
        use IntPredicate as I;
        let is_half = matches!(self.program.types[a], Type::F16 | Type::Bf16);
        let is_float = matches!(how, Compare::Float(_));
        let (sign, is_signed) = match how {
            Compare::Int(I::Eq) | Compare::Float(F::Oeq) => ("==", false),
            Compare::Int(I::Ne) | Compare::Float(F::Une) => ("!=", false),
            Compare::Int(I::Slt) => ("<", true),
            Compare::Int(I::Sle) => ("<=", true),
            Compare::Int(I::Sgt) => (">", true),
            Compare::Int(I::Sge) => (">=", true),
            Compare::Int(I::Ult) | Compare::Float(F::Olt) => ("<", false),
            Compare::Int(I::Ule) | Compare::Float(F::Ole) => ("<=", false),
            Compare::Int(I::Ugt) | Compare::Float(F::Ogt) => (">", false),
            Compare::Int(I::Uge) | Compare::Float(F::Oge) => (">=", false),
            Compare::Float(_) => return None,
        };
        let side = |id| if is_signed { self.signed(id) } else { self.value(id) };
        (!(is_half && is_float)).then(|| format!("{} {sign} {}", side(a), side(b)))
    }

    fn convert(&self, how: Convert, a: Id, to: Type) -> Option<String> {
        let is_half = |t| matches!(t, Type::F16 | Type::Bf16);
        let is_integral = matches!(how, Convert::SignExtend | Convert::ZeroExtend | Convert::Truncate);
        if !is_integral && (is_half(self.program.types[a]) || is_half(to)) {
            return None;
        }
        Some(match how {
            Convert::SignExtend | Convert::SignedToFloat => self.signed(a),
            Convert::ZeroExtend | Convert::Truncate | Convert::UnsignedToFloat | Convert::Float => {
                self.value(a)
            }
        })
    }
}

/// An expression as a value of a type.
fn converted(value: &str, t: Type) -> String {
    match t {
        Type::Int(1) => format!("(uint8_t)(({value}) & 1)"),
        Type::Stream | Type::Event => value.to_owned(),
        t => format!("({})({value})", c_type(t)),
    }
}
