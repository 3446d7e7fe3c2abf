import DiscoveryKit
import Foundation

/// What the TXT record of an advertised peer says: who it is, by three entries of this module's, and the program's
/// discovery info.
///
/// The service's own name does not identify a peer: it is changed when another service has it. Nothing of this is
/// trusted: what answers at the addresses has to prove who it is.
struct PeerAdvertisement {
    private static let (versionKey, identifierKey, nameKey) = ("_v", "_id", "_n")
    private static let version = "1"
    private static let reserved: Set = [versionKey, identifierKey, nameKey]

    let peer: MCPeerID
    /// nil if there is none.
    let info: [String: String]?

    /// The type of services, by the rules of `serviceType`.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` and the rule that it breaks.
    static func type(_ serviceType: String) throws -> ServiceType {
        do { return try ServiceType(name: serviceType) } catch { throw MCError(discovery: error) }
    }

    /// The TXT record that a peer advertises.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` for keys that are not ASCII or are reserved, and entries of more than 255 bytes.
    static func record(of peer: MCPeerID, _ info: [String: String]?) throws -> TextRecord {
        let own = [(versionKey, version), (identifierKey, peer.identifier), (nameKey, peer.displayName)]
        let others = (info ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if let taken = others.first(where: { reserved.contains($0.0.lowercased()) }) {
            throw MCError(
                .invalidParameter, "the key '\(taken.0)' of the discovery info is reserved", hint: "choose another key")
        }
        do {
            return try TextRecord((own + others).map { .init($0.0, Array($0.1.utf8)) })
        } catch {
            throw MCError(discovery: error)
        }
    }

    /// Reads the record of a service; nil if it is not that of a peer.
    init?(_ record: TextRecord) {
        func text(_ key: String) -> String? { record.value(of: key).flatMap { String(validating: $0, as: UTF8.self) } }
        guard text(Self.versionKey) == Self.version, let identifier = text(Self.identifierKey),
            let name = text(Self.nameKey),
            (try? ServiceName.check(name)) != nil, let peer = try? MCPeerID(displayName: name, identifier: identifier)
        else { return nil }
        self.peer = peer
        let others = record.entries.filter { !Self.reserved.contains($0.key.lowercased()) }
        let texts = others.compactMap { entry in
            String(validating: entry.value ?? [], as: UTF8.self).map { (entry.key, $0) }
        }
        info = texts.isEmpty ? nil : Dictionary(texts) { first, _ in first }
    }
}

extension MCError {
    /// An error of discovery, as one of sessions.
    init(discovery error: DiscoveryError) {
        let code: Code =
            switch error.code {
            case .invalidName, .invalidType, .invalidDomain, .invalidText: .invalidParameter
            case .timedOut: .timedOut
            case .libraryMissing, .daemonMissing, .daemonLost: .unavailable
            case .collision, .refused: .unknown
            }
        self.init(code, error.reason, hint: error.hint)
    }
}
