import CoreData

/// The model with which a store is opened, and where it came from.
package struct StoreModel {
    package enum Source: String, Sendable {
        /// The caller gave a path of the model.
        case given
        /// The model is cached in the store.
        case cached
    }

    package let source: Source
    package let model: NSManagedObjectModel
    package let configuration: String?
    /// The entities whose version hashes differ from the store's.
    package let differences: Set<String>
    /// The comparison of each version of a given package with the store; empty for a cached model.
    package let fits: [ModelFit]
    /// The versions of a given package that cannot be read, with the reasons.
    package let unreadable: [(name: String, reason: String)]
    /// The name of the version that was chosen from a given package.
    package let versionName: String?
    /// Problems of the model that do not prevent its use.
    package let problems: [String]

    /// A version that the caller has found to match the store.
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
        let problems = ModelTexts.apply(to: best.version.model, at: path)
        return StoreModel(
            source: .given, model: best.version.model, configuration: best.configuration,
            differences: Set(best.differences.map(\.entity)), fits: fits, unreadable: package.unreadable,
            versionName: best.version.name, problems: problems)
    }

    /// The model that a store has cached; nil if it has none.
    ///
    /// - Throws: An error if the cached model is damaged.
    package static func cached(in facts: StoreFacts) throws -> StoreModel? { try cached(in: facts, nil) }

    /// Reads the cached model of a store, by `store` if it is open already.
    static func cached(in facts: StoreFacts, _ store: RawStore?) throws -> StoreModel? {
        guard let model = try store.map({ try $0.cachedModel() }) ?? kept(facts) else { return nil }
        // A store of one configuration caches the complete model.
        let nearest = model.nearestConfiguration(to: facts.hashes)
        let configuration = nearest.differences.isEmpty ? nearest.configuration : nil
        let differing = model.entitiesDiffering(from: facts.hashes, configuration: configuration).map(\.entity)
        let problem =
            "the cached model differs from the store's version hashes in: " + differing.joined(separator: ", ")
        return StoreModel(
            source: .cached, model: model, configuration: configuration, differences: Set(differing), fits: [],
            unreadable: [], versionName: nil, problems: differing.isEmpty ? [] : [problem])
    }

    /// This model, for another store that has none; nil if the version hashes differ.
    package func lent(to facts: StoreFacts) -> StoreModel? {
        guard !facts.hashes.isEmpty,
            model.entitiesDiffering(from: facts.hashes, configuration: configuration).isEmpty
        else { return nil }
        return StoreModel(
            source: source, model: model, configuration: configuration, differences: [], fits: fits,
            unreadable: unreadable, versionName: versionName, problems: [])
    }

    /// Reads the cached model of a store that is not open; nil for types of stores that have none.
    private static func kept(_ facts: StoreFacts) throws -> NSManagedObjectModel? {
        guard facts.type != .sqlite else { return try StoreFile.cachedModel(at: facts.url) }
        let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[facts.type.rawValue]
        return try storeClass?.keptModel(at: facts.url)
    }

    /// The names of the versions that cannot be read.
    package var unreadableNames: String { unreadable.map { "'\($0.name)'" }.joined(separator: ", ") }

    /// An error that says which entities of a given model differ from the store; nil if the model matches.
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

extension StoreModel {
    /// The model of an open store.
    init(of store: NSPersistentStore, _ model: NSManagedObjectModel) {
        (source, self.model, configuration) = (.given, model, store.configurationName)
        (differences, fits, unreadable, versionName, problems) = ([], [], [], nil, [])
    }
}
