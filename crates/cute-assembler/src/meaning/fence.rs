//! Fences.

use crate::call::Call;
use crate::scope::scope_of;
use crate::{Assembler, malformed};
use cute_ptx::{FenceOrder, MemoryScope, Operation as O, Proxy, Role};
use cute_sim::program::{ControlOp, FenceOp, MbarrierOp, Op, Order, Scope, Site, TensorMapOp};
use cute_sim::{Error, Malformed};

/// Bytes of the tensor map in a fence.
const MAP_BYTES: u64 = cute_arch::tensor_map::BYTES as u64;

impl Assembler {
    pub(crate) fn fence_of(&mut self, call: &Call) -> Result<(), Error> {
        let reach = || call.needed::<MemoryScope>().map(scope_of);
        let instruction = match call.instruction.row.operation {
            O::FenceBarriers => Op::Mbarrier(MbarrierOp::Fence),
            O::Fence => {
                let order = call.keyword().map_or(Order::BOTH, order_of);
                self.memory_fence(&call.at, reach()?, order);
                return Ok(());
            }
            O::FenceProxy => {
                match call.needed()? {
                    Proxy::Async => Op::Fence(FenceOp::Proxy { shared: true, global: true }),
                    Proxy::AsyncGlobal => Op::Fence(FenceOp::Proxy { shared: false, global: true }),
                    Proxy::AsyncShared => Op::Fence(FenceOp::Proxy { shared: true, global: false }),
                    // Each byte has one address.
                    Proxy::Alias => ControlOp::Nothing.into(),
                }
            }
            O::FenceMapRelease => Op::TensorMap(TensorMapOp::Release { scope: reach()? }),
            _ => self.acquired_map(call, reach()?)?,
        };
        self.emit(&call.at, instruction);
        Ok(())
    }

    /// A fence of the generic proxy.
    pub fn memory_fence(&mut self, at: &Site, scope: Scope, order: Order) {
        self.emit(at, Op::Fence(FenceOp::Memory { scope, order }));
    }

    fn acquired_map(&mut self, call: &Call, scope: Scope) -> Result<Op, Error> {
        let (address, space) = call.pointer(Role::ADDRESS)?;
        self.whole_map(call)?;
        Ok(Op::TensorMap(TensorMapOp::Acquire { address, space, scope }))
    }

    /// The number of bytes is that of a tensor map, where it is known.
    pub(super) fn whole_map(&self, call: &Call) -> Result<(), Error> {
        match self.known.get(&call.slot(Role::BYTES)?) {
            Some(&MAP_BYTES) | None => Ok(()),
            Some(bytes) => Err(malformed(
                &call.at,
                Malformed::OperandValue,
                format!("a fence of {bytes} bytes: a tensor map has {MAP_BYTES}"),
            )),
        }
    }
}

fn order_of(order: FenceOrder) -> Order {
    match order {
        FenceOrder::Acquire => Order::ACQUIRE,
        FenceOrder::Release => Order::RELEASE,
        FenceOrder::AcquireRelease | FenceOrder::Sequential => Order::BOTH,
    }
}
