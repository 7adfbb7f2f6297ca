//! The knowledge that a cluster has of its grid and of other launches.

use crate::race::{Clocks, Dependence};
use std::collections::HashMap;

#[derive(Debug)]
pub(crate) struct Grids {
    /// The `griddepcontrol` instructions of each block.
    dependence: Vec<Dependence>,
    /// By thread, the time at which it first saw that there was no cluster left to cancel.
    refused: HashMap<u32, u32>,
}

impl Grids {
    pub(crate) fn new(blocks: u32) -> Self {
        Grids { dependence: vec![Dependence::default(); blocks as usize], refused: HashMap::new() }
    }

    /// How its blocks depend on other launches.
    pub(crate) fn dependence(&self) -> Dependence {
        Dependence::of_blocks(&self.dependence)
    }

    /// A thread of a block waits for earlier launches.
    pub(super) fn wait(&mut self, clocks: &mut Clocks, rank: u32, thread: u32) {
        clocks.wait_for_launches(thread);
        self.dependence[rank as usize].waits = true;
    }

    /// A thread of a block lets later launches begin.
    pub(super) fn let_begin(&mut self, clocks: &Clocks, rank: u32, thread: u32) {
        if !clocks.knows_launch(thread, true) {
            self.dependence[rank as usize].lets_begin = true;
        }
    }

    /// A thread sees that there is no cluster left to cancel.
    pub(super) fn refuse(&mut self, clocks: &Clocks, thread: u32) {
        self.refused.entry(thread).or_insert(clocks.now());
    }

    /// Whether a thread knows that there is no cluster left to cancel.
    pub(super) fn knows_refusal(&self, clocks: &Clocks, thread: u32) -> bool {
        self.refused.iter().any(|(other, time)| clocks.knows(thread, *other, *time))
    }
}
