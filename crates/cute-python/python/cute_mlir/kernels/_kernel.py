"""Functions that are kernels, and host functions that launch them."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Union, overload

from .._compiler import Kernel as Compiled
from .._simulate import Report, simulate, simulate_host
from . import _flow, _ops, _values
from ._arrays import Arguments
from ._rewrite import rewritten
from ._trace import KernelError, Trace, current, fail, of_the_user, place_in_the_package, set_current
from ._values import Dtype, Value, value

if TYPE_CHECKING:
    from .._launch import Launched

Extents = Union[int, Sequence[int]]
#: For mypy, a tensor is a value.
_TENSOR: Any = vars(_values)["Tensor"]


def _three(given: Any, what: str) -> list[int]:
    extents = [given] if isinstance(given, int) else list(given)
    if not 1 <= len(extents) <= 3 or not all(isinstance(n, int) and n > 0 for n in extents):
        raise KernelError(f"{what} is a positive number or up to three, found {given!r}")
    return (extents + [1, 1])[:3]


class _Function:
    """What kernels and host functions have in common: a function that is traced once."""

    def __init__(self, function: Callable[..., Any], target: str | None, domain: str, options: dict[str, Any]) -> None:
        if domain not in ("strict", "extend"):
            raise KernelError(f'domain is "strict" or "extend", not {domain!r}')
        if not isinstance(function, types.FunctionType):
            raise KernelError(f"a kernel is a function with `def`, not {type(function).__name__}")
        self.function = function
        self.name = function.__name__
        self.place = (function.__code__.co_filename, function.__code__.co_firstlineno, 1)
        if function.__code__.co_flags & inspect.CO_GENERATOR:
            raise KernelError(f"'{self.name}' is a generator, and a kernel cannot be one: remove `yield`", self.place)
        self.target, self.options = target, options
        #: Attributes of the function.
        self.attributes = [("cute.domain", '"extend"')] if domain == "extend" else []
        self.rewritten = rewritten(function)
        self.parameters = list(inspect.signature(function).parameters.values())
        for one in self.parameters:
            if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) or one.default is not one.empty:
                raise KernelError(f"parameter '{one.name}': a kernel has plain parameters, without defaults and stars", self.place)
        self._made: tuple[str, str] | None = None
        self._compiled: Compiled | None = None
        self.__doc__ = function.__doc__
        self.__name__ = self.name

    def declared(self) -> list[tuple[Any, ...]]:
        """The parameters, by their annotations."""
        try:
            notes = inspect.get_annotations(self.function, eval_str=True)
        except NameError as error:
            hint = "; annotations of a nested function may use names of the module only, unless the file has no `from __future__ import annotations`"
            raise KernelError(f"an annotation of '{self.name}' cannot be read: {error}{hint}", self.place) from None
        found: list[tuple[Any, ...]] = []
        for one in self.parameters:
            note: Any = notes.get(one.name)
            if isinstance(note, _TENSOR):
                found.append((one.name, note.dtype.mlir, note.align, note.layout))
            elif isinstance(note, (Dtype, str)):
                found.append((one.name, Dtype.of(note).mlir))
            elif note in (int, float):
                found.append((one.name, "i32" if note is int else "f32"))
            else:
                raise KernelError(
                    f"parameter '{one.name}' has no type: write {one.name}: ck.Tensor[ck.f32, \"(?,?):(?,1)\"] for an array, or "
                    f"{one.name}: ck.f32 for a number",
                    self.place,
                )
        return found

    def traced(self, arguments: Sequence[Any]) -> Any:
        """Traces the function with arguments."""
        trace = current()
        code = self.function.__code__
        if any(code is one for one in trace.active):
            fail(f"'{self.name}' calls itself: a kernel has no recursion; use a loop")
        trace.active.append(code)
        try:
            return _traced_here(self.rewritten, arguments)
        finally:
            trace.active.pop()

    def _module(self) -> tuple[str, str]:
        """The module: as people read it, and with the lines of Python."""
        if self._made is None:
            trace = Trace(dynamic_memory=self._dynamic)
            before = set_current(trace)
            try:
                try:
                    self._trace(trace)
                except KernelError as error:
                    raise error.with_traceback(of_the_user(error.__traceback__)) from None
                except ValueError as error:
                    place = place_in_the_package(error.__traceback__)
                    if place is None:
                        raise
                    raise KernelError(str(error), place).with_traceback(of_the_user(error.__traceback__)) from error
                try:
                    trace.session.verify()
                except trace.failed as error:
                    raise KernelError(str(error.args[0]).split("\nnote: see current operation")[0]) from None
                self._made = (trace.session.module(False).split("//\n", 1)[-1].lstrip("\n"), trace.session.module(True))
            finally:
                set_current(before)
        return self._made

    _dynamic = False

    def _trace(self, trace: Trace) -> None:
        raise NotImplementedError

    @property
    def mlir(self) -> str:
        """The module in the dialects ``cute`` and ``cute_nvgpu``."""
        return self._module()[0]

    @property
    def compiled(self) -> Compiled:
        """What the compiler makes of it: ``ptx``, ``cubin``, ``manifest`` and so on."""
        if self._compiled is None:
            from .._compiler import _options

            self._compiled = Compiled(f"{self.name}.mlir", self._module()[1], self.target, _options(self.options))
        return self._compiled

    @property
    def ptx(self) -> str:
        """The PTX."""
        return self.compiled.ptx

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        names = [one.name for one in self.parameters]
        try:
            given = inspect.Signature(self.parameters).bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}({', '.join(names)}): {error}") from None
        made = [given.arguments[name] for name in names]
        self.arguments.check(made)
        return made

    @functools.cached_property
    def arguments(self) -> Arguments:
        """What the parameters take."""
        return Arguments(self.name, self.declared())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


def _traced_here(function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    # The frames of the user's code end at this one.
    return function(*arguments)


class Kernel(_Function):
    """A kernel: ``mlir`` and ``ptx`` are its texts, and a call runs it in the simulator."""

    def __init__(
        self, function: Callable[..., Any], block: Extents, cluster: Extents | None, target: str | None, domain: str, options: dict[str, Any]
    ) -> None:
        super().__init__(function, target, domain, options)
        self.block = _three(block, "block")
        self.cluster = None if cluster is None else _three(cluster, "cluster")

    def _trace(self, trace: Trace) -> None:
        self._write(trace, "kernel", self.declared(), None)

    def _write(self, trace: Trace, kind: str, parameters: list[tuple[Any, ...]], objects: Sequence[Any] | None) -> None:
        at = [self.place]
        try:
            made = trace.session.begin_function(at, kind, self.name, parameters, self.block, self.cluster, self.attributes)
        except trace.failed as error:
            raise KernelError(str(error.args[0]), self.place) from None
        values = iter([Value(trace, item) for item in made])
        names = [one.name for one in self.parameters]
        arguments = list(values) if objects is None else [_flow.rebuilt(one, _leaves(one, values)) for one in objects]
        for name, one in zip(names, arguments):
            if isinstance(one, Value):
                one._named = True
                trace.session.rename(one._number, name)
        result = self.traced(arguments)
        if result is not None:
            raise KernelError(f"'{self.name}' returns a value, and a kernel has none: write it to an array", self.place)
        trace.ask("end", [])

    def __call__(self, *args: Any, grid: Extents, **options: Any) -> Report:
        """Runs the kernel in the simulator, on arrays that it changes. A finding is an exception.

        Names of parameters and the options of ``cute_mlir.simulate`` are keywords.
        """
        return self.simulate(*args, grid=grid, **options).raise_if_findings()

    def simulate(self, *args: Any, grid: Extents, **options: Any) -> Report:
        """The same, and returns a report with the findings."""
        names = {one.name for one in self.parameters}
        named = {name: options.pop(name) for name in list(options) if name in names}
        given, compiled = self._arguments(args, named), self.compiled
        with self.arguments.in_words():
            return simulate(compiled, tuple(_three(grid, "grid")), given, **options)

    def on_gpu(self, *args: Any, grid: Extents, stream: Any = None, driver: Any = None, **named: Any) -> Launched:
        """Launches the kernel on the GPU of the current CUDA context, or of the first device, and does not wait for its end.

        Arrays are on the device: those of torch, CuPy, numba or jax. ``stream`` is one of these packages, or an address.
        The result keeps the arrays; its ``synchronize()`` waits. ``driver`` is another library than ``libcuda.so.1``.
        """
        from ._gpu import launched

        given = self._arguments(args, named)
        with self.arguments.in_words():
            return launched(self.name, self.compiled, tuple(_three(grid, "grid")), given, stream, driver)

    def launch(self, grid: Any, *args: Any, programmatic: bool = False) -> None:
        """In a host function: launches the kernel with values of it, of which descriptors of the TMA are some.

        With ``programmatic``, it may begin before the launch in front of it has ended: ``ck.wait_on_dependent_grids()`` waits.
        """
        trace = current()
        if len(args) != len(self.parameters):
            fail(f"'{self.name}' has {len(self.parameters)} parameters, but is launched with {len(args)} arguments")
        if trace.stream is None:
            fail("a kernel launches no kernels: write launch in a function with @ck.host")
        leaves = [[leaf for leaf in _flow.parts(one) if isinstance(leaf, Value)] for one in args]
        parameters: list[tuple[Any, ...]] = []
        for one, own in zip(self.parameters, leaves):
            if not own:
                fail(f"argument '{one.name}' is not a value of the host function: a kernel has constants by its closure")
            parameters += [
                (one.name if number == 0 else f"{one.name}_{number}", leaf._number) for number, leaf in enumerate(own)
            ]
        # Values by their types, and the rest as it is.
        made_for = (self, [one.type if isinstance(one, Value) else one for one in _flow.parts(list(args))])
        if self.name not in trace.kernels:
            trace.kernels[self.name] = made_for
            self._write(trace, "launched", parameters, args)
        elif trace.kernels[self.name] != made_for:
            fail(f"'{self.name}' is launched before with arguments of other types: make another kernel for them, with a name of its own")
        grid = list(grid) if isinstance(grid, (tuple, list)) else [grid]
        size = _ops.kernel_smem_size(kernel_name=f"@kernels::@{self.name}", result="i64")
        sizes = [*(value(trace, n) for n in self.block), size, *(value(trace, n) for n in (*grid, 1, 1)[:3]), trace.stream]
        trace.ask("launch", self.name, self.cluster, programmatic, [one._number for one in sizes], [leaf._number for own in leaves for leaf in own])


def _leaves(given: Any, values: Any) -> Any:
    """The leaves of an argument, with the kernel's values for those of the host."""
    own = [next(values) if isinstance(leaf, Value) else leaf for leaf in _flow.parts(given)]
    return iter(own)


