import CoreData

/// `GET /stores/{store}/export`: the objects of some entities, or of all, as a file that can be imported.
struct ExportPage: Page {
    let route = Route("GET /stores/{store}/export")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let question = try ExportQuestion { call.query[$0] }
        let body = try await call.store.exported(question.choice, for: call.access)
        return BrowserResponse(
            headers: [
                "Content-Type": question.contentType,
                "Content-Disposition": "attachment; filename=\"\(question.fileName)\"",
            ], body: body)
    }
}

/// What a client asks an export for: `entities`, `to`, `where`, `keys`.
struct ExportQuestion: Sendable {
    let choice: BrowsedStore.ExportChoice

    /// - Throws: `BrowserFailure` 400 for a form that does not exist or that is of one entity.
    init(_ text: (String) throws -> String?) throws {
        let entities = try text("entities").map { ObjectQuery.list($0) } ?? []
        let name = try text("to") ?? "jsonl"
        guard let form = BrowsedStore.ExportChoice.Form(rawValue: name) else {
            throw BrowserFailure.badRequest("there is no form '\(name)'", hint: "json, jsonl or csv")
        }
        guard form != .csv || entities.count == 1 else {
            throw BrowserFailure.badRequest("a table is of one entity", hint: "name one, or take jsonl")
        }
        choice = BrowsedStore.ExportChoice(
            entities: entities, predicate: try text("where"), keys: try text("keys").map { ObjectQuery.list($0) },
            form: form)
    }

    /// The value of `Content-Type`.
    var contentType: String {
        switch choice.form {
        case .json: "application/json; charset=utf-8"
        case .jsonl: "application/jsonl; charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    /// What the file is saved as: the entity's name in plain letters.
    var fileName: String {
        let entities = choice.entities
        let plain = entities.count == 1 ? entities[0].filter { $0.isASCII && ($0.isLetter || $0.isNumber) } : ""
        return (plain.isEmpty ? "export" : plain) + "." + choice.form.rawValue
    }
}
