"""Builds programs of others from checkouts, and runs them by `cutec exec`.

    python tests/foreign/programs/run.py FOLDER --nvcc NVCC --cutec CUTEC --out OUT [--include FOLDER..] [--full K/N] [NAME..]

FOLDER has a checkout of each repository under the repository's name. A repository that is not there is reported and skipped. NAMEs
select programs by a part of their repository's or their own name, and `--full=K/N` every N-th one. What is built stays in OUT, and is
built again if its sources, its headers or its command change. UPDATE_RECORD=1 writes launches and seconds to measured.json, from
which the table has them.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from programs import HERE, PROGRAMS, read_programs

MEASURED = HERE / "measured.json"
LOCKS = collections.defaultdict(threading.Lock)


def finished(words, timeout, **options):
    """Runs a command; returns its exit code, what it wrote, the seconds of processors and of the clock."""
    start = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", **options)
    timer = threading.Timer(timeout, process.terminate)
    timer.start()
    written = ["", ""]

    def read(at, pipe):
        written[at] = pipe.read()

    readers = [threading.Thread(target=read, args=pair) for pair in enumerate((process.stdout, process.stderr))]
    for reader in readers:
        reader.start()
    # What the process used is known to whoever waits for it.
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    for reader in readers:
        reader.join()
    timer.cancel()
    took = time.monotonic() - start
    return process.returncode, *written, usage.ru_utime + usage.ru_stime, took


def is_built(made, record, words):
    """Whether a file is there, by this command, and newer than what it was made of, which `record` lists as make does."""
    command = made.with_suffix(".sh")
    if not made.exists() or not command.exists() or command.read_text() != shlex.join(words):
        return False
    of = re.sub(r"\\\n", " ", record.read_text()).split(":", 1)[1].split() if record.exists() else []
    return all(Path(file).exists() and Path(file).stat().st_mtime <= made.stat().st_mtime for file in of)


def make(made, record, words):
    """Runs a command unless its result is there; returns the text of what went wrong, if anything did."""
    if is_built(made, record, words):
        return None
    made.unlink(missing_ok=True)
    made.with_suffix(".sh").write_text(shlex.join(words))
    ran = subprocess.run(words, capture_output=True, text=True)
    return (ran.stderr or ran.stdout)[-2000:] if ran.returncode else None


def build(options, one):
    """Builds a program; returns its file, or the text of what went wrong."""
    out = options.out / one.binary
    out.mkdir(parents=True, exist_ok=True)
    missing = [file for file in one.files(options.folder) if not file.exists()]
    if missing:
        return None, f"{missing[0]} is missing"
    objects = []
    for index, file in enumerate(one.written(options.folder, out)):
        made = out / f"{index}.{file.stem}.o"
        if wrong := make(made, made.with_suffix(".d"), one.compilation(options, file, made)):
            return None, wrong
        objects.append(made)
    program, record = out / "program", out / "program.d"
    record.write_text(f"program: {' '.join(map(str, objects))}\n")
    return program, make(program, record, one.link(options, objects, program))


def found(report):
    """Kind, grade, place and kernel of each finding of a program."""
    return [
        (f["kind"]["kind"], f["grade"], f.get("location") or "", launch["kernel"])
        for launch in report["launches"]
        for f in launch["report"]["findings"]
    ]


def judge(one, code, output, report):
    """What is wrong with a run: findings beyond those that are known, known ones that are missing, what it says."""
    wrong, left = {}, list(one.findings)
    for kind, grade, place, kernel in found(report):
        known = [f for f in one.findings if f.kind == kind and f.grade == grade and re.search(rf"\b{re.escape(f.at)}\b", place)]
        left = [f for f in left if f not in known]
        if not known:
            wrong[f"unexpected {grade} `{kind}` at {place} in {kernel[:60]}"] = None
    wrong = [*wrong, *(f"{f.grade} `{f.kind}` at {f.at} is missing" for f in left)]
    if report["unsupported"]:
        wrong.append(f"not supported: {', '.join(report['unsupported'])}")
    said = one.said(output)
    if one.right and said != one.times:
        wrong.append(f"it says {said} times, not {one.times}, that it passed: {output[-1500:]}")
    if not one.right and said:
        wrong.append("it says that it passed, against what is known")
    expected = int(any(f.grade == "error" for f in one.findings))
    if one.right and code != expected:
        wrong.append(f"exit code {code}, not {expected}")
    return wrong


def run(options, one):
    """Builds and runs a program; returns what is wrong, its findings, and the measured numbers."""
    out = options.out / "runs" / one.key
    out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    # Runs that share a program wait for the first one to build it.
    with LOCKS[one.binary]:
        program, wrong = build(options, one)
    built = time.monotonic() - start
    if wrong:
        return [f"not built: {wrong}"], [], {"built": built}
    words = one.execution(options, program)
    (out / "run.sh").write_text(shlex.join(words) + "\n")
    code, output, errors, cpu, took = finished(words, options.timeout, cwd=one.files(options.folder)[0].parent)
    (out / "output").write_text(output)
    (out / "errors").write_text(errors)
    measured = {"built": built, "cpu": cpu, "took": took}
    if took >= options.timeout:
        return [f"no end within {options.timeout} s: {output[-500:]}"], [], measured
    *lines, last = output.rstrip("\n").split("\n")
    try:
        report = json.loads(last)
    except json.JSONDecodeError:
        return [f"exit code {code}: {output[-1000:]}{errors[-1000:]}"], [], measured
    measured["launches"] = len(report["launches"])
    return judge(one, code, "\n".join(lines), report), found(report), measured


def part(text):
    """Reads K/N."""
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if not match or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is not K/N with K from 1 to N")
    return int(match[1]), int(match[2])


def commit(checkout):
    """The commit of a checkout."""
    ran = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], capture_output=True, text=True)
    return ran.stdout.strip() or "unknown"


def choose(options, programs, page="docs/foreign_programs.md"):
    """The programs to run, of those that a page lists."""
    chosen = [one for one in programs if not options.names or any(n in f"{one.repository.name} {one.name}" for n in options.names)]
    if not chosen:
        sys.exit(f"no program has a part of its name in {', '.join(options.names)}")
    k, n = options.full
    chosen = chosen[k - 1 :: n]
    for repository in dict.fromkeys(one.repository for one in chosen if not one.ours):
        checkout = options.folder / repository.name
        if not checkout.is_dir():
            print(f"{repository.name}: there is no folder {checkout}; skipped")
            chosen = [one for one in chosen if one.ours or one.repository != repository]
        elif (checkout / ".git").exists() and (is_at := commit(checkout)) != repository.commit:
            print(f"{repository.name}: commit {is_at[:12]}, not {repository.commit[:12]}; places of findings may differ")
    if not chosen:
        sys.exit(f"{options.folder} has none of the repositories: {page} lists them")
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cutec", default="cutec")
    parser.add_argument("--out", type=Path, required=True, help="where programs and their output go")
    parser.add_argument("--include", type=Path, action="append", default=[], help="a folder with headers: of CCCL")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--full", type=part, default=(1, 1), metavar="K/N", help="the K-th of N parts")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    options.folder, options.out = options.folder.resolve(), options.out.resolve()
    # A name without a folder is searched for; a path must be right in the folders where programs run.
    options.cutec = shutil.which(options.cutec) and Path(shutil.which(options.cutec)).resolve()
    options.libraries = subprocess.run([options.cutec, "--libdir"], capture_output=True, text=True, check=True).stdout.strip()
    read_programs()
    chosen = choose(options, PROGRAMS)
    record = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    failed, start = 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for one, (wrong, findings, measured) in zip(chosen, pool.map(lambda one: run(options, one), chosen)):
            failed += bool(wrong)
            kinds = ", ".join(sorted({f"{kind} ({grade})" for kind, grade, _, _ in findings})) or "no finding"
            verdict = "FAILED" if wrong else "as known"
            numbers = f"{measured.get('launches', 0):5} launches, {measured.get('cpu', 0):6.1f} s"
            numbers += f", built in {measured['built']:5.1f} s"
            print(f"{one.repository.name:13} {one.name[:34]:34} {kinds:28} {numbers}  {verdict}", flush=True)
            for text in wrong:
                print(f"    {text}", flush=True)
            if not wrong:
                record[one.key] = {"launches": measured["launches"], "seconds": round(measured["cpu"], 1)}
    print(
        f"{len(chosen)} programs of {len({one.repository for one in chosen})} repositories, {failed} failed, "
        f"{time.monotonic() - start:.0f} s"
    )
    if os.environ.get("UPDATE_RECORD") == "1":
        known = {one.key for one in PROGRAMS}
        MEASURED.write_text(json.dumps({key: record[key] for key in sorted(record) if key in known}, indent=1) + "\n")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
