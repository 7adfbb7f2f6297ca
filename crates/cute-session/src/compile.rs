//! The steps from the text of a module to its products.

use std::sync::{Arc, Mutex, PoisonError};

use cute_algebra::Domain;
use cute_driver::{CompiledModule, Emit, Manifest, Signatures, kernel_module, product::Note, signature};
use cute_ffi::{ir, lowered::SIMULATED_ATTRIBUTE};
use melior::{
    Context,
    ir::{Attribute, Module, operation::OperationRef},
};

use crate::{
    Session,
    cache::{Cache, Entry},
    error::{Error, Result},
    report::{Listener, Report, ReportSeverity},
    request::{Product, Request},
    source::Source,
    unused,
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
        let Some(key) = cache.key(&source, self.profile, request) else {
            return self.compiled(source, request);
        };
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
            let mut made = match request.emit {
                Emit::Assigned => parsed.assign(&request.settings),
                _ => parsed.lower(&request.settings),
            }?;
            self.product(&mut made, request)
        })
    }

    /// Makes an output. The listener hears the warnings, and the resources of the kernels of a
    /// cubin.
    ///
    /// # Errors
    /// [`Error::Reported`], [`Error::Compile`] and [`Error::Ptxas`].
    pub fn product(&self, lowered: &mut Lowered<'_, '_>, request: &Request) -> Result<Product> {
        let file = lowered.file;
        let made = lowered.steps().product(request.emit, &request.ptxas, |note| match note {
            Note::Warning(text) => self.warn(text),
            Note::Resources(resources) => self.listener.hear(&Report::line(resources.to_string())),
        });
        let cute_driver::Product { bytes, manifest, .. } = made.map_err(|why| Error::of(file, why))?;
        Ok(Product { bytes, manifest: manifest.map(|manifest| manifest.to_json()) })
    }

    /// Makes PTX, and a cubin if there is a ptxas. The listener hears the warnings.
    ///
    /// # Errors
    /// [`Error::Reported`], [`Error::Compile`] and [`Error::Ptxas`].
    pub fn compiled_for_device(&self, lowered: &mut Lowered<'_, '_>) -> Result<CompiledModule> {
        let file = lowered.file;
        let compiled = lowered.steps().compiled(|text| self.warn(text.to_owned()));
        compiled.map_err(|why| Error::of(file, why))
    }

    /// Says something about an input that can be used all the same.
    pub fn warn(&self, message: String) {
        self.listener.hear(&Report::new(ReportSeverity::Warning, message));
    }
}

impl<'c, 'o> Parsed<'c, 'o> {
    /// The kernels in the llvm and nvvm dialects.
    ///
    /// # Errors
    /// [`Error::Reported`] and [`Error::Compile`].
    pub fn lower(self, settings: &'o cute_driver::Options) -> Result<Lowered<'c, 'o>> {
        self.passed(settings, |context, module| cute_driver::lower(context, module, settings))
    }

    /// The kernels in the llvm and nvvm dialects, with marks by which the simulator checks
    /// coordinates. Other products of them have no marks.
    ///
    /// # Errors
    /// [`Error::Reported`] and [`Error::Compile`].
    pub fn lower_to_simulate(self, settings: &'o cute_driver::Options) -> Result<Lowered<'c, 'o>> {
        let unit = Attribute::unit(self.context);
        ir::set_attribute(self.module.as_operation(), SIMULATED_ATTRIBUTE, unit);
        self.lower(settings)
    }

    /// The module with the choices made that its ops leave open.
    ///
    /// # Errors
    /// [`Error::Reported`] and [`Error::Compile`].
    pub fn assign(self, settings: &'o cute_driver::Options) -> Result<Lowered<'c, 'o>> {
        self.passed(settings, cute_driver::assign)
    }

    fn passed(
        mut self,
        settings: &'o cute_driver::Options,
        passes: impl FnOnce(&Context, &mut Module<'c>) -> cute_driver::Result<()>,
    ) -> Result<Lowered<'c, 'o>> {
        let signatures = signature::of(&self.module, |file, line, column| self.spelled(file, line, column));
        let file = &self.source.name;
        // The parameters of host functions get names, too.
        signature::hosts(&self.module, |file, line, column| self.spelled(file, line, column));
        unused::warn(&self.module);
        passes(self.context, &mut self.module).map_err(|why| Error::of(file, why))?;
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

    /// How to launch its kernels.
    ///
    /// # Errors
    /// [`Error::Reported`] and [`Error::Compile`].
    pub fn manifest(&mut self) -> Result<Manifest> {
        let file = self.file;
        Ok(self.steps().translate().map_err(|why| Error::of(file, why))?.manifest)
    }

    fn steps(&mut self) -> cute_driver::Lowered<'c, '_> {
        let Self { context, module, signatures, settings, .. } = self;
        cute_driver::Lowered { context, module, options: settings, signatures }
    }
}
