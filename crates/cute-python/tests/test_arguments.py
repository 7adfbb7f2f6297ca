"""Arguments that hold addresses, and variables of modules."""

import ctypes
import struct

import numpy as np
import pytest

import cute_mlir as cm
from conftest import DeviceArray, Driver

HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"

# s.n, s.a to s.p[0] and s.p[1], and the address s.p to o[0].
FIELDS = """ .reg .b64 %rd<6>; .reg .b32 %r<4>; {load}
 ld.{space}.u64 %rd1, [{s}]; ld.{space}.u32 %r1, [{s}+8]; ld.{space}.u32 %r2, [{s}+12]; ld.param.u64 %rd2, [o];
 st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u64 [%rd2], %rd1; ret; }}"""
BY_VALUE = (
    HEAD + ".visible .entry k(.param .align 8 .b8 s[16], .param .u64 o) {" + FIELDS.format(load="", space="param", s="s")
)
BEHIND = (
    HEAD + ".visible .entry k(.param .u64 s, .param .u64 o) {"
    + FIELDS.format(load="ld.param.u64 %rd4, [s];", space="global", s="%rd4")
)


def run(kernel, argument, **options):
    """What is in o after a run."""
    o = np.zeros(1, np.uint64)
    cm.simulate(kernel, 1, [argument, o], block=1, **options).raise_if_findings()
    return int(o[0])


def test_a_struct_has_an_array_that_the_kernel_writes_to():
    x = np.zeros(8, np.float32)
    at = run(BY_VALUE, cm.struct("Pif", x, 5, 1.0))
    assert at % 256 == 0 and list(x.view(np.int32)[:3]) == [5, 0x3F800000, 0]
    x[:] = 0
    assert run(BY_VALUE, cm.struct("@ P i f", cm.address(x, 8), np.int32(6), np.float32(2))) % 256 == 8
    assert list(x.view(np.int32)[:4]) == [0, 0, 6, 0x40000000]
    # In a view, bytes are counted from its first element.
    backwards = np.zeros(8, np.int32)
    run(BY_VALUE, cm.struct("P4s4x", cm.address(backwards[7::-2], -8), b"\x07\0\0\0"))
    assert list(backwards) == [0, 0, 0, 0, 0, 7, 0, 0]


def test_fields_lie_as_in_c():
    class Inner(ctypes.Structure):
        _fields_ = [("c", ctypes.c_int8), ("d", ctypes.c_double), ("h", ctypes.c_int16)]

    class Outer(ctypes.Structure):
        _fields_ = [("b", ctypes.c_bool), ("s", ctypes.c_char * 3), ("inner", Inner), ("q", ctypes.c_uint64), ("e", ctypes.c_uint16)]

    want = Outer(True, b"abc", Inner(-1, 0.5, 3), 2**64 - 1, 0x3C00)
    given = cm.struct("?3sSQe", True, b"abc", cm.struct("bdh", -1, 0.5, 3), 2**64 - 1, 1.0)
    size = ctypes.sizeof(Outer)
    kernel = HEAD + f""".visible .entry k(.param .align 8 .b8 s[{size}], .param .u64 o) {{
      .reg .b64 %rd<4>; ld.param.u64 %rd1, [o];
      {"".join(f"ld.param.u64 %rd2, [s+{at}]; st.global.u64 [%rd1+{at}], %rd2;" for at in range(0, size, 8))} ret; }}"""
    o = np.zeros(size, np.uint8)
    cm.simulate(kernel, 1, [given, o], block=1).raise_if_findings()
    fields = {at for name, of in Outer._fields_ for at in range(getattr(Outer, name).offset, getattr(Outer, name).offset + ctypes.sizeof(of))}
    fields -= {Outer.inner.offset + at for at in range(1, 8)} | {Outer.inner.offset + at for at in range(18, 24)}
    assert all(o[at] == bytes(want)[at] for at in fields)
    assert not o[sorted(set(range(size)) - fields)].any()


def test_bytes_have_addresses_at_their_places():
    x = np.zeros(8, np.int32)
    data = bytes(8) + struct.pack("ii", 7, 8)
    for given in (data, bytearray(data), memoryview(data)):
        x[:] = 0
        run(BY_VALUE, cm.raw(given, {0: cm.address(x, 4)}))
        assert list(x[:4]) == [0, 7, 8, 0]
    run(BY_VALUE, cm.raw(data, {0: x}))
    assert list(x[:2]) == [7, 8]


