import CoreDataSyncing
import Foundation

/// Where this user's keys of sync lie: a folder of mode 0700 with a file of mode 0600 for each group. Keys are in no store and in no log.
///
/// A file is replaced as a whole, under a lock that all processes respect, and is refused if others may read or change it.
public struct KeyFolder: Sendable {
    /// The most bytes of a file that are read.
    private static let greatestSize = 64 << 20

    /// The folder, which is made with the first key.
    public let url: URL

    /// Keys in a folder of this user.
    public init(_ url: URL) { self.url = url.standardizedFileURL }

    /// The usual folder: `$XDG_STATE_HOME/opencoredata/sync`, or `~/.local/state/opencoredata/sync`.
    ///
    /// - Throws: `SyncError` with the code `keys` if neither variable names a folder.
    public static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> KeyFolder {
        KeyFolder(try PrivateFile.folderOfKeys(in: environment))
    }

    /// What is kept of a group; nil if this device takes no part in it.
    ///
    /// - Throws: `SyncError` with the code `keys`.
    func record(of group: Fingerprint) throws -> GroupRecord? {
        guard let bytes = try PrivateFile(path(group)).read(atMost: Self.greatestSize) else { return nil }
        guard let record = try? JSONDecoder().decode(GroupRecord.self, from: Data(bytes)), record.seed.count == 32,
            record.version == 1
        else {
            throw SyncError(
                .keys, "The file of keys '\(path(group))' is damaged.",
                cure: "Put it back from a backup, or move it away and pair this device again.")
        }
        return record
    }

    /// Changes what is kept of a group; several processes may do so.
    ///
    /// - Throws: `SyncError` with the code `keys`, and what the block throws.
    func update<Result>(
        _ group: Fingerprint, _ body: (inout GroupRecord?) throws -> Result
    ) throws -> Result {
        try PrivateFile.makeFolder(url.path)
        let lock = try PrivateFile(url.path + "/lock").lock()
        defer { close(lock) }
        let before = try record(of: group)
        var record = before
        let result = try body(&record)
        if let record, record != before {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            try PrivateFile(path(group)).replace(Array(encoder.encode(record)))
        }
        return result
    }

    private func path(_ group: Fingerprint) -> String { "\(url.path)/\(group).keys" }
}
