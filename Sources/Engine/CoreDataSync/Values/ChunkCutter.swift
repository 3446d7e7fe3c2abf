/// Cuts large values where their content says so, so that a change in the middle leaves the chunks before and after as they are.
///
/// The rolling hash is that of Gear: each byte shifts it by one and adds a number of the byte, so that 64 bytes decide on a cut.
package enum ChunkCutter {
    package static let leastSize = 16 * 1024
    package static let greatestSize = 256 * 1024
    /// Sixteen bits of the hash that are zero at a cut: chunks have 80 KiB on average.
    private static let mask: UInt64 = 0xFFFF_0000_0000_0000

    /// A number for each byte, from SplitMix64, fixed by the format.
    private static let gear: [UInt64] = {
        var state: UInt64 = 0
        return (0..<256).map { _ in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }()

    /// The ends of the chunks of some bytes; the last is their count.
    package static func cuts(of bytes: [UInt8]) -> [Int] {
        var cuts: [Int] = []
        var start = 0
        bytes.withUnsafeBufferPointer { bytes in
            gear.withUnsafeBufferPointer { gear in
                while start < bytes.count {
                    start = end(after: start, bytes, gear)
                    cuts.append(start)
                }
            }
        }
        return cuts
    }

    private static func end(
        after start: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ gear: UnsafeBufferPointer<UInt64>
    ) -> Int {
        let last = min(bytes.count, start + greatestSize)
        guard last - start > leastSize else { return last }
        var hash: UInt64 = 0
        var index = start + leastSize - 64
        while index < last {
            hash = (hash << 1) &+ gear[Int(bytes[index])]
            index += 1
            if index - start >= leastSize, hash & mask == 0 { return index }
        }
        return last
    }
}
