//! Requests from programs: each `{"op","args"}` is answered by an object, `{"result"}` or
//! `{"error"}`. Arguments are a list, or have names. In addition to the text of a result there is
//! its `value`, as `structure` describes it.

mod named;
mod shared;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::{
    block_scaled, command,
    error::{Error, Result},
    eval::Session,
    placements, structure, tma,
    value::{Value, show_layout, show_tuple},
};

#[derive(Debug, Deserialize)]
struct Request {
    op: String,
    #[serde(default)]
    args: Arguments,
    /// A separate operand, and the fields that go with it.
    #[serde(flatten)]
    rest: Map<String, Json>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Arguments {
    /// In the order of the parameters.
    List(Vec<Json>),
    /// By their names.
    Named(Map<String, Json>),
}

impl Default for Arguments {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// Answers the request in a text.
pub fn answer(session: &Session, text: &[u8]) -> Json {
    reply(session, serde_json::from_slice(text))
}

/// Answers each request of the array in a text.
pub fn answer_array<'s>(session: &'s Session, text: &[u8]) -> Result<impl Iterator<Item = Json> + use<'s>> {
    let requests: Vec<Json> = serde_json::from_slice(text)
        .map_err(|error| Error::Request(format!("not an array of requests: {error}")))?;
    Ok(requests.into_iter().map(|request| reply(session, serde_json::from_value(request))))
}

/// The result of a request.
struct Reply {
    /// Text, truth values, or an object of these.
    result: Json,
    /// The result as trees, if it is a value of the algebra.
    value: Option<Json>,
}

impl<T: Into<Json>> From<T> for Reply {
    fn from(result: T) -> Self {
        Self { result: result.into(), value: None }
    }
}

fn reply(session: &Session, request: serde_json::Result<Request>) -> Json {
    let request = request.map_err(|error| Error::Request(format!("not a request: {error}")));
    match request.and_then(|request| evaluate(session, &request)) {
        Ok(Reply { result, value: None }) => json!({ "result": result }),
        Ok(Reply { result, value: Some(value) }) => json!({ "result": result, "value": value }),
        Err(error) => failure(&error),
    }
}

/// The answer to a request that fails.
pub fn failure(error: &Error) -> Json {
    match error {
        Error::Rule { name, text } => json!({ "error": text, "rule": name }),
        other => json!({ "error": other.to_string() }),
    }
}

fn evaluate(session: &Session, request: &Request) -> Result<Reply> {
    let (none, op) = (Map::new(), &request.op);
    if let Some(inputs) = request.rest.get("inputs").and_then(Json::as_object)
        && let Some(answer) = tma::answer(op, inputs).or_else(|| block_scaled::answer(op, inputs))
    {
        return answer.map(Reply::from);
    }
    let named = match &request.args {
        Arguments::Named(named) => named,
        Arguments::List(_) => request.rest.get("kwargs").and_then(Json::as_object).unwrap_or(&none),
    };
    if let Some(answer) = placements::answer(op, &request.rest, named) {
        return answer.map(Reply::from);
    }
    if let (true, Some(call)) = (op == "construct", request.rest.get("call")) {
        return placements::called(call).map(Reply::from);
    }
    let list = if let Arguments::List(list) = &request.args { list.as_slice() } else { &[] };
    if let Some(made) = placements::construct(op, list, named) {
        return made.map(Reply::from);
    }
    if command::exists(op) {
        return asked(session, op, list, &request.rest);
    }
    let args = match &request.args {
        Arguments::List(args) => args,
        Arguments::Named(args) => return named::answer(session, &request.op, args),
    };
    let args = args.iter().enumerate().map(|(i, arg)| {
        let value = argument(session, arg);
        Ok((1, value.map_err(|error| Error::Argument { index: i + 1, error: Box::new(error) })?))
    });
    let args: Vec<_> = args.collect::<Result<_>>()?;
    let value = match args.as_slice() {
        [(_, value)] if op == "evaluate" => value.clone(),
        _ => session.call(1, op, args)?,
    };
    Ok(Reply { result: result(&value), value: Some(structure::of(&value)) })
}

/// The answer of a command: its text. Tables and banks also have an object as their value.
fn asked(session: &Session, op: &str, args: &[Json], options: &Map<String, Json>) -> Result<Reply> {
    let word = |arg: &Json| match arg {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        other => Err(Error::Request(format!("{other} is neither text nor an integer"))),
    };
    let words = args.iter().map(word).collect::<Result<Vec<_>>>()?;
    let words: Vec<_> = std::iter::once(op).chain(words.iter().map(String::as_str)).collect();
    let answer = command::run(session, &words, options)?;
    let answer = answer.ok_or_else(|| Error::Request(format!("'{op}' does not take these arguments")))?;
    Ok(Reply { result: answer.text().into(), value: answer.structure() })
}

/// The value of an argument.
fn argument(session: &Session, arg: &Json) -> Result<Value> {
    match arg {
        Json::String(text) => session.expression(text),
        Json::Number(number) => {
            let integer = number.as_i64().map(Value::integer);
            integer.ok_or_else(|| Error::Request(format!("{number} is not an integer of 64 bits")))
        }
        other => Err(Error::Request(format!("{other} is neither text nor an integer"))),
    }
}

/// A value as an answer.
fn result(value: &Value) -> Json {
    match value {
        Value::Truth(truth) => Json::from(*truth),
        Value::Part { offset, layout } => {
            json!({ "offset": show_tuple(offset), "layout": show_layout(layout) })
        }
        other => Json::from(other.to_string()),
    }
}
