//! Special registers, which are read by their names.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { apart: APART, refused: REFUSED, ..Family::NONE };

const APART: Spellings = Spellings {
    ptx: NONE,
    nvvm: &["read.ptx.sreg.*"],
    intrinsic: &["is_explicit_cluster", "read.ptx.sreg.*"],
};

const REFUSED: &[Refused] = &[
    Refused {
        reason: "a coordinate that no grid has",
        names: Spellings {
            ptx: NONE,
            nvvm: NONE,
            intrinsic: &[
                "read.ptx.sreg.cluster.ctaid.w",
                "read.ptx.sreg.cluster.nctaid.w",
                "read.ptx.sreg.clusterid.w",
                "read.ptx.sreg.ctaid.w",
                "read.ptx.sreg.nclusterid.w",
                "read.ptx.sreg.nctaid.w",
                "read.ptx.sreg.ntid.w",
                "read.ptx.sreg.tid.w",
            ],
        },
    },
    Refused {
        reason: "a counter of a profiler",
        names: Spellings {
            ptx: NONE,
            nvvm: NONE,
            intrinsic: &["read.ptx.sreg.pm0", "read.ptx.sreg.pm1", "read.ptx.sreg.pm2", "read.ptx.sreg.pm3"],
        },
    },
    Refused {
        reason: "a register that the driver fills, with a content that is not public",
        names: Spellings { ptx: NONE, nvvm: ENVIRONMENT, intrinsic: ENVIRONMENT },
    },
];

/// The registers of the driver, without the two in which grid groups find their barrier.
const ENVIRONMENT: &[&str] = &[
    "read.ptx.sreg.envreg0",
    "read.ptx.sreg.envreg3",
    "read.ptx.sreg.envreg4",
    "read.ptx.sreg.envreg5",
    "read.ptx.sreg.envreg6",
    "read.ptx.sreg.envreg7",
    "read.ptx.sreg.envreg8",
    "read.ptx.sreg.envreg9",
    "read.ptx.sreg.envreg10",
    "read.ptx.sreg.envreg11",
    "read.ptx.sreg.envreg12",
    "read.ptx.sreg.envreg13",
    "read.ptx.sreg.envreg14",
    "read.ptx.sreg.envreg15",
    "read.ptx.sreg.envreg16",
    "read.ptx.sreg.envreg17",
    "read.ptx.sreg.envreg18",
    "read.ptx.sreg.envreg19",
    "read.ptx.sreg.envreg20",
    "read.ptx.sreg.envreg21",
    "read.ptx.sreg.envreg22",
    "read.ptx.sreg.envreg23",
    "read.ptx.sreg.envreg24",
    "read.ptx.sreg.envreg25",
    "read.ptx.sreg.envreg26",
    "read.ptx.sreg.envreg27",
    "read.ptx.sreg.envreg28",
    "read.ptx.sreg.envreg29",
    "read.ptx.sreg.envreg30",
    "read.ptx.sreg.envreg31",
];
