//! The axes of NVIDIA GPUs and of Trainium, as data for [`cute_algebra::Placement`].
//!
//! Strides along storage axes count elements. A column of tensor memory (`TCol`) has 32 bits, so
//! that element `n` of 16 bits lies in column `n / 2`. `Bank` is a bank of Trainium's PSUM, not of
//! shared memory.

use crate::placement::{Axes, Fusion, Kind, Split};
use cute_algebra::Axis;

const fn thread(child: &'static str, parent: &'static str) -> Kind {
    Kind::Thread { child, parent }
}

const fn fusion(
    axis: &'static str,
    scopes: (&'static str, &'static str),
    into: &'static str,
    factor: i64,
) -> Fusion {
    Fusion { axis, scopes, into, factor }
}

const fn split(
    axis: &'static str,
    scope: &'static str,
    outer: &'static str,
    inner: &'static str,
    size: i64,
) -> Split {
    Split { axis, scope, outer, inner, size }
}

/// Every axis, those of CUDA devices first.
const KINDS: &[(&str, Kind)] = &[
    ("bx", thread("cta", "kernel")),
    ("by", thread("cta", "kernel")),
    ("bz", thread("cta", "kernel")),
    ("cbx", thread("cta", "cluster")),
    ("cby", thread("cta", "cluster")),
    ("cbz", thread("cta", "cluster")),
    ("tx", thread("thread", "cta")),
    ("warpid", thread("warp", "cta")),
    ("laneid", thread("thread", "warp")),
    ("wgid", thread("warpgroup", "cta")),
    ("tid_in_wg", thread("thread", "warpgroup")),
    ("wid_in_wg", thread("warp", "warpgroup")),
    ("m", Kind::Memory),
    ("TLane", Kind::Memory),
    ("TCol", Kind::Memory),
    ("P", Kind::Memory),
    ("F", Kind::Memory),
    ("Bank", Kind::Memory),
];

/// The number of these axes that CUDA devices have.
const OF_CUDA: usize = 15;

/// The axes of a CUDA device: `tx = 32 * warpid + laneid = 128 * wgid + tid_in_wg`,
/// `tid_in_wg = 32 * wid_in_wg + laneid`, `warpid = 4 * wgid + wid_in_wg`.
pub const CUDA: Axes = Axes {
    scopes: &["kernel", "cluster", "cta", "warpgroup", "warp", "thread"],
    kinds: KINDS.split_at(OF_CUDA).0,
    fusions: &[
        fusion("laneid", ("thread", "warpgroup"), "tid_in_wg", 1),
        fusion("laneid", ("thread", "cta"), "tx", 1),
        fusion("wid_in_wg", ("thread", "warpgroup"), "tid_in_wg", 32),
        fusion("wid_in_wg", ("thread", "cta"), "tx", 32),
        fusion("wid_in_wg", ("warp", "cta"), "warpid", 1),
        fusion("warpid", ("thread", "cta"), "tx", 32),
        fusion("tid_in_wg", ("thread", "cta"), "tx", 1),
        fusion("wgid", ("thread", "cta"), "tx", 128),
        fusion("wgid", ("warp", "cta"), "warpid", 4),
    ],
    splits: &[
        split("tx", "warp", "warpid", "laneid", 32),
        split("tx", "warpgroup", "wgid", "tid_in_wg", 128),
        split("tid_in_wg", "warp", "wid_in_wg", "laneid", 32),
        split("warpid", "warpgroup", "wgid", "wid_in_wg", 4),
    ],
};

/// All axes for no target: their kinds, and no relations.
pub const AXES: Axes = Axes { kinds: KINDS, ..CUDA }.unrelated();

/// The number of threads of a block in a step along `axis`: 32 for `warpid`. `None` for an axis
/// that does not count threads.
pub fn threads_of_step(axis: Axis) -> Option<i64> {
    let in_block = |f: &&Fusion| (f.axis, f.scopes, f.into) == (axis.name(), ("thread", "cta"), "tx");
    let step = CUDA.fusions.iter().find(in_block).map(|f| f.factor);
    step.or_else(|| (axis.name() == "tx").then_some(1))
}
