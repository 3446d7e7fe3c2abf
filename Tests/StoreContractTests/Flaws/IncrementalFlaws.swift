import CoreData

/// An incremental store whose class makes a mistake; what it inherits from makes none.
class FlawedDictionaryStore: DictionaryStore, @unchecked Sendable {
    override class var kindName: String { "\(self)" }
}

/// Ignores the window of a fetch.
final class IgnoresWindows: FlawedDictionaryStore, @unchecked Sendable {
    override func find(_ fetch: UntypedFetchRequest) throws -> [NSManagedObjectID] {
        (fetch.fetchLimit, fetch.fetchOffset) = (0, 0)
        return try super.find(fetch)
    }
}

/// Finds an entity without those that inherit from it.
final class OverlooksSubentities: FlawedDictionaryStore, @unchecked Sendable {
    override func find(_ fetch: UntypedFetchRequest) throws -> [NSManagedObjectID] {
        fetch.includesSubentities = false
        return try super.find(fetch)
    }
}

/// Says that it has saved, and has not.
final class ForgetsSaves: FlawedDictionaryStore, @unchecked Sendable {
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        request is NSSaveChangesRequest ? [Any]() : try super.execute(request, with: context)
    }
}

/// Gives every state of a record the same version.
final class KeepsVersions: FlawedDictionaryStore, @unchecked Sendable {
    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let node = try super.newValuesForObject(with: objectID, with: context)
        let values = objectID.entity.propertiesByName.compactMapValues { node.value(for: $0) }
        return NSIncrementalStoreNode(objectID: node.objectID, withValues: values, version: 1)
    }
}

/// Forgets the order of members.
final class SortsMembers: FlawedDictionaryStore, @unchecked Sendable {
    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let value = try super.newValue(forRelationship: relationship, forObjectWith: objectID, with: context)
        guard let members = value as? [NSManagedObjectID] else { return value }
        return members.sorted { $0.uriRepresentation().absoluteString < $1.uriRepresentation().absoluteString }
    }
}

/// Gives names out again.
final class ReusesNames: FlawedDictionaryStore, @unchecked Sendable {
    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        book.lastNumber = 0
        while book.records.values.contains(where: { $0.keys.contains { $0.hasSuffix("/\(book.lastNumber + 1)") } }) {
            book.lastNumber += 1
        }
        return try super.obtainPermanentIDs(for: array)
    }
}
