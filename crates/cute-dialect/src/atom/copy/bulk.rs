//! `cp.async.bulk` and `cp.reduce.async.bulk`: copies and reductions of contiguous bytes that no
//! descriptor describes.

use cute_arch::{
    atoms::{BulkAtom, BulkInstruction, BulkMode, BulkOperation, Reduction},
    tensor_map::{BULK_ALIGN, BulkReduction, MapElement},
};
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::{Kind, context_of},
};
use melior::ir::{Type, r#type::IntegerType};

use super::{CopyEnd, CopyEnds, CopyFamily, format_of};
use crate::{
    atom::{AtomError, AtomState, StateFieldType},
    space::Space,
    syntax::{element_type, one_of, positive, put, tokens},
};

/// A copy of contiguous bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BulkCopy<'c> {
    /// The direction of the copy.
    pub way: BulkWay,
    /// Element type.
    pub elem: Type<'c>,
    /// Bits of one instruction.
    pub bits: i64,
    /// Whether several CTAs of a cluster receive the bytes; only for copies from global to shared
    /// memory.
    pub multicast: bool,
    /// The operation by which elements update those at the destination, which is not global to
    /// shared memory then.
    pub reduction: Option<Reduction>,
}

/// The ways of a copy of contiguous bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkWay {
    /// From global to shared memory.
    GlobalToShared,
    /// From shared to global memory.
    SharedToGlobal,
    /// From shared memory to that of another CTA of the cluster.
    SharedToShared,
}

/// The types: the way of each, and whether it reduces.
const KINDS: [(Kind, BulkWay, bool); 5] = [
    (Kind::BulkCopyG2S, BulkWay::GlobalToShared, false),
    (Kind::BulkCopyS2G, BulkWay::SharedToGlobal, false),
    (Kind::BulkCopyS2S, BulkWay::SharedToShared, false),
    (Kind::BulkReduceS2G, BulkWay::SharedToGlobal, true),
    (Kind::BulkReduceS2S, BulkWay::SharedToShared, true),
];

impl BulkCopy<'_> {
    /// The row of the registry.
    pub fn bulk(&self) -> &'static BulkAtom {
        let operation = match (self.way, self.reduction) {
            (BulkWay::GlobalToShared, _) => BulkOperation::Load,
            (BulkWay::SharedToGlobal, None) => BulkOperation::Store,
            (BulkWay::SharedToGlobal, Some(by)) => BulkOperation::Reduce(by),
            (BulkWay::SharedToShared, None) => BulkOperation::Send,
            (BulkWay::SharedToShared, Some(by)) => BulkOperation::SendReduce(by),
        };
        let multicast = self.multicast;
        BulkAtom::of(BulkInstruction { operation, mode: BulkMode::Bytes, multicast, ctas: 1 })
            .expect("the registry has a row for each way of bytes")
    }

    /// The element type of a reduction, as the instruction counts it.
    pub fn element(&self) -> Option<MapElement> {
        format_of(self.elem)
    }

    /// Checks that the instruction reduces such elements.
    fn reduces(&self, by: Reduction) -> Result<(), AtomError> {
        let (instruction, space) = match self.way {
            BulkWay::SharedToShared => (BulkReduction::Cluster, Space::Smem),
            _ => (BulkReduction::Global, Space::Gmem),
        };
        if self.element().is_some_and(|element| instruction.takes(by, element)) {
            return Ok(());
        }
        let found = self.element().map_or_else(|| self.elem.to_string(), |element| element.to_string());
        let taken: Vec<String> = instruction.elements(by).map(|element| element.to_string()).collect();
        Err(AtomError::Reduction {
            reducer: "cp.reduce.async.bulk",
            elem: found,
            place: format!(" in {}", space.name()),
            by: by.name(),
            taken: taken.join(", "),
        })
    }
}

