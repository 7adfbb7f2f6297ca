//! The steps of an operation. Knows how to name them; the values are the algebra's.

use crate::{
    error::{Error, Result},
    eval::Session,
    syntax::{self, Expr, Node},
};

/// Every step of the call that `text` is, a line each.
pub fn print(session: &Session, text: &str) -> Result<String> {
    let Node { column, expr: Expr::Call(name, args) } = syntax::expression(text)? else {
        return Err(Error::Unexpected {
            column: 1,
            expected: "a call, such as coalesce((2,4):(1,2))",
            found: format!("`{}`", text.chars().take(24).collect::<String>()),
        });
    };
    let values = args.iter().map(|arg| Ok((arg.column, session.node(arg)?))).collect::<Result<Vec<_>>>()?;
    let shown: Vec<_> = values.iter().map(|(_, value)| value.to_string()).collect();
    let result = session.call(column, &name, values)?;
    Ok(format!("{name}({}) = {result}\n", shown.join(", ")))
}
