//! Launches of kernels, checked as the device would check them.

use std::fmt;

use cute_arch::{
    Target,
    launch::{Compiled, Extents},
    volume,
};
use cute_host::ArgumentLeaf;
use cute_manifest::{Kernel, Manifest, Passed, Promise};
use cute_sim::names::{demangled, readable, stem};
use cute_text::line;
use serde::Serialize;

use crate::error::{Error, Names, Result};

/// How a kernel is launched. Sizes are x, y, z.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// The symbol of the kernel.
    pub kernel: String,
    /// The number of blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared_memory: u32,
    /// Blocks of a cluster, if the launch has clusters.
    pub cluster: Option<[u32; 3]>,
    /// Blocks of a cluster where the device can have so many: a hint, which every second schedule
    /// follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_cluster: Option<[u32; 3]>,
    /// Whether all blocks must be resident at once.
    pub cooperative: bool,
    /// Whether the kernel may start before the previous one has ended.
    pub programmatic: bool,
    /// Its place among the operations of a host, if they are given as such.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub queued: Option<Queued>,
}

/// The place of a launch among the operations of a host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Queued {
    /// Its number among all operations, from 0 on.
    pub operation: usize,
    /// The name of its stream.
    pub stream: String,
}

impl Shape {
    /// The preferred cluster, unless the kernel was compiled for clusters of one size.
    pub(crate) fn followed(&self, kernel: &Kernel) -> Option<[u32; 3]> {
        self.preferred_cluster.filter(|_| kernel.cluster.is_none())
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kernel,
            grid,
            block,
            shared_memory,
            cluster,
            preferred_cluster,
            cooperative,
            programmatic,
            queued,
        } = self;
        write!(f, "{} with grid {grid:?}, block {block:?}", readable(kernel))?;
        if *shared_memory > 0 {
            write!(f, ", {shared_memory} bytes of dynamic shared memory")?;
        }
        if let Some(cluster) = cluster {
            write!(f, ", cluster {cluster:?}")?;
        }
        if let Some(cluster) = preferred_cluster {
            write!(f, ", preferred cluster {cluster:?}")?;
        }
        let flags = [(*cooperative, "cooperative"), (*programmatic, "programmatic stream serialization")];
        flags.iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, text)| write!(f, ", {text}"))?;
        queued.iter().try_for_each(|queued| write!(f, ", stream {}", line(&queued.stream)))
    }
}

/// One launch of a kernel.
#[derive(Debug, Clone)]
pub struct Launch<'m> {
    /// The kernel's entry in the manifest.
    pub kernel: &'m Kernel,
    /// The GPU.
    pub target: Target,
    /// The GPU whose limits hold.
    pub shape: Shape,
    /// The values of each of the kernel's leaves: one word, whose lowest bytes are the value, or
    /// one word for each 8 bytes.
    pub words: Vec<u64>,
}

/// The kernel of this name, or the only one. The name is the symbol, or for a kernel of C++ the
/// name in the source, with or without the arguments of its template.
///
/// # Errors
/// [`Error::NoKernel`], [`Error::NoSuchKernel`], [`Error::SeveralKernels`] and
/// [`Error::WhichKernel`].
pub fn the_kernel<'m>(manifest: &'m Manifest, file: &str, wanted: Option<&str>) -> Result<&'m Kernel> {
    let all = manifest.kernels.as_slice();
    let (file, kernels) = (file.to_owned(), Names::of(all));
    if all.is_empty() {
        return Err(Error::NoKernel { file });
    }
    let Some(wanted) = wanted else {
        return match all {
            [one] => Ok(one),
            _ => Err(Error::WhichKernel { file, kernels }),
        };
    };
    if let Some(kernel) = all.iter().find(|kernel| kernel.name == *wanted) {
        return Ok(kernel);
    }
    let is_named = |kernel: &&Kernel| {
        demangled(&kernel.name).is_some_and(|name| name == *wanted || stem(&name) == *wanted)
    };
    match all.iter().filter(is_named).collect::<Vec<_>>()[..] {
        [one] => Ok(one),
        [] => Err(Error::NoSuchKernel { name: wanted.into(), file, kernels }),
        ref several => {
            let kernels = Names::of(several.iter().copied());
            Err(Error::SeveralKernels { name: wanted.into(), file, kernels })
        }
    }
}

