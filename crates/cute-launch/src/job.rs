//! A run, independent of where it runs: launches of kernels, checked against the manifest and the
//! target.

use crate::{
    after::After,
    array::{self, Array},
    beside::NamedKernels,
    bind::{Arguments, ArrayRoom, Bound, Callee, ModuleVariable, Value, arguments},
    error::{Error, Result},
    expected,
    hole::Hole,
    launch::{self, Launch, Shape},
    launches::{LaunchesFile, Sequence},
    report::{Report, Reports},
    requested::{Requested, requested},
};
use cute_arch::Target;
use cute_manifest::{Function, Kernel, Manifest};
use cute_sim::Contents;
use std::sync::Arc;

pub use crate::requested::{Grid, RequestedExtents, extents, needed_grid};

/// A function that launches kernels.
#[derive(Debug, Clone)]
pub struct Host {
    /// The steps that the function takes.
    pub program: cute_host::Program,
    /// Its arguments, and what it is passed.
    pub function: Function,
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
    /// Variables of the module that are arrays of the job.
    pub variables: Vec<ModuleVariable>,
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
        options: &RequestedExtents,
        all: &Arguments<'_>,
        target: Target,
        hosts: &[String],
    ) -> Result<Self> {
        let Requested { shape, bound } = requested(kernel, options, all, target, hosts)?;
        Ok(Self::of(bound, Work::Kernel(kernel, target, shape)))
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
        let callee = Callee::host(&host.function);
        let bound = arguments(&callee, all)?;
        if let Some(why) = expected::unequal(&host.function.expected, &callee, &bound.values) {
            return Err(Error::Launch { callee: callee.to_string(), why });
        }
        Ok(Self::of(bound, Work::Host { host, manifest, target }))
    }

    fn of(bound: Bound, work: Work<'m>) -> Self {
        let Bound { values, arrays, variables, room } = bound;
        Self { arrays, variables, values, room, work }
    }

    /// The operations of a file of launches, of kernels in the manifest of a program, and in other
    /// files that [have joined](crate::OtherFile::join) it. The arrays of `all` are beside those of
    /// the file, and its arguments are not used.
    ///
    /// # Errors
    /// [`Error::Operations`] with the path of the mistake in the file.
    pub fn of_operations(
        file: LaunchesFile,
        kernels: impl Into<NamedKernels<'m>>,
        all: &Arguments<'_>,
        target: Target,
    ) -> Result<Self> {
        let (sequence, bound) = Sequence::bind(file, kernels.into(), all, target)?;
        Ok(Self::of(bound, Work::Operations(Box::new(sequence))))
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

    /// Checks that a device reads what the job passes as the simulator does.
    ///
    /// # Errors
    /// [`Error::Argument`] for a tensor map that only the driver can encode.
    pub fn check_for_device(&self) -> Result<()> {
        let known = array::located(&self.arrays, &vec![0; self.arrays.len()]);
        let in_arrays = self.arrays.iter().flat_map(|array| array.holes.iter().map(|(_, hole)| hole));
        let in_values = self.values.iter().flat_map(|value| match value {
            Value::Structure(structure) => structure.holes(),
            _ => &[],
        });
        let held = in_arrays.chain(in_values.map(|(_, hole)| hole)).filter_map(|hole| match hole {
            Hole::Map(spec) => Some(spec),
            Hole::Address(_) => None,
        });
        let passed = self.values.iter().filter_map(|value| match value {
            Value::Map(spec) => Some(spec),
            _ => None,
        });
        held.chain(passed).try_for_each(|spec| {
            let argument = format!("tensor_map({})", spec.array.name);
            spec.check_for_device(&known).map_err(|why| Error::Argument { argument, why })
        })
    }

    /// Copies the arrays to the place that runs the job. Returns the result of `copy` for each
    /// array, and its address. An array follows those whose addresses it holds.
    ///
    /// # Errors
    /// Returns the errors of `copy`.
    pub fn upload<B, E: From<Error>>(
        &self,
        mut copy: impl FnMut(Arc<dyn Contents>) -> std::result::Result<(B, u64), E>,
    ) -> std::result::Result<(Vec<B>, Vec<u64>), E> {
        let mut buffers: Vec<Option<B>> = self.arrays.iter().map(|_| None).collect();
        let mut addresses = vec![0; self.arrays.len()];
        for i in array::in_order(&self.arrays)? {
            let known = array::located(&self.arrays, &addresses);
            let (buffer, address) = copy(self.arrays[i].memory(&known)?)?;
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
        Reports { host, are_several: !matches!(self.work, Work::Kernel(..)), ..Reports::of(launches) }
    }
}
