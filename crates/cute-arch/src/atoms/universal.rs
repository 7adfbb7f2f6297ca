//! What every GPU does in one thread.

use super::copy::{CopyFamily, THREAD};

pub(super) const COPY: &[CopyFamily] =
    &[CopyFamily { name: "UniversalCopy<uint{x}_t>", x: &[8, 16, 32, 64, 128], ..THREAD }];
