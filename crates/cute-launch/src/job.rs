//! A run, independent of where it runs: launches of kernels, checked against the manifest and the
//! target.

use crate::{
    after::After,
    array::Array,
    bind::{Arguments, ArrayRoom, Callee, Face, Value, arguments},
    error::{Error, Result},
    launch::{self, Launch, Shape, apart, blocks_of, misfit},
    launches::{LaunchesFile, Sequence},
    report::{Report, Reports},
};
use cute_arch::Target;
use cute_manifest::{DYNAMIC_SHARED_MEMORY, Function, Kernel, Manifest};
use cute_sim::Contents;
use std::sync::Arc;

/// A function that launches kernels.
#[derive(Debug)]
pub struct Host {
    /// The steps that the function takes.
    pub program: cute_host::Program,
    /// Its arguments, and what it is passed.
    pub function: Function,
}

/// The number of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grid {
    /// Given extents.
    Extents([u32; 3]),
    /// One per SM, in whole clusters.
    Auto,
}

/// The requested launch of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Extents {
    /// Blocks.
    pub grid: Grid,
    /// Threads of a block, if not those that the kernel requires.
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory, if not those in the kernel's attribute.
    pub shared: Option<u32>,
    /// Blocks of a cluster, if not those of the kernel's attributes.
    pub cluster: Option<[u32; 3]>,
    /// Whether all blocks are resident at once, and may wait for each other.
    pub cooperative: bool,
}

/// The extents in a list of one to three positive integers; the others are 1.
pub fn extents(list: &[i64]) -> Option<[u32; 3]> {
    let mut three = [1; 3];
    if list.is_empty() || list.len() > three.len() {
        return None;
    }
    for (to, extent) in three.iter_mut().zip(list) {
        *to = u32::try_from(*extent).ok().filter(|n| *n > 0)?;
    }
    Some(three)
}

/// A place that runs kernels.
pub trait Place {
    /// Why a job cannot run.
    type Error;

    /// Runs a job to its end, or to the first launch with a finding.
    ///
    /// # Errors
    /// Returns an error if the job cannot run, or cannot run to its end.
    fn run(&self, job: &Job<'_>) -> std::result::Result<Outcome, Self::Error>;
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Printed for people, serialised for tools.
    pub reports: Reports,
    /// The contents of each array after the run.
    pub arrays: Vec<After>,
    /// For each array, whether a kernel stored to it; `None` if that is not tracked.
    pub written: Option<Vec<bool>>,
}

/// A requested run: arrays, and the launches of kernels that use them.
#[derive(Debug)]
pub struct Job<'m> {
    /// Global memory.
    pub arrays: Vec<Array>,
    /// One value for each leaf that the kernel or host function receives.
    values: Vec<Value>,
    /// The memory that the arrays may take during the run.
    pub(crate) room: ArrayRoom,
    work: Work<'m>,
}

