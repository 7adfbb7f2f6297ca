//! Divides a matrix among threads, and prints what a few of them hold:
//!
//!     cargo run -p cute-algebra --example partition -- '(64,?{div=8}):(?{div=8},1)' '(8,4):(4,1)'
//!
//! The arguments are the layout of the matrix and the layout of the threads on it. `?` is an
//! integer that only the kernel knows.

use std::{env, error::Error};

use cute_algebra::{Dim, local_partition, parse_layout, size};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let mut layout = |default: &str| parse_layout(&arguments.next().unwrap_or(default.into()));
    let matrix = layout("(64,?{div=8}):(?{div=8},1)")?;
    let threads = layout("(8,4):(4,1)")?;
    for thread in 0..size(&threads)?.as_static().unwrap_or(1).min(6) {
        let (part, first) = local_partition(&matrix, &threads, &Dim::fixed(thread))?;
        println!("thread {thread}: {part}, from offset {first}");
    }
    Ok(())
}
