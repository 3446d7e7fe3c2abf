import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@testable import CoreDataSQLite

/// A store that keeps history, and what its tables say.
final class HistoryScene {
    let folder: TemporaryFolder
    let url: URL
    let model: NSManagedObjectModel
    private(set) var coordinator: NSPersistentStoreCoordinator
    private(set) var context: NSManagedObjectContext

    init(_ model: NSManagedObjectModel = HistoryScene.heroes()) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("History.sqlite")
        self.model = model
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = NSManagedObjectContext(.privateQueue)
        try open()
    }

    /// The heroes, whose names and birth dates outlive them.
    static func heroes() -> NSManagedObjectModel {
        let model = HeroModel.make()
        for name in ["Hero", "SuperHero"] {
            for attribute in ["name", "birthDate"] {
                model.entitiesByName[name]?.attributesByName[attribute]?.preservesValueInHistoryOnDeletion = true
            }
        }
        return model
    }

    static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    static var keepingOldValues: [AnyHashable: Any] {
        [NSPersistentHistoryTrackingKey: true, CoreDataHistoryKeepsOldValuesOption: true]
    }

    var store: NSPersistentStore { coordinator.persistentStores[0] }

    var file: StoreFile {
        guard let file = store.objects as? StoreFile else { preconditionFailure("no file") }
        return file
    }

    var history: any HistoryKeeping { get throws { try #require(store.objects?.history) } }

    /// Opens the store, or opens it anew.
    func open(_ options: [AnyHashable: Any] = tracking) throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    func rows(_ sql: String) throws -> [[Value]] {
        try store.serialized { try file.connection.rows(sql) }
    }

    /// Which transactions there are; the store may be deleting some at the time.
    func extent() throws -> HistoryExtent {
        try store.serialized { try history.historyExtent() }
    }

    /// The changes of the newest transaction, as `+Hero1`, `~Hero1 name teams`, `-Hero1` with what is kept.
    func newest() throws -> [String] {
        var changes: [String] = []
        let number = try history.historyExtent().newest
        try history.readHistory(HistoryQuery(after: .number(number - 1))) { _ in
            changes = []
            return .changes
        } change: {
            changes.append(try text($0))
        }
        return changes.sorted()
    }

    private func text(_ change: HistoryChange) throws -> String {
        let address = try #require(change.address)
        let layout = address.binding.layout
        let name = "\(layout.entity.name ?? "")\(address.key)"
        switch change.kind {
        case .insert: return "+" + name
        case .update:
            let names = try #require(change.properties).names(of: HistoryProperties(layout))
            return ([("~" + name)] + names.sorted()).joined(separator: " ")
        case .delete:
            let values = change.tombstone.map { String(decoding: $0.bytes, as: UTF8.self) }.filter { !$0.isEmpty }
            return (["-" + name] + values).joined(separator: " ")
        }
    }
}

extension SlotSet {
    fileprivate func names(of properties: HistoryProperties) -> [String] { properties.names(of: self) }
}
