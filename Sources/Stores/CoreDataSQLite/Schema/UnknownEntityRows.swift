import CoreDataSQL
import SQLiteKit

/// Rows of a hierarchy's table whose entity number no object of the hierarchy can have: no query finds them.
///
/// Queries over entire tables omit the condition on the number, which would slow each of them. Only for a table with
/// such rows does the compiler add it: they are counted when the store is opened, and noted when a fetch meets one.
struct UnknownEntityRows {
    /// The tables that have such rows, or lack the index that would find them.
    private(set) var tables: Set<String> = []
    /// What was found, as sentences.
    private(set) var notes: [String] = []

    /// Looks for such rows by the indexes on the numbers; what cannot be read for damage is left to who needs it.
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

    /// Whether an index begins with the numbers, as the one does that Apple's framework makes for each hierarchy.
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

    /// What follows SELECT for the rows of a hierarchy.
    private static func source(_ root: EntityMapping, _ schema: StoreSchema) -> String {
        let numbers = root.familyNumbers.filter { schema.entity(number: $0)?.isAbstract == false }.sorted()
        let table = " FROM " + SQLIdentifier.quoted(root.table)
        guard let first = numbers.first, let last = numbers.last else { return table }
        let gaps = zip(numbers, numbers.dropFirst()).filter { $1 - $0 > 1 }
            .map { " OR (Z_ENT > \($0) AND Z_ENT < \($1))" }
        return table + " WHERE Z_ENT < \(first) OR Z_ENT > \(last) OR Z_ENT IS NULL" + gaps.joined()
    }
}
