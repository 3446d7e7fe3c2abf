import CoreData

/// The expected time and space of a migration. For SQLite stores, it is extrapolated from writing a sample of the
/// largest table's rows to a temporary file.
package struct MigrationEstimate {
    private static let sampledRows = 2_000

    /// Objects mapped per second, as measured on two shared processor cores; see
    /// `Docs/Decisions/0021-mapping-models-on-a-server.md`.
    private static let objectsMapped = 8_000.0

    /// Nil for a file that is rewritten completely, unless `MigrationPlanReport.tried()` has migrated a copy of it.
    package var seconds: Double?
    /// The bytes by which the store's files, or the server's, grow during the migration; nil if a mapping model
    /// recreates a store on a server.
    package let bytes: Int?
    /// The bytes of the backup, if the file system does not share them with the store; 0 for servers, which get no
    /// backup.
    package let backupBytes: Int

    /// - Throws: `MigrationRefusal` for a store that cannot be read.
    init(of job: MigrationJob, _ statements: [SchemaMigrationPlan.Step], stages: Int) throws {
        guard !job.isOnServer else {
            // The server's plan has times and sizes. Later stages are assumed to take as long as the average stage
            // planned.
            seconds = statements.reduce(0) { $0 + ($1.seconds ?? 0) } * Double(stages)
            (bytes, backupBytes) = (statements.reduce(0) { $0 + ($1.bytes ?? 0) }, 0)
            return
        }
        backupBytes = job.facts.size + (job.facts.walSize ?? 0)
        let sample: RawStore.RowSample?
        do {
            sample = try RawStore(at: job.facts.url).sampleLargestTable(rows: Self.sampledRows)
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
        guard let sample, sample.rows > 0 else {
            (seconds, bytes) = (0, 0)
            return
        }
        let all = statements.reduce(0) { $0 + ($1.rows ?? 0) }
        let written = statements.filter { ["copy rows", "update rows", "create index"].contains($0.kind) }
            .reduce(0) { $0 + ($1.rows ?? 0) }
        // Only statements of the first stage have row counts; later stages are assumed to take as long.
        seconds = sample.seconds * Double(all * stages) / Double(sample.rows)
        bytes = Int(Double(sample.bytes) * Double(written) / Double(sample.rows))
    }

    /// Estimates a migration by a mapping model on a server, which locks the store meanwhile, or the migration of a
    /// file that is rewritten completely; nil for other files.
    init?(of job: MigrationJob, objects: Int) {
        guard !job.isWrittenWhole else {
            (seconds, bytes, backupBytes) = (nil, job.facts.size, job.facts.size)
            return
        }
        guard job.isOnServer else { return nil }
        seconds = Double(objects) / Self.objectsMapped
        (bytes, backupBytes) = (nil, 0)
    }

    package var json: JSONValue {
        .object([
            ("seconds", seconds.map { .real(($0 * 1_000).rounded() / 1_000) } ?? .null), ("bytes", .count(bytes)),
            ("backupBytes", .count(backupBytes)),
        ])
    }
}
