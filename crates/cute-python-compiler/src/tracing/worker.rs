//! The thread of a session. It makes one module, and ends when Python drops the session.

use std::sync::mpsc::{Receiver, Sender};

use cute_build::{Builder, Error, Function, Result, Value, call::OpArguments, ops, types, types::Space};
use cute_dialect::{types::value_of, value::Value as Cute};
use cute_ffi::{ir, lowered::vector_parts};
use cute_kernels::launch::{self, Launch};
use cute_session::{Listener, Session};
use melior::{
    Context,
    ir::{Attribute, Location, Module, Type, operation::OperationMutLike},
};

use super::{
    request::{Ask, Described, Frame, Operand, Parameter, Reply, Request},
    words,
};

/// Why an answer fails: a rule's text, or an error of the builder.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Answers requests until there are no more.
pub fn run(asked: &Receiver<Request>, answer: &Sender<Reply>) {
    let session = Session::new(Listener::new(|_| ())).in_one_thread();
    let context = session.loaded();
    let unknown = Location::unknown(&context);
    let mut module = Module::new(unknown);
    module.as_operation_mut().set_attribute("gpu.container_module", Attribute::unit(&context));
    let root = Builder::at_end(module.body(), unknown).checked();
    let Ok(kernels) = root.gpu_module("kernels") else { return };
    let mut worker = Worker {
        asked,
        answer,
        context: &context,
        module: &module,
        kernels,
        values: Vec::new(),
        open: vec![0],
        floor: 0,
        scopes: 0,
    };
    // The thread that asks has gone.
    let _ = worker.serve(&root);
}

struct Worker<'a, 'm> {
    asked: &'a Receiver<Request>,
    answer: &'a Sender<Reply>,
    context: &'m Context,
    module: &'a Module<'m>,
    kernels: Builder<'m>,
    /// The values, and the scope that each belongs to.
    values: Vec<(Value<'m>, usize)>,
    /// The scopes that are open: functions, bodies of loops, and arms of branches.
    open: Vec<usize>,
    /// The first open scope of the current function.
    floor: usize,
    /// The number of all scopes.
    scopes: usize,
}

/// The end of the conversation.
fn gone<T>() -> Result<T> {
    Err(Error::Reported)
}

impl<'m> Worker<'_, 'm> {
    fn reply(&self, reply: Reply) -> Result<()> {
        self.answer.send(reply).or_else(|_| gone())
    }

    fn reply_with(&mut self, values: &[Value<'m>]) -> Result<()> {
        let described = self.described(values);
        self.reply(Reply::Values(described))
    }

    fn described(&mut self, values: &[Value<'m>]) -> Vec<Described> {
        values.iter().map(|value| self.describe(*value)).collect()
    }

    /// Registers a value in the current scope.
    fn describe(&mut self, value: Value<'m>) -> Described {
        let number = self.values.len();
        let scope = self.open.last().copied().unwrap_or_default();
        self.values.push((value, scope));
        let t = ir::type_of(value);
        let meaning = value_of(t);
        let fixed = match meaning.as_ref() {
            Cute::IntTuple(t) | Cute::Shape(t) if t.leaves().iter().all(|n| n.as_static().is_some()) => {
                Some(t.to_string())
            }
            Cute::Layout(layout) if layout.is_static() => Some(layout.to_string()),
            _ => None,
        };
        let kind = match meaning.as_ref() {
            Cute::Scalar(_) | Cute::Other(_) | Cute::Flag(_) => t.to_string(),
            other => other.what().trim_start_matches('!').rsplit('.').next().unwrap_or_default().to_owned(),
        };
        Described { number, kind, fixed }
    }

    fn value(&self, number: usize) -> std::result::Result<Value<'m>, Failure> {
        let (value, scope) = self.values.get(number).ok_or("a value of another kernel is used")?;
        match self.open.iter().rposition(|open| open == scope) {
            Some(at) if at >= self.floor => Ok(*value),
            Some(_) => Err("a value of the host function is used in the kernel: pass it as an argument of the launch".into()),
            None => Err("a value is used outside of the run-time loop or branch that made it: assign its name before, so \
                 that the loop or branch carries it"
                .into()),
        }
    }

    /// The type of a value, which may be used anywhere.
    fn type_of(&self, number: usize) -> std::result::Result<Type<'m>, Failure> {
        let known = self.values.get(number).map(|(value, _)| ir::type_of(*value));
        known.ok_or_else(|| "a value of another kernel is used".into())
    }

