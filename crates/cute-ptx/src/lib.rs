//! PTX as data.
//!
//! An instruction reaches the machine in three spellings. Each [`Row`] of the table states all of
//! them, and the [`Operation`] that they mean:
//!
//! | | `redux.sync`: the least number in a warp, in every lane |
//! |---|---|
//! | PTX | `redux.sync.min.u32 d, a, mask;` |
//! | NVVM | `nvvm.redux.sync umin %a, %mask : i32 -> i32` |
//! | LLVM | `llvm.nvvm.redux.sync.umin(i32 a, i32 mask)` |
//!
//! The spellings differ in words (`min.u32` and `umin`), and in the order of operands. So a row has
//! a [form](form) for each spelling, which names its modifiers and operands; the words of modifiers
//! are beside the rows, or in [`words`]. A reader finds the form, binds operands to their
//! [`Role`]s, and needs no knowledge about the instruction beyond that:
//!
//! ```
//! use cute_ptx::{Keyword, Operation, Redux, Spelling, find};
//!
//! let [ptx] = &find(Spelling::Ptx, "redux.sync.min.u32")[..] else { panic!("one form") };
//! let [intrinsic] = &find(Spelling::Intrinsic, "redux.sync.umin")[..] else { panic!("one form") };
//! assert_eq!(ptx.row.operation, Operation::Redux);
//! assert_eq!(ptx.keyword::<Redux>(), Some(Redux::MinU));
//! assert_eq!(ptx.keyword::<Redux>(), intrinsic.keyword::<Redux>());
//! // The lowering writes the same words.
//! assert_eq!(Redux::MinU.word(Spelling::Nvvm), Some("umin"));
//! ```
//!
//! | module | subject |
//! |---|---|
//! | [`form`] | the patterns of names and operands |
//! | [`keyword`] | modifiers and their words |
//! | [`words`] | the modifiers that several families of instructions have |
//! | [`Takes`] | the registers that an operand takes |
//! | [`mnemonics`] | all mnemonics, and which of them run |
//! | [`llvm`] | all of LLVM's intrinsics and ops for NVVM, and which of them run |
//! | [`mma`], [`wgmma`], [`wmma`] | the names of products, which follow from the atom |
//! | [`syntax`] | the grammar of files and of inline assembly |
//! | [`table`] | the search among the rows |
//! | `rows` | the instructions, a file for each family, with its words, roles and refusals |

#![forbid(unsafe_code)]

mod family;
pub mod form;
pub mod keyword;
pub mod llvm;
pub mod mnemonics;
mod modifiers;
mod operation;
mod role;
mod row;
mod rows;
pub mod syntax;
pub mod table;
mod takes;
pub mod words;

pub use form::{Attribute, Form, FoundModifiers, Operand, OperandShape, OwnType};
pub use keyword::{Keyword, Spelling};
pub use operation::{Float, Integer, Operation};
pub use role::Role;
pub use row::Row;
pub use rows::*;
pub use table::{Instruction, find, rows};
pub use takes::Takes;
pub use words::*;
