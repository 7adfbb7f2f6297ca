"""learn-cuda: its programs without PyTorch."""

from programs import Repository, program

LEARN_CUDA = Repository(
    "learn-cuda",
    "https://github.com/gau-nernst/learn-cuda",
    "1454f8b71499a68eacdbf44c08e36a7003d8ab99",
    "none given",
)

program(
    LEARN_CUDA,
    "03_sum",
    ("03_sum/main.cu", "03_sum/sum.cu"),
    "sm_80",
    "sums of 64 rows of 32,000, by vectors and atomics",
    "Sum is 32000",
    include=("",),
)
for number in range(1, 8):
    # It prints what is wrong, and nothing else.
    program(
        LEARN_CUDA,
        f"02a_matmul_simt (kernel {number})",
        ("02a_matmul_simt/main.cu", "02a_matmul_simt/matmul.cu"),
        "sm_80",
        "product of 128 x 128 x 128 in f32",
        r"\A\Z",
        arguments=str(number),
        include=("",),
        smaller=(("const int N = 4096;", "const int N = 128;"),),
    )
