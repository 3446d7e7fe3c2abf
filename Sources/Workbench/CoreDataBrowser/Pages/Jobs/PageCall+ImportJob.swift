import CoreData
import CoreDataJobs

/// Imports as jobs, which are offered again where their process was ended.
extension PageCall {
    /// - Parameter request: The call that asks for it.
    func importPlan(
        _ choice: BrowsedStore.ImportChoice, of file: UploadedFile, request: JSONValue, in store: BrowsedStore
    ) throws -> JobPlan {
        var plan = try importPlan(choice, of: file.content, keeping: file, in: store)
        guard plan.kind == .import else { return plan }
        var facts = ["name": file.name]
        if let origin = file.content.origin {
            facts["url"] = origin.url.withoutPassword.absoluteString
            facts["format"] = origin.format?.rawValue
            facts["next"] = origin.nextPage
        }
        plan.resuming = ResumableJob(
            request: JSONWriter.line(request), file: URL(fileURLWithPath: file.content.path), facts: facts)
        return plan
    }

    /// The import that an ended process had begun: all of it, since what it did not end was taken back.
    ///
    /// - Throws: `BrowserFailure` where the file is gone, and what the import's page throws.
    func resumedImport(_ record: JobRecord, in store: BrowsedStore) throws -> JobPlan {
        try requireImporting(into: store)
        let path = browser.jobs.resumable.file(of: record.id).path
        guard FileManager.default.fileExists(atPath: path), let text = record.parameters["request"],
            let request = try JSONReader.values(in: Array(text.utf8), of: "the job").first
        else {
            throw BrowserFailure(
                410, code: "unknownFile", reason: "the file is not kept any more", hint: "send it again")
        }
        let origin = record.parameters["url"].flatMap { URL(string: $0) }.map { url in
            ImportFile.Origin(
                url: url, format: record.parameters["format"].flatMap(ImportFormat.init(rawValue:)),
                nextPage: record.parameters["next"])
        }
        let file = ImportFile(path, named: record.parameters["name"] ?? "import", from: origin)
        return try importPlan(
            BrowsedStore.ImportChoice(JSONParts(request), of: file), of: file, keeping: nil, in: store)
    }

    /// - Parameter owner: What keeps the file until the job has ended.
    private func importPlan(
        _ choice: BrowsedStore.ImportChoice, of file: ImportFile, keeping owner: UploadedFile?, in store: BrowsedStore
    ) throws -> JobPlan {
        let target = StoreFileAccess(url: try store.storeFile("nothing can be imported"), model: store.model)
        let (browser, author) = (browser, request.user?.name ?? OpenStore.author)
        let isTrial = choice.request.mode != .save
        var plan = JobPlan(isTrial ? .trial : .import, file.name) { handle, outcome in
            try withExtendedLifetime(owner) {
                do {
                    let request = try choice.prepared(for: store.opened.wholeModel, by: browser.importAccess)
                    if !isTrial { try browser.sessions.requireNothingStaged(in: store) }
                    let before = store.opened.newestTransaction
                    let name = StoreImport.newName
                    let report = try browser.changeFile(of: store, choice.request.mode) {
                        try BrowsedStore.importing(request, into: target, author: author, name: name) {
                            handle.report(completed: Int64($0), total: Int64($1))
                        }
                    }
                    // Sessions are refreshed on queues of their own; the result does not wait for them.
                    Task { await browser.sessions.refresh(store) }
                    return report.adding(store.opened.transactions(after: before, named: name))
                } catch {
                    guard !outcome.cancellation.isCancelled else { throw CancellationError() }
                    throw owner?.named(error) ?? error
                }
            }
        }
        plan.total = file.byteCount
        return plan
    }
}

extension ServedStore {
    /// The number of the newest transaction of the history; nil without a history.
    var newestTransaction: Int64? {
        try? store.serialized { try store.objects?.history?.historyExtent().newest }
    }

    /// The name of an import, by which it is taken back, and the first and the last transaction after another one that it has saved: an
    /// import saves in portions. Null where the history has none.
    fileprivate func transactions(after number: Int64?, named name: String) -> [(String, JSONValue)] {
        var found: ClosedRange<Int64>?
        if let number, let history = store.objects?.history {
            try? store.serialized {
                try history.readHistory(HistoryQuery(after: .number(number))) { transaction in
                    guard transaction.contextName == name else { return .next }
                    found = (found?.lowerBound ?? transaction.number)...transaction.number
                    return .next
                } change: { _ in
                }
            }
        }
        return [
            ("import", .text(found == nil ? nil : name)),
            ("transaction", found.map { .integer($0.lowerBound) } ?? .null),
            ("through", found.map { .integer($0.upperBound) } ?? .null),
        ]
    }
}

extension JSONValue {
    /// The object with further members.
    fileprivate func adding(_ more: [(String, JSONValue)]) -> JSONValue {
        guard case .members(let members) = self else { return self }
        return .members(members + more.map { Member(key: $0.0, value: $0.1) })
    }
}

extension URL {
    /// The URL without the name and the password, which are not kept.
    fileprivate var withoutPassword: URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return self }
        (parts.user, parts.password) = (nil, nil)
        return parts.url ?? self
    }
}
