import Foundation

/// A fetch of a store of one's own.
public struct DataStoreFetchRequest<T: PersistentModel> {
    /// Which models, in which order.
    public let descriptor: FetchDescriptor<T>
    /// The context that fetches.
    public let editingState: EditingState
}

/// What a store of one's own has found.
public struct DataStoreFetchResult<T: PersistentModel, Snapshot: DataStoreSnapshot> {
    /// The descriptor of the fetch.
    public let descriptor: FetchDescriptor<T>
    /// The snapshots of the models, in their order.
    public let fetchedSnapshots: [Snapshot]
    /// Snapshots of related models, which need not be fetched then.
    public let relatedSnapshots: [PersistentIdentifier: Snapshot]

    /// Describes what was found.
    public init(
        descriptor: FetchDescriptor<T>, fetchedSnapshots: [Snapshot],
        relatedSnapshots: [PersistentIdentifier: Snapshot] = [:]
    ) {
        self.descriptor = descriptor
        self.fetchedSnapshots = fetchedSnapshots
        self.relatedSnapshots = relatedSnapshots
    }
}

/// A save in a store of one's own.
public struct DataStoreSaveChangesRequest<Snapshot: DataStoreSnapshot> {
    /// The context that saves.
    public let editingState: EditingState
    /// New models, under provisional identifiers.
    public let inserted: [Snapshot]
    /// Models with changes, with all their values.
    public let updated: [Snapshot]
    /// Models that are deleted.
    public let deleted: [Snapshot]
}

/// What a save in a store of one's own has done.
public struct DataStoreSaveChangesResult<Snapshot: DataStoreSnapshot> {
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The identifiers that the store has given inserted models, by their provisional ones.
    public let remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier]
    /// Values that the store itself has changed, by the identifiers of their models.
    public let snapshotsToReregister: [PersistentIdentifier: Snapshot]
    /// The position of the store's history after the save.
    public let historyToken: (any HistoryToken)?

    /// Describes what was done.
    public init(
        for storeIdentifier: String, remappedIdentifiers: [PersistentIdentifier: PersistentIdentifier] = [:],
        snapshotsToReregister: [PersistentIdentifier: Snapshot] = [:], historyToken: (any HistoryToken)? = nil
    ) {
        self.storeIdentifier = storeIdentifier
        self.remappedIdentifiers = remappedIdentifiers
        self.snapshotsToReregister = snapshotsToReregister
        self.historyToken = historyToken
    }
}
