"""Arrays of other packages."""

import cute_mlir as cm
import pytest
from dlpack import Array

np = pytest.importorskip("numpy")

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"


def copy(bits, count=32):
    """A kernel that copies elements of these bits."""
    register = {16: "h", 32: "r", 8: "h"}[bits]
    return cm.Program.from_ptx(
        HEAD
        + f""".visible .entry copy(.param .u64 p, .param .u64 q) {{
  .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .b16 %h<2>;
  ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, {bits // 8};
  add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
  ld.global.b{bits} %{register}1, [%rd1]; st.global.b{bits} [%rd2], %{register}1; ret; }}"""
    )


def run(bits, *args):
    return cm.simulate(copy(bits), 1, args, block=32)


def test_dlpack_is_read_and_written():
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    run(32, Array(x), Array(y)).raise_if_findings()
    assert (x == y).all()
    y[:] = 0
    run(32, Array(x, version=(0, 8)), Array(y, version=(0, 8))).raise_if_findings()
    assert (x == y).all()


def test_bfloat_of_dlpack_has_its_type():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x, y = (np.arange(32) / 4).astype(ml_dtypes.bfloat16), np.zeros(32, ml_dtypes.bfloat16)
    given = [Array(array.view(np.uint16), kind=4) for array in (x, y)]
    assert cm._native.element_name(given[0]) == "bfloat16"
    run(16, *given).raise_if_findings()
    assert (x == y).all()


def test_dlpack_says_what_is_read_only():
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    x.flags.writeable = False
    run(32, Array(x), Array(y)).raise_if_findings()
    with pytest.raises(ValueError, match=r"writes to argument 2, f32\[32\], which is read-only"):
        run(32, Array(y), Array(x))


@pytest.mark.parametrize(
    "change, error, text",
    [
        (lambda x: Array(x, device=(2, 0)), TypeError, "argument 1: the array is on a CUDA device"),
        (lambda x: Array(x, device=(10, 0)), TypeError, "on a ROCm device"),
        (lambda x: Array(x, lanes=4), TypeError, "elements are 4 numbers of float32"),
        (lambda x: Array(x, kind=5), TypeError, "type 5 of DLPack are not supported"),
        (lambda x: Array(x, version=(2, 0)), TypeError, "version 2 of DLPack; 1 is the last"),
    ],
)
def test_dlpack_that_cannot_be_used_is_an_exception(change, error, text):
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    with pytest.raises(error, match=text):
        run(32, change(x), y)
    assert (y == 0).all()


def test_jax_arrays_are_read_and_never_written():
    jnp = pytest.importorskip("jax.numpy")
    x, y = jnp.arange(32, dtype=jnp.bfloat16), np.zeros(32, np.uint16)
    run(16, x, y).raise_if_findings()
    assert (y == np.asarray(x).view(np.uint16)).all()
    z = jnp.zeros(32, jnp.float32)
    with pytest.raises(ValueError, match="argument 2, .* which is read-only"):
        run(32, np.ones(32, np.float32), z)
    assert (np.asarray(z) == 0).all()


def test_torch_tensors_are_read_and_written():
    torch = pytest.importorskip("torch")
    x, y = torch.arange(32, dtype=torch.bfloat16), torch.zeros(32, dtype=torch.bfloat16)
    run(16, x, y).raise_if_findings()
    assert torch.equal(x, y)


def test_the_rounding_of_the_process_changes_nothing():
    """Another library may have changed the mode of the thread: upward is 0x800 on x86, 0x400000 on ARM."""
    import ctypes
    import platform

    try:
        libm = ctypes.CDLL("libm.so.6")
    except OSError:
        pytest.skip("there is no libm.so.6")
    upward = {"x86_64": 0x800, "aarch64": 0x400000}.get(platform.machine())
    if upward is None:
        pytest.skip(f"the code of the mode is not known for {platform.machine()}")
    scale = HEAD + """.visible .entry scale(.param .u64 p) {
      .reg .b64 %rd<2>; .reg .f32 %f<2>; ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1];
      mul.rn.f32 %f1, %f1, 0f3DCCCCCD; st.global.f32 [%rd1], %f1; ret; }"""
    x, y = np.full(1, 0.3, np.float32), np.full(1, 0.3, np.float32)
    cm.simulate(scale, 1, [x], block=1).raise_if_findings()
    assert libm.fesetround(upward) == 0
    try:
        cm.simulate(scale, 1, [y], block=1).raise_if_findings()
        assert libm.fegetround() == upward
    finally:
        libm.fesetround(0)
    assert x[0] == y[0]
