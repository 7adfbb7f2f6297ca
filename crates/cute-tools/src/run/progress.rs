//! The bar of a long run, on standard error if that is a terminal.

use cute_launch::{Shape, simulator::Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

struct Bar(ProgressBar);

impl Progress for Bar {
    fn finished(&self) {
        self.0.inc(1);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The bar of a launch.
pub fn progress(shape: &Shape) -> Box<dyn Progress + Sync> {
    let blocks = shape.grid.iter().map(|n| u64::from(*n)).product();
    let style =
        ProgressStyle::with_template("{wide_bar} {pos} of {len} blocks, {elapsed} so far, {eta} left");
    // It is updated by time, because one block may run for long.
    let bar = ProgressBar::new(blocks).with_style(style.expect("the template is well formed"));
    bar.enable_steady_tick(Duration::from_millis(250));
    Box::new(Bar(bar))
}
