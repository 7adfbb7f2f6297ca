"""Rings of stages, as ordinary Python on the other words."""

from __future__ import annotations

import dataclasses
from typing import Any

from ._flow import select
from ._machine import Barrier, Barriers, elected, mbarriers
from ._tma import Boxes


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

    def release(self, state: State) -> None:
        """Of a consumer: its reads of the stage are over."""
        self.empty(state).arrive()

