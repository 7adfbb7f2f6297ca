"""Where this project takes a case of NVIDIA's `cutlass_compiler` otherwise than the case expects, and why.

A case is `FILE#NUMBER:DIGEST`, with the folder of its file in front of several. `python run.py FOLDER --show CASE` prints one. The
reason is a row of docs/errata.md, or of its table of the strict policy.
"""

from dataclasses import dataclass

# What was tried, and when; the numbers below are from then.
COMMIT, LAST_CHANGE, TRIED = "7107b05535f8", "9d79de097be0", "2026-11-29"


@dataclass(frozen=True)
class Kind:
    """Differences of one kind."""

    title: str
    # "positive" cases are refused, "invalid" ones accepted.
    of: str
    # The topic of a row of docs/errata.md; under the policy "strict" alone if `strict`.
    topic: str
    cases: tuple[str, ...]
    strict: bool = False


@dataclass(frozen=True)
class Counts:
    """Cases, and how many of them are taken as they expect."""

    positive: int
    accepted: int
    invalid: int
    refused: int


def cases(text):
    return tuple(text.split())


KINDS = [
    Kind(
        "divides of dynamic layouts by layouts",
        "positive",
        "divides",
        cases(
            """
            Conversion/CuteExpandOps/TilingPartitioningProducts/flat_divide.mlir#8:52e273cf
            Conversion/CuteExpandOps/TilingPartitioningProducts/logical_divide.mlir#8:d2ecc8ce
            Conversion/CuteExpandOps/TilingPartitioningProducts/tiled_divide.mlir#8:448e7362
            Conversion/CuteExpandOps/TilingPartitioningProducts/zipped_divide.mlir#8:3d632071
            Dialect/Cute/TilingPartitioningProducts/flat_divide.mlir#8:17426d7e
            Dialect/Cute/TilingPartitioningProducts/logical_divide.mlir#8:428b93b3
            Dialect/Cute/TilingPartitioningProducts/tiled_divide.mlir#8:1e86ff3a
            Dialect/Cute/TilingPartitioningProducts/zipped_divide.mlir#8:259807fa
            """
        ),
    ),
    Kind(
        "modes of one element in complements",
        "positive",
        "one-operand complement",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/complement.mlir#56:aa1d87a5
            Dialect/Cute/LayoutAlgebra/complement.mlir#57:c78f2a3a
            Dialect/Cute/LayoutAlgebra/complement.mlir#58:244aa086
            Dialect/Cute/LayoutAlgebra/complement.mlir#59:26105841
            Dialect/Cute/LayoutAlgebra/complement.mlir#62:a9960479
            Dialect/Cute/LayoutAlgebra/complement.mlir#63:191dbcd0
            """
        ),
    ),
    Kind(
        "divisors in the inferred type of a slice",
        "positive",
        "uses of an inferred type",
        cases(
            """
            Conversion/CuteExpandOps/LayoutAlgebra/slice.mlir#11:f7a34f03
            Dialect/Cute/LayoutAlgebra/slice.mlir#19:2f9e1855
            """
        ),
    ),
    Kind(
        "left inverses of broadcasts",
        "positive",
        "left_inverse of broadcasts",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#4:de3ead8b
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#28:1d3667fa
            """
        ),
    ),
    Kind(
        "coalesce of the empty layout",
        "positive",
        "empty layout",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/coalesce.mlir#28:4ceaf9e2
            """
        ),
    ),
    Kind(
        "recast of `?:?` to narrower elements",
        "positive",
        "recast of dynamic strides",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/recast_layout.mlir#9:ee972b26
            """
        ),
    ),
    Kind(
        "negative extents",
        "positive",
        "signs",
        cases(
            """
            Dialect/Cute/Types/shape.mlir#10:f1579edc
            """
        ),
    ),
    Kind(
        "ratios in strides",
        "invalid",
        "ratios `1/2@0`",
        cases(
            """
            Dialect/Cute/Types/composed_layout_errors.mlir#11:e8d291fb
            Dialect/Cute/Types/composed_layout_errors.mlir#12:62cb405a
            Dialect/Cute/Types/layout_errors.mlir#10:7c0961c5
            Dialect/Cute/Types/stride_errors.mlir#11:6af93d6e
            Dialect/Cute/Types/stride_errors.mlir#12:cf0b292d
            """
        ),
    ),
    Kind(
        "products of dynamic blocks",
        "invalid",
        "inverses, products, cotargets",
        cases(
            """
            Dialect/Cute/TilingPartitioningProducts/logical_product_errors.mlir#2:b087609f
            Dialect/Cute/TilingPartitioningProducts/logical_product_errors.mlir#3:87b9a565
            Dialect/Cute/TilingPartitioningProducts/zipped_product_errors.mlir#2:4753f0f2
            Dialect/Cute/TilingPartitioningProducts/zipped_product_errors.mlir#3:38dd6259
            """
        ),
    ),
    Kind(
        "conversions to the kind that a value has",
        "invalid",
        "to_coord, to_shape, to_stride, to_int_tuple",
        cases(
            """
            Dialect/Cute/Accessors/to_coord_errors.mlir#1:ef68b70d
            Dialect/Cute/Accessors/to_shape_errors.mlir#1:08af3f24
            Dialect/Cute/Accessors/to_stride_errors.mlir#1:d820d83e
            """
        ),
    ),
    Kind(
        "an identity with compact strides",
        "invalid",
        "identity layout",
        cases(
            """
            Dialect/Cute/AdvancedConstructors/make_identity_layout_errors.mlir#3:135be685
            """
        ),
    ),
    Kind(
        "slices of swizzled layouts with dynamic modes",
        "invalid",
        "slices with dynamic extents",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/slice_errors.mlir#4:3d0e4583
            """
        ),
    ),
    Kind(
        "slices without `_`",
        "invalid",
        "slices without `_`",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/slice_errors.mlir#5:7a5f04e6
            """
        ),
    ),
    Kind(
        "compositions past the end",
        "positive",
        "C = A o B",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/composition.mlir#5:26ec5f54
            Dialect/Cute/LayoutAlgebra/composition.mlir#7:04a109a8
            Dialect/Cute/LayoutAlgebra/composition.mlir#52:8aae1415
            Dialect/Cute/LayoutAlgebra/composition.mlir#53:44d99543
            Dialect/Cute/LayoutAlgebra/composition.mlir#54:ebece549
            Dialect/Cute/LayoutAlgebra/composition.mlir#55:0952d321
            Dialect/Cute/LayoutAlgebra/composition.mlir#66:1cbd5592
            Dialect/Cute/LayoutAlgebra/composition.mlir#68:9a7c60f4
            """
        ),
        strict=True,
    ),
    Kind(
        "left inverses of layouts that repeat values or leave gaps",
        "positive",
        "right_inverse, left_inverse",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#6:d360ab44
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#9:73a0ad0c
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#16:22a6ec78
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#31:9f31f699
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#32:f590ea32
            Dialect/Cute/LayoutAlgebra/left_inverse.mlir#39:d0fb33cc
            """
        ),
        strict=True,
    ),
    Kind(
        "tiles that do not divide",
        "positive",
        "divide D of A by T",
        cases(
            """
            Dialect/Cute/TilingPartitioningProducts/flat_divide.mlir#24:c526e100
            Dialect/Cute/TilingPartitioningProducts/flat_divide.mlir#25:d7c917c1
            Dialect/Cute/TilingPartitioningProducts/tiled_divide.mlir#24:93a3fb02
            Dialect/Cute/TilingPartitioningProducts/tiled_divide.mlir#25:2bb410c5
            Dialect/Cute/TilingPartitioningProducts/zipped_divide.mlir#24:b89989bf
            Dialect/Cute/TilingPartitioningProducts/zipped_divide.mlir#25:3aa3b2ca
            """
        ),
        strict=True,
    ),
    Kind(
        "complements that leave gaps",
        "positive",
        "complement C of A in M",
        cases(
            """
            Dialect/Cute/LayoutAlgebra/complement.mlir#52:2a6f4c6c
            Dialect/Cute/LayoutAlgebra/complement.mlir#53:0aff4924
            Dialect/Cute/LayoutAlgebra/complement.mlir#60:27ef067c
            Dialect/Cute/LayoutAlgebra/complement.mlir#61:6792c585
            """
        ),
        strict=True,
    ),
    Kind(
        "a static coordinate out of range",
        "positive",
        "crd2idx, idx2crd, layout_eval, slice, local_tile, load, store",
        cases(
            """
            Conversion/CuteToBase/PostExpand/SizeIndex/layout_eval.mlir#5:7285ff64
            """
        ),
        strict=True,
    ),
    Kind(
        "blocks that do not divide",
        "positive",
        "tile_to_shape",
        cases(
            """
            Dialect/Cute/TilingPartitioningProducts/tile_to_shape.mlir#9:047c9118
            """
        ),
        strict=True,
    ),
]

# By policy. A known difference is one of the others.
COUNTS = {"extend": Counts(1978, 1957, 436, 421), "strict": Counts(1978, 1931, 436, 421)}
# The integration tests: those that print what they expect, and those that are there. The others have the case of a kind above.
INTEGRATION = {"host": (25, 26), "nvgpu": (24, 24)}
NOT_PRINTED = {"host/cpu/TilingPartitioningProducts/tiling_partitioning_products_dynamic_inlined.mlir": "divides"}
