"""Tests of run.py with texts of its own, and of known.py against the documents.

    python tests/foreign/cutlass_compiler/test.py BIN     # the folder of cute-opt and cutec

UPDATE_DOCS=1 writes the table of docs/foreign.md.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import known
from cases import Taken, Tool, cases_of, commands_of, judge
from run import compare

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/foreign.md"
BEGIN, END = "<!-- cutlass_compiler -->\n", "<!-- end of cutlass_compiler -->\n"

POSITIVE = """// Some licence.

// RUN: cute-opt -mlir-print-op-generic %s -split-input-file | cute-opt | FileCheck %s

// -----

// CHECK: 32:1
func.func @merges(%a: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"32:1"> {
  %r = cute.coalesce(%a) : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"32:1">
  return %r : !cute.layout<"32:1">
}

// -----

// A comment alone.

// -----

func.func @other(%a: !cute.layout<"(4,8):(1,4)">) -> !cute.layout<"(4,8):(1,4)"> {
  %r = cute.coalesce(%a) : (!cute.layout<"(4,8):(1,4)">) -> !cute.layout<"(4,8):(1,4)">
  return %r : !cute.layout<"(4,8):(1,4)">
}

// -----

func.func @past(%a: !cute.layout<"4:1">, %b: !cute.layout<"16:1">) -> !cute.layout<"16:1"> {
  %r = cute.composition(%a, %b) : (!cute.layout<"4:1">, !cute.layout<"16:1">) -> !cute.layout<"16:1">
  return %r : !cute.layout<"16:1">
}
"""

INVALID = """// RUN: cute-opt %s --split-input-file -verify-diagnostics

// expected-error@+1 {{whatever it says}}
func.func private @congruent(!cute.layout<"(2,3):(1,2,4)">)

// -----

// expected-error@+1 {{whatever it says}}
func.func private @fine(!cute.layout<"(2,3):(1,2)">)
"""

LOWERED = r"""// RUN: cute-opt -cute-fold-static -cute-to-base \
// RUN:   --split-input-file %s \
// RUN:   | cute-opt -reconcile-unrealized-casts --split-input-file \
// RUN:   | FileCheck %s
func.func @sum(%a: !cute.int_tuple<"?">) -> !cute.int_tuple<"?"> {
  %r = cute.tuple_add(%a, %a) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> !cute.int_tuple<"?">
  return %r : !cute.int_tuple<"?">
}
"""

KERNEL = """// RUN: %run %s | FileCheck %s
// CHECK: (4,8):(1,4)
gpu.module @kernel {
  gpu.func @print_all() kernel {
    %tx = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %first = arith.cmpi eq, %tx, %c0 : index
    scf.if %first {
      %a = cute.static : !cute.layout<"(4,8):(1,4)">
      cute.print(%a) : !cute.layout<"(4,8):(1,4)">
    }
    gpu.return
  }
}
"""

HOST = """// RUN: %run %s | FileCheck %s
// CHECK: (4,8):(1,4)
func.func @main() {
  %a = cute.static : !cute.layout<"(4,8):(1,4)">
  cute.print(%a) : !cute.layout<"(4,8):(1,4)">
  return
}
"""


class Cases(unittest.TestCase):
    def taken(self, policy, text):
        return [taken.how for _, taken in judge(Tool(BIN / "cute-opt", policy), "a.mlir", text)]

    def test_parts_without_code_are_not_counted(self):
        found = cases_of("a.mlir", POSITIVE)
        self.assertEqual([case and (case.number, case.line) for case in found], [None, (1, 6), None, (2, 18), (3, 25)])

    def test_digests_are_of_the_code(self):
        one, other = [cases_of("a.mlir", text)[1] for text in (POSITIVE, POSITIVE.replace("// CHECK: 32:1", "//  Words."))]
        self.assertEqual(one.digest, other.digest)
        self.assertNotEqual(one.digest, cases_of("a.mlir", POSITIVE.replace("@merges", "@joins"))[1].digest)

    def test_commands_are_those_of_the_run_line(self):
        self.assertEqual(commands_of(POSITIVE), [["-mlir-print-op-generic"], []])
        self.assertEqual(commands_of(INVALID), [[]])
        self.assertEqual(commands_of(LOWERED), [["-cute-fold-static", "-cute-to-base"], ["-reconcile-unrealized-casts"]])

    def test_each_case_is_taken_alone(self):
        self.assertEqual(self.taken("extend", POSITIVE), ["accepted", "refused", "accepted"])
        self.assertEqual(self.taken("strict", POSITIVE), ["accepted", "refused", "refused"])
        self.assertEqual(self.taken("extend", INVALID), ["refused", "accepted"])
        self.assertEqual(self.taken("extend", LOWERED), ["accepted"])

    def test_a_tool_that_dies_is_found_at_its_case(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = Path(folder, "tool")
            tool.write_text("#!/bin/sh\ntext=$(cat)\ncase $text in *@other*) kill -SEGV $$ ;; esac\nprintf '%s\\n' \"$text\"\n")
            tool.chmod(0o755)
            taken = [taken.how for _, taken in judge(Tool(tool, "extend"), "a.mlir", POSITIVE)]
        self.assertEqual(taken, ["accepted", "died", "accepted"])

    def test_a_difference_must_be_known_and_still_be_there(self):
        name, digest = known.KINDS[0].cases[0].rsplit(":", 1)
        file, number = name.split("#")
        case = next(case for case in cases_of(file, "x\n// -----\n" * int(number)) if case and case.number == int(number))
        changed = compare("extend", [(case, Taken("refused", "why"))])[0]
        self.assertIn("has changed since", changed[0])
        same = type("Same", (), {"name": name, "digest": digest, "line": 1, "invalid": False})
        self.assertEqual(compare("extend", [(same, Taken("refused", "why"))]), ([], [1, 0, 0, 0]))
        self.assertIn("known.py lists it", compare("extend", [(same, Taken("accepted"))])[0][0])
        self.assertIn("died", compare("extend", [(same, Taken("died", "why"))])[0][0])
        other = cases_of("a.mlir", POSITIVE)[3]
        self.assertIn("why", compare("extend", [(other, Taken("refused", "why"))])[0][0])

    def test_whole_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            tests, host, nvgpu = [Path(folder, name) for name in ("cute_ir/test", "test/Integration/host", "test/Integration/nvgpu")]
            for place, text in (tests, POSITIVE), (host, HOST), (nvgpu, KERNEL):
                place.mkdir(parents=True)
                Path(place, "a.mlir").write_text(text)
            command = [sys.executable, Path(__file__).parent / "run.py", folder, "--bin", BIN]
            done = subprocess.run([*command, "a.mlir"], capture_output=True, text=True)
            for line in (
                "extend: 2 of 3 accepted, 0 of 0 invalid ones refused",
                "strict: 1 of 3 accepted, 0 of 0 invalid ones refused",
                "host: 1 of 1 integration tests print what they expect",
                "nvgpu: 1 of 1 integration tests print what they expect",
                "3 differences that known.py does not list",
            ):
                self.assertIn(line, done.stdout, done.stderr)
            self.assertEqual(done.returncode, 1)
            shown = subprocess.run([*command, "--show", "a.mlir#3"], capture_output=True, text=True).stdout
            self.assertIn("@past", shown)
            self.assertIn("extend: accepted\nstrict: refused: ", shown)


class Documents(unittest.TestCase):
    def test_every_reason_is_a_row_of_the_errata(self):
        text = (ROOT / "docs/errata.md").read_text()
        topics = {line.split(" | ")[0].removeprefix("| ") for line in text.splitlines() if line.startswith("| ")}
        self.assertEqual({kind.topic for kind in known.KINDS} - topics, set())
        self.assertEqual(set(known.NOT_PRINTED.values()) - topics, set())

    def test_the_numbers_add_up(self):
        for policy, counts in known.COUNTS.items():
            of = [(kind.of, len(kind.cases)) for kind in known.KINDS if policy == "strict" or not kind.strict]
            self.assertEqual(counts.positive - counts.accepted, sum(n for what, n in of if what == "positive"))
            self.assertEqual(counts.invalid - counts.refused, sum(n for what, n in of if what == "invalid"))
        for name, (right, all_of) in known.INTEGRATION.items():
            self.assertEqual(all_of - right, sum(file.startswith(name) for file in known.NOT_PRINTED))

    def test_the_page_has_the_numbers(self):
        text = PAGE.read_text()
        head, rest = text.split(BEGIN)
        written = f"{head}{BEGIN}\n{table()}\n{END}{rest.split(END)[1]}"
        if text != written and os.environ.get("UPDATE_DOCS") == "1":
            PAGE.write_text(written)
        else:
            self.assertTrue(text == written, f"docs/foreign.md is not up to date: run UPDATE_DOCS=1 python {__file__} BIN")


def table():
    """The tables of docs/foreign.md."""
    extend, strict = known.COUNTS["extend"], known.COUNTS["strict"]
    host, nvgpu = known.INTEGRATION["host"], known.INTEGRATION["nvgpu"]
    lines = [
        f"They were last run on {known.TRIED}, at commit `{known.COMMIT}` of NVIDIA/cutlass, whose `cutlass_compiler` is that of "
        f"`{known.LAST_CHANGE}`.",
        "",
        "| tests | `extend` | `strict` |",
        "|---|---|---|",
        f"| cases that are right: accepted | {extend.accepted} of {extend.positive} | {strict.accepted} of {strict.positive} |",
        f"| cases that are invalid: refused | {extend.refused} of {extend.invalid} | {strict.refused} of {strict.invalid} |",
        f"| integration tests on the host | {host[0]} of {host[1]} | |",
        f"| integration tests in kernels, run in the simulator | {nvgpu[0]} of {nvgpu[1]} | |",
        "",
        "| what differs | cases | policy | reason: the row of [Errata](errata.md) |",
        "|---|---|---|---|",
    ]
    for kind in known.KINDS:
        how = "refused" if kind.of == "positive" else "accepted"
        policy = "`strict`" if kind.strict else "both"
        lines.append(f"| {kind.title} | {len(kind.cases)} {how} | {policy} | {kind.topic} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    BIN = Path(sys.argv.pop(1)).resolve()
    unittest.main()
