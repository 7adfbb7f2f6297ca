"""Kernels in Python: their results, their texts, and the lines of their findings."""

import dataclasses
import importlib.util
import os
import random
import re
import runpy

import pytest
from conftest import ROOT, needs_compiler

np = pytest.importorskip("numpy")
pytestmark = needs_compiler

if importlib.util.find_spec("cute_mlir_compiler"):
    from cute_mlir import kernels as ck

    Ints, Floats = ck.Tensor[ck.i32, "?:1"], ck.Tensor[ck.f32, "?:1"]
else:
    ck = None

EXAMPLES = ROOT / "examples" / "python" / "kernels"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def instructions(ptx):
    return len(re.findall(r"^\s+[@a-z].*;", ptx, re.MULTILINE))


@pytest.fixture(scope="module")
def gemm():
    pytest.importorskip("ml_dtypes")
    return example("gemm_sm90")


@pytest.mark.parametrize("shape", [(8, 8, 8), (72, 136, 200)])
def test_the_gemm_is_right_for_any_shape(gemm, shape):
    import ml_dtypes

    m, n, k = shape
    a, b, d = gemm.matrix(m, k), gemm.matrix(n, k), np.zeros((m, n), ml_dtypes.bfloat16)
    report = gemm.multiply(a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16), d, schedule="lazy")
    assert report.ok and not report.notes
    np.testing.assert_array_equal(d, (a @ b.T).astype(ml_dtypes.bfloat16))


def test_the_gemm_has_no_more_instructions_than_the_builders(gemm):
    import cute_mlir as cm

    theirs = cm.build_kernel("gemm_sm90", "sm_90a", n_tile=128, m_cluster=1).ptx
    own = gemm.multiply.ptx
    assert own.count("wgmma.mma_async") == theirs.count("wgmma.mma_async") == 4
    assert instructions(own) <= instructions(theirs)


def test_a_missing_wait_is_found_at_its_line(gemm, tmp_path):
    import ml_dtypes

    text = (EXAMPLES / "gemm_sm90.py").read_text().replace("            ring.wait(state)\n", "            pass\n")
    file = tmp_path / "broken.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("broken", file)
    broken = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(broken)
    a = gemm.matrix(128, 128).astype(ml_dtypes.bfloat16)
    report = broken.multiply.simulate(a, a, np.zeros((128, 128), ml_dtypes.bfloat16), schedule="lazy")
    finding = report.findings[0]
    assert finding.place.file == str(file)
    line = text.splitlines()[finding.place.line - 1]
    assert any(word in line for word in ("ck.gemm(", ".load(", "ck.wgmma")), line


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_an_example_says_that_it_is_right(name, capsys):
    if name == "gemm_sm90" and not os.environ.get("CUTE_FULL"):
        pytest.skip("the shapes above are smaller")
    if "ml_dtypes" in (EXAMPLES / f"{name}.py").read_text():
        pytest.importorskip("ml_dtypes")
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert capsys.readouterr().out.endswith("right\n")


def test_names_and_lines_are_in_the_text():
    @ck.kernel(block=32)
    def named(x: Ints, n: ck.i32):
        first = ck.thread.x + 1
        total = first
        for k in ck.range(n):
            total = total + k
        x[first - 1] = total

    text = named.mlir
    assert "@named(%x: " in text and "%n: i32" in text
    assert "%first = arith.addi" in text and "scf.for %k = " in text and "%total" in text
    located = named.compiled.text
    line = named.function.__code__.co_firstlineno
    assert f'"{__file__}":{line + 2}:' in located
    assert 'loc("first"(' in located


# Loops and branches: the same function runs in Python.


def both(write, *given, threads=4):
    """What a kernel computes, and what Python does."""
    kernel = ck.kernel(block=threads)(write)
    simulated = np.zeros(threads, np.int32)
    kernel(simulated, *given, grid=1)
    return simulated


