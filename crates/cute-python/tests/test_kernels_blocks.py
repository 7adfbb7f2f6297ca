"""Kernels in Python whose blocks work together: schedulers of tiles, clusters, atomics, launches that overlap."""

import dataclasses
import importlib.util

import pytest
from conftest import needs_compiler

np = pytest.importorskip("numpy")
pytestmark = needs_compiler

if importlib.util.find_spec("cute_mlir_compiler"):
    from cute_mlir import kernels as ck

    Ints, Floats = ck.Tensor[ck.i32, "?:1"], ck.Tensor[ck.f32, "?:1"]
    Counts = ck.Tensor[ck.i32, "(?,?):(?,1)"]
else:
    ck = None


def walked(make, grid, cluster=None, target=None, shape=(5, 3)):
    """How often each tile is computed, and the number of the block that computes it, by a kernel that walks tiles."""

    @ck.kernel(block=64, cluster=cluster, target=target)
    def walk(times: Counts, order: Counts):
        tiles = make((ck.size(times, 0), ck.size(times, 1)))
        if isinstance(tiles, ck.ClcTileScheduler):
            if ck.thread.x == 0:
                tiles.init(2 * tiles.cluster)
                ck.fence_barriers()
            if tiles.cluster > 1:
                ck.sync_cluster()
            ck.sync()
        warp, count = ck.warp(), 0
        work = tiles.first()
        while work.is_valid:
            if warp == 0:
                tiles.ask(work)
            m, n = work.at
            if ck.thread.x == 0:
                ck.atomic_add(times, (m, n), 1)
                ck.atomic_store(order, (m, n), count)
            count += 1
            work = tiles.next(work)
        if tiles.cluster > 1:
            ck.sync_cluster()

    times, order = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    walk(times, order, grid=grid)
    return times, order


