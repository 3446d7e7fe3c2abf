import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Opens or creates a store and checks it before anything else happens to it.
struct PostgresStoreOpening {
    /// The maximum number of connections to servers behind one address in order to find one that accepts writes.
    private static let mostAttempts = 6

    private let request: OpeningRequest
    private let location: PostgresLocation
    private let connector: PostgresConnector

    init(_ request: OpeningRequest) throws {
        self.request = request
        location = try PostgresLocation(request.url)
        connector = PostgresConnector(
            location: location,
            settings: PostgresSettings(request.options, hasSeveralHosts: location.hasSeveralHosts))
    }

    private var isReadOnly: Bool { request.options[NSReadOnlyPersistentStoreOption] as? Bool ?? false }

    private var model: NSManagedObjectModel { request.layouts.model }

    func open() throws -> OpenedStore<PostgresStore> {
        do {
            let connection = try connect()
            do {
                return try open(connection)
            } catch {
                connection.close()
                throw error
            }
        } catch let error as PostgresError {
            throw PostgresErrors.opening(error, location)
        }
    }

    /// Connects to a server that accepts writes if the store is opened for writing and such a server is found;
    /// otherwise to any.
    ///
    /// A proxy may lead to a replica until it has detected which server accepts writes.
    private func connect() throws(PostgresError) -> PostgresConnection {
        var connection = try connector.connect()
        for _ in 1..<Self.mostAttempts where connection.takesNoWrites && !isReadOnly {
            guard let next = try? connector.connect() else { break }
            connection.close()
            connection = next
        }
        return connection
    }

    private func open(_ connection: PostgresConnection) throws -> OpenedStore<PostgresStore> {
        let plain = PostgresSchema(StoreSchema(model: model, configuration: request.configuration), in: location.schema)
        var epoch = try StoreEpoch.find(connection, plain)
        if epoch == nil {
            guard !isReadOnly else {
                throw PostgresLocation.refusal(
                    location.publicURL, "there is no store in the schema '\(location.schema)'",
                    hint: "Look at the database's name and ?schema=; a store is not created for reading only.")
            }
            try create(plain, connection)
            epoch = try StoreEpoch.find(connection, plain)
        }
        // Everything read from here on belongs to this epoch, or reading fails; the epoch of a locked store cannot
        // change.
        let held = request.options[HeldStore.option] as? HeldStore
        var connector = connector
        connector.opening = held == nil ? epoch?.check(plain) : nil
        connection.opening = connector.opening
        let metadata = try held?.metadata ?? PostgresMetadata.read(connection, schema: plain, location: location)
        try VersionCheck(request).check(metadata.values)
        let numbers = try Self.entityNumbers(plain, connection)
        let modelled = PostgresSchema(
            StoreSchema(model: model, configuration: request.configuration, recordedNumbers: numbers),
            in: location.schema)
        let tables = try Self.requireTables(modelled, connection: connection, location: location)
        let schema = try ExpressionIndexes(modelled, connection: connection, location: location).prepared(
            isReadOnly: isReadOnly || connection.takesNoWrites)
        let shape = PostgresShape(location, schema: schema, layouts: request.layouts, store: request.delegate)
        let tracksHistory = request.options[NSPersistentHistoryTrackingKey] as? Bool ?? false
        let reason = isReadOnly || tracksHistory ? nil : try HistorySchema(schema: schema).guarding(connection, tables)
        if let reason {
            let place = location.publicURL.absoluteString
            CoreDataLogging.report(
                .warning, "'\(place)': \(reason)", metadata: [CoreDataLogging.MetadataKey.store: place])
        }
        connector.needsWriter = !isReadOnly && !connection.takesNoWrites
        connection.closesWhenReadOnly = connector.needsWriter
        let store = PostgresStore(
            shape, connection: connection, connector: connector, isReadOnly: isReadOnly, reasonForReadOnly: reason,
            metadata: metadata.values)
        store.session.onReconnecting = { [weak store] in
            // Another server, or one restored from a backup, may have allocated the same keys to other programs.
            store?.keys.forgetAll()
            store?.replicaPool?.forgetPositions()
            try store?.findLostSaves()
        }
        // If the role may not query this, lost saves are detected by the save marker alone.
        if connector.needsWriter { try? store.acknowledged.noteServer(connection) }
        if tracksHistory { try store.beginHistory() }
        if !store.isReadOnly, connector.needsWriter { SaveMarker.removeOutdated(schema, connection) }
        store.pool.fill()
        return OpenedStore(backend: store, metadata: metadata.shown, identifier: metadata.identifier)
    }

