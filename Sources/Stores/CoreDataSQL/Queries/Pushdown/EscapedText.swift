import CoreDataStore

/// How a text stands in a database whose texts cannot hold U+0000.
///
/// U+0000 is written as U+0001 U+0001, and U+0001 as U+0001 U+0002; every other text as it is. The order of the bytes stays,
/// two texts are the same exactly where what is written is, and what is written of two texts one after the other is what is
/// written of both together.
package enum EscapedText {
    private static let escape: UInt8 = 1

    /// Whether a text is written otherwise than it is.
    package static func needsEscaping(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        return memchr(start, 0, bytes.count) != nil || memchr(start, 1, bytes.count) != nil
    }

    /// How many bytes are written of those of a text.
    package static func escapedCount(_ bytes: UnsafeRawBufferPointer) -> Int {
        needsEscaping(bytes) ? bytes.reduce(bytes.count) { $1 <= escape ? $0 + 1 : $0 } : bytes.count
    }

    /// What is written of the bytes of a text.
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

    /// The text that was written; an escape without its second half stands for itself.
    package static func unescaped(_ bytes: some Swift.Collection<UInt8>) -> [UInt8] {
        var parts = Parts()
        return parts.unescaped(bytes) + parts.rest
    }

    /// A text that was written, of which one part after the other is read.
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

        /// What is left behind the last part.
        package var rest: [UInt8] { isEscaped ? [escape] : [] }
    }

    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= escape }) else { return text }
        return String(decoding: escaped(text.utf8), as: UTF8.self)
    }

    /// Whether a part may be found where two escapes stand side by side, though the text does not contain it. What begins
    /// with another character is found only where that stands.
    static func mayMislead(_ part: String) -> Bool { part.utf8.first.map { $0 <= 2 } ?? false }
}
