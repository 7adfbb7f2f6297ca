//! An instruction whose operands are bound to their roles, whatever its spelling.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_assembler::{Call, Held};
use cute_ffi::floats::{FloatType, float_type};
use cute_ffi::ir::is_used;
use cute_ffi::lowered::SWIZZLE_ATTRIBUTE;
use cute_machine::types::{Scalar, Type};
use cute_ptx::mnemonics::{self, Support};
use cute_ptx::{Attribute, Instruction, Keyword, Operand, OperandShape, Role, ScalarType, Spelling, find};
use cute_sim::program::Slot;
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The operands of a form, without its results.
fn sources(instruction: &Instruction) -> Vec<Operand> {
    let is_source = |operand: &&Operand| !matches!(operand.role, Some(Role::RESULT | Role::FLAG));
    instruction.form.operands.iter().filter(is_source).copied().collect()
}

/// The results of a form.
fn results(instruction: &Instruction) -> Vec<Operand> {
    let of_text = instruction.form.operands.iter().filter(|o| o.role == Some(Role::RESULT));
    let mut all: Vec<Operand> = of_text.chain(&instruction.form.results).copied().collect();
    if let Some(Operand { shape: OperandShape::Pair(role), .. }) = all.first().copied() {
        all.push(Operand { role: Some(role), shape: OperandShape::Value, own: None, optional: false });
    }
    all
}

/// How many values each operand takes of `count` values; `None` if they do not fit.
fn shares(operands: &[Operand], count: usize, segments: Option<&[i64]>) -> Option<Vec<usize>> {
    if let Some(segments) = segments.filter(|segments| segments.len() == operands.len()) {
        return segments.iter().map(|n| usize::try_from(*n).ok()).collect();
    }
    let required = |o: &&Operand| {
        !o.optional && !matches!(o.shape, OperandShape::Rest | OperandShape::List | OperandShape::Box(_))
    };
    let mut left = count.checked_sub(operands.iter().filter(required).count())?;
    let shares = operands.iter().map(|operand| match operand.shape {
        OperandShape::Rest | OperandShape::List | OperandShape::Box(_) => std::mem::take(&mut left),
        _ if !operand.optional => 1,
        _ => {
            let takes = left.min(1);
            left -= takes;
            takes
        }
    });
    let shares: Vec<usize> = shares.collect();
    (left == 0).then_some(shares)
}

