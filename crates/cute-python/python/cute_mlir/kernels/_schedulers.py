"""Which tiles a block computes: tile schedulers, as ordinary Python on the other words.

A kernel walks its tiles in the same way by each of them, and all warps of a block walk the same tiles:

    tiles = ck.PersistentTileScheduler((tiles_m, tiles_n))
    work = tiles.first()
    while work.is_valid:
        m, n = work.at
        ..
        work = tiles.next(work)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import _ops
from ._flow import If, select
from ._machine import block, cluster_block, elected, fence_async, grid_dim, sync_warp
from ._pipeline import Ring, State
from ._trace import current, fail
from ._values import Value, binary


@dataclasses.dataclass(frozen=True)
class WorkTile:
    """A tile of a cluster of blocks, by its number. A loop carries it."""

    number: Any
    state: State | None
    tiles: StaticTileScheduler

    @property
    def is_valid(self) -> Any:
        """Whether there is such a tile."""
        return self.tiles._is_valid(self.number)

    @property
    def at(self) -> tuple[Any, Any]:
        """The coordinate (m, n) of the tile, in tiles: of the first block's, if a cluster has several."""
        return self.tiles._at(self.number)


class StaticTileScheduler:
    """One tile per cluster: the grid has as many clusters along x as there are tiles.

    ``tiles`` is the number of tiles along M and N, and ``cluster`` that of blocks in a cluster, all of them along x. The tiles go down M,
    ``group`` rows of tiles at a time if that is given, so that neighbours share what they load: CUTLASS's ``max_swizzle_size``.
    """

    def __init__(self, tiles: tuple[Any, Any], cluster: int = 1, group: int | None = None) -> None:
        if not isinstance(tiles, tuple) or len(tiles) != 2:
            fail(f"a scheduler has the numbers of tiles along M and N, (tiles_m, tiles_n), found {tiles!r}")
        if group is not None and (not isinstance(group, int) or group < 1):
            fail(f"group is a positive number of rows of tiles, found {group!r}")
        self.tiles, self.cluster, self.group = tiles, cluster, group
        self.count = tiles[0] * tiles[1]

    def first(self) -> WorkTile:
        """The first tile of this block."""
        return WorkTile(self._clusters(block.x), None, self)

    def next(self, work: WorkTile) -> WorkTile:
        """The tile after another one."""
        return dataclasses.replace(work, number=work.number - work.number + self.count)

    def ask(self, work: WorkTile) -> None:
        """Asks for the next tile ahead of time, by one warp: a scheduler without requests does nothing."""

    def _clusters(self, blocks: Any) -> Any:
        return blocks if self.cluster == 1 else binary("div_unsigned", blocks, self.cluster)

    def _is_valid(self, number: Any) -> Any:
        return number < self.count

    def _at(self, number: Any) -> tuple[Any, Any]:
        m, n = self.tiles
        if self.group is None:
            return binary("rem_unsigned", number, m), binary("div_unsigned", number, m)
        of_group = self.group * n
        first = binary("div_unsigned", number, of_group) * self.group
        rows = select(m - first < self.group, m - first, self.group) if isinstance(m, Value) else binary("min", m - first, self.group)
        inside = binary("rem_unsigned", number, of_group)
        return first + binary("rem_unsigned", inside, rows), binary("div_unsigned", inside, rows)


class PersistentTileScheduler(StaticTileScheduler):
    """Tiles in steps of the grid: cluster c has tiles c, c + clusters, c + 2 clusters, .. The grid has any number of blocks along x."""

    def next(self, work: WorkTile) -> WorkTile:
        return dataclasses.replace(work, number=work.number + self._clusters(grid_dim.x))


class ClcTileScheduler(StaticTileScheduler):
    """Tiles by cluster launch control, from sm_100a on: the grid is that of the static scheduler, and a cluster that runs takes the tiles of
    clusters that have not begun.

    One thread calls ``init`` before a fence and a barrier, as for a ring, with the number of warps that walk tiles, over all blocks of
    the cluster. Each of these warps calls ``next``, and one warp of each block calls ``ask`` at the beginning of a tile.
    """

    def __init__(self, tiles: tuple[Any, Any], cluster: int = 1, group: int | None = None, stages: int = 2) -> None:
        super().__init__(tiles, cluster, group)
        self._responses = current().word("shared", [], "static", "i128", 16, "", f"{stages}:1")
        self._ring = Ring(stages)

    def init(self, warps: int) -> None:
        """Sets the number of warps that read a response."""
        self._ring.init(consumers=warps)

    def first(self) -> WorkTile:
        return dataclasses.replace(super().first(), state=self._ring.consumer())

    @contextmanager
    def _in_first(self) -> Iterator[None]:
        """In the first block of the cluster only."""
        if self.cluster == 1:
            yield
        else:
            branch = If(cluster_block.x == 0, (), [])
            yield
            branch.leave([])
            branch.leave([])

    def ask(self, work: WorkTile) -> None:
        state = work.state
        assert state is not None
        full = self._ring.full(state)
        with self._in_first():
            self._ring.empty(state).wait(state.phase ^ 1)
        with elected():
            full.expect(16)
            with self._in_first():
                trace = current()
                response = trace.word("add_offset", [self._responses.iterator, state.stage])
                trace.word("try_cancel", [response, full.pointer], "all" if self.cluster > 1 else "own")

    def next(self, work: WorkTile) -> WorkTile:
        trace, state = current(), work.state
        assert state is not None
        self._ring.wait(state)
        response = self._responses[state.stage]
        x = trace.word("query_cancel", [response], "get_first_cta_id_x", "i32")
        number = select(trace.word("query_cancel", [response], "is_canceled", "i1"), self._clusters(x), -1)
        # The async proxy writes the next response, after the reads of all lanes.
        fence_async()
        sync_warp()
        with elected():
            self._ring.empty(state).arrive(None if self.cluster == 1 else 0)
        number = _ops.nvgpu_arch_make_warp_uniform(number, result="i32")
        return dataclasses.replace(work, number=number, state=state.next())

    def _is_valid(self, number: Any) -> Any:
        # A refusal is the tile -1.
        return number >= 0
