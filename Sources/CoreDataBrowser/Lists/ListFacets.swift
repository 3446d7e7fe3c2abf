import CoreData

/// How often values of some keys occur in a list, each cut off after a time.
struct ListFacets: Sendable {
    /// How many values of a key are shown, and how many are told apart at all.
    private static let (shown, greatest) = (50, 1_000)
    /// Of how many objects values are counted where the store does not answer in time.
    private static let sample = 1_000

    let question: ListQuestion
    let keys: [String]
    let limit: Duration

    /// `{"facets": [{"key", "values": [{"value", "text", "count"}], "more", "complete"}]}`
    func json(_ reading: StoreReading) throws -> JSONValue {
        let query = try question.query(reading)
        let routes = try keys.map { try KeyRoute($0, from: query.entity) }
        return .object([("facets", .array(try routes.map { try facet($0, query, reading) }))])
    }

    private func facet(_ route: KeyRoute, _ query: ObjectQuery, _ reading: StoreReading) throws -> JSONValue {
        try route.requireGroupable()
        let store = reading.opened.store
        let found = try ReadCancellation.limited(to: limit) {
            try reading.context.groups(of: query, by: [route], in: store, limit: Self.greatest + 1)
        }
        let isComplete = (found?.count ?? .max) <= Self.greatest
        let groups = try isComplete ? found ?? [] : sampled(route, query, reading)
        let sorted = ObjectGroups.sorted(groups)
        return .object([
            ("key", .string(route.text)),
            ("values", .array(sorted.prefix(Self.shown).map { value($0, reading) })),
            ("more", .bool(sorted.count > Self.shown || !isComplete)), ("complete", .bool(isComplete)),
        ])
    }

    /// The values of the first objects only, counted here.
    private func sampled(
        _ route: KeyRoute, _ query: ObjectQuery, _ reading: StoreReading
    ) throws -> [ObjectGroups.Group] {
        let store = reading.opened.store
        let readings = try ReadCancellation.limited(to: limit * 4) {
            try reading.context.readings(of: query, at: route, in: store, limit: Self.sample)
        }
        return ObjectGroups.counted(readings ?? [])
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
