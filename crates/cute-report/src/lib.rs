//! Runs of the simulator to look at: timelines for Perfetto and Chrome, and reports of one page.
//!
//! | module | subject |
//! |---|---|
//! | [`timeline`] | what happened in which order: an observer of the simulator |
//! | [`trace`] | timelines as files |
//! | [`page`] | reports of runs as HTML |
//! | [`autopsy`] | words of mbarriers from a debugger, beside the PTX of the kernel that hangs |
//! | [`annotations`] | findings for services that show them beside the source |
//!
//! Nothing is counted here: the numbers are those of the simulator's report.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod annotations;
pub mod autopsy;
pub mod page;
pub mod timeline;
pub mod trace;

#[cfg(test)]
mod testing;
