//! The agents that execute asynchronous operations, and so complete them.

mod bulk;
mod maps;
mod tensor;
mod transit;
mod waits;
mod wgmma;
