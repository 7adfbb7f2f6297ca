//! From sums to D: rounded, through shared memory, stored by the TMA.
//!
//! A warpgroup has two slots of 64 rows of 128 bytes: one is filled while the TMA reads the other.

use cute_algebra::MmaOperand;

use super::{ATOM_M, finish::Brought, kernel::Kernel};
use crate::{
    code::{At, Code, Ssa, Written},
    gemm::raster::Place,
    tma::Boxes,
};

/// The copies and views that a warpgroup stores a tile with.
pub(super) struct Output<'c> {
    /// The slots of all warpgroups, and the first one of this.
    pub slots: Ssa<'c>,
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
    /// How C and the bias are read.
    pub brought: Option<Brought<'c>>,
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
        let made = code.parse_type(&registers(n.out, columns))?;
        let made = code.typed(("made", "cute.memref.alloca"), &[], made, &[])?;
        let (copy, own, retiled) = if n.out_bits == 16 {
            let atom = format!("!cute_nvgpu.atom.stsm<{}, mode = <\"(8,8)\">, num_matrices = 4, n>", n.out);
            let atom = code.typed(("stsm", "cute.make_atom"), &[], code.parse_type(&atom)?, &[])?;
            let copy = code.op(("storeR", "cute.make_tiled_copy_C"), &[atom, mma], &[])?;
            let own = code.destination("own", copy, slots, thread)?;
            (copy, own, code.op(("retiled", "cute.tiled.copy.retile"), &[copy, made], &[])?)
        } else {
            let pair = self.pair(code, n.out, n.out_bits)?;
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
            brought: self.brought(code, mma, slots, thread)?,
        })
    }

    /// The copy of the two neighbours that a thread has of a row.
    pub fn pair(&self, code: &Code<'c>, elem: &str, bits: i64) -> Written<Ssa<'c>> {
        let t = format!("!cute_nvgpu.atom.universal_copy<{elem}, {} b>", 2 * bits);
        code.typed(("pair", "cute.make_atom"), &[], code.parse_type(&t)?, &[])
    }

    /// The row and the column of a part of a tile, in parts, and its slot.
    fn part_at(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        tile: Place<'c>,
        part: i64,
    ) -> Written<(Place<'c>, Ssa<'c>)> {
        let plan = self.plan;
        let [m, n, _] = plan.tile;
        let steps = n / plan.numbers.columns();
        let (down, step) = (part / steps * plan.together, part % steps);
        let moved = |name: &str, tile, parts: i64, by: i64| {
            let first = code.binary((name, "arith.muli"), tile, code.i32(parts)?)?;
            code.binary((name, "arith.addi"), first, code.i32(by)?)
        };
        let mut row = moved("row", tile.m, m / ATOM_M, down)?;
        if plan.together > 1 {
            row = code.binary(("row", "arith.addi"), row, out.consumer)?;
        }
        let slot = code.binary(("slot", "arith.addi"), out.first, code.i32(part % 2)?)?;
        Ok((Place { m: row, n: moved("column", tile.n, steps, step)?, ..tile }, slot))
    }

    /// Asks for what the first part of a tile needs.
    pub fn begin_store(&self, code: &Code<'c>, out: &Output<'c>, tile: Place<'c>) -> Written<()> {
        if out.brought.is_none() {
            return Ok(());
        }
        let (at, slot) = self.part_at(code, out, tile, 0)?;
        self.bring_part(code, out, at, slot)
    }

    /// Stores the sums of a tile of D; `parity` says whether an odd number of tiles came before.
    pub fn store(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        sums: Ssa<'c>,
        tile: Place<'c>,
        parity: Ssa<'c>,
    ) -> Written<()> {
        let plan = self.plan;
        let [m, n, _] = plan.tile;
        let columns = plan.numbers.columns();
        let steps = n / columns;
        let parts = m / ATOM_M / plan.together * steps;
        for part in 0..parts {
            let (at, slot) = self.part_at(code, out, tile, part)?;
            if out.brought.is_some() && part + 1 < parts {
                let (next, its_slot) = self.part_at(code, out, tile, part + 1)?;
                self.bring_part(code, out, next, its_slot)?;
            }
            if !plan.finish.beta {
                // The slot was stored the time before last; the first one of a tile the last time, where parts are odd.
                let pending = i64::from(part > 0 || parts % 2 == 0);
                code.when(out.stores, |code| code.wait_for_stores(pending))?;
            }
            // How often the slot was used in this tile, and in each before.
            let (times, each) = (part / 2, (parts - part % 2 + 1) / 2);
            let phase = code.binary(("phase", "arith.andi"), parity, code.i32(each % 2)?)?;
            let phase = code.binary(("phase", "arith.xori"), phase, code.i32(times % 2)?)?;
            // Where C or the bias was brought, threads write to a slot what others have read from it: the barrier is behind the reads.
            let brings = plan.finish.brings();
            if !brings {
                code.named_barrier(out.barrier, 128)?;
            }
            let first = part / steps * n / 2 + part % steps * columns / 2;
            self.round(code, out, sums, first, (slot, phase))?;
            if brings {
                code.named_barrier(out.barrier, 128)?;
            }
            let own = code.slice("own", out.own, &[At::All, At::All, At::All, At::Value(slot)])?;
            code.copy(out.copy, out.retiled, own, None)?;
            code.fence_for_tma()?;
            code.named_barrier(out.barrier, 128)?;
            code.when(out.stores, |code| {
                let [atom, coords] = self.descriptors[2];
                let coords = at.matrix(code, coords)?;
                let at = [At::Value(at.m), At::Value(at.n), At::All];
                let to = code.local_tile("to", coords, [ATOM_M, columns, 1], &at, "(1,1,_)")?;
                let from = code.slice("slot", out.slots, &[At::All, At::All, At::Value(slot)])?;
                Boxes::new(code, "boxes", atom, from, to)?.store(code)
            })?;
        }
        Ok(())
    }

    /// Some of the sums, as elements of D.
    fn round(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        sums: Ssa<'c>,
        from: i64,
        (slot, phase): (Ssa<'c>, Ssa<'c>),
    ) -> Written<()> {
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
        if !self.plan.finish.is_none() {
            values = self.finish(code, out, values, slot, phase)?;
        }
        // Two elements of 16 bits are rectified by one instruction, those of 8 bits by none.
        let narrow = n.out_bits < 16;
        if narrow {
            values = self.rectified(code, values)?;
        }
        if n.out != n.sum {
            let t = code.parse_type(&format!("vector<{}x{}>", n.columns() / 2, n.out))?;
            values = code.typed(("rounded", "arith.truncf"), &[values], t, &[])?;
        }
        if !narrow {
            values = self.rectified(code, values)?;
        }
        code.effect("cute.memref.store_vec", &[values, out.made], &[])
    }
}

/// Registers for what a thread has of so many columns.
pub(super) fn registers(elem: &str, columns: i64) -> String {
    format!("!cute.memref<{elem}, rmem, align<16>, {}>", part(columns))
}

/// The layout of what a thread has of so many columns.
fn part(columns: i64) -> String {
    format!("\"((2,2,{}),1,1):((1,2,4),0,0)\"", columns / 8)
}
