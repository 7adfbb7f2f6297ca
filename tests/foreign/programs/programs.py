"""What a program of others is: where its sources lie, how it is built and run, and what it must say.

It must not know the programs. A case names files of a checkout, or a file of this folder.
"""

import dataclasses
import hashlib
import importlib
import re
import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent
# Behind this folder, which has files of the same names.
sys.path.append(str(HERE.parent / "public"))

from launches import Finding, Repository  # noqa: E402, F401

# The device that runs the programs of a target.
DEVICES = {"sm_80": "a100", "sm_89": "rtx4090", "sm_90a": "h100", "sm_100a": "b200", "sm_120a": "rtx5090"}


@dataclasses.dataclass(frozen=True)
class Program:
    """A program, with its arguments."""

    repository: Repository
    name: str
    # In the checkout, or in this folder if `ours`.
    sources: tuple
    gpu: str
    what: str
    # A regular expression for what it prints when its own check has passed.
    passed: str
    # How often it must print that.
    times: int = 1
    arguments: str = ""
    # Options of `cutec exec`.
    options: str = ""
    ours: bool = False
    # Words for nvcc, and folders of headers in the checkout.
    flags: tuple = ()
    include: tuple = ()
    standard: int = 17
    # Numbers that no option sets: text of a source and what stands for it in the copy that is compiled.
    smaller: tuple = ()
    findings: tuple = ()
    # Whether its own check passes, in spite of its findings.
    right: bool = True
    # What else is to be said about it.
    remark: str = ""

    @property
    def device(self):
        return DEVICES[self.gpu]

    @property
    def key(self):
        """What names the run."""
        return f"{self.repository.name}.{self.name}"

    @property
    def binary(self):
        """What names the built program, which several runs may share."""
        of = (self.sources, self.gpu, self.flags, self.include, self.standard, self.smaller)
        return f"{self.repository.name}.{Path(self.sources[0]).stem}.{hashlib.sha256(repr(of).encode()).hexdigest()[:8]}"

    def files(self, folder):
        root = HERE if self.ours else folder / self.repository.name
        return [root / source for source in self.sources]

    def written(self, folder, out):
        """The files to compile: copies in `out`, if numbers are made smaller."""
        files = self.files(folder)
        if not self.smaller:
            return files
        texts, left = [file.read_text() for file in files], list(self.smaller)
        for old, new in self.smaller:
            at = [index for index, text in enumerate(texts) if text.count(old) == 1]
            if len(at) != 1:
                raise ValueError(f"`{old}` must be in one place of {', '.join(self.sources)}")
            texts[at[0]] = texts[at[0]].replace(old, new)
        copies = []
        for file, text in zip(files, texts):
            copy = out / file.name
            if not copy.exists() or copy.read_text() != text:
                copy.write_text(text)
            copies.append(copy)
        return copies

    def compilation(self, options, file, out):
        """The words that compile one file to an object; `out` also gets the list of its headers."""
        checkout = options.folder / self.repository.name
        own = [checkout / folder for folder in (*self.repository.include, *self.include)]
        beside = dict.fromkeys(file.parent for file in self.files(options.folder))
        stubs = (HERE / "stubs", HERE.parent / "public" / "stubs")
        headers = [word for folder in (*stubs, *beside, *own, *options.include) for word in ("-I", folder)]
        virtual = self.gpu.replace("sm_", "compute_")
        words = [options.nvcc, f"-std=c++{self.standard}", "-gencode", f"arch={virtual},code={virtual}", "-lineinfo", "-w"]
        words += ["-cudart", "shared", "--expt-relaxed-constexpr", *headers, *self.flags, "-MD", "-MF", out.with_suffix(".d")]
        return [str(word) for word in (*words, "-c", file, "-o", out)]

    def link(self, options, objects, out):
        return [str(word) for word in (options.nvcc, "-cudart", "shared", "-L", options.libraries, "-lcuda", *objects, "-o", out)]

    def execution(self, options, program):
        """The words that run it."""
        words = [options.cutec, "exec", "--device", self.device, "--report", "json", *shlex.split(self.options)]
        # Whether its own check passes in spite of its findings.
        words += ["--continue"] * any(f.grade == "error" for f in self.findings) + ["--"]
        return [str(word) for word in (*words, program, *shlex.split(self.arguments))]

    def said(self, output):
        """How often it says that its check has passed."""
        return len(re.findall(self.passed, output))


PROGRAMS = []


def program(*arguments, **named):
    PROGRAMS.append(Program(*arguments, **named))


def read_programs():
    """Reads the programs of all repositories."""
    for module in ("of_cuda_samples", "of_cutlass", "of_llm_c", "of_learn_cuda", "of_cub"):
        importlib.import_module(module)
    keys = [one.key for one in PROGRAMS]
    assert len(set(keys)) == len(keys), f"names are not distinct: {keys}"
