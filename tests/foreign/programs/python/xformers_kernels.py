"""Kernels of xformers on small arrays, by the functions of their files. The package itself needs extensions in C++."""

import importlib
import sys
import types
from pathlib import Path

import torch
from compared import compare, tensor

FOLDER = Path(sys.argv[1]) / "xformers"
for name in ("xformers", "xformers.triton", "xformers.ops", "xformers.ops._triton"):
    package = sys.modules[name] = types.ModuleType(name)
    package.__path__ = [str(FOLDER.parent / name.replace(".", "/"))]


torch.manual_seed(0)
names = ("k_index_select_cat", "k_scaled_index_add", "rmsnorm_kernels")
cat, add, norms = (importlib.import_module(f"xformers.ops._triton.{name}") for name in names)
source, rows = tensor(12, 40), torch.tensor([3, 0, 7, 7, 11], device="cuda")


def selected(source, index):
    out = torch.empty(len(index), source.shape[1], device="cuda")
    return cat.index_select_cat_fwd(out, source, index)


def given_back(gradient, index):
    out = torch.zeros(12, gradient.shape[1], device="cuda")
    cat.index_select_cat_bwd(out, index, gradient)
    return out


def scattered(gradient, index):
    return torch.zeros(12, gradient.shape[1], device="cuda").index_copy(0, index, gradient)


compare("index_select_cat_fwd", selected, lambda source, index: source[index], source, rows, gradients=False)
compare("index_select_cat_bwd", given_back, scattered, tensor(3, 40), torch.tensor([5, 1, 9], device="cuda"), gradients=False)


def added(x, index, source, scaling, alpha):
    x = x.clone()
    add.scaled_index_add_fwd(x, index, source, scaling, alpha)
    return x


def added_by_torch(x, index, source, scaling, alpha):
    return x.index_add(0, index, source * scaling, alpha=alpha)


where = torch.tensor([4, 0, 2], device="cuda")
compare(
    "scaled_index_add_fwd", added, added_by_torch, tensor(6, 3, 40), where, tensor(3, 3, 40), tensor(40), 0.5,
    gradients=False,
)  # fmt: skip
weights = tensor(40)
compare(
    "rms_norm", lambda x, w: norms._rms_norm_forward(x, w, 1e-6), lambda x, w: torch.nn.functional.rms_norm(x, (40,), w, 1e-6),
    tensor(6, 40), weights, gradients=False,
)  # fmt: skip

# The last one, since it has a finding.
x, y = tensor(6, 40), tensor(6, 40)
norms._rms_norm_add_forward(x, y, weights, 1e-6)
