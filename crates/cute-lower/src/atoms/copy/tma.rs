//! Boxes of the TMA: loads, stores, reductions and prefetches. [`elect`](crate::atoms::elect)
//! ensures that one lane issues a load; for stores, the program is responsible.

use cute_algebra::{Dim, Width};
use cute_arch::{Target, space, tensor_map::MapElement};
use cute_dialect::{
    atom::{CopyFamily, TmaCopy, TmaKind, format_of},
    types::{scalar_type, value_of},
    value::Value as Cute,
};
use cute_ffi::{ir, lowered::SWIZZLE_ATTRIBUTE};
use cute_ptx::Keyword;
use melior::ir::{Attribute, Value, attribute::StringAttribute};

use super::{CopyCall, LowersCopy};
use crate::{
    Builder, Built,
    atoms::{
        available::require,
        fields::Fields,
        issue::{Operands, in_cluster},
        pointer, tile_address,
        tmem::group,
    },
    check_memory::swizzle_of,
};

impl<'c> LowersCopy<'c> for TmaCopy<'c> {
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        require(b, self.bulk().name, self.bulk().on, target)?;
        check_elements(b, self, target)?;
        let issuer = Issuer { copy: self, atom: call.atom };
        let conditional = call.pred.map(|pred| b.conditional(pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        match self.kind {
            TmaKind::Load => issuer.load(b, call),
            TmaKind::Store => issuer.store(b, call, "nvvm.cp.async.bulk.tensor.global.shared.cta", &[]),
            TmaKind::Reduce => {
                let what = ("redKind", b.attribute(&self.reduction.nvvm_attribute())?);
                issuer.store(b, call, "nvvm.cp.async.bulk.tensor.reduce", &[what])
            }
            _ => b.ask(self.ends()).and_then(|_| b.refuse("is not supported")),
        }
    }

    fn prefetch(
        &self,
        b: &Builder<'c>,
        target: Target,
        atom: Value<'c, 'c>,
        src: Value<'c, 'c>,
    ) -> Built<()> {
        require(b, self.bulk().name, self.bulk().on, target)?;
        let issuer = Issuer { copy: self, atom };
        let (descriptor, cache) = (issuer.descriptor(b)?, Fields(atom).cache(b)?);
        let operands = Operands(vec![vec![descriptor], coordinates(b, src)?, vec![], cache]);
        operands.issue(b, "nvvm.cp.async.bulk.tensor.prefetch", &[])
    }
}

/// Refuses elements of less than a byte where the target does not copy them.
fn check_elements<'c>(b: &Builder<'c>, copy: &TmaCopy<'c>, target: Target) -> Built<()> {
    let Some(element) = format_of(copy.elem) else { return Ok(()) };
    let several = copy.kind == TmaKind::Load && (copy.multicast || copy.load.ctas() == 2);
    if element.is_loaded_on(target, several) {
        return Ok(());
    }
    let (elem, on) = (copy.elem, MapElement::BELOW_A_BYTE);
    b.refuse(&match on.on(target) {
        true => format!(
            "the TMA of {target} loads elements of {elem} for one CTA only: load them without multicast"
        ),
        false => format!("the TMA of {target} has no elements of {elem}; they are on {on}"),
    })
}

/// A copy and the atom that it is called by.
struct Issuer<'a, 'c> {
    copy: &'a TmaCopy<'c>,
    atom: Value<'c, 'c>,
}

impl<'c> Issuer<'_, 'c> {
    /// A box to this CTA, or to several. A pair of CTAs counts at the barrier of its even one,
    /// whose address has bit 24 clear.
    fn load(&self, b: &Builder<'c>, call: &CopyCall<'c>) -> Built<()> {
        let fields = Fields(self.atom);
        let barrier = fields.needed(b, "tma_bar", "a load signals its completion at a barrier")?;
        let barrier = pointer(b, barrier)?;
        let to = tile_address(b, call.dst)?;
        let (multicast, pair) = (self.copy.multicast, self.copy.load.ctas() == 2);
        let mut attributes = Vec::new();
        attributes.extend(swizzle(b, call.dst));
        let (mut to, mut at) = (to, barrier);
        if multicast || pair {
            to = in_cluster(b, to, None, space::CLUSTER)?;
        } else {
            attributes.push(("isCTAOnly", b.attribute("true")?));
        }
        if pair {
            at = in_cluster(b, at, Some(!(1 << 24)), space::SHARED)?;
            attributes.push(("group", group(b, 2)?));
        }
        let mut mask = Vec::new();
        if multicast {
            let why = "a multicast needs the CTAs of the cluster that receive the box";
            mask.push(fields.needed(b, "mcast_mask", why)?);
        }
        let (from, descriptor) = (coordinates(b, call.src)?, self.descriptor(b)?);
        let operands =
            vec![vec![to], vec![descriptor], from, vec![at], vec![], mask, fields.cache(b)?, vec![]];
        Operands(operands).issue(b, "nvvm.cp.async.bulk.tensor.shared.cluster.global", &attributes)
    }

    /// A box from this CTA into memory.
    fn store(
        &self,
        b: &Builder<'c>,
        call: &CopyCall<'c>,
        name: &str,
        more: &[(&str, Attribute<'c>)],
    ) -> Built<()> {
        let (descriptor, from) = (self.descriptor(b)?, tile_address(b, call.src)?);
        let mut operands =
            vec![vec![descriptor], vec![from], coordinates(b, call.dst)?, Fields(self.atom).cache(b)?];
        if self.copy.kind == TmaKind::Store {
            operands.push(vec![]);
        }
        let more: Vec<_> = more.iter().copied().chain(swizzle(b, call.src)).collect();
        Operands(operands).issue(b, name, &more)
    }

    fn descriptor(&self, b: &Builder<'c>) -> Built<Value<'c, 'c>> {
        pointer(b, Fields(self.atom).get(b, "tma_descriptor_ptr")?)
    }
}

/// The attribute with the swizzle of shared memory, if it is known.
fn swizzle<'c>(b: &Builder<'c>, memory: Value<'c, 'c>) -> Option<(&'static str, Attribute<'c>)> {
    let Cute::MemRef(view) = value_of(ir::type_of(memory)).into_owned() else { return None };
    let swizzle = swizzle_of(&view)?.to_string();
    Some((SWIZZLE_ATTRIBUTE, StringAttribute::new(b.context(), &swizzle).into()))
}

/// The coordinates of the box at the first element of a view, in the order of the descriptor's
/// modes.
fn coordinates<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<Vec<Value<'c, 'c>>> {
    let Cute::CoordTensor(tensor) = value_of(ir::type_of(view)).into_owned() else {
        return b.refuse("the verifier requires a coord_tensor for the TMA");
    };
    let iter = b.inferred("cute.get_iter", &[view], &[])?;
    let tuple = b.inferred("cute.deref_arith_tuple_iter", &[iter], &[])?;
    let width = |leaf: &Dim| leaf.width().unwrap_or(Width::I32);
    let types: Vec<_> =
        tensor.origin.leaves().iter().map(|leaf| scalar_type(b.context(), width(leaf))).collect();
    let word = scalar_type(b.context(), Width::I32);
    let narrow = |value| match ir::type_of(value) {
        t if t == word => Ok(value),
        _ => b.typed("arith.trunci", &[value], word, &[]),
    };
    b.many("cute.get_scalars", &[tuple], &types)?.into_iter().map(narrow).collect()
}
