import CoreDataFoundation
import Foundation

/// The values of a key-value store, with what decides which of two values of a key is the latest. Two states merge into the same, whichever
/// is merged into the other.
struct KeyValueState: Equatable, Sendable {
    /// When a value was set, and by which device: of two at the same time the greater device wins.
    struct Stamp: Hashable, Comparable, Sendable {
        /// Microseconds since 1970, and later than the value that the device knew.
        let time: Int64
        let device: String

        static func < (left: Stamp, right: Stamp) -> Bool { (left.time, left.device) < (right.time, right.device) }
    }

    struct Entry: Equatable, Sendable {
        let stamp: Stamp
        /// Nil for a key that was removed.
        let value: PropertyList?
        /// Bytes of the key and of the value in a property list.
        let size: Int
    }

    /// What Apple's systems allow, and how many removed keys are remembered.
    enum Limits {
        static let keys = 1_024
        static let keyBytes = 64
        static let bytes = 1 << 20
        static let removed = 4_096
        /// Times beyond it are no honest ones: the year 2286 and a little.
        static let time: Int64 = 10_000_000_000_000_000
    }

    private(set) var entries: [String: Entry] = [:]

    var values: [String: PropertyList] { entries.compactMapValues(\.value) }

    func value(_ key: String) -> PropertyList? { entries[key]?.value }

    /// Sets or removes a value, later than what is known of its key.
    ///
    /// - Throws: `SyncError` with the code `transport` for a key or a value that the limits do not allow; nothing changes then.
    mutating func set(_ value: PropertyList?, forKey key: String, by device: String, at now: Int64) throws {
        let time = max(now, 1 + (entries[key]?.stamp.time ?? 0))
        let entry = Entry(stamp: Stamp(time: time, device: device), value: value, size: Self.size(key, value))
        if value != nil { try check(entry, key) }
        entries[key] = entry
        forgetRemoved()
    }

    private func check(_ entry: Entry, _ key: String) throws {
        guard (1...Limits.keyBytes).contains(key.utf8.count) else {
            throw Self.refused("The key '\(key.prefix(80))' has \(key.utf8.count) bytes.", "Use keys of 1 to 64 bytes.")
        }
        let others = entries.filter { $0.key != key && $0.value.value != nil }
        guard others.count < Limits.keys else {
            throw Self.refused("The key '\(key)' would be the \(Limits.keys + 1)th.", "Remove keys that are not used.")
        }
        let total = others.values.reduce(entry.size) { $0 + $1.size }
        guard total <= Limits.bytes else {
            throw Self.refused(
                "With the value of '\(key)' (\(entry.size) bytes) all values would have \(total) bytes; 1 MiB is allowed.",
                "Keep large values in a store or in files.")
        }
    }

    private static func refused(_ reason: String, _ cure: String) -> SyncError {
        SyncError(.transport, reason, cure: cure)
    }

    private static func size(_ key: String, _ value: PropertyList?) -> Int {
        value.map { key.utf8.count + PropertyListCoding.data($0).count } ?? 0
    }

    /// Takes what is later in another state.
    ///
    /// - Returns: The keys whose values have changed.
    mutating func merge(_ other: KeyValueState) -> [String] {
        var changed: [String] = []
        for (key, entry) in other.entries where entry.stamp > entries[key]?.stamp ?? Stamp(time: .min, device: "") {
            if entries[key]?.value != entry.value { changed.append(key) }
            entries[key] = entry
        }
        forgetRemoved()
        return changed.sorted()
    }

    /// Of the removed keys the latest are remembered.
    private mutating func forgetRemoved() {
        let removed = entries.filter { $0.value.value == nil }
        guard removed.count > Limits.removed else { return }
        let oldest = removed.sorted { $0.value.stamp < $1.value.stamp }.prefix(removed.count - Limits.removed)
        for (key, _) in oldest { entries[key] = nil }
    }

    // MARK: Coding

    /// The state as a binary property list: a version, and for each key its time, its device, and its value unless it was removed.
    var data: Data {
        let list = entries.mapValues { entry -> PropertyList in
            var members: [String: PropertyList] = [
                "time": .integer(entry.stamp.time), "device": .string(entry.stamp.device),
            ]
            members["value"] = entry.value
            return .dictionary(members)
        }
        return PropertyListCoding.data(.dictionary(["version": .integer(1), "entries": .dictionary(list)]))
    }

    init() {}

    /// Reads a state of another device; entries beyond the limits are left out.
    ///
    /// - Throws: An error for bytes that are no state, or of a newer version.
    init(data: Data) throws {
        var limits = PropertyListLimits()
        (limits.bytes, limits.objects, limits.depth) = (8 << 20, 200_000, 64)
        limits.expandedValues = 200_000
        let list = try PropertyList(binary: data, limits: limits)
        guard list.dictionary?["version"] == .integer(1), let entries = list.dictionary?["entries"]?.dictionary else {
            throw Self.refused("The key-value store of another device cannot be read.", "Update this program.")
        }
        for (key, member) in entries.sorted(by: { $0.key < $1.key })
        where (1...Limits.keyBytes).contains(key.utf8.count) {
            guard let time = member.dictionary?["time"]?.integer, (0...Limits.time).contains(time),
                let device = member.dictionary?["device"]?.string, device.utf8.count <= 64
            else { continue }
            let value = member.dictionary?["value"]
            self.entries[key] = Entry(
                stamp: Stamp(time: time, device: device), value: value, size: Self.size(key, value))
        }
        forgetRemoved()
    }
}
