//! CuTe's layout algebra as expressions, as a library: a calculator, an editor or a page evaluates
//! and explains them with it. It reads no files, prints nothing, and needs neither MLIR nor a GPU.
//!
//! Layouts are computed by `cute-algebra`, and atoms are defined by `cute-arch`; neither may be
//! reimplemented here. Each module depends on those above it in this table:
//!
//! | module | subject |
//! |---|---|
//! | [`error`], [`leaf`], [`tilings`], [`value`] | errors, integers, atoms and their tilings, values and their text |
//! | [`structure`] | values as JSON |
//! | [`syntax`] | from text to a tree |
//! | `atoms` | atoms by parts of their names or of their instructions |
//! | [`registry`] | the functions by name: parameters, a description, an example, and the code |
//! | [`eval`] | from a tree to a value, with variables |
//! | [`explain`], [`table`], [`banks`], [`candidates`], [`tma`], [`svg`] | the steps of a call, and other views of a value |
//! | [`view`] | what a page draws of a value, and everything about one element |
//! | [`command`] | the commands by name, with their options and their help |
//! | [`request`] | requests in JSON |
//!
//! ```
//! use cute_algebra::Domain;
//! use cute_eval::eval::Session;
//!
//! let mut session = Session::new(Domain::Extend);
//! session.statement("A = (4,8):(8,1)")?;
//! assert_eq!(session.statement("size(right_inverse(A))")?.to_string(), "32");
//!
//! let steps = cute_eval::explain::explain(&session, "coalesce((2,4):(1,2))")?;
//! assert!(steps.ends_with("= 8:1\n"));
//! # Ok::<(), cute_eval::error::Error>(())
//! ```
//!
//! # Expressions
//!
//! ```text
//! $ cute-calc 'composition((20):(2), (5,4):(4,1))'
//! (5,4):(8,2)
//! $ cute-calc complement 4:32 256
//! (32,2):(1,128)
//! $ cute-calc 'A = (4,8):(8,1)' 'size(right_inverse(A))'
//! (4,8):(8,1)
//! 32
//! ```
//!
//! Functions have the field's names; `cute-calc list` shows them, `cute-calc help composition`
//! explains one. An argument is any text form of the algebra, a variable or another call:
//!
//! | form | example |
//! |---|---|
//! | integer, tuple | `8`, `(4,(2,2))` |
//! | dynamic integer | `?`, `?{div=8}`, `?{i64}`; `?8` is dynamic, with the value 8 at run time |
//! | layout | `(4,8):(8,1)`; where a layout is needed, a shape is its compact layout |
//! | composed layout | `S<3,4,3> o 0 o (8,64):(64,1)` |
//! | coordinate | `(2,_)` |
//! | tiler | `(4,8)` and `[4:1;_]` by mode, `(4,8):(1,4)` over the whole domain |
//! | basis stride | `(4,8):(1@0,1@1)` |
//! | atom | `SM80_16x8x16_F32F16F16F32_TN`, `UniversalCopy<uint128_t>`; `cute-calc atoms 'SM80_*'` lists them |
//! | a layout at a coordinate, a slice, a mode | `A(1,2)`, `A(2,_)`, `A[0]` |
//! | composition | `A o B` |
//! | arithmetic, also leaf by leaf | `2*3+1`, `7/2`, `7%2`, `shape(A)*(2,1)` |
//!
//! Tiled MMAs and tiled copies are made of atoms, and compute the part of a tensor that each thread
//! has:
//!
//! ```text
//! $ cute-calc 'm = tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])' 'partition_C(m, (64,64):(64,1), 33)'
//! tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1):(1,2,0), [32;32;16])
//!   thr_layout_vmnk = (32,2,2,1):(1,32,64,0)
//!   ..
//! offset 1026, layout ((2,2),2,4):((1,512),2048,16)
//! ```
//!
//! # Requests
//!
//! A request is an object such as `{"op":"coalesce","args":["(2,4):(1,2)"]}`, and its answer is
//! `{"result":"8:1","value":{"shape":8,"stride":1}}` or `{"error":"..."}`. Arguments are text or
//! integers; `evaluate` takes any expression. Results are text, truth values (null if unknown
//! before run time), or an object with `offset` and `layout`.
//!
//! `value` is the same result for a program without a parser: integers are numbers, tuples are
//! arrays, and whatever else a leaf may be is text (`"?{div=8}"`, `"_"`, `"1@0"`).
//!
//! | value | as JSON |
//! |---|---|
//! | layout | `{"shape":[4,8],"stride":[8,1]}` |
//! | composed layout | `{"inner":..,"offset":0,"outer":..}` |
//! | swizzle, tile | `{"swizzle":[3,4,3]}`, `{"tile":[{"shape":4,"stride":1},"_"]}` |
//! | offset with a layout | `{"offset":16,"layout":..}` |
//! | tiled MMA, tiled copy | `{"atom":"..","threads":128,"tile_mnk":[32,16,16],"layoutA_TV":..}` and so on |
//!
//! The commands can be requests too: `table` has `rows`, `columns` and `cells` as its value;
//! `banks` takes `bits`, a list `access` and `choose`; `tma` takes `element`, `as`, `copy`, `ctas`
//! and `address`; `svg` takes `bits`, `tile` and `corner`, and its result is the picture.
//! `tiled_mma` and `tiled_copy` take arguments by name too, tensors and threads among them, as in
//! `tests/vectors/cute/tiled_mma.json`, and answer with all facts of the tiling; so do
//! `gmma_smem_layout`, `smem_descriptor`, `gmma_partition`, `umma_partition`, `tmem_fragment` and
//! `tmem_copy` for tiles in shared and tensor memory.
//!
//! Placements have their operand in `self`: `{"op":"canonicalize","self":"S[(4,32) :
//! (1@warpid,1@laneid)]","args":{}, "target":"cuda"}` answers with an object of `notation` and
//! `layout`, as in `tests/vectors/tirx.json`; without a target, axes are unrelated.
//! `{"op":"placements","layout":"S[..]","shape":[8,16],"coord":[1,3]}` lists the places of an
//! element, and `{"op":"from_layout","args":["(4,8):(8,1)"]}` makes a placement of a layout. So do
//! `tmem_datapath_layout`, `tmem_mma_operand_layout`, `tcgen05_atom_layout`, `wg_local_layout`,
//! `mma_atom_layout`, `mma_shared_layout`, `sf_tmem_layout`, `sf_smem_layout` and `trainium`, with
//! arguments in order or by name; and `{"op":"construct","call":"wg_local_layout(8, rows=64)"}`, as
//! Python writes them, which answers with text. `from_thread_value`, `from_tensor_memory`,
//! `from_shared_memory` and `from_linear` make them of layouts, and `to_thread_value` and so on
//! layouts of them.
//!
//! Copies by the TMA have their operands in `inputs`:
//! `{"op":"make_tma_copy","inputs":{"op":"SM90_TMA_LOAD","element_type":"f16",
//! "gmem_address":4096,"gmem_layout":"(512,64):(64,1)","smem_layout":"(128,64):(64,1)","tiler":"(128,64)","cluster":"1"}}`,
//! as in `tests/vectors/tma.json`. The result has the box (`tma_gbasis`), the arguments of the
//! driver and the words of the descriptor, the coordinates and what each CTA copies; an error has
//! the name of its `rule`. The same holds for `make_tma_atom`, `make_tma_copy_A_sm90` (`B`, `C`),
//! `make_tma_atom_A_sm100` and `make_tma_copy_A_sm100` (`B`), and `explicit_v_map`; and
//! `multicast_mask`, `coalesce_256`, `fill_tma_gmem_shape_stride`, `swizzle_code`, `data_type` and
//! `smem_inverse` evaluate one rule each. A layout with run-time integers is given by its values;
//! its type is given in a second input whose name ends in `_type`.
//!
//! So have block-scaled MMAs, as in `tests/vectors/block_scaled.json`:
//! `{"op":"sf_layout","inputs":{"family":"sm1xx","sf_vec":32,"operand":"A",
//! "problem_shape":"(256,128,256,1)","problem_shape_type":"(?,?,?,?)"}}` answers with the layout of
//! the scale factors in global memory. The other requests are about
//!
//! * the same memory: `sf_atom`, `sf_layout_deduce`, `sf_output_layout`, `sf_tensor_layout`;
//! * types, descriptors and atoms: `narrow_type`, `instr_desc`, `instr_desc_block_scaled`,
//!   `runtime_instr_desc_block_scaled`, `mma_traits_block_scaled`, `mma_traits_sm120`;
//! * the factors of a tile of `tcgen05.mma` in shared and in tensor memory: `tmem_sf_frg`,
//!   `blockscaled_partition`, `utccp_traits`, `utccp_copy`;
//! * a tile of `mma.sync`: `sm120_blockscaled_collective`.
//!
//! Sparse matrices are refused.
//!
//! # Domain policy
//!
//! [`Domain::Strict`](cute_algebra::Domain) rejects inputs whose result breaks the operation's
//! equation, such as a composition that reaches past the left operand. `Domain::Extend` is CuTe's
//! behaviour.

#![forbid(unsafe_code)]

mod atoms;
pub mod banks;
mod block_scaled;
pub mod candidates;
pub mod command;
pub mod error;
pub mod eval;
pub mod explain;
mod inputs;
pub mod leaf;
mod matrix;
pub mod options;
mod placements;
pub mod registry;
pub mod request;
pub mod structure;
pub mod svg;
pub mod syntax;
pub mod table;
pub mod tilings;
pub mod tma;
pub mod value;
pub mod view;
