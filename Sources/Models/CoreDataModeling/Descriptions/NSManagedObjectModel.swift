import CoreDataFoundation
import Synchronization

/// A model: the entities of a store, their configurations and fetch request templates.
///
/// Invariants:
/// 1. The model owns its entities; their references to the model are weak.
/// 2. A model can be changed, by one thread, until it is first used by a coordinator, which freezes it (`freeze()`).
/// 3. A frozen model and all its descriptions cannot change, except user infos, so any thread may read them.
///
/// ```swift
/// let name = NSAttributeDescription()
/// name.name = "name"
/// name.type = .string
/// let customer = NSEntityDescription()
/// customer.name = "Customer"
/// customer.properties = [name]
/// let model = NSManagedObjectModel()
/// model.entities = [customer]
/// print(model.versionChecksum)
/// ```
open class NSManagedObjectModel: NSObject, NSCopying, AssociationHolder, @unchecked Sendable {
    /// The values that programs associate with the model.
    final package var associatedObjects: AssociatedObjects?

    /// Locked while the model is being frozen, since two coordinators may do so at the same time.
    let freezing = Mutex(())
    /// The object that the object graph computes from the model once, at its first use.
    final package let runtime = LazyReference<DescriptionRuntime>()
    var frozenEntities: [NSEntityDescription]?
    var frozenEntitiesByName: [String: NSEntityDescription]?
    /// The version hashes of a frozen model, computed when they are first needed: opening a store compares them several times.
    let frozenVersionHashes = Mutex<[String: Data]?>(nil)

    /// Whether a coordinator has frozen the model, which can then no longer be changed.
    final package internal(set) var isFrozen = false

    /// Whether the model is a copy for a migration: its objects are of plain classes, whatever classes the entities
    /// name.
    final package internal(set) var servesMigration = false { willSet { requireMutable() } }

    private var declaredEntities: [NSEntityDescription] = [] { willSet { requireMutable() } }
    var entityNamesByConfiguration: [String: [String]] = [:] { willSet { requireMutable() } }

    /// The entities of the model; setting them also adds their descendants.
    ///
    /// An entity belongs to one model: adding it removes it from its former one. An entity of a frozen model cannot be
    /// moved; add a copy.
    open var entities: [NSEntityDescription] {
        get { frozenEntities ?? NSEntityDescription.withDescendants(declaredEntities) }
        set {
            requireMutable()
            for entity in entities where entity.managedObjectModel === self { entity.managedObjectModel = nil }
            declaredEntities = newValue
            for entity in entities { take(entity) }
        }
    }

    /// Adds an entity to this model and removes it from its former one.
    private func take(_ entity: NSEntityDescription) {
        if entity.isFrozen { stopModifyingFrozenModel("the model of entity '\(entity.name ?? "?")'") }
        if let former = entity.managedObjectModel, former !== self {
            former.declaredEntities.removeAll { $0 === entity }
        }
        entity.managedObjectModel = self
    }

    /// The entities of the model by name; constant time once the model has been used.
    open var entitiesByName: [String: NSEntityDescription] { frozenEntitiesByName ?? Self.named(entities) }

    /// Texts by which the model's author names the version; they do not affect compatibility.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }

    /// Translations of names and messages by key; the texts of validation errors use them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `Entity/Hero` | the name of the entity |
    /// | `Property/name/Entity/Hero` | the name of the property in this entity |
    /// | `Property/name` | the name of the property in any entity |
    /// | `ErrorString/Too small` | the text instead of a validation warning or an error's own words |
    open var localizationDictionary: [String: String]? { willSet { requireMutable() } }

    /// The fetch request templates of the model, by name.
    final package var templatesByName: [String: FetchRequestTemplate] = [:] { willSet { requireMutable() } }

    /// The `NSFetchRequest` objects of templates that were set in code, by name, for the module that declares the
    /// class.
    final package var templateObjectsByName: [String: NSObject] = [:] { willSet { requireMutable() } }

    /// Attributes of the model in its file that are not known, as `attribute=value`.
    final package var notes: [String] = [] { willSet { requireMutable() } }

    /// Makes a model without entities.
    public required override init() {}

    /// A mutable copy of the model and all its descriptions.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        var copying = DescriptionCopying()
        copy.entities = copying.copy(entities)
        copy.entityNamesByConfiguration = entityNamesByConfiguration
        copy.versionIdentifiers = versionIdentifiers
        copy.localizationDictionary = localizationDictionary
        copy.templatesByName = templatesByName
        copy.templateObjectsByName = templateObjectsByName.compactMapValues { $0.copy() as? NSObject }
        copy.notes = notes
        return copy
    }

    /// Whether another model has the same content; settings that only editors use are not compared.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the number of entities alone, which is fast and the same for equal models.
    override open var hash: Int { entitiesByName.count }

    static func named(_ entities: [NSEntityDescription]) -> [String: NSEntityDescription] {
        let named = entities.compactMap { entity in entity.name.map { ($0, entity) } }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    func requireMutable() {
        if isFrozen { stopModifyingFrozenModel("the model") }
    }
}
