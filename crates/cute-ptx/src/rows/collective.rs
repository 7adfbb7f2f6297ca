//! Instructions that the lanes of a warp execute together.

use super::{Family, NONE, Refused, Row, Spellings};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use crate::role::roles;
pub use cute_machine::collective::{MatchKind, Redux, Shuffle, Vote};

pub(super) const FAMILY: Family =
    Family { rows: ROWS, refused: REFUSED, words: WORDS, roles: ROLES, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::Shuffle,
        ptx: &[
            "shfl.sync.{shuffle}.b32 d|p, a, offset:b32, clamp:b32, mask",
            "shfl.sync.{shuffle}.b32 d, a, offset:b32, clamp:b32, mask",
        ],
        nvvm: &["shfl.sync mask, a, offset, clamp -> d, p? | kind={shuffle}"],
        intrinsic: &["shfl.sync.{shuffle}.{i32|f32|i32p|f32p} mask, a, offset, clamp -> d, p?"],
    },
    Row {
        operation: O::Vote,
        ptx: &["vote.sync.{vote=any,all,uni}.pred d:pred, q, mask", "vote.sync.{vote=ballot}.b32 d, q, mask"],
        nvvm: &["vote.sync mask, q -> d | kind={vote}"],
        intrinsic: &["vote.{vote}.sync mask, q -> d"],
    },
    Row {
        operation: O::Match,
        ptx: &[
            "match.{match=any}.sync.{type=b32,b64} d:u32, a, mask",
            "match.{match=all}.sync.{type=b32,b64} d|p:u32, a, mask",
            "match.{match=all}.sync.{type=b32,b64} d:u32, a, mask",
        ],
        nvvm: &[
            "match.sync mask, a -> d | kind={match=any}",
            "match.sync mask, a -> d, p | kind={match=all}",
        ],
        intrinsic: &[
            "match.{match=any}.sync.{i32|i64} mask, a -> d",
            "match.{match=all}.sync.{i32p|i64p} mask, a -> d, p",
        ],
    },
    Row {
        operation: O::Elect,
        ptx: &["elect.sync d|p:u32, mask"],
        nvvm: &["elect.sync mask? -> p"],
        intrinsic: &["elect.sync mask -> d, p"],
    },
    Row {
        operation: O::Redux,
        ptx: &["redux.sync.{redux} d:u32, a:u32, mask"],
        nvvm: &["redux.sync a, mask -> d | kind={redux}"],
        intrinsic: &["redux.sync.{redux} a, mask -> d"],
    },
    Row {
        operation: O::ReduxFloat,
        ptx: &["redux.sync.{min|max}.{?abs}.{?NaN}.{type=f32} d, a, mask"],
        nvvm: &["redux.sync a, mask -> d | kind={fmin|fmax}, abs?, nan?"],
        intrinsic: &["redux.sync.{fmin|fmax}.{?abs}.{?NaN} a, mask -> d"],
    },
    Row {
        operation: O::Transpose,
        ptx: &["movmatrix.sync.aligned.m8n8.trans.b16 d, a"],
        nvvm: NONE,
        intrinsic: NONE,
    },
    Row { operation: O::ActiveMask, ptx: &["activemask.b32 d"], nvvm: NONE, intrinsic: &["activemask -> d"] },
];

const REFUSED: &[Refused] = &[Refused {
    reason: "without `.sync`, removed from sm_70 on",
    names: Spellings {
        ptx: &["match", "shfl", "vote"],
        nvvm: NONE,
        intrinsic: &[
            "shfl.bfly.*",
            "shfl.down.*",
            "shfl.idx.*",
            "shfl.up.*",
            "vote.all",
            "vote.any",
            "vote.ballot",
            "vote.uni",
        ],
    },
}];

roles! {
    const ROLES;

    /// The limit of a shuffle's lanes.
    CLAMP "clamp" U32,
}

keywords! {
    const WORDS;

    [Shuffle] "shuffle" "#nvvm<shfl_kind *>" {
        (Shuffle::Up) ["up"] ["up"] ["up"],
        (Shuffle::Down) ["down"] ["down"] ["down"],
        (Shuffle::Xor) ["bfly"] ["bfly"] ["bfly"],
        (Shuffle::Index) ["idx"] ["idx"] ["idx"],
    }

    [Vote] "vote" "#nvvm<vote_sync_kind *>" {
        (Vote::Any) ["any"] ["any"] ["any"],
        (Vote::All) ["all"] ["all"] ["all"],
        (Vote::Uniform) ["uni"] ["uni"] ["uni"],
        (Vote::Ballot) ["ballot"] ["ballot"] ["ballot"],
    }

    [MatchKind] "match" "#nvvm<match_sync_kind *>" {
        (MatchKind::Any) ["any"] ["any"] ["any"],
        (MatchKind::All) ["all"] ["all"] ["all"],
    }

    [Redux] "redux" "#nvvm<redux_kind *>" {
        (Redux::Add) ["add.s32" "add.u32"] ["add"] ["add"],
        (Redux::And) ["and.b32"] ["and"] ["and"],
        (Redux::Or) ["or.b32"] ["or"] ["or"],
        (Redux::Xor) ["xor.b32"] ["xor"] ["xor"],
        (Redux::MinS) ["min.s32"] ["min"] ["min"],
        (Redux::MaxS) ["max.s32"] ["max"] ["max"],
        (Redux::MinU) ["min.u32"] ["umin"] ["umin"],
        (Redux::MaxU) ["max.u32"] ["umax"] ["umax"],
    }
}
