//! `alloca`, `stacksave` and `stackrestore` (PTX ISA, Stack Manipulation Instructions).

use super::{check, check_failures};

/// Memory is allocated and freed from the end, and what lies before it keeps its bytes.
#[test]
fn memory_is_allocated_and_freed_from_the_end() {
    check(&[
        ("alloca.u64 d7, 16; st.local.u32 [d7+12], r0; ld.local.u32 r8, [d7+12];", &[7], &[7]),
        ("alloca.u64 d7, d0, 16; st.local.v4.u32 [d7], {r1, r1, r1, r1}; ld.local.u32 r8, [d7+12];", &[16, 5], &[5]),
        ("alloca.u64 d7, 8, 8388608; st.local.u64 [d7], d0; cvta.local.u64 d7, d7; ld.u64 d8, [d7];", &[9], &[9]),
        (
            "alloca.u64 d6, 4; st.local.u32 [d6], r0; stacksave.u64 d7; alloca.u64 d9, 4; st.local.u32 [d9], r1;
             stackrestore.u64 d7; ld.local.u32 r8, [d6];",
            &[3, 4],
            &[3],
        ),
        // A loop that frees what it allocated does not run out of memory: 600 times 1 KiB.
        (
            "mov.u32 r8, 0; stacksave.u64 d6; L: alloca.u64 d7, 1024; st.local.u32 [d7+1020], r8;
             ld.local.u32 r8, [d7+1020]; add.u32 r8, r8, 1; stackrestore.u64 d6; setp.lt.u32 p7, r8, 600; @p7 bra L;",
            &[],
            &[600],
        ),
        // Two pointers that were saved, of which the outer one is restored.
        (
            "stacksave.u64 d6; alloca.u64 d7, 8; stacksave.u64 d7; alloca.u64 d9, 8; stackrestore.u64 d6;
             alloca.u64 d9, 4; st.local.u32 [d9], r0; ld.local.u32 r8, [d9];",
            &[6],
            &[6],
        ),
        // Nothing is allocated: a size of 0.
        ("stacksave.u64 d6; alloca.u64 d7, 0; stackrestore.u64 d6; mov.u32 r8, r0;", &[1], &[1]),
    ]);
}

#[test]
fn bounds_and_stack_pointers_are_checked() {
    check_failures(&[
        ("alloca.u64 d7, 16; st.local.u32 [d7+16], r0;", &[1], "4 bytes at byte 16"),
        ("alloca.u64 d7, 16; st.local.u32 [d7-4], r0;", &[1], "4 bytes at byte -4"),
        ("alloca.u64 d7, 0; st.local.u8 [d7], r0;", &[1], "1 bytes at byte 0"),
        ("alloca.u64 d7, 16; st.local.u32 [d7+2], r0;", &[1], "is not aligned to 4 bytes"),
        (
            "stacksave.u64 d6; alloca.u64 d7, 16; stackrestore.u64 d6; st.local.u32 [d7], r0;",
            &[1],
            "is not in an allocation",
        ),
        ("alloca.u64 d7, d0;", &[1 << 40], "bytes of local memory; the limit is"),
        ("alloca.u64 d7, d0;", &[u64::MAX], "bytes of local memory; the limit is"),
        ("stackrestore.u64 d0;", &[77], "0x4d is not a stack pointer that `stacksave` returned"),
        (
            "alloca.u64 d6, 8; stacksave.u64 d6; add.u64 d6, d6, 8; stackrestore.u64 d6;",
            &[],
            "is not a stack pointer that `stacksave` returned",
        ),
        (
            "stacksave.u64 d6; alloca.u64 d7, 8; stacksave.u64 d7; stackrestore.u64 d6; stackrestore.u64 d7;",
            &[],
            "is not a stack pointer that `stacksave` returned",
        ),
        ("stackrestore.u64 d7;", &[], "undefined"),
        ("alloca.u64 d7, d6;", &[], "undefined"),
        ("alloca.u64 d7, 8, 3;", &[], "the alignment 3: it must be a power of 2 up to 2^23"),
        ("alloca.u64 d7, 8, 0;", &[], "the alignment 0: it must be a power of 2 up to 2^23"),
        ("alloca.u64 d7, 8, 16777216;", &[], "the alignment 16777216"),
        ("stacksave.u32 r7;", &[], "an address of local memory in 32 bits is not modelled"),
    ]);
}
