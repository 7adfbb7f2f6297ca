//! Rules of the memory model for threads.

crate::isa::rules! {
    "R1", "a weak load that races with a store of its size by a thread of its cluster is an error once its value is used: as an address, a condition, a predicate, an operand of a store, an atomic, a barrier, a vote, a reduction or an asynchronous operation; until then the value is followed through registers, and through shuffles to those of other threads",
        "Memory Consistency Model: Data races", "`race`; `race_unused` (note) if nothing uses the value; `race_compared` (note) if it is only what a compare-and-swap of the bytes expects";
    "R2", "two threads that write the same bytes write the same value, or are ordered; lanes of one instruction may differ in the last bits of a sum that they computed by shuffles",
        "Memory Consistency Model: Data races", "`race`; `race_rounded` (portability) for such a sum; `same_value` (note) for one value of two blocks";
    "C10", "data that another thread wrote is read after a release pattern and an acquire pattern on one location, whose scopes include both threads: see [memory model](#memory-model)",
        "Memory Consistency Model", "`race`";
}