impl<'c> CopyFamily<'c> for BulkCopy<'c> {
    /// `f32 copy_bits = 4096[ mcast = true]`, `f32 copy_bits = 4096 kind = ADD`
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        let (_, way, reduces) = KINDS.into_iter().find(|(own, ..)| *own == kind)?;
        Some(body(p, way, reduces))
    }

    fn print(&self, out: &mut String) {
        put(out, format_args!(" copy_bits = {}", self.bits));
        if self.multicast {
            out.push_str(" mcast = true");
        }
        if let Some(by) = self.reduction {
            put(out, format_args!(" kind = {}", by.name()));
        }
    }

    fn kind(&self) -> Kind {
        let is_own = |(_, way, reduces): &(Kind, BulkWay, bool)| {
            (*way, *reduces) == (self.way, self.reduction.is_some())
        };
        KINDS.into_iter().find(is_own).expect("a reduction begins in shared memory").0
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn state(&self) -> Option<AtomState<'c>> {
        let barrier: Type<'c> = IntegerType::new(context_of(self.elem), 64).into();
        let barrier = ("tma_bar", StateFieldType::Pointer(barrier, Space::Smem));
        let (attribute, fields) = match self.way {
            BulkWay::GlobalToShared => (
                "atom_copy_field_bulkg2s",
                vec![
                    barrier,
                    ("mcast_mask", StateFieldType::Integer(16)),
                    ("cache_policy", StateFieldType::Integer(64)),
                ],
            ),
            BulkWay::SharedToGlobal => return None,
            BulkWay::SharedToShared => {
                ("atom_copy_field_bulks2s", vec![barrier, ("cta_rank", StateFieldType::Integer(32))])
            }
        };
        Some(AtomState { attribute, fields, is_made_unset: true })
    }

    fn bits(&self) -> i64 {
        self.bits
    }

    fn rule(&self) -> Result<(), AtomError> {
        if self.bits % (BULK_ALIGN * 8) == 0 {
            return self.reduction.map_or(Ok(()), |by| self.reduces(by));
        }
        Err(AtomError::BulkBits { unit: BULK_ALIGN, bits: self.bits })
    }

    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let (from, to) = match self.way {
            BulkWay::GlobalToShared => (Space::Gmem, Space::Smem),
            BulkWay::SharedToGlobal => (Space::Smem, Space::Gmem),
            BulkWay::SharedToShared => (Space::Smem, Space::Smem),
        };
        let block = |space| CopyEnd::Block(space, BULK_ALIGN);
        let name = if self.reduction.is_some() { "cp.reduce.async.bulk" } else { "cp.async.bulk" };
        Ok(CopyEnds { name, src: block(from), dst: block(to), otherwise: None })
    }

    fn is_elected(&self) -> bool {
        true
    }

    fn swizzles_itself(&self) -> Option<&'static str> {
        Some("a bulk copy")
    }
}

fn body<'c>(p: &Parser<'c>, way: BulkWay, reduces: bool) -> ParseResult<BulkCopy<'c>> {
    let elem = element_type(p)?;
    tokens(p, &["copy_bits", "="])?;
    let bits = positive(p, "a positive number of bits")?;
    let mut multicast = false;
    if way == BulkWay::GlobalToShared && p.optional("mcast") {
        p.expect("=")?;
        let choices = &[("true", true), ("false", false)];
        multicast = one_of(p, "whether several CTAs receive the bytes", choices)?;
    }
    let mut reduction = None;
    if reduces {
        tokens(p, &["kind", "="])?;
        reduction = Some(one_of(p, "a reduction", Reduction::ALL)?);
    }
    Ok(BulkCopy { way, elem, bits, multicast, reduction })
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::Context;

    #[test]
    fn every_way_of_bytes_names_its_row() {
        let context = Context::new();
        let elem = Type::parse(&context, "f32").expect("f32 is a type");
        let all = |way, multicast, reduction| BulkCopy { way, elem, bits: 128, multicast, reduction };
        let row = |way, multicast| all(way, multicast, None).bulk().name;
        assert_eq!(row(BulkWay::GlobalToShared, false), "SM90_BULK_COPY_G2S");
        assert_eq!(row(BulkWay::GlobalToShared, true), "SM90_BULK_COPY_G2S_MULTICAST");
        assert_eq!(row(BulkWay::SharedToGlobal, false), "SM90_BULK_COPY_S2G");
        assert_eq!(row(BulkWay::SharedToShared, false), "SM90_BULK_COPY_S2S");
        for (name, by) in Reduction::ALL {
            let row = |way| all(way, false, Some(*by)).bulk().name;
            assert_eq!(row(BulkWay::SharedToGlobal), format!("SM90_BULK_REDUCE_S2G_{name}"));
            assert_eq!(row(BulkWay::SharedToShared), format!("SM90_BULK_REDUCE_S2S_{name}"));
        }
    }
}
