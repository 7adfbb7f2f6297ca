//! The attributes of kernels and host functions that state which extents must be equal, and how
//! many blocks a launch needs.

use cute_manifest::{
    Argument, Expected, Extent,
    expected::{EQUAL_EXTENTS, GRID},
};
use melior::ir::{
    attribute::{ArrayAttribute, StringAttribute},
    operation::{OperationLike, OperationRef},
};

/// The extents that must be equal for a kernel or host function, and its number of blocks.
///
/// # Errors
/// The text that is wrong.
pub fn of(f: OperationRef<'_, '_>) -> std::result::Result<Expected, String> {
    let texts = |name: &str| {
        let Ok(given) = f.attribute(name) else { return Ok(Vec::new()) };
        let wrong = || format!("{name} is a list of texts, found {given}");
        let list = ArrayAttribute::try_from(given).map_err(|_| wrong())?;
        let text = |i| {
            let text = StringAttribute::try_from(list.element(i).ok()?).ok()?;
            Some(text.value().to_owned())
        };
        (0..list.len()).map(|i| text(i).ok_or_else(wrong)).collect()
    };
    Expected::read(&texts(EQUAL_EXTENTS)?, &texts(GRID)?)
}

/// Checks that arguments have the extents that are named.
///
/// # Errors
/// The extent that none has.
pub fn check(expected: &Expected, arguments: &[Argument]) -> std::result::Result<(), String> {
    let has = |extent: &Extent| {
        let argument = arguments.get(extent.argument);
        argument.is_some_and(|argument| argument.axes.iter().flatten().any(|axis| axis.mode == extent.mode))
    };
    match expected.extents().find(|extent| !has(extent)) {
        None => Ok(()),
        Some(extent) => Err(format!("no argument has the extent {extent}")),
    }
}
