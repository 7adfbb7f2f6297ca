"""The cases of each module, and what is known about it: its target, its schedules and its mistakes."""

from .attention import (attention_gradient, pointer_attention, quantised_attention, rmsnorm, silu_attention, softmax_attention, state_space,
                        tiled_attention)
from .conversions import allocator, convert, e2m1, greeting, int4, pack, votes
from .matrices import add, apply_add, batched_gemm, gemm, gemm_of_pointers, grouped_gemm, long_gemm, scaled_gemm, sgemm

MN = [(2, 1, 0), (2, 1, 0), (2, 0, 1)]
KK = [(2, 0, 1), (2, 0, 1), (2, 0, 1)]


def sizes(m, n, k, l):
    return {"m": m, "n": n, "k": k, "l": l}


# M and N are multiples of 128 for all that have no store by the TMA: they write whole tiles of C.
TF32 = [(128, 128, 32, 1), (256, 128, 104, 2)]

# The cases of each module, by the name of its file without `.mlir`.
CASES = {
    "ampere.elementwise_add": lambda: [add(16, 128), add(37, 130), add(1, 1)],
    "ampere.elementwise_apply": lambda: [apply_add()],
    "ampere.sgemm": lambda: [sgemm(256), sgemm(512)],
    "ampere.tensorop_gemm": lambda: [gemm(128, 128, 32, 1), gemm(200, 136, 40, 2), gemm(8, 8, 8, 1)],
    "ampere.call_bypass_dlpack": lambda: [
        gemm_of_pointers(*shape, MN, sizes(*shape)) for shape in [(128, 128, 32, 1), (200, 136, 40, 2)]],
    "ampere.call_from_jit": lambda: [gemm_of_pointers(512, 256, 128, 16, KK, {})],
    "ampere.flash_attention_v2": lambda: [
        softmax_attention(1, 128, 64, 1, False), softmax_attention(2, 130, 70, 1, False)],
    "ampere.hstu_attention": lambda: [silu_attention(64), silu_attention(128)],
    "ampere.inline_ptx": lambda: [votes()],
    "ampere.smem_allocator": lambda: [allocator()],
    "ampere.dynamic_smem_size": lambda: [greeting()],
    # Each block makes several tiles. Where K has few tiles, the next tile's first values overwrite those that the TMA still stores: only
    # the ring of K tiles makes the other warps wait for the one that stores.
    "blackwell_geforce.dense_gemm": lambda: [
        gemm(64, 64, 64, 1), gemm(40, 24, 33, 1), gemm(128, 72, 384, 1), gemm(136, 64, 321, 2)],
    "blackwell.fp16_gemm_0": lambda: [long_gemm(128)],
    "blackwell.fp16_gemm_1": lambda: [long_gemm(256)],
    "blackwell.dense_gemm": lambda: [gemm(*shape, "f32") for shape in TF32],
    "blackwell.dense_gemm_software_pipeline": lambda: [gemm(*shape, "f32") for shape in TF32],
    "blackwell.dense_gemm_persistent": lambda: [batched_gemm(*shape) for shape in TF32],
    "blackwell.dense_gemm_persistent_prefetch": lambda: [batched_gemm(*shape) for shape in TF32],
    "blackwell.dense_gemm_persistent_dynamic": lambda: [batched_gemm(*shape) for shape in TF32],
    "blackwell.dense_gemm_alpha_beta_persistent": lambda: [scaled_gemm(*shape, 0.5, -2.0) for shape in TF32],
    "blackwell.grouped_gemm": lambda: [grouped_gemm((128, 128, 128), (128, 128, 128)), grouped_gemm((120, 88, 200), (8, 128, 512))],
    "blackwell.fmha": lambda: [pointer_attention(1, 256, 128, 1, 1), pointer_attention(2, 256, 256, 1, 2)],
    "blackwell.fmha_bwd": lambda: [attention_gradient(128, 128, 1, 1), attention_gradient(128, 256, 2, 1)],
    "blackwell.mamba2_ssd": lambda: [state_space(1, 1, 1), state_space(2, 2, 1)],
    "blackwell.mixed_input_fmha_prefill": lambda: [quantised_attention(256, 256, 1, 1), quantised_attention(128, 512, 1, 2)],
    "blackwell.programmatic_dependent_launch": lambda: [add(16, 128), add(37, 130)],
    # A block normalises two rows. Where the last has one, the kernel reads shared memory for the other, which nobody wrote.
    "blackwell.rmsnorm": lambda: [rmsnorm(2), rmsnorm(6)],
    "blackwell.blockwise_gemm": lambda: [convert("f32", "f8E4M3FN", s) for s in [(4, 512, 1), (3, 700, 2)]],
    "blackwell.mla": lambda: [convert("f32", "f8E4M3FN", s) for s in [(4, 512, 1), (3, 704, 2)]],
    "blackwell.dense_blockscaled_gemm_persistent": lambda: [pack(s, 1, e2m1) for s in [(4, 1024, 1), (3, 1400, 2)]],
    "blackwell.grouped_mixed_input_gemm": lambda: [pack(s, 0, int4) for s in [(1024, 4, 1), (1400, 3, 2)]],
    "hopper.dense_gemm": lambda: [gemm(128, 128, 64, 1), gemm(200, 136, 328, 2), gemm(8, 8, 8, 1)],
    "hopper.dense_gemm_persistent": lambda: [gemm(128, 128, 64, 1), gemm(200, 136, 328, 2), gemm(8, 8, 8, 1)],
    # This one has no mask: keys beyond the end would count as zeros, so that there are whole tiles of 128.
    "hopper.fmha.0.dsl44": lambda: [tiled_attention(64, 128, 1, 1), tiled_attention(200, 256, 2, 2)],
    "hopper.fmha": lambda: [convert("f16", "f32", s) for s in [(4, 256, 1, 1, 1), (3, 300, 2, 2, 1)]],
}

