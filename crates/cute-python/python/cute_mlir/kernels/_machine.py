"""Words on the machine: indices, barriers, fences, shuffles, mathematics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import _ops
from ._flow import If, truth
from ._trace import current, fail
from ._values import Value, binary, is_vector


class _Register:
    """A special register with three axes: ``ck.thread.x``."""

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def x(self) -> Value:
        return current().word("register", [], f"{self._name}.x")  # type: ignore[no-any-return]

    @property
    def y(self) -> Value:
        return current().word("register", [], f"{self._name}.y")  # type: ignore[no-any-return]

    @property
    def z(self) -> Value:
        return current().word("register", [], f"{self._name}.z")  # type: ignore[no-any-return]


#: threadIdx, blockIdx, gridDim and blockDim, and the place of a block in its cluster.
thread, block, grid_dim, block_dim = _Register("tid"), _Register("ctaid"), _Register("nctaid"), _Register("ntid")
cluster_block, cluster_dim = _Register("cluster.ctaid"), _Register("cluster.nctaid")


def lane() -> Value:
    """The lane of the thread in its warp."""
    return current().word("register", [], "laneid")  # type: ignore[no-any-return]


def warp() -> Value:
    """The number of the thread's warp in its block, which the compiler knows to be the same in the whole warp.

    The lanes agree on it by a shuffle: all of them reach the call, so that it stands outside of a branch for some lanes.
    """
    return current().word("warp", [thread.x])  # type: ignore[no-any-return]


def warpgroup(number: Any) -> Value:
    """The first thread of a warpgroup of consumers, for partitions that are the same for all its threads."""
    return current().word("warpgroup_coord", [number])  # type: ignore[no-any-return]


def sync() -> None:
    """``__syncthreads()``: a barrier of the block."""
    current().op("nvvm.barrier0", [], {}, [])


def sync_threads(barrier: Any, threads: int) -> None:
    """A barrier of some threads of the block, by its number from 1 on."""
    current().word("named_barrier", [barrier], threads)


def arrive_threads(barrier: Any, threads: int) -> None:
    """Arrives at such a barrier without waiting."""
    current().word("named_arrival", [barrier], threads)


def sync_warp() -> None:
    """``__syncwarp()``."""
    current().word("warp_barrier")


def sync_cluster(publish: bool = True) -> None:
    """A barrier of the cluster, after which earlier writes are visible if it publishes them."""
    current().word("cluster_barrier", [], "publishes" if publish else "relaxed")


def arrive_cluster(publish: bool = True) -> None:
    """``cluster_arrive()``, or ``cluster_arrive_relaxed()`` if it does not publish earlier writes."""
    current().word("cluster_arrival", [], "publishes" if publish else "relaxed")


def wait_cluster() -> None:
    """``cluster_wait()``: waits for the threads of the cluster that have not arrived yet."""
    current().word("cluster_wait")


def elect() -> Value:
    """True in one lane of the warp: ``elect.sync``."""
    return current().op("nvvm.elect.sync", [], {}, ["i1"])  # type: ignore[no-any-return]


@contextmanager
def elected() -> Iterator[None]:
    """``with ck.elected():`` runs its block in one lane of the warp; inside of another one, in the lane that runs it already."""
    trace = current()
    if trace.in_elected:
        yield
        return
    branch = If(elect(), (), [])
    trace.in_elected = True
    try:
        yield
    finally:
        trace.in_elected = False
    branch.leave([])
    branch.leave([])


def registers(count: int) -> None:
    """Takes or gives back registers, so that each thread of the warpgroup has this number: ``setmaxnreg``; less than 128 gives back."""
    current().word("registers", [], "decrease" if count < 128 else "increase", count)


# mbarriers.


class Barriers:
    """mbarriers in shared memory, ``ck.mbarriers(4)``; ``full[stage]`` is one of them."""

    def __init__(self, count: int = 1) -> None:
        trace = current()
        self.count = count
        memory = trace.word("shared", [], "static", "i64", 8, "", f"{count}:1")
        self.first = memory.iterator

    def __getitem__(self, stage: Any) -> Barrier:
        trace = current()
        if isinstance(stage, int):
            if not 0 <= stage < self.count:
                fail(f"there are {self.count} barriers, from 0 on, but not one with number {stage}")
            return Barrier(self.first if stage == 0 else trace.word("add_offset", [self.first], stage))
        return Barrier(trace.word("add_offset", [self.first, stage]))


def _is_cluster(scope: str) -> bool:
    if scope not in ("block", "cluster"):
        fail(f'the scope of an mbarrier is "block" or "cluster", not {scope!r}')
    return scope == "cluster"


def block_mask(blocks: Any) -> Value:
    """A mask of blocks of the cluster: bit i is block i."""
    if isinstance(blocks, int) and not 0 < blocks < 1 << 16:
        fail(f"a mask of blocks has 16 bits, of which one is set at least, found {blocks}")
    mask: Value = current().word("integer", [], "i16", blocks) if isinstance(blocks, int) else blocks.to("i16")
    return mask


class Barrier:
    """One mbarrier."""

    def __init__(self, pointer: Value) -> None:
        self.pointer = pointer

    def init(self, arrivals: int) -> None:
        """Sets the number of arrivals that end a phase; one thread does it, and ``ck.fence_barriers()`` follows."""
        current().word("barrier_init", [self.pointer], arrivals)

    def wait(self, parity: Any, scope: str = "block") -> None:
        """Waits until the phase of this parity has ended.

        With scope "cluster", the thread sees what threads of other blocks wrote here before they arrived with that scope.
        """
        current().word("barrier_wait_in_cluster" if _is_cluster(scope) else "barrier_wait", [self.pointer, parity])

    def arrive(self, block: Any = None, scope: str = "block") -> None:
        """Arrives; at the same barrier of another block of the cluster, if one is given.

        With scope "cluster", threads of that block see what this thread wrote before.
        """
        if _is_cluster(scope):
            if block is None:
                fail('arrive(scope="cluster") is for the barrier of another block: give its number in the cluster')
            return current().word("barrier_publish", [self.pointer, block])  # type: ignore[no-any-return]
        current().word("barrier_arrive", [self.pointer] + ([] if block is None else [block]))

    def arrive_copies(self) -> None:
        """Arrives when the ``cp.async`` that this thread has begun have completed: ``cpasync_barrier_arrive_noinc``."""
        trace = current()
        trace.op("nvvm.cp.async.mbarrier.arrive", [trace.word("address", [self.pointer])], {"noinc": "true"}, [])

    def expect(self, size: int) -> None:
        """Arrives, and expects this number of bytes."""
        current().word("barrier_expect", [self.pointer], size)

    def umma_arrive(self, ctas: int = 1, blocks: Any = None) -> None:
        """Arrives when the UMMAs and copies to tensor memory that the warp's elected lane has issued are complete: ``tcgen05.commit``.

        A whole warp calls it. With ``blocks``, a mask, it arrives in these blocks of the cluster: ``umma_arrive_multicast``.
        """
        with elected():
            current().word("barrier_commit", [self.pointer] + ([] if blocks is None else [block_mask(blocks)]), ctas)


def mbarriers(count: int = 1) -> Barriers:
    """mbarriers in shared memory."""
    return Barriers(count)


def fence_barriers() -> None:
    """Makes initialised mbarriers visible to the TMA and to other blocks: ``fence.mbarrier_init``."""
    current().op("nvvm.fence.mbarrier.init", [], {}, [])


def fence_async() -> None:
    """Makes this thread's writes to shared memory visible to the TMA and the tensor cores: ``fence.proxy.async``."""
    current().word("fence_for_tma")


