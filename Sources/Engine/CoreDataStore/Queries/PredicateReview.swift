import CoreDataModeling

/// Checks a predicate against the model before any row is read, so that mistakes are reported even if the store has no
/// rows.
///
/// Uses an explicit stack instead of recursion, so that it can refuse predicates of any depth.
package struct PredicateReview {
    /// The greatest nesting depth of predicates and expressions.
    private static let greatestDepth = 512
    /// The greatest number of predicates and expressions in total.
    private static let mostParts = 1_000_000

    private enum Part {
        case predicate(NSPredicate)
        case expression(NSExpression)
    }

    /// What a variable of a subquery represents.
    private enum Variable {
        case record(NSEntityDescription)
        /// An element of a transformable value, whose properties the model does not describe.
        case value
    }

    /// A part that remains to be checked, its depth, and the subquery variables in scope.
    private struct Open {
        let part: Part
        let depth: Int
        let variables: [String: Variable]
    }

    private let entity: NSEntityDescription
    private var open: [Open] = []

    /// Checks a predicate on records of an entity.
    ///
    /// - Throws: `NSCoreDataError` stating what the store cannot execute.
    package static func check(_ predicate: NSPredicate, _ entity: NSEntityDescription) throws {
        var review = PredicateReview(entity: entity)
        review.open = [Open(part: .predicate(predicate), depth: 1, variables: [:])]
        try review.run()
    }

    private init(entity: NSEntityDescription) { self.entity = entity }

    private mutating func run() throws {
        var count = 0
        while let next = open.popLast() {
            count += 1
            guard next.depth <= Self.greatestDepth else {
                throw QueryRefusal.make("the predicate is nested more than \(Self.greatestDepth) deep")
            }
            guard count <= Self.mostParts else {
                throw QueryRefusal.make("the predicate has more than \(Self.mostParts) parts")
            }
            switch next.part {
            case .predicate(let predicate): try review(predicate, next)
            case .expression(let expression): try review(expression, next)
            }
        }
    }

    private mutating func push(_ part: Part, in outer: Open, _ variables: [String: Variable]? = nil) {
        open.append(Open(part: part, depth: outer.depth + 1, variables: variables ?? outer.variables))
    }

    private mutating func review(_ predicate: NSPredicate, _ place: Open) throws {
        switch predicate {
        case let compound as Foundation.NSCompoundPredicate:
            for part in compound.subpredicates { push(.predicate(part), in: place) }
        case let comparison as NSComparisonPredicate:
            try review(comparison, place)
            push(.expression(comparison.leftExpression), in: place)
            push(.expression(comparison.rightExpression), in: place)
        default:
            if case .opaque = PredicateNode(predicate) {
                throw QueryRefusal.make(
                    "a predicate in Swift code cannot be asked of a store; filter the fetched objects with it")
            }
        }
    }

    private func review(_ comparison: NSComparisonPredicate, _ place: Open) throws {
        let sides = [comparison.leftExpression, comparison.rightExpression]
        let paths = try sides.map { try path($0, place) }
        try refuseComposites(comparison, place)
        let isAboutMembership = [.in, .contains].contains(comparison.predicateOperatorType)
        guard comparison.comparisonPredicateModifier == .direct, !isAboutMembership else { return }
        for case .collection(let relationship, let owner) in paths {
            throw QueryRefusal.needsQuantifier(relationship, owner)
        }
    }

    /// Refuses comparisons of a composite attribute with anything but nil: stores have a column for each element, not
    /// for the composite.
    private func refuseComposites(_ comparison: NSComparisonPredicate, _ place: Open) throws {
        let (left, right) = (comparison.leftExpression, comparison.rightExpression)
        for (side, other, isLeft) in [(left, right, true), (right, left, false)] {
            guard let (path, start) = keyPath(side, place),
                let composite = RecordPath.composite(path, from: start)
            else { continue }
            switch comparison.predicateOperatorType {
            case .equalTo, .notEqualTo: if Self.isNil(other) { continue }
            case .in where isLeft: if Self.hasNilAlone(other) { continue }
            default: break
            }
            throw QueryRefusal.make(
                composite.entity, key: composite.key,
                reason: QueryRefusal.compositeReason(element: composite.element))
        }
    }

    private static func isNil(_ expression: NSExpression) -> Bool {
        guard case .constant(let value) = expression.form else { return false }
        return value == nil || value is NSNull
    }

    /// Whether an expression is a list that contains only nil.
    private static func hasNilAlone(_ expression: NSExpression) -> Bool {
        switch expression.form {
        case .aggregate(let parts): parts.allSatisfy(isNil)
        case .constant(nil): true
        case .constant(let list): elements(of: list)?.allSatisfy { $0 == nil || $0 is NSNull } ?? false
        default: false
        }
    }

    private mutating func review(_ expression: NSExpression, _ place: Open) throws {
        switch expression.form {
        case .constant, .evaluatedObject: return
        case .variable(let name):
            guard place.variables[name] != nil else {
                throw QueryRefusal.make("no value was given for the variable $\(name)")
            }
        case .keyPath(let operand, _):
            _ = try path(expression, place)
            if let operand { push(.expression(operand), in: place) }
        case .function(_, let parts), .aggregate(let parts):
            for part in parts { push(.expression(part), in: place) }
        case .set(_, let left, let right):
            push(.expression(left), in: place)
            push(.expression(right), in: place)
        case .subquery(let collection, let name, let predicate):
            push(.expression(collection), in: place)
            try push(predicate, over: collection, name: name, place: place)
        case .conditional(let predicate, let first, let second):
            push(.predicate(predicate), in: place)
            push(.expression(first), in: place)
            push(.expression(second), in: place)
        case .assignment(_, let value): push(.expression(value), in: place)
        case .fetch: throw QueryRefusal.make("FETCH cannot be asked of a store")
        case .anyKey: throw QueryRefusal.make("ANYKEY cannot be asked of a store")
        case .call: throw QueryRefusal.make("FUNCTION on a variable cannot be asked of a store")
        case .block: throw QueryRefusal.make("an expression in Swift code cannot be asked of a store")
        }
    }

    private mutating func push(
        _ predicate: NSPredicate, over collection: NSExpression, name: String, place: Open
    ) throws {
        guard let variable = try element(of: collection, place) else {
            throw QueryRefusal.make("SUBQUERY needs a to-many relationship")
        }
        push(.predicate(predicate), in: place, place.variables.merging([name: variable]) { $1 })
    }

    /// What the elements of a collection are; nil if the expression is not a collection.
    private func element(of collection: NSExpression, _ place: Open) throws -> Variable? {
        switch try path(collection, place) {
        case .collection(let relationship, _): relationship.destinationEntity.map { .record($0) }
        case .attribute(let attribute) where attribute.attributeType == .transformableAttributeType: .value
        default: nil
        }
    }

    /// The target of an expression that is a key path from the evaluated object or from a variable; nil for other
    /// expressions.
    private func path(_ expression: NSExpression, _ place: Open) throws -> RecordPath? {
        guard let (path, start) = keyPath(expression, place) else { return nil }
        return try RecordPath(path, from: start)
    }

    /// The key path of an expression and the entity where it starts; nil if the expression is not such a key path.
    private func keyPath(_ expression: NSExpression, _ place: Open) -> (path: String, start: NSEntityDescription)? {
        guard case .keyPath(let operand, let path) = expression.form else { return nil }
        switch operand?.form {
        case nil, .evaluatedObject: return (path, entity)
        case .variable(let name):
            guard case .record(let entity) = place.variables[name] else { return nil }
            return (path, entity)
        default: return nil
        }
    }
}
