"""Rewrites the syntax tree of a function, so that its loops and branches can be those of the kernel.

The rewritten function keeps its lines, its closure and its variables. ``if c: x = 1`` becomes

    __if1 = __ck.If(c, ("x",), __ck.bound(locals(), "x"))
    if __if1.then():
        (x,) = __if1.before(__ck.bound(locals(), "x"))
        x = 1
        __if1.leave(__ck.bound(locals(), "x"))
    if __if1.otherwise():
        (x,) = __if1.before(__ck.bound(locals(), "x"))
        __if1.leave(__ck.bound(locals(), "x"))
    (x,) = __if1.results(__ck.bound(locals(), "x"))

with the names that are assigned in an arm and used after it.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import sysconfig
import textwrap
import types
from collections.abc import Iterable
from typing import Any, NoReturn

from . import _flow
from ._trace import _OWN, KernelError, current, fail, tracing

_FOLDERS = tuple(
    folder for folder in {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")} if folder
)
#: By code and file: equal codes of two files are one to Python.
_codes: dict[tuple[types.CodeType, str], types.CodeType] = {}
#: The name of the module of control flow in rewritten functions.
_RUNTIME = "__ck"


def rewritten(function: types.FunctionType) -> types.FunctionType:
    """The function with the loops and branches of kernels."""
    key = (function.__code__, function.__code__.co_filename)
    code = _codes.get(key)
    if code is None:
        code = _codes[key] = _rewritten_code(function)
    own = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    own[_RUNTIME] = types.CellType(_flow)
    cells = tuple(own[name] for name in code.co_freevars)
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, cells)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _rewritten_code(function: types.FunctionType) -> types.CodeType:
    file, first = function.__code__.co_filename, function.__code__.co_firstlineno
    place = (file, first, 1)
    if function.__name__ == "<lambda>":
        raise KernelError("a kernel is a function with `def`, not a lambda", place)
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise KernelError(f"the source of '{function.__name__}' is not there: a kernel lies in a file or a notebook", place) from None
    text = textwrap.dedent("".join(lines))
    indent = len(lines[0]) - len(lines[0].lstrip())
    tree = ast.parse(text, file)
    ast.increment_lineno(tree, first - 1)
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt)):
            node.col_offset += indent
            node.end_col_offset = (node.end_col_offset or 0) + indent
    definition = tree.body[0]
    if isinstance(definition, ast.AsyncFunctionDef):
        raise KernelError("a kernel is not `async`", place)
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    definition.returns = None
    for argument in [*definition.args.posonlyargs, *definition.args.args, *definition.args.kwonlyargs]:
        argument.annotation = None
    # Defaults are the function's own objects.
    definition.args.defaults = [ast.copy_location(ast.Constant(None), d) for d in definition.args.defaults]
    definition.args.kw_defaults = [d and ast.copy_location(ast.Constant(None), d) for d in definition.args.kw_defaults]
    _Function(file).rewrite(definition)
    # A local name of the function around it must not hide what the function calls by its own name.
    definition.name = "__traced"
    free = [*function.__code__.co_freevars, _RUNTIME]
    parameters = ast.arguments(posonlyargs=[], args=[ast.arg(arg=name) for name in free], kwonlyargs=[], kw_defaults=[], defaults=[])
    given: Any = {"type_params": []} if sys.version_info >= (3, 12) else {}
    outer = ast.FunctionDef(name="__outer", args=parameters, body=[definition], decorator_list=[], returns=None, **given)
    module = ast.Module(body=[ast.copy_location(outer, definition)], type_ignores=[])
    ast.fix_missing_locations(module)
    compiled = compile(module, file, "exec", dont_inherit=True, flags=function.__code__.co_flags & 0x1000000)
    around = next(c for c in compiled.co_consts if isinstance(c, types.CodeType))
    made = next(c for c in around.co_consts if isinstance(c, types.CodeType) and c.co_name == "__traced")
    return made.replace(co_name=function.__name__)


def helper(function: Any) -> Any:
    """A function that a kernel calls: the user's own are rewritten."""
    if isinstance(function, types.MethodType):
        return types.MethodType(helper(function.__func__), function.__self__)
    if not isinstance(function, types.FunctionType) or not tracing():
        return function
    code = function.__code__
    file = code.co_filename
    if file.startswith((_OWN, *_FOLDERS)) or file.startswith("<") and "ipython" not in file:
        return function
    if code.co_flags & inspect.CO_GENERATOR:
        fail(f"'{function.__name__}' is a generator, which a kernel cannot call: return a list")
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        fail(f"'{function.__name__}' is asynchronous, which a kernel cannot call")
    if function.__name__ == "<lambda>" or _RUNTIME in code.co_freevars:
        return function
    active = current().active
    if any(code is one for one in active):
        fail(f"'{function.__name__}' calls itself: a kernel has no recursion; use a loop")
    made = rewritten(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        active.append(code)
        try:
            return made(*args, **kwargs)
        finally:
            active.pop()

    return call


def _loads(node: ast.AST | Iterable[ast.AST]) -> set[str]:
    """The names that are read, in nested functions too."""
    nodes = [node] if isinstance(node, ast.AST) else node
    found = set()
    for one in nodes:
        for inner in ast.walk(one):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                found.add(inner.id)
    return found


def _free(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names of outside that a function inside of another one reads."""
    arguments = function.args
    own = {one.arg for one in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg] if one}
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    if isinstance(function, ast.FunctionDef):
        own |= _assigned(function.body)
    return _loads(body) - own


def _base(target: ast.expr) -> str | None:
    """The name whose object a target changes: ``x`` of ``x.a[0]``."""
    while isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
        target = target.value
    return target.id if isinstance(target, ast.Name) else None


def _targets(target: ast.expr) -> set[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return {name for one in target.elts for name in _targets(one)}
    # A view's elements are memory; fields of objects are values.
    if isinstance(target, ast.Subscript):
        return set()
    name = _base(target)
    return {name} if name else set()


def _assigned(statements: Iterable[ast.stmt]) -> set[str]:
    """The names that statements assign, without those of nested functions."""
    found: set[str] = set()
    for one in statements:
        if isinstance(one, ast.Assign):
            found.update(*(_targets(target) for target in one.targets))
        elif isinstance(one, (ast.AugAssign, ast.AnnAssign)):
            found |= _targets(one.target)
        elif isinstance(one, ast.For):
            found |= _targets(one.target) | _assigned(one.body)
        elif isinstance(one, ast.While):
            found |= _assigned(one.body)
        elif isinstance(one, ast.If):
            found |= _assigned(one.body) | _assigned(one.orelse)
        elif isinstance(one, ast.With):
            found.update(*(_targets(item.optional_vars) for item in one.items if item.optional_vars))
            found |= _assigned(one.body)
        elif isinstance(one, ast.FunctionDef):
            found.add(one.name)
    return found


def _with_fields(statements: Iterable[ast.stmt]) -> set[str]:
    """The names whose objects have fields that statements assign."""
    found = set()
    for node in (inner for one in statements for inner in ast.walk(one)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            name = _base(node)
            found |= {name} if name else set()
    return found


def _own_loads(one: ast.stmt) -> set[str]:
    """What a statement reads before it assigns, without its body."""
    if isinstance(one, ast.AugAssign):
        return _loads(one) | _targets(one.target)
    if isinstance(one, ast.Assign):
        changed = {_base(t) for target in one.targets for t in ast.walk(target) if isinstance(t, (ast.Attribute, ast.Subscript))}
        return _loads(one) | {name for name in changed if name}
    return _loads(one)


class _Function:
    """Rewrites one function."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.count = 0
        #: The loops and branches around a statement: their names, and whether each is a loop.
        self.around: list[tuple[str, bool]] = []
        self.after: dict[ast.stmt, set[str]] = {}

    def refuse(self, node: ast.AST, text: str) -> NoReturn:
        raise KernelError(text, (self.file, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1))

    def rewrite(self, definition: ast.FunctionDef) -> None:
        # What functions inside read is read where they are named.
        self.nested: dict[str, set[str]] = {}
        for node in ast.walk(definition):
            if isinstance(node, ast.FunctionDef) and node is not definition:
                self.nested.setdefault(node.name, set()).update(_free(node))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    for name in _targets(target):
                        self.nested.setdefault(name, set()).update(_free(node.value))
        self.live(definition.body, set())
        definition.body = self.block(definition.body)

    # Which names are live behind each loop and branch.

    def reads(self, names: set[str]) -> set[str]:
        """The names, and those that the functions among them read."""
        found: set[str] = set()
        rest = list(names)
        while rest:
            name = rest.pop()
            if name not in found:
                found.add(name)
                rest += self.nested.get(name, ())
        return found

    def live(self, statements: list[ast.stmt], out: set[str]) -> set[str]:
        """The names that are read from the beginning of statements on, given those that are read after them."""
        for one in reversed(statements):
            self.after[one] = self.reads(out)
            if isinstance(one, ast.FunctionDef):
                out = out - {one.name}
            elif isinstance(one, ast.If):
                out = self.live(one.body, out) | self.live(one.orelse, out) | _loads(one.test)
            elif isinstance(one, (ast.For, ast.While)):
                head = one.iter if isinstance(one, ast.For) else one.test
                target = _targets(one.target) if isinstance(one, ast.For) else set()
                again = set(out) | (set() if isinstance(one, ast.For) else _loads(head))
                for _ in range(2):
                    again |= self.live(one.body, again) - target
                self.after[one] = self.reads(out)
                out = again | _loads(head)
            elif isinstance(one, ast.With):
                kill = {name for item in one.items if item.optional_vars for name in _targets(item.optional_vars)}
                out = (self.live(one.body, out) - kill) | {n for item in one.items for n in _loads(item.context_expr)}
            elif isinstance(one, ast.Return):
                out = _loads(one)
            elif isinstance(one, ast.Assign) and all(isinstance(t, (ast.Name, ast.Tuple, ast.List)) for t in one.targets):
                kill = {name for target in one.targets for name in _targets(target)}
                out = (out - kill) | _own_loads(one)
            elif isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                out = (out - {one.target.id}) | (_loads(one.value) if one.value else set())
            else:
                out = out | _own_loads(one)
        return out

    # Statements.

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return [new for one in statements for new in self.statement(one)] or [ast.Pass()]

    def statement(self, one: ast.stmt) -> list[ast.stmt]:
        made = self._statement(one)
        for new in made:
            _place(new, one)
        return made

    def _statement(self, one: ast.stmt) -> list[ast.stmt]:
        if isinstance(one, ast.If):
            return self.branch(one)
        if isinstance(one, ast.For):
            return self.loop(one)
        if isinstance(one, ast.While):
            return self.while_loop(one)
        if isinstance(one, (ast.Return, ast.Break, ast.Continue)):
            return self.jump(one)
        if isinstance(one, ast.Assign):
            one.value = self.expression(one.value)
            if len(one.targets) == 1 and isinstance(one.targets[0], ast.Name):
                one.value = _call("named", ast.Constant(one.targets[0].id), one.value)
            one.targets = [self.expression(target) for target in one.targets]
            return [one]
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            read = ast.copy_location(ast.Name(one.target.id, ast.Load()), one)
            value = ast.copy_location(ast.BinOp(read, one.op, self.expression(one.value)), one)
            return [ast.Assign([one.target], _call("named", ast.Constant(one.target.id), value))]
        if isinstance(one, ast.AnnAssign):
            if one.value is None:
                return []
            return self._statement(ast.copy_location(ast.Assign([one.target], one.value), one))
        if isinstance(one, ast.Assert):
            message = self.expression(one.msg) if one.msg else ast.Constant(None)
            return [ast.Expr(_call("asserted", self.expression(one.test), message))]
        if isinstance(one, ast.FunctionDef):
            inner = _Function(self.file)
            inner.rewrite(one)
            return [one]
        if isinstance(one, ast.With):
            for item in one.items:
                item.context_expr = self.expression(item.context_expr)
            one.body = self.block(one.body)
            return [one]
        if isinstance(one, (ast.Expr, ast.AugAssign)):
            one.value = self.expression(one.value)
            return [one]
        if isinstance(one, ast.Raise):
            if one.exc:
                one.exc = self.expression(one.exc)
            return [one]
        if isinstance(one, ast.Pass):
            return [one]
        words = {
            ast.Try: "`try`", ast.ClassDef: "a class", ast.Global: "`global`", ast.Nonlocal: "`nonlocal`", ast.Delete: "`del`",
            ast.Import: "`import`", ast.ImportFrom: "`import`", ast.AsyncFor: "`async for`", ast.AsyncWith: "`async with`",
            ast.AsyncFunctionDef: "`async def`", ast.Match: "`match`",
        }
        self.refuse(one, f"{words.get(type(one), type(one).__name__)} is not supported in a kernel")

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"__{kind}{self.count}"

    def branch(self, one: ast.If) -> list[ast.stmt]:
        name = self.fresh("if")
        names = sorted((_assigned(one.body) | _assigned(one.orelse)) & self.after[one])
        # The second arm reads what these names were before the first one assigned them, and the objects of others have fields
        # that an arm assigns.
        read = _assigned(one.body) & self.reads(self.live(one.orelse, self.after[one]))
        kept = sorted((read | _with_fields([*one.body, *one.orelse])) - set(names))
        test = self.expression(one.test)
        lines = [[_line_of(n, arm, one.lineno) for n in names] for arm in (one.body, one.orelse)]
        ends = [_Line(arm[-1] if arm else one) for arm in (one.body, one.orelse)]
        self.around.append((name, False))
        then, otherwise = self.block(one.body), self.block(one.orelse)
        self.around.pop()
        begin = _set(name, _call("If", test, _names(names), _bound(names), _local()))
        first: list[ast.stmt] = [*(_restore(names, name, "before") if names else []), *then, _leave(name, names, lines[0], ends[0])]
        second: list[ast.stmt] = [*_restore(names, name, "before"), *otherwise, _leave(name, names, lines[1], ends[1])]
        keep: list[ast.stmt] = []
        if kept:
            keep = [_set(f"{name}_kept", _bound(kept))]
            for arm in (first, second):
                own = ast.Tuple([ast.Name(n, ast.Store()) for n in kept], ast.Store())
                arm.insert(0, ast.Assign([own], _method(name, "own", ast.Name(f"{name}_kept", ast.Load()))))
        return [
            *keep,
            begin,
            ast.If(_method(name, "then"), first, []),
            ast.If(_method(name, "otherwise"), second, []),
            *_restore(names, name, "results"),
        ]

    def carried(self, one: ast.For | ast.While) -> list[str]:
        # What the body reads before it assigns is live at its beginning.
        target = _targets(one.target) if isinstance(one, ast.For) else set()
        inside = self.live(one.body, self.after[one] | (set() if isinstance(one, ast.For) else _loads(one.test)))
        again = self.live(one.body, inside | self.after[one])
        live = again | self.after[one] | (set() if isinstance(one, ast.For) else _loads(one.test))
        return sorted((_assigned(one.body) & live) - target)

    def loop(self, one: ast.For) -> list[ast.stmt]:
        if one.orelse:
            self.refuse(one.orelse[0], "`else` of a loop is not supported in a kernel")
        after = set(self.after[one])
        name, names = self.fresh("for"), self.carried(one)
        self.after[one] = after
        index = one.target.id if isinstance(one.target, ast.Name) else "i"
        items = self.expression(one.iter)
        lines, end = [_line_of(n, one.body, one.lineno) for n in names], _Line(one.body[-1])
        self.around.append((name, True))
        body = self.block(one.body)
        self.around.pop()
        target = sorted(_targets(one.target) & after)
        last = [_set(n, _method(name, "target", ast.Constant(n), _call("bound_one", _local(), ast.Constant(n)))) for n in target]
        return [
            _set(name, _call("For", items, ast.Constant(index), _names(names), _bound(names), _local())),
            ast.For(
                one.target,
                ast.Name(name, ast.Load()),
                [*_restore(names, name, "enter"), *body, _leave(name, names, lines, end)],
                [],
            ),
            *_restore(names, name, "results"),
            *last,
        ]

    def while_loop(self, one: ast.While) -> list[ast.stmt]:
        if one.orelse:
            self.refuse(one.orelse[0], "`else` of a loop is not supported in a kernel")
        after = set(self.after[one])
        name, names = self.fresh("while"), self.carried(one)
        self.after[one] = after
        read = sorted(_loads(one.test))
        test = self.expression(one.test)
        lines, end = [_line_of(n, one.body, one.lineno) for n in names], _Line(one.body[-1])
        self.around.append((name, True))
        body = self.block(one.body)
        self.around.pop()
        stop = ast.If(ast.UnaryOp(ast.Not(), _method(name, "test", test)), [ast.Break()], [])
        return [
            _set(name, _call("While", _bound_any(read), _names(names), _bound(names), _local())),
            ast.While(
                _method(name, "again"),
                [
                    *_restore(names, name, "enter"),
                    stop,
                    *_restore(names, name, "body"),
                    *body,
                    _leave(name, names, lines, end),
                ],
                [],
            ),
            *_restore(names, name, "results"),
        ]

    def jump(self, one: ast.Return | ast.Break | ast.Continue) -> list[ast.stmt]:
        what = type(one).__name__.lower()
        around = self.around
        if not isinstance(one, ast.Return):
            inner = max((i for i, (_, is_loop) in enumerate(around) if is_loop), default=0)
            around = around[inner:]
        elif one.value:
            one.value = self.expression(one.value)
        check: list[ast.stmt] = []
        if around:
            listed = ast.List([ast.Name(name, ast.Load()) for name, _ in reversed(around)], ast.Load())
            check = [ast.Expr(_call("leaving", listed, ast.Constant(what)))]
        return [*check, one]

    # Expressions.

    def expression(self, node: Any) -> Any:
        return _Expressions(self).visit(node)


class _Expressions(ast.NodeTransformer):
    def __init__(self, function: _Function) -> None:
        self.function = function

    def visit(self, node: ast.AST) -> Any:
        made = super().visit(node)
        if made is not node and isinstance(made, ast.expr):
            _place(made, node)
        return made

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        word = "and_" if isinstance(node.op, ast.And) else "or_"
        made = node.values[-1]
        for one in reversed(node.values[:-1]):
            made = _call(word, one, _later(made))
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        return _call("not_", node.operand) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:  # noqa: N802
        if len(node.ops) == 1:
            self.generic_visit(node)
            return node
        pairs = zip([node.left, *node.comparators], node.ops, node.comparators)
        parts = [ast.copy_location(ast.Compare(left, [op], [right]), node) for left, op, right in pairs]
        return self.visit_BoolOp(ast.copy_location(ast.BoolOp(ast.And(), list(parts)), node))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        if all(isinstance(arm, (ast.Name, ast.Constant)) for arm in (node.body, node.orelse)):
            return _call("select", node.test, node.body, node.orelse)
        return _call("choose", node.test, _later(node.body), _later(node.orelse))

    def visit_Call(self, node: ast.Call) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "locals":
            self.function.refuse(node, "`locals` is not supported in a kernel")
        if not (isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == _RUNTIME):
            node.func = _call("callee", node.func)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:  # noqa: N802
        self.generic_visit(node)
        return node

    def visit_Yield(self, node: ast.AST) -> NoReturn:  # noqa: N802
        self.function.refuse(node, "a kernel or helper cannot be a generator: `yield` is not supported; return a list")

    visit_YieldFrom = visit_Yield  # noqa: N815

    def visit_Await(self, node: ast.AST) -> NoReturn:  # noqa: N802
        self.function.refuse(node, "`await` is not supported in a kernel")

    def visit_NamedExpr(self, node: ast.NamedExpr) -> NoReturn:  # noqa: N802
        self.function.refuse(node, "`:=` is not supported in a kernel: assign in a statement of its own")


def _place(new: ast.AST, old: ast.AST) -> None:
    """Gives new nodes the first line of what they stand for: Python takes the last one for calls of methods."""
    line, column = getattr(old, "lineno", 1), getattr(old, "col_offset", 0)
    for inner in ast.walk(new):
        if isinstance(inner, (ast.expr, ast.stmt)) and not hasattr(inner, "lineno"):
            inner.lineno = inner.end_lineno = line
            inner.col_offset, inner.end_col_offset = column, column + 1


def _call(word: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(_RUNTIME, ast.Load()), word, ast.Load()), list(arguments), [])


def _method(name: str, word: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name(name, ast.Load()), word, ast.Load()), list(arguments), [])


