import CoreDataGraph
import CoreDataStore
import Foundation
import Synchronization

/// Makes stores take part in sync by their options; a class, since it is looked up by its name where a store is added.
final class SyncedByOptions: UbiquitousStores {
    /// The folder beside a store in which those of further accounts lie.
    private static let support = "CoreDataUbiquitySupport"

    static func prepare(_ url: URL, type: String, options: [AnyHashable: Any]) throws -> URL {
        guard url.isFileURL else { return url }
        guard let target = try SyncTarget(options) else { return url }
        let own = place(of: url, for: target.account)
        if options[NSPersistentStoreRebuildFromUbiquitousContentOption] as? Bool == true,
            FileManager.default.fileExists(atPath: own.path), try !target.transport.items().isEmpty
        {
            let model = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
            try model.destroyPersistentStore(at: own, ofType: type, options: nil)
            InstanceMark(store: own).remove()
        }
        return own
    }

    /// The file of an account: the one at the URL, unless that has the data of another.
    private static func place(of url: URL, for account: String?) -> URL {
        guard let account, let present = InstanceMark(store: url).account, present != account else { return url }
        let folder = url.deletingLastPathComponent().appendingPathComponent("\(support)/\(account)", isDirectory: true)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.appendingPathComponent(url.lastPathComponent)
    }

    /// What keeps the stores in step that are open.
    private static let running = Mutex<[ObjectIdentifier: StoreInStep]>([:])

    static func begin(_ given: any UbiquitousStore, options: [AnyHashable: Any]) throws {
        guard let store = given as? NSPersistentStore else { return }
        if options[NSPersistentStoreRemoveUbiquitousMetadataOption] as? Bool == true { return try forget(store) }
        guard let target = try SyncTarget(options), let coordinator = store.persistentStoreCoordinator else { return }
        do {
            if let account = target.account, store.type == NSSQLiteStoreType {
                try InstanceMark(store: store.url).note(account: account)
            }
            let begun = try StoreInStep(store, in: coordinator, target)
            running.withLock { $0[ObjectIdentifier(store)] = begun }
        } catch let error as SyncError {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The store cannot take part in sync. \(error.description)", hint: error.cure
            )
        }
    }

    static func end(_ store: any UbiquitousStore) {
        // What it releases may be the last to hold on to the store.
        let ended = running.withLock { $0.removeValue(forKey: ObjectIdentifier(store)) }
        withExtendedLifetime(ended) {}
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
        guard let target = try SyncTarget(options) else { return }
        let file = url.isFileURL ? place(of: url, for: target.account) : url
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        let transport = target.transport
        for item in try transport.items() { try transport.remove(item.name) }
        if FileManager.default.fileExists(atPath: file.path) {
            try coordinator.destroyPersistentStore(at: file, ofType: NSSQLiteStoreType, options: nil)
            InstanceMark(store: file).remove()
        }
    }
}

/// Where the devices share what a store's options name.
struct SyncTarget {
    let folder: URL
    /// The account to which the folder belongs; nil for a folder that the program names wherever it lies.
    let account: String?

    var transport: FolderTransport { FolderTransport(folder) }

    /// Nil for options without a name, and where the person has no account in which the folder lies.
    ///
    /// - Throws: `NSPersistentStoreOpenError` for options of a wrong type.
    init?(_ options: [AnyHashable: Any]) throws {
        guard let given = options[NSPersistentStoreUbiquitousContentNameKey] else { return nil }
        guard let name = given as? String, !name.isEmpty, !name.contains("/"), !name.hasPrefix("."),
            !name.contains("\0")
        else {
            throw Self.wrong(NSPersistentStoreUbiquitousContentNameKey, "a name without '/' that begins with no '.'")
        }
        let identifier = options[NSPersistentStoreUbiquitousContainerIdentifierKey] as? String
        let container = FileManager.default.url(forUbiquityContainerIdentifier: identifier)
        let place: URL
        switch options[NSPersistentStoreUbiquitousContentURLKey] {
        case nil:
            guard let container else { return nil }
            place = container.appendingPathComponent("CoreData/\(name)", isDirectory: true)
        case let url as URL where url.isFileURL: place = url.appendingPathComponent(name, isDirectory: true)
        case let path as String where path.hasPrefix("/"):
            place = URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name, isDirectory: true)
        case let path as String:
            guard !path.split(separator: "/").contains("..") else {
                throw Self.wrong(NSPersistentStoreUbiquitousContentURLKey, "a path without '..'")
            }
            guard let container else { return nil }
            place = container.appendingPathComponent("\(path)/\(name)", isDirectory: true)
        default: throw Self.wrong(NSPersistentStoreUbiquitousContentURLKey, "the URL of a folder, or a path")
        }
        folder = place
        let shared = SyncAccount.folder.map { $0.standardizedFileURL.path + "/" }
        let isShared = shared.map(place.standardizedFileURL.path.hasPrefix) ?? false
        account = isShared ? SyncAccount.identifier : nil
    }

    private static func wrong(_ key: String, _ form: String) -> NSError {
        CoreDataError.make(NSPersistentStoreOpenError, "The store option '\(key)' must be \(form).")
    }
}
