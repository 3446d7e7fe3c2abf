import CoreData

/// Converts a text of any encoding that the C library knows to UTF-8, block by block.
final class TextTranscoder {
    /// Thrown for bytes that are no text of the encoding.
    struct Malformed: Error {}

    private static let blockSize = 1 << 16

    private let descriptor: iconv_t
    /// The bytes at the end of the last block that begin a character.
    private var rest: [UInt8] = []

    /// - Parameter encoding: A name such as `ISO-8859-1`, `windows-1252` or `UTF-16`.
    /// - Returns: nil for an encoding that the C library does not know.
    init?(from encoding: String) {
        // What stands behind a slash in such a name would say what to do with other characters.
        let isName = encoding.utf8.allSatisfy { byte in
            let scalar = Unicode.Scalar(byte)
            return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "-_.:+".unicodeScalars.contains(scalar)
        }
        guard isName, !encoding.isEmpty, let descriptor = iconv_open("UTF-8", encoding),
            Int(bitPattern: descriptor) != -1
        else { return nil }
        self.descriptor = descriptor
    }

    deinit { iconv_close(descriptor) }

    /// Appends the text of a block to a buffer.
    ///
    /// - Throws: `Malformed`, also where the last block ends within a character.
    func append(_ block: [UInt8], isLast: Bool, to buffer: inout [UInt8]) throws {
        rest += block
        var place = 0
        while place < rest.count {
            let (read, code, text) = convert(from: place)
            place += read
            buffer += text
            if code == E2BIG { continue }
            if code == EINVAL { break }
            if code != 0 { throw Malformed() }
        }
        rest.removeFirst(place)
        guard isLast else { return }
        guard rest.isEmpty else { throw Malformed() }
        buffer += lastLetter()
    }

    /// What is held back to be combined with a following accent, in encodings that have these apart.
    private func lastLetter() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 64) { output, length in
            var to = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var room = 64
            let isDone = iconv(descriptor, nil, nil, &to, &room) != -1
            length = isDone ? 64 - room : 0
        }
    }

    /// Converts what fits into a block: how many bytes were read, why it stopped before their end, and the text.
    private func convert(from place: Int) -> (read: Int, code: Int32, text: [UInt8]) {
        var (read, code): (Int, Int32) = (0, 0)
        let text = [UInt8](unsafeUninitializedCapacity: Self.blockSize) { output, length in
            rest.withUnsafeMutableBytes { input in
                var from = input.baseAddress?.advanced(by: place).assumingMemoryBound(to: CChar.self)
                var to = UnsafeMutableRawPointer(output.baseAddress)?.assumingMemoryBound(to: CChar.self)
                var (left, room) = (input.count - place, Self.blockSize)
                if iconv(descriptor, &from, &left, &to, &room) == -1 { code = errno }
                (read, length) = (input.count - place - left, Self.blockSize - room)
            }
        }
        return (read, code, text)
    }
}
