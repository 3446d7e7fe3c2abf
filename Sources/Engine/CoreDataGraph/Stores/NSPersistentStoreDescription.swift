import CoreDataStore

/// How a container is to add one store.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/srv/shop/Shop.sqlite"))
/// description.isReadOnly = true
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
open class NSPersistentStoreDescription: NSObject, NSCopying, AssociationHolder {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    /// The kind of store; SQLite at first.
    open var type = NSSQLiteStoreType

    /// The configuration of the model whose entities the store keeps; nil for all.
    open var configuration: String?

    /// Where the store is; nil, for one whose kind needs no place, only if it is set so.
    open var url: URL?

    /// The options to add the store with, as objects.
    open private(set) var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// Whether a container adds the store: then a copy is made before it is migrated, unless the options say otherwise.
    var isOfContainer = false

    /// The options with what a container adds to them.
    var openingOptions: [String: NSObject] {
        guard isOfContainer else { return options }
        return [CoreDataMigrationBackupOption: NSNumber(value: true)].merging(options) { $1 }
    }

    /// Whether the store is added without waiting for it; false at first.
    open var shouldAddStoreAsynchronously = false

    /// How the store is to be mirrored to CloudKit; kept and without effect here.
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

    /// Makes a description of a SQLite store, or of a PostgreSQL store where the URL has the scheme `postgresql` or `postgres`.
    public init(url: URL) {
        self.url = url
        super.init()
        if ["postgresql", "postgres"].contains(url.scheme?.lowercased()) { type = CoreDataPostgreSQLStoreType }
    }

    /// Makes a description of a SQLite store in memory, at `/dev/null`.
    override public init() {
        url = MemoryPlace.url
        super.init()
    }

    /// Sets an option; nil takes it out.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Whether the store refuses to save; false at first.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// How many seconds to wait for a store that another process uses; 240 at first.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// The SQLite pragmas to set when the store is opened.
    open var sqlitePragmas: [String: NSObject] {
        (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
    }

    /// Sets a SQLite pragma; nil takes it out.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
    }

    /// Whether a store made with another version of the model is migrated; true at first.
    open var shouldMigrateStoreAutomatically: Bool {
        get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether the mapping for a migration is inferred; true at first.
    open var shouldInferMappingModelAutomatically: Bool {
        get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// A copy with the same settings; an immutable object is its own copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.options = options
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.cloudKitContainerOptions = cloudKitContainerOptions
        return copy
    }
}
