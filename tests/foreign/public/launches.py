"""What a launch of a public kernel is: where its source lies, how it is compiled and run, and what it must compute.

It must not know the kernels. A case names a file of a checkout, which is compiled unmodified, or a file of this folder that
includes one.
"""

import dataclasses
import importlib
import json
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from cases import TYPES, Array, extents, random, save, stored, zeros  # noqa: E402, F401


@dataclasses.dataclass(frozen=True)
class Repository:
    """A public repository: its folder's name, and the commit that the cases were written for."""

    name: str
    address: str
    commit: str
    licence: str
    # Folders of headers in the checkout.
    include: tuple = ()


@dataclasses.dataclass(frozen=True)
class Source:
    """A file with kernels, and how nvcc compiles it."""

    repository: Repository
    # In the checkout, or in this folder if `ours`.
    path: str
    gpu: str
    ours: bool = False
    flags: tuple = ()
    standard: int = 17

    @property
    def name(self):
        return f"{self.repository.name}.{Path(self.path).stem}.{self.gpu}.ptx"

    def file(self, folder):
        return HERE / self.path if self.ours else folder / self.repository.name / self.path

    def command(self, options, out):
        """The words that compile it."""
        checkout = options.folder / self.repository.name
        own = [checkout / folder for folder in self.repository.include]
        headers = [word for folder in (HERE / "stubs", *own, *options.include) for word in ("-I", folder)]
        nvcc = [
            options.nvcc,
            f"-std=c++{self.standard}",
            "--expt-relaxed-constexpr",
            f"-arch={self.gpu}",
            "-lineinfo",
            "-w",
            "-ptx",
        ]
        return [*nvcc, *headers, *self.flags, self.file(options.folder), "-o", out]


@dataclasses.dataclass(frozen=True)
class TritonSource:
    """A kernel of Triton, with the functions that it calls, and how it is compiled."""

    repository: Repository
    path: str
    functions: tuple
    # The types of its parameters and its constants, by name.
    types: tuple
    constants: tuple
    warps: int
    gpu: str = "sm_90a"

    @property
    def name(self):
        return f"{self.repository.name}.{self.functions[0]}.ptx"

    def file(self, folder):
        return folder / self.repository.name / self.path

    def command(self, options, out):
        described = {"functions": self.functions, "types": dict(self.types), "constants": dict(self.constants)}
        described.update(warps=self.warps, target=90)
        return [sys.executable, HERE / "compile_triton.py", self.file(options.folder), out, json.dumps(described)]


@dataclasses.dataclass(frozen=True)
class ModuleSource:
    """A module of CuTe DSL, with a kernel and the host function that launches it."""

    repository: Repository
    path: str
    kernel: str
    gpu: str

    @property
    def name(self):
        return f"{self.repository.name}.{self.kernel}.{self.gpu}.ptx"

    def file(self, folder):
        return folder / self.repository.name / self.path

    def command(self, options, out):
        return [options.cutec, self.file(options.folder), "--target", self.gpu, "-o", out]


@dataclasses.dataclass(frozen=True)
class CapturedSource:
    """A kernel of Triton or Gluon that the host function of its file launches, whose statements are given."""

    repository: Repository
    path: str
    kernel: str
    run: str
    # The element and the extents of each array that the statements see, by name.
    arrays: tuple
    gpu: str
    # Which of the kernel's launches.
    which: int = 0
    sms: int = 4
    label: str = ""

    @property
    def name(self):
        label = f".{self.label}" if self.label else ""
        return f"{self.repository.name}.{Path(self.path).stem}.{self.kernel}{label}.{self.gpu}.ptx"

    def file(self, folder):
        return folder / self.repository.name / self.path

    def command(self, options, out):
        described = {"run": self.run, "arrays": dict(self.arrays), "kernel": self.kernel, "which": self.which, "sms": self.sms}
        described["target"] = int("".join(filter(str.isdigit, self.gpu)))
        return [sys.executable, HERE / "capture_triton.py", self.file(options.folder), out, json.dumps(described)]


