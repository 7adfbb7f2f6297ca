"""The same inputs have the same reports, and the same errors, by cutec, the C library, Python and WebAssembly.

    python3 same.py CUTEC LIBCUTE.so LIB_NATIVE.so MODULE.wasm

The inputs are in inputs.py. A report is compared as JSON, field by field, and so is an error: the id of its rule, its place, and its text,
after the names of options have been replaced, because each place spells them in its own way. Python tells no place.
"""

import concurrent.futures
import ctypes
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import warnings

import inputs

sys.path.insert(0, str(inputs.ROOT / "examples/python"))
import run_copy

REPORT_JSON = 4
ERROR_JSON = 7
FINDINGS = 5
# A place that is compared with none.
UNTOLD = "untold"
# What an input says besides the arguments of a run.
ABOUT = ("finds", "without", "source", "gpu", "races_of_blocks")
SWITCHES = ("pedantic", "strict_isa", "strict_ptx", "keep_arrays")
TEXTS = ("kernel", "target", "schedule", "schedules", "elect", "budget", "shared")
ARE = {"once": "is 1 argument"}
FORMATS = {"i32": "i", "u32": "I", "i64": "q", "f32": "f", "f64": "d"}


def three(extents):
    return [*(extents if isinstance(extents, list) else [extents]), 1, 1][:3]


def error(report):
    """An error without the spelling of options, and without the advice of cutec about its own."""
    assert report["version"] == 1, report
    failure = report["error"]
    text = failure["message"].strip()
    text = re.sub(r"but --arg was given (once|\d+ times)$", lambda m: f"but there {ARE.get(m[1], f'are {m[1][:-6]} arguments')}", text)
    text = re.sub(r"^--arg ", "argument ", text)
    text = text.removesuffix("; choose one with --kernel")
    text = re.sub(r'--(\w+) X,Y,Z|(\w+)=\(X,Y,Z\)|(\w+) = \{X,Y,Z\}|"(\w+)": \[X,Y,Z\]', lambda m: f"<{''.join(filter(None, m.groups()))}>", text)
    text = re.sub(r'--shared BYTES|shared=BYTES|shared_memory = BYTES|"shared": BYTES', "<shared>", text)
    return {"error": text, "id": failure["id"], "place": failure["place"]}


def untold(text, rule):
    """An error of Python, which has no place."""
    return {**error({"version": 1, "error": {"id": rule, "message": text, "place": None}}), "place": UNTOLD}


def by_cutec(cutec, asked):
    command = [cutec, "run", asked["file"], "--report", "json"]
    for name in ("grid", "block", "cluster"):
        if asked.get(name):
            command += [f"--{name}", ",".join(map(str, three(asked[name])))]
    for name in TEXTS:
        if asked.get(name) is not None:
            command += [f"--{name}", str(asked[name])]
    for name in SWITCHES:
        if asked.get(name):
            command.append(f"--{name.replace('_', '-')}")
    if not asked.get("races", True):
        command.append("--no-races")
    for name, option in (("args", "arg"), ("allow", "allow")):
        for text in asked.get(name, []):
            command += [f"--{option}", text]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), f"{command}: {done.stderr}"
    report = json.loads(done.stdout)
    return error(report) if "error" in report else report


def bytes_of(text):
    """The bytes of an argument, and whether they are an array."""
    element, count, value = re.fullmatch(r"(\w+?\d+)(?:\[(\d+)\])?(?:=(.+))?", text).groups()
    numbers, form = int(count or 1), FORMATS[element]
    number = float if element.startswith("f") else int
    if value is None:
        values = [0] * numbers
    elif value == "range":
        values = range(numbers)
    elif seed := re.fullmatch(r"random\((\d+)\)", value):
        values = random(int(seed[1]), numbers, number)
    else:
        values = [number(value)] * numbers
    return struct.pack(f"<{numbers}{form}", *values), count is not None


def random(seed, count, number):
    """`random(SEED)` of cutec: SplitMix64."""
    whole = (1 << 64) - 1
    for step in range(1, count + 1):
        z = seed + step * 0x9E3779B97F4A7C15 & whole
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & whole
        z = (z ^ z >> 27) * 0x94D049BB133111EB & whole
        z ^= z >> 31
        yield (z >> 60) - 8 if number is int else (z >> 11) / 2.0**52 - 1.0