    /// Returns the entity numbers that a store has recorded.
    static func entityNumbers(_ schema: PostgresSchema, _ connection: PostgresConnection) throws -> [String: Int] {
        let result = try connection.query("SELECT Z_NAME, Z_ENT FROM \(schema.table("Z_PRIMARYKEY"))")
        var numbers: [String: Int] = [:]
        for row in 0..<result.rowCount {
            guard let name = result.text(row, 0), let number = result.int64(row, 1).flatMap({ Int(exactly: $0) }) else {
                continue
            }
            numbers[name] = number
        }
        return numbers
    }

    /// Creates the schema and all tables in one transaction. If several programs do so at once, one creates them and
    /// the others find them.
    private func create(_ schema: PostgresSchema, _ connection: PostgresConnection) throws {
        let values = RecordMetadata.makeVersioned(
            for: request.layouts.model, configuration: request.configuration)
        let identifier = request.delegate.identifier ?? UUID().uuidString
        let bytes = try PostgresMetadata.bytes(of: values, location)
        try connection.transaction("BEGIN", first: [location.lock(.shape)]) {
            if try !PostgresMetadata.isPresent(connection, schema) {
                try fill(schema, identifier: identifier, metadata: bytes, connection: connection)
            }
        }
    }

    private func fill(
        _ schema: PostgresSchema, identifier: String, metadata: [UInt8], connection: PostgresConnection
    ) throws {
        var statements = schema.creationStatements.map { PostgresStatement($0, []) }
        statements += schema.store.primaryKeyRows.map { schema.insertion($0) }
        // The cached model lets programs open the store without a model; the store is created even if the model cannot
        // be archived.
        if let kept = try? model.cachedModel() { statements.append(schema.insertion(model: kept)) }
        statements.append(PostgresMetadata.insertion(identifier: identifier, metadata, schema))
        _ = try connection.pipeline(statements)
    }

    /// Throws if the store lacks a table or a column of the model; returns the names of all tables on the server.
    @discardableResult
    static func requireTables(
        _ schema: PostgresSchema, connection: PostgresConnection, location: PostgresLocation
    ) throws -> Set<String> {
        let result = try connection.query(
            "SELECT c.relname, a.attname FROM pg_catalog.pg_class c "
                + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid "
                + "WHERE n.nspname = $1::text AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped",
            [.text(location.schema)])
        var columns: [String: Set<String>] = [:]
        for row in 0..<result.rowCount {
            columns[result.text(row, 0) ?? "", default: []].insert(result.text(row, 1) ?? "")
        }
        for table in schema.store.tables {
            let found = columns[serverName(table.name)] ?? []
            guard let missing = table.columns.first(where: { !found.contains(serverName($0.name)) }) else {
                continue
            }
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The store '\(location.publicURL.absoluteString)' cannot be opened: its table \(table.name) has no column "
                    + "\(missing.name), or is not there.",
                hint: "Somebody has changed the tables; restore them from a backup.")
        }
        return Set(columns.keys)
    }

    /// Returns the name that an index has on the server.
    static func serverName(_ index: IndexDefinition) -> String {
        serverName(StoreSchema.shortened(index.name, to: PostgresLocation.longestName))
    }

    /// Returns the name on the server for a name as the schema writes it in SQL: unquoted names are in lower case
    /// there.
    static func serverName(_ name: String) -> String {
        guard SQLIdentifier.quoted(name) == name else { return name }
        return String(
            decoding: name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self)
    }
}