def test_a_pointer_leads_to_an_array_a_struct_or_a_list_of_addresses():
    x, y = np.zeros(4, np.int32), np.zeros(4, np.int32)
    run(BEHIND, cm.address(cm.struct("Pii", x, 1, 2)))
    run(BEHIND, cm.address(cm.raw(bytes(8) + struct.pack("ii", 3, 4), {0: y})))
    assert list(x[:2]) == [1, 2] and list(y[:2]) == [3, 4]
    # An array by its name, and a struct by its name.
    run(BEHIND, cm.address("S"), arrays={"S": cm.struct("Pii", cm.address("Z", 8), 5, 6), "Z": x})
    assert list(x) == [1, 2, 5, 6]
    # Pointers behind a pointer: here the second word is what a struct has as two integers.
    x[:] = 0
    run(BEHIND, [x, cm.address(y, 8)])
    assert x[0] != 0
    run(BEHIND, (x, None))
    assert list(x[:2]) == [0, 0]
    # As a parameter by value, they are its bytes.
    x[:] = 7
    run(BY_VALUE, [x, None])
    assert list(x) == [0, 0, 7, 7]
    # A number is an address as it is.
    kernel = HEAD + """.visible .entry k(.param .u64 .ptr .global s, .param .u64 o) { .reg .b64 %rd<3>;
      ld.param.u64 %rd1, [s]; ld.param.u64 %rd2, [o]; st.global.u64 [%rd2], %rd1; ret; }"""
    assert [run(kernel, at) for at in (0x7000, np.uint64(2**64 - 1), 0, None)] == [0x7000, 2**64 - 1, 0, 0]
    assert [run(kernel, cm.address(x, at)) % 256 for at in (0, 12, 16)] == [0, 12, 16]


MAP = """.visible .entry k(.param {m}, .param .u64 o) {{
 .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p<3>; .shared .align 128 .b8 s[1024]; .shared .align 8 .b64 b;
 {load} ld.param.u64 %rd2, [o]; mov.u32 %r1, s; mov.u32 %r2, b; mov.u32 %r3, 0; mov.u32 %r5, 8;
 mbarrier.init.shared.b64 [%r2], 1; fence.proxy.async; mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r2], 1024;
 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {{%r3, %r5}}], [%r2];
L: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra L;
 ld.shared.u32 %r6, [%r1]; st.global.u32 [%rd2], %r6; ret; }}"""


def test_a_tensor_map_lies_in_a_struct_or_behind_a_pointer():
    x = np.arange(64 * 64, dtype=np.uint16).reshape(64, 64)
    tma = cm.tensor_map(x, (8, 64))
    in_struct = MAP.format(m=".align 64 .b8 m[192]", load="mov.b64 %rd1, m; cvta.param.u64 %rd1, %rd1; add.u64 %rd1, %rd1, 64;")
    behind = MAP.format(m=".u64 m", load="ld.param.u64 %rd1, [m];")
    for kernel, argument in [
        (in_struct, cm.struct("iS", 1, tma)),
        (in_struct, cm.raw(bytes(192), {64: tma})),
        (behind, cm.address(tma)),
        (behind, cm.address(cm.struct("iS", 1, tma), 64)),
    ]:
        assert run(HEAD + kernel, argument) == 512 | 513 << 16
    with pytest.raises(ValueError, match=r"is \.u64, not a tensor map; &tensor_map\(\.\.\) is a pointer to one in global memory"):
        run(HEAD + behind, tma)


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda x: cm.struct("Pif", x, 5), ValueError, r"struct\('Pif'\): there is no value for a field 'f'"),
        (lambda x: cm.struct("Pi", x, 5, 6), ValueError, r"has 2 values, but 3 are given"),
        (lambda x: cm.struct("<Pi", x, 5), ValueError, r"leave out '<'"),
        (lambda x: cm.struct("Py", x, 5), ValueError, r"'y' is not a letter of a format"),
        (lambda x: cm.struct("P3", x), ValueError, r"'3' is not a letter of a format"),
        (lambda x: cm.struct("Pb", x, 300), ValueError, r"field 1 of type 'b' cannot be 300"),
        (lambda x: cm.struct("Pi", x, 1.5), ValueError, r"field 1 of type 'i' cannot be 1\.5"),
        (lambda x: cm.struct("PS", x, x), TypeError, r"field 1 of type 'S' is a struct, raw bytes or a tensor map"),
        (lambda x: cm.struct("P", cm.struct("i", 1)), TypeError, r"field 0 is a pointer: give it address\(\.\.\)"),
        (lambda x: cm.struct("PP", x, 1.5), TypeError, r"argument 1, P is of type 'float', which is not an array"),
        (lambda x: cm.struct("Piii", x, 1, 2, 3), ValueError, r"has 16 bytes, but this struct has 24: P at byte 0, i at byte 8"),
        (lambda x: cm.struct("Pif", cm.address(x, 33), 1, 2), ValueError, r"byte 33 from the first element of f32\[8\] is not in its memory, which has 32"),
        (lambda x: cm.struct("Pif", cm.address(x, -4), 1, 2), ValueError, r"byte -4 from the first element"),
        (lambda x: cm.struct("Pif", cm.address("y"), 1, 2), ValueError, r"no array has the name 'y'"),
        (lambda x: cm.address("y", -8), ValueError, r"an offset of -8 bytes lies before the array"),
        (lambda x: cm.address(5), TypeError, r"is of type 'int', which is not an array"),
        (lambda x: cm.raw(bytes(16), {12: x}), ValueError, r"12 has 8 bytes, which are not all among the 16 bytes"),
        (lambda x: cm.raw(bytes(24), {4: x}), ValueError, r"is at byte 4, but its place must be a multiple of 8"),
        (lambda x: cm.raw(bytes(16), {16: x}), ValueError, r"has 8 bytes, which are not all among the 16 bytes"),
        (lambda x: cm.raw(bytes(16), {-8: x}), ValueError, r"-8 is not an offset"),
        (lambda x: cm.raw(bytes(16), {0: 5}), TypeError, r"is of type 'int', which is not an array"),
        (lambda x: cm.raw(bytes(8), {0: x}), ValueError, r"parameter 's' has 16 bytes, but 8 are given"),
        (lambda x: [x, 5], TypeError, r"argument 1\[1\] is of type 'int'"),
        (lambda x: [x, x, x], ValueError, r"has 16 bytes, but this struct has 24"),
    ],
)
def test_wrong_arguments_are_named(make, kind, text):
    x = np.zeros(8, np.float32)
    with pytest.raises(kind, match=text):
        run(BY_VALUE, make(x))


