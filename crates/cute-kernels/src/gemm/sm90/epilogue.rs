//! From sums to D: rounded, through shared memory, stored by the TMA.
//!
//! A warpgroup has two slots of 64 rows of 128 bytes: one is filled while the TMA reads the other.

use cute_algebra::MmaOperand;

use super::{ATOM_M, kernel::Kernel};
use crate::{
    code::{At, Code, Ssa, Written},
    tma::Boxes,
};

/// What a warpgroup stores by.
pub(super) struct Output<'c> {
    /// The slots of all warpgroups, and the first one of this.
    slots: Ssa<'c>,
    first: Ssa<'c>,
    /// The copy from registers, what a thread writes of the slots, and registers of what it writes of one.
    copy: Ssa<'c>,
    own: Ssa<'c>,
    made: Ssa<'c>,
    /// `made` as the copy takes it.
    retiled: Ssa<'c>,
    /// The warpgroup, its barrier, and whether the warp stores.
    consumer: Ssa<'c>,
    barrier: Ssa<'c>,
    pub stores: Ssa<'c>,
}

impl<'c> Kernel<'_, 'c> {
    pub fn output(&self, code: &Code<'c>, consumer: Ssa<'c>) -> Written<Output<'c>> {
        let plan = self.plan;
        let n = &plan.numbers;
        let columns = n.columns();
        let slots = code.parse_type(&plan.sums.view(Some(2 * plan.consumers)))?;
        let slots = code.view("sD", self.memory, plan.slots(), slots)?;
        let atom = format!(
            "!cute_nvgpu.sm90.mma<64x{columns}x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>"
        );
        let t = format!("!cute.tiled_mma<{atom}, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>");
        let mma = self.tiled_mma(code, &atom, &t)?;
        let thread = code.index(self.thread)?;
        let made =
            code.parse_type(&format!("!cute.memref<{}, rmem, align<16>, {}>", n.out, part(columns)))?;
        let made = code.typed(("made", "cute.memref.alloca"), &[], made, &[])?;
        let (copy, own, retiled) = if n.out_bits == 16 {
            let atom = format!("!cute_nvgpu.atom.stsm<{}, mode = <\"(8,8)\">, num_matrices = 4, n>", n.out);
            let atom = code.typed(("stsm", "cute.make_atom"), &[], code.parse_type(&atom)?, &[])?;
            let copy = code.op(("storeR", "cute.make_tiled_copy_C"), &[atom, mma], &[])?;
            let own = code.destination("own", copy, slots, thread)?;
            (copy, own, code.op(("retiled", "cute.tiled.copy.retile"), &[copy, made], &[])?)
        } else {
            let pair = code.parse_type(&format!("!cute_nvgpu.atom.universal_copy<{}, 64 b>", n.out))?;
            let pair = code.typed(("pair", "cute.make_atom"), &[], pair, &[])?;
            (pair, code.mma_partition("own", mma, MmaOperand::C, slots, thread)?, made)
        };
        let two = code.i32(2)?;
        Ok(Output {
            slots,
            first: code.binary(("first", "arith.muli"), consumer, two)?,
            copy,
            own,
            made,
            retiled,
            consumer,
            barrier: code.binary(("barrier", "arith.addi"), consumer, code.i32(1)?)?,
            stores: code.is("stores", self.warp_inside, 0)?,
        })
    }

    /// Stores the sums of a tile of D.
    pub fn store(&self, code: &Code<'c>, out: &Output<'c>, sums: Ssa<'c>, tile: [Ssa<'c>; 2]) -> Written<()> {
        let plan = self.plan;
        let [m, n, _] = plan.tile;
        let columns = plan.numbers.columns();
        let [rows, steps] = [m / ATOM_M, n / columns];
        let times = |name: &str, value, by: i64| code.binary((name, "arith.muli"), value, code.i32(by)?);
        let mut row = times("row", tile[0], rows)?;
        if plan.together > 1 {
            row = code.binary(("row", "arith.addi"), row, out.consumer)?;
        }
        let column = times("column", tile[1], steps)?;
        let parts = rows / plan.together * steps;
        for part in 0..parts {
            let (down, step) = (part / steps, part % steps);
            let slot = code.binary(("slot", "arith.addi"), out.first, code.i32(part % 2)?)?;
            // The slot was stored the time before last; the first one of a tile the last time, where parts are odd.
            let pending = i64::from(part > 0 || parts % 2 == 0);
            code.when(out.stores, |code| code.wait_for_stores(pending))?;
            code.named_barrier(out.barrier, 128)?;
            self.round(code, out, sums, down * n / 2 + step * columns / 2)?;
            let own = code.slice("own", out.own, &[At::All, At::All, At::All, At::Value(slot)])?;
            code.copy(out.copy, out.retiled, own, None)?;
            code.fence_for_tma()?;
            code.named_barrier(out.barrier, 128)?;
            code.when(out.stores, |code| {
                let [atom, coords] = self.descriptors[2];
                let row = code.binary(("row", "arith.addi"), row, code.i32(down * plan.together)?)?;
                let column = code.binary(("column", "arith.addi"), column, code.i32(step)?)?;
                let at = [At::Value(row), At::Value(column), At::All];
                let to = code.local_tile("to", coords, [ATOM_M, columns, 1], &at, "(1,1,_)")?;
                let from = code.slice("slot", out.slots, &[At::All, At::All, At::Value(slot)])?;
                Boxes::new(code, "boxes", atom, from, to)?.store(code)
            })?;
        }
        Ok(())
    }

    /// Some of the sums, as elements of D.
    fn round(&self, code: &Code<'c>, out: &Output<'c>, sums: Ssa<'c>, from: i64) -> Written<()> {
        let n = &self.plan.numbers;
        let first = code.op(("first", "cute.get_iter"), &[sums], &[])?;
        let first = if from == 0 {
            first
        } else {
            let offset = code.fixed("offset", &format!("!cute.int_tuple<\"{from}\">"))?;
            code.op(("first", "cute.add_offset"), &[first, offset], &[])?
        };
        let layout = code.fixed("layout", &format!("!cute.layout<{}>", part(n.columns())))?;
        let sums = code.view_of("part", first, layout)?;
        let mut values = code.op(("values", "cute.memref.load_vec"), &[sums], &[])?;
        if n.out != n.sum {
            let t = code.parse_type(&format!("vector<{}x{}>", n.columns() / 2, n.out))?;
            values = code.typed(("rounded", "arith.truncf"), &[values], t, &[])?;
        }
        code.effect("cute.memref.store_vec", &[values, out.made], &[])
    }
}

/// The layout of what a thread has of so many columns.
fn part(columns: i64) -> String {
    format!("\"((2,2,{}),1,1):((1,2,4),0,0)\"", columns / 8)
}
