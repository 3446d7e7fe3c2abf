import CoreDataStore
import Synchronization

/// The identity of a record: its store, its entity and its key; temporary until the record is first saved.
///
/// Immutable; may be used on any thread. Two identifiers of one record are equal.
///
/// ```swift
/// let identifier = customer.objectID
/// let background = container.newBackgroundContext()
/// try await background.perform {
///     let copy = try background.existingObject(with: identifier)
///     copy.setValue("Ann", forKey: "name")
///     try background.save()
/// }
/// ```
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
    let binding: EntityBinding
    final package let key: Int64
    let storeIdentifier: String?
    /// Whether the record may be of a subentity of `entity`, as the program may have written the URI itself.
    let namesAncestor: Bool
    /// The row that the fetch of the identifier read: it stays in the row cache while an identifier references it.
    private let row: RowSlab?
    /// The reference objects of the store's records, of which the URI contains one even after the store is closed; nil
    /// for most kinds of stores.
    private let references: ReferenceKeys?

    init(
        binding: EntityBinding, key: Int64, isTemporary: Bool, mayNameAncestor: Bool = false,
        keeping row: RowSlab? = nil
    ) {
        self.binding = binding
        self.key = key
        self.row = row
        let store = isTemporary ? nil : binding.store
        storeIdentifier = isTemporary ? nil : store?.identifier ?? ""
        references = store?.referenceKeys
        namesAncestor = mayNameAncestor && !binding.layout.entity.subentities.isEmpty
    }

    /// Makes the identifier of another record with the same entity and store as `other`.
    init(sibling other: NSManagedObjectID, key: Int64) {
        binding = other.binding
        self.key = key
        row = nil
        storeIdentifier = other.storeIdentifier
        references = other.references
        namesAncestor = false
    }

    /// Makes a temporary identifier without a record, unequal to any other, for mocks of stores and contexts. Can be
    /// called on any thread.
    override public convenience init() {
        let layout = ModelLayout.of(KnownEntities.placeholder(NSManagedObject.self)).entities[0]
        self.init(
            binding: EntityBinding(layout: layout, store: nil, storeNumber: 0), key: TemporaryKeys.next(),
            isTemporary: true)
    }

    /// Makes the identifier of a stored record.
    package convenience init(binding: EntityBinding, key: Int64) {
        self.init(binding: binding, key: key, isTemporary: false)
    }

    /// Makes the identifier of a fetched object, which retains the object's row.
    convenience init(keepingRowOf object: NSManagedObject) {
        let isTemporary = object.flags.contains(.temporary)
        self.init(
            binding: object.binding, key: object.key, isTemporary: isTemporary,
            keeping: isTemporary ? nil : object.slab)
    }

    /// The entity of the record.
    open var entity: NSEntityDescription { binding.layout.entity }

    /// The store of the record; nil while the identifier is temporary, or when the store has been removed.
    open weak var persistentStore: NSPersistentStore? { isTemporaryID ? nil : binding.store }

    /// Whether the record has not been saved yet; the first save gives the object a permanent identifier.
    open var isTemporaryID: Bool { storeIdentifier == nil }

    /// The identifier as a URI: `x-coredata://STORE-UUID/Entity/pN`, or `x-coredata:///Entity/tUUIDN` while temporary.
    open func uriRepresentation() -> URL {
        let name = entity.name ?? ""
        let reference = reference
        let text =
            if let storeIdentifier {
                "x-coredata://\(storeIdentifier)/\(name)/p\(reference == nil ? String(key) : "")"
            } else {
                "x-coredata:///\(name)/t\(TemporaryKeys.processIdentifier)\(key)"
            }
        var allowed = CharacterSet.urlPathAllowed
        allowed.insert(charactersIn: ":/")
        let escaped = text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        allowed.remove("/")
        let named = reference?.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return URL(string: escaped + named) ?? URL(fileURLWithPath: "/")
    }

    /// The reference object by which the store identifies the record; nil if the store uses numbers only.
    private var reference: String? {
        references?.reference(of: key, in: entity)?.uriText
    }

    /// Returns the identifier itself, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is an identifier of the same record.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return other === self
            || other.key == key && other.storeIdentifier == storeIdentifier
                && other.entity.rootEntity.name == entity.rootEntity.name
    }

    /// Equal objects have equal hashes.
    ///
    /// The store is not hashed: few identifiers have the same key and root entity but different stores, and each save
    /// makes a set of identifiers, so hashing must be fast.
    override open var hash: Int { Int(truncatingIfNeeded: key) &+ binding.layout.rootHash }

    /// The text for messages and logs.
    override open var description: String {
        let state = isTemporaryID ? "temporary " : ""
        return "<\(state)\(entity.name ?? ""): \(uriRepresentation().absoluteString)>"
    }
}

/// Keys of objects that were never saved, unique in the process.
enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)

    /// Makes temporary identifiers of this process differ from those of other processes.
    static let processIdentifier = UUID().uuidString

    /// Whether `next()` has returned the key.
    static func wasGiven(_ key: Int64) -> Bool { key > 0 && key <= last.load(ordering: .relaxed) }

    static func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }
}
