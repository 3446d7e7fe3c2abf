import CoreData
import SQLiteKit

/// Repairs one SQLite store in an exclusive transaction, then removes the orphaned files of large values.
struct RepairWork {
    /// The greatest number of passes over all rules: a repair can break another rule, for example if it sets a required
    /// value to nil.
    private static let passes = 5

    private let url: URL
    private let check: StoreCheck
    private let connection: Connection
    private let report: (StoreFinding) -> Void
    private(set) var count = 0
    private(set) var remarks: [String] = []

    init(_ url: URL, check: StoreCheck, _ report: @escaping (StoreFinding) -> Void) throws {
        self.url = url
        self.check = check
        self.report = report
        do {
            connection = try Connection.open(url.path, OpenOptions(mode: .readWrite))
            // In WAL mode, a connection with this locking mode excludes all other connections, readers too.
            try connection.setPragma("locking_mode", to: .text("exclusive"))
        } catch {
            throw Self.refusal(error, url)
        }
    }

    /// Runs the repair and closes the connection, also if an error is thrown, which rolls the transaction back.
    mutating func run() throws {
        defer { connection.close() }
        do {
            try prepare()
            try connection.transaction(.exclusive) { try repair() }
            removeOrphans()
        } catch let error as SQLiteError {
            throw Self.refusal(error, url)
        }
    }

    private static func refusal(_ error: SQLiteError, _ url: URL) -> InspectionError {
        if [.busy, .locked].contains(error.code.primary) {
            return InspectionError(
                .readOnly, subject: url.path, cause: "another program has the store open",
                hint: "close it there, then try again")
        }
        return InspectionError(
            .readOnly, subject: url.path,
            cause: "the store cannot be repaired: \(PrintableText.escaped(error.message, limit: 300))",
            hint: error.hint)
    }

    private func prepare() throws {
        try CheckFunctions(folder: try? ExternalFolder(store: url, makesFolders: false)).register(on: connection)
        try ToolChangeHistory.registerTriggerFunctions(on: connection)
        try connection.execute("CREATE TEMP TABLE repairing (id INTEGER PRIMARY KEY)")
        try connection.execute("CREATE TEMP TABLE places (id INTEGER PRIMARY KEY, place INTEGER)")
        try connection.execute(ToolChangeHistory.preparation)
    }

    // MARK: One transaction

    private mutating func repair() throws {
        let raw = RawStore(at: url, on: connection, try connection.catalog())
        try repair(IntegrityCheck(connection: connection).faults())
        try repair(MetadataCheck(raw: raw).faults())
        guard let model = try model(raw) else { return }
        try repair(SchemaCheck(store: try store(model)).faults)
        let store = try store(model)
        try requireKnownTriggers(store)
        // The triggers write to R-trees, which are virtual tables: SQLite allows that only with `trusted_schema` on.
        if store.schema.spatialIndexes.contains(where: \.hasTree) { try connection.configure(.trustedSchema, true) }
        for _ in 0..<Self.passes where try repairRows(store) == 0 { break }
        try repair(SpatialIndexCheck(store: store).faults())
        try repair(try KeyCounterCheck(store: store).faults())
        if let flaw = ToolChangeHistory.flaw(of: store.raw.catalog) {
            remarks.append("The history says nothing of this: \(flaw)")
        } else if raw.hasHistory {
            _ = try ToolChangeHistory(connection, store.schema).record(author: OpenStore.author)
        }
    }

    private func model(_ raw: RawStore) throws -> StoreModel? {
        guard let facts = try? StoreFacts(at: url, raw) else { return nil }
        return check.model == nil
            ? try? OpenStore.model(at: nil, for: facts, raw) : try OpenStore.model(at: check.model, for: facts, raw)
    }

    private func store(_ model: StoreModel) throws -> CheckedStore {
        try CheckedStore(
            RawStore(at: url, on: connection, try connection.catalog()), model.model, configuration: model.configuration
        )
    }