# cp.async and wgmma.


def cp_async_commit() -> None:
    """Ends a group of ``cp.async``."""
    current().op("nvvm.cp.async.commit.group", [], {}, [])


def cp_async_wait(pending: int) -> None:
    """Waits until only the newest ``pending`` groups of this thread may go on."""
    current().op("nvvm.cp.async.wait.group", [], {"n": f"{pending} : i32"}, [])


def wgmma_fence() -> None:
    """Orders the registers and shared memory of a wgmma after what was written to them."""
    current().op("nvvm.wgmma.fence.aligned", [], {}, [])


def wgmma_commit() -> None:
    """Ends a group of wgmma."""
    current().op("nvvm.wgmma.commit.group.sync.aligned", [], {}, [])


def wgmma_wait(pending: int) -> None:
    """Waits until only the newest ``pending`` groups of wgmma may go on."""
    current().op("nvvm.wgmma.wait.group.sync.aligned", [], {"group": f"{pending} : i64"}, [])


# Between lanes.


def _shuffle(kind: str, x: Value, by: Any, clamp: int) -> Value:
    trace = current()
    if not isinstance(x, Value) or x.kind not in ("i32", "f32"):
        fail(f"a shuffle moves an i32 or f32, not {getattr(x, 'kind', x)!r}")
    return trace.op("nvvm.shfl.sync", [-1, x, by, clamp], {"kind": f"#nvvm<shfl_kind {kind}>"}, [x.kind])  # type: ignore[no-any-return]


