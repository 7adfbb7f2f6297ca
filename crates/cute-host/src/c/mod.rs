//! Prints a program as C that launches through the API of the CUDA driver.
//!
//! Names that end in an underscore belong to the printer, other names to the caller. An integer is
//! unsigned and has its own width, with 0 or 1 for a bit; it is cast where it counts as signed.

mod map;
mod value;

use std::{
    collections::HashSet,
    fmt::{self, Write},
};

use cute_machine::place::SourcePlace;

use crate::{
    attribute::{FieldKind, LaunchAttribute},
    driver::{Amount, DriverCall, Needs, loading},
    program::{ConfigId, Expr, Id, Program, Step, StepSource},
    types::Type,
};

/// The layout of a kernel's parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Passing {
    /// The size of each parameter in bytes.
    pub parameters: Vec<u64>,
    /// The place of each leaf.
    pub leaves: Vec<Place>,
}

/// The place of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The number of its parameter.
    pub parameter: usize,
    /// Offset in bytes from the start of the parameter.
    pub offset: u64,
    /// Its size in bytes.
    pub width: u64,
}

/// An error for a step that has no form in C.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: '{op}' op is not supported in C: {why}")]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Unsupported {
    pub op: String,
    pub location: SourcePlace,
    pub why: &'static str,
}

/// Prints the C code for a program that comes from `source`. `names` are the names of its
/// parameters, and `passing` holds the parameter layouts of its kernels, in the order of the
/// program.
///
/// # Errors
/// The first [`Unsupported`] step.
pub fn print(
    program: &Program,
    source: &str,
    names: &[String],
    passing: &[Passing],
) -> Result<String, Unsupported> {
    let mut taken = HashSet::new();
    let names: Vec<String> = names.iter().map(|name| unique(name, &mut taken)).collect();
    let mut constants = vec![None; program.types.len()];
    let mut used = vec![false; program.types.len()];
    program.walk(&mut |step| {
        if let Step::Let { result, what: Expr::Constant(bits), .. } = step {
            constants[*result] = Some(*bits);
        }
        step.uses().into_iter().for_each(|id| used[id] = true);
    });
    let mut printer = Printer { program, passing, names, constants, used, out: String::new(), depth: 1 };
    printer.steps(&program.body)?;
    Ok(printer.file(source, &printer.out))
}

/// Words that cannot be names of parameters.
const KEYWORDS: &str = "auto break case char const continue default do double else enum extern float for goto if inline int long main \
                        register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while \
                        asm typeof bool true false NULL stderr memcpy memset fprintf unix linux";

/// A valid name in C, without an underscore at its end.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_end_matches('_');
    let is_word = KEYWORDS.split_whitespace().any(|word| word == name)
        || name.ends_with("_t")
        || name.starts_with("CU");
    if is_word || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        format!("arg_{name}x")
    } else {
        name.to_owned()
    }
}

fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let name = identifier(name);
    let numbered = (2..).map(|n| format!("{name}_{n}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains(name));
    let free = free.expect("numbers do not end");
    taken.insert(free.clone());
    free
}

/// A text between quotes.
fn quoted(text: &str) -> String {
    let escaped = text.chars().flat_map(|c| match c {
        '"' | '\\' => vec!['\\', c],
        // `??=` and other trigraphs are different characters in C.
        '?' => vec!['\\', '?'],
        c if c.is_control() => vec![' '],
        c => vec![c],
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A text in a comment, which it cannot end: the characters that are not printed are escaped.
fn commented(text: &str) -> String {
    let escaped = text.chars().flat_map(|c| match c {
        '"' | '\'' => vec![c],
        c => c.escape_debug().collect(),
    });
    escaped.collect()
}

struct Printer<'p> {
    program: &'p Program,
    passing: &'p [Passing],
    /// The names of the parameters.
    names: Vec<String>,
    /// Values that are written as numbers where they are used.
    constants: Vec<Option<u64>>,
    used: Vec<bool>,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    /// A line of the body.
    fn line(&mut self, text: impl fmt::Display) {
        let indent = "    ".repeat(self.depth);
        writeln!(self.out, "{indent}{text}").expect("a string grows");
    }

    /// Returns with a message where a condition holds.
    fn refuse_if(&mut self, condition: impl fmt::Display, site: &StepSource, why: &str) {
        let (location, why) =
            (quoted(&site.location.to_string()), quoted(&format!("'{}' op {why}", site.op)));
        self.line(format!("if ({condition}) return refuse_({location}, {why});"));
    }

    fn steps(&mut self, steps: &[Step]) -> Result<(), Unsupported> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Result<(), Unsupported> {
        match step {
            Step::Let { what: Expr::Constant(_), .. } => {}
            Step::Let { result, what, site } => self.make(*result, what, site)?,
            Step::Map { result, of, address, extents, strides, site } => {
                self.map(*result, of, *address, [extents, strides], site);
            }
            Step::If { condition, ways, results, .. } => {
                let mut results = results.clone();
                results.retain(|(result, _)| self.used[*result]);
                for (result, _) in &results {
                    self.line(format!("{} v{result}_;", c_type(self.program.types[*result])));
                }
                let condition = self.value(*condition);
                for (way, steps) in ways.iter().enumerate() {
                    self.line(if way == 0 { format!("if ({condition}) {{") } else { "} else {".into() });
                    self.depth += 1;
                    self.steps(steps)?;
                    for (result, each) in &results {
                        let value = self.value(each[way]);
                        self.line(format!("v{result}_ = {value};"));
                    }
                    self.depth -= 1;
                }
                self.line("}");
            }
            Step::Configure { config, grid, block, shared, stream, site } => {
                self.configure(*config, [grid, block], *shared, *stream, site);
            }
            Step::Set { config, attribute, site } => self.set(*config, attribute, site),
            Step::Launch { config, kernel, arguments, result, .. } => {
                self.launch(*config, *kernel, arguments, *result);
            }
            Step::ReturnIfError { code, .. } => {
                let code = self.value(*code);
                self.line(format!("if ({code} != 0) return (int32_t){code};"));
            }
            Step::Return { code, .. } => {
                let code = code.map_or("0".into(), |code| format!("(int32_t){}", self.value(code)));
                self.line(format!("return {code};"));
            }
        }
        Ok(())
    }

    fn configure(
        &mut self,
        config: ConfigId,
        sizes: [&[Id; 3]; 2],
        shared: Id,
        stream: Id,
        site: &StepSource,
    ) {
        let bytes = self.value(shared);
        self.refuse_if(
            format!("{bytes} > UINT32_MAX"),
            site,
            "has more dynamic shared memory than a launch can have",
        );
        self.line(format!("memset(&config{config}_, 0, sizeof config{config}_);"));
        for (what, ids) in ["grid", "block"].into_iter().zip(sizes) {
            for (axis, id) in ["X", "Y", "Z"].into_iter().zip(ids) {
                let extent = self.value(*id);
                self.line(format!("config{config}_.{what}Dim{axis} = {extent};"));
            }
        }
        let stream = self.value(stream);
        self.line(format!("config{config}_.sharedMemBytes = (unsigned){bytes};"));
        self.line(format!("config{config}_.hStream = {stream};"));
        self.line(format!("config{config}_.attrs = attributes{config}_;"));
    }

    fn set(&mut self, config: ConfigId, attribute: &LaunchAttribute<Id>, site: &StepSource) {
        if let Some(flag) = attribute.flag() {
            let flag = self.value(flag);
            self.refuse_if(format!("{flag} > 1"), site, "must be given 0 or 1");
        }
        let room = self.program.configs[config];
        self.line(format!("attribute_ = set_(&config{config}_, {room}, {});", attribute.name()));
        let full =
            format!("sets more different attributes than its configuration has room for, which is {room}");
        self.refuse_if("!attribute_", site, &full);
        for (field, value) in attribute.fields() {
            let value = self.value(value);
            let cast = if field.kind == FieldKind::Int { "(int)" } else { "" };
            self.line(format!("attribute_->value.{} = {cast}{value};", field.name));
        }
    }

    fn launch(&mut self, config: ConfigId, kernel: usize, arguments: &[Id], result: Id) {
        let passing = &self.passing[kernel];
        if self.used[result] {
            self.line(format!("uint32_t v{result}_;"));
        }
        self.line("{");
        self.depth += 1;
        for (i, width) in passing.parameters.iter().enumerate() {
            self.line(format!("_Alignas(64) unsigned char p{i}_[{}] = {{0}};", width.max(&1)));
        }
        for (i, (id, place)) in arguments.iter().zip(&passing.leaves).enumerate() {
            if matches!(self.program.types[*id], Type::Zeros(_)) {
                continue; // The bytes of the parameters begin as zeros.
            }
            let (t, value) = (c_type(self.program.types[*id]), self.value(*id));
            self.line(format!("const {t} leaf{i}_ = {value};"));
            let Place { parameter, offset, width } = place;
            self.line(format!("memcpy(p{parameter}_ + {offset}, &leaf{i}_, {width});"));
        }
        let addresses: Vec<_> = (0..passing.parameters.len()).map(|i| format!("p{i}_")).collect();
        let given = if addresses.is_empty() { "NULL" } else { "parameters_" };
        if !addresses.is_empty() {
            self.line(format!("void *parameters_[] = {{{}}};", addresses.join(", ")));
        }
        let call = format!("cuLaunchKernelEx(&config{config}_, kernels_[{kernel}], {given}, NULL)");
        let call = if self.used[result] {
            format!("v{result}_ = (uint32_t){call};")
        } else {
            format!("(void){call};")
        };
        self.line(call);
        self.depth -= 1;
        self.line("}");
    }

    /// The whole file, around the body of the function.
    fn file(&self, source: &str, body: &str) -> String {
        let (program, name) = (self.program, identifier(&self.program.name));
        let parameter = |i: usize| format!("{} {}", passed_type(program.types[i]), self.names[i]);
        let parameters: Vec<_> = (0..program.parameters).map(parameter).collect();
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let source = commented(source);
        let mut out = format!(
            "// Launches the kernels of {source} as its host function '{}' does, through the API of the CUDA driver.\n\
             //\n\
             // {name}_load takes a cubin or PTX of the kernels, in the context that is current\n\
             // when they are launched. {name}_unload releases it. {name} returns 0, an error\n\
             // of the driver, or CUDA_ERROR_INVALID_VALUE after a message.\n\n\
             #include <cuda.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n\
             int32_t {name}_load(const void *image);\nvoid {name}_unload(void);\nint32_t {name}({parameters});\n\n",
            commented(&program.name)
        );
        let mut push = |text: &str| out.push_str(text);
        if body.contains("refuse_(") {
            push(
                "static int32_t refuse_(const char *location, const char *why) {\n    fprintf(stderr, \"%s: %s\\n\", location, why);\n    \
                 return CUDA_ERROR_INVALID_VALUE;\n}\n\n",
            );
        }
        if body.contains("refuse_number_(") {
            push(map::REFUSE_NUMBER);
        }
        for (helper, from, to) in [
            ("float_of", "uint32_t", "float"),
            ("bits_of", "float", "uint32_t"),
            ("double_of", "uint64_t", "double"),
            ("wide_bits_of", "double", "uint64_t"),
        ] {
            if body.contains(&format!("{helper}_(")) {
                push(&format!(
                    "static {to} {helper}_({from} from) {{\n    {to} to;\n    memcpy(&to, &from, sizeof to);\n    return to;\n}}\n\n"
                ));
            }
        }
        if body.contains("= set_(") {
            push(
                "// The attribute of this name, which is added where it is missing and there is room.\n\
                 static CUlaunchAttribute *set_(CUlaunchConfig *config, unsigned room, CUlaunchAttributeID id) {\n    unsigned i = 0;\n    \
                 while (i < config->numAttrs && config->attrs[i].id != id) i++;\n    if (i == room) return NULL;\n    \
                 if (i == config->numAttrs) {\n        memset(&config->attrs[i], 0, sizeof config->attrs[i]);\n        \
                 config->attrs[i].id = id;\n        config->numAttrs++;\n    }\n    return &config->attrs[i];\n}\n\n",
            );
        }
        push(&self.loader(&name));
        push(&format!("int32_t {name}({parameters}) {{\n"));
        for (i, room) in program.configs.iter().enumerate() {
            push(&format!(
                "    CUlaunchConfig config{i}_;\n    CUlaunchAttribute attributes{i}_[{}];\n",
                room.max(&1)
            ));
        }
        if body.contains("attribute_ =") {
            push("    CUlaunchAttribute *attribute_;\n");
        }
        for i in (0..program.parameters).filter(|i| self.used[*i]) {
            let (t, name) = (program.types[i], &self.names[i]);
            let low = if t.bits() == 1 { " & 1" } else { "" };
            push(&format!("    const {0} v{i}_ = ({0}){name}{low};\n", c_type(t)));
        }
        out + body + "}\n"
    }

    /// The functions that load and unload the kernels.
    fn loader(&self, name: &str) -> String {
        let kernels = &self.program.kernels;
        let needs = kernels.iter().map(|kernel| {
            let shared_memory = kernel.opts_in_shared_memory.then_some(Amount::Rest);
            (kernel.name.as_str(), Needs { shared_memory, large_clusters: kernel.allows_large_clusters })
        });
        let mut out = format!(
            "static CUmodule module_;\nstatic CUfunction kernels_[{}];\n\nint32_t {name}_load(const void *image) {{\n",
            kernels.len().max(1)
        );
        let step = |call: &str| format!("    if (result_ == CUDA_SUCCESS) result_ = {call};\n");
        let mut found = 0;
        for call in loading(needs) {
            match call {
                DriverCall::Load => {
                    out += "    CUresult result_ = cuModuleLoadData(&module_, image);\n";
                    if kernels.iter().any(|kernel| kernel.opts_in_shared_memory) {
                        out += "    CUdevice device_ = 0;\n    int most_ = 0, fixed_ = 0;\n";
                        out += &step("cuCtxGetDevice(&device_)");
                        let most = "CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN";
                        out += &step(&format!("cuDeviceGetAttribute(&most_, {most}, device_)"));
                    }
                }
                DriverCall::Find { kernel } => {
                    let symbol = quoted(&kernel);
                    out += &step(&format!("cuModuleGetFunction(&kernels_[{found}], module_, {symbol})"));
                    found += 1;
                }
                DriverCall::Set { attribute, value, .. } => {
                    let i = found - 1;
                    let value = match value {
                        Amount::Number(number) => number.to_string(),
                        Amount::Rest => {
                            let fixed = "CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES";
                            out += &step(&format!("cuFuncGetAttribute(&fixed_, {fixed}, kernels_[{i}])"));
                            "most_ - fixed_".to_owned()
                        }
                    };
                    let name = attribute.name();
                    out += &step(&format!("cuFuncSetAttribute(kernels_[{i}], {name}, {value})"));
                }
                // These are the steps of the function itself.
                DriverCall::Launch(_) => {}
            }
        }
        out + &format!(
            "    return (int32_t)result_;\n}}\n\nvoid {name}_unload(void) {{\n    if (module_) (void)cuModuleUnload(module_);\n    \
             module_ = NULL;\n}}\n\n"
        )
    }
}

/// The C type of a value inside the function.
fn c_type(t: Type) -> &'static str {
    match t {
        Type::Int(1 | 8) => "uint8_t",
        Type::Int(16) | Type::F16 | Type::Bf16 => "uint16_t",
        Type::Int(32) | Type::Status => "uint32_t",
        Type::Int(_) | Type::Address | Type::Zeros(_) => "uint64_t",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::TensorMap => "CUtensorMap",
        Type::Stream => "CUstream",
        Type::Event => "CUevent",
    }
}

/// The C type that a caller passes.
fn passed_type(t: Type) -> &'static str {
    match t {
        Type::Int(8) => "int8_t",
        Type::Int(16) => "int16_t",
        Type::Int(32) => "int32_t",
        Type::Int(64) => "int64_t",
        Type::Address => "CUdeviceptr",
        t => c_type(t),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_c_takes_and_differ() {
        let mut taken = HashSet::new();
        let names =
            ["x", "x", "a.b", "a_b", "int", "0", "v1_", "size_t"].map(|name| unique(name, &mut taken));
        assert_eq!(names, ["x", "x_2", "a_b", "a_b_2", "arg_intx", "arg_0x", "v1", "arg_size_tx"]);
        assert_eq!(
            commented("it's \"a\\\"\n\u{2028}\u{202e}.mlir"),
            "it's \"a\\\\\"\\n\\u{2028}\\u{202e}.mlir"
        );
        assert_eq!(quoted("a\"b\\c\n?"), "\"a\\\"b\\\\c \\?\"");
    }
}
