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
    /// The private key and the certificate, as PEM.
    package let text: [UInt8]

    /// Reads the key of a file, which is made with its folder if there is none.
    ///
    /// - Throws: `SyncError` if the file can neither be read nor made, or has no key.
    public init(at file: URL) throws {
        self.file = file
        let path = file.path
        if access(path, F_OK) != 0 { try Self.make(file) }
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.greatestSize + 1), data.count <= Self.greatestSize
        else {
            throw SyncError(
                .transport, "The key '\(path)' cannot be read.", cure: "Give this user the right to read it.")
        }
        text = Array(data)
        guard let pin = KeyPin(identity: text) else {
            throw SyncError(
                .transport, "The file '\(path)' has no private key with its certificate.",
                cure: "Restore it from a backup; or remove it, and let the other side know the new key's pin.")
        }
        self.pin = pin
    }

    /// The key of this user on this device: `$XDG_STATE_HOME/opencoredata/sync/key.pem`, where the variable is
    /// `~/.local/state` if it is not set.
    ///
    /// - Throws: `SyncError` if there is no home, or the key can neither be read nor made.
    public static func ofThisDevice() throws -> HubKey {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let folder = state ?? environment["HOME"].map({ $0 + "/.local/state" }) else {
            throw SyncError(
                .transport, "This user has no folder for the key.", cure: "Set XDG_STATE_HOME to a folder.")
        }
        return try HubKey(at: URL(fileURLWithPath: folder + "/opencoredata/sync/key.pem"))
    }

    private static func make(_ file: URL) throws {
        var text = [UInt8](repeating: 0, count: 8_192)
        let count = copenssl_make_identity("OpenCoreData", &text, text.count)
        guard count > 0 else {
            throw SyncError(.transport, "OpenSSL makes no key.", cure: "Check the installation of OpenSSL.")
        }
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let new = file.path + ".\(UInt32.random(in: .min ... .max)).new"
        defer { unlink(new) }
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        var isWritten = descriptor >= 0
        if descriptor >= 0 {
            // A few hundred bytes, which the system takes at once or has no room for.
            isWritten = write(descriptor, text, count) == count && fsync(descriptor) == 0
            close(descriptor)
        }
        // A key that another process made in the meantime stays.
        guard isWritten, link(new, file.path) == 0 || errno == EEXIST else {
            throw SyncError(
                .transport, "The key '\(file.path)' cannot be made: \(String(cString: strerror(errno))).",
                cure: "Give this user the right to write the folder.")
        }
    }
}
