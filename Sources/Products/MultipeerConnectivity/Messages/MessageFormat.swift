import Foundation
import PeerKit

/// A format of messages with a name and a version, by which programs of different builds and languages understand each other.
///
/// A message is `OCDM`, the version of this frame (1), the length of the name, the version of the value in two bytes with the most
/// significant first, the name in UTF-8, and the value as JSON. Nothing of it depends on names of Swift's types or modules.
///
///     let moves = MessageFormat<Move>("example.chess.move", version: 2)
///     try session.send(move, as: moves, toPeers: session.connectedPeers)
public struct MessageFormat<Value: Codable & Sendable>: Sendable {
    /// The name that both sides have agreed on: 1 to 255 bytes.
    public let name: String
    /// The version in which values are written.
    public let version: UInt16
    /// Bytes of the largest message that is read.
    public let limit: Int
    private let older: [UInt16: @Sendable (Data) throws -> Value]

    private static var mark: [UInt8] { Array("OCDM".utf8) + [1] }
    private static var headerCount: Int { 8 }

    /// Describes a format; stops for a name that is empty or longer than 255 bytes.
    ///
    /// - Parameter older: How the JSON of older versions is read.
    public init(
        _ name: String, version: UInt16, limit: Int = 1 << 20,
        older: [UInt16: @Sendable (Data) throws -> Value] = [:]
    ) {
        precondition(
            (1...255).contains(name.utf8.count),
            "MessageFormat: the name has \(name.utf8.count) bytes; 1 to 255 are allowed")
        (self.name, self.version, self.limit, self.older) = (name, version, limit, older)
    }

    /// The bytes of a value.
    public func encode(_ value: Value) throws -> Data {
        var bytes = Data(Self.mark + [UInt8(name.utf8.count), UInt8(version >> 8), UInt8(version & 0xFF)])
        bytes.append(contentsOf: name.utf8)
        bytes.append(try JSONEncoder().encode(value))
        guard bytes.count <= limit else {
            throw MCError(
                .invalidParameter, "the message \(name) has \(bytes.count) bytes; at most \(limit) are allowed")
        }
        return bytes
    }

    /// Whether bytes claim to be a message of this format, of whatever version.
    public func matches(_ data: Data) -> Bool {
        let bytes = [UInt8](data.prefix(Self.headerCount + name.utf8.count))
        return bytes.count == Self.headerCount + name.utf8.count && Array(bytes[..<5]) == Self.mark
            && Int(bytes[5]) == name.utf8.count && Array(bytes[8...]) == Array(name.utf8)
    }

    /// Reads a message.
    ///
    /// - Throws: ``MCError``: `invalidParameter` for bytes that are no such message, are too many, or have no such value;
    ///   `unsupported` for a version that is not known here.
    public func decode(_ data: Data) throws -> Value {
        guard data.count <= limit else {
            throw MCError(.invalidParameter, "a message has \(data.count) bytes; at most \(limit) are read as \(name)")
        }
        guard matches(data) else { throw MCError(.invalidParameter, "the message is not of the format \(name)") }
        let header = [UInt8](data.prefix(Self.headerCount))
        let found = UInt16(header[6]) << 8 | UInt16(header[7])
        let json = Data(data.dropFirst(Self.headerCount + name.utf8.count))
        do {
            if found == version { return try JSONDecoder().decode(Value.self, from: json) }
            if let read = older[found] { return try read(json) }
        } catch {
            throw MCError(.invalidParameter, "the message \(name) of version \(found) has no valid value")
        }
        throw MCError(
            .unsupported, "the message \(name) has version \(found); \(version) is the newest that is known",
            hint: "update this program")
    }
}

extension MCSession {
    /// Sends a value in a format to peers, as ``send(_:toPeers:with:)`` sends data.
    public func send<Value>(
        _ value: Value, as format: MessageFormat<Value>, toPeers peers: [MCPeerID],
        with mode: MCSessionSendDataMode = .reliable
    ) throws {
        try send(format.encode(value), toPeers: peers, with: mode)
    }
}

extension ReceivedMessage {
    /// Reads the message in a format; nil if it is of another one.
    ///
    /// - Throws: ``MCError`` as ``MessageFormat/decode(_:)``.
    public func value<Value>(as format: MessageFormat<Value>) throws -> Value? {
        format.matches(data) ? try format.decode(data) : nil
    }
}
