// gpu.func does not check that it has as many arguments as workgroup_attributions says.
// options:
// frame: mlir::gpu::GPUFuncOp::verifyBody
gpu.module @m {
  "gpu.func"() ({
  ^bb0(%a: i32):
    gpu.return
  }) {function_type = (i32) -> (), sym_name = "k", workgroup_attributions = 4294967295 : i64} : () -> ()
}
