import CoreDataFoundation

/// An attribute that groups other attributes under one name.
///
/// ```swift
/// let color = NSCompositeAttributeDescription()
/// color.name = "color"
/// color.elements = ["red", "green", "blue"].map { name in
///     let element = NSAttributeDescription()
///     element.name = name
///     element.type = .double
///     return element
/// }
/// ```
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// The attributes of the group; each may be composite itself.
    open var elements: [NSAttributeDescription] = [] { willSet { requireMutable() } }

    /// The name of the composite in the model's source, where several attributes may share it.
    final package var compositeName: String? { willSet { requireMutable() } }

    /// Makes a composite attribute without elements.
    public required init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.compositeName = compositeName
        copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    }

    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSCompositeAttributeDescription else { return false }
        return super.hasSameContent(as: other) && elements == other.elements
    }
}
