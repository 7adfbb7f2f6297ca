"""CUTLASS: its examples, and the tutorials of CuTe."""

from programs import Finding, Repository, program

CUTLASS = Repository(
    "cutlass",
    "https://github.com/NVIDIA/cutlass",
    "7107b05535f8977f5ecb9d01ee203205b1fd9bc4",
    "BSD-3-Clause",
    include=("include", "tools/util/include", "examples/common"),
)


def example(name, what, *, file=None, gpu="sm_90a", passed="Disposition: Passed", **options):
    path = f"examples/{name}/{file or name}.cu"
    program(CUTLASS, (file or name).split("/")[-1], (path,), gpu, what, passed, flags=("--expt-extended-lambda",), **options)


example("00_basic_gemm", "product of 128 x 128 x 128 in f32", file="basic_gemm", gpu="sm_80", passed="Passed\\.", arguments="128 128 128")
example(
    "48_hopper_warp_specialized_gemm",
    "product of 512 x 256 x 128 in tf32, multicast in clusters of eight",
    arguments="--m=512 --n=256 --k=128 --iterations=0",
)
example(
    "54_hopper_fp8_warp_specialized_gemm",
    "product of 256 x 256 x 256 in e4m3",
    arguments="--m=256 --n=256 --k=256 --iterations=0",
)
example(
    "67_hopper_fp8_warp_specialized_gemm_with_blockwise_scaling",
    "product of 256 x 256 x 256 in e4m3, scales of blocks",
    arguments="--m=256 --n=256 --k=256 --iterations=0 --warmup=0",
)
example("70_blackwell_gemm", "product of 512 x 512 x 256 in f16", file="70_blackwell_fp16_gemm", gpu="sm_100a", arguments="--m=512 --n=512 --k=256 --iterations=0")
example("70_blackwell_gemm", "product of 512 x 512 x 256 in e4m3", file="70_blackwell_fp8_gemm", gpu="sm_100a", arguments="--m=512 --n=512 --k=256 --iterations=0")
example(
    "72_blackwell_narrow_precision_gemm",
    "product of 512 x 512 x 256 in nvf4",
    file="72a_blackwell_nvfp4_bf16_gemm",
    gpu="sm_100a",
    arguments="--m=512 --n=512 --k=256 --iterations=0",
)
example(
    "79_blackwell_geforce_gemm",
    "product of 256 x 256 x 256 in nvf4",
    file="79a_blackwell_geforce_nvfp4_bf16_gemm",
    gpu="sm_120a",
    arguments="--m=256 --n=256 --k=256 --iterations=0",
)

TUTORIALS = "examples/cute/tutorial"


def tutorial(name, what, *, folder="", gpu="sm_80", passed, **options):
    program(CUTLASS, name, (f"{TUTORIALS}/{folder}{name}.cu",), gpu, what, passed, **options)


# These print their speed and check nothing.
SPEED = "CUTE_GEMM: "
ONCE = (("timing_iterations = 100", "timing_iterations = 1"),)
tutorial("sgemm_1", "product of 128 x 128 x 64 in f32, twice", passed=SPEED, arguments="128 128 64", smaller=ONCE)
tutorial("sgemm_sm80", "product of 128 x 128 x 64 in f16, twice", passed=SPEED, arguments="128 128 64", smaller=ONCE)
for name in ("wgmma_sm90", "wgmma_tma_sm90"):
    tutorial(name, "product of 256 x 256 x 192 in f16, twice", folder="hopper/", gpu="sm_90a", passed=SPEED, arguments="256 256 192", smaller=ONCE)
for name in ("01_mma_sm100", "02_mma_tma_sm100", "03_mma_tma_multicast_sm100", "04_mma_tma_2sm_sm100", "05_mma_tma_epi_sm100"):
    tutorial(
        name,
        "product of 512 x 1024 x 256 in f16",
        folder="blackwell/",
        gpu="sm_100a",
        passed="Execution is successful",
        arguments="512 1024 256",
    )
