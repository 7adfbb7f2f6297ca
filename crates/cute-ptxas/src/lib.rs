//! NVIDIA's assembler: finds it, runs it, and reads its report. This crate must not depend on MLIR
//! or LLVM, and must not know where the PTX comes from.
//!
//! | module | contents |
//! |---|---|
//! | [`remarks`] | MMAs that ptxas makes wait |
//! | [`scratch`] | folders of temporary files |

#![forbid(unsafe_code)]

use std::{
    env,
    ffi::OsStr,
    fmt, fs, io,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use cute_arch::Target;
use cute_output::plain;
use rustix::process::{Pid, Signal, kill_process};

use crate::{remarks::Remark, scratch::Scratch};

pub mod remarks;
pub mod scratch;

/// The default time limit for ptxas: far more than any practical kernel takes.
pub const LIMIT: Duration = Duration::from_secs(600);

/// The magic number of ELF files.
const ELF: &[u8] = b"\x7fELF";

/// The most bytes of a cubin and of ptxas's messages that are read.
const MOST_BYTES: u64 = 1 << 30;

/// The reason why there is no cubin.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("CUTE_PTXAS names '{}', which is not an executable file", file.display())]
    NotExecutable { file: PathBuf },
    #[error("the given ptxas, '{}', is not an executable file", file.display())]
    NotGiven { file: PathBuf },
    #[error(
        "there is no ptxas beside the executable or in PATH, and CUTE_PTXAS is not set; install a CUDA toolkit, or \
         'pip install nvidia-cuda-nvcc' and set CUTE_PTXAS to its ptxas"
    )]
    NotFound,
    #[error("cannot run ptxas '{}': {}", file.display(), plain(why))]
    DidNotRun { file: PathBuf, why: io::Error },
    #[error("cannot write to the folder of temporary files, '{}': {}", folder.display(), plain(why))]
    NoFolder { folder: PathBuf, why: io::Error },
    #[error("ptxas '{}' did not finish within {seconds} s", file.display())]
    TimeLimit { file: PathBuf, seconds: u64 },
    #[error("ptxas '{}' ended with exit code {code}, without a message", file.display())]
    NoMessage { file: PathBuf, code: i32 },
    #[error("ptxas '{}' was killed by signal {signal}", file.display())]
    Killed { file: PathBuf, signal: i32 },
    #[error("ptxas '{}' reports no error, but its output is {what}", file.display())]
    NoCubin { file: PathBuf, what: &'static str },
    #[error("'{}' prints no version of ptxas", file.display())]
    NoVersion { file: PathBuf },
    #[error("ptxas rejected the PTX for {target}:\n{text}")]
    Refused { target: String, text: String },
    /// The MMAs of the kernel do not overlap as its source says.
    #[error("ptxas makes MMAs wait for each other, so that the kernel would be slow:\n{}", lines(remarks))]
    Performance { remarks: Vec<Remark> },
}

/// Result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// The output of ptxas.
#[derive(Debug)]
pub struct Assembled {
    /// The cubin, an ELF file.
    pub cubin: Vec<u8>,
    /// The resources of each kernel.
    pub resources: Vec<Resources>,
    /// The warnings of ptxas, one line each.
    warnings: Vec<String>,
}

impl Assembled {
    /// The warnings of ptxas, and a warning for each kernel that spills registers.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        let spilled = self.resources.iter().filter(|r| r.spill_stores + r.spill_loads > 0).map(|r| {
            format!(
                "kernel '{}' spills registers: each thread stores {} bytes to local memory and reloads {}; smaller tiles or \
                 more threads per block need fewer",
                r.name, r.spill_stores, r.spill_loads
            )
        });
        self.warnings.iter().cloned().chain(spilled)
    }
}

/// The resources of a kernel as counted by `ptxas -v`, in bytes except for registers and barriers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resources {
    /// Name of the entry point.
    pub name: String,
    /// 32-bit registers per thread.
    pub registers: u32,
    /// Stack frame per thread.
    pub stack: u32,
    /// Bytes stored for registers that did not fit.
    pub spill_stores: u32,
    /// Bytes loaded for registers that did not fit.
    pub spill_loads: u32,
    /// Static shared memory per block.
    pub shared: u32,
    /// Named barriers per block.
    pub barriers: u32,
}

impl fmt::Display for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, registers, stack, spill_stores, spill_loads, shared, barriers } = self;
        write!(
            f,
            "{name}: {registers} registers, {spill_stores} bytes spilled, {spill_loads} bytes reloaded, "
        )?;
        write!(f, "{stack} bytes stack, {shared} bytes static shared memory, {barriers} barriers")
    }
}

