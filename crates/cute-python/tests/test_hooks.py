"""The hook for CuTe DSL, with a package that has its signatures."""

import contextlib
import pathlib
import sys
import types
import warnings

import cute_mlir as cm
import pytest
from conftest import ROOT, needs_compiler

np = pytest.importorskip("numpy")
pytestmark = needs_compiler
MODULE = ROOT / "crates/cute-tools/tests/run/versions/v46.mlir"


class Operation:
    def __init__(self, text):
        self.text = text

    def get_asm(self, enable_debug_info=False, **_):
        assert enable_debug_info
        return self.text


class Dsl:
    """What CuTe DSL has of hooks, from 4.6 on."""

    def __init__(self):
        self.hooks = []

    @contextlib.contextmanager
    def trace_finalize_hooks(self, *hooks):
        self.hooks += hooks
        try:
            yield
        finally:
            self.hooks = self.hooks[: -len(hooks)]

    def compile(self, text, function="host"):
        module = types.SimpleNamespace(operation=Operation(text))
        for hook in self.hooks:
            hook(self, module, function)
        assert module.operation.text == text
        return "compiled"


def package(monkeypatch, dsl, version="4.6.0"):
    cutlass = types.ModuleType("cutlass")
    cutlass.__version__ = version
    inner = types.ModuleType("cutlass.cutlass_dsl")
    inner.CuTeDSL = type("CuTeDSL", (), {"_get_dsl": staticmethod(lambda: dsl)})
    monkeypatch.setitem(sys.modules, "cutlass", cutlass)
    monkeypatch.setitem(sys.modules, "cutlass.cutlass_dsl", inner)


@pytest.fixture
def dsl(monkeypatch):
    # It makes blocks strict.
    monkeypatch.delenv("CI", raising=False)
    made = Dsl()
    package(monkeypatch, made)
    return made


def arrays():
    # Mode 0 is contiguous.
    x = np.asfortranarray(np.arange(64, dtype=np.float32).reshape(32, 2))
    return x, np.zeros_like(x)


def racy(text):
    """All threads of a block write one element, in line 7 of a file of Python."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "cute.memref.store" in line)
    lines[at] = lines[at].replace("%at,", "%zero,") + ' loc("kernel.py":7:3)'
    lines.insert(at, "      %zero = cute.make_coord(%c0, %bid) : (i32, i32) -> !at")
    return "\n".join(lines)


def test_a_correct_module_is_simulated_and_unchanged(dsl, tmp_path):
    x, y = arrays()
    with cm.cutlass_hook(args={"host": [x, y]}, save=tmp_path, target="sm_100a") as seen:
        assert dsl.compile(MODULE.read_text()) == "compiled"
    assert [checked.status for checked in seen] == ["simulated"] and (x == y).all()
    assert (tmp_path / "host.mlir").read_text() == MODULE.read_text() and dsl.hooks == []


def test_the_race_of_a_module_is_raised_after_the_block(dsl):
    x, y = arrays()
    reached = False
    with pytest.raises(cm.FindingsError) as caught:
        with cm.cutlass_hook(args=lambda module, function: [x, y], target="sm_100a"):
            dsl.compile(racy(MODULE.read_text()))
            reached = True
    assert reached
    race = caught.value.report.findings[0]
    assert race.kind == "race" and race.location.startswith("kernel.py:7")


def test_without_arrays_a_module_is_compiled_only(dsl):
    with cm.cutlass_hook(target="sm_100a") as seen:
        dsl.compile(MODULE.read_text())
    assert [checked.status for checked in seen] == ["not simulated"]


def test_a_module_that_cannot_be_read_is_a_warning(dsl):
    with pytest.warns(UserWarning, match="could not check host"):
        with cm.cutlass_hook(target="sm_100a") as seen:
            assert dsl.compile("module { nonsense }") == "compiled"
    assert seen[0].status.startswith("not read")


@pytest.mark.parametrize("given", [{"strict": True}, {"CI": "true"}])
@pytest.mark.parametrize(
    "args, text, why",
    [
        (None, MODULE.read_text(), "nothing was simulated: give args="),
        ({"my_host": []}, MODULE.read_text(), "args has 'my_host', but the functions that were compiled are: host"),
        ({"host": []}, "module { nonsense }", "host: not read: "),
        ({"host": []}, None, "args has 'host', but the functions that were compiled are: none"),
    ],
)
def test_a_strict_block_fails_where_something_was_not_checked(dsl, monkeypatch, given, args, text, why):
    options = {name: value for name, value in given.items() if name == "strict"}
    if not options:
        monkeypatch.setenv("CI", "true")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(cm.UncheckedError) as caught, cm.cutlass_hook(args=args, target="sm_100a", **options):
            if text is not None:
                dsl.compile(text)
        assert why in str(caught.value) and "strict=False accepts this" in str(caught.value)
        with cm.cutlass_hook(args=args, target="sm_100a", strict=False):
            if text is not None:
                dsl.compile(text)


def test_a_function_that_never_comes_is_a_warning(dsl):
    with pytest.warns(UserWarning, match="args has 'my_host', but the functions that were compiled are: host") as warned:
        with cm.cutlass_hook(args={"my_host": []}, target="sm_100a"):
            dsl.compile(MODULE.read_text())
    assert warned[0].filename == __file__


def test_a_typo_in_an_option_is_an_error(dsl):
    with pytest.raises(TypeError, match=r"cutlass_hook\(\) has no option 'schedulez'; it has args, save, strict, target, "):
        with cm.cutlass_hook(args={}, schedulez=3):
            raise AssertionError("the block does not begin")


def test_errors_of_the_block_pass_through(dsl):
    with pytest.raises(KeyError), cm.cutlass_hook(strict=True):
        raise KeyError("of the user")


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "cutlass.cutlass_dsl", raising=False)
    with pytest.raises(RuntimeError, match="import cutlass before the block"), cm.cutlass_hook():
        pass
    package(monkeypatch, object(), "4.5.2")
    with pytest.raises(RuntimeError, match="CuTe DSL 4.5.2 has no trace_finalize_hooks"), cm.cutlass_hook():
        pass
