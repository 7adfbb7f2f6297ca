//! Stores and reductions in the shared memory of another block.

use super::{Family, Row, ptx};
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, ..Family::NONE };

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
