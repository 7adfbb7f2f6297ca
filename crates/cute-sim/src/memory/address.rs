//! The encoding of a pointer in 64 bits.
//!
//! | bits | holds |
//! |---|---|
//! | 56..54 | in a generic, global or constant pointer the address space; in a shared or local one 0 |
//! | 53..38 | the allocation |
//! | 37..0 | the byte: in shared memory the rank of its block from bit 24 on, below it the address in that block's window; elsewhere the offset from 2^37 |
//!
//! A generic pointer, or one of global memory, without an address space in bits 56..54 is of memory
//! that [the host shares](super::Memory::share), which is at the same address there:
//!
//! | bits | holds |
//! |---|---|
//! | 46..33 | the allocation, from 1 on |
//! | 32..0 | the byte, as the offset from 2^32 |
//!
//! No pointer has more than 57 bits, so that a tensor map can hold one of global memory, as on the
//! device.
//!
//! The allocation is part of the pointer, so that an access which runs from one object into its
//! neighbour is found. A shared pointer truncated to 32 bits is its plain address, as on the
//! device; such an address belongs to whatever object lies there. A local pointer has 32 bits from
//! the start, because code may keep it in a register of that size: the number of the allocation
//! from 1 on, and 21 bits for the byte, as the offset from 2^20. One that does not fit is encoded
//! as above. Offsets start in the middle of their field, and the window at [`SHARED_BASE`], so that
//! a small negative offset does not change the allocation.

use crate::finding::FindingKind;

/// First address of the shared memory that a kernel may use. The device reserves 1 KiB below it.
pub const SHARED_BASE: u64 = 1024;

pub use cute_arch::space::{CLUSTER, CONSTANT, GLOBAL, LOCAL, SHARED, TENSOR};

/// The lowest bit of a block's rank in an address of shared memory.
pub const RANK_SHIFT: u32 = 24;

const BYTE_BITS: u32 = 38;
const TAG_SHIFT: u32 = 54;
pub(super) const ORIGIN: u64 = 1 << (BYTE_BITS - 1);

/// The lowest bit of the allocation in the address of memory that the host shares, and the number
/// of bits of such an address: a process has no more.
const HOST_SHIFT: u32 = 33;
const HOST_BITS: u32 = 47;
const HOST_ORIGIN: u64 = 1 << (HOST_SHIFT - 1);

/// The most bytes of an allocation that the host shares.
pub const MOST_SHARED_BYTES: u64 = HOST_ORIGIN;

/// There are at most this many allocations of each kind.
pub const MAX_ALLOCATIONS: u32 = 1 << (TAG_SHIFT - BYTE_BITS);

/// A decoded pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    /// The address space.
    pub space: u32,
    /// The number of the allocation in that space.
    pub allocation: u32,
    /// From the start of the allocation, or in shared memory the address in the window.
    pub byte: i64,
}

/// The bits for the byte in a local pointer of 32 bits.
const LOCAL_BYTE_BITS: u32 = 21;
const LOCAL_ORIGIN: i64 = 1 << (LOCAL_BYTE_BITS - 1);

/// A pointer to byte `byte` of an allocation, as a pointer of its own address space holds it.
pub fn pointer(space: u32, allocation: u32, byte: u64) -> u64 {
    if space == LOCAL
        && let Some(short) = local(allocation, byte as i64)
    {
        return short;
    }
    encode(space, allocation, byte)
}

/// The address of memory that the host shares; `None` if a process has no such address.
pub(crate) fn of_host(allocation: u32) -> Option<u64> {
    let at = u64::from(allocation) << HOST_SHIFT | HOST_ORIGIN;
    (allocation > 0 && at >> HOST_BITS == 0).then_some(at)
}

/// Whether an address has the form of those that the host shares.
pub(crate) fn is_of_host(address: u64) -> bool {
    (1 << HOST_SHIFT..1 << HOST_BITS).contains(&address)
}

/// A local pointer of 32 bits, if the allocation and the byte fit.
fn local(allocation: u32, byte: i64) -> Option<u64> {
    let number = u64::from(allocation) + 1;
    let fits = number < 1 << (32 - LOCAL_BYTE_BITS) && (-LOCAL_ORIGIN..LOCAL_ORIGIN).contains(&byte);
    fits.then(|| number << LOCAL_BYTE_BITS | (byte + LOCAL_ORIGIN) as u64)
}

