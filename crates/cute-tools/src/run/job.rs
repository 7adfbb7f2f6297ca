//! What runs, wherever it runs: launches of kernels and their arguments, checked against the manifest and the target.

use super::{
    argument::{self, Spec, Values},
    cli::Cli,
    element::Element,
    fill::{self, Order},
    host, npy,
};
use crate::{
    compile::Host,
    error::{Error, Result},
};
use cute_arch::Target;
use cute_dialect::parameters::Role;
use cute_driver::{
    manifest::{Kernel, Manifest, Passed},
    signature::Argument,
};
use cute_sim::Accuracy;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::{fmt, path::Path};

/// Where kernels run.
pub trait Place {
    /// Runs a job to its end, or to the first launch that does something wrong.
    ///
    /// # Errors
    /// What keeps it from running, or from being run to its end.
    fn run(&self, job: &Job<'_>) -> Result<Outcome>;
}

/// What a place has to say of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Printed for people, serialised for tools.
    pub reports: Reports,
    /// The bytes of each array behind the run, row by row.
    pub arrays: Vec<Vec<u8>>,
    /// Of each array, whether a kernel stored to it; none where nobody looks.
    pub written: Option<Vec<bool>>,
}

/// The reports of the launches of a run, in order.
#[derive(Debug)]
pub struct Reports {
    /// The host function that launched, if one did.
    host: Option<String>,
    launches: Vec<(Shape, Report)>,
}

/// The report of a place.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Report {
    /// Findings and counters.
    Simulator(cute_sim::Report),
    /// Time.
    Gpu(Timing),
}

/// A launch on a GPU.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// Its name.
    pub kernel: String,
    /// The driver's name of the GPU.
    pub device: String,
    /// What the code is compiled for.
    pub target: String,
    /// `cubin`, or `PTX` that the driver assembled.
    pub code: &'static str,
    /// From an event before the launch to one behind it.
    pub milliseconds: f32,
}

impl Report {
    /// Mistakes of the kernel.
    pub fn findings(&self) -> usize {
        match self {
            Self::Simulator(report) => report.findings.len(),
            Self::Gpu(_) => 0,
        }
    }

    /// How far the approximate instructions of the kernel may be off; a device does not say.
    pub fn approximate(&self) -> &[Accuracy] {
        match self {
            Self::Simulator(report) => &report.approximate,
            Self::Gpu(_) => &[],
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulator(report) => write!(f, "{}{report}", report.output),
            Self::Gpu(Timing { kernel, device, target, code, milliseconds }) => {
                writeln!(f, "{kernel} on {device} ({target}, {code}): {milliseconds:.4} ms between events")
            }
        }
    }
}

impl Reports {
    /// Mistakes of kernels, and which of them made them: the last that ran.
    pub fn findings(&self) -> Option<(&str, usize)> {
        let (shape, report) = self.launches.last()?;
        Some((shape.kernel.as_str(), report.findings())).filter(|(_, count)| *count > 0)
    }

    /// How far the approximate instructions of the kernels may be off; a device does not say.
    pub fn approximate(&self) -> Vec<Accuracy> {
        let mut all: Vec<Accuracy> = Vec::new();
        for accuracy in self.launches.iter().flat_map(|(_, report)| report.approximate()) {
            if !all.contains(accuracy) {
                all.push(*accuracy);
            }
        }
        all
    }
}

impl fmt::Display for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(host) = &self.host else {
            return self.launches.iter().try_for_each(|(_, report)| report.fmt(f));
        };
        if self.launches.is_empty() {
            writeln!(f, "{host} launches no kernel")?;
        }
        for (i, (shape, report)) in self.launches.iter().enumerate() {
            writeln!(f, "launch {}: {shape}", i + 1)?;
            report.fmt(f)?;
        }
        Ok(())
    }
}

impl Serialize for Reports {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Launched<'r> {
            launch: &'r Shape,
            report: &'r Report,
        }
        match (&self.host, self.launches.as_slice()) {
            (None, [(_, one)]) => one.serialize(serializer),
            (host, all) => {
                let launches: Vec<_> =
                    all.iter().map(|(launch, report)| Launched { launch, report }).collect();
                let mut object = serializer.serialize_struct("Reports", 2)?;
                object.serialize_field("host", host)?;
                object.serialize_field("launches", &launches)?;
                object.end()
            }
        }
    }
}

