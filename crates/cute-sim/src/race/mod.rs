//! Data races: two accesses of a byte, one of them a write, that nothing orders.
//!
//! *Order* is happens-before. A cluster counts time in steps of its synchronisations. [`Clocks`]
//! stores, for each pair of threads, the time up to which the one knows the accesses of the other.
//! [`Cell`] stores, for each word of memory, the accesses with which a later one must be ordered. A
//! full barrier of the block orders everything before it at once, and is one number.

mod clock;
mod every;
mod foreign;
mod former;
mod global;
mod relaxed;
mod scope;
mod shadow;
mod sync;
mod tensor;
mod view;
mod window;

pub(crate) use clock::{AGENT, Clocks, FenceSpaces, Known};
pub(crate) use foreign::Foreign;
pub(crate) use former::{Beside, Dependence, Executed, Launches, Operated, Touched};
pub(crate) use global::GlobalShadow;
pub(crate) use relaxed::Relaxed;
pub use scope::{Order, Scope};
use shadow::FormerKnown;
pub(crate) use shadow::{Acting, Cell, Gap, Needs, Race, Reach, Record, Who};
pub(crate) use sync::{Accessor, Location, Published, SyncTable, Written};
pub(crate) use tensor::{MissingFence, TensorOrder};
pub(crate) use view::View;
pub(crate) use window::Window;
