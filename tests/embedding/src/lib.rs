//! An example of a crate that embeds the dialect: it builds a kernel, checks it, folds it and
//! lowers it.

use cute_mlir::{At, Axis, Kernel, Kernels, Result, types, types::Space};
use melior::{
    Context,
    ir::{Location, Module, Type},
};

/// Each of 128 threads copies the 4 elements of its row of a tile.
pub fn rows(context: &Context) -> Result<Module<'_>> {
    let layout = "(128,4):(4,1)";
    let tile = types::pointer(Type::float32(context), Space::Gmem).align(16).memref(layout)?;
    let kernels = Kernels::at(Location::new(context, file!(), line!() as usize, 0))?;
    let rows = Kernel::new(context, "rows", [("from", tile), ("to", tile)]).block(128);
    kernels.kernel(&rows, |b, [from, to]| {
        let row = [At::Value(b.thread_id(Axis::X)?), At::All];
        b.store_vec(b.load_vec(b.slice(from, &row)?)?, b.slice(to, &row)?)?;
        // A static value for the folder.
        b.size(b.layout(layout)?, &[]).map(drop)
    })?;
    kernels.finish()
}

#[cfg(test)]
mod tests {
    use cute_mlir::{Error, Target};
    use melior::{Context, dialect::DialectRegistry, utility};

    #[test]
    fn a_kernel_goes_all_the_way() -> Result<(), Error> {
        // Registers in steps, like an application with its own dialects; `cute_mlir::load` does all
        // of this.
        let registry = DialectRegistry::new();
        utility::register_all_dialects(&registry);
        cute_mlir::register(&registry);
        utility::register_all_passes();
        cute_mlir::register_passes();
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        utility::register_all_llvm_translations(&context);

        let mut module = super::rows(&context)?;
        cute_mlir::verify(&module)?;
        assert!(module.as_operation().to_string().contains("cute.size"));

        cute_mlir::fold(&context, &mut module)?;
        let folded = module.as_operation().to_string();
        assert!(folded.contains("cute.slice") && !folded.contains("cute.size"), "{folded}");

        cute_mlir::lower(&context, &mut module, Target::Sm90a)?;
        let lowered = module.as_operation().to_string();
        assert!(lowered.contains("llvm.func @rows(%arg0: !llvm.ptr<1> {llvm.align = 16 : i64}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i64})"), "{lowered}");
        assert!(lowered.contains(": !llvm.ptr<1> -> vector<4xf32>"), "{lowered}");
        assert!(!lowered.contains("cute"), "{lowered}");

        let ptx = cute_mlir::compile(&context, &mut super::rows(&context)?, Target::Sm90a)?.ptx;
        assert!(ptx.contains("ld.global.v4.b32") && ptx.contains("st.global.v4.b32"), "{ptx}");
        Ok(())
    }
}
