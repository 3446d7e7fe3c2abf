import CoreDataSQL
import SQLiteKit

/// The target of a copy: a store's file under a temporary name beside its final location, until it is complete.
///
/// Large values are written to their files before the row that names them is committed. Their names follow from table,
/// key and column, so that resuming an unfinished copy overwrites the files.
final class FileTableTarget: TableTarget {
    private let url: URL
    private let model: NSManagedObjectModel
    private var opened: Connection?
    private var schema = StoreSchema(model: NSManagedObjectModel())
    private var writer: FileRowWriter?
    /// Whether the temporary file is a complete store that has not been renamed yet.
    private var isWhole = false

    /// The URL of the copy until it is finished.
    private var temporary: URL { FileTableTarget.temporary(for: url) }

    static func temporary(for url: URL) -> URL { URL(fileURLWithPath: url.path + ".unfinished") }

    init(at url: URL, for model: NSManagedObjectModel) {
        self.url = url
        self.model = model
    }

    func close() {
        writer = nil
        opened?.close()
        opened = nil
    }

    private var connection: Connection {
        get throws {
            guard let opened else { throw SQLiteError(code: .misuse, attempt: "copy", message: "the file is not open") }
            return opened
        }
    }

    // MARK: Beginning

    func begin(
        _ origin: CopyOrigin, schema: StoreSchema, keys: [StoreSchema.PrimaryKeyRow]
    ) throws -> CopyPlace {
        self.schema = schema
        return try writing {
            if let found = try openTemporary() {
                guard found.origin == origin else {
                    throw StoreErrors.unusable(
                        url, UnfinishedCopy.change(found.origin, origin), hint: UnfinishedCopy.restartHint)
                }
                return found.place
            }
            if isWhole { return CopyPlace(table: schema.tables.count + 1) }
            let record = FileCopyRecord(origin: origin, place: CopyPlace(table: 0))
            let connection = try connection
            try connection.setPragma("page_size", to: .integer(4096))
            try connection.setPragma("auto_vacuum", to: .integer(2))
            try connection.setPragma("journal_mode", to: .text("persist"))
            try connection.transaction(.exclusive) {
                try create(schema, keys: keys, record: record, connection: connection)
            }
            return record.place
        }
    }

    /// Opens the temporary file exclusively; returns the recorded progress if a copy was begun.
    private func openTemporary() throws -> FileCopyRecord? {
        let isNew = !FileManager.default.fileExists(atPath: temporary.path) || FileAccess.size(temporary.path) == 0
        if isNew { unlink(temporary.path) }
        let connection = try Connection.open(temporary.path, OpenOptions(mode: isNew ? .create : .readWrite))
        opened = connection
        try connection.setPragma("locking_mode", to: .text("exclusive"))
        // A copy that was interrupted in its first transaction has left an empty file.
        guard try !isNew && !SQLiteStoreOpening.isBlank(connection) else { return nil }
        try SQLiteStoreOpening.requireStore(connection, temporary)
        if let record = try FileCopyRecord.read(connection) { return record }
        _ = try StoreMetadata.read(connection, temporary)
        isWhole = true
        return nil
    }

    private func create(
        _ schema: StoreSchema, keys: [StoreSchema.PrimaryKeyRow], record: FileCopyRecord, connection: Connection
    ) throws {
        let statements = schema.tables.map(\.sql) + StoreSchema.bookkeepingStatements + [FileCopyRecord.creation]
        for statement in statements { try connection.execute(statement) }
        for row in keys {
            try connection.execute(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
                [
                    .integer(Int64(row.number)), .text(row.name), .integer(Int64(row.superNumber)),
                    .integer(row.greatestKey),
                ])
        }
        if let kept = try? model.cachedModel() {
            try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob([UInt8](kept))])
        }
        try record.write(to: connection)
    }

    // MARK: Rows

    func add(
        to table: CopiedTable,
        _ fill: (_ put: (TableRow) throws -> Void) throws -> CopyPlace
    ) throws {
        try writing {
            let connection = try connection
            try connection.transaction(.exclusive) {
                let writer = try writer(for: table, connection)
                let place = try fill { try writer.write($0) }
                try connection.execute(FileCopyRecord.update, [.text(place.text)])
            }
        }
    }

    func add(
        _ transactions: [HistoryTransaction],
        _ fill: (_ put: (CopiedChange) throws -> Void) throws -> CopyPlace
    ) throws {
        try writing {
            let connection = try connection
            try connection.transaction(.exclusive) {
                var writer = try FileHistoryWriter(connection)
                for transaction in transactions { try writer.write(transaction) }
                let place = try fill { try writer.write($0) }
                try writer.finish()
                try connection.execute(FileCopyRecord.update, [.text(place.text)])
            }
        }
    }

    private func writer(for table: CopiedTable, _ connection: Connection) throws -> FileRowWriter {
        if let writer, writer.table.number == table.number { return writer }
        let writer = try FileRowWriter(
            table, definition: schema.tables[table.number], connection: connection, beside: url)
        self.writer = writer
        return writer
    }

    // MARK: Ending

    func finish(_ metadata: [String: Any], history: HistoryExtent?) throws {
        try writing {
            writer = nil
            if !isWhole { try makeStore(metadata, history: history, connection: try connection) }
            close()
            guard try FilePlacement(url: url).publish(temporary.path) else {
                throw StoreErrors.unusable(
                    url, "a file of this name exists already", hint: "Remove it, and run the copy again.")
            }
            removeTemporary()
        }
    }

    private func makeStore(
        _ metadata: [String: Any], history: HistoryExtent?, connection: Connection
    ) throws {
        var values = metadata
        values[NSStoreUUIDKey] = nil
        values[NSStoreTypeKey] = NSSQLiteStoreType
        values[StoreMetadata.autoVacuumKey] = "2"
        try MetadataRules.check(values, of: url.path)
        try connection.transaction(.exclusive) {
            for statement in schema.indexes.map(\.sql) + schema.triggers.map(\.sql) {
                try connection.execute(statement)
            }
            if try connection.hasRTree {
                for statement in schema.spatialIndexes.flatMap(\.creation) { try connection.execute(statement) }
            }
            if let history { try FileHistoryWriter.finish(history, connection) }
            try StoreMetadata.write(values, identifier: UUID().uuidString, to: connection)
            try connection.execute("DROP TABLE \(UnfinishedCopy.table)")
        }
        try connection.setPragma("locking_mode", to: .text("normal"))
        try StorePragmas(options: [:]).apply(to: connection)
    }

    func discard() throws {
        close()
        var names: Set<String> = []
        if FileManager.default.fileExists(atPath: temporary.path),
            let connection = try? Connection.open(temporary.path, OpenOptions(mode: .readWrite))
        {
            names = (try? ExternalFiles.names(in: connection)) ?? []
            connection.close()
        }
        ExternalFiles.remove(names, of: url)
        removeTemporary()
    }

    private func removeTemporary() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(temporary.path + suffix) }
    }

    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, at: temporary, during: "be written")
        } catch let error as ExternalDataError {
            throw error.cocoaError(writingBeside: url)
        }
    }
}
