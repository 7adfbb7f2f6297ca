//! `cute.copy` and `cute.prefetch`: dynamic modes, and more calls than [`MOST_UNROLLED`], become a
//! loop.

use cute_algebra::{self as algebra, CopySide, Crd, Dim, LayoutLike, Tile, Tuple, Width};
use cute_build::predicate::{self, IntPredicate};
use cute_dialect::{
    types::{scalar_type, value_of},
    value::Value as Cute,
};
use cute_ffi::ir;
use melior::ir::{
    Attribute, Value,
    attribute::{DenseI32ArrayAttribute, IntegerAttribute},
    operation::OperationRef,
};

use super::{MOST_CALLS, MOST_UNROLLED, layout_of, rank};
use crate::{Builder, Built};

/// A view as (vector, calls, rest): mode 0 divided where it holds several calls, the rest one mode.
struct View<'c> {
    value: Value<'c, 'c>,
    /// Whether mode 0 is (vector, calls).
    divided: bool,
    /// Number of modes: a leaf, or one or two modes.
    modes: Option<usize>,
}

/// The values that one iteration uses.
#[derive(Clone, Copy)]
enum Index<'c> {
    Static(i64),
    Dynamic(Value<'c, 'c>, Width),
}

pub(super) fn expand<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Builder::before(op);
    let operands = ir::operands(op);
    let [atom, src, dst, ..] = operands[..] else {
        return b.fail("'cute.copy' op expects an atom and two views");
    };
    let pred = operands.get(3).copied();

    let (atom, known) = match value_of(ir::type_of(atom)).into_owned() {
        Cute::CopyAtom(a) => (atom, a),
        Cute::TiledCopy(tiled) => {
            let t = cute_dialect::types::type_of(b.context(), &Cute::CopyAtom(tiled.atom.clone()));
            (b.typed("cute.make_atom", &[], t, &[])?, tiled.atom)
        }
        other => return b.fail(&format!("'cute.copy' op of {} is not supported", other.what())),
    };
    let [from, to] = CopySide::ALL.map(|side| known.values_of(side));
    let (calls, rest) = extent(&b, dst, to)?;
    let spread = spread(&b, src, dst, (from, calls), &rest)?;
    let src = prepare(&b, src, from)?;
    let dst = prepare(&b, dst, to)?;
    let pred = pred.map(|p| grouped(&b, p)).transpose()?;
    Each { name: "cute.copy_atom_call", atom, src, dst: Some(dst), pred, calls, spread }.all(&b, rest)
}

/// Expands a prefetch, which is a copy without a destination.
pub(super) fn prefetch<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Builder::before(op);
    let [atom, src] = ir::operands(op)[..] else {
        return b.fail("'cute.prefetch' op expects an atom and a view");
    };
    let (atom, values) = match value_of(ir::type_of(atom)).into_owned() {
        Cute::CopyAtom(known) if known.prefetches().is_some() => (atom, known.values_of(CopySide::Src)),
        other => return b.refuse(&format!("a prefetch by {} is not supported yet", other.what())),
    };
    let (calls, rest) = extent(&b, src, values)?;
    let src = prepare(&b, src, values)?;
    Each { name: "cute.prefetch_atom_call", atom, src, dst: None, pred: None, calls, spread: 0 }.all(&b, rest)
}

/// The number of calls in the source's mode 0 per step of the destination's rest. `None` if both
/// have the same modes; all calls of a step if the source's single mode holds the destination's
/// two, in the same order.
fn spread<'c>(
    b: &Builder<'c>,
    src: Value<'c, 'c>,
    dst: Value<'c, 'c>,
    (values, calls): (i64, i64),
    rest: &Extent,
) -> Built<i64> {
    if rank(src) == rank(dst) || extent(b, src, values)?.0 == calls {
        return Ok(0);
    }
    match rest {
        Extent::Static(n) if rank(src) == 1 && n.saturating_mul(calls) <= MOST_UNROLLED => Ok(calls),
        _ => b.fail("'cute.copy' op: a destination of one rank more than its source is supported where mode 0 of both agrees, or the source has one static mode"),
    }
}

enum Extent {
    Static(i64),
    Dynamic(Width),
}

