"""Part (c): the examples and the kernels of the builders, on the device and in the simulator."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import cases


def run(context: Any) -> None:
    """One row for each launch: its results are compared with those of the simulator, value by value."""
    wanted = np.load(context.folder / "answers.npz")
    for case in json.loads((context.folder / "cases.json").read_text(encoding="utf-8")):
        name = case["name"]
        if context.rows.has(name):
            continue
        context.device.asking(name)
        try:
            results = launched(context, case)
        except RuntimeError as error:
            context.rows.add(name, "failed", error=str(error))
            context.restart_if_broken(error)
            continue
        states, facts = [], {}
        for index, argument, found in results:
            state, seen = cases.compared(argument, found, wanted[f"{name}/{index}"].reshape(found.shape))
            states.append(state)
            label = "" if len(results) == 1 else argument.get("name", str(index)) + " "
            facts |= {label + fact: value for fact, value in seen.items()}
        context.rows.add(name, max(states, key=("equal", "close", "differs").index), **facts)


def launched(context: Any, case: dict[str, Any]) -> list[tuple[int, dict[str, Any], np.ndarray]]:
    """The results of a launch, each with its number among the arrays and its argument."""
    device, given, arrays = context.device, [], []
    for argument in case["arguments"]:
        if "value" in argument:
            given.append(argument["value"])
            continue
        array = device.array(cases.values(argument), argument["element"])
        arrays.append((argument, array))
        given.append(array.viewed(argument["axes"]) if "axes" in argument else array)
    stem = context.folder / case["kernel"]
    if case["host"]:
        named = {argument["name"]: value for argument, value in zip(case["arguments"], given, strict=True)}
        prepared = device.prepare_host(stem, named)
    else:
        prepared = device.prepare(stem, case["grid"], given)
    prepared.launch()
    # Without `with`: it would wait for a kernel that hangs.
    device.wait(seconds=10)
    prepared.unload()
    results = [(i, argument, array.read()) for i, (argument, array) in enumerate(arrays) if argument.get("out")]
    for _, array in arrays:
        array.free()
    return results
