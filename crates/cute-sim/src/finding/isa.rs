//! The rules of the instruction set that are checked, as docs/simulator.md lists them.

use super::swizzle;
use crate::families::{
    barrier, bulk, cluster, collective, cp_async, fence, launch, mbarrier, memory, setmaxnreg, tcgen05,
    tensor_map, wgmma,
};
use crate::isa::IsaRule;
use std::sync::LazyLock;

/// The rules of each family.
const STATED: &[&[IsaRule]] = &[
    mbarrier::rules::ISA,
    cp_async::rules::ISA,
    bulk::rules::ISA,
    fence::rules::ISA,
    tensor_map::rules::ISA,
    swizzle::ISA,
    wgmma::rules::ISA,
    tcgen05::rules::ISA,
    collective::rules::ISA,
    memory::rules::ISA,
    cluster::rules::ISA,
    barrier::rules::ISA,
    setmaxnreg::rules::ISA,
    launch::rules::ISA,
];

/// The first letters of names, in the order of the page: mbarriers, the async proxy, swizzles,
/// wgmma, tcgen05, lanes, races, and the threads and blocks of a cluster.
const LETTERS: [&str; 8] = ["M", "X", "S", "W", "T", "L", "R", "C"];

/// All rules, in the order of the page: by their letters, and then by their numbers. Parts of a
/// rule stay in the order in which its family states them.
pub static ISA_RULES: LazyLock<Vec<IsaRule>> = LazyLock::new(|| {
    let mut rules = STATED.concat();
    rules.sort_by_key(|rule| place(rule.id));
    rules
});

/// The place of a name on the page.
fn place(id: &str) -> (usize, u32) {
    let (letter, number) = id.split_at(1);
    let letter = LETTERS.iter().position(|own| *own == letter);
    (letter.expect("a letter of the page"), number.parse().expect("a number after the letter"))
}
