import CoreDataSyncing
import Foundation

/// Where a group of a hub is: `https://HOST:PORT/GROUP#PIN`, with the pin of the hub's key; or `http://HOST:PORT/GROUP` on this machine.
public struct HubAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address of the group's items, without the pin.
    let url: URL
    /// The pin of the hub's key; nil for plain HTTP.
    public let pin: KeyPin?
    /// The name of the group.
    public let group: String

    /// Whether a text is meant as the address of a hub, and not as the path of a folder.
    public static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    /// Reads an address.
    ///
    /// - Throws: `SyncError` with the code `transport` that says what is wrong with it.
    public init(_ text: String) throws(SyncError) {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.query == nil,
            parts.user == nil, parts.password == nil
        else { throw Self.wrong("is none of a hub") }
        let group = parts.path.dropFirst()
        guard parts.path.hasPrefix("/"), HubNames.isGroup(group) else {
            throw Self.wrong("names no group of lower-case letters, digits and hyphens")
        }
        switch parts.scheme?.lowercased() {
        case "https":
            guard let pin = KeyPin(parts.fragment ?? "") else {
                throw Self.wrong("does not end in '#' and the 64 digits of the hub's pin")
            }
            self.pin = pin
        case "http":
            guard Self.isThisMachine(host), parts.fragment == nil else {
                throw Self.wrong("is of plain HTTP, which only hubs on this machine are reached by")
            }
            pin = nil
        default: throw Self.wrong("is none of a hub")
        }
        var plain = parts
        plain.fragment = nil
        guard let url = plain.url else { throw Self.wrong("is none of a hub") }
        self.url = url
        self.group = String(group)
    }

    /// The address as `init` reads it.
    public var description: String { url.absoluteString + (pin.map { "#\($0)" } ?? "") }

    private static func isThisMachine(_ host: String) -> Bool {
        ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host.lowercased())
    }

    /// The error does not repeat the text, in which there may be a password.
    private static func wrong(_ flaw: String) -> SyncError {
        SyncError(
            .transport, "The hub's address \(flaw).",
            cure: "Write https://HOST:PORT/GROUP#PIN, as 'coredata sync serve' prints it.")
    }
}
