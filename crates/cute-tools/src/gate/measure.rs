//! From files to numbers: PTX of each file and GPU, machine code by each ptxas, and the rows of its
//! kernels.

use std::path::{Component, Path};

use cute_arch::{
    Target, UnknownTarget,
    launch::{Compiled, Extents},
    volume,
};
use cute_driver::{
    ptxas,
    sass::{self, Code, Lines},
};
use cute_launch::ptx::is_ptx;
use cute_manifest::{Kernel, Manifest};
use cute_session::{Emit, Listener, Request, Session, Source};

use super::{
    cli::Cli,
    rename::{MARK, is_name, renamed},
    row::{Entry, Figures, Key, OtherName, Row, of_loops},
};
use crate::{
    diagnostics::session,
    error::{Error, Result},
    gate_error::Error as GateError,
    run::read_ptx,
    source,
};

/// A ptxas and its name.
pub(crate) struct Assembler {
    name: String,
    options: ptxas::Options,
}

/// The PTX of a file for a GPU.
struct Unit {
    file: String,
    target: Target,
    ptx: String,
    manifest: Manifest,
    settings: cute_driver::Options,
    /// The launches of its host functions.
    launches: Vec<Launch>,
    /// Whether it names lines of a source.
    has_lines: bool,
}

/// A launch of a host function.
struct Launch {
    kernel: String,
    block: Option<[u64; 3]>,
    shared: Option<u64>,
}

/// The ptxas of the command line, or else the one that is found.
///
/// # Errors
/// [`GateError::Assembler`], [`GateError::SameName`] and those of finding it.
pub fn assemblers(cli: &Cli) -> Result<Vec<Assembler>> {
    let with = |file| ptxas::Options { file, arguments: cli.ptxas.clone(), ..ptxas::Options::default() };
    if cli.assemblers.is_empty() {
        let options = with(None);
        let name = options.release().map_err(cute_session::Error::Ptxas)?;
        return Ok(vec![Assembler { name, options }]);
    }
    let mut all: Vec<Assembler> = Vec::new();
    for given in &cli.assemblers {
        let (name, file) = given.split_once('=').map_or((None, given.as_str()), |(n, f)| (Some(n), f));
        let failed = |why: String| GateError::Assembler { given: given.clone(), why };
        if name == Some("") || file.is_empty() {
            return Err(failed("it is NAME=FILE or FILE, the path of a ptxas".into()).into());
        }
        let options = with(Some(file.into()));
        // Also for a name: a file that is not a ptxas should be known before kernels are compiled.
        let release = options.release().map_err(|why| failed(why.to_string()))?;
        let name = name.map_or(release, str::to_owned);
        if all.iter().any(|other| other.name == name) {
            return Err(GateError::SameName { given: given.clone() }.into());
        }
        all.push(Assembler { name, options });
    }
    Ok(all)
}

/// The rows of all files, in order.
///
/// # Errors
/// Those of compiling and assembling, and a [`GateError`] about names of kernels.
pub fn rows(cli: &Cli, assemblers: &[Assembler]) -> Result<Vec<Row>> {
    if let Some(name) = cli.kernel_name.as_ref().filter(|name| !is_name(name)) {
        return Err(GateError::NotName { name: name.clone() }.into());
    }
    sass::find().map_err(GateError::from)?;
    let units = units(cli)?;
    let mut all: Vec<_> =
        units.iter().flat_map(|unit| &unit.manifest.kernels).map(|kernel| kernel.name.clone()).collect();
    all.sort();
    all.dedup();
    if let Some(kernel) = cli.kernels.iter().find(|kernel| !all.contains(kernel)) {
        return Err(GateError::NoKernel { kernel: kernel.clone(), all }.into());
    }
    let chosen: Vec<_> = all.iter().filter(|name| is_chosen(cli, name)).cloned().collect();
    let rename = match (&cli.kernel_name, chosen.as_slice()) {
        (None, _) => None,
        (Some(to), [from]) if to == from || !all.contains(to) => Some((from.as_str(), to.as_str())),
        (Some(to), [_]) => return Err(GateError::NameTaken { name: to.clone() }.into()),
        (Some(_), _) => return Err(GateError::WhichKernel { all: chosen }.into()),
    };
    let mut rows = Vec::new();
    for unit in &units {
        for assembler in assemblers {
            rows.extend(unit.rows(cli, assembler, rename)?);
        }
    }
    Ok(rows)
}

fn is_chosen(cli: &Cli, kernel: &str) -> bool {
    cli.kernels.is_empty() || cli.kernels.iter().any(|name| name == kernel)
}

