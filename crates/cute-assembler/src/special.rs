//! Special registers.

use cute_ptx::ScalarType;
use cute_sim::address::SHARED_BASE;
use cute_sim::program::{LaneSide, Special};

/// The special register that PTX calls so, without `%`: `tid.x`, `lanemask_lt`.
pub(crate) fn named(name: &str) -> Option<Special> {
    let is_spelled_so = match name.split_once('.') {
        Some((stem, axis)) => matches!(axis, "x" | "y" | "z") && !stem.contains('.'),
        None => !["_x", "_y", "_z"].iter().any(|axis| name.ends_with(axis)) && name != "warpsize",
    };
    if is_spelled_so { special(&name.replace('_', ".")) } else { None }
}

/// Whether PTX has a special register of this name that has no model.
pub(crate) fn is_unmodelled(name: &str) -> bool {
    let number = |stem: &str, end: &str, most: u32| {
        let digits = name.strip_prefix(stem).and_then(|rest| rest.strip_suffix(end));
        digits.and_then(|digits| digits.parse().ok()).is_some_and(|n: u32| n <= most)
    };
    number("pm", "", 7)
        || number("pm", "_64", 7)
        || number("envreg", "", 31)
        || number("reserved_smem_offset_", "", 1)
        || matches!(name, "tid.w" | "ntid.w" | "ctaid.w" | "nctaid.w")
}

/// Whether a register of this type takes the value of a special register.
pub(crate) fn fits(special: Special, name: &str, ty: ScalarType) -> bool {
    use ScalarType as S;
    let is_64 = matches!(name, "clock64" | "globaltimer" | "current_graph_exec");
    let is_16 = matches!(
        special,
        Special::Thread(_) | Special::BlockSize(_) | Special::Block(_) | Special::GridSize(_)
    );
    match ty {
        S::Pred => name == "is_explicit_cluster",
        S::B64 | S::U64 | S::S64 => is_64 || name == "gridid",
        S::B32 | S::U32 | S::S32 => !is_64 && name != "is_explicit_cluster",
        S::B16 | S::U16 | S::S16 => is_16 || name == "gridid",
        _ => false,
    }
}

/// The special register with this name, without `%`.
pub fn special(register: &str) -> Option<Special> {
    let axis = |axis: &str| ["x", "y", "z"].iter().position(|a| *a == axis);
    Some(match register.split_once('.') {
        Some(("tid", a)) => Special::Thread(axis(a)?),
        Some(("ntid", a)) => Special::BlockSize(axis(a)?),
        Some(("ctaid", a)) => Special::Block(axis(a)?),
        Some(("nctaid", a)) => Special::GridSize(axis(a)?),
        Some(("lanemask", "lt")) => Special::LaneSide(LaneSide::Lt),
        Some(("lanemask", "le")) => Special::LaneSide(LaneSide::Le),
        Some(("lanemask", "eq")) => Special::LaneSide(LaneSide::Eq),
        Some(("lanemask", "ge")) => Special::LaneSide(LaneSide::Ge),
        Some(("lanemask", "gt")) => Special::LaneSide(LaneSide::Gt),
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
