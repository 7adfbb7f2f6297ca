//! Bulk copies and reductions: of contiguous bytes, and of boxes of tensors, which tensor maps
//! describe.

use super::{Family, NONE, Refused, Row, Spellings, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use crate::role::roles;
use cute_arch::atoms::{BulkMode, Reduction};

pub(super) const FAMILY: Family =
    Family { rows: ROWS, refused: REFUSED, words: WORDS, roles: ROLES, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::BulkLoad,
        ptx: &[
            "cp.async.bulk.{space=shared::cta,shared::cluster}.global.mbarrier::complete_tx::bytes.{!multicast::cluster}.{?L2::cache_hint} [at], [from@global], bytes, [barrier], mask:u16, _:u64?",
            "cp.async.bulk.{space=shared::cta,shared::cluster}.global.mbarrier::complete_tx::bytes.{?L2::cache_hint} [at], [from@global], bytes, [barrier], _:u64?",
        ],
        nvvm: &["cp.async.bulk.shared.cluster.global at, from, barrier, bytes, mask?, _?"],
        intrinsic: &[
            "cp.async.bulk.global.to.shared.cluster at, barrier, from, bytes, mask, _, #masked, _",
            "cp.async.bulk.global.to.shared.cta at, barrier, from, bytes, _, _",
        ],
    },
    Row {
        operation: O::BulkSend,
        ptx: &[
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [at@shared::cluster], [from@shared::cta], bytes, [barrier@shared::cluster]",
        ],
        nvvm: &["cp.async.bulk.shared.cluster.shared.cta at, from, barrier, bytes"],
        intrinsic: &["cp.async.bulk.shared.cta.to.cluster at, barrier, from, bytes"],
    },
    Row {
        operation: O::BulkStore,
        // The mask is one of bytes. There is one device, and so one copy of a memory.
        ptx: &[
            "cp.async.bulk.global.shared::cta.bulk_group.{!L2::cache_hint}.{!cp_mask} [at@global], [from@shared::cta], bytes, _:u64, mask:u16",
            "cp.async.bulk.global.shared::cta.bulk_group.{!cp_mask} [at@global], [from@shared::cta], bytes, mask:u16",
            "cp.async.bulk.global.shared::cta.bulk_group.{?L2::cache_hint} [at@global], [from@shared::cta], bytes, _:u64?",
            "multimem.cp.async.bulk.global.shared::cta.bulk_group.{!cp_mask} [at@global], [from@shared::cta], bytes, mask:u16",
            "multimem.cp.async.bulk.global.shared::cta.bulk_group [at@global], [from@shared::cta], bytes",
        ],
        nvvm: &["cp.async.bulk.global.shared.cta at, from, bytes, _?, mask?"],
        intrinsic: &[
            "cp.async.bulk.shared.cta.to.global at, from, bytes, _, _",
            "cp.async.bulk.shared.cta.to.global.bytemask at, from, bytes, _, _, mask",
        ],
    },
    ptx(
        O::BulkReduce,
        &[
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.{?L2::cache_hint}.{reduction=add}.{!noftz}.{type=f16,bf16} [at@global], [from@shared::cta], bytes, _:u64?",
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.{?L2::cache_hint}.{reduction}.{type=b32,b64,u32,u64,s32,s64,f16,bf16,f32,f64} [at@global], [from@shared::cta], bytes, _:u64?",
            "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.{reduction=add}.{!noftz}.{type=f16,bf16} [at@global], [from@shared::cta], bytes",
            "multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.{reduction}.{type=b32,b64,u32,u64,s32,s64,f16,bf16,f32,f64} [at@global], [from@shared::cta], bytes",
            "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{reduction}.{type=b32,b64,u32,u64,s32,s64} [at@shared::cluster], [from@shared::cta], bytes, [barrier@shared::cluster]",
        ],
    ),
    Row {
        operation: O::BoxLoad,
        ptx: &[
            "cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.{space=shared::cta,shared::cluster}.global.{mode?=tile,tile::gather4}.mbarrier::complete_tx::bytes.{!multicast::cluster}.{ctas?}.{?L2::cache_hint} [at], [map{coordinates}], [barrier], mask:u16, _:u64?",
            "cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.{space=shared::cta,shared::cluster}.global.{mode?=tile,tile::gather4}.mbarrier::complete_tx::bytes.{ctas?}.{?L2::cache_hint} [at], [map{coordinates}], [barrier], _:u64?",
            "cp.async.bulk.tensor.{3d|4d|5d}.{space=shared::cta,shared::cluster}.global.{mode=im2col}.mbarrier::complete_tx::bytes.{!multicast::cluster}.{ctas?}.{?L2::cache_hint} [at], [map{coordinates}], [barrier], {offsets}, mask:u16, _:u64?",
            "cp.async.bulk.tensor.{3d|4d|5d}.{space=shared::cta,shared::cluster}.global.{mode=im2col}.mbarrier::complete_tx::bytes.{ctas?}.{?L2::cache_hint} [at], [map{coordinates}], [barrier], {offsets}, _:u64?",
        ],
        nvvm: &[
            "cp.async.bulk.tensor.shared.cluster.global at, map, coordinates*, barrier, offsets*, mask?, _?, guard? | mode={mode=tile,im2col,tile_gather4}, group={ctas}",
        ],
        intrinsic: &[
            "cp.async.bulk.tensor.g2s.{mode=tile}.{1d|2d|3d|4d|5d} at, barrier, map, coordinates*, mask, _, #masked, _, #ctas",
            "cp.async.bulk.tensor.g2s.{mode=tile.gather4}.2d at, barrier, map, coordinates*, mask, _, #masked, _, #ctas",
            "cp.async.bulk.tensor.g2s.{mode=im2col}.{3d|4d|5d} at, barrier, map, coordinates*, mask, _, #masked, _, #ctas",
            "cp.async.bulk.tensor.g2s.cta.{mode=tile}.{1d|2d|3d|4d|5d} at, barrier, map, coordinates*, _, _",
            "cp.async.bulk.tensor.g2s.cta.{mode=tile.gather4}.2d at, barrier, map, coordinates*, _, _",
            "cp.async.bulk.tensor.g2s.cta.{mode=im2col}.{3d|4d|5d} at, barrier, map, coordinates*, _, _",
        ],
    },
    Row {
        operation: O::BoxStore,
        ptx: &[
            "cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.global.shared::cta.{mode?=tile,tile::scatter4}.bulk_group.{?L2::cache_hint} [map{coordinates}], [from@shared::cta], _:u64?",
            "cp.async.bulk.tensor.{3d|4d|5d}.global.shared::cta.{mode=im2col_no_offs}.bulk_group.{?L2::cache_hint} [map{coordinates}], [from@shared::cta], _:u64?",
        ],
        nvvm: &[
            "cp.async.bulk.tensor.global.shared.cta map, from, coordinates*, _?, guard? | mode={mode=tile,im2col,tile_scatter4}",
        ],
        intrinsic: &[
            "cp.async.bulk.tensor.s2g.{mode=tile}.{1d|2d|3d|4d|5d} from, map, coordinates*, _, _",
            "cp.async.bulk.tensor.s2g.{mode=tile.scatter4}.2d from, map, coordinates*, _, _",
            "cp.async.bulk.tensor.s2g.{mode=im2col}.{3d|4d|5d} from, map, coordinates*, _, _",
        ],
    },
    Row {
        operation: O::BoxReduce,
        ptx: &[
            "cp.reduce.async.bulk.tensor.{1d|2d|3d|4d|5d}.global.shared::cta.{reduction}.{mode?=tile}.bulk_group.{?L2::cache_hint} [map{coordinates}], [from@shared::cta], _:u64?",
            "cp.reduce.async.bulk.tensor.{3d|4d|5d}.global.shared::cta.{reduction}.{mode=im2col_no_offs}.bulk_group.{?L2::cache_hint} [map{coordinates}], [from@shared::cta], _:u64?",
        ],
        nvvm: &[
            "cp.async.bulk.tensor.reduce map, from, coordinates*, _? | redKind={reduction}, mode={mode=tile,im2col}",
        ],
        intrinsic: &[
            "cp.async.bulk.tensor.reduce.{reduction}.{mode=tile}.{1d|2d|3d|4d|5d} from, map, coordinates*, _, _",
            "cp.async.bulk.tensor.reduce.{reduction}.{mode=im2col}.{3d|4d|5d} from, map, coordinates*, _, _",
        ],
    },
    // Prefetches change what is fast, and nothing else.
    Row {
        operation: O::Nothing,
        ptx: &[
            "cp.async.bulk.prefetch.L2.global.{?L2::cache_hint} [at], bytes, _:u64?",
            "cp.async.bulk.prefetch.tensor.{1d|2d|3d|4d|5d}.L2.global.{mode?=tile,tile::gather4}.{?L2::cache_hint} [map{coordinates}], _:u64?",
            "cp.async.bulk.prefetch.tensor.{3d|4d|5d}.L2.global.{im2col|im2col::w|im2col::w::128}.{?L2::cache_hint} [map{coordinates}], {values}:u16, _:u64?",
        ],
        nvvm: &[
            "cp.async.bulk.prefetch at, bytes, _?",
            "cp.async.bulk.tensor.prefetch map, coordinates*, _*, _? | mode={mode=tile,tile_gather4}",
        ],
        intrinsic: &[
            "cp.async.bulk.prefetch.L2 at, bytes, _, _",
            "cp.async.bulk.tensor.prefetch.{*} map, coordinates*",
        ],
    },
    Row {
        operation: O::BulkCommit,
        ptx: &["cp.async.bulk.commit_group"],
        nvvm: &["cp.async.bulk.commit.group"],
        intrinsic: &["cp.async.bulk.commit.group"],
    },
    Row {
        operation: O::BulkWait,
        ptx: &["cp.async.bulk.wait_group.{?read} #count"],
        nvvm: &["cp.async.bulk.wait_group | group=#count, read?"],
        intrinsic: &["cp.async.bulk.wait.group.{?read} #count"],
    },
];

