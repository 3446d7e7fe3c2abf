import CoreDataSQL
import SQLiteKit

/// Determines what a migration would do to a file, with the numbers of rows, without writing.
struct MigrationSurvey {
    private let connection: Connection
    private let migration: SchemaMigration

    init(_ connection: Connection, _ migration: SchemaMigration) {
        self.connection = connection
        self.migration = migration
    }

    func plan() throws -> SchemaMigrationPlan {
        var counts: [String: Int] = [:]
        for table in Set((migration.steps + migration.closing).compactMap(\.rowsOf)) {
            // A new table does not exist yet, so the query fails and there is no count.
            let sql = "SELECT count(*) FROM \(SQLIdentifier.quoted(table))"
            counts[table] = (try? connection.value(sql)?.integer).flatMap { $0 }.map { Int($0) }
        }
        let steps = (migration.steps + migration.closing).filter { !$0.isCheck }.map { step in
            SchemaMigrationPlan.Step(
                kind: step.kind.rawValue, subject: step.subject, statement: step.text.sql,
                rows: step.rowsOf.flatMap { counts[$0] })
        }
        return SchemaMigrationPlan(
            steps: steps, droppedRows: try droppedRows(), collisions: try collisions(), misfits: try misfits())
    }

    /// Returns the results of all checks of numbers.
    private func misfits() throws -> [NumberMisfits] {
        try migration.steps.filter { $0.kind == .checkNumbers }.compactMap { check in
            check.misfits(rows: try connection.rows(check.text.sql).map { $0.map(\.integer) })
        }
    }

    private func droppedRows() throws -> [String: Int] {
        var rows: [String: Int] = [:]
        for entity in migration.droppedEntities {
            let condition = entity.isAloneInTable ? "" : " WHERE Z_ENT = \(entity.number)"
            let sql = "SELECT count(*) FROM \(SQLIdentifier.quoted(entity.table))\(condition)"
            let count = Int(try connection.value(sql)?.integer ?? 0)
            if count > 0 { rows[entity.name] = count }
        }
        return rows
    }

    /// Returns the violated uniqueness constraints, as far as they can be checked before the migration: if the columns
    /// already have their new names.
    private func collisions() throws -> [(entity: String, properties: [String])] {
        var found: [(entity: String, properties: [String])] = []
        for check in migration.closing where check.kind == .checkUnique {
            guard let count = (try? connection.value(check.text.sql)?.integer).flatMap({ $0 }), count > 1 else {
                continue
            }
            found.append((check.subject, check.properties))
        }
        return found
    }
}
