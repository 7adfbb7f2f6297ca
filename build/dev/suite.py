"""`./dev test`: the steps, their logs and the summary."""

import os
import re
import subprocess
import sys
import time

import cargo_tests
import house
import needs
import proofs
import renew
from shell import DEV, LLVM, LOCKED, ROOT, TARGET, die, run

LOGS = TARGET / "dev"
# The number of cases for a run of about two minutes on two cores, and the seed.
FUZZ_COUNT, FUZZ_SEED = 16000, 1
FULL_FUZZ_COUNT = 300000


class Steps:
    """Runs steps, keeps their output, and records their results. A failure does not stop the other steps."""

    def __init__(self):
        self.failed, self.start = [], time.monotonic()

    def run(self, name, *words):
        print(f"== {name}: {' '.join(map(str, words))}", flush=True)
        log, start = LOGS / f"{name.replace(' ', '-')}.log", time.monotonic()
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "cwd": ROOT}
        with open(log, "wb") as kept, subprocess.Popen([str(word) for word in words], **options) as process:
            for line in process.stdout:
                kept.write(line)
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
        good = process.returncode == 0
        if not good:
            self.failed.append(name)
        print(f"== {name}: {'ok' if good else 'FAILED'}, {time.monotonic() - start:.0f} s", flush=True)
        return good

    def count(self, name, pattern):
        """The sum of the numbers that the pattern captures in a log; 0 if its step did not run."""
        log = LOGS / f"{name}.log"
        text = log.read_text(errors="replace") if log.exists() else ""
        return sum(int(number) for number in re.findall(pattern, text, re.MULTILINE))

    def summary(self):
        cargo, lit = r"^test result: .* (\d+) passed", r"^ *Passed *: *(\d+)"
        log = LOGS / "wasm.log"
        wasm = re.search(r"^wasm: (compiled|not run)", log.read_text() if log.exists() else "", re.MULTILINE)
        counts = f"{self.count('cargo-test', cargo)} Rust tests, {self.count('lit-cute-opt', lit)} lit tests through cute-opt,"
        counts += f" {self.count('lit-mlir-opt', lit)} through mlir-opt, {self.count('embedding', cargo)} tests of an embedding crate;"
        counts += f" wasm: {wasm[1]};" if wasm else ""
        counts += f" {time.monotonic() - self.start:.0f} s"
        if self.failed:
            print(f"FAILED: {', '.join(self.failed)}. Passed: {counts}")
            sys.exit(1)
        print(f"All passed: {counts}")


def fuzz_words(count, seed, *kind):
    places = ["--tools", TARGET / "debug", "--llvm", LLVM / "bin", "--findings", TARGET / "fuzz"]
    return [TARGET / "debug/cute-fuzz", count, seed, *kind, *places]


def fuzz_alone(count=FUZZ_COUNT, seed=FUZZ_SEED, *kind):
    needs.build()
    run("cargo", "build", "--workspace", *LOCKED)
    house.link_tools(TARGET / "debug")
    run(*fuzz_words(count, seed, *kind))


def lit_words(tool, files=("lit",), llvm=LLVM / "bin"):
    parameters = {"tool": tool, "bin": TARGET / "debug", "llvm": llvm}
    options = [word for name, value in parameters.items() for word in ("--param", f"{name}={value}")]
    return [LLVM / "bin/lit", "-sv", "--order=lexical", *options, *files]


def lit(*words):
    """`./dev lit [--renew] [FILE..]`"""
    is_renewal = words[:1] == ("--renew",)
    files = words[1:] if is_renewal else words
    needs.build()
    run("cargo", "build", "--workspace", *LOCKED)
    house.link_tools(TARGET / "debug")
    if is_renewal:
        for file in renew.renew(lambda tools: lit_words("cute-opt", files or ("lit",), tools), LLVM / "bin", ROOT):
            print(f"renewed: {file}")
    run(*lit_words("cute-opt", files or ("lit",)))


def embedding():
    """The embedding crate is built in our target directory with our profile and flags, where the shared dependencies and our C++ are
    already compiled. Only our crates are compiled again, because they belong to another workspace. (Cargo would add the flags of the
    crate's own .cargo/config.toml to ours.)"""
    flags = os.environ.get("RUSTFLAGS", f"-Clink-arg=-Wl,-rpath,{LLVM}/lib")
    forget_plugin()
    try:
        run("cargo", "test", *LOCKED, cwd="tests/embedding", env={"CARGO_TARGET_DIR": TARGET, "RUSTFLAGS": flags})
    finally:
        forget_plugin()


