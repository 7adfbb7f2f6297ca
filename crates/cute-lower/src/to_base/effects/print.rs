//! Messages of the kernel.

use cute_algebra::{Int, Width};
use cute_dialect::ops::print::{PrintfArgument, printf};

use super::{Lowered, Site};
use crate::{emit::ops::address_as_integer, print::Stream};

/// `print`.
pub fn print<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let printf = at.ask(printf(at.call))?;
    let graph = at.graph();
    let arguments = printf.arguments.iter().map(|argument| match argument {
        PrintfArgument::Integer(leaf) => {
            graph.value(&leaf.materialize(leaf.dim().width().unwrap_or(Width::I32)))
        }
        PrintfArgument::Address(address) => address_as_integer(at.op, graph.value(address), Width::I64),
    });
    let arguments: Vec<_> = arguments.collect();
    at.formats.write(at.op, Stream::Output, &printf.format, &arguments)?;
    Ok(Vec::new())
}
