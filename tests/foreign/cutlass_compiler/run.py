"""Runs the tests of NVIDIA's open `cutlass_compiler` through this project's tools, and compares with what is known.

    python tests/foreign/cutlass_compiler/run.py FOLDER --bin BIN [--llvm LLVM] [--show CASE] [NAME..]

FOLDER is `cutlass_compiler` in a checkout of NVIDIA/cutlass, BIN the folder of cute-opt and cutec. Each case of cute_ir/test must be
accepted or refused as it expects, under both policies, unless known.py says otherwise; a known difference that is gone is an error
too. The integration tests must print what they expect. NAMEs select files by a part of their name. Nothing of FOLDER is kept.
"""

import argparse
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import known
from cases import Tool, cases_of, files_of, judge

TESTS, INTEGRATION = "cute_ir/test", "test/Integration"
# From ops to what mlir-runner takes.
TO_LLVM = (
    "builtin.module(cute-fold-static,cute-expand-ops,cute-to-base,canonicalize,convert-scf-to-cf,convert-vector-to-llvm,"
    "convert-to-llvm,reconcile-unrealized-casts)"
)


def expected(policy):
    """The known differences under a policy: a kind by `FILE#NUMBER`, and the digest of its case."""
    found = {}
    for kind in known.KINDS:
        if policy == "strict" or not kind.strict:
            for case in kind.cases:
                name, digest = case.rsplit(":", 1)
                found[name] = (kind, digest)
    return found


def compare(policy, judged):
    """What is wrong with the cases of some files, and (positive, accepted, invalid, refused)."""
    wrong, differences, counts = [], expected(policy), [0, 0, 0, 0]
    for case, taken in judged:
        right = taken.how == ("refused" if case.invalid else "accepted")
        counts[2 * case.invalid] += 1
        counts[2 * case.invalid + 1] += right
        kind, digest = differences.get(case.name, (None, None))
        where = f"{policy}: {case.name}:{case.digest}, line {case.line}"
        if taken.how in ("died", "unread"):
            wrong.append(f"{where}: {taken.how}: {taken.why}")
        elif kind and digest != case.digest:
            wrong.append(f"{where}: the case has changed since known.py was written ({digest})")
        elif right and kind:
            wrong.append(f"{where}: taken as it expects, but known.py lists it ({kind.title})")
        elif not right and not kind:
            wrong.append(f"{where}: {'an invalid case is accepted' if case.invalid else taken.why}")
        elif not right and (kind.of == "invalid") != case.invalid:
            wrong.append(f"{where}: known.py has it as {kind.of}")
    return wrong, counts


def text_of(command, text=None):
    """Standard output of a command, with the text of what went wrong if anything did."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    return done.stdout, "" if done.returncode == 0 else done.stderr.strip()[:300] or f"status {done.returncode}"


def printed(options, path, host):
    """What is wrong with the output of an integration test."""
    if host:
        lowered = [options.bin / "cute-opt", "--cute-domain=extend", f"--pass-pipeline={TO_LLVM}", path]
        text, why = text_of(lowered)
        if not why:
            text, why = text_of([options.llvm / "mlir-runner", "-e", "main", "--entry-point-result=void"], text)
    else:
        source = path.read_text()
        launch = [options.bin / "cutec", "run", path, "--domain", "extend", "--grid", "1", "--block", "4"]
        # The tests that pass one number take it from the environment.
        text, why = text_of([*launch, *(["--arg", "0"] if "args(%base" in source else [])])
    if why:
        return why
    return text_of([options.llvm / "FileCheck", path], text)[1]


def integration(options, folder, pool):
    """What is wrong with the integration tests, and how many print what they expect, by their kind."""
    wrong, counts = [], {}
    files = {name: path for name, path in files_of(folder).items() if chosen(options, name)}
    results = pool.map(lambda item: printed(options, item[1], item[0].startswith("host")), files.items())
    for name, why in zip(files, results):
        right, all_of = counts.get(name.partition("/")[0], (0, 0))
        counts[name.partition("/")[0]] = (right + (not why), all_of + 1)
        if bool(why) != (name in known.NOT_PRINTED):
            wrong.append(f"{name}: {why or 'prints what it expects, but known.py lists it'}")
    return wrong, counts


def chosen(options, name):
    return not options.names or any(part in name for part in options.names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--llvm", type=Path, default=Path("/usr/lib/llvm-22/bin"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", metavar="CASE", help="print the text of FILE#NUMBER, and what each policy makes of it")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    os.environ["CUTLASS_COMPILER_TEST_BASE"] = "0"
    tests = files_of(options.folder / TESTS)
    if not tests:
        sys.exit(f"error: there is no {TESTS} with .mlir files in '{options.folder}': name the folder cutlass_compiler of a checkout of NVIDIA/cutlass")
    tools = {policy: Tool(options.bin / "cute-opt", policy) for policy in known.COUNTS}
    if options.show:
        show(tools, tests, options.show)
        return
    tests = {name: path for name, path in tests.items() if chosen(options, name)}
    wrong = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for policy, tool in tools.items():
            judged = [one for file in pool.map(lambda item: judge(tool, item[0], item[1].read_text()), tests.items()) for one in file]
            found, (positive, accepted, invalid, refused) = compare(policy, judged)
            print(f"{policy}: {accepted} of {positive} accepted, {refused} of {invalid} invalid ones refused", flush=True)
            if not options.names and known.Counts(positive, accepted, invalid, refused) != known.COUNTS[policy]:
                found.append(f"{policy}: known.py has {known.COUNTS[policy]}")
            wrong += found
        found, counts = integration(options, options.folder / INTEGRATION, pool)
        for name, (right, all_of) in sorted(counts.items()):
            print(f"{name}: {right} of {all_of} integration tests print what they expect")
        if not options.names and counts != known.INTEGRATION:
            found.append(f"known.py has {known.INTEGRATION}")
        wrong += found
    for text in wrong:
        print(f"error: {text}")
    print("as known" if not wrong else f"{len(wrong)} differences that known.py does not list")
    sys.exit(bool(wrong))


def show(tools, tests, name):
    """Prints a case."""
    file, _, number = name.partition("#")
    text = tests[file].read_text() if file in tests else ""
    found = [case for case in cases_of(file, text) if case and str(case.number) == number.partition(":")[0]]
    if not found:
        sys.exit(f"error: there is no case '{name}': it is written FILE#NUMBER, as in known.py")
    print(found[0].text.strip())
    for policy, tool in tools.items():
        taken = dict((case.name, taken) for case, taken in judge(tool, file, text))[found[0].name]
        print(f"{policy}: {taken.how}{': ' if taken.why else ''}{taken.why}")


if __name__ == "__main__":
    main()
