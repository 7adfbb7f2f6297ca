//! Stores and reductions in the shared memory of another block.

use super::{Family, Row, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, ..Family::NONE };

const ROWS: &[Row] = &[
    ptx(
        O::RemoteStore,
        &[
            "st.async.{?weak}.{space?=shared::cluster}.mbarrier::complete_tx::bytes.{?v2}.{?v4}.{type=b32,b64,u32,u64,s32,s64,f32,f64} [at@shared::cluster], {values}, [barrier@shared::cluster]",
        ],
    ),
    ptx(
        O::RemoteReduce,
        &[
            "red.async.{?relaxed}.{scope?=cluster}.{space?=shared::cluster}.mbarrier::complete_tx::bytes.{update=add.u64} [at@shared::cluster], {values}:u64, [barrier@shared::cluster]",
            "red.async.{?relaxed}.{scope?=cluster}.{space?=shared::cluster}.mbarrier::complete_tx::bytes.{update=inc*,dec*,min*,max*,and*,or*,xor*,add.u32,add.s32} [at@shared::cluster], {values}, [barrier@shared::cluster]",
        ],
    ),
];

keywords! {
    const WORDS;

    /// The update of `red.async`.
    RemoteUpdate "update" "" {
        /// One more, or 0 above the limit.
        Increment ["inc.u32"] [] [],
        /// One less, or the limit.
        Decrement ["dec.u32"] [] [],
        /// The sum of words.
        Add32 ["add.u32" "add.s32"] [] [],
        /// The sum of two words each.
        Add64 ["add.u64"] [] [],
        /// The less of signed numbers.
        MinS ["min.s32"] [] [],
        /// The less of unsigned numbers.
        MinU ["min.u32"] [] [],
        /// The greater of signed numbers.
        MaxS ["max.s32"] [] [],
        /// The greater of unsigned numbers.
        MaxU ["max.u32"] [] [],
        /// The bits of both.
        And ["and.b32"] [] [],
        /// The bits of either.
        Or ["or.b32"] [] [],
        /// The bits of one alone.
        Xor ["xor.b32"] [] [],
    }
}