const REFUSED: &[Refused] = &[Refused {
    reason: "pixels along W alone, whose halo PTX shows in figures only",
    names: Spellings {
        ptx: &["cp.async.bulk.tensor.im2col::w", "cp.async.bulk.tensor.im2col::w::128"],
        nvvm: NONE,
        intrinsic: &["cp.async.bulk.tensor.g2s.cta.im2col.w.*", "cp.async.bulk.tensor.g2s.im2col.w.*"],
    },
}];

roles! {
    const ROLES;

    /// A tensor map.
    MAP "map" U64,
    /// The coordinates of a box. In intrinsics, the offsets of an im2col load are behind them.
    COORDINATES "coordinates" U32,
    /// The offsets of an im2col load.
    OFFSETS "offsets" U16,
    /// Whether a mask counts.
    MASKED "masked" U32,
}

keywords! {
    const WORDS;

    [Reduction] "reduction" "#nvvm.tma_redux_kind<*>" {
        (Reduction::Add) ["add"] ["add"] ["add"],
        (Reduction::Min) ["min"] ["min"] ["min"],
        (Reduction::Max) ["max"] ["max"] ["max"],
        (Reduction::Inc) ["inc"] ["inc"] ["inc"],
        (Reduction::Dec) ["dec"] ["dec"] ["dec"],
        (Reduction::And) ["and"] ["and"] ["and"],
        (Reduction::Or) ["or"] ["or"] ["or"],
        (Reduction::Xor) ["xor"] ["xor"] ["xor"],
    }

    // The modes that are modelled: `im2col::w` has no words here.
    [BulkMode] "mode" "" {
        (BulkMode::Tiled) ["tile"] ["tile"] ["tile"],
        (BulkMode::Im2col) ["im2col" "im2col_no_offs"] ["im2col"] ["im2col"],
        (BulkMode::Rows4)
            ["tile::gather4" "tile::scatter4"]
            ["tile_gather4" "tile_scatter4"]
            ["tile.gather4" "tile.scatter4"],
    }
}
