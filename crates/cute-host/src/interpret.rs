//! Runs a program: returns its launches, given its arguments.

use cute_arch::tensor_map::{Broken, ENCODING_UNKNOWN, TensorMap, WORDS};

use cute_machine::int::{Fault, mask, signed};
use cute_machine::place::SourcePlace;

use crate::{
    arithmetic,
    attribute::LaunchAttribute,
    program::{ConfigId, Expr, Id, Kernel, Program, Step, StepSource},
    types::Type,
};

/// A launch with the values that are passed to the driver.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Launch<'p> {
    pub kernel: &'p Kernel,
    /// Blocks in x, y, z.
    pub grid: [i64; 3],
    /// Threads of a block in x, y, z.
    pub block: [i64; 3],
    /// Bytes of dynamic shared memory.
    pub shared: i64,
    /// Blocks of a cluster in x, y, z, if set.
    pub cluster: Option<[i64; 3]>,
    /// Blocks of a cluster where the device can have so many, if set.
    pub preferred_cluster: Option<[i64; 3]>,
    /// Whether all blocks must be resident at once.
    pub cooperative: bool,
    /// Whether the kernel may start before the previous kernel has ended.
    pub programmatic: bool,
    /// The leaves of the kernel's arguments.
    pub arguments: Vec<ArgumentLeaf>,
    /// The source of the launch.
    pub site: &'p StepSource,
}

/// A leaf of an argument.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentLeaf {
    /// A number of this type, by its bits.
    Number(Type, u64),
    /// A descriptor, and its words.
    Map(Box<TensorMap>, [u64; WORDS]),
}

impl ArgumentLeaf {
    /// The 64-bit words of the leaf; a number is the lowest bits of one.
    pub fn words(&self) -> &[u64] {
        match self {
            Self::Number(Type::Zeros(bytes), _) => &ZEROS[..(*bytes as usize).div_ceil(8)],
            Self::Number(_, word) => std::slice::from_ref(word),
            Self::Map(_, words) => words,
        }
    }
}

/// The words of vectors.
static ZEROS: [u64; Type::MOST_ZEROS as usize / 8] = [0; Type::MOST_ZEROS as usize / 8];

/// An error that stops a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: '{op}' op {why}")]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Error {
    pub op: String,
    pub location: SourcePlace,
    pub why: Why,
}

/// The reason why a step fails.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Why {
    #[error("has an {0}")]
    Fault(#[from] Fault),
    #[error("makes a descriptor that the driver rejects: {0}")]
    Map(Box<Broken>),
    #[error("makes a descriptor that only the driver can encode: {0}; the function as C calls the driver")]
    OnlyDriver(Box<Broken>),
    #[error("depends on a value that no step has defined")]
    Undefined,
    #[error("sets {wanted} different attributes of a configuration that has room for {room}")]
    NoRoom { wanted: usize, room: usize },
    #[error("sets an event of the driver, which a run does not have; leave {0} out of the launch")]
    Event(&'static str),
    #[error("must be given 0 or 1, found {0}")]
    Flag(i64),
}

/// Runs a program with the values of its parameters: its launches in order, and the code that the
/// program returns.
///
/// # Errors
/// The first [`Error`].
///
/// # Panics
/// Panics unless there is one value per parameter.
pub fn interpret<'p>(program: &'p Program, parameters: &[u64]) -> Result<(Vec<Launch<'p>>, i32), Error> {
    assert_eq!(parameters.len(), program.parameters, "one value for each parameter");
    let mut values = vec![None; program.types.len()];
    for ((value, given), t) in values.iter_mut().zip(parameters).zip(&program.types) {
        *value = Some(*given & mask(t.bits()));
    }
    let configs = vec![Config::default(); program.configs.len()];
    let mut run = Run { program, values, maps: Vec::new(), configs, launches: Vec::new() };
    let code = run.steps(&program.body)?.unwrap_or(0);
    Ok((run.launches, code))
}