/// How ptxas is run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The executable; by default the one that [`find`] finds.
    pub file: Option<PathBuf>,
    /// Options that are passed on to it, after ours.
    pub arguments: Vec<String>,
    /// The time limit.
    pub limit: Duration,
    /// Whether the folder of the executable is searched too, as [`find`] does. It says nothing
    /// about a library, which any program may load.
    pub beside_executable: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { file: None, arguments: Vec::new(), limit: LIMIT, beside_executable: true }
    }
}

/// Assembles PTX at `-O3` within a time limit; `lineinfo` keeps its line numbers.
///
/// # Errors
/// The errors of [`Options::assemble`].
pub fn assemble(ptx: &str, target: Target, lineinfo: bool, limit: Duration) -> Result<Assembled> {
    Options { limit, ..Options::default() }.assemble(ptx, target, lineinfo)
}

impl Options {
    /// The executable.
    ///
    /// # Errors
    /// The errors of [`find`], and [`Error::NotGiven`].
    pub fn executable(&self) -> Result<PathBuf> {
        match &self.file {
            None => found(self.beside_executable),
            // The command runs in a separate folder.
            Some(file) if is_executable(file) => Ok(file.canonicalize().unwrap_or_else(|_| file.clone())),
            Some(file) => Err(Error::NotGiven { file: file.clone() }),
        }
    }

    /// The text that the executable prints about its version.
    ///
    /// # Errors
    /// The errors of [`Self::executable`], [`Error::DidNotRun`] and [`Error::TimeLimit`].
    pub fn version(&self) -> Result<String> {
        let file = self.executable()?;
        let failed = |why: io::Error| Error::DidNotRun { file: file.clone(), why };
        let folder = temporary()?;
        let log = folder.path().join("log");
        match run(Command::new(&file).arg("--version"), &log, self.limit).map_err(failed)? {
            Ending::TimeLimit => Err(Error::TimeLimit { file, seconds: self.limit.as_secs() }),
            _ => {
                Ok(String::from_utf8_lossy(&cute_output::read(&log, MOST_BYTES).map_err(failed)?)
                    .into_owned())
            }
        }
    }

    /// The number of its version, such as `13.0.88`.
    ///
    /// # Errors
    /// Those of [`Self::version`], and [`Error::NoVersion`].
    pub fn release(&self) -> Result<String> {
        let text = self.version()?;
        // `Cuda compilation tools, release 13.0, V13.0.88`
        let mut numbers = text.split_whitespace().filter_map(|word| word.strip_prefix('V'));
        let number = numbers.find(|number| number.starts_with(|c: char| c.is_ascii_digit()));
        number
            .map(str::to_owned)
            .ok_or_else(|| Error::NoVersion { file: self.executable().unwrap_or_default() })
    }

    /// Assembles PTX at `-O3`; `lineinfo` keeps its line numbers.
    ///
    /// # Errors
    /// Those of [`Self::with_remarks`], and [`Error::Performance`] for its remarks C75xx, which
    /// report serialized tensor-core instructions or inserted waits.
    pub fn assemble(&self, ptx: &str, target: Target, lineinfo: bool) -> Result<Assembled> {
        let (assembled, remarks) = self.with_remarks(ptx, target, lineinfo)?;
        if remarks.is_empty() { Ok(assembled) } else { Err(Error::Performance { remarks }) }
    }

