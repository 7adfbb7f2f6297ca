//! Operations whose instruction is a name: calls of LLVM's intrinsics, and our own assembly with
//! the attribute that names it. Both have almost the same spelling: words separated by dots.
//!
//! Operands and results are those of the instruction, register by register, in the order in which
//! PTX writes them; of intrinsics, in the order in which LLVM declares them.

use super::collective::Flagged;
use super::nvvm::special;
use super::tensor::{matrix_words, mma_query};
use super::{Decoder, Held, malformed, unmodelled};
use crate::ir;
use cute_ffi::lowered::OPERATION_ATTRIBUTE;
use cute_machine::format::Rounding;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::program::{Collective, GroupOp, Op, Piece, Special, Ternary};
use cute_sim::tensor::{MatrixMove, Mma};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn named(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        let given = ir::str_attr(op, OPERATION_ATTRIBUTE);
        let instruction = match name {
            "llvm.call_intrinsic" => ir::str_attr(op, "intrin").ok_or_else(|| malformed(op, "no intrin"))?,
            "llvm.inline_asm" | "nvvm.inline_ptx" => {
                let text = if name == "llvm.inline_asm" { "asm_string" } else { "ptxCode" };
                let text = ir::str_attr(op, text).ok_or_else(|| malformed(op, "no assembly"))?;
                let Some(given) = given else {
                    if name == "llvm.inline_asm" {
                        self.asm(op, &text)?
                    } else {
                        self.inline_ptx(op, &text)?
                    }
                    return Ok(true);
                };
                assembly(op, given, &text)?
            }
            _ => return Ok(false),
        };
        let spelled = instruction.strip_prefix("llvm.nvvm.").unwrap_or(&instruction);
        let words: Vec<&str> = spelled.split(['.', ':']).filter(|w| !w.is_empty()).collect();
        let known = match words[..] {
            ["read", "ptx", "sreg", ..] => self.named_register(op, spelled)?,
            ["activemask"] | ["activemask", "b32"] => {
                let dst = self.result(op)?.slot;
                self.emit(op, Op::Special { dst, special: Special::ActiveMask });
                true
            }
            ["mma", ref rest @ ..] => self.named_mma(op, rest)?,
            ["ldmatrix", ref rest @ ..] => self.named_matrices(op, MatrixMove::Load, rest)?,
            ["stmatrix", ref rest @ ..] => self.named_matrices(op, MatrixMove::Store, rest)?,
            ["movmatrix", "sync", "aligned", "m8n8", "trans", "b16"] => {
                let [value] = self.words(op)?;
                let dst = self.result(op)?.slot;
                self.emit(op, Op::Collective { mask: None, op: Collective::Transpose { dst, value } });
                true
            }
            ["prmt"] | ["prmt", "b32"] => {
                self.permute(op)?;
                true
            }
            ["llvm", intrinsic] | ["llvm", intrinsic, _] => {
                self.arithmetic(&format!("llvm.intr.{intrinsic}"), op)?
            }
            ["idp4a", a, b] => {
                self.dot(op, 8, 0, (a == "s", b == "s"))?;
                true
            }
            _ => {
                self.named_conversion(op, &words)?
                    || self.named_collective(op, &words)?
                    || self.named_barrier(op, &words)?
                    || self.named_arithmetic(op, &words)?
            }
        };
        if known { Ok(true) } else { Err(unmodelled(op, format!("the instruction `{instruction}`"))) }
    }

    fn named_register(&mut self, op: Ir<'_, '_>, spelled: &str) -> Result<bool, Error> {
        let register = spelled.trim_start_matches("read.ptx.sreg.").replace('_', ".");
        let Some(special) = special(&register) else { return Ok(false) };
        let dst = self.result(op)?.slot;
        self.emit(op, Op::Special { dst, special });
        Ok(true)
    }

    fn named_mma(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some(query) = mma_query(words) else { return Ok(false) };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(op, e.to_string()))?;
        let model = model.ok_or_else(|| unmodelled(op, "this atom"))?;
        let mut left = self.operand_pieces(op)?.into_iter();
        let mut matrix = |registers: usize| {
            let mut bits = 0;
            let mut pieces = Vec::new();
            while bits < registers as u32 * 32
                && let Some(piece) = left.next()
            {
                bits += piece.bits;
                pieces.push(piece);
            }
            pieces
        };
        let [a, b, c] = {
            let [a, b, c, _] = model.registers();
            [matrix(a), matrix(b), matrix(c)]
        };
        // Registers that are left over belong to C, whose bits are checked.
        let c = c.into_iter().chain(left).collect();
        let d = super::tensor::pieces(&self.results(op)?);
        self.multiply(op, model, [a.into(), b.into(), c, d])?;
        Ok(true)
    }

    fn named_matrices(
        &mut self,
        op: Ir<'_, '_>,
        direction: MatrixMove,
        words: &[&str],
    ) -> Result<bool, Error> {
        let Some((ty, count, trans)) = matrix_words(words) else { return Ok(false) };
        self.move_matrices(op, direction, ty, count, trans)?;
        Ok(true)
    }

    fn named_collective(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let collective = match *words {
            ["shfl", "sync", kind, "i32" | "f32" | "i32p" | "f32p"] => {
                let Some(kind) = crate::collective::shuffle(kind) else { return Ok(false) };
                let [mask, value, offset, clamp] = self.words(op)?;
                let Flagged { dst, flag: in_range } = self.word_and_flag(op)?;
                (mask, Collective::Shuffle { kind, dst, value, offset, clamp, in_range })
            }
            ["vote", kind, "sync"] => {
                let Some(kind) = crate::collective::vote(kind) else { return Ok(false) };
                let [mask, predicate] = self.words(op)?;
                let dst = self.result(op)?.slot;
                (mask, Collective::Vote { kind, dst, predicate })
            }
            ["match", "any" | "all", "sync", _] => {
                let [mask, value] = self.words(op)?;
                let Flagged { dst, flag: all } = self.word_and_flag(op)?;
                (mask, Collective::Match { dst, value, all })
            }
            ["redux", "sync", kind] => {
                let Some(kind) = crate::collective::reduction(kind) else { return Ok(false) };
                let [value, mask] = self.words(op)?;
                let dst = self.result(op)?.slot;
                (mask, Collective::Reduce { kind, dst, value })
            }
            ["elect", "sync"] => {
                let [mask] = self.words(op)?;
                let Flagged { dst: leader, flag: Some(dst) } = self.word_and_flag(op)? else {
                    return Err(malformed(op, "the result is not a lane and a flag"));
                };
                (mask, Collective::Elect { dst, leader: Some(leader) })
            }
            _ => return Ok(false),
        };
        let (mask, collective) = collective;
        self.emit(op, Op::Collective { mask: Some(mask), op: collective });
        Ok(true)
    }

    fn named_barrier(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        // Every form of these has an aligned one.
        let aligned = words.first() == Some(&"barrier") && words.contains(&"aligned");
        let plain: Vec<&str> = words.iter().copied().filter(|word| !aligned || *word != "aligned").collect();
        match *plain {
            ["bar", "warp", "sync"] => {
                let [mask] = self.words(op)?;
                self.emit(op, Op::WarpBarrier { mask });
            }
            ["barrier", "cta", "sync", "all"] => {
                let [id] = self.words(op)?;
                self.emit(op, Op::Barrier { id: Some(id), threads: None, aligned });
            }
            ["barrier", "cta", "sync", "count"] => {
                let [id, threads] = self.words(op)?;
                self.emit(op, Op::Barrier { id: Some(id), threads: Some(threads), aligned });
            }
            ["barrier", "cta", "arrive", "count"] => {
                let [id, threads] = self.words(op)?;
                self.emit(op, Op::Arrive { id: Some(id), threads, aligned });
            }
            ["barrier", "cluster", "arrive"] => self.emit(op, Op::ClusterArrive { relaxed: false, aligned }),
            ["barrier", "cluster", "arrive", "relaxed"] => {
                self.emit(op, Op::ClusterArrive { relaxed: true, aligned });
            }
            ["barrier", "cluster", "wait"] => self.emit(op, Op::ClusterWait { aligned }),
            ["mapa"] | ["mapa", "shared", "cluster"] => self.map_address(op)?,
            ["setmaxnreg", action @ ("inc" | "dec"), "sync", "aligned", "u32"] => {
                let [slot] = self.words(op)?;
                let count = self.known.get(&slot).copied();
                let count = count.ok_or_else(|| malformed(op, "the count of registers is not a constant"))?;
                self.registers_of_group(op, count as i64, action == "inc")?;
            }
            ["wgmma", "fence", "sync", "aligned"] => self.group(op, GroupOp::Fence),
            ["wgmma", "commit_group", "sync", "aligned"] => self.emit(op, Op::WgmmaCommit),
            ["wgmma", "wait_group", "sync", "aligned"] => {
                let [slot] = self.words(op)?;
                let pending = self.known.get(&slot).copied();
                let pending =
                    pending.ok_or_else(|| malformed(op, "the number of groups is not a constant"))?;
                self.wait_for_products(op, pending as i64)?;
            }
            ["mbarrier", ref rest @ ..] => return self.mbarrier(op, rest),
            ["cp", "async", "bulk", ref rest @ ..] => return self.named_bulk(op, rest),
            ["prefetch", "tensormap"] => self.emit(op, Op::Nothing),
            ["cp", "async", "mbarrier", "arrive", ref rest @ ..] => {
                self.follow(op, !rest.contains(&"noinc"))?;
            }
            ["st", "async", ref rest @ ..] => return self.named_remote(op, rest, false),
            ["red", "async", ref rest @ ..] => return self.named_remote(op, rest, true),
            ["clusterlaunchcontrol", ref rest @ ..] => return self.named_control(op, rest),
            ["tensormap", ref rest @ ..] => return self.named_map(op, rest),
            ["fence", ref rest @ ..] => return self.named_fence(op, rest),
            ["membar", scope] => return self.fence(op, &["acq_rel", scope], None),
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn named_arithmetic(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some((mut instruction, ty)) = arithmetic(words) else { return Ok(false) };
        let n = instruction.function.operands();
        if op.operand_count() != n {
            return Err(malformed(op, format!("{} operands for {n}", op.operand_count())));
        }
        let held = (0..n).map(|i| self.operand(op, i)).collect::<Result<Vec<Held>, _>>()?;
        let result = self.result(op)?;
        let Some((lanes, scalar)) = result.ty.lanes().filter(|(_, scalar)| scalar.is_float()) else {
            return Err(unmodelled(op, format!("a result {:?}", result.ty)));
        };
        if held.iter().any(|h| h.ty != result.ty) || ty.is_some_and(|ty| ty != (lanes, scalar)) {
            return Err(malformed(op, "operands of other types than the instruction's"));
        }
        instruction.ty = scalar;
        let at = |i: usize| held.get(i).unwrap_or(&held[0]).slot;
        let at = Ternary { dst: result.slot, a: at(0), b: at(1), c: at(2), lanes };
        self.emit_rounded(op, instruction, words, at)?;
        Ok(true)
    }

    /// Arithmetic that is spelled with these words.
    pub(super) fn emit_rounded(
        &mut self,
        op: Ir<'_, '_>,
        instruction: Rounded,
        words: &[&str],
        at: Ternary,
    ) -> Result<(), Error> {
        if !instruction.is_exact() {
            return Err(unmodelled(op, "f64 rounded other than to the nearest"));
        }
        if let Some(kind) = words.iter().find(|w| matches!(**w, "approx" | "full")) {
            self.approximate.insert(format!("{}.{kind}.{}", words[0], instruction.ty.ptx()));
        }
        self.emit(op, Op::Rounded { instruction, at });
        Ok(())
    }

    pub(super) fn operand_pieces(&self, op: Ir<'_, '_>) -> Result<Box<[Piece]>, Error> {
        let held = (0..op.operand_count()).map(|i| self.operand(op, i)).collect::<Result<Vec<_>, _>>()?;
        Ok(super::tensor::pieces(&held))
    }
}

/// The instruction that the attribute names, which the text of the assembly must hold.
fn assembly(op: Ir<'_, '_>, given: String, text: &str) -> Result<String, Error> {
    if text.contains(&given) {
        return Ok(given);
    }
    Err(malformed(op, format!("`{OPERATION_ATTRIBUTE}` names `{given}`, which the assembly does not hold")))
}

/// `fma.rn.ftz.f32`, and the lanes and type at the end of the name, if it has them.
pub(super) fn arithmetic(words: &[&str]) -> Option<(Rounded, Option<(u32, Scalar)>)> {
    let (name, modifiers) = words.split_first()?;
    let nan = modifiers.iter().any(|m| m.eq_ignore_ascii_case("nan"));
    let function = match *name {
        "add" => Function::Add,
        "sub" => Function::Sub,
        "mul" => Function::Mul,
        "div" => Function::Div,
        "fma" => Function::Fma,
        "sqrt" => Function::Sqrt,
        "rcp" => Function::Rcp,
        "rsqrt" => Function::Rsqrt,
        "ex2" => Function::Ex2,
        "lg2" => Function::Lg2,
        "sin" => Function::Sin,
        "cos" => Function::Cos,
        "tanh" => Function::Tanh,
        "fmin" | "min" => Function::Min { nan },
        "fmax" | "max" => Function::Max { nan },
        _ => return None,
    };
    let mut r = Rounded {
        function,
        ty: Scalar::F32,
        rounding: Rounding::NearestEven,
        ftz: false,
        saturate: false,
        relu: false,
    };
    let mut ty = None;
    for word in modifiers {
        match *word {
            "rn" | "approx" | "full" => {}
            "rz" => r.rounding = Rounding::TowardZero,
            "rp" => r.rounding = Rounding::Up,
            "rm" => r.rounding = Rounding::Down,
            "ftz" => r.ftz = true,
            "sat" => r.saturate = true,
            "relu" => r.relu = true,
            "nan" | "NaN" if matches!(function, Function::Min { .. } | Function::Max { .. }) => {}
            "f" | "f32" => ty = Some((1, Scalar::F32)),
            "d" | "f64" => ty = Some((1, Scalar::F64)),
            "f16" => ty = Some((1, Scalar::F16)),
            "bf16" => ty = Some((1, Scalar::Bf16)),
            "f16x2" => ty = Some((2, Scalar::F16)),
            "bf16x2" => ty = Some((2, Scalar::Bf16)),
            _ => return None,
        }
    }
    Some((r, ty))
}