/// The launches of a job.
#[derive(Debug)]
enum Work<'m> {
    /// One.
    Kernel(&'m Kernel, Target, Shape),
    /// A host function.
    Host { host: &'m Host, manifest: &'m Manifest, target: Target },
    /// The operations of a file.
    Operations(Box<Sequence<'m>>),
}

impl<'m> Job<'m> {
    /// The launch of a kernel.
    ///
    /// # Errors
    /// Returns [`Error::Launch`], [`Error::ArgumentCount`] or [`Error::Argument`].
    pub fn of_kernel(
        kernel: &'m Kernel,
        options: &Extents,
        all: &Arguments<'_>,
        target: Target,
        hosts: &[String],
    ) -> Result<Self> {
        let (callee, face) = (Callee::kernel(kernel), all.face);
        let refuse = |why| Error::Launch { callee: callee.to_string(), why };
        let by_host = match hosts {
            [] => String::new(),
            [one] => {
                format!("; or let the host function '{one}' launch it, with {}", face.option("host", ""))
            }
            many => format!(
                "; or let a host function launch it, with {}: {}",
                face.option("host", "NAME"),
                many.join(", ")
            ),
        };
        let unknown = |what: String| refuse(what + &by_host);
        let known = kernel.block.map(|b| b.map(|n| n.max(0) as u32));
        let block = options.block.or(known);
        let block = block.ok_or_else(|| {
            unknown(format!("it does not specify its block; give {}", face.option("block", "X,Y,Z")))
        })?;
        let grid = match options.grid {
            Grid::Extents(grid) if kernel.grid_of_clusters => blocks_of(grid, kernel),
            Grid::Extents(grid) => grid,
            Grid::Auto => {
                let of_kernel = || kernel.cluster.map(|c| c.map(|n| n.max(1) as u32));
                let cluster = options.cluster.or_else(of_kernel).unwrap_or([1; 3]);
                whole_clusters(all.sms.known(face).map_err(refuse)?, cluster)
            }
        };
        let shape = Shape {
            kernel: kernel.name.clone(),
            grid,
            block,
            shared_memory: match shared(kernel, options.shared, face).map_err(refuse)? {
                Some(bytes) => bytes,
                None => {
                    return Err(unknown(format!(
                        "it has dynamic shared memory, but does not specify the number of bytes; give {}, or give it the \
                         attribute {DYNAMIC_SHARED_MEMORY}",
                        face.option("shared", "BYTES")
                    )));
                }
            },
            cluster: options.cluster,
            preferred_cluster: None,
            cooperative: options.cooperative,
            programmatic: false,
            queued: None,
        };
        let (values, arrays, room) = arguments(&callee, all)?;
        match misfit(kernel, &shape, target).or_else(|| apart(kernel, &shape, target, all.sms.0)) {
            Some(why) => Err(refuse(why)),
            None => Ok(Self { arrays, values, room, work: Work::Kernel(kernel, target, shape) }),
        }
    }

    /// The run of a host function.
    ///
    /// # Errors
    /// Returns [`Error::Launch`], [`Error::ArgumentCount`] or [`Error::Argument`].
    pub fn of_host(
        host: &'m Host,
        manifest: &'m Manifest,
        all: &Arguments<'_>,
        target: Target,
    ) -> Result<Self> {
        let (values, arrays, room) = arguments(&Callee::host(&host.function), all)?;
        Ok(Self { arrays, values, room, work: Work::Host { host, manifest, target } })
    }

    /// The operations of a file of launches, of kernels in the manifest of a program. The arguments
    /// of `all` are not used.
    ///
    /// # Errors
    /// [`Error::Operations`] with the path of the mistake in the file.
    pub fn of_operations(
        file: LaunchesFile,
        program: (&'m Manifest, &str),
        all: &Arguments<'_>,
        target: Target,
    ) -> Result<Self> {
        let (sequence, arrays, room) = Sequence::bind(file, program, all, target)?;
        Ok(Self { arrays, values: Vec::new(), room, work: Work::Operations(Box::new(sequence)) })
    }

    /// The shape and the values of the launch of a kernel, and the arrays that it makes.
    pub(crate) fn into_launch(self) -> Option<(Shape, Vec<Value>, Vec<Array>)> {
        match self.work {
            Work::Kernel(_, _, shape) => Some((shape, self.values, self.arrays)),
            Work::Host { .. } | Work::Operations(_) => None,
        }
    }

    /// The operations around the launches, if they come from a file.
    pub(crate) fn sequence(&self) -> Option<&Sequence<'m>> {
        match &self.work {
            Work::Operations(sequence) => Some(sequence),
            Work::Kernel(..) | Work::Host { .. } => None,
        }
    }

    /// The grid of the kernel; a host function decides when it runs.
    pub fn grid(&self) -> Option<[u32; 3]> {
        match &self.work {
            Work::Kernel(_, _, shape) => Some(shape.grid),
            Work::Host { .. } | Work::Operations(_) => None,
        }
    }

    /// The launches, with the addresses of the arrays.
    ///
    /// # Errors
    /// Those of [`launch::launches`].
    pub fn launches(&self, addresses: &[u64]) -> Result<Vec<Launch<'m>>> {
        let words = self.values.iter().map(|value| value.words(&self.arrays, addresses));
        let words: Vec<u64> = words.collect::<Result<Vec<_>>>()?.concat();
        match &self.work {
            Work::Kernel(kernel, target, shape) => {
                Ok(vec![Launch { kernel, target: *target, shape: shape.clone(), words }])
            }
            Work::Host { host, manifest, target } => {
                launch::launches(&host.program, manifest, *target, &words)
            }
            Work::Operations(sequence) => sequence.launches(&self.arrays, addresses),
        }
    }

    /// Copies the arrays to the place that runs the job. Returns the result of `copy` for each
    /// array, and its address. Arrays of addresses are copied last.
    ///
    /// # Errors
    /// Returns the errors of `copy`.
    pub fn upload<B, E: From<Error>>(
        &self,
        mut copy: impl FnMut(Arc<dyn Contents>) -> std::result::Result<(B, u64), E>,
    ) -> std::result::Result<(Vec<B>, Vec<u64>), E> {
        let mut buffers: Vec<Option<B>> = self.arrays.iter().map(|_| None).collect();
        let mut addresses = vec![0; self.arrays.len()];
        let (data, holders): (Vec<_>, Vec<_>) =
            self.arrays.iter().enumerate().partition(|(_, array)| array.points_to.is_empty());
        for (i, array) in data.into_iter().chain(holders) {
            let (buffer, address) = copy(array.memory(&addresses)?)?;
            (buffers[i], addresses[i]) = (Some(buffer), address);
        }
        Ok((buffers.into_iter().flatten().collect(), addresses))
    }

    /// The reports of a run of this job.
    pub fn reports(&self, launches: Vec<(Shape, Report)>) -> Reports {
        let host = match &self.work {
            Work::Kernel(..) | Work::Operations(_) => None,
            Work::Host { host, .. } => Some(host.program.name.clone()),
        };
        Reports {
            host,
            are_several: !matches!(self.work, Work::Kernel(..)),
            launches,
            schedules: Vec::new(),
            differences: Vec::new(),
            unmatched: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// The number of clusters along x that this number of SMs holds at once, at least one, in blocks.
fn whole_clusters(sms: u32, [x, y, z]: [u32; 3]) -> [u32; 3] {
    let blocks = x.saturating_mul(y).saturating_mul(z).max(1);
    [x.saturating_mul((sms / blocks).max(1)), y, z]
}

/// Bytes of dynamic shared memory: the requested number, if that is enough, or the number that the
/// kernel needs; `None` if there is neither.
fn shared(kernel: &Kernel, asked: Option<u32>, face: Face) -> std::result::Result<Option<u32>, String> {
    let needed = kernel.shared_memory.dynamic_size;
    match (asked.map(u64::from), needed) {
        (Some(asked), Some(needed)) if asked < needed => Err(format!(
            "{} is too small: the kernel needs {needed} bytes of dynamic shared memory. Omit {}",
            face.option("shared", &asked.to_string()),
            face.option("shared", "")
        )),
        (None, None) if kernel.shared_memory.dynamic => Ok(None),
        // More than any target has is rejected with the rest of the launch.
        (asked, needed) => Ok(Some(asked.or(needed).unwrap_or(0).try_into().unwrap_or(u32::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_one_to_three_positive_integers() {
        assert_eq!(extents(&[4, 2]), Some([4, 2, 1]));
        for wrong in [&[][..], &[0], &[1, -1], &[1, 1, 1, 1], &[1 << 32]] {
            assert_eq!(extents(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_grid_for_all_sms_has_whole_clusters() {
        assert_eq!(whole_clusters(132, [1, 1, 1]), [132, 1, 1]);
        assert_eq!(whole_clusters(133, [2, 1, 1]), [132, 1, 1]);
        assert_eq!(whole_clusters(7, [2, 2, 1]), [2, 2, 1]);
        assert_eq!(whole_clusters(1, [2, 2, 1]), [2, 2, 1]);
        assert_eq!(whole_clusters(132, [u32::MAX; 3]), [u32::MAX; 3]);
    }
}
