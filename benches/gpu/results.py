"""Writes what a GPU answered into docs/measurements.md: tables from the results.json of a run of the bundle.

    python3 benches/gpu/results.py DIR                 results.json in DIR, or the path of the file
    python3 benches/gpu/results.py DIR --allow-fake    print the tables of a run with recorded answers

`./dev gpu-results` calls it. It replaces what lies between two comments of the page.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "bundle"))

from gpu_bundle import rows as results_rows  # noqa: E402

PAGE = HERE.parent.parent / "docs" / "measurements.md"
BEGIN, END = "<!-- gpu: begin -->", "<!-- gpu: end -->"

#: The parts in the order of the page, with their headings.
HEADINGS = {
    "a": "The machine",
    "b": "Instructions",
    "c": "Kernels",
    "d": "Tensor maps",
    "g": "Tensor cores",
    "h": "Grades of findings",
    "e": "Speed",
    "f": "Counters",
}

#: The longest text of a cell.
WIDEST = 160

Row = dict[str, Any]


class Unusable(Exception):
    """Results that no table is made of."""


def read(path: pathlib.Path) -> dict[str, Any]:
    """The results of a file, or of the file in a folder, after checks of what the tables rely on."""
    file = path / "results.json" if path.is_dir() else path
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Unusable(f"'{file}' cannot be read: {error}") from None
    try:
        found = json.loads(text)
    except ValueError as error:
        raise Unusable(f"'{file}' is not valid JSON: {error}") from None
    return checked(found, file)


def checked(found: Any, file: pathlib.Path) -> dict[str, Any]:
    """The results, if they have this version's form; otherwise an error."""

    def must(is_right: bool, rule: str) -> None:
        if not is_right:
            raise Unusable(f"'{file}': {rule}")

    must(isinstance(found, dict) and "schema" in found, "this is not the results.json of the bundle: it has no schema")
    version = found["schema"]
    must(
        version == results_rows.SCHEMA,
        f"the schema is {version!r}, but this program reads {results_rows.SCHEMA}: use that of the bundle's version",
    )
    must(isinstance(found.get("fake"), bool), "'fake' must be true or false")
    must(isinstance(found.get("date"), str), "'date' must be a text")
    must(isinstance(found.get("bundle"), dict), "'bundle' must be an object")
    parts = found.get("parts")
    must(isinstance(parts, dict), "'parts' must be an object")
    for letter, part in parts.items():
        must(letter in HEADINGS, f"there is no part '{letter}'")
        must(isinstance(part, dict) and isinstance(part.get("rows"), list), f"part '{letter}' must have a list of rows")
        must(isinstance(part.get("facts", {}), dict), f"the facts of part '{letter}' must be an object")
        names = set()
        for row in part["rows"]:
            must(isinstance(row, dict) and isinstance(row.get("row"), str), f"part '{letter}' has a row without a name")
            name = row["row"]
            must(row.get("state") in results_rows.STATES, f"row '{name}' has the state {row.get('state')!r}")
            must(name not in names, f"part '{letter}' has two rows '{name}'")
            names.add(name)
    results: dict[str, Any] = found
    return results


# Cells and tables.


def cell(value: Any) -> str:
    """A value as a cell shows it."""
    if isinstance(value, bool) or value is None:
        text = {True: "yes", False: "no", None: ""}[value]
    elif isinstance(value, int):
        text = f"{value:,}" if abs(value) >= 10000 else str(value)
    elif isinstance(value, float):
        text = f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    elif isinstance(value, list):
        text = ", ".join(cell(part) for part in value)
    elif isinstance(value, dict):
        text = ", ".join(f"{name} {cell(part)}" for name, part in value.items())
    else:
        text = str(value)
    text = " ".join(text.split())
    if len(text) > WIDEST:
        text = text[: WIDEST - 3] + "..."
    # The page is Markdown, and its source has no raw HTML.
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")


def raw_table(header: Iterable[str], lines: Iterable[Iterable[str]]) -> list[str]:
    """A table of cells that are Markdown already."""
    names = list(header)
    made = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    return [*made, *("| " + " | ".join(line) + " |" for line in lines)]


def table(header: Iterable[str], lines: Iterable[Iterable[Any]]) -> list[str]:
    """A table of Markdown."""
    return raw_table(header, ([cell(value) for value in line] for line in lines))


def others(row: Row, *shown: str) -> dict[str, Any]:
    """The facts of a row, but those that have a column of their own."""
    return {name: value for name, value in row.items() if name not in ("row", "state", *shown)}


# The parts.


def machine(part: dict[str, Any]) -> list[str]:
    facts = part.get("facts", {})
    return table(["fact", "value"], facts.items())


def plain(part: dict[str, Any]) -> list[str]:
    """A line for each row, with all that was found."""
    return table(["asked", "state", "found"], ([row["row"], row["state"], others(row)] for row in part["rows"]))


def counts(part: dict[str, Any]) -> list[str]:
    """The number of rows in each state: there are too many rows, and those that differ are listed first on the page."""
    states = Counter(row["state"] for row in part["rows"])
    return table(["state", "rows"], ([state, states[state]] for state in results_rows.STATES if states[state]))


def grades(part: dict[str, Any]) -> list[str]:
    """How often a device did what a grade rests on, beside what we claim and what the simulator reports."""
    lines = []
    for row in part["rows"]:
        is_counted = "seen" in row and "of" in row
        plainly = f"seen {row['seen']} of {row['of']}" if is_counted else ""
        often = f"seen {cell(row['seen'])} of {cell(row['of'])}" if is_counted else row["state"]
        rest = {
            name: value for name, value in others(row, "seen", "of", "claim", "simulator").items() if value != plainly
        }
        lines.append([row["row"], often, row.get("claim"), row.get("simulator"), rest])
    return table(["asked", "device", "claim", "simulator", "other facts"], lines)


