import CoreDataGraph
import CoreDataStore
import Foundation
import Synchronization

/// Makes stores take part in sync by their options. A class, since the coordinator looks it up by its name.
final class OpeningSync: StoreSyncing {
    /// The folder beside a store in which those of further accounts lie.
    private static let support = "CoreDataUbiquitySupport"

    static func prepare(_ url: URL, type: String, options: [AnyHashable: Any]) throws -> URL {
        guard url.isFileURL else { return url }
        guard let target = try SyncTarget(options) else { return url }
        let own = place(of: url, for: target.account)
        if options[NSPersistentStoreRebuildFromUbiquitousContentOption] as? Bool == true,
            FileManager.default.fileExists(atPath: own.path), try hasOtherPeers(target, than: InstanceMark(store: own))
        {
            try discard(own, type: type)
        }
        return own
    }

    /// Whether a folder has items of another peer than the store that a mark is of.
    private static func hasOtherPeers(_ target: SyncTarget, than mark: InstanceMark) throws -> Bool {
        let own = mark.identity
        return try target.transport.items().contains { item in
            let writer = ItemNames.writer(item.name)
            return writer != nil && writer != own
        }
    }

    /// The file of an account: the one at the URL, unless that has the data of another.
    private static func place(of url: URL, for account: String?) -> URL {
        guard let account, let present = InstanceMark(store: url).account, present != account else { return url }
        let folder = url.deletingLastPathComponent().appendingPathComponent("\(support)/\(account)", isDirectory: true)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent(url.lastPathComponent)
    }

    /// The sessions of the stores that are open.
    private static let running = Mutex<[ObjectIdentifier: UbiquitousSession]>([:])

    static func begin(_ given: any SyncableStore, options: [AnyHashable: Any]) throws {
        guard let store = given as? NSPersistentStore else { return }
        if options[NSPersistentStoreRemoveUbiquitousMetadataOption] as? Bool == true { return try forget(store) }
        guard let target = try SyncTarget(options), let coordinator = store.persistentStoreCoordinator else { return }
        do {
            if let account = target.account, store.type == NSSQLiteStoreType {
                let mark = InstanceMark(store: store.url)
                // The account may have changed since the file was chosen.
                guard mark.account == nil || mark.account == account else { return }
                try mark.note(account: account)
            }
            let begun = try UbiquitousSession(store, in: coordinator, target)
            running.withLock { $0[ObjectIdentifier(store)] = begun }
        } catch let error as SyncError {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The store cannot take part in sync. \(error.description)", hint: error.cure
            )
        }
    }

    static func end(_ store: any SyncableStore) {
        // What it releases may be the last to hold on to the store.
        let ended = running.withLock { $0.removeValue(forKey: ObjectIdentifier(store)) }
        guard let ended else { return }
        endings.withLock { endings in
            endings.removeAll { $0.session == nil }
            endings.append(Ending(session: ended.session))
        }
    }

    /// A session whose store was closed, while an exchange of it may still run.
    private struct Ending: Sendable {
        weak var session: SyncSession?
    }

    private static let endings = Mutex<[Ending]>([])

    /// Waits for exchanges of stores that were closed.
    private static func finishEndings() {
        for ending in endings.withLock({ endings in
            defer { endings = [] }
            return endings
        }) { ending.session?.finishExchange() }
    }

    /// Removes the state of sync from a store.
    private static func forget(_ store: NSPersistentStore) throws {
        guard let table = store.objects?.sideTable, !store.isReadOnly else { return }
        try store.changingBelowContexts { _, _ in
            let entries = try table.sideEntries(withPrefix: [])
            try table.writeSideEntries(entries.map { SideEntry(key: $0.key, value: nil) })
        }
        if store.type == NSSQLiteStoreType { InstanceMark(store: store.url).remove() }
    }

    static func removeContent(at url: URL, options: [AnyHashable: Any]) throws {
        // They would write again what is removed.
        finishEndings()
        let target = try SyncTarget(options)
        let file = place(of: url, for: target?.account)
        if file.isFileURL, FileManager.default.fileExists(atPath: file.path) {
            try discard(file, type: NSSQLiteStoreType)
        }
        guard let transport = target?.transport else { return }
        for item in try transport.items() { try transport.remove(item.name) }
    }

    /// Empties a store's file, which then takes no part.
    private static func discard(_ file: URL, type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try coordinator.destroyPersistentStore(at: file, ofType: type, options: nil)
        InstanceMark(store: file).remove()
    }
}
