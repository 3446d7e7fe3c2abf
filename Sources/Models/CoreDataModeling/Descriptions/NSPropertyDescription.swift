import CoreDataFoundation

/// A property of an entity: the common superclass of attributes, relationships and fetched properties.
///
/// Invariant: once the property is frozen (`isFrozen`), only its user info can change, so any thread may read it; until
/// then one thread owns it. An inherited property is the same object in all entities; its `entity` is the one that
/// declares it.
open class NSPropertyDescription: NSObject, NSCopying, AssociationHolder, @unchecked Sendable {
    /// The values that programs associate with the property.
    final package var associatedObjects: AssociatedObjects?

    final package internal(set) var isFrozen = false

    /// The entity that declares the property; nil until the property is added to one.
    open internal(set) var entity: NSEntityDescription! {
        get { declaringEntity?.object }
        set { declaringEntity = newValue?.zeroingReference }
    }
    private var declaringEntity: ZeroingReference<NSEntityDescription>?

    /// The name of the property; it must differ from the names of the entity's other properties.
    open var name: String = "" {
        willSet { requireMutable() }
        didSet { entity?.forgetPropertyNames() }
    }

    /// Whether the property may be nil, or empty, in a save; true by default.
    open var isOptional = true { willSet { requireMutable() } }

    /// Whether the store does not keep the property; false by default.
    open var isTransient = false { willSet { requireMutable() } }

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

    /// Whether the property is indexed, the setting of older models; fetch indexes have replaced it.
    open var isIndexed = false { willSet { requireMutable() } }

    /// Whether Spotlight indexes the values; part of the model, without effect here.
    open var isIndexedBySpotlight = false { willSet { requireMutable() } }

    /// Whether values are written to the external record; part of the model, without effect here.
    open var isStoredInExternalRecord = false { willSet { requireMutable() } }

    /// A text that is hashed with the property, to mark a change that does not affect the version hash otherwise.
    open var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name by which a mapping recognises the property in another version; by default the property's name.
    open var renamingIdentifier: String? {
        get { declaredRenamingIdentifier ?? name }
        set { declaredRenamingIdentifier = newValue }
    }

    /// The renaming identifier in the model; nil if the model does not have one.
    final package var declaredRenamingIdentifier: String? { willSet { requireMutable() } }

    /// Whether sync services may see the property, a setting of the model's source; true by default.
    final package var isSyncable = true { willSet { requireMutable() } }

    /// The predicates that a value must satisfy: those that were set in code, otherwise those of the model's file.
    open var validationPredicates: [NSPredicate] {
        declaredValidation?.predicates ?? validationRules.compactMap(\.predicate)
    }

    /// For each validation predicate the text (`String`) or the error code (`NSNumber`) of a violation.
    open var validationWarnings: [Any] {
        declaredValidation?.warnings ?? validationRules.filter { $0.predicate != nil }.map(\.warningOrCode)
    }

    /// The predicates and warnings that were set in code; nil if none were, so that those of the model's file apply.
    private(set) var declaredValidation: (predicates: [NSPredicate], warnings: [Any])?

    /// Sets the predicates that a value must satisfy, and for each the text of the error for a violation.
    ///
    /// They also replace the validation rules of the model's file.
    open func setValidationPredicates(
        _ predicates: [NSPredicate]?, withValidationWarnings warnings: [String]?
    ) {
        requireMutable()
        let texts = warnings ?? []
        declaredValidation = (predicates ?? [], texts)
        validationRules = (predicates ?? []).enumerated().map { index, predicate in
            let warning = texts.indices.contains(index) ? texts[index] : nil
            return ValidationRule(.predicate(format: predicate.formatString), warning: warning)
        }
    }

    /// The validation rules of the model's file, in its own form.
    final package var validationRules: [ValidationRule] = [] { willSet { requireMutable() } }

    /// Attributes of the property in the model's file that are not known, as `attribute=value`.
    final package var notes: [String] = [] { willSet { requireMutable() } }

    /// Makes a property without a name.
    public required override init() {}

    /// A mutable copy of the property, which does not belong to an entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        duplicate()
    }

    final func duplicate() -> NSPropertyDescription {
        let copy = type(of: self).init()
        copyValues(to: copy)
        return copy
    }

    /// Sets the values of a new copy; a subclass overrides it to add its own.
    func copyValues(to copy: NSPropertyDescription) {
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.userInfo = userInfo
        copy.isIndexed = isIndexed
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.isStoredInExternalRecord = isStoredInExternalRecord
        copy.versionHashModifier = versionHashModifier
        copy.declaredRenamingIdentifier = declaredRenamingIdentifier
        copy.isSyncable = isSyncable
        copy.declaredValidation = declaredValidation
        copy.validationRules = validationRules
        copy.notes = notes
    }

    /// Whether another property has the same content; settings that only editors use are not compared.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the name alone, which is fast and the same for equal descriptions.
    override open var hash: Int { name.hashValue }

    /// Compares everything but the declaring entity; a subclass overrides it to compare its own values.
    func hasSameContent(as other: NSPropertyDescription) -> Bool {
        name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
            && isIndexed == other.isIndexed && isIndexedBySpotlight == other.isIndexedBySpotlight
            && isStoredInExternalRecord == other.isStoredInExternalRecord
            && versionHashModifier == other.versionHashModifier && renamingIdentifier == other.renamingIdentifier
            && validationRules == other.validationRules && haveSameContent(userInfo ?? [:], other.userInfo ?? [:])
    }

    final func requireMutable() {
        if isFrozen { stopModifyingFrozenModel("property '\(qualifiedName)'") }
    }

    /// The name for messages: `Entity.property`.
    final var qualifiedName: String { "\(entity?.name ?? "?").\(name)" }
}
