//! An op of another MLIR version, with the methods that rewrite it.

use cute_ffi::{
    ir::{self, op_name},
    rewrite::Rewriter,
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, Type, Value,
        attribute::BoolAttribute,
        operation::{OperationBuilder, OperationLike, OperationRef},
    },
};

/// An op that may need rewriting.
pub struct Site<'c, 'a> {
    rewriter: &'a Rewriter<'c>,
    op: OperationRef<'c, 'a>,
    pub operands: Vec<Value<'c, 'a>>,
}

/// Whether an op was rewritten. The error names the unknown part of the op, and follows the op's
/// name in the message.
pub type Rewritten = Result<bool, String>;

impl<'c, 'a> Site<'c, 'a> {
    pub(crate) fn new(rewriter: &'a Rewriter<'c>, op: OperationRef<'c, 'a>) -> Self {
        Self { rewriter, op, operands: ir::operands(op).into_vec() }
    }

    /// The context of the op.
    pub fn context(&self) -> &'c Context {
        ir::context(self.op)
    }

    /// The name of the op.
    pub fn name(&self) -> &'c str {
        op_name(self.op)
    }

    /// The types of its results.
    pub fn results(&self) -> Vec<Type<'c>> {
        (0..self.op.result_count()).filter_map(|i| ir::result(self.op, i)).map(ir::type_of).collect()
    }

    /// The names of the ops that use its result.
    pub fn users(&self) -> Vec<&'c str> {
        let result = ir::result(self.op, 0);
        result.into_iter().flat_map(|v| self.rewriter.users(v)).map(op_name).collect()
    }

    pub fn attribute(&self, name: &str) -> Option<Attribute<'c>> {
        self.op.attribute(name).ok()
    }

    /// The keyword of an enumeration attribute: `arrive` for `#nvvm.mbar_txn_kind<arrive>`, and
    /// also for `"arrive"`, its form after reading custom assembly.
    pub fn word(&self, name: &str) -> Option<&'c str> {
        let attribute = self.attribute(name)?;
        if let Some(word) = ir::string(attribute) {
            return Some(word);
        }
        // `mbar_space<cluster>`, or `mbar_space cluster` where the dialect's name precedes a `<`.
        let text = ir::opaque_text(attribute)?;
        text.strip_suffix('>').unwrap_or(text).rsplit_once(['<', ' ']).map(|(_, word)| word)
    }

    /// Whether an attribute is `#nvvm.mnemonic<..>`, which the dialect at hand does not know.
    pub fn has_mnemonic(&self, name: &str, mnemonic: &str) -> bool {
        let text = self.attribute(name).and_then(ir::opaque_text);
        text.is_some_and(|text| text.starts_with(mnemonic))
    }

    /// Whether a `BoolAttr` is true.
    pub fn flag(&self, name: &str) -> bool {
        self.attribute(name).and_then(|a| BoolAttribute::try_from(a).ok()).is_some_and(|a| a.value())
    }

    /// Parses a type.
    pub fn parse_type(&self, text: &str) -> Result<Type<'c>, String> {
        Type::parse(self.context(), text).ok_or_else(|| format!("needs the type {text}"))
    }

    /// Inserts another op before this one. Attributes are given as text.
    pub fn make(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
        results: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'a>, String> {
        let context = self.context();
        let mut parsed = Vec::with_capacity(attributes.len());
        for (key, text) in attributes {
            let value = Attribute::parse(context, text);
            parsed.push((
                Identifier::new(context, key),
                value.ok_or_else(|| format!("needs the attribute {text}"))?,
            ));
        }
        let op = OperationBuilder::new(name, ir::location(self.op))
            .add_operands(operands)
            .add_attributes(&parsed)
            .add_results(results)
            .build()
            .map_err(|why| format!("cannot become '{name}': {why}"))?;
        Ok(ir::insert_before(self.op, op))
    }

    /// Inserts another op before this one, and returns its only result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
        result: Type<'c>,
    ) -> Result<Value<'c, 'a>, String> {
        let op = self.make(name, operands, attributes, &[result])?;
        ir::result(op, 0).ok_or_else(|| format!("becomes '{name}', which has no result"))
    }

    /// Replaces the op by another one with the same result types.
    pub fn become_op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
    ) -> Rewritten {
        self.become_typed(name, operands, attributes, &self.results())
    }

    /// Like `become_op`, with other result types.
    pub fn become_typed(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        attributes: &[(&str, &str)],
        results: &[Type<'c>],
    ) -> Rewritten {
        let op = self.make(name, operands, attributes, results)?;
        for i in 0..results.len() {
            if let (Some(old), Some(new)) = (ir::result(self.op, i), ir::result(op, i)) {
                self.rewriter.replace_uses(old, new);
            }
        }
        self.rewriter.erase(self.op);
        Ok(true)
    }

    /// Replaces the op by one that keeps these of its attributes, each under a name of its own, and
    /// has further ones. (The attributes of an op that is not registered cannot be listed.)
    pub fn become_same(&self, name: &str, kept: &[(&str, &str)], further: &[(&str, &str)]) -> Rewritten {
        let context = self.context();
        let mut attributes = Vec::new();
        for (old, new) in kept {
            attributes.extend(self.attribute(old).map(|value| (Identifier::new(context, new), value)));
        }
        for (key, text) in further {
            let value =
                Attribute::parse(context, text).ok_or_else(|| format!("needs the attribute {text}"))?;
            attributes.push((Identifier::new(context, key), value));
        }
        let op = OperationBuilder::new(name, ir::location(self.op))
            .add_operands(&self.operands)
            .add_attributes(&attributes)
            .add_results(&self.results())
            .build()
            .map_err(|why| format!("cannot become '{name}': {why}"))?;
        let op = ir::insert_before(self.op, op);
        let results: Vec<_> = (0..).map_while(|i| ir::result(op, i)).collect();
        self.become_values(&results)
    }

    /// Removes the op, whose results nothing uses.
    pub fn become_nothing(&self) -> Rewritten {
        self.rewriter.erase(self.op);
        Ok(true)
    }

    /// Replaces its results by values.
    pub fn become_values(&self, values: &[Value<'c, 'a>]) -> Rewritten {
        for (i, value) in values.iter().enumerate() {
            if let Some(old) = ir::result(self.op, i) {
                self.rewriter.replace_uses(old, *value);
            }
        }
        self.rewriter.erase(self.op);
        Ok(true)
    }

    /// Replaces its result by a value.
    pub fn become_value(&self, value: Value<'c, 'a>) -> Rewritten {
        if let Some(old) = ir::result(self.op, 0) {
            self.rewriter.replace_uses(old, value);
        }
        self.rewriter.erase(self.op);
        Ok(true)
    }
}
