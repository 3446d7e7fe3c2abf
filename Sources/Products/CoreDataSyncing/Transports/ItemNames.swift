import CoreDataSync

/// The names of the items that this peer writes. A name is only a hint for people and for those who need not read an item: what counts
/// is in the content.
enum ItemNames {
    /// A name: `WRITER-KIND-…-CHECKSUM.ocsync`.
    static func name(_ writer: PeerID, _ kind: Kind, _ detail: String?, _ bytes: [UInt8]) -> String {
        let sum = SyncChecksum.text(of: bytes)
        let parts = [writer.description, kind.rawValue, detail, sum].compactMap { $0 }
        return parts.joined(separator: "-") + FolderTransport.ending
    }

    enum Kind: String {
        case transactions = "t"
        case greeting = "g"
        case baseline = "b"
        case retirement = "x"
        case chunk = "c"
        case wanted = "w"
    }

    /// The name of a chunk: `WRITER-c-DIGEST.ocsync`.
    static func name(_ writer: PeerID, _ chunk: ChunkDigest) -> String {
        "\(writer)-\(Kind.chunk.rawValue)-\(chunk)" + FolderTransport.ending
    }

    /// The chunk that an item has by its name, which may have been altered behind the digest; nil for other items.
    static func chunk(_ name: String) -> ChunkDigest? {
        let parts = name.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, parts[1] == Kind.chunk.rawValue else { return nil }
        return ChunkDigest(String(parts[2].prefix(2 * ChunkDigest.size)))
    }

    /// Who wrote an item by its name; nil if the name says nothing.
    static func writer(_ name: String) -> PeerID? { name.split(separator: "-").first.flatMap { PeerID(String($0)) } }

    static func isGreeting(_ name: String) -> Bool { kind(name) == .greeting }

    /// The kind of an item by its name; nil if the name says nothing.
    static func kind(_ name: String) -> Kind? {
        name.split(separator: "-").dropFirst().first.flatMap { Kind(rawValue: String($0)) }
    }

    /// The peer to which an item is addressed by its name; nil if it is for all, or if the name says nothing.
    static func addressee(_ name: String) -> PeerID? {
        let parts = name.split(separator: "-")
        guard parts.count >= 4, parts[1] == Kind.baseline.rawValue || parts[1] == Kind.retirement.rawValue else {
            return nil
        }
        return PeerID(String(parts[2]))
    }
}
