//! `y = a x + y` for vectors of any length that is a multiple of 4, printed as PTX:
//! `cargo run --example saxpy [sm_100a]`. A predicate keeps the accesses of the last tile inside.

use cute_mlir::{At, Axis, Kernel, Kernels, Result, Target, atoms, ops::cute, types, types::Space};
use melior::{Context, ir::Module, ir::Type};

/// The kernel: blocks of 256 threads, each of which takes 4 of 1024 elements.
pub fn saxpy(context: &Context) -> Result<Module<'_>> {
    let f32 = Type::float32(context);
    let vector = types::pointer(f32, Space::Gmem).align(16).memref("(?{div=4}):(1)")?;
    let access = atoms::tiled_copy_tv(atoms::universal_copy(f32, 128)?, "(256,4):(4,1)", [1024])?;
    let kernels = Kernels::new(context)?;
    let saxpy = Kernel::new(context, "saxpy", [("a", f32), ("x", vector), ("y", vector)]).block(256);
    kernels.kernel(&saxpy, |b, [a, x, y]| {
        let (thread, tile) = (b.thread_id(Axis::X)?, At::Value(b.block_id(Axis::X)?));
        let (copy, shape) = (b.tiled_copy(&access)?, cute::get_shape(b, cute::get_layout(b, x)?)?);
        let part = |of| b.partition_s(copy, b.local_tile(of, [1024], &[tile], None)?, thread);
        let inside = Some(b.inside_of(part(cute::make_identity_tensor(b, shape)?)?, shape)?);
        let (x, y) = (part(x)?, part(y)?);
        let [x, result] = [b.load_fragment(copy, x, inside)?, b.load_fragment(copy, y, inside)?];
        let x = b.load_vec(x)?;
        let scaled = b.mul(b.broadcast(a, x)?, x)?;
        b.store_vec(b.add(scaled, b.load_vec(result)?)?, result)?;
        b.copy_if(inside, copy, result, y)
    })?;
    kernels.finish()
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let target: Target = std::env::args().nth(1).as_deref().unwrap_or("sm_90a").parse()?;
    let context = Context::new();
    cute_mlir::load(&context);
    println!("{}", cute_mlir::compile(&context, &mut saxpy(&context)?, target)?.ptx);
    Ok(())
}
