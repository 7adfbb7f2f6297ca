//! Functions: ops with a name, parameters and a body.

use cute_ffi::ir;
use melior::ir::{
    Attribute, BlockLike, Location, Region, RegionLike, Type, operation::OperationRef, r#type::FunctionType,
};

use crate::{Builder, Result, Value};

/// The head of a function.
#[derive(Clone, Copy)]
pub struct Function<'a, 'c> {
    /// The symbol, without `@`.
    pub name: &'a str,
    /// Parameters by name and type.
    pub parameters: &'a [(&'a str, Type<'c>)],
    /// The types of the results.
    pub results: &'a [Type<'c>],
    /// Attributes besides the name and the type.
    pub attributes: &'a [(&'a str, Attribute<'c>)],
}

impl<'c> Builder<'c> {
    /// A function of any dialect, such as `func.func`. The body ends with `end`, which returns the
    /// values of `body`.
    ///
    /// # Errors
    /// Returns the errors of `body` and of [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn function(
        &self,
        [op, end]: [&str; 2],
        head: Function<'_, 'c>,
        body: impl FnOnce(&Self, &[Value<'c>]) -> Result<Vec<Value<'c>>>,
    ) -> Result<OperationRef<'c, 'c>> {
        let Function { name, parameters, results, attributes } = head;
        let location = self.location();
        let place = |name: &str| Location::name(self.context(), name, location);
        let arguments: Vec<_> = parameters.iter().map(|(name, t)| (*t, place(name))).collect();
        let types: Vec<_> = parameters.iter().map(|(_, t)| *t).collect();
        let region = Region::new();
        region.append_block(ir::block(&arguments));
        let function = self
            .op(op)
            .attribute("sym_name", name)
            .attribute("function_type", Type::from(FunctionType::new(self.context(), &types, results)))
            .attributes(attributes)
            .regions(vec![region])
            .results(&[])
            .build()?;
        let block = ir::body(function).expect("the function was given a block");
        let arguments: Vec<_> =
            (0..parameters.len()).filter_map(|i| block.argument(i).ok()).map(Into::into).collect();
        let inside = self.inside(block);
        let values = body(&inside, &arguments)?;
        inside.effect(end, &values, &[])?;
        Ok(function)
    }

    /// A `gpu.module` of this name, and a builder for its contents.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn gpu_module(&self, name: &str) -> Result<Self> {
        let region = Region::new();
        region.append_block(ir::block(&[]));
        let op = self.op("gpu.module").attribute("sym_name", name).regions(vec![region]).results(&[]);
        Ok(self.inside(ir::body(op.build()?).expect("the module was given a block")))
    }
}
