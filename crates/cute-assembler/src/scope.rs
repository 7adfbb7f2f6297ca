//! The threads that a scope names.

use cute_ptx::MemoryScope;
use cute_sim::program::Scope;

/// The threads that a scope of PTX names.
pub fn scope_of(scope: MemoryScope) -> Scope {
    match scope {
        MemoryScope::Block => Scope::Block,
        MemoryScope::Cluster => Scope::Cluster,
        MemoryScope::Device | MemoryScope::System => Scope::Device,
    }
}
