"""Lists the functions of CUDA: list.py CUDA-12-FOLDER CUDA-13-FOLDER writes runtime.txt and driver.txt beside itself.

Each folder has include/ and lib/ as NVIDIA's wheels unpack: nvidia_cuda_runtime_cu12 12.9.79; nvidia_cuda_runtime 13.0.96
together with nvidia_cuda_crt 13.0.88. The runtime's functions are the dynamic symbols of libcudart (`nm -D`) and those that
crt/host_runtime.h declares. The driver's are the functions that cuda.h, cudaGL.h, cudaEGL.h and cudaVDPAU.h declare, the
names to which their macros map these, with the variants for the default stream of each thread, and cudaProfiler.h's.
"""

import pathlib
import re
import subprocess
import sys

HEADERS = ["cuda.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"]
# cudaProfiler.h is not in the wheels.
PROFILER = {"cuProfilerInitialize", "cuProfilerStart", "cuProfilerStop"}
MACRO = re.compile(r"^ *# *define +cu[A-Z]\w* +(?:__CUDA_API_(PTSZ|PTDS)\()?(cu[A-Z]\w*)", re.M)


def runtime(folder, version):
    symbols = subprocess.run(
        ["nm", "-D", "--defined-only", folder / f"lib/libcudart.so.{version}"], capture_output=True, text=True, check=True
    )
    names = {line.split()[-1].split("@")[0] for line in symbols.stdout.splitlines() if " T " in line}
    header = folder / "include/crt/host_runtime.h"
    if header.exists():
        names |= set(re.findall(r"\bCUDARTAPI\s+(__cuda\w+)\s*\(", header.read_text()))
    return names


def driver(folder, _):
    names = set(PROFILER)
    for header in HEADERS:
        text = (folder / "include" / header).read_text()
        names |= set(re.findall(r"\bCUDAAPI\s+(cu[A-Z]\w*)\s*\(", text))
        for variant, name in MACRO.findall(text):
            names |= {name, f"{name}_{variant.lower()}"} if variant else {name}
    return names


def main():
    folders = {version: pathlib.Path(folder) for version, folder in zip((12, 13), sys.argv[1:], strict=True)}
    for file, names in [("runtime", runtime), ("driver", driver)]:
        versions = {version: names(folder, version) for version, folder in folders.items()}
        with open(pathlib.Path(__file__).with_name(f"{file}.txt"), "w") as out:
            print("# Written by list.py, which says from where. After a name: the versions of CUDA that have it.", file=out)
            for name in sorted(set().union(*versions.values())):
                print(name, *(str(version) for version, names in versions.items() if name in names), file=out)


main()
