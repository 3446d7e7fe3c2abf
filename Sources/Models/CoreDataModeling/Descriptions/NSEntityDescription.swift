import CoreDataFoundation

/// An entity: the name, the properties and the place in the inheritance of one kind of object.
///
/// Invariant: once frozen (`isFrozen`) nothing changes any more but the user info, so any thread may read it; until then one thread owns it.
/// The model owns its entities; what points back (superentity, model, a relationship's destination) is weak.
///
/// ```swift
/// let customer = NSEntityDescription()
/// customer.name = "Customer"
/// customer.managedObjectClassName = "Shop.Customer"
/// customer.properties = [name, email]
/// customer.uniquenessConstraints = [["email"]]
/// ```
open class NSEntityDescription: NSObject, NSCopying, AssociationHolder, @unchecked Sendable {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    var frozen: FrozenEntity?

    /// What leads back to the entity.
    let zeroingReference = ZeroingReference<NSEntityDescription>()

    /// What the object graph computes of the entity once, at its first use.
    final package let runtime = LazyReference<DescriptionRuntime>()

    /// Whether the entity belongs to a model that has been used and can no longer be changed.
    final package var isFrozen: Bool { frozen != nil }

    /// The name of the entity, unique within its model.
    open var name: String? { willSet { requireMutable() } }

    /// The name of the class of the entity's objects; `NSManagedObject` at first.
    open var managedObjectClassName: String! = "NSManagedObject" { willSet { requireMutable() } }

    /// Whether only sub-entities have objects, but not the entity itself; false at first.
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
    /// Adding an entity makes this one its superentity and takes it away from an earlier one.
    open var subentities: [NSEntityDescription] = [] {
        willSet { requireMutable() }
        didSet { claimSubentities(instead: oldValue) }
    }

    /// The properties that the entity itself declares.
    final package private(set) var ownProperties: [NSPropertyDescription] = [] { didSet { forgetPropertyNames() } }
    /// The declared properties by name, made when one is looked up and forgotten when they or their names change.
    private var ownPropertiesByName: [String: NSPropertyDescription]?

    /// Values of the model's author, by key; empty at first. They do not affect the version hash.
    ///
    /// May be changed while the model is in use, from any thread; values that the library itself uses, such as
    /// `defaultValueExpression`, are read once, at the first use.
    ///
    /// Differs from Apple's documentation, which states that it raises an exception for a model in use.
    open var userInfo: [AnyHashable: Any]? {
        get { info.values }
        set { info.values = newValue }
    }
    private let info = UserInfo()

    /// A text that is hashed with the entity, to mark a change that the hash would not see.
    open var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name by which a mapping recognises the entity in another version: its own name unless set.
    open var renamingIdentifier: String? {
        get { declaredRenamingIdentifier ?? name }
        set { declaredRenamingIdentifier = newValue }
    }

    /// The renaming identifier as the model gives it.
    final package var declaredRenamingIdentifier: String? { willSet { requireMutable() } }

    /// The entity's indexes.
    open var indexes: [NSFetchIndexDescription] = [] {
        willSet { requireMutable() }
        didSet { for index in indexes { index.entity = self } }
    }

    /// Groups of attributes (names or `NSAttributeDescription`) whose values must be unique among the entity's objects.
    ///
    /// An element of a composite attribute is named by its path (`color.red`), or described by its own description.
    open var uniquenessConstraints: [[Any]] = [] { willSet { requireMutable() } }

    /// Indexes over several properties (names or descriptions) in the way of old models.
    open var compoundIndexes: [[Any]] = [] { willSet { requireMutable() } }

    /// The expression of the name that Spotlight shows; kept for the model's sake and without effect here.
    open var coreSpotlightDisplayNameExpression: NSExpression! { willSet { requireMutable() } }

    /// How the model's source asks for the entity's class to be generated: `class`, `category` or nil.
    final package var codeGenerationType: String? { willSet { requireMutable() } }

    /// Whether the editor's synchronisation service may see the entity; kept for the source's sake, true at first.
    final package var isSyncable = true { willSet { requireMutable() } }

    /// What the model's file says beyond what is known of entities, as `attribute=value`.
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

    /// The property of a name that the entity declares or inherits; takes no longer where there are many properties.
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

    /// Whether another entity says the same; content counts, not identity, and what only an editor needs does not.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the name alone, which costs little and is alike in equal descriptions.
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
