"""Control flow while a function is traced: what its rewritten syntax tree calls.

A loop or branch is static if Python knows its range or condition, and then it runs as Python does. Otherwise its body is
traced once, as a region of ``scf``, and the names that it assigns are its results.
"""

from __future__ import annotations

import builtins
import copy
import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from ._trace import Unbound, current, fail, frames
from ._values import Value, value

Names = tuple[str, ...]
Local = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class RangeSpec:
    """The range of a loop at run time."""

    begin: Any
    end: Any
    step: Any

    def __iter__(self) -> Iterator[Any]:
        fail("ck.range is for a `for` loop in a kernel or one of its helpers; list() and comprehensions take Python's range")


def range(*given: Any) -> RangeSpec:  # noqa: A001
    """A loop at run time: ``for i in ck.range(n)``. Its integers may be constants, too."""
    if not 1 <= len(given) <= 3:
        fail("ck.range takes an end, or begin and end, or begin, end and step")
    begin, end, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    if isinstance(step, int) and step <= 0:
        fail(f"the step of ck.range is positive, found {step}")
    for number in (begin, end, step):
        if not isinstance(number, (int, Value)) or isinstance(number, bool):
            fail(f"ck.range takes integers, not {number!r}")
    return RangeSpec(begin, end, step)


def bound(local: dict[str, Any], *names: str) -> list[Any]:
    """The values of names; those without one are unbound."""
    return [local.get(name, Unbound(name)) for name in names]


# Objects that hold values: numbers, tuples, lists, dicts and dataclasses.


def parts(given: Any) -> list[Any]:
    """The leaves of an object, in order."""
    if isinstance(given, (tuple, list)):
        return [leaf for one in given for leaf in parts(one)]
    if isinstance(given, dict):
        return [leaf for one in given.values() for leaf in parts(one)]
    if dataclasses.is_dataclass(given) and not isinstance(given, (type, Unbound)):
        return [leaf for field in dataclasses.fields(given) for leaf in parts(getattr(given, field.name))]
    return [given]


def rebuilt(given: Any, leaves: Iterator[Any]) -> Any:
    """An object like another, of these leaves."""
    if isinstance(given, tuple) and hasattr(given, "_fields"):
        return type(given)(*(rebuilt(one, leaves) for one in given))
    if isinstance(given, (tuple, list)):
        return type(given)(rebuilt(one, leaves) for one in given)
    if isinstance(given, dict):
        return {key: rebuilt(one, leaves) for key, one in given.items()}
    if dataclasses.is_dataclass(given) and not isinstance(given, (type, Unbound)):
        made = copy.copy(given)
        for field in dataclasses.fields(given):
            object.__setattr__(made, field.name, rebuilt(getattr(given, field.name), leaves))
        return made
    return next(leaves)


def _holds_values(given: Any) -> bool:
    return any(isinstance(leaf, Value) for leaf in parts(given))


def _is_number(leaf: Any) -> bool:
    return isinstance(leaf, (bool, int, float))


def _same(x: Any, y: Any) -> bool:
    """Whether two static leaves are one."""
    if x is y:
        return True
    if isinstance(x, Value) or isinstance(y, Value):
        return False
    try:
        return type(x) is type(y) and bool(x == y)
    except Exception:
        return False


def _what(leaf: Any) -> str:
    if isinstance(leaf, Value):
        return leaf.kind if leaf.kind != "memref" else leaf.type
    if isinstance(leaf, Unbound):
        return "nothing"
    return f"{leaf!r} of {type(leaf).__name__}"


def _inside(given: Any) -> list[Any] | None:
    """The contents of an object that may be changed in place."""
    if isinstance(given, (list, dict)) or (dataclasses.is_dataclass(given) and not isinstance(given, (type, Unbound))):
        return parts(given)
    if hasattr(given, "__dict__") and not isinstance(given, type) and not callable(given):
        if not type(given).__module__.startswith("cute_mlir") and type(given).__module__ != "builtins":
            return list(vars(given).values())
    return None


def _objects(local: Local | None, names: Names) -> list[tuple[str, Any, list[Any]]]:
    """The objects of a function that a body could change without assigning their names, with their contents."""
    found = []
    for name, one in (local or {}).items():
        contents = None if name in names or name.startswith("__") else _inside(one)
        if contents is not None:
            found.append((name, one, contents))
    return found


