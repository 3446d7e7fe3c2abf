import CoreDataSyncing
import Foundation
import MultipeerConnectivity

/// What a device keeps of a group, in a folder that its owner alone can read: its identifier and key, the devices it was paired with, and the
/// items of all. One program at a time uses it.
final class PeerFolder: Sendable {
    private static let greatestSize = 64 * 1024

    let url: URL
    let peer: MCPeerID
    let identity: PeerIdentity
    /// The open file that is locked; nil for who shares the folder.
    private let lock: Int32?

    var paired: PairingFile { Self.paired(in: url) }
    var items: URL { url.appendingPathComponent("items", isDirectory: true) }

    /// Opens the folder, or makes it with a new identifier and a new key.
    ///
    /// - Parameter isShared: Whether another program may use the folder at the same time: for who only looks at it.
    /// - Throws: `SyncError` with the code `transport` if another program uses the folder or the name is not allowed, and `keys` if a file
    ///   can neither be read nor made, or others may read it.
    init(_ url: URL, name: String, isShared: Bool = false) throws {
        self.url = url
        try PrivateFile.makeFolder(url.path)
        // Where another program has the lock it has made the files.
        lock = isShared ? try? Self.lock(url) : try Self.lock(url)
        do {
            peer = try Self.peer(in: url, name)
            identity = try Self.identity(in: url)
        } catch {
            if let lock { close(lock) }
            throw error
        }
    }

    deinit { if let lock { close(lock) } }

    static func paired(in url: URL) -> PairingFile { PairingFile(url.appendingPathComponent("paired.json")) }

    /// Where the items lie, for who only lists and reads them.
    static func items(in url: URL) -> URL { url.appendingPathComponent("items/items", isDirectory: true) }

    private static func lock(_ url: URL) throws -> Int32 {
        let path = url.appendingPathComponent("lock").path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else {
            throw SyncError(
                .keys, "Cannot lock '\(path)': \(String(cString: strerror(errno))).",
                cure: "Give this user the right to use the folder.")
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw SyncError(
                .transport, "Another program connects this store with devices nearby.",
                cure: "End it first; it exchanges what is saved until then.")
        }
        return file
    }

    private static func peer(in url: URL, _ name: String) throws -> MCPeerID {
        let file = PrivateFile(url.appendingPathComponent("identifier").path)
        do {
            if let bytes = try file.read(atMost: greatestSize) {
                return try MCPeerID(displayName: name, identifier: String(decoding: bytes, as: UTF8.self))
            }
            let peer = try MCPeerID(validating: name)
            try file.replace(Array(peer.identifier.utf8))
            return peer
        } catch let error as MCError {
            throw SyncError(
                .transport, "This device cannot be called so: \(error.reason).",
                cure: "Name it with 1 to 63 bytes of UTF-8 without control characters.")
        }
    }

    private static func identity(in url: URL) throws -> PeerIdentity {
        let path = url.appendingPathComponent("key.pem").path
        let file = PrivateFile(path)
        do {
            if let bytes = try file.read(atMost: greatestSize) { return try PeerIdentity(pem: Data(bytes)) }
            let identity = try PeerIdentity()
            try file.replace(Array(identity.pem))
            return identity
        } catch is MCError {
            throw SyncError(
                .keys, "The file '\(path)' has no private key with its certificate.",
                cure: "Restore it from a backup; or remove it, and pair this device with the others again.")
        }
    }
}
