"""Kernels of unsloth on small arrays, by the functions of their files. The package itself needs others that need a GPU."""

import contextlib
import importlib
import sys
import types
from pathlib import Path

import torch
import triton
from compared import compare, tensor

FOLDER = Path(sys.argv[1]) / "unsloth"
for name in ("unsloth", "unsloth.kernels"):
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = [str(FOLDER.parent / name.replace(".", "/"))]
utils = sys.modules["unsloth.kernels.utils"] = types.ModuleType("unsloth.kernels.utils")
utils.calculate_settings = lambda n: (triton.next_power_of_2(n), 4)
utils.torch_gpu_device = lambda device: contextlib.nullcontext()
utils.triton_tanh = importlib.import_module("triton.language.extra.libdevice").tanh

torch.manual_seed(0)
swiglu, norms = (importlib.import_module(f"unsloth.kernels.{name}") for name in ("swiglu", "rms_layernorm"))
F = torch.nn.functional
e, g = tensor(2, 3, 200), tensor(2, 3, 200)
compare("swiglu_fg", swiglu.swiglu_fg_kernel, lambda e, g: F.silu(e) * g, e, g, gradients=False)


def backward(d, e, g):
    d, e, g = d[0].clone(), e[0].clone(), g[0].clone()
    return swiglu.swiglu_DWf_DW_dfg_kernel(d, e, g)


def backward_by_torch(d, e, g):
    d, e, g = d[0], e[0], g[0]
    s = torch.sigmoid(e)
    return s * e * g, d * (s * e), d * g * s * (1 + e * (1 - s))


compare("swiglu_DWf_DW_dfg", backward, backward_by_torch, tensor(2, 3, 200), e, g, gradients=False)
weights = tensor(200)


class Layer:
    weight, variance_epsilon = None, 1e-6


def normed(x, w):
    Layer.weight = w
    return norms.fast_rms_layernorm(Layer, x)


compare("rms_layernorm", normed, lambda x, w: F.rms_norm(x, (200,), w, 1e-6), e, weights, gradients=False)
compare("rms_layernorm of x", lambda x: normed(x, weights), lambda x: F.rms_norm(x, (200,), weights, 1e-6), e)