def _unchanged(objects: list[tuple[str, Any, list[Any]]], local: Local | None, kind: str) -> None:
    """A body that is traced once must not change objects of Python: it would happen once, or in both arms."""
    for name, one, before in objects:
        after = _inside(one) or []
        if (local or {}).get(name) is one and (len(after) != len(before) or not all(map(_same, before, after))):
            fail(
                f"'{name}' is changed in place in a run-time {kind}, which is traced once: assign the name anew, as in "
                f"{name} = {name}.next(), so that the {kind} carries it"
            )


class Carried:
    """The values of names that a loop carries."""

    def __init__(self, names: Names, values: list[Any], what: str) -> None:
        self.names, self.what = names, what
        self.before = values
        self.trace = current()
        self.operands: list[Value] = []
        #: Which leaves are values at run time.
        self.dynamic: list[list[bool]] = []
        for name, one in zip(names, values):
            if isinstance(one, Unbound):
                fail(f"'{name}' is assigned in {what} and used after it, but has no value before it: assign it before the loop")
            flags = []
            for leaf in parts(one):
                flags.append(isinstance(leaf, Value) or _is_number(leaf))
                if flags[-1]:
                    self.operands.append(value(self.trace, leaf))
            self.dynamic.append(flags)

    def of(self, values: Sequence[Value]) -> list[Any]:
        """The names' objects, of other values."""
        rest = iter(values)
        made = []
        for name, one, flags in zip(self.names, self.before, self.dynamic):
            leaves = [next(rest) if flag else leaf for leaf, flag in zip(parts(one), flags)]
            made.append(rebuilt(one, iter(leaves)))
            _name(made[-1], name)
        return made

    def yielded(self, after: list[Any], lines: Sequence[int]) -> list[Value]:
        """The values at the end of the body, which must be like those before."""
        made: list[Value] = []
        operands = iter(self.operands)
        for name, one, flags, new, line in zip(self.names, self.before, self.dynamic, after, lines):
            leaves, old = parts(new), parts(one)
            if len(leaves) != len(flags):
                fail_at(line, f"'{name}' changes its form in {self.what}: {len(old)} values before, {len(leaves)} after")
            for leaf, before, flag in zip(leaves, old, flags):
                if flag:
                    made.append(_like(next(operands), leaf, name, self.what, line))
                elif not _same(before, leaf):
                    changes = f"from {_what(before)} to {_what(leaf)}"
                    fail_at(line, f"'{name}' changes in {self.what} {changes}; only numbers and values may change there")
        return made


def fail_at(line: int, text: str) -> NoReturn:
    """An error at a line of the function that is traced."""
    at = frames()
    fail(text, (at[0][0], line, 1) if at else None)


def _like(before: Value, leaf: Any, name: str, what: str, line: int) -> Value:
    """A value of the type that a name had."""
    if isinstance(leaf, Unbound):
        fail_at(line, f"'{name}' has no value at the end of {what}")
    changes = f"'{name}' changes its type over {what}: {_what(before)} before"
    if _is_number(leaf):
        from ._values import constant_like, is_integer, is_number

        if not is_number(before) or (isinstance(leaf, float) and is_integer(before)):
            fail_at(line, f"{changes}, {_what(leaf)} after; begin with a value of that type")
        return constant_like(before, leaf)  # type: ignore[no-any-return]
    if not isinstance(leaf, Value):
        fail_at(line, f"{changes}, {_what(leaf)} after")
    if leaf.kind != before.kind or (leaf.kind not in _PLAIN and leaf.type != before.type):
        hint = f"; convert it, as in {name}.to(ck.{before.kind})" if leaf.kind in _PLAIN and before.kind in _PLAIN else ""
        fail_at(line, f"{changes}, {_what(leaf)} after{hint}")
    return leaf


_PLAIN = ("i1", "i8", "i16", "i32", "i64", "index", "f16", "bf16", "f32", "f64")


def _name(given: Any, name: str) -> None:
    if isinstance(given, Value):
        given._named = False
        named(name, given)


