import CoreData

/// `GET /stores/{store}/edits`: what the tab has staged.
struct EditListPage: ViewPage {
    let route = Route("GET /stores/{store}/edits")

    func respond(_ call: PageCall) async throws -> BrowserResponse { try await call.edited { _, _ in [] } }
}

/// `POST /stores/{store}/edits`: stages steps together, or none of them.
struct StagePage: Page {
    let route = Route("POST /stores/{store}/edits")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let edit = try EditCall(try await call.json())
        return try await call.edited { session, access in
            let number = session.names.next
            let created = try edit.stage(in: session, access)
            try session.keep(.steps(edit.body, firstName: number)) { session.takeBackOpenGroup() }
            return [("created", .array(created.map { .string($0) }))]
        }
    }
}

/// `POST /stores/{store}/edits/undo`
struct UndoPage: Page {
    let route = Route("POST /stores/{store}/edits/undo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.edited { session, _ in
            try session.turnBack(redo: false)
            try session.keep(.undo) { try? session.turnBack(redo: true) }
            return []
        }
    }
}

/// `POST /stores/{store}/edits/redo`
struct RedoPage: Page {
    let route = Route("POST /stores/{store}/edits/redo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.edited { session, _ in
            try session.turnBack(redo: true)
            try session.keep(.redo) { try? session.turnBack(redo: false) }
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

/// `POST /stores/{store}/edits/found`: stages what was staged in another file of the same identifier, or forgets it.
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

/// `POST /stores/{store}/revert`: stages the inverse of a committed save.
struct RevertPage: Page {
    let route = Route("POST /stores/{store}/revert")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard let number = try JSONParts(try await call.json()).number("transaction") else {
            throw JSONParts.missing("transaction")
        }
        return try await call.edited { session, access in
            let first = session.names.next
            let created = try session.revert(Int64(number), access)
            try session.keep(.revert(Int64(number), firstName: first)) { session.takeBackOpenGroup() }
            return [("created", .array(created.map { .string($0) }))]
        }
    }
}
