import CoreData

/// The report of `inspect` on a store: complete if there is a model, else from the metadata and the tables.
package struct StoreReport {
    /// One entity of a report.
    package struct Entity {
        package let name: String
        package let superentity: String?
        /// The number of superentities, direct and indirect.
        package let depth: Int
        package let isAbstract: Bool?
        /// The number of objects of exactly this entity; nil if they cannot be counted.
        package let count: Int?
        package let countWithSubentities: Int?
        /// The hash in the store's metadata, or that of the model if the store does not have one.
        package let hash: Data?
        /// Whether model and store have the same hash; nil without a model.
        package let hashMatches: Bool?
    }

    package let facts: StoreFacts
    package let model: StoreModel?
    package let entities: [Entity]
    /// The indexes in the file; empty if it could not be opened.
    package let indexes: [StoreIndex]
    /// The tables in the file with the numbers of their rows; nil if they were not requested, unless there is no model.
    package let tables: [StoreTable]?
    /// Whether the store has the tables of persistent history; nil if that is not known.
    package let hasHistory: Bool?
    /// The transactions of the history; nil if there is no history or it cannot be read.
    package let historySpan: HistorySpan?
    package private(set) var problems: [String]
    /// Why the objects could not be counted; nil if they could.
    package let failure: InspectionError?

    /// Examines a store, with the model at a path or the one in the store.
    ///
    /// A model that does not match the store gives a report without counts and with `failure`. Without a readable
    /// model the counts are those of the tables, which are then reported as if they had been requested.
    /// - Throws: `InspectionError` when the file is not a store or the path is not a model.
    package init(at url: URL, model path: URL?, includesTables: Bool = false) throws {
        // A SQLite store is read by a single connection.
        let raw = try Self.rawStore(at: url)
        let facts = try raw.map { try StoreFacts(ofTablesAt: url, $0) } ?? StoreFacts(at: url, nil)
        let found = Result {
            // Without metadata it is not known whether a model matches the store.
            if let flaw = facts.flaw { throw flaw }
            return try OpenStore.model(at: path, for: facts, raw)
        }
        if path != nil, facts.flaw == nil { _ = try found.get() }
        let model = try? found.get()
        self.facts = facts
        self.model = model
        let survey = Result { try StoreCounts.of(facts, model: try found.get(), raw: raw) }
        let listed = raw?.indexes.sorted { ($0.table, $0.name) < ($1.table, $1.name) } ?? []
        indexes = listed.map { StoreIndex(name: $0.name, table: $0.table, sql: $0.sql) }
        tables = includesTables || model == nil ? raw.map(StoreTable.all) : nil
        hasHistory = raw?.hasHistory ?? (url.isFileURL ? nil : try? HistoryPresence.keepsHistory(facts))
        historySpan = try? raw?.historySpan()
        switch survey {
        case .success(let survey):
            entities = NSManagedObjectModel.numbered(model?.model.entities ?? []).map {
                Entity($0, hashes: facts.hashes, counts: survey)
            }
            problems = survey.problems + Set(survey.failures.map(\.cause)).sorted()
            failure = survey.failures.first
        case .failure(let error):
            entities =
                model.map { Entity.all(of: $0, hashes: facts.hashes) } ?? Entity.all(hashes: facts.hashes, in: raw)
            problems = model?.problems ?? []
            failure = error as? InspectionError ?? InspectionError.unreadable(url, error)
        }
    }

    private static func rawStore(at url: URL) throws -> RawStore? {
        guard StoreFileKind.type(of: url) == .sqlite else { return nil }
        do {
            return try RawStore(at: url)
        } catch {
            throw InspectionError.unreadable(url, error)
        }
    }
}

extension StoreReport.Entity {
    /// An entity with its counts, which are nil if the store does not contain the entity or cannot be read.
    fileprivate init(_ entity: NSEntityDescription, hashes: [String: Data], counts: StoreCounts) {
        let count = counts.counts[entity.name ?? ""]
        self.init(entity, hashes: hashes, count: count?.own, countWithSubentities: count?.family)
    }

    private init(_ entity: NSEntityDescription, hashes: [String: Data], count: Int?, countWithSubentities: Int?) {
        let stored = hashes[entity.name ?? ""]
        name = entity.name ?? ""
        superentity = entity.superentity?.name
        depth = entity.lineage.count - 1
        isAbstract = entity.isAbstract
        self.count = count
        self.countWithSubentities = countWithSubentities
        hash = stored ?? entity.versionHash
        hashMatches = stored == entity.versionHash
    }

    private init(
        name: String, superentity: String? = nil, depth: Int = 0, count: Int? = nil, countWithSubentities: Int? = nil,
        hash: Data?
    ) {
        self.name = name
        self.superentity = superentity
        self.depth = depth
        isAbstract = nil
        self.count = count
        self.countWithSubentities = countWithSubentities
        self.hash = hash
        hashMatches = nil
    }

    /// The entities of a model whose store was not opened, and those that are only in the store's metadata.
    fileprivate static func all(of model: StoreModel, hashes: [String: Data]) -> [Self] {
        let own = NSManagedObjectModel.numbered(model.model.entities)
        let known = Set(own.compactMap(\.name))
        return own.map { Self($0, hashes: hashes, count: nil, countWithSubentities: nil) }
            + all(hashes: hashes.filter { !known.contains($0.key) }, in: nil)
    }

    /// The entities that the store lists in its tables, and those that are only in its metadata.
    fileprivate static func all(hashes: [String: Data], in store: RawStore?) -> [Self] {
        let listed = RawCount.all(in: store).map {
            Self(
                name: $0.name, superentity: $0.superentity, depth: $0.depth, count: $0.count,
                countWithSubentities: $0.countWithSubentities, hash: hashes[$0.name])
        }
        let known = Set(listed.map(\.name))
        return listed
            + hashes.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }.map {
                Self(name: $0.key, hash: $0.value)
            }
    }
}
