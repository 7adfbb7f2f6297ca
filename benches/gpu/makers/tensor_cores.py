"""Part (g): one kernel for each instruction of tensor cores, and the words that published vectors expect of it.

The vectors are those of compute capability 9.0 in `tests/vectors/tensor_cores.json`, with the exact ones of others.
The published rule makes the words of each step of a chain, which are checked by the chain's hash, and those of chains
of wgmma, of which nothing is published.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import struct
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from gpu_bundle import tensor_cores as device

import cute_mlir as cm

from . import tensor_core_rule as rule

#: Chains of wgmma: shape, A, B, D, K, seed.
_WGMMA_CHAINS = [
    ("m64n8k16", "f16", "f16", "f32", 2048, 2001),
    ("m64n8k16", "f16", "f16", "f16", 2048, 2002),
    ("m64n8k16", "bf16", "bf16", "f32", 2048, 2003),
    ("m64n8k8", "tf32", "tf32", "f32", 2048, 2004),
    ("m64n8k32", "e4m3", "e4m3", "f32", 4096, 2005),
    ("m64n8k32", "e4m3", "e4m3", "f16", 4096, 2006),
    ("m64n8k32", "e5m2", "e5m2", "f32", 4096, 2007),
    ("m64n8k32", "e5m2", "e5m2", "f16", 4096, 2008),
    ("m64n8k32", "e4m3", "e5m2", "f32", 4096, 2009),
    ("m64n8k32", "e5m2", "e4m3", "f32", 4096, 2010),
]


class Kernel(NamedTuple):
    """An instruction with its types."""

    instruction: str
    shape: str
    a: str
    b: str
    d: str
    saturates: bool = False

    @property
    def file(self) -> str:
        """The file that has the kernel."""
        return f"{self.instruction}_{self.shape}_{self.a}"

    @property
    def name(self) -> str:
        """The name of the kernel."""
        return f"{self.b}_{self.d}" + "_satfinite" * self.saturates

    @property
    def title(self) -> str:
        """The kernel in the names of rows."""
        said = f"{self.instruction} {self.shape} {self.a} x {self.b} -> {self.d}"
        return said + " satfinite" * self.saturates

    @property
    def k(self) -> int:
        """Elements of a dot product."""
        return int(self.shape.rpartition("k")[2])

    @property
    def words(self) -> int:
        """Registers that hold a dot product's elements: of 32 bits, or of 64 for f64."""
        return self.k * device.bits(self.a) // (64 if self.a == "f64" else 32)

    @property
    def threads(self) -> int:
        """Threads of a tile."""
        return 128 if self.instruction == "wgmma" else 32

    @property
    def registers(self) -> int:
        """Registers of D in a thread."""
        if self.shape == "m8n8k4":
            return {"f64": 2, "f32": 8, "f16": 4}[self.d]
        return 2 if self.d == "f16" else 4

    @property
    def accumulator(self) -> str:
        """The type of the registers of D."""
        return {"f16": "b32", "s32": "b32"}.get(self.d, self.d)


def _list(prefix: str, numbers: Any) -> str:
    return "{" + ", ".join(f"%{prefix}{i}" for i in numbers) + "}"


