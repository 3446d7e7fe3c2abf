import CoreDataSQL
import SQLiteKit

/// Rows in a hierarchy's table with an entity number of no concrete entity of the hierarchy; no query may return them.
///
/// Queries over complete tables omit the condition on the entity number, which would slow them. The compiler adds it
/// only for tables with such rows: they are counted when the store is opened, and reported when a fetch finds one.
struct UnknownEntityRows {
    /// The tables that have such rows, or lack the index needed to find them quickly.
    private(set) var tables: Set<String> = []
    /// What was found, as sentences.
    private(set) var notes: [String] = []

    /// Counts such rows by the indexes on the entity numbers; read errors are ignored here, as later reads report them.
    init(_ connection: Connection, schema: StoreSchema, catalog: Catalog) {
        for root in schema.entities where root.number == root.rootNumber && !root.isAloneInTable {
            guard Self.hasIndex(root.table, catalog) else {
                tables.insert(root.table)
                continue
            }
            let source = Self.source(root, schema)
            guard let count = try? connection.value("SELECT COUNT(*)" + source)?.integer, count > 0 else { continue }
            tables.insert(root.table)
            let numbers = "SELECT group_concat(n, ', ') FROM (SELECT DISTINCT quote(Z_ENT) n\(source) LIMIT 5)"
            notes.append(
                "\(count) rows of the table \(root.table) have an entity number that no object there can have ("
                    + ((try? connection.value(numbers)?.text) ?? "unreadable") + "): no query finds them.")
        }
    }

    /// Whether an index begins with the entity number, as the one that Apple's framework creates for each hierarchy.
    private static func hasIndex(_ table: String, _ catalog: Catalog) -> Bool {
        catalog.indexes.contains { index in
            guard index.table.uppercased() == table.uppercased(), !index.sql.uppercased().contains(" WHERE "),
                let start = index.sql.firstIndex(of: "(")
            else {
                return false
            }
            return index.sql[start...].uppercased().split { !$0.isLetter && $0 != "_" }.first == "Z_ENT"
        }
    }

    /// Returns FROM and WHERE of a query for such rows of a hierarchy.
    private static func source(_ root: EntityMapping, _ schema: StoreSchema) -> String {
        let numbers = root.familyNumbers.filter { schema.entity(number: $0)?.isAbstract == false }.sorted()
        let table = " FROM " + SQLIdentifier.quoted(root.table)
        guard let first = numbers.first, let last = numbers.last else { return table }
        let gaps = zip(numbers, numbers.dropFirst()).filter { $1 - $0 > 1 }
            .map { " OR (Z_ENT > \($0) AND Z_ENT < \($1))" }
        return table + " WHERE Z_ENT < \(first) OR Z_ENT > \(last) OR Z_ENT IS NULL" + gaps.joined()
    }
}
