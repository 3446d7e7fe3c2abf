import CoreData
import CoreDataJobs

/// `GET /stores/{store}/jobs`: the rows of the store's jobs, and those that an ended process has left unfinished.
struct JobListPage: ViewPage {
    let route = Route("GET /stores/{store}/jobs")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let board = call.browser.jobs
        guard call.seesJobs(of: store) else {
            return .json(.object([("jobs", .array([])), ("unfinished", .array([]))]))
        }
        return .json(
            .object([
                ("jobs", .array(board.rows(of: store.id))),
                ("unfinished", .array(board.resumable.unfinished(of: store.id).map(\.json))),
            ]))
    }
}

/// `GET /stores/{store}/jobs/{job}`: one job, and once it has ended its result or error.
struct JobPage: Page {
    let route = Route("GET /stores/{store}/jobs/{job}")

    func respond(_ call: PageCall) async throws -> BrowserResponse { .json(try call.job.json) }
}

/// `GET /stores/{store}/jobs/{job}/file`: the file that an export has made.
struct JobFilePage: Page {
    let route = Route("GET /stores/{store}/jobs/{job}/file")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let outcome = try call.job.outcome
        if outcome.isFileRemoved {
            throw BrowserFailure(410, code: "unknownFile", reason: "the file is not kept any more")
        }
        guard let file = outcome.file, outcome.result != nil, let handle = FileHandle(forReadingAtPath: file.url.path)
        else {
            throw BrowserFailure(404, code: "noFile", reason: "the job has made no file, or has not ended")
        }
        let body = BrowserBody {
            // The file is there as long as its folder.
            try withExtendedLifetime(file) {
                let piece = try handle.read(upToCount: 1 << 18) ?? Data()
                return piece.isEmpty ? nil : Array(piece)
            }
        }
        return BrowserResponse(
            headers: [
                "Content-Type": file.type, "Content-Disposition": "attachment; filename=\"\(file.name)\"",
            ], body: body)
    }
}

/// `POST /stores/{store}/jobs/{job}/{action}`: cancels, pauses or resumes a job, or takes the row of an ended one away.
struct JobActionPage: Page {
    let route = Route("POST /stores/{store}/jobs/{job}/{action}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let action = call.parameters["action"] ?? ""
        if action == "restart" { return try await restart(call) }
        if action == "forget" { return try forget(call) }
        let (store, found) = (try call.store, try call.job)
        if found.user != call.request.user?.name {
            try store.requireChangingAll(for: call.access, "this job of somebody else may change")
        }
        switch action {
        case "cancel": found.job.cancel()
        case "pause":
            guard found.kind.canPause || found.job.state == .waiting else {
                throw BrowserFailure(
                    409, code: "notPausable", reason: "a job of this kind does not stand still once it has begun",
                    hint: "cancel it; what it has changed so far is taken back")
            }
            found.job.pause()
        case "resume": found.job.resume()
        case "dismiss": call.browser.jobs.dismiss(found)
        default: throw BrowserFailure.notFound
        }
        return .json(found.json)
    }

    /// Begins a job again that an ended process has left.
    private func restart(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let entry = try call.browser.jobs.resumable.claim(call.parameters["job"] ?? "", of: store.id)
        let plan = try call.resumed(entry.record, in: store)
        let job = try call.browser.jobs.start(plan, in: store, by: call.request.user?.name, entry: entry)
        return .json(job.json, status: 202)
    }

    private func forget(_ call: PageCall) throws -> BrowserResponse {
        let store = try call.store
        guard call.seesJobs(of: store) else { throw BrowserFailure.notFound }
        let board = call.browser.jobs
        let entry = try board.resumable.claim(call.parameters["job"] ?? "", of: store.id)
        if entry.record.parameters["user"] != call.request.user?.name {
            try store.requireChangingAll(for: call.access, "this job of somebody else may change")
        }
        entry.remove()
        board.resumable.forget(entry.record.id)
        return .done
    }
}

extension PageCall {
    /// The job that the path names; only who may read everything in the store has jobs there.
    ///
    /// - Throws: `BrowserFailure` 404.
    fileprivate var job: BrowserJob {
        get throws {
            let store = try store
            guard seesJobs(of: store) else { throw BrowserFailure.notFound }
            return try browser.jobs.job(parameters["job"] ?? "", of: store.id)
        }
    }

    /// Whether the user may read everything in a store: only then there are jobs of it.
    func seesJobs(of store: BrowsedStore) -> Bool {
        HiddenParts(of: store.opened.wholeModel, from: access) == nil
    }

    /// Starts a job for this call, and answers with its row.
    func started(_ plan: JobPlan, in store: BrowsedStore) throws -> BrowserResponse {
        .json(try browser.jobs.start(plan, in: store, by: request.user?.name).json, status: 202)
    }

    /// - Throws: `BrowserFailure` 422 for a kind that is not begun again, and what its start throws.
    fileprivate func resumed(_ record: JobRecord, in store: BrowsedStore) throws -> JobPlan {
        switch JobKind(rawValue: record.kind) {
        case .import: return try resumedImport(record, in: store)
        case .reversal: return try resumedReversal(record, in: store)
        case .check: return try checkPlan(of: store)
        default:
            throw BrowserFailure(422, code: "notResumable", reason: "jobs of this kind are not begun again")
        }
    }
}
