//! The code of the program: modules, their kernels and their variables.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{CString, c_void},
    fmt, ptr,
    sync::Arc,
};

use cute_arch::Target;
use cute_launch::ptx::Ptx;
use cute_manifest::Kernel;
use cute_sim::{Buffer, Place, Program, program::Variable};

use crate::{
    device::kernel::{KernelFacts, Settings},
    error::{Error, Result},
    fatbin::{DeviceCode, NoPtx},
    memory::Kind,
    registers::Registers,
    state::DriverState,
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
    text: String,
    registers: Registers,
}

impl Code {
    /// The facts of a kernel on a device, without what the program has set.
    pub fn facts(&self, kernel: &Kernel, device: Target) -> Option<KernelFacts> {
        let usage = self.registers.of(&self.text, device).get(&kernel.name)?;
        let constants = self.program.kernels.iter().filter(|own| own.name == kernel.name);
        let constants = constants.flat_map(|own| &own.constants);
        let constants = constants.filter(|constant| matches!(constant.place, Place::Constant(_)));
        let bytes = constants.map(|constant| constant.bytes.len() as u64).sum();
        Some(KernelFacts::new(kernel, usage, self.target, bytes))
    }

    /// The text of its PTX.
    pub fn ptx(&self) -> &str {
        &self.text
    }

    /// The registers of a kernel on a device, if ptxas has told them.
    pub fn registers(&self, kernel: &Kernel, device: Target) -> Option<u32> {
        self.registers.known(&self.text, device, &kernel.name)
    }
}

/// A module of the program.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The address of its fat binary.
    image: usize,
    /// Its code, once something has needed it.
    code: Option<std::result::Result<Arc<Code>, Unread>>,
    /// The buffers of its variables, once something has needed them.
    variables: BTreeMap<String, Buffer>,
    has_variables: bool,
    is_loaded: bool,
}

/// Why a module has no code for the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// The error that functions return: [`Error::INVALID_IMAGE`] for what is damaged,
    /// [`Error::INVALID_PTX`], [`Error::NO_BINARY_FOR_GPU`].
    pub error: Error,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl From<NoPtx> for Unread {
    fn from(why: NoPtx) -> Self {
        let error = match why {
            NoPtx::Broken(_) => Error::INVALID_IMAGE,
            NoPtx::NoCode(_) => Error::NO_BINARY_FOR_GPU,
            NoPtx::NotLinked(_) | NoPtx::Objects { .. } => Error::INVALID_PTX,
        };
        Self { error, why: why.to_string() }
    }
}

/// A kernel that the program knows by an address of its own.
#[derive(Debug, Clone)]
pub struct Function {
    /// The number of the module that has it.
    pub module: usize,
    /// Its symbol.
    pub name: String,
    /// The attributes that the program has set.
    pub(crate) settings: Settings,
}

/// A variable that the program knows by an address of its own.
#[derive(Debug, Clone)]
pub struct Registered {
    /// The number of the module that has it.
    pub module: usize,
    /// Its symbol.
    pub name: String,
    /// The number of bytes.
    pub bytes: usize,
    /// The place of the program's pointer to it, if the host shares it.
    pub managed: Option<usize>,
}

/// The modules of the process, and what the program has registered of them.
#[derive(Debug, Default)]
pub struct Modules {
    all: Vec<Module>,
    functions: BTreeMap<usize, Function>,
    variables: BTreeMap<usize, Registered>,
    /// Names that programs were told.
    names: BTreeMap<String, CString>,
    /// The last handle of a kernel that a program knows by name; all are below those of modules.
    named: usize,
}

impl Modules {
    /// A module with this fat binary; its handle.
    pub fn register(&mut self, image: usize) -> usize {
        self.all.push(Module { image, is_loaded: true, ..Module::default() });
        FIRST + 16 * self.all.len()
    }

    /// A module with the bytes of a file; its handle.
    ///
    /// # Errors
    /// Why the device has no code of it.
    pub fn register_bytes(&mut self, bytes: &[u8], device: Target) -> std::result::Result<usize, Unread> {
        let image = DeviceCode::read(bytes).map_err(NoPtx::from)?;
        let code = Arc::new(code_of(&image, device)?);
        self.all.push(Module { code: Some(Ok(code)), is_loaded: true, ..Module::default() });
        Ok(FIRST + 16 * self.all.len())
    }

