"""Layers of attorch on small arrays."""

import attorch
import torch
from compared import compare, tensor
from torch import nn

torch.manual_seed(0)


def same(theirs, reference):
    """Gives both modules the same weights."""
    weights = reference.state_dict()
    if isinstance(reference, nn.Linear):
        # It keeps the transpose.
        weights["weight"] = weights["weight"].T.contiguous()
    theirs.load_state_dict(weights, strict=False)
    return theirs.cuda(), reference.cuda()


x = tensor(6, 40)
for name in ("Softmax", "LogSoftmax", "Softmin"):
    compare(name, getattr(attorch, name)(dim=-1), getattr(nn, name)(dim=-1), x)
compare("LayerNorm", *same(attorch.LayerNorm(40), nn.LayerNorm(40)), x)
compare("RMSNorm", *same(attorch.RMSNorm(40, eps=1e-6), nn.RMSNorm(40, eps=1e-6)), x)
compare("Linear", *same(attorch.Linear(40, 24), nn.Linear(40, 24)), x, tolerance=2e-2)
compare("GELU", attorch.GELU(), nn.GELU(), x)
compare("SiLU", attorch.SiLU(), nn.SiLU(), x)
compare("GLU", attorch.GLU(), nn.GLU(), x)
compare("MSELoss", attorch.MSELoss(), nn.MSELoss(), x, tensor(6, 40))
labels = torch.randint(0, 40, (6,), device="cuda")
compare("CrossEntropyLoss", attorch.CrossEntropyLoss(), nn.CrossEntropyLoss(), x, labels)
compare("NLLLoss", attorch.NLLLoss(), nn.NLLLoss(), x, labels)
images = tensor(2, 3, 8, 8)
compare("BatchNorm2d", *same(attorch.BatchNorm2d(3), nn.BatchNorm2d(3)), images)
compare("Conv2d", *same(attorch.Conv2d(3, 8, 3), nn.Conv2d(3, 8, 3)), images, tolerance=2e-2, gradients=False)
