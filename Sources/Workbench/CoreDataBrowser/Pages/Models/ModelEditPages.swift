import CoreData
import CoreDataModelEditing

/// `POST /models/{model}/edits`: applies edits, each a text as the commands take it, as one step.
struct ModelEditsPage: Page {
    let route = Route("POST /models/{model}/edits")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let body = JSONParts(try await call.json())
        let lines = try body.texts("edits")
        let name = try body.optionalText("name")
        return try await call.change(body) { state in
            try state.perform(lines.map { try ModelEdit($0) }, name: name)
        }
    }
}

/// `POST /models/{model}/paste`: makes the items of a text that was copied, under names that are free.
struct ModelPastePage: Page {
    let route = Route("POST /models/{model}/paste")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let body = JSONParts(try await call.json())
        let text = try body.text("text")
        let target = try body.optionalText("target").map { try SourceItem($0) }
        return try await call.change(body) { state in
            let pasted = try PastedEdits(text, into: state.document, target: target)
            return try pasted.notes + state.perform(pasted.edits, name: nil)
        }
    }
}

/// `POST /models/{model}/undo`: takes the last step back.
struct ModelUndoPage: Page {
    let route = Route("POST /models/{model}/undo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.change(JSONParts(try await call.json())) { state in
            state.undo()
            return []
        }
    }
}

/// `POST /models/{model}/redo`: does again what was taken back.
struct ModelRedoPage: Page {
    let route = Route("POST /models/{model}/redo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.change(JSONParts(try await call.json())) { state in
            state.redo()
            return []
        }
    }
}

/// `POST /models/{model}/save`: writes a version, unless another program has changed it meanwhile.
struct ModelSavePage: Page {
    let route = Route("POST /models/{model}/save")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.change(JSONParts(try await call.json())) { state in
            try state.save()
            return []
        }
    }
}

/// `POST /models/{model}/discard`: lets the edits of a version go, for what is in its file.
struct ModelDiscardPage: Page {
    let route = Route("POST /models/{model}/discard")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.change(JSONParts(try await call.json())) { state in
            try state.discard()
            return []
        }
    }
}

/// `POST /models/{model}/merge`: applies the edits of a version to what another program has written into its file.
struct ModelMergePage: Page {
    let route = Route("POST /models/{model}/merge")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.change(JSONParts(try await call.json())) { state in
            try state.merge().map { "'\($0.name)' was left out: \($0.reason)" }
        }
    }
}

extension PageCall {
    /// Changes the version that a body names, and tells what is different from the revision that the body has.
    ///
    /// - Parameter work: gives what is to be told, in sentences.
    fileprivate func change(
        _ body: JSONParts, _ work: @Sendable @escaping (inout EditedVersion) throws -> [String]
    ) async throws -> BrowserResponse {
        let model = try model
        try model.requireEditing()
        let version = try body.optionalText("version")
        let revision = try body.number("revision")
        return .json(
            try await BrowsedStore.onOwnThread {
                try model.with(version) { state, name in
                    let notes = try work(&state)
                    return try model.report(state, version: name, revision: revision, notes: notes)
                }
            })
    }
}
