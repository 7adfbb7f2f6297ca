"""What users of Triton, numba and nvrtc reported first: mistakes that were missed, and alarms that were false."""

import time

import cute_mlir as cm
import pytest

np = pytest.importorskip("numpy")
HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"

#: Thread 0 polls by an atomic operation, and tells the others through shared memory.
BROADCAST = HEAD + """
.visible .entry spin(.param .u64 p) { .reg .b64 %rd<2>; .reg .b32 %r<4>; .reg .pred %p<3>; .shared .align 4 .b8 s[4];
 ld.param.u64 %rd1,[p]; mov.u32 %r2,%tid.x; setp.eq.u32 %p2,%r2,0; mov.u32 %r3,s; mov.u32 %r1,0;
L: @%p2 atom.global.gpu.acq_rel.add.u32 %r1,[%rd1],0;
   bar.sync 0; @%p2 st.shared.u32 [%r3],%r1; bar.sync 0; ld.shared.u32 %r1,[%r3];
   setp.eq.u32 %p1,%r1,0; @%p1 bra L; ret; }"""


@pytest.mark.parametrize("threads", [32, 128])
def test_a_loop_that_polls_through_shared_memory_hangs(threads):
    began = time.process_time()
    report = cm.simulate(BROADCAST, 1, [np.zeros(1, np.int32)], block=threads)
    assert [finding.kind for finding in report.findings] == ["hang"] and time.process_time() - began < 10
    cm.simulate(BROADCAST, 1, [np.ones(1, np.int32)], block=threads).raise_if_findings()


@pytest.mark.parametrize(
    "body, stored, first",
    [
        ("cvt.rn.satfinite.e4m3x2.f32 %rs1, %r3, %r2;", "st.global.b8 [%rd1], %rs1;", 0x40),
        ("cvt.rn.satfinite.e5m2x2.f32 %rs1, %r3, %r2;", "st.global.b8 [%rd1], %rs1;", 0x40),
        ("cvt.rn.f16x2.f32 %r4, %r3, %r2;", "st.global.b16 [%rd1], %r4;", 0x4000),
        ("cvt.rn.bf16x2.f32 %r4, %r3, %r2;", "st.global.b16 [%rd1], %r4;", 0x4000),
        ("{ .reg .b16 %h<3>; cvt.u16.u32 %h1, %r2; mov.b32 %r4, {%h1, %h2}; }", "st.global.b16 [%rd1], %r4;", 0),
    ],
)
def test_the_defined_half_of_a_packed_conversion_is_defined(body, stored, first):
    text = HEAD + f"""
    .visible .entry k(.param .u64 p) {{
      .reg .b64 %rd<3>; .reg .b32 %r<5>; .reg .b16 %rs<2>; ld.param.u64 %rd1, [p]; mov.b32 %r2, 0f40000000; {body} {{}} ret; }}"""
    out = np.zeros(2, np.uint16)
    cm.simulate(text.replace("{}", stored), 1, [out], block=1).raise_if_findings()
    assert out[0] == first
    upper = stored.replace("st.global.b8 [%rd1], %rs1;", "st.global.b16 [%rd1], %rs1;").replace("b16 [%rd1], %r4", "b32 [%rd1], %r4")
    report = cm.simulate(text.replace("{}", upper), 1, [out], block=1)
    assert [finding.kind for finding in report.findings] == ["undefined"]


def test_the_order_of_blocks_is_varied():
    text = HEAD + """
    .visible .entry ticket(.param .u64 p, .param .u64 q) { .reg .b64 %rd<4>; .reg .b32 %r<3>; ld.param.u64 %rd1, [p];
      ld.param.u64 %rd2, [q]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3;
      atom.global.add.u32 %r2, [%rd1], 1; st.global.u32 [%rd2], %r2; ret; }"""
    out = np.zeros(8, np.int32)
    cm.simulate(text, 8, [np.zeros(1, np.int32), out], block=1, schedule="reverse").raise_if_findings()
    assert list(out) == list(range(8))[::-1]
    [difference] = cm.schedules(text, 8, [np.zeros(1, np.int32), np.zeros(8, np.int32)], 4, block=1).differences
    assert "8 of 8 elements differ" in difference
