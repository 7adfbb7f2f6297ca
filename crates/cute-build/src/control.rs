//! Loops and branches of `scf`.

use cute_ffi::ir::{self, type_of};
use melior::ir::{BlockLike, BlockRef, Location, Region, RegionLike, Type, operation::OperationRef};

use crate::{Builder, Result, Value};

/// A region of one block without ops.
fn region<'c>(arguments: &[(Type<'c>, Location<'c>)]) -> Region<'c> {
    let region = Region::new();
    region.append_block(ir::block(arguments));
    region
}

/// The arguments of a block.
fn arguments<'c>(block: BlockRef<'c, 'c>) -> Vec<Value<'c>> {
    (0..block.argument_count()).filter_map(|i| block.argument(i).ok()).map(Into::into).collect()
}

fn results<'c>(op: OperationRef<'c, 'c>) -> Vec<Value<'c>> {
    (0..).map_while(|i| ir::result(op, i)).collect()
}

fn types<'c>(values: &[Value<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|value| type_of(*value)).collect()
}

impl<'c> Builder<'c> {
    /// `for (i = from; i < to; i += step) carried = body(i, carried)`. Returns the values of the
    /// last iteration, or the first ones if there is none. The builder's name is that of `i`.
    ///
    /// # Errors
    /// Returns the errors of `body` and of [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn for_range(
        &self,
        [from, to, step]: [Value<'c>; 3],
        carried: &[Value<'c>],
        body: impl FnOnce(&Self, Value<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let index = [(type_of(from), self.location())];
        let region = region(&[&index[..], &self.carried(carried)].concat());
        let operands = [&[from, to, step], carried].concat();
        let op = self.unnamed().op("scf.for").operands(&operands).regions(vec![region]);
        let op = op.results(&types(carried)).build()?;
        let block = ir::body(op).expect("the loop was given a block");
        let (inside, arguments) = (self.inside(block), arguments(block));
        let next = body(&inside, arguments[0], &arguments[1..])?;
        inside.yields(&next)?;
        Ok(results(op))
    }

    /// `while (goes_on(carried)) carried = body(carried)`.
    ///
    /// # Errors
    /// As [`for_range`](Self::for_range).
    #[track_caller]
    pub fn while_loop(
        &self,
        carried: &[Value<'c>],
        goes_on: impl FnOnce(&Self, &[Value<'c>]) -> Result<Value<'c>>,
        body: impl FnOnce(&Self, &[Value<'c>]) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let carried_in = self.carried(carried);
        let regions = vec![region(&carried_in), region(&carried_in)];
        let op = self.unnamed().op("scf.while").operands(carried).regions(regions);
        let op = op.results(&types(carried)).build()?;
        let [before, after] = ir::blocks(op)[..] else { unreachable!("the loop was given two blocks") };
        let (inside, values) = (self.inside(before), arguments(before));
        let condition = goes_on(&inside, &values)?;
        inside.effect("scf.condition", &[&[condition], &values[..]].concat(), &[])?;
        let inside = self.inside(after);
        inside.yields(&body(&inside, &arguments(after))?)?;
        Ok(results(op))
    }

    /// `if (condition) body()`.
    ///
    /// # Errors
    /// As [`for_range`](Self::for_range).
    #[track_caller]
    pub fn if_then(&self, condition: Value<'c>, body: impl FnOnce(&Self) -> Result<()>) -> Result<()> {
        let op = self.branch(condition, vec![region(&[]), Region::new()], &[])?;
        self.write(ir::body(op).expect("the branch was given a block"), |b| body(b).map(|()| Vec::new()))
    }

    /// `if (condition) then() else otherwise()`.
    ///
    /// # Errors
    /// As [`for_range`](Self::for_range).
    #[track_caller]
    pub fn if_else(
        &self,
        condition: Value<'c>,
        then: impl FnOnce(&Self) -> Result<()>,
        otherwise: impl FnOnce(&Self) -> Result<()>,
    ) -> Result<()> {
        let nothing = |()| Vec::new();
        self.either(condition, &[], |b| then(b).map(nothing), |b| otherwise(b).map(nothing)).map(drop)
    }

    /// The same with branches that return values of these types, of which one branch's are the
    /// results.
    ///
    /// # Errors
    /// As [`for_range`](Self::for_range).
    #[track_caller]
    pub fn either(
        &self,
        condition: Value<'c>,
        types: &[Type<'c>],
        then: impl FnOnce(&Self) -> Result<Vec<Value<'c>>>,
        otherwise: impl FnOnce(&Self) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let op = self.branch(condition, vec![region(&[]), region(&[])], types)?;
        let [yes, no] = ir::blocks(op)[..] else { unreachable!("the branch was given two blocks") };
        self.write(yes, then)?;
        self.write(no, otherwise)?;
        Ok(results(op))
    }

    /// `if (condition) then() else otherwise()`, with the results of the branches, which return
    /// values of the same types.
    ///
    /// # Errors
    /// As [`for_range`](Self::for_range).
    #[track_caller]
    pub fn chosen(
        &self,
        condition: Value<'c>,
        then: impl FnOnce(&Self) -> Result<Vec<Value<'c>>>,
        otherwise: impl FnOnce(&Self) -> Result<Vec<Value<'c>>>,
    ) -> Result<Vec<Value<'c>>> {
        let op = self.branch(condition, vec![region(&[]), region(&[])], &[])?;
        let [yes, no] = ir::blocks(op)[..] else { unreachable!("the branch was given two blocks") };
        let (yes, no) = (self.inside(yes), self.inside(no));
        let (first, second) = (then(&yes)?, otherwise(&no)?);
        let types = types(&first);
        if let Some(wrong) = (0..types.len()).find(|i| second.get(*i).map(|v| type_of(*v)) != Some(types[*i]))
        {
            let other = second.get(wrong).map_or("nothing".into(), |value| type_of(*value).to_string());
            return self.fail(&format!("an arm yields {}, the other {other}", types[wrong]));
        }
        let op = if types.is_empty() { op } else { ir::with_results(op, &types) };
        yes.yields(&first)?;
        no.yields(&second)?;
        Ok(results(op))
    }

    /// Where the body of an `if` on `condition` is built: before its end.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn conditional(&self, condition: Value<'c>) -> Result<Self> {
        let op = self.branch(condition, vec![region(&[]), Region::new()], &[])?;
        self.ended(op)
    }

    /// Where the body of a loop over `[0, count)` is built, before its end, and the index.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn counted(&self, count: Value<'c>) -> Result<(Self, Value<'c>)> {
        let t = type_of(count);
        let (zero, one) = (self.number(t, 0)?, self.number(t, 1)?);
        let operands = [zero, count, one];
        let regions = vec![region(&[(t, self.location())])];
        let op = self.op("scf.for").operands(&operands).regions(regions).results(&[]).build()?;
        let index = ir::block_argument(op, 0).expect("the block has its index");
        Ok((self.ended(op)?, index))
    }

    /// Ends the block of an op; the builder builds before the end.
    #[track_caller]
    fn ended(&self, op: OperationRef<'c, 'c>) -> Result<Self> {
        let block = ir::body(op).expect("the op was given a block");
        let end = self.inside(block).op("scf.yield").results(&[]).build()?;
        Ok(self.moved(end))
    }

    #[track_caller]
    fn branch(
        &self,
        condition: Value<'c>,
        regions: Vec<Region<'c>>,
        types: &[Type<'c>],
    ) -> Result<OperationRef<'c, 'c>> {
        self.op("scf.if").operands(&[condition]).regions(regions).results(types).build()
    }

    #[track_caller]
    fn write(
        &self,
        block: BlockRef<'c, 'c>,
        body: impl FnOnce(&Self) -> Result<Vec<Value<'c>>>,
    ) -> Result<()> {
        let inside = self.inside(block);
        let values = body(&inside)?;
        inside.yields(&values)
    }

    #[track_caller]
    fn yields(&self, values: &[Value<'c>]) -> Result<()> {
        self.effect("scf.yield", values, &[])
    }

    fn carried(&self, values: &[Value<'c>]) -> Vec<(Type<'c>, Location<'c>)> {
        let place = self.unnamed().or_named("carried").location();
        types(values).into_iter().map(|t| (t, place)).collect()
    }
}
