//! `cute-lower-conversions`: `arith.truncf` and `arith.extf` to and from floats of 8, 6 and 4 bits,
//! which PTX converts two at a time.
//!
//! A conversion to a narrow float rounds to nearest, ties to even. Values beyond the largest finite
//! number become that number, as in CUDA and CUTLASS: `cvt.rn.satfinite`. The source is f32, or f16
//! for floats of 8 bits. Every narrow float is exactly an f16, and is converted to that first.
//! Scale factors are in `scale`.

mod scale;

use cute_arch::{Element, Feature, Target};
use cute_dialect::atom::element;
use cute_ffi::{
    ir::{self, op_name, walk},
    lowered::{element_of, vector_of, vector_parts},
    rewrite::Rewriter,
};
use melior::ir::{
    Attribute, Type, Value,
    attribute::{DenseI64ArrayAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};

use crate::{Builder, Built, values::result};
use scale::{Rounding, is_scale};

/// Runs the pass for a target.
pub fn run(rewriter: &Rewriter<'_>, target: &str) -> Built<()> {
    let target = match target.parse::<Target>() {
        Ok(target) => target,
        Err(e) => return Builder::before(rewriter.root()).fail(&format!("cute-lower-conversions: {e}")),
    };
    for op in walk(rewriter.root()) {
        if !["arith.truncf", "arith.extf"].contains(&op_name(op)) {
            continue;
        }
        let (x, result) = (ir::operands(op)[0], result(op));
        let rounding =
            op.attribute("roundingmode").ok().and_then(|mode| IntegerAttribute::try_from(mode).ok());
        let rounding = Rounding::of(rounding.map(|mode| mode.value()));
        let c = Convert { b: Builder::before(op), target };
        let Some(value) = c.convert(x, ir::type_of(result), rounding)? else { continue };
        rewriter.replace_uses(result, value);
        rewriter.erase(op);
    }
    Ok(())
}

/// The element, if it is a float that `cvt` packs in pairs.
fn narrow(t: Type<'_>) -> Option<Element> {
    use Element::{E2m1, E2m3, E3m2, E4m3, E5m2};
    element(element_of(t)).filter(|e| matches!(e, E4m3 | E5m2 | E2m3 | E3m2 | E2m1))
}

/// Builds a conversion.
struct Convert<'c> {
    b: Builder<'c>,
    target: Target,
}

impl<'c> Convert<'c> {
    /// `None` if both types are wide.
    fn convert(&self, x: Value<'c, 'c>, to: Type<'c>, rounding: Rounding) -> Built<Option<Value<'c, 'c>>> {
        let from = ir::type_of(x);
        for t in [from, to] {
            narrow(t).map_or(Ok(()), |element| self.check(element, t))?;
        }
        // The intermediate vector, of rank 1.
        let length = vector_parts(to).map_or(1, |(extents, _)| extents.iter().product());
        let row = |t: Type<'c>| vector_of(&[length], element_of(t));
        let half = vector_of(&[length], Type::float16(self.b.context()));
        let single = vector_of(&[length], Type::float32(self.b.context()));
        if narrow(to).is_some() && !matches!(rounding, Rounding::Default | Rounding::NearestEven) {
            return self.b.refuse("PTX rounds to floats of 8 bits or fewer to nearest, ties to even, only");
        }
        let is_double = element_of(from) == Type::float64(self.b.context());
        let made = match (narrow(from), narrow(to)) {
            _ if is_scale(to) && is_double => {
                return self.b.refuse("PTX does not convert f64 to f8E8M0FNU; round it to f32 first");
            }
            _ if is_scale(from) && is_scale(to) => return Ok(None),
            (None, None) if is_scale(from) => {
                let half = self.widened_scales(self.row(x, length)?, length)?;
                self.resized(half, row(to))?
            }
            (None, None) if is_scale(to) => {
                self.narrowed_scales(self.resized(self.row(x, length)?, single)?, rounding, length)?
            }
            _ if is_scale(from) || is_scale(to) => {
                return self.b.refuse("converts between scale factors and narrow floats; go through f32");
            }
            (None, None) => return Ok(None),
            (Some(from), None) => {
                let half = self.widened(self.row(x, length)?, from, length)?;
                self.resized(half, row(to))?
            }
            (None, Some(element)) => {
                let x = self.row(x, length)?;
                match element_of(from) {
                    t if t == element_of(half) && element.bits() == 8 => self.narrowed(x, element, length)?,
                    t if t == Type::float64(self.b.context()) => {
                        return self.b.refuse(
                            "PTX does not convert f64 to floats of 8 bits or fewer; round it to f32 first",
                        );
                    }
                    _ => self.narrowed(self.resized(x, single)?, element, length)?,
                }
            }
            (Some(from), Some(to)) => {
                let half = self.widened(self.row(x, length)?, from, length)?;
                self.narrowed(self.resized(half, single)?, to, length)?
            }
        };
        match vector_parts(to) {
            None => self.element(made, 0, to).map(Some),
            Some((extents, _)) if extents.len() == 1 => self.bitcast(made, to).map(Some),
            Some(_) => self.b.typed("vector.shape_cast", &[self.bitcast(made, row(to))?], to, &[]).map(Some),
        }
    }

