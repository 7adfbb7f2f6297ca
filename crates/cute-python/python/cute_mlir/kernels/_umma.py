"""MMAs of Blackwell that one thread issues, ``tcgen05.mma``, their scale factors, and their pipelines."""

from __future__ import annotations

import dataclasses
from typing import Any

from ._machine import Barrier
from ._pipeline import Ring, State
from ._tmem import TensorMemory, ctas_of, tcgen05_after_thread_sync, tcgen05_before_thread_sync
from ._trace import current, fail
from ._values import Dtype, Value
from ._words import scale_parts


def umma(
    shape: tuple[int, int, int],
    types: tuple[Any, Any, Any],
    majors: tuple[str, str] = ("k", "k"),
    ctas: int = 1,
    scales: tuple[Any, int] | None = None,
    tmem: TensorMemory | None = None,
) -> Value:
    """``tcgen05.mma``: shape of an atom, types (A, B, accumulators), and majors of A and B, all in shared memory.

    ``ctas=2`` is a pair of CTAs, whose first one issues; M and N of the shape are those of both. ``scales=(ck.ue8m0, 32)`` is the type of
    scale factors and the elements of K that share one; they lie in ``tmem``. A whole warp calls ``ck.gemm``, and one lane issues.
    """
    elements = [Dtype.of(one).mlir for one in types]
    if (scales is None) != (tmem is None):
        fail("an MMA with scale factors has them in tensor memory: give both scales=(type, elements) and tmem, or neither")
    where = [] if tmem is None else [tmem._pointer("i32")]
    return current().word("umma", where, *shape, *elements, *majors, ctas_of(ctas), *scale_parts(scales))  # type: ignore[no-any-return]


@dataclasses.dataclass(frozen=True)
class ScaleFactors:
    """Scale factors of A or of B of a UMMA: blocks of 512 bytes in shared memory, and their copy in tensor memory.

    A block has four factors for each of 128 rows. ``copy(stage)`` copies those of a stage, ``tcgen05.cp``; ``factors[j]`` are those of the
    MMA that has the j-th part of the K tile.
    """

    values: tuple[Value, ...]

    def copy(self, stage: Any) -> None:
        """Copies a stage to tensor memory, by the warp that multiplies: copies and MMAs execute in the order of issue, without a wait."""
        current().word("copy_factors", [*self.values, stage])

    def __getitem__(self, block: int) -> Value:
        if not isinstance(block, int):
            fail("the number of an MMA along K is static: unroll the loop with Python's range")
        return current().word("scale_factors_of", list(self.values), block)  # type: ignore[no-any-return]


def _scale_factors(which: str, mma: Value, memory: Value, k: int, tmem: TensorMemory, column: int) -> ScaleFactors:
    shape = memory.shape if isinstance(memory, Value) else ()
    stages = shape[-1] if isinstance(shape, tuple) and len(shape) > 1 else None
    if not isinstance(stages, int):
        fail("the blocks of scale factors lie in shared memory, (bytes of a stage, stages), with 512 bytes for 128 rows and four factors of each")
    made = current().word("scale_factors", [mma, memory.iterator, tmem._pointer("i32")], which, k, stages, column)
    return ScaleFactors(made)


def scale_factors_A(mma: Value, memory: Value, k: int, tmem: TensorMemory, column: int) -> ScaleFactors:  # noqa: N802
    """Scale factors of A for a tile of ``k`` elements of K, in ``memory``, (bytes of a stage, stages), and from a column of ``tmem`` on.

    128 rows and four factors of each take four columns.
    """
    return _scale_factors("A", mma, memory, k, tmem, column)


def scale_factors_B(mma: Value, memory: Value, k: int, tmem: TensorMemory, column: int) -> ScaleFactors:  # noqa: N802
    """Scale factors of B, as ``ck.scale_factors_A``."""
    return _scale_factors("B", mma, memory, k, tmem, column)


def bulk_load(source: Value, to: Value, barrier: Barrier) -> None:
    """Copies a contiguous part of global memory to shared memory, as CuTe's ``SM90_BULK_COPY_G2S``; the barrier counts its bytes.

    The bytes are a multiple of 16, as are both addresses. A whole warp calls it, and one lane copies.
    """
    current().word("bulk_load", [source, to, barrier.pointer])


class UmmaRing(Ring):
    """Stages that the TMA fills and UMMAs read: ``PipelineTmaUmmaAsync``. A stage is empty when the UMMAs that read it are complete.

    Of a pair, the first CTA waits, multiplies and releases. ``blocks`` is a mask of the blocks of the cluster that load for it.
    """

    def __init__(self, stages: int, ctas: int = 1, blocks: Any = None) -> None:
        super().__init__(stages)
        self.ctas, self.blocks = ctas, blocks

    def wait(self, state: State) -> None:
        """Waits until the stage is full, in the warp that multiplies."""
        super().wait(state)
        tcgen05_after_thread_sync()

    def release(self, state: State, block: Any = None) -> None:
        """Empties the stage when the UMMAs that this warp has issued so far are complete; that of ``block``, if given."""
        self.empty(state).umma_arrive(self.ctas, self.blocks if block is None else 1 << block)


class AccumulatorRing(Ring):
    """Accumulators that UMMAs fill and an epilogue reads: ``PipelineUmmaAsync``.

    The warp that multiplies is the producer. Of a pair, each CTA reads its half, and releases it to the first one, whose number in the
    cluster is ``leader``; ``blocks`` is a mask of the two.
    """

    def __init__(self, stages: int, ctas: int = 1, blocks: Any = None, leader: Any = None) -> None:
        super().__init__(stages)
        self.ctas, self.blocks, self.leader = ctas, blocks, leader

    def acquire(self, state: State) -> Barrier:
        """Waits until the accumulators have been read, in the warp that multiplies."""
        full = super().acquire(state)
        tcgen05_after_thread_sync()
        return full

    def commit(self, state: State) -> None:
        """Says that the accumulators are full when the UMMAs that this warp has issued so far are complete."""
        self.full(state).umma_arrive(self.ctas, self.blocks)

    def wait(self, state: State) -> None:
        """Waits until the accumulators are full, in the epilogue."""
        super().wait(state)
        tcgen05_after_thread_sync()

    def release(self, state: State, block: Any = None) -> None:
        """Tells the leader, or ``block``, that this thread's loads of the accumulators are over; each thread of the epilogue does."""
        tcgen05_before_thread_sync()
        self.empty(state).arrive(self.leader if block is None else block)