    /// Assembles PTX at `-O3`, also if it would be slow, and returns the remarks C75xx of ptxas;
    /// `lineinfo` keeps its line numbers.
    ///
    /// # Errors
    /// The errors of [`Self::executable`], [`Error::DidNotRun`], [`Error::TimeLimit`],
    /// [`Error::Killed`], [`Error::Refused`] with its text, and [`Error::NoCubin`].
    pub fn with_remarks(
        &self,
        ptx: &str,
        target: Target,
        lineinfo: bool,
    ) -> Result<(Assembled, Vec<Remark>)> {
        let ptxas = self.executable()?;
        let failed = |why: io::Error| Error::DidNotRun { file: ptxas.clone(), why };
        let folder = temporary()?;
        let (input, output) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
        // The folder may be full.
        let full = |why: io::Error| Error::NoFolder { folder: env::temp_dir(), why };
        fs::write(&input, ptx).map_err(full)?;
        let mut command = Command::new(&ptxas);
        command.args(["-v", "-O3"]).arg(format!("-arch={target}")).current_dir(folder.path());
        if lineinfo {
            command.arg("-lineinfo");
        }
        command.args(&self.arguments).arg("kernel.ptx").arg("-o").arg(&output);
        let log = folder.path().join("log");
        let mut code = None;
        let is_done = match run(&mut command, &log, self.limit).map_err(failed)? {
            Ending::TimeLimit => {
                return Err(Error::TimeLimit { file: ptxas, seconds: self.limit.as_secs() });
            }
            Ending::Status(status) => {
                if let Some(signal) = status.signal() {
                    return Err(Error::Killed { file: ptxas, signal });
                }
                code = status.code();
                status.success()
            }
            // The contents are checked below.
            Ending::Unknown => output.exists(),
        };
        let text =
            String::from_utf8_lossy(&cute_output::read(&log, MOST_BYTES).map_err(failed)?).into_owned();
        if !is_done {
            let complaints = text.lines().filter(|l| !l.contains("info  ")).collect::<Vec<_>>().join("\n");
            if let Some(code) = code.filter(|_| complaints.trim().is_empty()) {
                return Err(Error::NoMessage { file: ptxas, code });
            }
            return Err(Error::Refused { target: target.to_string(), text: complaints });
        }
        let warnings = text.lines().filter(|l| l.contains("warning")).map(str::to_string).collect();
        let remarks = Remark::all(&text, ptx);
        let none = |what| match remarks.is_empty() {
            true => Error::NoCubin { file: ptxas.clone(), what },
            false => Error::Performance { remarks: remarks.clone() },
        };
        let cubin = cute_output::read(&output, MOST_BYTES).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => none("not there"),
            _ => none("not a file of at most 1 GiB"),
        })?;
        if !cubin.starts_with(ELF) {
            return Err(none(if cubin.is_empty() { "empty" } else { "not a cubin" }));
        }
        Ok((Assembled { cubin, resources: resources(&text), warnings }, remarks))
    }
}

