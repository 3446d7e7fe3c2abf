import CoreDataGraph

/// A reply of an SMTP server: RFC 5321, 4.2.
struct SMTPReply {
    let code: Int
    let lines: [String]

    var isAccepted: Bool { (200..<300).contains(code) }
    var isTemporary: Bool { (400..<500).contains(code) }
    /// The lines as one, for messages.
    var text: String { FieldText.shown(lines.joined(separator: " ").trimmingCharacters(in: .whitespaces)) }
}

/// Puts replies together from the bytes of a connection.
///
/// Invariants:
/// 1. `unread` has no complete reply, and no more than `longest` bytes.
struct SMTPReplyReader {
    /// More than a server has to say: RFC 5321 allows lines of 512 bytes.
    private static let longest = 65_536
    private var unread: [UInt8] = []

    /// Takes further bytes; returns a reply when it is complete.
    ///
    /// - Throws: ``MailError`` with `connectionLost` for what is no reply.
    mutating func take(_ bytes: some Sequence<UInt8>) throws -> SMTPReply? {
        unread.append(contentsOf: bytes)
        var lines: [String] = []
        var start = 0
        while let end = unread[start...].firstIndex(of: 10) {
            let line = unread[start..<end].last == 13 ? unread[start..<(end - 1)] : unread[start..<end]
            start = end + 1
            guard line.count >= 3, let code = Int(String(decoding: line.prefix(3), as: UTF8.self)),
                (200..<600).contains(code)
            else { throw Self.garbage(line) }
            lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
            if line.dropFirst(3).first != UInt8(ascii: "-") {
                unread.removeFirst(start)
                return SMTPReply(code: code, lines: lines)
            }
        }
        guard unread.count <= Self.longest else { throw Self.garbage(unread.prefix(40)) }
        return nil
    }

    private static func garbage(_ line: ArraySlice<UInt8>) -> MailError {
        MailError(
            .connectionLost,
            "the server said what is no reply of SMTP: '\(FieldText.shown(String(decoding: line, as: UTF8.self)))'",
            hint: "see that host and port are those of a mail server")
    }
}
