"""Means and variances by FlagGems, by Welford's algorithm."""

import flag_gems
import torch
from compared import compare, tensor

torch.manual_seed(0)
compare("var_mean", lambda x: flag_gems.ops.var_mean(x, [1]), lambda x: torch.var_mean(x, 1), tensor(6, 40), gradients=False)
