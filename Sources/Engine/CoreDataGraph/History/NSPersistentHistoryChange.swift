import CoreDataStore

/// What became of one object in a transaction. It never changes.
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
    /// The number of the change; those of later ones of the store are greater.
    open var changeID: Int64 { details.id }
    /// The object; its record no longer exists if it was deleted.
    open var changedObjectID: NSManagedObjectID { details.address.objectID }
    /// The kind of change.
    open var changeType: NSPersistentHistoryChangeType { details.type }
    /// The transaction, as long as it is referenced; nil for a change that was requested without it.
    open internal(set) weak var transaction: NSPersistentHistoryTransaction?
    /// The stored details, whose values are decoded on demand: most readers of a long history need few of them.
    let details: HistoryChangeDetails

    init(_ details: HistoryChangeDetails) { self.details = details }

    /// The values of a deleted object's attributes that the model marks, by their names, without those that were nil.
    ///
    /// Nil for other changes, and for an entity without attributes with `preservesValueInHistoryOnDeletion`.
    open var tombstone: [AnyHashable: Any]? {
        details.tombstone.map { values in Dictionary(uniqueKeysWithValues: values.map { ($0 as AnyHashable, $1) }) }
    }

    /// The properties that were changed of an updated object; nil for other changes, and where the store cannot determine.
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
    /// Beyond Apple's: `updatedProperties` are the names of the changed properties (`'name' IN updatedProperties`), and
    /// `tombstone` the kept values by their names (`tombstone.name == 'Ann'`).
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

    /// The change itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The text for messages and logs; it does not contain values.
    override open var description: String {
        "<NSPersistentHistoryChange: \(changeID) \(changeType) \(changedObjectID)>"
    }
}