@dataclasses.dataclass(frozen=True)
class ProgramSource:
    """A host program of this folder that includes a file of a checkout, and launches what that has."""

    repository: Repository
    path: str
    # The file of the checkout, which the program includes as LEVEL.
    level: str
    gpu: str
    flags: tuple = ()

    @property
    def name(self):
        return f"{self.repository.name}.{self.level.replace('/', '_')}.{self.gpu}.exe"

    def file(self, folder):
        return folder / self.repository.name / self.level

    def command(self, options, out):
        checkout = options.folder / self.repository.name
        headers = [word for folder in (*(checkout / f for f in self.repository.include), *options.include) for word in ("-I", folder)]
        virtual = self.gpu.replace("sm", "compute")
        libraries = subprocess.run([options.cutec, "--libdir"], capture_output=True, text=True, check=True).stdout.strip()
        nvcc = [options.nvcc, "-std=c++20", "--expt-extended-lambda", "--expt-relaxed-constexpr", "-w", "-lineinfo"]
        nvcc += ["-cudart", "shared", "-gencode", f"arch={virtual},code={virtual}", f'-DLEVEL="{self.file(options.folder).resolve()}"']
        return [*nvcc, *self.flags, *headers, HERE / self.path, "-L", libraries, "-lcuda", "-o", out]


class Map:
    """An argument that is a tensor map of an array, passed by value."""

    def __init__(self, array, box, swizzle=None, more=""):
        self.array, self.box, self.swizzle, self.more = array, box, swizzle, more

    @property
    def text(self):
        swizzle = f",swizzle={self.swizzle}" if self.swizzle else ""
        more = f",{self.more}" if self.more else ""
        return f"tensor_map({self.array},box={'x'.join(map(str, self.box))}{swizzle}{more})"


def struct(values, kind):
    """A structure of numbers of one type, passed by value."""
    return stored("u8", np.frombuffer(np.asarray(values, kind).tobytes(), np.uint8))


@dataclasses.dataclass(frozen=True)
class Finding:
    """A finding that a launch must have, and what is to be said about it."""

    kind: str
    # `FILE:LINE` of the operation.
    at: str
    verdict: str
    grade: str = "error"


LAUNCHES = []


def found(report):
    """Kind, grade and place of each finding."""
    return [(f["kind"]["kind"], f["grade"], f.get("location") or "") for f in report["findings"]]


