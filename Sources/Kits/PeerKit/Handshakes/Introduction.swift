import Foundation

/// What a peer says of itself; nothing of it is proved but what the key of the wire proves.
package struct Introduction: Sendable, Codable, Equatable {
    /// The name for people: 1 to 63 bytes of UTF-8 without control characters.
    package var name: String
    /// 32 hexadecimal digits by which programs know the peer.
    package var identifier: String
    /// Where the peer listens, on the host from which it connects; 0 if it does not.
    package var port: UInt16
    /// Whether a debugger holds the peer, so that it may stand still.
    package var isDebugged: Bool
    /// Bytes of the largest message that it takes.
    package var messageBytes: Int

    package static let nameBytes = 63

    package init(name: String, identifier: String, port: UInt16, isDebugged: Bool, messageBytes: Int) {
        (self.name, self.identifier, self.port) = (name, identifier, port)
        (self.isDebugged, self.messageBytes) = (isDebugged, messageBytes)
    }

    /// Why a name is not allowed; nil if it is.
    package static func objection(toName name: String) -> String? {
        guard !name.isEmpty else { return "the name is empty" }
        guard name.utf8.count <= nameBytes else {
            return "the name has \(name.utf8.count) bytes of UTF-8; at most \(nameBytes) are allowed"
        }
        let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        return hasControl ? "the name has control characters" : nil
    }

    /// Whether a text is an identifier.
    package static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { digit in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(digit)
            }
    }

    /// - Throws: `PeerFailure` with `invalid` for what is not allowed.
    func check() throws {
        if let objection = Self.objection(toName: name) {
            throw PeerFailure(.invalid, "the other side has no valid name: \(objection)")
        }
        guard Self.isIdentifier(identifier) else {
            throw PeerFailure(.invalid, "the identifier of the other side is not 32 hexadecimal digits")
        }
        guard messageBytes >= 0 else { throw PeerFailure(.invalid, "\(messageBytes) bytes are not a size of messages") }
    }
}
