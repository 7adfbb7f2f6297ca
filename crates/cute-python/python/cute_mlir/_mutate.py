"""Would a test notice? Tests are asked about mistakes in the kernels that they run."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, Union

from ._compiler import Kernel
from ._native import NoScoreError, Program, judge
from ._simulate import Simulated, _program

__all__ = ["NoScoreError", "Score", "mutate"]

Kernels = Union[Simulated, Sequence[str], None]


class Score:
    """How many mistakes a test notices, and which ones it does not."""

    #: The score, the mutants by the kind of change, and those that the test does not notice, as text.
    text: str

    def __init__(self, text: str, data: str) -> None:
        self.text = text.rstrip()
        self._data = data

    @property
    def json(self) -> Any:
        """Everything as data: the counts, and ``judged``, a list of all mutants."""
        return json.loads(self._data)

    @property
    def mutants(self) -> int:
        """The number of mutants that were tried."""
        return int(self.json["mutants"])

    @property
    def values(self) -> int:
        """How many of the mutants whose values are known the checks of the test notice, in percent."""
        return int(self.json["score"])

    @property
    def findings(self) -> int:
        """The mutants that the findings of the simulator show, in percent."""
        return int(self.json["findings"]) * 100 // max(self.mutants, 1)

    def survivors(self, *values: str) -> list[str]:
        """The mutants that the test does not notice, as text.

        ``values`` chooses some: ``"tolerated"`` (arrays differ, and the test passes), ``"hidden"`` (arrays differ with
        other inputs alone), ``"unreached"`` (the test does not execute the instruction), ``"equal"`` (no difference was
        seen) and ``"unknown"`` (the simulator ended the run).
        """
        left = [one for one in self.json["judged"] if one["values"] not in ("noticed", "stuck")]
        return [_line(one) for one in left if not values or one["values"] in values]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Score: {self.values} % of {self.mutants} mutants by values, {self.findings} % by findings>"


def _line(mutant: dict[str, Any]) -> str:
    return str(mutant["text"])


def _names(kernel: Kernels) -> list[str]:
    """The names of the kernels that are changed; none for all."""
    if kernel is None:
        return []
    if isinstance(kernel, str) and "\n" not in kernel and not kernel.endswith((".mlir", ".ptx")):
        return [kernel]
    if isinstance(kernel, Sequence) and not isinstance(kernel, (str, bytes)):
        return list(kernel)
    if hasattr(kernel, "fn") and not isinstance(kernel, (Kernel, Program)):
        return [str(kernel.fn.__name__)]
    return list(_program(kernel, None).kernels)


def _score(
    ask: Callable[[], bool],
    test: str,
    n: int | None,
    seed: int,
    changes: Sequence[str] = (),
    kernels: Sequence[str] = (),
    seconds: float | None = None,
) -> Score:
    text, data = judge(
        ask, test, count=n, seed=seed, changes=list(changes), kernels=list(kernels), seconds=seconds
    )
    return Score(text, data)


def mutate(
    test: Callable[[], Any],
    kernel: Kernels = None,
    n: int | None = 60,
    *,
    seed: int = 0,
    changes: Sequence[str] = (),
    seconds: float | None = None,
) -> Score:
    """Asks a test about mistakes in the kernels that it runs in the simulator.

    ``test`` is called without arguments, and fails by an exception. It is called once with the kernels as they are, and
    then once for each of ``n`` mutants (all of them with ``None``), in which a fence, a wait or a barrier is missing, or a
    count, a parity, a mask, a predicate, a stride or a swizzle is off by one step. It sees the values that the mutant
    computes, as on a device: findings are kept for the score. ``kernel`` restricts the mutants to one kernel or several,
    by name or as :func:`simulate` takes them. ``changes`` restricts them to kinds, such as ``["fence", "wait"]``; a seed
    chooses among more than ``n``. After ``seconds``, no further mutant is begun.

    Raises a :class:`NoScoreError` if the kernel has findings itself, or if the test runs none; if it fails by itself, its
    exception is raised.
    """
    first: list[BaseException | None] = []

    def ask() -> bool:
        error: BaseException | None = None
        with contextlib.redirect_stdout(io.StringIO()) if first else contextlib.nullcontext():
            try:
                test()
            except (KeyboardInterrupt, GeneratorExit):
                raise
            # pytest.fail is no Exception.
            except BaseException as raised:
                error = raised
        first.append(error)
        return error is None

    name = getattr(test, "__qualname__", None) or type(test).__name__
    try:
        return _score(ask, name, n, seed, changes, _names(kernel), seconds)
    except NoScoreError:
        if first and first[0] is not None:
            raise first[0] from None
        raise
