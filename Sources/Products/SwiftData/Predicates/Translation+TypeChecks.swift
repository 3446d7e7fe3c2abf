import CoreDataGraph
import Foundation

extension PredicateExpressions.TypeCheck: TranslatableExpression {
    func translated(_ scope: inout PredicateScope) throws -> PredicateTerm {
        let term = try scope.term(input)
        let text = "\(term.text) is \(Desired.self)"
        if let cast = try ModelCast(term, to: Desired.self, scope) { return .condition(cast.holds, text) }
        guard term.hasType(Desired.self) else {
            throw unsupported(text, "asks for a type that the property never has.")
        }
        guard term.type is any OptionalType.Type, !(Desired.self is any OptionalType.Type) else {
            return .condition(NSPredicate(value: true), text)
        }
        return .condition(negation(try Equality.predicate(term, .constant(nil), scope)), text)
    }
}

extension PredicateTerm {
    /// Whether a type is that of the term, apart from optionals around it.
    fileprivate func hasType(_ desired: Any.Type) -> Bool { Self.plain(desired) == Self.plain(type) }

    /// A type without the optionals around it.
    static func plain(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type).map { plain($0.wrapped) } ?? type
    }
}
