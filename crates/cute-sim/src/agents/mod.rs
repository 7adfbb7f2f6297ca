//! The agents that execute asynchronous operations, and so complete them.

mod landing;
mod waits;