class Library(run_copy.Session):
    """A session of the C library."""

    def hear(self, diagnostic, _):
        return 0

    def report(self, asked):
        for name in TEXTS:
            if asked.get(name) is not None and name not in ("kernel", "shared"):
                self.set(name, str(asked[name]))
        for name in (*SWITCHES, "races"):
            if name in asked:
                self.set(name.replace("_", "-"), "true" if asked[name] else "false")
        for entry in asked.get("allow", []):
            self.set("allow", entry)
        if os.path.exists(f"{asked['file']}.json"):
            self.set("manifest", f"{asked['file']}.json")
        kept, passed = [], []
        for text in asked.get("args", []):
            if text == "null":
                passed.append(run_copy.Argument(2, None, 0))
                continue
            data, is_array = bytes_of(text)
            kept.append(ctypes.create_string_buffer(data, len(data)))
            passed.append(run_copy.argument(run_copy.ARRAY if is_array else run_copy.VALUE, kept[-1]))
        extents = [three(asked[name]) if asked.get(name) else (0, 0, 0) for name in ("grid", "block", "cluster")]
        kernel = asked.get("kernel")
        grid, block, cluster = map(tuple, extents)
        launch = run_copy.Launch(kernel and kernel.encode(), grid, block, asked.get("shared") or 0, cluster)
        text, result = pathlib.Path(asked["file"]).read_bytes(), ctypes.c_void_p()
        arguments = (run_copy.Argument * len(passed))(*passed)
        status = self.function("simulate")(
            self.handle, asked["file"].encode(), text, ctypes.c_size_t(len(text)), ctypes.byref(launch), arguments,
            ctypes.c_size_t(len(passed)), ctypes.byref(result))
        try:
            if status in (run_copy.OK, FINDINGS):
                return json.loads(self.part(result, REPORT_JSON))
            return error(json.loads(self.part(result, ERROR_JSON)))
        finally:
            self.function("result_destroy")(result)


def by_library(path, asked):
    if "C" in asked.get("without", {}):
        return None
    session = Library(path)
    try:
        report = session.report(asked)
        # Arrays of C have no type, so it counts in bytes what nothing has written.
        for one in report.get("unwritten", []):
            one.update(dict.fromkeys(("array", "at", "elements", "unwritten"), UNTOLD))
        return report
    except run_copy.Error as why:
        return untold(str(why), getattr(why, "rule", UNTOLD))
    finally:
        session.close()


def by_python(cute_mlir, asked):
    if "Python" in asked.get("without", {}):
        return None
    options = {name: value for name, value in asked.items() if name not in ("file", "args", "grid", "kernel", *ABOUT)}
    file, grid = asked["file"], asked["grid"]
    # The report has them, too.
    warnings.simplefilter("ignore")
    try:
        kernel = pathlib.Path(file)
        if options.pop("strict_ptx", False):
            kernel = cute_mlir.Program.from_ptx(kernel.read_text(), name=file, strict=True)
        report = cute_mlir.simulate(kernel, grid, asked.get("args", []), name=asked.get("kernel"), **options)
        return report.json
    except ValueError as why:
        return untold(str(why), getattr(why, "rule", None))


def request(asked):
    """The input as a request to the module."""
    file = pathlib.Path(asked["file"])
    manifest = file.with_name(f"{file.name}.json")
    made = {name: value for name, value in asked.items() if name not in ("keep_arrays", *ABOUT)}
    made.update(ptx=file.read_text(), folder=os.getcwd(), manifest=manifest.read_text() if manifest.exists() else None)
    return json.dumps(made)