# The feature that a target must have beyond the default one.
TARGETS = {"blackwell.dense_blockscaled_gemm_persistent": "sm_100a", "blackwell_geforce.dense_gemm": "sm_120a"}
TENSOR_MEMORY = [f"blackwell.{name}" for name in
                 ["fp16_gemm_0", "fp16_gemm_1", "dense_gemm", "dense_gemm_software_pipeline", "dense_gemm_persistent",
                  "dense_gemm_persistent_prefetch", "dense_gemm_persistent_dynamic", "dense_gemm_alpha_beta_persistent", "grouped_gemm",
                  "fmha", "fmha_bwd", "mamba2_ssd", "mixed_input_fmha_prefill"]]
TARGETS |= dict.fromkeys(TENSOR_MEMORY, "sm_100a")

# One thread of each warp signals that its warp has read a tile of C, and nothing orders the reads of the other lanes before the signal:
# races are not looked for.
WITH_A_RACE = ["blackwell.dense_gemm_alpha_beta_persistent", "blackwell.fmha_bwd", "blackwell.mixed_input_fmha_prefill"]

# Mistakes of kernels, each by its op and what is said of it: under the first schedule, exactly these must be found in the first case.
# The numbers are compared without looking for races, under schedules that hide the mistakes.
MISTAKES = {
    # Warps that sum dQ still read tensor memory when another one frees it.
    "blackwell.fmha_bwd": ("lazy", {
        ("nvvm.tcgen05.dealloc", "nothing orders it with the asynchronous write by thread (384, 0, 0)"),
        ("nvvm.tcgen05.ld", "columns 256 to 287 of tensor memory are no longer allocated")}),
    # Blocks of a cluster signal what they have written for the MMA by arrivals without `.cluster`, and one warp frees the tensor memory
    # from which others still read their rows of O.
    "blackwell.mixed_input_fmha_prefill": ("lazy", {
        ("nvvm.tcgen05.mma", "an mbarrier orders what blocks of a cluster write only where its arrivals and waits say `.release.cluster`"),
        ("nvvm.tcgen05.dealloc", "nothing orders it with the asynchronous read by thread")}),
}

# Places where a kernel initialises an mbarrier again; exactly so many must be found. As such an op ends the run of its block, it is
# removed from a copy of the module, which is then run again, until none is found.
REPEATED_INITS = {"blackwell.mixed_input_fmha_prefill": 4}

# Kernels whose copies take their own time run in several orders.
ORDERS = ["lazy", "eager", "reverse", "1", "2"]
SCHEDULES = {name: ORDERS for name in
             ["blackwell_geforce.dense_gemm", "hopper.dense_gemm", "hopper.dense_gemm_persistent", "hopper.fmha.0.dsl44",
              *TENSOR_MEMORY]}
SCHEDULES |= {"blackwell.fmha_bwd": ["eager", "1", "2"], "blackwell.mixed_input_fmha_prefill": ["lazy", "reverse"]}
