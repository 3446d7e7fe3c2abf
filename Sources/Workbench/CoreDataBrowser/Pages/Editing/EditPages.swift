import CoreData

/// `GET /stores/{store}/edits`: what the tab has staged.
struct EditListPage: ViewPage {
    let route = Route("GET /stores/{store}/edits")

    func respond(_ call: PageCall) async throws -> BrowserResponse { try await call.edited { _, _ in [] } }
}

/// `POST /stores/{store}/edits`: stages all steps of the body, or none of them.
struct StagePage: Page {
    let route = Route("POST /stores/{store}/edits")

    /// Photographs are staged as they were taken; base64 makes a third more of their bytes.
    private static let bodyLimit = 64 << 20

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let edit = try EditCall(try await call.json(limit: Self.bodyLimit))
        return try await call.edited { session, access in
            let outcome = try session.keeping(.steps(edit.body, firstName: session.names.next)) {
                try session.stage(edit, access)
            }
            return [("created", .array(outcome.inserted.map { .string(session.names.name(of: $0)) }))]
        }
    }
}

/// `POST /stores/{store}/edits/undo`
struct UndoPage: Page {
    let route = Route("POST /stores/{store}/edits/undo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.edited { session, _ in
            try session.turn(redo: false)
            return []
        }
    }
}

/// `POST /stores/{store}/edits/redo`
struct RedoPage: Page {
    let route = Route("POST /stores/{store}/edits/redo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.edited { session, _ in
            try session.turn(redo: true)
            return []
        }
    }
}

/// `POST /stores/{store}/edits/discard`
struct DiscardPage: Page {
    let route = Route("POST /stores/{store}/edits/discard")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.edited { session, _ in
            try session.discard()
            return []
        }
    }
}

/// `POST /stores/{store}/edits/found`: stages the steps that were staged in another file of the same store identifier,
/// or deletes them.
struct FoundStepsPage: Page {
    let route = Route("POST /stores/{store}/edits/found")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard case .bool(let takes)? = JSONParts(try await call.json())["take"] else { throw JSONParts.missing("take") }
        return try await call.edited { session, access in
            try session.settleSetAside(taking: takes, access)
            return []
        }
    }
}

/// `POST /stores/{store}/revert`: stages the inverse of a saved transaction, or of those from one through another.
struct RevertPage: Page {
    let route = Route("POST /stores/{store}/revert")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let parts = JSONParts(try await call.json())
        guard let given = try parts.number("transaction"), given >= 1 else { throw JSONParts.missing("transaction") }
        return try await call.edited { session, access in
            let number = Int64(given)
            let created = try session.keeping(.revert(number, firstName: session.names.next)) {
                try session.revert(number, access)
            }
            return [("created", .array(created.map { .string($0) }))]
        }
    }
}
