/// The form of trace files and of what a watched process sends, which is the same.
///
/// A header of 16 bytes: the letters `OCDTRACE`, the version and a zero, as numbers of 32 bits. Then blocks, each with its kind
/// and the number of bytes that follow, as numbers of 32 bits. All numbers have their lowest byte first. A
/// truncated trace ends within a block; the blocks before it are complete.
package enum TraceFormat {
    package static let magic = Array("OCDTRACE".utf8)
    package static let version: UInt32 = 1
    package static let headerSize = 16
    package static let blockHeaderSize = 8
    /// The greatest block that is written; readers refuse greater ones.
    package static let greatestBlock = 64 << 20

    package enum Block: UInt32, Sendable {
        /// An object of JSON about the process, its beginning and its files of machine code; the first block.
        case process = 1
        /// Texts, each with its length as 32 bits before it; they are numbered from 1 on through all blocks.
        case texts = 2
        /// Stacks, each with its length as 32 bits and addresses of 64 bits; they are numbered from 1 on.
        case stacks = 3
        /// An object of JSON about a model; models are numbered from 1 on.
        case model = 4
        /// Events of 88 bytes; see `TraceRecord`.
        case events = 5
        /// Three numbers of 64 bits, which add up over the blocks: events dropped, faults that found their rows in the cache,
        /// and the time of the block.
        case counters = 6
        /// The end, without content. A trace without it was cut off.
        case end = 7
        /// Instead of all other blocks: why the process refuses to record for the peer, as a string.
        case refusal = 8
    }

    package static var header: [UInt8] {
        var bytes = magic
        bytes.append(number: version)
        bytes.append(number: UInt32(0))
        return bytes
    }

    /// A block with its header.
    package static func block(_ kind: Block, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + blockHeaderSize)
        bytes.append(number: kind.rawValue)
        bytes.append(number: UInt32(content.count))
        bytes.append(contentsOf: content)
        return bytes
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, the lowest first.
    package mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
