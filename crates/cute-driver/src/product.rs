//! The steps from a lowered module to an output. There is one sequence of them,
//! [`Lowered::product`]: tools, the C library and programs that embed the compiler all go through
//! it.

use cute_ffi::llvm::{self, LlvmModule};
use cute_lower::{emit::mark, lowered};
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
};

use crate::{
    Error, Manifest, Options, Result, Signatures, backend, exponents, kernel_module, libdevice::Libdevice,
    limits, manifest, objects, ptxas, run, sizes, watched,
};

/// Line numbers for ptxas to keep. Only this kind of debug information is compatible with optimized
/// code: line *tables* make LLVM write `.target ..., debug`, which ptxas rejects with "Optimized
/// debugging not supported".
const LINES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}";

/// Declares the outputs: the command line, the C library and the Python packages take their names.
macro_rules! outputs {
    ($($(#[doc = $sentence:literal])* $case:ident = $name:literal,)*) => {
        /// The outputs of a compilation, in the order of its steps.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Emit {
            $($(#[doc = $sentence])* $case,)*
        }

        impl Emit {
            /// All outputs.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$case => $name,)*
                }
            }

            /// The sentence for the help of a command line.
            pub fn sentence(self) -> &'static str {
                match self {
                    $(Self::$case => concat!($($sentence),*).trim(),)*
                }
            }
        }
    };
}

outputs! {
    /// The module with the choices made that it leaves open by auto
    Assigned = "assigned",
    /// The module in the llvm and nvvm dialects
    Mlir = "mlir",
    /// LLVM IR, not optimized
    Llvm = "llvm",
    /// PTX
    Ptx = "ptx",
    /// Machine code, by ptxas
    Cubin = "cubin",
    /// How to launch the kernels, as JSON
    Manifest = "manifest",
}

impl Emit {
    /// Whether ptxas takes part in making it.
    pub const fn needs_ptxas(self) -> bool {
        match self {
            Self::Cubin => true,
            Self::Assigned | Self::Mlir | Self::Llvm | Self::Ptx | Self::Manifest => false,
        }
    }

    /// The output with a name.
    ///
    /// # Errors
    /// The text of the names that there are, as in "llvm, ptx or cubin".
    pub fn of_name(name: &str) -> std::result::Result<Self, String> {
        Self::ALL.iter().copied().find(|emit| emit.name() == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|emit| emit.name()).collect();
            let (last, others) = names.split_last().expect("there are outputs");
            format!("{} or {last}", others.join(", "))
        })
    }
}

/// The result of a compilation.
#[derive(Debug, Clone)]
pub struct Product {
    /// The requested output.
    pub bytes: Vec<u8>,
    /// The PTX of a cubin.
    pub ptx: Option<String>,
    /// How to launch the kernels; not for [`Emit::Assigned`] and [`Emit::Mlir`].
    pub manifest: Option<Manifest>,
}

/// A report of a step that succeeds.
#[derive(Debug)]
pub enum Note {
    /// A warning of LLVM or ptxas, such as spilled registers.
    Warning(String),
    /// The resources of a kernel in a cubin.
    Resources(ptxas::Resources),
}

/// A module in the LLVM and NVVM dialects, with what the further steps need.
pub struct Lowered<'c, 'm> {
    /// The context of the module.
    pub context: &'m Context,
    /// The module after [`lower`](crate::lower) with the same options.
    pub module: &'m mut Module<'c>,
    /// The options of the compilation.
    pub options: &'m Options,
    /// The signatures of the module before it was lowered.
    pub signatures: &'m Signatures,
}

/// LLVM IR, with the information for launching its kernels.
pub struct Translated {
    /// The code before optimization.
    pub code: LlvmModule,
    /// The kernels with their parameters and limits.
    pub manifest: Manifest,
}

impl Lowered<'_, '_> {
    /// Makes an output. Notes are passed on as soon as they are known, so that a step that fails
    /// does not hide those before it.
    ///
    /// # Errors
    /// The errors of the steps.
    // Inlined, as are the steps, so that it is compiled where it is used: a plugin must not link
    // LLVM's translation.
    #[inline]
    pub fn product(
        &mut self,
        emit: Emit,
        assembler: &ptxas::Options,
        mut note: impl FnMut(Note),
    ) -> Result<Product> {
        if matches!(emit, Emit::Assigned | Emit::Mlir) {
            let flags = OperationPrintingFlags::new().enable_debug_info(self.options.lineinfo, false);
            let text = self.module.as_operation().to_string_with_flags(flags);
            let text = text.expect("MLIR escapes what is not text, and the source is text");
            let bytes = format!("{}\n", text.trim_end()).into_bytes();
            return Ok(Product { bytes, ptx: None, manifest: None });
        }
        // Before more passes: a file without a kernel should hear of that.
        kernel_module(self.module)?;
        let Translated { code, manifest } = self.translate()?;
        let mut ptx = |code: LlvmModule| -> Result<String> {
            let llvm::PrintedPtx { text, warnings } = code.into_ptx().map_err(Error::Llvm)?;
            warnings.into_iter().for_each(|text| note(Note::Warning(text)));
            Ok(text)
        };
        let (bytes, ptx) = match emit {
            Emit::Assigned | Emit::Mlir | Emit::Manifest => (manifest.to_json().into_bytes(), None),
            Emit::Llvm => (code.to_ir().into_bytes(), None),
            Emit::Ptx => {
                let ptx = ptx(code)?;
                exponents::remark(kernel_module(self.module)?, &ptx);
                (ptx.into_bytes(), None)
            }
            Emit::Cubin => {
                let ptx = ptx(code)?;
                exponents::remark(kernel_module(self.module)?, &ptx);
                let assembled = self.assemble(&ptx, assembler)?;
                assembled.warnings().for_each(|text| note(Note::Warning(text)));
                assembled.resources.into_iter().for_each(|resources| note(Note::Resources(resources)));
                (assembled.cubin, Some(ptx))
            }
        };
        Ok(Product { bytes, ptx, manifest: Some(manifest) })
    }

