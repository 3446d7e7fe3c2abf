import CoreDataStore

/// What became of one object in a transaction. It never changes.
open class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
    /// The number of the change; those of later ones of the store are greater.
    open var changeID: Int64 { details.id }
    /// The object; there is no record of it any more if it was deleted.
    open var changedObjectID: NSManagedObjectID { details.address.objectID }
    /// What became of it.
    open var changeType: NSPersistentHistoryChangeType { details.type }
    /// The transaction, as long as it is referenced; nil for a change that was asked for without.
    open internal(set) weak var transaction: NSPersistentHistoryTransaction?
    /// What the store says, of which values are made when they are asked for: most readers of a long history ask for few.
    let details: HistoryChangeDetails

    init(_ details: HistoryChangeDetails) { self.details = details }

    /// The values of a deleted object's attributes that the model marks, by their names, without those that were nil.
    ///
    /// Nil for other changes, and where the entity has no attribute with `preservesValueInHistoryOnDeletion`.
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

    /// The entity that fetch requests for changes are of: `changedID`, `changeType`, `changedEntity` and `changedObjectID`
    /// may be asked for.
    ///
    /// `changedEntity` is compared with an `NSEntityDescription` and stands for that entity alone, not for those below it.
    /// Beyond Apple's: `updatedProperties` are the names of the changed properties (`'name' IN updatedProperties`), and
    /// `tombstone` the kept values by their names (`tombstone.name == 'Ann'`).
    open class var entityDescription: NSEntityDescription? { HistoryEntities.shared.change }

    /// The entity that fetch requests for changes are of, which is the same for every context.
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

    /// The text for messages and logs; it tells no values.
    override open var description: String {
        "<NSPersistentHistoryChange: \(changeID) \(changeType) \(changedObjectID)>"
    }
}
