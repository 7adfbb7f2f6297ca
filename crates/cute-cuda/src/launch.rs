//! Launches: each runs in the simulator, when it is enqueued.

use std::{collections::BTreeMap, ffi::c_void, process, ptr, sync::Arc};

use cute_launch::{
    launch::{Launch, Shape},
    report::Reports,
    simulate::InStream,
    simulator::{Simulator, unfollowed},
};
use cute_manifest::Kernel;
use cute_sim::{Buffer, Finding, FindingKind, Report, names::readable, order::Stream};
use cute_text::line;
use serde_json::Value;

use crate::{
    device::{
        self,
        kernel::{KernelFacts, Settings as KernelSettings},
    },
    error::{Error, Result},
    failure::{Refusal, failure, refusal, refused},
    graph::Work,
    memory::{Allocation, Kind},
    messages::{Message, send},
    modules::{Code, PTX_NAME},
    options::Form,
    record::Recording,
    registers::Usage,
    settings::Settings,
    state::DriverState,
    views::Views,
};

/// A launch as a program asks for it.
#[derive(Debug, Clone, Default)]
pub struct AskedLaunch {
    /// Blocks of the grid.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: usize,
    /// Blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// Blocks of a cluster where the device can have so many.
    pub preferred_cluster: Option<[u32; 3]>,
    /// Whether all blocks are resident at once.
    pub cooperative: bool,
    /// Whether it may begin before the launch before it has ended.
    pub programmatic: bool,
    /// The stream that it is enqueued in.
    pub stream: Stream,
    /// An event that is recorded when all blocks have begun.
    pub begun: Option<usize>,
    /// An event that is recorded when dependent launches may begin, and whether that is at the
    /// start of each block.
    pub triggered: Option<(usize, bool)>,
}

/// The launches of the process, and what was found in them.
#[derive(Debug, Default)]
pub struct Launches {
    /// Their number.
    pub count: u64,
    /// The number of findings that are errors.
    pub findings: u64,
}

impl Launches {
    /// A line about a call that the program made in a wrong way.
    pub fn remark(&mut self, text: &str) {
        eprintln!("cutec exec: {text}");
    }

    /// Findings of operations of the host.
    pub fn found(&mut self, findings: &[Finding]) {
        for finding in findings {
            self.findings += 1;
            eprintln!("error: {finding}");
            let kernel = finding.op.clone();
            send(&Message::Launch { process: process::id(), kernel, findings: 1, report: Value::Null });
        }
    }

    fn report(&mut self, shape: &Shape, report: &Report, settings: &Settings) {
        let findings = report.error_count() as u64;
        self.findings += findings;
        let launch = format!("launch {}: {shape}", self.count);
        let report = match settings.options.report {
            Form::Text => {
                eprint!("{}", report.found(Some(&launch)));
                Value::Null
            }
            Form::Json => serde_json::to_value(report).unwrap_or_default(),
        };
        let kernel = readable(&shape.kernel).into_owned();
        send(&Message::Launch { process: process::id(), kernel, findings, report });
    }
}

unsafe extern "C" {
    static stdout: *mut c_void;
    fn fwrite(from: *const c_void, size: usize, count: usize, to: *mut c_void) -> usize;
}

/// Hands the output of a kernel to the program's own stream, in its order with what the program
/// prints.
fn print(output: &str) {
    // SAFETY: the stream of the C library is one, and the bytes are there.
    unsafe { fwrite(output.as_ptr().cast(), 1, output.len(), stdout) };
}

impl DriverState {
    /// The code of the module of a kernel, and the kernel.
    ///
    /// # Errors
    /// [`Error::INVALID_DEVICE_FUNCTION`], and that of [`Unread`](crate::modules::Unread).
    pub fn kernel(&mut self, function: usize) -> Result<(usize, Arc<Code>, String)> {
        let found = self.modules.function(function)?.clone();
        let device = self.settings.target();
        let code = self.modules.code(found.module, device).map_err(|why| {
            self.launches.remark(&format!("kernel '{}': {why}", readable(&found.name)));
            why.error
        })?;
        if !code.kernels.iter().any(|kernel| kernel.name == found.name) {
            return Err(Error::INVALID_DEVICE_FUNCTION);
        }
        Ok((found.module, code, found.name))
    }

    /// The facts of a kernel.
    ///
    /// # Errors
    /// Those of [`Self::kernel`].
    pub fn facts(&mut self, function: usize) -> Result<KernelFacts> {
        let (_, code, name) = self.kernel(function)?;
        let kernel = code.kernels.iter().find(|kernel| kernel.name == name);
        let facts = kernel.and_then(|kernel| code.facts(kernel, self.settings.target()));
        let settings = self.modules.function(function)?.settings;
        Ok(KernelFacts { settings, ..facts.ok_or(Error::INVALID_DEVICE_FUNCTION)? })
    }

