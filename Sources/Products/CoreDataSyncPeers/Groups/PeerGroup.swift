import CoreDataSyncing
import Foundation
import MultipeerConnectivity

/// The devices that find each other: those of one service type that name the same group. As a text, `peers:TYPE/NAME`, it is the
/// address of a transport that a store keeps.
public struct PeerGroup: Sendable, Hashable {
    private static let prefix = "peers:"

    /// 1 to 15 characters of a to z, 0 to 9 and hyphens.
    public let serviceType: String
    /// Which of several groups of one type; may be empty. It is seen on the network, and is no secret.
    public let name: String

    /// Makes a group.
    ///
    /// - Parameter name: 100 bytes at most, without control characters.
    /// - Throws: `SyncError` with the code `transport` and the rule that is broken.
    public init(serviceType: String, name: String = "") throws {
        do {
            _ = try MCNearbyServiceBrowser(validating: MCPeerID(displayName: "device"), serviceType: serviceType)
        } catch {
            throw SyncError(
                .transport, "Devices cannot be found by the type '\(Self.shown(serviceType))'.",
                cure: "Name the type with 1 to 15 characters of a to z, 0 to 9 and hyphens, among them a letter.")
        }
        guard name.utf8.count <= 100,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw SyncError(
                .transport, "A group cannot have the name '\(Self.shown(name))'.",
                cure: "Name it with 100 bytes at most, without control characters.")
        }
        (self.serviceType, self.name) = (serviceType, name)
    }

    /// Reads an address.
    ///
    /// - Throws: `SyncError` with the code `transport` if it is not one of a group.
    public init(address: String) throws {
        guard Self.isAddress(address) else {
            throw SyncError(
                .transport, "'\(Self.shown(address))' does not name devices nearby.",
                cure: "Write peers:TYPE, or peers:TYPE/GROUP.")
        }
        let parts = address.dropFirst(Self.prefix.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        try self.init(serviceType: String(parts[0]), name: parts.count > 1 ? String(parts[1]) : "")
    }

    /// Whether a text is meant as the address of a group, rather than as a path.
    public static func isAddress(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// The group as a text.
    public var address: String { Self.prefix + serviceType + (name.isEmpty ? "" : "/" + name) }

    private static func shown(_ text: String) -> String {
        String(
            text.prefix(40).map {
                $0.isASCII && !$0.isLetter && !$0.isNumber && !$0.isPunctuation && $0 != " " ? "?" : $0
            })
    }
}
