"""Compares layers of a library, and their gradients, with those of torch."""

import torch


def tensor(*shape, dtype=torch.float32):
    return torch.randn(*shape, dtype=dtype, device="cuda")


def compare(name, theirs, reference, *inputs, tolerance=1e-3, gradients=True):
    """Both are called with copies of the inputs; what they return, and the gradients of the inputs, must be close."""
    results = []
    for function in (theirs, reference):
        own = [x.clone().requires_grad_(gradients and x.is_floating_point()) if isinstance(x, torch.Tensor) else x for x in inputs]
        out = function(*own)
        out = out if isinstance(out, (tuple, list)) else [out]
        if gradients:
            torch.manual_seed(1)
            out[0].backward(torch.randn_like(out[0]))
        results.append([*out, *(x.grad for x in own if isinstance(x, torch.Tensor) and x.grad is not None)])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other, atol=tolerance, rtol=tolerance, check_dtype=False)
    print(f"{name}: passed")