    /// The bytes of a kernel's parameters.
    ///
    /// # Errors
    /// Those of [`Self::kernel`].
    pub fn widths(&mut self, function: usize) -> Result<Vec<usize>> {
        let (_, code, name) = self.kernel(function)?;
        let kernel = code.kernels.iter().find(|kernel| kernel.name == name).ok_or(Error::UNKNOWN)?;
        Ok(kernel.parameters.iter().map(|parameter| parameter.width as usize).collect())
    }

    /// The words of a kernel's arguments, of which the program passes the addresses.
    ///
    /// # Errors
    /// Those of [`Self::kernel`], and [`Error::INVALID_VALUE`] without addresses for parameters.
    ///
    /// # Safety
    /// There is an address for each parameter, with its bytes.
    pub unsafe fn arguments(&mut self, function: usize, arguments: *const *const c_void) -> Result<Vec<u64>> {
        let (_, code, name) = self.kernel(function)?;
        let kernel = code.kernels.iter().find(|kernel| kernel.name == name).ok_or(Error::UNKNOWN)?;
        if arguments.is_null() && !kernel.parameters.is_empty() {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: the caller's.
        Ok(unsafe { words(kernel, arguments) })
    }

    /// The words of a kernel's arguments in one buffer, as the driver takes them.
    ///
    /// # Errors
    /// Those of [`Self::kernel`], and [`Error::INVALID_VALUE`] if the buffer is too short.
    pub fn packed(&mut self, function: usize, buffer: &[u8]) -> Result<Vec<u64>> {
        let (_, code, name) = self.kernel(function)?;
        let kernel = code.kernels.iter().find(|kernel| kernel.name == name).ok_or(Error::UNKNOWN)?;
        let mut words = Vec::new();
        for parameter in &kernel.parameters {
            let (start, end) = (parameter.offset as usize, (parameter.offset + parameter.width) as usize);
            let bytes = buffer.get(start..end).ok_or(Error::INVALID_VALUE)?;
            words.extend(words_of(bytes));
        }
        Ok(words)
    }

    /// Launches a kernel, or captures the launch.
    ///
    /// # Errors
    /// Those of [`Self::launch`].
    pub fn enqueue(&mut self, function: usize, asked: AskedLaunch, words: Vec<u64>) -> Result<()> {
        if self.graphs.is_capturing(asked.stream) {
            self.graphs.take(asked.stream, || Work::Launch { function, asked: asked.clone(), words });
            return Ok(());
        }
        self.launch(function, &asked, words)
    }

    /// Runs a launch with the words of its arguments.
    ///
    /// # Errors
    /// Why the device would refuse the launch, or how it would fail.
    pub fn launch(&mut self, function: usize, asked: &AskedLaunch, words: Vec<u64>) -> Result<()> {
        let (module, code, name) = self.kernel(function)?;
        if self.settings.skips(&name) {
            return Ok(());
        }
        let kernel = code.kernels.iter().find(|kernel| kernel.name == name).ok_or(Error::UNKNOWN)?;
        let settings = self.modules.function(function)?.settings;
        // How many registers it needs does not matter here.
        let facts = KernelFacts::new(kernel, &Usage::default(), code.target, 0);
        let facts = KernelFacts { settings, ..facts };
        let most = facts.max_dynamic_shared(device::current());
        if asked.shared > most as usize {
            let shared = asked.shared;
            self.launches.remark(&format!(
                "kernel '{}': a launch with {shared} bytes of dynamic shared memory, of which at most {most} are allowed; \
                 cudaFuncSetAttribute allows more",
                readable(&name)
            ));
            return Err(Error::INVALID_VALUE);
        }
        let cluster = asked.cluster.or(facts.required_cluster());
        let shape = Shape {
            kernel: name.clone(),
            grid: asked.grid,
            block: asked.block,
            shared_memory: asked.shared as u32,
            cluster,
            preferred_cluster: asked.preferred_cluster,
            cooperative: asked.cooperative,
            programmatic: asked.programmatic,
            queued: None,
        };
        if let Some(Refusal { error, why }) = self.refusal(&code, kernel, &shape, settings) {
            self.launches.remark(&format!("kernel '{}': {why}", readable(&name)));
            return Err(error);
        }
        let launch = Launch { kernel, target: self.settings.target(), shape: shape.clone(), words };
        self.launches.count += 1;
        let variables = self.variables(module, &code)?.clone();
        self.refresh();
        self.record(&code, &variables, &launch);
        self.memory.set_variables(variables);
        let is_overlapped = self.streams.are_several || code.has_dependents;
        let place = InStream { stream: asked.stream, is_overlapped };
        let views = Views::of(&self.settings.options, self.launches.count);
        let checks = self.settings.checks(&name);
        let simulator = Simulator {
            program: &code.program,
            checks: views.iter().fold(checks, |checks, views| views.watch(checks)),
            schedule: self.settings.schedule(),
            schedules: self.settings.schedules(&name),
            progress: &unfollowed,
        };
        let ran = simulator.launch(launch, place, &mut self.memory);
        let (report, schedules) = ran.map_err(|why| {
            self.launches.remark(&why.to_string());
            refused(&why)
        })?;
        self.streams.tickets.extend(self.memory.order().last(asked.stream));
        self.write_back();
        print(&report.output);
        self.launches.report(&shape, &report, &self.settings);
        if let Some(event) = asked.begun {
            let recorded = self.memory.order().begun(asked.stream);
            self.streams.event(event)?.recorded = recorded;
        }
        if let Some((event, at_start)) = asked.triggered {
            let recorded = self.memory.order().triggered(asked.stream, at_start);
            self.streams.event(event)?.recorded = recorded;
        }
        self.explain(&report);
        let ended = match report.errors().next() {
            Some(_) if self.settings.goes_on() && report.is_complete => Ok(()),
            Some(finding) => Err(failure(finding)),
            None => Ok(()),
        };
        if let Some(views) = views {
            let reports = Reports::of_one(shape, report, schedules);
            let remarks = views.write(&reports, (PTX_NAME, code.ptx()));
            remarks.iter().for_each(|remark| self.launches.remark(remark));
        }
        ended
    }

    /// Explains an address that a kernel has of the host.
    fn explain(&mut self, report: &Report) {
        let unmapped = report.errors().find_map(|finding| match finding.kind {
            FindingKind::Unmapped { address } => Some(address),
            _ => None,
        });
        let holding = unmapped.and_then(|address| self.allocations.holding(address));
        if let Some((start, Allocation { kind: Kind::Registered { .. }, .. })) = holding {
            self.launches.remark(&format!(
                "the address is one of the host, in memory at {start:#x} that is registered: kernels have another one, which \
                 cudaHostGetDevicePointer returns"
            ));
        }
    }

    /// Records a launch, if the options ask for that.
    fn record(&mut self, code: &Code, variables: &BTreeMap<String, Buffer>, launch: &Launch<'_>) {
        let Some(folder) = &self.settings.options.record else { return };
        let folder = folder.join(self.launches.count.to_string());
        let (allocations, memory) = (&self.allocations, &self.memory);
        let recording = Recording { allocations, memory, variables, ptx: code.ptx() };
        match recording.write(&folder, launch.kernel, &launch.shape, &launch.words) {
            Ok(remark) => remark.iter().for_each(|remark| self.launches.remark(remark)),
            Err(why) => {
                let folder = folder.display().to_string();
                self.launches.remark(&format!("cannot write '{}': {why}", line(&folder)));
            }
        }
    }

    /// Why the device would refuse a launch, if it would. Registers matter for the blocks of a
    /// cooperative launch, and seldom: ptxas is asked where they do. An estimate refuses nothing.
    fn refusal(
        &self,
        code: &Code,
        kernel: &Kernel,
        shape: &Shape,
        settings: KernelSettings,
    ) -> Option<Refusal> {
        let device = device::current();
        let with = |registers| {
            let usage = Usage { registers, ..Usage::default() };
            let facts = KernelFacts { settings, ..KernelFacts::new(kernel, &usage, code.target, 0) };
            refusal(kernel, shape, &facts, device)
        };
        let refusal = with(0);
        if refusal.is_some() || !shape.cooperative || with(MOST_REGISTERS).is_none() {
            return refusal;
        }
        with(code.registers(kernel, device.target)?)
    }
}

/// The most registers of a thread.
const MOST_REGISTERS: u32 = 255;

/// The words of a kernel's arguments.
///
/// # Safety
/// There is an address for each parameter, of as many bytes as it has.
unsafe fn words(kernel: &Kernel, arguments: *const *const c_void) -> Vec<u64> {
    let mut words = Vec::new();
    for (i, parameter) in kernel.parameters.iter().enumerate() {
        let mut bytes = vec![0u8; parameter.width as usize];
        // SAFETY: the caller's.
        unsafe {
            let from = *arguments.add(i);
            ptr::copy_nonoverlapping(from.cast::<u8>(), bytes.as_mut_ptr(), bytes.len());
        }
        words.extend(words_of(&bytes));
    }
    words
}

/// Bytes as words, the last one filled with zeros.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(8).map(|part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        u64::from_le_bytes(word)
    })
}
