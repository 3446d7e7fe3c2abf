import CoreData

/// A store to migrate, with its present version and the version of its model that it is to be migrated to.
package struct MigrationJob {
    /// The options of a migration as the user states them.
    package struct Request {
        package var store: URL
        /// The package or model of the new version.
        package var model: URL
        /// The name of the new version in its package; nil for the current version.
        package var version: String?
        /// The model that the store was created with; needed if neither the store nor the package has this model.
        package var origin: URL?
        /// The configuration whose entities the store contains; nil to derive it from the version hashes.
        package var configuration: String?
        /// Files of mapping models, for migrations that cannot be inferred.
        package var mappings: [URL] = []

        package init(store: URL, model: URL) {
            self.store = store
            self.model = model
        }
    }

    /// Where the model of the store's present version was found.
    package enum Origin: String, Sendable {
        /// The store contains a copy of its model.
        case store
        /// A version of the package has the store's version hashes.
        case package
        /// `Request.origin` has the store's version hashes.
        case given
    }

    package let facts: StoreFacts
    package let source: ModelVersion
    package let origin: Origin
    package let destination: ModelVersion
    package let configuration: String?
    /// All versions in the package that contains the new version.
    package let versions: [ModelVersion]
    /// Files of mapping models.
    package let mappings: [URL]
    /// The class that opens and migrates the store.
    let storeClass: NSPersistentStore.Type

    /// Finds both versions; changes nothing.
    ///
    /// - Throws: `InspectionError` if a file cannot be read; `MigrationRefusal` with
    /// `NSMigrationMissingSourceModelError` if
    ///   no model has the store's version hashes, or with `NSMigrationError` if the store type cannot be migrated.
    package init(_ request: Request) throws {
        facts = try StoreFacts(at: request.store)
        let known = NSPersistentStoreCoordinator.registeredStoreTypes[facts.type.rawValue]
        guard let storeClass = known, storeClass.schemaMigrating != nil || storeClass.administration != nil else {
            throw MigrationRefusal(
                NSMigrationError, store: request.store,
                cause: "stores of the kind '\(facts.type.rawValue)' are not migrated from here")
        }
        self.storeClass = storeClass
        let package = try ModelOrigin(at: request.model)
        destination = try package.version(request.version)
        versions = package.versions
        (source, origin) = try Self.source(of: facts, package, request)
        configuration = try Self.configuration(
            request.configuration, source: source, destination: destination, facts: facts)
        mappings = request.mappings
        for url in mappings { try Self.checkMapping(url) }
        for version in versions + [source] { ObjectClassResolver.expectMissingClasses(of: version.model) }
    }

    private init(
        facts: StoreFacts, source: ModelVersion, origin: Origin, destination: ModelVersion, configuration: String?,
        versions: [ModelVersion], mappings: [URL], storeClass: NSPersistentStore.Type
    ) {
        self.facts = facts
        self.storeClass = storeClass
        self.source = source
        self.origin = origin
        self.destination = destination
        self.configuration = configuration
        self.versions = versions
        self.mappings = mappings
    }

    /// The same job for a copy of the store.
    func onCopy(at url: URL) throws -> MigrationJob {
        MigrationJob(
            facts: try StoreFacts(at: url), source: source, origin: origin, destination: destination,
            configuration: configuration, versions: versions, mappings: mappings, storeClass: storeClass)
    }

    /// Whether the store is an XML or binary file, which is rewritten completely: a migration writes its objects to a
    /// new file, without SQL, and replaces the old file by it.
    package var isWrittenWhole: Bool { storeClass.schemaMigrating == nil }

    /// Whether the store is on a server; other programs may have it open, and migrations do not copy it.
    package var isOnServer: Bool { !facts.url.isFileURL }

    /// Removes incomplete backups and temporary stores that killed processes left; a migration does so by itself.
    package func removeAbandonedStores() { TemporaryStoreOwner.removeAbandoned(of: facts.url) }

    /// Whether the store had the new version already when the job was created.
    package var isUpToDate: Bool { isVersion(destination, facts.metadata) }

    /// The version of the store compared with that when the job was created: another program may have migrated it
    /// since.
    enum State {
        case asItWas
        case upToDate
        case ofAnotherVersion
    }

    /// Reads the metadata of the store again and compares its version hashes.
    func presentState() throws -> State {
        let metadata = try storeClass.metadataForPersistentStore(with: facts.url)
        if isVersion(destination, metadata) { return .upToDate }
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        return hashes == facts.hashes ? .asItWas : .ofAnotherVersion
    }

    private func isVersion(_ version: ModelVersion, _ metadata: [String: Any]) -> Bool {
        version.model.isVersion(ofStoreWith: metadata, configuration) { try? storeClass.keptModel(at: facts.url) }
    }

    /// Opens the store with a model, which must be its present version, passes it to `body` and closes it; changes
    /// nothing.
    func reading<Result>(_ model: NSManagedObjectModel, _ body: (OpenStore) throws -> Result) throws -> Result {
        let chosen = StoreModel.chosen(model, configuration: configuration, for: facts)
        let store = try OpenStore(facts, model: chosen)
        // The file must be closed before it is migrated. An error of closing would hide the error that `body` threw.
        defer { try? store.coordinator.remove(store.store) }
        return try body(store)
    }

    /// Throws if a mapping model cannot be read, since the search for a path ignores unreadable mapping models.
    private static func checkMapping(_ url: URL) throws {
        do {
            _ = try NSMappingModel(reading: url)
        } catch {
            let reason = (error as NSError).localizedFailureReason ?? ErrorText.line(for: error)
            throw InspectionError(.unreadable, subject: url.path, cause: reason)
        }
    }

    // MARK: The versions

    private static func source(
        of facts: StoreFacts, _ package: ModelOrigin, _ request: Request
    ) throws -> (ModelVersion, Origin) {
        let known = package.versions.first { ModelFit($0, hashes: facts.hashes).matches }
        // If the model in the store cannot be read, a version of the package or the given model replaces it.
        if let kept = try? StoreModel.cached(in: facts), kept.problems.isEmpty {
            let name = known?.name ?? "the model that the store keeps"
            return (ModelVersion(name: name, model: kept.model, isCurrent: false, url: facts.url), .store)
        }
        if let known { return (known, .package) }
        guard let given = request.origin else {
            throw MigrationRefusal(
                NSMigrationMissingSourceModelError, store: facts.url,
                cause: "its version is not known: it keeps no model, and no version of '\(request.model.path)' has its "
                    + "version hashes", hint: "give the model that it was made with: --from MODEL")
        }
        let fits = try ModelOrigin(at: given).versions.map { ModelFit($0, hashes: facts.hashes) }
        guard let best = fits.min(by: { $0.differences.count < $1.differences.count }), best.matches else {
            let reason = fits.min { $0.differences.count < $1.differences.count }?.differenceText ?? "no version"
            throw MigrationRefusal(
                NSMigrationMissingSourceModelError, store: facts.url,
                cause: "it was not made with '\(given.path)', which differs in: \(reason)")
        }
        return (best.version, .given)
    }

    private static func configuration(
        _ given: String?, source: ModelVersion, destination: ModelVersion, facts: StoreFacts
    ) throws -> String? {
        let name = given ?? ModelFit(source, hashes: facts.hashes).configuration
        guard let name else { return nil }
        for version in [source, destination] where !version.model.configurations.contains(name) {
            throw InspectionError(
                .modelMismatch, subject: facts.url.place,
                cause: "the version '\(version.name)' has no configuration '\(name)'",
                hint: NameSuggestion(for: name, in: version.model.configurations)?.question
                    ?? "name one that both versions have: --configuration NAME")
        }
        return name
    }
}
