//! The instructions, a file for each family: their rows, the words and the roles that no other
//! family has, and the names of instructions that are read beside the table or do not run.

mod barrier;
mod bulk;
mod collective;
mod compare;
mod compiler;
mod control;
mod convert;
mod cp_async;
mod fabric;
mod fence;
mod float;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
pub mod mma;
mod remote;
mod special;
mod tcgen05;
mod tensor_map;
mod texture;
mod video;
pub mod wgmma;
pub mod wmma;

pub use barrier::*;
pub use collective::*;
pub use compare::*;
pub use control::*;
pub use convert::*;
pub use fence::*;
pub use integer::*;
pub use matrix::*;
pub use mbarrier::*;
pub use memory::*;
pub use remote::*;
pub use tcgen05::*;

use crate::family::{Family, Refused};
use crate::keyword::{Spelling, Spellings, Table};
use crate::operation::Operation;
use crate::role::{self, Role};
use crate::row::{NONE, Row};
use crate::words;

/// All families.
const ALL: &[Family] = &[
    barrier::FAMILY,
    bulk::FAMILY,
    collective::FAMILY,
    compare::FAMILY,
    compiler::FAMILY,
    control::FAMILY,
    convert::FAMILY,
    cp_async::FAMILY,
    fabric::FAMILY,
    fence::FAMILY,
    float::FAMILY,
    integer::FAMILY,
    matrix::FAMILY,
    mbarrier::FAMILY,
    memory::FAMILY,
    mma::FAMILY,
    remote::FAMILY,
    special::FAMILY,
    tcgen05::FAMILY,
    tensor_map::FAMILY,
    texture::FAMILY,
    video::FAMILY,
    wgmma::FAMILY,
    wmma::FAMILY,
];

/// The rows of all families.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    ALL.iter().flat_map(|family| family.rows)
}

/// The names of instructions that are read beside the table.
pub(crate) fn apart(spelling: Spelling) -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(move |family| family.apart.of(spelling)).copied()
}

/// The names of instructions that do not run, each with the reason.
pub(crate) fn refused(spelling: Spelling) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_family = |family: &'static Family| family.refused;
    let all = ALL.iter().flat_map(of_family);
    all.flat_map(move |one| one.names.of(spelling).iter().map(|name| (*name, one.reason)))
}

/// The modifier that forms call so.
pub(crate) fn modifier(name: &str) -> Option<&'static Table> {
    modifiers().find(|table| table.name == name)
}

fn modifiers() -> impl Iterator<Item = &'static Table> {
    words::WORDS.iter().chain(ALL.iter().flat_map(|family| family.words)).copied()
}

/// The role that forms call so.
pub(crate) fn role(name: &str) -> Option<Role> {
    roles().find(|role| role.name() == name)
}

fn roles() -> impl Iterator<Item = Role> {
    role::ROLES.iter().chain(ALL.iter().flat_map(|family| family.roles)).copied()
}

/// An instruction that has only its PTX.
const fn ptx(operation: Operation, ptx: &'static [&'static str]) -> Row {
    Row { operation, ptx, nvvm: NONE, intrinsic: NONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A user has to know why an instruction does not run.
    #[test]
    fn no_reason_is_that_something_is_missing() {
        for Refused { reason, names } in ALL.iter().flat_map(|family| family.refused) {
            assert!(!reason.contains("yet") && !reason.contains("modelled"), "{names:?}: {reason}");
        }
    }

    /// Forms name modifiers and roles without their family.
    #[test]
    fn a_modifier_or_a_role_has_its_name_for_itself() {
        let of_modifiers: Vec<&str> = modifiers().map(|table| table.name).collect();
        let of_roles: Vec<&str> = roles().map(Role::name).collect();
        for names in [of_modifiers, of_roles] {
            let several = |name: &&&str| names.iter().filter(|other| other == name).count() > 1;
            assert_eq!(names.iter().find(several), None, "declared twice");
        }
    }
}
