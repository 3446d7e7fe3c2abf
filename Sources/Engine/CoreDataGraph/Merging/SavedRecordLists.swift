import CoreDataStore

/// The name of a record in a user info that a program passes: an identifier or an identifier's URI.
enum RecordName: Sendable {
    case identifier(NSManagedObjectID)
    case address(URL)

    /// The name of a record in a user info; nil for other entries.
    ///
    /// An object may belong to another queue: only its identity is read.
    init?(_ entry: Any) {
        switch entry {
        case let identifier as NSManagedObjectID: self = .identifier(identifier)
        case let object as NSManagedObject:
            self = .identifier(RowAddress(binding: object.binding, key: object.key).objectID)
        case let address as URL: self = .address(address)
        case let address as NSURL: self = .address(address as URL)
        default: return nil
        }
    }

    /// Returns the identifier; the coordinator resolves a URI, and the result is nil if it cannot.
    func identifier(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
        switch self {
        case .identifier(let identifier): identifier
        case .address(let address): coordinator.managedObjectID(forURIRepresentation: address)
        }
    }
}

/// The saved changes in a notification's user info. Entries of another form are ignored.
struct SavedRecordLists: Sendable {
    private(set) var inserted: [RecordName]
    private(set) var updated: [RecordName]
    private(set) var deleted: [RecordName]
    /// Whether all objects of the context are to be refreshed.
    let concernsAll: Bool

    init(_ userInfo: [AnyHashable: Any]) {
        inserted = Self.names(userInfo, NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        // Updated, refreshed and invalidated objects all still exist: the merging context reads them again.
        updated = Self.names(
            userInfo, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
            NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey)
        deleted = Self.names(userInfo, NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        concernsAll = userInfo[NSInvalidatedAllObjectsKey].map { ($0 as? Bool) != false } ?? false
    }

    /// Returns the changes with the coordinator's identifiers; records whose URI it cannot resolve are left out.
    func changes(in coordinator: NSPersistentStoreCoordinator) -> SavedChanges {
        SavedChanges(
            inserted: inserted.compactMap { $0.identifier(in: coordinator) },
            updated: updated.compactMap { $0.identifier(in: coordinator) },
            deleted: deleted.compactMap { $0.identifier(in: coordinator) })
    }

    private static func names(_ userInfo: [AnyHashable: Any], _ keys: String...) -> [RecordName] {
        keys.flatMap { key in userInfo[key].map(entries)?.compactMap(RecordName.init) ?? [] }
    }

    /// The members of a set or an array of any kind.
    private static func entries(_ value: Any) -> [Any] {
        switch value {
        case let objects as Set<NSManagedObject>: Array(objects)
        case let identifiers as Set<NSManagedObjectID>: Array(identifiers)
        case let set as NSSet: set.allObjects
        case let array as [Any]: array
        case let array as NSArray: array.map { $0 }
        case let list as NSOrderedSet: list.array
        default: []
        }
    }
}