def forget_plugin():
    """The plugin's library has no hash in its name. The one of the embedding crate has other features than the workspace's, and cargo
    would mistake one for the other."""
    for folder in (TARGET / "debug", TARGET / "debug/deps"):
        for file in folder.glob("libcute_mlir.*"):
            file.unlink()


def choose_part(option):
    """How much is tried: the number of mutated inputs and their seed."""
    if option is None:
        return FUZZ_COUNT, FUZZ_SEED
    if option == "--full":
        os.environ["CUTE_FULL"] = "1"
        return FULL_FUZZ_COUNT, FUZZ_SEED
    if not option.startswith("--full="):
        die(f"test takes --full or --full=K/N, not '{option}'")
    part = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", option.removeprefix("--full="))
    if not part or int(part[1]) > int(part[2]):
        die(f"--full=K/N takes the number of a part and the number of parts, such as 2/6, not '{option.removeprefix('--full=')}'")
    os.environ["CUTE_FULL"] = part[0]
    # Each part has mutants of its own.
    return FULL_FUZZ_COUNT // int(part[2]), int(part[1])


# The steps that are functions here. Each runs in a process of its own, in which a failure ends it.
FUNCTIONS = {"cargo-tests": cargo_tests.run_all, "embedding": embedding, "proofs-checked": proofs.checked}


def command(option=None, name=None):
    """`./dev test [--full[=K/N]]`. All steps share one cargo profile and one set of features, because a second one would compile
    everything twice."""
    if option == "--step" and name in FUNCTIONS:
        FUNCTIONS[name]()
        return
    fuzz = choose_part(option)
    needs.build()
    needs.rust_component("fmt", "rustfmt")
    needs.rust_component("clippy", "clippy")
    for tool in (needs.ptxas, needs.newest_ptxas, needs.nvcc, needs.libdevice, needs.nvdisasm):
        tool()
    LOGS.mkdir(parents=True, exist_ok=True)
    for log in LOGS.glob("*.log"):
        log.unlink()
    steps = Steps()
    steps.run("rustfmt", "cargo", "fmt", "--all", "--check")
    steps.run("clang-format", "clang-format-22", "--dry-run", "--Werror", *needs.sources_in_c())
    # Without a build, the following steps cannot show anything more.
    if steps.run("build", "cargo", "build", "--workspace", "--lib", "--bins", "--tests", "--examples", *LOCKED):
        after_build(steps, fuzz)
    steps.summary()


def after_build(steps, fuzz):
    def step(name):
        return DEV, "test", "--step", name

    house.link_tools(TARGET / "debug")
    steps.run("clippy", "cargo", "clippy", "--workspace", "--all-targets", *LOCKED, "--", "-D", "warnings")
    steps.run("cargo test", *step("cargo-tests"))
    for tool in ("cute-opt", "mlir-opt"):
        steps.run(f"lit {tool}", *lit_words(tool))
    steps.run("renew", "python3", "build/dev/test_renew.py")
    steps.run("cutlass_compiler", "python3", "tests/foreign/cutlass_compiler/test.py", TARGET / "debug")
    for name in ("examples", "python", "traces", "annotations", "wasm"):
        steps.run(name, DEV, name)
    steps.run("proofs checked", *step("proofs-checked"))
    steps.run("page", DEV, "page", "--test")
    steps.run("gpu bundle", DEV, "gpu-bundle", "--test")
    # These cannot be divided.
    if os.environ.get("CUTE_FULL", "").split("/")[0] == "1":
        undivided(steps)
    steps.run("fuzz", *fuzz_words(*fuzz))
    steps.run("embedding", *step("embedding"))


def undivided(steps):
    for name in "leaks archive wheels:try-wheels package proofs book foreign self-test".split():
        steps.run(name.split(":")[0], DEV, name.split(":")[-1])
    if modules := os.environ.get("CUTE_DSL_MODULES"):
        base = ["--baseline", os.environ.get("CUTE_DSL_BASELINE", ""), "--check"]
        both = [word for name in ("CUTE_PTXAS", "CUTE_PTXAS_NEWEST") for word in ("--assembler", os.environ[name])]
        steps.run("dsl", "python3", "benches/dsl.py", modules, "--cutec", TARGET / "debug/cutec", *base, *both)
