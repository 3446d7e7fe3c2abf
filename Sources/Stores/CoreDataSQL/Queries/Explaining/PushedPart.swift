import CoreDataStore

/// Where a condition is evaluated for a row, for a server that does not have the functions of this framework.
package enum DecisionPlace: String, Sendable, Equatable {
    /// The server decides.
    case server
    /// The server decides but for rows that it says are in doubt, of which memory is asked.
    case serverUnlessInDoubt
    /// The server leaves rows out, and memory is asked of the others.
    case narrowed
    /// Memory is asked of every row.
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

/// A comparison of a predicate and where it is decided.
package struct PushedPart: Sendable, Equatable {
    /// The comparison with a question mark for every value.
    package let comparison: String
    package let place: DecisionPlace
    /// What the server cannot evaluate exactly, or where the result is in doubt; nil if the server decides.
    package let reason: String?
}

/// What a server evaluates of a query, and what is left to memory.
package struct PushedOutline: Sendable {
    /// The comparisons of the predicate, in its order.
    package let parts: [PushedPart]
    /// Where the complete predicate is evaluated.
    package let place: DecisionPlace
    /// Why rows are sorted in memory; nil where the server sorts.
    package let sortReason: String?
    package let pushed: PushedQuery
}

extension QueryCompiler {
    /// What a server evaluates for the rows of a query with the named columns, and the reason why not more.
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
