// A position in a structure is compared with the number of its elements in 32 bits.
// frame: mlir::LLVM::ExtractValueOp::parse
llvm.func @kernel(%r: !llvm.struct<(f32, f32)>) {
  %d = llvm.extractvalue %r[4294967296] : !llvm.struct<(f32, f32)>
  llvm.return
}
