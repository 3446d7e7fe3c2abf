import COpenSSL
import CoreDataSyncing
import Foundation

/// The key by which a device, or a hub, proves who it is: a file with a private key and a certificate that is signed with it.
///
/// The other side knows the key's ``pin``; names, issuers and dates of certificates count for nothing. The file is made when it is first
/// asked for, for its owner alone to read. A copy of it on another device makes both one to the hub.
public struct HubKey: Sendable {
    private static let greatestSize = 64 * 1024

    /// The file.
    public let file: URL
    /// By which others know the key.
    public let pin: KeyPin

    /// Reads the key of a file, which is made with its folder if there is none.
    ///
    /// - Throws: `SyncError` with the code `keys` if the file can neither be read nor made, others may read it, or it has no key.
    public init(at file: URL) throws {
        self.file = file
        guard let pin = KeyPin(identity: try Self.text(of: file) ?? Self.made(file)) else {
            throw SyncError(
                .keys, "The file '\(file.path)' has no private key with its certificate.",
                cure: "Restore it from a backup; or remove it, and let the other side know the new key's pin.")
        }
        self.pin = pin
    }

    /// The key of this user on this device: `key.pem` in `$XDG_STATE_HOME/opencoredata/sync`, where the variable is
    /// `~/.local/state` if it is not set.
    ///
    /// - Throws: `SyncError` with the code `keys` if there is no home, or the key can neither be read nor made.
    public static func ofThisDevice() throws -> HubKey {
        let folder = try PrivateFile.folderOfKeys(in: ProcessInfo.processInfo.environment)
        return try HubKey(at: folder.appendingPathComponent("key.pem"))
    }

    /// The private key and the certificate, as PEM; not kept in memory, where it could be printed.
    ///
    /// - Throws: `SyncError` with the code `keys` if the file cannot be read.
    package func text() throws -> [UInt8] { try Self.text(of: file) ?? [] }

    private static func text(of file: URL) throws -> [UInt8]? {
        try PrivateFile(file.path).read(atMost: greatestSize)
    }

    private static func made(_ file: URL) throws -> [UInt8] {
        try PrivateFile.makeFolder(file.deletingLastPathComponent().path)
        let lock = try PrivateFile(file.path + ".lock").lock()
        defer { close(lock) }
        // A key that another process has made stays.
        if let known = try text(of: file) { return known }
        var text = [UInt8](repeating: 0, count: 8_192)
        let count = copenssl_make_identity("OpenCoreData", &text, text.count)
        guard count > 0 else {
            throw SyncError(.keys, "OpenSSL makes no key.", cure: "Check the installation of OpenSSL.")
        }
        let made = Array(text.prefix(Int(count)))
        try PrivateFile(file.path).replace(made)
        return made
    }
}