/// The blocks of a grid that is given in clusters.
pub fn blocks_of(clusters: [u32; 3], kernel: &Kernel) -> [u32; 3] {
    let of_kernel = kernel.cluster.unwrap_or([1; 3]);
    std::array::from_fn(|axis| clusters[axis].saturating_mul(of_kernel[axis].max(1) as u32))
}

/// The reason why the blocks of a cooperative launch are not resident at once on a device with this
/// number of SMs; without one, on the largest GPU of the target. `option` names the option that
/// gives the number.
pub(crate) fn apart(
    kernel: &Kernel,
    shape: &Shape,
    target: Target,
    sms: Option<u32>,
    option: &str,
) -> Option<String> {
    if !shape.cooperative {
        return None;
    }
    let (extents, compiled) = limits(kernel, shape);
    let (of_largest, gpu) = target.largest_gpu();
    let why = target.not_resident(&extents, &compiled, sms.unwrap_or(of_largest))?;
    Some(match sms {
        Some(_) => why,
        None => {
            format!("{why}; these are the multiprocessors of {gpu}, because {option} gives no other number")
        }
    })
}

/// The part of a launch that the kernel or the target does not support.
pub fn misfit(kernel: &Kernel, shape: &Shape, target: Target) -> Option<String> {
    let all = [("grid", Some(shape.grid)), ("block", Some(shape.block)), ("cluster", shape.cluster)];
    if let Some((what, Some(extents))) =
        all.into_iter().find(|(_, extents)| extents.is_some_and(|extents| extents.contains(&0)))
    {
        return Some(format!("its {what} is {extents:?}, but its extents must be positive"));
    }
    let (extents, compiled) = limits(kernel, shape);
    target.misfit(&extents, &compiled)
}

/// The extents of a launch, and those that its kernel was compiled for.
pub fn limits(kernel: &Kernel, shape: &Shape) -> (Extents, Compiled) {
    let extents = Extents {
        grid: shape.grid,
        block: shape.block,
        cluster: shape.cluster,
        shared_memory: kernel.shared_memory.r#static + u64::from(shape.shared_memory),
    };
    let compiled = Compiled {
        block: kernel.block.map(|block| block.map(|n| n as u32)),
        max_threads: kernel.max_block.map(|block| volume(block).max(0).unsigned_abs()),
        cluster: kernel.cluster.map(|cluster| cluster.map(|n| n.max(1) as u32)),
        registers: None,
    };
    (extents, compiled)
}

/// Runs a host function with a word for each of its parameters.
///
/// # Errors
/// [`Error::Host`], [`Error::HostCode`] and [`Error::HostLaunch`].
pub fn launches<'m>(
    host: &cute_host::Program,
    manifest: &'m Manifest,
    target: Target,
    words: &[u64],
) -> Result<Vec<Launch<'m>>> {
    let (launches, code) = cute_host::interpret(host, words)?;
    if code != 0 {
        return Err(Error::HostCode { host: host.name.clone(), code });
    }
    launches.iter().map(|launch| checked(launch, manifest, target)).collect()
}

fn checked<'m>(launch: &cute_host::Launch<'_>, manifest: &'m Manifest, target: Target) -> Result<Launch<'m>> {
    let name = &launch.kernel.name;
    let refuse =
        |why: String| Error::HostLaunch { location: launch.site.location.clone(), kernel: name.clone(), why };
    let kernel = manifest.kernels.iter().find(|kernel| kernel.name == *name);
    let kernel = kernel.ok_or_else(|| refuse("it is not among the compiled kernels".into()))?;
    let mut shape = shape(launch).map_err(refuse)?;
    if kernel.grid_of_clusters {
        shape.grid = blocks_of(shape.grid, kernel);
    }
    let words: Vec<u64> = launch.arguments.iter().flat_map(|a| a.words()).copied().collect();
    let why = misfit(kernel, &shape, target)
        .or_else(|| opted(launch, kernel, target))
        .or_else(|| cluster(launch, &shape))
        .or_else(|| preferred(kernel, &shape))
        .or_else(|| broken_by(kernel, launch));
    match why {
        Some(why) => Err(refuse(why)),
        None => Ok(Launch { kernel, target, shape, words }),
    }
}

