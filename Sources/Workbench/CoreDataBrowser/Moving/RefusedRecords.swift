import CoreData

/// The records that an import refused: the first of them, and all by the rule that they break.
struct RefusedRecords {
    /// The greatest numbers of records that are listed, of rules, and of records that are named for a rule.
    private static let (listed, rules, examples) = (200, 200, 5)

    private struct Rule {
        let column: String?
        let reason: String
        var count = 0
        var lines: [JSONValue] = []
    }

    private var records: [JSONValue] = []
    private var found: [Rule] = []
    private var places: [String: Int] = [:]

    mutating func add(_ record: RefusedRecord) {
        let reason = PrintableText.escaped(record.reason, limit: 500)
        let place: [(String, JSONValue)] = [("line", .count(record.line)), ("record", .count(record.record))]
        if records.count < Self.listed {
            records.append(.object(place + [("column", .text(record.column)), ("reason", .string(reason))]))
        }
        let key = (record.column ?? "") + "\u{0}" + reason
        let index = places[key] ?? found.count
        if index == found.count {
            guard index < Self.rules else { return }
            places[key] = index
            found.append(Rule(column: record.column, reason: reason))
        }
        found[index].count += 1
        if found[index].lines.count < Self.examples { found[index].lines.append(.object(place)) }
    }

    /// `"refusals": [{"line", "record", "column", "reason"}]` and `"rules": [{"column", "reason", "count", "records"}]`
    var members: [JSONValue.Member] {
        let rules = found.sorted { $0.count > $1.count }.map { rule -> JSONValue in
            .object([
                ("column", .text(rule.column)), ("reason", .string(rule.reason)), ("count", .count(rule.count)),
                ("records", .array(rule.lines)),
            ])
        }
        return [.init(key: "refusals", value: .array(records)), .init(key: "rules", value: .array(rules))]
    }
}
