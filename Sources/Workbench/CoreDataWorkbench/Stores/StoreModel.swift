import CoreData

/// The model with which a store is opened, and where it came from.
package struct StoreModel {
    package enum Source: String, Sendable {
        /// Named by the caller.
        case given
        /// Kept in the store.
        case cached
    }

    package let source: Source
    package let model: NSManagedObjectModel
    package let configuration: String?
    /// The entities whose version hashes are not those of the store.
    package let differences: Set<String>
    /// The given package and its versions beside the store; empty for a cached model.
    package let fits: [ModelFit]
    /// Why other versions of a given package cannot be read, by their names.
    package let unreadable: [(name: String, reason: String)]
    /// The name of the version that was taken from a given package.
    package let versionName: String?
    /// What is wrong with the model though it can be used.
    package let problems: [String]

    /// A version that was found to be that of a store.
    package static func chosen(
        _ model: NSManagedObjectModel, configuration: String?, for facts: StoreFacts
    ) -> StoreModel {
        let differing = model.entitiesDiffering(from: facts.hashes, configuration: configuration)
        return StoreModel(
            source: .given, model: model, configuration: configuration,
            differences: Set(differing.map(\.entity)), fits: [], unreadable: [], versionName: nil, problems: []
        )
    }

    /// The version of a given package that matches a store, or else the nearest.
    package static func given(_ path: URL, for facts: StoreFacts) throws -> StoreModel {
        let package = try ModelPackage(at: path)
        let fits = package.fits(hashes: facts.hashes)
        guard let best = fits.min(by: { $0.differences.count < $1.differences.count }) else {
            throw InspectionError(.unreadable, subject: path.path, cause: "it holds no model")
        }
        return StoreModel(
            source: .given, model: best.version.model, configuration: best.configuration,
            differences: Set(best.differences.map(\.entity)), fits: fits, unreadable: package.unreadable,
            versionName: best.version.name, problems: [])
    }

    /// The model that a store keeps of itself; nil where it keeps none.
    ///
    /// - Throws: what is wrong with the kept model.
    package static func cached(in facts: StoreFacts) throws -> StoreModel? { try cached(in: facts, nil) }

    /// Reads the model out of a store that is open already, if it is.
    static func cached(in facts: StoreFacts, _ store: RawStore?) throws -> StoreModel? {
        guard let model = try store.map({ try $0.cachedModel() }) ?? kept(facts) else { return nil }
        // A store of one configuration keeps the whole model.
        let nearest = model.nearestConfiguration(to: facts.hashes)
        let configuration = nearest.differences.isEmpty ? nearest.configuration : nil
        let differing = model.entitiesDiffering(from: facts.hashes, configuration: configuration).map(\.entity)
        let problem =
            "the cached model differs from the store's version hashes in: " + differing.joined(separator: ", ")
        return StoreModel(
            source: .cached, model: model, configuration: configuration, differences: Set(differing), fits: [],
            unreadable: [], versionName: nil, problems: differing.isEmpty ? [] : [problem])
    }

    /// The model of another store, for one that keeps none; nil where the version hashes are not the same.
    package func lent(to facts: StoreFacts) -> StoreModel? {
        guard !facts.hashes.isEmpty,
            model.entitiesDiffering(from: facts.hashes, configuration: configuration).isEmpty
        else { return nil }
        return StoreModel(
            source: source, model: model, configuration: configuration, differences: [], fits: fits,
            unreadable: unreadable, versionName: versionName, problems: [])
    }

    /// The model that a store which is not open keeps; nil for kinds that keep none.
    private static func kept(_ facts: StoreFacts) throws -> NSManagedObjectModel? {
        guard facts.type != .sqlite else { return try StoreFile.cachedModel(at: facts.url) }
        let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[facts.type.rawValue]
        return try storeClass?.keptModel(at: facts.url)
    }

    /// The names of the versions that cannot be read.
    package var unreadableNames: String { unreadable.map { "'\($0.name)'" }.joined(separator: ", ") }

    /// A line saying which entities of a given model differ; nil when the model matches the store.
    package var mismatch: InspectionError? {
        guard source == .given, let best = fits.min(by: { $0.differences.count < $1.differences.count }), !best.matches
        else { return nil }
        let which =
            fits.count == 1
            ? "the model does not match the store; it differs in"
            : "none of the \(fits.count) versions matches the store; the nearest, '\(best.version.name)', differs in"
        return InspectionError(
            .modelMismatch, subject: "model", cause: "\(which): \(best.differenceText)",
            hint: unreadable.isEmpty ? nil : "the versions that cannot be read are " + unreadableNames)
    }
}