/// How a kernel is launched. Sizes are x, y, z.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shape {
    /// The kernel.
    pub kernel: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared_memory: u32,
    /// Blocks of a cluster, where the launch says so.
    pub cluster: Option<[u32; 3]>,
    /// Whether all blocks must be resident at once.
    pub cooperative: bool,
    /// Whether the kernel may start before the one in front of it has ended.
    pub programmatic: bool,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, grid, block, shared_memory, cluster, cooperative, programmatic } = self;
        write!(f, "{kernel} with grid {grid:?}, block {block:?}")?;
        if *shared_memory > 0 {
            write!(f, ", {shared_memory} bytes of dynamic shared memory")?;
        }
        if let Some(cluster) = cluster {
            write!(f, ", cluster {cluster:?}")?;
        }
        let flags = [(*cooperative, "cooperative"), (*programmatic, "programmatic stream serialization")];
        flags.iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, text)| write!(f, ", {text}"))
    }
}

/// One launch of a kernel.
#[derive(Debug, Clone)]
pub struct Launch<'m> {
    /// What the manifest says of it.
    pub kernel: &'m Kernel,
    /// How.
    pub shape: Shape,
    /// One for each of the kernel's leaves, which is the lowest bytes.
    pub words: Vec<u64>,
}

/// What is asked for: arrays, and the launches of kernels that use them.
#[derive(Debug)]
pub struct Job<'m> {
    /// Global memory.
    pub arrays: Vec<Array>,
    /// One for each leaf that the kernel or host function is passed.
    values: Vec<Value>,
    work: Work<'m>,
}

/// What launches kernels.
#[derive(Debug)]
enum Work<'m> {
    /// The command line, one.
    Kernel(&'m Kernel, Shape),
    /// A host function.
    Host { host: &'m Host, manifest: &'m Manifest, target: Target },
}

/// What a leaf gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// The address of an array, by its number.
    Array(usize),
    /// The null pointer.
    Null,
    /// A number: its lowest bytes.
    Scalar(Element, u64),
}

impl Value {
    /// The lowest bytes of a leaf, with the addresses of the arrays.
    fn word(self, addresses: &[u64]) -> u64 {
        match self {
            Self::Array(i) => addresses[i],
            Self::Null => 0,
            Self::Scalar(_, bits) => bits,
        }
    }
}

/// An array in global memory, before the run.
#[derive(Debug)]
pub struct Array {
    /// As its `--arg` names it, or else the source.
    pub name: String,
    /// Of its elements.
    pub element: Element,
    /// Row-major.
    pub shape: Vec<usize>,
    /// Little-endian, as the elements lie in memory.
    pub bytes: Vec<u8>,
    /// How they do.
    pub order: Order,
}

impl Array {
    /// The bytes row by row, of what a run has left in memory.
    pub fn rows(&self, memory: Vec<u8>) -> Vec<u8> {
        self.order.to_rows(memory, self.element.bytes())
    }
}

impl<'m> Job<'m> {
    /// The launch of a kernel that a command line asks for.
    ///
    /// # Errors
    /// [`Error::Launch`], [`Error::ArgumentCount`], [`Error::Argument`].
    pub fn of_kernel(kernel: &'m Kernel, options: &Cli, target: Target) -> Result<Self> {
        let callee = Callee::kernel(kernel);
        let refuse = |why| Error::Launch { callee: callee.to_string(), why };
        let known = kernel.block.map(|b| b.map(|n| n.max(0) as u32));
        let block = options.block.or(known);
        let block = block.ok_or_else(|| refuse("it says nothing of its block; say --block X,Y,Z".into()))?;
        let shape = Shape {
            kernel: kernel.name.clone(),
            grid: options.grid.expect("the command line requires it where no host function is run"),
            block,
            shared_memory: shared(kernel, options.shared).map_err(refuse)?,
            cluster: options.cluster,
            cooperative: false,
            programmatic: false,
        };
        let (values, arrays) = arguments(&callee, &options.arguments, options.memory << 20)?;
        match misfit(kernel, &shape, target) {
            Some(why) => Err(refuse(why)),
            None => Ok(Self { arrays, values, work: Work::Kernel(kernel, shape) }),
        }
    }

    /// The run of a host function that a command line asks for.
    ///
    /// # Errors
    /// [`Error::Launch`], [`Error::ArgumentCount`], [`Error::Argument`].
    pub(crate) fn of_host(
        host: &'m Host,
        manifest: &'m Manifest,
        options: &Cli,
        target: Target,
    ) -> Result<Self> {
        let (values, arrays) = arguments(&Callee::host(host), &options.arguments, options.memory << 20)?;
        Ok(Self { arrays, values, work: Work::Host { host, manifest, target } })
    }

