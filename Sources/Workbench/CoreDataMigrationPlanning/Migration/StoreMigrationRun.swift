import CoreData

/// Migrates a store in its place, after a backup if requested.
package struct StoreMigrationRun {
    /// Whether the store is copied before it is changed.
    package enum Backup: Sendable {
        case kept
        case none
    }

    package let report: MigrationPlanReport
    /// The copy of the store before the migration; nil if no backup was requested or the store is on a server.
    package let backup: URL?
    /// Whether another program migrated the store on a server to the new version first, so that this run did nothing.
    package private(set) var wasFoundDone = false

    /// Migrates a store as planned in the report.
    ///
    /// - Throws: `MigrationRefusal`. If the first stage fails, the store is unchanged; if a later one fails, the store
    /// has the
    ///   version before that stage, and the refusal names this version and the backup.
    package init(_ report: MigrationPlanReport, backup kind: Backup) throws {
        self.report = report
        let job = report.job
        do {
            backup =
                kind == .kept && !job.isOnServer
                ? try StoreBackup.make(of: job.facts.url, storeClass: job.storeClass) : nil
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
        guard job.isOnServer, let migrating = job.storeClass.schemaMigrating else {
            try Self.run(report, backup)
            return
        }
        var isDone = false
        do {
            try migrating.migratingAlone(at: job.facts.url, options: [:]) {
                switch try job.presentState() {
                case .asItWas: try Self.run(report, nil)
                case .upToDate: isDone = true
                case .ofAnotherVersion:
                    throw MigrationRefusal(
                        NSMigrationError, store: job.facts.url,
                        cause: "the store is of another version now: another program has migrated it",
                        hint: "migrate it again from there")
                }
            }
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
        wasFoundDone = isDone
    }

    private static func run(_ report: MigrationPlanReport, _ backup: URL?) throws {
        for (number, stage) in report.path.enumerated() {
            do {
                try stage.run(report.job.facts.url, report.job)
            } catch {
                throw failure(error, report: report, done: number, backup: backup)
            }
        }
    }

    /// The refusal for an error of a stage; removes the backup if no stage was done, since the store is unchanged then.
    private static func failure(
        _ error: any Error, report: MigrationPlanReport, done: Int, backup: URL?
    ) -> MigrationRefusal {
        let refusal = MigrationRefusal(error, store: report.job.facts.url)
        guard done > 0 else {
            if let backup { StoreBackup.remove(backup, storeClass: report.job.storeClass) }
            return refusal
        }
        let place = backup.map { ", the backup is '\($0.path)'" } ?? ""
        return MigrationRefusal(
            refusal.code, store: refusal.store,
            cause: "\(refusal.cause); the store is of the version '\(report.path[done - 1].to)' now\(place)",
            items: refusal.items, hint: refusal.hint)
    }

    package var json: JSONValue {
        .object(
            [("result", .string(wasFoundDone ? "upToDate" : "migrated"))] + report.job.members + [
                ("backup", .text(backup?.path))
            ]
                + report.members)
    }
}
