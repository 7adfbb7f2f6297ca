//! Reads protobuf, for tests.

/// The fields of a message: numbers, and bytes of texts and messages.
#[derive(Debug, Clone)]
pub(crate) enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}

/// The fields of a message, with their numbers.
pub fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let field = match tag & 7 {
            0 => Field::Number(varint(&mut bytes)),
            1 => {
                let (own, rest) = bytes.split_at(8);
                bytes = rest;
                Field::Number(u64::from_le_bytes(own.try_into().unwrap()))
            }
            2 => {
                let length = varint(&mut bytes) as usize;
                let (own, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(own)
            }
            other => panic!("wire type {other}"),
        };
        all.push((tag >> 3, field));
    }
    all
}

/// A field that is a number.
pub fn number(fields: &[(u64, Field<'_>)], of: u64) -> Option<u64> {
    fields.iter().find_map(|(field, value)| match value {
        Field::Number(number) if *field == of => Some(*number),
        _ => None,
    })
}

/// A field that is a text or a message.
pub fn bytes<'a>(fields: &[(u64, Field<'a>)], of: u64) -> Option<&'a [u8]> {
    fields.iter().find_map(|(field, value)| match value {
        Field::Bytes(bytes) if *field == of => Some(*bytes),
        _ => None,
    })
}

/// The packets of a trace.
pub fn packets(trace: &[u8]) -> Vec<Vec<(u64, Field<'_>)>> {
    let packet = |(field, packet)| match (field, packet) {
        (1, Field::Bytes(packet)) => fields(packet),
        other => panic!("{other:?}: a trace consists of packets"),
    };
    fields(trace).into_iter().map(packet).collect()
}
