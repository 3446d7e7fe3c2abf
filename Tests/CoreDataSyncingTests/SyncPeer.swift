import CoreData
import CoreDataSyncing
import StoreContract
import TestBasics
import Testing

/// A store with a session, on its own coordinator.
final class SyncPeer {
    let stack: Stack
    let session: SyncSession
    var context: NSManagedObjectContext { stack.context }

    init(
        _ model: NSManagedObjectModel = SyncModel.make(), url: URL? = nil, kind: StoreKind = .sqlite,
        over transport: any SyncTransport, tracking: Bool = true, options: SyncOptions = SyncOptions()
    ) throws {
        var storeOptions: [AnyHashable: Any] = tracking ? [NSPersistentHistoryTrackingKey: true as NSNumber] : [:]
        storeOptions[NSMigratePersistentStoresAutomaticallyOption] = true as NSNumber
        storeOptions[NSInferMappingModelAutomaticallyOption] = true as NSNumber
        stack =
            try url.map { try Stack(model, url: $0, kind: kind, options: storeOptions) }
            ?? Stack(model, kind: kind, options: storeOptions)
        session = try SyncSession(stack.store, over: transport, options: options)
    }

    func insert(_ entity: String, _ label: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(label, forKey: "label")
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
    }

    func find(_ entity: String, _ label: String) throws -> NSManagedObject {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: "label == %@", label)
            context.refreshAllObjects()
            return try #require(try context.fetch(request).first)
        }
    }

    func save() throws { try context.performAndWait { try context.save() } }

    func dump() throws -> String { try StoreDump.text(stack.coordinator) }
}

/// Exchanges until nothing changes any more.
func settle(_ peers: [SyncPeer], rounds: Int = 4) async throws {
    for _ in 0..<rounds { for peer in peers { _ = try await peer.session.exchange() } }
}
