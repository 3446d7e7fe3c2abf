import CoreData

/// `GET /stores/{store}/export`: the objects of some entities, or of all, as a file that can be imported.
struct ExportPage: Page {
    let route = Route("GET /stores/{store}/export")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let entities = call.query["entities"].map { ObjectQuery.list($0) } ?? []
        let name = call.query["to"] ?? "jsonl"
        guard let form = BrowsedStore.ExportChoice.Form(rawValue: name) else {
            throw BrowserFailure.badRequest("there is no form '\(name)'", hint: "json, jsonl or csv")
        }
        guard form != .csv || entities.count == 1 else {
            throw BrowserFailure.badRequest("a table is of one entity", hint: "name one, or take jsonl")
        }
        let store = try call.store
        let choice = BrowsedStore.ExportChoice(
            entities: entities, predicate: call.query["where"], keys: call.query["keys"].map { ObjectQuery.list($0) },
            form: form)
        let body = try await store.exported(choice, for: call.access)
        let type =
            switch form {
            case .json: "application/json; charset=utf-8"
            case .jsonl: "application/jsonl; charset=utf-8"
            case .csv: "text/csv; charset=utf-8"
            }
        let plain = entities.count == 1 ? entities[0].filter { $0.isASCII && ($0.isLetter || $0.isNumber) } : ""
        let file = (plain.isEmpty ? "export" : plain) + "." + name
        return BrowserResponse(
            headers: [
                "Content-Type": type,
                "Content-Disposition": "attachment; filename=\"\(file)\"",
            ], body: body)
    }
}
