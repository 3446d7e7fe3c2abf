import CoreData

/// A request of the fetch console: how to group the objects of an entity, and what to calculate for each group.
package struct SummaryRequest {
    /// The greatest number of rows, and the default one.
    package static let (mostRows, usualRows) = (100_000, 1_000)

    package let query: ObjectQuery
    package let keys: [SummaryKey]
    package let aggregates: [SummaryAggregate]
    package let kind: ChartKind
    package let limit: Int
    let having: SummaryCondition?
    /// The columns by which rows are sorted, each ascending or descending.
    let order: [(name: String, isAscending: Bool)]

    /// Checks a request against the model.
    ///
    /// - Parameters:
    ///   - store: The store of the objects that the condition names.
    ///   - group: Keys, separated by commas.
    ///   - aggregates: Texts of one or more aggregates, separated by commas; without any, objects are counted.
    ///   - sort: Names of columns, separated by commas; `-` before a name sorts in descending order.
    /// - Throws: `InspectionError` that says which part is invalid.
    package init(
        _ entity: NSEntityDescription, in store: NSPersistentStore?, where condition: String?, group: String?,
        aggregates: [String], having: String?, sort: String?, limit: Int, kind: ChartKind
    ) throws {
        query = try ObjectQuery(entity, in: store, where: condition)
        keys = try ObjectQuery.list(group).map { try SummaryKey($0, from: entity) }
        let written = aggregates.flatMap { ObjectQuery.list($0) }
        self.aggregates = try (written.isEmpty ? ["count"] : written).map { try SummaryAggregate($0, from: entity) }
        self.kind = kind
        self.limit = min(max(limit, 1), Self.mostRows)
        let names = keys.map(\.name) + self.aggregates.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw InspectionError(.badValue, subject: twice, cause: "the column is asked for twice")
        }
        let having = having.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        guard having == nil || !keys.isEmpty else {
            throw InspectionError(
                .badPredicate, subject: "having", cause: "it applies to groups, and the query has none",
                hint: "group by a key")
        }
        self.having = try having.map { try SummaryCondition($0, columns: names) }
        order = try Self.order(sort, keys: keys, aggregates: self.aggregates, kind: kind)
    }

    private static func order(
        _ sort: String?, keys: [SummaryKey], aggregates: [SummaryAggregate], kind: ChartKind
    ) throws -> [(name: String, isAscending: Bool)] {
        let names = keys.map(\.name) + aggregates.map(\.name)
        let given = try ObjectQuery.list(sort).map { text -> (name: String, isAscending: Bool) in
            let word = text.hasPrefix("-") || text.hasPrefix("+") ? String(text.dropFirst()) : text
            // A column may also be named by its text in the request, such as `sum:age`.
            let written = zip(keys.map(\.text) + aggregates.map(\.text), names).first { $0.0 == word }?.1
            guard let name = names.contains(word) ? word : written else {
                throw InspectionError(
                    .unknownKey, subject: PrintableText.escaped(word, limit: 80),
                    cause: "the result has no such column",
                    hint: NameSuggestion(for: word, in: names)?.question
                        ?? "its columns are \(names.joined(separator: ", "))")
            }
            return (name, !text.hasPrefix("-"))
        }
        // Lines, scatter charts and units of dates are sorted by their keys; else the greatest values come first.
        let isOrdered = kind == .line || kind == .scatter || keys.first?.unit != nil
        let usual = isOrdered || aggregates.isEmpty ? [] : [(name: aggregates[0].name, isAscending: false)]
        let ties = keys.filter { !$0.route.isRelationship }.map { (name: $0.name, isAscending: true) }
        let all = (given.isEmpty ? usual : given) + ties
        return all.enumerated().filter { place, one in all.prefix(place).allSatisfy { $0.name != one.name } }.map(
            \.element)
    }

    /// Whether the store's groups must be merged into the requested ones.
    var isMerged: Bool { keys.contains { $0.unit != nil } || aggregates.contains { $0.function == .distinct } }
}