    /// The module of a kernel.
    ///
    /// # Errors
    /// [`Error::INVALID_DEVICE_FUNCTION`].
    pub fn module_of(&mut self, function: usize) -> Result<usize> {
        Ok(FIRST + 16 * (self.function(function)?.module + 1))
    }

    /// The name of a kernel, for as long as the process lives.
    ///
    /// # Errors
    /// [`Error::INVALID_DEVICE_FUNCTION`].
    pub fn name_of(&mut self, function: usize) -> Result<*const std::ffi::c_char> {
        let name = self.function(function)?.name.clone();
        let text = || CString::new(name.as_str()).unwrap_or_default();
        Ok(self.names.entry(name.clone()).or_insert_with(text).as_ptr())
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
            let function = Function { module, name: name.to_owned(), settings: Settings::default() };
            self.functions.entry(host).or_insert(function);
        }
    }

    /// The handle of a kernel of a module, for a program that knows it by name: the same one each
    /// time.
    pub fn handle_of(&mut self, module: usize, name: &str) -> usize {
        let number = self.number(module);
        let known = self
            .functions
            .iter()
            .find(|(handle, own)| **handle < FIRST && Some(own.module) == number && own.name == name);
        if let Some((handle, _)) = known {
            return *handle;
        }
        self.named += 16;
        self.register_function(module, self.named, name);
        self.named
    }

    /// A variable by the address of its shadow on the host.
    pub fn register_variable(
        &mut self,
        handle: usize,
        host: usize,
        (name, bytes): (&str, usize),
        managed: Option<usize>,
    ) {
        if let Some(module) = self.number(handle) {
            self.variables.insert(host, Registered { module, name: name.to_owned(), bytes, managed });
        }
    }

    /// The kernel of an address.
    ///
    /// # Errors
    /// [`Error::INVALID_DEVICE_FUNCTION`].
    pub fn function(&mut self, host: usize) -> Result<&mut Function> {
        self.functions.get_mut(&host).ok_or(Error::INVALID_DEVICE_FUNCTION)
    }

    /// Forgets the buffers of variables, and the attributes of kernels that the program has set.
    /// Returns the handles of the modules.
    pub fn reset(&mut self) -> Vec<usize> {
        for module in &mut self.all {
            module.variables.clear();
            module.has_variables = false;
        }
        self.functions.values_mut().for_each(|function| function.settings = Settings::default());
        let loaded = self.all.iter().enumerate().filter(|(_, module)| module.is_loaded);
        loaded.map(|(number, _)| FIRST + 16 * (number + 1)).collect()
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
    pub fn code(&mut self, number: usize, device: Target) -> std::result::Result<Arc<Code>, Unread> {
        let module = &mut self.all[number];
        let image = module.image;
        module.code.get_or_insert_with(|| read(image, device).map(Arc::new)).clone()
    }
}

impl DriverState {
    /// Unloads a module, whose variables are gone. What has been launched has been executed.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`].
    pub fn unload(&mut self, module: usize) -> Result<()> {
        let number = self.modules.number(module).ok_or(Error::INVALID_HANDLE)?;
        self.memory.order_mut().synchronize_all();
        for buffer in std::mem::take(&mut self.modules.all[number].variables).into_values() {
            let address = self.memory.address(buffer);
            if let Some(address) = address.filter(|at| self.allocations.starting(*at).is_some()) {
                self.drop_allocation(address);
            } else {
                self.memory.free(buffer);
            }
        }
        self.modules.unregister(module);
        Ok(())
    }

    /// The address and the bytes of a variable of a module by its name.
    ///
    /// # Errors
    /// [`Error::INVALID_HANDLE`], [`Error::NOT_FOUND`].
    pub fn global(&mut self, module: usize, name: &str) -> Result<(u64, usize)> {
        let number = self.modules.number(module).ok_or(Error::INVALID_HANDLE)?;
        let code = self.modules.code(number, self.settings.target()).map_err(|why| why.error)?;
        let constant = initial(&code.program, name).map(|bytes| bytes.len());
        let buffer = self.variables(number, &code)?.get(name).copied();
        let bytes = buffer.map(|buffer| self.memory.size(buffer)).or(constant).ok_or(Error::NOT_FOUND)?;
        let registered = Registered { module: number, name: name.to_owned(), bytes, managed: None };
        let buffer = self.variable(number, &code, &registered)?;
        Ok((self.memory.address(buffer).ok_or(Error::NOT_FOUND)?, bytes))
    }

