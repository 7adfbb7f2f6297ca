//! Rules of `cp.async`, and copies that are still under way.

use crate::block::Triple;
use cute_machine::place::SourcePlace;
use serde::Serialize;
use std::fmt;

crate::isa::rules! {
    "M17", "`cp.async.mbarrier.arrive` raises the pending count unless it has `.noinc`",
        "cp.async.mbarrier.arrive", "`deadlock`";
}

/// The role of a byte in a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum CopyRole {
    Source,
    /// It is written.
    Target,
}

impl fmt::Display for CopyRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyRole::Source => "source",
            CopyRole::Target => "target",
        })
    }
}

/// An asynchronous copy that no wait has completed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PendingCopy {
    /// The operation's name.
    pub op: String,
    /// The source location.
    pub location: SourcePlace,
    /// The thread that issued it.
    pub thread: [u32; 3],
    /// Groups that the thread has committed after the copy's own; `None` if that is not committed
    /// itself.
    pub younger: Option<u32>,
    /// Whether another thread than the one that uses the byte issued it.
    pub foreign: bool,
}

pub(crate) fn pending(copy: &Option<Box<PendingCopy>>) -> String {
    let Some(copy) = copy else { return String::new() };
    let PendingCopy { op, location, thread, younger, foreign } = &**copy;
    let thread = Triple(thread);
    let fix = match younger {
        None => "commit it (`cp.async.commit.group`), then wait for its group; or let it signal an mbarrier \
                 (`cp.async.mbarrier.arrive`), and wait for that"
            .to_owned(),
        Some(younger) => format!(
            "{younger} younger {} committed after its group, so `cp.async.wait.group {younger}` would complete it",
            if *younger == 1 { "group is" } else { "groups are" }
        ),
    };
    let barrier = if *foreign { "; a barrier has to follow the wait of that thread" } else { "" };
    format!(", `{op}` ({location}) by thread {thread}: {fix}{barrier}")
}
