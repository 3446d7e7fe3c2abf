import CoreData
import SQLiteKit

/// Checks an SQLite store within one read transaction.
struct SQLiteStoreCheck {
    private let check: StoreCheck

    init(_ check: StoreCheck) { self.check = check }

    func run() throws -> StoreCheckReport {
        var report = StoreCheckReport(url: check.url, findings: FindingList(limit: check.limit))
        let log = LogCheck(path: check.url.path)
        report.findings.add(log.findings)
        let raw: RawStore
        do {
            raw = try RawStore(at: check.url)
        } catch let error as NSError where error.code == NSFileReadCorruptFileError && isDatabase {
            report.findings.add(IntegrityCheck.unreadable(error))
            return report
        } catch {
            throw InspectionError.unreadable(check.url, error)
        }
        // All queries read one snapshot of the file. In a damaged file, even starting or ending a transaction can fail.
        try? raw.connection.begin(.deferred)
        defer { try? raw.connection.rollBack() }
        guard let cancellation = ReadCancellation.current else {
            try look(raw, log: log, report: &report)
            return report
        }
        try cancellation.reading(with: raw.connection.interruption) { try look(raw, log: log, report: &report) }
        // The check reports a query that the cancellation interrupted as a fault, so the report is discarded.
        if cancellation.isCancelled { throw CancellationError() }
        return report
    }

    /// Whether the file begins with SQLite's magic string: if so, an unreadable file is a damaged database.
    private var isDatabase: Bool {
        DatabaseBytes.first(15, of: check.url.path) == Array("SQLite format 3".utf8)
    }

    private func look(_ raw: RawStore, log: LogCheck, report: inout StoreCheckReport) throws {
        let integrity = IntegrityCheck(connection: raw.connection).faults()
        report.findings.add(integrity.map(\.finding))
        if integrity.count >= IntegrityCheck.mostFaults {
            report.remarks.append("SQLite's own check stopped after \(integrity.count) faults; there are more.")
        }
        let identifier = (try? raw.metadata())?[NSStoreUUIDKey] as? String
        let isDamaged = integrity.contains { $0.finding.kind == .damagedFile }
        if let finding = log.comparison(identifier: identifier, isDamaged: isDamaged) { report.findings.add(finding) }
        let metadata = MetadataCheck(raw: raw)
        report.findings.add(metadata.faults().map(\.finding))
        report.findings.add(HistoryCheck(raw: raw).faults.map(\.finding))
        // Damaged pages can refer to each other in a cycle, so that a query would never end.
        guard !isDamaged else {
            report.remarks.append("Rows are not looked at, as the file itself is damaged.")
            return
        }
        guard let model = try model(raw, &report) else { return }
        if model.source == .cached { report.findings.add(metadata.faults(of: model).map(\.finding)) }
        let store: CheckedStore
        do {
            store = try CheckedStore(raw, model.model, configuration: model.configuration)
        } catch {
            report.findings.add(IntegrityCheck.unreadable(error, "The table Z_PRIMARYKEY"))
            return
        }
        let schema = SchemaCheck(store: store)
        report.findings.add(schema.faults.map(\.finding))
        report.remarks += schema.remarks.prefix(20).map { PrintableText.escaped($0, limit: 400) }
        do {
            report.findings.add(try KeyCounterCheck(store: store).faults().map(\.finding))
        } catch {
            report.findings.add(IntegrityCheck.unreadable(error, "The table Z_PRIMARYKEY"))
        }
        report.findings.add(SpatialIndexCheck(store: store).faults().map(\.finding))
        try checkRows(store, &report)
        checkFiles(raw, &report)
    }

    /// The model that the caller gave, else the one cached in the store; without a usable one, reports that and returns
    /// nil.
    private func model(_ raw: RawStore, _ report: inout StoreCheckReport) throws -> StoreModel? {
        do {
            let facts = try StoreFacts(at: check.url, raw)
            let model = try OpenStore.model(at: check.model, for: facts, raw)
            if let mismatch = model.mismatch { throw mismatch }
            return model
        } catch let error as InspectionError where check.model == nil {
            // If the metadata are faulty, the check has already reported that as `badMetadata`.
            if error.code == .noModel {
                report.remarks.append(
                    "The store keeps no model, so its rows are not looked at; give the one it was made with: --model PATH."
                )
            } else if !report.findings.counts.keys.contains(.badMetadata) {
                report.findings.add(StoreFinding(.modelMismatch, "\(error.cause)."))
            }
            return nil
        }
    }

    private func checkRows(_ store: CheckedStore, _ report: inout StoreCheckReport) throws {
        try CheckFunctions(folder: try? ExternalFolder(store: check.url, makesFolders: false))
            .register(on: store.connection)
        let run = RowRuleRun(store: store)
        for (table, rules) in Self.rules(of: store) {
            do {
                try run.run(rules, of: table, findings: &report.findings, remarks: &report.remarks)
            } catch let error as SQLiteError {
                report.findings.add(IntegrityCheck.unreadable(error, "The table \(table)"))
            }
        }
    }

    /// All rules, grouped by table. As far as possible, the repair of a rule breaks only rules that come later in the
    /// order.
    static func rules(of store: CheckedStore) -> [(table: String, rules: [RowRule])] {
        let rows = store.tables.map { table in
            (
                table,
                IdentityRules(store: store).rules(of: table) + AttributeValueRules(store: store).rules(of: table)
                    + UniquenessRules(store: store).rules(of: table) + ReferenceRules(store: store).rules(of: table)
                    + CountRules(store: store).rules(of: table) + OrderRules(store: store).rules(of: table)
            )
        }
        let links = LinkRules(store: store).rules.map { table, rules in
            (table, rules + OrderRules(store: store).rules(of: table))
        }
        return rows + links + HistoryCheck(raw: store.raw).rules
    }

    private func checkFiles(_ raw: RawStore, _ report: inout StoreCheckReport) {
        let files = LargeValueFiles(store: check.url, connection: raw.connection, catalog: raw.catalog)
        let isShared = files.isShared
        var young = 0
        do {
            try files.forEach(grace: check.grace) { name, kind in
                switch kind {
                case .orphaned where isShared: young += 1
                case .orphaned: report.findings.add(LargeValueFiles.orphan(name))
                case .young: young += 1
                case .strange: report.findings.add(LargeValueFiles.stranger(name))
                }
            }
        } catch {
            report.remarks.append("The files of large values were not looked at, as not all rows can be read.")
        }
        guard young > 0 else { return }
        let reason =
            isShared
            ? "another store has the same folder, whose files they may be"
            : "they are younger than the grace time, so that a save may be about to name them"
        report.remarks.append("\(young) files of large values are named by no row; \(reason).")
    }
}

extension LargeValueFiles {
    static func orphan(_ name: String) -> StoreFinding {
        StoreFinding(
            .orphanedFile, "The file \(name) of a large value is named by no row.", remedy: "The file is removed.")
    }

    static func stranger(_ name: String) -> StoreFinding {
        StoreFinding(
            .strangeFile,
            "'\(PrintableText.escaped(name, limit: 100))' in the folder of large values is not a file of a large value."
        )
    }
}
