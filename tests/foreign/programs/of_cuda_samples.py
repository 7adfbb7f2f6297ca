"""NVIDIA's samples."""

from programs import Finding, Repository, program

SAMPLES = Repository(
    "cuda-samples",
    "https://github.com/NVIDIA/cuda-samples",
    "c94ff366aed18c797b8a85dfaac7817b0228b420",
    "BSD-3-Clause",
    include=("Common",),
)


def sample(name, what, passed, *, folder, files=(), gpu="sm_90a", **options):
    """A sample has a folder of its name, which is the first word of ours."""
    own = name.split()[0]
    sources = tuple(f"Samples/{folder}/{own}/{file}" for file in (files or (f"{own}.cu",)))
    program(SAMPLES, name, sources, gpu, what, passed, **options)


BASICS, CONCEPTS, FEATURES, PERFORMANCE = "0_Introduction", "2_Concepts_and_Techniques", "3_CUDA_Features", "6_Performance"

sample("vectorAdd", "sums of 50,000 numbers", "Test PASSED", folder=BASICS)
sample(
    "matrixMul",
    "product of 64 x 64 x 64 in f32, 301 times",
    "Result = PASS",
    folder=BASICS,
    arguments="-wA=64 -hA=64 -wB=64 -hB=64",
)
sample(
    "simpleAWBarrier",
    "two vectors of 100,000 divided by the root of their product, by a cooperative grid",
    "Result = PASSED",
    folder=BASICS,
    options="--sms 8",
    smaller=(("size = 10000000", "size = 100000"),),
)
sample(
    "mergeSort",
    "65,536 pairs sorted",
    "OK",
    times=2,
    folder=BASICS,
    files=("main.cpp", "mergeSort.cu", "bitonic.cu", "mergeSort_host.cpp", "mergeSort_validate.cpp"),
    smaller=(("N         = 4 * 1048576", "N         = 65536"),),
)
sample(
    "simpleMultiCopy",
    "16,384 numbers counted up, with copies in four streams",
    "Measured throughput",
    folder=BASICS,
    smaller=(("N          = 1 << 22", "N          = 1 << 14"),),
)
sample(
    "simpleHyperQ",
    "64 kernels that wait until 2,000 cycles have passed",
    "Measured time",
    folder=BASICS,
    smaller=(("kernel_time = 10;", "kernel_time = 0.001f;"),),
)
sample("transpose", "eight ways to transpose 64 x 64, 101 times", "Test passed", folder=PERFORMANCE, arguments="-dimX=64 -dimY=64")
# In the headers of CUDA: one lane acquires what other warps have written, and a shuffle passes that on to the other lanes.
TILES = "forbidden by the ISA, and harmless on devices: in the headers of CUDA, one lane acquires the sums of other warps, and its warp " \
    "reads them after a shuffle, which orders no memory"
for kernel in range(10):
    places = ("coalesced_reduce.h:66", "reduce.h:288") if kernel == 9 else ()
    sample(
        f"reduction (kernel {kernel})",
        "sum of 16,384 integers, 101 times",
        "Test passed",
        folder=CONCEPTS,
        files=("reduction.cpp", "reduction_kernel.cu"),
        arguments=f"--n=16384 --threads={256 if kernel == 9 else 128} --maxblocks=64 --kernel={kernel}",
        findings=tuple(Finding("race", at, TILES) for at in places),
    )
