"""Kernels of Triton, where its package is installed."""

import inspect

import cute_mlir as cm
import pytest

triton = pytest.importorskip("triton")
np = pytest.importorskip("numpy")
tl = triton.language


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def same_place(out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, at + tl.program_id(0))  # all programs


def test_a_kernel_computes():
    x, y = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    out = np.zeros(1000, np.float32)
    cm.triton_check(add, (4,), x, y, out, 1000, BLOCK=256).raise_if_findings()
    assert (out == x + y).all()
    cm.triton_check(add, lambda meta: (-(-1000 // meta["BLOCK"]),), x, y, out, 999, BLOCK=128).raise_if_findings()


def test_different_values_in_one_element_are_a_race_at_its_line():
    lines, first = inspect.getsourcelines(same_place.fn)
    line = first + next(i for i, text in enumerate(lines) if "all programs" in text)
    report = cm.triton_check(same_place, 2, np.zeros(64, np.int32), BLOCK=64)
    races = [finding for finding in report.findings if finding.kind == "race"]
    assert races and any(f"test_triton.py:{line}" in str(race) for race in races), report


@triton.jit
def shifted(x_ptr, by, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at + by))


def test_parameters_have_their_names():
    x, out = np.arange(64, dtype=np.float32), np.zeros(256, np.float32)
    # None and the number 1 are constants, so that `out_ptr` is the second parameter of the PTX.
    report = cm.triton_check(shifted, (1,), x, 1, out, BLOCK=64)
    assert "buffer x_ptr, which has 256 bytes" in str(report), report
    report = cm.triton_check(shifted, (1,), np.zeros(256, np.float32), 1, out[:8].copy(), BLOCK=64)
    assert "buffer out_ptr, which has 32 bytes" in str(report), report


@triton.jit
def scaled(x, out, n, xm, xn, scale, BLOCK: tl.constexpr):
    m, k = tl.arange(0, BLOCK)[:, None], tl.arange(0, BLOCK)[None, :]
    inside = (m < n) & (k < n)
    tl.store(out + m * BLOCK + k, tl.load(x + m * xm + k * xn, mask=inside, other=0) * scale, mask=inside)


@pytest.mark.parametrize(
    "view", [lambda x: x.T, lambda x: x[:16, :16], lambda x: x[::2, ::2], lambda x: x[::-1, 1:17], np.asfortranarray]
)
def test_views_have_the_strides_that_the_kernel_is_told(view):
    x = view(np.arange(32 * 32, dtype=np.float32).reshape(32, 32))
    n = min(16, *x.shape)
    out = np.zeros((16, 16), np.float32)
    strides = [stride // 4 for stride in x.strides]
    # Scalars of numpy are what 1 / np.sqrt(d) and shape[0] * np.int64(1) give.
    cm.triton_check(scaled, 1, x, out, np.int64(n), *strides, np.float64(0.5), BLOCK=np.int32(16)).raise_if_findings()
    assert (out == x[:16, :16] * 0.5).all()


def test_what_is_not_supported_is_named():
    out = np.zeros(64, np.int32)
    with pytest.raises(TypeError, match="a function with @triton.jit"):
        cm.triton_check(print, 1, out)
    with pytest.raises(TypeError, match="parameter 'BLOCK' of same_place is missing"):
        cm.triton_check(same_place, 1, out)
    with pytest.raises(TypeError, match="has no parameter 'SIZE'; it has out, BLOCK"):
        cm.triton_check(same_place, 1, out, SIZE=3)
    with pytest.raises(TypeError, match="argument 'out': an array without dimensions; pass a number"):
        cm.triton_check(same_place, 1, np.array(2.0), BLOCK=64)
    with pytest.raises(TypeError, match="argument 'out' is of type 'object'"):
        cm.triton_check(same_place, 1, object(), BLOCK=64)
