//! The placements of `cute.placement.convert`, which its operands carry or its attributes state.

use cute_ffi::ir;
use cute_placement::Placement;
use cute_placement::convert::Owners;
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

use crate::{
    error::{Error, Result},
    types::{placement, value_of},
    value::Value as Cute,
};

/// The owners of each element before and after a conversion.
#[derive(Debug, Clone)]
pub struct Ends {
    /// The owners of elements in the source.
    pub from: Owners,
    /// The owners of elements in the destination.
    pub to: Owners,
}

impl Ends {
    /// The ends of a conversion. Returns an error if a view does not carry a placement, or if the
    /// placements have different numbers of elements, do not place on threads and registers, or do
    /// not have as many elements per thread as the view.
    pub fn of(op: OperationRef<'_, '_>) -> Result<Self> {
        let [from, to] = [("source", 0, "from"), ("destination", 1, "to")].map(|(name, i, attribute)| {
            let view = *ir::operands(op).get(i).ok_or_else(|| Error::Rule(format!("there is no {name}")))?;
            let own = op.attribute(attribute).ok().and_then(placement);
            let placement = own.or_else(|| carried(view)).ok_or_else(|| {
                Error::Rule(format!(
                    "the {name} carries no placement: give the op that makes it the attribute placement, or this one {attribute}"
                ))
            })?;
            let owners = Owners::of_placement(&placement)
                .map_err(|why| Error::Rule(format!("{name}: {why}")))?;
            let Cute::MemRef(memref) = value_of(ir::type_of(view)).into_owned() else {
                return Err(Error::Rule(format!("the {name} is not a memref")));
            };
            let elements = cute_algebra::cosize(&memref.layout)?;
            let registers = owners.registers();
            if elements.as_static().is_none_or(|n| usize::try_from(n) != Ok(registers)) {
                return Err(Error::Rule(format!(
                    "the placement {placement} of the {name} has {registers} elements per thread, but the \
                     view {} reaches {elements}",
                    memref.layout
                )));
            }
            Ok((placement, owners))
        });
        let ((from, before), (to, after)) = (from?, to?);
        if from.size()? != to.size()? {
            return Err(Error::Rule(format!(
                "the placement {from} of the source has {} elements, but {to} of the destination has {}",
                from.size()?,
                to.size()?
            )));
        }
        Ok(Self { from: before, to: after })
    }
}

/// The placement of a view, from the op that makes it.
pub fn carried(view: Value<'_, '_>) -> Option<Placement> {
    let op = ir::definer(view)?;
    op.attribute("placement").ok().and_then(placement)
}
