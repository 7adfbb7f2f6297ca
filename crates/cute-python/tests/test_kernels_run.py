"""Runs of kernels in Python: arrays of other packages, launches on a GPU, and variants."""

import importlib.util
import os
import shutil

import pytest
from conftest import DeviceArray, Driver, needs_compiler
from dlpack import Array

np = pytest.importorskip("numpy")
pytestmark = needs_compiler

if importlib.util.find_spec("cute_mlir_compiler"):
    import cute_mlir as cm
    from cute_mlir import kernels as ck

    V = ck.Tensor[ck.f32, "?:1"]

    @ck.kernel(block=32)
    def double(x: V, out: V, by: ck.f32):
        out[ck.thread.x] = by * x[ck.thread.x]

    @ck.host(target="sm_90a")
    def twice(x: V, out: V):
        blocks = ck.zipped_divide(out, 32)
        copy.launch(ck.size(blocks, 1), x, out)

    @ck.kernel(block=32)
    def copy(x: V, out: V):
        out[ck.thread.x] = x[ck.thread.x]


# On a GPU.


def test_a_kernel_is_launched_by_the_driver():
    driver = Driver()
    x, y = DeviceArray(0x7000, (32,)), DeviceArray(0x8000, (32,))
    launched = double.on_gpu(x, y, by=2.0, grid=1, driver=driver)
    assert driver.names[-1] == "cuLaunchKernelEx"
    launched.synchronize()
    assert driver.names[-2:] == ["cuStreamSynchronize", "cuModuleUnload"]
    again = twice.on_gpu(x, y, driver=driver)
    assert driver.names[-1] == "cuLaunchKernelEx" and driver.names.count("cuLaunchKernelEx") == 2
    again.synchronize()


class Protocol:
    def __cuda_stream__(self):
        return (0, 0x50)


class Torch:
    cuda_stream = 0x50


class CuPy:
    ptr = 0x50


@pytest.mark.parametrize("stream", [0x50, Protocol(), Torch(), CuPy()])
def test_a_stream_is_that_of_any_package(stream):
    driver = Driver()
    x = DeviceArray(0x7000, (32,))
    double.on_gpu(x, x, 1.0, grid=1, stream=stream, driver=driver).synchronize()
    waits = [arguments[0].value for name, arguments in driver.calls if name == "cuStreamSynchronize"]
    assert waits == [0x50]


def test_what_cannot_be_launched_says_why():
    x = DeviceArray(0x7000, (32,))
    with pytest.raises(TypeError, match="parameter 'x': the array is not on a CUDA device"):
        double.on_gpu(np.zeros(32, np.float32), x, 1.0, grid=1, driver=Driver())
    with pytest.raises(TypeError, match=r"double\(x, out, by\): missing a required argument: 'out'"):
        double.on_gpu(x, grid=1, driver=Driver())
    with pytest.raises(ck.KernelError, match="a stream is an address, None, or one of torch, CuPy or cuda-python, not 'main'"):
        double.on_gpu(x, x, 1.0, grid=1, stream="main", driver=Driver())
    with pytest.raises(cm.DriverError, match="cuLaunchKernelEx returned 1"):
        double.on_gpu(x, x, 1.0, grid=1, driver=Driver("cuLaunchKernelEx"))


@pytest.mark.skipif(os.path.exists("/dev/nvidiactl"), reason="there is a GPU")
def test_without_a_driver_the_simulator_is_named():
    x = DeviceArray(0x7000, (32,))
    with pytest.raises(cm.DriverError, match=r"'double' cannot run on a GPU: .*; double\(.., grid=..\) runs it in the simulator"):
        double.on_gpu(x, x, 1.0, grid=1)
    with pytest.raises(cm.DriverError, match=r"'twice' cannot run on a GPU: .*; twice\(..\) runs it in the simulator"):
        twice.on_gpu(x, x)


# Arrays.


def test_arrays_of_dlpack_are_read_and_written():
    x, out = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    double(Array(x), Array(out), 2.0, grid=1)
    assert (out == 2 * x).all()


def test_bfloat_comes_by_dlpack_as_torch_gives_it():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    of = ck.Tensor[ck.bf16, "?:1"]

    @ck.kernel(block=32)
    def doubled(x: of, out: of):
        out[ck.thread.x] = x[ck.thread.x] + x[ck.thread.x]

    x, out = (np.arange(32) / 4).astype(ml_dtypes.bfloat16), np.zeros(32, ml_dtypes.bfloat16)
    # torch has no type of numpy for it: its bits with the kind of DLPack.
    doubled(*(Array(one.view(np.uint16), kind=4) for one in (x, out)), grid=1)
    assert (out == x + x).all()
    with pytest.raises(ValueError, match=r"the array u16\[32\] has u16: convert it, as in x.astype\(ml_dtypes.bfloat16\)"):
        doubled(x.view(np.uint16), out, grid=1)


