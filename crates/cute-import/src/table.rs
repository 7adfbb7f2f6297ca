//! The differences between CuTe DSL's MLIR and today's upstream: one row per op.
//!
//! | module | ops |
//! |---|---|
//! | `arithmetic` | arithmetic on numbers and on pairs of them |
//! | `barriers` | barriers of a block, and waits with a time limit |
//! | `memory` | loads, stores and atomic updates |

mod arithmetic;
mod barriers;
mod memory;

use crate::site::{Rewritten, Site};
use cute_arch::space::CLUSTER;
use cute_dialect::{
    types::{type_of, value_of},
    value::Value,
};
use cute_ffi::lowered::{MachineType, machine_type};
use melior::{dialect::llvm::r#type::pointer, ir::attribute::DenseI32ArrayAttribute};

/// An op that upstream does not have, or spells differently.
pub struct Drift {
    /// The op's full name.
    pub name: &'static str,
    /// The difference between its custom assembly and upstream's.
    pub custom: Custom,
    /// Rewrites an op with that name, unless upstream accepts it unchanged.
    pub rewrite: fn(&Site<'_, '_>) -> Rewritten,
}

/// The assembly of an op that upstream cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Custom {
    /// Upstream reads it.
    Upstream,
    /// `op %a, key = %b {attributes} : A, B -> R`; without `->` there is no result.
    Typed,
    /// `op %a, %b`, or `op %a, %b : R`: types of operands are not written.
    Fixed {
        /// The types of the operands.
        operands: &'static str,
        /// The type of the result.
        result: &'static str,
    },
    /// `op %a : vector<4xf32>`, where the type is that of the result.
    Splat,
    /// `op id = %a number_of_threads = %b`, which may lack one or both. Upstream reads it, but
    /// parses a following `loc(..)` as an attribute of the op.
    Barrier,
    /// `op %a[%i : i32] : vector<4xf32>`, where the type is that of the first operand.
    Element,
    /// `op(%a)` or `op(%a, %layout)` on a coordinate tensor whose iterator is an int_tuple, as in
    /// CuTe DSL 4.3.
    Coordinates,
    /// `op(%a, %b) : A, B` with a result type that is not written. CuTe DSL infers a less precise
    /// type than we do, so the type is taken from a use.
    Inferred,
}

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Drift> {
    [TABLE, arithmetic::ROWS, barriers::ROWS, memory::ROWS].into_iter().flatten()
}

