/// The SHA-256 of a chunk's bytes, by which it is named.
package struct ChunkDigest: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// How many bytes a digest has.
    package static let size = 32

    private let words: SIMD4<UInt64>

    /// - Returns: nil for another count of bytes than 32.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.size else { return nil }
        var words = SIMD4<UInt64>()
        for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
        self.words = words
    }

    /// Reads the 64 hexadecimal digits of `description`; nil if the text is anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 2 * Self.size else { return nil }
        var words = SIMD4<UInt64>()
        for (index, digit) in text.utf8.enumerated() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            words[index / 16] = words[index / 16] << 4 | UInt64(value)
        }
        self.words = words
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.size)
        for index in 0..<4 { withUnsafeBytes(of: words[index].bigEndian) { bytes += $0 } }
        return bytes
    }

    package static func < (left: ChunkDigest, right: ChunkDigest) -> Bool {
        for index in 0..<4 where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }

    /// 64 lower-case hexadecimal digits.
    package var description: String { (0..<4).map { hexadecimal(words[$0], digits: 16) }.joined() }
}
