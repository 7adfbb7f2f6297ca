//! Many compilations, from many threads, with one session.

mod common;

use std::{
    env,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use common::*;

/// glibc's counters of its heap.
#[repr(C)]
#[derive(Default)]
struct Heap {
    arena: usize,
    free_chunks: usize,
    fast_blocks: usize,
    mapped: usize,
    mapped_bytes: usize,
    unused: usize,
    fast_bytes: usize,
    used_bytes: usize,
    free_bytes: usize,
    top_bytes: usize,
}

unsafe extern "C" {
    fn mallinfo2() -> Heap;
}

/// The bytes that are allocated.
fn used() -> usize {
    // SAFETY: it takes nothing.
    let heap = unsafe { mallinfo2() };
    heap.used_bytes + heap.mapped_bytes
}

const THREADS: usize = 8;

/// Compiles a number of times, from all threads, and returns the number of results that differ.
fn compile(session: &Session, count: usize, expected: &str) -> usize {
    let (left, different) = (AtomicUsize::new(count), AtomicUsize::new(0));
    let take = || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while take() {
                    let made = session.compile(COPY);
                    if made.status != OK || made.part(CODE) != expected {
                        different.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    different.into_inner()
}

#[test]
fn threads_make_the_same_bytes_and_lose_no_memory() {
    let session = Session::new(&[("target", "sm_90a")]);
    let expected = session.compile(COPY).part(CODE);
    let (first, rest) = if env::var_os("CUTE_FULL").is_some() { (100, 900) } else { (25, 25) };
    assert_eq!(compile(&session, first, &expected), 0);
    let before = used();
    assert_eq!(compile(&session, rest, &expected), 0);
    let after = used();
    assert!(after < before + (1 << 20), "the heap grew from {before} to {after} bytes");
}
