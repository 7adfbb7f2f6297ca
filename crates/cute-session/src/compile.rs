//! The steps from the text of a module to its products.

use std::sync::{Arc, Mutex, PoisonError};

use cute_algebra::Domain;
use cute_driver::{Signatures, Translated, kernel_module, ptxas, signature};
use cute_ffi::llvm::LlvmModule;
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags, OperationRef},
    },
};

use crate::{
    Session,
    cache::{Cache, Entry},
    error::{Error, Result},
    report::{Listener, Report, Severity},
    request::{Emit, Product, Request},
    source::Source,
};

/// A module as it was parsed.
pub struct Parsed<'c, 'o> {
    pub(crate) context: &'c Context,
    pub(crate) module: Module<'c>,
    pub(crate) source: &'o Source,
}

/// A module in the llvm and nvvm dialects, with what its kernels took before.
pub struct Lowered<'c, 'o> {
    context: &'c Context,
    module: Module<'c>,
    signatures: Signatures,
    /// The name of the source.
    pub file: &'o str,
    settings: &'o cute_driver::Options,
}

impl Session {
    /// Parses and verifies a module, and passes it to a function.
    ///
    /// # Errors
    /// [`Error::Reported`], and those of `then`.
    pub fn parsed<R, E: From<Error>>(
        &self,
        source: Source,
        domain: Option<Domain>,
        then: impl FnOnce(Parsed<'_, '_>) -> std::result::Result<R, E>,
    ) -> std::result::Result<R, E> {
        let source = Arc::new(source);
        let context = self.context();
        let module = self.module(&context, &source, domain)?;
        then(Parsed { context: &context, module, source: &source })
    }

    /// Compiles a module, or finds the result in the cache. The listener hears the same in both
    /// cases.
    ///
    /// # Errors
    /// An [`Error`].
    pub fn compile(&self, source: Source, request: &Request) -> Result<Product> {
        let Some(cache) = &self.cache else { return self.compiled(source, request) };
        if let Some(option) = Cache::reads_file(request) {
            self.warn(format!("the cache is not used, because option '{option}' names a file"));
            return self.compiled(source, request);
        }
        let Some(key) = cache.key(&source, request) else { return self.compiled(source, request) };
        match cache.get(&key) {
            Ok(None) => {}
            Ok(Some(Entry { product, reports })) => {
                reports.iter().for_each(|report| self.listener.hear(report));
                return Ok(product);
            }
            Err(why) => self.warn(why),
        }
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (shared, listener) = (heard.clone(), self.listener.clone());
        let listener = Listener::new(move |report| {
            listener.hear(report);
            shared.lock().unwrap_or_else(PoisonError::into_inner).push(report.clone());
        });
        let product = Self { listener, ..self.clone() }.compiled(source, request)?;
        let reports = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
        let entry = Entry { product, reports };
        cache.put(&key, &entry).unwrap_or_else(|why| self.warn(why.to_string()));
        Ok(entry.product)
    }

    fn compiled(&self, source: Source, request: &Request) -> Result<Product> {
        self.parsed(source, request.domain, |parsed| {
            self.product(&mut parsed.lower(&request.settings)?, request)
        })
    }

    fn product(&self, lowered: &mut Lowered<'_, '_>, request: &Request) -> Result<Product> {
        if request.emit == Emit::Mlir {
            let flags = OperationPrintingFlags::new().enable_debug_info(request.settings.lineinfo, false);
            let text = lowered.module.as_operation().to_string_with_flags(flags);
            let text = text.expect("MLIR escapes what is not text, and the source is text");
            return Ok(Product { bytes: format!("{}\n", text.trim_end()).into_bytes(), manifest: None });
        }
        // Before more passes: a file without a kernel should hear of that.
        lowered.kernel_module()?;
        let Translated { code, manifest } = lowered.translate()?;
        let manifest = manifest.to_json();
        let bytes = match request.emit {
            Emit::Manifest => manifest.clone().into_bytes(),
            Emit::Llvm => code.to_ir().into_bytes(),
            Emit::Mlir | Emit::Ptx => self.ptx(code, lowered.file)?.into_bytes(),
            Emit::Cubin => {
                let ptx = self.ptx(code, lowered.file)?;
                let assembled = self.assemble(lowered, &ptx, &request.ptxas)?;
                let resources = assembled.resources.iter();
                resources.for_each(|r| self.listener.hear(&Report::line(r.to_string())));
                assembled.cubin
            }
        };
        Ok(Product { bytes, manifest: Some(manifest) })
    }

    /// Generates PTX. The listener hears LLVM's warnings.
    ///
    /// # Errors
    /// [`Error::Compile`].
    pub fn ptx(&self, code: LlvmModule, file: &str) -> Result<String> {
        let ptx = code.into_ptx().map_err(|why| Error::of(file, cute_driver::Error::Llvm(why)))?;
        ptx.warnings.into_iter().for_each(|w| self.warn(w));
        Ok(ptx.text)
    }

    /// Assembles the PTX of a module that was translated. The listener hears ptxas's warnings, and
    /// of the kernels that spill.
    ///
    /// # Errors
    /// [`Error::Ptxas`].
    pub fn assemble(
        &self,
        lowered: &mut Lowered<'_, '_>,
        ptx: &str,
        options: &ptxas::Options,
    ) -> Result<ptxas::Assembled> {
        let Lowered { context, module, signatures, settings, .. } = lowered;
        let assembled = cute_driver::assemble(context, module, settings, signatures, ptx, options)?;
        assembled.warnings().for_each(|w| self.warn(w));
        Ok(assembled)
    }

    fn warn(&self, message: String) {
        self.listener.hear(&Report::new(Severity::Warning, message));
    }
}

impl<'c, 'o> Parsed<'c, 'o> {
    /// The kernels in the llvm and nvvm dialects.
    ///
    /// # Errors
    /// [`Error::Reported`] and [`Error::Compile`].
    pub fn lower(mut self, settings: &'o cute_driver::Options) -> Result<Lowered<'c, 'o>> {
        let signatures = signature::of(&self.module, |file, line, column| self.spelled(file, line, column));
        let file = &self.source.name;
        cute_driver::lower(self.context, &mut self.module, settings).map_err(|why| Error::of(file, why))?;
        Ok(Lowered { context: self.context, module: self.module, signatures, file, settings })
    }

    /// The name of the value at a place of the source.
    pub(crate) fn spelled(&self, file: &str, line: usize, column: usize) -> Option<&'o str> {
        self.source.value_name(line, column).filter(|_| file == self.source.name)
    }
}

impl<'c> Lowered<'c, '_> {
    /// Its `gpu.module`.
    ///
    /// # Errors
    /// [`Error::Compile`].
    pub fn kernel_module(&self) -> Result<OperationRef<'c, '_>> {
        kernel_module(&self.module).map_err(|why| Error::of(self.file, why))
    }

    /// The LLVM IR, and the launch data of its kernels.
    ///
    /// # Errors
    /// [`Error::Reported`] and [`Error::Compile`].
    pub fn translate(&mut self) -> Result<Translated> {
        cute_driver::translate(self.context, &mut self.module, self.settings, &self.signatures)
            .map_err(|why| Error::of(self.file, why))
    }
}
