"""Programs in Python whose kernels are Triton's: tutorials, files of tests, and calls of libraries."""

import dataclasses

from programs import Finding, Repository


@dataclasses.dataclass(frozen=True)
class Program:
    """A program in Python, as it lies in a checkout; or one of ours, in `python`, that calls a library there."""

    repository: Repository
    name: str
    what: str
    # In the checkout, or in `python` if `ours`.
    file: str
    # Tests that pytest must pass, if it is a file of tests, and which of them are chosen.
    tests: int = 0
    chosen: str = ""
    ours: bool = False
    environment: tuple = ()
    findings: tuple = ()

    @property
    def key(self):
        """What names the run."""
        return f"{self.repository.name}.{self.name}"


TRITON = Repository(
    "triton", "https://github.com/torch-spyre/triton", "661d116f7621f150d0d1405c20795f430a43fd86", "MIT"
)
LIGER = Repository(
    "Liger-Kernel", "https://github.com/linkedin/Liger-Kernel", "ead96b618e5c67bddc6a6e9bcb99bfe6b5ab661c", "BSD-2-Clause"
)
ATTORCH = Repository("attorch", "https://github.com/BobMcDear/attorch", "67c2772baf33913ef51c2d1064f746ca17b63749", "MIT")
GEMS = Repository("FlagGems", "https://github.com/FlagOpen/FlagGems", "532ff438c70343d7aec9becdabb76a71225a0553", "Apache-2.0")
XFORMERS = Repository(
    "xformers", "https://github.com/facebookresearch/xformers", "ca6d2aa0d43241fc8a8dcd872debc2406160160d", "BSD-3-Clause"
)
UNSLOTH = Repository(
    "unsloth", "https://github.com/unslothai/unsloth", "015bdef0d94a241bcd94eec7a405b1700632180d", "Apache-2.0"
)


def tutorial(name, what, **more):
    return Program(TRITON, name, what, f"python/tutorials/{name}.py", **more)


def liger(name, what, tests):
    return Program(LIGER, f"test_{name}", what, f"test/transformers/test_{name}.py", tests)


def library(repository, file, what, **more):
    return Program(repository, file, what, f"{file}.py", ours=True, **more)


PROGRAMS = [
    tutorial("01-vector-add", "sum of 98,432 numbers"),
    tutorial("02-fused-softmax", "softmax of 1823 rows of 781, persistent, with the registers that a kernel has"),
    tutorial("03-matrix-multiplication", "products of 512 x 512 x 512 in f16 and e5m2, autotuned"),
    tutorial("05-layer-norm", "layer norm of 1151 rows of 8192 in f16, its gradients with locks"),
    tutorial(
        "06-fused-attention", "attention with tensor maps in f16 and e5m2, its gradients, autotuned", tests=8, chosen="128-2-1"
    ),
    liger("softmax", "softmax and its gradient", 24),
    liger("relu_squared", "squared ReLU and its gradient", 18),
    liger("dyt", "dynamic tanh and its gradients", 24),
    liger("sparsemax", "sparsemax and its gradient, with a constant `num_warps`", 8),
    liger("multi_token_attention", "attention over several tokens, with constants `num_warps` and `num_stages`", 36),
    library(ATTORCH, "attorch_layers", "14 layers, and gradients of 13, autotuned"),
    library(GEMS, "flag_gems_ops", "14 operators, autotuned and with heuristics", environment=(("GEMS_VENDOR", "nvidia"),)),
    library(
        GEMS,
        "flag_gems_var_mean",
        "means and variances by Welford's algorithm",
        environment=(("GEMS_VENDOR", "nvidia"),),
        findings=(
            Finding(
                "race",
                "var_mean.py",
                "Forbidden by the ISA, and harmless: the lanes compute copies of one result by shuffles, which rounding makes "
                "differ by more than the few units in the last place that count as portability",
            ),
        ),
    ),
    library(
        XFORMERS,
        "xformers_kernels",
        "selection and addition of rows, their gradients, RMS norms",
        findings=(
            Finding(
                "race",
                "rmsnorm_kernels.py:84",
                "Bug: the kernel stores sums and loads them again, in another distribution over the lanes, and no barrier lies "
                "between where a block has one warp",
            ),
        ),
    ),
    library(UNSLOTH, "unsloth_kernels", "SwiGLU and RMS norm with their gradients, in place"),
]