    /// Throws if the database has a trigger that Core Data did not create, as such a trigger could change any row.
    private func requireKnownTriggers(_ store: CheckedStore) throws {
        guard let trigger = store.schema.unknownTriggers(among: store.raw.catalog.triggers.map(\.sql)).first else {
            return
        }
        let name = store.raw.catalog.triggers.first { $0.sql == trigger }?.name ?? "?"
        throw InspectionError(
            .readOnly, subject: url.path, cause: "the store has the trigger \(name), which its model does not call for",
            hint: "drop the trigger, then try again")
    }

    private mutating func repair(_ faults: [StoreFault]) throws {
        for fault in faults where !fault.statements.isEmpty && fault.finding.isRepairable {
            for (sql, values) in fault.statements { try connection.execute(sql, values) }
            note(fault.finding)
        }
    }

    private mutating func note(_ finding: StoreFinding) {
        count += 1
        report(finding)
    }

    /// Applies all repairable rules once; returns the number of repaired rows.
    private mutating func repairRows(_ store: CheckedStore) throws -> Int {
        let run = RowRuleRun(store: store)
        var repaired = 0
        for (table, rules) in SQLiteStoreCheck.rules(of: store) {
            let repairable = rules.filter { $0.remedy != nil && $0.remark == nil }
            guard !repairable.isEmpty else { continue }
            let counts = try stride(from: 0, to: repairable.count, by: 100).flatMap { start in
                try run.counts(Array(repairable[start..<min(start + 100, repairable.count)]), table)
            }
            // The repair for a rule may break a rule whose count was 0 here: the next pass repairs it.
            for (rule, count) in zip(repairable, counts) where count > 0 { repaired += try repair(rule, run) }
        }
        return repaired
    }

    private mutating func repair(_ rule: RowRule, _ run: RowRuleRun) throws -> Int {
        let table = SQLIdentifier.quoted(rule.table)
        try connection.execute("DELETE FROM temp.repairing")
        try connection.execute("INSERT INTO temp.repairing SELECT t.rowid FROM \(table) t WHERE \(rule.condition)")
        var rows = 0
        try run.forEach(rule, among: "temp.repairing") { finding in
            rows += 1
            note(finding)
        }
        guard rows > 0 else { return 0 }
        let changes = rule.changes ?? .init(entity: rule.entity, key: rule.key, property: rule.property)
        // The history can record changes only of objects whose entity number is in the schema.
        let known = CheckedStore.list(run.store.schema.entities.map(\.number))
        try connection.execute(
            "INSERT OR IGNORE INTO temp.touched SELECT \(changes.entity), \(changes.key), ? FROM \(table) t "
                + "WHERE t.rowid IN (SELECT id FROM temp.repairing) AND \(changes.entity) IN (\(known)) "
                + "AND \(changes.key) IS NOT NULL", [.text(changes.property ?? "")])
        for statement in rule.remedy?.statements ?? [] { try connection.execute(statement) }
        return rows
    }

    // MARK: Files

    /// Removes the files of large values that no row names after the rows are repaired; a file that cannot be removed is
    /// a remark.
    private mutating func removeOrphans() {
        guard let catalog = try? connection.catalog() else { return }
        let files = LargeValueFiles(store: url, connection: connection, catalog: catalog)
        guard !files.isShared, let folder = try? ExternalFolder(store: url, makesFolders: false) else { return }
        var names: [String] = []
        // If not all rows can be read, the files that they name are unknown: no file is removed then.
        let isComplete: Void? = try? files.forEach(grace: check.grace) { name, kind in
            if case .orphaned = kind { names.append(name) }
        }
        guard isComplete != nil else { return }
        for name in names {
            guard unlinkat(folder.descriptor, name, 0) == 0 || errno == ENOENT else {
                let reason = String(cString: strerror(errno))
                remarks.append("The file \(name) of a large value, which no row names, cannot be removed: \(reason).")
                continue
            }
            note(LargeValueFiles.orphan(name))
        }
    }
}
