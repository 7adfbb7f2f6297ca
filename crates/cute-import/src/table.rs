//! The differences between CuTe DSL's MLIR and today's upstream: one row per op.
//!
//! | module | ops |
//! |---|---|
//! | `arch` | instructions as ops of `cute_nvgpu.arch` |
//! | `arithmetic` | arithmetic on numbers and on pairs of them |
//! | [`atoms`] | types of atoms that are not compiled |
//! | `barriers` | barriers of a block, and waits with a time limit |
//! | `clusters` | addresses in a cluster, and requests for another one |
//! | `descriptors` | descriptors of matrices in shared memory |
//! | [`forms`] | forms of our ops in custom assembly, by version |
//! | [`known`] | ops that are not supported, with the versions that have them |
//! | `memory` | loads, stores and atomic updates |
//! | [`published`] | the ops that published modules have, by version |
//! | `tensor` | tensor memory |
//! | `version` | versions of CuTe DSL, the programs that write modules, and the origin of an op |

mod arch;
mod arithmetic;
pub mod atoms;
mod barriers;
mod clusters;
mod descriptors;
pub mod forms;
pub mod known;
mod memory;
pub mod published;
mod tensor;
mod version;

pub use version::{EXTENSION_VARIABLE, Origin, Producer, Source, Version};

use crate::site::{Rewritten, Site};
use cute_dialect::{
    types::{type_of, value_of},
    value::Value,
};
use melior::ir::attribute::DenseI32ArrayAttribute;
use std::borrow::Cow;
use version::{
    Producer::{CuteDsl, CuteRs},
    Version::{V4_3, V4_5},
};

/// An op that upstream does not have, or spells differently.
pub struct Drift {
    /// The op's full name.
    pub name: &'static str,
    /// The programs and versions that write it.
    pub origin: Origin,
    /// The ops that it becomes, separated by commas and "and"; "or" stands between those of which
    /// it becomes one. Empty for an op that vanishes.
    pub becomes: &'static str,
    /// The difference between its custom assembly and upstream's.
    pub custom: Custom,
    /// Rewrites an op with that name, unless upstream accepts it unchanged.
    pub rewrite: fn(&Site<'_, '_>) -> Rewritten,
}

/// The dialect in which ops of [`OURS`] that it does not have here are parsed. Its name is as long.
pub const DRIFTED: &str = "cute_drift";
/// The dialect that they are from.
pub const OURS: &str = "cute_nvgpu";

/// Ends a name that an op of CuTe DSL has between two steps of the import, where upstream has an op
/// of its name that takes other attributes.
const BETWEEN: &str = ".drifted";

impl Drift {
    /// The name in CuTe DSL.
    pub fn original(&self) -> Cow<'static, str> {
        original(self.name)
    }
}

/// The name in CuTe DSL of an op that has another one here.
pub fn original(name: &str) -> Cow<'_, str> {
    match name.strip_prefix(DRIFTED) {
        Some(rest) => format!("{OURS}{rest}").into(),
        None => name.strip_suffix(BETWEEN).unwrap_or(name).into(),
    }
}

/// The assembly of an op that upstream cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Custom {
    /// Upstream reads it.
    Upstream,
    /// `op %a, key = %b {attributes} : A, B -> R`, or `to R`. If the op has results and only one
    /// list of types is written, it has the types of the results, which are those of the operands.
    /// If one type of several results is written, it is the type of all.
    Typed,
    /// Like `Typed`, for an op with a text in its operands or attributes. Upstream reads others.
    Marked {
        /// The text.
        mark: &'static str,
        /// The name of another row, which such an op gets, because upstream checks its attributes.
        name: &'static str,
    },
    /// `op %a, %b`, or `op %a, %b : R`: types of operands are not written. All types may be, as for
    /// `Typed`.
    Fixed {
        /// The types of the operands; those of operands that may be absent are last.
        operands: &'static str,
        /// The type of the result.
        result: &'static str,
    },
    /// `op %a : vector<4xf32>`, where the type is that of the result.
    Splat,
    /// `op id = %a number_of_threads = %b`, which may lack one or both. Upstream reads it, but
    /// parses a following `loc(..)` as an attribute of the op.
    Barrier,
    /// `op(%a, %b) {attributes} : (A, B) -> R`.
    Call,
    /// `op(4) : T` or `op : T`, where the number is the attribute `input` of an op that has no
    /// operands.
    Count,
    /// `op(%a) <{unit}>`, where we write the property before the operand.
    After {
        /// The property with its brackets.
        property: &'static str,
    },
    /// `op %a[%i : i32] : vector<4xf32>`, where the type is that of the first operand.
    Element,
    /// `op(%a)` or `op(%a, %layout)` on a coordinate tensor whose iterator is an int_tuple, as in
    /// CuTe DSL 4.3.
    Coordinates,
    /// `op(%a, %b) : A, B` with a result type that is not written. CuTe DSL infers a less precise
    /// type than we do, so the type is taken from a use.
    Inferred,
}