    fn all(&self, numbers: &[usize]) -> std::result::Result<Vec<Value<'m>>, Failure> {
        numbers.iter().map(|number| self.value(*number)).collect()
    }

    fn operands(
        &self,
        b: &Builder<'m>,
        operands: &[Operand],
    ) -> std::result::Result<Vec<Value<'m>>, Failure> {
        let one = |operand: &Operand| match operand {
            Operand::Value(number) => self.value(*number),
            Operand::Constant(t, text) => {
                let t = b.parse_type(t)?;
                Ok(match text.parse::<i64>() {
                    Ok(number) => b.number(t, number)?,
                    Err(_) => b.float(t, text.parse()?)?,
                })
            }
        };
        operands.iter().map(one).collect()
    }

    fn location(&self, frames: &[Frame]) -> Location<'m> {
        let own = |(file, line, column): &Frame| Location::new(self.context, file, *line, *column);
        let mut rest = frames.iter().rev();
        let Some(outer) = rest.next() else { return Location::unknown(self.context) };
        rest.fold(own(outer), |caller, frame| Location::call_site(own(frame), caller))
    }

    /// Answers until the innermost part ends, and returns the values that it ends with. The reply
    /// to the end is the caller's.
    fn serve(&mut self, builder: &Builder<'m>) -> Result<Vec<Value<'m>>> {
        loop {
            let Ok(Request { at, ask }) = self.asked.recv() else { return gone() };
            let place = self.location(&at);
            let b = builder.at(place);
            let answer = match ask {
                Ask::End { values } => match self.all(&values) {
                    Ok(values) => return Ok(values),
                    Err(why) => Err(why),
                },
                Ask::Rename { value, name } => {
                    if let Ok(value) = self.value(value) {
                        ir::name_value(value, &name);
                    }
                    continue;
                }
                Ask::Type { value } => self.type_of(value).map(|t| Reply::Text(t.to_string())),
                Ask::Element { value } => self.type_of(value).map(|t| Reply::Text(element(t))),
                Ask::Module { located } => {
                    let op = self.module.as_operation();
                    Ok(Reply::Text(match located {
                        true => ir::located_text(op),
                        false => cute_kernels::module::text(self.module, ""),
                    }))
                }
                Ask::Verify => cute_build::verify(self.module).map(|()| Reply::Done).map_err(Into::into),
                ask => self.part(&b, ask),
            };
            self.reply(answer.unwrap_or_else(|why| Reply::Failed(text(&*why))))?;
        }
    }

    /// Serves a part in a scope of its own.
    fn inside(&mut self, b: &Builder<'m>, values: &[Value<'m>]) -> Result<Vec<Value<'m>>> {
        self.scopes += 1;
        self.open.push(self.scopes);
        let ended = self.reply_with(values).and_then(|()| self.serve(b));
        self.open.pop();
        ended
    }

    /// Answers a request that builds something. The reply is the last one that Python waits for.
    fn part(&mut self, b: &Builder<'m>, ask: Ask) -> std::result::Result<Reply, Failure> {
        let values = match ask {
            Ask::Word { word, values, texts } => {
                let texts: Vec<_> = texts.iter().map(String::as_str).collect();
                words::call(b, &word, &self.operands(b, &values)?, &texts)?
            }
            Ask::Call { op, operands, attributes, results } => {
                let operands = operands.iter().map(|one| self.operands(b, one));
                let operands = operands.collect::<std::result::Result<Vec<_>, Failure>>()?;
                let results = results.iter().map(|t| b.parse_type(t)).collect::<Result<Vec<_>>>()?;
                ops::call(b, &op, OpArguments::new(operands, &attributes, &results))?
            }
            Ask::Op { name, values, attributes, results } => {
                let values = self.operands(b, &values)?;
                let mut draft = b.op(&name).operands(&values);
                for (name, value) in &attributes {
                    draft = draft.attribute(name, b.attribute(value)?);
                }
                if let Some(results) = &results {
                    let types = results.iter().map(|t| b.parse_type(t)).collect::<Result<Vec<_>>>()?;
                    draft = draft.results(&types);
                }
                draft.values()?
            }
            Ask::For { name, range, carried } => {
                let [from, to, step] = range;
                let range = [self.value(from)?, self.value(to)?, self.value(step)?];
                let carried = self.all(&carried)?;
                b.named(&name).for_range(range, &carried, |b, index, carried| {
                    self.inside(b, &[&[index], carried].concat())
                })?
            }
            Ask::While { carried } => {
                let carried = self.all(&carried)?;
                // Both closures need the worker.
                let this = std::cell::RefCell::new(&mut *self);
                b.while_loop(
                    &carried,
                    |b, carried| {
                        let ended = this.borrow_mut().inside(b, carried)?;
                        ended.first().copied().ok_or(Error::Reported)
                    },
                    |b, carried| this.borrow_mut().inside(b, carried),
                )?
            }
            Ask::If { condition } => {
                let condition = self.value(condition)?;
                let this = std::cell::RefCell::new(&mut *self);
                b.chosen(
                    condition,
                    |b| this.borrow_mut().inside(b, &[]),
                    |b| this.borrow_mut().inside(b, &[]),
                )?
            }
            Ask::Function { kind, name, parameters, threads, cluster, attributes } => {
                self.function(b, &kind, &name, &parameters, (threads, cluster), &attributes)?
            }
            Ask::Launch { name, cluster, programmatic, sizes, arguments } => {
                let [tx, ty, tz, shared, x, y, z, stream] = self.all(&sizes)?[..] else {
                    return Err("a launch has eight sizes".into());
                };
                let (threads, grid) = ([tx, ty, tz], [x, y, z]);
                let launch = Launch { name: &name, threads, cluster, shared, grid, stream, programmatic };
                launch.write(b, &self.all(&arguments)?)?;
                Vec::new()
            }
            _ => return Err("the request builds nothing".into()),
        };
        Ok(Reply::Values(self.described(&values)))
    }

    fn function(
        &mut self,
        b: &Builder<'m>,
        kind: &str,
        name: &str,
        parameters: &[Parameter],
        (threads, cluster): ([i32; 3], Option<[i32; 3]>),
        more: &[(String, String)],
    ) -> std::result::Result<Vec<Value<'m>>, Failure> {
        let place = b.location();
        let typed = parameters.iter().map(|parameter| {
            Ok(match parameter {
                Parameter::View(name, element, align, layout) => {
                    let element = b.parse_type(element)?;
                    let t = types::pointer(element, Space::Gmem).align(*align).memref(layout.as_str());
                    (name.as_str(), t.map_err(|why| format!("parameter '{name}': {why}"))?)
                }
                Parameter::Like(name, value) => (name.as_str(), ir::type_of(self.value(*value)?)),
                Parameter::Typed(name, t) => (name.as_str(), b.parse_type(t)?),
            })
        });
        let parameters = typed.collect::<std::result::Result<Vec<(&str, Type<'m>)>, Failure>>()?;
        let status = [b.i32_type()];
        let kernels = self.kernels.at(place);
        let (code, ends, results, mut attributes) = match kind {
            "host" => (*b, ["func.func", "func.return"], &status[..], Vec::new()),
            "launched" => (kernels, launch::KERNEL, &[][..], launch::attributes(&kernels, threads, cluster)?),
            _ => {
                let mut own =
                    vec![("gpu.kernel", kernels.unit()), ("known_block_size", kernels.attr(threads))];
                own.extend(cluster.map(|blocks| ("nvvm.cluster_dim", kernels.attr(blocks))));
                (kernels, ["gpu.func", "gpu.return"], &[][..], own)
            }
        };
        for (name, value) in more {
            attributes.push((name.as_str(), b.attribute(value)?));
        }
        let head = Function { name, parameters: &parameters, results, attributes: &attributes };
        let before = self.floor;
        if kind != "host" {
            self.floor = self.open.len();
        }
        let made = code.function(ends, head, |b, parameters| self.inside(b, parameters));
        self.floor = before;
        made?;
        Ok(Vec::new())
    }
}

/// The type of the elements of a view, pointer or vector, or a scalar's own.
fn element(t: Type<'_>) -> String {
    let element = match value_of(t).as_ref() {
        Cute::MemRef(view) => view.iter.elem,
        Cute::Ptr(pointer) => pointer.elem,
        _ => Some(vector_parts(t).map_or(t, |(_, element)| element)),
    };
    element.map_or_else(String::new, |t| t.to_string())
}

/// The text of a failure without the place, which Python knows.
fn text(why: &(dyn std::error::Error + 'static)) -> String {
    match why.downcast_ref::<Error>() {
        Some(Error::At { name: Some(name), .. }) => {
            let cause = why.downcast_ref::<Error>().map(|error| error.cause().to_string());
            format!("{name}: {}", cause.unwrap_or_default())
        }
        Some(error) => error.cause().to_string(),
        None => why.to_string(),
    }
}
