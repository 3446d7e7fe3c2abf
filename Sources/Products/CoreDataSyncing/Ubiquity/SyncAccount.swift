import Foundation
import Synchronization

/// The account of the user, by which stores take part in sync through their options: a folder that the person's
/// devices share.
///
/// The folder is named by the environment variable `OPENCOREDATA_SYNC_FOLDER`, or else by the file `opencoredata/sync-account` in
/// `$XDG_CONFIG_HOME`, which ``signIn(_:)`` writes for all programs of the user. It may be of a file-syncing program. The account is known
/// by a file in the folder, so that the same folder is the same account on each device, wherever it is mounted.
///
/// ```swift
/// import CoreDataSyncing
///
/// try SyncAccount.signIn(url)
/// print(SyncAccount.identifier ?? "signed out")
/// ```
public enum SyncAccount {
    private static let file = ".opencoredata-account"
    private static let environmentName = "OPENCOREDATA_SYNC_FOLDER"

    /// The folder of the account; nil while the user has none.
    public static var folder: URL? {
        let named =
            ProcessInfo.processInfo.environment[environmentName] ?? (try? String(contentsOf: settings, encoding: .utf8))
        guard let path = named?.trimmingCharacters(in: .whitespacesAndNewlines), path.hasPrefix("/") else { return nil }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// The identifier of the account, the same on all devices; nil while there is none, or its folder is not there.
    public static var identifier: String? {
        guard let folder else { return nil }
        if let known = knownIdentifier(in: folder) { return known }
        // A folder with other files may be one whose files are still arriving: an identifier made here would be a second one.
        guard (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.isEmpty == true else { return nil }
        return try? identifier(of: folder)
    }

    /// Uses a folder as the account from now on, in all programs of the user.
    ///
    /// - Throws: An error of the system where the folder, or the file that names it, cannot be written; `SyncError` with the code
    ///   `transport` where the environment names another folder.
    public static func signIn(_ folder: URL) throws {
        try requireSettable()
        let folder = folder.standardizedFileURL
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try identifier(of: folder)
        try FileManager.default.createDirectory(
            at: settings.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((folder.path + "\n").utf8).write(to: settings, options: .atomic)
        NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
    }

    /// Ends the use of the account in all programs of the user. Stores stay as they are.
    ///
    /// - Throws: As ``signIn(_:)``.
    public static func signOut() throws {
        try requireSettable()
        if FileManager.default.fileExists(atPath: settings.path) { try FileManager.default.removeItem(at: settings) }
        NotificationCenter.default.post(name: .NSUbiquityIdentityDidChange, object: nil)
    }

    private static func requireSettable() throws {
        guard ProcessInfo.processInfo.environment[environmentName] == nil else {
            throw SyncError(
                .transport, "The environment variable \(environmentName) names the account's folder.",
                cure: "Change or remove the variable.")
        }
    }

    /// The folder of the settings in place of the user's own, for tests.
    package static let settingsFolder = Mutex<URL?>(nil)

    private static var settings: URL {
        if let folder = settingsFolder.withLock({ $0 }) { return folder.appendingPathComponent("sync-account") }
        let environment = ProcessInfo.processInfo.environment
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".config")
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        return (folder ?? home).appendingPathComponent("opencoredata/sync-account")
    }

    /// The identifier in a folder's file; nil if the file is not there, or is another one.
    private static func knownIdentifier(in folder: URL) -> String? {
        (try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)).flatMap {
            UUID(uuidString: $0.trimmingCharacters(in: .whitespacesAndNewlines))?.uuidString
        }
    }

    /// The identifier in a folder's file, which is made where it is missing.
    private static func identifier(of folder: URL) throws -> String {
        if let known = knownIdentifier(in: folder) { return known }
        let url = folder.appendingPathComponent(file)
        // Of two programs that make it at once one wins, and both read its file.
        let made = folder.appendingPathComponent("\(file).\(UUID().uuidString)")
        try Data((UUID().uuidString + "\n").utf8).write(to: made)
        defer { unlink(made.path) }
        if link(made.path, url.path) != 0, knownIdentifier(in: folder) == nil {
            try FileManager.default.copyItem(at: made, to: url)
        }
        guard let identifier = knownIdentifier(in: folder) else {
            throw SyncError(
                .transport, "The file '\(url.path)' is not that of an account.",
                cure: "Remove the file, and sign in again.")
        }
        return identifier
    }
}
