//! Files of PTX beside a program, whose kernels a file of launches names, too.
//!
//! Each file is a module of its own. In the one program that runs, a kernel or a variable has the
//! name of its file behind its own where another one has the same name.

use crate::{
    error::{Error, Result},
    launch::the_kernel,
    ptx::Ptx,
};
use cute_arch::Target;
use cute_manifest::{Kernel, Manifest};
use cute_sim::{Place, Program, program};
use std::collections::BTreeSet;

/// A file of PTX whose kernels are in the program of another one.
#[derive(Debug)]
pub struct OtherFile {
    name: String,
    /// Its kernels by their own names.
    manifest: Manifest,
    /// The same kernels with the names that they have in the program.
    kernels: Vec<Kernel>,
    target: Target,
}

/// The kernels that a file of launches may name.
#[derive(Debug, Clone, Copy)]
pub struct NamedKernels<'m> {
    /// Those of the program, and the name of its file.
    pub manifest: &'m Manifest,
    /// The name of its file.
    pub file: &'m str,
    /// Those of other files.
    pub others: &'m [OtherFile],
}

impl<'m> From<(&'m Manifest, &'m str)> for NamedKernels<'m> {
    fn from((manifest, file): (&'m Manifest, &'m str)) -> Self {
        Self { manifest, file, others: &[] }
    }
}

impl<'m> From<(&'m Manifest, &'m String)> for NamedKernels<'m> {
    fn from((manifest, file): (&'m Manifest, &'m String)) -> Self {
        Self::from((manifest, file.as_str()))
    }
}

impl<'m> NamedKernels<'m> {
    /// The file that a launch at this path names, if it is not that of the program.
    pub(crate) fn other(&self, path: &str, file: Option<&str>) -> Result<Option<&'m OtherFile>> {
        let Some(file) = file.filter(|file| *file != self.file) else { return Ok(None) };
        let other = self.others.iter().find(|other| other.name == file);
        other.map(Some).ok_or_else(|| {
            let known = self.others.iter().map(|other| other.name.as_str());
            let known: Vec<&str> = std::iter::once(self.file).chain(known).collect();
            let why = format!("'{file}' is not among the files of this run: {}", known.join(", "));
            Error::Operations { path: format!("{path}.file"), why }
        })
    }

    /// The kernel of a name in one of the files, and the target of a file that is not that of the
    /// program.
    pub(crate) fn find(
        &self,
        other: Option<&'m OtherFile>,
        kernel: &str,
    ) -> Result<(&'m Kernel, Option<Target>)> {
        let Some(other) = other else {
            return Ok((the_kernel(self.manifest, self.file, Some(kernel))?, None));
        };
        let found = the_kernel(&other.manifest, &other.name, Some(kernel))?;
        let named = other.manifest.kernels.iter().zip(&other.kernels);
        let own = named.into_iter().find(|(own, _)| std::ptr::eq(*own, found));
        Ok((own.map_or(found, |(_, renamed)| renamed), Some(other.target)))
    }
}

impl OtherFile {
    /// Adds the kernels of a file to a program.
    pub fn join(name: &str, ptx: Ptx, program: &mut Program) -> Self {
        let kernels: BTreeSet<String> = program.kernels().map(str::to_owned).collect();
        let symbols: BTreeSet<String> = program.kernels.iter().flat_map(symbols).collect();
        let another = |known: &BTreeSet<String>, own: &mut String| {
            if known.contains(own) {
                *own = format!("{own} of {name}");
            }
        };
        let Ptx { manifest, target, program: own, .. } = ptx;
        let mut renamed = manifest.kernels.clone();
        renamed.iter_mut().for_each(|kernel| another(&kernels, &mut kernel.name));
        program.kernels.extend(own.kernels.into_iter().map(|mut kernel| {
            another(&kernels, &mut kernel.name);
            kernel.variables.iter_mut().for_each(|variable| another(&symbols, &mut variable.name));
            for constant in &mut kernel.constants {
                if let Place::Constant(symbol) = &mut constant.place {
                    another(&symbols, symbol);
                }
            }
            kernel
        }));
        Self { name: name.to_owned(), manifest, kernels: renamed, target }
    }
}

/// The variables that a kernel uses.
fn symbols(kernel: &program::Kernel) -> Vec<String> {
    let constants = kernel.constants.iter().filter_map(|constant| match &constant.place {
        Place::Constant(symbol) => Some(symbol.clone()),
        _ => None,
    });
    kernel.variables.iter().map(|variable| variable.name.clone()).chain(constants).collect()
}
