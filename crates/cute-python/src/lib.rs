//! The Python package `cute-mlir`: layouts, their functions and pictures, and the simulator.
//!
//! This crate translates between Python and the crates that compute: `cute-eval` evaluates, and
//! `cute-launch` binds arrays and simulates. It must not compute a layout itself.
//!
//! | module | subject |
//! |---|---|
//! | [`errors`] | exceptions |
//! | [`convert`] | values of Python as values of the algebra, and back |
//! | [`policy`] | the domain policy of a thread |
//! | [`layout`] | the class `Layout` |
//! | [`expression`] | the classes of all other values |
//! | [`functions`] | functions by name, requests, batches |
//! | [`arrays`] | arrays of numpy and of DLPack |
//! | [`device`] | the limits of a GPU |
//! | [`tensor_map`] | descriptors of the TMA |
//! | [`contents`] | structs, and bytes with addresses in them |
//! | [`passing`] | arguments of a launch in objects of Python |
//! | [`mutate`] | tests that are asked about mutants |
//! | [`program`] | programs, and runs of them |
//! | [`proof`] | answers about all sizes of a launch |

mod arrays;
mod contents;
mod convert;
mod device;
mod errors;
mod expression;
mod finding;
mod functions;
mod layout;
mod mutate;
mod passing;
mod policy;
mod program;
mod proof;
mod tensor_map;

use pyo3::prelude::*;

/// The native half of `cute_mlir`.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::{
        arrays::{element_name, first_byte},
        contents::{Address, Contents},
        device::limits,
        expression::{Atom, ComposedLayout, E, Expression, Int, Swizzle, Tile, TiledCopy, TiledMma},
        finding::{Finding, Party, Place},
        functions::{call, compositions, divides, evaluate, explain, is_ptx, make_layout_tv, names, request},
        layout::Layout,
        mutate::{NoScoreError, judge, trial_goes_on},
        policy::{policy, set_policy},
        program::{Program, Run, allow_list, merged_sarif},
        proof::Proof,
        tensor_map::TensorMap,
    };

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
