//! The promises of a kernel's parameter types, which are either checked at its entry or passed to
//! LLVM.
//!
//! Never both: LLVM relies on what it is told, and would remove the check.

use cute_build::predicate::{self, IntPredicate};
use cute_dialect::parameters::{self, Abi, FunctionParameter, Leaf, Nest, Promise, Role, nested};
use cute_ffi::{Severity, ir};
use melior::{
    Context,
    ir::{
        Attribute, Identifier,
        attribute::{ArrayAttribute, DenseI32ArrayAttribute, DictionaryAttribute, IntegerAttribute},
        operation::{OperationLike, OperationRef},
        r#type::IntegerType,
    },
};

use crate::{
    Builder, Built,
    emit::RuntimeChecks,
    finish::{BY_VALUE, DESCRIPTORS},
};

/// A kernel's parameters and their attributes, from before its signature is rewritten.
pub(super) struct Entry<'c> {
    pub(super) abi: Abi,
    pub(super) parameters: Vec<FunctionParameter<'c>>,
    attributes: Option<ArrayAttribute<'c>>,
}

impl<'c> Entry<'c> {
    /// `None` for functions that are not kernels, because only callers outside of the module can
    /// break a promise.
    pub(super) fn of(function: OperationRef<'c, '_>) -> Built<Option<Self>> {
        if !ir::is_kernel(function) {
            return Ok(None);
        }
        let entry = Abi::of(function).map_err(|why| why.to_string()).and_then(|abi| {
            let parameters = parameters::of_function(function);
            let attributes = function.attribute("arg_attrs").and_then(ArrayAttribute::try_from).ok();
            let entry = Self { abi, parameters, attributes };
            entry.misplaced().map_or(Ok(Some(entry)), Err)
        });
        entry.map_err(|why| {
            let text = format!("'{}' op {why}", ir::op_name(function));
            cute_ffi::emit(ir::location(function), Severity::Error, &text, &[]);
            cute_build::Error::Reported
        })
    }

