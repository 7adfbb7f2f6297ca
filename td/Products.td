// Products: repeating a layout.

#ifndef CUTE_PRODUCTS
#define CUTE_PRODUCTS

include "Algebra.td"

class Product<string m, Type tiler> : Cute_Functional<m> {
  let arguments = (ins AnyLayout:$lhs, tiler:$rhs);
  let results = (outs AnyLayout:$result);
  let rules = [
    Rule<"tiler-integer-strides", "the tiler has integer strides", "the tiler (2,5):(1@0,1@1) has basis strides, but integer strides are required",
         "write how the blocks are counted with integer strides">,
    Rule<"strides-block-static", "the strides of the block are static", "complement: stride ? of (4,8):(1,?) is dynamic, but static strides are required",
         "repeat a block whose strides are known">,
    Rule<"repeated-blocks-do-not-overlap", "the repeated blocks do not overlap", "(2,2):(1,6) repeated over (2,2):(2,1) overlaps itself ..",
         "choose other strides for the repetitions, or set `cute.domain = \"extend\"`">
  ];
}
def LogicalProductOp : Product<"logical_product", Tiler> {
  let summary = "(block, repetitions), by mode where the tiler is a shape or tile";
  let example = [{
    %pair = cute.logical_product(%block, %tiler)
      : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,4),(2,5)):((4,1),(12,24))">
  }];
}
def ZippedProductOp : Product<"zipped_product", Tiler> {
  let summary = "((block..), (repetitions..))";
  let example = [{
    %zipped = cute.zipped_product(%block, %tiler)
      : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,4),(2,5)):((4,1),(12,24))">
  }];
}
def TiledProductOp : Product<"tiled_product", Tiler> {
  let summary = "((block..), repetitions..)";
  let example = [{
    %tiled = cute.tiled_product(%block, %tiler)
      : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,4),2,5):((4,1),12,24)">
  }];
}
def FlatProductOp : Product<"flat_product", Tiler> {
  let summary = "(block.., repetitions..)";
  let example = [{
    %flat = cute.flat_product(%block, %tiler)
      : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"(3,4,2,5):(4,1,12,24)">
  }];
}
def BlockedProductOp : Product<"blocked_product", Cute_Layout> {
  let summary = "((block, repetition)..): whole blocks side by side";
  let example = [{
    %tile = cute.blocked_product(%block, %tiler)
      : (!cute.layout<"(3,4):(4,1)">, !cute.layout<"(2,5):(1,2)">) -> !cute.layout<"((3,2),(4,5)):((4,12),(1,24))">
  }];
}
def RakedProductOp : Product<"raked_product", Cute_Layout> {
  let summary = "((repetition, block)..): blocks interleaved";
  let description = [{A raked product of threads and values gives each thread values that are next to each other.}];
  let example = [{
    %tv = cute.raked_product(%threads, %values)
      : (!cute.layout<"(4,32):(32,1)">, !cute.layout<"(4,4):(4,1)">)
      -> !cute.layout<"((4,4),(4,32)):((512,32),(128,1))">
  }];
}

def TileToShapeOp : Cute_Functional<"tile_to_shape">, Divides {
  let summary = "a block repeated until it covers a shape; `order` says which mode is repeated first";
  let arguments = (ins AnyLayout:$input, Cute_Shape:$shape, Optional<Cute_IntTuple>:$order);
  let results = (outs AnyLayout:$result);
  let description = [{Without `order`, the first mode is repeated first.}];
  let example = [{
    %smem = cute.tile_to_shape(%atom, %shape, %order)
      : (!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">, !cute.shape<"(128,64,3)">, !cute.int_tuple<"(0,1,2)">)
      -> !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))">
  }];
  let rules = [
    Rule<"block-no-more-modes-shape", "the block has no more modes than the shape", "the block: rank 2, expected at most 1",
         "append modes of extent 1 to the shape">,
    Rule<"block-divides-shape", "the block divides the shape", "mode 1: a block of 3 does not divide 8; set cute.domain = \"extend\"",
         "choose another block, or set `cute.domain = \"extend\"`">,
    Rule<"order-permutation-modes", "the order is a permutation of the modes", "the order (0,0) must have each of 0 to 1 once",
         "write each mode once">
  ];
}

#endif
