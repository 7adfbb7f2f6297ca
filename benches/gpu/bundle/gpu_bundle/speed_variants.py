"""The kernels and shapes whose speed is asked."""

from __future__ import annotations

from typing import NamedTuple


class Shape(NamedTuple):
    """D (M,N) = A (M,K) times B (N,K) transposed."""

    m: int
    n: int
    k: int

    @property
    def name(self) -> str:
        return f"{self.m}x{self.n}x{self.k}"

    @property
    def flops(self) -> float:
        return 2.0 * self.m * self.n * self.k


class Variant(NamedTuple):
    """A kernel of `cutec build gemm_sm90`, with D in bf16."""

    types: str
    m: int
    n: int
    m_cluster: int = 2
    n_cluster: int = 1
    schedule: str = "cooperative"
    consumers: int | None = None
    promote: int | None = None

    @property
    def name(self) -> str:
        """The choices, as rows and tables name them."""
        said = [f"{self.m}x{self.n}", f"cluster {self.m_cluster}x{self.n_cluster}"]
        said += ["ping-pong"] * (self.schedule == "pingpong")
        said += [f"{self.consumers} consumers"] if self.consumers else []
        said += [f"promote {self.promote}"] if self.promote else []
        return ", ".join(said)

    @property
    def stem(self) -> str:
        """The name of the kernel's file, without what follows the point."""
        return f"gemm {self.types} {self.name}".replace(", ", "_").replace(" ", "_")

    def options(self) -> dict[str, str | int]:
        """The options of the builder."""
        maybe = {"consumers": self.consumers, "promote": self.promote}
        return {
            "types": self.types,
            "out": "bf16",
            "m_tile": self.m,
            "n_tile": self.n,
            "m_cluster": self.m_cluster,
            "n_cluster": self.n_cluster,
            "schedule": self.schedule,
            **{name: value for name, value in maybe.items() if value is not None},
        }


def variants(types: str) -> list[Variant]:
    """The kernels of a type, the default first."""
    made = [
        Variant(types, 128, 256),
        Variant(types, 256, 128),
        Variant(types, 128, 128, schedule="pingpong"),
        Variant(types, 64, 256, schedule="pingpong"),
        Variant(types, 128, 256, 1, 2),
        Variant(types, 128, 256, 1, 1),
        Variant(types, 128, 256, 2, 2),
        Variant(types, 256, 128, 1, 2),
        Variant(types, 128, 192),
        Variant(types, 256, 192),
        Variant(types, 128, 128),
        Variant(types, 64, 192, schedule="pingpong"),
        Variant(types, 192, 128, consumers=3),
        Variant(types, 64, 128, 1, 1),
    ]
    # Eight bits lose precision in the tensor cores, and this kernel does not.
    return made + ([Variant(types, 128, 128, promote=4)] if types == "e4m3" else [])


#: The shape at which all variants are timed.
FIRST = Shape(4096, 4096, 4096)

#: The shapes of the fastest three. The last two end within tiles.
OTHERS = [
    Shape(8192, 8192, 8192),
    Shape(2048, 2048, 2048),
    Shape(1024, 1024, 1024),
    Shape(5000, 3088, 2064),
    Shape(300, 8208, 7184),
]

#: Variants at each of these.
FASTEST = 3


class AttentionShape(NamedTuple):
    """Softmax of Q (queries,64) times K (keys,64) transposed, times V (keys,64), for each head."""

    queries: int
    keys: int
    heads: int

    @property
    def name(self) -> str:
        return f"{self.queries} queries, {self.keys} keys, {self.heads} heads"

    @property
    def flops(self) -> float:
        return 4.0 * 64 * self.queries * self.keys * self.heads


ATTENTIONS = [
    AttentionShape(4096, 4096, 32),
    AttentionShape(1024, 1024, 64),
    AttentionShape(8192, 8192, 16),
    AttentionShape(1000, 3000, 16),
]

#: Rows and columns of matrices that are copied and transposed.
COPIES = [(8192, 8192), (4096, 4096)]