impl Decoder<'_> {
    /// The instruction of an operation of NVVM, if the table has it.
    pub(super) fn nvvm_call(&mut self, op: Ir<'_, '_>, name: &str) -> Result<Option<Call>, Error> {
        let Some(name) = name.strip_prefix("nvvm.") else { return Ok(None) };
        let mut all = find(Spelling::Nvvm, name);
        // Two instructions with one name differ in the words of an attribute.
        if let [_, _, ..] = all[..] {
            let has_words = |one: &Instruction| one.form.attributes.iter().all(|of| has_its_word(op, of));
            let fitting: Vec<_> = all.iter().filter(|one| has_words(one)).cloned().collect();
            all = if fitting.is_empty() { all } else { fitting };
        }
        let Some(mut call) = self.bound(op, all)? else { return Ok(None) };
        let found = &mut call.instruction.found;
        for attribute in &call.instruction.form.attributes {
            match *attribute {
                Attribute::Keyword { name, label, table, ref only } => {
                    let Some(word) = ir::keyword_attr(op, name) else {
                        if op.has_attribute(name) {
                            let what = format!("an attribute {name} that is not a keyword");
                            return Err(malformed(op, Malformed::Attribute, what));
                        }
                        continue;
                    };
                    let row = table.rows.iter().position(|row| row.nvvm.contains(&word));
                    let row = row.filter(|_| cute_ptx::form::allowed(only, word));
                    let row = row
                        .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the {label} {word}")))?;
                    found.keywords.push((label, row));
                }
                Attribute::Flag(name) => {
                    if op.has_attribute(name) && ir::int_attr(op, name) != Some(0) {
                        found.flags.push(name);
                    }
                }
                Attribute::Choice { name, ref choices } => {
                    let Some(word) = ir::keyword_attr(op, name) else { continue };
                    let choice = choices.iter().find(|choice| **choice == word);
                    let choice = choice
                        .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the {name} {word}")))?;
                    found.flags.push(choice);
                }
                Attribute::Type { name, label, after } => {
                    let ty = ir::type_attr(op, name)
                        .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {name}")))?;
                    let word = small_float(ty).map(|element| format!("{}{after}", element.name()));
                    let table = ScalarType::TABLE;
                    let row =
                        word.and_then(|word| table.rows.iter().position(|row| row.ptx.contains(&&*word)));
                    let row = row.ok_or_else(|| unmodelled(op, Unmodelled::Type, format!("type {ty}")))?;
                    found.keywords.push((label, row));
                }
                Attribute::Refused { name, mnemonic } => {
                    if op.has_attribute(name)
                        && let Some((mnemonic, Support::Refused(reason))) = mnemonics::mnemonic(mnemonic)
                    {
                        return Err(unmodelled(
                            op,
                            Unmodelled::Instruction,
                            format!("with {name} this is `{mnemonic}` ({reason}), which"),
                        ));
                    }
                }
                Attribute::Number { name, role } => {
                    let number = ir::int_attr(op, name)
                        .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {name}")))?;
                    let slot = self.constant(op, vec![number as u64])?;
                    call.operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Int(64)) }));
                }
            }
        }
        Ok(Some(call))
    }

    /// The instruction that one of LLVM's intrinsics is, if the table has it.
    pub(super) fn intrinsic_call(&mut self, op: Ir<'_, '_>, name: &str) -> Result<Option<Call>, Error> {
        let mut all = find(Spelling::Intrinsic, name);
        // A name may end with the types that it is overloaded for.
        if all.is_empty()
            && let Some(known) = cute_ptx::llvm::intrinsic(name)
        {
            all = find(Spelling::Intrinsic, known.name);
        }
        self.bound(op, all)
    }

    /// The instruction that an attribute of assembly names in PTX's words, if the table has it.
    pub(super) fn titled_call(&mut self, op: Ir<'_, '_>, name: &str) -> Result<Option<Call>, Error> {
        self.bound(op, find(Spelling::Ptx, name))
    }

    /// Binds the operands and results of an operation to the first of these forms that they fit.
    fn bound(&mut self, op: Ir<'_, '_>, all: Vec<Instruction>) -> Result<Option<Call>, Error> {
        let Some(text) = all.first().map(|one| one.form.text) else { return Ok(None) };
        // Segments of LLVM's ops tell operands from bundles.
        let is_op = all.first().is_some_and(|one| one.form.spelling == Spelling::Nvvm);
        let segments = is_op.then(|| ir::ints_attr(op, "operandSegmentSizes")).flatten();
        let values = result_count(self, op)?;
        let fits = |instruction: &Instruction| {
            let results = results(instruction);
            let least = results.iter().filter(|o| !o.optional).count();
            let is_list = results.iter().any(|result| result.shape == OperandShape::List);
            let most = if is_list { usize::MAX } else { results.len().max(1) };
            (least..=most)
                .contains(&values)
                .then(|| shares(&sources(instruction), op.operand_count(), segments.as_deref()))?
        };
        let Some((instruction, shares)) =
            all.into_iter().find_map(|one| Some((fits(&one)?, one))).map(|(s, i)| (i, s))
        else {
            return Err(malformed(op, Malformed::OperandType, format!("operands that do not fit `{text}`")));
        };
        let mut operands = Vec::new();
        let mut next = 0;
        for (operand, share) in sources(&instruction).into_iter().zip(shares) {
            for index in next..next + share {
                let held = self.operand(op, index)?;
                if operand.shape == OperandShape::Number && !self.known.contains_key(&held.slot) {
                    let role = operand.role.map_or("_", Role::name);
                    return Err(malformed(
                        op,
                        Malformed::OperandValue,
                        format!("the operand `{role}` is not a constant"),
                    ));
                }
                let role = match operand.shape {
                    OperandShape::Box(of_each) if index > next => Some(of_each),
                    _ => operand.role,
                };
                operands.extend(role.map(|role| (role, held)));
            }
            next += share;
        }
        let roles = results(&instruction);
        let mut made = Vec::new();
        for held in self.results(op)? {
            match (&roles[..], &held.ty) {
                ([_, _, ..], Type::Struct { fields, .. }) => {
                    let mut slot = held.slot;
                    for field in fields {
                        made.push(Held { slot, ty: field.clone() });
                        slot += field.slots() as Slot;
                    }
                }
                _ => made.push(held),
            }
        }
        operands.extend(roles.iter().filter_map(|o| o.role).zip(made));
        let ignored = op.result_count() > 0 && op.results().all(|result| !is_used(result.into()));
        let swizzle = ir::str_attr(op, SWIZZLE_ATTRIBUTE);
        Ok(Some(Call { at: self.places.site(op), instruction, operands, ignored, is_text: false, swizzle }))
    }
}

/// Whether an operation has one of the words of an attribute, or not the attribute.
fn has_its_word(op: Ir<'_, '_>, attribute: &Attribute) -> bool {
    let word = |name| ir::keyword_attr(op, name);
    match attribute {
        Attribute::Keyword { name, only, table, .. } => word(name).is_none_or(|word| {
            table.rows.iter().any(|row| row.nvvm.contains(&word)) && cute_ptx::form::allowed(only, word)
        }),
        Attribute::Choice { name, choices } => word(name).is_none_or(|word| choices.contains(&word)),
        _ => true,
    }
}

/// The float of at most 8 bits that a type is.
fn small_float(ty: melior::ir::Type<'_>) -> Option<Element> {
    Some(match float_type(ty)? {
        FloatType::F8E4M3FN => Element::E4m3,
        FloatType::F8E5M2 => Element::E5m2,
        FloatType::F8E8M0FNU => Element::Ue8m0,
        FloatType::F6E2M3FN => Element::E2m3,
        FloatType::F6E3M2FN => Element::E3m2,
        FloatType::F4E2M1FN => Element::E2m1,
        _ => return None,
    })
}

/// The number of results, or of fields of a struct of two.
fn result_count(decoder: &Decoder<'_>, op: Ir<'_, '_>) -> Result<usize, Error> {
    match op.result_count() {
        1 => Ok(match decoder.result_type(op)? {
            Type::Struct { fields, .. } => fields.len(),
            _ => 1,
        }),
        count => Ok(count),
    }
}
