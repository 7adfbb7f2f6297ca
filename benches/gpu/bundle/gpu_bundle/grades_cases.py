"""The kernels that part (h) asks: its rows, in the order of their worth."""

from __future__ import annotations

from typing import Any

from .grades_case import CONTROL, LEGAL, NEVER, QUESTION, SILENT, Case


def _elected(row: str, flags: str) -> Case:
    claim = "never: devices elect the lowest lane (L1)"
    return Case(row, "elect", flags, claim, SILENT, QUESTION, 8, 264, 10000, block=256, few=(1, 20))


X4 = "portability proxy_order"


def _refill(row: str, flags: str, verdict: str = X4, role: str = QUESTION, **more: Any) -> Case:
    block, rounds = (256 if "other" in flags else 128), (500 if role == CONTROL else 20000)
    claims = {
        QUESTION: "disputed (X4): DeepEP failed on GB200 and the fence cured it; CUTLASS has no fence",
        CONTROL: "often",
        LEGAL: NEVER,
    }
    more |= {"data": "tiles", "details": ("words", "words of the refill")}
    return Case(row, "refill", flags, claims[role], verdict, role, 4, 528, rounds, block=block, **more)


def _fragment(row: str, flags: str, claim: str, verdict: str, role: str = QUESTION, **more: Any) -> Case:
    return Case(row, "fragment", flags, claim, verdict, role, 8192, 264, 20000, **more)


W3 = "portability wgmma"
_W3 = "disputed (W3): a kernel of DeepGEMM had wrong sums on H200; ptxas often repairs"


def _returned(what: str, flag: str, verdict: str = SILENT, claim: str = "", role: str = LEGAL, **more: Any) -> Case:
    row = f"L2: {what} with threads that have returned"
    claim = claim or "never: it ends, and the values are those of the lanes that are left"
    few = (2, 1) if flag == "cluster" else (1, 1)
    return Case(row, "returned", flag, claim, verdict, role, 80, 1056, 1, is_once=True, few=few, **more)


def _address(row: str, flags: str) -> Case:
    claim = "open: the simulator reports a race, and keeps the value of the highest lane"
    details = ("wins of the lowest lane",)
    checked = flags == "shared"
    return Case(
        row,
        "address",
        flags,
        claim,
        "error race",
        QUESTION,
        4,
        264,
        10000,
        few=(1, 20),
        data="warps",
        details=details,
        is_checked=checked,
    )


def _store(row: str, flag: str, claim: str, verdict: str, role: str, rounds: int = 5000) -> Case:
    data = "tiles and results"
    return Case(row, "store", flag, claim, verdict, role, 1024, 264, rounds, data=data, is_checked=True)


def _operand(row: str, flag: str, claim: str, verdict: str, role: str, checked: bool = False) -> Case:
    return Case(row, "operand", flag, claim, verdict, role, 8192, 264, 20000, data="halves", is_checked=checked)


def _message(row: str, flags: str, claim: str, verdict: str, role: str) -> Case:
    return Case(row, "message", flags, claim, verdict, role, 16, 264, 20000, block=32, few=(2, 3), data="pairs")


def _registers(row: str, flag: str, claim: str, verdict: str, role: str) -> Case:
    return Case(row, "registers", flag, claim, verdict, role, 256, 264, 200, block=256, is_once=True)


def _publish(row: str, flag: str, claim: str, verdict: str, role: str, rounds: int = 20000) -> Case:
    return Case(
        row, "publish", flag, claim, verdict, role, 64, 264, rounds, cluster=2, few=(2, 3), is_checked=flag == ""
    )


def _leave(row: str, flag: str, claim: str, verdict: str, role: str) -> Case:
    return Case(
        row,
        "leave",
        flag,
        claim,
        verdict,
        role,
        2048,
        4224,
        1,
        is_once=True,
        few=(2, 1),
        data="stores",
        launches=10,
        second="leave_check",
        more_shared=36 << 10,
    )


def _dependent(row: str, flag: str, claim: str, verdict: str, role: str) -> Case:
    return Case(
        row,
        "dependent_first",
        flag,
        claim,
        verdict,
        role,
        128,
        32,
        1,
        is_once=True,
        data="threads",
        launches=200,
        second="dependent_second",
        is_dependent=True,
    )


