import CoreData

/// `POST /stores/{store}/edits/save`: saves all that the tab has staged, or says why not.
struct SavePage: Page {
    let route = Route("POST /stores/{store}/edits/save")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let body = call.request.body.count == 0 ? JSONValue.null : try await call.json()
        let choices = try JSONParts(body).list("resolutions").map(ConflictChoice.init)
        let (store, access) = (try call.store, call.access)
        let session = try await call.session
        // If another file has replaced the one that the edits were staged for, this throws and they stay staged.
        try store.requireFile()
        let (status, answer) = try await store.namingFileProblem {
            try await session.perform { Self.answer(try $0.save(choices, access)) }
        }
        if status == 200 { await call.browser.sessions.refresh(store, besides: session) }
        return .json(answer, status: status)
    }

    private static func answer(_ outcome: EditSession.SaveOutcome) -> (Int, JSONValue) {
        switch outcome {
        case .saved(let inserted, let updated, let deleted):
            let names = JSONValue.object(inserted.map { ($0.0, .string($0.1)) })
            let saved: [(String, JSONValue)] = [
                ("inserted", names), ("updated", .array(updated.map { .string($0) })),
                ("deleted", .array(deleted.map { .string($0) })),
            ]
            return (200, .object([("saved", .object(saved))]))
        case .conflicts(let conflicts):
            let error = error("conflict", "another user or program saved what you changed")
            return (409, .object([("error", error), ("conflicts", .array(conflicts.map(\.json)))]))
        case .problems(let problems):
            let error = error("problems", "the model's rules forbid what is staged")
            return (422, .object([("error", error), ("problems", .array(problems))]))
        }
    }

    private static func error(_ code: String, _ reason: String) -> JSONValue {
        .object([("code", .string(code)), ("reason", .string(reason)), ("hint", .string("nothing was saved"))])
    }
}
