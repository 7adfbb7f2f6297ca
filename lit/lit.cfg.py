# FileCheck tests of the dialect, run by `./dev test`. To run some of them by hand, from the root of the project:
#
#   /usr/lib/llvm-22/bin/lit -v --param tool=mlir-opt lit/Algebra
#
# Parameters: tool = cute-opt (default) or mlir-opt, the stock tool with the plugin loaded; bin = the folder with
# cute-opt, cutec and libcute_mlir.so; llvm = the folder with mlir-opt and FileCheck.
#
# Every test runs with both tools and the same CHECK lines. Stock mlir-opt knows a plugin's passes inside
# --pass-pipeline only, so every RUN line names its passes that way. A test for one tool says `REQUIRES: mlir-opt`.

import os

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
target = os.environ.get("CARGO_TARGET_DIR", os.path.join(root, "target"))
tool = lit_config.params.get("tool", "cute-opt")
bin = os.path.abspath(lit_config.params.get("bin", os.path.join(target, "debug")))
llvm = lit_config.params.get("llvm", "/usr/lib/llvm-22/bin")
plugin = os.path.join(bin, "libcute_mlir.so")

opts = {
    "cute-opt": os.path.join(bin, "cute-opt"),
    "mlir-opt": f"{llvm}/mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}",
}
if tool not in opts:
    lit_config.fatal(f"tool={tool}: it must be one of {', '.join(opts)}")
for needed in [opts[tool].split()[0], plugin]:
    if not os.path.exists(needed):
        lit_config.fatal(f"there is no {needed}: build first, or say where with --param bin=")

config.name = f"cute ({tool})"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(target, "lit", tool)
config.available_features.add(tool)

# A fold that never ends is a bug like any other: nothing runs for long.
config.substitutions.append(("%opt", f"timeout 20 {opts[tool]}"))
cutec = os.path.join(bin, "cutec")
if os.path.exists(cutec):
    config.available_features.add("cutec")
    config.substitutions.append(("%cutec", f"timeout 60 {cutec}"))

config.environment["PATH"] = os.pathsep.join([llvm, config.environment["PATH"]])
# ptxas, and what else the tools look for, are found through the environment.
if ptxas := os.environ.get("CUTE_PTXAS"):
    config.environment["CUTE_PTXAS"] = ptxas
    config.available_features.add("ptxas")
    # CUDA's math, where cutec looks for it too.
    libdevice = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(ptxas)), "../nvvm/libdevice/libdevice.10.bc"))
    if os.path.exists(libdevice):
        config.available_features.add("libdevice")
        config.substitutions.append(("%libdevice", libdevice))