/// The whole table, file by file.
pub fn rows() -> impl Iterator<Item = &'static Drift> {
    let own = [
        arch::ROWS,
        arithmetic::ROWS,
        barriers::ROWS,
        clusters::ROWS,
        descriptors::ROWS,
        memory::ROWS,
        tensor::ROWS,
    ];
    [TABLE].into_iter().chain(own).flatten()
}

/// The origin of an op, by its name in CuTe DSL, as far as it is known: of a row, of an op that is
/// not supported, of one that published modules have, or of one that is listed with a form. Of
/// several, that of the first version.
pub fn origin(op: &str) -> Option<Origin> {
    let row = rows().filter(|row| row.original() == op).map(|row| row.origin);
    let form = forms::FORMS.iter().filter(|form| form.ops.contains(&op)).map(|form| form.origin);
    let published = published::first(op).map(Origin::seen);
    let all = row.chain(form).chain(published).chain(known::origin(op));
    all.min_by_key(|origin| (origin.since.is_none(), origin.since))
}

/// The first version of CuTe DSL that a public source shows an op in. Earlier versions may have it,
/// unless its [`Origin::added`] is set.
pub fn since(op: &str) -> Option<Version> {
    origin(op)?.since
}

/// Rows without a file of their own.
const TABLE: &[Drift] = &[
    Drift {
        name: "vector.splat",
        origin: Origin::seen(V4_3),
        becomes: "vector.broadcast",
        custom: Custom::Splat,
        rewrite: |op| op.become_op("vector.broadcast", &op.operands, &[]),
    },
    Drift {
        name: "vector.extractelement",
        origin: Origin::seen(V4_3),
        becomes: "vector.extract",
        custom: Custom::Element,
        rewrite: extract_element,
    },
    Drift {
        name: "nvvm.barrier",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.barrier",
        custom: Custom::Barrier,
        rewrite: barrier,
    },
    Drift {
        name: "nvvm.fence.mbarrier.init",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.fence.mbarrier.init",
        custom: Custom::Upstream,
        rewrite: |op| match op.attribute("useIntrinsic") {
            Some(_) => op.become_op("nvvm.fence.mbarrier.init", &[], &[]),
            None => Ok(false),
        },
    },
    Drift {
        name: "nvvm.vote.ballot.sync",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.vote.sync",
        custom: Custom::Fixed { operands: "i32, i1", result: "i32" },
        rewrite: |op| {
            op.become_op("nvvm.vote.sync", &op.operands, &[("kind", "#nvvm<vote_sync_kind ballot>")])
        },
    },
    Drift {
        name: "nvvm.mbarrier.init.shared",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.mbarrier.init",
        custom: Custom::Typed,
        rewrite: |op| op.become_op("nvvm.mbarrier.init", &op.operands, &[]),
    },
    Drift {
        name: "nvvm.mbarrier.try_wait.parity.shared",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.mbarrier.try_wait.parity",
        custom: Custom::Typed,
        rewrite: |op| op.become_op("nvvm.mbarrier.try_wait.parity", &op.operands, &[]),
    },
    Drift {
        name: "nvvm.mbarrier.wait.parity",
        origin: Origin::seen(V4_3).by(&[CuteDsl, CuteRs]),
        becomes: "nvvm.mbarrier.try_wait",
        custom: Custom::Typed,
        rewrite: |op| {
            one_of(op, "kind", &["try"])?;
            barriers::wait(op, "nvvm.mbarrier.try_wait")
        },
    },
    Drift {
        name: "nvvm.cp.async.mbarrier.arrive.shared",
        origin: Origin::seen(V4_3),
        becomes: "nvvm.cp.async.mbarrier.arrive",
        custom: Custom::Typed,
        rewrite: |op| {
            let noinc: &[_] = if op.flag("noinc") { &[("noinc", "true")] } else { &[] };
            op.become_op("nvvm.cp.async.mbarrier.arrive", &op.operands, noinc)
        },
    },
    // Rounds to nearest and saturates, as PTX's conversions to these types always do.
    Drift {
        name: "nvgpu.cvt_fptrunc",
        origin: Origin::seen(V4_3),
        becomes: "arith.truncf",
        custom: Custom::Typed,
        rewrite: |op| {
            one_of(op, "packed_kind", &["compact"])?;
            // Upstream's numbers of the modes.
            let mode = ["", "2 : i32", "3 : i32"][one_of(op, "rnd", &["rn", "rp", "rz"])?.unwrap_or(0)];
            let mode: &[_] = if mode.is_empty() { &[] } else { &[("roundingmode", mode)] };
            op.become_op("arith.truncf", &op.operands, mode)
        },
    },
    // Exact: each of these formats is a part of the wider one.
    Drift {
        name: "nvgpu.cvt_fpext",
        origin: Origin::inferred(V4_3).by(&[CuteDsl, CuteRs]),
        becomes: "arith.extf",
        custom: Custom::Typed,
        rewrite: |op| op.become_op("arith.extf", &op.operands, &[]),
    },
    Drift {
        name: "nvvm.ldmatrix",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.ldmatrix",
        custom: Custom::Upstream,
        rewrite: matrices,
    },
    Drift {
        name: "nvvm.stmatrix",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.stmatrix",
        custom: Custom::Upstream,
        rewrite: matrices,
    },
    Drift {
        name: "nvvm.tcgen05.mma",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.tcgen05.mma",
        custom: Custom::Marked { mark: "mmaKind", name: "nvvm.tcgen05.mma.drifted" },
        rewrite: |op| match op.attribute("mmaKind") {
            Some(_) => multiplied(op),
            None => Ok(false),
        },
    },
    Drift {
        name: "cute.get_scalars",
        origin: Origin::seen(V4_5),
        becomes: "cute.get_scalars",
        custom: Custom::After { property: "<{only_dynamic}>" },
        rewrite: |_| Ok(false),
    },
    Drift {
        name: "cute.get_iter",
        origin: Origin::seen(V4_3).until(V4_3),
        becomes: "cute.get_iter and cute.deref_arith_tuple_iter",
        custom: Custom::Coordinates,
        rewrite: first_coordinate,
    },
    Drift {
        name: "cute.make_view",
        origin: Origin::seen(V4_3).until(V4_3),
        becomes: "cute.make_arith_tuple_iter and cute.make_view",
        custom: Custom::Coordinates,
        rewrite: view_from,
    },
    Drift {
        name: "cute.ceil_div",
        origin: Origin::seen(V4_3),
        becomes: "cute.ceil_div",
        custom: Custom::Inferred,
        rewrite: |_| Ok(false),
    },
    Drift {
        name: "cute.logical_divide",
        origin: Origin::seen(V4_3),
        becomes: "cute.logical_divide",
        custom: Custom::Inferred,
        rewrite: |_| Ok(false),
    },
    Drift {
        name: "cute.zipped_divide",
        origin: Origin::seen(V4_3),
        becomes: "cute.zipped_divide",
        custom: Custom::Inferred,
        rewrite: |_| Ok(false),
    },
    Drift {
        name: "cute.tiled_divide",
        origin: Origin::seen(V4_3),
        becomes: "cute.tiled_divide",
        custom: Custom::Inferred,
        rewrite: |_| Ok(false),
    },
    Drift {
        name: "cute.flat_divide",
        origin: Origin::seen(V4_3),
        becomes: "cute.flat_divide",
        custom: Custom::Inferred,
        rewrite: |_| Ok(false),
    },
];

