//! Files of PTX that other compilers made of kernels in Triton and CUDA C++: `tests/foreign` has
//! the kernels, their PTX and their launches.

mod bad;
mod bugs;
mod case;
mod corpus;
mod files;
#[path = "../../../../tests/common/full.rs"]
mod full;
mod launching;
mod passing;
#[path = "../../../../tests/common/record.rs"]
mod record;
mod reports;
mod variables;
