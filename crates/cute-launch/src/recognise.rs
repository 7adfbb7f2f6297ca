//! Whether a text is PTX, the kind of a file that is given in its place, and the way to PTX from
//! there. It must not know which program reads the file.

use std::fmt;

/// Whether a text is PTX: its first word is `.version`.
pub fn is_ptx(text: &str) -> bool {
    let mut left = text.trim_start();
    loop {
        left = match (left.strip_prefix("//"), left.strip_prefix("/*")) {
            (Some(comment), _) => comment.split_once('\n').map_or("", |(_, after)| after),
            (_, Some(comment)) => comment.split_once("*/").map_or("", |(_, after)| after),
            _ => return left.starts_with(".version"),
        }
        .trim_start();
    }
}

/// A kind of file that has a kernel, but is not PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotPtx {
    /// Machine code for a device, or another ELF file.
    Elf,
    /// Several images in one.
    Fatbin,
    /// Machine code as text, by `cuobjdump` or `nvdisasm`.
    Sass,
    /// A listing of `cuobjdump` with PTX inside.
    Listing,
    /// CUDA C++.
    CudaCpp,
    /// A source of Python.
    Python,
    /// LLVM IR.
    LlvmIr,
    /// A page of the web.
    Html,
}

impl NotPtx {
    /// The kind of a file with these bytes; `None` if nothing tells, as for PTX and for MLIR.
    ///
    /// ```
    /// use cute_launch::recognise::NotPtx;
    /// assert_eq!(NotPtx::of(b"\x7fELF"), Some(NotPtx::Elf));
    /// assert_eq!(NotPtx::of(b"__global__ void f(int *x) { *x = 1; }"), Some(NotPtx::CudaCpp));
    /// assert_eq!(NotPtx::of(b".version 9.0\n.target sm_90a"), None);
    /// assert_eq!(NotPtx::of(b"module { gpu.module @m {} }"), None);
    /// ```
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x7f, b'E', b'L', b'F', ..] => return Some(Self::Elf),
            [0x50, 0xed, 0x55, 0xba, ..] => return Some(Self::Fatbin),
            _ => {}
        }
        // Whoever cuts a text may cut a character in two.
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST)]);
        let text = text.trim_start_matches('\u{feff}');
        if is_ptx(text) {
            return None;
        }
        let mut lines = text.lines().map(str::trim_start);
        let sass = |line: &str| is_sass(line);
        if text.contains("\n.version ") && text.contains("\n.target sm_") {
            return Some(Self::Listing);
        }
        if lines.clone().any(sass) {
            return Some(Self::Sass);
        }
        let is_in_code = |word: &str| lines.clone().any(|line| code_has(line, word));
        if CUDA_WORDS.iter().any(|word| is_in_code(word)) {
            return Some(Self::CudaCpp);
        }
        lines.find_map(begins)
    }

    /// The way to PTX.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Elf | Self::Fatbin => {
                "`cuobjdump -ptx FILE` prints the PTX in it, if the compiler left it there; otherwise compile the source \
                 with `nvcc -ptx -lineinfo`"
            }
            Self::Sass => {
                "`cuobjdump -ptx` prints the PTX of a program, if the compiler left it there; otherwise compile the \
                 source with `nvcc -ptx -lineinfo`"
            }
            Self::Listing => "keep the lines from `.version` on, up to the next header of `cuobjdump`",
            Self::CudaCpp => "`nvcc -ptx -lineinfo -arch=sm_90a FILE` compiles it to PTX",
            Self::Python => {
                "`kernel.asm[\"ptx\"]` is the PTX of a kernel of Triton, and `inspect_asm` that of one of numba"
            }
            Self::LlvmIr => "`llc -march=nvptx64 -mcpu=sm_90a FILE` compiles it to PTX",
            Self::Html => "save the file itself, not the page that shows it",
        }
    }
}

impl fmt::Display for NotPtx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Elf => "a binary file such as a cubin",
            Self::Fatbin => "a binary file of several images",
            Self::Sass => "SASS, the machine code of a device",
            Self::Listing => "a listing of cuobjdump",
            Self::CudaCpp => "CUDA C++",
            Self::Python => "Python",
            Self::LlvmIr => "LLVM IR",
            Self::Html => "HTML",
        })
    }
}

/// Bytes that are looked at.
const MOST: usize = 1 << 20;

