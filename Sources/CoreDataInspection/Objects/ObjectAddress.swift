import CoreData

/// The address of an object as people write it: `x-coredata://STORE/Book/p7`, or `Book/p7` for the store at hand.
package struct ObjectAddress: Equatable, Sendable {
    package let store: String?
    package let entity: String
    package let key: Int64

    /// Reads an address.
    ///
    /// - Throws: `InspectionError` of code `noObject` for another form.
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
                .noObject, PrintableText.escaped(text, limit: 120), "this is no address of a saved object",
                hint: "it looks like x-coredata://STORE-UUID/Entity/p1, or Entity/p1 in short")
        }
        self.store = store
        self.entity = entity
        self.key = key
    }
}

extension OpenStore {
    /// Hands an object to `body`, which runs on the queue of the object's context.
    ///
    /// - Throws: `InspectionError` of code `noObject` or `unknownEntity`, and what `body` throws.
    package func withObject<Result>(at text: String, _ body: (ObjectRecord) throws -> Result) throws -> Result {
        try context.performAndWait { try body(ObjectRecord(object: try object(at: text), reader: reader)) }
    }

    /// The identifier of an address, whether there is such an object or not.
    ///
    /// - Throws: `InspectionError` of code `noObject` for another form and for another store, or `unknownEntity`.
    func objectID(at text: String) throws -> NSManagedObjectID {
        let address = try ObjectAddress(text)
        let entity = try entity(named: address.entity)
        if let other = address.store, other.lowercased() != store.identifier.lowercased() {
            throw InspectionError(
                .noObject, text, "the address is of store \(other)", hint: "this store is \(store.identifier ?? "?")")
        }
        guard let id = identifier(entity, address.key) else { throw Self.missing(text) }
        return id
    }

    private static func missing(_ text: String) -> InspectionError {
        InspectionError(.noObject, text, "there is no such object in the store")
    }

    /// The object of an address, as an instance of its own entity rather than of one above it.
    func object(at text: String) throws -> NSManagedObject {
        let id = try objectID(at: text)
        let address = try ObjectAddress(text)
        let missing = Self.missing(text)
        let request = NSFetchRequest<NSManagedObject>(entityName: address.entity)
        request.predicate = NSPredicate(format: "SELF == %@", id)
        do {
            guard let object = try context.fetch(request).first(where: { $0.key == address.key }) else { throw missing }
            return object
        } catch let error as InspectionError {
            throw error
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }

    private func identifier(_ entity: NSEntityDescription, _ key: Int64) -> NSManagedObjectID? {
        var parts = URLComponents()
        parts.scheme = "x-coredata"
        parts.host = store.identifier
        parts.path = "/\(entity.name ?? "")/p\(key)"
        return parts.url.flatMap { coordinator.managedObjectID(forURIRepresentation: $0) }
    }
}
