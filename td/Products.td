// Products: repeating a layout.

#ifndef CUTE_PRODUCTS
#define CUTE_PRODUCTS

include "Algebra.td"

class Product<string m, Type tiler> : Cute_Functional<m> {
  let arguments = (ins AnyLayout:$lhs, tiler:$rhs);
  let results = (outs AnyLayout:$result);
}
def LogicalProductOp : Product<"logical_product", Tiler> {
  let summary = "(block, repetitions), by mode where the tiler is a shape or tile";
}
def ZippedProductOp : Product<"zipped_product", Tiler> {
  let summary = "((block..), (repetitions..))";
}
def TiledProductOp : Product<"tiled_product", Tiler> {
  let summary = "((block..), repetitions..)";
}
def FlatProductOp : Product<"flat_product", Tiler> {
  let summary = "(block.., repetitions..)";
}
def BlockedProductOp : Product<"blocked_product", Cute_Layout> {
  let summary = "((block, repetition)..): whole blocks side by side";
}
def RakedProductOp : Product<"raked_product", Cute_Layout> {
  let summary = "((repetition, block)..): blocks interleaved";
}

def TileToShapeOp : Cute_Functional<"tile_to_shape">, Divides {
  let summary = "a block repeated until it covers a shape; `order` says which mode is repeated first";
  let arguments = (ins AnyLayout:$input, Cute_Shape:$shape, Optional<Cute_IntTuple>:$order);
  let results = (outs AnyLayout:$result);
}

#endif
