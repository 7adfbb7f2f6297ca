"""Runs programs of others in Python with kernels of Triton, whose launches are simulated.

    python tests/foreign/programs/in_python.py FOLDER --out OUT [--jobs N] [--full K/N] [NAME..]

FOLDER has a checkout of each repository under the repository's name. It runs in the environment of the Python that runs it, which has
the package cute-mlir, Triton and torch. UPDATE_RECORD=1 writes kernels, launches and seconds to measured_python.json, from which the
table of docs/foreign_triton.md has them. `--tables` compares the table with the programs, or with UPDATE_DOCS=1 writes it anew.
"""

import argparse
import concurrent.futures
import json
import os
import shlex
import sys
import time
from pathlib import Path

from of_python import PROGRAMS
from programs import HERE
from run import choose, finished, part
from tables import heading, write

MEASURED = HERE / "measured_python.json"
PAGE = HERE.parents[2] / "docs" / "foreign_triton.md"


def words(options, one):
    """The words that run a program, and its environment."""
    checkout = options.folder / one.repository.name
    file = HERE / "python" / one.file if one.ours else checkout / one.file
    report = options.out / f"{one.key}.jsonl"
    report.unlink(missing_ok=True)
    # Checkouts have their package at the top, or in src.
    paths = [str(path) for path in (checkout / "src", checkout) if path.exists()]
    environment = {
        **os.environ,
        **dict(one.environment),
        "CUTE_MLIR_TRITON": f"simulate,report={report}",
        "PYTHONPATH": os.pathsep.join([*paths, *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
    }
    run = [sys.executable, "-W", "ignore"]
    if one.tests:
        run += ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", file]
        run += ["-k", one.chosen] if one.chosen else []
    else:
        run += [file, checkout]
    return [str(word) for word in run], environment, report, checkout


def judge(one, code, output, findings):
    """What is wrong with a run: findings that are not known, known ones that are missing, its own check."""
    wrong, left = [], list(one.findings)
    for finding in findings:
        known = [f for f in one.findings if (f.kind, f.grade) == (finding["kind"], finding["grade"]) and f.at in finding["location"]]
        left = [f for f in left if f not in known]
        if not known and finding["grade"] == "error":
            wrong.append(f"unexpected {finding['grade']} `{finding['kind']}` at {finding['location']}")
    wrong += [f"{f.grade} `{f.kind}` at {f.at} is missing" for f in left]
    if one.findings:
        return wrong + ([] if code else ["it ends without its finding"])
    if one.tests and f"{one.tests} passed" not in output:
        wrong.append(f"not {one.tests} tests passed")
    return wrong + ([f"exit code {code}: {output[-1500:]}"] if code else [])


def run(options, one):
    """Runs a program; returns what is wrong, its findings, and the measured numbers."""
    command, environment, report, checkout = words(options, one)
    (options.out / f"{one.key}.sh").write_text(shlex.join(command) + "\n")
    code, output, errors, cpu, took = finished(command, options.timeout, cwd=checkout, env=environment)
    (options.out / f"{one.key}.txt").write_text(output + errors)
    launches = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    findings = [finding for launch in launches for finding in launch["findings"]]
    measured = {"kernels": len({launch["kernel"] for launch in launches}), "launches": len(launches), "seconds": round(cpu, 1)}
    if took >= options.timeout:
        return [f"no end within {options.timeout} s"], findings, measured
    wrong = judge(one, code, output + errors, findings)
    findings = list({(f["kind"], f["grade"], f["location"]): f for f in findings}.values())
    return wrong + ([] if launches else ["no launch was simulated"]), findings, measured


def tables():
    """The table of the page."""
    record = json.loads(MEASURED.read_text())
    own = [record[one.key] for one in PROGRAMS if one.key in record]
    kernels, launches, seconds = (sum(numbers[name] for numbers in own) for name in ("kernels", "launches", "seconds"))
    made = [
        f"{len(PROGRAMS)} programs of {len({one.repository.name for one in PROGRAMS})} repositories with {kernels} kernels, whose "
        f"{launches:,} launches take {seconds / 60:.0f} minutes of processor time with all the rest of the programs.\n"
    ]
    for repository in dict.fromkeys(one.repository for one in PROGRAMS):
        lines = [*heading(repository), "| program | computes | its own check | findings | kernels, launches, seconds |", "|---|---|---|---|---|"]
        chosen = [one for one in PROGRAMS if one.repository == repository]
        verdicts = list(dict.fromkeys(f for one in chosen for f in one.findings))
        for one in chosen:
            check = f"{one.tests} tests pass" if one.tests else "ends at its finding" if one.findings else "passes"
            check += f" (`-k {one.chosen}`)" if one.chosen else ""
            numbers = record.get(one.key)
            measured = f"{numbers['kernels']}, {numbers['launches']}, {numbers['seconds']}" if numbers else "not measured"
            found = ", ".join(f"({1 + verdicts.index(f)})" for f in one.findings) or "none"
            lines.append(f"| {one.name} | {one.what} | {check} | {found} | {measured} |")
        lines += [""] * bool(verdicts)
        lines += [f"{n}. `{f.kind}` ({f.grade}) at `{f.at}`. {f.verdict}." for n, f in enumerate(verdicts, 1)]
        made.append("\n".join(lines) + "\n")
    write(PAGE, "\n".join(made), __file__)


def main():
    if sys.argv[1:] == ["--tables"]:
        return tables()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="where the output of programs goes")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--full", type=part, default=(1, 1), metavar="K/N", help="the K-th of N parts")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    options.folder, options.out = options.folder.resolve(), options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    chosen = choose(options, PROGRAMS, "docs/foreign_triton.md")
    record = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    failed, start = 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for one, (wrong, findings, measured) in zip(chosen, pool.map(lambda one: run(options, one), chosen)):
            failed += bool(wrong)
            kinds = ", ".join(sorted({f"{f['kind']} ({f['grade']})" for f in findings})) or "no finding"
            numbers = f"{measured['launches']:5} launches, {measured['seconds']:6.1f} s"
            print(f"{one.repository.name:13} {one.name:26} {kinds:28} {numbers}  {'FAILED' if wrong else 'as known'}", flush=True)
            for text in wrong:
                print(f"    {text}", flush=True)
            if not wrong:
                record[one.key] = measured
    print(f"{len(chosen)} programs, {failed} failed, {time.monotonic() - start:.0f} s")
    if os.environ.get("UPDATE_RECORD") == "1":
        known = {one.key for one in PROGRAMS}
        MEASURED.write_text(json.dumps({key: record[key] for key in sorted(record) if key in known}, indent=1) + "\n")
    return sys.exit(failed > 0)


if __name__ == "__main__":
    main()
