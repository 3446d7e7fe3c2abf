import CoreDataStore

/// Describes how a container adds one store.
///
/// ```swift
/// let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/srv/shop/Shop.sqlite"))
/// description.isReadOnly = true
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// container.persistentStoreDescriptions = [description]
/// ```
open class NSPersistentStoreDescription: NSObject, NSCopying, AssociationHolder {
    /// The values that programs associate with the description.
    final package var associatedObjects: AssociatedObjects?

    /// The store type; by default SQLite.
    open var type = NSSQLiteStoreType

    /// The configuration of the model whose entities the store keeps; nil for all.
    open var configuration: String?

    /// The URL of the store; nil only if the program sets it to nil, for a type that needs no URL.
    open var url: URL?

    /// The options with which the store is added.
    open private(set) var options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// Whether a container adds the store: it then makes a backup before a migration, unless the options say otherwise.
    var isOfContainer = false

    /// The options, with the default that a container adds.
    var openingOptions: [String: NSObject] {
        guard isOfContainer else { return options }
        return [CoreDataMigrationBackupOption: NSNumber(value: true)].merging(options) { $1 }
    }

    /// Whether the store is added asynchronously; by default false.
    open var shouldAddStoreAsynchronously = false

    /// The options for mirroring to CloudKit; stored, but without effect in this library.
    open var cloudKitContainerOptions: NSPersistentCloudKitContainerOptions?

    /// Makes a description of a SQLite store, or of a PostgreSQL store for the URL schemes `postgresql` and `postgres`.
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

    /// Sets an option; nil removes it.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Whether the store refuses to save; by default false.
    open var isReadOnly: Bool {
        get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// The number of seconds to wait for a store that another process uses; by default 240.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// The SQLite pragmas to set when the store is opened.
    open var sqlitePragmas: [String: NSObject] {
        (options[NSSQLitePragmasOption] as? NSDictionary) as? [String: NSObject] ?? [:]
    }

    /// Sets a SQLite pragma; nil removes it.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        setOption(NSDictionary(dictionary: pragmas), forKey: NSSQLitePragmasOption)
    }

    /// Whether a store made with another version of the model is migrated; by default true.
    open var shouldMigrateStoreAutomatically: Bool {
        get { (options[NSMigratePersistentStoresAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether the mapping for a migration is inferred; by default true.
    open var shouldInferMappingModelAutomatically: Bool {
        get { (options[NSInferMappingModelAutomaticallyOption] as? NSNumber)?.boolValue ?? false }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// Returns a copy with the same settings.
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
