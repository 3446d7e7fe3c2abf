import CoreDataGraph
import Foundation

/// Makes Core Data's predicates of Swift's, so that the store answers them.
///
/// The tree of a predicate is walked by the conformances of its expressions to `TranslatableExpression`. An expression
/// without a conformance, or one whose operands no store can answer, is an error that names it.
enum PredicateTranslation {
    /// Makes the predicate for the models of a coordinator's stores.
    static func predicate<T: PersistentModel>(
        _ predicate: Predicate<T>, in coordinator: NSPersistentStoreCoordinator
    ) throws -> NSPredicate {
        var scope = PredicateScope(coordinator: coordinator)
        scope.bind(predicate.variable.key, NSExpression.expressionForEvaluatedObject(), T.self, text: "$0")
        return try scope.condition(predicate.expression).holding
    }
}

/// An expression of a predicate that can be translated.
protocol TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm
}

/// A type other than models whose properties Core Data's predicates know, under other names.
protocol TranslatableProperties {
    /// The name of the property at a key path; nil for one that Core Data lacks.
    static func name(of path: AnyKeyPath) -> String?
}

/// A position in the history.
protocol TranslatableToken {
    /// The position in Core Data's form.
    var persistentToken: NSPersistentHistoryToken { get }
}

/// What the variables of a predicate stand for.
struct PredicateScope {
    let coordinator: NSPersistentStoreCoordinator
    private var variables: [PredicateExpressions.VariableID: PredicateTerm] = [:]
    private var count = 0
    /// The tokens of the history after which a predicate looks for transactions.
    var startingTokens: [any TranslatableToken] = []

    init(coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    mutating func bind(
        _ key: PredicateExpressions.VariableID, _ root: NSExpression, _ type: Any.Type, text: String
    ) {
        variables[key] = PredicateTerm(.path(root: root, ""), type: type, text: text)
    }

    mutating func bind(_ key: PredicateExpressions.VariableID, to term: PredicateTerm) { variables[key] = term }

    func term(of key: PredicateExpressions.VariableID) throws -> PredicateTerm {
        guard let term = variables[key] else { throw unsupported("a variable that no closure declares") }
        return term
    }

    /// A name for the elements of a collection, unique within the predicate.
    mutating func makeVariable() -> String {
        count += 1
        return "element\(count)"
    }

    /// Translates any expression.
    mutating func term(_ expression: Any) throws -> PredicateTerm {
        guard let expression = expression as? any TranslatableExpression else {
            let name = String(describing: type(of: expression)).prefix { $0 != "<" }
            throw unsupported("PredicateExpressions.\(name)")
        }
        return try expression.translated(&self)
    }

    /// Translates an expression whose value is true, false or, in an optional chain, nil.
    mutating func condition(_ expression: Any) throws -> Condition { try term(expression).condition() }
}

/// The error for a part of a predicate, as it stands in the source, that no store can answer.
func unsupported(_ part: String, _ statement: String = "cannot be answered by a store.") -> SwiftDataError {
    .unsupportedPredicate.stating("\(part) \(statement)")
}