/// The parts of a configuration that are set so far.
#[derive(Debug, Clone, Default)]
struct Config {
    grid: [i64; 3],
    block: [i64; 3],
    shared: i64,
    cluster: Option<[i64; 3]>,
    preferred_cluster: Option<[i64; 3]>,
    cooperative: Option<bool>,
    programmatic: Option<bool>,
}

impl Config {
    /// The number of attributes that are set.
    fn attributes(&self) -> usize {
        let clusters = [self.cluster, self.preferred_cluster];
        let flags = [self.cooperative, self.programmatic];
        clusters.iter().flatten().count() + flags.iter().flatten().count()
    }
}

struct Run<'p> {
    program: &'p Program,
    /// `None` for a value that is not defined.
    values: Vec<Option<u64>>,
    /// The descriptors made so far.
    maps: Vec<ArgumentLeaf>,
    configs: Vec<Config>,
    launches: Vec<Launch<'p>>,
}

fn at(site: &StepSource, why: impl Into<Why>) -> Error {
    Error { op: site.op.clone(), location: site.location.clone(), why: why.into() }
}

impl<'p> Run<'p> {
    /// Runs steps. Returns the exit code if they end the program.
    fn steps(&mut self, steps: &'p [Step]) -> Result<Option<i32>, Error> {
        for step in steps {
            if let Some(code) = self.step(step)? {
                return Ok(Some(code));
            }
        }
        Ok(None)
    }

    fn step(&mut self, step: &'p Step) -> Result<Option<i32>, Error> {
        match step {
            Step::Let { result, what, site } => {
                self.values[*result] =
                    self.value(what, self.program.types[*result]).map_err(|e| at(site, e))?;
            }
            Step::Map { result, of, address, extents, strides, site } => {
                let map = self.map(of, *address, [extents, strides], site)?;
                let words = map.words().map_err(|why| {
                    let unknown = why.name == ENCODING_UNKNOWN;
                    at(site, if unknown { Why::OnlyDriver(why.into()) } else { Why::Map(why.into()) })
                })?;
                self.values[*result] = Some(self.maps.len() as u64);
                self.maps.push(ArgumentLeaf::Map(map.into(), words));
            }
            Step::If { condition, ways, results, site } => {
                let way = usize::from(self.bits(*condition, site)? == 0);
                if let Some(code) = self.steps(&ways[way])? {
                    return Ok(Some(code));
                }
                for (result, each) in results {
                    self.values[*result] = self.values[each[way]];
                }
            }
            Step::Configure { config, grid, block, shared, stream, site } => {
                self.bits(*stream, site)?;
                self.configs[*config] = Config {
                    grid: self.three(grid, site)?,
                    block: self.three(block, site)?,
                    shared: self.signed(*shared, site)?,
                    ..Config::default()
                };
            }
            Step::Set { config, attribute, site } => self.set(*config, attribute, site)?,
            Step::Launch { config, kernel, arguments, result, site } => {
                let config = self.configs[*config].clone();
                let argument = |id: &Id| {
                    let bits = self.bits(*id, site)?;
                    Ok(match self.program.types[*id] {
                        Type::TensorMap => self.maps[bits as usize].clone(),
                        t => ArgumentLeaf::Number(t, bits),
                    })
                };
                let arguments = arguments.iter().map(argument).collect::<Result<_, Error>>()?;
                self.launches.push(Launch {
                    kernel: &self.program.kernels[*kernel],
                    grid: config.grid,
                    block: config.block,
                    shared: config.shared,
                    cluster: config.cluster,
                    preferred_cluster: config.preferred_cluster,
                    cooperative: config.cooperative.unwrap_or(false),
                    programmatic: config.programmatic.unwrap_or(false),
                    arguments,
                    site,
                });
                self.values[*result] = Some(0);
            }
            Step::ReturnIfError { code, site } => {
                let code = self.signed(*code, site)? as i32;
                return Ok((code != 0).then_some(code));
            }
            Step::Return { code, site } => {
                let code = code.map(|code| self.signed(code, site)).transpose()?;
                return Ok(Some(code.unwrap_or(0) as i32));
            }
        }
        Ok(None)
    }

