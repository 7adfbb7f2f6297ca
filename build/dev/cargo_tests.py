"""The Rust tests: one process per test binary, side by side.

cargo runs one binary after the other, and at the end of each most processors wait for its slowest test. A runner, which notes what
cargo would start instead of starting it, tells the commands and their environments.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from shell import LOCKED, TARGET, output, run

# Those that take the longest begin first.
SLOW = ["run", "quality", "sim", "cutec", "documents", "stock", "foreign", "gemm", "exec"]
SLOWEST_SHOWN = 10
NOTE = "CUTE_NOTED_TESTS"


def note():
    """What cargo's runner does: it adds the command, its folder and its environment to a file."""
    with open(os.environ[NOTE], "a") as noted:
        noted.write(json.dumps({"words": sys.argv[1:], "folder": os.getcwd(), "environment": dict(os.environ)}) + "\n")


def commands(options):
    host = re.search(r"^host: (.*)$", output("rustc", "-vV"), re.MULTILINE)[1]
    variable = f"CARGO_TARGET_{host.upper().replace('-', '_')}_RUNNER"
    with tempfile.TemporaryDirectory() as folder:
        noted = pathlib.Path(folder, "noted")
        noted.touch()
        environment = {NOTE: noted, variable: f"{sys.executable} {__file__}"}
        run("cargo", "test", *options, "--tests", *LOCKED, env=environment)
        found = [json.loads(line) for line in noted.read_text().splitlines()]
    for command in found:
        for name in (NOTE, variable):
            del command["environment"][name]
    return found


def name_of(command):
    return re.sub(r"-[0-9a-f]{16}$", "", pathlib.Path(command["words"][0]).name)


def place(command):
    name = name_of(command)
    return SLOW.index(name) if name in SLOW else len(SLOW)


class Results:
    def __init__(self):
        self.lock, self.failed, self.times = threading.Lock(), [], []

    def run(self, command, threads):
        environment = command["environment"] | {"RUST_TEST_THREADS": str(threads), "RUSTC_BOOTSTRAP": "1"}
        # libtest tells times to those who say that they may change.
        words = [*command["words"], "-Zunstable-options", "--report-time"]
        start = time.monotonic()
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "errors": "replace"}
        ending = subprocess.run(words, cwd=command["folder"], env=environment, check=False, **options)
        crate = pathlib.Path(command["folder"]).name
        with self.lock:
            print(f"     Running {crate} {name_of(command)}, {time.monotonic() - start:.1f} s", ending.stdout, sep="\n", flush=True)
            found = re.findall(r"^test (.*) \.\.\. .*<([0-9.]+)s>$", ending.stdout, re.MULTILINE)
            self.times += [(float(seconds), f"{crate} {name_of(command)}: {test}") for test, seconds in found]
            if ending.returncode != 0:
                self.failed.append(f"{crate} {name_of(command)}")


def run_all():
    results, cores = Results(), os.cpu_count()
    # Many tests have threads of their own.
    threads = max(1, cores // 2)
    with ThreadPoolExecutor(cores) as pool:
        for _ in pool.map(lambda command: results.run(command, threads), sorted(commands(["--workspace"]), key=place)):
            pass
    results.times.sort(reverse=True)
    (TARGET / "dev").mkdir(parents=True, exist_ok=True)
    (TARGET / "dev/times.txt").write_text("".join(f"{seconds:8.3f} {test}\n" for seconds, test in results.times))
    print(f"The slowest of {len(results.times)} tests; target/dev/times.txt has all:")
    for seconds, test in results.times[:SLOWEST_SHOWN]:
        print(f"{seconds:8.1f} s  {test}")
    if results.failed:
        print(f"FAILED: {', '.join(results.failed)}")
        sys.exit(1)
    run("cargo", "test", "--workspace", "--doc", *LOCKED)


if __name__ == "__main__":
    note()
