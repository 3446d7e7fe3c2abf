import CoreData

/// `POST /models/{model}/versions`: adds a version, `{"add", "from"}`, or makes one the current one, `{"current"}`.
struct ModelVersionsPage: Page {
    let route = Route("POST /models/{model}/versions")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let model = try call.model
        try model.requireEditing()
        let body = JSONParts(try await call.json())
        let (added, original) = (try body.optionalText("add"), try body.optionalText("from"))
        let current = try body.optionalText("current")
        guard added != nil || current != nil else {
            throw BrowserFailure.badRequest("neither 'add' nor 'current' names a version")
        }
        return .json(
            try await BrowsedStore.onOwnThread {
                if let added {
                    // The version's file is copied, so the copy would lack unsaved edits.
                    let source = try original ?? model.currentName()
                    guard !model.unsavedNames.contains(source) else {
                        throw BrowserFailure(
                            409, code: "unsaved", reason: "'\(source)' has edits that are not saved",
                            hint: "save them first")
                    }
                    try model.addVersion(added, copyOf: source)
                }
                if let current { try model.setCurrent(current) }
                return try model.report(added ?? current)
            })
    }
}

/// `POST /models/{model}/prune`: removes the versions that none of the shown stores named in `stores` needs, or with
/// `"dryRun": true` lists them.
struct ModelPrunePage: Page {
    let route = Route("POST /models/{model}/prune")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let model = try call.model
        try model.requireEditing()
        let body = JSONParts(try await call.json())
        let isDryRun = if case .bool(true)? = body["dryRun"] { true } else { false }
        let files = try body.list("stores").map { json -> URL in
            guard case .string(let id) = json else { throw BrowserFailure.badRequest("a store is named by its number") }
            return try call.browser.store(id).storeFile("its version is not known")
        }
        guard model.unsavedNames.isEmpty || isDryRun else {
            throw BrowserFailure(
                409, code: "unsaved", reason: "there are edits that are not saved", hint: "save them first")
        }
        return .json(
            try await BrowsedStore.onOwnThread {
                let pruning = try model.pruning(for: files)
                if !isDryRun { try pruning.run() }
                return pruning.report(isDone: !isDryRun)
            })
    }
}
