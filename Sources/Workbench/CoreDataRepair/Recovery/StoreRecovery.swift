import CoreData
import SQLiteKit

/// Creates a new SQLite store from the rows that can still be read in a damaged one, which is never written.
///
/// 1. `RecoverySurvey` reads the tables, the identity and the cached model of the damaged file.
/// 2. An empty store of the model is created under a temporary name beside the target.
/// 3. Rows are inserted with their keys: first those of the tables' B-trees, then those of leaf pages outside of any
///    B-tree.
/// 4. The files of large values are copied, and the store is renamed to the target and checked.
package struct StoreRecovery {
    package let source: URL
    package let target: URL
    package let model: URL?

    package init(_ source: URL, to target: URL, model: URL? = nil) {
        self.source = source
        self.target = target
        self.model = model
    }

    /// - Throws: `InspectionError`: `unreadable` if the source cannot be read or the target exists, `noModel` if no
    ///   model was given and the file has no readable one. The incomplete new store is removed then.
    package func run() throws -> RecoveryReport {
        for url in [source, target] where !url.isFileURL {
            throw InspectionError(
                .unreadable, subject: url.place, cause: "only files are recovered, and only into files",
                hint: "a server has backups of its own; 'copy' takes a store from one into a file")
        }
        guard FileStatus(target.path) == nil else {
            throw InspectionError(
                .unreadable, subject: target.path, cause: "the file exists already",
                hint: "choose another place for the new store")
        }
        let survey = try RecoverySurvey(path: source.path)
        let (model, configuration, origin) = try chooseModel(survey)
        var report = RecoveryReport(
            source: source, target: target, check: StoreCheckReport(url: target, findings: FindingList(limit: 0)))
        report.model = origin
        report.hasSchema = survey.hasSchema
        let owner = TemporaryStoreOwner(for: target, purpose: "recovering.sqlite")
        defer { owner.release() }
        let temporary = owner.temporary
        do {
            try make(temporary, model: model, configuration: configuration)
            try fill(temporary, survey: survey, model: model, configuration: configuration, report: &report)
            try RawStore(at: temporary).copyLargeValues(from: source)
            try StoreFile.publishStore(at: temporary, as: target)
        } catch {
            StoreFile.discardStore(at: temporary)
            throw InspectionError.unreadable(target, error)
        }
        report.check = try StoreCheck(target, model: self.model).run()
        return report
    }

    // MARK: The model

    private func chooseModel(
        _ survey: RecoverySurvey
    ) throws -> (model: NSManagedObjectModel, configuration: String?, origin: String) {
        guard let path = model else {
            guard let kept = survey.keptModel else {
                throw InspectionError(
                    .noModel, subject: source.path, cause: "the file keeps no model that can be read",
                    hint: "give the model that it was made with: --model PATH")
            }
            return (kept.model, nil, "kept")
        }
        let package = try ModelPackage(at: path)
        if survey.hashes.isEmpty {
            guard let version = package.versions.first(where: \.isCurrent) ?? package.versions.last else {
                throw InspectionError(.unreadable, subject: path.path, cause: "it holds no model")
            }
            return (version.model, nil, "given")
        }
        guard let fit = package.fits(hashes: survey.hashes).min(by: { $0.differences.count < $1.differences.count })
        else {
            throw InspectionError(.unreadable, subject: path.path, cause: "it holds no model")
        }
        return (fit.version.model, fit.configuration, "given")
    }

    private func make(_ temporary: URL, model: NSManagedObjectModel, configuration: String?) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: OpenStore.prepared(model, for: .reading))
        let store = try coordinator.addPersistentStore(
            type: .sqlite, configuration: configuration, at: temporary, options: [:])
        try coordinator.remove(store)
    }

    // MARK: Rows

    private func fill(
        _ temporary: URL, survey: RecoverySurvey, model: NSManagedObjectModel, configuration: String?,
        report: inout RecoveryReport
    ) throws {
        guard let database = SalvagedDatabase(path: source.path) else { throw CocoaError(.fileReadUnknown) }
        report.pages = database.pageCount
        let plan = RecoveryPlan(survey, model: model, configuration: configuration)
        let target = try RecoveryTarget(temporary)
        do {
            var work = RecoveryWork(plan: plan, target: target, tables: survey.tables, report: report)
            try work.run(database)
            report = work.report
            report.unreadablePages = database.unreadablePages
            report.unreadableCells = database.unreadableCells
            report.keepsIdentity = survey.identifier != nil
            report.remarks += try target.finish(
                survey,
                keepsMetadata: model.entitiesDiffering(from: survey.hashes, configuration: configuration).isEmpty,
                StoreSchema(model: model, configuration: configuration))
        } catch {
            target.abandon()
            throw error
        }
    }
}
