//! `cp.async.bulk`: copies of contiguous bytes that no descriptor describes.

use cute_arch::atoms::{BulkAtom, BulkInstruction, BulkMode, BulkOperation};
use cute_ffi::{
    syntax::{Parsed, Parser},
    types::{Kind, context_of},
};
use melior::ir::{Type, r#type::IntegerType};

use super::{CopyEnd, CopyEnds, CopyFamily};
use crate::{
    atom::{AtomState, Holds},
    space::Space,
    syntax::{element_type, one_of, positive, put, tokens},
};

/// Size and addresses are multiples of this number of bytes.
const UNIT: i64 = 16;

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

impl BulkWay {
    const ALL: [Self; 3] = [Self::GlobalToShared, Self::SharedToGlobal, Self::SharedToShared];

    fn kind(self) -> Kind {
        match self {
            Self::GlobalToShared => Kind::BulkCopyG2S,
            Self::SharedToGlobal => Kind::BulkCopyS2G,
            Self::SharedToShared => Kind::BulkCopyS2S,
        }
    }
}

impl BulkCopy<'_> {
    /// The row of the registry.
    pub fn bulk(&self) -> &'static BulkAtom {
        let operation = match self.way {
            BulkWay::GlobalToShared => BulkOperation::Load,
            BulkWay::SharedToGlobal => BulkOperation::Store,
            BulkWay::SharedToShared => BulkOperation::Send,
        };
        let multicast = self.multicast;
        BulkAtom::of(BulkInstruction { operation, mode: BulkMode::Bytes, multicast, ctas: 1 })
            .expect("the registry has a row for each way of bytes")
    }
}

impl<'c> CopyFamily<'c> for BulkCopy<'c> {
    /// `f32 copy_bits = 4096[ mcast = true]`
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<Parsed<Self>> {
        let way = BulkWay::ALL.into_iter().find(|way| way.kind() == kind)?;
        Some(body(p, way))
    }

    fn print(&self, out: &mut String) {
        put(out, format_args!(" copy_bits = {}", self.bits));
        if self.multicast {
            out.push_str(" mcast = true");
        }
    }

    fn kind(&self) -> Kind {
        self.way.kind()
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn state(&self) -> Option<AtomState<'c>> {
        let barrier: Type<'c> = IntegerType::new(context_of(self.elem), 64).into();
        let barrier = ("tma_bar", Holds::Pointer(barrier, Space::Smem));
        let (attribute, fields) = match self.way {
            BulkWay::GlobalToShared => (
                "atom_copy_field_bulkg2s",
                vec![barrier, ("mcast_mask", Holds::Integer(16)), ("cache_policy", Holds::Integer(64))],
            ),
            BulkWay::SharedToGlobal => return None,
            BulkWay::SharedToShared => {
                ("atom_copy_field_bulks2s", vec![barrier, ("cta_rank", Holds::Integer(32))])
            }
        };
        Some(AtomState { attribute, fields, is_made_unset: true })
    }

    fn bits(&self) -> i64 {
        self.bits
    }

    fn rule(&self) -> Result<(), String> {
        if self.bits % (UNIT * 8) == 0 {
            return Ok(());
        }
        Err(format!(
            "cp.async.bulk copies multiples of {UNIT} bytes, but copy_bits = {} is not such a multiple",
            self.bits
        ))
    }

    fn ends(&self) -> Result<CopyEnds, String> {
        let (from, to) = match self.way {
            BulkWay::GlobalToShared => (Space::Gmem, Space::Smem),
            BulkWay::SharedToGlobal => (Space::Smem, Space::Gmem),
            BulkWay::SharedToShared => (Space::Smem, Space::Smem),
        };
        let block = |space| CopyEnd::Block(space, UNIT);
        Ok(CopyEnds { name: "cp.async.bulk", src: block(from), dst: block(to), otherwise: None })
    }

    fn is_elected(&self) -> bool {
        true
    }

    fn swizzles_itself(&self) -> Option<&'static str> {
        Some("a bulk copy")
    }
}

fn body<'c>(p: &Parser<'c>, way: BulkWay) -> Parsed<BulkCopy<'c>> {
    let elem = element_type(p)?;
    tokens(p, &["copy_bits", "="])?;
    let bits = positive(p, "a positive number of bits")?;
    let mut multicast = false;
    if way == BulkWay::GlobalToShared && p.optional("mcast") {
        p.expect("=")?;
        let choices = &[("true", true), ("false", false)];
        multicast = one_of(p, "whether several CTAs receive the bytes", choices)?;
    }
    Ok(BulkCopy { way, elem, bits, multicast })
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::Context;

    #[test]
    fn every_way_of_bytes_names_its_row() {
        let context = Context::new();
        let elem = Type::parse(&context, "f32").expect("f32 is a type");
        let row = |way, multicast| BulkCopy { way, elem, bits: 128, multicast }.bulk().name;
        assert_eq!(row(BulkWay::GlobalToShared, false), "SM90_BULK_COPY_G2S");
        assert_eq!(row(BulkWay::GlobalToShared, true), "SM90_BULK_COPY_G2S_MULTICAST");
        assert_eq!(row(BulkWay::SharedToGlobal, false), "SM90_BULK_COPY_S2G");
        assert_eq!(row(BulkWay::SharedToShared, false), "SM90_BULK_COPY_S2S");
    }
}
