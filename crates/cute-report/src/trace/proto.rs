//! The wire format of protobuf: fields with a number, each an integer or a text or a message.

/// A message that is written.
#[derive(Debug, Clone, Default)]
pub(super) struct Message(pub(super) Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// An integer.
    pub(super) fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    /// An integer of 8 bytes.
    pub(super) fn fixed(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3 | 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Characters in UTF-8.
    pub(super) fn text(mut self, field: u64, text: &str) -> Self {
        self.varint(field << 3 | 2);
        self.varint(text.len() as u64);
        self.0.extend(text.as_bytes());
        self
    }

    /// A message within it.
    pub(super) fn message(mut self, field: u64, message: &Message) -> Self {
        self.varint(field << 3 | 2);
        self.varint(message.0.len() as u64);
        self.0.extend(&message.0);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of protobuf's page on its encoding.
    #[test]
    fn messages_are_encoded_as_documented() {
        let test1 = Message::default().number(1, 150);
        assert_eq!(test1.0, [0x08, 0x96, 0x01]);
        assert_eq!(Message::default().text(2, "testing").0, *b"\x12\x07testing");
        assert_eq!(Message::default().message(3, &test1).0, [0x1a, 0x03, 0x08, 0x96, 0x01]);
        assert_eq!(Message::default().fixed(47, 1).0, [0xf9, 0x02, 1, 0, 0, 0, 0, 0, 0, 0]);
    }
}
