import CoreData

/// A copy of a store in the temporary folder, on which a migration is tried; it is removed with the value.
struct MigrationCopy {
    let job: MigrationJob
    let url: URL
    private let folder: ScratchFolder

    /// - Throws: `MigrationRefusal` where the store cannot be copied.
    init(of job: MigrationJob) throws {
        self.job = job
        folder = try ScratchFolder()
        url = folder.file(job.isWrittenWhole ? "Copy.store" : "Copy.sqlite")
        do {
            try job.storeClass.administration?.replaceStore(
                at: url, options: [:], withStoreAt: job.facts.url, options: [:])
        } catch {
            throw MigrationRefusal(error, store: job.facts.url)
        }
    }

    /// Migrates the copy, which must be of the stage's old version; gives the seconds that it took.
    ///
    /// - Throws: `MigrationRefusal` that names the store, not the copy.
    func migrate(_ stage: MigrationStage) throws -> Double {
        let start = ContinuousClock.now
        do {
            try stage.run(url, job)
        } catch {
            // What is said of the copy is true of the store, and its path is the one that is known.
            let refusal = MigrationRefusal(error, store: url)
            throw MigrationRefusal(
                refusal.code, store: job.facts.url, cause: refusal.cause.replacing(url.path, with: job.facts.url.place),
                items: refusal.items, hint: refusal.hint)
        }
        return start.duration(to: .now) / .seconds(1)
    }
}