def _operands(kernel: Kernel) -> tuple[list[int], list[int]]:
    """The words of a thread's elements of A and of B that its registers have, counted in steps of 4 lanes.

    Every row of A is the same. The registers of A have two rows of the same elements after one another.
    """
    steps = range(max(kernel.words // 4, 1))
    if kernel.shape == "m8n8k4":
        return list(steps), list(steps)
    return [step for step in steps for _ in range(2)], list(steps)


def _multiply(kernel: Kernel) -> str:
    """The instruction; D is C of the next step."""
    d = _list("d", range(kernel.registers))
    types = f"{kernel.d}.{kernel.a}.{kernel.b}"
    saturates = ".satfinite" * kernel.saturates
    if kernel.instruction == "wgmma":
        scales = "" if kernel.d == "s32" else ", 1, 1"
        transposed = ", 0" if kernel.a in ("f16", "bf16") else ""
        return (
            f"wgmma.mma_async.sync.aligned.{kernel.shape}.{types}{saturates} "
            f"{d}, {{%a0, %a0, %a1, %a1}}, %matrix, %one{scales}{transposed};"
        )
    if kernel.shape == "m8n8k4" and kernel.a == "f16":
        a, b = "{%a0, %a1}", "{%b0, %b1}"
    else:
        of_a, of_b = _operands(kernel)
        a, b = _list("a", of_a), _list("b", of_b)
    return f"mma.sync.aligned.{kernel.shape}.row.col{saturates}.{types}.{kernel.d} {d}, {a}, {b}, {d};"


def entry(kernel: Kernel) -> str:
    """The PTX of a kernel: a tile for each CTA, whose steps follow one another."""
    size = 8 if kernel.a == "f64" else 4
    kind = "f64" if size == 8 else "b32"
    of_d = kernel.accumulator
    is_group = kernel.instruction == "wgmma"
    # Of mma.m8n8k4 with f16, every thread has all four elements of its row.
    has_all = kernel.shape == "m8n8k4" and kernel.a == "f16"
    loaded = 2 if has_all else max(kernel.words // 4, 1)
    apart = size if has_all else 4 * size
    parameters = ", ".join([*(f".param .u64 {name}" for name in "abcd"), ".param .u32 steps"])
    lines = [
        f".visible .entry {kernel.name}({parameters}) {{",
        "  .reg .pred %more, %one, %writes; .reg .b32 %case, %thread, %lane, %step, %steps, %t, %u, %place;",
        f"  .reg .b64 %A, %B, %C, %D, %w, %matrix; .reg .{kind} %a<8>, %b<8>; .reg .{of_d} %d<{kernel.registers}>;",
    ]
    if is_group:
        lines.append("  .shared .align 128 .b8 tile[256];")
    lines += [
        "  ld.param.u64 %A, [a]; ld.param.u64 %B, [b]; ld.param.u64 %C, [c]; ld.param.u64 %D, [d];",
        "  ld.param.u32 %steps, [steps];",
        "  mov.u32 %case, %ctaid.x; mov.u32 %thread, %tid.x; and.b32 %lane, %thread, 3;",
        "  mul.lo.u32 %t, %case, %steps;",
        f"  mul.wide.u32 %w, %t, {kernel.words * size}; add.u64 %A, %A, %w; add.u64 %B, %B, %w;",
        f"  mul.wide.u32 %w, %case, {8 if of_d == 'f64' else 4}; add.u64 %C, %C, %w;",
        f"  mad.lo.u32 %t, %t, {kernel.threads}, %thread;",
        f"  mul.wide.u32 %w, %t, {kernel.registers * (8 if of_d == 'f64' else 4)}; add.u64 %D, %D, %w;",
        "  mov.u32 %step, 0;",
    ]
    lines += [f"  ld.global.{of_d} %d{i}, [%C];" for i in range(kernel.registers)]
    if not has_all:
        lines.append(f"  mul.wide.u32 %w, %lane, {size}; add.u64 %A, %A, %w;")
    if is_group:
        # Two matrices of 8 columns by 16 bytes, one after the other.
        lines += [
            "  shr.u32 %t, %thread, 5; shl.b32 %t, %t, 2; add.u32 %t, %t, %lane;",
            "  mul.wide.u32 %w, %t, 4; add.u64 %B, %B, %w; setp.lt.u32 %writes, %thread, 64;",
            "  mov.u32 %t, tile; shl.b32 %u, %thread, 2; add.u32 %place, %t, %u;",
            "  and.b32 %t, %t, 0x3ffff; shr.u32 %t, %t, 4; cvt.u64.u32 %matrix, %t;",
            "  or.b64 %matrix, %matrix, 0x0000000800080000;",
            "  setp.eq.u32 %one, %t, %t;",
        ]
    elif not has_all:
        lines.append("  add.u64 %B, %B, %w;")
    lines.append("NEXT:")
    lines += [f"  ld.global.{kind} %a{i}, [%A+{i * apart}];" for i in range(loaded)]
    if is_group:
        lines += [
            "  @%writes ld.global.b32 %b0, [%B]; @%writes st.shared.b32 [%place], %b0;",
            "  fence.proxy.async.shared::cta; bar.sync 0;",
            "  wgmma.fence.sync.aligned;",
            f"  {_multiply(kernel)}",
            "  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; bar.sync 0;",
        ]
    else:
        lines += [f"  ld.global.{kind} %b{i}, [%B+{i * apart}];" for i in range(loaded)]
        lines.append(f"  {_multiply(kernel)}")
    bytes_of_d = 8 if of_d == "f64" else 4
    lines += [f"  st.global.{of_d} [%D+{i * bytes_of_d}], %d{i};" for i in range(kernel.registers)]
    lines += [
        f"  add.u64 %A, %A, {kernel.words * size}; add.u64 %B, %B, {kernel.words * size};",
        f"  add.u64 %D, %D, {kernel.threads * kernel.registers * bytes_of_d};",
        "  add.u32 %step, %step, 1; setp.lt.u32 %more, %step, %steps; @%more bra NEXT;",
        "  ret;",
        "}",
    ]
    return "\n".join(lines)


def ptx(kernels: list[Kernel]) -> str:
    """The text of a file of kernels."""
    return "\n".join([".version 8.7", ".target sm_90a", ".address_size 64", *map(entry, kernels)]) + "\n"


def chain_words(kernel: Kernel, chain: dict[str, Any]) -> list[int]:
    """The words of D after each step of a chain."""
    types = (kernel.a, kernel.b, kernel.d)
    found, d = [], 0
    for a, b in device.chain_inputs(chain):
        d = rule.multiplied(kernel.instruction, types, _elements(a, kernel.a), _elements(b, kernel.b), d)
        found.append(d)
    return found


def _elements(text: str, element: str) -> list[int]:
    digits = device.bits(element) // 4
    return [int(text[i : i + digits], 16) for i in range(0, len(text), digits)]


def hash_of(words: list[int], out: str) -> str:
    """The hash that published chains have of their words."""
    return hashlib.sha256(np.array(words, "<u4" if out == "f32" else "<u2").tobytes()).hexdigest()


def _kernel(entry: dict[str, Any]) -> Kernel:
    names = ("instruction", "shape", "a", "b", "d")
    return Kernel(*(entry[name] for name in names), saturates=entry.get("satfinite", False))


def _row(kernel: Kernel, name: str, kind: str, **facts: Any) -> dict[str, Any]:
    """A row of the table that the device side reads."""
    row = {"row": name, "kind": kind, "file": kernel.file, "kernel": kernel.name, "a": kernel.a, "b": kernel.b}
    return row | {"d": kernel.d, "threads": kernel.threads, "registers": kernel.registers} | facts


def _vectors(groups: list[dict[str, Any]]) -> list[tuple[Kernel, dict[str, Any]]]:
    """A row for each class of the vectors of an instruction."""
    rows = []
    for group in groups:
        kernel = _kernel(group)
        for kind in sorted({vector[0] for vector in group["vectors"]}):
            columns = list(zip(*(vector[1:] for vector in group["vectors"] if vector[0] == kind)))
            columns_of = {name: list(column) for name, column in zip("ABCD", columns)}
            row = _row(kernel, f"{kernel.title}, {kind}", "vectors", **columns_of, source=group["source"])
            rows.append((kernel, row))
    return rows


def _fused(groups: list[dict[str, Any]]) -> list[tuple[Kernel, dict[str, Any]]]:
    """Rows for mma.m8n8k4 with f16: the first four elements of vectors of f16 whose results are not zero."""
    rows = []
    for d in ("f32", "f16"):
        kernel = Kernel("mma", "m8n8k4", "f16", "f16", d)
        columns: dict[str, list[str]] = {name: [] for name in "ABCD"}
        for group in groups:
            if (group["instruction"], group["a"], group["d"]) != ("mma", "f16", d):
                continue
            for kind, a, b, c, _ in group["vectors"]:
                if kind in ("special", "overflow"):
                    continue
                found = rule.by_fma(d, _elements(a[:16], "f16"), _elements(b[:16], "f16"), int(c, 16))
                if found:
                    digits = device.bits(d) // 4
                    for name, text in zip("ABCD", (a[:16], b[:16], c, f"{found:0{digits}x}")):
                        columns[name].append(text)
        rows.append((kernel, _row(kernel, f"{kernel.title}, by FFMA", "vectors", **columns, source=["SASS of ptxas"])))
    return rows


def _chains(chains: list[dict[str, Any]]) -> list[tuple[Kernel, dict[str, Any]]]:
    """A row for each chain."""
    rows = []
    for chain in chains:
        kernel = _kernel(chain)
        words = chain_words(kernel, chain)
        digits = device.bits(kernel.d) // 4
        texts = [f"{word:0{digits}x}" for word in words]
        if "sha256" in chain and (texts[-1] != chain["D"] or hash_of(words, kernel.d) != chain["sha256"]):
            raise ValueError(f"the rule gives chain {chain['seed']} other words than are published")
        source = ["the published rule" if "sha256" not in chain else "published chain"]
        name = f"{kernel.title}, chain {chain['seed']} of {chain['steps']} steps"
        asked = {key: chain[key] for key in ("a", "b", "K", "seed", "steps")}
        rows.append((kernel, _row(kernel, name, "chain", chain=asked, C=["0" * digits], D=texts, source=source)))
    return rows


def _disputed(entries: list[dict[str, Any]]) -> list[tuple[Kernel, dict[str, Any]]]:
    """A row for each case whose word is disputed."""
    rows = []
    for entry in entries:
        kernel = _kernel(entry)
        inputs = {name: [entry[name]] for name in "ABC"}
        name = f"{kernel.title}, disputed: {entry['why']}"
        rows.append((kernel, _row(kernel, name, "disputed", **inputs, claims=entry["D"])))
    return rows


def _is_here(group: dict[str, Any]) -> bool:
    """Whether vectors hold for compute capability 9.0: its own, and exact sums of any device."""
    return group["arch"] == "sm_90" or (group["instruction"] == "mma" and group["d"] in ("s32", "f64"))


def table(repository: pathlib.Path) -> list[tuple[Kernel, dict[str, Any]]]:
    """All rows with their kernels."""
    known = json.loads((repository / "tests" / "vectors" / "tensor_cores.json").read_text(encoding="utf-8"))
    groups = [group for group in known["groups"] if _is_here(group)]
    chains, disputed = ([case for case in known[name] if case["arch"] == "sm_90"] for name in ("chains", "disputed"))
    names = ("shape", "a", "b", "d", "K", "seed")
    own = [dict(zip(names, chain)) | {"instruction": "wgmma"} for chain in _WGMMA_CHAINS]
    for chain in own:
        chain["steps"] = chain["K"] // _kernel(chain).k
    rows = _vectors(groups) + _fused(groups)
    return rows + _chains(chains + own) + _disputed(disputed)


def answer(kernel: Kernel, row: dict[str, Any]) -> np.ndarray:
    """The words of D if the device does as expected; of a disputed case, by its first claim."""
    if row["kind"] == "disputed":
        texts = [next(iter(row["claims"].values()))]
    else:
        texts = row["D"]
    outputs = kernel.threads * kernel.registers
    return np.concatenate([np.tile(device.word(text, kernel.d), outputs) for text in texts])


def of_whole(value: int, element: str) -> int:
    """A small whole number as the bits of an element."""
    if element == "f64":
        return int.from_bytes(struct.pack(">d", value), "big")
    if element in rule.FORMATS:
        return rule.rounded(Fraction(value), element) << (13 if element == "tf32" else 0)
    return value % 2 ** device.bits(element)


def check(path: pathlib.Path, kernel: Kernel) -> None:
    """Runs the kernel in the simulator, on whole numbers whose sums are exact: which lane has which element."""
    cases, steps = 2, 2
    least = {name: 0 if name.startswith("u") else -2 for name in (kernel.a, kernel.b)}
    draw = device.numbers(len(kernel.title))
    shape = (cases, steps, kernel.k)
    a, b = (
        np.array([least[t] + next(draw) % (3 - least[t]) for _ in range(cases * steps * kernel.k)]).reshape(shape)
        for t in (kernel.a, kernel.b)
    )
    c = np.array([next(draw) % 9 - 4 for _ in range(cases)])

    def text(numbers: Any, element: str) -> str:
        digits = device.bits(element) // 4
        return "".join(f"{of_whole(int(number), element):0{digits}x}" for number in np.ravel(numbers))

    words_of_c = np.concatenate([device.word(text(number, kernel.d), kernel.d) for number in c])
    wanted = c[:, None] + np.cumsum((a * b).sum(axis=2), axis=1)
    words = np.stack([device.word(text(number, kernel.d), kernel.d) for number in wanted.ravel()])
    found = np.zeros((cases * steps, kernel.threads * kernel.registers, words.shape[1]), np.uint32)
    given = [device.packed(text(numbers, t), t) for numbers, t in ((a, kernel.a), (b, kernel.b))]
    args = [*given, words_of_c, found, steps]
    cm.simulate(path, cases, args, block=kernel.threads, name=kernel.name).raise_if_findings()
    if (found != words[:, None, :]).any():
        raise ValueError(f"the kernel of {kernel.title} gives other sums than it should in the simulator")


def make(folder: pathlib.Path, tools: Any) -> None:
    """Writes the kernels, the table of rows, and the recorded answers."""
    rows = table(tools.repository)
    if tools.is_sample:
        few: list[tuple[Kernel, dict[str, Any]]] = []
        for kind, count in (("vectors", 24), ("chain", 6), ("disputed", 4)):
            few += tools.take([row for row in rows if row[1]["kind"] == kind], count)
        rows = few
    files: dict[str, list[Kernel]] = {}
    for kernel, _ in rows:
        kernels = files.setdefault(kernel.file, [])
        if kernel not in kernels:
            kernels.append(kernel)

    def write(item: tuple[str, list[Kernel]]) -> None:
        path = folder / f"{item[0]}.ptx"
        path.write_text(ptx(item[1]), encoding="utf-8")
        tools.assemble(path, "sm_90a")
        for kernel in item[1]:
            check(path, kernel)

    list(tools.pool.map(write, files.items()))
    (folder / "rows.json").write_text(json.dumps([row for _, row in rows]) + "\n", encoding="utf-8")
    answers: dict[str, np.ndarray] = {f"{row['row']}/3": answer(kernel, row) for kernel, row in rows}
    np.savez_compressed(folder / "answers.npz", **answers)