class Launch:
    """A kernel with its arguments. `expected` computes arrays, in f64 where they are floats, from those before the launch."""

    def __init__(
        self,
        source,
        kernel,
        arguments,
        expected,
        tolerance,
        *,
        grid,
        block,
        what,
        part="",
        arrays=None,
        findings=(),
        right=True,
        **options,
    ):
        # The kernel's name, and a part of its mangled name that tells instances apart.
        self.source, self.kernel, self.part, self.what = source, kernel, part, what
        self.arguments, self.arrays = arguments, dict(arrays or {})
        self.grid, self.block, self.options = extents(grid), extents(block), options
        self.tolerance, self.findings = tolerance, tuple(findings)
        # Whether the values are right in spite of its findings.
        self.right = right
        self.expected = expected
        self.arrays.update((name, value) for name, value in arguments.items() if isinstance(value, Array))

    @property
    def repository(self):
        return self.source.repository

    @property
    def key(self):
        """What tells the launch apart from all others."""
        return f"{self.source.name} {self.kernel} {self.part} {self.what}"

    def shape(self, _record):
        """The extents of the grid and of its blocks, for a table."""
        cluster = f"; cluster {self.options['cluster']}" if "cluster" in self.options else ""
        return f"{joined(self.grid)}; {joined(self.block)}{cluster}"

    @property
    def ends(self):
        """Whether it runs to its end: after a race the run goes on, after another error it stops."""
        return all(f.kind == "race" or f.grade != "error" for f in self.findings)

    def results(self):
        before = {name: array.values.copy() for name, array in self.arrays.items()}
        return self.expected(types.SimpleNamespace(**before))

    def runs(self, _folder, ptx):
        """The words that say what runs."""
        entry = self.entry(ptx.read_text())
        return [ptx, "--kernel", entry, "--grid", joined(self.grid), "--block", joined(self.block)]

    def report(self, said):
        """The report about the kernel, from what a run says in JSON."""
        return said

    def entry(self, ptx):
        """The mangled name of the kernel: names have their length in front."""
        named = f"{len(self.kernel)}{self.kernel}"
        names = re.findall(r"\.entry\s+([\w$]+)", ptx)
        if self.kernel in names:
            return self.kernel
        names = [name for name in names if named in name and self.part in name.split(named, 1)[1]]
        if len(names) != 1:
            several = f"{self.source.path} has {len(names)} kernels {self.kernel} with '{self.part}'"
            raise SystemExit(f"{several}: {', '.join(names)[:500]}")
        return names[0]

    def command(self, cutec, folder, ptx, out):
        """The words of `cutec run`, for arrays that lie in `out`."""
        words = [cutec, "run", *self.runs(folder, ptx)]
        options = dict(self.options)
        described = Path(f"{ptx}.metadata")
        if described.exists():
            options.update(self.described(json.loads(described.read_text())))
        for name, value in options.items():
            words += [f"--{name}", *([joined(value) if isinstance(value, tuple) else str(value)] if value is not None else [])]
        words += self.passed(ptx, out)
        for name in self.results():
            words += ["--out", f"{name}={out / f'{name}.out.npy'}"]
        return [str(word) for word in words]

    def asked(self, cutec, folder, ptx, out):
        """The words that run it, and report in JSON."""
        return [*self.command(cutec, folder, ptx, out), "--keep-arrays", "--sums", "plain", "--report", "json"]

    def ptx(self, ptx, _out):
        """The text with the kernel."""
        return ptx.read_text()

    def extents_of(self, _ptx, _out):
        """The extents of the grid and of its blocks, if only the launch knows them."""
        return None

    def described(self, compiled):
        """Options that are known once the kernel is compiled."""
        return compiled

    def passed(self, _ptx, out):
        """The words with arguments and arrays."""
        words = []
        for name, value in self.arguments.items():
            if isinstance(value, Array):
                text = self.array(name, out)
            elif isinstance(value, Map):
                text = value.text
            else:
                text = "null" if value is None else str(value)
            words += ["--arg", text]
        for name in self.arrays:
            if name not in self.arguments:
                words += ["--array", self.array(name, out)]
        return words

    def array(self, name, out):
        array = self.arrays[name]
        if array.initial is None:
            path = out / f"{name}.in.npy"
            save(path, array.values)
            return f"{name}:{array.element}[{array.shape}]={path}"
        return f"{name}:{array.element}[{array.shape}]{array.initial}"

    def differences(self, out):
        """What differs from the reference: a text for each array, and the largest error."""
        texts, largest = [], 0.0
        for name, wanted in self.results().items():
            array, path = self.arrays[name], out / f"{name}.out.npy"
            if not path.exists():
                return [f"{name} was not written"], None
            got = np.load(path)
            if got.dtype != TYPES[array.element]:
                got = got.view(TYPES[array.element])
            got, wanted = got.astype(np.float64), np.asarray(wanted).astype(np.float64)
            assert got.shape == wanted.shape, (self.kernel, name, got.shape, wanted.shape)
            same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
            with np.errstate(invalid="ignore"):
                error = np.where(same, 0, np.abs(got - wanted) / np.maximum(1, np.abs(wanted)))
            error = np.where(np.isnan(error), np.inf, error)
            largest = max(largest, float(error.max(initial=0)))
            if error.max(initial=0) > self.tolerance:
                at = np.unravel_index(int(error.argmax()), error.shape)
                place = ", ".join(map(str, at))
                texts.append(
                    f"{name}[{place}] is {got[at]}, not {wanted[at]}; {int((error > self.tolerance).sum())} of {error.size} differ"
                )
        return texts, largest


class HostLaunch(Launch):
    """A launch by a host function of a module, whose arguments it has; the module runs, and its PTX only shows that it compiles."""

    def runs(self, folder, _ptx):
        return [self.source.file(folder), "--host", "--target", self.source.gpu]

    def report(self, said):
        return said["launches"][0]["report"]

    def entry(self, ptx):
        return re.search(r"\.entry\s+([\w$]+)", ptx)[1]


