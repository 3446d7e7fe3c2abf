import CoreDataSyncHub
import CoreDataSyncing

/// The items of a group in memory, with the changes that were made to them in this run of the hub.
///
/// Invariants:
/// 1. The changes have ascending versions, each above `floor` and at most `version`.
/// 2. Each change above `floor` is among them: who knows a version from `floor` on learns all that is newer.
struct ItemIndex: Sendable {
    private(set) var items: [String: SyncItem] = [:]
    private(set) var version: UInt64 = 0
    private var changes: [(version: UInt64, name: String)] = []
    private var floor: UInt64 = 0
    private let keptChanges: Int

    init(keptChanges: Int) { self.keptChanges = max(1, keptChanges) }

    /// Notes that an item is there; returns the count of bytes that it replaces.
    mutating func put(_ item: SyncItem) -> Int {
        let former = items.updateValue(item, forKey: item.name)
        note(item.name)
        return former?.size ?? 0
    }

    /// Notes that an item is gone; returns its count of bytes.
    mutating func remove(_ name: String) -> Int {
        guard let former = items.removeValue(forKey: name) else { return 0 }
        note(name)
        return former.size
    }

    private mutating func note(_ name: String) {
        version += 1
        changes.append((version, name))
        guard changes.count > 2 * keptChanges else { return }
        changes.removeFirst(keptChanges)
        floor = changes[0].version - 1
    }

    /// What has changed since a state, or all items where that is not known.
    func list(since cursor: HubCursor?, run: String) -> HubList {
        let isKnown = cursor.map { $0.run == run && $0.version >= floor && $0.version <= version } ?? false
        guard isKnown, let cursor else {
            var list = HubList(HubCursor(run: run, version: version), isWhole: true)
            list.items = Array(items.values)
            return list
        }
        var list = HubList(HubCursor(run: run, version: version), isWhole: false)
        var names: Set<String> = []
        for change in changes.reversed() {
            guard change.version > cursor.version else { break }
            guard names.insert(change.name).inserted else { continue }
            if let item = items[change.name] { list.items.append(item) } else { list.removed.append(change.name) }
        }
        return list
    }
}
