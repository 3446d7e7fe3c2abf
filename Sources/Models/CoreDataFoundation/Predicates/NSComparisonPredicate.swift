/// A predicate that compares the values of two expressions.
///
/// Immutable. Open-source Foundation's class of this name cannot be made; this one has Apple's members.
///
/// ```swift
/// let isLocal = NSComparisonPredicate(
///     leftExpression: NSExpression(forKeyPath: "city"), rightExpression: NSExpression(forConstantValue: "Oslo"),
///     modifier: .direct, type: .equalTo, options: .caseInsensitive)
/// print(customers.filtered(using: isLocal).map(\.objectID))
/// ```
open class NSComparisonPredicate: NSPredicate {
    /// How two values are compared, with Apple's raw values.
    public enum Operator: UInt, Sendable, CaseIterable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`; nil equals nil.
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// `MATCHES`: the complete text matches a regular expression.
        case matches = 6
        /// `LIKE`: the complete text matches a pattern with `*` and `?`.
        case like = 7
        /// `BEGINSWITH`
        case beginsWith = 8
        /// `ENDSWITH`
        case endsWith = 9
        /// `IN`: the left value is an element of the right one, or a part of the right text.
        case `in` = 10
        /// A comparison by a method's selector, which cannot be used here.
        case customSelector = 11
        /// `CONTAINS`: the right value is an element of the left one, or a part of the left text.
        case contains = 99
        /// `BETWEEN`: from the first to the second of two values, both included.
        case between = 100
    }

    /// Whether a collection on the left is compared as a whole or element by element.
    public enum Modifier: UInt, Sendable {
        /// As a whole.
        case direct
        /// `ALL`: the comparison must be true for every element; it is true for an empty collection.
        case all
        /// `ANY`: the comparison must be true for at least one element.
        case any
    }

    /// What a comparison of strings ignores.
    public typealias Options = NSComparisonPredicateOptions

    /// The left side; with `ALL` or `ANY` the collection whose elements are compared.
    public let leftExpression: NSExpression
    /// The right side.
    public let rightExpression: NSExpression
    /// Whether the left side is compared as a whole or element by element.
    public let comparisonPredicateModifier: Modifier
    /// How the sides are compared.
    public let predicateOperatorType: Operator
    /// What a comparison of strings ignores.
    public let options: Options
    /// The plans for objects with slots; made at the first use of the predicate.
    let plans = LazyReference<SlotPlanCache>()

    /// A comparison of two expressions; stops the process for `customSelector`, which needs Objective-C selectors.
    public init(
        leftExpression: NSExpression, rightExpression: NSExpression, modifier: Modifier, type: Operator,
        options: Options = []
    ) {
        guard type != .customSelector else { stop("NSComparisonPredicate: custom selectors do not exist here") }
        self.leftExpression = leftExpression
        self.rightExpression = rightExpression
        self.comparisonPredicateModifier = modifier
        self.predicateOperatorType = type
        self.options = options
        super.init(value: false)
    }

    /// The text of the predicate, which parses to an equal one.
    open override var predicateFormat: String { formatString }

    /// The text for messages and logs.
    open override var description: String { formatString }

    /// Whether the comparison holds; stops the process for an unknown key, as Apple's does.
    ///
    /// `MATCHES` with a pattern that is invalid or exceeds the limits is false, and a warning states the reason once;
    /// `evaluation(with:substitutionVariables:)` throws it.
    open override func evaluate(with object: Any?) -> Bool {
        evaluate(with: object, substitutionVariables: nil)
    }

    /// Whether the comparison holds with these variables; stops the process for an unknown key, as Apple's does.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        if let answer = SlotPlanCache.answer(plans, for: object) { return answer }
        var prepared = PreparedPredicate(self, SlotPlanCache.kept(in: plans), badPatterns: .reported)
        return orStop { try prepared.holds(forAny: object, variables: bindings ?? [:]) }
    }

    /// The predicate itself: comparisons never change.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    /// A copy with the same settings; an immutable object is its own copy.
    open override func copy() -> Any { self }

    /// Whether the other object is a predicate with an equal tree.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return self === other || PredicateNode(self) == PredicateNode(other)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { formatString.hashValue }
}
