//! Files of PTX: what a launch needs to know of them, and their programs.

use cute_arch::Target;
use cute_assembler::module::{self, Reading};
use cute_manifest::{
    Argument, Expected, Holds, Kernel, Leaf, Manifest, Parameter, Role, SharedMemory, SharedPart, argument,
};
use cute_ptx::syntax::{Function, Variable};
use cute_sim::Program;
use cute_sim::address::SHARED_BASE;
use std::path::Path;

use crate::{
    error::{Error, Result},
    recognise::NotPtx,
};

pub use crate::recognise::is_ptx;

/// A file of PTX.
pub struct Ptx {
    /// The parameters and the shared memory of its kernels.
    pub manifest: Manifest,
    /// The GPU that it is for.
    pub target: Target,
    /// Its kernels.
    pub program: Program,
    /// Warnings for the reader of a file that can be run: a version or a target that is
    /// newer than known.
    pub warnings: Vec<String>,
}

impl Ptx {
    /// Reads the text of a file. Places in files below `folder` are named from there. An
    /// instruction without a model is a finding when it is reached;
    /// [`Checks::strict_ptx`](crate::simulate::Checks::strict_ptx) refuses kernels that have one.
    ///
    /// # Errors
    /// [`Error::NotPtx`] and [`Error::Simulator`].
    pub fn read(file: &str, text: &str, folder: Option<&Path>) -> Result<Self> {
        let failed = |why| Error::Simulator(Box::new(why));
        let name = file;
        if !is_ptx(text) {
            return Err(Error::NotPtx { file: name.to_owned(), kind: NotPtx::of(text.as_bytes()) });
        }
        let file = module::parse(without_end(text), Reading { file, strict: false }).map_err(failed)?;
        let file = match folder.and_then(Path::to_str) {
            Some(folder) => file.relative_to(folder),
            None => file,
        };
        let program = file.program().map_err(failed)?;
        let named = file.module().target.first().copied().unwrap_or_default();
        let (target, unknown) = match Target::of_ptx(named) {
            Some(target) => (target, None),
            None => {
                let older = older(named);
                (older, Some(format!("{name}: target {named} is not known; the limits are those of {older}")))
            }
        };
        let warnings = file.newer().into_iter().chain(unknown).collect();
        let kernels = file.kernels().zip(&program.kernels).map(|(f, k)| kernel(f, k)).collect();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let manifest = Manifest { version, target: named.to_owned(), kernels };
        Ok(Self { manifest, target, program, warnings })
    }
}

impl Ptx {
    /// Fills in what a manifest in JSON says of the parameters, the one that is written beside PTX.
    ///
    /// # Errors
    /// [`Error::Manifest`] if it is one of other PTX.
    pub fn describe(&mut self, file: &str, json: &str) -> Result<()> {
        let failed = |why| Error::Manifest { file: file.to_owned(), why };
        let known = Manifest::from_json(json).map_err(failed)?;
        self.manifest.describe(&known).map_err(failed)
    }
}

impl Ptx {
    /// Gives the parameters of a kernel the names that they have in its source, in order.
    ///
    /// # Errors
    /// [`Error::ParameterNames`] if there are more names than parameters.
    pub fn name_parameters(&mut self, kernel: &str, names: &[String]) -> Result<()> {
        let Some(kernel) = self.manifest.kernels.iter_mut().find(|known| known.name == kernel) else {
            return Ok(());
        };
        let Kernel { arguments, parameters, .. } = kernel;
        if names.len() > arguments.len() {
            let (names, parameters) = (names.len(), arguments.len());
            return Err(Error::ParameterNames { kernel: kernel.name.clone(), names, parameters });
        }
        for ((argument, parameter), name) in arguments.iter_mut().zip(parameters).zip(names) {
            argument.name.clone_from(name);
            parameter.argument.clone_from(name);
            if let Holds::One(leaf) = &mut parameter.holds {
                leaf.text = format!("parameter '{name}'");
            }
        }
        Ok(())
    }
}

/// A text without the NUL that ends it as a string of C: `nvrtcGetPTX` and the driver's linker
/// count it.
pub fn without_end(text: &str) -> &str {
    text.trim_end_matches('\0')
}