/// Matrices of 8 x 8 elements of 16 bits, where the op names neither shape nor element.
fn matrices(op: &Site<'_, '_>) -> Rewritten {
    if op.attribute("eltType").is_some() || op.attribute("shape").is_some() {
        return Ok(false);
    }
    let shape = "#nvvm.ld_st_matrix_shape<m = 8, n = 8>";
    let further = [("eltType", "#nvvm.ld_st_matrix_elt_type<b16>"), ("shape", shape)];
    op.become_same(op.name(), &[("layout", "layout"), ("num", "num")], &further)
}

/// Upstream calls the kind `kind`.
fn multiplied(op: &Site<'_, '_>) -> Rewritten {
    let kept = ["ctaGroup", "collectorOp", "aShift", "operandSegmentSizes"].map(|name| (name, name));
    op.become_same("nvvm.tcgen05.mma", &[&kept[..], &[("mmaKind", "kind")]].concat(), &[])
}

/// In CuTe DSL 4.3, a coordinate tensor begins at an int_tuple; in later versions, at an iterator
/// over one.
fn first_coordinate(op: &Site<'_, '_>) -> Rewritten {
    let [result] = op.results()[..] else { return Ok(false) };
    let Some(iterator) = iterator_over(op, result) else { return Ok(false) };
    let iterator = op.value("cute.get_iter", &op.operands, &[], iterator)?;
    op.become_op("cute.deref_arith_tuple_iter", &[iterator], &[])
}

