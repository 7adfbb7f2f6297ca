"""The builders of kernels, with their options. Written by generate_builders.py; do not edit.

Each function returns a :class:`Kernel`, whose ``text`` is cute IR, and whose :meth:`Kernel.grid` computes the blocks of a
launch from its arguments, where the kernel has no host function that does.
"""

from __future__ import annotations

from typing import Literal, Optional

from ._compiler import Kernel, build_kernel

__all__ = [
    "dequantize",
    "gemm_simt",
    "gemm_sm100",
    "gemm_sm120",
    "gemm_sm80",
    "gemm_sm90",
    "layernorm",
    "quantize",
]


def gemm_sm80(
    target: Optional[str] = None,
    *,
    types: Literal["f16", "bf16", "tf32", "s8"] = "f16",
    m_tile: int = 128,
    n_tile: int = 128,
    k_tile: Optional[int] = None,
    stages: int = 4,
    m_warps: int = 2,
    n_warps: int = 2,
    a_major: Literal["k", "m"] = "k",
    b_major: Literal["k", "n"] = "k",
    aligned: bool = False,
    copy: Literal["cp.async", "tma"] = "cp.async",
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """D = alpha A B^T + beta C by mma.sync: A (M,K), B (N,K), C and D (M,N), the last mode contiguous unless
    a_major or b_major chooses another.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``types`` - Types of A and B, and of the accumulators: f16, bf16, tf32, s8
    * ``m_tile`` - Rows of A that a block multiplies: 16 to 512, a multiple of 16
    * ``n_tile`` - Rows of B that a block multiplies: 16 to 512, a multiple of 16
    * ``k_tile`` - Columns of A and B in a stage: 8 to 1024, a multiple of 8 [default: 64 bytes]
    * ``stages`` - K tiles in shared memory: 2 to 16
    * ``m_warps`` - Warps along M: 1 to 16
    * ``n_warps`` - Warps along N: 1 to 16
    * ``a_major`` - The contiguous mode of A (M,K): k, m
    * ``b_major`` - The contiguous mode of B (N,K): k, n
    * ``aligned`` - M, N and K are multiples of the tile: no predicates
    * ``copy`` - How tiles are loaded to shared memory: cp.async, tma
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "gemm_sm80",
        target,
        types=types,
        m_tile=m_tile,
        n_tile=n_tile,
        k_tile=k_tile,
        stages=stages,
        m_warps=m_warps,
        n_warps=n_warps,
        a_major=a_major,
        b_major=b_major,
        aligned=aligned,
        copy=copy,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def gemm_sm90(
    target: Optional[str] = None,
    *,
    types: Literal["f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "mxf8", "mxf8-e5m2", "mxf6-e2m3", "mxf6-e3m2", "mxf4", "nvf4"] = "bf16",
    out: Optional[Literal["f16", "bf16", "f32", "e4m3", "s32", "mxf8", "mxf4", "nvf4"]] = None,
    m_tile: int = 128,
    n_tile: int = 256,
    k_tile: Optional[int] = None,
    stages: Optional[int] = None,
    consumers: Optional[int] = None,
    schedule: Literal["cooperative", "pingpong"] = "cooperative",
    m_cluster: int = 2,
    n_cluster: int = 1,
    promote: Optional[int] = None,
    alpha: bool = False,
    beta: bool = False,
    bias: bool = False,
    activation: Optional[Literal["relu", "gelu", "silu"]] = None,
    batch: bool = False,
    a_major: Literal["k", "m"] = "k",
    b_major: Literal["k", "n"] = "k",
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """D = act(alpha A B^T + beta C + bias) by the TMA and wgmma. alpha, beta C, bias and act are there if the kernel was built with them.
    A is (M,K), B (N,K), C and D (M,N), bias (N). The last mode is contiguous unless a_major or b_major chooses another; with batch all
    have a further mode L. Rows (or columns, if those are contiguous) and the matrices of a batch begin at multiples of 16 bytes.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``types`` - Types of A and B: f16, bf16, tf32, e4m3, e5m2, s8, mxf8, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2, mxf4, nvf4
    * ``out`` - Type of D [default: that of A for f16 and bf16, otherwise that of the accumulators]: f16, bf16, f32, e4m3, s32, mxf8, mxf4, nvf4
    * ``m_tile`` - Rows of A per block: 64 to 512, a multiple of 64
    * ``n_tile`` - Rows of B per block: 32 to 256, a multiple of 32
    * ``k_tile`` - Columns of A and B per stage: 8 to 1024, a multiple of 8 [default: 128 bytes]
    * ``stages`` - K tiles in shared memory: 2 to 16 [default: as many as fit]
    * ``consumers`` - Warpgroups that multiply, each 64 rows of a tile at once: 1 to 3 [default: 2, or 1 for a cooperative tile of 64 rows]
    * ``schedule`` - How warpgroups share the work: cooperative, pingpong
    * ``m_cluster`` - Blocks of a cluster along M, which share tiles of B: 1 to 4, a power of two
    * ``n_cluster`` - Blocks of a cluster along N, which share tiles of A: 1 to 4, a power of two
    * ``promote`` - Number of K tiles of f8 after which accumulators are added to a total in f32, because the tensor cores keep fewer bits than f32: 1 to 65536 [default: never]
    * ``alpha`` - Scales D by alpha, an f32 given at run time
    * ``beta`` - Adds C (M,N), of D's type, scaled by beta, an f32 given at run time
    * ``bias`` - Adds a vector (N) of f32 to each row of D
    * ``activation`` - The function that is applied to D last: relu, gelu, silu
    * ``batch`` - Multiplies a batch of matrices: A (M,K,L), B (N,K,L), C and D (M,N,L), bias (N,L)
    * ``a_major`` - The contiguous mode of A (M,K): k, m
    * ``b_major`` - The contiguous mode of B (N,K): k, n
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "gemm_sm90",
        target,
        types=types,
        out=out,
        m_tile=m_tile,
        n_tile=n_tile,
        k_tile=k_tile,
        stages=stages,
        consumers=consumers,
        schedule=schedule,
        m_cluster=m_cluster,
        n_cluster=n_cluster,
        promote=promote,
        alpha=alpha,
        beta=beta,
        bias=bias,
        activation=activation,
        batch=batch,
        a_major=a_major,
        b_major=b_major,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def gemm_sm100(
    target: Optional[str] = None,
    *,
    types: Literal["f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "mxf8", "mxf8-e5m2", "mxf6-e2m3", "mxf6-e3m2", "mxf4", "nvf4"] = "bf16",
    out: Optional[Literal["f16", "bf16", "f32", "e4m3", "s32", "mxf8", "mxf4", "nvf4"]] = None,
    b_types: Optional[Literal["f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "mxf8", "mxf8-e5m2", "mxf6-e2m3", "mxf6-e3m2", "mxf4", "nvf4"]] = None,
    ctas: int = 2,
    m_tile: int = 256,
    n_tile: int = 256,
    k_tile: Optional[int] = None,
    stages: Optional[int] = None,
    m_cluster: Optional[int] = None,
    n_cluster: int = 1,
    scheduler: Literal["static", "clc"] = "static",
    alpha: bool = False,
    beta: bool = False,
    bias: bool = False,
    activation: Optional[Literal["relu", "gelu", "silu"]] = None,
    batch: bool = False,
    a_major: Literal["k", "m"] = "k",
    b_major: Literal["k", "n"] = "k",
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """D = act(alpha A B^T + beta C + bias) by the TMA and tcgen05.mma. alpha, beta C, bias and act are there if the kernel was built with them.
    A is (M,K), B (N,K), C and D (M,N), bias (N). The last mode is contiguous unless a_major or b_major chooses another; with batch all
    have a further mode L. mxf8, mxf4 and nvf4 have scale factors SFA and SFB: blocks of 512 bytes (256,2), each for 128 rows and four factors
    along K as tcgen05.mma takes them, (256,2,rows / 128,factors / 4), adjacent along K. Factors beyond K must not be NaN.
    With out mxf8, mxf4 or nvf4, D is quantized, and its factors SFD are written in the same blocks, four along N each; with nvf4, D and
    SFD are those of `norm_constant` D. Rows (or columns, if those are contiguous) and the matrices of a batch begin at multiples of 16 bytes.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``types`` - Types of A and B: f16, bf16, tf32, e4m3, e5m2, s8, mxf8, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2, mxf4, nvf4
    * ``out`` - Type of D [default: that of A for f16 and bf16, otherwise that of the accumulators]: f16, bf16, f32, e4m3, s32, mxf8, mxf4, nvf4
    * ``b_types`` - Types of B, if they are not those of A: mx types by each other, e4m3 by e5m2: f16, bf16, tf32, e4m3, e5m2, s8, mxf8, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2, mxf4, nvf4
    * ``ctas`` - Blocks that multiply one tile, 2 for a pair: 1 to 2
    * ``m_tile`` - Rows of A per MMA, 64 or 128 for one block, 128 or 256 for a pair: 64 to 256, a power of two
    * ``n_tile`` - Rows of B per MMA; tensor memory holds two tiles of D, or one of 256 columns beside scale factors: 32 to 256, a multiple of 32
    * ``k_tile`` - Columns of A and B per stage: 8 to 1024, a multiple of 8 [default: 128 bytes]
    * ``stages`` - K tiles in shared memory: 2 to 16 [default: as many as fit]
    * ``m_cluster`` - Blocks of a cluster along M; every second block shares tiles of B in a pair: 1 to 4, a power of two [default: one block or pair]
    * ``n_cluster`` - Blocks of a cluster along N, which share tiles of A: 1 to 4, a power of two
    * ``scheduler`` - How clusters share tiles out: static, clc
    * ``alpha`` - Scales D by alpha, an f32 given at run time
    * ``beta`` - Adds C (M,N), of D's type, scaled by beta, an f32 given at run time
    * ``bias`` - Adds a vector (N) of f32 to each row of D
    * ``activation`` - The function that is applied to D last: relu, gelu, silu
    * ``batch`` - Multiplies a batch of matrices: A (M,K,L), B (N,K,L), C and D (M,N,L), bias (N,L)
    * ``a_major`` - The contiguous mode of A (M,K): k, m
    * ``b_major`` - The contiguous mode of B (N,K): k, n
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "gemm_sm100",
        target,
        types=types,
        out=out,
        b_types=b_types,
        ctas=ctas,
        m_tile=m_tile,
        n_tile=n_tile,
        k_tile=k_tile,
        stages=stages,
        m_cluster=m_cluster,
        n_cluster=n_cluster,
        scheduler=scheduler,
        alpha=alpha,
        beta=beta,
        bias=bias,
        activation=activation,
        batch=batch,
        a_major=a_major,
        b_major=b_major,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def gemm_sm120(
    target: Optional[str] = None,
    *,
    types: Literal["f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "mxf8", "mxf8-e5m2", "mxf6-e2m3", "mxf6-e3m2", "mxf4", "nvf4"] = "bf16",
    out: Optional[Literal["f16", "bf16", "f32", "e4m3", "s32", "mxf8", "mxf4", "nvf4"]] = None,
    m_tile: int = 128,
    n_tile: int = 128,
    k_tile: Optional[int] = None,
    stages: Optional[int] = None,
    m_groups: int = 1,
    n_groups: int = 2,
    alpha: bool = False,
    beta: bool = False,
    bias: bool = False,
    activation: Optional[Literal["relu", "gelu", "silu"]] = None,
    batch: bool = False,
    a_major: Literal["k", "m"] = "k",
    b_major: Literal["k", "n"] = "k",
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """D = act(alpha A B^T + beta C + bias) by the TMA and mma.sync. alpha, beta C, bias and act are there if the kernel was built with them.
    A is (M,K), B (N,K), C and D (M,N), bias (N). The last mode is contiguous unless a_major or b_major chooses another; with batch all
    have a further mode L. mxf8, mxf4 and nvf4 have scale factors SFA and SFB: blocks of 512 bytes (256,2), each for 128 rows and four factors
    along K, (256,2,rows / 128,factors / 4), adjacent along K. Factors beyond K must not be NaN. Rows (or columns, if those are contiguous)
    and the matrices of a batch begin at multiples of 16 bytes.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``types`` - Types of A and B: f16, bf16, tf32, e4m3, e5m2, s8, mxf8, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2, mxf4, nvf4
    * ``out`` - Type of D [default: that of A for f16 and bf16, otherwise that of the accumulators]: f16, bf16, f32, e4m3, s32, mxf8, mxf4, nvf4
    * ``m_tile`` - Rows of A per block: 64 to 256, a multiple of 64
    * ``n_tile`` - Rows of B per block: 32 to 256, a multiple of 32
    * ``k_tile`` - Columns of A and B per stage: 8 to 256, a multiple of 8 [default: 64 bytes, or 128 of mxf8]
    * ``stages`` - K tiles in shared memory: 2 to 16 [default: as many as fit]
    * ``m_groups`` - Warpgroups along M, each of which multiplies 64 rows of a tile at once: 1 to 4, a power of two
    * ``n_groups`` - Warpgroups along N, each of which multiplies an equal part of the columns: 1 to 4, a power of two
    * ``alpha`` - Scales D by alpha, an f32 given at run time
    * ``beta`` - Adds C (M,N), of D's type, scaled by beta, an f32 given at run time
    * ``bias`` - Adds a vector (N) of f32 to each row of D
    * ``activation`` - The function that is applied to D last: relu, gelu, silu
    * ``batch`` - Multiplies a batch of matrices: A (M,K,L), B (N,K,L), C and D (M,N,L), bias (N,L)
    * ``a_major`` - The contiguous mode of A (M,K): k, m
    * ``b_major`` - The contiguous mode of B (N,K): k, n
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "gemm_sm120",
        target,
        types=types,
        out=out,
        m_tile=m_tile,
        n_tile=n_tile,
        k_tile=k_tile,
        stages=stages,
        m_groups=m_groups,
        n_groups=n_groups,
        alpha=alpha,
        beta=beta,
        bias=bias,
        activation=activation,
        batch=batch,
        a_major=a_major,
        b_major=b_major,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def gemm_simt(
    target: Optional[str] = None,
    *,
    m_tile: int = 128,
    n_tile: int = 128,
    k_tile: int = 8,
    stages: int = 3,
    aligned: bool = False,
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """D = alpha A B^T + beta C in f32 on 16 x 16 threads: A (M,K), B (N,K), C and D (M,N), the last mode contiguous.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``m_tile`` - Rows of A that a block multiplies: 64 to 384, a multiple of 64
    * ``n_tile`` - Rows of B that a block multiplies: 64 to 384, a multiple of 64
    * ``k_tile`` - Columns of A and B in a stage: 2 to 8, a power of two
    * ``stages`` - K tiles in shared memory: 2 to 16
    * ``aligned`` - M, N and K are multiples of the tile: no predicates
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "gemm_simt",
        target,
        m_tile=m_tile,
        n_tile=n_tile,
        k_tile=k_tile,
        stages=stages,
        aligned=aligned,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def layernorm(
    target: Optional[str] = None,
    *,
    columns: int = 1024,
    warps: int = 4,
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """Y = (X - mean) / sqrt(variance + eps) * gamma + beta, each row of X (rows, columns) by a warp.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``columns`` - Columns: 128 to 8192, a multiple of 128
    * ``warps`` - Warps per block, with one row each: 1 to 32
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "layernorm",
        target,
        columns=columns,
        warps=warps,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def quantize(
    target: Optional[str] = None,
    *,
    format: Literal["mxf8-e4m3", "mxf8-e5m2", "mxf6-e2m3", "mxf6-e3m2", "mxf4", "nvf4"] = "mxf8-e4m3",
    from_: Literal["f32", "f16", "bf16"] = "f32",
    rows: int = 32,
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """Q S = X: X (rows,K) as small floats Q, with a scale factor S for every 32 elements of a row, or for every 16 (nvf4).

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``format`` - Elements and scale factors: mxf8-e4m3, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2, mxf4, nvf4
    * ``from_`` - Type of X: f32, f16, bf16
    * ``rows`` - Rows per block: 8 to 128, a power of two
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "quantize",
        target,
        format=format,
        from_=from_,
        rows=rows,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )


def dequantize(
    target: Optional[str] = None,
    *,
    format: Literal["mxf8-e4m3", "mxf8-e5m2", "mxf6-e2m3", "mxf6-e3m2", "mxf4", "nvf4"] = "mxf8-e4m3",
    to: Literal["f32", "f16", "bf16"] = "f32",
    rows: int = 32,
    abi: Optional[Literal["dsl", "flat"]] = None,
    runtime_checks: Optional[bool] = None,
    fast_math: Optional[bool] = None,
    fmad: Optional[bool] = None,
    libdevice: Optional[str] = None,
    max_registers: Optional[int] = None,
    lineinfo: Optional[bool] = None,
) -> Kernel:
    """Y = Q S: the numbers (rows,K) that small floats Q and their scale factors S stand for, as `cutec build quantize` makes them. With nvf4
    they are divided by `scale`. K and the pitches of Q and Y are multiples of 16.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the one with the most shared memory.

    * ``format`` - Elements and scale factors: mxf8-e4m3, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2, mxf4, nvf4
    * ``to`` - Type of Y: f32, f16, bf16
    * ``rows`` - Rows per block: 8 to 128, a power of two
    * ``abi`` - How kernels receive their arguments [default: dsl for kernels of CuTe DSL (cuda.kernel), flat for others]: dsl, flat
    * ``runtime_checks`` - Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold
    * ``fast_math`` - Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero
    * ``fmad`` - Contract a product and the sum that it is used in to one fused multiply-add
    * ``libdevice`` - CUDA's libdevice.10.bc, for math that PTX has no instruction for. With "none", or if there is none, polynomials are used for f32, and other math is an error [default: the one next to ptxas]
    * ``max_registers`` - Limit of registers per thread, for kernels without an nvvm.maxnreg of their own: 16 to 255 [default: no limit]
    * ``lineinfo`` - Let PTX and cubin name the lines of FILE
    """
    return build_kernel(
        "dequantize",
        target,
        format=format,
        to=to,
        rows=rows,
        abi=abi,
        runtime_checks=runtime_checks,
        fast_math=fast_math,
        fmad=fmad,
        libdevice=libdevice,
        max_registers=max_registers,
        lineinfo=lineinfo,
    )