def named(name: str, given: Any) -> Any:
    """A value that is assigned to a name, by which the IR calls it from now on."""
    if isinstance(given, Value) and not given._named:
        given._named = True
        given._trace.session.rename(given._number, name)
    elif isinstance(given, tuple) and not hasattr(given, "_fields"):
        for at, one in enumerate(given):
            if isinstance(one, Value):
                named(f"{name}_{at}", one)
    return given


class _Loop:
    """The names that a loop carries, if it is one at run time."""

    def __init__(self, runs: bool, names: Names, values: list[Any], local: Local | None) -> None:
        self.runs = runs
        self.objects = _objects(local, names)
        if runs:
            self.trace = current()
            self.carried = Carried(names, values, "this run-time loop")

    def leave(self, values: list[Any], lines: Sequence[int] = (), local: Local | None = None) -> None:
        if self.runs:
            _unchanged(self.objects, local, "loop")
            made = self.trace.ask("end", [one._number for one in self.carried.yielded(values, lines)])
            self.after = self.carried.of([Value(self.trace, item) for item in made])

    def results(self, values: list[Any]) -> list[Any]:
        return self.after if self.runs else values


class For(_Loop):
    """``for target in items: body``."""

    def __init__(self, items: Any, name: str, names: Names, values: list[Any], local: Local | None = None) -> None:
        super().__init__(isinstance(items, RangeSpec), names, values, local)
        self.items = items
        if self.runs:
            trace = self.trace
            ends = [items.begin, items.end, items.step]
            kinds = {one.kind for one in ends if isinstance(one, Value)}
            if len(kinds) > 1:
                fail(f"ck.range takes integers of one type, found {' and '.join(sorted(kinds))}")
            kind = next(iter(kinds), "i32")
            range_of = [one if isinstance(one, Value) else trace.word("integer", [], kind, one) for one in ends]
            made = trace.ask(
                "begin_for", name, [value(trace, one)._number for one in range_of], [one._number for one in self.carried.operands]
            )
            values_of = [Value(trace, item) for item in made]
            self.index = values_of[0]
            self.index._named = True
            self.inside = self.carried.of(values_of[1:])
        elif isinstance(items, Value):
            fail("a `for` loop goes over ck.range(..) at run time, or over Python's range and lists; a value cannot be iterated over")

    def __iter__(self) -> Iterator[Any]:
        if self.runs:
            yield self.index
        else:
            yield from self.items

    def enter(self, values: list[Any]) -> list[Any]:
        return self.inside if self.runs else values

    def target(self, name: str, given: Any) -> Any:
        """The target after a loop: at run time, it has no value there."""
        return Unbound(name, "is the index of a run-time loop, which has no value after it") if self.runs else given


class While(_Loop):
    """``while condition: body``, at run time if the condition reads values."""

    def __init__(self, read: list[Any], names: Names, values: list[Any], local: Local | None = None) -> None:
        super().__init__(any(_holds_values(one) for one in read), names, values, local)
        self.done = False

    def again(self) -> bool:
        return not (self.runs and self.done)

    def enter(self, values: list[Any]) -> list[Any]:
        if not self.runs:
            return values
        self.done = True
        made = self.trace.ask("begin_while", [one._number for one in self.carried.operands])
        return self.carried.of([Value(self.trace, item) for item in made])

    def test(self, condition: Any) -> bool:
        if not self.runs:
            if isinstance(condition, Value):
                fail("the condition of this `while` was static and is a run-time value now; let its names be values before the loop, as in go_on = ck.i1(True)")
            return bool(condition)
        made = self.trace.ask("end", [truth(condition)._number])
        self.inside = self.carried.of([Value(self.trace, item) for item in made])
        return True

    def body(self, values: list[Any]) -> list[Any]:
        return self.inside if self.runs else values


def truth(condition: Any) -> Value:
    """A condition as a value."""
    if isinstance(condition, Unbound):
        condition.refuse()
    if isinstance(condition, Value) and condition.kind != "i1":
        fail(f"a condition is a comparison or an i1, found {condition.kind}: write x != 0")
    return value(current(), bool(condition) if not isinstance(condition, Value) else condition)