def test_loops_and_branches_are_those_of_python():
    def loops(x: Ints, n: ck.i32):
        t = ck.thread.x
        total, count = 0, 0
        for i in ck.range(n):
            if i % 2 == 0:
                total += i
            else:
                count = count + 1
                if i > 5 and i != 7:
                    count += 10
                elif not (i == 1 or i == 3):
                    count -= 1
        j = n
        while j > 0 and total < 1000:
            j -= 3
            total += 1
        y = total if t < 3 else -1
        for u in range(3):
            if u == 1:
                continue
            if u == 2:
                break
            y += u + 5
        x[t] = y + count * 100 + min(t, 2) + max(n, 3)

    def expected(n, t):
        total = count = 0
        for i in range(n):
            if i % 2 == 0:
                total += i
            else:
                count += 1
                if i > 5 and i != 7:
                    count += 10
                elif not (i == 1 or i == 3):
                    count -= 1
        j = n
        while j > 0 and total < 1000:
            j -= 3
            total += 1
        return (total if t < 3 else -1) + 5 + count * 100 + min(t, 2) + max(n, 3)

    for n in (0, 1, 12):
        assert both(loops, n).tolist() == [expected(n, t) for t in range(4)]


def test_loops_unrolled_and_not_are_equal():
    def powers(span):
        def write(x: Ints, n: ck.i32):
            value = ck.thread.x + 2
            for i in span(5):
                if value % 3 == 1:
                    value = value * 2 + i
                else:
                    value = value + n
            x[ck.thread.x] = value

        return both(write, 7).tolist()

    assert powers(ck.range) == powers(range)


def test_an_arm_assigns_fields_of_its_own_object():
    @dataclasses.dataclass
    class Pair:
        a: object
        b: object = 0

    def write(x: Ints, n: ck.i32):
        pair, other = Pair(n), Pair(1)
        if n > 2:
            pair.b = 5
        for i in ck.range(2):
            other.a += i
        if n > 2:
            other.b = other.a
        elif n > 1:
            other.a = 100
            other.b += 1
        last, rest = Pair(3), 0
        if n > 1:
            last.a = 7
            rest = last.a
        else:
            rest = last.a + last.b
        x[ck.thread.x] = pair.b + 10 * other.b + 1000 * other.a + 10000000 * rest

    def expected(n):
        b = 5 if n > 2 else 0
        return b + 10 * (2 if n > 2 else n == 2) + 1000 * (100 if n == 2 else 2) + 10000000 * (7 if n > 1 else 3)

    for n in (1, 2, 3):
        assert both(write, n, threads=1).tolist() == [expected(n)]


def test_helpers_closures_and_dataclasses():
    @dataclasses.dataclass
    class Pair:
        a: object
        b: object

        def sum(self):
            return self.a + self.b

    step = 3

    def advance(pair):
        if pair.a > 4:
            made = Pair(pair.a - 1, pair.b * 2)
        else:
            made = Pair(pair.a, pair.b + step)
        return made

    def write(x: Ints, n: ck.i32):
        pair = Pair(6, ck.thread.x)
        for _ in ck.range(n):
            pair = advance(pair)
            pair.b += 1
        x[ck.thread.x] = pair.sum()

    def expected(t):
        a, b = 6, t
        for _ in range(5):
            a, b = (a - 1, b * 2) if a > 4 else (a, b + step)
            b += 1
        return a + b

    assert both(write, 5).tolist() == [expected(t) for t in range(4)]


def test_a_condition_is_evaluated_only_where_it_counts():
    def write(x: Ints, n: ck.i32):
        t = ck.thread.x
        # Without the first part, the load would be out of bounds.
        found = 1 if t + 2 < n and x[t + 2] == 0 else 2
        ck.sync()
        x[t] = found

    assert both(write, 4).tolist() == [1, 1, 2, 2]


def test_static_branches_leave_nothing_behind():
    def write(x: Ints, fast: bool):
        @ck.kernel(block=4)
        def own(x: Ints):
            if fast:
                value = 1
            else:
                value = "unused"
            x[ck.thread.x] = value

        return own

    assert "scf.if" not in write(None, True).mlir


def test_vectors_and_reductions():
    @ck.kernel(block=32)
    def rows(x: ck.Tensor[ck.f32, "(32,8):(8,1)"], out: Floats):
        t = ck.thread.x
        mine = ck.fragment_like(x[t, None])
        ck.copy(ck.universal_copy(ck.f32, 128), x[t, None], mine)
        squares = mine.load() * mine.load() + 1.0
        total = ck.reduce(squares)
        for by in (16, 8, 4, 2, 1):
            total += ck.shuffle_xor(total, by)
        if t == 0:
            out[0] = total

    x = np.random.default_rng(2).integers(-3, 4, (32, 8)).astype(np.float32)
    out = np.zeros(1, np.float32)
    rows(x, out, grid=1)
    assert out[0] == (x * x + 1).sum()


