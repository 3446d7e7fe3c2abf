import CoreData
import CoreDataJobs

/// `POST /stores/{store}/import/reversal`: takes an import back by its name, `{"import"}`, as a job.
///
/// Each of its transactions is taken back by one that is committed, so that a job which was cancelled, or whose process was ended, is
/// finished by the same call.
struct ImportReversalPage: Page {
    let route = Route("POST /stores/{store}/import/reversal")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        let name = try JSONParts(try await call.json()).text("import")
        guard StoreImport.isName(name) else { throw JSONParts.missing("import") }
        try call.browser.sessions.requireNothingStaged(in: store)
        return try call.started(call.reversalPlan(of: name, in: store), in: store)
    }
}

extension PageCall {
    /// The reversal that an ended process had begun: what is left of it.
    func resumedReversal(_ record: JobRecord, in store: BrowsedStore) throws -> JobPlan {
        try requireImporting(into: store)
        guard let name = record.parameters["import"] else { throw JSONParts.missing("import") }
        return try reversalPlan(of: name, in: store)
    }

    /// A job whose result is `{"import", "transactions"}`.
    fileprivate func reversalPlan(of name: String, in store: BrowsedStore) throws -> JobPlan {
        let (target, browser) = (try importTarget(store), browser)
        var plan = JobPlan(.reversal, name) { handle, _ in
            try browser.sessions.requireNothingStaged(in: store)
            defer { Task { await browser.sessions.refresh(store) } }
            let count = try browser.changeFile(of: store) {
                try target.takingBack(name) { handle.report(completed: Int64($0), total: Int64($1)) }
            }
            return .object([("import", .string(name)), ("transactions", .count(count))])
        }
        plan.resuming = ResumableJob(request: "{}", facts: ["import": name])
        return plan
    }
}

extension StoreFileAccess {
    /// Takes back what is left of an import; returns the number of its transactions.
    ///
    /// - Throws: `BrowserFailure`: 409 where something has changed an object since, 422 where the history does not have the import, has
    ///   no former values, or the import was taken back.
    fileprivate func takingBack(_ name: String, progress: (Int, Int) -> Void) throws -> Int {
        let store = try opened(for: .editing)
        defer { store.close() }
        do {
            return try store.context.performAndWait {
                let reversal = try ImportReversal(of: name, in: store.context)
                progress(0, reversal.count)
                try reversal.run { progress($0, reversal.count) }
                return reversal.count
            }
        } catch let error as ImportError {
            switch error.code {
            case .changedSince:
                throw BrowserFailure(
                    409, code: "changedSince", reason: error.reason, hint: "revert the later transactions first")
            default:
                throw BrowserFailure(
                    422, code: "noHistory", reason: error.reason,
                    hint: "only transactions that are saved while former values are kept can be reverted")
            }
        }
    }
}