class ProgramLaunch(Launch):
    """A launch by a host program, which gets the extent and the name of a file for its result."""

    def __init__(self, source, kernel, extent, expected, tolerance, *, device, **more):
        super().__init__(source, kernel, {}, expected, tolerance, grid=1, block=1, **more)
        self.extent, self.device = extent, device

    def asked(self, cutec, _folder, program, out):
        shutil.rmtree(out / "record", ignore_errors=True)
        words = [cutec, "exec", "--device", self.device, "--record", out / "record", "--continue", "--sums", "plain", "--report", "json", "--"]
        return [str(word) for word in (*words, program, self.extent, out / "C.bin")]

    def report(self, said):
        return said["launches"][0]["report"]

    def ptx(self, _program, out):
        return (out / "record" / "1" / "kernel.ptx").read_text()

    def entry(self, ptx):
        return re.search(r"\.entry\s+([\w$]+)", ptx)[1]

    def extents_of(self, _program, out):
        launch = json.loads((out / "record" / "1" / "launch.json").read_text())["operations"][0]
        cluster = f"; cluster {joined(tuple(launch['cluster']))}" if launch.get("cluster") else ""
        return f"{joined(tuple(launch['grid']))}; {joined(tuple(launch['block']))}{cluster}"

    def shape(self, record):
        return record["shape"]

    def differences(self, out):
        np.save(out / "C.out.npy", np.fromfile(out / "C.bin", np.float32).reshape(self.arrays["C"].values.shape))
        return super().differences(out)


class CapturedLaunch(Launch):
    """A launch whose arguments and extents the host function of its file decides."""

    def compiled(self, ptx):
        return json.loads(Path(f"{ptx}.metadata").read_text())

    def runs(self, _folder, ptx):
        launch = self.compiled(ptx)
        return [ptx, "--kernel", launch["kernel"], "--grid", joined(tuple(launch["grid"])), "--block", launch["block"]]

    def entry(self, ptx):
        return re.search(r"\.entry\s+([\w$]+)", ptx)[1]

    def described(self, compiled):
        return compiled["options"]

    def extents_of(self, ptx, _out):
        launch = self.compiled(ptx)
        cluster = f"; cluster {launch['options']['cluster']}" if "cluster" in launch["options"] else ""
        return f"{joined(tuple(launch['grid']))}; {launch['block']}{cluster}"

    def shape(self, record):
        return record["shape"]

    def passed(self, ptx, out):
        words, seen = [], set()
        for text in self.compiled(ptx)["arguments"]:
            name = text[1:]
            if text.startswith("&") and name not in seen:
                seen.add(name)
                text = self.array(name, out)
            words += ["--arg", text]
        for name in self.arrays:
            if name not in seen:
                words += ["--array", self.array(name, out)]
        return words


def joined(values):
    return ",".join(map(str, extents(values)))


def launch(*arguments, **named):
    LAUNCHES.append(Launch(*arguments, **named))


def host_launch(*arguments, **named):
    LAUNCHES.append(HostLaunch(*arguments, **named))


def captured(repository, path, kernel, run, arrays, expected, tolerance, *, gpu="sm_90a", which=0, sms=4, label="", **more):
    """Launches a kernel as statements in the file at `path` do that see arrays."""
    seen = tuple((name, (array.element, tuple(array.values.shape))) for name, array in arrays.items())
    source = CapturedSource(repository, path, kernel, run, seen, gpu, which, sms, label)
    LAUNCHES.append(CapturedLaunch(source, kernel, {}, expected, tolerance, grid=1, block=1, arrays=arrays, **more))


def read_launches():
    """Reads the launches of all repositories."""
    for module in ("llm_c", "ggml", "fast_cu", "learn_cuda", "flashinfer", "deepgemm", "deepgemm_more", "cutlass", "thunderkittens", "of_triton", "gluon", "helion"):
        importlib.import_module(module)
