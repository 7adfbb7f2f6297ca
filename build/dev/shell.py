"""Running programs, and the folders that all commands know."""

import glob
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEV = str(ROOT / "dev")
TARGET = pathlib.Path(os.path.realpath(ROOT / os.environ.get("CARGO_TARGET_DIR", "target")))
LLVM = pathlib.Path("/usr/lib/llvm-22")
CI = os.environ.get("CI") == "true"
# CI must not change Cargo.lock.
LOCKED = ["--locked"] if CI else []
if CI:
    # What is built once has no use for cargo's state between builds, nor for a debugger's tables: half of what lies in target/.
    os.environ |= {"CARGO_INCREMENTAL": "0", "CARGO_PROFILE_DEV_DEBUG": "none"}


def say(text):
    print("==", text, flush=True)


def die(text):
    print("error:", text, file=sys.stderr, flush=True)
    sys.exit(1)


def strings(words):
    return [str(word) for word in words]


def run(*words, env=None, **options):
    """Runs a program, and ends this one if it fails. `env` is added to the environment."""
    words = strings(words)
    sys.stdout.flush()
    try:
        ending = subprocess.run(words, env=os.environ | strings_of(env), **options)
    except FileNotFoundError:
        die(f"there is no {words[0]}")
    if ending.returncode != 0:
        said = ending.stderr or ending.stdout or "" if options.get("text") else ""
        die(f"{' '.join(words)[:200]} failed with {ending.returncode}{': ' if said else ''}{said}")
    return ending


def strings_of(env):
    return {name: str(value) for name, value in (env or {}).items()}


def output(*words, **options):
    """The output of a program without its last newline."""
    return run(*words, stdout=subprocess.PIPE, text=True, **options).stdout.rstrip("\n")


def expect(wanted, *words, **options):
    """Runs a program, and ends this one if a line of the output does not have the text."""
    lines = [line for line in output(*words, **options).splitlines() if wanted in line]
    if not lines:
        die(f"{' '.join(strings(words))} does not say '{wanted}'")
    print(*lines, sep="\n", flush=True)


def works(*words, **options):
    """Whether a program is there and succeeds, without its output."""
    options = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | options
    return shutil.which(str(words[0])) is not None and subprocess.run(strings(words), **options).returncode == 0


def only(pattern):
    """The first file of a pattern, in order, or None."""
    return min(glob.glob(str(pattern)), default=None)


def empty(folder):
    """Makes an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    pathlib.Path(folder).mkdir(parents=True)
    return pathlib.Path(folder)


def link(to, name):
    """Makes a symbolic link, in place of an older one."""
    name = pathlib.Path(name)
    name.unlink(missing_ok=True)
    name.symlink_to(to)


def is_full():
    return bool(os.environ.get("CUTE_FULL"))
