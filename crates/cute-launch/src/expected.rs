//! Checks a launch with what its kernel or host function states of extents and blocks.

use cute_manifest::{Expected, Extent, Passed};

use crate::bind::{Callee, Value};

/// The extent of an argument that is bound: one of its type, or the value that is passed.
fn extent(callee: &Callee<'_>, values: &[Value], of: &Extent) -> Option<u64> {
    let argument = callee.arguments().get(of.argument)?;
    let axis = argument.axes.iter().flatten().find(|axis| axis.mode == of.mode)?;
    let known = axis.extent.or_else(|| {
        let is_it = |leaf: &Passed| {
            leaf.argument == argument.name && leaf.leaf.leaf == "extent" && leaf.leaf.mode == of.mode
        };
        let at = callee.leaves().iter().position(is_it)?;
        values.get(at).and_then(Value::number)
    });
    u64::try_from(known?).ok()
}

/// The extents that must be equal and are not.
pub(crate) fn unequal(expected: &Expected, callee: &Callee<'_>, values: &[Value]) -> Option<String> {
    let named = |of: &Extent| of.named(callee.arguments());
    expected.equal.iter().find_map(|group| {
        let known: Vec<(&Extent, u64)> =
            group.iter().filter_map(|of| Some((of, extent(callee, values, of)?))).collect();
        let (first, number) = known.first()?;
        let (other, found) = known.iter().find(|(_, found)| found != number)?;
        let all: Vec<String> = group.iter().map(named).collect();
        let (first, other, all) = (named(first), named(other), all.join(" = "));
        Some(format!("{first} is {number}, but {other} is {found}: these extents must be equal, {all}"))
    })
}

/// The blocks that the extents of the arguments need; `None` if the grid is free.
pub(crate) fn grid(expected: &Expected, callee: &Callee<'_>, values: &[Value]) -> Option<[u32; 3]> {
    if expected.grid.is_empty() {
        return None;
    }
    let mut grid = [1; 3];
    for (to, blocks) in grid.iter_mut().zip(&expected.grid) {
        let number = blocks.of(extent(callee, values, &blocks.extent)?);
        *to = u32::try_from(number.max(1)).unwrap_or(u32::MAX);
    }
    Some(grid)
}

/// The needed blocks, and how they follow from extents, for a message.
pub(crate) fn grid_text(expected: &Expected, callee: &Callee<'_>, [x, y, z]: [u32; 3]) -> String {
    let each: Vec<String> = expected.grid.iter().map(|blocks| blocks.named(callee.arguments())).collect();
    format!("({x}, {y}, {z}): {}", each.join(", "))
}
