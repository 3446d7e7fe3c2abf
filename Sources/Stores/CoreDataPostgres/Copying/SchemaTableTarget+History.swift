import CoreDataSQL
import PostgresKit

/// Writes the history of a copy: changes with COPY, the transactions of a portion with one statement.
extension SchemaTableTarget {
    private var historySchema: HistorySchema { HistorySchema(schema: tables) }

    func add(
        _ transactions: [HistoryTransaction],
        _ fill: (_ put: (CopiedChange) throws -> Void) throws -> CopyPlace
    ) throws {
        try writing {
            let schema = historySchema
            try connection.transaction {
                _ = try connection.pipeline(schema.creation + [schema.insertion(of: transactions)])
                let place = try copy(
                    into: "\(schema.changes) (ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS, ZTOMBSTONE)"
                ) { writer in
                    try fill { change in
                        try writer.beginRow(6)
                        for number in [change.transaction, change.kind, change.entity, change.key] {
                            try writer.append(bits: UInt64(bitPattern: number))
                        }
                        try writer.append(change.properties)
                        try writer.append(change.tombstone.isEmpty ? nil : ChangeRows.coded(change.tombstone))
                    }
                }
                if let place { _ = try connection.pipeline([SchemaCopyRecord.update(place, tables)]) }
            }
        }
    }

    /// Makes the store's history continue after the copied one; called within the transaction that completes the store.
    func finishHistory(_ extent: HistoryExtent) throws {
        let schema = historySchema
        let results = try connection.pipeline(schema.creation + [schema.marker])
        guard let marker = results.last?.text(0, 0) else { return }
        _ = try connection.query(
            "INSERT INTO \(schema.state) (Z_PK, ZBASE, ZPURGED, ZMARKER) VALUES (1, $1::int8, $2::int8, $3::text)",
            [.integer(extent.newest), .integer(extent.purged ?? 0), .text(marker)])
    }
}

extension CopyWriter {
    fileprivate func append(_ bytes: [UInt8]?) throws {
        guard let bytes else { return try appendNull() }
        try bytes.withUnsafeBytes { try append(field: $0) }
    }
}

extension HistorySchema {
    /// Returns the statement that inserts transactions of another history with their new numbers.
    fileprivate func insertion(of copied: [HistoryTransaction]) throws -> PostgresStatement {
        func texts(_ text: (HistoryTransaction) -> String?) throws -> PostgresParameter {
            var array = ColumnArray(.varchar, capacity: copied.count)
            for transaction in copied {
                guard var text = text(transaction) else {
                    array.appendNull()
                    continue
                }
                text.withUTF8 {
                    array.append(StoredValue(tag: RowTag.text, bits: 0, bytes: UnsafeRawBufferPointer($0)))
                }
            }
            return try array.parameter()
        }
        var times = ColumnArray(.float, capacity: copied.count)
        for transaction in copied {
            times.append(
                StoredValue(
                    tag: RowTag.real, bits: transaction.time.bitPattern,
                    bytes: UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        return PostgresStatement(
            "INSERT INTO \(transactions) (Z_PK, ZTIMESTAMP, ZAUTHOR, ZCONTEXTNAME, ZBUNDLEID, ZPROCESSID) "
                + "SELECT * FROM unnest($1::int8[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::text[])",
            [
                .integers(copied.map(\.number)), try times.parameter(), try texts(\.author), try texts(\.contextName),
                try texts(\.bundleID), try texts(\.processID),
            ])
    }
}