    /// The descriptor of a tensor with these numbers.
    fn map(
        &self,
        of: &TensorMap,
        address: Id,
        [extents, strides]: [&[Id]; 2],
        site: &StepSource,
    ) -> Result<TensorMap, Error> {
        let mut map = TensorMap { address: self.bits(address, site)?, ..of.clone() };
        for (mode, extent) in map.modes.iter_mut().zip(extents) {
            mode.extent = self.bits(*extent, site)?;
        }
        for (mode, stride) in map.modes.iter_mut().zip(strides) {
            mode.stride = self.bits(*stride, site)?;
        }
        Ok(map)
    }

    fn set(&mut self, id: ConfigId, attribute: &LaunchAttribute<Id>, site: &StepSource) -> Result<(), Error> {
        let mut config = self.configs[id].clone();
        match attribute {
            LaunchAttribute::Cluster(extents) => config.cluster = Some(self.three(extents, site)?),
            LaunchAttribute::PreferredCluster(extents) => {
                config.preferred_cluster = Some(self.three(extents, site)?);
            }
            LaunchAttribute::Cooperative(flag) => config.cooperative = Some(self.flag(*flag, site)?),
            LaunchAttribute::Programmatic(flag) => config.programmatic = Some(self.flag(*flag, site)?),
            LaunchAttribute::CompletionEvent { .. } => {
                return Err(at(site, Why::Event("launch_completion_event")));
            }
            LaunchAttribute::ProgrammaticEvent { .. } => {
                return Err(at(site, Why::Event("programmatic_event")));
            }
        }
        let (wanted, room) = (config.attributes(), self.program.configs[id]);
        if wanted > room {
            return Err(at(site, Why::NoRoom { wanted, room }));
        }
        self.configs[id] = config;
        Ok(())
    }

    /// The value of an expression of this type; `None` if it is not defined.
    fn value(&self, what: &Expr, t: Type) -> Result<Option<u64>, Fault> {
        let values = |ids: [Id; 2]| self.values[ids[0]].zip(self.values[ids[1]]);
        Ok(match *what {
            Expr::Constant(bits) => Some(bits),
            Expr::Undefined => None,
            Expr::Same(a) => self.values[a],
            Expr::Unary(op, a) => self.values[a].map(|a| arithmetic::unary(op, a, t)),
            Expr::Binary(op, a, b) => {
                values([a, b]).map(|(a, b)| arithmetic::binary(op, a, b, t)).transpose()?
            }
            Expr::Compare(how, a, b) => {
                let of = self.program.types[a];
                values([a, b]).map(|(a, b)| arithmetic::compare(how, a, b, of).into())
            }
            Expr::Select(condition, yes, no) => {
                self.values[condition].and_then(|c| self.values[if c != 0 { yes } else { no }])
            }
            Expr::Convert(how, a) => {
                let from = self.program.types[a];
                self.values[a].map(|a| arithmetic::convert(how, a, from, t))
            }
            Expr::Offset { base, bytes } => self.values[base].map(|base| base.wrapping_add(bytes)),
            Expr::Element { base, index, bytes } => values([base, index]).map(|(base, i)| {
                let i = signed(i, self.program.types[index].bits()) as u64;
                base.wrapping_add(i.wrapping_mul(bytes))
            }),
        })
    }

    fn bits(&self, id: Id, site: &StepSource) -> Result<u64, Error> {
        self.values[id].ok_or_else(|| at(site, Why::Undefined))
    }

    fn signed(&self, id: Id, site: &StepSource) -> Result<i64, Error> {
        Ok(signed(self.bits(id, site)?, self.program.types[id].bits()))
    }

    fn three(&self, ids: &[Id; 3], site: &StepSource) -> Result<[i64; 3], Error> {
        let [x, y, z] = *ids;
        Ok([self.signed(x, site)?, self.signed(y, site)?, self.signed(z, site)?])
    }

    fn flag(&self, id: Id, site: &StepSource) -> Result<bool, Error> {
        match self.signed(id, site)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(at(site, Why::Flag(other))),
        }
    }
}
