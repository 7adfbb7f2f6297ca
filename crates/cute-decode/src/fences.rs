//! Scopes and orders of fences and accesses, and LLVM's own fence.

use super::{Decoder, site, unmodelled};
use crate::ir;
use cute_sim::program::{Order, Scope};
use cute_sim::{Error, Unmodelled};
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The scope of an access or a fence of LLVM.
pub(super) fn scope(name: &str) -> Option<Scope> {
    Some(match name {
        "block" => Scope::Block,
        "cluster" => Scope::Cluster,
        "device" | "" => Scope::Device,
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
    /// `llvm.fence`, which orders in both directions unless it says otherwise.
    pub(super) fn llvm_fence(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let name = ir::str_attr(op, "syncscope").unwrap_or_default();
        let scope = scope(&name)
            .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the scope `{name}`")))?;
        let order = match order(ir::int_attr(op, "ordering").unwrap_or(0)) {
            one @ (Order::ACQUIRE | Order::RELEASE) => one,
            _ => Order::BOTH,
        };
        self.memory_fence(&site(op), scope, order);
        Ok(())
    }
}
