// The number behind a value of several results is the length of an array before it is checked.
// input: #2147483647
// frame: llvm::report_bad_alloc_error
func.func @f() -> i32 {
  return %0#2147483647 : i32
}
