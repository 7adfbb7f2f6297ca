//! Prints code that makes TMA descriptors, which the driver encodes.

use cute_arch::tensor_map::{Condition, Number, TensorMap};

use super::{Printer, quoted};
use crate::program::{Id, StepSource};

/// The C function that reports a number that breaks a rule.
pub(super) const REFUSE_NUMBER: &str = "\
static int32_t refuse_number_(const char *location, const char *what, uint64_t number, const char *rule) {
    fprintf(stderr, \"%s: %s is %llu: %s\\n\", location, what, (unsigned long long)number, rule);
    return CUDA_ERROR_INVALID_VALUE;
}

";

impl Printer<'_> {
    /// Checks the numbers of a descriptor, because the driver does not name a broken rule, and
    /// encodes it.
    pub(super) fn map(
        &mut self,
        result: Id,
        of: &TensorMap,
        address: Id,
        [extents, strides]: [&[Id]; 2],
        site: &StepSource,
    ) {
        let number = |number| match number {
            Number::Address => self.value(address),
            Number::Extent(i) => self.value(extents[i]),
            Number::Stride(i) => self.value(strides[i]),
        };
        let location = quoted(&site.location.to_string());
        let mut checks = Vec::new();
        for rule in of.number_rules() {
            let value = number(rule.number);
            let broken = match rule.condition {
                Condition::MultipleOf(n) => format!("{value} % {n}u != 0"),
                Condition::Within(least, most) if least == most => format!("{value} != {most}u"),
                Condition::Within(0, most) => format!("{value} > {most}u"),
                Condition::Within(least, most) => format!("{value} < {least}u || {value} > {most}u"),
            };
            let what = quoted(&format!(
                "'{}' op makes a descriptor that the driver rejects: {}",
                site.op, rule.number
            ));
            let text = quoted(&rule.text());
            checks.push(format!("if ({broken}) return refuse_number_({location}, {what}, {value}, {text});"));
        }
        let listed = |ids: &[Id]| ids.iter().map(|id| self.value(*id)).collect::<Vec<_>>().join(", ");
        let rank = of.modes.len();
        let (extents, strides) = (listed(extents), listed(strides));
        let joined = |each: &dyn Fn(usize) -> u32| {
            (0..rank).map(|i| each(i).to_string()).collect::<Vec<_>>().join(", ")
        };
        let (boxes, steps) = (joined(&|i| of.modes[i].boxed), joined(&|i| of.modes[i].step));
        let address = self.value(address);
        self.line(format!("CUtensorMap v{result}_;"));
        self.line("{");
        self.depth += 1;
        checks.into_iter().for_each(|check| self.line(check));
        // The driver takes the strides from mode 1 on.
        self.line(format!("const cuuint64_t extents_[] = {{{extents}}}, strides_[] = {{{strides}}};"));
        self.line(format!("const cuuint32_t box_[] = {{{boxes}}}, steps_[] = {{{steps}}};"));
        self.line("const CUresult code_ = cuTensorMapEncodeTiled(");
        self.line(format!(
            "    &v{result}_, CU_TENSOR_MAP_DATA_TYPE_{}, {rank}, (void *)(uintptr_t){address}, extents_, strides_ + 1, box_, steps_,",
            of.element.driver_name()
        ));
        self.line(format!(
            "    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_{}, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,",
            of.swizzle.driver_name()
        ));
        self.line("    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);");
        self.line("if (code_ != CUDA_SUCCESS) return (int32_t)code_;");
        self.depth -= 1;
        self.line("}");
    }
}
