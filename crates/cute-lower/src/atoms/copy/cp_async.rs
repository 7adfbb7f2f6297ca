//! `cp.async`. If its predicate is false, it reads nothing and writes zeros.

use cute_arch::{Feature, Target};
use cute_dialect::atom::{AsyncCopy, Cache, CopyFamily};

use super::{CopyCall, LowersCopy};
use crate::{Builder, Built, atoms::address};

impl<'c> LowersCopy<'c> for AsyncCopy<'c> {
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        if !target.has(Feature::CpAsync) {
            return b.refuse(&format!("{target} has no cp.async; use universal_copy"));
        }
        let (from, _) = address(b, call.src)?;
        let (to, _) = address(b, call.dst)?;
        let bytes = self.bits() / 8;
        let modifier = match self.cache {
            Cache::Always => "#nvvm<load_cache_modifier ca>",
            Cache::Global => "#nvvm<load_cache_modifier cg>",
        };
        let modifier = b.attribute(modifier)?;
        let mut operands = vec![to, from];
        if let Some(pred) = call.pred {
            operands.push(b.inferred("arith.select", &[pred, b.i32(bytes)?, b.i32(0)?], &[])?);
        }
        let attributes = [("size", b.attr(bytes as i32)), ("modifier", modifier)];
        b.effect("nvvm.cp.async.shared.global", &operands, &attributes)?;
        Ok(())
    }
}