/// Words of CUDA C++ that no module of MLIR has outside of strings and comments.
const CUDA_WORDS: [&str; 5] = ["__global__", "__device__", "__shared__", "threadIdx.", "cudaMalloc"];

/// Whether a line has a word before a comment, and not in a string.
fn code_has(line: &str, word: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let code = if line.starts_with('*') || line.starts_with('#') { "" } else { code };
    code.find(word).is_some_and(|at| code[..at].matches('"').count() % 2 == 0)
}

/// Whether a line is one of machine code: an address in a comment, and an instruction or its bits.
fn is_sass(line: &str) -> bool {
    let address = |line: &str| {
        let (address, rest) = line.strip_prefix("/*")?.split_once("*/")?;
        let is_address = address.len() >= 4 && address.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_address.then(|| rest.trim_end().ends_with([';', '/']))
    };
    address(line) == Some(true) || line.starts_with("code for sm_") || line.starts_with(".headerflags")
}

/// The kind of file that the beginning of a line shows.
fn begins(line: &str) -> Option<NotPtx> {
    let with = |heads: &[&str]| heads.iter().any(|head| line.starts_with(head));
    match () {
        () if with(&["#include", "#pragma ", "template <", "template<", "namespace ", "using namespace"]) => {
            Some(NotPtx::CudaCpp)
        }
        () if with(&["@triton.", "@cute.", "@cuda.jit", "import ", "def "])
            || line.starts_with("from ") && line.contains(" import ") =>
        {
            Some(NotPtx::Python)
        }
        () if with(&["; ModuleID", "target datalayout", "target triple", "define ", "source_filename"]) => {
            Some(NotPtx::LlvmIr)
        }
        () if with(&["<!DOCTYPE", "<!doctype", "<html"]) => Some(NotPtx::Html),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::NotPtx;
    use std::path::Path;

    #[test]
    fn files_that_are_not_ptx_are_told_apart() {
        let sass = "\t\tFunction : k\n\t.headerflags @\"EF_CUDA_SM90\"\n        /*0000*/  LDC R1, c[0x0][0x28] ;  /* 0x00 */";
        let dump = "Fatbin ptx code:\n================\narch = sm_90\n\n.version 9.0\n.target sm_90\n.address_size 64\n";
        for (text, kind) in [
            ("\u{7f}ELF\u{2}\u{1}", Some(NotPtx::Elf)),
            (sass, Some(NotPtx::Sass)),
            ("/*0010*/ S2R R0, SR_TID.X ;", Some(NotPtx::Sass)),
            (dump, Some(NotPtx::Listing)),
            ("// A kernel.\n#include <cuda.h>\n", Some(NotPtx::CudaCpp)),
            ("extern \"C\" __global__ void k() {}", Some(NotPtx::CudaCpp)),
            ("import triton\n", Some(NotPtx::Python)),
            ("from triton import jit\n", Some(NotPtx::Python)),
            ("; ModuleID = 'k'\ndefine void @k() {}", Some(NotPtx::LlvmIr)),
            ("<!DOCTYPE html><html>", Some(NotPtx::Html)),
            ("// __global__ of CUDA\n.version 9.0\n", None),
            ("#layout = 1\nmodule {} // __global__", None),
            ("llvm.mlir.global @s(\"__global__ void\")", None),
            ("", None),
            ("hello", None),
        ] {
            assert_eq!(NotPtx::of(text.as_bytes()), kind, "{text}");
        }
        assert_eq!(NotPtx::of(&[0x50, 0xed, 0x55, 0xba, 1, 0]), Some(NotPtx::Fatbin));
    }

    #[test]
    fn the_projects_own_files_are_what_their_names_say() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut seen = 0;
        for folder in
            ["examples", "examples/bugs", "tests/foreign/cuda", "tests/foreign/triton", "tests/sim/broken"]
        {
            for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
                let path = entry.expect("an entry").path();
                let expected = match path.extension().and_then(|ending| ending.to_str()) {
                    Some("cu") => Some(NotPtx::CudaCpp),
                    Some("py") => Some(NotPtx::Python),
                    Some("ptx" | "mlir") => None,
                    _ => continue,
                };
                let bytes = std::fs::read(&path).expect("a file");
                assert_eq!(NotPtx::of(&bytes), expected, "{}", path.display());
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen} files");
    }
}