    fn check(&self, narrow: Element, t: Type<'c>) -> Built<()> {
        let checked = Feature::check_conversions(narrow, element_of(t), self.target);
        checked.or_else(|why| self.b.refuse(&why))
    }

    fn integer(&self, bits: i64) -> Type<'c> {
        IntegerType::new(self.b.context(), bits as u32).into()
    }

    fn bitcast(&self, x: Value<'c, 'c>, t: Type<'c>) -> Built<Value<'c, 'c>> {
        if ir::type_of(x) == t { Ok(x) } else { self.b.typed("arith.bitcast", &[x], t, &[]) }
    }

    fn element(&self, vector: Value<'c, 'c>, i: i64, t: Type<'c>) -> Built<Value<'c, 'c>> {
        let position = [("static_position", DenseI64ArrayAttribute::new(self.b.context(), &[i]).into())];
        let value = self.b.typed("vector.extract", &[vector], element_of(ir::type_of(vector)), &position)?;
        self.bitcast(value, t)
    }

    /// A value as a vector of rank 1.
    fn row(&self, x: Value<'c, 'c>, length: i64) -> Built<Value<'c, 'c>> {
        let t = vector_of(&[length], element_of(ir::type_of(x)));
        match vector_parts(ir::type_of(x)) {
            None => self.b.typed("vector.from_elements", &[x], t, &[]),
            Some((extents, _)) if extents.len() == 1 => Ok(x),
            Some(_) => self.b.typed("vector.shape_cast", &[x], t, &[]),
        }
    }

    /// A vector of wide floats as one of others.
    fn resized(&self, x: Value<'c, 'c>, t: Type<'c>) -> Built<Value<'c, 'c>> {
        let bits = |t| element(element_of(t)).map_or(0, Element::bits);
        let from = ir::type_of(x);
        if from == t {
            return Ok(x);
        }
        // Between f16 and bf16 neither is the wider one.
        if bits(from) == bits(t) {
            let single = vector_of(
                &vector_parts(t).map_or_else(Vec::new, |(extents, _)| extents),
                Type::float32(self.b.context()),
            );
            let wide = self.b.typed("arith.extf", &[x], single, &[])?;
            return self.b.typed("arith.truncf", &[wide], t, &[]);
        }
        let name = if bits(from) < bits(t) { "arith.extf" } else { "arith.truncf" };
        self.b.typed(name, &[x], t, &[])
    }

    /// A vector with the elements of another, padded with zeros.
    fn padded(&self, x: Value<'c, 'c>, length: i64) -> Built<Value<'c, 'c>> {
        let t = ir::type_of(x);
        let (extents, element) = vector_parts(t).expect("elements are converted as vectors");
        if extents == [length] {
            return Ok(x);
        }
        let mut all = self.b.many("vector.to_elements", &[x], &vec![element; extents[0] as usize])?;
        let zero: Attribute = match IntegerType::try_from(element) {
            Ok(_) => IntegerAttribute::new(element, 0).into(),
            Err(_) => self.b.attribute(&format!("0.0 : {element}"))?,
        };
        while all.len() < length as usize {
            all.push(self.b.typed("arith.constant", &[], element, &[("value", zero)])?);
        }
        self.b.typed("vector.from_elements", &all, vector_of(&[length], element), &[])
    }

    /// f16 from narrow floats, two at a time.
    fn widened(&self, x: Value<'c, 'c>, from: Element, length: i64) -> Built<Value<'c, 'c>> {
        let pairs = (length + 1) / 2;
        let bits = i64::from(from.bits());
        let code = self.bitcast(x, vector_of(&[length], self.integer(bits)))?;
        let mut code = self.padded(code, 2 * pairs)?;
        // Six bits lie in a byte each, four side by side.
        if bits == 6 {
            code = self.b.typed("arith.extui", &[code], vector_of(&[2 * pairs], self.integer(8)), &[])?;
        }
        let pair = self.integer(if bits == 4 { 8 } else { 16 });
        let code = self.b.typed("vector.bitcast", &[code], vector_of(&[pairs], pair), &[])?;
        let half = Type::float16(self.b.context());
        let mut made = Vec::new();
        for i in 0..pairs {
            let mut pair = self.element(code, i, pair)?;
            if bits == 4 {
                pair = self.b.typed("arith.extui", &[pair], self.integer(16), &[])?;
            }
            let name = format!("llvm.nvvm.{from}x2.to.f16x2.rn");
            let halves = self.b.intrinsic(&name, &[pair], vector_of(&[2], half), &[])?;
            made.extend(self.b.many("vector.to_elements", &[halves], &[half; 2])?);
        }
        made.truncate(length as usize);
        self.b.typed("vector.from_elements", &made, vector_of(&[length], half), &[])
    }

    /// Narrow floats from f32 or f16, two at a time, as the integers that they are.
    fn narrowed(&self, x: Value<'c, 'c>, to: Element, length: i64) -> Built<Value<'c, 'c>> {
        let pairs = (length + 1) / 2;
        let bits = i64::from(to.bits());
        let x = self.padded(x, 2 * pairs)?;
        let wide = element_of(ir::type_of(x));
        let is_single = wide == Type::float32(self.b.context());
        // Intrinsics of 8-bit floats always saturate, and their names do not contain it.
        let saturating = if bits == 8 { "" } else { ".satfinite" };
        let (word, byte) = (self.integer(16), self.integer(8));
        let all = self.b.many("vector.to_elements", &[x], &vec![wide; 2 * pairs as usize])?;
        let mut made = Vec::new();
        for pair in all.chunks_exact(2) {
            let code = if is_single {
                // The upper one first.
                let name = format!("llvm.nvvm.ff.to.{to}x2.rn{saturating}");
                self.b.intrinsic(&name, &[pair[1], pair[0]], word, &[])?
            } else {
                let both = self.b.typed("vector.from_elements", pair, vector_of(&[2], wide), &[])?;
                self.b.intrinsic(&format!("llvm.nvvm.f16x2.to.{to}x2.rn"), &[both], word, &[])?
            };
            made.push(if bits == 4 { self.b.typed("arith.trunci", &[code], byte, &[])? } else { code });
        }
        let packed = vector_of(&[pairs], if bits == 4 { byte } else { word });
        let packed = self.b.typed("vector.from_elements", &made, packed, &[])?;
        let lanes = if bits == 4 { self.integer(4) } else { byte };
        let mut code = self.b.typed("vector.bitcast", &[packed], vector_of(&[2 * pairs], lanes), &[])?;
        if bits == 6 {
            code = self.b.typed("arith.trunci", &[code], vector_of(&[2 * pairs], self.integer(6)), &[])?;
        }
        self.cut(code, length)
    }

    /// The first elements of a vector.
    fn cut(&self, x: Value<'c, 'c>, length: i64) -> Built<Value<'c, 'c>> {
        let (extents, element) = vector_parts(ir::type_of(x)).expect("elements are converted as vectors");
        if extents == [length] {
            return Ok(x);
        }
        let mut all = self.b.many("vector.to_elements", &[x], &vec![element; extents[0] as usize])?;
        all.truncate(length as usize);
        self.b.typed("vector.from_elements", &all, vector_of(&[length], element), &[])
    }
}
