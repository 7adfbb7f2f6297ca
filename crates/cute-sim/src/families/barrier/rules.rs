//! Rules of the numbered barriers of a block.

crate::isa::rules! {
    "C4", "named barriers are numbered 0 to 15; each use of one has one thread count, a multiple of 32, and no thread arrives in it twice, but one that has arrived may wait in it, and then counts twice; whoever takes part in the next use knows that this one is complete; forms with `.aligned`, and `bar`, are executed by all lanes of a warp that have not returned; a barrier without a count waits for the threads that have not returned; all threads of a use with a reduction execute the same one",
        "bar / barrier", "`barrier`, `barrier_counts`, `barrier_filled`, `barrier_shared`, `barrier_mixed`, `returned_threads`, `divergence`";
}
