import CoreDataSyncHub
import CoreDataSyncing
import Foundation
import Synchronization

/// The items of all groups, as files that never change: `groups/GROUP/NAME` in the hub's folder.
///
/// Invariants:
/// 1. A file has the name of an item only when all of its bytes are on the disk: it is written under another name, flushed and renamed.
/// 2. `usedBytes` are those of all items, and `reservedBytes` those of items that are being received: together at most the quota.
/// 3. What the index has is on the disk. A client is answered after the disk keeps the folder's entry too.
///
/// So the hub may be ended at any point: the next start finds items that are whole, and removes what is unfinished.
///
/// Files that others write into a group's folder, or remove from it, are items as well, from the next request on: a peer of the group may
/// use that folder itself.
final class HubStorage: Sendable {
    /// 16 digits by which clients notice that the hub has started again, and that its versions mean nothing to them.
    let run = HubStorage.newRun()
    private let folder: String
    private let settings: HubSettings
    /// Called with a group in which something has changed, on any thread.
    private let changed: @Sendable (String) -> Void
    private let state: Mutex<StorageState>
    private let watch: StorageWatch
    private let scan: StorageScan

    /// Reads which items there are.
    ///
    /// - Throws: `SyncError` if the folder cannot be made or read.
    init(_ settings: HubSettings, changed: @escaping @Sendable (String) -> Void) throws {
        self.settings = settings
        self.changed = changed
        folder = settings.folder.path + "/groups"
        scan = StorageScan(folder, keptChanges: settings.keptChanges)
        try scan.makeFolder()
        watch = StorageWatch(folder)
        let groups = try scan.groups()
        // What is written from here on is an event, or read below, or both.
        for group in groups { watch.watch(group) }
        state = Mutex(try scan.read(groups))
        watch.begin { [weak self] in self?.takeEvents() }
    }

    private static func newRun() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// What has changed in a group since a state, or all of it.
    func list(_ group: String, since cursor: HubCursor?) -> HubList {
        takeEvents()
        return state.withLock { state in
            (state.groups[group] ?? ItemIndex(keptChanges: 1)).list(since: cursor, run: run)
        }
    }

    /// Whether something has changed in a group since a state.
    func hasNews(_ group: String, since cursor: HubCursor) -> Bool {
        cursor.run != run || state.withLock { $0.groups[group]?.version ?? 0 } != cursor.version
    }

    /// The path of an item's file.
    func path(_ group: String, _ name: String) -> String { "\(folder)/\(group)/\(name)" }

    // MARK: Files of others

    /// Notes what was written and removed in the folder since the last call, by others or by the hub.
    private func takeEvents() {
        var changed: Set<String> = []
        state.withLock { state in
            for event in watch.events() {
                switch event {
                case .file(let group, let name): if note(group, name, &state) { changed.insert(group) }
                case .group(let group):
                    guard HubNames.isGroup(group) else { continue }
                    watch.watch(group)
                    if noteAll(group, &state) { changed.insert(group) }
                }
            }
        }
        for group in changed { self.changed(group) }
    }

    /// Notes what the disk has of an item; true if that is not what was known.
    private func note(_ group: String, _ name: String, _ state: inout StorageState) -> Bool {
        guard HubNames.isItem(name) else { return false }
        let known = state.groups[group]?.items[name]
        guard let item = StorageScan.item(path(group, name), name) else {
            state.usedBytes -= state.groups[group]?.remove(name) ?? 0
            return known != nil
        }
        guard known?.stamp != item.stamp || known?.size != item.size else { return false }
        state.usedBytes +=
            item.size - state.groups[group, default: ItemIndex(keptChanges: settings.keptChanges)].put(item)
        return true
    }

    private func noteAll(_ group: String, _ state: inout StorageState) -> Bool {
        let names = Set(scan.items(group)).union(state.groups[group]?.items.keys.map(\.self) ?? [])
        return names.filter { note(group, $0, &state) }.count > 0
    }

    // MARK: Changing

    /// Begins to receive an item, for which room is kept.
    ///
    /// - Throws: `HubRefusal` if there is no room, or the group or the hub has as many items or groups as it may have.
    func begin(_ group: String, _ name: String, size: Int) throws -> Upload {
        guard size <= settings.itemBytes else {
            throw HubRefusal(413, "an item may have \(settings.itemBytes) bytes")
        }
        try state.withLock { try reserve(group, name, size, &$0) }
        do {
            let path = "\(folder)/\(group)"
            if mkdir(path, 0o700) == 0 {
                watch.watch(group)
                try StorageScan.flush(folder)
            } else if errno != EEXIST {
                throw HubRefusal.disk(errno)
            }
            return try Upload(group: group, name: name, size: size, folder: path)
        } catch {
            release(group, size)
            throw error
        }
    }

    private func reserve(_ group: String, _ name: String, _ size: Int, _ state: inout StorageState) throws {
        let index = state.groups[group]
        guard index != nil || state.groups.count < settings.groups else { throw HubRefusal.full }
        let count = (index?.items.count ?? 0) + state.receiving[group, default: 0]
        guard index?.items[name] != nil || count < settings.itemsPerGroup else { throw HubRefusal.full }
        guard size <= settings.quota - state.usedBytes - state.reservedBytes else { throw HubRefusal.full }
        state.groups[group] = index ?? ItemIndex(keptChanges: settings.keptChanges)
        state.reservedBytes += size
        state.receiving[group, default: 0] += 1
    }

    private func release(_ group: String, _ size: Int) {
        state.withLock { Self.release(group, size, &$0) }
    }

    private static func release(_ group: String, _ size: Int, _ state: inout StorageState) {
        state.reservedBytes -= size
        let left = state.receiving[group, default: 1] - 1
        state.receiving[group] = left > 0 ? left : nil
    }

    /// Gives up an item that was not received whole.
    func abandon(_ upload: Upload) { release(upload.group, upload.size) }

    /// Gives an item that was received its name. It is on the disk when this returns.
    ///
    /// - Throws: `HubRefusal` if it is not whole, or the disk fails. If that was after the item got its name, the item is there.
    func commit(_ upload: Upload) throws {
        let path = path(upload.group, upload.name)
        var isReserved = true
        defer { if isReserved { abandon(upload) } }
        try upload.flush()
        try state.withLock { state in
            guard rename(upload.path, path) == 0 else { throw HubRefusal.disk(errno) }
            guard let item = StorageScan.item(path, upload.name) else { throw HubRefusal.disk(EIO) }
            Self.release(upload.group, upload.size, &state)
            isReserved = false
            state.usedBytes += upload.size - (state.groups[upload.group]?.put(item) ?? 0)
        }
        defer { changed(upload.group) }
        try StorageScan.flush("\(folder)/\(upload.group)")
    }

    /// Removes an item.
    ///
    /// - Throws: `HubRefusal` if there is none, or the disk fails.
    func remove(_ group: String, _ name: String) throws {
        try state.withLock { state in
            guard state.groups[group]?.items[name] != nil else { throw HubRefusal.notFound }
            guard unlink(path(group, name)) == 0 || errno == ENOENT else { throw HubRefusal.disk(errno) }
            state.usedBytes -= state.groups[group]?.remove(name) ?? 0
        }
        defer { changed(group) }
        try StorageScan.flush("\(folder)/\(group)")
    }
}
