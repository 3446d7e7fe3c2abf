import CoreDataFoundation

/// The kind of a fetch index's element.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// An ordered tree, for comparisons and sorting.
    case binary = 0
    /// A spatial tree, for ranges in several numeric columns.
    case rTree = 1
}

/// One property or expression of a fetch index.
///
/// Invariant: once its entity is frozen, the element cannot change, so any thread may read it.
///
/// ```swift
/// let newestFirst = NSFetchIndexElementDescription(property: placed, collationType: .binary)
/// newestFirst.isAscending = false
/// orderEntity.indexes = [NSFetchIndexDescription(name: "newestFirst", elements: [newestFirst])]
/// ```
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
    final package internal(set) var isFrozen = false

    /// The indexed property; if the element has only a name, it is looked up in the index's entity.
    open var property: NSPropertyDescription? {
        declaredProperty ?? indexDescription?.entity.flatMap { PropertyPath(declaredName, in: $0) }?.end
    }

    /// The name of the indexed property; for an element of a composite attribute its path (`color.red`).
    open var propertyName: String? {
        guard let declaredProperty else { return declaredName }
        return indexDescription?.entity?.path(to: declaredProperty) ?? declaredProperty.name
    }

    /// The kind of the element.
    open var collationType: NSFetchIndexElementType { willSet { requireMutable() } }

    /// Whether small values come first; true by default.
    open var isAscending = true { willSet { requireMutable() } }

    /// The index that the element belongs to.
    open internal(set) weak var indexDescription: NSFetchIndexDescription?

    private let declaredProperty: NSPropertyDescription?
    private let declaredName: String

    /// The text of the indexed expression in the model, if the element has no property.
    final package var expressionText: String? { willSet { requireMutable() } }

    /// The name of the expression's type in the model; kept for writing the source.
    final package var expressionTypeName: String? { willSet { requireMutable() } }

    /// Makes an element for a property, or for an `NSExpressionDescription`.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        // A property does not own an index, so the strong reference does not create a cycle.
        declaredProperty = property
        declaredName = property.name
        self.collationType = collationType
    }

    /// Makes an element for the property of this name in the entity that the index will belong to.
    package init(propertyName: String, collationType: NSFetchIndexElementType) {
        declaredProperty = nil
        declaredName = propertyName
        self.collationType = collationType
    }

    /// A copy that belongs to no index.
    open func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    /// A copy that finds its property by name, unless it is a computed one.
    func duplicate() -> NSFetchIndexElementDescription {
        let copy: NSFetchIndexElementDescription
        if let computed = declaredProperty as? NSExpressionDescription {
            copy = NSFetchIndexElementDescription(property: computed, collationType: collationType)
        } else {
            let name = propertyName ?? declaredName
            copy = NSFetchIndexElementDescription(propertyName: name, collationType: collationType)
        }
        copy.isAscending = isAscending
        copy.expressionText = expressionText
        copy.expressionTypeName = expressionTypeName
        return copy
    }

    /// Whether another element has the same content; settings that only editors use are not compared.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        return self === other || type(of: self) == type(of: other) && hasSameContent(as: other)
    }

    /// A hash of the name alone, which is fast and the same for equal descriptions.
    override open var hash: Int { propertyName.hashValue }

    private func hasSameContent(as other: NSFetchIndexElementDescription) -> Bool {
        propertyName == other.propertyName && collationType == other.collationType
            && isAscending == other.isAscending && expressionText == other.expressionText
    }

    /// What an element without a property indexes.
    package enum IndexedExpression: Equatable, Sendable {
        /// `SELF`: the primary key of the row.
        case row
        /// `entity`: the row's entity.
        case entity
        /// A key path: a property, or an element of a composite attribute.
        case property(String)
        case other
    }

    /// The kind of the indexed expression; nil if the element indexes a property.
    final package var indexedExpression: IndexedExpression? {
        guard let text = indexedExpressionText else { return nil }
        guard let expression = try? NSExpression(parsing: text) else { return .other }
        switch expression.expressionType {
        case .evaluatedObject: return .row
        case .keyPath where expression.keyPath == "entity": return .entity
        case .keyPath: return .property(expression.keyPath)
        default: return .other
        }
    }

    /// The text of the indexed expression; nil if the element indexes a property.
    final var indexedExpressionText: String? {
        expressionText ?? (property as? NSExpressionDescription)?.expression?.formatString
    }

    private func requireMutable() {
        if isFrozen { stopModifyingFrozenModel("fetch index element '\(propertyName ?? "?")'") }
    }

    func freeze() { isFrozen = true }
}