/// The newest target that is not newer than one of this name.
fn older(name: &str) -> Target {
    let number = |name: &str| {
        let digits = name.trim_start_matches("sm_").trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse::<u32>().unwrap_or(0)
    };
    let older = Target::known().filter(|target| number(target.name()) <= number(name));
    older.max_by_key(|target| number(target.name())).unwrap_or(Target::Sm80)
}

fn kernel(function: &Function<'_>, program: &cute_sim::program::Kernel) -> Kernel {
    let argument = |declared| declared_argument(function.name, declared);
    let arguments: Vec<Argument> = function.params.iter().map(argument).collect();
    let mut end = 0u64;
    let parameters = function.params.iter().zip(&arguments).zip(&program.params);
    let parameters = parameters.map(|((declared, argument), param)| {
        let width = match param {
            cute_sim::program::Param::Value { size, .. } => *size,
            cute_sim::program::Param::Scalar { scalar, .. } => scalar.bytes(),
        };
        let alignment = declared.align.unwrap_or(if declared.extents.is_empty() { width } else { 1 }).max(1);
        let offset = end.next_multiple_of(alignment);
        end = offset + width;
        Parameter {
            name: declared.name.to_owned(),
            r#type: argument.r#type.clone(),
            width,
            offset,
            alignment,
            kind: argument.leaves[0].kind.clone(),
            argument: argument.name.clone(),
            holds: Holds::One(Leaf {
                leaf: Role::Value.name().into(),
                text: format!("parameter '{}'", argument.name),
                ..Leaf::default()
            }),
        }
    });
    let fixed = program.shared.iter().filter_map(|o| Some(o.address + o.size? - SHARED_BASE)).max();
    let parts = program.shared.iter();
    let parts = parts.map(|o| SharedPart { symbol: o.name.clone(), size: o.size.unwrap_or(0) });
    let sizes = |name: &str| {
        let numbers = function.directive(name).filter(|numbers| !numbers.is_empty() && numbers.len() <= 3)?;
        let mut all = [1; 3];
        all[..numbers.len()].copy_from_slice(numbers);
        Some(all.map(|n| i32::try_from(n).unwrap_or(i32::MAX)))
    };
    Kernel {
        name: function.name.to_owned(),
        parameters: parameters.collect(),
        arguments,
        shared_memory: SharedMemory {
            r#static: fixed.unwrap_or(0),
            dynamic: program.shared.iter().any(|object| object.size.is_none()),
            dynamic_size: None,
            parts: parts.collect(),
        },
        block: sizes("reqntid"),
        max_block: sizes("maxntid"),
        cluster: sizes("reqnctapercluster"),
        grid_of_clusters: function.directive("blocksareclusters").is_some(),
        expected: Expected::default(),
    }
}

/// A parameter as an argument: PTX does not say what its bits mean. Compilers put the symbol of the
/// kernel in front of its name.
fn declared_argument(kernel: &str, declared: &Variable<'_>) -> Argument {
    let short = declared.name.strip_prefix(kernel).and_then(|rest| rest.strip_prefix('_'));
    let name = short.filter(|rest| rest.starts_with("param_")).unwrap_or(declared.name);
    let digits = declared.ty.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let kind = match declared.ty {
        _ if !declared.extents.is_empty() || declared.vector > 1 => "bytes".to_owned(),
        _ if declared.pointer.is_some() => "pointer".to_owned(),
        ty @ ("f16" | "bf16" | "f32" | "f64") => ty.to_owned(),
        "b64" | "u64" | "s64" => "word".to_owned(),
        ty if ty.starts_with('b') => format!("b{digits}"),
        _ => format!("i{digits}"),
    };
    let leaf = argument::Leaf {
        stored: kind.clone(),
        stored_kind: kind.clone(),
        role: Role::Value,
        mode: Vec::new(),
        promises: Vec::new(),
        kind,
        text: "the value".to_owned(),
    };
    let extents: Vec<String> = declared.extents.iter().flatten().map(u64::to_string).collect();
    let extents = if extents.is_empty() { String::new() } else { format!("[{}]", extents.join("][")) };
    Argument {
        name: name.to_owned(),
        r#type: format!(".{}{extents}", declared.ty),
        element: None,
        axes: None,
        tma: None,
        bits: None,
        leaves: vec![leaf],
        is_struct: false,
    }
}
