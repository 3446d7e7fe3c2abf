/// Splits a byte stream into messages of PostgreSQL's protocol: a type byte, a four-byte length that includes itself,
/// and the body. A client's first message has no type byte.
///
/// Source: PostgreSQL 15, section 55.7 of its documentation.
struct WireMessages {
    struct Message {
        /// The type byte; 0 for a client's first message.
        let type: UInt8
        let bytes: [UInt8]
    }

    private var isStartupAwaited: Bool
    private var bytes: [UInt8] = []
    private var start = 0

    init(hasStartup: Bool) { isStartupAwaited = hasStartup }

    mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// Removes and returns the next complete message; nil if there is none yet.
    mutating func next() -> Message? {
        let prefix = isStartupAwaited ? 0 : 1
        guard bytes.count - start >= prefix + 4 else { return nil }
        let length = bytes[(start + prefix)..<(start + prefix + 4)].reduce(0) { $0 << 8 | Int($1) }
        let count = prefix + max(4, length)
        guard bytes.count - start >= count else { return nil }
        defer {
            start += count
            isStartupAwaited = false
        }
        return Message(
            type: isStartupAwaited ? 0 : bytes[start], bytes: Array(bytes[start..<(start + count)]))
    }
}
