import CoreData

/// The models that can be compared: those of stores, and the versions of the models that were given with these.
extension BrowsedStore {
    /// The model of the store, or a version of the model that was given with it.
    ///
    /// - Throws: `BrowserFailure` 403 for a user who may not read everything, 404 if no model was given;
    ///   `InspectionError` for an unknown version.
    func comparedModel(_ version: String?, for access: BrowserAccess) throws -> ModelVersion {
        try requireReadingAll(for: access, "a model lists", hint: "ask who runs the browser")
        if let version {
            guard let model else {
                throw BrowserFailure(
                    404, code: "noModel", reason: "no model with versions was given with the store '\(name)'",
                    hint: "open the store with one: --model PATH")
            }
            return try ModelOrigin(at: model).version(version)
        }
        guard let file else {
            let url = opened.store.url ?? URL(fileURLWithPath: "/\(name)")
            return ModelVersion(name: name, model: opened.declaredModel, isCurrent: true, url: url)
        }
        let found = try OpenStore.model(at: model, for: StoreFacts(at: file))
        if let model, let version = found.versionName { return try ModelOrigin(at: model).version(version) }
        return ModelVersion(
            name: file.deletingPathExtension().lastPathComponent, model: found.model, isCurrent: true, url: file)
    }

    /// `{"id", "name", "version"}` of the store's model and of each version of the model that was given with it.
    var modelChoices: [JSONValue] {
        let versions = model.flatMap { try? ModelOrigin(at: $0).versions.map(\.name) } ?? []
        return [choice(nil)] + versions.map { choice($0) }
    }

    private func choice(_ version: String?) -> JSONValue {
        .object([
            ("id", .string(version.map { "\(id):\($0)" } ?? id)), ("name", .string(name)), ("version", .text(version)),
        ])
    }
}
