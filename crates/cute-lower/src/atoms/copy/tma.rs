//! Boxes of the TMA: loads, stores, reductions and prefetches. [`elect`](crate::atoms::elect) has seen to it that one lane issues a
//! load; of a store, that is the program's business.

use cute_algebra::{Dim, Width};
use cute_arch::Target;
use cute_dialect::{
    atom::{CopyFamily, TmaCopy, TmaKind},
    types::{State, scalar_type, value_of},
    value::Value as Cute,
};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Attribute, Value,
    attribute::DenseI32ArrayAttribute,
    block::BlockArgument,
    operation::{OperationLike, OperationRef},
};

use super::{CopyCall, LowersCopy};
use crate::{
    atoms::{pointer, tile_address},
    build::{Build, Built, conditional},
};

impl<'c> LowersCopy<'c> for TmaCopy<'c> {
    fn copy(&self, b: &Build<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        available(self, b, target)?;
        let issuer = Issuer { copy: self, atom: call.atom };
        let conditional = call.pred.map(|pred| conditional(b, pred)).transpose()?;
        let b = conditional.as_ref().unwrap_or(b);
        match self.kind {
            TmaKind::Load => issuer.load(b, call),
            TmaKind::Store => issuer.store(b, call, "nvvm.cp.async.bulk.tensor.global.shared.cta", &[]),
            TmaKind::Reduce => {
                let what = format!("#nvvm.tma_redux_kind<{}>", self.reduction.ptx());
                let what = ("redKind", b.attribute(&what));
                issuer.store(b, call, "nvvm.cp.async.bulk.tensor.reduce", &[what])
            }
            _ => b.ask(self.ends().and(Err("is not supported".to_string()))),
        }
    }

    fn prefetch(&self, b: &Build<'c>, target: Target, atom: Value<'c, 'c>, src: Value<'c, 'c>) -> Built<()> {
        available(self, b, target)?;
        let issuer = Issuer { copy: self, atom };
        let (descriptor, cache) = (issuer.descriptor(b)?, issuer.cache(b)?);
        let operands = Operands(vec![vec![descriptor], coordinates(b, src)?, vec![], cache]);
        operands.issue(b, "nvvm.cp.async.bulk.tensor.prefetch", &[])
    }
}

fn available<'c>(copy: &TmaCopy<'c>, b: &Build<'c>, target: Target) -> Built<()> {
    let row = copy.bulk();
    if row.on.on(target) {
        return Ok(());
    }
    b.refuse(&format!("{target} has no {}; it is on {}", row.name, row.on))
}

/// A copy and the atom that it is called by.
struct Issuer<'a, 'c> {
    copy: &'a TmaCopy<'c>,
    atom: Value<'c, 'c>,
}

impl<'c> Issuer<'_, 'c> {
    /// A box to this CTA, or to several. A pair of CTAs counts at the barrier of its even one, whose address has bit 24 clear.
    fn load(&self, b: &Build<'c>, call: &CopyCall<'c>) -> Built<()> {
        self.require(b, "tma_bar", "a load says at a barrier that it is complete")?;
        let barrier = pointer(b, self.field(b, "tma_bar")?)?;
        let to = tile_address(b, call.dst)?;
        let (multicast, pair) = (self.copy.multicast, self.copy.load.ctas() == 2);
        let mut attributes = Vec::new();
        let (mut to, mut at) = (to, barrier);
        if multicast || pair {
            to = in_cluster(b, to, None, 7)?;
        } else {
            attributes.push(("isCTAOnly", b.attribute("true")));
        }
        if pair {
            at = in_cluster(b, at, Some(!(1 << 24)), 3)?;
            attributes.push(("group", b.attribute("#nvvm.cta_group<cta_2>")));
        }
        let mut mask = Vec::new();
        if multicast {
            self.require(b, "mcast_mask", "a multicast says which CTAs of the cluster receive the box")?;
            mask.push(self.field(b, "mcast_mask")?);
        }
        let (from, descriptor) = (coordinates(b, call.src)?, self.descriptor(b)?);
        let operands = vec![vec![to], vec![descriptor], from, vec![at], vec![], mask, self.cache(b)?, vec![]];
        Operands(operands).issue(b, "nvvm.cp.async.bulk.tensor.shared.cluster.global", &attributes)
    }

    /// A box from this CTA into memory.
    fn store(
        &self,
        b: &Build<'c>,
        call: &CopyCall<'c>,
        name: &str,
        more: &[(&str, Attribute<'c>)],
    ) -> Built<()> {
        let (descriptor, from) = (self.descriptor(b)?, tile_address(b, call.src)?);
        let mut operands = vec![vec![descriptor], vec![from], coordinates(b, call.dst)?, self.cache(b)?];
        if self.copy.kind == TmaKind::Store {
            operands.push(vec![]);
        }
        Operands(operands).issue(b, name, more)
    }

    fn descriptor(&self, b: &Build<'c>) -> Built<Value<'c, 'c>> {
        pointer(b, self.field(b, "tma_descriptor_ptr")?)
    }

    /// The policy of caching, where the program has set one.
    fn cache(&self, b: &Build<'c>) -> Built<Vec<Value<'c, 'c>>> {
        if is_given(self.atom, "cache_policy") {
            Ok(vec![self.field(b, "cache_policy")?])
        } else {
            Ok(Vec::new())
        }
    }

    /// Refuses a call whose atom was never given what it cannot go without.
    fn require(&self, b: &Build<'c>, field: &str, why: &str) -> Built<()> {
        if is_given(self.atom, field) {
            return Ok(());
        }
        let attribute = self.state().attribute;
        b.refuse(&format!(
            "the atom has no {field}: {why}; cute_nvgpu.atom.set_value gives it one, with field = #cute_nvgpu.{attribute}<{field}>"
        ))
    }

    fn state(&self) -> State<'c> {
        State::of(&*value_of(ir::type_of(self.atom))).expect("an atom of the TMA has a state")
    }

    /// The value of a field of the atom.
    fn field(&self, b: &Build<'c>, name: &str) -> Built<Value<'c, 'c>> {
        let state = self.state();
        let field = state.fields.iter().find(|f| f.name == name).expect("the atom has the field");
        let attribute = b.attribute(&format!("#cute_nvgpu.{}<{name}>", state.attribute));
        b.typed("cute_nvgpu.atom.get_value", &[self.atom], field.holds, &[("field", attribute)])
    }
}

