//! The values of attributes whose bodies are text.

use cute_ffi::ir::placement_text;
use cute_placement::Placement;
use melior::ir::Attribute;

/// The placement of a `#cute.placement`; `None` for another attribute.
pub fn placement(a: Attribute<'_>) -> Option<Placement> {
    let text = placement_text(a)?;
    Some(text.parse().expect("the attribute holds the normal form that its parser made"))
}
