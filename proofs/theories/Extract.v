(** The definitions as OCaml, for proofs/oracle. *)
From Cute Require Import Strict Mixed.
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Coq Require Import ExtrOcamlZBigInt.
Extraction Language OCaml.
Extraction "extracted.ml"
  make eval_at strict_eval coord_in strict_idx2crd index_in strict_index_in size cosize is_compact is_contiguous
  coalesce at_terminals filter_layout flatten group compose_tile composition complement complement_in_cosize
  strict_complement strict_complement_in_cosize divide_tile logical_divide product_tile logical_product
  right_inverse left_inverse strict_left_inverse make_swizzle apply period tile_of_shape tmap leaves
  mmake mtile_of_shape mcomposition mcomplement mcomplement_in_cosize mlogical_divide mlogical_product mright_inverse
  mleft_inverse.
