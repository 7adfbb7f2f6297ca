"""Tests of kernels: each shape under several schedules, compared with a reference, and what no shape has reached."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from .._coverage import Coverage
from .._simulate import Report
from ._arrays import is_array
from ._kernel import Host, Kernel
from ._trace import KernelError

if TYPE_CHECKING:
    from .._native import Proof

Shape = Any
Tolerance = Union[None, str, float, Mapping[str, Union[None, str, float]]]

#: The options of a proof that is not just its arguments.
_OF_PROOF = ("args", "grid", "first", "seconds", "strict_isa", "through", "block", "cluster", "arrays", "name")
#: Units of a type's last place near 1 that a sum may be off: rounded once in a short type, often in a long one.
_UNITS = {"float32": 16, "float64": 16}


class KernelTestError(AssertionError):
    """A kernel differs from its reference, has findings, is not reached as a whole, or is not proved."""


@dataclasses.dataclass(frozen=True)
class _Case:
    """A shape, or a question about all of them."""

    label: str
    shape: Shape = None
    run: Callable[[], None] | None = None


def test(
    kernel: Kernel | Host | Callable[..., Kernel | Host],
    *,
    shapes: Sequence[Shape],
    reference: Callable[..., Any],
    grid: Any = None,
    schedules: int = 5,
    tolerance: Tolerance = None,
    coverage: bool = True,
    prove: Any = None,
    mutants: int | None = None,
    least: int = 100,
    **options: Any,
) -> Callable[[Callable[..., Any]], Any]:
    """Makes a test for pytest of a function that makes the arguments of a kernel for a shape.

    A shape is an integer, a tuple or a dictionary: what the function takes. It returns the arguments, in order or by name.
    ``grid`` is that of the launch, or a function of the shape; a host function has none. ``kernel`` may be a function of
    the shape that makes the kernel.

    ``reference`` takes copies of the arguments, or of those that its parameters name. It returns the array that the last array becomes, several for the last
    ones, or a dictionary by parameter; all others must not change. A reference that returns ``None`` has changed its copies.
    An element of floats may differ by ``tolerance * max(1, abs(expected))``, by default a few units of the type;
    ``"exact"`` and integers allow none. A dictionary has tolerances by parameter.

    pytest gets one test for each shape, under ``schedules`` orders of events, and more for all shapes together:
    ``[coverage]`` fails if there is a line that no shape reaches, or a condition that is always true or always false;
    ``[proof]``, if ``prove`` gives arguments as ``cm.prove`` takes them, fails unless the barriers are right at every size;
    ``[mutants]`` asks about that number of mutants, of which ``least`` percent must be noticed. ``run()`` of the result does
    all of it without pytest. Other options are those of ``cute_mlir.simulate``.
    """
    if not shapes:
        raise KernelError("ck.test needs at least one shape, as in shapes=[(64, 64), (72, 40)]")
    if not callable(kernel):
        raise KernelError(f"ck.test takes a kernel, as in @ck.test(k, shapes=.., reference=..), not {kernel!r}")
    own = dict(options, schedules=schedules)

    def decorated(function: Callable[..., Any]) -> Any:
        subject = _Subject(kernel, function, list(shapes), reference, grid, tolerance, own)
        cases = [_Case(_label(shape), shape) for shape in shapes]
        if coverage:
            cases.append(_Case("coverage", run=subject.covers))
        if prove is not None:
            cases.append(_Case("proof", run=lambda: subject.proves(prove)))
        if mutants is not None:
            cases.append(_Case("mutants", run=lambda: subject.notices(mutants, least)))

        def ask(case: _Case) -> None:
            subject.check(case.shape) if case.run is None else case.run()

        def of_pytest(case: _Case) -> None:
            failed = None
            try:
                ask(case)
            except KernelTestError as error:
                failed = str(error)
            if failed is not None:
                # The text alone, whose lines are those of the kernel.
                pytest.fail(failed, pytrace=False)

        def run() -> None:
            """Runs all cases, without pytest."""
            for case in cases:
                ask(case)

        made: Any = of_pytest
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(made, name, getattr(function, name))
        made.run, made.cases = run, [case.label for case in cases]
        try:
            import pytest
        except ImportError:
            return made
        marked = pytest.mark.parametrize("case", cases, ids=[case.label for case in cases])
        made.pytestmark = [marked.mark]
        return made

    return decorated


def _label(shape: Shape) -> str:
    if isinstance(shape, Mapping):
        return ",".join(f"{name}={value}" for name, value in shape.items())
    if isinstance(shape, (tuple, list)):
        return "x".join(map(str, shape))
    return str(shape)


def _of(function: Callable[..., Any], shape: Shape) -> Any:
    if isinstance(shape, Mapping):
        return function(**shape)
    if isinstance(shape, (tuple, list)):
        return function(*shape)
    return function(shape)


class _Subject:
    """A kernel with what a test knows about it."""

    def __init__(
        self,
        kernel: Any,
        arguments: Callable[..., Any],
        shapes: list[Shape],
        reference: Callable[..., Any],
        grid: Any,
        tolerance: Tolerance,
        options: dict[str, Any],
    ) -> None:
        self.kernel, self.arguments, self.shapes, self.reference = kernel, arguments, shapes, reference
        self.grid, self.tolerance, self.options = grid, tolerance, options
        self.reached: dict[str, Coverage] = {}

    def of(self, shape: Shape) -> Kernel | Host:
        made = self.kernel if isinstance(self.kernel, (Kernel, Host)) else _of(self.kernel, shape)
        if not isinstance(made, (Kernel, Host)):
            raise KernelError(f"ck.test tests a kernel or host function, not {made!r}")
        return made

    def given(self, kernel: Kernel | Host, shape: Shape) -> dict[str, Any]:
        """The arguments by the names of parameters."""
        args = _of(self.arguments, shape)
        if isinstance(args, Mapping):
            return dict(zip((one.name for one in kernel.parameters), kernel._arguments((), dict(args))))
        args = args if isinstance(args, (tuple, list)) else (args,)
        return dict(zip((one.name for one in kernel.parameters), kernel._arguments(tuple(args), {})))

    def launched(self, shape: Shape) -> dict[str, Any]:
        """The grid, where the kernel needs one."""
        if self.grid is None:
            return {}
        return {"grid": _of(self.grid, shape) if callable(self.grid) else self.grid}

    def simulated(self, shape: Shape, args: dict[str, Any], **options: Any) -> Report:
        kernel = self.of(shape)
        launched = self.launched(shape)
        if isinstance(kernel, Kernel) and not launched:
            raise KernelError(f"'{kernel.name}' is a kernel, whose test needs a grid: @ck.test(.., grid=lambda n: -(-n // 128))")
        return kernel.simulate(**args, **launched, **{**self.options, **options})

    def check(self, shape: Shape) -> None:
        """One shape: findings, differences between schedules, and the reference."""
        kernel = self.of(shape)
        args = self.given(kernel, shape)
        copies = {name: _copied(one) for name, one in args.items()}
        expected = self.expected(kernel, copies)
        report = self.simulated(shape, args, coverage=True)
        self.reached[_label(shape)] = report.coverage
        head = f"{_place(kernel)}: '{kernel.name}' of {_label(shape)}"
        if report.findings:
            raise KernelTestError(f"{head} has findings\n{report}")
        wrong = [text for name, one in expected.items() if (text := self.difference(name, args[name], one))]
        wrong += report.differences
        if wrong:
            notes = [f"note: {text}" for text in report.unwritten]
            raise KernelTestError("\n".join([f"{head} differs from the reference", *wrong, *notes]))

    def expected(self, kernel: Kernel | Host, copies: dict[str, Any]) -> dict[str, Any]:
        """What each array must become."""
        arrays = [name for name, one in copies.items() if is_array(one)]
        result = {name: _copied(copies[name]) for name in arrays}
        names = _names(self.reference, copies)
        made = self.reference(*copies.values()) if names is None else self.reference(**{name: copies[name] for name in names})
        if made is None:
            return {name: copies[name] for name in arrays}
        if not isinstance(made, Mapping):
            several = list(made) if isinstance(made, (tuple, list)) else [made]
            if len(several) > len(arrays):
                raise KernelError(f"the reference returns {len(several)} arrays, but '{kernel.name}' has {len(arrays)}")
            made = dict(zip(arrays[len(arrays) - len(several) :], several))
        for name in made:
            if name not in result:
                raise KernelError(f"the reference returns '{name}', but the arrays of '{kernel.name}' are {', '.join(arrays)}")
        return {**result, **made}

    def difference(self, name: str, found: Any, expected: Any) -> str | None:
        tolerance = self.tolerance.get(name) if isinstance(self.tolerance, Mapping) else self.tolerance
        return _difference(name, found, expected, tolerance)

    def covers(self) -> None:
        """All shapes together: those that this process has not run, run under one schedule."""
        for shape in self.shapes:
            if _label(shape) not in self.reached:
                args = self.given(self.of(shape), shape)
                report = self.simulated(shape, args, schedules=None, schedule="lazy", coverage=True)
                self.reached[_label(shape)] = report.coverage
        total = Coverage()
        for one in self.reached.values():
            total = total + one
        missed = total.missed
        if missed:
            kernel, tried = self.of(self.shapes[0]), ", ".join(map(_label, self.shapes))
            lines = "\n".join(str(one) for one in missed)
            raise KernelTestError(f"{_place(kernel)}: no shape of {tried} reaches all of '{kernel.name}'\n{lines}")

    def proves(self, asked: Any) -> None:
        """The barriers at every size."""
        kernel = self.of(self.shapes[0])
        given = dict(asked) if isinstance(asked, Mapping) and "args" in asked else {"args": asked}
        for name in given:
            if name not in _OF_PROOF:
                raise KernelError(f"prove has no option '{name}'; it has {', '.join(_OF_PROOF)}")
        args = given.pop("args")
        args = [args] if isinstance(args, str) else args
        if isinstance(kernel, Kernel) and "grid" not in given:
            given |= self.launched(self.shapes[0])
        proof = _proof(kernel, args, given)
        if not proof.ok:
            raise KernelTestError(f"{_place(kernel)}: '{kernel.name}' is not proved for every size\n{proof.text}")

    def notices(self, count: int, least: int) -> None:
        """Mutants, by the values of all shapes."""
        from .._mutate import mutate

        def all_shapes() -> None:
            for shape in self.shapes:
                self.check(shape)

        before, kernel = dict(self.reached), self.of(self.shapes[0])
        score = mutate(all_shapes, n=count)
        self.reached = before
        if score.values < least:
            raise KernelTestError(f"{_place(kernel)}: the shapes notice {score.values} % of the mutants of '{kernel.name}'\n{score}")


def _proof(kernel: Kernel | Host, args: Any, options: dict[str, Any]) -> Proof:
    from .._prove import prove, prove_host

    if isinstance(kernel, Host):
        return prove_host(kernel.compiled, args, **options)
    return prove(kernel.compiled, options.pop("grid"), args, **options)


def _place(kernel: Kernel | Host) -> str:
    from .._coverage import _short

    file, line, _ = kernel.place
    return f"{_short(file)}:{line}"


def _names(function: Callable[..., Any], args: dict[str, Any]) -> list[str] | None:
    """The arguments that a reference takes, if its parameters are some of the kernel's."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    names = [one.name for one in parameters]
    plain = all(one.kind is one.POSITIONAL_OR_KEYWORD for one in parameters)
    return names if plain and set(names) <= set(args) else None


