//! Calls of the CUDA driver as data: those that load kernels, and those that launch them.
//!
//! Whoever holds a driver makes the calls of a list in order; [`c`](crate::c) prints them. The
//! lists contain the attributes that a kernel needs, so that nobody else decides it.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::attribute::LaunchAttribute;

/// A call of the driver. The amounts of shared memory are numbers of bytes where they are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "call")]
pub enum DriverCall<A = u32> {
    /// Loads the code into the current context.
    #[serde(rename = "cuModuleLoadData")]
    Load,
    /// Finds a kernel in the code.
    #[serde(rename = "cuModuleGetFunction")]
    Find {
        /// Its symbol.
        kernel: String,
    },
    /// Sets an attribute of a kernel that was found.
    #[serde(rename = "cuFuncSetAttribute")]
    Set {
        /// Its symbol.
        kernel: String,
        /// The property of the kernel that is set.
        attribute: FunctionAttribute,
        /// A number of bytes, or 1 for true.
        value: A,
    },
    /// Launches a kernel that was found.
    #[serde(rename = "cuLaunchKernelEx")]
    Launch(LaunchCall),
}

/// An attribute of a kernel. It is serialised as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionAttribute {
    /// The most dynamic shared memory of a launch, in bytes.
    DynamicSharedMemory,
    /// Whether clusters may have more blocks than every device with clusters supports.
    LargeClusters,
}

impl FunctionAttribute {
    /// The number of its `CUfunction_attribute`.
    pub fn number(self) -> u32 {
        match self {
            Self::DynamicSharedMemory => 8,
            Self::LargeClusters => 14,
        }
    }

    /// The name of its `CUfunction_attribute`.
    pub fn name(self) -> &'static str {
        match self {
            Self::DynamicSharedMemory => "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
            Self::LargeClusters => "CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED",
        }
    }
}

impl Serialize for FunctionAttribute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

/// An amount of shared memory that is not known before the code is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This many bytes, or 1 for true.
    Number(u32),
    /// As many bytes as the device has beside the static shared memory of the kernel.
    Rest,
}

impl From<u32> for Amount {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

/// The arguments of `cuLaunchKernelEx`, except for the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchCall {
    /// The symbol of the kernel.
    pub kernel: String,
    /// The number of blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared_memory: u32,
    /// The attributes that are not left at their defaults.
    pub attributes: Vec<LaunchAttribute<u64>>,
    /// The bytes of each parameter.
    pub parameters: Vec<Vec<u8>>,
}

impl Serialize for LaunchCall {
    /// Attributes are numbers and words, and the bytes of parameters are in hexadecimal.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Numbered {
            id: u32,
            words: Vec<u32>,
        }
        let numbered =
            |attribute: &LaunchAttribute<u64>| Numbered { id: attribute.number(), words: attribute.words() };
        let hex = |bytes: &Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let Self { kernel, grid, block, shared_memory, attributes, parameters } = self;
        let mut object = serializer.serialize_struct("LaunchCall", 6)?;
        object.serialize_field("kernel", kernel)?;
        object.serialize_field("grid", grid)?;
        object.serialize_field("block", block)?;
        object.serialize_field("shared_memory", shared_memory)?;
        object.serialize_field("attributes", &attributes.iter().map(numbered).collect::<Vec<_>>())?;
        object.serialize_field("parameters", &parameters.iter().map(hex).collect::<Vec<_>>())?;
        object.end()
    }
}

/// Attributes that a kernel needs before it is launched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs<A = u32> {
    /// The dynamic shared memory, where it is more than kernels have without asking.
    pub shared_memory: Option<A>,
    /// Whether it has clusters of more blocks than every device with clusters supports.
    pub large_clusters: bool,
}

/// The calls that make kernels ready to be launched.
pub fn loading<'k, A: From<u32>>(
    kernels: impl IntoIterator<Item = (&'k str, Needs<A>)>,
) -> Vec<DriverCall<A>> {
    let mut calls = vec![DriverCall::Load];
    for (name, needs) in kernels {
        let kernel = || name.to_owned();
        calls.push(DriverCall::Find { kernel: kernel() });
        if let Some(value) = needs.shared_memory {
            let attribute = FunctionAttribute::DynamicSharedMemory;
            calls.push(DriverCall::Set { kernel: kernel(), attribute, value });
        }
        if needs.large_clusters {
            let (attribute, value) = (FunctionAttribute::LargeClusters, A::from(1));
            calls.push(DriverCall::Set { kernel: kernel(), attribute, value });
        }
    }
    calls
}
