import CoreDataStore

/// The form in which a database stores text if its texts cannot contain U+0000.
///
/// U+0000 is written as U+0001 U+0001, and U+0001 as U+0001 U+0002; all other scalars stay. Escaping preserves the
/// order of the bytes, is one-to-one, and commutes with concatenation.
package enum EscapedText {
    private static let escape: UInt8 = 1

    /// Whether a text contains bytes that must be escaped.
    package static func needsEscaping(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        return memchr(start, 0, bytes.count) != nil || memchr(start, 1, bytes.count) != nil
    }

    /// Returns the number of bytes of a text after escaping.
    package static func escapedCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        needsEscaping(bytes) ? bytes.reduce(bytes.count) { $1 <= escape ? $0 + 1 : $0 } : bytes.count
    }

    /// Returns the escaped bytes of a text.
    package static func escaped(_ bytes: some Swift.Collection<UInt8>) -> [UInt8] {
        var written: [UInt8] = []
        written.reserveCapacity(bytes.count + 8)
        for byte in bytes {
            guard byte <= escape else {
                written.append(byte)
                continue
            }
            written.append(escape)
            written.append(byte + 1)
        }
        return written
    }

    /// Returns the original text; an escape without a valid second byte stays as it is.
    package static func unescaped(_ bytes: some Swift.Collection<UInt8>) -> [UInt8] {
        var parts = Parts()
        return parts.unescaped(bytes) + parts.rest
    }

    /// Decodes an escaped text that is read in parts.
    package struct Parts {
        private var isEscaped = false

        package init() {}

        /// Decodes a part; an incomplete escape at its end is retained for the next part.
        package mutating func unescaped(_ bytes: some Swift.Collection<UInt8>) -> [UInt8] {
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count)
            for byte in bytes {
                if isEscaped {
                    isEscaped = false
                    if byte == 1 || byte == 2 {
                        text.append(byte - 1)
                        continue
                    }
                    text.append(escape)
                }
                if byte == escape { isEscaped = true } else { text.append(byte) }
            }
            return text
        }

        /// The bytes that remain after the last part: an incomplete escape.
        package var rest: [UInt8] { isEscaped ? [escape] : [] }
    }

    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= escape }) else { return text }
        return String(decoding: escaped(text.utf8), as: UTF8.self)
    }

    /// Whether the escaped part may be found across the boundary of two escapes although the text does not contain the
    /// part. That is impossible if the part begins with another character.
    static func mayMislead(_ part: String) -> Bool { part.utf8.first.map { $0 <= 2 } ?? false }
}