    /// The launches, with the addresses of the arrays.
    ///
    /// # Errors
    /// [`Error::Host`], [`Error::HostCode`] and [`Error::HostLaunch`].
    pub fn launches(&self, addresses: &[u64]) -> Result<Vec<Launch<'m>>> {
        let words: Vec<u64> = self.values.iter().map(|value| value.word(addresses)).collect();
        match &self.work {
            Work::Kernel(kernel, shape) => Ok(vec![Launch { kernel, shape: shape.clone(), words }]),
            Work::Host { host, manifest, target } => host::launches(host, manifest, *target, &words),
        }
    }

    /// The reports of a run of this job.
    pub fn reports(&self, launches: Vec<(Shape, Report)>) -> Reports {
        let host = match &self.work {
            Work::Kernel(..) => None,
            Work::Host { host, .. } => Some(host.program.name.clone()),
        };
        Reports { host, launches }
    }
}

/// What of a launch neither the kernel nor the target takes.
pub(super) fn misfit(kernel: &Kernel, shape: &Shape, target: Target) -> Option<String> {
    let Shape { grid, block, shared_memory, .. } = shape;
    let product = |extents: [i32; 3]| extents.iter().map(|n| i64::from(*n)).product::<i64>();
    let threads: u64 = block.iter().map(|n| u64::from(*n)).product();
    let most = u64::from(target.max_threads_per_block());
    let most = kernel.max_block.map_or(most, |b| most.min(product(b).max(0) as u64));
    let all = kernel.shared_memory.r#static + u64::from(*shared_memory);
    let over = |extents: &[u32; 3], most: [u32; 3]| extents.iter().zip(most).any(|(n, most)| *n > most);
    if let Some(required) = kernel.block.filter(|b| b.map(|n| n as u32) != *block) {
        Some(format!("a block {block:?}, compiled for {required:?}"))
    } else if threads > most {
        Some(format!("a block {block:?} of {threads} threads, there are at most {most}"))
    } else if over(block, target.max_block()) {
        Some(format!("a block {block:?}, {target} has at most {:?}", target.max_block()))
    } else if over(grid, target.max_grid()) {
        Some(format!("a grid {grid:?}, {target} has at most {:?}", target.max_grid()))
    } else if let Some(c) = kernel.cluster.filter(|c| (0..3).any(|i| grid[i] % (c[i].max(1) as u32) != 0)) {
        Some(format!("a grid {grid:?}, no multiple of its clusters {c:?}"))
    } else if all > target.max_dynamic_shared_memory().into() {
        let most = target.max_dynamic_shared_memory();
        Some(format!("{all} bytes of shared memory, {target} has at most {most} for a block"))
    } else {
        None
    }
}

/// Bytes of dynamic shared memory: those asked for, where they are enough, or those that the kernel needs.
fn shared(kernel: &Kernel, asked: Option<u32>) -> std::result::Result<u32, String> {
    let needed = kernel.shared_memory.dynamic_size;
    match (asked.map(u64::from), needed) {
        (Some(asked), Some(needed)) if asked < needed => Err(format!(
            "--shared {asked} is too small, it needs {needed} bytes of dynamic shared memory: leave --shared out"
        )),
        (None, None) if kernel.shared_memory.dynamic => Err(format!(
            "it has dynamic shared memory, and does not say how many bytes; say --shared BYTES, or give it the attribute {}",
            cute_dialect::DYNAMIC_SHARED_MEMORY
        )),
        // More than any target has is refused with the rest of the launch.
        (asked, needed) => Ok(asked.or(needed).unwrap_or(0).try_into().unwrap_or(u32::MAX)),
    }
}

/// What is called with arguments.
struct Callee<'m> {
    /// `kernel` or `host function`.
    what: &'static str,
    name: &'m str,
    arguments: &'m [Argument],
    leaves: Vec<Passed>,
}

impl fmt::Display for Callee<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}'", self.what, self.name)
    }
}

impl<'m> Callee<'m> {
    fn kernel(kernel: &'m Kernel) -> Self {
        Self { what: "kernel", name: &kernel.name, arguments: &kernel.arguments, leaves: kernel.leaves() }
    }

    fn host(host: &'m Host) -> Self {
        Self {
            what: "host function",
            name: &host.program.name,
            arguments: &host.arguments,
            leaves: host.leaves.clone(),
        }
    }

