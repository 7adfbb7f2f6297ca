//! Choices of layouts: candidates as data, their cost, and an exact search for the best of them.
//!
//! A *site* is a place whose layout is open, such as a tile in shared memory. A *use* is what reads
//! or writes it, and costs wavefronts, sectors and instructions under a choice of layouts.
//! [`search()`] chooses a candidate for every site, so that the sum of the costs of all uses is as
//! low as possible.
//!
//! ```
//! use cute_algebra::{parse_layout, parse_shape};
//! use cute_arch::banks::Access;
//! use cute_plan::{TileSpec, plan_tile};
//! let tile = TileSpec { shape: parse_shape("(8,64)")?.to_const().unwrap(), bits: 16, most: None, vector: 8 };
//! let access = |name: &str, text| Access {
//!     name: name.into(),
//!     layout: parse_layout(text).unwrap().to_const().unwrap(),
//!     vector: Some(8),
//! };
//! // Eight threads write a row of 128 bytes, and read eight rows, 16 bytes each, as ldmatrix does.
//! let accesses = [(access("store", "(8,8):(64,8)"), 1), (access("ldmatrix", "(8,8):(1,8)"), 1)];
//! let plan = plan_tile(&tile, &accesses)?;
//! assert_eq!(plan.candidate.text, "S<3,3,3> o 0 o (8,64):(64,1)");
//! assert_eq!(plan.solution.cost.wavefronts, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | subject |
//! |---|---|
//! | [`tile`] | a tile in shared memory, and the candidates for its layout |
//! | [`copies`](mod@copies) | the candidates for the threads and values of a tiled copy |
//! | [`cost`] | costs of choices, and their order |
//! | [`lanes`] | executed accesses, as addresses of lanes, and a swizzle for them |
//! | [`search`](mod@search) | the search for the best choice |
//! | [`uses`] | accesses of a tile by thread-value layouts, as a problem to search |

#![forbid(unsafe_code)]

pub mod copies;
pub mod cost;
mod identity;
pub mod lanes;
pub mod search;
pub mod tile;
pub mod uses;

pub use copies::{CopyCandidate, Copying, copies};
pub use cost::Cost;
pub use search::{Excluded, NoChoice, Problem, Rule, RunnerUp, Solution, search};
pub use tile::{BasisMode, Kind, LayoutCandidate, TileSpec, tiles};
pub use uses::{PlanError, TilePlan, TileProblem, plan_tile};
