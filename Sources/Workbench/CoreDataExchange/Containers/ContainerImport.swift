import CoreData
import Synchronization

/// An import into a store that a program has open.
final class ContainerImport: Sendable {
    private static let mostRefusals = 1000
    private static let batchSize = 1000

    private let coordinator: NSPersistentStoreCoordinator
    private let place: String
    private let mapping: PlaceImport.Mapping
    private let entity: String?
    private let options: ImportOptions
    private let identifier = StoreImport.newName
    /// Whether some of the batches are committed.
    private let isCommitted = Mutex(false)

    init(
        _ coordinator: NSPersistentStoreCoordinator, _ url: URL, _ mapping: PlaceImport.Mapping, entity: String?,
        _ options: ImportOptions
    ) {
        (self.coordinator, self.mapping, self.entity, self.options) = (coordinator, mapping, entity, options)
        place = url.isFileURL ? url.path : url.absoluteString
    }

    /// Imports on a thread of its own; the task's cancellation ends it.
    func run() async throws -> ImportSummary {
        let cancellation = ReadCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread { [self] in
                    let result = Result {
                        try ReadCancellation.$current.withValue(cancellation) { try importDocument() }
                    }
                    continuation.resume(with: result)
                }.start()
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func importDocument() throws -> ImportSummary {
        let store = try ImportError.naming(.invalidMapping) {
            try requireMapping()
            return try OpenStore(using: self.store(), of: coordinator, author: options.author, name: identifier)
        }
        var access = WebAccess()
        (access.session, access.fields) = (options.session, options.headerFields)
        var request = ImportRequest(files: [ImportFile]())
        request.entity = entity
        request.mode = options.isDryRun ? .dryRun : .save
        let work = PlaceImport([place], request, by: mapping) { [access] place, known in
            guard let url = ImportFile.webURL(place) else { return ImportFile(place) }
            return try ImportFile.fetched(url, by: access, unless: known)
        }
        let metadata = options.fetchesAlways ? nil : coordinator.metadata(for: store.store)
        let isUnread = try ImportError.naming(.unreadable) {
            guard try work.begin(unlessKnownTo: metadata) else { return true }
            try work.prepare(for: coordinator.managedObjectModel)
            return false
        }
        guard !isUnread else { return ImportSummary(.unread, identifier: identifier, refusals: []) }
        work.commit(each: options.batchSize, orWherePassingOver: Self.batchSize) { [self] in
            isCommitted.withLock { $0 = true }
            options.onCommit?(identifier)
        }
        do {
            return try summary(work, store)
        } catch {
            let committed = isCommitted.withLock { $0 } ? identifier : nil
            throw ImportError.from(error, .unreadable, writing: store.facts.url.place, identifier: committed)
        }
    }

    /// Looks at the mapping before anything else, so that what later is wrong is so by the document or the store.
    private func requireMapping() throws {
        let model = coordinator.managedObjectModel
        switch mapping {
        case .given(let mapping): _ = try MappingPlan(mapping, model)
        case .feed:
            // Whether the entity has attributes for entries is not up to the kind of feed.
            guard let entity else { return }
            _ = try MappingPlan(FeedFormat.rss.mapping(for: model.entity(named: entity)), model)
        }
    }

    private func summary(_ work: PlaceImport, _ store: OpenStore) throws -> ImportSummary {
        let total = work.files.reduce(Int64(0)) { $0 + Int64(FileStatus($1.path)?.size ?? 0) }
        var refusals: [ImportSummary.Refusal] = []
        let report = try work.run(
            in: store,
            refused: { record in
                if refusals.count < Self.mostRefusals { refusals.append(ImportSummary.Refusal(record)) }
            }, progress: { options.onProgress?(Int64($0), total) })
        guard report.refused == 0 || report.isSaved && work.passesOverRefused || options.isDryRun else {
            let first = refusals.first.map { "\($0.document):\($0.line): \($0.reason)" } ?? "a record is refused"
            throw ImportError(.refused, first, refusals: refusals)
        }
        return ImportSummary(report, identifier: identifier, refusals: refusals)
    }

    /// The store that keeps the entities of the mapping.
    private func store() throws -> NSPersistentStore {
        let model = coordinator.managedObjectModel
        var names = entity.map { [$0] } ?? []
        if case .given(let mapping) = mapping { names += mapping.entityNames }
        let entities = try names.map { try model.entity(named: $0) }
        let stores = coordinator.persistentStores.filter { store in
            (options.storeIdentifier == nil || store.identifier == options.storeIdentifier)
                && entities.allSatisfy { store.keeps($0, of: model) }
        }
        guard let store = stores.first else {
            throw ImportError(.noStore, "no store of the container keeps the entities of the mapping")
        }
        guard stores.count == 1 else {
            throw ImportError(
                .noStore,
                "several stores of the container keep the entities; options.storeIdentifier says which is meant")
        }
        guard !store.isReadOnly else {
            throw ImportError(.noStore, "the store \(store.url?.place ?? "") can only be read")
        }
        return store
    }
}
