"""CUTLASS: its examples, and the tutorials of CuTe."""

from programs import Finding, Repository, program

CUTLASS = Repository(
    "cutlass",
    "https://github.com/NVIDIA/cutlass",
    "7107b05535f8977f5ecb9d01ee203205b1fd9bc4",
    "BSD-3-Clause",
    include=("include", "tools/util/include", "examples/common"),
)


ELECTED = Finding(
    "elected_lane",
    "barrier.h:426",
    "forbidden by the ISA, and harmless on devices: only lane 0 of a warp arrives, inside of an `elect.sync`, and that is the lane which "
    "devices elect",
    grade="portability",
)
LEADER = Finding(
    "elected_lane",
    "sm90_pipeline.hpp:547",
    "forbidden by the ISA, and harmless on devices: with assertions, a trap asks that `elect.sync` elects lane 0",
    grade="portability",
)
WITHIN = "possible by the ISA within one warp: lanes that wait for a phase may look after another lane has let it be overtaken"
UNPUBLISHED = Finding(
    "race",
    "barrier.h:497",
    "true by the ISA: the barrier for the deallocation is initialised after the last `fence.mbarrier_init`, and the arrival at the "
    "barrier of the cluster is relaxed, so that nothing publishes it to the other block",
)


def freed(at):
    """Each of these kernels has stored what it loaded before it frees the columns."""
    return Finding(
        "tensor",
        at,
        "forbidden by the ISA, and harmless on devices: columns of tensor memory are freed without a `tcgen05.wait::ld` after the last "
        "loads; their values have been stored by then",
        grade="portability",
    )


def example(name, what, *, file=None, gpu="sm_90a", passed="Disposition: Passed", **options):
    path = f"examples/{name}/{file or name}.cu"
    program(CUTLASS, (file or name).split("/")[-1], (path,), gpu, what, passed, flags=("--expt-extended-lambda",), **options)


example("00_basic_gemm", "product of 128 x 128 x 128 in f32", file="basic_gemm", gpu="sm_80", passed="Passed\\.", arguments="128 128 128")
example(
    "48_hopper_warp_specialized_gemm",
    "product of 512 x 256 x 128 in tf32, multicast in clusters of eight",
    arguments="--m=512 --n=256 --k=128 --iterations=0",
    findings=(ELECTED,),
)
example(
    "54_hopper_fp8_warp_specialized_gemm",
    "product of 256 x 256 x 256 in e4m3",
    arguments="--m=256 --n=256 --k=256 --iterations=0",
    findings=(ELECTED,),
)
example(
    "67_hopper_fp8_warp_specialized_gemm_with_blockwise_scaling",
    "product of 256 x 256 x 256 in e4m3, scales of blocks",
    arguments="--m=256 --n=256 --k=256 --iterations=0 --warmup=0",
    findings=(
        Finding(
            "missed_phase",
            "barrier.h:426",
            WITHIN,
            grade="portability",
        ),
    ),
)
example(
    "70_blackwell_gemm",
    "product of 512 x 512 x 256 in f16",
    file="70_blackwell_fp16_gemm",
    gpu="sm_100a",
    arguments="--m=512 --n=512 --k=256 --iterations=0",
    findings=(UNPUBLISHED, LEADER),
)
example(
    "70_blackwell_gemm",
    "product of 512 x 512 x 256 in e4m3",
    file="70_blackwell_fp8_gemm",
    gpu="sm_100a",
    arguments="--m=512 --n=512 --k=256 --iterations=0",
    findings=(UNPUBLISHED, LEADER),
)
example(
    "72_blackwell_narrow_precision_gemm",
    "product of 512 x 512 x 256 in nvf4",
    file="72a_blackwell_nvfp4_bf16_gemm",
    gpu="sm_100a",
    arguments="--m=512 --n=512 --k=256 --iterations=0",
    findings=(UNPUBLISHED, LEADER, freed("tmem_allocator_sm100.hpp:166")),
)
example(
    "79_blackwell_geforce_gemm",
    "product of 256 x 256 x 256 in nvf4",
    file="79a_blackwell_geforce_nvfp4_bf16_gemm",
    gpu="sm_120a",
    arguments="--m=256 --n=256 --k=256 --iterations=0",
    findings=(
        *(
            Finding(
                "proxy_order",
                f"copy_sm90_tma.hpp:{line}",
                "forbidden by the ISA: `ldmatrix` reads a stage through the generic proxy, and the TMA refills it without a proxy fence; "
                "a kernel of DeepEP has failed for it",
                grade="portability",
            )
            for line in (177, 233)
        ),
        Finding(
            "elected_lane",
            "sm_30_intrinsics.hpp:110",
            "forbidden by the ISA, and harmless on devices: the load hangs at its `__syncwarp` unless `elect.sync` elects lane 0",
            grade="portability",
        ),
    ),
)

