import CoreDataSyncHub
import CoreDataSyncing
import Foundation
import Synchronization

/// The keys that a hub admits: lines `PIN GROUP`, or `PIN *` for all groups, of the file `admitted-keys` in its folder.
///
/// Lines that begin with `#`, and empty ones, count for nothing. The file is read again when it has changed, so that who is struck off is
/// refused from the next request on. A file with another line admits the keys of the good ones, and no others.
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
        var lines = try lines()
        guard !lines.contains(where: { Self.entry($0).map { $0 == (pin, group) } ?? false }) else { return }
        lines.append("\(pin) \(group)")
        try write(lines)
    }

    /// Strikes a key off, for all groups; false if it was not admitted.
    ///
    /// - Throws: `SyncError` if the file cannot be read or written.
    package func strikeOff(_ pin: KeyPin) throws -> Bool {
        let lines = try lines()
        let left = lines.filter { Self.entry($0)?.pin != pin }
        guard left.count < lines.count else { return false }
        try write(left)
        return true
    }

    private func refresh(_ state: inout State) {
        var status = stat()
        let isThere = stat_(path, &status)
        let stamp =
            isThere ? "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec).\(status.st_ino).\(status.st_size)" : ""
        guard stamp != state.stamp else { return }
        state.stamp = stamp
        state.groups = [:]
        for entry in (try? list()) ?? [] { state.groups[entry.pin, default: []].insert(entry.group) }
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
        guard let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: Self.greatestSize + 1), data.count <= Self.greatestSize
        else { throw failure("read") }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func write(_ lines: [String]) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch { throw failure("written") }
    }

    private func failure(_ action: String) -> SyncError {
        SyncError(
            .transport, "The list of admitted keys '\(path)' cannot be \(action).",
            cure: "Give this user the right to read and write it.")
    }
}

/// A function outside the class, since the structure and the function have one name.
private func stat_(_ path: String, _ status: inout stat) -> Bool { stat(path, &status) == 0 }
