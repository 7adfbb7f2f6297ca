"""Rings of stages, as ordinary Python on the other words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._flow import If, select
from ._machine import Barrier, Barriers, elected, fence_async, mbarriers, sync_threads, warp as warp_of_thread
from ._tma import Boxes, tma_commit, tma_wait


@dataclasses.dataclass(frozen=True)
class State:
    """A stage of a ring, and the parity of its barriers. A loop carries it."""

    stage: Any
    phase: Any
    ring: Ring

    def next(self) -> State:
        """The state one stage further on; the parity changes where the ring begins anew."""
        after = self.stage + 1
        wraps = after == self.ring.stages
        return State(select(wraps, 0, after), select(wraps, self.phase ^ 1, self.phase), self.ring)


class Ring:
    """Stages with two barriers each: ``full`` says that a stage has its bytes, ``empty`` that its readers have finished."""

    def __init__(self, stages: int) -> None:
        self.stages = stages
        self.fulls: Barriers = mbarriers(stages)
        self.empties: Barriers = mbarriers(stages)

    def init(self, consumers: int, producers: int = 1) -> None:
        """Sets the numbers of arrivals; one thread does it, and ``ck.fence_barriers()`` follows."""
        from ._flow import For, range as range_of

        loop = For(range_of(self.stages), "stage", (), [])
        for stage in loop:
            self.fulls[stage].init(producers)
            self.empties[stage].init(consumers)
            loop.leave([])

    def producer(self) -> State:
        """The first state of the producer, to whom all stages are empty."""
        return State(0, 1, self)

    def consumer(self) -> State:
        """The first state of a consumer."""
        return State(0, 0, self)

    def full(self, state: State) -> Barrier:
        """The barrier that a stage is full."""
        return self.fulls[state.stage]

    def empty(self, state: State) -> Barrier:
        """The barrier that a stage is empty."""
        return self.empties[state.stage]

    def acquire(self, state: State) -> Barrier:
        """Of the producer: waits until the stage is empty. Returns the barrier that its loads fill."""
        self.empty(state).wait(state.phase)
        return self.full(state)

    def load(self, state: State, tile: Any, *boxes: Boxes, mask: Any = None) -> None:
        """Of the producer, one warp: loads a tile of each of these boxes into a stage, once it is empty."""
        full = self.acquire(state)
        with elected():
            full.expect(sum(one.bytes for one in boxes))
        for one in boxes:
            one.load(tile, state.stage, full, mask)

    def wait(self, state: State) -> None:
        """Of a consumer: waits until the stage is full."""
        self.full(state).wait(state.phase)

    def release(self, state: State, block: Any = None) -> None:
        """Of a consumer: its reads of the stage are over. With ``block``, it tells that block of the cluster, which loads into it, too."""
        self.empty(state).arrive(block)

    def drain(self, state: State) -> None:
        """Waits until all stages are empty, at the end of the producer, so that no consumer arrives at a block that has returned.

        ``state`` is the one after the last stage that was filled.
        """
        from ._flow import For, range as range_of

        loop = For(range_of(self.stages), "stage", ("state",), [state])
        for _ in loop:
            (at,) = loop.enter([state])
            self.empty(at).wait(at.phase)
            loop.leave([at.next()], (1,))


class StoreRing:
    """Stages of shared memory from which the TMA stores, as CUTLASS's ``PipelineTmaStore``.

    All ``threads`` of an epilogue write a stage, which one warp, number ``warp`` of the block, stores:

        for part in range(parts):
            with stores.stage(boxes, part) as stage:
                ck.copy(.., memory[.., stage])
        stores.tail()

    ``barrier`` is the number of a barrier of these threads, from 1 on.
    """

    def __init__(self, stages: int, threads: int, warp: int = 0, barrier: int = 1) -> None:
        self.stages, self.threads, self.warp, self.barrier = stages, threads, warp, barrier

    @contextmanager
    def _first_warp(self) -> Iterator[None]:
        branch = If(warp_of_thread() == self.warp, (), [])
        yield
        branch.leave([])
        branch.leave([])

    @contextmanager
    def stage(self, boxes: Boxes, number: Any, tile: Any = None) -> Iterator[Any]:
        """The stage that part ``number`` of the tile has, when the TMA has read what was there.

        After the block of ``with``, the part is stored, or ``tile`` of the boxes.
        """
        with self._first_warp():
            tma_wait(self.stages - 1)
        sync_threads(self.barrier, self.threads)
        stage = number % self.stages
        yield stage
        fence_async()
        sync_threads(self.barrier, self.threads)
        with self._first_warp():
            boxes.store(number if tile is None else tile, stage)
            tma_commit()

    def tail(self) -> None:
        """Waits until the TMA has read all stages: before the memory is used for something else, or the block ends."""
        with self._first_warp():
            tma_wait()