fn units(cli: &Cli) -> Result<Vec<Unit>> {
    let stdin = cli.files.iter().filter(|file| **file == Path::new("-")).count();
    if stdin > 1 {
        return Err(GateError::Stdin { count: stdin }.into());
    }
    cute_ffi::llvm::add_options(cli.llc.clone());
    let mut units = Vec::new();
    for file in &cli.files {
        let mut source = source::read(file)?;
        // One file has one name in the baseline.
        let parts = Path::new(&source.name).components().filter(|part| *part != Component::CurDir);
        source.name = parts.collect::<std::path::PathBuf>().display().to_string();
        let targets = cli.targets.iter().copied().map(Some);
        let targets: Vec<_> = if cli.targets.is_empty() { vec![None] } else { targets.collect() };
        for target in targets {
            units.push(match is_ptx(&source.text) {
                true => Unit::of_ptx(file, &source, target, cli)?,
                false => Unit::compiled(&source, target, cli)?,
            });
        }
    }
    Ok(units)
}

impl Unit {
    fn of_ptx(file: &Path, source: &Source, target: Option<Target>, cli: &Cli) -> Result<Self> {
        let read = read_ptx(file, source)?;
        let target = target.unwrap_or(read.target);
        let settings = cute_driver::Options { lineinfo: true, ..cli.settings.options(target)? };
        let has_lines = source.text.lines().any(|line| line.trim_start().starts_with(".loc"));
        let (file, ptx) = (source.name.clone(), source.text.clone());
        Ok(Self { file, target, ptx, manifest: read.manifest, settings, launches: Vec::new(), has_lines })
    }

    fn compiled(source: &Source, target: Option<Target>, cli: &Cli) -> Result<Self> {
        if let Some(target) = target.filter(|target| !target.is_compiled()) {
            return Err(UnknownTarget { name: target.to_string() }.into());
        }
        let again = || Source::of_text(source.name.clone(), source.text.clone());
        let session = session();
        let mut unit = session.parsed(again(), cli.domain, |parsed| {
            let target = target.unwrap_or_else(|| parsed.target());
            // Line numbers change no instruction.
            let settings = cute_driver::Options { lineinfo: true, ..cli.settings.options(target)? };
            let mut lowered = parsed.lower(&settings)?;
            let ptxas = ptxas::Options::default();
            let request = Request { emit: Emit::Ptx, domain: cli.domain, settings: settings.clone(), ptxas };
            let product = session.product(&mut lowered, &request)?;
            let ptx = String::from_utf8(product.bytes).expect("PTX is text");
            let manifest = product.manifest.expect("PTX has a manifest");
            let manifest = Manifest::from_json(&manifest).expect("a manifest that was just written");
            let (file, launches) = (source.name.clone(), Vec::new());
            Ok::<_, Error>(Self { file, target, ptx, manifest, settings, launches, has_lines: true })
        })?;
        let is_open = |kernel: &Kernel| {
            let shared = &kernel.shared_memory;
            cli.shared.is_none() && shared.dynamic && shared.dynamic_size.is_none()
                || cli.block.is_none() && kernel.block.is_none()
        };
        if unit.manifest.kernels.iter().any(is_open) {
            unit.launches = launches(again(), cli);
        }
        Ok(unit)
    }

    /// The rows of the kernels, in the order of the machine code.
    fn rows(&self, cli: &Cli, assembler: &Assembler, rename: Option<(&str, &str)>) -> Result<Vec<Row>> {
        let given = |name: &str| match rename {
            Some((from, to)) if from == name => to.to_owned(),
            _ => name.to_owned(),
        };
        let other = |name: &str| match rename {
            Some((from, to)) if from == name => (from != to).then(|| from.to_owned()),
            _ => name.contains(MARK).then(|| name.replace(MARK, "kernel")),
        };
        let measured = self.measured(cli, assembler, given)?;
        let has_others = measured.iter().any(|(kernel, ..)| other(&kernel.name).is_some());
        let others = match has_others {
            true => self.measured(cli, assembler, |name| other(name).unwrap_or_else(|| given(name)))?,
            false => Vec::new(),
        };
        let row = |(kernel, figures, code, launch): (&Kernel, Figures, Code, Extents)| {
            let again = others.iter().find(|(own, ..)| own.name == kernel.name).map(|(_, other, ..)| other);
            let other_name = other(&kernel.name).zip(again.filter(|again| **again != figures));
            let other_name =
                other_name.map(|(kernel, figures)| OtherName { kernel, figures: figures.clone() });
            let has_threads = launch.block != [0; 3];
            let registers = u32::try_from(figures.registers).ok();
            let compiled = Compiled { registers, ..Compiled::default() };
            let occupancy = figures.blocks.map(|_| self.target.occupancy(&launch, &compiled).into());
            let loops = code.loops();
            let key = Key {
                file: self.file.clone(),
                kernel: given(&kernel.name),
                target: self.target.to_string(),
                ptxas: assembler.name.clone(),
            };
            Row {
                entry: Entry { key, figures },
                threads: has_threads.then(|| volume(launch.block).unsigned_abs()),
                occupancy,
                loop_lines: loops.iter().map(|own| own.place.as_ref().map(ToString::to_string)).collect(),
                local_memory: code.in_local_memory().into_iter().map(Into::into).collect(),
                other_name,
            }
        };
        Ok(measured.into_iter().map(row).collect())
    }

