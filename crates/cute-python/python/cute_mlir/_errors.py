"""Exceptions, and warnings."""

from __future__ import annotations

import os
import sys
import warnings

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def warn(text: str) -> None:
    """Warns at the line of the caller outside of this package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(_FOLDER):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, UserWarning, stacklevel=level)


class LayoutError(ValueError):
    """A layout, or the operands of an operation, break a rule.

    ``mode`` is the path of the mode that breaks it, or None; ``values`` are the integers that do, by
    their names; ``rule`` is the name of the rule.
    """

    mode: tuple[int, ...] | None
    values: dict[str, int]
    rule: str

    def __init__(
        self,
        message: str,
        mode: tuple[int, ...] | None = None,
        values: dict[str, int] | None = None,
        rule: str = "",
    ) -> None:
        super().__init__(message)
        self.mode = mode
        self.values = {} if values is None else values
        self.rule = rule

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.mode, self.values, self.rule))