fn shape(launch: &cute_host::Launch<'_>) -> std::result::Result<Shape, String> {
    let extents = |what: &str, extents: [i64; 3]| {
        let positive = extents.map(|n| u32::try_from(n).ok().filter(|n| *n > 0));
        match positive {
            [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
            _ => Err(format!("{what} is {extents:?}, but its extents must be positive")),
        }
    };
    Ok(Shape {
        kernel: launch.kernel.name.clone(),
        grid: extents("its grid", launch.grid)?,
        block: extents("its block", launch.block)?,
        shared_memory: u32::try_from(launch.shared)
            .map_err(|_| format!("its dynamic shared memory cannot have {} bytes", launch.shared))?,
        cluster: launch.cluster.map(|cluster| extents("its cluster", cluster)).transpose()?,
        preferred_cluster: launch
            .preferred_cluster
            .map(|cluster| extents("its preferred cluster", cluster))
            .transpose()?,
        cooperative: launch.cooperative,
        programmatic: launch.programmatic,
        queued: None,
    })
}

/// Shared memory beyond the amount that a kernel has without opting in.
fn opted(launch: &cute_host::Launch<'_>, kernel: &Kernel, target: Target) -> Option<String> {
    let all = kernel.shared_memory.r#static + launch.shared.unsigned_abs();
    let most = target.max_static_shared_memory();
    (all > most.into() && !launch.kernel.opts_in_shared_memory).then(|| {
        format!(
            "it needs {all} bytes of shared memory; without max_dynamic_shared_size_bytes in its cu_attrs, a \
             kernel has at most {most}"
        )
    })
}

/// A cluster beyond the size that a kernel has without opting in.
fn cluster(launch: &cute_host::Launch<'_>, shape: &Shape) -> Option<String> {
    let cluster = shape.cluster?;
    let (blocks, most) = (volume(cluster), Target::MAX_PORTABLE_CLUSTER);
    (blocks > most.into() && !launch.kernel.allows_large_clusters).then(|| {
        format!(
            "its cluster {cluster:?} has {blocks} blocks; without non_portable_cluster_size_allowed in its \
             cu_attrs, a kernel has at most {most}"
        )
    })
}

/// A preferred cluster that is not made of whole clusters, or does not divide the grid.
pub fn preferred(kernel: &Kernel, shape: &Shape) -> Option<String> {
    let preferred = shape.preferred_cluster?;
    let compiled = kernel.cluster.map(|cluster| cluster.map(|n| n.max(1) as u32));
    let cluster = shape.cluster.or(compiled).unwrap_or([1; 3]);
    let divides = |whole: [u32; 3], part: [u32; 3]| (0..3).all(|i| whole[i].is_multiple_of(part[i]));
    if !divides(preferred, cluster) || preferred[2] != cluster[2] {
        Some(format!(
            "its preferred cluster is {preferred:?}, but must be a multiple of its cluster {cluster:?} along x and \
             y, and the same along z"
        ))
    } else if !divides(shape.grid, preferred) {
        Some(format!("its preferred clusters {preferred:?} do not divide its grid {:?}", shape.grid))
    } else {
        None
    }
}

/// The first promise of an argument's type that a launch breaks.
fn broken_by(kernel: &Kernel, launch: &cute_host::Launch<'_>) -> Option<String> {
    let leaves = kernel.leaves();
    let numbers = leaves.iter().zip(&launch.arguments).map(|(passed, argument)| match argument {
        ArgumentLeaf::Number(t, word) => number(passed, *word, t.bits()),
        ArgumentLeaf::Map(..) => None,
    });
    broken(&leaves, numbers)
}

/// A word that is passed for a leaf, as a number and as text; `None` for the null pointer, which
/// promises nothing.
pub fn number(passed: &Passed, word: u64, bits: u32) -> Option<(i64, String)> {
    let number = cute_machine::int::signed(word, bits);
    match passed.kind == "pointer" {
        true => (number != 0).then(|| (number, format!("{number:#x}"))),
        false => Some((number, number.to_string())),
    }
}

/// The first promise of an argument's type that a number breaks, given with its text.
pub fn broken(leaves: &[Passed], numbers: impl Iterator<Item = Option<(i64, String)>>) -> Option<String> {
    leaves.iter().zip(numbers).find_map(|(passed, number)| {
        let (number, text) = number?;
        let promise: &Promise = passed.leaf.promises.iter().find(|p| !p.holds(number))?;
        Some(promise.broken(&passed.leaf.text, &text))
    })
}
