import CoreData

/// The report on a predicate while the user types it: whether it is valid, where its error is, and its completions.
struct PredicateReport: Sendable {
    /// The time limit for fetching completion values, and the greatest number of them.
    private static let (patience, valueLimit) = (Duration.milliseconds(200), 20)

    let entity: String
    let text: String
    let caret: Int?

    /// The report on a predicate about objects of a store.
    func json(_ reading: StoreReading) throws -> JSONValue {
        let entity = try reading.opened.entity(named: entity)
        return try json(
            entity,
            query: {
                let query = try ObjectQuery(entity, in: reading.opened.store, where: text)
                return (query.predicate, query.notes)
            }, values: { try values($0, beginning: $1, entity: entity, reading: reading) })
    }

    /// The report on a predicate in a model: it may have variables, and its completions contain no stored values.
    ///
    /// - Parameter source: The entity of the objects that `$FETCH_SOURCE` stands for; nil where the variable has no
    ///   meaning.
    /// - Throws: `InspectionError` if the model does not have such an entity.
    func json(in model: NSManagedObjectModel, source: String?) throws -> JSONValue {
        let entity = try model.entity(named: entity)
        let owner = source.flatMap { model.entitiesByName[$0] }
        return try json(
            entity,
            query: {
                let predicate = try ObjectQuery.parsed(text)
                let variables = PredicateVariables(of: predicate, entity).kinds.keys
                var known = Dictionary(variables.map { ($0, NSEntityDescription?.none) }) { first, _ in first }
                if let owner { known["FETCH_SOURCE"] = owner }
                try PredicateCheck(entity, variables: known).check(predicate)
                return (predicate, [])
            }, values: { _, _ in [] })
    }

    /// `{"valid", "error", "notes", "completions", "tree"}`
    private func json(
        _ entity: NSEntityDescription, query: () throws -> (NSPredicate?, [String]),
        values: (KeyRoute, String) throws -> [String]
    ) throws -> JSONValue {
        var (predicate, notes): (NSPredicate?, [String]) = (nil, [])
        var failure = JSONValue.null
        if !text.allSatisfy(\.isWhitespace) {
            do { (predicate, notes) = try query() } catch let error as InspectionError { failure = self.failure(error) }
        }
        let tree = predicate.flatMap { PredicateTree(entity).json($0) }
        return .object([
            ("valid", .bool(isNull(failure))), ("error", failure), ("notes", .array(notes.map { .string($0) })),
            ("completions", .array(try completions(entity, values))), ("tree", tree ?? .null),
        ])
    }

    private func isNull(_ json: JSONValue) -> Bool {
        if case .null = json { true } else { false }
    }

    private func failure(_ error: InspectionError) -> JSONValue {
        let hint = error.hint.map { " (\($0))" } ?? ""
        return .object([
            ("reason", .string(error.cause + hint)), ("position", .count(position(of: error))),
            ("excerpt", .text(error.excerpt)),
        ])
    }

    /// The position of the error in characters; nil if the error has no single position.
    private func position(of error: InspectionError) -> Int? {
        do {
            _ = try NSPredicate(parsing: text)
        } catch let error as PredicateParseError {
            return error.position
        } catch {
            return nil
        }
        return text.range(of: error.subject).map { text.distance(from: text.startIndex, to: $0.lowerBound) }
    }

    private func completions(
        _ entity: NSEntityDescription, _ values: (KeyRoute, String) throws -> [String]
    ) throws -> [JSONValue] {
        guard let caret else { return [] }
        let completion = PredicateCompletion(text, caret: caret, entity)
        let found = try completion.candidates { try values($0, $1) }
        return found.map { candidate in
            .object([
                ("text", .string(candidate.text)), ("kind", .string(candidate.kind)),
                ("from", .count(completion.range.lowerBound)), ("to", .count(completion.range.upperBound)),
                ("detail", .text(candidate.detail)),
            ])
        }
    }

    /// Stored values of an attribute that begin with a text; empty if the time limit passes.
    private func values(
        _ route: KeyRoute, beginning: String, entity: NSEntityDescription, reading: StoreReading
    ) throws -> [String] {
        guard (try? route.requireGroupable()) != nil else { return [] }
        var query = try reading.limited(ObjectQuery(entity))
        if !beginning.isEmpty {
            let begins = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: route.text),
                rightExpression: NSExpression(forConstantValue: beginning), modifier: .direct, type: .beginsWith,
                options: .caseInsensitive)
            query.predicate =
                query.predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, begins]) } ?? begins
        }
        let groups = try ReadCancellation.limited(to: Self.patience) {
            try reading.context.groups(of: query, by: [route], in: reading.opened.store, limit: Self.valueLimit)
        }
        let texts = (groups ?? []).compactMap { $0.values.first?.text }
        return texts.filter { $0.utf8.count <= ShownValue.longestText }.sorted()
    }
}
