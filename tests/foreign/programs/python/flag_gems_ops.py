"""Operators of FlagGems on small arrays."""

import flag_gems
import torch
from compared import compare, tensor

torch.manual_seed(0)
ops, F = flag_gems.ops, torch.nn.functional
x = tensor(6, 40)
rows = torch.tensor([3, 0, 5], device="cuda")
plain = {"gradients": False}
compare("mm", ops.mm, torch.mm, tensor(48, 40), tensor(40, 24), tolerance=2e-2, **plain)
compare("mv", ops.mv, torch.mv, tensor(20, 40), tensor(40), **plain)
compare("softmax", lambda x: ops.softmax(x, -1), lambda x: torch.softmax(x, -1), x, **plain)
compare("log_softmax", lambda x: ops.log_softmax(x, -1), lambda x: torch.log_softmax(x, -1), x, **plain)
compare("sum", ops.sum, torch.sum, x, **plain)
compare("sum_dim", lambda x: ops.sum_dim(x, [1]), lambda x: torch.sum(x, 1), x, **plain)
compare("amax", lambda x: ops.amax(x, [1]), lambda x: torch.amax(x, 1), x, **plain)
compare("argmax", lambda x: ops.argmax(x, 1), lambda x: torch.argmax(x, 1), x, **plain)
compare("cumsum", lambda x: ops.cumsum(x, 1), lambda x: torch.cumsum(x, 1), x, **plain)
compare("index_select", lambda x: ops.index_select(x, 0, rows), lambda x: torch.index_select(x, 0, rows), x, **plain)
compare("embedding", lambda x: ops.embedding(x, rows), lambda x: F.embedding(rows, x), x, **plain)
compare("topk", lambda x: ops.topk(x, 5), lambda x: torch.topk(x, 5), x, **plain)
compare("sort", ops.sort, torch.sort, x, **plain)
