import CoreData

/// The address of an object: `x-coredata://STORE/Book/p7`, or `Book/p7` for an object of the present store.
package struct ObjectAddress: Equatable, Sendable {
    package let store: String?
    package let entity: String
    package let key: Int64

    /// Reads an address.
    ///
    /// - Throws: `InspectionError` of code `noObject` for a text of another form.
    package init(_ text: String) throws {
        var rest = text[...]
        var store: String?
        if let range = text.range(of: "x-coredata://", options: .anchored) {
            let parts = text[range.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            store = String(parts[0])
            rest = parts.count > 1 ? parts[1] : ""
        }
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        guard store != "", parts.count == 2, let entity = String(parts[0]).removingPercentEncoding, !entity.isEmpty,
            parts[1].first == "p", let key = Int64(parts[1].dropFirst())
        else {
            throw InspectionError(
                .noObject, subject: PrintableText.escaped(text, limit: 120),
                cause: "this is not an address of a saved object",
                hint: "it looks like x-coredata://STORE-UUID/Entity/p1, or Entity/p1 in short")
        }
        self.store = store
        self.entity = entity
        self.key = key
    }
}

extension NSPersistentStore {
    /// The identifier for an address, whether or not the object exists.
    ///
    /// - Throws: `InspectionError` of code `noObject` for a text of another form and for another store, or
    ///   `unknownEntity`.
    package func objectID(at text: String) throws -> NSManagedObjectID {
        let address = try ObjectAddress(text)
        if let other = address.store, other.lowercased() != identifier.lowercased() {
            throw InspectionError(
                .noObject, subject: text, cause: "the address is of store \(other)",
                hint: "this store is \(identifier ?? "?")")
        }
        let entity = try persistentStoreCoordinator?.managedObjectModel.entity(named: address.entity)
        guard let entity, let id = identifier(of: entity, address.key) else { throw InspectionError.missing(text) }
        return id
    }

    private func identifier(of entity: NSEntityDescription, _ key: Int64) -> NSManagedObjectID? {
        var parts = URLComponents()
        parts.scheme = "x-coredata"
        parts.host = identifier
        parts.path = "/\(entity.name ?? "")/p\(key)"
        return parts.url.flatMap { persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0) }
    }
}

extension NSManagedObjectContext {
    /// The object of an address, as an instance of its own entity even if the address names a superentity.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`, and errors of the store.
    package func object(at text: String, in store: NSPersistentStore) throws -> NSManagedObject {
        let id = try store.objectID(at: text)
        let request = NSFetchRequest<NSManagedObject>(entityName: id.entity.name ?? "")
        request.affectedStores = [store]
        request.predicate = NSPredicate(format: "SELF == %@", id)
        guard let object = try fetch(request).first(where: { $0.key == id.key }) else {
            throw InspectionError.missing(text)
        }
        return object
    }
}

extension InspectionError {
    fileprivate static func missing(_ text: String) -> InspectionError {
        InspectionError(.noObject, subject: text, cause: "there is no such object in the store")
    }
}

extension OpenStore {
    /// Runs `body` with an object, on the queue of the object's context.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`, and errors of `body`.
    package func withObject<Result>(at text: String, _ body: (ObjectRecord) throws -> Result) throws -> Result {
        try context.performAndWait { try body(ObjectRecord(object: try object(at: text), reader: reader)) }
    }

    /// The identifier for an address, whether or not the object exists.
    package func objectID(at text: String) throws -> NSManagedObjectID { try store.objectID(at: text) }

    /// The object of an address.
    func object(at text: String) throws -> NSManagedObject {
        do {
            return try context.object(at: text, in: store)
        } catch let error as InspectionError {
            throw error
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}
