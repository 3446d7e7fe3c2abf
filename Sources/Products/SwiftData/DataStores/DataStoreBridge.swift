import CoreDataGraph
import Foundation

/// A store of one's own without its type.
protocol DataStoreAccess: AnyObject {
    var identifier: String { get }
    /// The snapshots of a class's models, and whether they are those of the descriptor: all of the class otherwise.
    func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws -> FoundSnapshots
    func cached(_ identifiers: [PersistentIdentifier], _ state: EditingState) throws -> [DefaultSnapshot]
    func save(_ changes: ChangedRecords, _ state: EditingState) throws -> SavedSnapshots
    func erase() throws
    func initializeState(for editingState: EditingState)
    func invalidateState(for editingState: EditingState)
    /// The transactions that a descriptor describes; nil if the store keeps none of that type.
    func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]?
    /// Deletes the transactions that a descriptor describes; false if the store keeps none of that type.
    func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool
}

struct FoundSnapshots {
    let fetched: [DefaultSnapshot]
    let related: [DefaultSnapshot]
    /// Whether the library has to filter and sort them.
    let isUnfiltered: Bool
}

struct ChangedRecords {
    let inserted: [ModelRecord]
    let updated: [ModelRecord]
    let deleted: [ModelRecord]
}

struct SavedSnapshots {
    let remapped: [PersistentIdentifier: PersistentIdentifier]
    /// What was written, and what the store itself has changed.
    let present: [DefaultSnapshot]
}

final class DataStoreBridge<Store: DataStore>: DataStoreAccess {
    private let store: Store

    init(_ store: Store) { self.store = store }

    var identifier: String { store.identifier }

    func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>, _ state: EditingState) throws -> FoundSnapshots {
        do {
            let request = DataStoreFetchRequest(descriptor: descriptor, editingState: state)
            return try plain(try store.fetch(request), isUnfiltered: false)
        } catch let error as DataStoreError where [.preferInMemoryFilter, .preferInMemorySort].contains(error) {
            let request = DataStoreFetchRequest(descriptor: FetchDescriptor<T>(), editingState: state)
            return try plain(try store.fetch(request), isUnfiltered: true)
        }
    }

    private func plain<T>(_ result: DataStoreFetchResult<T, Store.Snapshot>, isUnfiltered: Bool) throws
        -> FoundSnapshots
    {
        FoundSnapshots(
            fetched: try result.fetchedSnapshots.map(plain), related: try result.relatedSnapshots.values.map(plain),
            isUnfiltered: isUnfiltered)
    }

    /// A snapshot of another type is read by its coded form.
    private func plain(_ snapshot: Store.Snapshot) throws -> DefaultSnapshot {
        if let snapshot = snapshot as? DefaultSnapshot { return snapshot }
        return try JSONDecoder().decode(DefaultSnapshot.self, from: JSONEncoder().encode(snapshot))
    }

    func cached(_ identifiers: [PersistentIdentifier], _ state: EditingState) throws -> [DefaultSnapshot] {
        try store.cachedSnapshots(for: identifiers, editingState: state).values.map(plain)
    }

    func save(_ changes: ChangedRecords, _ state: EditingState) throws -> SavedSnapshots {
        let result = try store.save(
            DataStoreSaveChangesRequest(
                editingState: state, inserted: changes.inserted.map(snapshot), updated: changes.updated.map(snapshot),
                deleted: changes.deleted.map(snapshot)))
        let remapped = result.remappedIdentifiers
        let written = (changes.inserted + changes.updated).map { record in
            var related: [PersistentIdentifier: any BackingData] = [:]
            let snapshot = DefaultSnapshot(from: record.plan.makeValues(record), relatedBackingDatas: &related)
            let former = snapshot.persistentIdentifier
            return snapshot.copy(persistentIdentifier: remapped[former] ?? former, remappedIdentifiers: remapped)
        }
        return SavedSnapshots(
            remapped: remapped, present: written + (try result.snapshotsToReregister.values.map(plain)))
    }

    private func snapshot(_ record: ModelRecord) -> Store.Snapshot {
        var related: [PersistentIdentifier: any BackingData] = [:]
        return Store.Snapshot(from: record.plan.makeValues(record), relatedBackingDatas: &related)
    }

    func erase() throws { try store.erase() }
    func initializeState(for editingState: EditingState) { store.initializeState(for: editingState) }
    func invalidateState(for editingState: EditingState) { store.invalidateState(for: editingState) }

    func fetchHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        try (store as? any HistoryProviding)?.transactions(descriptor)
    }

    func deleteHistory<T: HistoryTransaction>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
        try (store as? any HistoryProviding)?.deleteTransactions(descriptor) ?? false
    }
}

extension HistoryProviding {
    fileprivate func transactions<T>(_ descriptor: HistoryDescriptor<T>) throws -> [T]? {
        guard let descriptor = descriptor as? HistoryDescriptor<HistoryType> else { return nil }
        return try fetchHistory(descriptor) as? [T]
    }

    fileprivate func deleteTransactions<T>(_ descriptor: HistoryDescriptor<T>) throws -> Bool {
        guard let descriptor = descriptor as? HistoryDescriptor<HistoryType> else { return false }
        try deleteHistory(descriptor)
        return true
    }
}

extension DataStoreConfiguration {
    /// Opens the store for a schema.
    func open(_ schema: Schema, _ plan: (any SchemaMigrationPlan.Type)?) throws -> any DataStoreAccess {
        var configuration = self
        if configuration.schema == nil { configuration.schema = schema }
        try configuration.validate()
        return DataStoreBridge(try Store(configuration, migrationPlan: plan))
    }
}
