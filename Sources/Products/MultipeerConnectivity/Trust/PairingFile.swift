import Foundation
import LockKit
import PeerKit

/// The keys of paired peers in a file of JSON, which others cannot write.
public final class PairingFile: PairedPeers {
    private struct Entry: Codable {
        var name: String
        var keyDigest: String
    }

    private static let limit = 4 << 20
    private let url: URL
    private let lock = Locked(())

    /// - Parameter url: The file, which need not exist; its folder must.
    public init(_ url: URL) { self.url = url }

    public func keyDigest(of identifier: String) throws -> String? {
        try lock.withLock { _ in try read()[identifier]?.keyDigest }
    }

    public func pair(_ identifier: String, name: String, keyDigest: String) throws {
        try lock.withLock { _ in
            var entries = try read()
            entries[identifier] = Entry(name: name, keyDigest: keyDigest)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(entries).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }
    }

    /// A peer that was paired.
    public struct Peer: Sendable, Hashable, Identifiable {
        /// By which programs know the peer: 32 hexadecimal digits.
        public let id: String
        /// What it was called when it was paired.
        public let name: String
        /// The SHA-256 digest of its public key, as 64 hexadecimal digits.
        public let keyDigest: String

        package init(id: String, name: String, keyDigest: String) {
            (self.id, self.name, self.keyDigest) = (id, name, keyDigest)
        }
    }

    /// The peers of the file, by name.
    ///
    /// - Throws: ``MCError`` with `invalidParameter` if the file is damaged.
    public func peers() throws -> [Peer] {
        try lock.withLock { _ in
            try read().map { Peer(id: $0.key, name: $0.value.name, keyDigest: $0.value.keyDigest) }
                .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        }
    }

    /// Forgets a peer, which must be paired again.
    public func forget(_ identifier: String) throws {
        try lock.withLock { _ in
            var entries = try read()
            entries[identifier] = nil
            try JSONEncoder().encode(entries).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }
    }

    private func read() throws -> [String: Entry] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [:] }
        let bytes = try Data(contentsOf: url)
        guard bytes.count <= Self.limit, let entries = try? JSONDecoder().decode([String: Entry].self, from: bytes)
        else {
            throw MCError(
                .invalidParameter, "the file of paired peers at \(url.path) is damaged",
                hint: "restore it, or remove it and pair the peers again")
        }
        return entries
    }
}