fn encode(space: u32, allocation: u32, byte: u64) -> u64 {
    let origin = if space == SHARED { 0 } else { ORIGIN };
    let tag = if space == SHARED || space == LOCAL { 0 } else { u64::from(space) << TAG_SHIFT };
    tag | u64::from(allocation) << BYTE_BITS | origin.wrapping_add(byte)
}

/// A pointer to constant memory in 32 bits, as code holds the address of a parameter, and LLVM that
/// of a constant: the number of
/// the allocation from 1 on, and 16 bits for the byte. `None` for other pointers, and for others
/// that do not fit.
pub fn short(address: u64) -> Option<u64> {
    let Parts { space: CONSTANT, allocation, byte } = parts(address, CONSTANT).ok()? else { return None };
    let number = u64::from(allocation) + 1;
    (number < 1 << 16 && (0..1 << 16).contains(&byte)).then_some(number << 16 | byte as u64)
}

/// A pointer of this address space in 64 bits, if it has 32; any other as it is.
fn long(address: u64, space: u32) -> u64 {
    let (bits, origin) = match space {
        CONSTANT => (16, 0),
        LOCAL => (LOCAL_BYTE_BITS, LOCAL_ORIGIN),
        _ => return address,
    };
    match (address >> bits) as u32 {
        number @ 1.. if address >> 32 == 0 => {
            let byte = (address & ((1 << bits) - 1)) as i64 - origin;
            encode(space, number - 1, byte as u64)
        }
        _ => address,
    }
}

/// Decodes a pointer of address space `space`; 0 is the generic one.
pub fn parts(address: u64, space: u32) -> Result<Parts, FindingKind> {
    if matches!(space, 0 | GLOBAL) && is_of_host(address) {
        let allocation = (address >> HOST_SHIFT) as u32;
        let byte = (address & ((1 << HOST_SHIFT) - 1)) as i64 - HOST_ORIGIN as i64;
        return Ok(Parts { space: GLOBAL, allocation, byte });
    }
    let address = long(address, space);
    let tag = (address >> TAG_SHIFT) as u32;
    let actual = match (space, tag) {
        (SHARED | LOCAL, 0) => space,
        (CLUSTER, 0) => SHARED,
        (0, GLOBAL | SHARED | CONSTANT | LOCAL) => tag,
        (GLOBAL | CONSTANT, _) if tag == space => tag,
        (_, 0) => return Err(FindingKind::Unmapped { address }),
        _ => return Err(FindingKind::WrongSpace { address, expected: space }),
    };
    let byte = (address & ((1 << BYTE_BITS) - 1)) as i64;
    let origin = if actual == SHARED { 0 } else { ORIGIN as i64 };
    let allocation = (address >> BYTE_BITS) as u32 & (MAX_ALLOCATIONS - 1);
    Ok(Parts { space: actual, allocation, byte: byte - origin })
}

/// The address of the same byte in the block with this rank: `mapa`.
pub fn in_block(address: u64, rank: u64) -> u64 {
    let ranks = (1u64 << BYTE_BITS) - (1 << RANK_SHIFT);
    address & !ranks | rank << RANK_SHIFT & ranks
}

