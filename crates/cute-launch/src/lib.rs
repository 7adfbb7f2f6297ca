//! Launches of kernels: the arrays and scalars that they are passed, the checks that a device would
//! make, and runs in the simulator.
//!
//! | module | subject |
//! |---|---|
//! | [`element`], [`packed`] | element types of arrays, and elements of less than a byte |
//! | [`allow`] | findings that a user accepts |
//! | [`argument`], [`address`], [`map`] | arrays, numbers, addresses and tensor maps as a caller writes them |
//! | [`structure`], [`relocated`], [`hole`] | bytes with addresses and tensor maps in them |
//! | [`array`], [`initial`], [`after`] | arrays as a run begins with them, and after it |
//! | [`fill`] | arrays under the layouts of views |
//! | [`bind`] | the arguments of a kernel or host function |
//! | [`ptx`], `beside` | files of PTX, and several in one run |
//! | [`recognise`] | files that are given in the place of PTX |
//! | [`mod@launch`] | launches, checked as the device would check them |
//! | [`launches`] | several launches, with streams, events and copies |
//! | [`plan`] | launches as calls of the CUDA driver |
//! | `requested`, `expected` | the requested launch of a kernel, and what the kernel states of it |
//! | [`job`], [`report`] | requested runs, the interface of a place that runs them, and its report |
//! | [`error`], [`failure`] | why there is no report, and its form in JSON |
//! | [`mod@simulate`], [`only`] | one launch in the simulator, or some of its blocks |
//! | [`simulator`], [`sample`] | the simulator as a place, under several schedules |
//! | `started` | how the threads of a launch begin |
//! | [`elected`] | mistakes that rely on the lane that an `elect.sync` elects |
//! | [`compare`] | comparisons of arrays |
//! | [`variant`] | runs with other inputs, whose errors are taken aside |
//! | [`coverage`] | the elements of arrays that kernels have written |

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod address;
pub mod after;
pub mod allow;
pub mod argument;
pub mod array;
mod beside;
pub mod bind;
pub mod compare;
pub mod coverage;
pub mod elected;
pub mod element;
pub mod error;
mod expected;
pub mod failure;
pub mod fill;
pub mod hole;
pub mod initial;
pub mod job;
pub mod launch;
pub mod launches;
pub mod map;
pub mod only;
pub mod packed;
pub mod plan;
pub mod ptx;
pub mod recognise;
pub mod relocated;
pub mod report;
mod requested;
pub mod sample;
pub mod simulate;
pub mod simulator;
mod started;
pub mod structure;
pub mod variant;

pub use allow::Allow;
pub use beside::{NamedKernels, OtherFile};
pub use error::{Error, Result};
pub use job::{Host, Job};
pub use launch::{Launch, Shape};
pub use launches::LaunchesFile;
pub use only::OnlyBlocks;
pub use plan::DriverPlan;
pub use ptx::Ptx;
pub use started::started;
