import CoreDataSQL
import PostgresKit

/// Determines what a migration would do to a store on a server: its statements, their locks, and their estimated
/// durations.
///
/// Rows and sizes are the server's own estimates (`pg_class`), so that determining them costs almost nothing.
struct ServerMigrationSurvey {
    /// Bytes of a table written per second, including the log: a conservative estimate for a small machine; see
    /// `Docs/Decisions/0016-migration-on-a-server.md`.
    private static let bytesWritten = 10e6
    private static let bytesRead = 200e6
    private static let kindsThatWrite: Set<MigrationStep.Kind> = [.copyRows, .updateRows, .createIndex]
    private static let kindsThatRead: Set<MigrationStep.Kind> = [.deleteRows, .checkUnique, .checkRequired]

    private struct Size {
        let rows: Int
        let bytes: Double
    }

    private let connection: PostgresConnection
    private let migration: SchemaMigration
    private let location: PostgresLocation

    init(_ connection: PostgresConnection, migration: SchemaMigration, location: PostgresLocation) {
        self.connection = connection
        self.migration = migration
        self.location = location
    }

    func plan() throws -> SchemaMigrationPlan {
        let sizes = try sizes()
        let lock = SchemaMigrationPlan.Step(
            kind: MigrationStep.Kind.bookkeeping.rawValue, subject: "the store",
            statement: "LOCK TABLE Z_METADATA IN ACCESS EXCLUSIVE MODE",
            rows: nil, lock: .init(table: "z_metadata", mode: "ACCESS EXCLUSIVE", rewrites: false), seconds: nil)
        let steps = Self.statements(migration).map { step in
            let table = step.rowsOf.map(PostgresStoreOpening.serverName)
            let size = table.flatMap { sizes[$0] }
            return SchemaMigrationPlan.Step(
                kind: step.kind.rawValue, subject: step.subject, statement: step.text.sql,
                rows: size?.rows, lock: Self.lockOf(step), seconds: size.map { seconds(step, $0) },
                bytes: Self.kindsThatWrite.contains(step.kind) ? size.map { Int($0.bytes) } : nil)
        }
        return SchemaMigrationPlan(
            steps: [lock] + steps, droppedRows: try droppedRows(), collisions: try collisions(), misfits: try misfits())
    }

    /// Returns the statements and locks for a store that does not exist yet, so that nothing is known of its rows.
    static func statements(of migration: SchemaMigration) -> SchemaMigrationPlan {
        let steps = statements(migration).map { step in
            SchemaMigrationPlan.Step(
                kind: step.kind.rawValue, subject: step.subject, statement: step.text.sql, rows: nil,
                lock: lockOf(step))
        }
        return SchemaMigrationPlan(steps: steps, droppedRows: [:], collisions: [])
    }

    private static func statements(_ migration: SchemaMigration) -> [MigrationStep] {
        (migration.steps + migration.closing).filter { !$0.isCheck }
    }

    private func seconds(_ step: MigrationStep, _ size: Size) -> Double {
        if Self.kindsThatWrite.contains(step.kind) { return size.bytes / Self.bytesWritten }
        return Self.kindsThatRead.contains(step.kind) ? size.bytes / Self.bytesRead : 0
    }

    /// Returns the lock that a statement takes; it is held until the end of the migration.
    private static func lockOf(_ step: MigrationStep) -> SchemaMigrationPlan.Lock? {
        let words = step.text.sql.split(separator: " ")
        switch step.kind {
        case .renameTable, .renameColumn, .addColumn, .dropColumn, .dropTable:
            guard words.count > 2 else { return nil }
            let table = PostgresStoreOpening.serverName(String(words[2]))
            return .init(table: table, mode: "ACCESS EXCLUSIVE", rewrites: false)
        case .createIndex:
            guard let table = step.rowsOf.map(PostgresStoreOpening.serverName) else { return nil }
            let isConstraint = step.text.sql.hasPrefix("ALTER")
            return .init(table: table, mode: isConstraint ? "ACCESS EXCLUSIVE" : "SHARE", rewrites: false)
        case .updateRows, .deleteRows:
            return step.rowsOf.map {
                .init(
                    table: PostgresStoreOpening.serverName($0), mode: "ROW EXCLUSIVE",
                    rewrites: step.kind == .updateRows)
            }
        case .copyRows:
            return step.rowsOf.map {
                .init(table: PostgresStoreOpening.serverName($0), mode: "ACCESS SHARE", rewrites: true)
            }
        default: return nil
        }
    }

    private func sizes() throws -> [String: Size] {
        let result = try connection.query(
            "SELECT c.relname, greatest(c.reltuples, 0)::float8, pg_total_relation_size(c.oid)::float8 "
                + "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relkind = 'r'", [.text(location.schema)])
        var sizes: [String: Size] = [:]
        for row in 0..<result.rowCount {
            sizes[result.text(row, 0) ?? ""] = Size(
                rows: Int(exactly: (result.double(row, 1) ?? 0).rounded()) ?? 0, bytes: result.double(row, 2) ?? 0)
        }
        return sizes
    }

    private func droppedRows() throws -> [String: Int] {
        var rows: [String: Int] = [:]
        for entity in migration.droppedEntities {
            let condition = entity.isAloneInTable ? "" : " WHERE Z_ENT = \(entity.number)"
            let result = try connection.query(
                "SELECT count(*) FROM \(SQLIdentifier.quoted(entity.table))\(condition)")
            if let count = result.int64(0, 0), count > 0 { rows[entity.name] = Int(count) }
        }
        return rows
    }

    /// Returns the results of all checks of numbers.
    private func misfits() throws -> [NumberMisfits] {
        try migration.steps.filter { $0.kind == .checkNumbers }.compactMap { check in
            check.misfits(rows: try connection.query(check.text.numbered).integers)
        }
    }

    /// Returns the violated uniqueness constraints, as far as they can be checked before the migration: if the columns
    /// already have their new names.
    private func collisions() throws -> [(entity: String, properties: [String])] {
        var found: [(entity: String, properties: [String])] = []
        for check in migration.closing where check.kind == .checkUnique {
            _ = try connection.query("SAVEPOINT opencoredata_check")
            let count = try? connection.query(check.text.numbered)
            _ = try connection.query("ROLLBACK TO SAVEPOINT opencoredata_check")
            if let count, count.rowCount > 0 { found.append((check.subject, check.properties)) }
        }
        return found
    }
}
