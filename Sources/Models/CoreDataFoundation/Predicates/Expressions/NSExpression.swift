/// A value in a predicate: a constant, a key path, a variable or something computed from others.
///
/// Immutable. Open-source Foundation's class of this name lacks constructors; this one has Apple's.
///
/// ```swift
/// let average = NSExpression(forFunction: "average:", arguments: [NSExpression(forKeyPath: "price")])
/// print(average.expressionValue(with: articles, context: nil) ?? "no articles")
/// let raised = NSExpression(format: "price + %d", 5)
/// print(raised.expressionValue(with: articles[0], context: nil) as? Int ?? 0)
/// ```
open class NSExpression: NSObject, NSCopying {
    /// The kinds of expression, with Apple's raw values.
    public enum ExpressionType: UInt, Sendable {
        /// A value.
        case constantValue = 0
        /// `SELF`, the evaluated object.
        case evaluatedObject = 1
        /// `$name`, a value that is given when the expression is evaluated.
        case variable = 2
        /// What a key path of the object leads to.
        case keyPath = 3
        /// A function of other expressions.
        case function = 4
        /// `UNION`: what is in either collection.
        case unionSet = 5
        /// `INTERSECT`: what is in both collections.
        case intersectSet = 6
        /// `MINUS`: what is in the left collection and not in the right one.
        case minusSet = 7
        /// `SUBQUERY`: the elements of a collection that satisfy a predicate.
        case subquery = 13
        /// A list of expressions, `{a, b}`.
        case aggregate = 14
        /// `ANYKEY`, which only a search of files evaluates.
        case anyKey = 15
        /// `$name := value`, which lacks a public name in Apple's framework.
        case variableAssignment = 16
        /// A block of the program.
        case block = 19
        /// `TERNARY`: one of two expressions, as a predicate decides.
        case conditional = 20
        /// `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }

    final package let form: ExpressionForm
    /// The elements of a list that is the same for every object; nil for anything else.
    final package let constantElements: [Any?]?

    package init(_ form: ExpressionForm) {
        self.form = form
        self.constantElements = form.constantElements
    }

    /// A constant; nil is a value like any other.
    public convenience init(forConstantValue value: Any?) {
        self.init(.constant(flattened(value)))
    }

    /// The object that the predicate is evaluated with, written `SELF`.
    open class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(.evaluatedObject)
    }

    /// A variable, written `$name`; the name is given without the dollar sign.
    public convenience init(forVariable name: String) {
        self.init(.variable(name))
    }

    /// A dotted key path from the evaluated object, with collection operators; one that begins with `$name` leads on from
    /// that variable.
    public convenience init(forKeyPath keyPath: String) {
        self.init(ExpressionForm(path: keyPath))
    }

    /// A call of one of Apple's predefined functions by its name, such as `sum:` or `add:to:`.
    ///
    /// Stops the process for a name that is not predefined or a wrong number of arguments.
    public convenience init(forFunction name: String, arguments: [NSExpression]) {
        self.init(orStop { try ExpressionForm(calling: name, with: arguments) })
    }

    /// A call of a predefined function whose first argument stands before the others; values become constants.
    ///
    /// Apple's sends any selector to the target; here the name must be of the closed list, and anything else stops the
    /// process. In expressions of mapping models the target may be `$manager` or `$entityPolicy`, which answer by names
    /// of their own.
    public convenience init(forFunction target: NSExpression, selectorName name: String, arguments: [Any]?) {
        let others = (arguments ?? []).map { $0 as? NSExpression ?? NSExpression(forConstantValue: $0) }
        self.init(orStop { try ExpressionForm(calling: name, on: target, with: others) })
    }

    /// A collection of the values of other expressions, written `{a, b}`.
    public convenience init(forAggregate elements: [NSExpression]) {
        self.init(.aggregate(elements))
    }

    /// The elements that are in either collection.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(.set(.union, left, right))
    }

    /// The elements that are in both collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(.set(.intersect, left, right))
    }

    /// The elements of the left collection that are not in the right one.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(.set(.minus, left, right))
    }

    /// The elements of a collection for which a predicate holds; the predicate sees each element as the variable.
    public convenience init(
        forSubquery collection: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        let name = variable.hasPrefix("$") ? String(variable.dropFirst()) : variable
        self.init(.subquery(collection: collection, variable: name, predicate: predicate))
    }

    /// One of two values, by a predicate on the evaluated object.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
    ) {
        self.init(.conditional(predicate, true: trueExpression, false: falseExpression))
    }

    /// A value computed in Swift; such an expression cannot be printed, archived or run inside a store.
    public convenience init(
        block: @escaping (Any?, [Any?], NSMutableDictionary?) -> Any?, arguments: [NSExpression]?
    ) {
        self.init(.block(block, arguments: arguments ?? []))
    }

    /// Any property of a managed object, in queries of a search index.
    open class func expressionForAnyKey() -> NSExpression {
        NSExpression(.anyKey)
    }

    /// The expression itself: expressions never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A copy with the same settings; an immutable object is its own copy.
    open override func copy() -> Any { self }

    /// The text for messages and logs.
    open override var description: String { formatString }

    /// Whether the other object stands for the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || PredicatePrinter.printed(self) == PredicatePrinter.printed(other)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { formatString.hashValue }
}

extension ExpressionForm {
    /// A key path as it is given by name: no property's name begins with a dollar sign, so `$x.name` starts at a variable.
    init(path: String) {
        let steps = path.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = steps.first, name.first == "$", name.count > 1 else {
            self = .keyPath(operand: nil, path: path)
            return
        }
        let variable = String(name.dropFirst())
        guard steps.count == 2 else {
            self = .variable(variable)
            return
        }
        self = .keyPath(operand: NSExpression(.variable(variable)), path: String(steps[1]))
    }

    /// The variables that calls may be sent to: the objects of a migration that answer by names of their own.
    package static let calledVariables: Set<String> = ["manager", "entityPolicy"]

    /// A call on one of the objects of a migration, else of a predefined function with the target before its arguments.
    ///
    /// - Throws: what `init(calling:with:)` throws for any other target.
    init(calling name: String, on target: NSExpression, with arguments: [NSExpression]) throws {
        guard case .variable(let variable) = target.form, Self.calledVariables.contains(variable) else {
            try self.init(calling: name, with: [target] + arguments)
            return
        }
        self = .call(receiver: target, name: name, arguments: arguments)
    }

    /// A call of a predefined function.
    ///
    /// - Throws: `ExpressionError` for an unknown name or a wrong number of arguments.
    init(calling name: String, with arguments: [NSExpression]) throws {
        guard let function = ExpressionFunction(rawValue: name) else {
            let known = ExpressionFunction.allCases.map(\.rawValue)
            throw ExpressionError.unknownFunction(name, suggestion: closestName(to: name, in: known))
        }
        guard function.arity.map({ $0 == arguments.count }) ?? !arguments.isEmpty else {
            throw ExpressionError.wrongArgumentCount(function: name, given: arguments.count)
        }
        self = .function(function, arguments: arguments)
    }
}

extension ExpressionForm {
    fileprivate var constantElements: [Any?]? {
        switch self {
        case .constant(let value): return elements(of: value)
        case .aggregate(let elements):
            var values: [Any?] = []
            for element in elements {
                guard case .constant(let value) = element.form else { return nil }
                values.append(value)
            }
            return values
        default: return nil
        }
    }
}
