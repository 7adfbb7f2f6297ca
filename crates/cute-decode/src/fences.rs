//! Fences, in three spellings: operations of NVVM, LLVM's intrinsics, and PTX. All use the same
//! words.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::program::{MapOp, Op, Slot};
use cute_sim::program::{Order, Scope};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// Bytes of the tensor map in a fence.
const MAP_BYTES: u64 = cute_arch::tensor_map::BYTES as u64;

/// The scope of a fence, in the spelling of PTX, NVVM and LLVM.
pub(super) fn scope(name: &str) -> Option<Scope> {
    Some(match name {
        "cta" | "block" => Scope::Block,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" | "sys" | "device" | "" => Scope::Device,
        _ => return None,
    })
}

/// LLVM's number of an ordering.
pub(super) fn order(number: i64) -> Order {
    match number {
        4 => Order::ACQUIRE,
        5 => Order::RELEASE,
        6.. => Order::BOTH,
        _ => Order::default(),
    }
}

impl Decoder<'_> {
    /// `nvvm.fence.` and the name, and other operations that are fences.
    pub(super) fn nvvm_fence(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        let scope = ir::keyword_attr(op, "scope").unwrap_or_default();
        let proxy = ir::keyword_attr(op, "toProxy").unwrap_or("tensormap");
        let words = match name {
            "nvvm.fence.mbarrier.init" => vec!["mbarrier_init"],
            "nvvm.fence.proxy.acquire" => vec!["proxy", proxy, "generic", "acquire", scope],
            "nvvm.fence.proxy.release" => vec!["proxy", proxy, "generic", "release", scope],
            "nvvm.fence.proxy" => {
                let kind = ir::keyword_attr(op, "kind").ok_or_else(|| malformed(op, "no kind"))?;
                std::iter::once("proxy").chain(kind.split('.')).collect()
            }
            "nvvm.membar" | "nvvm.memory.barrier" => vec!["acq_rel", scope],
            "llvm.fence" => {
                let scope = ir::str_attr(op, "syncscope").unwrap_or_default();
                let sem = match order(ir::int_attr(op, "ordering").unwrap_or(0)) {
                    Order::ACQUIRE => "acquire",
                    Order::RELEASE => "release",
                    _ => "acq_rel",
                };
                return self.fence(op, &[sem, &scope], None);
            }
            _ => return Ok(false),
        };
        let map = if name == "nvvm.fence.proxy.acquire" { Some(self.fenced_map(op)?) } else { None };
        self.fence(op, &words, map)
    }

    /// An intrinsic, or assembly with an attribute that names it.
    pub(super) fn named_fence(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let map = if words.contains(&"acquire") && op.operand_count() > 0 {
            Some(self.fenced_map(op)?)
        } else {
            None
        };
        self.fence(op, words, map)
    }

    /// Address and size of a tensor map, as the operands.
    fn fenced_map(&mut self, op: Ir<'_, '_>) -> Result<(Slot, u32), Error> {
        let (address, scalar) = self.scalar_operand(op, 0)?;
        let Scalar::Ptr(space) = scalar else { return Err(malformed(op, "the address is not a pointer")) };
        let (size, _) = self.scalar_operand(op, 1)?;
        match self.known.get(&size) {
            Some(&MAP_BYTES) | None => Ok((address, space)),
            Some(size) => {
                Err(malformed(op, format!("a fence of {size} bytes: a tensor map has {MAP_BYTES}")))
            }
        }
    }

    /// Decodes the words after `fence`; `map` is the address of a tensor map, and its space.
    pub(super) fn fence(
        &mut self,
        op: Ir<'_, '_>,
        words: &[&str],
        map: Option<(Slot, u32)>,
    ) -> Result<bool, Error> {
        let apart = words.iter().flat_map(|word| word.split("::"));
        let words: Vec<&str> = apart
            .flat_map(
                |word| if word == "tensormap_generic" { vec!["tensormap", "generic"] } else { vec![word] },
            )
            .collect();
        let reaches = |name: &str| scope(name).ok_or_else(|| unmodelled(op, format!("the scope `{name}`")));
        let instruction = match words[..] {
            ["mbarrier_init", ..] => Op::FenceBarriers,
            [sem @ ("acq_rel" | "sc" | "acquire" | "release"), scope] => {
                let order = match sem {
                    "acquire" => Order::ACQUIRE,
                    "release" => Order::RELEASE,
                    _ => Order::BOTH,
                };
                Op::Fence { scope: reaches(scope)?, order }
            }
            ["proxy", "async"] => Op::FenceProxy { shared: true, global: true },
            ["proxy", "async", "global"] => Op::FenceProxy { shared: false, global: true },
            ["proxy", "async", "shared", ..] => Op::FenceProxy { shared: true, global: false },
            // Accesses of the async proxy are visible to a thread that has waited for them.
            ["proxy", "async", "generic", "acquire", ..] => Op::Nothing,
            ["proxy", "async", "generic", "release", ..] => Op::FenceProxy { shared: true, global: false },
            ["proxy", "tensormap", "generic", "release", scope] => {
                Op::Map(MapOp::Release { scope: reaches(scope)? })
            }
            ["proxy", "tensormap", "generic", "acquire", scope] => {
                let Some((address, space)) = map else {
                    return Err(malformed(op, "the address of the tensor map is missing"));
                };
                Op::Map(MapOp::Acquire { address, space, scope: reaches(scope)? })
            }
            ["proxy", ref kind @ ..] => {
                return Err(unmodelled(op, format!("a fence for the proxy `{}`", kind.join("."))));
            }
            _ => return Ok(false),
        };
        self.emit(op, instruction);
        Ok(true)
    }
}
