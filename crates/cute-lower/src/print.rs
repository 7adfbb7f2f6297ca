//! `cute.print` and other messages: `gpu.printf` on the device, a call of printf or dprintf on the
//! host.

use std::{cell::RefCell, collections::HashMap};

use cute_algebra::Width;
use cute_dialect::{
    types::{llvm_pointer, scalar_type},
    value::Space,
};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Attribute, Region, Value,
    attribute::{FlatSymbolRefAttribute, StringAttribute, TypeAttribute},
    operation::OperationRef,
};

use crate::{
    Builder, Built,
    module::{enclosing_module, symbols},
};

/// Names of the host's formats, by module and text.
#[derive(Default)]
pub struct Formats(RefCell<HashMap<(usize, String), String>>);

/// The output stream on the host; the device has only one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error, which is unbuffered, so that output is not lost when the program traps.
    Error,
}

impl Stream {
    /// The function of C and its type.
    fn function(self) -> (&'static str, &'static str) {
        match self {
            Self::Output => ("printf", "!llvm.func<i32 (ptr, ...)>"),
            Self::Error => ("dprintf", "!llvm.func<i32 (i32, ptr, ...)>"),
        }
    }
}

impl Formats {
    /// Writes a format of printf with its arguments, before `op`.
    pub(crate) fn write<'c>(
        &self,
        op: OperationRef<'c, 'c>,
        stream: Stream,
        format: &str,
        arguments: &[Value<'c, 'c>],
    ) -> Built<()> {
        let module = enclosing_module(op);
        if op_name(module) == "gpu.module" {
            let format = StringAttribute::new(ir::context(op), format).into();
            Builder::before(op).effect("gpu.printf", arguments, &[("format", format)])?;
            return Ok(());
        }
        self.call(op, module, stream, format, arguments)
    }

    fn call<'c>(
        &self,
        op: OperationRef<'c, 'c>,
        module: OperationRef<'c, 'c>,
        stream: Stream,
        format: &str,
        arguments: &[Value<'c, 'c>],
    ) -> Built<()> {
        let c = ir::context(op);
        let b = Builder::before(op);
        let (name, function) = stream.function();
        let function = b.parse_type(function)?;
        let symbol = self.format(op, module, format)?;
        if !symbols(module).contains(name) {
            let first = ir::body(module).and_then(ir::first_op).expect("the module has a function");
            let attributes = [
                ("sym_name", StringAttribute::new(c, name).into()),
                ("function_type", TypeAttribute::new(function).into()),
                ("linkage", b.attribute("#llvm.linkage<external>")?),
                ("CConv", b.attribute("#llvm.cconv<ccc>")?),
            ];
            Builder::before(first)
                .op("llvm.func")
                .attributes(&attributes)
                .regions(vec![Region::new()])
                .results(&[])
                .build()?;
        }
        let symbol = FlatSymbolRefAttribute::new(c, &symbol).into();
        let pointer = llvm_pointer(c, Space::Generic);
        let text = b.typed("llvm.mlir.addressof", &[], pointer, &[("global_name", symbol)])?;
        let mut operands = match stream {
            Stream::Output => vec![],
            Stream::Error => vec![Builder::before(op).i32(2)?],
        };
        operands.push(text);
        operands.extend(arguments);
        let attributes = [
            ("callee", FlatSymbolRefAttribute::new(c, name).into()),
            ("var_callee_type", TypeAttribute::new(function).into()),
            ("operandSegmentSizes", b.attribute(&format!("array<i32: {}, 0>", operands.len()))?),
            ("op_bundle_sizes", b.attribute("array<i32>")?),
        ];
        b.typed("llvm.call", &operands, scalar_type(c, Width::I32), &attributes)?;
        Ok(())
    }

    /// The name of the global that holds a format, once for each text.
    fn format<'c>(
        &self,
        op: OperationRef<'c, 'c>,
        module: OperationRef<'c, 'c>,
        format: &str,
    ) -> Built<String> {
        let c = ir::context(op);
        let key = (ir::op_identity(module), format.to_string());
        if let Some(known) = self.0.borrow().get(&key) {
            return Ok(known.clone());
        }
        let taken = symbols(module);
        let name = (0..)
            .map(|i| format!("cute_format_{i}"))
            .find(|name| !taken.contains(name))
            .expect("a name is free");
        let text = format!("{format}\0");
        let array = Builder::before(op).parse_type(&format!("!llvm.array<{} x i8>", text.len()))?;
        let first = ir::body(module).and_then(ir::first_op).expect("the module has a function");
        let b = Builder::before(first);
        let attributes = [
            ("sym_name", StringAttribute::new(c, &name).into()),
            ("global_type", TypeAttribute::new(array).into()),
            ("linkage", b.attribute("#llvm.linkage<internal>")?),
            ("constant", Attribute::unit(c)),
            ("value", StringAttribute::new(c, &text).into()),
            ("addr_space", b.attr(0i32)),
        ];
        b.op("llvm.mlir.global").attributes(&attributes).regions(vec![Region::new()]).results(&[]).build()?;
        self.0.borrow_mut().insert(key, name.clone());
        Ok(name)
    }
}
