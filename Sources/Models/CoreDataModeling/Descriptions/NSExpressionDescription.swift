import CoreDataFoundation

/// A column of a dictionary fetch that is computed by an expression; it does not belong to an entity.
///
/// ```swift
/// let total = NSExpressionDescription()
/// total.name = "total"
/// total.expression = NSExpression(format: "sum:(price)")
/// total.resultType = .double
/// let request = NSFetchRequest<NSDictionary>(entityName: "Article")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = [total]
/// print(try context.fetch(request).first?["total"] ?? 0)
/// ```
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    /// The expression of the column.
    open var expression: NSExpression? { willSet { requireMutable() } }

    /// The type of the column's values, as the older enumeration.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the column's values.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(expressionResultType) }
        set { expressionResultType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
    }

    override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.expressionResultType = expressionResultType
    }

    override func hasSameContent(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSExpressionDescription else { return false }
        return super.hasSameContent(as: other) && expressionResultType == other.expressionResultType
            && expression?.formatString == other.expression?.formatString
    }
}