    /// The buffers of a module's variables, which begin with their initial values.
    ///
    /// # Errors
    /// [`Error::OUT_OF_MEMORY`].
    pub fn variables(&mut self, number: usize, code: &Code) -> Result<&mut BTreeMap<String, Buffer>> {
        if !self.modules.all[number].has_variables {
            let mut variables = self.memory.place_apart(&all_variables(&code.program));
            let managed = self.modules.variables.values().filter(|own| own.module == number);
            let managed: Vec<_> = managed.filter_map(|own| Some((own.clone(), own.managed?))).collect();
            for (Registered { name, bytes, .. }, pointer) in managed {
                let first = variables.get(&name).map(|buffer| self.memory.download_bytes(*buffer));
                let address = self.allocate(Kind::ManagedVariable, bytes)?;
                let first = first.unwrap_or_else(|| vec![0; bytes]);
                // SAFETY: the memory has just been mapped, and nvcc has registered the place of its
                // pointer.
                unsafe {
                    ptr::copy_nonoverlapping(first.as_ptr(), address as *mut u8, first.len().min(bytes));
                    *(pointer as *mut u64) = address;
                }
                let (_, own) = self.allocations.holding(address).ok_or(Error::OUT_OF_MEMORY)?;
                variables.insert(name, own.buffer);
            }
            let module = &mut self.modules.all[number];
            (module.variables, module.has_variables) = (variables, true);
        }
        Ok(&mut self.modules.all[number].variables)
    }

    /// Places the variables of a module that the host shares, if it has some.
    ///
    /// # Errors
    /// Those of [`Self::variables`], and that of [`Unread`].
    pub fn place_managed(&mut self, handle: usize) -> Result<()> {
        let number = self.modules.number(handle).ok_or(Error::INVALID_VALUE)?;
        let is_managed = |own: &Registered| own.module == number && own.managed.is_some();
        if self.modules.variables.values().any(is_managed) {
            let code = self.modules.code(number, self.settings.target()).map_err(|why| {
                self.launches.remark(&format!("the program's managed variables: {why}"));
                why.error
            })?;
            self.variables(number, &code)?;
        }
        Ok(())
    }

    /// The buffer of a variable. One that no kernel uses begins with zeros.
    ///
    /// # Errors
    /// [`Error::OUT_OF_MEMORY`].
    pub fn variable(&mut self, module: usize, code: &Code, registered: &Registered) -> Result<Buffer> {
        let buffer = match self.variables(module, code)?.get(&registered.name) {
            Some(buffer) => *buffer,
            None => {
                let bytes = initial(&code.program, &registered.name);
                let bytes = bytes.unwrap_or_else(|| vec![0; registered.bytes]);
                let buffer = self.memory.try_upload(Arc::new(bytes)).ok_or(Error::OUT_OF_MEMORY)?;
                self.memory.name(buffer, &registered.name);
                self.variables(module, code)?.insert(registered.name.clone(), buffer);
                buffer
            }
        };
        let address = self.memory.address(buffer).ok_or(Error::INVALID_SYMBOL)?;
        if self.allocations.holding(address).is_none() {
            self.allocations.add_variable(address, buffer, registered.bytes, Kind::Variable);
        }
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

/// The name of a module's text in places of findings.
pub const PTX_NAME: &str = "the program's PTX";

fn read(image: usize, device: Target) -> std::result::Result<Code, Unread> {
    // SAFETY: the program has registered the image, which stays where it is.
    let image = unsafe { DeviceCode::of(image as *const c_void) }.map_err(NoPtx::from)?;
    code_of(&image, device)
}

/// The code of an image for a device.
fn code_of(image: &DeviceCode<'_>, device: Target) -> std::result::Result<Code, Unread> {
    let text = image.ptx(device)?;
    let read = Ptx::read(PTX_NAME, &text, None);
    let unread = |why: cute_launch::error::Error| Unread { error: Error::INVALID_PTX, why: why.to_string() };
    let Ptx { manifest, target, program, .. } = read.map_err(unread)?;
    let has_dependents = text.contains("griddepcontrol.launch_dependents");
    let registers = Registers::default();
    Ok(Code {
        kernels: manifest.kernels,
        program,
        target,
        has_dependents,
        text: text.into_owned(),
        registers,
    })
}
