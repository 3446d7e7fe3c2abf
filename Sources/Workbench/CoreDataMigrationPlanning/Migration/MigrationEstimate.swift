import CoreData

/// What a migration is expected to take, from a sample of the largest table's rows that is written to a temporary file.
package struct MigrationEstimate {
    private static let sampledRows = 2_000

    /// A second, on two cores that others use too; see `Docs/Decisions/0021-mapping-models-on-a-server.md`.
    private static let objectsMapped = 8_000.0

    /// Nil for a file that is rewritten completely, unless a copy of it was migrated on trial.
    package var seconds: Double?
    /// The bytes by which the store's files grow while it runs, or the server's; nil for a store that is made a second time.
    package let bytes: Int?
    /// The bytes of a backup, where it shares none with the store; 0 where none is made.
    package let backupBytes: Int

    /// - Throws: `MigrationRefusal` for a store that cannot be read.
    init(of job: MigrationJob, _ statements: [SchemaMigrationPlan.Step], stages: Int) throws {
        guard !job.isOnServer else {
            // The server knows the sizes of its tables; later stages are taken to be like the first here too.
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
        // Later stages are taken to be like the first, whose statements are known.
        seconds = sample.seconds * Double(all * stages) / Double(sample.rows)
        bytes = Int(Double(sample.bytes) * Double(written) / Double(sample.rows))
    }

    /// For a server, where the store is locked as long as its objects are mapped, and for a file that is rewritten
    /// completely; nil for any other file.
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
