import CoreData

/// `POST /stores/{store}/edits/save`: saves all that the tab has staged, or says why not.
struct SavePage: Page {
    let route = Route("POST /stores/{store}/edits/save")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let body = call.request.body.count == 0 ? JSONValue.null : try await call.json()
        let choices = try JSONParts(body).list("resolutions").map(ConflictChoice.init)
        let access = call.access
        let session = try await call.session
        let (status, answer) = try await session.perform { session -> (Int, JSONValue) in
            switch try session.save(choices, access) {
            case .saved(let inserted, let updated, let deleted):
                let names = JSONValue.object(inserted.map { ($0.0, .string($0.1)) })
                return (
                    200,
                    .object([
                        (
                            "saved",
                            .object([
                                ("inserted", names), ("updated", .array(updated.map { .string($0) })),
                                ("deleted", .array(deleted.map { .string($0) })),
                            ])
                        )
                    ])
                )
            case .conflicts(let conflicts):
                return (
                    409,
                    .object([
                        ("error", Self.error("conflict", "somebody else saved what you changed")),
                        ("conflicts", .array(conflicts.map(\.json))),
                    ])
                )
            case .problems(let problems):
                return (
                    422,
                    .object([
                        ("error", Self.error("problems", "the model's rules forbid what is staged")),
                        ("problems", .array(problems)),
                    ])
                )
            }
        }
        if status == 200 { await call.browser.sessions.refresh(try call.store, besides: session) }
        return .json(answer, status: status)
    }

    private static func error(_ code: String, _ reason: String) -> JSONValue {
        .object([("code", .string(code)), ("reason", .string(reason)), ("hint", .string("nothing was saved"))])
    }
}
