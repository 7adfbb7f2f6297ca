"""Several launches in streams."""

import numpy as np
import pytest

import cute_mlir as cm

PTX = """.version 8.0
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 x) .reqntid 64 {
  .reg .b32 %r<3>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [x];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r1, [%d0];
  shl.b32 %r1, %r1, 1;
  st.global.u32 [%d0], %r1;
  ret;
}
"""


def run(ordered: bool, array: object = "u32[64]=range") -> cm.Report:
    with cm.Device(PTX) as device:
        x, y = device.array(array), device.array("u32[64]", "pinned")
        one, other, event = device.stream(), device.stream(name="copies"), device.event()
        device.launch("twice", 1, [x], stream=one)
        if ordered:
            one.record(event)
            other.wait(event)
        device.copy(y, x, stream=other)
        other.synchronize()
        device.reads(y)
    return device.report


def test_streams_race_without_an_event() -> None:
    [finding] = run(ordered=False).findings
    assert finding.kind == "race"
    text = str(finding)
    assert "test_device.py:" in text and "`copy array0 to array1`: reads byte 0 of buffer array0" in text, text
    assert "in stream stream0, for which stream copies has not waited" in text, text
    assert run(ordered=True).ok


def dependent(wait: str, *, at_start: bool = False) -> cm.Report:
    text = PTX.replace("mov.u32 %r0, %tid.x;", f"griddepcontrol.launch_dependents; {wait} mov.u32 %r0, %tid.x;")
    with cm.Device(text) as device:
        x = device.array("u32[64]=range")
        one, other, event = device.stream(), device.stream(), device.event()
        device.launch("twice", 1, [x], stream=one, triggered=event, trigger_at_start=at_start)
        other.wait(event)
        device.launch("twice", 1, [x], stream=other)
    return device.report


def test_a_programmatic_event_is_one_to_wait_for_in_the_kernel() -> None:
    for at_start in (False, True):
        [finding, *_] = dependent("", at_start=at_start).findings
        assert "which may not have ended when launch 2 (`twice`) begins" in str(finding), finding
        assert dependent("griddepcontrol.wait;", at_start=at_start).ok


def test_results_are_written_back() -> None:
    array = np.arange(64, dtype=np.uint32)
    assert run(ordered=True, array=array).ok
    assert array.tolist() == list(range(0, 128, 2))


def test_mistakes_name_the_operation() -> None:
    with pytest.raises(ValueError, match=r"operations\[0\]: there is no kernel 'thrice'"):
        with cm.Device(PTX) as device:
            device.launch("thrice", 1)
    with pytest.raises(ValueError, match="there is no array 'x'"):
        with cm.Device(PTX) as device:
            device.set(cm.DeviceArray("x"))
            device.launch("twice", 1, [device.array("u32[64]")])


def test_a_cooperative_launch_is_one_of_its_own() -> None:
    text = PTX.replace("mov.u32 %r0, %tid.x;", "mov.u32 %r0, %envreg1; setp.ne.u32 %p1, %r0, 0; @%p1 bra GO; trap; GO: mov.u32 %r0, %tid.x;")
    text = text.replace(".reg .b32", ".reg .pred %p<2>; .reg .b32")
    assert not cm.simulate(text, 1, ["u32[64]"]).ok
    assert cm.simulate(text, 1, ["u32[64]"], cooperative=True).ok
