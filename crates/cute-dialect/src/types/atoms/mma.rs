//! MMA atoms: the shape, then the fields of their kind in order.

use cute_arch::{
    Element,
    atoms::{Major, MmaOp},
};
use cute_ffi::syntax::{Parsed, Parser};
use melior::ir::Type;

use super::{one_of, positive, tokens};
use crate::types::element::element_type;
use crate::{
    atom::{Field, Frag, MmaAtom, MmaKind, MmaOptions, element, scale_name},
    types::{integer, print::put},
};

/// All of an MMA atom.
pub(in crate::types) fn print(out: &mut String, atom: &MmaAtom<'_>) {
    let ([m, n, k], [a, b, c], options) = (atom.shape, atom.elems, &atom.options);
    put(out, format_args!("{m}x{n}x{k}"));
    for field in atom.kind.fields() {
        match field {
            Field::Function => put(out, format_args!(", ({a}, {b}) -> {c} ")),
            Field::Majors => {
                let (a, b) = options.majors;
                put(out, format_args!(", ab_major = ({}, {})", major_name(a), major_name(b)));
            }
            Field::Elements => put(out, format_args!(", elem_type = ({a}, {b}, {c})")),
            Field::Space => out.push(' '),
            Field::Frag => put(out, format_args!(", frag_kind = {}", options.frag.name())),
            Field::NumCta => put(out, format_args!(", num_cta = {}", options.num_cta)),
            Field::ScaleExponent => put(out, format_args!(", c_scale_exp = {}", options.c_scale_exp)),
            Field::ScaleType => {
                if let Some((scale, _)) = options.scale {
                    put(out, format_args!(", sf_type = {}", scale_name(scale)));
                }
            }
            Field::ScaleVector => {
                if let Some((_, vector)) = options.scale {
                    put(out, format_args!(", vec_size = {vector}"));
                }
            }
            Field::ScaleLayout => out.push_str(", use_sf_layout_TV = true"),
            Field::MetadataOrder => out.push_str(", md_format = tid"),
            Field::MetadataType => out.push_str(", e_type = i8"),
            Field::MetadataFormat => out.push_str(", sparse_metadata_format = tid"),
            Field::Operation => {
                let (name, value) = match options.op {
                    MmaOp::MulAdd => continue,
                    MmaOp::MulAddSaturate => ("int_overflow", "satfinite"),
                    MmaOp::XorPopc => ("binary_op", "xor_popc"),
                    MmaOp::AndPopc => ("binary_op", "and_popc"),
                };
                let comma = if out.ends_with(' ') { "" } else { ", " };
                put(out, format_args!("{comma}{name} = <{value}>"));
            }
        }
    }
}

/// The body of an MMA atom of a kind.
pub(super) fn parse<'c>(p: &Parser<'c>, kind: MmaKind) -> Parsed<MmaAtom<'c>> {
    let at = p.at();
    let shape = p.dimensions()?;
    let (mut elems, mut options) = (None, MmaOptions::default());
    for field in kind.fields() {
        match field {
            Field::Space => {}
            Field::Operation => options.op = operation(p)?,
            _ => {
                p.expect(",")?;
                value(p, *field, &mut elems, &mut options)?;
            }
        }
    }
    let Some(elems) = elems else { return p.error(at, "expected the types of elements") };
    MmaAtom::new(kind, shape, elems, options).or_else(|why| p.error(at, &why))
}

