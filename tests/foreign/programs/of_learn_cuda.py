"""learn-cuda: its programs without PyTorch."""

from programs import Repository, program

LEARN_CUDA = Repository(
    "learn-cuda",
    "https://github.com/gau-nernst/learn-cuda",
    "1454f8b71499a68eacdbf44c08e36a7003d8ab99",
    "none given",
)
