import CoreDataFoundation

/// An entity: the name, the properties and the inheritance of one kind of object.
///
/// Invariant: once the entity is frozen (`isFrozen`), only its user info can change, so any thread may read it; until
/// then one thread owns it. The model owns its entities; references back (superentity, model, a relationship's
/// destination) are weak.
///
/// ```swift
/// let customer = NSEntityDescription()
/// customer.name = "Customer"
/// customer.managedObjectClassName = "Shop.Customer"
/// customer.properties = [name, email]
/// customer.uniquenessConstraints = [["email"]]
/// ```
open class NSEntityDescription: NSObject, NSCopying, AssociationHolder, @unchecked Sendable {
    /// The values that programs associate with the entity.
    final package var associatedObjects: AssociatedObjects?

    var frozen: FrozenEntity?

    /// The weak reference to the entity that other descriptions share.
    let zeroingReference = ZeroingReference<NSEntityDescription>()

    /// The object that the object graph computes from the entity once, at its first use.
    final package let runtime = LazyReference<DescriptionRuntime>()

    /// Whether the entity belongs to a frozen model and can no longer be changed.
    final package var isFrozen: Bool { frozen != nil }

    /// The name of the entity, unique within its model.
    open var name: String? { willSet { requireMutable() } }

    /// The name of the class of the entity's objects; `NSManagedObject` by default.
    open var managedObjectClassName: String! = "NSManagedObject" { willSet { requireMutable() } }
    /// The class of the entity's objects if Swift types declare it, apart from its name; not archived or hashed.
    final package var objectType: AnyClass? { willSet { requireMutable() } }

    /// Whether the entity itself has no objects, only its subentities; false by default.
    open var isAbstract = false { willSet { requireMutable() } }

    /// The model that the entity belongs to; nil until it is added to one.
    open internal(set) weak var managedObjectModel: NSManagedObjectModel!

    /// The entity that this one inherits from.
    open internal(set) var superentity: NSEntityDescription? {
        get { superentityReference?.object }
        set { superentityReference = newValue?.zeroingReference }
    }
    private var superentityReference: ZeroingReference<NSEntityDescription>?

    /// The entities that inherit from this one directly.
    ///
    /// Adding an entity sets its superentity to this one and removes it from the subentities of its former superentity.
    open var subentities: [NSEntityDescription] = [] {
        willSet { requireMutable() }
        didSet { claimSubentities(instead: oldValue) }
    }

    /// The properties that the entity itself declares.
    final package private(set) var ownProperties: [NSPropertyDescription] = [] { didSet { forgetPropertyNames() } }
    /// The declared properties by name; made at the first look-up, and set to nil when they or their names change.
    private var ownPropertiesByName: [String: NSPropertyDescription]?

    /// Values of the model's author, by key; empty by default. They do not affect the version hash.
    ///
    /// May be changed while the model is in use, from any thread; values that the library itself uses, such as
    /// `defaultValueExpression`, are read only once, at the first use.
    ///
    /// Differs from Apple's documentation, according to which changing the user info of a model in use raises an
    /// exception.
    open var userInfo: [AnyHashable: Any]? {
        get { info.values }
        set { info.values = newValue }
    }
    private let info = UserInfo()

    /// A text that is hashed with the entity, to mark a change that does not affect the version hash otherwise.
    open var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name by which a mapping recognises the entity in another version; by default the entity's name.
    open var renamingIdentifier: String? {
        get { declaredRenamingIdentifier ?? name }
        set { declaredRenamingIdentifier = newValue }
    }

    /// The renaming identifier in the model; nil if the model does not have one.
    final package var declaredRenamingIdentifier: String? { willSet { requireMutable() } }

    /// The entity's indexes.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireMutable() }
        didSet { for index in indexes { index.entity = self } }
    }

    /// Groups of attributes (names or `NSAttributeDescription`) whose values must be unique among the entity's objects.
    ///
    /// An element of a composite attribute is given by its path (`color.red`) or by its description.
    open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }

    /// The compound indexes of older models, each over several properties (names or descriptions).
    open var compoundIndexes: [[Any]] = [] { willSet { requireMutable() } }

    /// The expression of the name in Spotlight; part of the model, without effect here.
    open var coreSpotlightDisplayNameExpression: NSExpression! { willSet { requireMutable() } }

    /// The code generation of the entity's class in the model's source: `class`, `category` or nil.
    final package var codeGenerationType: String? { willSet { requireMutable() } }

    /// Whether sync services may see the entity, a setting of the model's source; true by default.
    final package var isSyncable = true { willSet { requireMutable() } }

    /// Attributes of the entity in the model's file that are not known, as `attribute=value`.
    final package var notes: [String] = [] { willSet { requireMutable() } }

    /// Makes an entity without a name, properties or a model.
    public required override init() {
        super.init()
        zeroingReference.point(to: self)
    }

    deinit { zeroingReference.empty() }

    /// Replaces the properties that the entity itself declares.
    final package func setOwnProperties(_ properties: [NSPropertyDescription]) {
        requireMutable()
        for property in ownProperties where property.entity === self { property.entity = nil }
        ownProperties = properties
        for property in properties { property.entity = self }
    }

    final func forgetPropertyNames() {
        if ownPropertiesByName != nil { ownPropertiesByName = nil }
    }

    /// The property of a name that the entity declares or inherits; the time does not depend on the number of
    /// properties.
    final package func property(named name: String) -> NSPropertyDescription? {
        if let frozen { return frozen.propertiesByName[name] }
        return lineage.reversed().lazy.compactMap { $0.ownProperty(named: name) }.first
    }

    private func ownProperty(named name: String) -> NSPropertyDescription? {
        if let known = ownPropertiesByName { return known[name] }
        let made = named(ownProperties)
        ownPropertiesByName = made
        return made[name]
    }

    /// Whether another entity has the same content; settings that only editors use are not compared.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the name alone, which is fast and the same for equal descriptions.
    override open var hash: Int { name.hashValue }

    private func claimSubentities(instead old: [NSEntityDescription]) {
        for entity in old where entity.superentity === self { entity.superentity = nil }
        for entity in subentities {
            if let former = entity.superentity, former !== self { former.subentities.removeAll { $0 === entity } }
            entity.superentity = self
        }
    }

    func requireMutable() {
        if isFrozen { stopModifyingFrozenModel("entity '\(name ?? "?")'") }
    }
}