/// A field that is always written.
fn value<'c>(
    p: &Parser<'c>,
    field: Field,
    elems: &mut Option<[Type<'c>; 3]>,
    options: &mut MmaOptions,
) -> Parsed<()> {
    let name = match field {
        Field::Function => {
            *elems = Some(function(p)?);
            return Ok(());
        }
        Field::Majors => "ab_major",
        Field::Elements => "elem_type",
        Field::Frag => "frag_kind",
        Field::NumCta => "num_cta",
        Field::ScaleExponent => "c_scale_exp",
        Field::ScaleType => "sf_type",
        Field::ScaleVector => "vec_size",
        Field::ScaleLayout => "use_sf_layout_TV",
        Field::MetadataOrder => "md_format",
        Field::MetadataType => "e_type",
        Field::MetadataFormat => "sparse_metadata_format",
        Field::Space | Field::Operation => return Ok(()),
    };
    tokens(p, &[name, "="])?;
    let at = p.at();
    let scale = options.scale.unwrap_or((Element::Ue8m0, 0));
    match field {
        Field::Majors => {
            p.expect("(")?;
            let a = major(p)?;
            p.expect(",")?;
            options.majors = (a, major(p)?);
            p.expect(")")?;
        }
        Field::Elements => *elems = Some(triple(p)?),
        Field::Frag => {
            options.frag = one_of(p, "where A and B are", &Frag::ALL.map(|f| (f.name(), f)))?;
        }
        Field::NumCta => match p.integer() {
            Some(n @ (1 | 2)) => options.num_cta = n,
            _ => return p.error(at, "expected the CTAs of an instruction: 1 or 2"),
        },
        Field::ScaleExponent => match p.integer() {
            Some(n @ 0..=15) => options.c_scale_exp = n,
            _ => return p.error(at, "expected an exponent from 0 to 15: C is divided by 2 to that power"),
        },
        Field::ScaleVector => {
            let n = positive(p, "the elements that share a scale: 16, 32 or, where A is sparse, 64")?;
            options.scale = Some((scale.0, n));
        }
        Field::ScaleType => match element(p.r#type()?) {
            Some(Element::Ue8m0) => options.scale = Some((Element::Ue8m0, scale.1)),
            Some(Element::E4m3) => options.scale = Some((Element::Ue4m3, scale.1)),
            _ => return p.error(at, "expected a type of scales: f8E8M0FNU or f8E4M3FN"),
        },
        Field::MetadataOrder | Field::MetadataFormat => {
            one_of(p, "an order of metadata", &[("tid", ())])?;
        }
        Field::MetadataType => {
            if integer(p.r#type()?).is_none_or(|t| t.width() != 8) {
                return p.error(at, "metadata are bytes: e_type = i8");
            }
        }
        _ if p.optional("true") => {}
        _ => return p.error(at, "use_sf_layout_TV = true is supported"),
    }
    Ok(())
}

fn major_name(major: Major) -> &'static str {
    if major == Major::Mn { "mn" } else { "k" }
}

fn major(p: &Parser<'_>) -> Parsed<Major> {
    one_of(p, "the mode that lies contiguous", &[("k", Major::K), ("mn", Major::Mn)])
}

/// `(f32, f32) -> f32`
fn function<'c>(p: &Parser<'c>) -> Parsed<[Type<'c>; 3]> {
    p.expect("(")?;
    let a = element_type(p)?;
    p.expect(",")?;
    let b = element_type(p)?;
    tokens(p, &[")", "->"])?;
    Ok([a, b, element_type(p)?])
}

/// `(f16, f16, f32)`
fn triple<'c>(p: &Parser<'c>) -> Parsed<[Type<'c>; 3]> {
    p.expect("(")?;
    let a = element_type(p)?;
    p.expect(",")?;
    let b = element_type(p)?;
    p.expect(",")?;
    let c = element_type(p)?;
    p.expect(")")?;
    Ok([a, b, c])
}

/// `[int_overflow = <satfinite>]` or `[binary_op = <xor_popc>]`, a comma before them or not.
fn operation(p: &Parser<'_>) -> Parsed<MmaOp> {
    let comma = p.optional(",");
    let choices: &[(&str, MmaOp)] = if p.optional("int_overflow") {
        &[("wrapped", MmaOp::MulAdd), ("satfinite", MmaOp::MulAddSaturate)]
    } else if p.optional("binary_op") {
        &[("xor_popc", MmaOp::XorPopc), ("and_popc", MmaOp::AndPopc)]
    } else if comma {
        return p.error(p.at(), "expected int_overflow or binary_op");
    } else {
        return Ok(MmaOp::MulAdd);
    };
    tokens(p, &["=", "<"])?;
    let op = one_of(p, "an operation", choices)?;
    p.expect(">").map(|()| op)
}
