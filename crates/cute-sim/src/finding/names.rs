//! The names of the kinds of findings, as reports in JSON and lists of accepted findings have them.

use super::FindingKind;

macro_rules! names {
    ($($kind:ident => $name:literal,)*) => {
        impl FindingKind {
            /// The names of all kinds.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name of the kind, such as `race`.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $name,)*
                }
            }
        }
    };
}

names! {
    Unmapped => "unmapped",
    WrongSpace => "wrong_space",
    OutOfBounds => "out_of_bounds",
    Misaligned => "misaligned",
    Uninitialised => "uninitialised",
    InFlight => "in_flight",
    BarrierStorage => "barrier_storage",
    Mbarrier => "mbarrier",
    MissedPhase => "missed_phase",
    TensorMap => "tensor_map",
    BulkCopy => "bulk_copy",
    Swizzle => "swizzle",
    Wgmma => "wgmma",
    Tensor => "tensor",
    Scales => "scales",
    LaunchControl => "launch_control",
    Unfinished => "unfinished",
    Unfenced => "unfenced",
    UnfencedMap => "unfenced_map",
    ProxyOrder => "proxy_order",
    TensorOrder => "tensor_order",
    ReadOnly => "read_only",
    CopySize => "copy_size",
    LocalMemory => "local_memory",
    StackPointer => "stack_pointer",
    Division => "division",
    Overflow => "overflow",
    Shift => "shift",
    UnboundedRegisters => "unbounded_registers",
    Lane => "lane",
    Barrier => "barrier",
    BarrierCounts => "barrier_counts",
    BarrierFilled => "barrier_filled",
    BarrierShared => "barrier_shared",
    BarrierMixed => "barrier_mixed",
    ReturnedLanes => "returned_lanes",
    ReturnedThreads => "returned_threads",
    RegistersApart => "registers_apart",
    ElectedLane => "elected_lane",
    ClusterBarrier => "cluster_barrier",
    ClusterRank => "cluster_rank",
    OtherBlock => "other_block",
    NotBegun => "not_begun",
    Exited => "exited",
    Race => "race",
    RaceUnused => "race_unused",
    RaceCompared => "race_compared",
    SameValue => "same_value",
    RaceRounded => "race_rounded",
    Heap => "heap",
    Undefined => "undefined",
    Coordinate => "coordinate",
    Divergence => "divergence",
    Deadlock => "deadlock",
    LaneMask => "lane_mask",
    Unreachable => "unreachable",
    Apart => "apart",
    InvalidTarget => "invalid_target",
    Unmodelled => "unmodelled",
    Trap => "trap",
    CallDepth => "call_depth",
    Hang => "hang",
    Budget => "budget",
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// JSON has the same names; serde makes them of the variants.
    #[test]
    fn names_are_those_in_json() {
        for kind in [
            FindingKind::Unreachable,
            FindingKind::UnboundedRegisters,
            FindingKind::Unmapped { address: 0 },
            FindingKind::CallDepth { limit: 1 },
        ] {
            let json = serde_json::to_value(&kind).expect("a finding has a form in JSON");
            assert_eq!(json["kind"], Value::from(kind.name()));
        }
    }
}
