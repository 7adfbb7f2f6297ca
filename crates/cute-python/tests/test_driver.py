"""Launches of files through a CUDA driver that records its calls; the compiler is not needed."""

import ctypes
import gc
import json

import cute_mlir as cm
import pytest
from conftest import DeviceArray, Driver

PTX = """.version 9.0
.target sm_90a
.address_size 64
.visible .entry scale(.param .u64 p, .param .f32 s) { ret; }
"""


def manifest(target="sm_90a"):
    """What ``cutec`` writes beside the PTX, with the name that the source has for the first parameter."""
    program = json.loads(cm.Program.from_ptx(PTX).manifest)
    kernel = program["kernels"][0]
    kernel["arguments"][0]["name"] = kernel["parameters"][0]["argument"] = "x"
    return json.dumps({**program, "target": target})


def parameters(driver):
    """The address and the number that the last launch was passed."""
    pointers = driver.calls[-1][1][2]
    address = ctypes.cast(pointers[0], ctypes.POINTER(ctypes.c_uint64)).contents.value
    return address, ctypes.cast(pointers[1], ctypes.POINTER(ctypes.c_float)).contents.value


def test_a_file_of_ptx_is_launched(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(PTX)
    for kernel, args in [(path, [DeviceArray(0x7000, (4,)), 2.5]), (str(path), {"p": None, "s": 2.5})]:
        driver = Driver()
        launched = cm.launch(kernel, 2, args, block=32, driver=driver)
        assert parameters(driver)[1] == 2.5
        launched.synchronize()
        expected = ["cuModuleGetFunction", "cuLaunchKernelEx", "cuStreamSynchronize", "cuModuleUnload"]
        assert driver.names[-4:] == expected
        loaded = dict(driver.calls)["cuModuleLoadData"][1]
        assert loaded.value == PTX.encode()
    # The names of the manifest beside it hold.
    (tmp_path / "k.ptx.json").write_text(manifest())
    driver = Driver()
    launched = cm.launch(path, 2, {"x": DeviceArray(0x7000, (4,)), "s": 2.5}, block=32, driver=driver)
    assert parameters(driver) == (0x7000, 2.5)
    launched.synchronize()


def test_a_cubin_needs_a_description(tmp_path):
    path = tmp_path / "k.cubin"
    path.write_bytes(b"\x7fELF\0code")

    def launched(args):
        driver = Driver()
        cm.launch(path, 2, args, block=32, driver=driver).synchronize()
        return dict(driver.calls)["cuModuleLoadData"][1].value

    with pytest.raises(FileNotFoundError, match=r"needs its manifest '.*k\.cubin\.json', .* or its PTX '.*k\.ptx'"):
        launched({"p": None, "s": 1.0})
    (tmp_path / "k.ptx").write_text(PTX)
    assert launched({"p": None, "s": 1.0}) == b"\x7fELF"
    for name in ("k.ptx.json", "k.cubin.json"):
        (tmp_path / "k.ptx").unlink(missing_ok=True)
        (tmp_path / name).write_text(manifest())
        assert launched({"x": None, "s": 1.0}) == b"\x7fELF"
        (tmp_path / name).unlink()
    (tmp_path / "k.cubin.json").write_text(manifest("sm_1"))
    with pytest.raises(ValueError, match="manifest of '.*' is not valid: target 'sm_1' is not known"):
        launched([None, 1.0])


def test_a_program_of_a_manifest_is_not_simulated():
    program = cm.Program.from_manifest(manifest(), "k.cubin")
    assert program.kernels == ["scale"] and program.target == "sm_90a"
    with pytest.raises(ValueError, match="'k.cubin' has only machine code, which the simulator does not run"):
        cm.simulate(program, 1, [None, 1.0], block=32)


def test_a_prepared_kernel_is_loaded_once(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(PTX)
    driver = Driver()
    with cm.prepare(path, 2, [DeviceArray(0x7000, (4,)), 2.5], block=32, stream=5, driver=driver) as prepared:
        before = driver.names
        assert "cuLaunchKernelEx" not in before and before.count("cuModuleLoadData") == 1
        for _ in range(3):
            prepared.launch()
            assert parameters(driver) == (0x7000, 2.5)
        prepared.synchronize()
    after = driver.names[len(before) :]
    assert after == ["cuLaunchKernelEx"] * 3 + ["cuStreamSynchronize"] * 2 + ["cuModuleUnload"]
    prepared.unload()
    assert driver.names[len(before) :] == after
    with pytest.raises(RuntimeError, match="is unloaded: prepare it again"):
        prepared.launch()


def settings(driver):
    """The attributes of the kernel, and those of its last launch, as the driver gets them."""
    of_kernel = [arguments[1:] for name, arguments in driver.calls if name == "cuFuncSetAttribute"]

    class Attribute(ctypes.Structure):
        _fields_ = [("id", ctypes.c_uint), ("pad", ctypes.c_uint), ("words", ctypes.c_uint * 16)]

    class Config(ctypes.Structure):
        _fields_ = [
            ("sizes", ctypes.c_uint * 7), ("stream", ctypes.c_void_p), ("all", ctypes.POINTER(Attribute)),
            ("count", ctypes.c_uint),
        ]

    config = ctypes.cast(driver.calls[-1][1][0], ctypes.POINTER(Config)).contents
    return of_kernel, [(one.id, one.words[:4]) for one in config.all[: config.count]]


def test_a_launch_asks_only_for_what_it_needs(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(PTX)
    for given, expected in [
        ({}, ([], [])),
        ({"shared": 48 << 10}, ([], [])),
        ({"shared": 60000}, ([(8, 60000)], [])),
        ({"cluster": 8}, ([], [(4, [8, 1, 1, 0])])),
        ({"cluster": (4, 4)}, ([(14, 1)], [(4, [4, 4, 1, 0])])),
    ]:
        driver = Driver()
        with cm.prepare(path, (16, 16), [None, 1.0], block=32, driver=driver, **given) as prepared:
            prepared.launch()
            assert settings(driver) == expected


def test_code_is_unloaded_when_a_call_fails(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(PTX)
    for fails, unloads in [("cuModuleLoadData", 0), ("cuModuleGetFunction", 1), ("cuLaunchKernelEx", 1)]:
        driver = Driver(fails)
        with pytest.raises(RuntimeError, match=rf"{fails} returned 1 \(an unknown error\)"):
            cm.launch(path, 2, [None, 1.0], block=32, driver=driver)
        gc.collect()
        assert driver.names.count("cuModuleUnload") == unloads


def test_what_cannot_be_launched_is_refused(tmp_path):
    driver = Driver()
    with pytest.raises(TypeError, match="the path of a .ptx or .cubin file is needed, not 'int'"):
        cm.launch(3, 1, driver=driver)
    with pytest.raises(ValueError, match=r"'k.mlir' is not a .ptx or .cubin file; compile\(\) compiles cute IR"):
        cm.launch("k.mlir", 1, driver=driver)
    with pytest.raises(FileNotFoundError):
        cm.launch(tmp_path / "none.ptx", 1, driver=driver)
    assert driver.calls == []


def test_a_host_function_launches_its_kernels(examples):
    kernel = cm.compile(examples / "tma" / "gemm.mlir", target="sm_90a")
    arrays = {"A": DeviceArray(0x7000, (200, 136), "<f2"), "B": DeviceArray(0x9000, (72, 136), "<f2")}
    driver = Driver()
    prepared = cm.prepare_host(kernel, {**arrays, "C": DeviceArray(0xB000, (200, 72))}, driver=driver)
    assert "cuLaunchKernelEx" not in driver.names
    for _ in range(2):
        prepared.launch()
    assert driver.names.count("cuLaunchKernelEx") == 2 and driver.names.count("cuModuleLoadData") == 1
    # The first parameter is the map of A, which begins with its address.
    assert parameters(driver)[0] == 0x7000
    prepared.unload()
    with pytest.raises(ValueError, match="name one of the host functions: none"):
        cm.prepare_host(cm.compile(examples / "copy.mlir", target="sm_90a"), [], driver=Driver())


def passed(driver, sizes):
    """The bytes of the parameters of each launch, whose sizes are given launch by launch."""
    calls = [arguments for name, arguments in driver.calls if name == "cuLaunchKernelEx"]
    assert len(calls) == len(sizes)
    return [[ctypes.string_at(at, n) for at, n in zip(call[2], of_one)] for call, of_one in zip(calls, sizes)]


def vector(address, extent):
    """A vector with an open extent as CuTe DSL passes it: a struct of the address and the extent."""
    return address.to_bytes(8, "little") + extent.to_bytes(4, "little") + bytes(4)


def test_a_host_function_of_cute_dsl_launches_as_its_abi_says(modules):
    kernel = cm.compile(modules / "dsl" / "two.mlir", target="sm_90a", profile="dsl-4.4")
    x, t, y = (DeviceArray(address, (100,)) for address in (0x7000, 0x8000, 0x9000))
    driver = Driver()
    launched = cm.launch_host(kernel, {"x": x, "t": t, "y": y, "negate": 1}, stream=5, driver=driver)
    number = (100).to_bytes(4, "little")
    plus, minus = (bytes.fromhex(text) for text in ("0000803f", "000080bf"))
    first, second, third = passed(driver, [(16, 16, 4), (16, 16, 4, 4), (16, 16, 4, 4)])
    assert first == [vector(0x7000, 100), vector(0x8000, 100), number]
    assert second == [vector(0x8000, 100), vector(0x9000, 100), number, plus]
    assert third == [*second[:3], minus]
    assert driver.names.count("cuModuleLoadData") == 1 and driver.names.count("cuModuleGetFunction") == 2
    assert settings(driver) == ([], [])
    launched.synchronize()
    assert driver.names[-1] == "cuModuleUnload"
    # The third launch depends on a number.
    driver = Driver()
    cm.launch_host(kernel, [x, t, y, 0], driver=driver)
    assert driver.names.count("cuLaunchKernelEx") == 2


def test_a_host_function_of_cute_dsl_asks_for_memory_and_clusters(modules):
    def launched(name, shapes):
        driver = Driver()
        arrays = [DeviceArray(0x7000 + 0x1000 * i, *shape) for i, shape in enumerate(shapes)]
        kernel = cm.compile(modules / "versions" / f"{name}.mlir", target="sm_100a")
        # What the driver is given lives as long as the launch.
        running = cm.launch_host(kernel, arrays, driver=driver)
        shared = ctypes.cast(driver.calls[-1][1][0], ctypes.POINTER(ctypes.c_uint))[6]
        asked = settings(driver)
        running.synchronize()
        return shared, asked

    # The bytes that the kernel allocates.
    columns = ((64, 3), "<f4", (4, 256))
    shared, (of_kernel, _) = launched("v45", [columns, columns, ((3,), "<i4")])
    assert (shared, of_kernel) == (384, [])
    assert launched("v46", [((32, 4), "<f4", (4, 128))] * 2) == (8, ([], [(4, [2, 1, 1, 0])]))


def test_a_profile_refuses_forms_of_others(modules):
    text = (modules / "versions" / "v46.mlir").read_text()
    for profile, says in [
        ("dsl-4.4", "'nvvm.mapa' op is one of CuTe DSL 4.5 and later, cute-rs, zml, but the profile is dsl-4.4"),
        ("cute-rs", "'cuda.kernel' op is one of CuTe DSL 4.3 and later, zml, but the profile is cute-rs"),
        ("dsl-4.9", "there is no profile 'dsl-4.9'; there are auto, dsl-4.3"),
    ]:
        with pytest.raises(cm.CompileError, match=says):
            cm.compile(text, target="sm_100a", profile=profile)
    assert "meet" in cm.compile(text, target="sm_100a", profile="dsl-4.6").ptx


def test_a_kernel_is_saved_and_loaded_without_the_compiler(examples, tmp_path, monkeypatch):
    np = pytest.importorskip("numpy")
    kernel = cm.compile(examples / "tma" / "transpose.mlir", target="sm_90a")
    path = tmp_path / "transpose.kernel"
    kernel.save(path)
    before = path.read_bytes()
    kernel.save(path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == ["transpose.kernel"]

    monkeypatch.setitem(__import__("sys").modules, "cute_mlir_compiler", None)
    loaded = cm.load(path)
    assert (loaded.ptx, loaded.manifest) == (kernel.ptx, kernel.manifest)
    x, y = np.arange(72 * 136, dtype=np.float16).reshape(72, 136), np.zeros((136, 72), np.float16)
    cm.simulate_host(loaded, {"A": x, "B": y}).raise_if_findings()
    assert (y == x.T).all()
    driver = Driver()
    arguments = {"A": DeviceArray(0x7000, (72, 136), "<f2"), "B": DeviceArray(0x9000, (136, 72), "<f2")}
    prepared = cm.prepare_host(loaded, arguments, driver=driver)
    prepared.launch()
    assert driver.names[-1] == "cuLaunchKernelEx"
    with pytest.raises(ImportError, match="needs the package cute-mlir-compiler"):
        loaded.llvm


def test_files_that_are_not_saved_kernels_are_refused(examples, tmp_path, monkeypatch):
    path = tmp_path / "copy.kernel"
    cm.compile(examples / "copy.mlir", target="sm_90a").save(path)
    whole = path.read_bytes()
    for damaged in [b"", whole[:100], whole[: len(whole) // 2], PTX.encode()]:
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="copy.kernel' is not a file that Kernel.save wrote"):
            cm.load(path)
    path.write_bytes(whole)
    monkeypatch.setattr("cute_mlir._compiler.__version__", "9.9.9")
    with pytest.raises(ValueError, match=r"was written by cute-mlir .*, but this is 9.9.9; save it again"):
        cm.load(path)
