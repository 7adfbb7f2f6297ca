//! MMA atoms: the shape, then the fields of their kind in order.

use cute_arch::{
    Element,
    atoms::{Major, MmaOp},
};
use cute_ffi::syntax::{ParseResult, Parser};
use melior::ir::Type;

use super::{
    super::factor::major_name, DISABLED_LANES, Frag, MmaAtom, MmaKind, MmaOptions, TypeField, element,
    element::type_name,
};
use crate::{
    scalars::integer,
    syntax::{element_type, one_of, positive, put, tokens},
};

/// All of an MMA atom.
pub(super) fn print(out: &mut String, atom: &MmaAtom<'_>) {
    let ([m, n, k], [a, b, c], options) = (atom.shape, atom.elems, &atom.options);
    put(out, format_args!("{m}x{n}x{k}"));
    for field in atom.kind.fields() {
        let value = match field {
            TypeField::Function => {
                put(out, format_args!(", ({a}, {b}) -> {c} "));
                continue;
            }
            TypeField::Space => {
                out.push(' ');
                continue;
            }
            TypeField::Operation => {
                operation_after(out, options.op);
                continue;
            }
            TypeField::Negation => {
                let negated = [options.negated.0, options.negated.1];
                for (name, _) in NEGATED.into_iter().zip(negated).filter(|(_, negated)| *negated) {
                    put(out, format_args!(", {name} = true"));
                }
                continue;
            }
            TypeField::Majors => {
                format!("({}, {})", major_name(options.majors.0), major_name(options.majors.1))
            }
            TypeField::Elements => format!("({a}, {b}, {c})"),
            TypeField::Frag => options.frag.name().into(),
            TypeField::NumCta => options.num_cta.to_string(),
            TypeField::ScaleExponent => options.c_scale_exp.to_string(),
            TypeField::ScaleType => match options.scale {
                Some((scale, _)) => type_name(scale).expect("MLIR has the types of scales").to_string(),
                None => continue,
            },
            TypeField::ScaleVector => match options.scale {
                Some((_, vector)) => vector.to_string(),
                None => continue,
            },
            TypeField::LaneMask if options.lane_mask => "true".into(),
            TypeField::LaneMask => continue,
            TypeField::Promotion if atom.is_wide() => PROMOTED.into(),
            TypeField::Promotion => continue,
            TypeField::ScaleLayout => "true".into(),
            TypeField::MetadataOrder | TypeField::MetadataFormat => "tid".into(),
            TypeField::MetadataType => "i8".into(),
        };
        if let Some(keyword) = field.keyword() {
            put(out, format_args!(", {keyword} = {value}"));
        }
    }
}

/// `, int_overflow = <satfinite>` or `, binary_op = <xor_popc>`; empty for multiply-add.
fn operation_after(out: &mut String, op: MmaOp) {
    let (name, value) = match op {
        MmaOp::MulAdd => return,
        MmaOp::MulAddSaturate => ("int_overflow", "satfinite"),
        MmaOp::XorPopc => ("binary_op", "xor_popc"),
        MmaOp::AndPopc => ("binary_op", "and_popc"),
    };
    let comma = if out.ends_with(' ') { "" } else { ", " };
    put(out, format_args!("{comma}{name} = <{value}>"));
}

/// The body of an MMA atom of a kind.
pub(super) fn parse<'c>(p: &Parser<'c>, kind: MmaKind) -> ParseResult<MmaAtom<'c>> {
    let at = p.at();
    let shape = p.dimensions()?;
    let (mut elems, mut options) = (None, MmaOptions::default());
    let mut promoted = None;
    for field in kind.fields() {
        match field {
            TypeField::Space | TypeField::Negation => {}
            TypeField::LaneMask => {
                if p.optional(",") {
                    tokens(p, &[DISABLED_LANES, "=", "true"])?;
                    options.lane_mask = true;
                }
            }
            TypeField::Promotion => {
                if p.optional(",") {
                    promoted = Some(p.at());
                    tokens(p, &["arch_promote", "=", PROMOTED])?;
                }
            }
            TypeField::Operation => {
                options.op =
                    operation(p, kind.fields().contains(&TypeField::Negation), &mut options.negated)?;
            }
            _ => {
                p.expect(",")?;
                value(p, *field, &mut elems, &mut options)?;
            }
        }
    }
    let Some(elems) = elems else { return p.error(at, "expected the types of elements") };
    let atom = MmaAtom::new(kind, shape, elems, options).or_else(|why| p.error(at, &why.to_string()))?;
    match promoted {
        Some(at) if !atom.is_wide() => p.error(at, "arch_promote = sm_103 is for K = 96"),
        _ => Ok(atom),
    }
}

/// The target that has K = 96.
const PROMOTED: &str = "sm_103";

