"""Checks that annotations of broken kernels are valid, and point at the lines of their sources.

    python annotations.py CUTEC SCHEMA

The kernels are those of tests/foreign with a finding, as nvcc, clang and Triton compiled them. SCHEMA is the schema of SARIF 2.1.0.
Each report in SARIF must be valid; it, and the annotations of a workflow, must have the line of the .cu or .py with the mistake.
"""

import json
import pathlib
import re
import subprocess
import sys

import jsonschema

FOREIGN = pathlib.Path(__file__).resolve().parents[3] / "tests/foreign"


def cases():
    """The launches with a finding."""
    files = sorted([*FOREIGN.glob("cuda/*.json"), *FOREIGN.glob("triton/*.json")])
    return [case for file in files for case in json.loads(file.read_text()) if case.get("finds")]


def reported(cutec, case, service):
    """The report of a launch for a service."""
    command = [cutec, "run", case["file"], "--report", service]
    for name in ("kernel", "grid", "block", "cluster", "shared"):
        if case.get(name):
            command += [f"--{name}", str(case[name])]
    for option, texts in (("arg", case["arguments"]), ("array", case["arrays"])):
        for text in texts:
            # A name before a colon is for the comparison of arrays.
            command += [f"--{option}", text]
    done = subprocess.run(command, cwd=FOREIGN, capture_output=True, text=True, check=False)
    assert done.returncode == 1, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def lines_of_sarif(log):
    """The files and lines of the locations of the results, and of their related ones."""
    results = log["runs"][0]["results"]
    places = [place for one in results for place in one["locations"] + one.get("relatedLocations", [])]
    places = [place["physicalLocation"] for place in places if "physicalLocation" in place]
    return {(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places}


def lines_of_github(text):
    """The files and lines of the commands of a workflow."""
    return {(file, int(line)) for file, line in re.findall(r"^::\w+ file=([^,]+),line=(\d+)", text, re.M)}


def main(cutec, schema):
    cutec = pathlib.Path(cutec).resolve()
    validator = jsonschema.Draft7Validator(json.loads(pathlib.Path(schema).read_text()))
    # The schema refuses something.
    assert not validator.is_valid({"version": "2.1.0", "runs": [{}]}), "a run without a tool is valid"
    sources = set()
    for case in cases():
        log = json.loads(reported(cutec, case, "sarif"))
        wrong = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(log)]
        assert not wrong, f"{case['file']}: {wrong}"
        file, line = case["finds"]["at"].rstrip(":").split(":")
        lines, annotated = lines_of_sarif(log), lines_of_github(reported(cutec, case, "github"))
        assert (file, int(line)) in lines, f"{case['file']}: {file}:{line} is not in {lines}"
        assert annotated and annotated <= lines, f"{case['file']}: {annotated} are not all in {lines}"
        assert all(file == source for source, _ in annotated), f"{case['file']}: {annotated}"
        sources.add(pathlib.Path(file).suffix)
    assert sources == {".cu", ".py"}, sources
    print(f"{len(cases())} reports in SARIF are valid, with the lines of their sources")


if __name__ == "__main__":
    main(*sys.argv[1:])
