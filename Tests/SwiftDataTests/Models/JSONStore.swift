import Foundation
import SwiftData

/// Describes a store in one file of JSON.
struct JSONStoreConfiguration: DataStoreConfiguration {
    typealias Store = JSONStore

    let name: String
    var schema: Schema?
    let url: URL

    init(_ name: String = "json", schema: Schema? = nil, url: URL) {
        self.name = name
        self.schema = schema
        self.url = url
    }

    func validate() throws {
        guard url.isFileURL else { throw DataStoreError.unsupportedFeature }
    }

    static func == (one: Self, other: Self) -> Bool { one.url == other.url }
    func hash(into hasher: inout Hasher) { hasher.combine(url) }
}

/// A store in one file of JSON: a list of snapshots, read and written whole.
///
/// It answers fetches without a predicate and a sort order, and leaves others to the library.
final class JSONStore: DataStore, HistoryProviding {
    typealias Configuration = JSONStoreConfiguration
    typealias Snapshot = DefaultSnapshot

    private struct Document: Codable {
        var identifier: String
        var next = 1
        var snapshots: [DefaultSnapshot] = []
        var history: [JSONTransaction] = []
    }

    let configuration: JSONStoreConfiguration
    let identifier: String
    let schema: Schema
    /// The requests that were made, for tests.
    private(set) static nonisolated(unsafe) var log: [String] = []
    /// The plan that the store was last opened with.
    private(set) static nonisolated(unsafe) var lastPlan: (any SchemaMigrationPlan.Type)?

    init(_ configuration: JSONStoreConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
        guard let schema = configuration.schema else { throw DataStoreError.unsupportedFeature }
        Self.lastPlan = migrationPlan
        self.configuration = configuration
        self.schema = schema
        if !FileManager.default.fileExists(atPath: configuration.url.path) {
            let document = Document(identifier: UUID().uuidString)
            try JSONEncoder().encode(document).write(to: configuration.url, options: .atomic)
        }
        identifier = try Self.read(configuration.url).identifier
    }

    private static func read(_ url: URL) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(contentsOf: url))
    }

    func fetch<T: PersistentModel>(
        _ request: DataStoreFetchRequest<T>
    ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
        Self.log.append("fetch \(T.self)")
        if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
        if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
        let names = family(schema.entity(for: T.self))
        let found = try Self.read(configuration.url).snapshots.filter {
            names.contains($0.persistentIdentifier.entityName)
        }
        let rest = found.dropFirst(request.descriptor.fetchOffset ?? 0)
        return DataStoreFetchResult(
            descriptor: request.descriptor,
            fetchedSnapshots: request.descriptor.fetchLimit.map { Array(rest.prefix($0)) } ?? Array(rest))
    }

    private func family(_ entity: Schema.Entity?) -> Set<String> {
        guard let entity else { return [] }
        return entity.subentities.reduce(into: [entity.name]) { $0.formUnion(family($1)) }
    }

    func save(
        _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
    ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
        Self.log.append(
            "save \(request.inserted.count) \(request.updated.count) \(request.deleted.count) "
                + (request.editingState.author ?? "-"))
        var document = try Self.read(configuration.url)
        var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
        for snapshot in request.inserted {
            let former = snapshot.persistentIdentifier
            remapped[former] = try PersistentIdentifier.identifier(
                for: identifier, entityName: former.entityName, primaryKey: document.next)
            document.next += 1
        }
        let written = (request.inserted + request.updated).map { snapshot in
            snapshot.copy(
                persistentIdentifier: remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier,
                remappedIdentifiers: remapped)
        }
        let replaced = Set((written + request.deleted).map(\.persistentIdentifier))
        document.snapshots.removeAll { replaced.contains($0.persistentIdentifier) }
        document.snapshots = (document.snapshots + written).sorted { $0.persistentIdentifier < $1.persistentIdentifier }
        let number = (document.history.last?.transactionIdentifier ?? 0) + 1
        let transaction = JSONTransaction(
            transactionIdentifier: number, author: request.editingState.author, storeIdentifier: identifier,
            timestamp: Date(), inserted: written.prefix(request.inserted.count).map(\.persistentIdentifier))
        document.history.append(transaction)
        try JSONEncoder().encode(document).write(to: configuration.url, options: .atomic)
        return DataStoreSaveChangesResult(
            for: identifier, remappedIdentifiers: remapped, historyToken: transaction.token)
    }

    func fetchHistory(_ descriptor: HistoryDescriptor<JSONTransaction>) throws -> [JSONTransaction] {
        var found = try Self.read(configuration.url).history
        if let predicate = descriptor.predicate { found = try found.filter { try predicate.evaluate($0) } }
        if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
        return descriptor.fetchLimit > 0 ? Array(found.prefix(Int(descriptor.fetchLimit))) : found
    }

    func deleteHistory(_ descriptor: HistoryDescriptor<JSONTransaction>) throws {
        let gone = Set(try fetchHistory(descriptor).map(\.transactionIdentifier))
        var document = try Self.read(configuration.url)
        document.history.removeAll { gone.contains($0.transactionIdentifier) }
        try JSONEncoder().encode(document).write(to: configuration.url, options: .atomic)
    }

    static func takeLog() -> [String] {
        defer { log = [] }
        return log
    }
}

/// What one save changed in a `JSONStore`: of the changes it keeps the insertions of trips.
struct JSONTransaction: HistoryTransaction, Codable {
    struct Token: HistoryToken {
        let tokenValue: Int?
        static func < (one: Token, other: Token) -> Bool { one.tokenValue ?? 0 < other.tokenValue ?? 0 }
    }

    struct Insert: HistoryInsert {
        typealias Model = Trip
        let changeIdentifier: Int
        let transactionIdentifier: Int
        let changedPersistentIdentifier: PersistentIdentifier
    }

    let transactionIdentifier: Int
    let author: String?
    let storeIdentifier: String
    let timestamp: Date
    let inserted: [PersistentIdentifier]

    var token: Token { Token(tokenValue: transactionIdentifier) }
    var changes: [HistoryChange] {
        inserted.filter { $0.entityName == "Trip" }.enumerated().map { number, identifier in
            .insert(
                Insert(
                    changeIdentifier: number, transactionIdentifier: transactionIdentifier,
                    changedPersistentIdentifier: identifier))
        }
    }
}
