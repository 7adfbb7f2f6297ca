//! Creates ops from lists that the caller owns. MLIR's C API takes over lists in memory of their
//! own, which costs more than the op.

use melior::{
    StringRef,
    ir::{
        Attribute, AttributeLike, Identifier, Location, Operation, Region, Type, TypeLike, Value, ValueLike,
    },
};
use mlir_sys::*;
use smallvec::SmallVec;

unsafe extern "C" {
    fn cuteCreate(draft: *const Draft) -> MlirOperation;
}

/// `CuteDraft` of Boundary.h.
#[repr(C)]
struct Draft {
    name: MlirStringRef,
    location: MlirLocation,
    num_operands: isize,
    operands: *const MlirValue,
    num_attributes: isize,
    attributes: *const MlirNamedAttribute,
    num_results: isize,
    results: *const MlirType,
    num_regions: isize,
    regions: *const MlirRegion,
}

/// An op with results of these types; `None` if no loaded dialect has an op with this name.
pub fn create<'c>(
    name: &str,
    location: Location<'c>,
    operands: &[Value<'c, '_>],
    attributes: &[(Identifier<'c>, Attribute<'c>)],
    results: &[Type<'c>],
    regions: Vec<Region<'c>>,
) -> Option<Operation<'c>> {
    let operands: SmallVec<[_; 4]> = operands.iter().map(ValueLike::to_raw).collect();
    let named = |(name, value): &(Identifier<'c>, Attribute<'c>)| MlirNamedAttribute {
        name: name.to_raw(),
        attribute: value.to_raw(),
    };
    let attributes: SmallVec<[_; 2]> = attributes.iter().map(named).collect();
    let results: SmallVec<[_; 2]> = results.iter().map(TypeLike::to_raw).collect();
    let regions: SmallVec<[_; 2]> = regions.into_iter().map(Region::into_raw).collect();
    let draft = Draft {
        name: StringRef::new(name).to_raw(),
        location: location.to_raw(),
        num_operands: operands.len() as isize,
        operands: operands.as_ptr(),
        num_attributes: attributes.len() as isize,
        attributes: attributes.as_ptr(),
        num_results: results.len() as isize,
        results: results.as_ptr(),
        num_regions: regions.len() as isize,
        regions: regions.as_ptr(),
    };
    // SAFETY: the lists live until the call returns, and have as many live elements; C++ owns the
    // regions from here on. The op is new, and its owner frees it.
    unsafe { Operation::from_option_raw(cuteCreate(&draft)) }
}
