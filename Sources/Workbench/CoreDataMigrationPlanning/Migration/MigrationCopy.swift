import CoreData

/// A copy of a store in a temporary folder, for a trial of its migration; the copy is removed when the value is
/// released.
struct MigrationCopy {
    let job: MigrationJob
    let url: URL
    private let folder: ScratchFolder

    /// - Throws: `MigrationRefusal` if the store cannot be copied.
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

    /// Migrates the copy, which must have the stage's old version; returns the duration in seconds.
    ///
    /// - Throws: `MigrationRefusal` that names the store, not the copy.
    func migrate(_ stage: MigrationStage) throws -> Double {
        let start = ContinuousClock.now
        do {
            try stage.run(url, job)
        } catch {
            // The error holds for the store as well, and the user knows only the path of the store.
            let refusal = MigrationRefusal(error, store: url)
            throw MigrationRefusal(
                refusal.code, store: job.facts.url, cause: refusal.cause.replacing(url.path, with: job.facts.url.place),
                items: refusal.items, hint: refusal.hint)
        }
        return start.duration(to: .now) / .seconds(1)
    }
}