TUTORIALS = "examples/cute/tutorial"


def tutorial(name, what, *, folder="", gpu="sm_80", passed, **options):
    program(CUTLASS, name, (f"{TUTORIALS}/{folder}{name}.cu",), gpu, what, passed, **options)


# These print their speed and check nothing.
SPEED = "CUTE_GEMM: "
UNCHECKED = "it compares nothing, and ends"
ONCE = (("timing_iterations = 100", "timing_iterations = 1"),)
tutorial("sgemm_1", "product of 128 x 128 x 64 in f32, twice", passed=SPEED, arguments="128 128 64", smaller=ONCE, remark=UNCHECKED)
tutorial("sgemm_sm80", "product of 128 x 128 x 64 in f16, twice", passed=SPEED, arguments="128 128 64 T N", smaller=ONCE, remark=UNCHECKED)
MISSING_BARRIER = Finding(
    "race",
    "mma_sm90_gmma.hpp:451",
    "bug: a thread waits for its own `cp.async` alone; neither a barrier nor a proxy fence lies between the copies of the others and the "
    "`wgmma`",
)
for name in ("wgmma_sm90", "wgmma_tma_sm90"):
    tutorial(
        name,
        "product of 256 x 256 x 192 in f16, twice",
        folder="hopper/",
        gpu="sm_90a",
        passed=SPEED,
        arguments="256 256 192",
        smaller=ONCE,
        remark=UNCHECKED,
        findings=(MISSING_BARRIER,) if name == "wgmma_sm90" else (),
    )
FREED = freed("tmem_allocator_sm100.hpp:97")
OVERTAKEN = "bug: warps that only wait at the barrier for the TMA can miss its phase, because another warp lets the next one begin"


def by_pairs(file, *lines):
    """What the tutorials with MMAs of two blocks have."""
    return (
        Finding(
            "tensor",
            "tmem_allocator_sm100.hpp:141",
            "forbidden by the ISA, and what devices do: columns of a pair are allocated before the other block is known to run, and the "
            "instruction waits for it",
            grade="portability",
        ),
        *(Finding("missed_phase", f"{file}:{line}", OVERTAKEN) for line in lines),
        Finding("missed_phase", f"{file}:{lines[-1]}", WITHIN, grade="portability"),
        freed("tmem_allocator_sm100.hpp:166"),
        Finding(
            "race",
            "tmem_allocator_sm100.hpp:166",
            "not stated by the ISA: each block frees the columns of both behind a barrier of its own, while the other block may still load "
            "from its columns; both must free, but no sentence says that the first waits for the second",
        ),
    )


BLACKWELL = {
    "01_mma_sm100": (
        Finding("unfenced", "mma_sm100_umma.hpp:115", "bug: threads write the tiles, and no `fence.proxy.async` comes before the MMA"),
        FREED,
    ),
    "02_mma_tma_sm100": (
        *(Finding("missed_phase", f"02_mma_tma_sm100.cu:{line}", OVERTAKEN) for line in (318, 335)),
        Finding("deadlock", "02_mma_tma_sm100.cu:318", OVERTAKEN),
        FREED,
    ),
    "03_mma_tma_multicast_sm100": (
        *(Finding("missed_phase", f"03_mma_tma_multicast_sm100.cu:{line}", OVERTAKEN) for line in (356, 373)),
        FREED,
    ),
    "04_mma_tma_2sm_sm100": by_pairs("04_mma_tma_2sm_sm100.cu", 357, 375),
    "05_mma_tma_epi_sm100": (
        *by_pairs("05_mma_tma_epi_sm100.cu", 370, 388),
        Finding("deadlock", "05_mma_tma_epi_sm100.cu:370", OVERTAKEN),
    ),
}
for name, findings in BLACKWELL.items():
    tutorial(
        name,
        "product of 512 x 1024 x 256 in f16",
        folder="blackwell/",
        gpu="sm_100a",
        passed="Execution is successful",
        arguments="512 1024 256",
        findings=findings,
    )
