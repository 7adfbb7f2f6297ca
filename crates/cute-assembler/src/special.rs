//! Special registers.

use cute_sim::address::SHARED_BASE;
use cute_sim::program::{LaneMask, Special};

/// The special register with this name, without `%`.
pub fn special(register: &str) -> Option<Special> {
    let axis = |axis: &str| ["x", "y", "z"].iter().position(|a| *a == axis);
    Some(match register.split_once('.') {
        Some(("tid", a)) => Special::Thread(axis(a)?),
        Some(("ntid", a)) => Special::BlockSize(axis(a)?),
        Some(("ctaid", a)) => Special::Block(axis(a)?),
        Some(("nctaid", a)) => Special::GridSize(axis(a)?),
        Some(("lanemask", "lt")) => Special::LaneMask(LaneMask::Lt),
        Some(("lanemask", "le")) => Special::LaneMask(LaneMask::Le),
        Some(("lanemask", "eq")) => Special::LaneMask(LaneMask::Eq),
        Some(("lanemask", "ge")) => Special::LaneMask(LaneMask::Ge),
        Some(("lanemask", "gt")) => Special::LaneMask(LaneMask::Gt),
        Some(("total", "smem.size")) => Special::SharedBytes { reserved: false },
        Some(("aggr", "smem.size")) => Special::SharedBytes { reserved: true },
        Some(("reserved", "smem.offset.begin")) => Special::Number(0),
        Some(("reserved", "smem.offset.end" | "smem.offset.cap")) => Special::Number(SHARED_BASE as u32),
        Some(("is", "explicit.cluster")) => Special::HasCluster,
        // There are no graphs, and clocks do not run that long.
        Some(("current", "graph.exec")) | Some(("clock" | "globaltimer", "hi")) => Special::Number(0),
        Some(("globaltimer", "lo")) => Special::Clock,
        Some(("dynamic", "smem.size")) => Special::DynamicShared,
        Some(("cluster", "ctarank")) => Special::ClusterRank,
        Some(("cluster", "nctarank")) => Special::ClusterBlocks,
        Some(("cluster", rest)) => match rest.split_once('.')? {
            ("ctaid", a) => Special::ClusterBlock(axis(a)?),
            ("nctaid", a) => Special::ClusterSize(axis(a)?),
            _ => return None,
        },
        Some(("clusterid", a)) => Special::Cluster(axis(a)?),
        Some(("nclusterid", a)) => Special::Clusters(axis(a)?),
        None if register == "laneid" => Special::Lane,
        None if register == "warpid" => Special::Warp,
        None if register == "nwarpid" => Special::Warps,
        None if register == "smid" => Special::Multiprocessor,
        None if register == "nsmid" => Special::Multiprocessors,
        // The grid groups of cooperative groups find their barrier there.
        None if register == "envreg1" => Special::GridWorkspace { high: true },
        None if register == "envreg2" => Special::GridWorkspace { high: false },
        None if register == "gridid" => Special::Number(1),
        None if register == "warpsize" => Special::WarpSize,
        None if matches!(register, "clock" | "clock64" | "globaltimer") => Special::Clock,
        _ => return None,
    })
}
