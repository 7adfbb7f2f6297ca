//! The `cute` dialect for MLIR: a plugin for stock tools, and a library to embed.

pub use cute_algebra as algebra;
pub use cute_dialect as dialect;
pub use cute_lower as lower;

cute_dialect::export_plugin!(cute_lower::register_passes);
