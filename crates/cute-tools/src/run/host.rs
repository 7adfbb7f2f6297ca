//! The launches of a host function, checked as the device would check them.

use super::{
    job::{Launch, misfit},
    report::Shape,
};
use crate::{
    compile::Host,
    error::{Error, Result},
};
use cute_arch::{Feature, Target};
use cute_driver::manifest::{Kernel, Manifest, Passed};
use cute_host::Argument;

/// The cluster size that every device with clusters supports, and the largest that one supports
/// without opting in.
pub(super) const PORTABLE_CLUSTER: u32 = 8;
const LARGEST_CLUSTER: u32 = 16;

/// Runs a host function with a word for each of its parameters.
///
/// # Errors
/// [`Error::Host`], [`Error::HostCode`] and [`Error::HostLaunch`].
pub(super) fn launches<'m>(
    host: &Host,
    manifest: &'m Manifest,
    target: Target,
    words: &[u64],
) -> Result<Vec<Launch<'m>>> {
    let (launches, code) = cute_host::interpret(&host.program, words)?;
    if code != 0 {
        return Err(Error::HostCode { host: host.program.name.clone(), code });
    }
    launches.iter().map(|launch| checked(launch, manifest, target)).collect()
}

fn checked<'m>(launch: &cute_host::Launch<'_>, manifest: &'m Manifest, target: Target) -> Result<Launch<'m>> {
    let name = &launch.kernel.name;
    let refuse =
        |why: String| Error::HostLaunch { location: launch.site.location.clone(), kernel: name.clone(), why };
    let kernel = manifest.kernels.iter().find(|kernel| kernel.name == *name);
    let kernel = kernel.ok_or_else(|| refuse("it is not among the compiled kernels".into()))?;
    let shape = shape(launch).map_err(refuse)?;
    let words: Vec<u64> = launch.arguments.iter().flat_map(|a| a.words()).copied().collect();
    let why = misfit(kernel, &shape, target)
        .or_else(|| opted(launch, kernel, target))
        .or_else(|| cluster(launch, kernel, &shape, target))
        .or_else(|| broken(kernel, launch));
    match why {
        Some(why) => Err(refuse(why)),
        None => Ok(Launch { kernel, shape, words }),
    }
}

fn shape(launch: &cute_host::Launch<'_>) -> std::result::Result<Shape, String> {
    let extents = |what: &str, extents: [i64; 3]| {
        let positive = extents.map(|n| u32::try_from(n).ok().filter(|n| *n > 0));
        match positive {
            [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
            _ => Err(format!("{what} {extents:?}, whose extents must be positive")),
        }
    };
    Ok(Shape {
        kernel: launch.kernel.name.clone(),
        grid: extents("a grid", launch.grid)?,
        block: extents("a block", launch.block)?,
        shared_memory: u32::try_from(launch.shared)
            .map_err(|_| format!("{} bytes of dynamic shared memory", launch.shared))?,
        cluster: launch.cluster.map(|cluster| extents("a cluster", cluster)).transpose()?,
        cooperative: launch.cooperative,
        programmatic: launch.programmatic,
    })
}

/// Shared memory beyond the amount that a kernel has without opting in.
fn opted(launch: &cute_host::Launch<'_>, kernel: &Kernel, target: Target) -> Option<String> {
    let all = kernel.shared_memory.r#static + launch.shared.unsigned_abs();
    let most = target.max_static_shared_memory();
    (all > most.into() && !launch.kernel.opts_in_shared_memory).then(|| {
        format!(
            "{all} bytes of shared memory; a kernel without max_dynamic_shared_size_bytes in its cu_attrs has at most {most}"
        )
    })
}

fn cluster(launch: &cute_host::Launch<'_>, kernel: &Kernel, shape: &Shape, target: Target) -> Option<String> {
    let cluster = shape.cluster?;
    let grid = shape.grid;
    let blocks: u64 = cluster.iter().map(|n| u64::from(*n)).product();
    if blocks > 1 && !target.has(Feature::Clusters) {
        Some(format!("a cluster {cluster:?}, {target} has no clusters"))
    } else if let Some(required) = kernel.cluster.filter(|c| c.map(|n| n as u32) != cluster) {
        Some(format!("a cluster {cluster:?}, compiled for {required:?}"))
    } else if (0..3).any(|i| !grid[i].is_multiple_of(cluster[i])) {
        Some(format!("a grid {grid:?} that clusters {cluster:?} do not divide"))
    } else if blocks > LARGEST_CLUSTER.into() {
        Some(format!("a cluster {cluster:?} of {blocks} blocks, there are at most {LARGEST_CLUSTER}"))
    } else if blocks > PORTABLE_CLUSTER.into() && !launch.kernel.allows_large_clusters {
        Some(format!(
            "a cluster {cluster:?} of {blocks} blocks; a kernel without non_portable_cluster_size_allowed in its cu_attrs has at \
             most {PORTABLE_CLUSTER}"
        ))
    } else {
        None
    }
}

/// The first promise of an argument's type that a word breaks.
fn broken(kernel: &Kernel, launch: &cute_host::Launch<'_>) -> Option<String> {
    kernel.leaves().iter().zip(&launch.arguments).find_map(|(passed, argument)| {
        let Argument::Number(t, word) = argument else { return None };
        let is_null = passed.kind == "pointer" && *word == 0;
        let number = cute_host::arithmetic::signed(*word, t.bits());
        let kept = |p: &&cute_dialect::parameters::Promise| !is_null && !p.holds(number);
        let promise = passed.leaf.promises.iter().find(kept)?;
        Some(promise.broken(&passed.leaf.text, &value(passed, number)))
    })
}

fn value(passed: &Passed, number: i64) -> String {
    if passed.kind == "pointer" { format!("{number:#x}") } else { number.to_string() }
}
