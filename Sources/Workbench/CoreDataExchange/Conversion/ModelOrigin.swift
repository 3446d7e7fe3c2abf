import CoreData

/// The versions of a model, wherever they are stored: in a package, in a file of its own, in a store.
package struct ModelOrigin {
    package let url: URL
    package let versions: [ModelVersion]
    /// Why other versions cannot be read, by their names.
    package let unreadable: [(name: String, reason: String)]
    /// Whether the model is the one that a store keeps of itself.
    package let isStore: Bool
    private let package: ModelPackage?

    /// Reads what is at a path: a model in any form, or a store.
    ///
    /// - Throws: `InspectionError`.
    package init(at url: URL) throws {
        self.url = url
        if let model = try Self.kept(in: url) {
            let name = url.deletingPathExtension().lastPathComponent
            versions = [ModelVersion(name: name, model: model, isCurrent: true, url: url)]
            (unreadable, isStore, package) = ([], true, nil)
        } else {
            let package = try ModelPackage(at: url)
            (versions, unreadable, isStore) = (package.versions, package.unreadable, false)
            self.package = package
        }
    }

    /// Versions that were read from a path in a form of its own; at least one.
    package init(at url: URL, versions: [ModelVersion]) {
        (self.url, self.versions, unreadable, isStore, package) = (url, versions, [], false, nil)
    }

    /// The version of a name, or else the current one.
    ///
    /// - Throws: `InspectionError` if the version does not exist or the current version cannot be determined.
    package func version(_ name: String? = nil) throws -> ModelVersion {
        guard let name else { return try package?.current() ?? versions.first(where: \.isCurrent) ?? versions[0] }
        if let version = versions.first(where: { $0.name == name }) { return version }
        if let reason = unreadable.first(where: { $0.name == name })?.reason {
            throw InspectionError(.unreadable, subject: url.path, cause: "version '\(name)' cannot be read: \(reason)")
        }
        let names = versions.map { "'\($0.name)'" }.joined(separator: ", ")
        throw InspectionError(
            .unreadable, subject: url.path, cause: "there is no version '\(name)'",
            hint: NameSuggestion(for: name, in: versions.map(\.name))?.question ?? "there are \(names)")
    }

    /// The model of a store; nil for a file that is not a store.
    private static func kept(in url: URL) throws -> NSManagedObjectModel? {
        guard isDatabase(url) else { return nil }
        // A model can be read where the metadata cannot.
        let facts = try StoreFacts(ofTablesAt: url)
        if let model = try StoreModel.cached(in: facts)?.model { return model }
        throw InspectionError(
            .noModel, subject: url.path, cause: "the store keeps no model of itself",
            hint: "give the model that it was made with")
    }

    /// Whether a file begins as every SQLite database does.
    package static func isDatabase(_ url: URL) -> Bool {
        FileStatus.start(of: url.path, count: 15).elementsEqual("SQLite format 3".utf8)
    }
}
