// A dense array of index has no width that the parser could ask for.
// options: --allow-unregistered-dialect
// frame: mlir::detail::Parser::parseDenseArrayAttr
"a.b"() {x = array<index: 1>} : () -> ()
