import CoreData

extension PageCall {
    /// The model that the path names; the user must be allowed to see all of it.
    ///
    /// - Throws: `BrowserFailure` 404 or 403.
    var model: EditedModel {
        get throws {
            let id = parameters["model"] ?? ""
            guard id.hasPrefix("store-"), !browser.models.isShown(id) else { return try browser.models.model(id) }
            let store = try browser.store(String(id.dropFirst("store-".count)))
            try store.requireReadingAll(for: access, "a model states", hint: "look at the entities in lists")
            return browser.models.model(of: store)
        }
    }

    /// The version that the query names; nil for the current one.
    var version: String? { query["version"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Answers what `body` returns for the model and the version of the call, on a thread of its own.
    func answer(_ body: @Sendable @escaping (EditedModel, String?) throws -> JSONValue) async throws -> BrowserResponse
    {
        let (model, version) = (try model, version)
        return .json(try await BrowsedStore.onOwnThread { try body(model, version) })
    }
}
