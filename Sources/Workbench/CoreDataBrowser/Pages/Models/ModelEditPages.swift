import CoreData
import CoreDataModelEditing

/// `POST /models/{model}/edits`: applies edits, each a text in the form of the commands, as one step of undo.
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

/// `POST /models/{model}/paste`: adds the items of a copied text, renamed where their names are taken.
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

/// `POST /models/{model}/undo`: undoes the last step.
struct ModelUndoPage: Page {
    let route = Route("POST /models/{model}/undo")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.change(JSONParts(try await call.json())) { state in
            state.undo()
            return []
        }
    }
}

/// `POST /models/{model}/redo`: redoes what was undone.
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

/// `POST /models/{model}/discard`: discards the edits of a version and reads its file again.
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
    /// Changes the version that a body names, and reports the differences from the revision that the body names.
    ///
    /// - Parameter work: Returns the messages to report, in sentences.
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
