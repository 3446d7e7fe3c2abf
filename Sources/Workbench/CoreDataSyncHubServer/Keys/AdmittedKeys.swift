import CoreDataSyncHub
import CoreDataSyncing
import Foundation
import Synchronization

/// The keys that a hub admits: lines `PIN GROUP`, or `PIN *` for all groups, of the file `admitted-keys` in its folder.
///
/// Lines that begin with `#`, and empty ones, count for nothing. The file is read again when it has changed, so that who is struck off is
/// refused from the next request on. Lines that are neither are ignored.
package final class AdmittedKeys: Sendable {
    private static let greatestSize = 4 << 20
    private let path: String
    private let state = Mutex(State())

    private struct State: Sendable {
        var stamp: String?
        var groups: [KeyPin: Set<String>] = [:]
    }

    /// The admitted keys of a hub by its folder.
    package init(hub folder: URL) { path = folder.path + "/admitted-keys" }

    /// Whether a key is admitted to a group; without a group, whether it is admitted to any.
    func admits(_ pin: KeyPin, to group: String?) -> Bool {
        state.withLock { state in
            refresh(&state)
            guard let groups = state.groups[pin] else { return false }
            return group.map { groups.contains($0) || groups.contains("*") } ?? true
        }
    }

    /// The lines of the keys: which key is admitted to which group, where `*` stands for all.
    ///
    /// - Throws: `SyncError` if the file cannot be read.
    package func list() throws -> [(pin: KeyPin, group: String)] { try lines().compactMap(Self.entry) }

    /// Admits a key to a group, or to all by `*`.
    ///
    /// - Throws: `SyncError` if the name is none of a group, or the file cannot be written.
    package func admit(_ pin: KeyPin, to group: String) throws {
        guard group == "*" || HubNames.isGroup(group) else {
            throw SyncError(
                .transport, "'\(group)' is no name of a group.", cure: "Use lower-case letters, digits and hyphens.")
        }
        try change { lines in
            guard !lines.contains(where: { Self.entry($0).map { $0 == (pin, group) } ?? false }) else { return }
            lines.append("\(pin) \(group)")
        }
    }

    /// Strikes a key off, for all groups; false if it was not admitted.
    ///
    /// - Throws: `SyncError` if the file cannot be read or written.
    package func strikeOff(_ pin: KeyPin) throws -> Bool {
        var wasAdmitted = false
        try change { lines in
            let count = lines.count
            lines.removeAll { Self.entry($0)?.pin == pin }
            wasAdmitted = lines.count < count
        }
        return wasAdmitted
    }

    /// Changes the lines; several processes may do so.
    private func change(_ body: (inout [String]) -> Void) throws {
        try PrivateFile.makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
        let lock = try PrivateFile(path + ".lock").lock()
        defer { close(lock) }
        let before = try lines()
        var lines = before
        body(&lines)
        if lines != before { try PrivateFile(path).replace(Array(lines.map { $0 + "\n" }.joined().utf8)) }
    }

    private func refresh(_ state: inout State) {
        var status = stat()
        let isThere = stat_(path, &status)
        let stamp =
            isThere ? "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec).\(status.st_ino).\(status.st_size)" : ""
        // While the file cannot be read, what it said before counts.
        guard stamp != state.stamp, let entries = try? list() else { return }
        state.stamp = stamp
        state.groups = [:]
        for entry in entries { state.groups[entry.pin, default: []].insert(entry.group) }
    }

    private static func entry(_ line: String) -> (pin: KeyPin, group: String)? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, let pin = KeyPin(words[0]), words[1] == "*" || HubNames.isGroup(words[1]) else {
            return nil
        }
        return (pin, String(words[1]))
    }

    private func lines() throws -> [String] {
        guard access(path, F_OK) == 0 else { return [] }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw failure() }
        // An empty file has no data.
        let data: Data
        do { data = try handle.read(upToCount: Self.greatestSize + 1) ?? Data() } catch { throw failure() }
        guard data.count <= Self.greatestSize else { throw failure() }
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    }

    private func failure() -> SyncError {
        SyncError(
            .transport, "The list of admitted keys '\(path)' cannot be read.",
            cure: "Give this user the right to read it.")
    }
}

/// A function outside the class, since the structure and the function have one name.
private func stat_(_ path: String, _ status: inout stat) -> Bool { stat(path, &status) == 0 }
