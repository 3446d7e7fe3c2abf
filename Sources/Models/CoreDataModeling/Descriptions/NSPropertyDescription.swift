import CoreDataFoundation

/// A property of an entity: what its attributes, relationships and fetched properties have in common.
///
/// Invariant: once frozen (`isFrozen`) nothing changes any more but the user info, so any thread may read it; until then one thread owns it.
/// A property is inherited as the same object: its `entity` is the one that declares it.
open class NSPropertyDescription: NSObject, NSCopying, AssociationHolder, @unchecked Sendable {
    /// What programs associate with it.
    final package var associatedObjects: AssociatedObjects?

    final package internal(set) var isFrozen = false

    /// The entity that declares the property; nil until one does.
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

    /// Whether the property may be without a value when it is saved; true at first.
    open var isOptional = true { willSet { requireMutable() } }

    /// Whether the property is left out of the store; false at first.
    open var isTransient = false { willSet { requireMutable() } }

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

    /// Whether an index was requested in the way of old models; fetch indexes have replaced it.
    open var isIndexed = false { willSet { requireMutable() } }

    /// Whether Spotlight indexes the values; kept for the model's sake and without effect here.
    open var isIndexedBySpotlight = false { willSet { requireMutable() } }

    /// Whether values are written to the external record; kept for the model's sake and without effect here.
    open var isStoredInExternalRecord = false { willSet { requireMutable() } }

    /// A text that is hashed with the property, to mark a change that the hash would not see.
    open var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name by which a mapping recognises the property in another version: its own name unless set.
    open var renamingIdentifier: String? {
        get { declaredRenamingIdentifier ?? name }
        set { declaredRenamingIdentifier = newValue }
    }

    /// The renaming identifier as the model gives it.
    final package var declaredRenamingIdentifier: String? { willSet { requireMutable() } }

    /// Whether the editor's synchronisation service may see the property; kept for the source's sake, true at first.
    final package var isSyncable = true { willSet { requireMutable() } }

    /// The predicates that a value must satisfy: those that were set, else those that the model's file states.
    open var validationPredicates: [NSPredicate] {
        declaredValidation?.predicates ?? validationRules.compactMap(\.predicate)
    }

    /// For each validation predicate the text (`String`) or the error code (`NSNumber`) of a violation.
    open var validationWarnings: [Any] {
        declaredValidation?.warnings ?? validationRules.filter { $0.predicate != nil }.map(\.warningOrCode)
    }

    /// The predicates and warnings that were set in code; nil where the model's file has the word.
    private(set) var declaredValidation: (predicates: [NSPredicate], warnings: [Any])?

    /// Replaces the predicates that a value must satisfy, with a text for each that a violation is reported with.
    ///
    /// They also replace the limits of the model's file.
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

    /// The limits that the model's file sets, in its own form.
    final package var validationRules: [ValidationRule] = [] { willSet { requireMutable() } }

    /// What the model's file says beyond what is known of properties, as `attribute=value`.
    final package var notes: [String] = [] { willSet { requireMutable() } }

    /// Makes a property without a name.
    public required override init() {}

    /// A copy of the property that belongs to no entity and may be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        duplicate()
    }

    final func duplicate() -> NSPropertyDescription {
        let copy = type(of: self).init()
        copyValues(to: copy)
        return copy
    }

    /// Gives a fresh copy the receiver's values; a subclass adds its own.
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

    /// Whether another property says the same; content counts, not identity, and what only an editor needs does not.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the name alone, which costs little and is alike in equal descriptions.
    override open var hash: Int { name.hashValue }

    /// Compares everything but the entity that declares the property; a subclass adds its own.
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
