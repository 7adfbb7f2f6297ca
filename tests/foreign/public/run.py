"""Compiles public kernels from checkouts, runs them in the simulator, and compares with references.

    [UPDATE_DOCS=1] python tests/foreign/public/run.py FOLDER --nvcc NVCC --cutec CUTEC --out OUT [--include FOLDER..] [NAME..]

FOLDER has a checkout of each repository under the repository's name. A repository that is not there is reported and skipped. NAMEs
select launches by a part of their repository's or kernel's name. With UPDATE_DOCS=1, what was seen goes to `records.json`.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import records
from corpus import FOLDER, Corpus, may_be_written
from launches import LAUNCHES, found, read_launches


def compile_source(options, source):
    """Compiles one file; returns the text of what went wrong, if anything did."""
    if not source.file(options.folder).exists():
        return f"{source.file(options.folder)} is missing"
    run = subprocess.run(source.command(options, options.out / source.name), capture_output=True, text=True)
    return run.stderr[-2000:] if run.returncode else None


def head(checkout):
    """The commit of a checkout."""
    run = subprocess.run(["git", "-C", checkout, "rev-parse", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or "unknown"


def judge(one, report, out):
    """What is wrong with a run: findings beyond those that are known, known ones that are missing, wrong values."""
    wrong, left = [], list(one.findings)
    for kind, grade, place in found(report):
        known = [f for f in one.findings if f.kind == kind and f.grade == grade and re.search(rf"\b{re.escape(f.at)}\b", place)]
        left = [f for f in left if f not in known]
        if not known:
            wrong.append(f"unexpected {grade} `{kind}` at {place}")
    wrong += [f"{f.grade} `{f.kind}` at {f.at} is missing" for f in left]
    # After a race the run goes on.
    if any(grade == "error" and kind != "race" for kind, grade, _ in found(report)):
        return wrong, "stopped"
    if not one.right:
        return wrong, "differ" if one.differences(out)[0] else "right"
    texts, largest = one.differences(out)
    return wrong + texts, "wrong" if texts else "exact" if largest == 0 else f"within {largest:.1e}"


def place(options, one):
    """Where the arrays of a launch go."""
    return options.out / f"{LAUNCHES.index(one)}.{one.repository.name}.{one.kernel}"


def run(options, one):
    out = place(options, one)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.npy"):
        old.unlink()
    ptx = options.out / one.source.name
    words = one.asked(options.cutec, options.folder, ptx, out)
    (out / "command.sh").write_text(shlex.join(words) + "\n")
    start = time.monotonic()
    try:
        ran = subprocess.run(words, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        return [f"no end within {options.timeout} s"], "none", [], options.timeout, None, None
    took = time.monotonic() - start
    try:
        report = one.report(json.loads(ran.stdout))
    except (json.JSONDecodeError, IndexError, KeyError):
        return [ran.stderr[-1500:] or f"rc {ran.returncode}"], "none", [], took, None, None
    wrong, values = judge(one, report, out)
    made = records.record(one, one.ptx(ptx, out), report)
    if shape := one.extents_of(ptx, out):
        made["shape"] = shape
    return wrong, values, report["findings"], took, made, report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--cutec", default="cutec")
    parser.add_argument("--out", type=Path, required=True, help="where PTX and arrays go")
    parser.add_argument("--include", type=Path, action="append", default=[], help="a folder with headers: of CCCL, of CUTLASS")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one launch")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", action="store_true", help="PTX that is there is not compiled again")
    parser.add_argument("--check-in", action="store_true", help="write the launches of whole repositories to tests/foreign/corpus")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    options.out.mkdir(parents=True, exist_ok=True)
    read_launches()
    chosen = [
        one for one in LAUNCHES if not options.names or any(n in f"{one.repository.name} {one.kernel}" for n in options.names)
    ]
    if not chosen:
        sys.exit(f"no launch has a part of its name in {', '.join(options.names)}")
    for repository in dict.fromkeys(one.repository for one in chosen):
        checkout = options.folder / repository.name
        if not checkout.is_dir():
            print(f"{repository.name}: there is no folder {checkout}; skipped")
            chosen = [one for one in chosen if one.repository != repository]
        elif (checkout / ".git").exists() and (commit := head(checkout)) != repository.commit:
            print(f"{repository.name}: commit {commit[:12]}, not {repository.commit[:12]}; places of findings may differ")
    if not chosen:
        sys.exit(f"{options.folder} has none of the repositories: docs/foreign.md lists them")
    sources = [s for s in dict.fromkeys(one.source for one in chosen) if not (options.keep and (options.out / s.name).exists())]
    failed, made, corpus = 0, {}, Corpus()
    if options.check_in:
        for repository in {one.repository.name for one in chosen}:
            shutil.rmtree(FOLDER / repository, ignore_errors=True)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        broken = {s: text for s, text in zip(sources, pool.map(lambda s: compile_source(options, s), sources)) if text}
        for source, text in broken.items():
            print(f"{source.name}: not compiled\n{text}")
            failed += 1
        chosen = [one for one in chosen if one.source not in broken]
        for one, (wrong, values, findings, took, record, report) in zip(chosen, pool.map(lambda one: run(options, one), chosen)):
            failed += bool(wrong)
            if record and not wrong:
                made[one.key] = record
                if options.check_in and may_be_written(one, record):
                    corpus.add(one, options.out / one.source.name, place(options, one), report, options.folder)
            kinds = ", ".join(sorted({f"{f['kind']['kind']} ({f['grade']})" for f in findings})) or "no finding"
            verdict = "FAILED" if wrong else "as known"
            print(f"{one.repository.name:22} {one.kernel[:38]:38} {values:15} {kinds:26} {took:5.1f} s  {verdict}", flush=True)
            for text in wrong:
                print(f"    {text}")
    corpus.write(options.folder)
    if os.environ.get("UPDATE_DOCS") == "1":
        records.write(made, {one.key for one in LAUNCHES})
    print(f"{len(chosen)} launches of {len({one.repository for one in chosen})} repositories, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