class Host(_Function):
    """A host function: it makes descriptors and launches kernels. A call runs it in the simulator."""

    _dynamic = True

    def _trace(self, trace: Trace) -> None:
        parameters = [*self.declared(), ("stream", "!cuda.stream")]
        try:
            made = trace.session.begin_function([self.place], "host", self.name, parameters, [1, 1, 1], None, self.attributes)
        except trace.failed as error:
            raise KernelError(str(error.args[0]), self.place) from None
        *arguments, trace.stream = [Value(trace, item) for item in made]
        for one in arguments:
            one._named = True
        self.traced(arguments)
        trace.ask("end", [value(trace, 0)._number])

    def __call__(self, *args: Any, **options: Any) -> Report:
        """Runs the host function in the simulator, with the kernels that it launches. A finding is an exception."""
        return self.simulate(*args, **options).raise_if_findings()

    def on_gpu(self, *args: Any, stream: Any = None, driver: Any = None, **named: Any) -> Launched:
        """Runs the host function, and launches its kernels on the GPU, as :meth:`Kernel.on_gpu` does."""
        from ._gpu import launched

        given = self._arguments(args, named)
        with self.arguments.in_words():
            return launched(self.name, self.compiled, None, given, stream, driver)

    def simulate(self, *args: Any, **options: Any) -> Report:
        """The same, and returns a report with the findings."""
        names = {one.name for one in self.parameters}
        named = {name: options.pop(name) for name in list(options) if name in names}
        given, compiled = self._arguments(args, named), self.compiled
        with self.arguments.in_words():
            return simulate_host(compiled, given, **options)


def kernel(
    block: Extents, cluster: Extents | None = None, target: str | None = None, domain: str = "strict", **options: Any
) -> Callable[[Callable[..., Any]], Kernel]:
    """Makes a function a kernel with this number of threads per block.

    ``target`` is a GPU such as ``"sm_90a"``; without it, the first that has the instructions. With ``domain="extend"``, static
    tiles may reach past a layout, as CuTe accepts it; otherwise that is an error. Options are those of ``cute_mlir.compile``.
    """
    if callable(block):
        raise KernelError("a kernel states its threads per block: @ck.kernel(block=256)")
    return lambda function: Kernel(function, block, cluster, target, domain, options)


@overload
def host(function: Callable[..., Any]) -> Host: ...


@overload
def host(*, target: str | None = None, domain: str = "strict", **options: Any) -> Callable[[Callable[..., Any]], Host]: ...


def host(
    function: Callable[..., Any] | None = None, *, target: str | None = None, domain: str = "strict", **options: Any
) -> Any:
    """Makes a function a host function, ``@ck.host`` or ``@ck.host(target="sm_90a")``."""
    if function is None:
        return lambda given: Host(given, target, domain, options)
    return Host(function, target, domain, options)