sample(
    "scan",
    "prefix sums in rows of 4 to 262,144 numbers",
    "Results Match",
    times=17,
    folder=CONCEPTS,
    files=("main.cpp", "scan.cu", "scan_gold.cpp"),
    smaller=(("N      = 13 * 1048576 / 2", "N      = 262144"), ("iCycles = 100", "iCycles = 1")),
)
sample(
    "histogram",
    "of 1 MB, 64 and 256 bins",
    "bin histograms match",
    times=2,
    folder=CONCEPTS,
    files=("main.cpp", "histogram64.cu", "histogram256.cu", "histogram_gold.cpp"),
    smaller=(("byteCount    = 64 * 1048576", "byteCount    = 1048576"), ("numRuns    = 16", "numRuns    = 1")),
)
sample(
    "shfl_scan",
    "prefix sums of 65,536 numbers, integral of an image of 1920 x 1080",
    r"CPU verify result diff \(GPUvsCPU\) = 0|Diff = 0|CheckSum: 2073600, ",
    times=3,
    folder=CONCEPTS,
    findings=(
        Finding(
            "uninitialised",
            "shfl_integral_image.cuh:132",
            "true, and harmless: a warp reads the sums of 32 warps, of which the block has four, and does not use the others",
        ),
    ),
)
sample(
    "reductionMultiBlockCG",
    "sum of 65,536 numbers by a cooperative grid, 100 times",
    "GPU result = (\\S+)\nCPU result = ",
    folder=CONCEPTS,
    arguments="--n=65536",
    options="--sms 8",
)
sample(
    "binaryPartitionCG",
    "counts and sums of the odd and even ones of 102,400 numbers",
    "Num of Odds = 50945 Sum of Odds = 1272565 Sum of Evens 1233938",
    folder=FEATURES,
)
sample(
    "warpAggregatedAtomicsCG",
    "100,000 numbers into five buckets, by groups of lanes",
    "Warp Aggregated Atomics PASSED",
    folder=FEATURES,
    smaller=(("NUM_ELEMS             10000000", "NUM_ELEMS             100000"),),
)
for kernel in range(8):
    sample(
        f"globalToShmemAsyncCopy (kernel {kernel})",
        "product of 64 x 64 x 64 in f32, 101 times",
        "Result = PASS",
        folder=FEATURES,
        arguments=f"-wA=64 -hA=64 -wB=64 -hB=64 -kernel={kernel}",
        findings=tuple(
            Finding(
                kind,
                "globalToShmemAsyncCopy.cu:278",
                "bug: each of the 16 threads whose `threadIdx.x` is 0 initialises the barrier",
            )
            for kind in (("race", "mbarrier") if kernel == 2 else ())
        ),
        right=kernel != 2,
    )
for options in ("", " --multipass"):
    sample(
        f"threadFenceReduction{options}",
        "sum of 16,384 numbers in one launch, 101 times" if not options else "the same in several launches",
        "GPU result = (\\S+)\nCPU result = ",
        folder=CONCEPTS,
        arguments=f"--n=16384{options}",
        findings=tuple(
            Finding(
                "race",
                f"threadFenceReduction_kernel.cuh:{line}",
                "true by the memory model: the block that adds the sums of all has no fence after it has read the counter",
            )
            for line in (() if options else (192, 199))
        ),
    )


def tensor_cores(name, kernels, tiles, what, passed, **options):
    """These verify their values only with CPU_DEBUG."""
    for kernel in range(kernels):
        sample(
            f"{name} (kernel {kernel})" if kernels > 1 else name,
            what,
            passed,
            folder=FEATURES,
            right=(name, kernel) != ("bf16TensorCoreGemm", 2),
            remark=WRONG_OFFSET if (name, kernel) == ("bf16TensorCoreGemm", 2) else "",
            flags=("-DCPU_DEBUG=1",),
            arguments=f"--kernel={kernel}" if kernels > 1 else "",
            options="--sms 4",
            smaller=tuple((f"define {x}_TILES {tiles}\n", f"define {x}_TILES 16\n") for x in "MNK"),
            **options,
        )


WRONG_OFFSET = "bug: it loads B at `bRow + bCol * ldb`, as if B were not transposed, and its check reports wrong values"

# A mismatch would stand between these lines.
VERIFIED = r"Verifying correctness of the computations\.\.\.\nTime: "

tensor_cores("bf16TensorCoreGemm", 3, 512, "product of 256 x 256 x 256", VERIFIED)
tensor_cores("tf32TensorCoreGemm", 3, 512, "product of 256 x 256 x 128", VERIFIED)
tensor_cores("immaTensorCoreGemm", 1, 256, "product of 256 x 256 x 256 of u8", VERIFIED)
tensor_cores("dmmaTensorCoreGemm", 4, 1024, "product of 128 x 128 x 64 of f64", "number_of_matches = 16384 ")
tensor_cores("cudaTensorCoreGemm", 1, 256, "product of 256 x 256 x 256 of f16", VERIFIED)