def shuffle_xor(x: Value, mask: Any) -> Value:
    """The value of the lane whose number differs by these bits."""
    return _shuffle("bfly", x, mask, 31)


def shuffle_down(x: Value, by: Any) -> Value:
    """The value of the lane this number further on; the own one at the end."""
    return _shuffle("down", x, by, 31)


def shuffle_up(x: Value, by: Any) -> Value:
    """The value of the lane this number before; the own one at the beginning."""
    return _shuffle("up", x, by, 0)


def shuffle(x: Value, lane_: Any) -> Value:
    """The value of a lane."""
    return _shuffle("idx", x, lane_, 31)


def warp_sum(x: Value) -> Value:
    """The sum over the lanes of a warp, in each of them."""
    for by in (16, 8, 4, 2, 1):
        x = x + shuffle_xor(x, by)
    return x


def warp_max(x: Value) -> Value:
    """The maximum over the lanes of a warp, in each of them."""
    for by in (16, 8, 4, 2, 1):
        x = binary("max", x, shuffle_xor(x, by))
    return x


def ballot(condition: Any) -> Value:
    """A bit per lane of the warp: whether its condition is true."""
    trace = current()
    return trace.op("nvvm.vote.sync", [-1, truth(condition)], {"kind": "#nvvm<vote_sync_kind ballot>"}, ["i32"])  # type: ignore[no-any-return]


def first_bit(bits: Value) -> Value:
    """The number of the lowest bit that is 1; 32 if there is none."""
    return current().op("math.cttz", [bits])  # type: ignore[no-any-return]


# Mathematics.


def _math(op: str, x: Any, fast: bool) -> Value:
    trace = current()
    attributes = {"fastmath": "#arith.fastmath<fast>"} if fast else {}
    return trace.op(op, [x], attributes)  # type: ignore[no-any-return]


def exp2(x: Value, fast: bool = False) -> Value:
    """2 to the power x; one instruction if ``fast``."""
    return _math("math.exp2", x, fast)


def log2(x: Value, fast: bool = False) -> Value:
    return _math("math.log2", x, fast)


def sqrt(x: Value, fast: bool = False) -> Value:
    return _math("math.sqrt", x, fast)


def maximum(x: Any, y: Any) -> Value:
    """The larger one of two numbers, or of each pair of elements; ``max`` in a kernel is the same."""
    return binary("max", x, y)


def minimum(x: Any, y: Any) -> Value:
    """The smaller one."""
    return binary("min", x, y)


def rsqrt(x: Value, fast: bool = False) -> Value:
    return _math("math.rsqrt", x, fast)


def tanh(x: Value, fast: bool = False) -> Value:
    return _math("math.tanh", x, fast)


def reduce(x: Value, how: str = "add") -> Value:
    """The sum, or the maximum or minimum, of the elements of a vector: "add", "max" or "min"."""
    if not is_vector(x):
        fail(f"ck.reduce takes a vector, not {getattr(x, 'kind', x)!r}")
    element = x.dtype.mlir
    integer = element.startswith("i")
    kind = {"add": "add", "max": "maxsi" if integer else "maxnumf", "min": "minsi" if integer else "minnumf"}.get(how)
    if kind is None:
        fail(f'ck.reduce knows "add", "max" and "min", not "{how}"')
    return current().op("vector.reduction", [x], {"kind": f"#vector.kind<{kind}>"}, [element])  # type: ignore[no-any-return]


def printf(text: str, *given: Any) -> None:
    """Prints numbers at run time; each ``{}`` of the text is one."""
    trace = current()
    values = [one for one in given if isinstance(one, Value)]
    for one in values:
        if one.kind not in ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"):
            fail(f"ck.printf prints numbers, not a {one.kind}")
    import json

    _ops.print(values, fmt=json.dumps(text))