/// Calls in mode 0, and the size of the rest.
fn extent<'c>(b: &Builder<'c>, view: Value<'c, 'c>, values: i64) -> Built<(i64, Extent)> {
    let layout = layout_of(view);
    let shape = layout.outer().shape();
    let mut sizes = shape.modes().map(|m| algebra::product(m));
    let first = first_mode(b.ask(sizes.next().transpose())?);
    let mut rest = Dim::fixed(1);
    for n in sizes {
        rest = b.ask(algebra::Int::mul(&rest, &b.ask(n)?))?;
    }
    let rest = match (rest.as_static(), rest.width()) {
        (Some(n), _) => Extent::Static(n),
        (None, width) => Extent::Dynamic(width.expect("a size that is not static has a width")),
    };
    Ok(((first / values.max(1)).max(1), rest))
}

/// The size of mode 0, if there is one.
fn first_mode(mode: Option<Dim>) -> i64 {
    mode.map_or(1, |n| n.as_static().expect("the verifier wants mode 0 static"))
}

/// Groups all modes after the first into one.
fn grouped<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<View<'c>> {
    let layout = layout_of(view);
    let shape = layout.outer().shape();
    if shape.is_leaf() {
        return Ok(View { value: view, divided: false, modes: None });
    }
    let rank = shape.rank();
    let value = if rank > 2 {
        let attributes = [("begin", b.attr(1i32)), ("end", b.attr(rank as i32))];
        b.inferred("cute.group_modes", &[view], &attributes)?
    } else {
        view
    };
    Ok(View { value, divided: false, modes: Some(rank.min(2)) })
}

fn prepare<'c>(b: &Builder<'c>, view: Value<'c, 'c>, values: i64) -> Built<View<'c>> {
    let mut view = grouped(b, view)?;
    let layout = layout_of(view.value);
    let first = layout.outer().shape().modes().next().map(algebra::product);
    let first = first_mode(b.ask(first.transpose())?);
    if first != values && first % values == 0 {
        let vector = b.ask(algebra::Layout::identity(Dim::fixed(values)))?;
        let tile = b.fixed(&Cute::Tile(Tile::Modes(vec![Tile::Layout(vector)])))?;
        view.value = b.inferred("cute.logical_divide", &[view.value, tile], &[])?;
        view.divided = true;
        // After division by mode, a leaf is a tuple of one mode.
        view.modes = view.modes.or(Some(1));
    }
    Ok(view)
}

struct Each<'c> {
    name: &'static str,
    atom: Value<'c, 'c>,
    src: View<'c>,
    /// None of a prefetch.
    dst: Option<View<'c>>,
    pred: Option<View<'c>>,
    calls: i64,
    spread: i64,
}

impl<'c> Each<'c> {
    fn all(&self, b: &Builder<'c>, rest: Extent) -> Built<()> {
        if self.calls > MOST_CALLS {
            return b.refuse(&format!(
                "{} calls of its atom are in mode 0, which is unrolled; at most {MOST_CALLS} can be. Divide \
                 the views so that most calls are in later modes, or use an atom with more bits",
                self.calls
            ));
        }
        if self.calls > MOST_UNROLLED {
            b.warn(&format!(
                "is unrolled to {} calls of its atom, which takes long to compile: all are in mode 0, and \
                 only later modes become loops. An atom with more bits needs fewer calls",
                self.calls
            ));
        }
        match rest {
            Extent::Static(n) if n.saturating_mul(self.calls) <= MOST_UNROLLED => {
                (0..n).try_for_each(|i| self.calls(b, Index::Static(i)))
            }
            extent => self.in_loop(b, extent),
        }
    }

    /// All calls of mode 0 at one coordinate of the rest.
    fn calls(&self, b: &Builder<'c>, rest: Index<'c>) -> Built<()> {
        for call in 0..self.calls {
            let from = match rest {
                Index::Static(i) => call + self.spread * i,
                Index::Dynamic(..) => call,
            };
            let mut operands = vec![self.atom, sliced(b, &self.src, from, rest)?];
            if let Some(dst) = &self.dst {
                operands.push(sliced(b, dst, call, rest)?);
            }
            if let Some(pred) = &self.pred {
                operands.push(flag(b, pred, call, rest)?);
            }
            b.effect(self.name, &operands, &[])?;
        }
        Ok(())
    }