def speed(part: dict[str, Any]) -> list[str]:
    """Times, and ratios with the baseline."""
    made: list[str] = []
    for unit, field in (("TFLOP/s", "tflops"), ("GB/s", "gb_per_s")):
        timed = [row for row in part["rows"] if field in row]
        if not timed:
            continue
        header = ["kernel", "ms", unit, "baseline", f"its {unit}", "times as fast", "samples that are wrong"]
        lines = (
            [
                row["row"],
                row.get("ms"),
                row[field],
                row.get("baseline"),
                row.get(f"baseline_{field}"),
                row.get("ratio"),
                f"{row.get('wrong')} of {row.get('samples')}",
            ]
            for row in timed
        )
        made += [*([""] if made else []), *table(header, lines)]
    untimed = [row for row in part["rows"] if "tflops" not in row and "gb_per_s" not in row]
    if untimed:
        made += ["", *table(["not timed", "state", "facts"], ([r["row"], r["state"], others(r)] for r in untimed))]
    return made


COUNTERS = """\
A single number is that of both sides, or that of the hardware where the simulator counts nothing like it. A number in
parentheses is the simulator's where the two need not be equal. Where they must be equal and differ, the hardware's is
bold."""


def counters(part: dict[str, Any]) -> list[str]:
    """A line for each counter and a column for each kernel."""
    kernels: list[str] = []
    metrics: list[str] = []
    cells: dict[tuple[str, str], str] = {}
    unasked = []
    for row in part["rows"]:
        kernel, colon, metric = row["row"].partition(": ")
        if not colon:
            unasked.append(row)
            continue
        kernels += [kernel] * (kernel not in kernels)
        metrics += [metric] * (metric not in metrics)
        hardware, simulated = cell(row.get("hardware")), cell(row.get("simulated"))
        cells[kernel, metric] = {
            "equal": hardware,
            "measured": f"{hardware} ({simulated})" if simulated else hardware,
            "skipped": f"- ({simulated})" if simulated else "-",
        }.get(row["state"], f"**{hardware}**, {simulated}")
    made = [COUNTERS, ""]
    if metrics:
        header = ["counter", *(f"`{kernel}`" for kernel in kernels)]
        lines = ([metric, *(cells.get((kernel, metric), "") for kernel in kernels)] for metric in metrics)
        made += [*raw_table(header, lines)]
    if unasked:
        made += ["", *plain({"rows": unasked})]
    return made


SHOWN: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "a": machine,
    "b": counts,
    "c": plain,
    "d": plain,
    "e": speed,
    "f": counters,
    "g": plain,
    "h": grades,
}


def bad(found: dict[str, Any]) -> list[str]:
    """The rows that differ or failed, of all parts."""
    lines = [
        [HEADINGS[letter], row["row"], row["state"], others(row)]
        for letter in HEADINGS
        for row in found["parts"].get(letter, {"rows": []})["rows"]
        if row["state"] in results_rows.BAD
    ]
    if not lines:
        return ["No row differs or failed."]
    return ["These rows differ or failed:", "", *table(["part", "asked", "state", "found"], lines)]


def summary(found: dict[str, Any]) -> list[str]:
    """A line for each part: how it ended, and its rows by state."""
    lines = []
    for letter, heading in HEADINGS.items():
        part = found["parts"].get(letter)
        if part is None:
            lines.append([heading, "not asked", "", *[""] * len(results_rows.STATES)])
            continue
        states = Counter(row["state"] for row in part["rows"])
        lines.append(
            [heading, part.get("state"), part.get("seconds"), *(states[state] or "" for state in results_rows.STATES)]
        )
    return table(["part", "run", "seconds", *results_rows.STATES], lines)


def page(found: dict[str, Any]) -> str:
    """The text between the two comments."""
    facts = found["parts"].get("a", {}).get("facts", {})
    gpu, driver = facts.get("gpu", "a GPU that part (a) did not name"), facts.get("driver")
    where = f"{gpu}, with a driver for CUDA {driver}" if driver else gpu
    version = found["bundle"].get("version", "unknown")
    made = [
        f"These are the answers of {where}, on {found['date']}, to the bundle of version {version}. "
        f"The inputs have seed {found.get('seed')}.",
        "",
        *summary(found),
        "",
        *bad(found),
    ]
    for letter, heading in HEADINGS.items():
        part = found["parts"].get(letter)
        if part is None or not (part["rows"] or part.get("facts")):
            continue
        made += ["", f"### {heading}", ""]
        if part.get("question"):
            made += [f"{part['question']}", ""]
        made += SHOWN[letter](part)
    return "\n".join(made) + "\n"


def replaced(text: str, made: str, name: str) -> str:
    """The page with other text between the comments."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise Unusable(f"'{name}' must have the comments '{BEGIN}' and '{END}' once, in this order")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{made}{END}{rest.split(END)[1]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path, metavar="DIR", help="the folder of results.json, or the file")
    parser.add_argument("--allow-fake", action="store_true", help="print tables of recorded answers; write nothing")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, help="the page to write")
    options = parser.parse_args()
    try:
        found = read(options.results)
        if found["fake"] and not options.allow_fake:
            raise Unusable(
                "a fake driver gave these answers, so they say nothing about a GPU; --allow-fake prints them"
            )
        made = page(found)
        if found["fake"]:
            print(made, end="")
            return 0
        options.page.write_text(
            replaced(options.page.read_text(encoding="utf-8"), made, options.page.name), encoding="utf-8"
        )
    except (Unusable, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"wrote {options.page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
