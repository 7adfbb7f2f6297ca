"""The trace of a function: its session with the builder, and the lines of Python that it is at."""

from __future__ import annotations

import dataclasses
import linecache
import pathlib
import sys
import threading
from collections.abc import Sequence
from types import CodeType, FrameType, TracebackType
from typing import Any, NoReturn, Optional

from .._compiler import _compiler

#: File, line and column, from 1 on.
Frame = tuple[str, int, int]
Item = tuple[int, str, Optional[str]]

_OWN = str(pathlib.Path(__file__).parent)
_PACKAGE = str(pathlib.Path(__file__).parent.parent)
_columns: dict[CodeType, list[int]] = {}


class KernelError(ValueError):
    """A kernel in Python that breaks a rule. ``place`` is the file, line and column."""

    place: Frame | None

    def __init__(self, text: str, place: Frame | None = None) -> None:
        self.place = place
        self.text = text
        super().__init__(text if place is None else f"{place[0]}:{place[1]}: {text}{_shown(place)}")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.text, self.place))


def _shown(place: Frame) -> str:
    """The line of the source."""
    line = linecache.getline(place[0], place[1]).strip()
    return f"\n    {line}" if line else ""


def _column(frame: FrameType) -> int:
    """The column of the instruction that a frame is at; 1 before Python 3.11."""
    code = frame.f_code
    if not hasattr(code, "co_positions"):
        return 1
    columns = _columns.get(code)
    if columns is None:
        columns = _columns[code] = [(position[2] or 0) + 1 for position in code.co_positions()]
    at = frame.f_lasti // 2
    return columns[at] if 0 <= at < len(columns) else 1


def frames() -> list[Frame]:
    """The user's lines that are being executed, innermost first, up to the function that is traced."""
    found: list[Frame] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code.co_name == "_traced_here" and code.co_filename.startswith(_OWN):
            break
        if not code.co_filename.startswith(_OWN):
            line = (code.co_filename, frame.f_lineno, _column(frame))
            # The parts of an expression that runs in a branch are a function of their own.
            if not found or found[-1][:2] != line[:2]:
                found.append(line)
        frame = frame.f_back
    return found


def fail(text: str, place: Frame | None = None) -> NoReturn:
    """Raises an error at the user's line."""
    if place is None:
        at = frames()
        place = at[0] if at else None
    raise KernelError(text, place) from None


def of_the_user(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without the lines of this package."""
    if traceback is None:
        return None
    rest = of_the_user(traceback.tb_next)
    if traceback.tb_frame.f_code.co_filename.startswith(_OWN):
        return rest
    return TracebackType(rest, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)


def place_in_the_package(traceback: TracebackType | None) -> Frame | None:
    """The user's line that called what raised in this package, as the algebra does; ``None`` if the user's code raised."""
    place, is_own = None, False
    while traceback is not None:
        frame = traceback.tb_frame
        is_own = frame.f_code.co_filename.startswith(_PACKAGE)
        if not is_own:
            place = (frame.f_code.co_filename, traceback.tb_lineno, 1)
        traceback = traceback.tb_next
    return place if is_own else None


class Trace:
    """One module in the making."""

    def __init__(self, dynamic_memory: bool) -> None:
        compiler = _compiler()
        self.session = compiler.Session()
        self.failed = compiler.Failed
        #: How shared memory is allocated.
        self.memory = "dynamic" if dynamic_memory else "static"
        #: The functions whose bodies are being traced, against recursion.
        self.active: list[CodeType] = []
        #: Whether one elected lane of a warp executes what is traced.
        self.in_elected = False
        #: The kernels that are written, by name: what each was written for.
        self.kernels: dict[str, object] = {}
        self.stream: Any = None

    def ask(self, method: str, *arguments: Any) -> list[Item]:
        at = frames()
        try:
            return list(getattr(self.session, method)(at, *arguments))
        except self.failed as error:
            text = str(error.args[0]).split("\nnote: see current operation")[0]
            text = text.removeprefix("cannot build ").replace('set cute.domain = "extend"', 'write domain="extend" in the decorator')
            fail(text, at[0] if at else None)

    def word(self, word: str, values: Sequence[Any] = (), *texts: object) -> Any:
        """The result of a function of the builder; ``None`` for an effect."""
        from ._values import operands, wrapped

        made = self.ask("word", word, operands(self, values), [str(text) for text in texts])
        return wrapped(self, made)

    def call(self, op: str, operands: list[list[Any]], attributes: dict[str, str | None], results: list[str]) -> Any:
        """The result of an op of the dialect, through its function in ``_ops``."""
        from ._values import operands as of_values, wrapped

        given = [(name, text) for name, text in attributes.items() if text is not None]
        made = self.ask("call", op, [of_values(self, one) for one in operands], given, results)
        return wrapped(self, made)

    def op(
        self,
        name: str,
        values: Sequence[Any] = (),
        attributes: dict[str, str] | None = None,
        results: list[str] | None = None,
    ) -> Any:
        """The result of an op of another dialect; ``None`` for an effect, and a tuple of several."""
        from ._values import operands, wrapped

        made = self.ask("op", name, operands(self, values), list((attributes or {}).items()), results)
        return wrapped(self, made)


class _Current(threading.local):
    trace: Trace | None = None


_current = _Current()


def tracing() -> bool:
    return _current.trace is not None


def current() -> Trace:
    """The trace that goes on."""
    if _current.trace is None:
        raise KernelError("this is a word of kernels: call it in a function with @ck.kernel or @ck.host")
    return _current.trace


def set_current(trace: Trace | None) -> Trace | None:
    before, _current.trace = _current.trace, trace
    return before


def called(op: str, operands: list[list[Any]], attributes: dict[str, str | None], results: list[str]) -> Any:
    """The result of an op of the dialect in the trace that goes on."""
    return current().call(op, operands, attributes, results)


@dataclasses.dataclass(frozen=True)
class Unbound:
    """In place of a name that has no value on some path."""

    name: str
    why: str = "has no value here"

    def __getattr__(self, attribute: str) -> NoReturn:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        self.refuse()

    def refuse(self) -> NoReturn:
        fail(f"'{self.name}' {self.why}: assign it before")