def _copied(one: Any) -> Any:
    if not is_array(one):
        return one
    return one.clone() if hasattr(one, "clone") else one.copy()


def _difference(name: str, found: Any, expected: Any, tolerance: None | str | float) -> str | None:
    """How an array differs from what is expected; None if it does not."""
    import numpy as np

    found = _numpy(found)
    expected = np.asarray(_numpy(expected))
    if found.shape != expected.shape:
        return f"{name}: the reference has the shape {expected.shape}, but the array has {found.shape}"
    is_float = found.dtype.kind in "fV" or found.dtype.name.startswith(("bfloat", "float"))
    allowed = _allowed(found.dtype, is_float, tolerance)
    if not is_float and np.issubdtype(expected.dtype, np.floating):
        return f"{name}: the reference is of {expected.dtype}, but the array of {found.dtype}; convert it, as in .astype(np.int32)"
    wide = np.float64 if is_float else expected.dtype
    # As the array has it: what the reference computes in a wider type is rounded once.
    exact = expected.astype(found.dtype).astype(wide) if is_float else expected
    own = found.astype(wide)
    with np.errstate(all="ignore"):
        same = (own == exact) | ((own != own) & (exact != exact))
        # Of integers, and of what is not finite, only equal ones are the same.
        size = np.maximum(np.abs(exact), 1) if is_float else 1
        off = np.where(same, 0, np.abs(own - exact)) if is_float else np.where(same, 0, 1)
        beyond = ~same & ~(off <= allowed * size)
    count = int(beyond.sum())
    if count == 0:
        return None
    at = tuple(int(i) for i in np.argwhere(beyond)[0])
    where = f" at [{', '.join(map(str, at))}]" if at else ""
    rule = "" if allowed == 0 else f" by more than {allowed:.2g} * max(1, |expected|)"
    finite = off[beyond][np.isfinite(off[beyond])] if is_float else []
    most = f"; the largest difference is {float(np.max(finite)):.4g}" if len(finite) else ""
    first = f"the first{where} is {found[at]}, expected {expected[at]}"
    return f"{name}: {count} of {found.size} elements differ{rule}: {first}{most}"


