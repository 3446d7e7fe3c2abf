import CoreData

/// How a store on a server executes a fetch, as the tool reports it.
package struct ServerFetchExplanation {
    package let entity: String
    package let explanation: ServerExplanation
    /// Whether the fetch has sort descriptors (`isSorted`), and a limit or an offset (`isWindowed`).
    package let isSorted: Bool
    package let isWindowed: Bool
    /// Sentences about comparisons in the predicate that are never true, since the value is of another type than the
    /// attribute.
    package let notes: [String]

    /// Sentences that say whether the server or this process evaluates the predicate, sorts the rows and applies the
    /// limit.
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

    /// The comparisons of the predicate, and where each is evaluated.
    package var parts: [String] {
        explanation.outline.parts.map { part in
            part.reason.map { "\(part.comparison): \(part.place.words), \($0)" }
                ?? "\(part.comparison): \(part.place.words)"
        }
    }

    /// The numbers of rows that the fetch read; if it was only planned, a sentence that says so.
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

    /// The indexes that the plan of the last query uses.
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

/// A store whose backend explains how it executes a fetch on a server.
private protocol ServerExplained {
    func serverExplanation(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation
}

extension BackedStore: ServerExplained where Backend: ServerExplaining {
    fileprivate func serverExplanation(_ query: FetchQuery, isCarriedOut: Bool) throws -> ServerExplanation {
        try withBackend { try $0.explain(query, isCarriedOut: isCarriedOut) }
    }
}

extension OpenStore {
    /// How a fetch is executed on a server; nil for a store that is not on a server. Nothing is written.
    ///
    /// - Parameter isCarriedOut: Whether the fetch is executed, to count rows; else the server only plans it.
    /// - Throws: `InspectionError` if the store cannot be read.
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
