//! Tensor maps that kernels change.

use super::{Family, NONE, Refused, Row, Spellings, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use crate::role::roles;
use cute_arch::tensor_map::MapField;

pub(super) const FAMILY: Family =
    Family { rows: ROWS, refused: REFUSED, words: WORDS, roles: ROLES, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::MapReplace,
        ptx: &[
            "tensormap.replace.tile.{field=rank,global_address,elemtype,interleave_layout,swizzle_mode,fill_mode}.{space?=global,shared*}.b1024.{type=b32,b64} [at], a",
            "tensormap.replace.tile.{field=box_dim,global_dim,global_stride,element_stride}.{space?=global,shared*}.b1024.{type=b32,b64} [at], ordinal, a",
        ],
        nvvm: NONE,
        intrinsic: &[
            "tensormap.replace.{field=rank,global.address,elemtype,interleave.layout,swizzle.mode,fill.mode} at, a",
            "tensormap.replace.{field=box.dim,global.dim,global.stride,element.stride} at, ordinal, a",
        ],
    },
    ptx(
        O::MapCopy,
        &[
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.{scope=cta,cluster,gpu,sys}.sync.aligned [at@global], [from@shared::cta], #bytes",
        ],
    ),
];

const REFUSED: &[Refused] = &[
    Refused {
        reason: "PTX does not say which tensors are large",
        names: Spellings { ptx: &["tensormap.query"], nvvm: NONE, intrinsic: NONE },
    },
    Refused {
        reason: "how a tensor map encodes the atomicity of its swizzle is not public",
        names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["tensormap.replace.swizzle.atomicity"] },
    },
];

roles! {
    const ROLES;

    /// The entry of a field that has several.
    ORDINAL "ordinal" U32,
}

keywords! {
    const WORDS;

    [MapField] "field" "" {
        (MapField::GlobalAddress) ["global_address"] [] ["global.address"],
        (MapField::Rank) ["rank"] [] ["rank"],
        (MapField::BoxDim) ["box_dim"] [] ["box.dim"],
        (MapField::GlobalDim) ["global_dim"] [] ["global.dim"],
        (MapField::GlobalStride) ["global_stride"] [] ["global.stride"],
        (MapField::ElementStride) ["element_stride"] [] ["element.stride"],
        (MapField::Elemtype) ["elemtype"] [] ["elemtype"],
        (MapField::InterleaveLayout) ["interleave_layout"] [] ["interleave.layout"],
        (MapField::SwizzleMode) ["swizzle_mode"] [] ["swizzle.mode"],
        (MapField::FillMode) ["fill_mode"] [] ["fill.mode"],
    }
}
