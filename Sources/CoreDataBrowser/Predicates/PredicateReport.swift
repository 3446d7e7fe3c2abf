import CoreData

/// What is said of a predicate while it is typed: whether it can be asked, where it is wrong, how it may go on.
struct PredicateReport: Sendable {
    /// How long values for completion may take, and how many there are.
    private static let (patience, valueLimit) = (Duration.milliseconds(200), 20)

    let entity: String
    let text: String
    let caret: Int?

    /// `{"valid", "error", "notes", "completions", "tree"}`
    func json(_ reading: StoreReading) throws -> JSONValue {
        let entity = try reading.opened.entity(named: entity)
        var (query, failure): (ObjectQuery?, JSONValue) = (nil, .null)
        if !text.allSatisfy(\.isWhitespace) {
            do {
                query = try ObjectQuery(entity, in: reading.opened.store, where: text)
            } catch let error as InspectionError {
                failure = self.failure(error)
            }
        }
        let tree = query?.predicate.flatMap { PredicateTree(entity).json($0) }
        return .object([
            ("valid", .bool(isNull(failure))), ("error", failure),
            ("notes", .array((query?.notes ?? []).map { .string($0) })),
            ("completions", .array(try completions(entity, reading))), ("tree", tree ?? .null),
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

    /// The character at which the text is wrong; nil where that is not one place.
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

    private func completions(_ entity: NSEntityDescription, _ reading: StoreReading) throws -> [JSONValue] {
        guard let caret else { return [] }
        let completion = PredicateCompletion(text, caret: caret, entity)
        let found = try completion.candidates { try values($0, $1, entity, reading) }
        return found.map { candidate in
            .object([
                ("text", .string(candidate.text)), ("kind", .string(candidate.kind)),
                ("from", .count(completion.range.lowerBound)), ("to", .count(completion.range.upperBound)),
                ("detail", .text(candidate.detail)),
            ])
        }
    }

    /// Values of an attribute in the store that begin with a text, as far as they are found in time.
    private func values(
        _ route: KeyRoute, _ beginning: String, _ entity: NSEntityDescription, _ reading: StoreReading
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
