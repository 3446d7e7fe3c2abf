import CoreDataFoundation

/// An attribute whose value the store computes from other properties.
///
/// ```swift
/// let orderCount = NSDerivedAttributeDescription()
/// orderCount.name = "orderCount"
/// orderCount.type = .integer64
/// orderCount.derivationExpression = NSExpression(format: "orders.@count")
/// customerEntity.properties.append(orderCount)
/// ```
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    /// The expression that computes the value; also nil if the model's text does not parse.
    open var derivationExpression: NSExpression? {
        get { declaredExpression ?? derivationText.flatMap { try? NSExpression(parsing: $0) } }
        set {
            declaredExpression = newValue
            derivationText = newValue?.formatString
        }
    }

    private var declaredExpression: NSExpression? { willSet { requireMutable() } }

    /// The expression as a text, as in the model's source, such as `canonical:(name)`, `pages.@count` or `now()`.
    final package var derivationText: String? { willSet { requireMutable() } }

    /// How the value is derived; nil without an expression.
    final package var derivation: Derivation? {
        (derivationText ?? derivationExpression?.description).map(Derivation.init(text:))
    }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.declaredExpression = declaredExpression
        copy.derivationText = derivationText
    }

    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSDerivedAttributeDescription else { return false }
        return super.hasSameContent(as: other)
            && derivationText.map(DerivationText.canonical) == other.derivationText.map(DerivationText.canonical)
    }
}
