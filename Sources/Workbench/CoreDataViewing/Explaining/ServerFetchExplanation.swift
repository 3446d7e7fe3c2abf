import CoreData

/// How a store on a server carries out a fetch, as the tool reports it.
package struct ServerFetchExplanation {
    package let entity: String
    package let explanation: ServerExplanation
    /// Whether the fetch has an order, and whether it has a limit or an offset.
    package let isSorted: Bool
    package let isWindowed: Bool
    /// Comparisons in the predicate that can never be, since a value is of another kind than the attribute.
    package let notes: [String]

    /// Where the predicate is decided, and where rows are sorted and the limit is applied, as sentences.
    package var decisions: [String] {
        var lines = [explanation.outline.place.sentence]
        if isSorted {
            lines.append(explanation.outline.sortReason.map { "memory sorts: \($0)" } ?? "the server sorts")
        }
        if isWindowed {
            lines.append("\(explanation.isCutByServer ? "the server" : "memory") applies limit and offset")
        }
        return lines
    }

    /// The comparisons of the predicate and where each is decided.
    package var parts: [String] {
        explanation.outline.parts.map { part in
            part.reason.map { "\(part.comparison): \(part.place.words), \($0)" }
                ?? "\(part.comparison): \(part.place.words)"
        }
    }

    /// What the fetch cost, where it was carried out.
    package var cost: [String] {
        guard let outcome = explanation.outcome else {
            return ["only planned; with --analyze the fetch is carried out and its rows are counted"]
        }
        return [
            "rows answered   \(outcome.answered)", "rows sent       \(explanation.sent.map(String.init) ?? "unknown")",
            "rows examined   \(explanation.examined.map(String.init) ?? "unknown")",
            "asked in memory \(outcome.evaluated)",
        ]
    }

    /// The indexes of the last question.
    package var indexes: [String] { explanation.questions.last?.plan.indexes ?? [] }
}

extension DecisionPlace {
    fileprivate var words: String {
        switch self {
        case .server: "the server"
        case .serverUnlessInDoubt: "the server, unless a row is in doubt"
        case .narrowed: "the server leaves rows out, memory is asked of the others"
        case .memory: "memory"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .server: "the server decides all of the predicate"
        case .serverUnlessInDoubt: "the server decides the predicate; memory is asked of rows that are in doubt"
        case .narrowed: "the server leaves out what it can decide; memory is asked of the other rows"
        case .memory: "the server sends every row of the entity; memory decides"
        }
    }
}

/// A store whose backend says how it carries out a fetch on a server.
private protocol ServerExplained {
    func serverExplanation(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation
}

extension BackedStore: ServerExplained where Backend: ServerExplaining {
    fileprivate func serverExplanation(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation {
        try withBackend { try $0.explain(query, isCarriedOut: isCarriedOut) }
    }
}

extension OpenStore {
    /// How a fetch is carried out on a server; nil for a store that is on none. Nothing is written.
    ///
    /// - Parameter isCarriedOut: whether the fetch is, to count rows; else the server only plans it.
    /// - Throws: `InspectionError` where the store cannot answer.
    package func explainOnServer(_ query: ObjectQuery, isCarriedOut: Bool) throws -> ServerFetchExplanation? {
        guard let store = store as? any ServerExplained else { return nil }
        do {
            return ServerFetchExplanation(
                entity: query.entity.name ?? "",
                explanation: try store.serverExplanation(storeQuery(query), isCarriedOut: isCarriedOut),
                isSorted: !query.sortDescriptors.isEmpty, isWindowed: query.limit > 0 || query.offset > 0,
                notes: query.notes)
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}
