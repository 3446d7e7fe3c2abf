/// The keys of a store's state: a letter for the table, then numbers with the greatest byte first, so that they sort.
enum StateKey {
    static let object: UInt8 = UInt8(ascii: "o")
    static let link: UInt8 = UInt8(ascii: "l")
    static let backlink: UInt8 = UInt8(ascii: "b")
    static let unique: UInt8 = UInt8(ascii: "u")
    static let log: UInt8 = UInt8(ascii: "t")
    static let run: UInt8 = UInt8(ascii: "r")
    /// What is known of a chunk of large values, its bytes, and since when nothing refers to it.
    static let chunk: UInt8 = UInt8(ascii: "c")
    static let chunkContent: UInt8 = UInt8(ascii: "k")
    static let idleChunk: UInt8 = UInt8(ascii: "z")
    /// The transactions of the log that name chunks.
    static let chunkedLog: UInt8 = UInt8(ascii: "x")
    /// Values that are too large to be sent.
    static let unsent: UInt8 = UInt8(ascii: "n")
    /// What rows show instead of values whose bytes are not here, and which of these values were asked for.
    static let absent: UInt8 = UInt8(ascii: "v")
    static let fetched: UInt8 = UInt8(ascii: "w")
    /// The parts of baselines that have arrived, until the last one has.
    static let part: UInt8 = UInt8(ascii: "p")
    static let meta: UInt8 = UInt8(ascii: "m")
    /// Objects that are deleted or hidden by a deletion, to be forgotten when all peers know.
    static let grave: UInt8 = UInt8(ascii: "d")

    /// The count of bytes of an object in a key.
    static let objectSize = 12

    static func append(_ number: UInt64, count: Int, to key: inout [UInt8]) {
        for index in stride(from: count - 1, through: 0, by: -1) {
            key.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
        }
    }

    static func number(_ key: ArraySlice<UInt8>) -> UInt64 { key.reduce(0) { $0 << 8 | UInt64($1) } }
}
