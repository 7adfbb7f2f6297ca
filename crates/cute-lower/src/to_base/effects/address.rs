//! Addresses as integers, and integers as addresses.

use cute_algebra::{Int, Width};
use cute_dialect::{
    types::{scalar_width, value_of},
    value::Value as Cute,
};

use super::{Lowered, Site};
use crate::{
    Builder,
    emit::ops::{address_as_integer, integer_as_address},
};

/// `inttoptr`.
pub fn from_integer<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let t = at.result_type(0);
    let declared = value_of(t);
    let (Cute::Scalar(address) | Cute::Assumed(address), Cute::Ptr(to)) = (&*at.call.operands[0], &*declared)
    else {
        return Builder::before(at.op).refuse(&format!("an integer cannot be a {t}"));
    };
    let width = address.dim().width().unwrap_or(Width::I64);
    let address = at.graph().value(&address.materialize(width));
    let pointer = integer_as_address(at.op, address, to.space);
    at.made([pointer])
}

/// `ptrtoint`.
pub fn to_integer<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let t = at.result_type(0);
    let (Cute::Ptr(from), Some(width)) = (&*at.call.operands[0], scalar_width(t)) else {
        return Builder::before(at.op).refuse(&format!("an address cannot be a {t}"));
    };
    at.made([address_as_integer(at.op, at.graph().value(&from.address), width)])
}
