import CoreDataModeling

/// Refuses predicates that are not over the attributes of one object alone: of a relationship the other end may not be on this device.
struct PartPredicateCheck {
    struct Refusal: Error {
        let reason: String
    }

    private let entity: EntityMapping

    init(_ entity: EntityMapping) { self.entity = entity }

    /// - Throws: A `Refusal`.
    func visit(_ predicate: NSPredicate) throws {
        try visit(PredicateNode(predicate))
    }

    private func visit(_ node: PredicateNode) throws {
        switch node {
        case .constant: return
        case .and(let parts), .or(let parts): for part in parts { try visit(part) }
        case .not(let part): try visit(part)
        case .comparison(let comparison):
            try visit(comparison.leftExpression)
            try visit(comparison.rightExpression)
        case .opaque: throw Refusal(reason: "it is a block")
        }
    }

    private func visit(_ expression: CoreDataModeling.NSExpression) throws {
        switch expression.form {
        case .constant: return
        case .keyPath(nil, let path): try check(path)
        case .function(_, let parts), .aggregate(let parts): for part in parts { try visit(part) }
        case .set(_, let left, let right):
            try visit(left)
            try visit(right)
        case .conditional(let condition, let whenTrue, let whenFalse):
            try visit(PredicateNode(condition))
            try visit(whenTrue)
            try visit(whenFalse)
        case .variable(let name): throw Refusal(reason: "it has the variable '\(name)'")
        default: throw Refusal(reason: "it asks for more than attributes of the object")
        }
    }

    private func check(_ path: String) throws {
        let isKnown = entity.attributes.contains { $0.name == path || $0.name.hasPrefix(path + ".") }
        guard isKnown else { throw Refusal(reason: "'\(path)' is not a synced attribute of '\(entity.name)'") }
    }
}
