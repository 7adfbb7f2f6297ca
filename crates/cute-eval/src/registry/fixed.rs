//! Functions of static layouts in numbers. They are those that the table has, of other leaves: the
//! algebra is generic, and computes several times faster without the run-time half of a leaf.

use cute_algebra::{Domain, Layout, Tiler, TupleRef, error::Result};

type Static = Layout<i64>;

/// A function of static layouts. Where a policy restricts its operands, `check` is that check.
#[derive(Clone, Copy)]
pub enum Fixed {
    /// An integer of a layout.
    Integer(fn(&Static) -> Result<i64>),
    /// A layout of a layout.
    Layout {
        /// The value.
        run: fn(&Static) -> Result<Static>,
        /// Fails where the policy does not allow the operands.
        check: fn(Domain, &Static) -> Result<()>,
    },
    /// A layout of a layout and a shape.
    Shaped {
        /// The value.
        run: fn(&Static, TupleRef<'_, i64>) -> Result<Static>,
        /// Fails where the policy does not allow the operands.
        check: fn(Domain, &Static, TupleRef<'_, i64>) -> Result<()>,
    },
    /// A layout of a layout and a tiler.
    Tiled {
        /// The value.
        run: fn(&Static, &Tiler<i64>) -> Result<Static>,
        /// Fails where the policy does not allow the operands.
        check: fn(Domain, &Static, &Tiler<i64>) -> Result<()>,
    },
}

/// The value of a [`Fixed`] function.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a value is taken apart at once")]
pub enum Number {
    /// A number of elements, for example.
    Integer(i64),
    /// The result of all other functions.
    Layout(Static),
}

impl Fixed {
    /// The value under a policy, or `None` if the function does not take these operands.
    ///
    /// # Errors
    /// Those of the function and of the policy.
    pub fn call(
        self,
        domain: Domain,
        layout: &Static,
        operand: Option<&Tiler<i64>>,
    ) -> Option<Result<Number>> {
        let value = match (self, operand) {
            (Self::Integer(run), None) => return Some(run(layout).map(Number::Integer)),
            (Self::Layout { run, check }, None) => check(domain, layout).and_then(|()| run(layout)),
            (Self::Shaped { run, check }, Some(Tiler::Shape(shape))) => {
                check(domain, layout, shape.view()).and_then(|()| run(layout, shape.view()))
            }
            (Self::Tiled { run, check }, Some(tiler)) => {
                check(domain, layout, tiler).and_then(|()| run(layout, tiler))
            }
            _ => return None,
        };
        Some(value.map(Number::Layout))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{error::Result as Evaluated, eval::Session, registry};

    /// The value of a call in leaves, and in numbers; `None` where there is no such function of
    /// numbers.
    fn both(domain: Domain, name: &str, operands: &[&str]) -> Option<[Evaluated<String>; 2]> {
        let session = Session::new(domain);
        let read = |text: &&str| (1, session.expression(text).expect("an operand"));
        let values: Vec<_> = operands.iter().map(read).collect();
        let function = registry::find(name).expect("a function");
        let args = registry::Args::new(function, 1, values.clone()).ok()?;
        let layout = args.get(0).expect("a layout").constant().expect("a static layout");
        let tiler = |i| args.tiler(i).expect("a tiler").to_const().expect("a static tiler");
        let operand = (operands.len() > 1).then(|| tiler(1));
        let own = match function.fixed?.call(domain, &layout, operand.as_ref())? {
            Ok(Number::Integer(n)) => Ok(n.to_string()),
            Ok(Number::Layout(layout)) => Ok(layout.to_string()),
            Err(error) => crate::error::at(1, Err(error)),
        };
        Some([session.call(1, name, values).map(|value| value.to_string()), own])
    }

    #[test]
    fn numbers_have_the_values_and_errors_of_leaves() {
        let layouts = [
            "24:1",
            "24:2",
            "(4,6):(6,1)",
            "(4,8):(8,1)",
            "((2,2),8):((1,4),2)",
            "(3,5,1):(0,2,7)",
            "(4,3):(1,0)",
            "(2,4):(-1,8)",
            "(4,6):(1,10)",
            "(4,8):(1@0,1@1)",
        ];
        let tilers =
            ["4:1", "8:3", "(2,2):(1,6)", "(2,3)", "[2:2;_]", "[2:1;3:1]", "6", "24", "(4,2):(2,1)", "2:0"];
        let (mut values, mut errors) = (0, 0);
        for function in registry::functions().filter(|f| f.fixed.is_some()) {
            for domain in [Domain::Strict, Domain::Extend] {
                for layout in layouts {
                    let alone = std::iter::once(vec![layout]);
                    for operands in alone.chain(tilers.iter().map(|tiler| vec![layout, tiler])) {
                        match both(domain, function.name, &operands) {
                            Some([Ok(leaves), Ok(numbers)]) => {
                                assert_eq!(leaves, numbers, "{}{operands:?}", function.name);
                                values += 1;
                            }
                            Some([Err(leaves), Err(numbers)]) => {
                                assert_eq!(leaves.to_string(), numbers.to_string());
                                errors += 1;
                            }
                            Some(other) => panic!("{}{operands:?}: {other:?}", function.name),
                            None => {}
                        }
                    }
                }
            }
        }
        assert!(values > 500 && errors > 200, "{values} values, {errors} errors");
    }
}
