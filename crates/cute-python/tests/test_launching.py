"""Arguments as numpy's users have them: views, scalars, names; and what is refused instead of passing silently."""

import warnings

import cute_mlir as cm
import pytest

np = pytest.importorskip("numpy")

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"

#: y[i] = x[i * step] for the elements of 4 bytes behind two pointers.
GATHER = HEAD + """.visible .entry gather(.param .u64 x, .param .u64 y, .param .s32 step) {
  .reg .b64 %rd<5>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; ld.param.s32 %r2, [step]; mov.u32 %r1, %tid.x;
  mul.lo.s32 %r3, %r1, %r2; mul.wide.s32 %rd3, %r3, 4; add.s64 %rd1, %rd1, %rd3; ld.global.u32 %r4, [%rd1];
  mul.wide.s32 %rd4, %r1, 4; add.s64 %rd2, %rd2, %rd4; st.global.u32 [%rd2], %r4; ret; }"""

#: p[i * step] += 1
COUNT = HEAD + """.visible .entry count(.param .u64 p, .param .s32 step) {
  .reg .b64 %rd<3>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [p]; ld.param.s32 %r2, [step]; mov.u32 %r1, %tid.x; mul.lo.s32 %r3, %r1, %r2;
  mul.wide.s32 %rd2, %r3, 4; add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r4, [%rd1]; add.u32 %r4, %r4, 1;
  st.global.u32 [%rd1], %r4; ret; }"""


def scalar(ty):
    """A kernel that stores its second parameter."""
    bits = 64 if "64" in ty else 16 if "16" in ty else 32
    register = {64: "%rd2", 32: "%r1", 16: "%h1"}[bits]
    return cm.Program.from_ptx(
        HEAD
        + f""".visible .entry k(.param .u64 p, .param .{ty} n) {{ .reg .b64 %rd<3>; .reg .b32 %r<2>; .reg .b16 %h<2>;
        ld.param.u64 %rd1, [p]; ld.param.b{bits} {register}, [n]; st.global.b{bits} [%rd1], {register}; ret; }}"""
    )


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[:, 3],
        lambda x: x[::2, 1],
        lambda x: x.T[2],
        lambda x: x[5, ::-1],
        lambda x: x[::-1, 0],
        lambda x: x[2:, 4][:5],
    ],
)
def test_a_view_is_passed_by_its_first_element_and_written_back(view):
    x = np.arange(64, dtype=np.int32).reshape(8, 8)
    wanted = view(x).copy()
    y = np.zeros(len(wanted), np.int32)
    step = view(x).strides[0] // 4
    cm.simulate(GATHER, 1, [view(x), y, step], block=len(y)).raise_if_findings()
    assert (y == wanted).all()
    before = x.copy()
    cm.simulate(COUNT, 1, [view(x), step], block=len(y)).raise_if_findings()
    view(before)[:] += 1
    assert (x == before).all()


def test_the_memory_between_the_elements_is_that_of_the_array():
    x = np.arange(64, dtype=np.int32).reshape(8, 8)
    y = np.zeros(5, np.int32)
    # Each element of memory from the first element of the view on.
    cm.simulate(GATHER, 1, [x[2:4, 2:5], y, 1], block=5).raise_if_findings()
    assert (y == [18, 19, 20, 21, 22]).all()
    outside = cm.simulate(GATHER, 1, [x[2:4, 2:5], np.zeros(12, np.int32), 1], block=12)
    assert [f.kind for f in outside.findings] == ["out_of_bounds"]


def test_a_matrix_and_its_transpose_are_one_array():
    x = np.arange(16, dtype=np.int32).reshape(4, 4)
    cm.simulate(GATHER, 1, [x.T, x, 1], block=1).raise_if_findings()
    f = np.asfortranarray(x)
    cm.simulate(COUNT, 1, [f, 1], block=16).raise_if_findings()
    assert (f == np.arange(16).reshape(4, 4) + 1).all()
    with pytest.raises(ValueError, match="overlaps argument 1"):
        cm.simulate(GATHER, 1, [x[:, :2], x[:, 2:], 1], block=1)


def test_a_read_only_view_may_be_read():
    x = np.broadcast_to(np.int32(7), (8,))
    y = np.zeros(8, np.int32)
    cm.simulate(GATHER, 1, [x, y, 0], block=8).raise_if_findings()
    assert (y == 7).all()
    z = np.zeros((8, 2), np.int32)[:, 0]
    z.flags.writeable = False
    with pytest.raises(ValueError, match="which is read-only"):
        cm.simulate(COUNT, 1, [z, 2], block=8)