class If:
    """``if condition: .. else: ..``."""

    def __init__(self, condition: Any, names: Names, values: list[Any], local: Local | None = None) -> None:
        self.objects = _objects(local, names)
        self.names, self.start, self.condition = names, values, condition
        if isinstance(condition, Unbound):
            condition.refuse()
        self.runs = isinstance(condition, Value)
        self.arms: list[list[Any]] = []
        if self.runs:
            self.trace = current()
            self.trace.ask("begin_if", truth(condition)._number)

    def then(self) -> bool:
        return True if self.runs else bool(self.condition)

    def otherwise(self) -> bool:
        return True if self.runs else not self.condition

    def before(self, values: list[Any]) -> list[Any]:
        """What the names were, for each arm: objects of its own, whose fields it may assign."""
        return self.own(self.start) if self.runs else values

    def own(self, values: list[Any]) -> list[Any]:
        """The same values in objects of an arm's own, if both arms are traced."""
        return [rebuilt(one, iter(parts(one))) for one in values] if self.runs else values

    def leave(self, values: list[Any], lines: Sequence[int] = (1,), local: Local | None = None) -> None:
        if not self.runs:
            return
        _unchanged(self.objects, local, "branch")
        self.arms.append(values)
        if len(self.arms) == 1:
            self.kinds = []
            yields = []
            for name, one in zip(self.names, values):
                self._bound(name, one)
                flags = [isinstance(leaf, Value) or _is_number(leaf) for leaf in parts(one)]
                self.kinds.append(flags)
                yields += [value(self.trace, leaf) for leaf, flag in zip(parts(one), flags) if flag]
            self.yields = yields
            self.trace.ask("end", [one._number for one in yields])
            return
        yields, firsts = [], iter(self.yields)
        for name, one, first, flags, line in zip(self.names, values, self.arms[0], self.kinds, lines):
            self._bound(name, one)
            leaves = parts(one)
            if len(leaves) != len(flags):
                fail_at(line, f"'{name}' has another form in each arm of this run-time `if`: {_what(first)} and {_what(one)}")
            for leaf, other, flag in zip(leaves, parts(first), flags):
                if flag:
                    like = next(firsts)
                    if not isinstance(other, Value) and isinstance(leaf, float) and like.kind == "i32":
                        text = f"'{name}' is an integer ({other}) in one arm of this run-time `if` and a float ({leaf}) in the other"
                        fail_at(line, text)
                    yields.append(_like(like, leaf, name, "the arms of this run-time `if`", line))
                elif not _same(leaf, other):
                    both = f"{_what(other)} in one arm of this run-time `if` and {_what(leaf)} in the other"
                    fail_at(line, f"'{name}' is {both}; only numbers and values may differ")
        made = self.trace.ask("end", [one._number for one in yields])
        results = iter([Value(self.trace, item) for item in made])
        self.after = []
        for name, one, first, flags in zip(self.names, values, self.arms[0], self.kinds):
            leaves = []
            for leaf, other, flag in zip(parts(one), parts(first), flags):
                joined = next(results) if flag else leaf
                leaves.append(leaf if _same(leaf, other) else joined)
            self.after.append(rebuilt(one, iter(leaves)))
            if not _same(one, first):
                _name(self.after[-1], name)

    def _bound(self, name: str, one: Any) -> None:
        if isinstance(one, Unbound):
            fail(f"'{name}' is used after this run-time `if`, but one of its arms does not assign it: assign it in both, or before")

    def results(self, values: list[Any]) -> list[Any]:
        return self.after if self.runs else values


def leaving(parts_around: list[Any], what: str) -> None:
    """Before a jump out of loops and branches, none of which may be at run time."""
    for one in parts_around:
        if one.runs:
            kind = "branch" if isinstance(one, If) else "loop"
            if what == "return":
                fail(f"`return` in a run-time {kind}: every thread goes on behind it; put the rest of the function into an `else`, or assign a "
                     "name in both arms and return it at the end")
            if kind == "branch":
                fail(f"`{what}` in a run-time branch: at run time, a loop ends by its condition; use `while` with a flag")
            fail(f"`{what}` of a run-time loop is not supported: use `while` with a condition")


