//! The code of the program: modules, their kernels and their variables.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cute_arch::Target;
use cute_launch::ptx::Ptx;
use cute_manifest::Kernel;
use cute_sim::{Buffer, Memory, Place, Program, program::Variable};

use crate::{
    error::{Error, Result},
    fatbin,
    state::State,
};

/// Handles are multiples of 16 from here on, which are not addresses of anything.
const FIRST: usize = 0x8_0000;

/// Code that has been read.
#[derive(Debug)]
pub struct Code {
    /// How its kernels are launched.
    pub kernels: Vec<Kernel>,
    /// The kernels.
    pub program: Program,
    /// The GPU that it was compiled for.
    pub target: Target,
    /// Whether a kernel lets dependent launches begin.
    pub has_dependents: bool,
}

/// A module of the program.
#[derive(Debug, Default)]
pub struct Module {
    /// The address of its fat binary.
    image: usize,
    /// Its code, once something has needed it.
    code: Option<std::result::Result<Arc<Code>, String>>,
    /// The buffers of its variables, once something has needed them.
    pub variables: BTreeMap<String, Buffer>,
    is_loaded: bool,
}

/// A kernel that the program knows by an address of its own.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its module.
    pub module: usize,
    /// Its symbol.
    pub name: String,
    /// The dynamic shared memory that `cudaFuncSetAttribute` allows.
    pub max_dynamic: Option<u32>,
}

/// A variable that the program knows by an address of its own.
#[derive(Debug, Clone)]
pub struct Registered {
    /// Its module.
    pub module: usize,
    /// Its symbol.
    pub name: String,
    /// Its bytes.
    pub bytes: usize,
}

/// The modules of the process, and what the program has registered of them.
#[derive(Debug, Default)]
pub struct Modules {
    all: Vec<Module>,
    functions: BTreeMap<usize, Function>,
    variables: BTreeMap<usize, Registered>,
}

impl Modules {
    /// A module with this fat binary; its handle.
    pub fn register(&mut self, image: usize) -> usize {
        self.all.push(Module { image, is_loaded: true, ..Module::default() });
        FIRST + 16 * self.all.len()
    }

    /// The number of a module.
    pub fn number(&self, handle: usize) -> Option<usize> {
        let number = handle.checked_sub(FIRST)?.checked_div(16)?.checked_sub(1)?;
        self.all.get(number).is_some_and(|module| module.is_loaded).then_some(number)
    }

    /// The program ends its use of a module.
    pub fn unregister(&mut self, handle: usize) {
        if let Some(number) = self.number(handle) {
            self.all[number] = Module::default();
            self.functions.retain(|_, function| function.module != number);
            self.variables.retain(|_, variable| variable.module != number);
        }
    }

    /// A kernel by the address of its stub on the host.
    pub fn register_function(&mut self, handle: usize, host: usize, name: &str) {
        if let Some(module) = self.number(handle) {
            let function = Function { module, name: name.to_owned(), max_dynamic: None };
            self.functions.entry(host).or_insert(function);
        }
    }

    /// A variable by the address of its shadow on the host.
    pub fn register_variable(&mut self, handle: usize, host: usize, name: &str, bytes: usize) {
        if let Some(module) = self.number(handle) {
            self.variables.insert(host, Registered { module, name: name.to_owned(), bytes });
        }
    }

    /// The kernel of an address.
    ///
    /// # Errors
    /// [`Error::INVALID_DEVICE_FUNCTION`].
    pub fn function(&mut self, host: usize) -> Result<&mut Function> {
        self.functions.get_mut(&host).ok_or(Error::INVALID_DEVICE_FUNCTION)
    }

    /// The variable of an address.
    ///
    /// # Errors
    /// [`Error::INVALID_SYMBOL`].
    pub fn variable(&self, host: usize) -> Result<&Registered> {
        self.variables.get(&host).ok_or(Error::INVALID_SYMBOL)
    }

    /// The code of a module, read when it is first needed.
    ///
    /// # Errors
    /// The reason why the device has no code of it.
    pub fn code(&mut self, number: usize, device: Target) -> std::result::Result<Arc<Code>, String> {
        let module = &mut self.all[number];
        let image = module.image;
        module.code.get_or_insert_with(|| read(image, device).map(Arc::new)).clone()
    }

    /// The buffers of a module's variables, which begin with their initial values.
    pub fn variables(
        &mut self,
        number: usize,
        code: &Code,
        memory: &mut Memory,
    ) -> &mut BTreeMap<String, Buffer> {
        let module = &mut self.all[number];
        if module.variables.is_empty() {
            module.variables = memory.place_apart(&all_variables(&code.program));
        }
        &mut module.variables
    }
}

impl State {
    /// The buffer of a variable. One that no kernel uses begins with zeros.
    ///
    /// # Errors
    /// [`Error::OUT_OF_MEMORY`].
    pub fn variable(&mut self, module: usize, code: &Code, registered: &Registered) -> Result<Buffer> {
        let variables = self.modules.variables(module, code, &mut self.memory);
        if let Some(buffer) = variables.get(&registered.name) {
            return Ok(*buffer);
        }
        let bytes = initial(&code.program, &registered.name).unwrap_or_else(|| vec![0; registered.bytes]);
        let buffer = self.memory.try_upload(Arc::new(bytes)).ok_or(Error::OUT_OF_MEMORY)?;
        self.memory.name(buffer, &registered.name);
        variables.insert(registered.name.clone(), buffer);
        Ok(buffer)
    }
}

/// The initial bytes of a variable in constant memory.
fn initial(program: &Program, name: &str) -> Option<Vec<u8>> {
    let mut all = program.kernels.iter().flat_map(|kernel| &kernel.constants);
    let found = all.find(|constant| matches!(&constant.place, Place::Constant(symbol) if symbol == name));
    found.map(|constant| constant.bytes.clone())
}

/// The variables of all kernels of a program, each once.
fn all_variables(program: &Program) -> Vec<Variable> {
    let mut known = BTreeSet::new();
    let all = program.kernels.iter().flat_map(|kernel| &kernel.variables);
    all.filter(|variable| known.insert(variable.name.clone())).cloned().collect()
}

fn read(image: usize, device: Target) -> std::result::Result<Code, String> {
    let text = fatbin::text_for(image, device)?;
    let Ptx { manifest, target, program, .. } =
        Ptx::read("the program's PTX", &text, None).map_err(|why| why.to_string())?;
    let has_dependents = text.contains("griddepcontrol.launch_dependents");
    Ok(Code { kernels: manifest.kernels, program, target, has_dependents })
}
