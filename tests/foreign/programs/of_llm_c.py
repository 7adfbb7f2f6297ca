"""llm.c: its programs for single kernels. Each computes on the host too, compares for several sizes of blocks, and then measures."""

from programs import Finding, Repository, program

LLM_C = Repository(
    "llm.c",
    "https://github.com/karpathy/llm.c",
    "f1e2ace651495b74ae22d45d1723443fd00ecd3a",
    "MIT",
)

MATCH = "All results match"


def kernels(name, numbers, what, smaller, *, repeats, passed=MATCH, **options):
    """A program that has several kernels, by number. `repeats` is how often it measures."""
    smaller = (*smaller, (f"repeat_times = {repeats};", "repeat_times = 1;"))
    for number in numbers:
        title = f"{name} (kernel {number})" if len(numbers) > 1 else name
        found = options.get("found", {}).get(number, {})
        rest = {key: value for key, value in options.items() if key != "found"}
        program(
            LLM_C,
            title,
            (f"dev/cuda/{name}.cu",),
            "sm_80",
            what,
            passed,
            arguments=str(number),
            flags=("--use_fast_math",),
            smaller=smaller,
            **{**rest, **found},
        )



def error(kind, places, verdict, **options):
    """What a program with one kind of finding has."""
    return {"findings": tuple(Finding(kind, at, verdict) for at in places), **options}


UNACQUIRED = "true by the memory model: the block that adds the sums of all has no fence after it has read the counter"
UNPUBLISHED = "bug: no fence lies between the sums of a block and the counter, nor behind the counter in the block that reads them all"
APART = "bug: lanes shuffle with lanes that have left the loop, for blocks of less than 128 threads"

# B x T tokens with C channels.
TOKENS = (("int B = 8;", "int B = 2;"), ("int T = 1024;", "int T = 64;"))
CHANNELS = (*TOKENS, ("int C = 768;", "int C = 128;"))
VOCABULARY = (*TOKENS, ("int V = 50257;", "int V = 257;"))

PARAMETERS = (("num_parameters = 1048576", "num_parameters = 16384"),)
kernels("adamw", (1, 2), "a step of AdamW for 16,384 parameters", PARAMETERS, repeats=1000)
kernels(
    "classifier_fused",
    (1, 2, 3, 4, 5),
    "softmax, cross entropy and its gradient, 128 rows of 257",
    (("int64_t B = 8; ", "int64_t B = 2; "), ("int64_t T = 1024;", "int64_t T = 64;"), ("int64_t V = 50257;", "int64_t V = 257;")),
    repeats=1000,
    found={
        4: error(
            "undefined",
            ("classifier_fused.cu:477",),
            "true, and harmless: the last store of a row also writes the padding behind it, without a value",
            right=False,
        )
    },
)
kernels("crossentropy_forward", (1,), "cross entropy of 128 rows of 257", VOCABULARY, repeats=1000)
kernels("crossentropy_softmax_backward", (1,), "gradient of cross entropy, 128 rows of 257", VOCABULARY, repeats=100)
kernels("encoder_forward", (1, 2, 3), "embeddings of 128 tokens of 128", (*CHANNELS, ("int V = 50257;", "int V = 257;")), repeats=1000)
kernels("encoder_backward", (1, 2), "gradient of embeddings, 128 tokens of 128", (*CHANNELS, ("int V = 50257;", "int V = 257;")), repeats=1000)
kernels(
    "fused_residual_forward",
    (1, 2, 3, 4, 5, 6),
    "residual and layer norm of 128 tokens of 128",
    CHANNELS,
    repeats=1000,
    found={
        2: error(
            "out_of_bounds",
            ("fused_residual_forward.cu:134",),
            "bug: `idx > N` instead of `idx >= N` lets one thread too many through",
            right=False,
        )
    },
)
kernels("gelu_forward", (1, 2), "GELU of 16,384 numbers", CHANNELS, repeats=1000)
kernels("gelu_backward", (1, 2), "gradient of GELU, 16,384 numbers", CHANNELS, repeats=1000)
kernels(
    "global_norm",
    (1, 2, 3),
    "sum of 163,840 squares",
    (("int C = 768;", "int C = 128;"), ("int L = 12;", "int L = 1;")),
    repeats=1000,
)
kernels("layernorm_forward", (1, 2, 3, 4, 5, 6), "layer norm of 128 tokens of 128", CHANNELS, repeats=2000)
kernels(
    "layernorm_backward",
    (2, 3, 4, 5, 6, 7, 8, 9, 10),
    "gradient of layer norm, 128 tokens of 256",
    (*TOKENS, ("int C = 1600;", "int C = 256;")),
    repeats=100,
    times=6,
    found={
        5: error("race", ("layernorm_backward.cu:548", "layernorm_backward.cu:549"), UNACQUIRED),
        6: error("race", ("layernorm_backward.cu:644", "layernorm_backward.cu:645"), UNPUBLISHED),
        7: error("race", ("layernorm_backward.cu:737", "layernorm_backward.cu:738"), UNPUBLISHED),
        8: error("race", ("layernorm_backward.cu:856", "layernorm_backward.cu:857"), UNPUBLISHED),
        9: error("race", ("layernorm_backward.cu:1017", "layernorm_backward.cu:1018"), UNPUBLISHED),
        10: error(
            "out_of_bounds",
            ("layernorm_backward.cu:1201",),
            "bug: with blocks of 32, the counter lies behind the last byte of shared memory",
            right=False,
        ),
    },
)
kernels(
    "matmul_backward_bias",
    (1, 2, 3, 4, 7, 8, 9),
    "sums of 128 rows of 512",
    (*TOKENS, ("int C = 768;", "int C = 128;"), ("int OC = 768 * 4;", "int OC = 128 * 4;")),
    repeats=2000,
    times=7,
    found={
        7: error(
            "race",
            ("matmul_backward_bias.cu:258", "matmul_backward_bias.cu:262"),
            "bug: warps return before the barrier that should order their additions to shared memory",
        ),
        8: error("undefined", ("matmul_backward_bias.cu:338",), APART, right=False),
        9: error("undefined", ("matmul_backward_bias.cu:410",), APART, right=False),
    },
)
kernels("permute", (1,), "dimensions of 24 x 42 x 20 x 32 exchanged", (), repeats=1000)
kernels("residual_forward", (1, 2), "sums of 16,384 numbers", CHANNELS, repeats=1000)
kernels(
    "softmax_forward",
    (1, 2, 3, 4, 5, 6, 7, 8),
    "softmax of 32 rows of 1,031",
    (("int B = 8;", "int B = 2;"), ("int T = 1024;", "int T = 16;"), ("int V = 50257;", "int V = 1031;")),
    repeats=100,
    found={
        4: error(
            "race",
            ("softmax_forward.cu:268",),
            "bug: sums overwrite the storage of the maxima while other warps may still read the maximum, because a barrier is missing",
            right=False,
        ),
        7: error(
            "race",
            ("softmax_forward.cu:495",),
            "true, and harmless: a load that is clamped to the last element, and whose value is not used, races with the store of its owner",
        ),
    },
)
kernels(
    "attention_forward",
    (1, 2),
    "causal attention, 2 x 2 heads of 64 tokens of 64",
    (*CHANNELS, ("int NH = 12;", "int NH = 2;")),
    repeats=100,
    found={
        2: error(
            "uninitialised",
            ("attention_forward.cu:531",),
            "bug: the output is read before anything was written to it, and multiplied by 0",
        )
    },
)
