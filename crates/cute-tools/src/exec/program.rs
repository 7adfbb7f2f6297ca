//! The program to run: where it is, and whether it will load the libraries.

use std::{
    env,
    ffi::OsStr,
    fs::{self, File},
    io::Read,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use cute_cuda_stubs::STUBS;
use nix::unistd::{getegid, geteuid};

use super::elf::{Elf, MACHINE};
use crate::{diagnostics::message, error::Result, exec_error::Error};

/// A program that can be run.
#[derive(Debug)]
pub(super) struct Program {
    /// Its file.
    pub(super) path: PathBuf,
    /// The libraries that it needs, if it is not a script.
    pub(super) needed: Vec<String>,
}

impl Program {
    /// Finds a program as a shell does, and looks at its file.
    ///
    /// # Errors
    /// There is no such program, or it does not load libraries from outside.
    pub(super) fn find(name: &OsStr) -> Result<Self> {
        let program = cute_text::line(&name.to_string_lossy()).into_owned();
        let path = search(name).ok_or_else(|| Error::NotFound { program: program.clone() })?;
        let unread = |why| Error::Read { program: program.clone(), why };
        let metadata = fs::metadata(&path).map_err(unread)?;
        if metadata.is_dir() {
            return Err(Error::Folder { program }.into());
        }
        if metadata.mode() & 0o111 == 0 {
            return Err(match Path::new(name).extension().and_then(OsStr::to_str) {
                Some("cu" | "ptx" | "py") => Error::NotProgram { program },
                _ => Error::NotExecutable { program },
            }
            .into());
        }
        let is_of_other = |bit: u32, owner: u32, own: u32| metadata.mode() & bit != 0 && owner != own;
        if is_of_other(0o4000, metadata.uid(), geteuid().as_raw())
            || is_of_other(0o2000, metadata.gid(), getegid().as_raw())
        {
            return Err(Error::SetUser { program }.into());
        }
        let Some(elf) = Elf::read(&path).map_err(unread)? else {
            let mut start = [0; 2];
            let is_script = File::open(&path).and_then(|mut file| file.read_exact(&mut start)).is_ok();
            // Programs that the script starts have the same environment.
            return match is_script && start == *b"#!" {
                true => Ok(Self { path, needed: Vec::new() }),
                false => Err(Error::NotProgram { program }.into()),
            };
        };
        judge(&elf, program)?;
        Ok(Self { path, needed: elf.needed })
    }

    /// Whether libraries may be loaded before its own. The runtime of a sanitizer must be the
    /// first.
    pub(super) fn takes_preloads(&self) -> bool {
        let sanitizers = ["libasan.", "libtsan.", "liblsan.", "libclang_rt."];
        !self.needed.iter().any(|name| sanitizers.iter().any(|start| name.starts_with(start)))
    }

    /// Whether it was linked with the runtime of CUDA 12.
    pub(super) fn is_of_cuda_12(&self) -> bool {
        self.needed.iter().any(|name| name == "libcudart.so.12")
    }
}

/// The file of a program: itself, or one in a folder of `PATH`.
fn search(name: &OsStr) -> Option<PathBuf> {
    if name.as_encoded_bytes().contains(&b'/') {
        return Some(PathBuf::from(name)).filter(|path| path.exists());
    }
    let path = env::var_os("PATH")?;
    let files = env::split_paths(&path).map(|folder| folder.join(name));
    let is_program = |path: &PathBuf| fs::metadata(path).is_ok_and(|m| m.is_file() && m.mode() & 0o111 != 0);
    files.into_iter().find(is_program).map(|path| std::path::absolute(&path).unwrap_or(path))
}

/// Whether a program will use the libraries.
fn judge(elf: &Elf, program: String) -> Result<()> {
    if elf.machine != MACHINE {
        return Err(Error::NotProgram { program }.into());
    }
    let has_kernels = || elf.has_section(".nv_fatbin");
    if !elf.is_dynamic {
        if has_kernels() {
            return Err(Error::Static { program }.into());
        }
        message(&format!(
            "warning: '{program}' is linked statically: calls of CUDA in it cannot be answered, but those of programs that it \
             starts are"
        ));
        return Ok(());
    }
    let runtime = elf.needed.iter().find(|name| name.starts_with("libcudart.so"));
    let is_answered = |name: &str| STUBS.iter().any(|stub| stub.path == name);
    if let Some(runtime) = runtime.filter(|runtime| !is_answered(runtime)) {
        let runtime = cute_text::line(runtime).into_owned();
        return Err(Error::OtherRuntime { program, runtime }.into());
    }
    let has_runtime = || elf.contains(&NVIDIAS) && !elf.contains(&[OURS]);
    if runtime.is_none() && has_runtime() {
        if has_kernels() {
            return Err(Error::StaticRuntime { program }.into());
        }
        message(&format!(
            "warning: '{program}' seems to contain NVIDIA's runtime, whose calls fail here: link it with `nvcc -cudart shared`, or \
             with `nvcc -L$(cutec --libdir)`"
        ));
    }
    Ok(())
}

/// Texts of NVIDIA's runtime: the function that it asks the driver for its tables with, and a text
/// of an error, which loaders of the driver do not have.
const NVIDIAS: [&[u8]; 2] =
    [b"cuGetExportTable\0", b"CUDA driver version is insufficient for CUDA runtime version\0"];

/// A word in each of the libraries that forward to the simulator.
const OURS: &[u8] = b"cute_cuda_function\0";
