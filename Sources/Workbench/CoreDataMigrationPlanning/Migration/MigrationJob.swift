import CoreData

/// A store that is to become one of another version of its model: which version it is of, and which one it is to be of.
package struct MigrationJob {
    /// What the user asks for.
    package struct Request {
        package var store: URL
        /// The package or model of the new version.
        package var model: URL
        /// The name of the new version in its package; the current one for nil.
        package var version: String?
        /// The model that the store was made with, for a store that does not say.
        package var origin: URL?
        /// The configuration whose entities the store keeps; found out for nil.
        package var configuration: String?
        /// Files of mapping models, for what cannot be inferred.
        package var mappings: [URL] = []

        package init(store: URL, model: URL) {
            self.store = store
            self.model = model
        }
    }

    /// Where the version that the store is of was found.
    package enum Origin: String, Sendable {
        /// The store keeps its model.
        case store
        /// A version of the package has the store's version hashes.
        case package
        /// Named by the caller.
        case given
    }

    package let facts: StoreFacts
    package let source: ModelVersion
    package let origin: Origin
    package let destination: ModelVersion
    package let configuration: String?
    /// All versions that the package of the new version has.
    package let versions: [ModelVersion]
    /// Files of mapping models.
    package let mappings: [URL]
    /// The class that opens and migrates the store.
    let storeClass: NSPersistentStore.Type

    /// Finds both versions; changes nothing.
    ///
    /// - Throws: `InspectionError` for what cannot be read, `MigrationRefusal` with `NSMigrationMissingSourceModelError` if nothing says
    ///   which version the store is of.
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

    /// Whether the store is one file that is rewritten completely, XML or binary: a migration makes another file of its
    /// objects, without SQL, and puts it in place of the first.
    package var isWrittenWhole: Bool { storeClass.schemaMigrating == nil }

    /// Whether the store is on a server, where others may have it open, and of which no copy is made.
    package var isOnServer: Bool { !facts.url.isFileURL }

    /// Removes what killed processes have left of backups and migrations of the store; a migration does so itself.
    package func removeAbandonedStores() { TemporaryStoreOwner.removeAbandoned(of: facts.url) }

    /// Whether the store is of the new version already.
    package var isUpToDate: Bool { isVersion(destination, facts.metadata) }

    /// What has become of the store since the job was made, as others may migrate it too.
    enum State {
        case asItWas
        case upToDate
        case ofAnotherVersion
    }

    /// Asks the store again.
    func presentState() throws -> State {
        let metadata = try storeClass.metadataForPersistentStore(with: facts.url)
        if isVersion(destination, metadata) { return .upToDate }
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        return hashes == facts.hashes ? .asItWas : .ofAnotherVersion
    }

    private func isVersion(_ version: ModelVersion, _ metadata: [String: Any]) -> Bool {
        version.model.isVersion(ofStoreWith: metadata, configuration) { try? storeClass.keptModel(at: facts.url) }
    }

    /// Lends the store, opened with the version that it is of; reading leaves no trace.
    func reading<Result>(_ model: NSManagedObjectModel, _ body: (OpenStore) throws -> Result) throws -> Result {
        let chosen = StoreModel.chosen(model, configuration: configuration, for: facts)
        let store = try OpenStore(facts, model: chosen)
        // The file has to be closed before it is migrated; what went wrong before is the error to report.
        defer { try? store.coordinator.remove(store.store) }
        return try body(store)
    }

    /// Says at once what is wrong with a mapping model; the search for a path passes over what it cannot read.
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
        // A kept model that cannot be read is not a loss where another one is at hand.
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
