//! The kernels of a text with a guess of a launch of each, or the kind of text that it is instead:
//! the data of the page's form. Arguments that were written before are taken apart for the form.

use crate::{
    flow::{self, Flow},
    guess::{self, Launch},
    request::{Error, unnamed},
};
use cute_launch::{
    Ptx,
    argument::{Spec, Values},
    bind::{Form, parse},
    recognise::NotPtx,
};
use cute_manifest::Kernel;
use cute_ptx::syntax;
use cute_sim::names::readable;
use serde::{Deserialize, Serialize};

/// A text, or the first bytes of a file that is not text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    #[serde(default)]
    ptx: String,
    #[serde(default = "unnamed")]
    file: String,
    /// The first bytes of a file that is not text.
    #[serde(default)]
    bytes: Vec<u8>,
    /// Arguments that are to be taken apart.
    #[serde(default)]
    args: Vec<String>,
}

/// The kernels of a file.
#[derive(Debug, Serialize)]
pub struct Description {
    target: String,
    /// The names of sources, as the PTX has them.
    sources: Vec<String>,
    kernels: Vec<Entry>,
    warnings: Vec<String>,
    /// The arguments of the question, taken apart.
    forms: Vec<Taken>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    /// The name without its mangling, by which a launch may name it if no other kernel has it.
    readable: String,
    parameters: Vec<Parameter>,
    block: Option<[i32; 3]>,
    max_block: Option<[i32; 3]>,
    cluster: Option<[i32; 3]>,
    is_dynamic: bool,
    guess: Launch,
    /// The arguments of the guess, taken apart.
    forms: Vec<Taken>,
}

#[derive(Debug, Serialize)]
struct Parameter {
    name: String,
    r#type: String,
    kind: String,
    width: u64,
}

/// An argument as the fields of a form.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
enum Taken {
    /// Memory with elements of a type.
    Array { name: Option<String>, element: String, extents: String, values: String },
    /// A number, or `null`.
    Number { text: String },
    /// Anything else, as it is written.
    Text { text: String },
}

/// Describes the text of a question.
///
/// # Errors
/// The question has no kernels of PTX.
pub fn describe(request: &[u8]) -> Result<Description, Error> {
    let Question { ptx: text, file, bytes, args } = serde_json::from_slice(request)?;
    let kind = NotPtx::of(&bytes);
    if kind.is_some() || !bytes.is_empty() {
        return Err(cute_launch::Error::NotPtx { file, kind }.into());
    }
    let ptx = Ptx::read(&file, &text, None)?;
    let unread = |why: syntax::SyntaxError| Error::Field(why.to_string());
    let module = syntax::parse(cute_launch::ptx::without_end(&text)).map_err(unread)?;
    let functions = module.functions.iter().filter(|function| function.is_entry && function.body.is_some());
    let entry = |(kernel, function): (&Kernel, _)| entry(kernel, &flow::follow(function), ptx.target);
    let kernels: Vec<Entry> = ptx.manifest.kernels.iter().zip(functions).map(entry).collect();
    if kernels.is_empty() {
        return Err(cute_launch::Error::NoKernel { file }.into());
    }
    Ok(Description {
        target: ptx.manifest.target.clone(),
        sources: module.files.iter().map(|(_, name)| (*name).to_owned()).collect(),
        kernels,
        warnings: ptx.warnings,
        forms: args.iter().map(|text| taken(text)).collect(),
    })
}

fn entry(kernel: &Kernel, flow: &Flow<'_>, target: cute_arch::Target) -> Entry {
    let parameters = kernel.arguments.iter().zip(&kernel.parameters).map(|(argument, parameter)| Parameter {
        name: argument.name.clone(),
        r#type: argument.r#type.clone(),
        kind: parameter.kind.clone(),
        width: parameter.width,
    });
    let guess = guess::launch(kernel, flow, target);
    Entry {
        name: kernel.name.clone(),
        readable: readable(&kernel.name).into_owned(),
        parameters: parameters.collect(),
        block: kernel.block,
        max_block: kernel.max_block,
        cluster: kernel.cluster,
        is_dynamic: kernel.shared_memory.dynamic,
        forms: guess.args.iter().map(|text| taken(text)).collect(),
        guess,
    }
}

