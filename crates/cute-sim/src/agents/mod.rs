//! The agents that execute asynchronous operations, and so complete them.

pub(crate) mod landing;
mod waits;
