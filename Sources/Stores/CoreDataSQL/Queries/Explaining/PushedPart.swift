import CoreDataStore

/// Where a condition is evaluated for a row, if the server does not have the functions of this framework.
package enum DecisionPlace: String, Sendable, Equatable {
    /// The server decides for every row.
    case server
    /// The server decides, except for the rows that it reports as in doubt; these are evaluated in memory.
    case serverUnlessInDoubt
    /// The server excludes some rows, and the others are evaluated in memory.
    case narrowed
    /// Every row is evaluated in memory.
    case memory

    init(_ condition: Pushdown.Condition) {
        self =
            if condition.isExact {
                .server
            } else if condition.lower != .truth(false) {
                .serverUnlessInDoubt
            } else {
                condition.upper == .truth(true) ? .memory : .narrowed
            }
    }
}

/// A comparison of a predicate, and where it is evaluated.
package struct PushedPart: Sendable, Equatable {
    /// The comparison with a question mark for every value.
    package let comparison: String
    package let place: DecisionPlace
    /// What the server cannot evaluate exactly, or which values are in doubt; nil if the server decides.
    package let reason: String?
}

/// Which parts of a query a server evaluates, and which are evaluated in memory.
package struct PushedOutline: Sendable {
    /// The comparisons of the predicate, in its order.
    package let parts: [PushedPart]
    /// Where the complete predicate is evaluated.
    package let place: DecisionPlace
    /// Why rows are sorted in memory; nil if the server sorts.
    package let sortReason: String?
    package let pushed: PushedQuery
}

extension QueryCompiler {
    /// Returns what a server evaluates for the rows of a query with the named columns, and why it does not evaluate the
    /// rest.
    ///
    /// - Throws: what `select(_:columns:)` throws.
    package func outline(_ query: FetchQuery, columns: [String], _ types: ColumnTypes) throws -> PushedOutline {
        var translator = try translator(for: query)
        let condition = try condition(of: query, &translator)
        let orderings = try translator.orderings(query.sortDescriptors, isTotal: true)
        let pushdown = Pushdown(types, translator.sources[0])
        var parts: [PushedPart] = []
        if let predicate = query.predicate { try add(PredicateNode(predicate), of: query, types, to: &parts) }
        return PushedOutline(
            parts: parts, place: DecisionPlace(pushdown.condition(condition)),
            sortReason: PushdownObstacle(pushdown).reason(against: orderings),
            pushed: try pushed(query, columns: columns, types))
    }

    private func add(
        _ node: PredicateNode, of query: FetchQuery, _ types: ColumnTypes, to parts: inout [PushedPart]
    ) throws {
        switch node {
        case .and(let nodes), .or(let nodes): for node in nodes { try add(node, of: query, types, to: &parts) }
        case .not(let node): try add(node, of: query, types, to: &parts)
        case .comparison(let comparison):
            var translator = try translator(for: query)
            let condition = try translator.condition(comparison)
            let pushdown = Pushdown(types, translator.sources[0])
            let place = DecisionPlace(pushdown.condition(condition))
            let obstacle = PushdownObstacle(pushdown)
            let reason: String? =
                switch place {
                case .server: nil
                case .serverUnlessInDoubt: obstacle.reason(against: condition) ?? PushdownObstacle.doubt(condition)
                case .narrowed, .memory: obstacle.reason(against: condition) ?? PushdownObstacle.comparison
                }
            parts.append(PushedPart(comparison: ComparisonOutline.text(of: comparison), place: place, reason: reason))
        case .constant, .opaque: break
        }
    }
}
