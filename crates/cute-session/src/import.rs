//! Contexts, and the modules that are parsed in them. A module of CuTe DSL is recognised, and
//! rewritten to today's dialects.

use std::{collections::HashMap, sync::Arc};

use cute_algebra::Domain;
use cute_dialect::strict::{set_default_domain, state_default_domain};
use cute_ffi::{ir, parse};
use cute_import::{Imported, ProducerProfile};
use melior::{Context, ir::Module};

use crate::{
    Session,
    error::{Error, Result},
    report::{Report, ReportSeverity},
    source::Source,
};

/// Most unknown ops that are reported.
const MOST_ERRORS: usize = 20;

impl Session {
    /// A module in today's dialects, as text. `domain` is the policy where no `cute.domain`
    /// attribute specifies one.
    ///
    /// # Errors
    /// [`Error::Reported`].
    pub fn import(&self, source: Source, domain: Option<Domain>) -> Result<String> {
        let source = Arc::new(source);
        let context = self.context();
        let module = self.module(&context, &source, domain)?;
        state_default_domain(module.as_operation());
        Ok(format!("{}\n", module.as_operation().to_string().trim_end()))
    }

    /// A module of CuTe DSL in today's dialects, as far as it needs to be rewritten; `None` for any
    /// other text. The listener hears of rewrites, and of forms that the profile does not have.
    ///
    /// # Errors
    /// [`Error::Reported`].
    pub fn rewritten(&self, source: &Arc<Source>) -> Result<Option<Imported>> {
        let watch = |context: &Context| {
            context.enable_multi_threading(self.threads);
            self.listener.attach(context, source);
        };
        cute_import::check(&source.text, &source.name, self.profile, &watch).map_err(|_| Error::Reported)?;
        let imported =
            cute_import::import(&source.text, &source.name, &watch).map_err(|_| Error::Reported)?;
        if let Some(imported) = &imported {
            self.listener
                .hear(&Report::new(ReportSeverity::Note, format!("'{}' is {imported}", source.name)));
        }
        Ok(imported)
    }

    /// An empty context.
    pub(crate) fn context(&self) -> Context {
        Context::new_with_threading(self.threads)
    }

    /// A context with the dialects and passes.
    pub fn loaded(&self) -> Context {
        let context = self.context();
        cute_driver::load(&context);
        context
    }

    /// Loads a context and parses a module, which may be one of CuTe DSL. The listener hears of
    /// rewrites.
    ///
    /// # Errors
    /// [`Error::Reported`].
    pub(crate) fn module<'c>(
        &self,
        context: &'c Context,
        source: &Arc<Source>,
        domain: Option<Domain>,
    ) -> Result<Module<'c>> {
        self.imported(context, source, domain).inspect_err(|_| {
            let open = cute_import::open_brackets(&source.text);
            if open > 0 {
                let brackets = if open == 1 { "a bracket".to_owned() } else { format!("{open} brackets") };
                let text = format!("'{}' ends inside of {brackets}: is the file complete?", source.name);
                self.listener.hear(&Report::new(ReportSeverity::Note, text));
            }
        })
    }

    fn imported<'c>(
        &self,
        context: &'c Context,
        source: &Arc<Source>,
        domain: Option<Domain>,
    ) -> Result<Module<'c>> {
        let imported = self.rewritten(source)?;
        cute_driver::load(context);
        // Verifiers run as soon as MLIR has parsed, so an attribute would be set too late.
        let policy = domain.unwrap_or({
            // CuTe DSL checks no more than that.
            let of_dsl = self.profile != ProducerProfile::Auto
                || imported.is_some()
                || cute_import::has_kernels(&source.text);
            if of_dsl { Domain::Extend } else { Domain::Strict }
        });
        set_default_domain(context, policy);
        self.listener.attach(context, source);
        let Some(imported) = imported else {
            let module = parse::module(context, &source.text, &source.name).ok_or(Error::Reported)?;
            // The nvvm dialect accepts ops that it does not know.
            return if known(context, &module) { Ok(module) } else { Err(Error::Reported) };
        };
        // Ops have the locations of the source, but the rewritten text has errors at other places.
        // So the parser accepts unknown ops, which are reported at their locations afterwards.
        let name = format!("{} (imported)", source.name);
        context.set_allow_unregistered_dialects(true);
        let module = parse::module(context, &imported.text, &name);
        context.set_allow_unregistered_dialects(false);
        let module = module.ok_or(Error::Reported)?;
        if known(context, &module) { Ok(module) } else { Err(Error::Reported) }
    }
}

/// Whether all ops of a module are known. Each unknown op is reported.
fn known(context: &Context, module: &Module<'_>) -> bool {
    let mut names = HashMap::new();
    let mut is_known = |name| *names.entry(name).or_insert_with(|| context.is_registered_operation(name));
    let mut ops = ir::walk(module.as_operation());
    ops.retain(|op| !is_known(ir::op_name(*op)));
    for op in ops.iter().take(MOST_ERRORS) {
        let text = cute_import::table::known::unknown(context, ir::op_name(*op));
        cute_ffi::emit(ir::location(*op), cute_ffi::Severity::Error, &text, &[]);
    }
    ops.is_empty()
}