fn lines(remarks: &[Remark]) -> String {
    remarks.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn temporary() -> Result<Scratch> {
    let folder = env::temp_dir();
    Scratch::new(&folder).map_err(|why| Error::NoFolder { folder, why })
}

/// How a command ended.
enum Ending {
    Status(ExitStatus),
    /// This process ignores SIGCHLD, or has waited for its children elsewhere.
    Unknown,
    TimeLimit,
}

/// `ECHILD`: there is no child to wait for, or somebody else has taken its status.
const NO_CHILD: i32 = 10;

/// Runs a command whose output goes to a file.
fn run(command: &mut Command, log: &Path, limit: Duration) -> io::Result<Ending> {
    let log = fs::File::create(log)?;
    let mut child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(Ending::Status(status)),
            Ok(None) => {}
            Err(why) if why.raw_os_error() == Some(NO_CHILD) => return Ok(Ending::Unknown),
            Err(why) => return Err(why),
        }
        if start.elapsed() >= limit {
            // A script that calls ptxas has children, which would go on. A process group of their
            // own would not end with this process when the user interrupts it.
            let children = descendants(child.id());
            child.kill()?;
            child.wait()?;
            children.into_iter().for_each(kill);
            return Ok(Ending::TimeLimit);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Runs another tool of CUDA's, within the time limit: whether it succeeds, and its output; `None`
/// if it did not finish. A file in the folder holds the output meanwhile.
///
/// # Errors
/// Those of the system.
pub fn said(command: &mut Command, folder: &Path) -> io::Result<Option<(bool, String)>> {
    let log = folder.join("log");
    let succeeds = match run(command, &log, LIMIT)? {
        Ending::TimeLimit => return Ok(None),
        Ending::Status(status) => status.success(),
        Ending::Unknown => true,
    };
    Ok(Some((succeeds, String::from_utf8_lossy(&cute_output::read(&log, MOST_BYTES)?).into_owned())))
}

/// The processes that a process has started, and those that they have started.
fn descendants(of: u32) -> Vec<u32> {
    let started = |process: u32| {
        let list = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
        list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
    };
    let (mut all, mut open) = (Vec::new(), started(of));
    while let Some(process) = open.pop() {
        open.extend(started(process));
        all.push(process);
    }
    all
}

/// Ends a process; it may have ended.
fn kill(process: u32) {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    let _ = process.map(|process| kill_process(process, Signal::KILL));
}

/// Finds ptxas. If `$CUTE_PTXAS` is set, only that file is used. Otherwise it is the one in the
/// folder of the executable, or else the first in `PATH`. No other folder is searched, because what
/// is found is executed: a project that somebody downloaded could bring its own.
///
/// # Errors
/// [`Error::NotExecutable`] and [`Error::NotFound`].
pub fn find() -> Result<PathBuf> {
    found(true)
}

fn found(beside_executable: bool) -> Result<PathBuf> {
    tool("ptxas", "CUTE_PTXAS", beside_executable).map_err(|named| match named {
        Some(file) => Error::NotExecutable { file },
        None => Error::NotFound,
    })
}

/// Finds another tool of CUDA's in the same way; the error is the file that the environment
/// variable names, if it names one.
///
/// # Errors
/// The file, if it is not executable; nothing, if no tool is found.
pub fn find_tool(name: &str, variable: &str) -> std::result::Result<PathBuf, Option<PathBuf>> {
    tool(name, variable, true)
}

fn tool(
    name: &str,
    variable: &str,
    beside_executable: bool,
) -> std::result::Result<PathBuf, Option<PathBuf>> {
    if let Some(given) = env::var_os(variable).filter(|p| !p.is_empty()) {
        let file = PathBuf::from(given);
        if !is_executable(&file) {
            return Err(Some(file));
        }
        // The command runs in a separate folder.
        return Ok(file.canonicalize().unwrap_or(file));
    }
    let executable = env::current_exe().ok().filter(|_| beside_executable);
    let path = env::var_os("PATH").unwrap_or_default();
    among(name, executable.as_deref().and_then(Path::parent), &path).ok_or(None)
}

/// The tool in the folder of the executable, or else in a folder of `PATH`. A relative folder
/// depends on the current folder, and an empty `PATH` is one.
fn among(name: &str, own: Option<&Path>, path: &OsStr) -> Option<PathBuf> {
    let path = env::split_paths(path).filter(|folder| folder.is_absolute());
    let folders = own.map(Path::to_path_buf).into_iter().chain(path);
    folders.map(|folder| folder.join(name)).find(|file| is_executable(file))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

/// Reads the report of `ptxas -v` for each kernel.
fn resources(text: &str) -> Vec<Resources> {
    let mut all: Vec<Resources> = Vec::new();
    for line in text.lines() {
        if let Some((_, name)) = line.split_once("Compiling entry function '") {
            let name = name.split('\'').next().unwrap_or_default().to_string();
            all.push(Resources { name, ..Resources::default() });
        } else if let Some(last) = all.last_mut() {
            let before = |what| number_before(line, what);
            last.stack = before(" bytes stack frame").unwrap_or(last.stack);
            last.spill_stores = before(" bytes spill stores").unwrap_or(last.spill_stores);
            last.spill_loads = before(" bytes spill loads").unwrap_or(last.spill_loads);
            last.registers = before(" registers").unwrap_or(last.registers);
            last.barriers = before(" barriers").unwrap_or(last.barriers);
            last.shared = before(" bytes smem").unwrap_or(last.shared);
        }
    }
    all
}

fn number_before(line: &str, what: &str) -> Option<u32> {
    let before = &line[..line.find(what)?];
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_the_executable_comes_before_path() {
        let folder = tempfile::tempdir().unwrap();
        let [own, first, second] = ["own", "first", "second"].map(|name| folder.path().join(name));
        let path = env::join_paths([&PathBuf::from("."), &first, &second]).unwrap();
        let install = |folder: &Path| {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("ptxas"), "").unwrap();
            fs::set_permissions(folder.join("ptxas"), fs::Permissions::from_mode(0o755)).unwrap();
        };
        assert_eq!(among("ptxas", Some(&own), &path), None);
        install(&second);
        assert_eq!(among("ptxas", Some(&own), &path), Some(second.join("ptxas")));
        install(&first);
        install(&own);
        assert_eq!(among("ptxas", None, &path), Some(first.join("ptxas")));
        assert_eq!(among("ptxas", Some(&own), &path), Some(own.join("ptxas")));
    }

    #[test]
    fn resources_of_two_kernels() {
        let text = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_90a'
ptxas info    : Function properties for a
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 168 registers, used 2 barriers, 16 bytes cumulative stack size, 1024 bytes smem
ptxas info    : Compiling entry function 'b' for 'sm_90a'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4 registers, used 0 barriers
";
        let texts: Vec<_> = resources(text).iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "a: 168 registers, 8 bytes spilled, 4 bytes reloaded, 16 bytes stack, 1024 bytes static shared memory, 2 barriers",
                "b: 4 registers, 0 bytes spilled, 0 bytes reloaded, 0 bytes stack, 0 bytes static shared memory, 0 barriers",
            ]
        );
    }
}
