import CoreDataStore
import Synchronization

/// The identity of a record: its store, its entity and its key; temporary until the record is first saved.
///
/// Immutable; may be handed to any thread. Two identifiers of one record are equal.
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
    /// Whether the record may be of a sub-entity of the named entity: the identifier's URI may be handwritten.
    let namesAncestor: Bool
    /// The row as the fetch that gave the identifier found it: the coordinator knows the row as long as it is referenced.
    private let row: RowSlab?
    /// What the store calls its records, which the identifier says also once the store is closed; nil for most kinds.
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

    /// The identifier of another record of the entity and store of one that is known.
    init(sibling other: NSManagedObjectID, key: Int64) {
        binding = other.binding
        self.key = key
        row = nil
        storeIdentifier = other.storeIdentifier
        references = other.references
        namesAncestor = false
    }

    /// Makes a temporary identifier of no record, unequal to any other, for mocks of stores and contexts; on any thread.
    override public convenience init() {
        let layout = ModelLayout.of(KnownEntities.placeholder(NSManagedObject.self)).entities[0]
        self.init(
            binding: EntityBinding(layout: layout, store: nil, storeNumber: 0), key: TemporaryKeys.next(),
            isTemporary: true)
    }

    /// The identifier of a stored record.
    package convenience init(binding: EntityBinding, key: Int64) {
        self.init(binding: binding, key: key, isTemporary: false)
    }

    /// The identifier of a fetched object, which keeps what was read of it.
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

    /// Whether the record has not been saved yet; its first save gives the object another identifier.
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

    /// What the store itself calls the record, nil where records have numbers only.
    private var reference: String? {
        references?.reference(of: key, in: entity)?.uriText
    }

    /// A copy with the same settings; an immutable object is its own copy.
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
    /// Stores do not count: identifiers of one key and root entity in several are few, and a set is made of each save's.
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

    /// What makes temporary identifiers of this process differ from those of another.
    static let processIdentifier = UUID().uuidString

    /// Whether an object was given the key.
    static func wasGiven(_ key: Int64) -> Bool { key > 0 && key <= last.load(ordering: .relaxed) }

    static func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }
}
