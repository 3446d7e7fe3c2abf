import CoreDataStore

/// A custom store that is read and written in its entirety, such as a file in a custom format.
///
/// A subclass sets `metadata` with `NSStoreTypeKey` and `NSStoreUUIDKey` in `loadMetadata()` or at the beginning of
/// `load()`, passes the nodes of all records to `addCacheNodes(_:)` in `load()`, and writes `cacheNodes()` in `save()`.
/// It must override `load()`, `save()` and `newReferenceObject(for:)`. The coordinator calls all methods from one
/// thread at a time.
///
/// ```swift
/// final class TextStore: NSAtomicStore, @unchecked Sendable {
///     override func loadMetadata() throws {
///         let identity = url.flatMap { try? String(contentsOf: $0.appendingPathExtension("id"), encoding: .utf8) }
///         metadata = [NSStoreTypeKey: "Text", NSStoreUUIDKey: identity ?? UUID().uuidString]
///     }
///     override func load() throws { /* Reads the file, makes a node of each record, and calls addCacheNodes(_:). */ }
///     override func save() throws { /* Writes the values of cacheNodes(), and the identity beside them. */ }
/// }
/// NSPersistentStoreCoordinator.registerStoreClass(TextStore.self, forStoreType: "Text")
/// ```
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    private var records: IncrementalRecords?
    /// The cache nodes, by the names of root entities and by the keys of identifiers.
    var nodes: [String: [Int64: NSAtomicStoreCacheNode]] = [:]

    /// The store type: the value of `NSStoreTypeKey` in the metadata, or an empty string.
    override open var type: String { metadata?[NSStoreTypeKey] as? String ?? "" }

    /// The metadata of the store. Setting it also sets `identifier` to the value of `NSStoreUUIDKey`.
    override open var metadata: [String: Any]! {
        didSet { if let identity = metadata?[NSStoreUUIDKey] as? String, !identity.isEmpty { identifier = identity } }
    }

    /// Reads the store and passes its nodes to `addCacheNodes(_:)`. Also called for a store that does not exist yet.
    ///
    /// - Throws: an error that says why the store cannot be used; always, unless a subclass overrides this method.
    open func load() throws { throw StoreMistake.missingMethod("load()", of: self) }

    /// Writes all nodes, and the metadata.
    ///
    /// - Throws: an error that says why not. The save of the context then fails, and the set of nodes and the
    ///   `propertyCache` of each become what they were before.
    open func save() throws { throw StoreMistake.missingMethod("save()", of: self) }

    /// Makes the node of a new object. Unless a subclass overrides this method, the node has the object's values.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        NodeFilling.fill(node, from: managedObject)
        return node
    }

    /// Copies the values of an updated object into its node.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        NodeFilling.fill(node, from: managedObject)
    }

    /// The nodes of all records.
    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values.joined().map(\.value)) }

    /// Adds nodes to the store; a node replaces one with the same identifier.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes { nodes[Self.root(node.objectID), default: [:]][node.objectID.key] = node }
    }

    /// Called before the nodes of deleted objects are removed.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    /// The node with an identifier; nil if the store has none.
    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        guard !objectID.isTemporaryID, objectID.storeIdentifier == identifier else { return nil }
        return nodes[Self.root(objectID)]?[objectID.key]
    }

    /// The identifier of the record that has a reference object: a string or number by which the store names the
    /// record.
    ///
    /// A reference object names one record in a hierarchy of entities: an entity and those that inherit from it share
    /// the names.
    public final func objectID(
        for entity: NSEntityDescription, withReferenceObject data: Any
    ) -> NSManagedObjectID {
        ReferencedIdentifiers(self).identifier(entity, data)
    }

    /// A string or number for a new object, which no other object of its hierarchy has or had; a UUID unless
    /// overridden.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    /// The reference object of a record, a string or number; an empty string for an identifier of another store.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        ReferencedIdentifiers(self).reference(objectID)
    }

    static func root(_ identifier: NSManagedObjectID) -> String { identifier.entity.rootEntity.name ?? "" }

    // MARK: What the coordinator does with it

    override func finishLoading() throws {
        guard let coordinator = persistentStoreCoordinator else { return }
        try load()
        try StoreIdentity(self).establish(for: coordinator.managedObjectModel)
        let made = IncrementalRecords(store: self, model: coordinator.modelLayout)
        made.makesNoDictionaries = true
        for node in nodes.values.joined().map(\.value) {
            try made.check(node.objectID, in: "in load()", of: node.objectID.entity)
            made.known.note(node.objectID.binding, key: node.objectID.key)
        }
        records = made
        objects = made
    }

    override func endServing() {
        objects = nil
        records = nil
        registrations = nil
    }

    var objectServer: (any ObjectServing)? { records }
}
