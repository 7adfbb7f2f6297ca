//! The code that nvcc puts into a program: fat binaries, and the PTX in them.
//!
//! | file | subject |
//! |---|---|
//! | `image` | what a program passes to the runtime or the driver: a wrapper, a fat binary, a cubin, PTX |
//! | `container` | the entries of a fat binary |
//! | `unpack` | their compression |
//! | `choose` | the PTX that a device runs |
//! | `link` | relocatable device code: several texts of PTX as one |
//!
//! PTX in a fat binary has no comments, and so no marks of inline assembly (`// begin inline
//! asm`).
//!
//! # A program without relocatable device code
//!
//! Each object file has one fat binary, whose wrapper (version 1, in the section
//! `.nvFatBinSegment`) its constructor passes to `__cudaRegisterFatBinary`. The handle that
//! returns stands for a module of its own. Kernels and variables are then registered for that
//! handle by their names in PTX: `deviceName` of `__cudaRegisterFunction` is the mangled name,
//! such as `_Z5firstPf`. `static` kernels and variables may have the same name in several objects;
//! since each object has a module of its own, the handle tells them apart, and nothing needs to be
//! renamed.
//!
//! # A program with relocatable device code
//!
//! `nvcc -rdc=true` compiles every object file to a fat binary in the section `__nv_relfatbin`,
//! with a cubin and the PTX of that object alone: symbols of other objects are `.extern` there.
//! Nothing registers it directly. The constructor of an object calls
//! `__cudaRegisterLinkedBinary_ID`, with the id of the object, in the object that the device
//! linker adds to the program. This collects the fat binaries and the callbacks of all objects.
//! The last call registers one wrapper of version 2. Its fat binary has the linked cubin and no
//! PTX. Its last field is a list of the fat binaries of the objects (not of their wrappers) that
//! ends with a null pointer. Then it calls the callbacks with the one handle, and they register
//! the kernels and variables of all objects for it, instances of a template once for each object
//! that has them.
//!
//! So the PTX in the program is unlinked, one text per object, and [`DeviceCode::ptx`] links it.
//! Symbols with internal linkage that are registered contain the id of their object
//! (`__nv_static_25__2a9e682a_4_a_cu_f153e167__Z12local_kernelPf`); those that linking renames,
//! such as the texts of `printf`, are not.
//!
//! If all objects have PTX alone (`code=compute_90`), the linked fat binary is empty, and the list
//! also has the object of `libcudadevrt`, which has PTX for the newest GPU and cubins for the
//! others. An object without PTX for the device is left out, and the error mentions it if symbols
//! are missing. Its kernels are registered like any others, so that a kernel that is not in the PTX
//! is an error at its launch, and not when it is registered.
//!
//! An object has no PTX if it was compiled with `code=sm_90` or `code=lto_90` alone. With
//! `-arch=sm_90`, also together with `-dlto`, it has.

mod choose;
mod container;
mod image;
mod link;
mod unpack;

pub use choose::{NoCode, choose};
pub use container::{Code, FatBinary, FatbinEntry, FatbinError, Kind, Packing};
pub use image::{DeviceCode, NoPtx};
pub use link::{NotLinked, link};
pub use unpack::MOST_BYTES;
