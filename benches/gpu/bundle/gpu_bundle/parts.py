"""The parts, in the order of their worth, and the process of one part."""

from __future__ import annotations

import importlib
import os
import pathlib
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

from . import cuda, fake, rows

#: The folder of the bundle.
BUNDLE = pathlib.Path(__file__).resolve().parent.parent


class Part(NamedTuple):
    """A part: the module that runs it, its question, and its budget in seconds."""

    module: str
    question: str
    seconds: int


PARTS = {
    "a": Part("device", "Does one kernel run, and on what?", 20),
    "b": Part("instructions", "Does each instruction compute what the simulator computes?", 60),
    "c": Part("kernels", "Do the kernels compute what the simulator computes?", 60),
    "d": Part("maps", "Does the driver encode tensor maps as we do?", 40),
    "h": Part("grades", "Do devices do what the grades of findings rest on?", 90),
    "e": Part("speed", "How fast are the kernels, beside cuBLASLt and SDPA?", 60),
    "g": Part("tensor_cores", "Do tensor cores give the published bits?", 30),
    "f": Part("counters", "Do the hardware's counters agree with the simulator's?", 60),
}


#: The exit code of a process whose context is broken, but which has further rows.
RESTART = 3


def counted(library: fake.Library, name: str, answer: Callable[..., int]) -> Callable[..., int]:
    """A function of the fake driver, which counts the maps that it is asked to encode."""

    def call(*arguments: Any) -> int:
        if name.startswith("cuTensorMapEncode"):
            library.asked["maps"] += 1
        return answer(*arguments)

    return call


class Context:
    """What a part works with."""

    def __init__(self, letter: str, options: Any) -> None:
        part = PARTS[letter]
        self.letter, self.options = letter, options
        #: The part's own files.
        self.folder = BUNDLE / "parts" / part.module
        self.rows = rows.Writer(options.rows)
        self.is_fake: bool = options.fake
        self.seed: int = options.seed
        self.module = importlib.import_module(f"gpu_bundle.{part.module}")
        self._device: cuda.Device | None = None

    @property
    def device(self) -> cuda.Device:
        """The GPU, opened when it is first asked for."""
        if self._device is None:
            library: Any = None
            if self.is_fake:
                answers = fake.Answers(self.folder, self.options.wrong)
                library = fake.Library(answers)
                for name, answer in getattr(self.module, "fakes", lambda _: {})(answers).items():
                    setattr(library, name, counted(library, name, answer))
            self._device = cuda.Device(library)
        return self._device

    def recorded(self, name: str) -> str:
        """The recorded output of a program, which takes its place under --fake."""
        return (self.folder / "recorded" / name).read_text(encoding="utf-8")

    def restart_if_broken(self, error: Exception) -> None:
        """Ends the process if the context takes no more launches; the supervisor goes on with the next row."""
        if not self.is_fake and (isinstance(error, cuda.Hang) or self.device.code("cuCtxSynchronize") != 0):
            os._exit(RESTART)

    def asked(self) -> dict[str, int]:
        """The number of launches, maps, arrays and parameters that a fake driver was asked for."""
        library = self._device.library if self._device else None
        return dict(library.asked) if isinstance(library, fake.Library) else {}


def run_one(options: Any) -> int:
    """Runs one part in this process."""
    context = Context(options.one, options)
    try:
        context.module.run(context)
    except cuda.Hang as error:
        # The kernel still runs, and so nothing more can be asked here.
        context.rows.add("a kernel that does not end", "failed", error=str(error))
        os._exit(1)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other parts go on
        traceback.print_exc()
        context.rows.add("the part itself", "failed", error=f"{type(error).__name__}: {error}")
        return 1
    if asked := context.asked():
        context.rows.facts(asked=asked)
    return 0