/// Rows without a file of their own.
const TABLE: &[Drift] = &[
    Drift {
        name: "vector.splat",
        custom: Custom::Splat,
        rewrite: |op| op.become_op("vector.broadcast", &op.operands, &[]),
    },
    Drift { name: "vector.extractelement", custom: Custom::Element, rewrite: extract_element },
    Drift { name: "nvvm.barrier", custom: Custom::Barrier, rewrite: barrier },
    Drift {
        name: "nvvm.fence.mbarrier.init",
        custom: Custom::Upstream,
        rewrite: |op| match op.attribute("useIntrinsic") {
            Some(_) => op.become_op("nvvm.fence.mbarrier.init", &[], &[]),
            None => Ok(false),
        },
    },
    Drift {
        name: "nvvm.vote.ballot.sync",
        custom: Custom::Fixed { operands: "i32, i1", result: "i32" },
        rewrite: |op| {
            op.become_op("nvvm.vote.sync", &op.operands, &[("kind", "#nvvm<vote_sync_kind ballot>")])
        },
    },
    Drift {
        name: "nvvm.mbarrier.init.shared",
        custom: Custom::Typed,
        rewrite: |op| op.become_op("nvvm.mbarrier.init", &op.operands, &[]),
    },
    Drift {
        name: "nvvm.mbarrier.try_wait.parity.shared",
        custom: Custom::Typed,
        rewrite: |op| op.become_op("nvvm.mbarrier.try_wait.parity", &op.operands, &[]),
    },
    Drift {
        name: "nvvm.mbarrier.wait.parity",
        custom: Custom::Typed,
        rewrite: |op| {
            one_of(op, "kind", &["try"])?;
            one_of(op, "scope", &["cta"])?;
            op.become_op("nvvm.mbarrier.try_wait", &op.operands, &[])
        },
    },
    Drift { name: "nvvm.mbarrier.txn", custom: Custom::Typed, rewrite: transaction },
    Drift { name: "nvvm.mapa.shared.cluster", custom: Custom::Typed, rewrite: map_to_cluster },
    Drift {
        name: "nvvm.cp.async.mbarrier.arrive.shared",
        custom: Custom::Typed,
        rewrite: |op| {
            let noinc: &[_] = if op.flag("noinc") { &[("noinc", "true")] } else { &[] };
            op.become_op("nvvm.cp.async.mbarrier.arrive", &op.operands, noinc)
        },
    },
    Drift {
        name: "nvvm.tcgen05.commit.arrive",
        custom: Custom::Typed,
        rewrite: |op| {
            let group = match one_of(op, "group", &["cta_1", "cta_2"])? {
                Some(1) => "#nvvm.cta_group<cta_2>",
                _ => "#nvvm.cta_group<cta_1>",
            };
            op.become_op("nvvm.tcgen05.commit", &op.operands, &[("group", group)])
        },
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.try_cancel.multicast",
        custom: Custom::Typed,
        rewrite: |op| {
            op.become_op("nvvm.clusterlaunchcontrol.try.cancel", &op.operands, &[("multicast", "unit")])
        },
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.is_canceled",
        custom: Custom::Typed,
        rewrite: |op| query(op, "is_canceled"),
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x",
        custom: Custom::Typed,
        rewrite: |op| query(op, "get_first_cta_id_x"),
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y",
        custom: Custom::Typed,
        rewrite: |op| query(op, "get_first_cta_id_y"),
    },
    Drift {
        name: "nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z",
        custom: Custom::Typed,
        rewrite: |op| query(op, "get_first_cta_id_z"),
    },
    // Rounds to nearest and saturates, as PTX's conversions to these types always do.
    Drift {
        name: "nvgpu.cvt_fptrunc",
        custom: Custom::Typed,
        rewrite: |op| {
            one_of(op, "packed_kind", &["compact"])?;
            one_of(op, "rnd", &["rn"])?;
            op.become_op("arith.truncf", &op.operands, &[])
        },
    },
    Drift { name: "cute.get_iter", custom: Custom::Coordinates, rewrite: origin },
    Drift { name: "cute.make_view", custom: Custom::Coordinates, rewrite: view_from },
    Drift { name: "cute.ceil_div", custom: Custom::Inferred, rewrite: |_| Ok(false) },
    Drift { name: "cute.logical_divide", custom: Custom::Inferred, rewrite: |_| Ok(false) },
    Drift { name: "cute.zipped_divide", custom: Custom::Inferred, rewrite: |_| Ok(false) },
    Drift { name: "cute.tiled_divide", custom: Custom::Inferred, rewrite: |_| Ok(false) },
    Drift { name: "cute.flat_divide", custom: Custom::Inferred, rewrite: |_| Ok(false) },
];

/// In CuTe DSL 4.3, a coordinate tensor begins at an int_tuple; in later versions, at an iterator
/// over one.
fn origin(op: &Site<'_, '_>) -> Rewritten {
    let [result] = op.results()[..] else { return Ok(false) };
    let Some(iterator) = iterator_over(op, result) else { return Ok(false) };
    let iterator = op.value("cute.get_iter", &op.operands, &[], iterator)?;
    op.become_op("cute.deref_arith_tuple_iter", &[iterator], &[])
}

/// Like `origin`, for a tensor that is made from it.
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

/// A transaction on an mbarrier of this block or of another block in the cluster.
fn transaction(op: &Site<'_, '_>) -> Rewritten {
    one_of(op, "scope", &["cta"])?;
    let remote = one_of(op, "space", &["cta", "cluster"])? == Some(1);
    let address = cute_ffi::ir::type_of(*op.operands.first().ok_or("has no address")?);
    if remote != matches!(machine_type(address), Some(MachineType::Pointer(CLUSTER))) {
        let space = if remote { "cluster" } else { "cta" };
        return Err(format!("has space = {space}, but the address {address} is not in that space"));
    }
    let name = match one_of(op, "kind", &["arrive", "arrive_expect_tx", "expect_tx"])? {
        Some(1) => "nvvm.mbarrier.arrive.expect_tx",
        Some(2) => "nvvm.mbarrier.expect_tx",
        _ => "nvvm.mbarrier.arrive",
    };
    op.become_op(name, &op.operands, &[])
}

/// Upstream gives an address in the cluster its own type.
fn map_to_cluster(op: &Site<'_, '_>) -> Rewritten {
    match op.users().into_iter().find(|user| *user != "nvvm.mbarrier.txn") {
        Some(user) => {
            Err(format!("is used by '{user}', which is not known to take an address in the cluster"))
        }
        None => op.become_typed("nvvm.mapa", &op.operands, &[], &[pointer(op.context(), CLUSTER)]),
    }
}

fn query(op: &Site<'_, '_>, what: &str) -> Rewritten {
    let attribute = format!("#nvvm<cluster_launch_control_query_type {what}>");
    op.become_op("nvvm.clusterlaunchcontrol.query.cancel", &op.operands, &[("query_type", &attribute)])
}