/// Like `first_coordinate`, for a tensor that is made from it.
fn view_from(op: &Site<'_, '_>) -> Rewritten {
    let [origin, layout] = op.operands[..] else { return Ok(false) };
    let Some(iterator) = iterator_over(op, cute_ffi::ir::type_of(origin)) else { return Ok(false) };
    let iterator = op.value("cute.make_arith_tuple_iter", &[origin], &[], iterator)?;
    op.become_op("cute.make_view", &[iterator, layout], &[])
}

/// The type of an iterator over such an int_tuple; `None` for another type.
fn iterator_over<'c>(op: &Site<'c, '_>, t: melior::ir::Type<'c>) -> Option<melior::ir::Type<'c>> {
    match value_of(t).as_ref() {
        Value::IntTuple(tuple) => Some(type_of(op.context(), &Value::ArithTupleIter(tuple.clone()))),
        _ => None,
    }
}

/// The position of an attribute's keyword among the known ones; `None` if the op has no such
/// attribute.
fn one_of(op: &Site<'_, '_>, name: &str, known: &[&str]) -> Result<Option<usize>, String> {
    if op.attribute(name).is_none() {
        return Ok(None);
    }
    let word = op.word(name);
    match known.iter().position(|k| Some(*k) == word) {
        Some(i) => Ok(Some(i)),
        None => {
            let word = word.unwrap_or_default();
            Err(format!(
                "has {name} = {word}, which is not supported; the supported values are {}",
                known.join(", ")
            ))
        }
    }
}

/// A dynamic position has another type upstream today.
fn extract_element(op: &Site<'_, '_>) -> Rewritten {
    let [vector, position] = op.operands[..] else { return Err("takes a vector and a position".into()) };
    let position = op.value("arith.index_cast", &[position], &[], op.parse_type("index")?)?;
    // The mark of a position that is an operand: the least i64.
    let dynamic = format!("array<i64: {}>", i64::MIN);
    op.become_op("vector.extract", &[vector, position], &[("static_position", &dynamic)])
}

/// Upstream's op has one more optional operand.
fn barrier(op: &Site<'_, '_>) -> Rewritten {
    let Some(segments) = op.attribute("operandSegmentSizes") else { return Ok(false) };
    let segments = DenseI32ArrayAttribute::try_from(segments).map_err(|why| why.to_string())?;
    let sizes: Vec<_> = (0..segments.len()).map_while(|i| segments.element(i).ok()).collect();
    let [id, threads] = sizes[..] else { return Ok(false) };
    let three = format!("array<i32: {id}, {threads}, 0>");
    op.become_op("nvvm.barrier", &op.operands, &[("operandSegmentSizes", &three)])
}