def test_each_scheduler_computes_each_tile_once():
    times, order = walked(ck.StaticTileScheduler, 15)
    assert (times == 1).all() and not order.any()
    times, order = walked(ck.PersistentTileScheduler, 4)
    assert (times == 1).all()
    # Tiles go down M: tile 5 n + m is the one with number (5 n + m) // 4 of its block.
    assert (order == (np.arange(5)[:, None] + 5 * np.arange(3)) // 4).all()
    times, _ = walked(ck.ClcTileScheduler, 15, target="sm_100a")
    assert (times == 1).all()


def test_blocks_of_a_cluster_walk_the_same_tiles():
    times, _ = walked(lambda tiles: ck.PersistentTileScheduler(tiles, cluster=2), 4, cluster=2)
    assert (times == 2).all()
    times, _ = walked(lambda tiles: ck.ClcTileScheduler(tiles, cluster=2), 30, cluster=2, target="sm_100a")
    assert (times == 2).all()


def test_groups_of_rows_come_first():
    @ck.kernel(block=32)
    def number(places: Counts):
        tiles = ck.StaticTileScheduler((ck.size(places, 0), ck.size(places, 1)), group=2)
        if ck.thread.x == 0:
            places[tiles.first().at] = ck.block.x

    places = np.zeros((5, 3), np.int32)
    number(places, grid=15)
    assert places.tolist() == [[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11], [12, 13, 14]]


def test_stores_to_another_block_count_bytes():
    @ck.kernel(block=32, cluster=2)
    def swap(x: Floats):
        got, full = ck.shared(ck.f32, "(4,32):(1,4)"), ck.mbarriers()[0]
        rank, t = ck.cluster_block.x, ck.thread.x
        if t == 0:
            full.init(1)
            ck.fence_barriers()
            full.expect(32 * 16)
        ck.sync_cluster()
        mine = x[ck.block.x * 32 + t]
        ck.store_shared_remote(got, (None, t), ck.vector(mine, mine + 1.0, mine + 2.0, 7), full, rank ^ 1)
        full.wait(0, scope="cluster")
        x[ck.block.x * 32 + t] = got[0, t] + got[1, t] * 1000.0 + got[3, t] * 1000000.0
        ck.sync_cluster()

    x = np.arange(64, dtype=np.float32)
    swap(x, grid=2)
    other = np.roll(np.arange(64), 32)
    assert (x == (other + (other + 1) * 1000 + 7000000).astype(np.float32)).all()


def test_a_push_without_an_arrival_of_the_cluster_is_a_race():
    @ck.kernel(block=32, cluster=2)
    def push(x: Ints):
        slot, full = ck.shared(ck.i32, "1:1"), ck.mbarriers()[0]
        if ck.thread.x == 0:
            full.init(1)
            ck.fence_barriers()
        ck.sync_cluster()
        if ck.thread.x == 0:
            other = ck.cluster_block.x ^ 1
            ck.map_shared_rank(slot, other)[0] = x[ck.block.x]
            full.arrive(other)
        full.wait(0)
        x[ck.block.x] = slot[0]

    report = push.simulate(np.arange(2, dtype=np.int32), grid=2)
    line = push.function.__code__.co_firstlineno
    assert {one.kind for one in report.findings} == {"race"}
    assert {one.place.line - line for one in report.findings} & {9, 12}


def test_atomics_have_orders_and_scopes():
    @ck.kernel(block=64)
    def all_of_them(x: Ints, out: Ints):
        t = ck.thread.x
        ck.atomic_max(out, 0, x[t])
        ck.atomic_min(out, 1, x[t], scope="block")
        ck.atomic_exchange(out, 2, 5, order="acq_rel")
        # A message from the last thread to the first.
        if t == 63:
            out[3] = 11
            ck.fence()
            ck.atomic_store(out, 4, 1, order="relaxed")
        if t == 0:
            while ck.atomic_load(out, 4, order="relaxed") == 0:
                pass
            ck.fence()
            out[5] = out[3]

    x, out = np.arange(64, dtype=np.int32) * 3 - 50, np.zeros(6, np.int32)
    all_of_them(x, out, grid=1)
    assert out.tolist() == [139, -50, 5, 11, 1, 11]
    text = all_of_them.ptx
    for word in ("atom.global.max.s32", "atom.global.min.s32", "fence.release.gpu", "fence.acquire.gpu", "st.relaxed.gpu", "ld.relaxed.gpu"):
        assert word in text, word


def test_a_semaphore_gives_blocks_turns():
    def append(orders):
        @ck.kernel(block=32)
        def write(out: Ints, turns: Ints):
            semaphore, block = ck.Semaphore(turns, 0), ck.block.x
            if orders:
                semaphore.wait(block)
            if ck.thread.x == 0:
                out[0] = out[0] * 3 + block
            semaphore.release(block + 1)

        return write

    out = np.zeros(1, np.int32)
    append(True)(out, np.zeros(1, np.int32), grid=4)
    assert out[0] == 1 * 9 + 2 * 3 + 3
    assert "race" in {one.kind for one in append(False).simulate(out, np.zeros(1, np.int32), grid=4).findings}


def test_a_programmatic_launch_waits():
    def pair(waits):
        @ck.kernel(block=32)
        def first(x: Ints):
            ck.launch_dependent_grids()
            x[ck.thread.x] = ck.thread.x

        @ck.kernel(block=32)
        def second(x: Ints):
            if waits:
                ck.wait_on_dependent_grids()
            x[ck.thread.x] = x[ck.thread.x] + 1

        @ck.host(target="sm_90a")
        def run(x: Ints):
            first.launch(1, x)
            second.launch(1, x, programmatic=True)

        return run

    x = np.zeros(32, np.int32)
    pair(True)(x)
    assert x.tolist() == list(range(1, 33))
    assert {one.kind for one in pair(False).simulate(x).findings} == {"race"}


def test_open_layouts_have_no_bank_conflicts():
    def transpose(auto):
        @ck.kernel(block=128)
        def turn(A: ck.Tensor[ck.f32, "(32,32):(32,1)"], B: ck.Tensor[ck.f32, "(32,32):(32,1)"]):
            copy = ck.make_tiled_copy(ck.universal_copy(ck.f32), "(4,32):(32,1)", "(8,1):(1,0)")
            tile, t = ck.shared(ck.f32, (32, 32), auto=auto), ck.thread.x
            ck.copy(copy, ck.partition_S(copy, A, t), ck.partition_D(copy, tile, t))
            ck.sync()
            turned = ck.composition(tile, "(32,32):(32,1)")
            ck.copy(copy, ck.partition_S(copy, turned, t), ck.partition_D(copy, B, t))

        return turn

    A, B = np.arange(1024, dtype=np.float32).reshape(32, 32), np.zeros((32, 32), np.float32)
    transpose(True)(A, B, grid=1)
    assert (B == A.T).all()
    assert "auto" in transpose(True).mlir and "auto" not in transpose(False).mlir
    assert transpose(True).ptx != transpose(False).ptx


@pytest.mark.parametrize("releases", [True, False])
def test_cp_async_fills_a_ring_of_stages(releases):
    @ck.kernel(block=64)
    def move(x: ck.Tensor[ck.f32, "(?,128):(128,1)"], out: ck.Tensor[ck.f32, "(?,128):(128,1)"]):
        t, memory, ring = ck.lane(), ck.shared(ck.f32, "(128,2):(1,128)"), ck.Ring(2)
        warp = ck.warp()
        if ck.thread.x == 0:
            ring.init(consumers=1, producers=32)
        ck.sync()
        fetch = ck.make_tiled_copy(ck.cp_async(ck.f32, 128), "32:1", "4:1")
        if warp == 0:
            state, into = ring.producer(), ck.partition_D(fetch, memory, t)
            for row in ck.range(ck.size(x, 0)):
                full = ring.acquire(state)
                ck.copy(fetch, ck.partition_S(fetch, x[row, None], t), into[:, :, state.stage])
                full.arrive_copies()
                state = state.next()
        else:
            state, part = ring.consumer(), ck.partition_S(fetch, memory, t)
            for row in ck.range(ck.size(x, 0)):
                ring.wait(state)
                vector = ck.universal_copy(ck.f32, 128)
                ck.copy(vector, ck.load(vector, part[:, :, state.stage]), ck.partition_D(fetch, out[row, None], t))
                if releases:
                    ck.sync_warp()
                with ck.elected():
                    ring.release(state)
                state = state.next()

    x, out = np.arange(640, dtype=np.float32).reshape(5, 128), np.zeros((5, 128), np.float32)
    report = move.simulate(x, out, grid=1)
    if releases:
        assert report.ok and (x == out).all()
    else:
        # One lane releases the stage before the others have read it.
        assert "race" in {one.kind for one in report.findings}


def test_the_second_arm_sees_what_was_before():
    @ck.kernel(block=4)
    def arms(x: Ints):
        t, value = ck.thread.x, 10
        if t < 2:
            value = value + t
            x[t] = value
        else:
            x[t] = value

    x = np.zeros(4, np.int32)
    arms(x, grid=1)
    assert x.tolist() == [10, 11, 10, 10]

    @dataclasses.dataclass
    class Pair:
        a: object

    @ck.kernel(block=4)
    def fields(x: Ints):
        pair = Pair(10)
        if ck.thread.x < 2:
            pair.a = 20
            x[ck.thread.x] = pair.a
        else:
            x[ck.thread.x] = pair.a

    fields(x, grid=1)
    assert x.tolist() == [20, 20, 10, 10]


def test_a_kernel_is_launched_several_times():
    @ck.kernel(block=32)
    def add(x: Ints, y: Ints, n: ck.i32):
        x[ck.thread.x] = x[ck.thread.x] + y[ck.thread.x] * n

    @ck.host
    def run(x: Ints, y: Ints):
        add.launch(1, x, y, ck.i32(2))
        add.launch(1, y, x, ck.i32(1))

    x, y = np.arange(32, dtype=np.int32), np.ones(32, np.int32)
    run(x, y)
    assert x.tolist() == [i + 2 for i in range(32)] and y.tolist() == [i + 3 for i in range(32)]
    assert run.mlir.count("cuda.kernel @add") == 1

    @ck.host
    def of_two_types(x: Ints, y: ck.Tensor[ck.i32, "32:1"]):
        add.launch(1, x, x, ck.i32(2))
        add.launch(1, y, x, ck.i32(1))

    with pytest.raises(ck.KernelError, match="'add' is launched before with arguments of other types"):
        of_two_types.mlir
