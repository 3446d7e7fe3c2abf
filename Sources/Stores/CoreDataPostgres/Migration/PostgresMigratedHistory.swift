import CoreDataSQL
import PostgresKit

/// Updates the persistent history to the entities and properties of the new model.
///
/// Changes of removed entities are deleted; all others keep their numbers, so existing tokens remain valid. There are
/// few distinct sets of changed properties, so one statement per entity rewrites them; tombstones are rewritten a page
/// at a time.
struct PostgresMigratedHistory {
    private static let changesAtOnce = 1_000

    private let connection: PostgresConnection
    private let schema: HistorySchema
    private let kept: [HistoryMoves]
    private let dropped: [Int64]

    init(
        _ connection: PostgresConnection, schema: HistorySchema, migration: SchemaMigration,
        from old: ModelLayout, to new: ModelLayout
    ) {
        self.connection = connection
        self.schema = schema
        kept = HistoryMoves.all(of: migration, from: old, to: new)
        dropped = migration.droppedEntities.map { Int64($0.number) }
    }

    func run() throws {
        let found = try connection.query("SELECT to_regclass($1::text) IS NOT NULL", [.text(schema.changes)])
        guard found.int64(0, 0) == 1 else { return }
        if !dropped.isEmpty {
            _ = try connection.query("DELETE FROM \(schema.changes) WHERE ZENTITY = ANY($1)", [.integers(dropped)])
        }
        try moveProperties()
        try moveTombstones()
        try moveNumbers()
    }

    private func moveProperties() throws {
        for entity in kept where entity.movesProperties {
            let sets = try connection.query(
                "SELECT DISTINCT ZCOLUMNS FROM \(schema.changes) WHERE ZENTITY = $1::int8 AND ZCOLUMNS IS NOT NULL",
                [.integer(Int64(entity.number))])
            var (before, after) = (
                ColumnArray(.blob, capacity: sets.rowCount), ColumnArray(.blob, capacity: sets.rowCount)
            )
            for row in 0..<sets.rowCount {
                let packed = sets.bytes(row, 0)
                guard let moved = entity.moved(packed: packed) else { continue }
                before.append(StoredValue(tag: RowTag.blob, bits: 0, bytes: packed))
                moved.withUnsafeBytes { after.append(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0)) }
            }
            _ = try connection.query(
                "UPDATE \(schema.changes) c SET ZCOLUMNS = u.n FROM unnest($2::bytea[], $3::bytea[]) AS u(o, n) "
                    + "WHERE c.ZENTITY = $1::int8 AND c.ZCOLUMNS = u.o",
                [.integer(Int64(entity.number)), try before.parameter(), try after.parameter()])
        }
    }

    private func moveTombstones() throws {
        for entity in kept where entity.movesTombstones {
            var last = Int64.min
            while true {
                let page = try connection.query(
                    "SELECT Z_PK, ZTOMBSTONE FROM \(schema.changes) WHERE Z_PK > $1::int8 AND ZENTITY = $2::int8 "
                        + "AND ZTOMBSTONE IS NOT NULL ORDER BY Z_PK LIMIT \(Self.changesAtOnce)",
                    [.integer(last), .integer(Int64(entity.number))])
                guard page.rowCount > 0, let end = page.int64(page.rowCount - 1, 0) else { break }
                last = end
                try rewrite(page, of: entity)
            }
        }
    }

    private func rewrite(_ page: PostgresResult, of entity: HistoryMoves) throws {
        var tombstones = ColumnArray(.blob, capacity: page.rowCount)
        for row in 0..<page.rowCount {
            let before = CompositeCoding.elements(in: page.bytes(row, 1)).map(DerivedCell.init)
            ChangeRows.coded(entity.converted(before)).withUnsafeBytes {
                tombstones.append(StoredValue(tag: RowTag.blob, bits: 0, bytes: $0))
            }
        }
        _ = try connection.query(
            "UPDATE \(schema.changes) c SET ZTOMBSTONE = u.t FROM unnest($1::int8[], $2::bytea[]) AS u(k, t) "
                + "WHERE c.Z_PK = u.k",
            [.integers((0..<page.rowCount).map { page.int64($0, 0) ?? 0 }), try tombstones.parameter()])
    }

    private func moveNumbers() throws {
        let moved = kept.filter { $0.number != $0.newNumber }
        guard !moved.isEmpty else { return }
        _ = try connection.query(
            "UPDATE \(schema.changes) c SET ZENTITY = u.n FROM unnest($1::int8[], $2::int8[]) AS u(o, n) "
                + "WHERE c.ZENTITY = u.o",
            [.integers(moved.map { Int64($0.number) }), .integers(moved.map { Int64($0.newNumber) })])
    }
}
