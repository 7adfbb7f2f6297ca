"""A case of part (h): a kernel, what it asks of a device, and what our documents claim.

A kernel has three parameters: eight counters of 64 bits, an array of words, and a number of rounds. It
counts in counter 0 how often it saw what the row asks for, and in counter 1 how often it looked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Roles. A question has an open answer; a control must see failures, or a 0 of its neighbours means
#: nothing; a legal kernel must see none.
QUESTION, CONTROL, LEGAL = "question", "control", "legal"

SILENT = "silent"
NEVER = "never"


@dataclass(frozen=True)
class Case:
    """A kernel and its launch."""

    #: What is asked; the name of the row.
    row: str
    #: The file of makers/ptx, and the flags of this variant.
    file: str
    flags: str
    #: What our documents claim that a device does.
    claim: str
    #: Grades and kinds of all findings of the simulator.
    verdict: str
    role: str
    #: How often one block looks in one round.
    looks: float
    grid: int
    rounds: int
    block: int = 128
    cluster: int = 1
    #: Blocks and rounds in the simulator, and under compute-sanitizer.
    few: tuple[int, int] = (1, 3)
    data: str = "none"
    #: Looks do not depend on the rounds.
    is_once: bool = False
    #: The number of launches; each is given its own number as `rounds`.
    launches: int = 0
    #: A second kernel, which is launched after the first: it looks at what that left.
    second: str = ""
    #: The second kernel may begin before the first has ended.
    is_dependent: bool = False
    #: Bytes of shared memory that the launch adds, so that fewer blocks fit a multiprocessor.
    more_shared: int = 0
    #: Names of the counters from 2 on.
    details: tuple[str, ...] = ()
    #: An option of ptxas.
    option: str = ""
    #: Whether ptxas must leave the kernel as it is, without inserted waits.
    is_unrepaired: bool = False
    #: Whether compute-sanitizer is asked about it too.
    is_checked: bool = False

    @property
    def stem(self) -> str:
        """The name of its files."""
        return "-".join([self.file, *self.flags.split(), *([self.option.strip("-")] if self.option else [])])

    @property
    def second_stem(self) -> str:
        """The name of the second kernel's files."""
        return "-".join([self.second, *self.flags.split()]) if self.is_dependent else self.second

    def total(self, grid: int, rounds: int) -> int:
        """How often a launch looks."""
        return int(self.looks * grid * (self.launches or 1) * (1 if self.is_once else rounds))


def words(case: Case, grid: int) -> np.ndarray:
    """The array that a kernel gets."""
    places = np.arange(4096)
    tiles = ((places >> 10 << 16) | (places & 1023)).astype(np.uint32)
    if case.data == "tiles":
        return tiles
    if case.data == "tiles and results":
        return np.concatenate([tiles, np.zeros(grid * 1024, np.uint32)])
    if case.data == "halves":
        # 1, 2, 3, 4 as pairs of f16.
        return np.repeat(np.array([0x3C003C00, 0x40004000, 0x42004200, 0x44004400], np.uint32), 1024)
    sizes = {"none": 1, "pairs": grid * 128, "warps": grid * 256, "threads": grid * 128, "stores": grid * 2048}
    return np.zeros(sizes[case.data], np.uint32)