/// The fields of an argument. One that a form has no fields for stays as it is.
fn taken(text: &str) -> Taken {
    let whole = || Taken::Text { text: text.to_owned() };
    match parse(text) {
        Ok((name, Form::Value(Spec::Array { element, values, .. }))) => {
            // The extents and the values as they are written, which `TYPE[EXTENTS]=VALUES` shows.
            let Some((extents, rest)) = text.split_once('[').and_then(|(_, rest)| rest.split_once(']'))
            else {
                return whole();
            };
            let values = match values {
                Values::File(_) | Values::Addresses(_) => return whole(),
                _ => rest.trim_start().strip_prefix('=').unwrap_or("0").trim().to_owned(),
            };
            Taken::Array { name, element: element.to_string(), extents: extents.to_owned(), values }
        }
        Ok((None, Form::Value(Spec::Null | Spec::Scalar(None, _)))) => {
            Taken::Number { text: text.to_owned() }
        }
        _ => whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::path::Path;

    fn described(file: &str) -> Value {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = std::fs::read_to_string(root.join(file)).expect("a file");
        let question = json!({"ptx": text, "file": file}).to_string();
        let description = describe(question.as_bytes()).unwrap_or_else(|why| panic!("{file}: {why}"));
        serde_json::to_value(description).expect("JSON")
    }

    #[test]
    fn arguments_are_guessed_from_the_text() {
        for (file, kernel, guess) in [
            (
                "tests/foreign/triton/plain_total.sm_90.ptx",
                "plain_total",
                json!({"args": ["param_0:i32[262144]", "param_1:i32[262144]", "null", "null"], "arrays": [],
                       "grid": [2, 1, 1], "block": null, "shared": 232448}),
            ),
            (
                "tests/foreign/triton/product_f16.sm_90.ptx",
                "product",
                json!({"args": ["param_0:f16[262144]=random(1)", "param_1:f16[262144]=random(2)", "param_2:f16[262144]",
                                "256", "256", "256", "null", "null"],
                       "arrays": [], "grid": [2, 2, 1], "block": null, "shared": 232448}),
            ),
            (
                "tests/foreign/cuda/broken.nvcc.sm_90.ptx",
                "no_barrier",
                json!({"args": ["param_0:f32[262144]=random(1)", "param_1:f32[262144]"], "arrays": [],
                       "grid": [2, 1, 1], "block": [64, 1, 1], "shared": null}),
            ),
            (
                "examples/bugs/map_changed.ptx",
                "map_changed<false>",
                json!({"args": ["tensor_map(param_0_tensor,box=64)", "&tensor_map(param_1_tensor,box=64)", "param_2:f32[262144]", "param_3:u32[262144]"]}),
            ),
        ] {
            let all = described(file);
            let kernels = all["kernels"].as_array().expect("kernels");
            let found = kernels.iter().find(|k| k["readable"] == kernel).unwrap_or_else(|| panic!("{all}"));
            for (field, value) in guess.as_object().expect("an object") {
                let own = &found["guess"][field];
                let (Some(texts), true) = (own.as_array(), field == "args") else {
                    assert_eq!(own, value, "{file}: {field}: {found}");
                    continue;
                };
                let wanted = value.as_array().expect("texts");
                assert_eq!(texts.len(), wanted.len(), "{file}: {own}");
                for (text, wanted) in texts.iter().zip(wanted) {
                    let (text, wanted) = (text.as_str().expect("a text"), wanted.as_str().expect("a text"));
                    assert!(text.starts_with(wanted), "{file}: {text} for {wanted}");
                }
            }
        }
    }

    #[test]
    fn a_struct_is_guessed_by_its_fields() {
        let guessed = |width: u32| {
            let text = format!(
                ".version 9.0\n.target sm_90a\n.address_size 64\n
                .visible .entry fill(.param .align 8 .b8 s[{width}]) {{
                .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .pred %p<2>;
                ld.param.u64 %rd1, [s]; ld.param.u32 %r1, [s+8]; ld.param.f32 %f1, [s+12];
                mov.u32 %r2, %tid.x; setp.ge.u32 %p1, %r2, %r1; @%p1 ret; mul.wide.u32 %rd2, %r2, 4;
                add.u64 %rd1, %rd1, %rd2; st.global.f32 [%rd1], %f1; ret; }}"
            );
            let description = describe(json!({"ptx": text}).to_string().as_bytes()).expect("PTX");
            description.kernels[0].guess.clone()
        };
        assert_eq!(guessed(16).args, ["{&s_0,i32=256,f32=1}"]);
        assert_eq!(guessed(16).arrays, ["s_0:f32[262144]"]);
        let bytes = format!("bytes(0x{}000100000000803f{}){{0:&s_0}}", "0".repeat(16), "0".repeat(16));
        assert_eq!(guessed(24).args, [bytes]);
    }

    #[test]
    fn arguments_are_taken_apart() {
        let array = |name: Option<&str>, element: &str, extents: &str, values: &str| Taken::Array {
            name: name.map(str::to_owned),
            element: element.to_owned(),
            extents: extents.to_owned(),
            values: values.to_owned(),
        };
        assert_eq!(taken("x:f32[4x8]=random(3)"), array(Some("x"), "f32", "4x8", "random(3)"));
        assert_eq!(taken("u8[7]"), array(None, "u8", "7", "0"));
        assert_eq!(taken("i32[4x4,strides=8x1]=range"), array(None, "i32", "4x4,strides=8x1", "range"));
        assert_eq!(taken("64"), Taken::Number { text: "64".to_owned() });
        assert_eq!(taken("null"), Taken::Number { text: "null".to_owned() });
        for text in ["&x+16", "tensor_map(x,box=8x8)", "{&x,i32=4}", "x.npy", "u64[1]=&x", "what?"] {
            assert_eq!(taken(text), Taken::Text { text: text.to_owned() });
        }
    }

    #[test]
    fn what_is_not_ptx_is_told() {
        let said =
            |question: Value| describe(question.to_string().as_bytes()).map(drop).unwrap_err().to_string();
        let cuda = said(json!({"ptx": "#include <x.h>\n__global__ void k() {}", "file": "k.cu"}));
        assert!(cuda.starts_with("'k.cu' is CUDA C++, not PTX: `nvcc -ptx"), "{cuda}");
        let cubin = said(json!({"bytes": [0x7f, 69, 76, 70], "file": "k.cubin"}));
        assert!(cubin.contains("a binary file such as a cubin, not PTX: `cuobjdump -ptx FILE`"), "{cubin}");
        assert!(said(json!({"ptx": "hello"})).contains("does not begin with `.version`"));
        assert!(said(json!({"bytes": [0, 1]})).contains("is not PTX"));
        assert!(
            said(json!({"ptx": ".version 9.0\n.target sm_90a\n.address_size 64"})).contains("has no kernel")
        );
    }
}