    /// The width of a loop over `n` coordinates: one in which the coordinates and the offsets of
    /// the views do not overflow.
    fn width(&self, n: i64) -> Width {
        let reach =
            |view: &View<'c>| algebra::cosize(&layout_of(view.value)).ok().and_then(|size| size.as_static());
        let views = [Some(&self.src), self.dst.as_ref(), self.pred.as_ref()];
        let furthest = views.into_iter().flatten().filter_map(reach).fold(n, i64::max);
        if furthest > i64::from(i32::MAX) { Width::I64 } else { Width::I32 }
    }

    /// All calls, in a loop over the rest.
    fn in_loop(&self, b: &Builder<'c>, extent: Extent) -> Built<()> {
        let c = b.context();
        let (upper, width) = match extent {
            Extent::Static(n) => {
                let width = self.width(n);
                let t = scalar_type(c, width);
                (b.typed("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, n).into())])?, width)
            }
            Extent::Dynamic(width) => {
                let of = self.dst.as_ref().unwrap_or(&self.src).value;
                let mode: Attribute = DenseI32ArrayAttribute::new(c, &[1]).into();
                let size = b.inferred("cute.size", &[of], &[("mode", mode)])?;
                (b.inferred("cute.get_scalars", &[size], &[])?, width)
            }
        };
        let (inside, index) = b.counted(upper)?;
        self.calls(&inside, Index::Dynamic(index, width))
    }
}

fn coord<'c>(
    b: &Builder<'c>,
    view: &View<'c>,
    first: Tuple<Crd<Dim>>,
    rest: Index<'c>,
) -> Built<Value<'c, 'c>> {
    let Some(modes) = view.modes else { return b.make_coord(first, &[]) };
    match (modes, rest) {
        (0, _) => b.make_coord(Tuple::from_modes([]), &[]),
        (1, _) => b.make_coord(Tuple::from_modes([first]), &[]),
        (_, Index::Static(i)) => {
            b.make_coord(Tuple::from_modes([first, Tuple::leaf(Crd::Int(Dim::fixed(i)))]), &[])
        }
        (_, Index::Dynamic(i, width)) => {
            b.make_coord(Tuple::from_modes([first, Tuple::leaf(Crd::Int(Dim::dynamic(width, 1)))]), &[i])
        }
    }
}

/// The elements of one call.
fn sliced<'c>(b: &Builder<'c>, view: &View<'c>, call: i64, rest: Index<'c>) -> Built<Value<'c, 'c>> {
    let open = || Tuple::leaf(Crd::Underscore);
    let first = if view.divided {
        Tuple::from_modes([open(), Tuple::leaf(Crd::Int(Dim::fixed(call)))])
    } else {
        open()
    };
    if !view.divided && view.modes.is_none_or(|n| n < 2) {
        return Ok(view.value);
    }
    let coord = coord(b, view, first, rest)?;
    b.inferred("cute.slice", &[view.value, coord], &[])
}

/// The predicate of one call, as i1.
fn flag<'c>(b: &Builder<'c>, view: &View<'c>, call: i64, rest: Index<'c>) -> Built<Value<'c, 'c>> {
    let layout = layout_of(view.value);
    let first = b.ask(layout.outer().shape().modes().next().map(algebra::product).transpose())?;
    // One element in mode 0 stands for all calls.
    let call = if first.is_some_and(|n| n.as_static() == Some(1)) { 0 } else { call };
    let coord = coord(b, view, Tuple::leaf(Crd::Int(Dim::fixed(call))), rest)?;
    let loaded = b.inferred("cute.memref.load", &[view.value, coord], &[])?;
    let t = ir::type_of(loaded);
    if cute_dialect::types::bit_width(t) == Some(1) {
        return Ok(loaded);
    }
    let zero = b.typed("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, 0).into())])?;
    b.inferred("arith.cmpi", &[loaded, zero], &[predicate::attribute(b.context(), IntPredicate::Ne.number())])
}
