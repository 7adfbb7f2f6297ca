"""What others get: the archive, with LLVM inside of its files."""

import os
import pathlib
import platform
import re
import shutil

import examples
import house
import needs
import page
import versions
from shell import LLVM, LOCKED, TARGET, die, empty, expect, only, output, run

# LLVM and libstdc++ take random numbers from a function that glibc has since 2.36. With this one, 2.35 will do.
RANDOM = """
#include <sys/random.h>
__attribute__((visibility("hidden"))) unsigned arc4random(void) {
  unsigned made;
  while (getrandom(&made, sizeof made, 0) != sizeof made) {}
  return made;
}
"""


def scripts(folder):
    """Fills a folder with linker scripts that have the names of shared libraries, and stand for static ones. The linker looks there
    first. LLVM is all in one group, because its archives use each other in circles. There is no static z3, but nothing that is linked
    uses it. llvm-config does not list LLVMSupportLSP."""
    empty(folder)

    def archive(name):
        return output("cc", f"-print-file-name={name}")

    def script(name, text):
        (folder / f"lib{name}.so").write_text(text + "\n")

    run("cc", "-O2", "-c", "-x", "c", "-o", folder / "random.o", "-", input=RANDOM, text=True)
    archives = [folder / "random.o", *sorted(LLVM.glob("lib/libMLIR*.a")), *sorted(LLVM.glob("lib/libLLVM*.a"))]
    group = " ".join(map(str, [*archives, archive("libz.a"), archive("libzstd.a")]))
    script("MLIR-C", f"GROUP ( {group} )")
    for name in ("MLIR", "LLVM", "LLVM-22"):
        script(name, "GROUP ( )")
    script("stdc++", f"INPUT ( {archive('libstdc++.a')} )")
    script("gcc_s", f"GROUP ( {archive('libgcc_eh.a')} {archive('libgcc.a')} )")


def host():
    return re.search(r"^host: (.*)$", output("rustc", "-vV"), re.MULTILINE)[1]


def build(*options, env=None):
    """Builds what others get, and returns the folder. The flags hold for all crates, so these have a folder of their own, and with
    --target they are not used for build scripts."""
    folder = TARGET / "static"
    scripts(folder / "scripts")
    flags = {"CARGO_TARGET_DIR": folder, "RUSTFLAGS": f"-L native={folder}/scripts"}
    run("cargo", "build", "--release", "--target", host(), *LOCKED, *options, env=flags | (env or {}))
    return folder / host() / "release"


def need_only_libc(*files):
    """Fails if a file needs other libraries at run time than those of the C library."""
    for file in files:
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", file))
        others = [name for name in needed if not re.fullmatch(r"lib(c|m)\.so\.6|ld-linux-x86-64\.so\.2", name)]
        if others:
            die(f"{file} needs these libraries, which are not in every Debian: {', '.join(others)}")


def license_of(package):
    """The file with the license of a Debian package."""
    file = pathlib.Path(f"/usr/share/doc/{package}/copyright")
    return file if file.exists() else die(f"there is no {file}")


def linked_licenses(folder):
    """Writes the licenses of the libraries that are linked by `build`."""
    for name, package in {"LLVM": "libllvm22", "libstdc++": "libstdc++6", "zlib": "zlib1g", "zstd": "libzstd1"}.items():
        shutil.copyfile(license_of(package), pathlib.Path(folder, f"LICENSE.{name}"))


def crate_licenses(file, *crates):
    file.write_text(output("python3", "build/licenses.py", host(), *crates) + "\n")


def dist():
    needs.packages("xz-utils")
    needs.rust()
    folder = empty(TARGET / "dist")
    name = f"cute-mlir-{house.version()}-{platform.machine()}-linux"
    out = folder / name
    for part in ("bin", "lib", "include"):
        (out / part).mkdir(parents=True)
    # It is built seldom and used often: inlining across crates makes it a few percent faster, although each file compiles all crates anew.
    crates = ["-p", "cute-capi", "-p", "cute-cuda", "-p", "cute-tools", "--lib", "--bins"]
    built = build(*crates, env={"CARGO_PROFILE_RELEASE_LTO": "thin"})
    need_only_libc(*(built / file for file in ("libcute.so", "libcute_cuda.so", "cutec")))
    for library in ("libcute.so", "libcute_cuda.so"):
        run("strip", "--strip-unneeded", "-o", out / "lib" / library, built / library)
    run("strip", "-o", out / "bin/cutec", built / "cutec")
    for tool in ("cute-opt", "cute-calc"):
        (out / "bin" / tool).symlink_to("cutec")
    shutil.copy("crates/cute-capi/include/cute.h", out / "include")
    shutil.copy("LICENSE", out / "LICENSE")
    linked_licenses(out)
    crate_licenses(out / "LICENSE.crates", "cute-capi", "cute-cuda", "cute-page", "cute-ptx-page", "cute-tools", "cute-unpack")
    if page.can_compile():
        page.write()
        (out / "share").mkdir()
        shutil.copyfile(page.FILE, out / "share/cute.html")
    packed = folder / f"{name}.tar.xz"
    run("tar", "-C", folder, "-c", "-f", packed, "-I", "xz -T2", name)
    print(f"{packed.stat().st_size / 1e6:.1f} MB {packed}")
    return packed


def beside():
    """An environment in which programs with an LLVM of their own are installed."""
    return needs.install(TARGET / "beside", f"triton=={versions.TRITON}", f"jaxlib=={versions.JAXLIB}")


def archive():
    """Runs the tools of the archive in a Debian without anything else, and the library many times and next to other LLVMs."""
    needs.packages("debootstrap")
    packed, root = dist(), TARGET / "bare"
    release = platform.freedesktop_os_release()["VERSION_CODENAME"]
    site = output("apt-get", "indextargets", "--format", "$(SITE)").splitlines()[0]
    needs.as_root("rm", "-rf", root)
    needs.as_root("debootstrap", "--variant=minbase", release, root, site)
    needs.as_root("tar", "-C", root / "opt", "-xf", packed, "--strip-components=1")
    needs.as_root("cp", "examples/copy.mlir", root / "tmp")
    chroot = [*([] if os.geteuid() == 0 else ["sudo"]), "chroot", root]
    expect(".entry copy", *chroot, "/opt/bin/cutec", "/tmp/copy.mlir", "--target", "sm_90a")
    expect("(5,4):(8,2)", *chroot, "/opt/bin/cute-calc", "composition((20):(2), (5,4):(4,1))")
    expect("LLVM version", *chroot, "/opt/bin/cute-opt", "--version")
    run(*chroot, "env", "HOME=/tmp", "/opt/bin/cutec", "exec", "--", "true")

    library = only(f"{TARGET}/dist/*/lib/libcute.so")
    run(examples.repeat_with(library), "examples/copy.mlir", 1000, 8)
    examples.leaks(library)
    # Symbols are first looked up in this LLVM.
    first = {"LD_PRELOAD": LLVM / "lib/libMLIR.so.22.1"}
    expect("the copy is equal", "python3", "examples/python/run_copy.py", library, "examples/copy.mlir", env=first)
    run(beside(), "crates/cute-capi/tests/beside.py", "examples/copy.mlir", library)
