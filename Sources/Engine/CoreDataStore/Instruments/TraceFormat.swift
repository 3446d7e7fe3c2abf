/// The format of trace files, and of the data that a recorded process sends through its socket.
///
/// A header of 16 bytes: the letters `OCDTRACE`, the version and a zero, both as 32-bit integers. Then blocks, each
/// preceded by its kind and its number of bytes as 32-bit integers. All integers are little-endian. A truncated trace
/// ends within a block; the blocks before it are complete.
package enum TraceFormat {
    package static let magic = Array("OCDTRACE".utf8)
    package static let version: UInt32 = 1
    package static let headerSize = 16
    package static let blockHeaderSize = 8
    /// The greatest size of a block in bytes; readers refuse larger blocks.
    package static let greatestBlock = 64 << 20

    package enum Block: UInt32, Sendable {
        /// A JSON object about the process, the beginning of the recording, and the process's binaries; the first
        /// block.
        case process = 1
        /// Texts, each preceded by its length as a 32-bit integer; numbered from 1 throughout all blocks.
        case texts = 2
        /// Stacks, each preceded by its length as a 32-bit integer; their addresses have 64 bits. Numbered from 1
        /// throughout all blocks.
        case stacks = 3
        /// A JSON object about a model; models are numbered from 1.
        case model = 4
        /// Events of 88 bytes; see `TraceRecord`.
        case events = 5
        /// Three 64-bit integers: the number of events dropped and the number of faults fulfilled from the row cache,
        /// both since the previous block of this kind, and the time of the block.
        case counters = 6
        /// The end of the recording, without content. A trace without this block was cut off.
        case end = 7
        /// The only block of a refused recording: why the process refuses to be recorded, as a string.
        case refusal = 8
    }

    package static var header: [UInt8] {
        var bytes = magic
        bytes.append(number: version)
        bytes.append(number: UInt32(0))
        return bytes
    }

    /// The header and content of a block.
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
    /// Appends the bytes of an integer in little-endian order.
    package mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