/// A field that is always written.
fn value<'c>(
    p: &Parser<'c>,
    field: TypeField,
    elems: &mut Option<[Type<'c>; 3]>,
    options: &mut MmaOptions,
) -> ParseResult<()> {
    let Some(keyword) = field.keyword() else {
        if field == TypeField::Function {
            *elems = Some(function(p)?);
        }
        return Ok(());
    };
    tokens(p, &[keyword, "="])?;
    let at = p.at();
    let scale = options.scale.unwrap_or((Element::Ue8m0, 0));
    match field {
        TypeField::Majors => {
            p.expect("(")?;
            let a = major(p)?;
            p.expect(",")?;
            options.majors = (a, major(p)?);
            p.expect(")")?;
        }
        TypeField::Elements => *elems = Some(triple(p)?),
        TypeField::Frag => {
            options.frag = one_of(p, "where A and B are", Frag::ALL)?;
        }
        TypeField::NumCta => match p.integer() {
            Some(n @ (1 | 2)) => options.num_cta = n,
            _ => return p.error(at, "expected the CTAs of an instruction: 1 or 2"),
        },
        TypeField::ScaleExponent => match p.integer() {
            Some(n @ 0..=15) => options.c_scale_exp = n,
            _ => return p.error(at, "expected an exponent from 0 to 15: C is divided by 2 to that power"),
        },
        TypeField::ScaleVector => {
            let n = positive(p, "the elements that share a scale: 16, 32 or, where A is sparse, 64")?;
            options.scale = Some((scale.0, n));
        }
        TypeField::ScaleType => match element(p.r#type()?) {
            Some(Element::Ue8m0) => options.scale = Some((Element::Ue8m0, scale.1)),
            Some(Element::E4m3) => options.scale = Some((Element::Ue4m3, scale.1)),
            _ => return p.error(at, "expected a type of scales: f8E8M0FNU or f8E4M3FN"),
        },
        TypeField::MetadataOrder | TypeField::MetadataFormat => {
            one_of(p, "an order of metadata", &[("tid", ())])?;
        }
        TypeField::MetadataType => {
            if integer(p.r#type()?).is_none_or(|t| t.width() != 8) {
                return p.error(at, "metadata are bytes: e_type = i8");
            }
        }
        _ if p.optional("true") => {}
        _ => return p.error(at, "use_sf_layout_TV = true is supported"),
    }
    Ok(())
}

pub(crate) fn major(p: &Parser<'_>) -> ParseResult<Major> {
    one_of(p, "the mode that lies contiguous", &[("k", Major::K), ("mn", Major::Mn)])
}

/// `(f32, f32) -> f32`
fn function<'c>(p: &Parser<'c>) -> ParseResult<[Type<'c>; 3]> {
    p.expect("(")?;
    let a = element_type(p)?;
    p.expect(",")?;
    let b = element_type(p)?;
    tokens(p, &[")", "->"])?;
    Ok([a, b, element_type(p)?])
}

/// `(f16, f16, f32)`
fn triple<'c>(p: &Parser<'c>) -> ParseResult<[Type<'c>; 3]> {
    p.expect("(")?;
    let a = element_type(p)?;
    p.expect(",")?;
    let b = element_type(p)?;
    p.expect(",")?;
    let c = element_type(p)?;
    p.expect(")")?;
    Ok([a, b, c])
}

/// The fields that negate A and B.
const NEGATED: [&str; 2] = ["a_neg", "b_neg"];

/// `[int_overflow = <satfinite>]`, `[binary_op = <xor_popc>]` or, if the atom supports it,
/// `[a_neg = true][, b_neg = true]`, with or without a leading comma.
fn operation(p: &Parser<'_>, negates: bool, negated: &mut (bool, bool)) -> ParseResult<MmaOp> {
    let mut comma = p.optional(",");
    for (name, negated) in NEGATED.into_iter().zip([&mut negated.0, &mut negated.1]) {
        if negates && p.optional(name) {
            tokens(p, &["=", "true"])?;
            *negated = true;
            comma = p.optional(",");
        }
    }
    let choices: &[(&str, MmaOp)] = if p.optional("int_overflow") {
        &[("wrapped", MmaOp::MulAdd), ("satfinite", MmaOp::MulAddSaturate)]
    } else if p.optional("binary_op") {
        &[("xor_popc", MmaOp::XorPopc), ("and_popc", MmaOp::AndPopc)]
    } else if comma {
        let more = if negates { ", a_neg and then b_neg" } else { "" };
        return p.error(p.at(), &format!("expected int_overflow or binary_op{more}"));
    } else {
        return Ok(MmaOp::MulAdd);
    };
    tokens(p, &["=", "<"])?;
    let op = one_of(p, "an operation", choices)?;
    p.expect(">").map(|()| op)
}
