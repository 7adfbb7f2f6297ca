"""Tests of a bundle, with recorded answers in place of the GPU.

    python3 benches/gpu/test_bundle.py target/gpu-bundle

It needs Python with numpy alone. UPDATE_RECORD=1 renews asked.json.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ASKED = HERE / "asked.json"
BUNDLE = pathlib.Path("target/gpu-bundle")

#: Facts that no answer decides.
TIMES = ("ms", "seconds")


def run(*options, code=None):
    """The results of run.py --fake, and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "results.json"
        command = [sys.executable, str(BUNDLE / "run.py"), "--fake", "--out", str(out), *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if code is not None and done.returncode != code:
            raise AssertionError(f"{command} returned {done.returncode}\n{done.stdout}{done.stderr}")
        results = json.loads(out.read_text()) if out.exists() else None
    return results, done.stdout + done.stderr


def rows_of(results):
    """The facts of each row but its times, by part and name."""
    return {
        (letter, row["row"]): {name: value for name, value in row.items() if name not in TIMES}
        for letter, part in results["parts"].items()
        for row in part["rows"]
    }


class Bundle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        start = time.monotonic()
        cls.results, cls.text = run(code=0)
        cls.seconds = time.monotonic() - start
        cls.facts = json.loads((BUNDLE / "bundle.json").read_text())

    def test_all_parts_are_answered_within_a_minute(self):
        self.assertLess(self.seconds, 60)
        for letter, part in self.results["parts"].items():
            self.assertEqual((letter, part["state"]), (letter, "answered"))
            self.assertTrue(part["rows"], letter)
            names = [row["row"] for row in part["rows"]]
            self.assertEqual(len(names), len(set(names)), f"part {letter} has two rows of one name")

    def test_it_is_small(self):
        size = sum(path.stat().st_size for path in BUNDLE.rglob("*") if path.is_file())
        self.assertLessEqual(size, 28 << 20)

    def test_the_device_is_asked_what_is_recorded(self):
        kind = "sample" if self.facts["sample"] else "whole"
        asked = {letter: part["facts"].get("asked", {}) for letter, part in self.results["parts"].items()}
        for letter, counts in asked.items():
            self.assertGreater(counts.get("maps" if letter == "d" else "launches", 0), 0, letter)
        recorded = json.loads(ASKED.read_text()) if ASKED.exists() else {}
        if os.environ.get("UPDATE_RECORD"):
            ASKED.write_text(json.dumps({**recorded, kind: asked}, indent=1, sort_keys=True) + "\n")
            return
        self.assertEqual(asked, recorded.get(kind), f"UPDATE_RECORD=1 renews {ASKED.name}")

    def test_one_wrong_word_is_reported_in_its_row(self):
        clean = rows_of(self.results)
        for letter, part in self.results["parts"].items():
            # Speed is measured, and each time has a check of values.
            states = ("measured",) if letter == "e" else ("equal", "close", "seen")
            decided = [row["row"] for row in part["rows"] if row["state"] in states]
            self.assertTrue(decided, f"no answer decides a row of part {letter}")
            middle = decided[len(decided) // 2]
            for name in [middle] if self.facts["sample"] else {decided[0], middle, decided[-1]}:
                wrong, text = run("--parts", letter, "--wrong", name)
                found = rows_of(wrong)
                # Rows that summarise others change with them.
                decides = [key for key, facts in found.items() if facts["state"] != "measured"]
                changed = [key for key in decides if found[key] != clean.get(key)]
                self.assertEqual(changed, [(letter, name)], text)
                if clean[letter, name]["state"] != "seen":
                    self.assertIn(found[letter, name]["state"], ("differs", "failed"))

    def test_options_that_are_wrong_are_refused(self):
        for options, said in [
            (["--parts", "az"], "there is no part 'z'"),
            (["--parts", ""], "there is no part"),
            (["--seconds", "0"], "a number above 0"),
            (["--parts", "a", "--wrong", "no such row:7"], "there is no row 'no such row:7'"),
        ]:
            _, text = run(*options, code=2)
            self.assertIn(said, text)
        command = [sys.executable, str(BUNDLE / "run.py"), "--wrong", "a row"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("it needs --fake", done.stderr)

    def test_a_part_ends_with_its_time(self):
        results, _ = run("--parts", "ca", "--seconds", "0.05", code=1)
        self.assertEqual([results["parts"][letter]["state"] for letter in "ca"], ["killed after 0 s", "not run"])

    def test_without_a_driver_each_part_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "results.json"
            command = [sys.executable, str(BUNDLE / "run.py"), "--parts", "ab", "--out", str(out)]
            if pathlib.Path("/dev/nvidiactl").exists():
                self.skipTest("this machine has a GPU")
            done = subprocess.run(command, capture_output=True, text=True)
            results = json.loads(out.read_text())
        self.assertEqual(done.returncode, 1)
        for part in results["parts"].values():
            self.assertEqual(part["state"], "failed")
            self.assertIn("libcuda.so.1", part["rows"][-1]["error"])

    def test_results_become_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.json"
            path.write_text(json.dumps(self.results))
            command = [sys.executable, str(HERE / "results.py"), folder]
            refused = subprocess.run(command, capture_output=True, text=True)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("fake", refused.stderr)
            shown = subprocess.run([*command, "--allow-fake"], capture_output=True, text=True)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            for heading in ("Instructions", "Kernels", "Tensor maps", "Tensor cores", "Grades", "Speed", "Counters"):
                self.assertIn(heading, shown.stdout)
            path.write_text("{")
            broken = subprocess.run(command, capture_output=True, text=True)
            self.assertNotEqual(broken.returncode, 0)
            self.assertNotIn("Traceback", broken.stderr)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        BUNDLE = pathlib.Path(sys.argv.pop(1))
    unittest.main()