/// Whether an atom may have been given a value for a field: whether the ops that lead to it set one. Where it comes around a loop, or
/// out of a branch, any such op of the function may have.
fn is_given(atom: Value<'_, '_>, field: &str) -> bool {
    let mut at = atom;
    while let Some(op) = ir::definer(at) {
        match op_name(op) {
            SET if sets(op, field) => return true,
            "cute_nvgpu.atom.make_exec_tma" => return false,
            "cute.make_atom" => return true,
            SET | "cute.derefine" => at = ir::operands(op)[0],
            _ => return anywhere(op, field),
        }
    }
    let argument = BlockArgument::try_from(at).expect("a value is made by an op or is an argument");
    ir::parent_of(argument.owner()).is_none_or(|op| ir::is_function(op) || anywhere(op, field))
}

const SET: &str = "cute_nvgpu.atom.set_value";

fn sets(op: OperationRef<'_, '_>, field: &str) -> bool {
    let given = op.attribute("field").map(|a| a.to_string()).unwrap_or_default();
    given.split_once('<').is_some_and(|(_, name)| name.strip_suffix('>') == Some(field))
}

/// Whether an atom comes into the function around `op`, or an op in it sets a field of any atom.
fn anywhere(op: OperationRef<'_, '_>, field: &str) -> bool {
    let Some(function) = ir::enclosing_isolated(op) else { return true };
    let gives = |op: &OperationRef<'_, '_>| match op_name(*op) {
        SET => sets(*op, field),
        name => name == "cute.make_atom",
    };
    let mut arguments = (0..).map_while(|i| ir::block_argument(function, i));
    let has_field = |v: Value<'_, '_>| {
        State::of(&*value_of(ir::type_of(v)))
            .is_some_and(|state| state.fields.iter().any(|f| f.name == field))
    };
    arguments.any(has_field) || ir::walk(function).iter().any(gives)
}

/// The coordinates of the box at the first element of a view, in the order of the descriptor.
fn coordinates<'c>(b: &Build<'c>, view: Value<'c, 'c>) -> Built<Vec<Value<'c, 'c>>> {
    let Cute::CoordTensor(tensor) = value_of(ir::type_of(view)).into_owned() else {
        return b.refuse("the TMA finds boxes by coordinates, a coord_tensor");
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

/// The address of a shared pointer in the window of its cluster, with some bits cleared, as a pointer to `space`. NVVM's cast of
/// pointers would read special registers.
fn in_cluster<'c>(
    b: &Build<'c>,
    pointer: Value<'c, 'c>,
    mask: Option<i64>,
    space: u32,
) -> Built<Value<'c, 'c>> {
    let t = scalar_type(b.context(), Width::I64);
    let mut address = b.typed("llvm.ptrtoint", &[pointer], t, &[])?;
    if let Some(mask) = mask {
        let mask = b.typed("llvm.mlir.constant", &[], t, &[("value", b.i64_attribute(mask))])?;
        address = b.typed("llvm.and", &[address, mask], t, &[])?;
    }
    b.typed("llvm.inttoptr", &[address], b.parse_type(&format!("!llvm.ptr<{space}>")), &[])
}

/// The operands of an op of NVVM, whose groups of them may be empty.
struct Operands<'c>(Vec<Vec<Value<'c, 'c>>>);

impl<'c> Operands<'c> {
    fn issue(&self, b: &Build<'c>, name: &str, attributes: &[(&str, Attribute<'c>)]) -> Built<()> {
        let sizes: Vec<_> = self.0.iter().map(|group| group.len() as i32).collect();
        let sizes = ("operandSegmentSizes", DenseI32ArrayAttribute::new(b.context(), &sizes).into());
        b.effect(name, &self.0.concat(), &[attributes, &[sizes]].concat(), Vec::new()).map(|_| ())
    }
}
