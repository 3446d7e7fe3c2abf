/// Cuts bytes into chunks where their content says so, so that an insertion changes only the chunks around it.
///
/// A hash runs over the last 64 bytes (a gear hash); a chunk ends after a byte at which the upper bits of the hash are zero, if it has the
/// least size by then, or where it has the greatest. See "Large values" in Docs/SyncFormat.md.
package struct ChunkCutter: Sendable {
    /// Values of more bytes are cut; those of a text by its UTF-8.
    package let threshold: Int
    package let leastSize: Int
    package let greatestSize: Int
    /// How many of the upper bits of the hash are zero where a chunk ends.
    private let bits: UInt64

    /// The bounds of the format: chunks have 32 to 256 KiB, and 96 KiB in the mean.
    package static let format = ChunkCutter(
        threshold: 256 << 10, leastSize: 32 << 10, greatestSize: 256 << 10, bits: 16)

    /// - Parameter greatestSize: At most that of the format.
    package init(threshold: Int, leastSize: Int, greatestSize: Int, bits: UInt64) {
        self.threshold = threshold
        self.leastSize = max(1, leastSize)
        self.greatestSize = max(1, greatestSize)
        self.bits = bits
    }

    /// How many bytes the hash depends on.
    private static let window = 64

    /// What each byte adds to the hash: the output of SplitMix64 for the states 1, 2, 3 and so on.
    private static let gear: [UInt64] = (0..<256).map { byte in
        var value = UInt64(byte + 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Calls a block with the bytes of each chunk, in order.
    package func cut(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        var start = 0
        while start < bytes.count {
            let size = size(of: UnsafeRawBufferPointer(rebasing: bytes[start...]))
            try body(UnsafeRawBufferPointer(rebasing: bytes[start..<start + size]))
            start += size
        }
    }

    /// The size of the first chunk.
    private func size(of bytes: UnsafeRawBufferPointer) -> Int {
        let end = min(bytes.count, greatestSize)
        guard end > leastSize else { return end }
        return Self.gear.withUnsafeBufferPointer { gear in
            // Bytes before the window have no part in the hash by the time at which a chunk may end.
            var index = max(0, leastSize - Self.window)
            var hash: UInt64 = 0
            while index < end {
                hash = hash << 1 &+ gear[Int(bytes[index])]
                index += 1
                if index >= leastSize, hash >> (64 - bits) == 0 { return index }
            }
            return end
        }
    }
}
