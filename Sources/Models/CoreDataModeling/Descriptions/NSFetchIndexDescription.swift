import CoreDataFoundation

/// An index over properties of an entity that speeds up fetches.
///
/// Invariant: once its entity is frozen, the index cannot change, so any thread may read it.
///
/// ```swift
/// let byCity = NSFetchIndexElementDescription(property: city, collationType: .binary)
/// let byName = NSFetchIndexElementDescription(property: name, collationType: .binary)
/// let index = NSFetchIndexDescription(name: "byCityAndName", elements: [byCity, byName])
/// index.partialIndexPredicate = NSPredicate(format: "city != nil")
/// customerEntity.indexes = [index]
/// ```
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
    final package internal(set) var isFrozen = false

    /// The name of the index, unique within its entity.
    open var name: String { willSet { requireMutable() } }

    /// The indexed properties and expressions, the most significant first.
    open var elements: [NSFetchIndexElementDescription] {
        willSet { requireMutable() }
        didSet { claimElements() }
    }

    /// The entity that declares the index.
    open internal(set) var entity: NSEntityDescription? {
        get { indexedEntity?.object }
        set { indexedEntity = newValue?.zeroingReference }
    }
    private var indexedEntity: ZeroingReference<NSEntityDescription>?

    /// The predicate of the rows that are indexed; nil for all rows, and also if the text in the model does not parse.
    open var partialIndexPredicate: NSPredicate? {
        get { declaredPredicate ?? partialIndexPredicateFormat.flatMap { try? NSPredicate(parsing: $0) } }
        set {
            declaredPredicate = newValue
            partialIndexPredicateFormat = newValue?.formatString
        }
    }

    private var declaredPredicate: NSPredicate? { willSet { requireMutable() } }

    /// The text of the partial predicate in the model.
    final package var partialIndexPredicateFormat: String? { willSet { requireMutable() } }

    /// Makes an index of the given name and elements.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        self.name = name
        self.elements = elements ?? []
        super.init()
        claimElements()
    }

    /// A copy that does not belong to an entity; its elements are copies that name the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexDescription(name: name, elements: elements.map { $0.duplicate() })
        copy.declaredPredicate = declaredPredicate
        copy.partialIndexPredicateFormat = partialIndexPredicateFormat
        return copy
    }

    /// Whether another index has the same content; settings that only editors use are not compared.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the name alone, which is fast and the same for equal descriptions.
    override open var hash: Int { name.hashValue }

    private func hasSameContent(as other: NSFetchIndexDescription) -> Bool {
        name == other.name && elements == other.elements
            && partialIndexPredicateFormat == other.partialIndexPredicateFormat
    }

    private func claimElements() {
        for element in elements { element.indexDescription = self }
    }

    private func requireMutable() {
        if isFrozen { stopModifyingFrozenModel("fetch index '\(name)'") }
    }

    func freeze() {
        isFrozen = true
        for element in elements { element.freeze() }
    }
}
