//! `tcgen05`: tensor memory, and the operations that threads issue to the tensor cores.
//!
//! A thread's MMAs, copies and commits are in a *queue*, and are executed in the order of issue. A
//! warp's loads and stores of tensor memory are executed at once, but other threads learn of them
//! only from a thread that has waited for them.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `model` | `tcgen05.mma` as a function of numbers |
//! | `queue` | what has been issued, and what waits for columns |
//! | `act` | the function for each operation |
//! | `columns` | allocation of columns |
//! | `access`, `unwaited` | loads and stores; those that are over although nothing has waited for them |
//! | `words` | words of tensor memory by their addresses |
//! | `issue`, `rows`, `commit` | the issue of an MMA, a copy or a commit, with the checks of that time |
//! | `complete`, `tasks` | the order in which queues are executed; MMAs and copies as functions of memory |

mod access;
pub(crate) mod act;
pub(crate) mod columns;
mod commit;
pub(crate) mod complete;
mod issue;
pub(crate) mod model;
pub mod op;
pub(crate) mod queue;
mod rows;
pub(crate) mod rules;
mod tasks;
mod unwaited;
mod words;