def test_a_race_is_at_the_lines_of_both():
    @ck.kernel(block=64)
    def reverse(x: Ints):
        s = ck.shared(ck.i32, "64:1")
        t = ck.thread.x
        s[t] = x[t]
        x[t] = s[63 - t]

    report = reverse.simulate(np.arange(64, dtype=np.int32), grid=1)
    first = reverse.function.__code__.co_firstlineno
    finding = report.findings[0]
    assert (finding.kind, finding.place.file, finding.place.line) == ("race", __file__, first + 5)
    assert finding.other.place.line == first + 4
    import cute_mlir as cm

    with pytest.raises(cm.FindingsError):
        reverse(np.arange(64, dtype=np.int32), grid=1)


def test_arguments_are_named():
    saxpy = example("saxpy").saxpy
    with pytest.raises(TypeError, match=r"saxpy\(a, x, y\): missing a required argument: 'y'"):
        saxpy(1.0, np.zeros(4, np.float32), grid=1)


def test_errors_of_compilation_are_at_the_line():
    import cute_mlir as cm

    @ck.kernel(block=32, target="sm_80")
    def late(x: Floats):
        ck.wgmma_fence()

    with pytest.raises(cm.CompileError) as caught:
        late.ptx
    assert caught.value.place[:2] == (__file__, late.function.__code__.co_firstlineno + 2)


def test_many_ops_are_traced_in_time(gemm):
    import time

    @ck.kernel(block=32)
    def long(x: Ints):
        value = ck.thread.x
        for i in range(2500):
            value = value * 3 + i
        x[0] = value

    began = time.process_time()
    long.mlir
    # 10,000 ops, in processor time, since a busy machine lets each of them wait.
    assert time.process_time() - began < 3
    again = ck.host(target="sm_90a")(gemm.multiply.function)
    began = time.process_time()
    again.mlir
    assert time.process_time() - began < 0.5


def test_a_host_function_launches_several_kernels():
    @ck.kernel(block=32)
    def twice(x: Ints):
        x[ck.thread.x] = x[ck.thread.x] * 2

    @ck.kernel(block=32)
    def one_more(x: Ints):
        x[ck.thread.x] = x[ck.thread.x] + 1

    @ck.host
    def run(x: Ints):
        twice.launch(1, x)
        one_more.launch(1, x)

    x = np.arange(32, dtype=np.int32)
    run(x)
    assert x.tolist() == [2 * i + 1 for i in range(32)]


# Mutated programs end in an exception of Python, or in a kernel.


def mutated(text, chance):
    """A program in which expressions or statements have changed places."""
    import ast

    tree = ast.parse(text)
    kinds = (ast.stmt,) if chance.random() < 0.4 else (ast.expr,)
    spots = []
    for node in ast.walk(tree):
        for field, old in ast.iter_fields(node):
            if isinstance(old, list):
                spots += [(old, i) for i, one in enumerate(old) if isinstance(one, kinds)]
            elif isinstance(old, kinds) and not isinstance(getattr(old, "ctx", None), ast.Store):
                spots.append((node, field))

    def get(spot):
        return spot[0][spot[1]] if isinstance(spot[0], list) else getattr(*spot)

    def put(spot, new):
        if isinstance(spot[0], list):
            spot[0][spot[1]] = new
        else:
            setattr(*spot, new)

    one, other = chance.sample(spots, 2)
    if isinstance(getattr(get(one), "ctx", None), ast.Store):
        return None
    put(one, get(other))
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except Exception:
        return None


def test_mutated_kernels_end_in_exceptions_of_python(tmp_path):
    chance = random.Random(int(os.environ.get("CUTE_SEED", "1")))
    texts = [(EXAMPLES / f"{name}.py").read_text().split("\nif __name__")[0] for name in ("saxpy", "transpose", "gemm_sm90")]
    count = 400 if os.environ.get("CUTE_FULL") else 40
    tried = 0
    for case in range(count):
        text = mutated(chance.choice(texts), chance)
        if text is None or "while" in text:
            continue
        file = tmp_path / f"case{case}.py"
        file.write_text(text)
        spec = importlib.util.spec_from_file_location(f"case{case}", file)
        module = importlib.util.module_from_spec(spec)
        tried += 1
        try:
            spec.loader.exec_module(module)
            for kernel in vars(module).values():
                if isinstance(kernel, (ck.Host, ck.Kernel)):
                    kernel.mlir
        except Exception as error:
            assert "the session has ended" not in str(error) and "internal error" not in str(error), f"{error}\n{text}"
    assert tried > count // 3
