import CoreData
import CoreDataJobs

/// `POST /stores/{store}/export`: makes the file that `GET` of the address sends, as a job; the file is fetched from the job.
struct ExportJobPage: Page {
    let route = Route("POST /stores/{store}/export")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let parts = JSONParts(try await call.json())
        let question = try ExportQuestion { try parts.optionalText($0) }
        try store.requireExporting(for: call.access)
        let (choice, url, model) = (question.choice, try store.storeFile("there is nothing to export"), store.model)
        let opened = store.opened
        let plan = JobPlan(.export, question.fileName) { handle, outcome in
            handle.report(total: Int64(Self.count(choice, in: opened)))
            let folder = try ScratchFolder()
            let file = folder.file("export")
            guard FileManager.default.createFile(atPath: file.path, contents: nil),
                let output = FileHandle(forWritingAtPath: file.path)
            else { throw UploadedFile.unwritable() }
            let written = try BrowsedStore.writeExport(
                choice, url: url, model: model, progress: { handle.count($0) },
                to: { bytes in
                    do { try output.write(contentsOf: Data(bytes)) } catch { throw UploadedFile.unwritable() }
                })
            try output.close()
            handle.report(completed: Int64(written), total: Int64(written))
            outcome.set(
                JobOutcome.File(url: file, name: question.fileName, type: question.contentType, folder: folder))
            return .object([("objects", .count(written)), ("file", .string(question.fileName))])
        }
        return try call.started(plan, in: store)
    }

    /// How many objects there are, as far as the store says it without a predicate; 0 where that is not known.
    private static func count(_ choice: BrowsedStore.ExportChoice, in opened: ServedStore) -> Int {
        guard choice.predicate == nil else { return 0 }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        let names =
            choice.entities.isEmpty
            ? opened.wholeModel.entities.filter { $0.superentity == nil }.compactMap(\.name) : choice.entities
        return context.performAndWait {
            names.reduce(0) { sum, name in
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.affectedStores = [opened.store]
                return sum + ((try? context.count(for: request)) ?? 0)
            }
        }
    }
}
