"""Torch without a GPU: the device "cuda" is the memory of the process, and calls of torch.cuda are answered."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["ANSWERED", "simulated_cuda"]

#: The functions and classes of ``torch.cuda`` that are answered; the page about Python lists them.
ANSWERED = (
    "Event", "Stream", "can_device_access_peer", "current_device", "current_stream", "default_stream", "device",
    "device_count", "device_of", "empty_cache", "get_device_capability", "get_device_name", "get_device_properties",
    "get_rng_state", "init", "is_available", "is_bf16_supported", "is_current_stream_capturing", "is_initialized",
    "manual_seed", "manual_seed_all", "max_memory_allocated", "max_memory_reserved", "mem_get_info",
    "memory_allocated", "memory_reserved", "reset_max_memory_allocated", "reset_peak_memory_stats", "seed",
    "set_device", "set_rng_state", "set_stream", "stream", "synchronize",
)  # fmt: skip

_NAME = "simulated by cute_mlir"


class Stream:
    """A stream. Every launch ends before the call returns, so that streams have no order to keep."""

    cuda_stream = 0

    def __init__(self, *_: Any, **__: Any) -> None:
        self.device_index = 0

    def synchronize(self) -> None:
        """Nothing is left to wait for."""

    wait_stream = wait_event = lambda self, *_: None

    def query(self) -> bool:
        return True

    def record_event(self, event: Any = None) -> Any:
        return event or Event()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing ends."""


class Event:
    """An event. It measures no time: ``elapsed_time`` is a second, by which programs choose how often they repeat."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Options have no effect."""

    record = wait = synchronize = lambda self, *_, **__: None

    def query(self) -> bool:
        return True

    def elapsed_time(self, _: Any) -> float:
        return 1000.0


class Device:
    """``torch.cuda.device``: there is one."""

    def __init__(self, device: Any = None) -> None:
        self.idx = 0

    def __enter__(self) -> None:
        """The device is the current one."""

    def __exit__(self, *_: object) -> None:
        """It stays."""


def _calls(driver: Any, torch: Any) -> dict[str, Any]:
    """The answers by name."""
    stream = Stream()
    limits = driver.limits
    properties = types.SimpleNamespace(
        name=_NAME,
        major=limits["capability"][0],
        minor=limits["capability"][1],
        total_memory=80 << 30,
        multi_processor_count=driver.sms,
        max_threads_per_multi_processor=limits["threads"],
        regs_per_multiprocessor=limits["registers"],
        shared_memory_per_block=48 << 10,
        shared_memory_per_block_optin=limits["shared_memory"],
        shared_memory_per_multiprocessor=limits["shared_memory"] + 1024,
        warp_size=limits["warp"],
        L2_cache_size=50 << 20,
        gcnArchName="",
        is_integrated=False,
    )

    def value(answer: Any) -> Callable[..., Any]:
        return lambda *_, **__: answer

    answers = {name: value(None) for name in ANSWERED}
    answers |= {
        "Event": Event, "Stream": Stream, "device": Device, "device_of": Device,
        "can_device_access_peer": value(False), "current_device": value(0), "current_stream": value(stream),
        "default_stream": value(stream), "device_count": value(1), "get_device_capability": value(limits["capability"]),
        "get_device_name": value(_NAME), "get_device_properties": value(properties), "is_available": value(True),
        "is_bf16_supported": value(True), "is_current_stream_capturing": value(False), "is_initialized": value(True),
        "max_memory_allocated": value(0), "max_memory_reserved": value(0), "mem_get_info": value((80 << 30, 80 << 30)),
        "memory_allocated": value(0), "memory_reserved": value(0), "stream": lambda own=None: own or stream,
    }  # fmt: skip
    if hasattr(torch, "default_generator"):
        # torch.manual_seed itself seeds each device.
        seed = torch.default_generator.manual_seed
        answers |= {
            "manual_seed": seed,
            "manual_seed_all": seed,
            "get_rng_state": lambda *_: torch.get_rng_state(),
            "set_rng_state": lambda state, *_: torch.set_rng_state(state),
        }
    return answers


def _is_cuda(device: Any) -> bool:
    return str(getattr(device, "type", device)).split(":")[0] == "cuda"


def _on_host(torch: Any, value: Any) -> Any:
    """An argument in which the device is the CPU."""
    if isinstance(value, torch.device) or isinstance(value, str):
        return torch.device("cpu") if _is_cuda(value) else value
    return value


def _mode(torch: Any) -> Any:
    """A function mode of torch: each call has its devices replaced, and tensors say that they are on the GPU."""
    from torch.overrides import TorchFunctionMode  # type: ignore[import-not-found, unused-ignore]

    cuda = torch.device("cuda", 0)
    tensor = torch.Tensor
    getters = {tensor.device.__get__: cuda, tensor.is_cuda.__get__: True, tensor.is_cpu.__get__: False}
    same = {tensor.cuda, tensor.pin_memory, tensor.cpu}
    skipped = {tensor.record_stream: None, tensor.get_device: 0, tensor.is_pinned: False}

    # Gradients of these are summed in the type of the tensor on the CPU, and in f32 on a GPU.
    names = ("layer_norm", "group_norm", "rms_norm")
    in_single = {getattr(owner, name) for owner in (torch, torch.nn.functional) for name in names if hasattr(owner, name)}
    halves = (torch.float16, torch.bfloat16)

    def wide(function: Any, args: Any, named: Any) -> Any:
        def widened(value: Any) -> Any:
            return value.float() if isinstance(value, tensor) and value.dtype in halves else value

        own = {name: widened(value) for name, value in named.items()}
        return function(*(widened(value) for value in args), **own).to(args[0].dtype)

    class Mode(TorchFunctionMode):  # type: ignore[misc, unused-ignore]
        def __torch_function__(self, function: Any, kinds: Any, args: Any = (), named: Any = None) -> Any:
            named = dict(named or {})
            if function in getters:
                return getters[function]
            if function in skipped:
                return skipped[function]
            if function is torch.device:
                return function(*args, **named)
            if function in same:
                return args[0]
            if "device" in named:
                number = isinstance(named["device"], int) and not isinstance(named["device"], bool)
                named["device"] = torch.device("cpu") if number else _on_host(torch, named["device"])
            named.pop("pin_memory", None)
            args = tuple(_on_host(torch, value) for value in args)
            if function in in_single and args and getattr(args[0], "dtype", None) in halves:
                return wide(function, args, named)
            return function(*args, **named)

    return Mode()


@contextlib.contextmanager
def simulated_cuda(driver: Any, torch: Any) -> Iterator[None]:
    """In the block, torch has a device "cuda", which ``driver`` describes. A stand-in for torch may have no modes."""
    with contextlib.ExitStack() as stack:
        for name, answer in _calls(driver, torch).items():
            if hasattr(torch.cuda, name):
                stack.enter_context(_replaced(torch.cuda, name, answer))
        if hasattr(torch, "overrides"):
            stack.enter_context(_mode(torch))
        if hasattr(torch, "set_default_device"):
            own = torch.set_default_device
            stack.enter_context(
                _replaced(torch, "set_default_device", lambda device: own(_on_host(torch, device)))
            )
        if hasattr(torch, "Generator"):
            stack.enter_context(_replaced(torch, "Generator", _generator(torch)))
        yield


def _generator(torch: Any) -> Any:
    """``torch.Generator``, whose device is the CPU."""

    class Meta(type):
        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, own)

    own = torch.Generator

    class Generator(metaclass=Meta):
        def __new__(cls, device: Any = "cpu") -> Any:
            return own(device=_on_host(torch, device))

    return Generator


@contextlib.contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)
