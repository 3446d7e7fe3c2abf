import CoreDataGraph
import Foundation

/// When a Boolean expression is true, and when it has a value at all: a chain that ends early is nil.
struct Condition {
    let holding: NSPredicate
    /// Nil for an expression that always has a value.
    var definedWhen: NSPredicate?

    /// When the expression is false; nil counts as neither.
    var failing: NSPredicate {
        let fails = NSCompoundPredicate(notPredicateWithSubpredicate: holding)
        guard let definedWhen else { return fails }
        return NSCompoundPredicate(andPredicateWithSubpredicates: [definedWhen, fails])
    }
}

/// A part of a predicate in Core Data's terms, with its type in Swift and its text for messages.
struct PredicateTerm {
    enum Form {
        /// A property, or the object itself where the path is empty.
        case path(root: NSExpression, String)
        case value(Any?)
        case expression(NSExpression)
        case condition(Condition)
        /// The result of a comparison of texts, which is compared with a constant.
        case order(NSExpression, NSExpression, NSComparisonPredicate.Options)
        /// A range, as two bounds.
        case range(lower: NSExpression, upper: NSExpression, isClosed: Bool)
        /// The elements of a collection that a predicate selects, with the name of the variable.
        case collection(NSExpression)
    }

    let form: Form
    let type: Any.Type
    let text: String
    /// The composite attribute that the path leads to.
    var composite: CompositePlan?
    /// Whether the path leads to a property that no store can look into.
    var isOpaque = false
    /// When a model is of the class that it was cast to; nil for other terms.
    var presence: NSPredicate?

    init(_ form: Form, type: Any.Type, text: String) {
        self.form = form
        self.type = type
        self.text = text
    }

    static func constant(_ value: Any?, text: String? = nil) -> PredicateTerm {
        let type: Any.Type = value.map { Swift.type(of: $0) } ?? Never.self
        return PredicateTerm(.value(value), type: type, text: text ?? value.map { "\($0)" } ?? "nil")
    }

    /// Whether the term is nil, as written or by the value of a captured variable.
    var isNil: Bool {
        if case .value(let value) = form { return unwrapped(value) == nil }
        return false
    }

    /// The term as an expression.
    func expression(_ scope: PredicateScope) throws -> NSExpression {
        guard !isOpaque else { throw unsupported(text, "is not stored in a form that a store can look into.") }
        switch form {
        case .path(let root, let path): return Self.expression(root, path)
        case .value(let value): return NSExpression(forConstantValue: try constant(value, scope))
        case .expression(let expression), .collection(let expression): return expression
        case .condition(let condition):
            return NSExpression(
                forConditional: condition.holding, trueExpression: NSExpression(forConstantValue: true),
                falseExpression: NSExpression(forConstantValue: false))
        case .order, .range: throw unsupported(text)
        }
    }

    /// The term as a condition: a Boolean property is true where it has the value true.
    func condition() throws -> Condition {
        switch form {
        case .condition(let condition): return condition
        case .value(let value as Bool): return Condition(holding: NSPredicate(value: value))
        case .path(let root, let path) where type == Bool.self || type == Bool?.self:
            return Condition(holding: equal(Self.expression(root, path), NSExpression(forConstantValue: true)))
        case .expression(let expression) where type == Bool.self || type == Bool?.self:
            return Condition(holding: equal(expression, NSExpression(forConstantValue: true)))
        default: throw unsupported(text, "is not true or false.")
        }
    }

    /// The property of the term's object or structure with a name.
    func member(_ name: String, type: Any.Type, text: String) throws -> PredicateTerm {
        guard case .path(let root, let path) = form else { throw unsupported(text) }
        return PredicateTerm(.path(root: root, path.isEmpty ? name : "\(path).\(name)"), type: type, text: text)
    }

    static func expression(_ root: NSExpression, _ path: String) -> NSExpression {
        if path.isEmpty { return root }
        if case .evaluatedObject = root.form { return NSExpression(forKeyPath: path) }
        return NSExpression(.keyPath(operand: root, path: path))
    }

    private func constant(_ value: Any?, _ scope: PredicateScope) throws -> Any? {
        switch unwrapped(value) {
        case nil: return nil
        case let simple as any PersistentValue: return simple.foundationValue
        case let token as any TranslatableToken: return token.persistentToken
        case let identifier as PersistentIdentifier:
            return identifier.objectID(in: scope.coordinator) ?? NSNull()
        case let model as any PersistentModel:
            guard let record = model._$storage.record else {
                throw unsupported(text, "is a model that is in no context.")
            }
            return record.objectID
        case let list as [Any]: return try list.map { try constant($0, scope) ?? NSNull() }
        case let set as Set<AnyHashable>: return try set.map { try constant($0.base, scope) ?? NSNull() }
        case let character as Character: return String(character)
        case let raw as any RawRepresentable: return try constant(raw.rawValue, scope)
        default: throw unsupported(text, "of type \(type) is not a value that a store can compare.")
        }
    }
}

/// The comparison of two expressions for equality.
func equal(_ one: NSExpression, _ other: NSExpression) -> NSPredicate { comparison(one, .equalTo, other) }

func comparison(
    _ one: NSExpression, _ type: NSComparisonPredicate.Operator, _ other: NSExpression,
    _ options: NSComparisonPredicate.Options = []
) -> NSPredicate {
    NSComparisonPredicate(
        leftExpression: one, rightExpression: other, modifier: .direct, type: type, options: options)
}

func conjunction(_ parts: [NSPredicate]) -> NSPredicate { NSCompoundPredicate(andPredicateWithSubpredicates: parts) }
func disjunction(_ parts: [NSPredicate]) -> NSPredicate { NSCompoundPredicate(orPredicateWithSubpredicates: parts) }
func negation(_ part: NSPredicate) -> NSPredicate { NSCompoundPredicate(notPredicateWithSubpredicate: part) }