/// `addrspacecast`. Null stays null.
pub fn cast(address: u64, from: u32, to: u32) -> Result<u64, FindingKind> {
    let tagged = |space| matches!(space, 0 | GLOBAL | CONSTANT);
    if address == 0 || from == to && from != CONSTANT {
        return Ok(address);
    }
    if matches!((from, to), (0, GLOBAL) | (GLOBAL, 0)) && is_of_host(address) {
        return Ok(address);
    }
    let address = long(address, from);
    let Parts { space: actual, allocation, byte } = parts(address, from)?;
    if to == LOCAL
        && actual == LOCAL
        && let Some(short) = local(allocation, byte)
    {
        return Ok(short);
    }
    if to != 0 && actual != if to == CLUSTER { SHARED } else { to } {
        return Err(FindingKind::WrongSpace { address, expected: to });
    }
    let bare = address & ((1 << TAG_SHIFT) - 1);
    Ok(if tagged(to) { bare | u64::from(actual) << TAG_SHIFT } else { bare })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cast_to_generic_and_back_is_the_pointer() {
        for space in [GLOBAL, SHARED, CONSTANT, LOCAL] {
            let p = pointer(space, 7, 1028);
            let generic = cast(p, space, 0).unwrap();
            assert_eq!(parts(generic, 0), Ok(Parts { space, allocation: 7, byte: 1028 }));
            assert_eq!(cast(generic, 0, space), Ok(p));
            let other = if space == SHARED { GLOBAL } else { SHARED };
            assert!(cast(generic, 0, other).is_err());
        }
    }

    #[test]
    fn a_byte_of_another_block_has_its_rank() {
        let own = pointer(SHARED, 2, 1040);
        let other = in_block(own, 3);
        assert_eq!((other as u32, in_block(other, 0)), (3 << RANK_SHIFT | 1040, own));
        let generic = cast(other, CLUSTER, 0).unwrap();
        assert_eq!(cast(generic, 0, CLUSTER), Ok(other));
        assert_eq!(parts(other, CLUSTER), parts(generic, 0));
        assert!(cast(pointer(GLOBAL, 0, 0), GLOBAL, CLUSTER).is_err());
    }

    #[test]
    fn before_the_start_is_still_the_same_allocation() {
        let p = pointer(GLOBAL, 3, 0).wrapping_sub(4);
        assert_eq!(parts(p, GLOBAL), Ok(Parts { space: GLOBAL, allocation: 3, byte: -4 }));
    }

    #[test]
    fn a_constant_pointer_in_32_bits_is_found_again() {
        let p = pointer(CONSTANT, 5, 24);
        let in_32_bits = short(p).unwrap();
        assert_eq!(parts(in_32_bits, CONSTANT), parts(p, CONSTANT));
        assert!(in_32_bits >> 32 == 0 && cast(in_32_bits, CONSTANT, 0) == Ok(p));
        assert_eq!(cast(in_32_bits + 8, CONSTANT, 0), Ok(p + 8));
        assert_eq!([short(pointer(CONSTANT, 5, 1 << 16)), short(pointer(GLOBAL, 5, 0))], [None, None]);
    }

    #[test]
    fn a_local_pointer_has_32_bits_if_it_fits() {
        let last = (1 << (32 - LOCAL_BYTE_BITS)) - 2;
        for (allocation, fits) in [(0, true), (last, true), (last + 1, false), (MAX_ALLOCATIONS - 1, false)] {
            let p = pointer(LOCAL, allocation, 8);
            assert_eq!(p >> 32 == 0, fits);
            for byte in [8, -8, 4096] {
                let p = p.wrapping_add_signed(byte - 8);
                let generic = cast(p, LOCAL, 0).unwrap();
                assert_eq!(parts(p, LOCAL), Ok(Parts { space: LOCAL, allocation, byte }));
                assert_eq!(parts(generic, 0), Ok(Parts { space: LOCAL, allocation, byte }));
                assert_eq!(cast(generic, 0, LOCAL), Ok(p));
            }
        }
        assert!(parts(0, LOCAL).is_ok_and(|parts| parts.byte < -(1 << 30)));
    }

    #[test]
    fn an_address_of_the_host_is_one_of_global_memory() {
        for allocation in [1, 2, (1 << (HOST_BITS - HOST_SHIFT)) - 1] {
            let at = of_host(allocation).unwrap();
            for byte in [0, 8, -8, 1 << 31] {
                let address = at.wrapping_add_signed(byte);
                for space in [0, GLOBAL] {
                    assert_eq!(parts(address, space), Ok(Parts { space: GLOBAL, allocation, byte }));
                }
                assert_eq!((cast(address, 0, GLOBAL), cast(address, GLOBAL, 0)), (Ok(address), Ok(address)));
                assert!(cast(address, 0, SHARED).is_err());
            }
        }
        assert_eq!([of_host(0), of_host(1 << (HOST_BITS - HOST_SHIFT))], [None, None]);
        assert!(!is_of_host(pointer(GLOBAL, 1, 0)) && !is_of_host(pointer(SHARED, 7, 1040) & 0xffff_ffff));
    }

    #[test]
    fn a_shared_pointer_in_32_bits_is_an_address() {
        assert_eq!(pointer(SHARED, 2, 1040) as u32, 1040);
    }
}