def and_(x: Any, y: Callable[[], Any]) -> Any:
    """``x and y``: at run time, ``y`` is evaluated if ``x`` is true."""
    if not isinstance(x, Value):
        return x and y()
    return _choice(truth(x), lambda: truth(y()), lambda: False)


def or_(x: Any, y: Callable[[], Any]) -> Any:
    if not isinstance(x, Value):
        return x or y()
    return _choice(truth(x), lambda: True, lambda: truth(y()))


def not_(x: Any) -> Any:
    if isinstance(x, Value):
        return truth(x) ^ True
    if isinstance(x, Unbound):
        x.refuse()
    return not x


def choose(condition: Any, x: Callable[[], Any], y: Callable[[], Any]) -> Any:
    """``x if condition else y``."""
    return _choice(condition, x, y)


def select(condition: Any, x: Any, y: Any) -> Any:
    """``x if condition else y`` of names and numbers, of which none needs to be computed."""
    if isinstance(condition, Value) and (isinstance(x, Value) or _is_number(x)) and (isinstance(y, Value) or _is_number(y)):
        from ._values import _both

        if not isinstance(x, Value) and not isinstance(y, Value):
            x = value(current(), float(x) if isinstance(y, float) else x)
        if (isinstance(x, Value) and not _numeric(x)) or (isinstance(y, Value) and not _numeric(y)):
            return _choice(condition, lambda: x, lambda: y)
        x, y = _both(x, y, "if")
        return current().word("select", [truth(condition), x, y])
    return _choice(condition, lambda: x, lambda: y)


def _numeric(one: Value) -> bool:
    from ._values import is_number

    return is_number(one)


def _choice(condition: Any, x: Callable[[], Any], y: Callable[[], Any]) -> Any:
    branch = If(condition, ("value",), [Unbound("value")])
    at = frames()
    lines = (at[0][1],) if at else (1,)
    if branch.then():
        first = x()
        branch.leave([first], lines)
        if not branch.runs:
            return first
    second = y()
    branch.leave([second], lines)
    return branch.results([second])[0]


def asserted(condition: Any, message: Any) -> None:
    """``assert``."""
    if isinstance(condition, Value):
        fail("`assert` of a run-time value is not supported: write what should not happen to an array, or use cute.print")
    if not condition:
        fail(f"assertion failed{'' if message is None else f': {message}'}")


# Calls.


def _minimum(*given: Any, **more: Any) -> Any:
    return _extreme("min", builtins.min, given, more)


def _maximum(*given: Any, **more: Any) -> Any:
    return _extreme("max", builtins.max, given, more)


def _extreme(word: str, of_python: Any, given: tuple[Any, ...], more: dict[str, Any]) -> Any:
    from ._values import binary

    if not any(isinstance(one, Value) for one in given):
        return of_python(*given, **more)
    made = given[0]
    for one in given[1:]:
        made = binary(word, made, one) if isinstance(made, Value) or isinstance(one, Value) else of_python(made, one)
    return made


def _absolute(x: Any) -> Any:
    from ._values import is_integer

    if not isinstance(x, Value):
        return builtins.abs(x)
    return current().op("math.absi" if is_integer(x) else "math.absf", [x])


def _printed(*given: Any, **_: Any) -> None:
    if any(isinstance(one, Value) for one in given):
        from ._machine import printf

        return printf(" ".join("{}" if isinstance(one, Value) else str(one) for one in given) + "\n", *given)
    builtins.print(*given)


_INSTEAD: dict[Any, Callable[..., Any]] = {
    builtins.min: _minimum, builtins.max: _maximum, builtins.abs: _absolute, builtins.print: _printed,
}


def callee(function: Any) -> Any:
    """What is called in place of a function: the user's functions are rewritten, too."""
    from ._rewrite import helper

    if isinstance(function, Unbound):
        function.refuse()
    try:
        instead = _INSTEAD.get(function)
    except TypeError:
        instead = None
    return instead or helper(function)


def bound_one(local: dict[str, Any], name: str) -> Any:
    return local.get(name, Unbound(name))


def bound_any(local: dict[str, Any], other: dict[str, Any], *names: str) -> list[Any]:
    """The values of names of a function or its module."""
    return [local.get(name, other.get(name)) for name in names]
