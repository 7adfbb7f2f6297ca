//! Runs of kernels of PTX, for tests.

use crate::timeline::{Blocks, LaunchRecorder, Timeline};
use cute_launch::{
    Job, Ptx, Shape,
    bind::{Arguments, Face, Files, Given, Kind, Sms},
    element::Element,
    initial::Stored,
    job::{Grid, Place, RequestedExtents},
    launch::the_kernel,
    report::Reports,
    simulate::Checks,
    simulator::{Progress, Simulator},
};

struct Quiet;

impl Progress for Quiet {
    fn finished(&self) {}
}

/// Arguments name no files here.
struct NoFiles;

impl Files for NoFiles {
    fn kind(&self, file: &str, _: Option<Element>, _: Option<&str>, _: u64) -> Result<Kind, String> {
        Err(file.into())
    }

    fn read(&self, file: &str, _: Element, _: &[usize]) -> Result<Stored, String> {
        Err(file.into())
    }
}

/// Runs a kernel of the text, as a file of this name, in one block of this many threads.
pub(crate) fn run(
    file: &str,
    text: &str,
    kernel: Option<&str>,
    threads: u32,
    arguments: &[&str],
) -> (Reports, Timeline) {
    let ptx = Ptx::read(file, text, None).expect("it is PTX");
    let kernel = the_kernel(&ptx.manifest, file, kernel).expect("a kernel");
    let given: Vec<Given> = arguments.iter().map(|text| Given::Text((*text).into())).collect();
    let arguments = Arguments {
        given: &given,
        arrays: &[],
        variables: Default::default(),
        memory: 1 << 20,
        sms: Sms(None),
        files: &NoFiles,
        face: Face::CommandLine,
    };
    let grid = Grid::Extents([1, 1, 1]);
    let extents = RequestedExtents {
        grid,
        block: Some([threads, 1, 1]),
        shared: None,
        cluster: None,
        preferred_cluster: None,
        cooperative: false,
    };
    let job = Job::of_kernel(kernel, &extents, &arguments, ptx.target, &[]).expect("a job");
    let recorded = LaunchRecorder::new(Blocks::default());
    let checks = Checks { banks: true, watcher: Some(recorded.watcher()), ..Checks::default() };
    let progress = |_: &Shape| Box::new(Quiet) as Box<dyn Progress + Sync>;
    let simulator =
        Simulator { program: &ptx.program, checks, schedule: None, schedules: None, progress: &progress };
    let outcome = simulator.run(&job).expect("a run");
    (outcome.reports, recorded.take())
}