    /// Translates the module to LLVM IR.
    ///
    /// # Errors
    /// An [`Error`], for instance for a kernel that no launch on the target can run.
    #[inline]
    pub fn translate(&mut self) -> Result<Translated> {
        self.translated(self.options)
    }

    #[inline]
    fn translated(&mut self, options: &Options) -> Result<Translated> {
        mark::remove(self.module);
        let lines = if options.lineinfo { format!("{LINES},") } else { String::new() };
        let passes = format!("builtin.module({lines}gpu.module(convert-nvvm-to-llvm))");
        run(self.context, self.module, &passes)?;
        let gpu_module = kernel_module(self.module)?;
        lowered::check(gpu_module).map_err(|_| Error::Reported)?;
        sizes::check(gpu_module)?;
        let target = options.target;
        objects::check(gpu_module, target)?;
        let code = watched(self.context, || {
            llvm::translate(gpu_module, target.name(), &backend::llvm_features(target)).map_err(Error::Llvm)
        })?;
        manifest::check_dynamic_shared_memory(gpu_module)?;
        manifest::check_expected(gpu_module, self.signatures)?;
        let code = match &options.libdevice {
            Some(Libdevice { file, bitcode }) => {
                code.with_library(bitcode, &file.display().to_string()).map_err(Error::Llvm)?
            }
            None => code,
        };
        let manifest = manifest::of(gpu_module, &code, target, self.signatures);
        limits::check(gpu_module, &manifest, target)?;
        Ok(Translated { code, manifest })
    }

    /// Assembles the PTX of the module. If ptxas makes its MMAs wait, the module is translated once
    /// more with line numbers, so that the error names lines of the source. PTX and cubins do not
    /// have them unless [`Options::lineinfo`] asks for them.
    #[inline]
    fn assemble(&mut self, ptx: &str, assembler: &ptxas::Options) -> ptxas::Result<ptxas::Assembled> {
        let why = match assembler.assemble(ptx, self.options.target, self.options.lineinfo) {
            Err(why @ ptxas::Error::Performance { .. }) if !self.options.lineinfo => why,
            other => return other,
        };
        let options = Options { lineinfo: true, ..self.options.clone() };
        let ptx = self.translated(&options).ok().and_then(|translated| translated.code.into_ptx().ok());
        let located = ptx.and_then(|ptx| assembler.assemble(&ptx.text, options.target, true).err());
        Err(located.filter(|error| matches!(error, ptxas::Error::Performance { .. })).unwrap_or(why))
    }

    /// Makes PTX, and a cubin if there is a ptxas. Each warning is passed on as soon as it is
    /// known.
    ///
    /// # Errors
    /// The errors of the steps; [`Error::Ptxas`] unless ptxas is missing.
    #[inline]
    pub fn compiled(&mut self, mut warn: impl FnMut(&str)) -> Result<CompiledModule> {
        let emit = match ptxas::find() {
            Err(ptxas::Error::NotFound) => Emit::Ptx,
            _ => Emit::Cubin,
        };
        let (mut warnings, mut resources) = (Vec::new(), Vec::new());
        let Product { bytes, ptx, manifest } =
            self.product(emit, &ptxas::Options::default(), |note| match note {
                Note::Warning(text) => {
                    warn(&text);
                    warnings.push(text);
                }
                Note::Resources(own) => resources.push(own),
            })?;
        let (ptx, cubin) = match ptx {
            Some(ptx) => (ptx, Some(bytes)),
            None => (String::from_utf8(bytes).expect("PTX is text"), None),
        };
        let manifest = manifest.expect("PTX and cubins have a manifest");
        Ok(CompiledModule { ptx, cubin, manifest, warnings, resources })
    }
}

/// Everything that a program needs to launch the kernels of a module.
#[derive(Debug, Clone)]
pub struct CompiledModule {
    /// PTX.
    pub ptx: String,
    /// The ELF file that ptxas made of the PTX, if there is a ptxas.
    pub cubin: Option<Vec<u8>>,
    /// The kernels, their parameters and their shared memory.
    pub manifest: Manifest,
    /// The warnings of LLVM and ptxas, such as spilled registers.
    pub warnings: Vec<String>,
    /// The resources of the kernels in the ELF file.
    pub resources: Vec<ptxas::Resources>,
}