def _numpy(one: Any) -> Any:
    """An array of numpy on the same memory; bfloat16 by way of its bits."""
    import numpy as np

    if isinstance(one, np.ndarray) or not hasattr(one, "__dlpack__") or hasattr(one, "__array_interface__"):
        return np.asarray(one)
    from .._native import element_name

    name = element_name(one)
    if name == "bfloat16" and "torch" in sys.modules:
        import ml_dtypes

        torch: Any = sys.modules["torch"]
        return np.asarray(one.view(torch.int16)).view(ml_dtypes.bfloat16)
    return np.from_dlpack(one)


def _allowed(dtype: Any, is_float: bool, tolerance: None | str | float) -> float:
    """The tolerance for a type."""
    if isinstance(tolerance, str):
        if tolerance != "exact":
            raise KernelError(f'a tolerance is a number, "exact", or None for that of the type, not {tolerance!r}')
        return 0.0
    if not is_float:
        return 0.0
    if tolerance is not None:
        return float(tolerance)
    import numpy as np

    if dtype.kind == "f" and dtype.name in ("float16", "float32", "float64"):
        unit = float(np.finfo(dtype).eps)
    else:
        import ml_dtypes

        finfo: Any = ml_dtypes.finfo
        unit = float(finfo(dtype).eps)
    return _UNITS.get(dtype.name, 2) * unit
