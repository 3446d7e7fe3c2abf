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
        /// `$name`, whose value the caller of the evaluation passes.
        case variable = 2
        /// The value at a key path.
        case keyPath = 3
        /// A function of other expressions.
        case function = 4
        /// `UNION`: the elements of either collection.
        case unionSet = 5
        /// `INTERSECT`: the elements of both collections.
        case intersectSet = 6
        /// `MINUS`: the elements of the left collection that are not in the right one.
        case minusSet = 7
        /// `SUBQUERY`: the elements of a collection that satisfy a predicate.
        case subquery = 13
        /// A list of expressions, `{a, b}`.
        case aggregate = 14
        /// `ANYKEY`, which cannot be evaluated here.
        case anyKey = 15
        /// `$name := value`; Apple's framework has no public name for this type.
        case variableAssignment = 16
        /// A closure of the program.
        case block = 19
        /// `TERNARY`: one of two expressions, which a predicate selects.
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

    /// A dotted key path from the evaluated object, which may have collection operators; one that begins with `$name`
    /// starts from that variable.
    public convenience init(forKeyPath keyPath: String) {
        self.init(ExpressionForm(path: keyPath))
    }

    /// A call of one of Apple's predefined functions by its name, such as `sum:` or `add:to:`.
    ///
    /// Stops the process for a name that is not predefined or a wrong number of arguments.
    public convenience init(forFunction name: String, arguments: [NSExpression]) {
        self.init(orStop { try ExpressionForm(calling: name, with: arguments) })
    }

    /// A call of a predefined function with `target` as its first argument; arguments that are not expressions become
    /// constants.
    ///
    /// Apple's framework sends any selector to the target; here a name that is not predefined stops the process. In
    /// mapping models the target may be `$manager` or `$entityPolicy`, which have names of their own.
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

    /// One of two expressions, which a predicate selects for the evaluated object.
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

    /// Any property of an object, `ANYKEY`; evaluating it stops the process.
    open class func expressionForAnyKey() -> NSExpression {
        NSExpression(.anyKey)
    }

    /// The expression itself: expressions never change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A copy with the same settings; an immutable object is its own copy.
    open override func copy() -> Any { self }

    /// The text for messages and logs.
    open override var description: String { formatString }

    /// Whether the other object has the same text.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || PredicatePrinter.printed(self) == PredicatePrinter.printed(other)
    }

    /// Equal objects have equal hashes.
    open override var hash: Int { formatString.hashValue }
}

extension ExpressionForm {
    /// Makes a key path from its text: a property name cannot begin with a dollar sign, so `$x.name` starts at a
    /// variable.
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

    /// The variables that may be the receivers of calls: the objects of a migration that conform to `CallAnswering`.
    package static let calledVariables: Set<String> = ["manager", "entityPolicy"]

    /// A call of an object of a migration, or of a predefined function with the target as its first argument.
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