_INIT = "never: a barrier of the block is enough (M15)"

#: All cases, those that tell most first, and those that may hang or fail at the end.
CASES: tuple[Case, ...] = (
    _elected("L1: elect.sync elects another lane than the lowest, full mask", "full"),
    _elected("L1: elect.sync elects another lane than the lowest, full mask after lanes were apart", "diverged"),
    _elected("L1: elect.sync elects another lane than the lowest, random masks", "random"),
    _refill("X4: refill by the same warp, values used before the arrival", "", is_checked=True),
    _refill("X4: refill by the same warp, values used after the refill is issued", "late"),
    _refill("X4: refill by another warp, values used before the arrival", "other"),
    _refill("X4: refill by another warp, values used after the arrival", "other late"),
    _refill("X4: refill from shared memory by the same warp, values used late", "near late"),
    _refill("X4: refill from shared memory by another warp, values used late", "other near late"),
    _refill("X4, legal: refill by the same warp, with the fence, values used late", "fence late", SILENT, LEGAL),
    _refill(
        "X4, control: the warp arrives before it reads",
        "early",
        "error race, portability proxy_order",
        CONTROL,
        is_checked=True,
    ),
    _fragment(
        "W3: A in registers is loaded anew before the wait",
        "",
        _W3,
        W3,
        is_unrepaired=True,
        is_checked=True,
    ),
    _fragment("W3: the same, ptxas -O1", "", _W3, W3, option="-O1", is_unrepaired=True),
    _fragment("W3: the same, ptxas -O0", "", _W3, W3, option="-O0"),
    _fragment("W3: A is loaded anew without a branch", "plain", _W3, W3),
    _fragment("W3, legal: A is loaded anew after the wait", "after", NEVER, SILENT, LEGAL),
    _fragment("W3, control: A is replaced before the MMAs", "replaced", "always", SILENT, CONTROL),
    _fragment("W3: sums are read before the wait", "read", "never: ptxas inserts a wait (C7517)", "error wgmma"),
    _fragment("W2: no wgmma.fence", "unfenced", "never: ptxas inserts it (C7519)", "error wgmma"),
    _returned("bar.sync", "block", is_checked=True),
    _returned("bar.sync with the count of the warps that are left", "count", is_checked=True),
    _returned("vote.sync.ballot", "vote"),
    _returned("match.any.sync", "match"),
    _returned("redux.sync.add", "redux"),
    _returned("shfl.sync.bfly", "shuffle"),
    _returned("barrier.cluster", "cluster", cluster=2),
    _returned(
        "bar.warp.sync",
        "warp",
        "portability returned_lanes",
        "never: code of nvcc relies on it",
        QUESTION,
        is_checked=True,
    ),
    _address("lanes of one st.shared, random masks: another than the highest wins", "shared"),
    _address("lanes of one st.shared, full mask: another than the highest wins", "shared all"),
    _address("lanes of one st.global, random masks: another than the highest wins", "global"),
    _address("lanes of one st.global, full mask: another than the highest wins", "global all"),
    Case(
        "M15: an mbarrier that is initialised without a fence, arrivals after bar.sync",
        "init",
        "",
        _INIT,
        SILENT,
        LEGAL,
        128,
        264,
        4000,
        details=("waits that do not end",),
        is_checked=True,
    ),
    Case(
        "M15: an mbarrier that is initialised without a fence, bulk copy at once",
        "init_copy",
        "",
        _INIT,
        SILENT,
        LEGAL,
        128,
        264,
        4000,
        data="tiles",
        details=("waits that do not end",),
        is_checked=True,
    ),
    Case(
        "M15: an mbarrier that is initialised without a fence, bulk copy by another warp",
        "init_copy",
        "other",
        _INIT,
        SILENT,
        LEGAL,
        128,
        264,
        4000,
        data="tiles",
        details=("waits that do not end",),
    ),
    _dependent("C7: a read before griddepcontrol.wait is old", "early", "often (an error)", "error race", CONTROL),
    _dependent("C7, legal: a read after griddepcontrol.wait", "", NEVER, SILENT, LEGAL),
    _message("C10: a relaxed flag without fences", "", "it may be old (an error)", "error race", QUESTION),
    _message("C10: a fence before the flag is set only", "writer", "it may be old (an error)", "error race", QUESTION),
    _message("C10: a fence after the flag is read only", "reader", "it may be old (an error)", "error race", QUESTION),
    _message("C10, legal: both fences", "writer reader", NEVER, SILENT, LEGAL),
    _operand("X1: wgmma, the fences come after the barrier", "another", "none known", X4, QUESTION),
    _operand("X1: wgmma, no fence", "neither", "it may be old (an error)", "error unfenced", QUESTION, True),
    _operand("X2: wgmma of bytes that cp.async wrote, no fence", "copied", "none known", "note proxy_order", QUESTION),
    _operand("X1, legal: wgmma, each writer fences", "own", NEVER, SILENT, LEGAL),
    _operand(
        "X1, control: B is written after the wgmma is issued", "apart", "often", "error race, error unfenced", CONTROL
    ),
    _store("X1: bulk store, the storing thread fences", "another", "none known", X4, QUESTION),
    _store("X1: bulk store, no fence", "neither", "it may be old (an error)", "error unfenced", QUESTION),
    _store(
        "X2: bulk store of bytes that cp.async wrote, no fence", "copied", "none known", "note proxy_order", QUESTION
    ),
    _store("X1, legal: bulk store, each writer fences", "own", NEVER, SILENT, LEGAL),
    _store("X1, control: bulk store without the barrier", "apart", "often", "error race, error unfenced", CONTROL, 200),
    _leave("X6: a block returns before its bulk store has read", "", "none known", "note unfinished", QUESTION),
    _leave("X6, control: the block writes over the source", "over", "often", "error race, note unfinished", CONTROL),
    _publish(
        "M14: a write to a peer, arrival of the scope of the block",
        "",
        "it may be old (an error)",
        "error race",
        QUESTION,
    ),
    _publish("M14, legal: the same with the scope of the cluster", "cluster", NEVER, SILENT, LEGAL),
    _publish("M14, control: the thread arrives before it writes", "apart", "often", "error race", CONTROL, 500),
    _registers("C5, legal: setmaxnreg by all warps", "", NEVER, SILENT, LEGAL),
    _registers(
        "C6: setmaxnreg without a bound", "unbounded", "never: ptxas ignores it", "note unbounded_registers", LEGAL
    ),
    _registers(
        "C5: setmaxnreg by one lane of each warp", "lane", "none known", "portability registers_apart", QUESTION
    ),
    _registers(
        "C5: setmaxnreg by one warp of each warpgroup", "warp", "none known", "portability registers_apart", QUESTION
    ),
    Case(
        "L1: a kernel whose leader must be thread 0 of those elected",
        "elect_leader",
        "",
        "never: it ends (L1)",
        "portability elected_lane",
        QUESTION,
        1,
        264,
        1000,
    ),
    _returned(
        "bar.warp.sync in two branches",
        "warp apart",
        "portability returned_lanes",
        "unknown (L2): ptxas leaves out the barrier of lanes that run together, but not this one",
        QUESTION,
    ),
    _returned("elect.sync", "elect", "error divergence", "open: undefined by the ISA (an error)", QUESTION),
    Case(
        "M15, control: arrivals without bar.sync",
        "init",
        "apart",
        "often",
        "error mbarrier, error race",
        CONTROL,
        128,
        264,
        20,
        details=("waits that do not end",),
        is_checked=True,
    ),
    Case(
        "M15, control: bulk copy by another warp without bar.sync",
        "init_copy",
        "apart",
        "often",
        "error mbarrier, error race",
        CONTROL,
        128,
        264,
        20,
        data="tiles",
        details=("waits that do not end",),
    ),
    Case(
        "C2: an arrival at a block that has returned",
        "exited",
        "",
        "open: the launch fails, or nothing happens (an error)",
        "error exited",
        QUESTION,
        0.5,
        2,
        1,
        cluster=2,
        few=(2, 1),
        is_once=True,
    ),
    _returned(
        "bar.sync whose count includes a warp",
        "short",
        "error returned_threads",
        "it does not end (an error)",
        QUESTION,
        is_checked=True,
    ),
)
