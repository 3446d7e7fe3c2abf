import CoreDataFoundation

/// An attribute whose value the store computes from other properties.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// The expression that the value comes from.
    open var derivationExpression: NSExpression? { willSet { requireMutable() } }

    /// The expression in the text of the model's source, such as `canonical:(name)`, `pages.@count` or `now()`.
    package var derivationText: String? { willSet { requireMutable() } }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivationExpression = derivationExpression
        copy.derivationText = derivationText
    }
}