def _set(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _later(node: ast.expr) -> ast.expr:
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(none, node)


def _local() -> ast.expr:
    return ast.Call(ast.Name("locals", ast.Load()), [], [])


def _names(names: list[str]) -> ast.expr:
    return ast.Tuple([ast.Constant(name) for name in names], ast.Load())


def _bound(names: list[str]) -> ast.expr:
    return _call("bound", _local(), *(ast.Constant(name) for name in names)) if names else ast.List([], ast.Load())


class _Line(ast.AST):
    """The line of a statement, which is rewritten later."""

    def __init__(self, one: ast.stmt) -> None:
        super().__init__()
        self.lineno, self.col_offset = one.lineno, one.col_offset


def _leave(name: str, names: list[str], lines: list[int], end: ast.AST) -> ast.stmt:
    """The end of a body, at its last statement, with the lines at which it assigned the names last."""
    listed = ast.Tuple([ast.Constant(line) for line in lines], ast.Load())
    made = ast.Expr(_method(name, "leave", _bound(names), listed, _local()))
    _place(made, end)
    return made


def _line_of(name: str, statements: list[ast.stmt], otherwise: int) -> int:
    """The line of the last statement that assigns a name."""
    for one in reversed(statements):
        if name in _assigned([one]):
            inner = [*getattr(one, "body", []), *getattr(one, "orelse", [])]
            return _line_of(name, inner, one.lineno)
    return otherwise


def _bound_any(names: list[str]) -> ast.expr:
    """The values of names, of which some are global."""
    return _call("bound_any", _local(), ast.Call(ast.Name("globals", ast.Load()), [], []), *(ast.Constant(name) for name in names))


def _restore(names: list[str], name: str, word: str) -> list[ast.stmt]:
    """Assigns the names anew. A part without names still begins or ends."""
    call = _method(name, word, _bound(names))
    if not names:
        return [ast.Expr(call)]
    return [ast.Assign([ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())], call)]