def read_only():
    made = np.zeros(32, np.float32)
    made.flags.writeable = False
    return made


NUMBERS = np.arange(64, dtype=np.float32)


@pytest.mark.parametrize(
    "change, text",
    [
        ({"x": NUMBERS.astype(np.float64)}, "has elements of f32, but the array f64[64] has f64: convert it, as in x.astype(np.float32)"),
        ({"x": NUMBERS.reshape(8, 8)}, "parameter 'x' is ck.Tensor[ck.f32, \"?:1\"]: the array 8x8 has 2 extents, but the layout has 1"),
        ({"x": NUMBERS[::2]}, "has the stride 2 where the layout has the stride 1; pass a contiguous copy, as in np.ascontiguousarray(x)"),
        ({"x": NUMBERS.astype(">f4")}, "parameter 'x': an array of type '>f4' has its bytes in the other order"),
        ({"x": Array(NUMBERS, device=(2, 0))}, "parameter 'x': the array is on a CUDA device"),
        ({"x": 3}, "parameter 'x' of 'double' is an array, ck.Tensor[ck.f32, \"?:1\"], but got 3 of type int"),
        ({"x": None}, "is an array, ck.Tensor[ck.f32, \"?:1\"], but got None of type NoneType"),
        ({"x": [1.0] * 32}, "of type list; make it one, as in np.array(.., np.float32)"),
        ({"out": read_only()}, "the kernel writes to parameter 'out', f32[32], which is read-only"),
        ({"by": NUMBERS}, "parameter 'by' of 'double' is a number, ck.f32, but got an array of float32 with the shape (64,)"),
        ({"by": None}, "parameter 'by' of 'double' is a number, ck.f32, but got None"),
        ({"by": 1j}, "is a number, ck.f32, but got 1j of type complex"),
    ],
)
def test_an_argument_that_does_not_fit_is_refused_in_the_words_of_its_parameter(change, text):
    with pytest.raises((TypeError, ValueError)) as caught:
        double(**{"x": NUMBERS[:32], "out": np.zeros(32, np.float32), "by": 2.0, **change}, grid=1)
    assert text in str(caught.value)


def test_numbers_of_numpy_are_numbers():
    out = np.zeros(32, np.float32)
    for by in (2, np.float32(2), np.float64(2), np.int64(2), True):
        double(NUMBERS[:32], out, by, grid=1)
        assert (out == NUMBERS[:32] * by).all()


def test_a_host_function_names_its_parameters():
    with pytest.raises(ValueError, match="parameter 'x' of 'twice' has elements of f32, but the array f16"):
        twice(np.zeros(32, np.float16), np.zeros(32, np.float32))


# Variants.


def test_variants_are_sorted_by_their_loops():
    def make(tile, bits):
        @ck.kernel(block=32, target="sm_90a")
        def sums(x: V, out: V, n: ck.i32):
            ck.make_tiled_copy(ck.universal_copy(ck.f32, bits), "32:1", f"{tile}:1")
            total = ck.fragment(ck.f32, f"{tile}:1")
            total.fill(0)
            for k in ck.range(n):
                for i in range(tile):
                    total[i] = total[i] + x[k * tile + i]
            for i in range(tile):
                out[ck.thread.x * tile + i] = total[i]

        return sums

    found = ck.variants(make, [dict(tile=t, bits=b) for t, b in ((8, 32), (2, 24), (2, 32))])
    assert [tuple(one.choice.values()) for one in found] == [(2, 32), (8, 32), (2, 24)]
    assert found[0].instructions < found[1].instructions and found[2].instructions is None
    assert "24 b is not a whole number" in str(found[2]) and "24 b" in found.data[2]["error"]
    table = str(found).splitlines()
    assert len(table) == 4 and table[0].split()[:2] == ["tile", "bits"] and table[3].endswith("(32 b each)")
    out = np.zeros(64, np.float32)
    found[0].kernel(np.arange(8, dtype=np.float32), out, 4, grid=1)
    assert out.tolist() == [0 + 2 + 4 + 6, 1 + 3 + 5 + 7] * 32
    if shutil.which("ptxas") or os.environ.get("CUTE_PTXAS"):
        assert [one.spilled for one in found] == [0, 0, None] and found[0].registers < found[1].registers
        assert "bytes spilled" in table[0]
        if shutil.which("nvdisasm") or os.environ.get("CUTE_NVDISASM"):
            assert 0 < found[0].loop < found[1].loop and found[0].mmas == 0
            assert f"{found[0].loop} instructions in the loop" in str(found[0])