def test_structs_are_not_nested_without_end():
    made = cm.struct("i", 1)
    for _ in range(40):
        made = cm.struct("S", made)
    with pytest.raises(ValueError, match="structs are nested more than 32 deep"):
        run(BY_VALUE, made)


def test_a_launch_on_a_device_has_addresses_in_structs(tmp_path):
    (tmp_path / "k.ptx").write_text(BY_VALUE)
    (tmp_path / "p.ptx").write_text(BEHIND)
    x, o = DeviceArray(0x7000, (8,)), DeviceArray(0x9000, (1,), "<u8")
    recorded = Driver()
    for argument, words in [
        (cm.struct("Pii", cm.address(x, 16), 1, 2), [0x7010, 1 | 2 << 32]),
        (cm.raw(bytes(8) + b"\xff" * 8, {0: x}), [0x7000, 2**64 - 1]),
    ]:
        program = cm.Program.from_ptx(BY_VALUE)
        plan = program.plan([argument, o], grid=1, block=1)
        assert struct.pack("QQ", *words).hex() in plan
    assert struct.pack("Q", 0x7008).hex() in cm.Program.from_ptx(BEHIND).plan([cm.address(x, 8), o], grid=1, block=1)
    for new in (cm.address(cm.struct("Pii", x, 1, 2)), [x, x]):
        with pytest.raises(TypeError, match="needs new memory on the device"):
            cm.prepare(tmp_path / "p.ptx", 1, [new, o], block=1, driver=recorded)


VARIABLES = HEAD + """.visible .const .align 4 .f32 table[4];
.visible .global .align 4 .u32 count = 5;
.visible .global .align 8 .u64 where;
.visible .entry k(.param .u64 y) {
 .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<9>;
 ld.param.u64 %rd1, [y]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
 mov.u64 %rd3, table; add.u64 %rd3, %rd3, %rd2; ld.const.f32 %f1, [%rd3]; st.global.f32 [%rd1], %f1;
 atom.global.add.u32 %r2, [count], 1; ld.global.u64 %rd4, [where]; ret; }"""


def test_variables_are_set_and_written_back():
    y, table, count = np.zeros(4, np.float32), np.arange(4, dtype=np.float32), np.array([100], np.uint32)
    variables = {"table": table, "count": count, "where": cm.struct("P", y)}
    cm.simulate(VARIABLES, 1, [y], block=4, variables=variables).raise_if_findings()
    assert list(y) == [0, 1, 2, 3] and count[0] == 104 and list(table) == [0, 1, 2, 3]
    for same in (np.uint32(7), "u32=7", b"\7\0\0\0"):
        cm.simulate(VARIABLES, 1, [y], block=4, variables={"count": same}).raise_if_findings()
    for variables, text in [
        ({"tabel": table}, "no kernel uses a variable 'tabel'; did you mean 'table'"),
        ({"table": np.zeros(5, np.float32)}, "variable table: the variable has 16 bytes, but 20 are given"),
        ({"table": np.zeros(8, np.float32)[::2]}, "do not lie row by row, as those of a variable do; pass a copy"),
        ({"count": 5}, "5 has no type: write count:i32=5"),
        ({"count": np.zeros(4, np.int32)}, "the variable has 4 bytes, but 16 are given"),
        ({"table": y}, "its array is that of another argument; pass a copy"),
        ({"count": None}, "write NAME:TYPE"),
    ]:
        with pytest.raises(ValueError, match=text):
            cm.simulate(VARIABLES, 1, [y], block=4, variables=variables)
