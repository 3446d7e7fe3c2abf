import CoreDataGraph
import CoreDataStore
import CoreDataSync
import Foundation

extension SyncSession {
    /// Who puts lost values back, in the store's history.
    static let restoringAuthor = "OpenCoreData.restore"

    /// Puts a value that lost back: the object gets it by an ordinary save, which is validated, is in the history with the author
    /// `OpenCoreData.restore`, and travels with the next exchange.
    ///
    /// - Parameters:
    ///   - write: The value, as ``why(_:_:)`` or ``conflicts(limit:)`` gave it.
    ///   - identifier: The identifier of the object.
    ///   - attribute: The name of the attribute; of an element of a composite its path.
    /// - Throws: `SyncError` with the code `unknownItem` if the object is gone, or the value, since a later one replaced it; with
    ///   `reader` if the store only receives; and errors of the save.
    public func restore(
        _ write: SyncExplanation.Write, of identifier: NSManagedObjectID, _ attribute: String
    ) async throws {
        let place = try place(of: identifier, attribute)
        try await perform { session in
            let value = try session.store.transaction { transaction in
                guard let engine = transaction.engine else { throw SyncError.notJoined }
                guard engine.configuration.role == .writer else { throw SyncError.isReader }
                return try Self.lost(write, place, engine, transaction)
            }
            guard let entity = session.mapping.entity(named: place.entity),
                let mapped = entity.attributesByName[attribute]
            else { throw SyncError.unknownObject }
            try session.save(try ValueConversion.object(value, mapped), mapped, identifier)
        }
    }

    private static func lost(
        _ write: SyncExplanation.Write, _ place: AttributePlace, _ engine: SyncEngine, _ transaction: StoreTransaction
    ) throws -> SyncValue {
        guard let object = try transaction.map.identity(of: place.row) else { throw SyncError.objectGone }
        guard let found = try engine.why(object, place.attribute.name, transaction.storage) else {
            throw SyncError.objectGone
        }
        let candidate = found.candidates.first {
            $0.write.transaction.description == write.transaction && $0.object.description == write.object
                && $0.write.value.shownText == write.value
        }
        guard let candidate else {
            throw SyncError(
                .unknownItem, "The value is gone: the attribute '\(place.attribute.name)' was written since.",
                cure: "Ask why the attribute has its value once more.")
        }
        guard !candidate.isShown else {
            throw SyncError(
                .unknownItem, "The value of '\(place.attribute.name)' did not lose: the object has it.",
                cure: "Name one that is listed as lost.")
        }
        return candidate.write.value
    }

    private func save(_ value: Any?, _ attribute: AttributeMapping, _ identifier: NSManagedObjectID) throws {
        guard let coordinator = persistentStore.persistentStoreCoordinator else { throw SyncError.unsuitable }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = Self.restoringAuthor
        try context.performAndWait {
            guard let object = try? context.existingObject(with: identifier) else { throw SyncError.objectGone }
            let path = attribute.name.split(separator: ".").map(String.init)
            if attribute.element == nil {
                object.setValue(value, forKey: attribute.name)
            } else {
                let key = attribute.declared.name
                let old = object.value(forKey: key) as? [String: Any]
                object.setValue(Self.replacing(old ?? [:], path.dropFirst(), with: value), forKey: key)
            }
            try context.save()
        }
    }

    /// The elements of a composite with one at a path replaced.
    private static func replacing(
        _ elements: [String: Any], _ path: ArraySlice<String>, with value: Any?
    ) -> [String: Any] {
        guard let name = path.first else { return elements }
        var elements = elements
        if path.count == 1 {
            elements[name] = value
        } else {
            let inner = elements[name] as? [String: Any]
            elements[name] = replacing(inner ?? [:], path.dropFirst(), with: value)
        }
        return elements
    }
}

extension SyncError {
    static let isReader = SyncError(
        .reader, "The store only receives: what is saved in it is taken back.",
        cure: "Put the value back at a peer that writes.")
}
