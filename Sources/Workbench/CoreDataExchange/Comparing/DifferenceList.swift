import CoreData
import SQLiteKit

/// Stores the differences of two stores in a temporary database while they are found, and returns windows of the list
/// later.
///
/// Long differences are shown truncated, so that a window never takes much memory; a fingerprint of the complete one
/// shows whether it has changed since it was shown. Not thread-safe.
package final class DifferenceList {
    /// Selects differences by entity and kind; nil selects all.
    package struct Filter: Hashable, Sendable {
        package var entity: String?
        package var kind: StoreDifference.Kind?

        package init(entity: String? = nil, kind: StoreDifference.Kind? = nil) {
            self.entity = entity
            self.kind = kind
        }
    }

    /// The differences that the user chose: all that match a filter, or those with some numbers.
    package enum Choice: Sendable {
        case all(Filter)
        case numbers(Set<Int>)
    }

    /// A difference whose values are longer, in bytes of JSON, is shown with the beginnings of their texts.
    private static let longestValue = 2_000

    private let database: ScratchDatabase
    /// The number of all differences.
    package private(set) var count = 0

    package init() throws {
        database = try ScratchDatabase(
            """
            CREATE TABLE differences (number INTEGER PRIMARY KEY, entity TEXT, kind TEXT, a TEXT, b TEXT, print INTEGER,
            json TEXT);
            CREATE TABLE places (place TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
            """)
    }

    /// Appends a difference to the list.
    package func add(_ difference: StoreDifference) throws {
        count += 1
        try database.run(
            "INSERT INTO differences VALUES (?, ?, ?, ?, ?, ?, ?)", .integer(Int64(count)), .text(difference.entity),
            .text(difference.kind.rawValue), Self.value(difference.left), Self.value(difference.right),
            .integer(Self.fingerprint(difference)),
            .text(JSONWriter.line(difference.shown(longest: Self.longestValue))))
        try database.run(
            "INSERT OR REPLACE INTO places VALUES (?, ?)", .text(Self.place(difference)), .integer(Int64(count)))
    }

    /// The number of differences that match a filter.
    package func count(_ filter: Filter) throws -> Int {
        let (condition, values) = Self.condition(filter)
        return try database.first("SELECT count(*) FROM differences\(condition)", values) {
            Int(truncatingIfNeeded: $0.int64(0))
        } ?? 0
    }

    /// A range of the differences that match a filter, in the order in which they were found: their numbers and JSON.
    package func window(
        _ filter: Filter, offset: Int, limit: Int
    ) throws -> [(number: Int, json: JSONValue)] {
        let (condition, values) = Self.condition(filter)
        var found: [(Int, JSONValue)] = []
        try database.forEach(
            "SELECT number, json FROM differences\(condition) ORDER BY number LIMIT ? OFFSET ?",
            values + [.integer(Int64(limit)), .integer(Int64(offset))]
        ) { row in
            let json = try JSONReader.values(in: Array((row.text(1) ?? "").utf8), of: "a difference")
            found.append((Int(truncatingIfNeeded: row.int64(0)), json.first ?? .null))
        }
        return found
    }

    /// The number of chosen differences; numbers that are not in the list do not count.
    package func count(_ choice: Choice) throws -> Int {
        switch choice {
        case .all(let filter): try count(filter)
        case .numbers(let numbers): numbers.count { (1...max(1, count)).contains($0) && count > 0 }
        }
    }

    /// Whether a difference of a later comparison was chosen in this list.
    package enum Standing: Equatable {
        case unchosen
        case chosen
        /// A difference of the same objects was chosen, but its values have changed since.
        case changed
    }

    /// Compares a difference of a later comparison with the difference of the same objects in this list.
    package func standing(of difference: StoreDifference, _ choice: Choice) throws -> Standing {
        let kept = try database.first(
            "SELECT d.number, d.entity, d.kind, d.print FROM places p JOIN differences d ON d.number = p.number "
                + "WHERE p.place = ?",
            .text(Self.place(difference))
        ) { row in
            (
                number: Int(truncatingIfNeeded: row.int64(0)), entity: row.text(1) ?? "", kind: row.text(2) ?? "",
                print: row.int64(3)
            )
        }
        guard let kept else { return .unchosen }
        let isChosen =
            switch choice {
            case .all(let filter):
                (filter.entity ?? kept.entity) == kept.entity && (filter.kind?.rawValue ?? kept.kind) == kept.kind
            case .numbers(let numbers): numbers.contains(kept.number)
            }
        guard isChosen else { return .unchosen }
        return kept.print == Self.fingerprint(difference) ? .chosen : .changed
    }

    private static func condition(_ filter: Filter) -> (String, [Value]) {
        var (parts, values): ([String], [Value]) = ([], [])
        if let entity = filter.entity {
            parts.append("entity = ?")
            values.append(.text(entity))
        }
        if let kind = filter.kind {
            parts.append("kind = ?")
            values.append(.text(kind.rawValue))
        }
        return (parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND "), values)
    }

    private static func value(_ text: String?) -> Value { text.map { .text($0) } ?? .null }

    private static func place(_ difference: StoreDifference) -> String {
        difference.left.map { "a \($0)" } ?? "b \(difference.right ?? "")"
    }

    /// A hash of the complete values of a difference; valid only within this process.
    private static func fingerprint(_ difference: StoreDifference) -> Int64 {
        var hasher = Hasher()
        hasher.combine(JSONWriter.line(difference.json(hasValues: true)))
        return Int64(hasher.finalize())
    }
}

extension StoreDifference {
    /// The JSON with values; long values are truncated, and `cut` lists the names of their properties.
    fileprivate func shown(longest: Int) -> JSONValue {
        var cut: [JSONValue] = []
        func shown(_ value: JSONValue, _ name: String) -> JSONValue {
            let line = JSONWriter.line(value)
            guard line.utf8.count > longest else { return value }
            cut.append(.string(name))
            let text = if case .string(let text) = value { text } else { line }
            return .string(String(text.unicodeScalars.prefix(longest / 4)))
        }
        let short = StoreDifference(
            kind: kind, left: left, right: right,
            properties: properties.map {
                Property(name: $0.name, left: shown($0.left, $0.name), right: shown($0.right, $0.name))
            })
        guard !cut.isEmpty, case .members(let members) = short.json(hasValues: true) else {
            return json(hasValues: true)
        }
        return .members(members + [.init(key: "cut", value: .array(cut))])
    }
}
