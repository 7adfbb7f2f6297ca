//! Functions that launch kernels: as programs to run, and as C for the CUDA driver.

use cute_arch::Target;
use cute_driver::signature;
use cute_ffi::ir;
use cute_host::c::{Passing, Place};
use cute_launch::{Host, launch::the_kernel};
use cute_manifest::{Function, Kernel, Passed};
use melior::ir::Module;

use crate::{
    Session,
    compile::Parsed,
    error::{Error, Result},
    source::Source,
};

impl Parsed<'_, '_> {
    /// The names of the functions that launch kernels.
    pub fn hosts(&self) -> Vec<String> {
        let hosts = signature::hosts(&self.module, |_, _, _| None);
        hosts.into_iter().map(|host| host.name).collect()
    }

    /// The host function of this name, or the only one.
    ///
    /// # Errors
    /// [`Error::NoHost`], [`Error::NoSuchHost`], [`Error::WhichHost`] and those of lowering it.
    pub fn host(&self, wanted: Option<&str>) -> Result<Host> {
        let hosts = signature::hosts(&self.module, |file, line, column| self.spelled(file, line, column));
        let file = || self.source.name.clone();
        let names = || hosts.iter().map(|host| host.name.clone()).collect();
        let host = match (wanted, hosts.as_slice()) {
            (_, []) => return Err(Error::NoHost { file: file() }),
            (Some(name), all) => all
                .iter()
                .find(|host| host.name == name)
                .ok_or_else(|| Error::NoSuchHost { name: name.into(), file: file(), hosts: names() })?,
            (None, [one]) => one,
            (None, _) => return Err(Error::WhichHost { file: file(), hosts: names() }),
        };
        let mut module = Module::from_operation((*self.module.as_operation()).clone())
            .expect("the copy of a module is a module");
        cute_driver::lower_hosts(self.context, &mut module)
            .map_err(|why| Error::of(&self.source.name, why))?;
        let function = ir::functions(module.as_operation())
            .into_iter()
            .find(|f| signature::symbol(*f) == host.name && cute_lower::hosts::launches(*f))
            .expect("lowering keeps functions that launch kernels");
        let program = cute_decode::host::program(function).map_err(|_| Error::Reported)?;
        let expected = host.expected.clone().map_err(|why| {
            Error::of(&self.source.name, cute_driver::Error::Expected { kernel: host.name.clone(), why })
        })?;
        Ok(Host { program, function: Function::new(host.name.clone(), host.arguments.clone(), expected) })
    }

    /// The first target that has the kernels' instructions, as far as their names tell.
    pub fn target(&self) -> Target {
        cute_lower::atoms::first_target(self.module.as_operation()).unwrap_or(Target::Sm90a)
    }

    /// A host function as C, which launches the kernels of its module through the API of the CUDA
    /// driver. `wanted` is its name, which may be left out if there is only one.
    ///
    /// # Errors
    /// Those of [`Parsed::host`], [`Error::Launch`] and [`Error::NotInC`].
    pub fn host_in_c(self, wanted: Option<&str>, settings: &cute_driver::Options) -> Result<String> {
        let host = self.host(wanted)?;
        let mut lowered = self.lower(settings)?;
        let manifest = lowered.manifest()?;
        let passing = |kernel: &cute_host::program::Kernel| {
            Ok::<_, Error>(passing(the_kernel(&manifest, lowered.file, Some(&kernel.name))?))
        };
        let passing = host.program.kernels.iter().map(passing).collect::<Result<Vec<_>>>()?;
        let names: Vec<_> = host.function.parameters.iter().map(|p| p.name.clone()).collect();
        Ok(cute_host::c::print(&host.program, lowered.file, &names, &passing)?)
    }
}

impl Session {
    /// A host function as C: see [`Parsed::host_in_c`].
    ///
    /// # Errors
    /// Those of [`Parsed::host_in_c`], and [`Error::Reported`].
    pub fn host_in_c(
        &self,
        source: Source,
        wanted: Option<&str>,
        domain: Option<cute_algebra::Domain>,
        settings: &cute_driver::Options,
    ) -> Result<String> {
        self.parsed(source, domain, |parsed| parsed.host_in_c(wanted, settings))
    }
}

/// How the leaves of a kernel's arguments are passed.
fn passing(kernel: &Kernel) -> Passing {
    let place =
        |passed: &Passed| Place { parameter: passed.parameter, offset: passed.offset, width: passed.width };
    Passing {
        parameters: kernel.parameters.iter().map(|p| p.width).collect(),
        leaves: kernel.leaves().iter().map(place).collect(),
    }
}