NUMBERS = {
    "f32": [2.0, 2, True, np.float32(2), np.float64(1 / 3), np.float16(2), np.int64(2), np.bool_(True), float("inf")],
    "u32": [2, True, np.int64(2), np.uint8(2), np.uint32(2**32 - 1), 2**32 - 1, np.bool_(True), -1],
    "s32": [-5, np.int64(-5), np.int8(-5)],
    "f64": [2.0, np.float64(2), np.float32(2), 3],
    "u64": [2, np.int64(2), np.uint64(2**64 - 1), 2**64 - 1, np.int32(-1)],
    "b32": [np.float32(2), np.int32(2), 2, np.uint8(3)],
    "b64": [np.float64(2), 7],
    "f16": [2.0, np.float64(0.1)],
}


@pytest.mark.parametrize("ty", NUMBERS)
def test_numbers_of_every_kind_become_those_of_the_parameter(ty):
    program = scalar(ty)
    for number in NUMBERS[ty]:
        out = np.zeros(8, np.uint8)
        cm.simulate(program, 1, [out, number], block=1).raise_if_findings()
        bits = int("".join(filter(str.isdigit, ty)))
        is_float = ty[0] == "f" or ty[0] == "b" and isinstance(number, np.floating)
        if is_float:
            wanted = np.array(number).astype(f"float{bits}").tobytes()
        else:
            wanted = (int(number) % 2**bits).to_bytes(bits // 8, "little")
        assert out.tobytes()[: bits // 8] == wanted, repr(number)


@pytest.mark.parametrize(
    "ty, number, text",
    [
        ("u32", 2.0, "parameter 'n' is .u32, but 2.0 is a float"),
        ("u32", np.float64(2), "parameter 'n' is .u32, but 2.0 is a float"),
        ("u64", np.float64(2), "parameter 'n' is .u64, but 2.0 is a float"),
        ("u32", np.int64(2**32), "4294967296 is not a valid i32: its range is -2147483648 to 4294967295"),
        ("u32", -(2**31) - 1, "-2147483649 is not a valid i32"),
        ("u64", 2**64, "18446744073709551616 is not a valid i64"),
        ("f32", 1e40, "1e\\+40 is larger than every f32"),
        ("f16", np.float32(1e6), "larger than every f16"),
        ("b32", 2.0, "parameter 'n' is .b32, but 2.0 is a float; PTX leaves its type open"),
        ("b32", np.float64(2), "parameter 'n' is .b32, not f64"),
    ],
)
def test_numbers_that_a_parameter_does_not_have_are_errors(ty, number, text):
    with pytest.raises(ValueError, match=text):
        cm.simulate(scalar(ty), 1, [np.zeros(8, np.uint8), number], block=1)


def test_arrays_of_uint64_keep_their_type():
    x = np.array([2**64 - 1, 5], np.uint64)
    cm.simulate(scalar("u64"), 1, [x, 2**63], block=1).raise_if_findings()
    assert list(x) == [2**63, 5] and cm._native.element_name(x) == "uint64"


def test_a_dictionary_binds_by_name():
    x, y = np.arange(4, dtype=np.int32), np.zeros(4, np.int32)
    cm.simulate(GATHER, 1, {"step": 1, "y": y, "x": x}, block=4).raise_if_findings()
    assert (y == x).all()
    # nvcc and Triton put the kernel's name before the number.
    named = GATHER.replace("[x]", "[gather_param_0]").replace(".param .u64 x", ".param .u64 gather_param_0")
    for name in ("gather_param_0", "param_0"):
        cm.simulate(named, 1, {"step": 1, "y": y, name: x}, block=4).raise_if_findings()
    with pytest.raises(TypeError, match="kernel 'gather' has no parameter 'foo'; it has 'x', 'y', 'step'"):
        cm.simulate(GATHER, 1, {"foo": x, "y": y, "step": 1}, block=4)
    with pytest.raises(TypeError, match="the argument for parameter 'step' of kernel 'gather' is missing"):
        cm.simulate(GATHER, 1, {"x": x, "y": y}, block=4)


def test_bytes_are_the_value_of_a_parameter_by_value_alone():
    by_value = HEAD + """.visible .entry k(.param .u64 p, .param .align 4 .b8 s[8]) { .reg .b64 %rd<2>; .reg .b32 %r<2>;
      ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [s+4]; st.global.u32 [%rd1], %r1; ret; }"""
    for kind in (bytes, bytearray):
        x = np.zeros(1, np.int32)
        cm.simulate(by_value, 1, [x, kind(b"\1\0\0\0\2\0\0\0")], block=1).raise_if_findings()
        assert x[0] == 2
        with pytest.raises(ValueError, match="parameter 'x' is .u64, but bytes are the value of a parameter by value"):
            cm.simulate(GATHER, 1, [kind(16), np.zeros(4, np.int32), 1], block=4)


@pytest.mark.parametrize("count", [0, -1, 100_001, 1.5])
def test_a_number_of_schedules_has_a_range(count):
    with pytest.raises(ValueError, match=f"schedules is {count}, but must be 1 to 100000"):
        cm.schedules(COUNT, 1, [np.zeros(1, np.int32), 1], count, block=1)


def test_one_order_or_several():
    with pytest.raises(ValueError, match="give one of the two"):
        cm.simulate(COUNT, 1, [np.zeros(1, np.int32), 1], block=1, schedule="eager", schedules=3)


def test_newer_ptx_is_a_warning_at_the_line_of_the_caller():
    x = np.zeros(1, np.int32)
    with pytest.warns(UserWarning, match="PTX 9.9 is newer than 9.4") as caught:
        report = cm.simulate(COUNT.replace("9.0", "9.9"), 1, [x, 1], block=1)
    assert caught[0].filename == __file__ and len(caught) == 1
    assert "9.9" in report.json["warnings"][0] and x[0] == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cm.simulate(COUNT.replace("9.0", "9.4").replace("sm_90a", "sm_107a"), 1, [x, 1], block=1)
        assert cm.Program.from_ptx(COUNT.replace("sm_90a", "sm_107a")).target == "sm_107a"


@pytest.mark.parametrize("text", [COUNT + "\0", COUNT.encode(), COUNT.encode() + b"\0", bytearray(COUNT.encode())])
def test_ptx_is_text_as_nvrtc_gives_it(text):
    x = np.zeros(1, np.int32)
    cm.simulate(text, 1, [x, 1], block=1).raise_if_findings()
    assert x[0] == 1
    with pytest.raises(ValueError, match="not UTF-8"):
        cm.simulate(b"\xff", 1, [x, 1], block=1)


def test_a_tensor_map_has_the_extents_of_its_view_or_its_own():
    x = np.zeros((128, 128), np.float16)
    words = lambda tma: np.frombuffer(bytes(tma), np.uint64)[1:]  # noqa: E731 - without the address
    view = cm.tensor_map(x[:, :64], (64, 64), "128B")
    own = cm.tensor_map(x, (64, 64), "128B", shape=(64, 128), strides=(256,))
    assert (words(view) == words(own)).all()
    tiles = cm.tensor_map(x, (64, 32, 1), "128B", shape=(64, 128, 2), strides=(256, 128))
    promoted = [bytes(cm.tensor_map(x, (8, 64), promotion=name)) for name in ("none", "64B", "128B", "256B")]
    assert len(set(promoted)) == 4 and promoted[0] == bytes(cm.tensor_map(x, (8, 64)))
    # A swizzle with a comma in its name is read; its number in a map is not known.
    with pytest.raises(cm.LayoutError, match="the swizzle is 128B by 32B, 8B exchanged: how the driver encodes it is not known"):
        cm.tensor_map(x, (8, 64), "128B by 32B, 8B exchanged")
    with pytest.raises(ValueError, match="an interleaved tensor has at least 3 modes"):
        cm.tensor_map(x, (8, 64), interleave="16B")
    assert len(bytes(tiles)) == 128
    for wrong, text in [
        (lambda: cm.tensor_map(x.T, (64, 64)), "the last extent has a stride of 256 bytes"),
        (lambda: cm.tensor_map(x, (64, 64), strides=(256,)), "strides need a shape"),
        (lambda: cm.tensor_map(x, (64,), shape=(64, 128), strides=(256,)), "the box has 1 extents, but the shape has 2"),
        (lambda: cm.tensor_map(x, (64, 8), shape=(64, 129), strides=(256,)), "reaches byte 32896 of its array"),
        (lambda: cm.tensor_map(x, (64, 8), shape=(64, 128), strides=(250,)), "multiple"),
    ]:
        with pytest.raises(cm.LayoutError, match=text):
            wrong()


def test_findings_beyond_the_limit_are_counted():
    pair = "st.shared.u32 [%r5+{0}], %r1; ld.shared.u16 %h1, [tile+{0}+4];"
    body = "\n".join(pair.format(1024 * i) for i in range(70))
    many = HEAD + f""".visible .entry k() {{ .reg .b32 %r<9>; .reg .b16 %h<2>; .shared .align 4 .b8 tile[131072]; mov.u32 %r1, %tid.x;
      shl.b32 %r5, %r1, 2; mov.u32 %r6, tile; add.u32 %r5, %r5, %r6; {body} ret; }}"""
    report = cm.simulate(many, 1, block=64)
    assert (len(report.findings), report.left_out) == (64, 6) and repr(report).endswith("6 more left out>")
    assert report.json["left_out"] == 6 and "64 of 70 different findings are shown" in str(report)
    page = cm.simulate(many, 1, block=64, html=True).html()
    assert "Errors: 70; notes: 0. 6 of them are only counted." in page
