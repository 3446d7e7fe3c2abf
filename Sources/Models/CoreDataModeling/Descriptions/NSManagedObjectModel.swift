import CoreDataFoundation
import Synchronization

/// A model: the entities of a store, their configurations and the fetches that are kept with them.
///
/// Invariants:
/// 1. The model owns its entities; they point back weakly.
/// 2. A model can be changed, by one thread, until it is first used by a coordinator, which freezes it (`freeze()`).
/// 3. A frozen model and all its descriptions never change again, so any thread may read them.
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
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    /// Held while the model is being frozen, so that two coordinators may start with it at once.
    let freezing = Mutex(())
    /// What the object graph computes of the model once, at its first use.
    final package let runtime = LazyReference<DescriptionRuntime>()
    var frozenEntities: [NSEntityDescription]?
    var frozenEntitiesByName: [String: NSEntityDescription]?

    /// Whether the model has been used and can no longer be changed.
    final package internal(set) var isFrozen = false

    /// Whether the model is a copy with which a migration reads or writes: its objects are plain, whatever classes it names.
    final package internal(set) var servesMigration = false { willSet { requireMutable() } }

    private var declaredEntities: [NSEntityDescription] = [] { willSet { requireMutable() } }
    var entityNamesByConfiguration: [String: [String]] = [:] { willSet { requireMutable() } }

    /// The entities of the model; setting them takes in everything that inherits from them.
    ///
    /// An entity belongs to one model: it leaves the one that it is taken from. One that is in use cannot leave; take a copy.
    open var entities: [NSEntityDescription] {
        get { frozenEntities ?? NSEntityDescription.withDescendants(declaredEntities) }
        set {
            requireMutable()
            for entity in entities where entity.managedObjectModel === self { entity.managedObjectModel = nil }
            declaredEntities = newValue
            for entity in entities { take(entity) }
        }
    }

    /// Makes an entity the model's own; the model that had it before has it no more.
    private func take(_ entity: NSEntityDescription) {
        if entity.isFrozen { stopModifyingFrozenModel("the model of entity '\(entity.name ?? "?")'") }
        if let former = entity.managedObjectModel, former !== self {
            former.declaredEntities.removeAll { $0 === entity }
        }
        entity.managedObjectModel = self
    }

    /// The entities of the model by name; constant time once the model has been used.
    open var entitiesByName: [String: NSEntityDescription] { frozenEntitiesByName ?? Self.named(entities) }

    /// Texts of the model's author that name the version; they take no part in compatibility.
    open var versionIdentifiers: Set<AnyHashable> = [] { willSet { requireMutable() } }

    /// Translations of names and messages by key, which the texts of validation errors heed.
    ///
    /// | key | value |
    /// |---|---|
    /// | `Entity/Hero` | the name of the entity |
    /// | `Property/name/Entity/Hero` | the name of the property in this entity |
    /// | `Property/name` | the name of the property in any entity |
    /// | `ErrorString/Too small` | the text instead of a validation warning or an error's own words |
    open var localizationDictionary: [String: String]? { willSet { requireMutable() } }

    /// The fetches that are kept with the model, by name, as the model states them.
    final package var templatesByName: [String: FetchRequestTemplate] = [:] { willSet { requireMutable() } }

    /// The `NSFetchRequest` objects of templates that were set in code, by name; kept for the module that knows the class.
    final package var templateObjectsByName: [String: NSObject] = [:] { willSet { requireMutable() } }

    /// What the model's file says beyond what is known of models, as `attribute=value`.
    final package var notes: [String] = [] { willSet { requireMutable() } }

    /// Makes a model without entities.
    public required override init() {}

    /// A copy of the model and all its descriptions that may be changed.
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

    /// Whether another model says the same; content counts, not identity, and what only an editor needs does not.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the number of entities alone, which costs little and is alike in equal models.
    override open var hash: Int { entitiesByName.count }

    static func named(_ entities: [NSEntityDescription]) -> [String: NSEntityDescription] {
        let named = entities.compactMap { entity in entity.name.map { ($0, entity) } }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    func requireMutable() {
        if isFrozen { stopModifyingFrozenModel("the model") }
    }
}
