import CoreDataStore

/// A change of one object in a transaction. Immutable.
///
/// ```swift
/// for change in transactions.flatMap({ $0.changes ?? [] }) {
///     switch change.changeType {
///     case .insert: print("new:", change.changedObjectID)
///     case .update: print("changed:", change.updatedProperties?.map(\.name) ?? [])
///     case .delete: print("deleted:", change.tombstone?["number"] ?? "")
///     }
/// }
/// ```
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
    /// The number of the change; later changes of the store have greater numbers.
    open var changeID: Int64 { details.id }
    /// The object; its record no longer exists if it was deleted.
    open var changedObjectID: NSManagedObjectID { details.address.objectID }
    /// The kind of change.
    open var changeType: NSPersistentHistoryChangeType { details.type }
    /// The transaction, while the program references it; nil for a change that was requested without its transaction.
    open internal(set) weak var transaction: NSPersistentHistoryTransaction?
    /// The stored details. Values are decoded on demand, since most readers of a long history need few of them.
    let details: HistoryChangeDetails

    init(_ details: HistoryChangeDetails) { self.details = details }

    /// The values of a deleted object's attributes with `preservesValueInHistoryOnDeletion`, by name, without nil
    /// values.
    ///
    /// Nil for other changes, and for an entity without such attributes.
    open var tombstone: [AnyHashable: Any]? {
        details.tombstone.map { values in Dictionary(uniqueKeysWithValues: values.map { ($0 as AnyHashable, $1) }) }
    }

    /// The properties that an update changed; nil for other changes, and if the store does not record them.
    open var updatedProperties: Set<NSPropertyDescription>? {
        details.updatedNames.map { names in
            let properties = details.address.binding.layout.entity.propertiesByName
            return Set(names.compactMap { properties[$0] })
        }
    }

    /// The entity of fetch requests for changes; predicates may use `changedID`, `changeType`, `changedEntity` and
    /// `changedObjectID`.
    ///
    /// `changedEntity` is compared with an `NSEntityDescription` and matches that entity alone, not its sub-entities.
    /// Beyond Apple's framework, predicates may use `updatedProperties`, the names of the changed properties
    /// (`'name' IN updatedProperties`), and `tombstone`, the preserved values by name (`tombstone.name == 'Ann'`).
    open class var entityDescription: NSEntityDescription? { HistoryEntities.shared.change }

    /// The entity of fetch requests for changes, which is the same for every context.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request for changes.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entityDescription
        return request
    }

    /// Returns the change itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A text for messages and logs; it does not contain values.
    override open var description: String {
        "<NSPersistentHistoryChange: \(changeID) \(changeType) \(changedObjectID)>"
    }
}
