//! Launches as the calls of the CUDA driver that make them.

use crate::launch::{Launch, Shape};
use cute_arch::{Target, volume};
use cute_host::{
    attribute::LaunchAttribute,
    driver::{DriverCall, LaunchCall, Needs, loading},
};
use serde::Serialize;

/// The calls that make launches, in order: the code is loaded, the kernels are found and made
/// ready, and each is launched. Whoever launches on a device makes these calls and no others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct DriverPlan {
    /// The calls, as CUDA names them in JSON.
    pub calls: Vec<DriverCall>,
}

impl DriverPlan {
    /// The plan of launches whose arrays have their addresses on the device.
    pub fn of(launches: &[Launch<'_>]) -> Self {
        let mut kernels: Vec<(&str, Needs)> = Vec::new();
        for launch in launches {
            let (name, own) = (launch.kernel.name.as_str(), needs(launch));
            match kernels.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => *all = both(*all, own),
                None => kernels.push((name, own)),
            }
        }
        let mut calls = loading(kernels);
        calls.extend(launches.iter().map(|launch| DriverCall::Launch(call(launch))));
        Self { calls }
    }
}

/// The attributes that a kernel needs for one launch.
fn needs(launch: &Launch<'_>) -> Needs {
    let Shape { shared_memory, cluster, preferred_cluster, .. } = &launch.shape;
    let all = launch.kernel.shared_memory.r#static + u64::from(*shared_memory);
    let is_large = all > launch.target.max_static_shared_memory().into();
    let compiled = launch.kernel.cluster.map(|cluster| cluster.map(i32::unsigned_abs));
    let mut clusters = [*cluster, *preferred_cluster, compiled].into_iter().flatten();
    Needs {
        shared_memory: is_large.then_some(*shared_memory),
        large_clusters: clusters.any(|cluster| volume(cluster) > Target::MAX_PORTABLE_CLUSTER.into()),
    }
}

/// The attributes that a kernel needs for all of its launches.
fn both(one: Needs, other: Needs) -> Needs {
    Needs {
        shared_memory: one.shared_memory.max(other.shared_memory),
        large_clusters: one.large_clusters || other.large_clusters,
    }
}

fn call(launch: &Launch<'_>) -> LaunchCall {
    let Shape {
        kernel,
        grid,
        block,
        shared_memory,
        cluster,
        preferred_cluster,
        cooperative,
        programmatic,
        ..
    } = launch.shape.clone();
    let wide = |extents: [u32; 3]| extents.map(u64::from);
    let attributes = [
        cluster.map(wide).map(LaunchAttribute::Cluster),
        preferred_cluster.map(wide).map(LaunchAttribute::PreferredCluster),
        cooperative.then_some(LaunchAttribute::Cooperative(1)),
        programmatic.then_some(LaunchAttribute::Programmatic(1)),
    ];
    LaunchCall {
        kernel,
        grid,
        block,
        shared_memory,
        attributes: attributes.into_iter().flatten().collect(),
        parameters: launch.kernel.pack(&launch.words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::Ptx;
    use cute_manifest::Kernel;

    const PTX: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n\
        .visible .entry k(.param .u64 p, .param .u16 n) { .shared .b8 s[1024]; ret; }";

    fn shape(shared_memory: u32, cluster: Option<[u32; 3]>) -> Shape {
        Shape {
            kernel: "k".into(),
            grid: [4, 2, 1],
            block: [32, 1, 1],
            shared_memory,
            cluster,
            preferred_cluster: None,
            cooperative: false,
            programmatic: false,
            queued: None,
        }
    }

    fn launch(kernel: &Kernel, shape: Shape) -> Launch<'_> {
        Launch { kernel, target: Target::Sm90a, shape, words: vec![0x7000, 0x1234] }
    }

    fn sets(plan: &DriverPlan) -> Vec<(u32, u32)> {
        let set = |call: &DriverCall| match call {
            DriverCall::Set { attribute, value, .. } => Some((attribute.number(), *value)),
            _ => None,
        };
        plan.calls.iter().filter_map(set).collect()
    }

    #[test]
    fn a_plan_is_the_calls_in_order() {
        let ptx = Ptx::read("k.ptx", PTX, None).unwrap();
        let kernel = &ptx.manifest.kernels[0];
        let all = Shape {
            preferred_cluster: Some([16, 1, 1]),
            cooperative: true,
            programmatic: true,
            ..shape(60000, Some([2, 1, 1]))
        };
        let plan = serde_json::to_value(DriverPlan::of(&[launch(kernel, all)])).unwrap();
        let expected = serde_json::json!([
            {"call": "cuModuleLoadData"},
            {"call": "cuModuleGetFunction", "kernel": "k"},
            {"call": "cuFuncSetAttribute", "kernel": "k", "attribute": 8, "value": 60000},
            {"call": "cuFuncSetAttribute", "kernel": "k", "attribute": 14, "value": 1},
            {
                "call": "cuLaunchKernelEx",
                "kernel": "k",
                "grid": [4, 2, 1],
                "block": [32, 1, 1],
                "shared_memory": 60000,
                "attributes": [
                    {"id": 4, "words": [2, 1, 1]},
                    {"id": 11, "words": [16, 1, 1]},
                    {"id": 2, "words": [1]},
                    {"id": 6, "words": [1]},
                ],
                "parameters": ["0070000000000000", "3412"],
            },
        ]);
        assert_eq!(plan, expected);
    }

    #[test]
    fn a_kernel_asks_only_for_what_its_launches_need() {
        let ptx = Ptx::read("k.ptx", PTX, None).unwrap();
        let kernel = &ptx.manifest.kernels[0];
        let plan = |shapes: Vec<Shape>| {
            let launches: Vec<_> = shapes.into_iter().map(|shape| launch(kernel, shape)).collect();
            DriverPlan::of(&launches)
        };
        // 1024 bytes are static, and 48 KB are for everyone.
        assert_eq!(sets(&plan(vec![shape(47 << 10, None)])), []);
        assert_eq!(sets(&plan(vec![shape((47 << 10) + 1, None)])), [(8, (47 << 10) + 1)]);
        assert_eq!(sets(&plan(vec![shape(0, Some([8, 1, 1]))])), []);
        assert_eq!(sets(&plan(vec![shape(0, Some([3, 3, 1]))])), [(14, 1)]);
        let text = PTX.replace(" { .shared", " .reqnctapercluster 16, 1, 1 { .shared");
        let compiled = Ptx::read("k.ptx", &text, None).unwrap();
        let launches = [launch(&compiled.manifest.kernels[0], shape(0, None))];
        assert_eq!(sets(&DriverPlan::of(&launches)), [(14, 1)]);
        // A kernel that is launched several times is loaded once, with the most that it needs.
        let several = plan(vec![shape(0, None), shape(60000, None), shape(50000, Some([16, 1, 1]))]);
        assert_eq!(sets(&several), [(8, 60000), (14, 1)]);
        let find = |call: &&DriverCall| matches!(call, DriverCall::Find { .. });
        assert_eq!((several.calls.iter().filter(find).count(), several.calls.len()), (1, 7));
    }
}