def by_wasm(module, asked):
    """The answers of the module to all inputs."""
    script = pathlib.Path(__file__).with_name("run.mjs")
    text = "\n".join(map(request, asked))
    done = subprocess.run(["node", script, module], input=text, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, f"input {len(answers)}: {done.stderr}"
    return [error(answer) if "error" in answer else answer for answer in answers]


def prepare(cutec):
    """Writes the files of the inputs into the current folder, and returns the inputs."""
    folder = pathlib.Path.cwd()
    for name, text in inputs.FILES.items():
        pathlib.Path(name).write_text(text.replace("{folder}", str(folder)))
    all_of_them = [*inputs.OWN, *inputs.foreign(), *inputs.bugs(), *(inputs.of_sim(*one) for one in inputs.SIM)]
    for asked in all_of_them:
        file = pathlib.Path(asked["file"])
        if file.exists():
            continue
        if "source" not in asked:
            file.parent.mkdir(exist_ok=True)
            folder = "examples" if file.parts[0] == "bugs" else "tests/foreign"
            shutil.copy(inputs.ROOT / folder / file, file)
            continue
        source = (inputs.ROOT / "tests/sim" / asked["source"]).read_text().splitlines(keepends=True)
        file.with_suffix(".mlir").write_text("".join(line for line in source if not line.endswith("// repaired\n")))
        options = ["--lineinfo"] if file.stem.endswith("_lines") else []
        subprocess.run([cutec, file.with_suffix(".mlir"), "--target", asked["gpu"], "-o", file, *options], check=True)
    return all_of_them


def package(native):
    """The Python package, with its native module."""
    made = pathlib.Path("package/cute_mlir")
    shutil.copytree(inputs.ROOT / "crates/cute-python/python/cute_mlir", made, ignore=shutil.ignore_patterns("*.so"))
    (made / "_native.abi3.so").symlink_to(native)
    sys.path.insert(0, str(made.parent.resolve()))
    import cute_mlir

    return cute_mlir


def kinds(report):
    return sorted({finding["kind"]["kind"] for finding in report["findings"]})


def differences(one, other, at=""):
    """Where two values of JSON differ."""
    if UNTOLD in (one, other):
        return []
    if isinstance(one, dict) and isinstance(other, dict):
        return [line for key in sorted({*one, *other}) for line in differences(one.get(key), other.get(key), f"{at}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [line for i, pair in enumerate(zip(one, other)) for line in differences(*pair, f"{at}[{i}]")]
    return [] if one == other else [f"{at}: {json.dumps(one)[:300]}\n      and {json.dumps(other)[:300]}"]


def places(report):
    """The findings as far as they do not depend on which of two blocks comes first, where blocks have threads of their own."""
    return [{name: finding[name] for name in ("grade", "location")} | {"kind": {"kind": finding["kind"]["kind"]}} for finding in report["findings"]]


def main(*paths):
    cutec, library, native, module = (str(pathlib.Path(path).resolve()) for path in paths)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        asked = prepare(cutec)
        cute_mlir = package(native)
        with concurrent.futures.ThreadPoolExecutor(3) as threads:
            answers = {
                "cutec": threads.map(lambda one: by_cutec(cutec, one), asked),
                "WebAssembly": threads.submit(by_wasm, module, asked),
            }
            answers["C"] = [by_library(library, one) for one in asked]
            answers["Python"] = [by_python(cute_mlir, one) for one in asked]
            answers["WebAssembly"] = answers["WebAssembly"].result()
            answers["cutec"] = list(answers["cutec"])
        os.chdir("/")
    found, wrong, seen = 0, [], set()
    for i, one in enumerate(asked):
        said = {place: answers[place][i] for place in answers if place not in one.get("without", {})}
        if one.get("races_of_blocks"):
            said = {place: {"findings": places(report)} for place, report in said.items()}
        first_place, first = next(iter(said.items()))
        lines = [f"{first_place} and {place}: {line}" for place in said for line in differences(first, said[place])]
        finds = one.get("finds")
        if isinstance(finds, str):
            lines += [] if finds in first.get("error", "") else [f"no error with {finds!r}: {json.dumps(first)[:300]}"]
        elif "error" in first:
            lines.append(f"an error: {first['error']}")
        else:
            seen.update(kinds(first))
            if finds is not None and kinds(first) != finds:
                lines.append(f"finds {kinds(first)}, not {finds}")
        if lines:
            wrong.append("\n    ".join([f"input {i}: {one}", *lines]))
    print("\n".join(wrong))
    print(f"{len(asked)} inputs, findings of {len(seen)} kinds; {len(wrong)} inputs differ")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) != 0)
