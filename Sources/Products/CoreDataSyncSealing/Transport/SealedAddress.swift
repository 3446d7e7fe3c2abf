import CoreDataSyncing

/// The address of a sealed place as the store keeps it: `sealed:`, the fingerprint of the group, and the address beneath.
public struct SealedAddress: Sendable, Hashable {
    private static let prefix = "sealed:"

    /// The fingerprint of the group.
    public let group: String
    /// The address of the transport beneath.
    public let base: String

    init(group: String, base: String) { (self.group, self.base) = (group, base) }

    /// The same group at another address beneath.
    public func moved(to base: String) -> SealedAddress { SealedAddress(group: group, base: base) }

    /// Reads an address; nil for one of another kind.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, Fingerprint(parts[0]) != nil else { return nil }
        (group, base) = (parts[0], parts[1])
    }

    /// The address as the store keeps it.
    public var text: String { "\(Self.prefix)\(group):\(base)" }
}
