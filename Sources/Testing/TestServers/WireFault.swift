import TestBasics

/// What a `FaultProxy` does to a round trip instead of passing it on.
public enum WireFault: Sendable, Equatable {
    /// Ends the connection before the server gets the request.
    case cut
    /// Ends the connection when the server has got half of the request.
    case cutWithinRequest
    /// Has the server do what it is asked, and ends the connection before the answer comes.
    case loseAnswer
    /// Passes nothing on any more, not even that the client has gone, and keeps the connection open.
    case stallBeforeRequest
    /// Has the server do what it is asked, then passes nothing on any more, and keeps the connection open.
    case stallBeforeAnswer
    /// Has the server do what it is asked, and hands over its answer with a damage.
    case garble(WireDamage)
    /// Answers with an error of a code of five characters in place of the server, which is not asked.
    case answer(String)

    /// The codes after which a server ends the connection.
    private static let fatal: Set<String> = ["08006", "28P01", "53300", "57P01", "57P02", "57P03"]

    var endsConnection: Bool {
        guard case .answer(let code) = self else { return true }
        return Self.fatal.contains(code)
    }
}

/// What is wrong with an answer that was damaged on its way.
public enum WireDamage: Sendable, Equatable {
    /// A message says that it has two thousand millions of bytes.
    case hugeLength
    /// A message says that it has fewer than no bytes.
    case negativeLength
    /// A message says that it is shorter than its length.
    case shortLength
    /// A message is of a kind that there is not.
    case unknownType
    /// A row says that it has other fields than it has.
    case wrongFields
    /// The connection ends in the middle of a message.
    case truncated
    /// Bits that a seed chooses are turned over.
    case flippedBits(seed: UInt64)

    /// The damages that are found out about, whatever they hit.
    public static let structural: [WireDamage] = [
        .hugeLength, .negativeLength, .shortLength, .unknownType, .wrongFields, .truncated,
    ]

    /// The answer with the damage; whether the connection ends after it.
    func apply(to answer: [UInt8]) -> (bytes: [UInt8], ends: Bool) {
        var bytes = answer
        guard bytes.count >= 5 else { return (bytes, true) }
        switch self {
        case .hugeLength: bytes.replaceSubrange(1..<5, with: [0x7F, 0xFF, 0xFF, 0xF0])
        case .negativeLength: bytes.replaceSubrange(1..<5, with: [0xFF, 0xFF, 0xFF, 0xFE])
        case .shortLength: bytes.replaceSubrange(1..<5, with: [0, 0, 0, 2])
        case .unknownType: bytes[0] = 1
        case .wrongFields: Self.damageFields(&bytes)
        case .truncated: return (Array(bytes.prefix(bytes.count / 2)), true)
        case .flippedBits(let seed):
            var random = SeededRandom(seed: seed)
            for _ in 0..<3 { bytes[random.next(below: bytes.count)] ^= UInt8(1 << random.next(below: 8)) }
        }
        return (bytes, false)
    }

    /// Makes the first field of the first row longer than its message; without a row, the first message of another kind.
    private static func damageFields(_ bytes: inout [UInt8]) {
        var messages = WireMessages(hasStartup: false)
        messages.append(bytes)
        var start = 0
        while let message = messages.next() {
            if message.type == UInt8(ascii: "D"), message.bytes.count >= 11 {
                return bytes.replaceSubrange(start + 7..<start + 11, with: [0x7F, 0xFF, 0, 0])
            }
            start += message.bytes.count
        }
        bytes[0] = UInt8(ascii: "D")
    }
}
