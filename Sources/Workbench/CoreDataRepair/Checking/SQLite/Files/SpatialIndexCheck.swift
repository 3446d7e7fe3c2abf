import CoreData
import SQLiteKit

/// Checks that each R-tree index has the rows of its table, and that the triggers that update the R-tree exist.
///
/// A query that uses an R-tree misses every row that the R-tree lacks.
struct SpatialIndexCheck {
    let store: CheckedStore

    func faults() -> [StoreFault] {
        store.schema.spatialIndexes
            .filter { $0.hasTree && store.has($0.table, "Z_PK") }
            .filter { tree in tree.columns.allSatisfy { store.has(tree.table, $0) } }
            .flatMap { [missingTriggers(of: $0), differentRows(of: $0)].compactMap(\.self) }
    }

    private func finding(_ tree: SpatialIndex, sentence: String, remedy: String?) -> StoreFinding {
        StoreFinding(
            .indexOutOfStep, sentence, entity: store.entities(in: tree.table).first?.name, remedy: remedy)
    }

    // MARK: Triggers

    private func missingTriggers(of tree: SpatialIndex) -> StoreFault? {
        guard !tree.isKept else { return nil }
        let present = store.raw.catalog.triggers
        let wanted = tree.triggerStatements.filter { statement in
            !present.contains { SpatialIndex.areAlike($0.sql, statement) }
        }
        let names = Set(["INSERT", "UPDATE", "DELETE"].map { "\(tree.name)_\($0)".uppercased() })
        let known = tree.triggerStatements.count - wanted.count
        // A trigger with such a name and another text may be the program's own: then the repair creates no triggers.
        let isFree = present.filter { names.contains($0.name.uppercased()) }.count == known
        return StoreFault(
            finding: finding(
                tree, sentence: "The R-tree \(tree.name) lacks triggers that keep it up.",
                remedy: isFree ? "They are made." : nil),
            statements: isFree ? wanted.map { ($0, []) } : [])
    }

    // MARK: Rows

    private func differentRows(of tree: SpatialIndex) -> StoreFault? {
        let sentence: String
        do {
            let count = try count(different(tree)) + count(surplus(tree))
            guard count > 0 else { return nil }
            let rows = count == 1 ? "1 row" : "\(count) rows"
            sentence = "The R-tree \(tree.name) does not agree with the table \(tree.table) in \(rows)."
        } catch {
            sentence = "The R-tree \(tree.name) cannot be read."
        }
        return StoreFault(
            finding: finding(tree, sentence: sentence, remedy: "The tree is rebuilt from the table."),
            statements: ["DROP TABLE \(quoted(tree.name))", tree.treeStatement, tree.filling].map { ($0, []) })
    }

    private func count(_ statement: String) throws -> Int {
        Int(try store.connection.value(statement)?.integer ?? 0)
    }

    private func surplus(_ tree: SpatialIndex) -> String {
        "SELECT count(*) FROM \(quoted(tree.name)) r WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(quoted(tree.table)) t WHERE t.Z_PK = r.Z_PK)"
    }

    private func different(_ tree: SpatialIndex) -> String {
        let conditions = tree.columns.map { "NOT (\(isHeld($0)))" }
        return "SELECT count(*) FROM \(quoted(tree.table)) t LEFT JOIN \(quoted(tree.name)) r ON r.Z_PK = t.Z_PK "
            + "WHERE r.Z_PK IS NULL OR \(conditions.joined(separator: " OR "))"
    }

    /// An SQL condition: the R-tree's bounds for a column are those of its value, which SQLite rounds outwards to 32
    /// bits.
    ///
    /// For very small and very large values, which 32 bits cannot represent well, only the magnitude is compared.
    private func isHeld(_ column: String) -> String {
        let value = "ifnull(CAST(t.\(quoted(column)) AS REAL), 0.0)"
        let (lower, upper) = ("r.\(quoted("\(column)_MIN"))", "r.\(quoted("\(column)_MAX"))")
        return "CASE WHEN abs(\(value)) < 1e-36 THEN abs(\(lower)) < 2e-36 AND abs(\(upper)) < 2e-36 "
            + "WHEN abs(\(value)) > 3e38 THEN abs(\(lower)) > 2.9e38 AND abs(\(upper)) > 2.9e38 "
            + "ELSE \(lower) <= \(value) AND \(upper) >= \(value) AND \(upper) - \(lower) <= abs(\(value)) * 1e-6 END"
    }

    private func quoted(_ name: String) -> String { SQLIdentifier.quoted(name) }
}