    /// Whether the leaves of a parameter will be in a struct.
    fn is_struct(&self, parameter: &FunctionParameter<'c>) -> bool {
        self.abi == Abi::Dsl && matches!(nested(parameter.r#type), Nest::Struct(_))
    }

    /// The attributes of a parameter in the source.
    fn given(&self, i: usize) -> Option<DictionaryAttribute<'c>> {
        DictionaryAttribute::try_from(self.attributes?.element(i).ok()?).ok()
    }

    /// An attribute for a pointer that will be in a struct.
    fn misplaced(&self) -> Option<String> {
        let given = self.parameters.iter().enumerate().filter_map(|(i, p)| Some((p, self.given(i)?)));
        let named = given.filter(|(p, _)| self.is_struct(p)).find_map(|(p, given)| {
            let names = elements(given)
                .into_iter()
                .map(|(name, _)| Some(name.as_string_ref().as_str().ok()?.to_owned()));
            Some((p, names.flatten().find(|name| name.starts_with("llvm."))?))
        });
        let (parameter, name) = named?;
        Some(format!(
            "parameter '{}' is passed in a struct, which cannot have the attribute {name}; take it off, or compile with \
             the flat ABI",
            parameter.name
        ))
    }

    /// Acts on the promises, now that the kernel is passed leaves.
    pub(super) fn keep_promises(&self, kernel: OperationRef<'c, 'c>, checks: Option<&RuntimeChecks<'c>>) {
        self.attributes(kernel, checks.is_none());
        self.mark_descriptors(kernel);
        self.mark_by_value(kernel);
        match checks {
            Some(checks) => self.check(kernel, checks),
            None if self.abi == Abi::Dsl => self.tell(kernel).expect("comparisons of integers can be built"),
            None => {}
        }
    }

    fn leaves(&self) -> impl Iterator<Item = (&FunctionParameter<'c>, &Leaf<'c>)> {
        self.parameters.iter().flat_map(|p| p.leaves.iter().map(move |leaf| (p, leaf)))
    }

    fn check(&self, kernel: OperationRef<'c, 'c>, checks: &RuntimeChecks<'c>) {
        let Some(entry) = ir::body(kernel).and_then(ir::first_op) else { return };
        for (i, (parameter, leaf)) in self.leaves().enumerate() {
            let location = ir::argument_location(kernel, i);
            let (Some(value), Some(location)) = (ir::block_argument(kernel, i), location) else {
                return;
            };
            for promise in &leaf.promises {
                checks.promise(entry, location, value, &parameter.name, leaf, *promise);
            }
        }
    }

    /// Tells LLVM that extents are positive, so that divisions by them become unsigned, as most
    /// indices are. For some kernels of CuTe DSL, which decompose dynamic coordinates, that saves a
    /// third of the code. The loops of our own GEMMs have no such divisions, and unsigned counters
    /// would make their code longer.
    fn tell(&self, kernel: OperationRef<'c, 'c>) -> Built<()> {
        let Some(build) = ir::body(kernel).and_then(ir::first_op).map(Builder::before) else { return Ok(()) };
        let c = build.context();
        let no_bundles = [("op_bundle_sizes", build.attribute("array<i32>")?)];
        for (i, (_, leaf)) in self.leaves().enumerate() {
            let is_positive = leaf.promises.contains(&Promise::Positive);
            let Some(value) = ir::block_argument(kernel, i).filter(|_| is_positive) else { continue };
            let zero = IntegerAttribute::new(leaf.r#type, 0).into();
            let zero = build.typed("arith.constant", &[], leaf.r#type, &[("value", zero)])?;
            let greater = [predicate::attribute(c, IntPredicate::Sgt.number())];
            let holds = build.typed("arith.cmpi", &[value, zero], IntegerType::new(c, 1).into(), &greater)?;
            build.effect("llvm.intr.assume", &[holds], &no_bundles)?;
        }
        Ok(())
    }

    /// Says of the kernel which of its parameters will be descriptors.
    fn mark_descriptors(&self, kernel: OperationRef<'c, 'c>) {
        let one_each = |p: &FunctionParameter<'c>| {
            if self.is_struct(p) { p.leaves.len().min(1) } else { p.leaves.len() }
        };
        let (mut number, mut numbers) = (0, Vec::new());
        for parameter in &self.parameters {
            let leaves = parameter.leaves.iter().enumerate();
            let own =
                leaves.filter(|(_, leaf)| leaf.role == Role::Descriptor).map(|(i, _)| number + i as i32);
            numbers.extend(own);
            number += one_each(parameter) as i32;
        }
        if !numbers.is_empty() {
            let numbers = DenseI32ArrayAttribute::new(ir::context(kernel), &numbers);
            ir::set_attribute(kernel, DESCRIPTORS, numbers.into());
        }
    }

    /// Says of the kernel which of its parameters are passed by value, each with the attributes
    /// that say so, because the conversion of `gpu.func` drops them.
    fn mark_by_value(&self, kernel: OperationRef<'c, 'c>) {
        let c = ir::context(kernel);
        let by_value = |i: usize, n: usize| {
            let given = self.given(i).filter(|_| n == 0).map(elements).unwrap_or_default();
            let names = |(name, _): &(Identifier<'c>, _), list: &[&str]| {
                name.as_string_ref().as_str().is_ok_and(|name| list.contains(&name))
            };
            let is_one = given.iter().any(|own| names(own, &[BY_VALUE_TYPE]));
            let kept = given.into_iter().filter(|own| is_one && names(own, &[BY_VALUE_TYPE, ALIGN]));
            kept.collect::<Vec<_>>()
        };
        let parameters = self.parameters.iter().enumerate();
        let all: Vec<_> = parameters
            .flat_map(|(i, p)| (0..p.leaves.len()).map(move |n| (i, n)))
            .map(|(i, n)| by_value(i, n))
            .collect();
        if all.iter().any(|own| !own.is_empty()) {
            let all: Vec<_> = all.iter().map(|own| dictionary(c, own)).collect();
            ir::set_attribute(kernel, BY_VALUE, ArrayAttribute::new(c, &all).into());
        }
    }

    /// Passes a parameter's own attributes to its first leaf. If `aligned`, also sets `llvm.align`
    /// on addresses, which LLVM repeats in PTX as `.ptr .align`.
    fn attributes(&self, kernel: OperationRef<'c, 'c>, aligned: bool) {
        if self.attributes.is_none() && !aligned {
            return;
        }
        let c = ir::context(kernel);
        let build = Builder::before(kernel);
        let mut attributes = Vec::new();
        for (i, parameter) in self.parameters.iter().enumerate() {
            let aligned = aligned && !self.is_struct(parameter);
            for (n, leaf) in parameter.leaves.iter().enumerate() {
                let given = self.given(i).filter(|_| n == 0);
                let mut named = given.map(elements).unwrap_or_default();
                let is_new = aligned && named.iter().all(|(name, _)| name_is_not_align(name));
                if let Some(align) = alignment(leaf).filter(|_| is_new) {
                    named.push((Identifier::new(c, ALIGN), build.attr(align)));
                }
                attributes.push(dictionary(c, &named));
            }
        }
        ir::set_attribute(kernel, "arg_attrs", ArrayAttribute::new(c, &attributes).into());
    }
}

const ALIGN: &str = "llvm.align";
/// The attribute of a pointer parameter whose pointee is passed, with the type of that.
const BY_VALUE_TYPE: &str = "llvm.byval";

fn name_is_not_align(name: &Identifier<'_>) -> bool {
    name.as_string_ref().as_str() != Ok(ALIGN)
}

fn elements<'c>(of: DictionaryAttribute<'c>) -> Vec<(Identifier<'c>, Attribute<'c>)> {
    (0..of.len()).filter_map(|i| of.element(i).ok()).collect()
}

fn dictionary<'c>(c: &'c Context, elements: &[(Identifier<'c>, Attribute<'c>)]) -> Attribute<'c> {
    DictionaryAttribute::new(c, elements).into()
}

/// The alignment of an address that is passed as a pointer of LLVM's.
pub(super) fn alignment(leaf: &Leaf<'_>) -> Option<i64> {
    let multiple = leaf.promises.iter().find_map(|p| match p {
        Promise::MultipleOf(n) => Some(*n),
        Promise::Positive => None,
    });
    let is_pointer = leaf.role == Role::Pointer && ir::is_llvm_pointer(leaf.r#type);
    multiple.filter(|n| is_pointer && n.count_ones() == 1)
}
