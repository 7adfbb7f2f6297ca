"""Tiles that the TMA moves, on the host and in the kernel."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ._machine import Barrier, block_mask
from ._trace import current, fail
from ._values import Dtype, Value

if TYPE_CHECKING:
    from ._tensor_map import TensorMap


@dataclasses.dataclass(frozen=True)
class TmaTile:
    """A tile (rows, columns) in shared memory as the TMA and wgmma take it, with the widest swizzle that fits."""

    dtype: Any
    rows: int
    columns: int
    major: str = "k"

    @property
    def _parts(self) -> tuple[Any, ...]:
        return (Dtype.of(self.dtype).mlir, self.rows, self.columns, self.major)

    @property
    def bytes(self) -> int:
        """Bytes of one tile."""
        return self.rows * self.columns * Dtype.of(self.dtype).bits // 8

    def shared(self, stages: int | None = None) -> Value:
        """Shared memory for the tile, (rows, columns), or for several, (rows, columns, stages)."""
        trace = current()
        return trace.word("shared_tile", [], trace.memory, "" if stages is None else stages, *self._parts)  # type: ignore[no-any-return]


@dataclasses.dataclass(frozen=True)
class Tma:
    """A descriptor of a matrix that the host made, and the tensor of its coordinates."""

    atom: Value
    coords: Value
    is_load: bool
    tile: TmaTile

    def prefetch(self) -> None:
        """Loads the descriptor into the cache."""
        current().word("tma_prefetch", [self.atom])


def make_tma_load(matrix: Value, tile: TmaTile, multicast: int = 1, ctas: int = 1) -> Tma:
    """On the host: the descriptor that loads tiles of a matrix, for ``multicast`` blocks each.

    With ``ctas=2``, the barrier of the first CTA of a pair counts the bytes of both: ``SM100_TMA_2SM_LOAD``.
    """
    if ctas not in (1, 2):
        fail(f"a barrier counts the bytes of its CTA, or of a pair of CTAs: ctas is 1 or 2, found {ctas!r}")
    atom, coords = current().word("tma_load", [matrix], ctas, multicast, *tile._parts)
    return Tma(atom, coords, True, tile)


def make_tma_store(matrix: Value, tile: TmaTile) -> Tma:
    """On the host: the descriptor that stores tiles of a matrix."""
    atom, coords = current().word("tma_store", [matrix], *tile._parts)
    return Tma(atom, coords, False, tile)


@dataclasses.dataclass(frozen=True)
class Boxes:
    """Tiles of a matrix and their place in shared memory, cut into the boxes of the TMA: the result of ``tma_partition``."""

    atom: Value
    tensor: Value
    memory: Value
    is_load: bool
    #: Bytes of a tile.
    bytes: int
    #: The map of a ``ck.TensorMap``.
    map: Value | None = None

    def load(self, tile: Any, stage: Any, barrier: Barrier, mask: Any = None) -> None:
        """Begins to load a tile into a stage; the barrier counts its bytes. ``mask`` has a bit for each block that receives them."""
        if not self.is_load:
            fail("this descriptor stores; ck.make_tma_load makes one that loads")
        tensor = self.tensor if tile is None else self.tensor[None, tile]
        memory = self.memory if stage is None else self.memory[None, stage]
        more = {name: one for name, one in (("map", self.map), ("mask", None if mask is None else block_mask(mask))) if one is not None}
        current().word("tma_copy", [self.atom, tensor, memory, barrier.pointer, *more.values()], *more)

    def store(self, tile: Any = None, stage: Any = None) -> None:
        """Begins to store a tile from a stage, or the only one."""
        if self.is_load:
            fail("this descriptor loads; ck.make_tma_store makes one that stores")
        tensor = self.tensor if tile is None else self.tensor[None, tile]
        memory = self.memory if stage is None else self.memory[None, stage]
        current().word("tma_copy_out", [self.atom, tensor, memory, *([] if self.map is None else [self.map])])


def tma_partition(tma: Tma | TensorMap, tiles: Value, memory: Value, rank: Any = None, blocks: int = 1) -> Boxes:
    """The tiles ``(rows, columns, ..)`` of ``tma.coords``, and their shared memory, as boxes.

    Where ``blocks`` of a cluster load a tile for all of them, ``rank`` is this one's number: it has that part of each tile.
    """
    if (rank is None) != (blocks == 1):
        fail("a tile that several blocks load together needs both: the rank of this block, and the number of blocks")
    made = current().word("tma_partition", [tma.atom, memory, tiles] + ([] if rank is None else [rank]), blocks)
    atom, tensor, in_memory = made
    own = None if isinstance(tma, Tma) else tma.pointer
    return Boxes(atom, tensor, in_memory, tma.is_load, tma.tile.bytes, own)


def tma_commit() -> None:
    """Ends a group of stores by the TMA."""
    current().word("commit_stores")


def tma_wait(pending: int = 0) -> None:
    """Waits until the TMA has read the sources of all but the newest groups of stores."""
    current().word("wait_for_stores", [], pending)
