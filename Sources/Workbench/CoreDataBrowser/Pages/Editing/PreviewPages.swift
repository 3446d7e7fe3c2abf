import CoreData

/// `GET /stores/{store}/deletion`: the objects that a deletion would also delete, the relationships that it would
/// nullify, and the rules that deny it.
struct DeletionPage: Page {
    let route = Route("GET /stores/{store}/deletion")
    private static let limit = 1_000

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let names = ObjectQuery.list(call.query["objects"])
        guard !names.isEmpty, names.count <= Self.limit else {
            throw BrowserFailure(
                400, code: "badRequest", reason: "'objects' names no object, or more than \(Self.limit)",
                hint: "such as objects=Hero/p1,Hero/p2")
        }
        let access = call.access
        guard try call.store.opened.isWriting else { return try await unstaged(names, call: call, access: access) }
        let session = try await call.session
        return .json(
            try await session.perform { session in
                try session.withScratch { scratch in
                    let work = StepWork(scratch, opened: session.opened, access: access, names: session.names)
                    return try DeletionPreview(session.scratchName, access).json(names, work)
                }
            })
    }

    /// The same for a store that is open for reading only, so that no tab has staged anything.
    private func unstaged(_ names: [String], call: PageCall, access: BrowserAccess) async throws -> BrowserResponse {
        .json(
            try await call.store.read(for: access) { reading in
                let work = StepWork(reading.context, opened: reading.opened, access: access, names: nil)
                return try DeletionPreview({ $0.objectID.shortText }, access).json(names, work)
            })
    }
}

/// `POST /stores/{store}/edits/check`: the rules that a value would break, checked while the user types it.
struct CheckPage: Page {
    let route = Route("POST /stores/{store}/edits/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let parts = JSONParts(try await call.json())
        let (name, key, value) = (try parts.text("object"), try parts.text("key"), try parts.value("value"))
        let access = call.access
        let session = try await call.session
        let problems = try await session.perform { session in
            try session.withScratch { scratch in
                let work = StepWork(scratch, opened: session.opened, access: access, names: session.names)
                let object = try work.objects.object(name)
                return try EditProblems(session.scratchName).check(
                    value, key: key, of: object, work: work, access: access)
            }
        }
        return .json(.object([("problems", .array(problems))]))
    }
}

/// `POST /stores/{store}/bulk`: sets the same values in many objects; stages the changes unless it is a dry run.
struct BulkPage: Page {
    let route = Route("POST /stores/{store}/bulk")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let bulk = try BulkEdit(try await call.json())
        let access = call.access
        let session = try await call.session
        return .json(try await session.perform { try bulk.answer(in: $0, access) })
    }
}

/// `POST /stores/{store}/writing`: opens the store again for editing, or for reading only.
struct WritingPage: Page {
    let route = Route("POST /stores/{store}/writing")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        guard case .bool(let on)? = JSONParts(try await call.json())["on"] else { throw JSONParts.missing("on") }
        let (store, access) = (try call.store, call.access)
        let mayWrite = store.opened.entities.contains { entity in
            [BrowserRules.Action.insert, .update, .delete].contains { access.may($0, entity: entity) }
        }
        guard mayWrite else {
            throw BrowserFailure(
                403, code: "notAllowed", reason: "you may not change objects of this store",
                hint: "ask who runs the browser")
        }
        if on != store.opened.isWriting {
            try call.browser.sessions.requireNothingStaged(in: store)
            try store.setWriting(on)
            call.browser.sessions.end(in: store)
            call.browser.live.send(.object([("kind", .string("writing")), ("on", .bool(on))]), about: store.id)
        }
        return .json(.object([("writing", .bool(store.opened.isWriting))]))
    }
}