    /// The chosen kernels with their numbers, code, and launch; of a launch whose threads are not
    /// known, the block is zero.
    fn measured(
        &self,
        cli: &Cli,
        assembler: &Assembler,
        name: impl Fn(&str) -> String,
    ) -> Result<Vec<(&Kernel, Figures, Code, Extents)>> {
        let mut ptx = self.ptx.clone();
        for Kernel { name: own, .. } in &self.manifest.kernels {
            if name(own) != *own {
                ptx = renamed(&ptx, own, &name(own));
            }
        }
        let assembled = assembler.options.assemble(&ptx, self.settings.target, self.settings.lineinfo);
        let assembled = assembled.map_err(cute_session::Error::Ptxas)?;
        let lines = if self.has_lines { Lines::Source } else { Lines::Ptx(&self.file) };
        let mut measured = Vec::new();
        for code in sass::disassemble(&assembled.cubin, lines).map_err(GateError::from)? {
            let kernel = self.manifest.kernels.iter().find(|kernel| name(&kernel.name) == code.name);
            let resources = assembled.resources.iter().find(|resources| resources.name == code.name);
            let Some((kernel, used)) = kernel.zip(resources).filter(|(own, _)| is_chosen(cli, &own.name))
            else {
                continue;
            };
            let (block, dynamic_shared) = (self.block(kernel, cli), self.dynamic_shared(kernel, cli));
            let shared_memory = u64::from(used.shared).saturating_add(dynamic_shared.unwrap_or(0));
            let launch =
                Extents { grid: [1; 3], block: block.unwrap_or([0; 3]), cluster: None, shared_memory };
            let compiled = Compiled { registers: Some(used.registers), ..Compiled::default() };
            let blocks =
                block.zip(dynamic_shared).map(|_| self.target.occupancy(&launch, &compiled).blocks());
            let figures = Figures {
                registers: used.registers.into(),
                stack: used.stack.into(),
                spilled: used.spill_stores.into(),
                reloaded: used.spill_loads.into(),
                local_loads: code.instructions.iter().filter(|i| i.is_local_load()).count() as u64,
                local_stores: code.instructions.iter().filter(|i| i.is_local_store()).count() as u64,
                static_shared: used.shared.into(),
                dynamic_shared,
                instructions: code.instructions.len() as u64,
                loops: of_loops(&code.loops()),
                blocks,
            };
            measured.push((kernel, figures, code, launch));
        }
        Ok(measured)
    }

    /// Threads of a block: as the kernel requires, as the command line says, as a host function
    /// launches it, or the most that it allows.
    fn block(&self, kernel: &Kernel, cli: &Cli) -> Option<[u32; 3]> {
        let declared = |extents: [i32; 3]| extents.map(|extent| extent.unsigned_abs().max(1));
        let launched = || self.launches_of(kernel).filter_map(|launch| launch.block).max();
        let launched =
            || launched().map(|block| block.map(|extent| u32::try_from(extent).unwrap_or(u32::MAX)));
        kernel.block.map(declared).or(cli.block).or_else(launched).or(kernel.max_block.map(declared))
    }

    /// Bytes of dynamic shared memory, if they are known.
    fn dynamic_shared(&self, kernel: &Kernel, cli: &Cli) -> Option<u64> {
        let memory = &kernel.shared_memory;
        let launched = || self.launches_of(kernel).map(|launch| launch.shared).max()?;
        let given = cli.shared.map(u64::from).or(memory.dynamic_size).or_else(launched);
        given.or((!memory.dynamic).then_some(0))
    }

    fn launches_of<'u>(&'u self, kernel: &'u Kernel) -> impl Iterator<Item = &'u Launch> {
        self.launches.iter().filter(|launch| launch.kernel == kernel.name)
    }
}

/// The launches of the host functions that can be read; nothing is said about others.
fn launches(source: Source, cli: &Cli) -> Vec<Launch> {
    let silent = Session::new(Listener::new(|_| {}));
    let read = silent.parsed(source, cli.domain, |parsed| {
        let hosts: Vec<_> = parsed.hosts().iter().filter_map(|name| parsed.host(Some(name)).ok()).collect();
        let launches = hosts.iter().flat_map(|host| host.program.constant_launches());
        let launch = |of: cute_host::program::ConstantLaunch<'_>| Launch {
            kernel: of.kernel.to_owned(),
            block: of.block,
            shared: of.shared,
        };
        Ok::<_, Error>(launches.map(launch).collect())
    });
    read.unwrap_or_default()
}