    /// Arguments that have an `--arg`: those with leaves, but for streams, which are the default one.
    fn declared(&self) -> Vec<&'m Argument> {
        let is_given = |a: &&Argument| a.leaves.iter().any(|leaf| leaf.kind != STREAM);
        self.arguments.iter().filter(is_given).collect()
    }
}

/// The kind of leaves that are streams.
const STREAM: &str = "stream";

/// Values for all leaves: one `--arg` for each argument of the source, or for each leaf.
fn arguments(callee: &Callee<'_>, texts: &[String], memory: u64) -> Result<(Vec<Value>, Vec<Array>)> {
    let declared = callee.declared();
    let mut binder = Binder { callee, memory, arrays: Vec::new() };
    let given: Vec<_> = callee.leaves.iter().filter(|p| p.kind != STREAM).cloned().collect();
    let mut values = Vec::new();
    let mut rest = given.as_slice();
    let failed = |text: &String, why| Error::Argument { argument: text.clone(), why };
    if texts.len() == declared.len() {
        for (text, argument) in texts.iter().zip(declared) {
            let (own, others) = rest.split_at(argument.leaves.len().min(rest.len()));
            values.extend(binder.whole(text, argument, own).map_err(|why| failed(text, why))?);
            rest = others;
        }
    } else if texts.len() == given.len() {
        for (text, passed) in texts.iter().zip(rest) {
            values.push(binder.leaf(text, passed).map_err(|why| failed(text, why))?);
        }
    } else {
        let whole = declared.iter().map(|a| format!("{} ({})", a.name, a.r#type)).collect();
        let leaves = given.iter().map(|p| format!("{} {}", p.argument, p.r#type)).collect();
        return Err(Error::ArgumentCount { callee: callee.to_string(), whole, leaves, given: texts.len() });
    }
    if let Some(why) = broken(&given, &values) {
        return Err(Error::Launch { callee: callee.to_string(), why });
    }
    for (i, _) in callee.leaves.iter().enumerate().filter(|(_, p)| p.kind == STREAM) {
        values.insert(i, Value::Null);
    }
    Ok((values, binder.arrays))
}

/// Arrays begin at multiples of so many bytes, in the simulator and on GPUs.
const ARRAY_ALIGN: i64 = 256;

/// The first promise of an argument's type that a value does not keep.
fn broken(leaves: &[Passed], values: &[Value]) -> Option<String> {
    leaves.iter().zip(values).find_map(|(passed, value)| {
        let (number, text) = match *value {
            Value::Null => return None,
            Value::Array(_) => (ARRAY_ALIGN, format!("a multiple of {ARRAY_ALIGN}")),
            Value::Scalar(element, bits) => {
                let unused = 64 - 8 * element.bytes() as u32;
                let number = (bits << unused) as i64 >> unused;
                (number, number.to_string())
            }
        };
        let promise = passed.leaf.promises.iter().find(|p| !p.holds(number))?;
        Some(promise.broken(&passed.leaf.text, &text))
    })
}

/// Makes values for leaves, and the arrays that they point to.
struct Binder<'m> {
    callee: &'m Callee<'m>,
    /// Bytes that are left for arrays.
    memory: u64,
    arrays: Vec<Array>,
}

impl Binder<'_> {
    /// Values for all that is passed for an argument.
    fn whole(
        &mut self,
        text: &str,
        argument: &Argument,
        leaves: &[Passed],
    ) -> std::result::Result<Vec<Value>, String> {
        let (name, spec) = argument::parse(text)?;
        let open = leaves.iter().any(|p| p.leaf.leaf != Role::Pointer.name());
        let reach = argument.axes.as_deref().and_then(fill::reach);
        match (&argument.axes, &spec) {
            // One extent for a whole layout that is known: memory, whatever its order.
            (Some(axes), Spec::Array { shape, .. }) if open || shape.len() > 1 || axes.len() == 1 => {
                let packed = argument.bits.filter(|bits| *bits < 8).map(|bits| 8 / bits as usize);
                let filled = match packed {
                    Some(packed) => fill::fill_packed(axes, shape, packed),
                    None => fill::fill(axes, shape),
                };
                let filled = filled
                    .map_err(|why| format!("parameter '{}' is {}: {why}", argument.name, argument.r#type))?;
                let axis = |p: &Passed| {
                    let at = axes.iter().position(|a| a.mode == p.leaf.mode);
                    at.map(|i| filled.axes[i]).ok_or_else(|| format!("{} has no axis", p.leaf.text))
                };
                let mut values = Vec::new();
                for p in leaves {
                    values.push(match p.leaf.leaf {
                        "extent" => integer(axis(p)?.0, p)?,
                        "stride" => integer(axis(p)?.1, p)?,
                        _ => self.value(name.clone(), &spec, p, filled.order.clone())?,
                    });
                }
                Ok(values)
            }
            (_, Spec::Array { shape, .. }) if reach.is_some_and(|n| (n as usize) > shape[0]) => Err(format!(
                "parameter '{}' is {}: it reaches {} elements, the array has {}",
                argument.name,
                argument.r#type,
                reach.expect("the guard saw it"),
                shape[0]
            )),
            _ => match leaves {
                [one] => Ok(vec![self.value(name, &spec, one, Order::default())?]),
                many => Err(format!(
                    "parameter '{}' is {}, which is passed as {} values: give one --arg for each of the {} values that are \
                     passed in all",
                    argument.name,
                    argument.r#type,
                    many.len(),
                    self.callee.leaves.len()
                )),
            },
        }
    }

    fn leaf(&mut self, text: &str, passed: &Passed) -> std::result::Result<Value, String> {
        let (name, spec) = argument::parse(text)?;
        self.value(name, &spec, passed, Order::default())
    }

    /// A value for a leaf.
    fn value(
        &mut self,
        name: Option<String>,
        spec: &Spec,
        passed: &Passed,
        order: Order,
    ) -> std::result::Result<Value, String> {
        if let Some(name) = name.as_ref().filter(|n| **n != passed.argument)
            && self.callee.arguments.iter().any(|a| a.name == *name)
        {
            return Err(format!("this is parameter '{}'; '{name}' is another one", passed.argument));
        }
        if passed.kind == "bytes" {
            let what = "aggregates are not supported here, only in cute_sim";
            return Err(format!("{} is {}: {what}", passed.leaf.text, passed.r#type));
        }
        let is_pointer = passed.kind == "pointer";
        match spec {
            Spec::Null | Spec::Array { .. } if !is_pointer => {
                Err(format!("{} is {}, not a pointer", passed.leaf.text, passed.r#type))
            }
            Spec::Scalar(..) if is_pointer => Err(format!(
                "parameter '{}' is a pointer: give it an array, such as f32[128x64], or null",
                passed.argument
            )),
            Spec::Null => Ok(Value::Null),
            Spec::Scalar(element, number) => argument::scalar(*element, number, passed),
            Spec::Array { element, shape, values } => {
                self.array(name, (*element, shape, values), passed, order)
            }
        }
    }

    fn array(
        &mut self,
        name: Option<String>,
        (element, shape, values): (Element, &[usize], &Values),
        passed: &Passed,
        order: Order,
    ) -> std::result::Result<Value, String> {
        if let Some(expected) = &passed.leaf.element
            && !element.stands_for(expected, passed.leaf.bits)
        {
            return Err(format!(
                "parameter '{}' has elements of type {expected}, the array has {element}",
                passed.argument
            ));
        }
        let name = self.named(name, passed)?;
        let count: usize = shape.iter().product();
        let size = (count * element.bytes()) as u64;
        self.memory = self.memory.checked_sub(size).ok_or_else(|| {
            format!("{size} bytes are more than the {} that --memory leaves for this array", self.memory)
        })?;
        let rows = match values {
            Values::File(file) => npy::read(Path::new(file), element, shape)?,
            values => argument::bytes(element, count, values),
        };
        let bytes = order.to_memory(rows, element.bytes());
        self.arrays.push(Array { name, element, shape: shape.to_vec(), bytes, order });
        Ok(Value::Array(self.arrays.len() - 1))
    }

    /// The name of an array: as its `--arg` says, else that of the parameter.
    fn named(&self, name: Option<String>, passed: &Passed) -> std::result::Result<String, String> {
        let is_taken = |name: &String| self.arrays.iter().any(|a| a.name == *name);
        let Some(name) = name else { return Ok(passed.argument.clone()) };
        if is_taken(&name) {
            return Err(format!("the name '{name}' is taken"));
        }
        Ok(name)
    }
}

/// An extent or stride as it is passed.
fn integer(value: i64, passed: &Passed) -> std::result::Result<Value, String> {
    argument::scalar(None, &value.to_string(), passed)
}
