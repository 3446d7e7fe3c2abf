import CoreData

/// Counts how often each value of some keys occurs in a list, with a time limit for each key.
struct ListFacets: Sendable {
    /// The greatest numbers of values of a key that are shown, and that are counted by the store.
    private static let (shown, greatest) = (50, 100_000)
    /// How many of the first objects have their values counted, tried in this order until one is in time, if the store
    /// does not count all objects in time or finds more than `greatest` values.
    private static let samples = [100_000, 10_000, 1_000]

    let question: ListQuestion
    let keys: [String]
    let limit: Duration

    /// `{"facets": [{"key", "values": [{"value", "text", "count"}], "more", "complete", "counted", "problem"}]}`
    ///
    /// A problem with one key is reported in its facet, and does not affect the others.
    func json(_ reading: StoreReading) throws -> JSONValue {
        let query = try question.query(reading)
        let routes = try keys.map { try KeyRoute($0, from: query.entity) }
        return .object([("facets", .array(try routes.map { try checkedFacet($0, query: query, reading: reading) }))])
    }

    private func checkedFacet(_ route: KeyRoute, query: ObjectQuery, reading: StoreReading) throws -> JSONValue {
        do {
            return try facet(route, query: query, reading: reading)
        } catch let error as CancellationError {
            throw error
        } catch {
            return .object([
                ("key", .string(route.text)), ("values", .array([])), ("more", .bool(false)),
                ("complete", .bool(false)),
                ("counted", .null), ("problem", .string(ErrorText.line(for: error))),
            ])
        }
    }

    private func facet(_ route: KeyRoute, query: ObjectQuery, reading: StoreReading) throws -> JSONValue {
        try route.requireGroupable()
        let store = reading.opened.store
        let found = try ReadCancellation.limited(to: limit) {
            try reading.context.groups(of: query, by: [route], in: store, limit: Self.greatest + 1)
        }
        let isComplete = (found?.count ?? .max) <= Self.greatest
        let (groups, counted) = try isComplete ? (found ?? [], nil) : sampled(route, query: query, reading: reading)
        let sorted = ObjectGroups.sorted(groups)
        return .object([
            ("key", .string(route.text)),
            ("values", .array(sorted.prefix(Self.shown).map { value($0, reading) })),
            ("more", .bool(sorted.count > Self.shown || !isComplete)), ("complete", .bool(isComplete)),
            ("counted", counted.map { .count($0) } ?? .null), ("problem", .null),
        ])
    }

    /// Counts the values of the first objects only, in this process; also returns the number of these objects.
    private func sampled(
        _ route: KeyRoute, query: ObjectQuery, reading: StoreReading
    ) throws -> (groups: [ObjectGroups.Group], counted: Int) {
        let store = reading.opened.store
        for sample in Self.samples {
            let readings = try ReadCancellation.limited(to: limit) {
                try reading.context.readings(of: query, at: route, in: store, limit: sample)
            }
            if let readings { return (ObjectGroups.counted(readings), readings.count) }
        }
        return ([], 0)
    }

    private func value(_ group: ObjectGroups.Group, _ reading: StoreReading) -> JSONValue {
        let found = group.values.first ?? .null
        var (shown, text) = (ShownValue(found).json, found.text)
        if case .object(let id) = found { text = reading.label(of: reading.context.object(with: id)) }
        if case .null = found { shown = .null }
        return .object([
            ("value", shown), ("text", .text(text.map { String($0.unicodeScalars.prefix(ShownValue.longestText)) })),
            ("count", .count(group.count)),
        ])
    }
}
