//! The attributes of a launch, with their names and numbers in CUDA's `cuda.h`.

use serde::{Deserialize, Serialize};

/// An attribute of a launch, with values of a program or numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaunchAttribute<V> {
    /// Blocks of a cluster in x, y, z.
    Cluster([V; 3]),
    /// Blocks of a cluster where the device can have so many.
    PreferredCluster([V; 3]),
    /// Whether all blocks must be resident at once.
    Cooperative(V),
    /// Whether the kernel may start before the previous kernel has ended.
    Programmatic(V),
    /// An event that is recorded when all blocks have begun.
    CompletionEvent {
        /// A `!cuda.event`.
        event: V,
        /// The flags with which it is recorded.
        flags: V,
    },
    /// An event that is recorded when all blocks have let their dependents begin.
    ProgrammaticEvent {
        /// A `!cuda.event`.
        event: V,
        /// The flags with which it is recorded.
        flags: V,
        /// Whether a block lets its dependents begin as it begins itself.
        at_start: V,
    },
}

/// A field of `CUlaunchAttributeValue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttributeField {
    /// Its name in C.
    pub name: &'static str,
    /// The number of its first word of 32 bits.
    pub word: usize,
    /// Its C type.
    pub kind: FieldKind,
}

/// The C type of a field of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// `unsigned`
    Unsigned,
    /// `int`
    Int,
    /// A handle, which has two words.
    Handle,
}

const fn field(name: &'static str, word: usize, kind: FieldKind) -> AttributeField {
    AttributeField { name, word, kind }
}

const CLUSTER: &[AttributeField] = &[
    field("clusterDim.x", 0, FieldKind::Unsigned),
    field("clusterDim.y", 1, FieldKind::Unsigned),
    field("clusterDim.z", 2, FieldKind::Unsigned),
];
const PREFERRED: &[AttributeField] = &[
    field("preferredClusterDim.x", 0, FieldKind::Unsigned),
    field("preferredClusterDim.y", 1, FieldKind::Unsigned),
    field("preferredClusterDim.z", 2, FieldKind::Unsigned),
];
const COOPERATIVE: &[AttributeField] = &[field("cooperative", 0, FieldKind::Int)];
const PROGRAMMATIC: &[AttributeField] = &[field("programmaticStreamSerializationAllowed", 0, FieldKind::Int)];
const COMPLETION: &[AttributeField] = &[
    field("launchCompletionEvent.event", 0, FieldKind::Handle),
    field("launchCompletionEvent.flags", 2, FieldKind::Int),
];
const EVENT: &[AttributeField] = &[
    field("programmaticEvent.event", 0, FieldKind::Handle),
    field("programmaticEvent.flags", 2, FieldKind::Int),
    field("programmaticEvent.triggerAtBlockStart", 3, FieldKind::Int),
];

impl<V: Copy> LaunchAttribute<V> {
    /// The number of its `CUlaunchAttributeID`.
    pub fn number(&self) -> u32 {
        match self {
            Self::Cooperative(_) => 2,
            Self::Cluster(_) => 4,
            Self::Programmatic(_) => 6,
            Self::ProgrammaticEvent { .. } => 7,
            Self::PreferredCluster(_) => 11,
            Self::CompletionEvent { .. } => 12,
        }
    }

    /// The name of its `CUlaunchAttributeID`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Cooperative(_) => "CU_LAUNCH_ATTRIBUTE_COOPERATIVE",
            Self::Cluster(_) => "CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION",
            Self::Programmatic(_) => "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION",
            Self::ProgrammaticEvent { .. } => "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT",
            Self::PreferredCluster(_) => "CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION",
            Self::CompletionEvent { .. } => "CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT",
        }
    }

    /// The fields of its value, each with what is stored there.
    pub fn fields(&self) -> Vec<(AttributeField, V)> {
        let fields = match self {
            Self::Cluster(_) => CLUSTER,
            Self::PreferredCluster(_) => PREFERRED,
            Self::Cooperative(_) => COOPERATIVE,
            Self::Programmatic(_) => PROGRAMMATIC,
            Self::CompletionEvent { .. } => COMPLETION,
            Self::ProgrammaticEvent { .. } => EVENT,
        };
        fields.iter().copied().zip(self.values()).collect()
    }

    /// The values in the order of the fields.
    pub fn values(&self) -> Vec<V> {
        match *self {
            Self::Cluster(extents) | Self::PreferredCluster(extents) => extents.to_vec(),
            Self::Cooperative(flag) | Self::Programmatic(flag) => vec![flag],
            Self::CompletionEvent { event, flags } => vec![event, flags],
            Self::ProgrammaticEvent { event, flags, at_start } => vec![event, flags, at_start],
        }
    }

    /// The value that must be 0 or 1, if one must.
    pub fn flag(&self) -> Option<V> {
        match *self {
            Self::Cooperative(flag) | Self::Programmatic(flag) => Some(flag),
            Self::ProgrammaticEvent { at_start, .. } => Some(at_start),
            _ => None,
        }
    }
}

impl LaunchAttribute<u64> {
    /// The words of its value, up to the last that a field has.
    ///
    /// ```
    /// use cute_host::attribute::LaunchAttribute;
    /// assert_eq!(LaunchAttribute::Cluster([2, 1, 1]).words(), [2, 1, 1]);
    /// let event = LaunchAttribute::CompletionEvent { event: 0x1_0000_0002, flags: 3 };
    /// assert_eq!(event.words(), [2, 1, 3]);
    /// ```
    pub fn words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        for (field, value) in self.fields() {
            words.resize(field.word, 0);
            words.push(value as u32);
            if field.kind == FieldKind::Handle {
                words.push((value >> 32) as u32);
            }
        }
        words
    }
}
