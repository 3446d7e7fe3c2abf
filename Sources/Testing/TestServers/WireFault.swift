import TestBasics

/// A fault that a `FaultProxy` injects into a round trip.
public enum WireFault: Sendable, Equatable {
    /// Ends the connection before the server receives the request.
    case cut
    /// Ends the connection after half of the request was forwarded.
    case cutWithinRequest
    /// Forwards the request, and ends the connection after the server's response, without forwarding the response.
    case loseAnswer
    /// Keeps the connection open but forwards nothing any more, not even that the client has closed.
    case stallBeforeRequest
    /// Forwards the request, reads the server's response, then forwards nothing any more and keeps the connection open.
    case stallBeforeAnswer
    /// Forwards the request, and forwards the response with damage.
    case garble(WireDamage)
    /// Responds with an error with this SQLSTATE; the server does not receive the request.
    case answer(String)

    /// The SQLSTATE codes after which a server ends the connection.
    private static let fatal: Set<String> = ["08006", "28P01", "53300", "57P01", "57P02", "57P03"]

    var endsConnection: Bool {
        guard case .answer(let code) = self else { return true }
        return Self.fatal.contains(code)
    }
}

/// The kinds of damage to a server's response.
public enum WireDamage: Sendable, Equatable {
    /// The length field of a message says about two billion bytes.
    case hugeLength
    /// The length field of a message is negative.
    case negativeLength
    /// The length field of a message is too small to be valid.
    case shortLength
    /// A message has an undefined type.
    case unknownType
    /// A row's field lengths do not match its message.
    case wrongFields
    /// The connection ends in the middle of a message.
    case truncated
    /// Random bits, determined by a seed, are flipped.
    case flippedBits(seed: UInt64)

    /// The kinds of damage that the client always detects.
    public static let structural: [WireDamage] = [
        .hugeLength, .negativeLength, .shortLength, .unknownType, .wrongFields, .truncated,
    ]

    /// Returns the damaged response, and whether the proxy ends the connection after it.
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
